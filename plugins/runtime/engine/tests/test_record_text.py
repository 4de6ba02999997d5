"""A record is encoded once, by the quickest way, to the bytes that ``json`` writes."""

import json
from dataclasses import dataclass
from datetime import date
from enum import IntEnum, StrEnum
from typing import NamedTuple
from uuid import UUID

import attrs
import pytest
from arena.record import EVERYONE, Ending, Event, MatchPlan, MatchRecord, Player
from arena_engine.journal import encoded_match as record_text
from arena_engine.journal.encoded_match import record_bytes


class Word(StrEnum):
    YES = "yes"


class Number(IntEnum):
    ONE = 1


class Text(str):
    pass


class Table(dict):
    pass


class Pair(NamedTuple):
    first: int
    second: str


@attrs.frozen
class Value:
    x: int = 1


@dataclass
class Plain:
    x: int = 1


SAME = [
    *(None, True, False, 0, -1, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**40, -0.0, 1e-05, 1e16, 1.5, 0.1),
    *("", "é\u2028\x7f", '\x00\x1f\b\f\n\r\t"\\/', "\U0001f600", "a" * 5_000, [], {}, (), [[[]]], {"": {"": ()}}),
    *({"b": 1, "a": [1, (2, "x"), None]}, {"x": 1.0}, [Pair(1, "y")], {"w": Word.YES}, [Number.ONE], Text("t")),
    *(Table(a=1), {Text("k"): 1}, {1: "a number as a key"}, {None: 1}, {True: 1}, [True, 1, "1"]),
]
REFUSED = [
    *(float("nan"), float("inf"), [float("-inf")], "\ud800", {"\udfff": 1}, {1, 2}, frozenset({1}), date(2020, 1, 1)),
    *(Value(), [Plain()], b"bytes", bytearray(b"x"), UUID(int=1), {"a": {(1, 2): 3}}, object()),
]


def record_of(data, kind="kind", player=None, to=EVERYONE):
    """A record with one event."""
    plan = MatchPlan(id="m", game="g", agents=("a", "b"), pairing="a,b", repeat=0, rotation=0, chance_seed=1)
    event = Event(0, "game", kind, player, data, to)
    return MatchRecord(plan=plan, ending=Ending.RULES, returns=(1e-05, -0.0), steps=1, events=(event,))


def by_json(record):
    """The bytes of a record as ``json`` writes them."""
    plain = {key: part for key, part in record.to_json().items() if key != "plan"}
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("data", SAME, ids=lambda data: repr(data)[:30])
def test_bytes_are_those_of_json(data):
    """Whatever a game hands over, its bytes are the same by either way."""
    for nested in (data, [data], {"x": {"y": [data]}}):
        assert record_bytes(record_of(nested)) == by_json(record_of(nested))


@pytest.mark.parametrize("data", REFUSED, ids=lambda data: type(data).__name__)
def test_what_json_refuses_is_refused(data):
    """Values that another library would write somehow are errors, as they are for ``json``."""
    with pytest.raises((TypeError, ValueError)):
        record_bytes(record_of({"x": [data]}))


@pytest.mark.parametrize("to", [{0}, frozenset(), frozenset({1})], ids=repr)
def test_audience_that_json_refuses_is_refused(to):
    """A set of players is no JSON, even an empty one."""
    with pytest.raises(TypeError):
        record_bytes(record_of(None, to=to))


def test_value_that_holds_itself_is_refused():
    """A value without an end is an error, and no crash."""
    endless = []
    endless.append(endless)

    with pytest.raises((ValueError, RecursionError)):
        record_bytes(record_of(endless))


@pytest.mark.parametrize("parts", [{"kind": Word.YES}, {"player": Number.ONE}, {"to": (Number.ONE, Player(0))}])
def test_fields_of_events_are_written_as_json_writes_them(parts):
    """The fields around the data of an event come from plugins too."""
    assert record_bytes(record_of(None, **parts)) == by_json(record_of(None, **parts))


def test_usual_records_are_written_by_msgspec(monkeypatch):
    """The events of most games are made of exact types, so that their records take the quick way."""
    monkeypatch.setattr(record_text, "_encode", lambda value: json.dumps(value) if type(value) is tuple else 1 / 0)

    assert json.loads(record_bytes(record_of({"player": 0, "action": 4, "label": "centre"})))["ending"] == "rules"
