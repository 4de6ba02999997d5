"""What players did, as tables."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import Cell, Column, Estimate, Row, TableView
from arena_game_tradecraft.difficulty import BANDS
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import mean, ratio
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate

from arena_metric_tradecraft.conduct import INVALID
from arena_metric_tradecraft.yardsticks import PLANNED, RANDOM

KINDS: Final = {
    "infeasible": "infeasible trades",
    "empty": "empty proposals",
    "invalid_answers": "invalid answers",
    "invalid_crafts": "invalid crafts",
    "unreadable": "unreadable",
}
"""Kinds of invalid behaviour, as tables call them."""

YARDSTICKS: Final = (RANDOM, PLANNED)


def detail(row: Row) -> Any:
    """What was written down beside a value."""
    return cast("Any", row.detail)


@attrs.frozen
class Plays:
    """Rows of matches and of players in a fixed order; those of the yardsticks come last."""

    matches: tuple[Row, ...]
    players: tuple[Row, ...]
    level: float

    def tables(self) -> Iterator[TableView]:
        """All that there is something to say in."""
        for made in (
            self._pairs(),
            self._by("Trading by agent", ("agent",), lambda row: (str(row.agent),)),
            self._winners(),
            self._invalid(),
            self._chains(),
            self._reasons(),
            self._by("Trading by persona", ("persona",), _persona),
            self._by("Trading by problem", ("problem", "by"), lambda row: (detail(row)["problem"], _side(row))),
            self._by("Trading by difficulty", ("difficulty", "by"), _difficulty),
        ):
            if made.rows:
                yield made

    def _pairs(self) -> TableView:
        """Who won against whom, in matches of two."""
        titles = ("first wins", "second wins", "both win", "nobody wins", "broken off")
        lines: list[tuple[Cell, ...]] = []
        for (game, _), rows in _grouped((r for r in self.matches if len(r.agents) == 2), _pairing).items():
            found = [pair_outcome(row) for row in rows]
            lines.append((game, *pair_names(rows[0]), len(rows), *(self._share(rows, found, t) for t in titles)))
        return TableView(
            title="Outcomes by pair",
            columns=(*text("game", "first", "second"), *counts("matches"), *shares(*titles)),
            rows=tuple(lines),
            note="First and second are agents in whatever seat; in matches of an agent with itself, the seats.",
        )

    def _share(self, rows: Sequence[Row], found: Sequence[str], what: str) -> Estimate:
        return share([each == what for each in found], clusters=_blocks(rows), level=self.level)

    def _winners(self) -> TableView:
        """How many win, whatever the number of players."""
        titles = ("nobody", "one", "several", "all", "broken off")
        lines: list[tuple[Cell, ...]] = []
        for (game, pairing), rows in _grouped(self.matches, _pairing).items():
            found = [_how_many(row) for row in rows]
            over = [row for row in rows if detail(row)["is_over"]]
            turns = mean([_number(row) for row in over], clusters=_blocks(over), level=self.level, bounds=(0, None))
            lines.append((game, pairing, len(rows), *(self._share(rows, found, title) for title in titles), turns))
        return TableView(
            title="Winners and turns",
            columns=(*text("game", "pairing"), *counts("matches"), *shares(*titles), *numbers("turns")),
            rows=tuple(lines),
            note=(
                "How many of the players came to hold their targets; all counts only where several play. Turns are "
                "those of matches that the rules ended. Broken off: forfeits and matches that a limit of the run ended."
            ),
        )

    def _by(self, title: str, keys: Sequence[str], key: Callable[[Row], tuple[str | None, ...]]) -> TableView:
        """The heuristic measures of the paper, by anything."""
        columns = (
            *text("game", *keys),
            *counts("matches"),
            *shares("won"),
            *numbers("turns", "invalid per turn"),
            *shares("rejected as receiver"),
            *numbers("chain efficiency"),
        )
        lines: list[tuple[Cell, ...]] = []
        for group, rows in _grouped(self.players, lambda row: (row.game, *key(row))).items():
            won = share([detail(row)["won"] for row in rows], clusters=_blocks(rows), level=self.level)
            over = [row for row in rows if detail(row)["is_over"]]
            turns = mean([_number(row) for row in over], clusters=_blocks(over), level=self.level, bounds=(0, None))
            invalid = self._rate(rows, lambda about: sum(about[kind] for kind in INVALID))
            lines.append((*group, len(rows), won, turns, invalid, self._rejected(rows), self._efficiency(rows)))
        return TableView(title=title, columns=columns, rows=tuple(lines))

    def _rejected(self, rows: Sequence[Row]) -> Estimate:
        answered = [row for row in rows if detail(row)["accepts"] + detail(row)["rejects"]]
        rejects = [detail(row)["rejects"] for row in answered]
        both = [detail(row)["accepts"] + detail(row)["rejects"] for row in answered]
        return share(rejects, both, clusters=_blocks(answered), level=self.level)

    def _efficiency(self, rows: Sequence[Row]) -> Estimate:
        known = [row for row in rows if _has_chain(row) and detail(row)["crafts"]]
        needed = [detail(row)["needed"] for row in known]
        made = [detail(row)["crafts"] for row in known]
        return ratio(needed, made, clusters=_blocks(known), level=self.level, bounds=(0, 1))

    def _rate(self, rows: Sequence[Row], count: Callable[[Any], int]) -> Estimate:
        turns = [_number(row) for row in rows]
        return rate([count(detail(row)) for row in rows], turns, clusters=_blocks(rows), level=self.level)

    def _invalid(self) -> TableView:
        """Invalid behaviour by kind."""
        more = {"substitutes": "put in by the policy", "look_ups": "look-ups"}
        lines: list[tuple[Cell, ...]] = []
        for group, rows in _grouped(self.players, _agent).items():
            cells: list[Cell] = [*group, int(sum(_number(row) for row in rows))]
            cells += (self._rate(rows, lambda about, k=kind: about[k]) for kind in (*KINDS, *more))
            lines.append(tuple(cells))
        return TableView(
            title="Invalid behaviour per turn",
            columns=(*text("game", "agent"), *counts("turns"), *numbers(*KINDS.values(), *more.values())),
            rows=tuple(lines),
            note="What the policy for illegal actions put in is no behaviour of the agent, and in no other number.",
        )

    def _reasons(self) -> TableView:
        lines: list[tuple[Cell, ...]] = []
        for group, rows in _grouped(self.players, _agent).items():
            found: Counter[str] = Counter()
            for row in rows:
                found.update(detail(row)["rules"])
            for rule, times in sorted(found.items(), key=lambda each: (-each[1], each[0])):
                lines.append((*group, rule, times, self._rate(rows, lambda about, r=rule: about["rules"].get(r, 0))))
        columns = (*text("game", "agent", "reason"), *counts("refusals"), *numbers("per turn"))
        return TableView(title="Why answers were refused", columns=columns, rows=tuple(lines))

    def _chains(self) -> TableView:
        """Crafts of winners against the shortest chain."""
        lines: list[tuple[Cell, ...]] = []
        for group, rows in _grouped(self.players, _agent).items():
            won = [row for row in rows if detail(row)["won"]]
            known = [row for row in won if _has_chain(row)]
            unknown = sum(detail(row)["needed"] == "unknown" for row in won)
            made = sum(detail(row)["crafts"] for row in known)
            needed = sum(detail(row)["needed"] for row in known)
            lines.append((*group, len(won), len(known), unknown, made, needed, self._efficiency(won)))
        columns: tuple[Column, ...] = (
            *text("game", "agent"),
            *counts("won", "chain known", "chain unknown", "crafts", "fewest crafts"),
            *numbers("chain efficiency"),
        )
        return TableView(
            title="Crafting chains of winners",
            columns=columns,
            rows=tuple(lines),
            note=(
                "Fewest crafts: those that make the target of all that the player was dealt and got in trades, by the "
                "solver. Efficiency is fewest crafts by crafts, 1 at best; who got the target in trades without "
                "crafting has none. Where the solver came to its limit, the chain is unknown and in no number; where a "
                "policy crafted for the player, nothing is said."
            ),
        )


def pair_outcome(row: Row) -> str:
    """How a match of two ended, for the first and the second of ``pair_names``."""
    about = detail(row)
    if not about["is_over"]:
        return "broken off"
    if len(about["winners"]) != 1:
        return "both win" if about["winners"] else "nobody wins"
    won = row.agents[about["winners"][0]]
    is_first = about["winners"] == [0] if row.agents[0] == row.agents[1] else won == min(row.agents)
    return "first wins" if is_first else "second wins"


def pair_names(row: Row) -> tuple[str, str]:
    """The two of a pair, by name; with their seats where they are the same."""
    first, second = sorted(row.agents)
    return (first, second) if first != second else (f"{first}, first seat", f"{second}, second seat")


def _how_many(row: Row) -> str:
    about = detail(row)
    if not about["is_over"]:
        return "broken off"
    won, players = len(about["winners"]), about["players"]
    return "nobody" if not won else "all" if won == players > 1 else "one" if won == 1 else "several"


def _grouped(rows: Any, key: Callable[[Row], tuple[str | None, ...]]) -> dict[tuple[str, ...], list[Row]]:
    """Rows by a key, yardsticks behind agents and levels from easy to hard; without those for which it has ``None``."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        values = key(row)
        if None not in values:
            found.setdefault(cast("tuple[str, ...]", values), []).append(row)
    return dict(sorted(found.items(), key=lambda each: [_rank(part) for part in each[0]]))


def _rank(part: str) -> tuple[bool, int, str]:
    return part in YARDSTICKS, list(BANDS).index(part) if part in BANDS else -1, part


def _agent(row: Row) -> tuple[str, ...]:
    return row.game, str(row.agent)


def _pairing(row: Row) -> tuple[str, ...]:
    return row.game, row.pairing


def _persona(row: Row) -> tuple[str | None, ...]:
    return (detail(row)["persona"],)


def _side(row: Row) -> str:
    return str(row.agent) if row.agent in YARDSTICKS else "all agents"


def _difficulty(row: Row) -> tuple[str | None, ...]:
    graded = detail(row)["level"]
    return (None if graded == "ungraded" else graded, _side(row))


def _has_chain(row: Row) -> bool:
    return detail(row)["won"] and type(detail(row)["needed"]) is int


def _number(row: Row) -> float:
    return float(cast("float", row.value))


def _blocks(rows: Sequence[Row]) -> list[str]:
    return [row.block for row in rows]
