"""Topics and their frames: people, choices and states that fit any 2×2 game.

A topic is a file ``topics/NAME.toml``. A frame tells why two people are in each other's way or could help each other,
what each may do, and four states for each from the worst to the best. It never says which combination of choices leads
to which state: the game decides that. In all texts ``{A}`` and ``{B}`` are the people's names, ``{A.they}``,
``{A.them}``, ``{A.their}`` their pronouns.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

import attrs

PACKAGE: Final = "arena_game_two_by_two"


@attrs.frozen
class Person:
    """A character's name and pronouns."""

    name: str
    they: str
    them: str
    their: str

    def __str__(self) -> str:
        return self.name


@attrs.frozen
class Act:
    """A choice as an order (``Keep the prices``), and as what the person does (``keeps the prices``)."""

    order: str
    does: str


@attrs.frozen
class FrameRole:
    """One side of a frame.

    ``who`` describes the person, after the name and a comma. ``states`` are four clauses that begin with the person's
    name, from the worst to the best.
    """

    who: str
    first: Act
    second: Act
    states: tuple[str, str, str, str]


@attrs.frozen
class Frame:
    """A situation: how it arose, what is at stake, and how the story ends."""

    topic: str
    name: str
    setting: str
    stakes: str
    closing: str
    a: FrameRole
    b: FrameRole


@attrs.frozen
class Topic:
    """A field of life, its share of the 720 stories, and its frames."""

    name: str
    stories: int
    frames: tuple[Frame, ...]


@cache
def topics() -> tuple[Topic, ...]:
    """All shipped topics, sorted by name."""
    folder = files(PACKAGE) / "topics"
    texts = (file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(sorted((_topic(tomllib.loads(text)) for text in texts), key=lambda topic: topic.name))


@cache
def people() -> tuple[Person, ...]:
    """The people who can be characters of a story."""
    raw = tomllib.loads((files(PACKAGE) / "people.toml").read_text(encoding="utf-8"))
    return tuple(Person(name, *pronouns["forms"]) for pronouns in raw["pronouns"] for name in pronouns["names"])


def _topic(raw: dict[str, Any]) -> Topic:
    frames = tuple(_frame(raw["topic"], frame) for frame in raw["frames"])
    return Topic(raw["topic"], raw["stories"], frames)


def _frame(topic: str, raw: dict[str, Any]) -> Frame:
    setting, stakes, closing = (" ".join(raw[name].split()) for name in ("setting", "stakes", "closing"))
    return Frame(topic, raw["name"], setting, stakes, closing, _role(raw["a"]), _role(raw["b"]))


def _role(raw: dict[str, Any]) -> FrameRole:
    worst, poor, good, best = raw["states"]
    return FrameRole(raw["who"], Act(*raw["first"]), Act(*raw["second"]), (worst, poor, good, best))
