"""Situations: what is at stake between two parties, told so that any 2×2 game can follow from it.

A topic is a TOML file. For each of the four combinations of choices a situation says what happens, and for either party
one reason to like it and one to dislike it, so that every order of preferences can be told. The page
``docs/suites/tmgbench-situations.md`` says how to write one.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import attrs
from arena.errors import ConfigError

from arena_game_two_by_two.tellings import tellings
from arena_game_two_by_two.wording import PRONOUNS

CELLS: Final = ("A1B1", "A1B2", "A2B1", "A2B2")
"""The combinations of choices 1 to 4, as files of situations name them."""

_KEYS: Final = frozenset({"name", "title", "a", "b", "setting", "A1", "A2", "B1", "B2", "closing", *CELLS})


@attrs.frozen
class SituationRole:
    """A party: ``who`` describes it; one that is no person of any name has a ``name`` and a ``pronoun`` of its own."""

    who: str
    name: str = ""
    pronoun: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person of any name can be this party."""
        return not self.name


@attrs.frozen
class Reasons:
    """Why a party may like what happens, and why it may dislike it."""

    like: str
    dislike: str


@attrs.frozen
class Outcome:
    """What happens after one combination of choices, and the reasons of both parties."""

    event: str
    a: Reasons
    b: Reasons


@attrs.frozen
class Situation:
    """A conflict or a chance of two parties, in two wordings; ``outcomes`` are those of the combinations 1 to 4."""

    topic: str
    name: str
    title: str
    a: SituationRole
    b: SituationRole
    settings: tuple[str, str]
    choices: Mapping[str, str]
    outcomes: tuple[Outcome, ...]
    closings: tuple[str, str]
    without: frozenset[str] = frozenset()

    @property
    def tellings(self) -> tuple[str, ...]:
        """The names of the tellings that fit: nothing but a person keeps a diary or is addressed."""
        return tuple(
            name
            for name, telling in tellings().items()
            if name not in self.without
            and (self.a.is_person or telling.a == "name")
            and (self.b.is_person or telling.b == "name")
        )


@attrs.frozen
class SituationTopic:
    """A field of life, its share of the 720 stories, and its situations."""

    name: str
    stories: int
    situations: tuple[Situation, ...]


SHIPPED: Final = "shipped"
GROUP: Final = "arena.two_by_two_situations"
"""Entry points of distributions that bring situations; each is ``package:folder``."""


def is_folder(name: str) -> bool:
    """Whether a library is the path of a folder, and neither shipped nor brought by a distribution."""
    return bool(name) and name != SHIPPED and not entry_points(group=GROUP, name=name)


@cache
def library(name: str) -> tuple[SituationTopic, ...]:
    """The topics of a library: "shipped", an entry point's name, or the path of a folder; ``ConfigError`` if none."""
    if name == SHIPPED:
        return read_folder(files("arena_game_two_by_two") / "situations")
    found = list(entry_points(group=GROUP, name=name))
    if found:
        package, _, folder = found[0].value.partition(":")
        return read_folder(files(package) / folder)
    if not name or not Path(name).is_dir():
        known = ", ".join([SHIPPED, *sorted(point.name for point in entry_points(group=GROUP))])
        raise ConfigError(f"situations: expected one of {known}, or a folder of situations, got {name!r}")
    return read_folder(Path(name))


def read_folder(folder: Traversable) -> tuple[SituationTopic, ...]:
    """All topics of a folder, sorted by name; ``ConfigError`` names the file and place of a mistake."""
    found = [file for file in folder.iterdir() if file.name.endswith(".toml")]
    if not found:
        raise ConfigError(f"{folder}: expected files of situations (NAME.toml), found none")
    return tuple(sorted((read_topic(file) for file in found), key=lambda topic: topic.name))


def read_topic(file: Traversable) -> SituationTopic:
    """The topic of one file."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise ConfigError(f"{file.name}: {fault}") from fault
    try:
        topic, stories, situations = raw["topic"], raw["stories"], raw["situations"]
    except KeyError as missing:
        raise ConfigError(f"{file.name}: expected 'topic', 'stories' and [[situations]], found no {missing}") from None
    return SituationTopic(topic, stories, tuple(_situation(file.name, topic, one) for one in situations))


def _situation(file: str, topic: str, raw: Mapping[str, Any]) -> Situation:
    where = f"{file}: situation {raw.get('name', '?')!r}"
    _keys(where, raw, _KEYS, {"without"})
    return Situation(
        topic,
        raw["name"],
        raw["title"],
        _role(f"{where}: a", raw["a"]),
        _role(f"{where}: b", raw["b"]),
        _pair(f"{where}: setting", raw["setting"]),
        {name: _plain(raw[name]) for name in ("A1", "A2", "B1", "B2")},
        tuple(_outcome(f"{where}: {cell}", raw[cell]) for cell in CELLS),
        _pair(f"{where}: closing", raw["closing"]),
        _tellings(where, raw.get("without", [])),
    )


def _outcome(where: str, raw: Mapping[str, Any]) -> Outcome:
    _keys(where, raw, {"event", "A", "B"})
    reasons = (Reasons(*_pair(f"{where}: {player}", raw[player])) for player in ("A", "B"))
    return Outcome(_plain(raw["event"]), *reasons)


def _role(where: str, raw: object) -> SituationRole:
    if isinstance(raw, str):
        return SituationRole(raw)
    if not isinstance(raw, dict) or set(raw) != {"who", "name", "pronoun"} or raw["pronoun"] not in PRONOUNS:
        known = ", ".join(PRONOUNS)
        raise ConfigError(f"{where}: expected a text, or who, name and pronoun (one of {known}), got {raw!r}")
    return SituationRole(**raw)


def _pair(where: str, raw: object) -> tuple[str, str]:
    if not isinstance(raw, list) or [type(one) for one in raw] != [str, str]:
        raise ConfigError(f"{where}: expected a list of two texts, got {raw!r}")
    first, second = raw
    return _plain(first), _plain(second)


def _tellings(where: str, names: Iterable[str]) -> frozenset[str]:
    if unknown := [name for name in names if name not in tellings()]:
        raise ConfigError(f"{where}: without: no telling {unknown[0]!r}, expected some of {', '.join(tellings())}")
    return frozenset(names)


def _keys(where: str, raw: Mapping[str, Any], needed: Iterable[str], also: Iterable[str] = ()) -> None:
    if missing := [key for key in sorted(needed) if key not in raw]:
        raise ConfigError(f"{where}: {missing[0]!r} is missing")
    if unknown := [key for key in raw if key not in {*needed, *also}]:
        raise ConfigError(f"{where}: {unknown[0]!r} has no meaning here")


def _plain(text: str) -> str:
    return " ".join(text.split())
