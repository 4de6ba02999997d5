"""The ways in which a situation can be told, read from the data beside this module."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import attrs


@attrs.frozen
class Telling:
    """Who speaks and when: how the parties are named ("name", "I", "you"), and the wordings of each paragraph."""

    name: str
    parts: tuple[tuple[str, ...], ...]
    a: str = "name"
    b: str = "name"
    is_past: bool = False


@attrs.frozen
class Ways:
    """How an outcome can begin: in any place, in any but the first, in the present alone, and with *would*."""

    any: tuple[str, ...]
    later: tuple[str, ...]
    present: tuple[str, ...]
    would: tuple[str, ...]


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads((files("arena_game_two_by_two") / name).read_text(encoding="utf-8"))


def _telling(name: str, raw: Mapping[str, Any]) -> Telling:
    parts = tuple(tuple(part) for part in raw["parts"])
    return Telling(name, parts, raw.get("a", "name"), raw.get("b", "name"), raw.get("past", False))


@cache
def tellings() -> Mapping[str, Telling]:
    """All tellings by name."""
    return {name: _telling(name, raw) for name, raw in _data("tellings.toml").items() if name != "choices"}


@cache
def choice_sentences() -> tuple[str, ...]:
    """How the choices of a party can be told; written for A."""
    return tuple(_data("tellings.toml")["choices"])


@cache
def degree_words() -> tuple[Mapping[int, str], ...]:
    """The sets of words of degree, each by rank."""
    return tuple({int(rank): text for rank, text in one.items()} for one in _data("degrees.toml")["sets"])


@cache
def order_words() -> tuple[tuple[str, ...], ...]:
    """How a party's whole order is told without figures: sets of sentences."""
    return tuple(tuple(sentences) for sentences in _data("orders.toml")["sets"])


@cache
def ways() -> Ways:
    """The ways to begin an outcome."""
    raw = _data("ways.toml")
    return Ways(tuple(raw["any"]), tuple(raw["later"]), tuple(raw["present"]), tuple(raw["would"]))
