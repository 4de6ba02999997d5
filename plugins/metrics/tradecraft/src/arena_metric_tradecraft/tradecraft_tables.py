"""Tables of outcomes, trading and invalid behaviour."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import MeasurementRow
from arena.tables import Cell, Column, Estimate, Table
from arena_game_tradecraft.match.problem import BANDS
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import mean, ratio
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate

from arena_metric_tradecraft.baselines import PLANNED, RANDOM
from arena_metric_tradecraft.conduct import INVALID

KINDS: Final = {
    "infeasible": "infeasible trades",
    "empty": "empty proposals",
    "invalid_answers": "invalid answers",
    "invalid_crafts": "invalid crafts",
    "unreadable": "unreadable",
}
"""The kinds of invalid behaviour with their titles in tables."""

BASELINES: Final = (RANDOM, PLANNED)


def detail(row: MeasurementRow) -> Any:
    """The detail of a row, which is a mapping of counts in this metric."""
    return cast("Any", row.detail)


@attrs.frozen
class Plays:
    """Rows of matches and of players in a fixed order; those of random play and the joint plan come last."""

    matches: tuple[MeasurementRow, ...]
    players: tuple[MeasurementRow, ...]
    level: float

    def tables(self) -> Iterator[Table]:
        """All tables that have rows, in the order of the report."""
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

    def _pairs(self) -> Table:
        """Who won against whom, in matches of two players."""
        titles = ("first wins", "second wins", "both win", "nobody wins", "broken off")
        lines: list[tuple[Cell, ...]] = []
        for (game, _), rows in grouped((r for r in self.matches if len(r.agents) == 2), _pairing).items():
            found = [pair_outcome(row) for row in rows]
            lines.append((game, *pair_names(rows[0]), len(rows), *(self.share(rows, found, t) for t in titles)))
        return Table(
            title="Outcomes by pair",
            columns=(*text("game", "first", "second"), *counts("matches"), *shares(*titles)),
            rows=tuple(lines),
            note="First and second are agents in whatever seat; in matches of an agent with itself, the seats.",
        )

    def share(self, rows: Sequence[MeasurementRow], found: Sequence[str], what: str) -> Estimate:
        """The share of matches of which ``found`` says ``what``, one word for each of ``rows``."""
        return share([each == what for each in found], clusters=_blocks(rows), level=self.level)

    def _winners(self) -> Table:
        """How many players of a match win, for any number of players."""
        titles = ("nobody", "one", "several", "all", "broken off")
        lines: list[tuple[Cell, ...]] = []
        for (game, pairing), rows in grouped(self.matches, _pairing).items():
            found = [_how_many(row) for row in rows]
            shared = [self.share(rows, found, title) for title in titles]
            lines.append((game, pairing, len(rows), *shared, self.turns(rows)))
        return Table(
            title="Winners and turns",
            columns=(*text("game", "pairing"), *counts("matches"), *shares(*titles), *numbers("turns")),
            rows=tuple(lines),
            note=(
                "How many of the players came to hold their targets; all counts only where several play. Turns are "
                "those of matches that the rules ended. Broken off: forfeits and matches that a limit of the run ended."
            ),
        )

    def _by(self, title: str, keys: Sequence[str], key: Callable[[MeasurementRow], tuple[str | None, ...]]) -> Table:
        """The heuristic measures of TradeCraft, grouped by ``key``; ``keys`` are the titles of its columns."""
        columns = (
            *text("game", *keys),
            *counts("matches"),
            *shares("won"),
            *numbers("turns", "invalid per turn"),
            *shares("rejected as receiver"),
            *numbers("chain efficiency"),
        )
        lines: list[tuple[Cell, ...]] = []
        for group, rows in grouped(self.players, lambda row: (row.game, *key(row))).items():
            measures = self.won(rows), self.turns(rows), self.rate(rows, invalid), self.rejected(rows)
            lines.append((*group, len(rows), *measures, self._efficiency(rows)))
        return Table(title=title, columns=columns, rows=tuple(lines))

    def won(self, rows: Sequence[MeasurementRow]) -> Estimate:
        """The share of matches that players won."""
        return share([detail(row)["won"] for row in rows], clusters=_blocks(rows), level=self.level)

    def turns(self, rows: Sequence[MeasurementRow]) -> Estimate:
        """The mean number of turns of the matches that the rules ended."""
        over = [row for row in rows if detail(row)["is_over"]]
        return mean([_number(row) for row in over], clusters=_blocks(over), level=self.level, bounds=(0, None))

    def rejected(self, rows: Sequence[MeasurementRow]) -> Estimate:
        """The share of the proposals that players answered which they rejected."""
        answered = [row for row in rows if detail(row)["accepts"] + detail(row)["rejects"]]
        rejects = [detail(row)["rejects"] for row in answered]
        both = [detail(row)["accepts"] + detail(row)["rejects"] for row in answered]
        return share(rejects, both, clusters=_blocks(answered), level=self.level)

    def _efficiency(self, rows: Sequence[MeasurementRow]) -> Estimate:
        known = [row for row in rows if _has_chain(row) and detail(row)["crafts"]]
        needed = [detail(row)["needed"] for row in known]
        made = [detail(row)["crafts"] for row in known]
        return ratio(needed, made, clusters=_blocks(known), level=self.level, bounds=(0, 1))

    def rate(self, rows: Sequence[MeasurementRow], count: Callable[[Any], int]) -> Estimate:
        """How often something happened in a turn, as ``count`` reads it from the detail of a row."""
        turns = [_number(row) for row in rows]
        return rate([count(detail(row)) for row in rows], turns, clusters=_blocks(rows), level=self.level)

    def _invalid(self) -> Table:
        """Invalid behaviour by kind."""
        more = {"substitutes": "put in by the policy", "look_ups": "look-ups"}
        lines: list[tuple[Cell, ...]] = []
        for group, rows in grouped(self.players, by_agent).items():
            cells: list[Cell] = [*group, int(sum(_number(row) for row in rows))]
            cells += (self.rate(rows, lambda about, k=kind: about[k]) for kind in (*KINDS, *more))
            lines.append(tuple(cells))
        return Table(
            title="Invalid behaviour per turn",
            columns=(*text("game", "agent"), *counts("turns"), *numbers(*KINDS.values(), *more.values())),
            rows=tuple(lines),
            note="What the policy for illegal actions put in is no behaviour of the agent, and in no other number.",
        )

    def _reasons(self) -> Table:
        lines: list[tuple[Cell, ...]] = []
        for group, rows in grouped(self.players, by_agent).items():
            found: Counter[str] = Counter()
            for row in rows:
                found.update(detail(row)["rules"])
            for rule, times in sorted(found.items(), key=lambda each: (-each[1], each[0])):
                lines.append((*group, rule, times, self.rate(rows, lambda about, r=rule: about["rules"].get(r, 0))))
        columns = (*text("game", "agent", "reason"), *counts("refusals"), *numbers("per turn"))
        return Table(title="Why answers were refused", columns=columns, rows=tuple(lines))

    def _chains(self) -> Table:
        """Crafts of winners against the shortest chain."""
        lines: list[tuple[Cell, ...]] = []
        for group, rows in grouped(self.players, by_agent).items():
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
        return Table(
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


def invalid(about: Any) -> int:
    """How often a player's behaviour was invalid, of any kind, by the detail of its row."""
    return sum(about[kind] for kind in INVALID)


def pair_outcome(row: MeasurementRow) -> str:
    """How a match of two players ended, from the view of the first and the second of ``pair_names``."""
    about = detail(row)
    if not about["is_over"]:
        return "broken off"
    if len(about["winners"]) != 1:
        return "both win" if about["winners"] else "nobody wins"
    won = row.agents[about["winners"][0]]
    is_first = about["winners"] == [0] if row.agents[0] == row.agents[1] else won == min(row.agents)
    return "first wins" if is_first else "second wins"


def pair_names(row: MeasurementRow) -> tuple[str, str]:
    """The two agents of a match by name; with their seats added if they are the same agent."""
    first, second = sorted(row.agents)
    return (first, second) if first != second else (f"{first}, first seat", f"{second}, second seat")


def _how_many(row: MeasurementRow) -> str:
    about = detail(row)
    if not about["is_over"]:
        return "broken off"
    won, players = len(about["winners"]), about["players"]
    return "nobody" if not won else "all" if won == players > 1 else "one" if won == 1 else "several"


def grouped(
    rows: Iterable[MeasurementRow], key: Callable[[MeasurementRow], tuple[str | None, ...]]
) -> dict[tuple[str, ...], list[MeasurementRow]]:
    """Rows by a key, baselines after agents and levels from easy to hard.

    Rows whose key contains ``None`` are left out.
    """
    found: dict[tuple[str, ...], list[MeasurementRow]] = {}
    for row in rows:
        values = key(row)
        if None not in values:
            found.setdefault(cast("tuple[str, ...]", values), []).append(row)
    return dict(sorted(found.items(), key=lambda each: [_rank(part) for part in each[0]]))


def _rank(part: str) -> tuple[bool, int, str]:
    return part in BASELINES, list(BANDS).index(part) if part in BANDS else -1, part


def by_agent(row: MeasurementRow) -> tuple[str, ...]:
    """The game and the agent of a row."""
    return row.game, str(row.agent)


def _pairing(row: MeasurementRow) -> tuple[str, ...]:
    return row.game, row.pairing


def _persona(row: MeasurementRow) -> tuple[str | None, ...]:
    return (detail(row)["persona"],)


def _side(row: MeasurementRow) -> str:
    return str(row.agent) if row.agent in BASELINES else "all agents"


def _difficulty(row: MeasurementRow) -> tuple[str | None, ...]:
    graded = detail(row)["level"]
    return (None if graded == "ungraded" else graded, _side(row))


def _has_chain(row: MeasurementRow) -> bool:
    return detail(row)["won"] and type(detail(row)["needed"]) is int


def _number(row: MeasurementRow) -> float:
    return float(cast("float", row.value))


def _blocks(rows: Sequence[MeasurementRow]) -> list[str]:
    return [row.block for row in rows]
