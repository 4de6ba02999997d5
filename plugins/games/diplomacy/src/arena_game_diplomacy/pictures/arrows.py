"""Draws orders: moves and retreats as arrows, supports and convoys as lines to what they help, and other marks."""

from collections import deque
from collections.abc import Iterator

import attrs

from arena_game_diplomacy.pictures.curves import Curve, bent, head, ripple, shortened, through, trimmed
from arena_game_diplomacy.pictures.drawn_orders import DrawnOrder, DrawnPhase
from arena_game_diplomacy.pictures.outlines import BoardOutlines, Point
from arena_game_diplomacy.pictures.shapes import Disc, Polygon, Shape, Stroke
from arena_game_diplomacy.pictures.symbols import FAILED, INK, PAPER, UNIT_RADIUS, beside, cross, plus, ring, unit
from arena_game_diplomacy.rules.board import BoardMap
from arena_game_diplomacy.rules.notation import Order

DASHED = (8.0, 6.0)
DOTTED = (0.0, 5.0)


@attrs.define(eq=False)
class Arrows:
    """The shapes of the orders of one phase: those below the units, and those above.

    Units that were destroyed because they had nowhere to retreat are crossed out after the orders.
    """

    board: BoardMap
    outlines: BoardOutlines
    phase: DrawnPhase
    below: list[Shape] = attrs.field(factory=list)
    above: list[Shape] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        for drawn in sorted(self.phase.orders, key=lambda drawn: drawn.order.kind in ("support", "hold")):
            self._add(drawn)
        for power, name in self.phase.destroyed:
            self._cross_out(name, power, beside(self.outlines.unit_at(name[2:])), INK)

    def _add(self, drawn: DrawnOrder) -> None:
        order = drawn.order
        if drawn.is_dislodged and not self.phase.have_moved:
            self.above += ring(self._at(order.unit), FAILED)
        match order.kind:
            case "hold":
                self.below += () if drawn.is_dislodged else ring(self._at(order.unit), drawn.colour)
            case "move":
                self.below += self._arrow(drawn, self._path(drawn), 4.2)
            case "retreat":
                curve = bent(beside(self._at(order.unit)), self._target(order))
                self.below += unit(order.unit, drawn.power, curve[0], is_gone=True)
                self.below += self._arrow(drawn, curve, 3)
                self.above += cross(curve[0], FAILED) if drawn.is_failed else ()
            case "support":
                self.below += self._support(drawn)
            case "convoy":
                self.below += self._convoy(drawn)
            case "disband" | "build":
                self._put(drawn)
            case "waive":
                pass

    def _put(self, drawn: DrawnOrder) -> None:
        """Mark what is built or taken off the board."""
        order, at = drawn.order, self._at(drawn.order.unit)
        if order.kind == "disband" or drawn.is_failed:
            at = beside(at) if self.phase.name.endswith("R") else at
            self._cross_out(order.unit, drawn.power, at, FAILED if drawn.is_failed else INK)
        else:
            self.below += unit(order.unit, drawn.power, at, is_gone=True)
            self.above += plus(at)

    def _cross_out(self, name: str, power: str, at: Point, colour: str) -> None:
        self.below += unit(name, power, at, is_gone=True)
        self.above += cross(at, colour)

    def _at(self, name: str) -> Point:
        """Where a unit stands that is named with or without its coast."""
        return self.outlines.unit_at(self._given(name)[2:])

    def _given(self, name: str) -> str:
        """The unit as its own order names it, coast included."""
        province = self.board.province_of[name[2:]]
        for drawn in self.phase.orders:
            if drawn.order.unit and self.board.province_of[drawn.order.unit[2:]] == province:
                return drawn.order.unit
        return name

    def _move(self, helped: str | None, target: str | None) -> DrawnOrder | None:
        """The move that a support or a convoy means, if it was ordered."""
        of = self.board.province_of
        for drawn in self.phase.orders:
            order = drawn.order
            if order.kind != "move" or not (helped and target and order.target):
                continue
            if of[order.unit[2:]] == of[helped[2:]] and of[order.target] == of[target]:
                return drawn
        return None

    def _target(self, order: Order) -> Point:
        assert order.target is not None
        return self.outlines.unit_at(order.target)

    def _path(self, drawn: DrawnOrder) -> Curve:
        """The curve of a move, by land or through the fleets that convoy it."""
        start, end = self._at(drawn.order.unit), self._target(drawn.order)
        fleets = self._chain(drawn)
        return through([start, *map(self.outlines.unit_at, fleets), end]) if fleets else bent(start, end)

    def _chain(self, drawn: DrawnOrder) -> list[str]:
        """The seas of a shortest chain of fleets that convoy a move, if it goes by convoy."""
        order, of = drawn.order, self.board.province_of
        assert order.target is not None
        helping = [
            each
            for each in self.phase.orders
            if each.order.kind == "convoy" and self._move(each.order.helped, each.order.target) is drawn
        ]
        is_near = order.target in self.board.moves.get(order.unit, ())
        if is_near and not order.via and all(each.power != drawn.power for each in helping):
            return []
        seas = {each.order.unit[2:] for each in helping}
        near = self.board.seas
        start, end = of[order.unit[2:]], of[order.target]
        chains = deque([sea] for sea in sorted(seas & near.get(start, frozenset())))
        seen = {chain[0] for chain in chains}
        while chains:
            chain = chains.popleft()
            if chain[-1] in near.get(end, ()):
                return chain
            for sea in sorted((seas & near.get(chain[-1], frozenset())) - seen):
                seen.add(sea)
                chains.append([*chain, sea])
        return []

    def _arrow(self, drawn: DrawnOrder, curve: Curve, width: float) -> Iterator[Shape]:
        has_left = self.phase.have_moved and not drawn.is_failed
        curve = trimmed(curve, 0 if has_left else UNIT_RADIUS, UNIT_RADIUS)
        shaft, point = trimmed(curve, 0, 8), head(curve, 14)
        dash = DASHED if drawn.is_failed else None
        yield Stroke(shaft, PAPER, width + 2.6)
        yield Polygon(point, PAPER, PAPER, 3)
        yield Stroke(shaft, drawn.colour, width, dash, drawn.hint)
        yield Polygon(point, drawn.colour, drawn.colour)

    def _support(self, drawn: DrawnOrder) -> Iterator[Shape]:
        """A dotted line to the middle of the move that is supported, or to the unit that is."""
        order, start = drawn.order, self._at(drawn.order.unit)
        assert order.helped is not None
        if order.target is None:
            end = shortened(start, self._at(order.helped), UNIT_RADIUS + 5)[1]
        else:
            move = self._move(order.helped, order.target)
            path = self._path(move) if move else bent(self._at(order.helped), self._target(order))
            end = path[len(path) * 11 // 20]
        line = end, shortened(end, start, UNIT_RADIUS)[1]
        yield Stroke(line, PAPER, 4.6)
        yield Stroke(line, drawn.colour, 2.8, DOTTED, drawn.hint)
        yield Disc(end, 4, drawn.colour, PAPER, 1.5)

    def _convoy(self, drawn: DrawnOrder) -> Iterator[Shape]:
        """A ripple around the fleet, and where nobody goes as it convoys, a dotted line to where it would have led."""
        at = self._at(drawn.order.unit)
        if self._move(drawn.order.helped, drawn.order.target) is None:
            yield Stroke(shortened(at, self._target(drawn.order), UNIT_RADIUS), drawn.colour, 2, DOTTED, drawn.hint)
        yield Stroke(ripple(at, 20), PAPER, 4.5)
        yield Stroke(ripple(at, 20), drawn.colour, 2, None, drawn.hint)
