"""Integer programs of several players who trade and craft in turns, and the plans that their solutions describe."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Final

import attrs

from arena_game_tradecraft.rules.crafting import Amounts, Craft, apply_craft, floored
from arena_game_tradecraft.solver.chain import TIE, apply_recipes
from arena_game_tradecraft.solver.filling import carry_out
from arena_game_tradecraft.solver.program import Program, Solved, Status
from arena_game_tradecraft.solver.scope import MOST_TIMES, Scope

CUTS: Final = 8
"""The most sets of crafts that cannot be put in order and are excluded, before giving up."""

PART: Final = 1e-3
"""Fractions left over are at least this much below the next whole number."""

Terms = list[tuple[int, Fraction | float]]
Target = Mapping[str, Fraction]


@attrs.frozen
class Stage:
    """What is moved, as (giver, taker) → item → amount, and then crafted, by player."""

    moves: Mapping[tuple[int, int], Mapping[str, int]]
    crafts: tuple[tuple[Craft, ...], ...]


@attrs.frozen
class Staged:
    """Stages that lead to the targets, if any were found."""

    status: Status
    stages: tuple[Stage, ...] = ()

    @property
    def kinds(self) -> int:
        """The number of different items that are moved."""
        return len({item for stage in self.stages for moved in stage.moves.values() for item in moved})


@attrs.define(eq=False)
class Stages:
    """A program of stages: items move, then everybody crafts, then fractions are rounded down.

    ``goals`` are what each player must hold at the end. No player may hold its part of ``avoided`` at the end of an
    earlier stage. ``one_kind`` limits a stage to one kind of item each way between two players.
    """

    within: Scope
    hands: Sequence[Amounts]
    goals: Mapping[int, Target]
    one_kind: bool
    avoided: Sequence[Target] = ()
    program: Program = attrs.field(factory=Program, init=False)
    _held: list[dict[str, int]] = attrs.field(factory=list, init=False)
    _moves: list[dict[tuple[int, int], dict[str, int]]] = attrs.field(factory=list, init=False)
    _times: list[list[list[int]]] = attrs.field(factory=list, init=False)
    _after: list[list[dict[str, int]]] = attrs.field(factory=list, init=False)
    _changed: dict[str, int] = attrs.field(factory=dict, init=False)

    def solve(self, trades: int, nodes: int, *, crafts_first: bool) -> Staged:
        """Solve for ``trades`` trades, preceded by a stage of crafts alone if ``crafts_first``."""
        numbers = range(0 if crafts_first else 1, trades + 1)
        for number in numbers:
            self._stage(number > 0, number == trades)
        for cuts in range(CUTS + 1):
            solved = self.program.solve(nodes)
            if solved.status != "found":
                return Staged("unknown" if cuts else solved.status)
            stages = self._read(solved)
            if isinstance(stages, tuple):
                return Staged("found", stages)
            self._forbid(stages)
        return Staged("unknown")

    def _read(self, solved: Solved) -> tuple[Stage, ...] | list[int]:
        """The stages with exact crafts, or the columns of recipes that one player cannot apply in any order."""
        hands, stages = list(self.hands), []
        for moves, times, after in zip(self._moves, self._times, self._after, strict=True):
            moved = {
                pair: {item: n for item, column in columns.items() if (n := solved.whole(column))}
                for pair, columns in moves.items()
            }
            hands = _moved(hands, moved)
            crafts: list[tuple[Craft, ...]] = []
            for player, hand in enumerate(hands):
                applied = [column for column in times[player] if solved.whole(column)]
                recipes = dict(zip(times[player], self.within.recipes, strict=True))
                kept = {item: Fraction(solved.whole(column)) for item, column in after[player].items()}
                steps = [(recipes[column], solved.whole(column)) for column in applied]
                done = carry_out(hand, steps, kept or self.goals.get(player, {}))
                if done is None:
                    return applied
                crafts.append(done)
                for craft in done:
                    hand = apply_craft(hand, craft) or hand
                hands[player] = floored(hand)
            stages.append(Stage({pair: items for pair, items in moved.items() if items}, tuple(crafts)))
        return tuple(stages)

    def _forbid(self, columns: list[int]) -> None:
        """Exclude solutions that apply all of these recipes."""
        is_applied = [self.program.column(upper=1) for _ in columns]
        for column, flag in zip(columns, is_applied, strict=True):
            self.program.row([(flag, MOST_TIMES), (column, -1)])
        self.program.row([(flag, 1) for flag in is_applied], upper=len(columns) - 1)

    def _stage(self, has_trade: bool, is_last: bool) -> None:
        players = range(len(self.hands))
        terms: list[dict[str, Terms]] = [{item: [] for item in self.within.items} for _ in players]
        start: list[dict[str, Fraction]] = [{} for _ in players]
        for player in players:
            for item in self.within.items:
                if self._held:
                    terms[player][item].append((self._held[player][item], 1))
                else:
                    start[player][item] = self.hands[player].get(item, Fraction(0))
        moves = self._trade(terms, start) if has_trade else {}
        times: list[list[int]] = []
        held: list[dict[str, int]] = []
        for player in players:
            # crafts that no trade precedes may cost a turn of their own
            cost = TIE if has_trade else 4 * TIE
            times.append([self.program.column(cost) for _ in self.within.recipes])
            apply_recipes(self.program, self.within, times[player], terms[player])
            held.append(self._leave(player, terms[player], start[player], is_last))
        self._held = held
        self._moves.append(moves)
        self._times.append(times)
        self._after.append(held)

    def _trade(
        self, terms: list[dict[str, Terms]], start: list[dict[str, Fraction]]
    ) -> dict[tuple[int, int], dict[str, int]]:
        """Let one pair of players exchange items that each of them holds beforehand."""
        players, within = range(len(self.hands)), self.within
        pairs = {pair: self.program.column(upper=1) for pair in combinations(players, 2)}
        self.program.row([(column, 1) for column in pairs.values()], 0, 1)
        moves: dict[tuple[int, int], dict[str, int]] = {}
        given: list[dict[str, Terms]] = [{item: list(t) for item, t in terms[p].items()} for p in players]
        for giver, taker in permutations(players, 2):
            active = pairs[min(giver, taker), max(giver, taker)]
            columns = {item: self.program.column(TIE, within.limits[item]) for item in within.items}
            moves[giver, taker] = columns
            chosen: Terms = [(active, 1)]
            for item, column in columns.items():
                is_moved = self.program.column(upper=1)
                self.program.row([(is_moved, within.limits[item]), (column, -1)])
                self.program.row([(self._change(item), 1), (is_moved, -1)])
                if self.one_kind:
                    chosen.append((is_moved, -1))
                else:
                    self.program.row([(active, 1), (is_moved, -1)])
                given[giver][item].append((column, -1))
                terms[giver][item].append((column, -1))
                terms[taker][item].append((column, 1))
            if self.one_kind:
                self.program.row(chosen)
        for player in players:
            for item, sums in given[player].items():
                self.program.row(sums, -float(start[player].get(item, 0)))
        return moves

    def _change(self, item: str) -> int:
        """A column that is 1 if the item is moved at all, and costs 1."""
        if item not in self._changed:
            self._changed[item] = self.program.column(1, 1)
        return self._changed[item]

    def _leave(self, player: int, terms: dict[str, Terms], start: dict[str, Fraction], is_last: bool) -> dict[str, int]:
        """Columns of what is left after crafting, rounded down; none after the last stage."""
        goal = self.goals.get(player, {})
        if is_last:
            for item, sums in terms.items():
                self.program.row(sums, float(goal.get(item, 0) - start.get(item, 0)))
            return {}
        held: dict[str, int] = {}
        for item, sums in terms.items():
            is_parted = item in self.within.parted
            held[item] = self.program.column(whole=is_parted)
            least = -float(start.get(item, 0))
            self.program.row([*sums, (held[item], -1)], least, least + (1 - PART if is_parted else 0))
        if self.avoided:
            self._avoid(player, held)
        return held

    def _avoid(self, player: int, held: dict[str, int]) -> None:
        """Require that some part of the player's target is missing."""
        target, lacking = self.avoided[player], []
        if any(self.hands[player].get(item, 0) < n for item, n in target.items() if item not in held):
            return
        for item, amount in target.items():
            if item in held:
                lacking.append(self.program.column(upper=1))
                limit = self.within.limits[item]
                self.program.row([(held[item], 1), (lacking[-1], limit)], upper=float(amount - 1 + limit))
        self.program.row([(column, 1) for column in lacking], 1)


def _moved(hands: Sequence[Amounts], moves: Mapping[tuple[int, int], Mapping[str, int]]) -> list[Amounts]:
    after = [dict(hand) for hand in hands]
    for (giver, taker), items in moves.items():
        for item, amount in items.items():
            after[giver][item] -= amount
            after[taker][item] = after[taker].get(item, Fraction(0)) + amount
    return [{item: n for item, n in hand.items() if n} for hand in after]
