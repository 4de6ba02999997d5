"""Tables of facts, and the steps of which a join of them is made."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

import attrs

from arena_game_planning.pddl.compiling import Binding, Pick, Test, Undefined
from arena_game_planning.pddl.problem import Problem
from arena_game_planning.pddl.state import GroundAtom, PlanState

Rows: TypeAlias = Sequence[GroundAtom]


class Facts:
    """True atoms by predicate, and indices of them by some of their columns, made when they are first asked for.

    Column 0 is the predicate itself.
    """

    def __init__(self, atoms: Iterable[GroundAtom]) -> None:
        tables: dict[str, list[GroundAtom]] = defaultdict(list)
        for atom in atoms:
            tables[atom[0]].append(atom)
        self._tables = tables
        self._indices: dict[tuple[str, tuple[int, ...]], dict[Any, list[GroundAtom]]] = {}

    def rows(self, name: str) -> Rows:
        """The true atoms of a predicate."""
        return self._tables.get(name, ())

    def index(self, name: str, columns: tuple[int, ...]) -> dict[Any, list[GroundAtom]]:
        """The true atoms of a predicate by what stands in ``columns``, a tuple if these are several."""
        found = self._indices.get((name, columns))
        if found is None:
            found = self._indices[name, columns] = {}
            key = itemgetter(*columns)
            for row in self.rows(name):
                found.setdefault(key(row), []).append(row)
        return found


@attrs.frozen
class Moment:
    """A state in which a join is worked out, with its facts as tables."""

    problem: Problem
    state: PlanState
    fixed: Facts
    moving: Facts


JoinStep: TypeAlias = Callable[[Moment, list[Binding]], list[Binding]]
"""Takes the bindings found so far, and returns those that are left, each perhaps longer than before."""


@attrs.frozen
class Columns:
    """How the rows of a table fit a binding.

    ``known`` are the columns whose values the binding has, at ``places``; ``new`` are those that it gets. ``same`` are
    pairs of new columns that must be equal, ``allowed`` what may stand in a new column.
    """

    known: tuple[int, ...]
    places: tuple[int, ...]
    new: tuple[int, ...]
    same: tuple[tuple[int, int], ...]
    allowed: tuple[tuple[int, frozenset[str]], ...]

    def fitting(self, rows: Rows) -> Rows:
        """The rows whose new values are equal and allowed as they should be."""
        for a, b in self.same:
            rows = [row for row in rows if row[a] == row[b]]
        for column, allowed in self.allowed:
            rows = [row for row in rows if row[column] in allowed]
        return rows


def lookup(pick: Pick, *, is_moving: bool, is_wanted: bool = True) -> JoinStep:
    """Keep the bindings for which an atom is true, or is not (``is_wanted``)."""

    def step(moment: Moment, bindings: list[Binding]) -> list[Binding]:
        atoms = moment.state.changing if is_moving else moment.state.fixed
        if is_wanted:
            return [binding for binding in bindings if pick(binding) in atoms]
        return [binding for binding in bindings if pick(binding) not in atoms]

    return step


def extend(name: str, columns: Columns, adds: Pick, *, is_moving: bool) -> JoinStep:
    """Extend each binding by the new values of all rows that fit it; ``adds`` takes them out of a row."""
    is_plain = not columns.same and not columns.allowed

    def every(moment: Moment, bindings: list[Binding]) -> list[Binding]:
        rows = (moment.moving if is_moving else moment.fixed).rows(name)
        more = [adds(row) for row in columns.fitting(rows)]
        return [binding + values for binding in bindings for values in more]

    if not columns.known:
        return every
    key: Callable[[Binding], Any] = itemgetter(*columns.places)

    def matching(moment: Moment, bindings: list[Binding]) -> list[Binding]:
        rows = (moment.moving if is_moving else moment.fixed).index(name, columns.known).get
        if is_plain:
            return [binding + adds(row) for binding in bindings for row in rows(key(binding), ())]
        return [binding + adds(row) for binding in bindings for row in columns.fitting(rows(key(binding), ()))]

    return matching


def enumerate_objects(objects: Sequence[str]) -> JoinStep:
    """Extend each binding by each of the objects."""
    values = [(name,) for name in objects]
    return lambda moment, bindings: [binding + value for binding in bindings for value in values]


def keep(test: Test) -> JoinStep:
    """Keep the bindings for which a condition holds; it does not where a number has no value."""

    def holds(moment: Moment, binding: Binding) -> bool:
        try:
            return test(moment.problem, moment.state, binding)
        except Undefined:
            return False

    return lambda moment, bindings: [binding for binding in bindings if holds(moment, binding)]
