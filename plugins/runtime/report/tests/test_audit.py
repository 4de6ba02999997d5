"""Every difference between what was written and what was played is found, whoever made it."""

import json
from typing import Any

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Reply
from arena.backend import Backend, CompletionRequest, Message
from arena.catalog import Catalog
from arena_engine.journal.journal import Journal
from arena_report.replies.differences import CLASSES, audit

BENCH: dict[str, Any] = {
    "name": "audited",
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"model": {"use": "llm", "constrained": False, "backend": {"use": "scripted"}}, "first": "first-legal"},
    "schedule": {"use": "fixed", "seatings": [["model", "first"]]},
    "illegal_actions": {"retries": 2},
    "limits": {"max-steps": 2},
    "metrics": [],
}


@pytest.fixture
def audited(arena, tmp_path):
    """Play one match in which a model says these things, and audit it."""

    def play(answers: list[str], agent: dict[str, Any] | None = None, **changes: Any):
        bench = {**BENCH, **changes}
        model = {**BENCH["agents"]["model"], "backend": {"use": "scripted", "answers": answers}, **(agent or {})}
        bench["agents"] = {**BENCH["agents"], "model": model}
        (tmp_path / "bench.yaml").write_text(json.dumps(bench))
        done = arena("run", "bench.yaml", "-q", "-o", "run")
        assert done.exit_code == 0, done.stderr
        with Journal.open(tmp_path / "run") as journal:
            return audit(journal)

    return play


def kinds(found) -> dict[str, int]:
    return {kind: n for kind, n in found.counts().items() if n}


def test_clear_answers_leave_nothing_to_find(audited):
    """An answer whose action is the one played is checked and is no finding."""
    found = audited(['{"reasoning": "x", "action": "row 2, column 2"}'])

    assert kinds(found) == {}
    assert (found.matches, found.turns, found.tries, found.answered, found.checked) == (1, 2, 2, 1, 1)


def test_refusals_come_by_class(audited):
    """Each refused try is listed with what was written, why, and what was played in the end."""
    found = audited(["", "I take the middle", '{"action": "row 1, column 3"}'])

    assert kinds(found) == {"empty": 1, "unreadable": 1}
    assert [f.written for f in found.findings] == ["", "I take the middle"]
    assert {f.played for f in found.findings} == {"row 1, column 3"}
    assert {f.agent for f in found.findings} == {"model"}


def test_forfeit_is_found(audited):
    """A player that runs out of tries is put out, and the last thing it wrote is shown."""
    found = audited(["no"], illegal_actions={"retries": 1})

    assert kinds(found) == {"unreadable": 2, "forfeit": 1}
    assert found.findings[-1].written == "no"
    assert found.findings[-1].played is None


def test_substitute_is_found(audited):
    """An action that a policy put in is never taken for the model's."""
    found = audited(["no"], illegal_actions={"retries": 0, "then": "random"})

    assert kinds(found) == {"unreadable": 1, "substitute": 1}
    assert found.checked == 0


@attrs.frozen(kw_only=True)
class Liar(Agent):
    """Asks, and plays the first action whatever is answered."""

    backend: Backend
    constrained: bool = False

    def join(self, seat):
        return LiarPlayer(self, seat)


class LiarPlayer(PlayerAgent):
    def __init__(self, agent, seat):
        self.agent, self.seat = agent, seat

    async def act(self, decision):
        request = CompletionRequest(messages=(Message.of("user", "?"),))
        await self.seat.completions.complete(self.agent.backend, request)
        return Reply(action=decision.options.actions[0])


def test_agent_that_plays_something_else_is_found(audited, installed_plugin):
    """The check does not trust the agent that read the answer: another action than the one written is a finding."""
    installed_plugin("agent", "liar", Liar)

    found = audited(['{"action": "row 1, column 1"} no: {"action": "row 3, column 3"}'], agent={"use": "liar"})

    assert kinds(found) == {"differs": 1}
    (finding,) = found.findings
    assert finding.played == "row 1, column 1"
    assert "row 3, column 3" in finding.reason


@pytest.mark.parametrize(
    "written", ['{"action": "ROW 2,  column 2"}', '```json\n{"action": 4}\n```', '{"action": {"a": 1}} {"action": "4"}']
)
def test_check_reads_what_agrees(audited, written):
    """Spaces, an action in the place of its label, and objects before the last are no difference."""
    assert "differs" not in kinds(audited([written]))


SEVERAL = '{"action": "row 1, column 1"} or {"action": "row 3, column 3"}'


def test_short_names_are_those_of_the_game(arena, audited, tmp_path):
    """Asked in brief, a model answers by a short name of what was played; without the game nobody can tell."""
    without = audited(
        ['{"action": "bet"}'],
        {"prompt": {"style": "brief"}},
        games={"kuhn": "kuhn-poker"},
        limits={"max-steps": 1},
    )

    assert without.counts()["differs"] == 1
    with Journal.open(tmp_path / "run") as journal:
        found = audit(journal, Catalog())
    assert (found.checked, found.findings) == (1, ())


def test_last_of_several_answers_is_listed(arena, audited):
    """What was played because the agent takes the last of several answers is listed, with the ID of its decision."""
    found = audited(["", SEVERAL], agent={"takes": "last"})

    shown = arena("audit", "run").stdout

    assert kinds(found) == {"empty": 1, "last-of-several": 1}
    assert (found.findings[-1].played, found.total("last-of-several")) == ("row 3, column 3", 2)
    assert "ttt/model,first/0.1 turn 1 try 2 · model · last-of-several" in shown
    assert "see it: arena replay run -m ttt/model,first/0.1 -t 1" in shown
    (line,) = [line for line in shown.splitlines() if line.startswith("last-of-several ")]
    assert line.split()[1:5] == ["1", "2", "50", "%"]


def test_report_says_how_many_were_the_last_of_several(arena, audited):
    """The report of such a run counts these actions beside the score, for the agent that took them."""
    audited([SEVERAL], agent={"takes": "last"}, metrics=["outcomes", "illegal-actions"])

    report = arena("report", "run", "--format", "markdown").stdout

    found = [line for line in report.splitlines() if line.startswith("| ttt | model |") and "| 1 | 100.0% n=1" in line]
    assert len(found) == 2  # how matches ended, and what refusals cost
    assert report.count("| last of several | actions last of several |") == 2


def test_without_several_answers_nothing_is_said_of_them(arena, audited):
    """An audit of a run without such an answer has no line for them, nor has its JSON."""
    audited([SEVERAL], illegal_actions={"retries": 0})

    assert "last-of-several" not in arena("audit", "run").stdout
    assert "last-of-several" not in arena("audit", "run", "--json").stdout


def test_command_shows_counts_and_shares(arena, audited):
    """The table holds the classes that were found with n and share; --json has all, and every finding in full."""
    audited(["", '{"action": "row 2, column 2"}'])

    shown = arena("audit", "run").stdout
    listed = json.loads(arena("audit", "run", "--json").stdout)

    assert listed["format"] == 1
    assert set(listed["counts"]) == set(CLASSES)
    assert [line.split()[:5] for line in shown.splitlines() if line.startswith("empty ")] == [
        ["empty", "1", "3", "33", "%"]
    ]
    assert "too-long" not in shown
    assert "turn 1 · model · empty" in shown
    assert listed["counts"]["empty"] == {"n": 1, "of": 3}
    assert listed["findings"][0]["match"] == "ttt/model,first/0.1"


def test_audit_without_findings_is_short(arena, audited):
    """If everything was played as it was written, that is said in at most three lines."""
    audited(['{"action": "row 2, column 2"}', '{"action": "row 1, column 2"}', '{"action": "row 3, column 2"}'])

    shown = arena("audit", "run").stdout.splitlines()

    assert len(shown) <= 3
    assert "what was played is what was written" in shown[0]
