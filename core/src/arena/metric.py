"""The contract of a metric: from matches to measurements, from measurements to tables.

``measure`` looks at one finished match and is pure; ``judge`` may ask models about it, whose answers are journaled
like all others; ``summarize`` turns all measurements into sections of a report. A metric can run on any finished
journal, long after the run. Every number it reports comes with its n and its interval, and with the results of random
and of optimal play if they are known.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import attrs

from arena.agent import Completions
from arena.backend import Backend
from arena.errors import PluginError
from arena.game import Game
from arena.record import JSON, Ending, MatchRecord, Player
from arena.tables import Section
from arena.turns import Position, Turn, positions, turns

Value: TypeAlias = float | int | str | bool | None


class Measurement(NamedTuple):
    """One value measured in one match: of a player's turn, of a player, or of the match if ``player`` is ``None``."""

    name: str
    value: Value
    player: Player | None = None
    turn: int | None = None
    detail: JSON = None


@attrs.frozen(kw_only=True)
class CallUsage:
    """The tokens and the cost of one completion; ``None`` means unknown, never zero.

    ``player`` is ``None`` for a judge, ``turn`` before the first turn. Cached tokens are part of the prompt's, those of
    reasoning of the completion's. ``is_shared`` calls came free from a cache; ``is_estimated`` ones are upper bounds.
    """

    player: Player | None
    turn: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    is_shared: bool = False
    is_estimated: bool = False


@attrs.frozen
class FinishedMatch:
    """A match that is over, with everything a metric may look at.

    ``game`` is ``None`` if it cannot be built here, and while a run is played. ``calls`` says what the match's
    completions used; it is empty unless the metric sets ``needs_calls``.
    """

    record: MatchRecord
    game: Game | None
    calls: Sequence[CallUsage] = ()

    def positions(self) -> Iterator[Position]:
        """Every position of the match, as ``arena.turns`` yields them; ``PluginError`` if there is no game."""
        if self.game is None:
            raise PluginError(
                f"match {self.record.id!r}: its positions take the game {self.record.game!r}, which is not at hand; "
                "set needs_game in the metric, or look at positions only where match.game is not None"
            )
        return positions(self.game, self.record)

    def turns(self) -> tuple[Turn, ...]:
        """The turns of the match in the order of the record, as ``arena.turns`` returns them."""
        return turns(self.record)


@attrs.frozen(kw_only=True)
class MeasurementRow:
    """A measurement with the match it comes from; ``agent`` and ``seat`` are those of ``player``.

    Rows of one ``block`` are not independent, because their matches share deals. ``at_fault`` are the players who
    failed in the match, as ``MatchRecord.at_fault`` says: whatever else is measured, they lost it.
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
    at_fault: tuple[Player, ...] = ()

    @property
    def is_forfeited(self) -> bool:
        """Whether at least one player failed in the match."""
        return bool(self.at_fault) or self.ending.is_forfeit

    @classmethod
    def of(cls, measurement: Measurement, match: MatchRecord) -> "MeasurementRow":
        """Create the row of a measurement that was taken in ``match``."""
        p, plan = measurement.player, match.plan
        same: dict[str, Any] = {name: getattr(match, name) for name in ("game", "ending", "agents", "at_fault")}
        own: dict[str, Any] = {} if p is None else {"agent": match.agents[p], "seat": match.seats[p]}
        return cls(**measurement._asdict(), match=match.id, block=plan.block, pairing=plan.pairing, **same, **own)


@attrs.frozen(kw_only=True)
class Baseline:
    """What uniform random play and optimal play earn in a game, by player.

    ``random`` are mean returns of ``random_n`` matches of uniform legal play against itself with their standard errors,
    empty if unknown; if ``random_n`` is 0 they are exact, and ``random_deviations`` may tell the standard deviations of
    one match. ``optimal`` are those of optimal play, ``None`` if unknown. ``random_wins`` is the share of matches that
    each player won alone, ``random_draws`` the share in which several tied for the highest return, ``random_turns`` the
    mean number of actions, ``random_source`` is given where the game states all this. The others are the game's facts.
    """

    random: tuple[float, ...]
    random_errors: tuple[float, ...]
    random_n: int
    random_deviations: tuple[float, ...] = ()
    optimal: tuple[float, ...] | None = None
    optimal_source: str = ""
    random_wins: tuple[float, ...] = ()
    random_draws: float | None = None
    random_turns: float | None = None
    random_source: str = ""
    returns: Literal["zero-sum", "constant-sum", "cooperative", "general-sum"] = "general-sum"
    min_return: float | None = None
    max_return: float | None = None
    seats: tuple[str, ...] = ()
    counts_wins: bool = False
    return_unit: str = "points"
    chance: bool = True

    def seat(self, player: int) -> str:
        """The name of a player's seat; ``player 1`` for the first if the game gives none."""
        return self.seats[player] if self.seats else f"player {player + 1}"

    @property
    def players(self) -> int:
        """The number of players in a match."""
        return len(self.random or self.seats)

    @property
    def has_winners(self) -> bool:
        """Whether one player's gain is another's loss, so that wins can be counted."""
        return self.players > 1 and self.returns in ("zero-sum", "constant-sum")


@attrs.frozen(kw_only=True)
class UnfinishedMatch:
    """A planned match without a result: it failed, was cancelled, or is not played yet (``ending`` is ``None``)."""

    match: str
    game: str
    agents: tuple[str, ...]
    ending: Ending | None
    reason: str = ""


@attrs.frozen(kw_only=True)
class Measurements:
    """All measurements of one metric over one or several runs, and the baselines to compare them with.

    ``missing`` are the matches without a result: they count in no rate, but must be shown. ``forfeits`` says whether
    results are wanted with forfeited matches, without them, or both. ``games`` are, by name, those that can be built.
    ``forms`` are the forms of observation that each agent is shown by its configuration, whatever it played;
    ``prompts`` are, of those that a sweep over prompts made, what they are called without that, and its style and form.
    """

    rows: Sequence[MeasurementRow]
    baselines: Mapping[str, Baseline] = attrs.field(factory=dict[str, Baseline])
    level: float = 0.95
    seed: int = 0
    missing: Sequence[UnfinishedMatch] = ()
    forfeits: Literal["with", "without", "both"] = "both"
    games: Mapping[str, Game] = attrs.field(factory=dict[str, Game], repr=False)
    forms: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    prompts: Mapping[str, tuple[str, str]] = attrs.field(factory=dict[str, tuple[str, str]])

    def rows_named(self, name: str) -> list[MeasurementRow]:
        """The rows whose measurement is called ``name``."""
        return [row for row in self.rows if row.name == name]


class Metric(ABC):
    """The configuration of a metric: best a ``@attrs.frozen`` class whose fields are its parameters.

    ``needs_game`` says that nothing can be measured without the game: such a metric is not called if the game cannot
    be built, and the report says so. ``needs_calls`` says that it reads what completions used. A metric with neither
    is also called during a run, for observers of ``measured``, without game and calls. It then leaves out what it can
    only measure with the game, and reports such measurements last at other times.
    """

    needs_game: ClassVar[bool] = False
    needs_calls: ClassVar[bool] = False

    @abstractmethod
    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """Measure one match; pure. Called for every match that has a result."""

    async def judge(self, match: FinishedMatch, completions: Completions) -> Iterable[Measurement]:
        """Measure one match by asking a model; most metrics have no judge and return nothing.

        A run calls this once for each match with a result. ``match.game`` is set, and ``match.calls`` holds only the
        players' calls, not those of judges.
        """
        return ()

    @abstractmethod
    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Make sections of a report from all measurements."""

    def backends(self) -> Mapping[str, Backend]:
        """The backends its judge uses, by the name of the field that holds them."""
        names = attrs.fields_dict(type(self)) if attrs.has(type(self)) else ()
        return {name: value for name in names if isinstance(value := getattr(self, name), Backend)}
