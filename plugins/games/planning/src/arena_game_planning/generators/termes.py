"""A robot that builds towers of blocks: it climbs one step, and puts or takes a block beside it at its own height."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, step

Cell = tuple[int, int]


@attrs.frozen
class TermesSize:
    """How many rows and columns the ground has, how many towers are wanted, and how high the highest is."""

    rows: int
    columns: int
    towers: int
    height: int


class _Stuck(Exception):
    """The robot cannot get to where the next block belongs."""


def draw(chance: Random, size: TermesSize) -> Draft:
    """Towers at random that the robot can build by stairs, which it takes away again."""
    if (
        min(size.rows, size.columns) < 2
        or size.rows + size.columns < size.height + 2
        or min(size.towers, size.height) < 1
    ):
        raise ValueError(
            "expected two rows, two columns and a tower at least, and a ground as wide as the tower is high"
        )
    if size.towers >= size.rows * size.columns:
        raise ValueError("expected fewer towers than cells")
    cells = [(row, column) for row in range(size.rows) for column in range(size.columns)]
    while True:
        depot = chance.choice([cell for cell in cells if cell[0] in (0, size.rows - 1)])
        far = [cell for cell in cells if _apart(cell, depot) > size.height - 1]
        if not far:
            continue
        wanted = {chance.choice(far): size.height}
        while len(wanted) < size.towers:
            cell = chance.choice(cells)
            if cell != depot and cell not in wanted:
                wanted[cell] = chance.randint(1, max(1, min(size.height, _apart(cell, depot))))
        builder = _Builder(cells, depot)
        try:
            builder.build(wanted)
        except _Stuck:
            continue
        break
    heights = names("h", size.height + 1, 0)
    init = [step("beside", _name(cell), _name(other)) for cell in cells for other in _beside(cell, cells)]
    init += [step("one-higher", high, low) for low, high in pairwise(heights)]
    init += [step("height-of", _name(cell), "h0") for cell in cells]
    init += [step("depot", _name(depot)), *(step("not-depot", _name(cell)) for cell in cells if cell != depot)]
    init += [step("robot-at", _name(depot)), step("carries-nothing")]
    goal = [step("height-of", _name(cell), heights[wanted.get(cell, 0)]) for cell in cells]
    objects = (("cell", tuple(map(_name, cells))), ("height", heights))
    return Draft(objects, tuple(init), (*goal, step("carries-nothing")), tuple(builder.plan))


def _name(cell: Cell) -> str:
    return f"c{cell[0]}-{cell[1]}"


def _apart(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def _beside(cell: Cell, cells: list[Cell]) -> list[Cell]:
    return [other for other in cells if _apart(cell, other) == 1]


class _Builder:
    """Builds block by block from the depot; every block on the way to a tower is part of its stairs."""

    def __init__(self, cells: list[Cell], depot: Cell) -> None:
        self.cells, self.depot, self.at = cells, depot, depot
        self.beside = {cell: _beside(cell, cells) for cell in cells}
        self.heights = dict.fromkeys(cells, 0)
        self.plan: list[str] = []

    def build(self, wanted: dict[Cell, int]) -> None:
        """The farthest tower first; what is not wanted is taken away, the highest blocks first."""
        for cell in sorted(wanted, key=lambda cell: (-wanted[cell] * _apart(cell, self.depot), cell)):
            while self.heights[cell] < wanted[cell]:
                self._raise(cell, wanted, ())
        while extra := [cell for cell in self.cells if self.heights[cell] > wanted.get(cell, 0)]:
            self._clear(extra)

    def _raise(self, cell: Cell, wanted: dict[Cell, int], users: tuple[Cell, ...]) -> None:
        """Put one block on a cell, after stairs that lead to a neighbour of the same height."""
        if cell == self.depot or len(self.plan) > 5000:
            raise _Stuck
        while True:
            level = [other for other in self.beside[cell] if self.heights[other] == self.heights[cell]]
            way = self._way(level, cell, start=self.depot)
            if way is not None:
                break
            lower = [
                other
                for other in self.beside[cell]
                if other not in users and self.heights[other] < self.heights[cell] and other != self.depot
            ]
            if not lower:
                raise _Stuck
            step_up = min(
                lower, key=lambda other: (-self.heights[other], _apart(other, self.depot), -wanted.get(other, 0), other)
            )
            self._raise(step_up, wanted, (*users, cell))
        self._fetch()
        self._go(way)
        low = self.heights[cell]
        self.plan.append(step("place-block", _name(self.at), _name(cell), f"h{low}", f"h{low + 1}"))
        self.heights[cell] += 1

    def _clear(self, extra: list[Cell]) -> None:
        """Take away one block that is too many and that the robot can get at."""
        for cell in sorted(extra, key=lambda cell: (-self.heights[cell], -_apart(cell, self.depot), cell)):
            stands = [other for other in self.beside[cell] if self.heights[other] == self.heights[cell] - 1]
            way = self._way(stands, cell)
            if way is None:
                continue
            self._go(way)
            high = self.heights[cell]
            self.plan.append(step("take-block", _name(self.at), _name(cell), f"h{high}", f"h{high - 1}"))
            self.heights[cell] -= 1
            back = self._way([self.depot])
            if back is None:
                raise _Stuck
            self._go(back)
            self.plan.append(step("return-block", _name(self.depot)))
            return
        raise _Stuck

    def _fetch(self) -> None:
        way = self._way([self.depot])
        if way is None:
            raise _Stuck
        self._go(way)
        self.plan.append(step("fetch-block", _name(self.depot)))

    def _way(self, ends: list[Cell], avoid: Cell | None = None, start: Cell | None = None) -> list[Cell] | None:
        """A shortest climb to one of the cells, from where the robot is unless told; ``avoid`` is not stepped on."""
        before: dict[Cell, Cell | None] = {start or self.at: None}
        queue = [start or self.at]
        for cell in queue:
            if cell in ends:
                way = [cell]
                while (previous := before[way[-1]]) is not None:
                    way.append(previous)
                return way[::-1]
            for other in self.beside[cell]:
                if other not in before and other != avoid and abs(self.heights[cell] - self.heights[other]) < 2:
                    before[other] = cell
                    queue.append(other)
        return None

    def _go(self, way: list[Cell]) -> None:
        for here, there in pairwise(way):
            low, high = self.heights[here], self.heights[there]
            word = "walk" if low == high else "climb-up" if high > low else "climb-down"
            levels = (f"h{low}",) if low == high else (f"h{low}", f"h{high}")
            self.plan.append(step(word, _name(here), _name(there), *levels))
        self.at = way[-1]


def _sizes() -> tuple[TermesSize, ...]:
    shapes = ((3, 4), (4, 4), (4, 5), (5, 5), (5, 6))
    sizes: list[TermesSize] = []
    for number in range(37):
        rows, columns = shapes[number * len(shapes) // 37]
        sizes.append(TermesSize(rows, columns, 2 + number * 7 // 37, 3 + (number > 5) + (number > 18)))
    return tuple(sizes)


GENERATOR = Generator("termes", ("spatial",), _sizes(), draw)
