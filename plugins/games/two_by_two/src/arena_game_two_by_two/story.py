"""A 2×2 game as a story in the five sections of TMGBench (appendix D.1)."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from arena_game_two_by_two.classic import read_table, table
from arena_game_two_by_two.matrix import CELLS, Matrix

PLAYERS: Final = ("A", "B")
CHOICES: Final = ("A1", "A2", "B1", "B2")
SECTIONS: Final = ("Characters", "Choices", "Preferences", "Payoff Matrix", "Scenario")

_SECTION: Final = r"\[\s*{name}\s*\](.*?)\[\s*/\s*{name}\s*\]"
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|“([^”]*)”')
_RANK: Final = re.compile(r"\b([1-4])\s*[\"']?\s*:\s*(?:\"((?:[^\"\\]|\\.)*)\"|“([^”]*)”)")


class Unreadable(Exception):
    """A part of a story cannot be read; the text says which, and why."""


@attrs.frozen(kw_only=True)
class Story:
    """The five sections of a story.

    ``characters`` are by player (``"A"``, ``"B"``), ``choices`` by name (``"A1"`` to ``"B2"``). ``preferences`` say in
    words, for each player and rank 4 (best) to 1 (worst), which combination it is. ``table`` is the payoff matrix.
    """

    characters: Mapping[str, str]
    choices: Mapping[str, str]
    preferences: Mapping[str, Mapping[int, str]]
    table: str
    scenario: str

    @classmethod
    def told(
        cls,
        *,
        characters: Mapping[str, str],
        choices: Mapping[str, str],
        preferences: Mapping[str, Mapping[int, str]],
        matrix: Matrix,
        scenario: str,
    ) -> "Story":
        """Build a story whose table is that of ``matrix``."""
        return cls(
            characters=characters, choices=choices, preferences=preferences, table=table(matrix), scenario=scenario
        )

    @classmethod
    def parse(cls, text: str) -> "Story":
        """Parse a story's text; ``Unreadable`` names the first section that is missing or damaged."""
        return cls(
            characters=_strings("Characters", _section(text, "Characters"), PLAYERS),
            choices=_strings("Choices", _section(text, "Choices"), CHOICES),
            preferences=_preferences(_section(text, "Preferences")),
            table=_section(text, "Payoff Matrix"),
            scenario=_section(text, "Scenario"),
        )

    @property
    def text(self) -> str:
        """All sections as one text, as a player reads them."""
        ranks = {
            player: "{\n"
            + ",\n".join(f"    {rank}: {_quoted(self.preferences[player][rank])}" for rank in (4, 3, 2, 1))
            for player in PLAYERS
        }
        bodies = (
            _object({f'"{name}"': _quoted(self.characters[name]) for name in PLAYERS}),
            _object({f'"{name}"': _quoted(self.choices[name]) for name in CHOICES}),
            "How much each character prefers each situation (4 most, 1 least):\n"
            + _object({f'"{player}"': f"{ranks[player]}\n  }}" for player in PLAYERS}),
            self.table,
            self.scenario,
        )
        return "\n".join(f"[{name}]\n{body}\n[/{name}]" for name, body in zip(SECTIONS, bodies, strict=True))

    @property
    def matrix(self) -> Matrix:
        """The payoffs that the table shows; ``Unreadable`` if it shows none."""
        matrix = read_table(self.table)
        if matrix is None:
            raise Unreadable("[Payoff Matrix]: expected two rows with two cells 'a \\ b' each")
        return ranked("[Payoff Matrix]", dict(enumerate(matrix, start=1)))

    @property
    def words(self) -> int:
        """The number of words of the scenario."""
        return len(self.scenario.split())


def ranked(where: str, cells: Mapping[int, tuple[int, int]]) -> Matrix:
    """The strictly ordinal matrix of payoffs read for the combinations 1 to 4; ``Unreadable`` if it is none."""
    for index, player in enumerate(PLAYERS):
        found = sorted(cell[index] for cell in cells.values())
        if found != [1, 2, 3, 4]:
            raise Unreadable(f"{where}: {player}'s payoffs are {found}, expected each of 1, 2, 3 and 4 once")
    return Matrix.of([cells[n][0] for n in range(1, 5)], [cells[n][1] for n in range(1, 5)])


def _section(text: str, name: str) -> str:
    found = re.findall(_SECTION.format(name=re.escape(name)), text, re.DOTALL | re.IGNORECASE)
    if len(found) != 1:
        raise Unreadable(f"[{name}]: expected this section once, with [/{name}] at its end, found {len(found)}")
    return found[0].strip()


def _strings(section: str, body: str, names: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        said = re.findall(rf"[\"“]?\b{name}\b[\"”]?\s*:\s*{_STRING.pattern}", body)
        if len(said) != 1:
            raise Unreadable(f"[{section}]: expected {name!r} once with a text in quotes, found {len(said)}")
        found[name] = _unquoted(said[0])
    return found


def _preferences(body: str) -> dict[str, dict[int, str]]:
    starts = {player: re.search(rf"[\"“]?\b{player}\b[\"”]?\s*:\s*\{{", body) for player in PLAYERS}
    a, b = starts["A"], starts["B"]
    if a is None or b is None or a.start() > b.start():
        raise Unreadable('[Preferences]: expected "A": {...} and then "B": {...}')
    parts = {"A": body[a.end() : b.start()], "B": body[b.end() :]}
    found: dict[str, dict[int, str]] = {}
    for player, part in parts.items():
        ranks = [(int(rank), _unquoted(said)) for rank, *said in _RANK.findall(part)]
        if sorted(rank for rank, _ in ranks) != [1, 2, 3, 4]:
            raise Unreadable(f"[Preferences]: expected each of 4, 3, 2 and 1 once with a text in quotes for {player}")
        found[player] = dict(ranks)
    return found


def _object(entries: Mapping[str, str]) -> str:
    return "{\n" + ",\n".join(f"  {key}: {value}" for key, value in entries.items()) + "\n}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _unquoted(groups: Any) -> str:
    plain, curly = groups
    return curly or json.loads(f'"{plain}"', strict=False)


def combination(number: int) -> str:
    """The name of a combination of choices in a story."""
    row, column = CELLS[number - 1]
    return f"(A{row + 1}, B{column + 1})"
