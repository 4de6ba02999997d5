"""What matches make of an answer that is cut off, whatever the word with which the server says so."""

from collections import Counter
from pathlib import Path

import pytest
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal
from click.testing import CliRunner

WHOLE = '{"action": "row 1, column 1"}'
LENGTH = "length model_length MAX_TOKENS LENGTH max_output_tokens max_tokens model_context_window_exceeded limit"
FILTER = "content_filter SAFETY PROHIBITED_CONTENT RECITATION BLOCKLIST SPII guardrail_intervened sensitive"
UNKNOWN = ["OTHER", "pause_turn", "MALFORMED_FUNCTION_CALL", "FINISH_REASON_UNSPECIFIED", "compaction", "new", None]
BROKEN = "insufficient_system_resource error abort ERROR cancelled failed network_error timeout not_finished unload"
FINISHED = "stop eos end_turn COMPLETE STOP stop_sequence eos_token"
WORDS = [*LENGTH.split(), *FILTER.split(), *UNKNOWN, *BROKEN.split(), *FINISHED.split()]
CUT_OFF = {
    "behind the object": f"{WHOLE}\n\nBut wai",
    "in the object": WHOLE[:-4],
    "in a label": "row 1, column 1",
    "in a second one": f'{WHOLE}\n\n{{"action": "row',
}
FILE = """
seed: 3
games: {ttt: tic-tac-toe}
agents:
  own:
    use: llm
    takes: TAKES
    parser: lenient
    backend: {use: openai-compatible, model: m, base-url: ADDRESS, stream: STREAM, max-attempts: 1, schema: none}
  random: random
schedule: {use: round-robin, repeats: NUMBER, rotate-seats: false}
illegal-actions: {retries: 0}
"""


def play(server, text: str, words, *, stream: bool, takes: str = "one") -> Counter:
    """How many matches ended how, where the first answer of each has this text and one of these words."""
    left = [*words]
    server.usually = lambda call: call.says(text, finish=left.pop())
    named = {"ADDRESS": server.address, "STREAM": str(stream).lower(), "NUMBER": str(len(words)), "TAKES": takes}
    file = FILE
    for name, value in named.items():
        file = file.replace(name, value)
    Path("bench.yaml").write_text(file)
    CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", "-q"])
    with Journal.open(Path("run")) as journal:
        records = list(journal.records())
        assert not any(event.player == 0 for record in records for event in record.played())
        return Counter(record.ending for record in records)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("text", CUT_OFF.values(), ids=CUT_OFF.keys())
def test_what_is_cut_off_is_never_played(server, text, stream):
    """Forty words for the end of an answer; a server that breaks off is no model that failed."""
    known = WORDS if text == CUT_OFF["behind the object"] else WORDS[: -len(FINISHED.split())]

    ends = play(server, text, known, stream=stream)

    broken = len(BROKEN.split())
    assert ends == {Ending.FORFEIT_FORMAT: len(known) - broken, Ending.INFRASTRUCTURE_FAILURE: broken}


def test_the_last_object_of_a_text_is_not_taken_where_it_may_be_cut_off(server):
    """Other rules of reading do not change that."""
    words = [*LENGTH.split(), *FILTER.split(), *UNKNOWN]

    assert play(server, CUT_OFF["behind the object"], words, stream=True, takes="last") == {
        Ending.FORFEIT_FORMAT: len(words)
    }


def test_a_word_that_nobody_knows_is_counted_and_a_whole_answer_played(server):
    """The report says how often it came, the run that it did."""
    server.usually = lambda call: call.says(WHOLE, finish="unheard_of")
    file = FILE.replace("ADDRESS", server.address).replace("STREAM", "true").replace("NUMBER", "1")
    Path("bench.yaml").write_text(file.replace("TAKES", "one"))

    done = CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run"])
    told = CliRunner().invoke(group, ["report", "run", "--full"]).stdout

    with Journal.open(Path("run")) as journal:
        (record,) = journal.records()
        (model,) = journal.model_versions()
    assert next(record.played()).player == 0
    assert model.untold == {"unheard_of": model.calls}
    assert "says 'unheard_of' of why an answer ended" in " ".join((done.stdout + done.stderr).split())
    assert "unheard_of" in told
