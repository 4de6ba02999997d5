"""What `arena check-agents` finds out about a server, what it costs, and what it writes into the file."""

import re
from pathlib import Path

import pytest
from arena_cli.application.group import group
from arena_cli.running.saved_compat import with_compat
from click.testing import CliRunner, Result

FILE = """# mine
games: {ttt: tic-tac-toe}
agents:
  own:
    use: llm  # a model
    backend:
      use: openai-compatible
      model: any
      temperature: 0.7
      base-url: ADDRESS
      prices: {input: 1, output: 2}
  random: random
"""
LEARNED = "compat: {limit-name: max_completion_tokens, leave-out: [temperature], system: user}"


@pytest.fixture
def picky(server):
    """A server of a model that refuses a system's message, a temperature and the old name of the limit."""
    answer = server.usually

    def refuses(call):
        if call.body["messages"][0]["role"] == "system":
            return call.fail(400, "System role not supported")
        if "temperature" in call.body:
            return call.fail(400, "Unsupported value: 'temperature' does not support 0.7 with this model.")
        if "max_tokens" in call.body:
            return call.fail(400, "Unsupported parameter: 'max_tokens' is not supported with this model.")
        return answer(call)

    server.usually = refuses
    Path("bench.yaml").write_text(FILE.replace("ADDRESS", server.address))
    return server


def checked(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["check-agents", "bench.yaml", *arguments])


def test_a_table_says_what_a_server_can_do(picky):
    """What all may cost comes first, what was learned and what it did cost come last; the file stays as it is."""
    before = Path("bench.yaml").read_text()

    done = checked()

    said = " ".join(done.stdout.split())
    assert done.exit_code == 0, done.output
    assert said.startswith("4 short requests, at most $0.00")
    for finding in ("usage yes 100 tokens sent", "JSON schema yes", "tool call yes", "long answer no ends with 'stop'"):
        assert finding in said
    assert f"learned: {LEARNED}" in said
    # 100 tokens sent each, and 12, 5, 5 and 12 written
    cost = float(re.search(r"all of it cost \$([\d.]+)", said)[1])
    written = [call.body.get("max_completion_tokens") for call in picky.calls]
    assert cost == pytest.approx((400 * 1 + 34 * 2) / 1e6)
    assert len(written) == 3 + 4
    assert Path("bench.yaml").read_text() == before


def test_what_is_learned_is_saved_and_refused_no_more(picky):
    """One line is written into the file, every other byte stays, and the next check is refused nothing."""
    before = Path("bench.yaml").read_text()

    saved = checked("--save")
    asked = len(picky.calls)
    again = checked("--save")

    assert (saved.exit_code, again.exit_code) == (0, 0), saved.output + again.output
    after = before.replace("    backend:\n", f"    backend:\n      {LEARNED}\n")
    assert Path("bench.yaml").read_text() == after
    assert len(picky.calls) - asked == 4
    assert "warning" not in again.output


def test_nothing_is_asked_above_the_sum(picky):
    """The sentence names the sum and the option."""
    done = checked("--at-most", "0.000001")

    assert done.exit_code == 2
    assert "more than --at-most 1e-06" in " ".join(done.output.split())
    assert picky.calls == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: {b: {use: x}}\n", "a: {b: {compat: {system: user}, use: x}}\n"),
        ("a:\n  b:  # why\n    use: x\n", "a:\n  b:  # why\n    compat: {system: user}\n    use: x\n"),
        ("a: {b: {use: x, compat: {leave-out: [seed]}}}\n", "a: {b: {use: x, compat: {system: user}}}\n"),
        ("a: {b: x}\n", None),
        ("a: {b: &c {use: x}, d: *c}\n", None),
        ("a: {}\n", None),
    ],
)
def test_a_line_is_put_where_it_belongs_or_nowhere(before, after):
    """Tables in lines and between braces get it; what stands elsewhere, or for several, is left to the user."""
    assert with_compat(before, ("a", "b"), {"system": "user"}) == after
