"""A recorded decision becomes a labelled reply, for a person to judge."""

import json
from typing import Any

import pytest
from arena.backend import OFFLINE, TOOLS, Backend, Completion, Connection, ToolCall

MATCH = "g/model,first/0.1"
BENCH: dict[str, Any] = {
    "name": "cases",
    "games": {"g": "tic-tac-toe"},
    "schedule": {"use": "fixed", "seatings": [["model", "first"]]},
    "illegal_actions": {"retries": 2},
    "limits": {"max-steps": 4},
    "metrics": [],
}


@pytest.fixture
def played(arena, tmp_path):
    """Play one match in which a model says these things."""

    def play(answers: list[Any], agent: dict[str, Any] | None = None, **changes: Any) -> None:
        backend = {"use": "scripted", "answers": answers}
        model = {"use": "llm", "backend": backend, **(agent or {"constrained": False})}
        bench = {**BENCH, "agents": {"model": model, "first": "first-legal"}, **changes}
        (tmp_path / "bench.yaml").write_text(json.dumps(bench))
        done = arena("run", "bench.yaml", "-q", "-o", "run")
        assert done.exit_code == 0, done.stderr

    return play


@pytest.fixture
def case(arena):
    """One decision as a labelled reply: what is printed must be one line."""

    def show(wanted: str) -> dict[str, Any]:
        done = arena("audit", "run", "--as-case", wanted)
        assert done.exit_code == 0, done.stderr
        (line,) = done.stdout.splitlines()
        return json.loads(line)

    return show


@pytest.fixture
def refused(arena):
    """What is said where a decision cannot be shown."""

    def show(wanted: str) -> str:
        done = arena("audit", "run", "--as-case", wanted)
        assert done.exit_code != 0
        assert "Traceback" not in done.stderr
        return " ".join(done.stderr.split())

    return show


def test_case_has_what_was_written_and_what_was_legal(played, case):
    """The reply is the recorded one and the actions those of that position; what was meant is left to a person."""
    played(['{"action": "row 2, column 2"}', 'Either. {"action": "row 2, column 1"} {"action": "row 3, column 3"}'])

    found = case(f"{MATCH} turn 3 try 1")

    assert list(found) == [
        *("id", "category", "language", "legal", "labels", "reply", "meant", "strict", "lenient", "why")
    ]
    assert found["reply"] == 'Either. {"action": "row 2, column 1"} {"action": "row 3, column 3"}'
    assert found["legal"] == [1, 2, 3, 5, 6, 7, 8]
    assert found["labels"][0] == "row 1, column 2"
    assert (found["id"], found["category"]) == (f"{MATCH} turn 3 try 1", "ambiguous")
    assert (found["meant"], found["strict"], found["lenient"], found["why"]) == (None, "refuse", "refuse", "")


def test_line_of_an_audit_names_its_case(arena, played, case):
    """What stands before the first dot of a line of the audit is an ID."""
    played(
        ["nothing", '{"action": "row 2, column 2"} {"action": "row 2, column 3"}'],
        agent={"takes": "last", "constrained": False},
    )

    line = next(each for each in arena("audit", "run").stdout.splitlines() if each.endswith("last-of-several"))
    found = case(line.partition(" · ")[0])

    assert found["category"] == "last-of-several"
    assert found["reply"] == '{"action": "row 2, column 2"} {"action": "row 2, column 3"}'


def test_only_answered_try_needs_no_number(played, case):
    """Where a model answered one try of a turn, match and turn are enough."""
    played(['{"action": "row 2, column 2"}', '{"action": "row 3, column 3"}'])

    assert case(f"{MATCH} turn 1")["id"] == f"{MATCH} turn 1 try 1"
    assert case(f"{MATCH} turn 3")["category"] == "played"


def test_actions_that_are_their_own_words_have_no_labels(played, case):
    """Labels are left out where each action is a text and its own label."""
    played(['{"action": "A1"}'], games={"g": "two-by-two-play"}, limits={"max-steps": 1})

    found = case(f"{MATCH} turn 1")

    assert found["legal"] == ["A1", "A2"]
    assert "labels" not in found


SAID = "Two corners are free. Both are worth the same. I take row 1, column 3."
CALL = ToolCall("1", "play", '{"action": "row 1, column 3"}')


class Caller(Backend):
    """Calls a tool first, and is cut off when it is asked again."""

    capabilities = frozenset({OFFLINE, TOOLS})

    async def connect(self):
        return CallerConnection()


class CallerConnection(Connection):
    def __init__(self):
        self.asked = 0

    async def complete(self, request):
        self.asked += 1
        if self.asked > 1:
            return Completion(text='{"action": "row', finish_reason="length")
        return Completion(text=SAID, reasoning="The corner.", tool_calls=(CALL,), finish_reason="tool-calls")


def test_thought_calls_and_finish_reason_are_kept(played, case, installed_plugin):
    """The provider's reasoning, native calls and an unusual finish reason come from the journal."""
    installed_plugin("backend", "caller", Caller)
    played([], agent={"tools": True, "backend": "caller"})

    called, cut = case(f"{MATCH} turn 1"), case(f"{MATCH} turn 3 try 1")

    assert (called["reply"], called["reasoning"]) == (SAID, "The corner.")
    assert called["tool_calls"] == [{"name": "play", "arguments": CALL.arguments}]
    assert "finish" not in called
    assert (cut["finish"], cut["category"]) == ("length", "truncated")


@pytest.mark.parametrize("written", ['{"action": 4}', "I would rather not."])
def test_of_several_roles_the_one_that_acts_is_shown(played, case, written):
    """Of the completions of one try, the case holds the one that stated the action, or was refused."""
    played(
        ['{"note": "Take the middle."}', written],
        agent={"use": "roles", "routes": {"*": ["planner", "actor"]}},
        limits={"max-steps": 1},
        illegal_actions={"retries": 0},
    )

    assert case(f"{MATCH} turn 1")["reply"] == written


def test_actions_that_cannot_be_listed_are_said(played, refused):
    """A decision without a list of its legal actions cannot be a case, which is said."""
    played(["no"], games={"g": "negotiation"}, limits={"max-steps": 1}, illegal_actions={"retries": 0})

    assert "too many to list" in refused(f"{MATCH} turn 1")


def test_decision_that_is_not_there_is_said_in_a_sentence(played, refused):
    """A wrong ID, match, turn or try is named, with how to find a right one."""
    played(['{"action": "row 2, column 2"}', "no"], illegal_actions={"retries": 1, "then": "random"})

    assert "expected 'MATCH turn N'" in refused("a001")
    assert "`arena audit run` lists" in refused("a001")
    assert "no match 'other'" in refused("other turn 1")
    assert "has 4 turns" in refused(f"{MATCH} turn 5")
    assert "no model answered try 2 of this turn (there is: try 1)" in refused(f"{MATCH} turn 1 try 2")


def test_several_tries_are_told_apart(played, refused):
    """A turn with several answers of a model asks for the number of the try, and shows how it is written."""
    played(['{"action": "row 2, column 2"}', "no", "no", '{"action": "row 3, column 3"}'])

    assert f"as in '{MATCH} turn 3 try 3' (there is: try 1, try 2, try 3)" in refused(f"{MATCH} turn 3")


def test_decision_of_no_model_is_said(played, refused):
    """A decision that no model answered has no reply to show."""
    played(['{"action": "row 2, column 2"}', '{"action": "row 3, column 3"}'])

    assert "no model answered in this turn" in refused(f"{MATCH} turn 2")
