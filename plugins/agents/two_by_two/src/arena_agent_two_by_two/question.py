"""Reads the games from a question's text and ignores everything else in it."""

import re
from typing import Final

import attrs
from arena_game_two_by_two.classic import read_table
from arena_game_two_by_two.matrix import CELLS, Matrix
from arena_game_two_by_two.nested import Nested, Restriction
from arena_game_two_by_two.story import SECTIONS, Story, Unreadable
from arena_game_two_by_two.verifier import read_scenario, verify

_PART: Final = r"<{name}>(.*?)</{name}>"
_RESTRICTION: Final = re.compile(
    r"if the pre-game ends in \(A([12]), B([12])\), ([AB]) may not choose \3([12]) in the core game"
)


@attrs.frozen
class Asked:
    """The game that a question is about, or two if one is nested in the other."""

    game: Matrix
    nested: Nested | None = None


def understand(text: str) -> Asked:
    """Read the game or games of a question; ``Unreadable`` says what could not be read or is contradictory."""
    pre, core = (re.search(_PART.format(name=name), text, re.DOTALL) for name in ("Pre-game", "Core game"))
    if pre is None or core is None:
        return Asked(_game(text))
    restriction = _RESTRICTION.search(" ".join(text[core.end() :].split()))
    if restriction is None:
        raise Unreadable("the restriction of the core game cannot be found")
    row, column, player, choice = restriction.groups()
    situation = 1 + CELLS.index((int(row) - 1, int(column) - 1))
    limit = Restriction("A" if player == "A" else "B", situation, int(choice))
    nested = Nested(_game(pre[1]), _game(core[1]), limit)
    return Asked(nested.pre, nested)


def _game(text: str) -> Matrix:
    if any(f"[{name}]" in text for name in SECTIONS):
        if faults := verify(text):
            raise Unreadable("; ".join(faults))
        return Story.parse(text).matrix
    return read_table(text) or read_scenario(text)
