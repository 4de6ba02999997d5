"""The page on answers shows replies of the corpus as they are, and what happens to them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from arena.agent import Refusal
from arena.record import canonical_json
from arena_agent_llm.replies.answer import understand

from .replies import Case, cases

PAGE = Path(__file__).resolve().parents[4] / "docs" / "answers.md"
HEAD = "| case | reply | happens | because |"


def rows() -> Iterator[list[str]]:
    """The cells of each row of the page's table of examples."""
    lines = PAGE.read_text("utf-8").splitlines()
    for line in lines[lines.index(HEAD) + 2 :]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split(" | ")]


def shown(case: Case) -> str:
    """A reply as the page writes it: ``⏎`` for the end of a line, its calls, and that it was cut off."""
    said = case.completion.text.replace("\n", "⏎")
    parts = [f"`{said}`"] if said else []
    parts += [f"call `{call.name}({call.arguments})`" for call in case.completion.tool_calls]
    return ", ".join([*parts, "cut off"] if case.completion.finish_reason == "length" else parts)


def outcome(case: Case) -> str:
    """What happens to a reply as the page writes it: what is played or the kind of refusal, for both parsers."""
    strict, lenient = (_happens(case, is_lenient=is_lenient) for is_lenient in (False, True))
    return strict if strict == lenient else f"{strict}; with `lenient` {lenient}"


def _happens(case: Case, *, is_lenient: bool) -> str:
    may_look_up = any(call.name == "look_up" for call in case.completion.tool_calls)
    found = understand(case.completion, case.decision(), is_lenient=is_lenient, may_look_up=may_look_up)
    if isinstance(found, Refusal):
        return found.kind.value
    played = case.played(is_lenient=is_lenient)
    return f"played: `{played if isinstance(played, str) else canonical_json(played)}`"


@pytest.fixture(scope="module")
def corpus() -> dict[str, Case]:
    """All cases by their names."""
    return {case.id: case for name in ("replies.jsonl", "held_out.jsonl") for case in cases(name)}


def test_the_page_has_twenty_examples_in_five_languages(corpus: dict[str, Case]):
    """The table has twenty replies, each once, in all languages of the corpus."""
    named = [row[0] for row in rows()]

    assert len(named) == len(set(named)) == 20
    assert {corpus[name].language for name in named} == {"en", "de", "fr", "es", "zh"}


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row[0])
def test_an_example_of_the_page_is_true(row: list[str], corpus: dict[str, Case]):
    """A reply stands there word for word, with what becomes of it."""
    name, reply, happens, _ = row

    assert (reply, happens) == (shown(corpus[name]), outcome(corpus[name]))
