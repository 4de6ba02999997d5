"""The contract of a metric: from matches to measurements, from measurements to tables.

``measure`` looks at one finished match and is pure; so do ``inspect`` with the game at hand and ``measure_uses`` with
what the match's completions used; ``judge`` and, with the game at hand, ``examine`` may ask models, and are journaled
like any other call; ``summarize`` turns
all measurements into sections of a report. A metric can run on any finished journal, long after the run. Every number
it reports carries its n and its interval, and a random and an optimal reference beside it where they exist.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import attrs

from arena.agent import Completions
from arena.backend import Backend
from arena.game import Game
from arena.record import JSON, Ending, MatchRecord, Player

Value: TypeAlias = float | int | str | bool | None


class Measurement(NamedTuple):
    """One value found in one match: of a player's turn, of a player, or of the match where ``player`` is ``None``."""

    name: str
    value: Value
    player: Player | None = None
    turn: int | None = None
    detail: JSON = None


@attrs.frozen(kw_only=True)
class Use:
    """What one completion used; ``None`` is what nobody knows, and never nothing.

    ``player`` is who asked, ``None`` for a judge; ``turn`` is ``None`` for what was asked before the first.
    ``cached_tokens`` are part of ``prompt_tokens``, ``reasoning_tokens`` of ``completion_tokens``. ``is_shared`` says
    that the answer came from the cache that runs share, free of charge.
    """

    player: Player | None
    turn: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    is_shared: bool = False


@attrs.frozen(kw_only=True)
class Row:
    """A measurement with where it comes from; ``agent`` and ``seat`` belong to ``player``.

    Rows of one ``block`` are not independent of each other: their matches share their deals. ``gone`` are the players
    that were put out in the match.
    """

    name: str
    value: Value
    match: str
    block: str
    game: str
    pairing: str
    ending: Ending
    agents: tuple[str, ...]
    player: Player | None = None
    agent: str | None = None
    seat: str | None = None
    turn: int | None = None
    detail: JSON = None
    gone: tuple[Player, ...] = ()

    @property
    def is_forfeited(self) -> bool:
        """Whether somebody was put out of the match by its own refusals."""
        return bool(self.gone) or self.ending.is_forfeit

    @classmethod
    def of(cls, measurement: Measurement, match: MatchRecord) -> "Row":
        """Put ``measurement`` into the context of its match."""
        p = measurement.player
        return cls(
            **measurement._asdict(),
            match=match.id,
            block=match.plan.block,
            game=match.game,
            pairing=match.plan.pairing,
            ending=match.ending,
            agents=match.agents,
            agent=None if p is None else match.agents[p],
            seat=None if p is None else match.seats[p],
            gone=match.gone,
        )


@attrs.frozen(kw_only=True)
class Reference:
    """What uniform random play and optimal play earn in a game, by player.

    ``random`` are mean returns of ``random_n`` matches of uniform legal play against itself, with their standard
    errors; ``optimal`` are the known values, ``None`` where nobody knows them. ``random_wins`` is the share of those
    matches that each player won alone, ``random_draws`` the share in which several were level at the top, and
    ``random_turns`` the mean number of actions. ``returns``, ``least_return`` and ``greatest_return`` are the game's
    facts, ``seats`` its names for the players.
    """

    random: tuple[float, ...]
    random_errors: tuple[float, ...]
    random_n: int
    optimal: tuple[float, ...] | None = None
    optimal_source: str = ""
    random_wins: tuple[float, ...] = ()
    random_draws: float | None = None
    random_turns: float | None = None
    returns: Literal["zero-sum", "constant-sum", "cooperative", "general-sum"] = "general-sum"
    least_return: float | None = None
    greatest_return: float | None = None
    seats: tuple[str, ...] = ()

    def seat(self, player: int) -> str:
        """What a player's seat is called."""
        return self.seats[player] if self.seats else f"player {player + 1}"

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.random)

    @property
    def has_winners(self) -> bool:
        """Whether one player's gain is another's loss, so that it means something to win."""
        return self.players > 1 and self.returns in ("zero-sum", "constant-sum")


@attrs.frozen(kw_only=True)
class Missing:
    """A match without a result; ``ending`` is ``None`` while it has not been played to its end."""

    match: str
    game: str
    agents: tuple[str, ...]
    ending: Ending | None
    reason: str = ""


@attrs.frozen(kw_only=True)
class Table:
    """All measurements of one metric over one or several runs, and what they are held against.

    ``missing`` are the matches without a result: they are never part of a rate, and never hidden. ``forfeits`` says
    whether results are wanted with forfeited matches, without them, or both. ``games`` are those that can be
    built here, by name.
    """

    rows: Sequence[Row]
    references: Mapping[str, Reference] = attrs.field(factory=dict[str, Reference])
    level: float = 0.95
    seed: int = 0
    missing: Sequence[Missing] = ()
    forfeits: Literal["with", "without", "both"] = "both"
    games: Mapping[str, Game] = attrs.field(factory=dict[str, Game], repr=False)

    def named(self, name: str) -> list[Row]:
        """The rows of one measurement."""
        return [row for row in self.rows if row.name == name]


@attrs.frozen(kw_only=True)
class Estimate:
    """A number with what it rests on.

    ``n`` is how many independent units it was computed from, ``unit`` what they are; ``low`` and ``high`` bound the
    interval at ``level``, ``method`` says how it was made; ``low`` without ``high`` is an interval that nothing
    bounds from above. ``value`` is ``None`` where n is too small to say anything.
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    level: float = 0.95
    unit: str = "matches"
    method: str = ""


Cell: TypeAlias = str | int | float | bool | Estimate | None


@attrs.frozen(kw_only=True)
class Column:
    """A column's key, heading, and how its numbers are to be shown.

    ``style`` is ``"text"``, ``"count"``, ``"number"``, ``"share"`` (a fraction shown in per cent), ``"money"`` or
    ``"seconds"``.
    """

    name: str
    title: str
    style: Literal["text", "count", "number", "share", "money", "seconds"] = "text"
    help: str = ""


@attrs.frozen(kw_only=True)
class TableView:
    """A table to be shown: every row has one cell per column, in the same order."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@attrs.frozen(kw_only=True)
class Figure:
    """A plot as data; whoever renders it decides how it looks.

    ``kind`` is ``"bar"``, ``"stacked-bar"``, ``"line"``, ``"pie"``, ``"heat-map"``, ``"radar"`` or ``"scatter"``.
    ``series`` maps a name to values along ``x`` (for a heat map: a row's name to its cells). Values may be estimates,
    whose intervals are drawn. ``references`` are lines drawn across, by name. In a heat map ``blocks`` set squares of
    so many cells apart, each number by stronger lines than the one before; ``labels`` name the smallest squares, row by
    row.
    """

    kind: Literal["bar", "stacked-bar", "line", "pie", "heat-map", "radar", "scatter"]
    title: str
    x: tuple[str | float, ...]
    series: Mapping[str, tuple[float | Estimate | None, ...]]
    x_title: str = ""
    y_title: str = ""
    references: Mapping[str, float] = attrs.field(factory=dict[str, float])
    blocks: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    note: str = ""


@attrs.frozen(kw_only=True)
class Section:
    """One part of a report: tables and figures under a title, and what must be said about them."""

    title: str
    tables: tuple[TableView, ...] = ()
    figures: tuple[Figure, ...] = ()
    text: str = ""
    data: Mapping[str, Any] = attrs.field(factory=dict[str, Any])


class Metric(ABC):
    """A way to measure matches: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def measure(self, match: MatchRecord) -> Iterable[Measurement]:
        """What is to be seen in one match; pure. Called for every match that has a result."""

    def inspect(self, match: MatchRecord, game: Game) -> Iterable[Measurement]:
        """What is to be seen in one match only with its game at hand, such as its positions (``arena.replay``); pure.

        Called by reports, after ``measure``, where the game can be built. Most metrics do not need it.
        """
        return ()

    def measure_uses(self, match: MatchRecord, uses: Sequence[Use]) -> Iterable[Measurement]:
        """What is to be seen in the completions of one match; pure. Called by reports; most metrics look at none."""
        return ()

    async def judge(self, match: MatchRecord, completions: Completions) -> Iterable[Measurement]:
        """What a model finds in one match. Most metrics have no judge."""
        return ()

    async def examine(self, match: MatchRecord, game: Game, completions: Completions) -> Iterable[Measurement]:
        """The same with the match's game at hand, so that the model can be told the rules and what happened in words.

        This is what a run calls; it leaves everything to ``judge`` unless a metric needs the game.
        """
        return await self.judge(match, completions)

    @abstractmethod
    def summarize(self, table: Table) -> Iterable[Section]:
        """Make sections of a report from all measurements."""

    def backends(self) -> Mapping[str, Backend]:
        """The backends its judge asks, by field."""
        fields = attrs.fields(type(self)) if attrs.has(type(self)) else ()
        values = {f.name: getattr(self, f.name) for f in fields}
        return {name: value for name, value in values.items() if isinstance(value, Backend)}
