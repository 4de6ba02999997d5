"""The embedded model in Diplomacy: it talks and orders, and what it says goes to those it is meant for alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import arena
import pytest
from arena.agent import RefusalKind
from arena.record import Ending, MatchRecord
from arena_engine import Journal

BACKEND: dict[str, Any] = {"use": "llamacpp", "temperature": 1.0, "threads": 1, "slots": 1, "max-tokens": 200}


def played(
    directory: Path, game: Mapping[str, Any], agents: Mapping[str, Any], seats: list[str], steps: int
) -> MatchRecord:
    """One match of the embedded model in its first year; who has no legal answer says and orders nothing."""
    benchmark = {
        "seed": 3,
        "games": {"diplomacy": {"use": "diplomacy", "negotiation-rounds": 1, "last-year": 1901, **game}},
        "agents": agents,
        "schedule": {"use": "fixed", "seatings": [seats]},
        "limits": {"max-steps": steps},
        "illegal-actions": {"retries": 1, "then": "skip"},
        "metrics": [],
    }
    arena.run(benchmark, output=directory)
    with Journal.open(directory) as journal:
        (record,) = journal.records()
    return record


def check_messages(record: MatchRecord) -> int:
    """Each message, report and declaration is seen by those it is for alone; returns the number of messages."""
    start = next(event.data for event in record.events if event.kind == "start")
    hands = cast("list[list[str]]", cast("Mapping[str, Any]", start)["hands"])
    owner = {power: player for player, hand in enumerate(hands) for power in hand}
    messages = [event for event in record.events if event.source == "game" and event.kind == "message"]
    for event in messages:
        data = cast("Mapping[str, Any]", event.data)
        sent = {owner[data["from"]], *(owner[power] for power in data["to"] if power != "GLOBAL")}
        assert event.to == (None if "GLOBAL" in data["to"] else tuple(sorted(sent)))
    for event in record.events:
        if event.kind in ("declared", "report"):
            assert event.to is not None
            assert len(event.to) == 1
    written = [
        message
        for event in record.played()
        if isinstance(event.data, Mapping)
        for message in cast("Any", event.data)["action"].get("messages", ())
    ]
    assert len(messages) == len(written)
    return len(messages)


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_the_embedded_model_plays_two_powers_for_a_spring(tmp_path: Path):
    """Held to the schema and left free, without borders and legal orders: no crash, each refusal classified."""
    prompt = {"style": "spin-diplomacy", "history": "none", "parts": {"borders": False, "legal-orders": False}}
    agents = {
        "held": {"use": "llm", "backend": BACKEND, "reasoning-limit": 100, "prompt": prompt},
        "free": {"use": "llm", "backend": {**BACKEND, "max-tokens": 120}, "constrained": False, "prompt": prompt},
    }

    record = played(tmp_path / "run", {"hands": [["FRANCE"], ["ENGLAND"]]}, agents, ["held", "free"], steps=2)

    assert record.ending is Ending.TURN_LIMIT
    assert len(list(record.played())) == 4
    assert {event.data["kind"] for event in record.refused()} <= set(RefusalKind)
    assert {event.data["by"] for event in record.played() if event.player == 0} == {"agent"}
    assert check_messages(record) > 0


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
def test_the_embedded_model_plays_seven_powers_for_a_year(tmp_path: Path):
    """All of the prompt and one round of talk before each season: no crash, every refusal classified."""
    model = {"use": "llm", "backend": {**BACKEND, "context": 8192}, "reasoning-limit": 100}
    agents = {"smollm": {**model, "prompt": {"style": "spin-diplomacy", "history": "none"}}}

    record = played(tmp_path / "run", {"players": 7, "knowledge": "asked"}, agents, ["smollm"] * 7, steps=99)

    assert record.ending is Ending.RULES
    assert {event.data["kind"] for event in record.refused()} <= set(RefusalKind)
    assert RefusalKind.TOO_LONG not in {event.data["kind"] for event in record.refused()}
    assert sum(event.kind == "report" for event in record.events) == 14
    check_messages(record)
