"""What a run, its caps and its report make of the usage that servers tell."""

from pathlib import Path

import pytest
from arena_cli.application.group import group
from arena_engine import Journal
from click.testing import CliRunner, Result

FILE = """
seed: 3
games: {ttt: tic-tac-toe}
agents:
  own:
    use: llm
    backend:
      use: openai-compatible
      model: m
      base-url: ADDRESS
      stream: STREAM
      prices: {input: 10, output: 20, cached: 1, reasoning: 40}
  random: random
limits: {budget-usd: CAP}
schedule: {use: round-robin, repeats: 1, rotate-seats: false}
illegal-actions: {retries: 0}
metrics: [costs]
"""
XAI = {
    "prompt_tokens": 100,
    "completion_tokens": 10,
    "total_tokens": 1010,
    "completion_tokens_details": {"reasoning_tokens": 900},
}
OTHER_NAMES = {
    "Moonshot": ({"prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 64}, 36 * 10 + 64 + 200),
    "Anthropic": ({"prompt_tokens": 100, "completion_tokens": 10, "cache_read_input_tokens": 80}, 20 * 10 + 80 + 200),
    "SGLang": ({"prompt_tokens": 100, "completion_tokens": 910, "reasoning_tokens": 900}, 1000 + 200 + 36_000),
    "xAI": (XAI, 1000 + 200 + 36_000),
}


def play(server, used, *, stream: bool = False, cap: float = 1.0) -> Result:
    """Play one match, in which the first answer, refused by the rules of the file, ends it."""
    server.usually = lambda call: call.says("no", usage=used)
    file = FILE.replace("ADDRESS", server.address).replace("STREAM", str(stream).lower()).replace("CAP", str(cap))
    Path("bench.yaml").write_text(file)
    return CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run"])


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("used", "dollars"), OTHER_NAMES.values(), ids=OTHER_NAMES.keys())
def test_the_money_shown_is_what_the_server_charges(server, used, dollars, stream):
    """By the names of many servers, and with reasoning beside the completion."""
    play(server, used, stream=stream)

    with Journal.open(Path("run")) as journal:
        totals = journal.totals()
        (plan,) = journal.plans()
        (use,) = journal.uses(plan.id)
    assert totals.cost_usd * 1e6 == pytest.approx(dollars)
    assert totals.larger_calls == 0
    assert (use.cached_tokens, use.reasoning_tokens) != (None, None)


def test_of_a_total_that_differs_the_larger_is_counted_and_told(server):
    """900 tokens of nobody knows what are paid as written ones; the run and the report say so."""
    said = play(server, {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 1010})
    told = CliRunner().invoke(group, ["report", "run", "--full"]).stdout

    with Journal.open(Path("run")) as journal:
        totals = journal.totals()
    assert (totals.completion_tokens, totals.larger_calls) == (910, 1)
    assert totals.cost_usd * 1e6 == pytest.approx(1000 + 910 * 20)
    assert "tells a total of tokens that is not the sum of its parts" in " ".join((said.stdout + said.stderr).split())
    assert "In 1 of 1 calls the provider's total was not the sum of its parts" in " ".join(told.split())
