"""Who gets where: the equations of a movement phase, which may lean on themselves, and their solution.

Moves, supports and convoys succeed or fail, each under a condition over others. These conditions are those of L.
Kruijswijk, *The Math of Adjudication* (2009), as DATC 3.0 has them. All outcomes begin open, and whatever can be
decided is decided, by bounds of the strengths, until nothing changes. What is still open then depends on itself.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import attrs

from arena_game_diplomacy.rules.board import BoardMap
from arena_game_diplomacy.rules.convoys import is_connected

Node = TypeVar("Node", bound=Hashable)


def first_circle(needs: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """The first strongly connected component that needs nothing outside itself (R. Tarjan, 1972).

    ``needs`` says for each node which nodes it needs; nodes that are not among its keys count as settled.
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    for start in needs:
        if start in order:
            continue
        stack = [(start, iter(needs[start]))]
        order[start] = low[start] = len(order)
        path.append(start)
        while stack:
            node, rest = stack[-1]
            following = next((other for other in rest if other in needs), None)
            if following is None:
                stack.pop()
                if low[node] == order[node]:
                    return path[path.index(node) :]
                low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
            elif following in order:
                low[node] = min(low[node], order[following])
            else:
                order[following] = low[following] = len(order)
                path.append(following)
                stack.append((following, iter(needs[following])))
    raise ValueError("expected at least one node")


Bounds = tuple[int, int]
NOTHING: Bounds = (0, 0)


@attrs.define(eq=False)
class Move:
    """A move from one province to another, to a ``place`` there; ``succeeds`` is ``None`` while that is open."""

    power: str
    start: str
    target: str
    place: str
    by_convoy: bool
    supporters: list["Support"] = attrs.field(factory=list)
    fleets: frozenset[str] = frozenset()
    opponent: "Move | None" = None
    succeeds: bool | None = None


@attrs.define(eq=False)
class Support:
    """A support that matches what its unit does; ``against`` is the province that it is aimed at."""

    power: str
    province: str
    against: str
    is_given: bool | None = None


@attrs.define(eq=False)
class Convoy:
    """A fleet that convoys; it ``fails`` where a paradox makes it, which is apart from being dislodged."""

    province: str
    fails: bool = False


@attrs.define(eq=False)
class Battle:
    """A movement phase whose orders are matched, by province: powers, moves by start, supports and convoys."""

    board: BoardMap
    powers: Mapping[str, str]
    moves: Mapping[str, Move]
    supports: Mapping[str, Support]
    convoys: Mapping[str, Convoy]
    holding: Mapping[str, list[Support]]
    attacks: dict[str, list[Move]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.attacks = {}
        for move in self.moves.values():
            self.attacks.setdefault(move.target, []).append(move)
            back = self.moves.get(move.target)
            if back is not None and back.target == move.start and not (move.by_convoy or back.by_convoy):
                move.opponent = back

    def solve(self) -> None:
        """Decide every move, support and convoy."""
        supports, moves = list(self.supports.values()), list(self.moves.values())
        while supports or moves:
            before = len(supports) + len(moves)
            supports = [support for support in supports if not self._decide_support(support)]
            moves = [move for move in moves if not self._decide_move(move)]
            if len(supports) + len(moves) == before:
                self._break_circle(supports, moves)

    def has_path(self, move: Move) -> bool | None:
        """Say whether a move gets to its target at all: a convoy needs a chain of fleets that are not dislodged."""
        if not move.by_convoy:
            return True
        usable = {province for province in move.fleets if not self.convoys[province].fails}
        sure = {province for province in usable if self.is_dislodged(province) is False}
        if is_connected(self.board, move.start, move.target, sure):
            return True
        maybe = {province for province in usable if self.is_dislodged(province) is not True}
        return None if is_connected(self.board, move.start, move.target, maybe) else False

    def is_dislodged(self, province: str) -> bool | None:
        """Say whether the unit that is in a province, and does not leave it, is dislodged."""
        found: bool | None = False
        for move in self.attacks.get(province, ()):
            if move.succeeds:
                return True
            if move.succeeds is None:
                found = None
        return found

    def prevent(self, move: Move) -> Bounds:
        """The strength with which a move keeps others out of its target."""
        path = self.has_path(move)
        beaten = move.opponent.succeeds if move.opponent is not None else False
        if path is False or beaten:
            return NOTHING
        low, high = _strength(move.supporters)
        return (0, high) if path is None or beaten is None else (low, high)

    def _decide_support(self, support: Support) -> bool:
        support.is_given = self._is_given(support)
        return support.is_given is not None

    def _is_given(self, support: Support) -> bool | None:
        """A support is cut by a foreign attack, save one from where it is aimed at, which must dislodge its unit."""
        found: bool | None = True
        for move in self.attacks.get(support.province, ()):
            if move.power != support.power:
                cuts = move.succeeds if move.start == support.against else self.has_path(move)
                if cuts:
                    return False
                if cuts is None:
                    found = None
        return found

    def _decide_move(self, move: Move) -> bool:
        move.succeeds = self._succeeds(move)
        return move.succeeds is not None

    def _succeeds(self, move: Move) -> bool | None:
        path = self.has_path(move)
        if path is False:
            return False
        low, high = self.attack(move)
        if path is None:
            low = 0
        resist = _strength(move.opponent.supporters) if move.opponent is not None else self._hold(move.target)
        is_sure, is_hopeless = low > resist[1], high <= resist[0]
        for other in self.attacks[move.target]:
            if is_hopeless:
                return False
            if other is not move:
                against = self.prevent(other)
                is_sure, is_hopeless = is_sure and low > against[1], high <= against[0]
        return False if is_hopeless else True if is_sure else None

    def attack(self, move: Move) -> Bounds:
        """The strength with which a move that gets there attacks, without supports of who is attacked."""
        owner = self.powers.get(move.target)
        leaves = True if owner is None else self._leaves(move.target) if move.opponent is None else False
        if leaves:
            return _strength(move.supporters)
        stays = NOTHING if owner == move.power else _strength([s for s in move.supporters if s.power != owner])
        return stays if leaves is False else (stays[0], _strength(move.supporters)[1])

    def _leaves(self, province: str) -> bool | None:
        """Say whether the unit in a province goes elsewhere."""
        move = self.moves.get(province)
        return False if move is None else move.succeeds

    def _hold(self, province: str) -> Bounds:
        """The strength with which the unit in a province, if any, withstands those who are no match head to head."""
        if province not in self.powers:
            return NOTHING
        if province in self.moves:
            leaves = self.moves[province].succeeds
            return (0, 1) if leaves is None else (0, 0) if leaves else (1, 1)
        return _strength(self.holding.get(province, ()))

    def _break_circle(self, supports: Iterable[Support], moves: Iterable[Move]) -> None:
        """Decide a circle of open outcomes that hang on each other and on nothing else that is open.

        Moves alone go round. Where convoys are part of the circle it is a paradox, and the convoys fail (Szykman's
        rule, 4.A.2 of DATC 3.0).
        """
        needs: dict[Move | Support | Convoy, list[Move | Support | Convoy]] = {}
        for support in supports:
            needs[support] = list(self._open_cuts(support))
        for move in moves:
            needs[move] = list(self._open_needs(move))
        for convoy in self.convoys.values():
            if not convoy.fails and self.is_dislodged(convoy.province) is None:
                needs[convoy] = list(self._open_attacks(convoy.province))
        circle = first_circle(needs)
        paradox = [one for one in circle if isinstance(one, Convoy)]
        for convoy in paradox:
            convoy.fails = True
        for one in () if paradox else circle:
            if isinstance(one, Move):
                one.succeeds = True

    def _open_attacks(self, province: str) -> Iterator[Move]:
        return (move for move in self.attacks.get(province, ()) if move.succeeds is None)

    def _open_cuts(self, support: Support) -> Iterator[Move | Convoy]:
        for move in self.attacks.get(support.province, ()):
            if move.power != support.power:
                if move.start != support.against:
                    yield from self._open_convoys(move)
                elif move.succeeds is None:
                    yield move

    def _open_convoys(self, move: Move) -> Iterator[Convoy]:
        if self.has_path(move) is None:
            for province in move.fleets:
                if not self.convoys[province].fails and self.is_dislodged(province) is None:
                    yield self.convoys[province]

    def _open_needs(self, move: Move) -> Iterator[Move | Support | Convoy]:
        yield from self._open_convoys(move)
        yield from (one for one in move.supporters if one.is_given is None)
        if move.opponent is not None:
            yield from (one for one in move.opponent.supporters if one.is_given is None)
        elif move.target in self.moves:
            if self.moves[move.target].succeeds is None:
                yield self.moves[move.target]
        else:
            yield from (one for one in self.holding.get(move.target, ()) if one.is_given is None)
        for other in self.attacks[move.target]:
            if other is not move:
                yield from self._open_convoys(other)
                yield from (one for one in other.supporters if one.is_given is None)
                if other.opponent is not None and other.opponent.succeeds is None:
                    yield other.opponent


def _strength(supporters: Iterable[Support]) -> Bounds:
    low = high = 1
    for support in supporters:
        if support.is_given is not False:
            high += 1
            if support.is_given:
                low += 1
    return low, high
