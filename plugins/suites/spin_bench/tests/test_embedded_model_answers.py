"""The embedded model in the suites of planning, of questions and of Hanabi."""

from pathlib import Path
from typing import Any

import arena
import pytest
from arena.agent import RefusalKind
from arena.record import Ending, MatchRecord
from arena_engine import Journal

SMALL: dict[str, Any] = {
    "use": "llm",
    "backend": {"use": "llamacpp", "temperature": 0, "threads": 1, "slots": 1, "max-tokens": 120},
    "reasoning-limit": 100,
    "prompt": {"style": "direct", "history": "none"},
}


def played(directory: Path, games: dict[str, Any], **more: Any) -> list[MatchRecord]:
    """The matches of the embedded model in some games, alone or with itself."""
    arena.run({"seed": 3, "games": games, "schedule": "self-play", **more}, output=directory)
    with Journal.open(directory) as journal:
        return list(journal.records())


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_the_embedded_model_answers_questions_and_plays_hanabi(tmp_path: Path):
    """Two questions of each kind and five turns of Hanabi: no crash, each answer classified."""
    questions = {
        "tracking-1": {"use": "planning-tracking", "length": 2, "number": 0},
        "tracking-2": {"use": "planning-tracking", "length": 9, "number": 1},
        "recall-1": {"use": "planning-recall", "domain": "elevator", "length": 2, "number": 0},
        "recall-2": {"use": "planning-recall", "domain": "elevator", "length": 4, "number": 1},
    }
    once = {"retries": 0, "then": "forfeit"}
    answered = played(tmp_path / "questions", questions, agents={"smollm": SMALL}, **{"illegal-actions": once})
    hanabi = {**SMALL, "prompt": {"style": "spin-hanabi", "history": "none"}}
    (match,) = played(
        tmp_path / "hanabi",
        {"hanabi": {"use": "hanabi", "players": 2}},
        agents={"smollm": hanabi},
        limits={"max-steps": 5},
        **{"illegal-actions": {"retries": 1, "then": "random"}},
    )

    assert {record.ending for record in answered} == {Ending.RULES}
    for record in answered:
        (verdict,) = [event.data for event in record.events if event.kind == "judged"]
        assert isinstance(verdict, dict)
        assert record.returns == (float(bool(verdict["valid"])),)
        assert {event.data["kind"] for event in record.refused()} <= set(RefusalKind)
    assert match.ending is Ending.TURN_LIMIT or match.returns == (0.0, 0.0)  # three misplays end it earlier
    assert 3 <= len(list(match.played())) <= 5
    assert {event.data["kind"] for event in match.refused()} <= set(RefusalKind)


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_the_embedded_model_plans(tmp_path: Path):
    """A small task of each of five domains, two of them step by step: no crash, each answer classified."""
    whole = {name: {"use": "planning", "tasks": f"{name}#1"} for name in ("blocksworld", "counters", "logistics")}
    steps = {
        name: {"use": "planning", "tasks": f"{name}#1", "mode": "steps", "show": "words"}
        for name in ("elevator", "sokoban")
    }
    once = {"retries": 0, "then": "forfeit"}
    planned = played(tmp_path / "plans", whole, agents={"smollm": SMALL}, **{"illegal-actions": once})
    walked = played(
        tmp_path / "steps", steps, agents={"smollm": SMALL}, limits={"max-steps": 4}, **{"illegal-actions": once}
    )

    assert {record.ending for record in planned} == {Ending.RULES}
    for record in planned:
        (verdict,) = [event.data for event in record.events if event.kind == "judged"]
        assert isinstance(verdict, dict)
        assert record.returns == (float(bool(verdict["valid"])),)
        assert verdict["valid"] is (verdict["error_class"] is None)
        assert verdict["spin"] in ((None,) if verdict["valid"] else ("BC", "GS", "other"))
    assert {record.ending for record in walked} <= {Ending.RULES, Ending.TURN_LIMIT}
    assert all(1 <= len(list(record.played())) + len(list(record.refused())) <= 4 for record in walked)
    assert {event.data["kind"] for record in (*planned, *walked) for event in record.refused()} <= set(RefusalKind)


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
def test_the_embedded_model_plans_the_small_suite(tmp_path: Path):
    """Two tasks of each domain, asked as the suite asks: no crash, every answer classified."""
    model = {"use": "llm", "backend": {"use": "llamacpp", "temperature": 0, "max-tokens": 200}}
    suite = {"extends": "suite:spin-planning-small", "agents": {"smollm": model}, "seed": 3}
    arena.run(suite, output=tmp_path / "run")

    with Journal.open(tmp_path / "run") as journal:
        mine = [record for record in journal.records() if record.agents == ("smollm",)]
    verdicts = [event.data for record in mine for event in record.events if event.kind == "judged"]
    assert len(verdicts) == 42
    assert {verdict["spin"] for verdict in verdicts if isinstance(verdict, dict)} <= {None, "BC", "GS", "other"}


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
def test_the_embedded_model_plays_a_whole_match_of_hanabi(tmp_path: Path):
    """To the end by the rules or by forfeit, with the suite's retries: no crash, every answer classified."""
    hanabi = {**SMALL, "prompt": {"style": "spin-hanabi", "history": "none"}}
    (match,) = played(
        tmp_path / "run",
        {"hanabi": {"use": "hanabi", "players": 2, "hand-size": 5}},
        agents={"smollm": hanabi},
        **{"illegal-actions": {"retries": 5, "then": "forfeit"}},
    )

    assert match.ending is Ending.RULES or match.ending.is_forfeit
    assert {event.data["kind"] for event in match.refused()} <= set(RefusalKind)
