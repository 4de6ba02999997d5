"""The standings as a value: agents with ranks and intervals, pairs, groups, sentences, doubts."""

from collections.abc import Mapping
from typing import Any, Final

import attrs

from arena_standings.order import Headline

Ends = tuple[float | None, float | None]
"""The ends of an interval; an open end is ``None``."""

ELO: Final = "Elo"
POINTS: Final = 173.7177927613007
"""Elo points for one unit of log-odds: 400 / ln 10."""

CENTRE: Final = 1500.0
"""The rating of what others are held against."""


@attrs.frozen(kw_only=True)
class Mean:
    """A mean over blocks, or a share; ``interval`` is open at both ends if ``remark`` says why there is none."""

    value: float
    n: int
    interval: Ends = (None, None)
    remark: str = ""


@attrs.frozen(kw_only=True)
class Row:
    """One agent's place.

    ``ranks`` are the best and the worst rank that no separated pair contradicts; ``group`` counts from 1 for the best.
    ``rating`` and ``interval`` are in Elo points; ``rating`` is ``None`` where agents are compared by what they earn,
    which ``mean`` says in the unit of the game. ``score`` is the share of points of a single game that counts wins.
    ``strength`` is in log-odds over the reference. ``by_play`` is the place without disqualifications, and ``None`` if
    there is no other match. ``refused`` counts the matches that its own answers ended, of ``matches``; where it was
    disqualified it lost and nobody won.
    """

    agent: str
    group: int
    ranks: tuple[int, int]
    strength: float
    rating: float | None = None
    interval: Ends = (None, None)
    is_reference: bool = False
    mean: Mean | None = None
    score: Mean | None = None
    won: int = 0
    drawn: int = 0
    lost: int = 0
    matches: int = 0
    blocks: int = 0
    refused: int = 0
    by_play: int | None = None

    @property
    def rank(self) -> str:
        """The ranks that are possible: ``1``, ``2–3``."""
        best, worst = self.ranks
        return str(best) if best == worst else f"{best}–{worst}"

    @property
    def share_refused(self) -> float:
        """The share of its matches that the agent's own answers ended."""
        return self.refused / self.matches if self.matches else 0.0


@attrs.frozen(kw_only=True)
class Pair:
    """Two agents, the better one first; ``lead`` and ``interval`` are in the unit of their table.

    ``t`` is the statistic. ``won``, ``drawn`` and ``lost`` count the matches in which they met, from ``a``;
    disqualifications are among them, as lost by the disqualified. ``refused`` counts those. ``more`` is about how many
    further matches of this pair would tell them apart if the lead is what it looks like; ``None`` if they are told
    apart, or it cannot be said. ``has_interval`` is false where none was asked for.
    """

    a: str
    b: str
    t: float
    lead: float
    log_odds: float
    interval: Ends = (None, None)
    log_odds_interval: Ends = (None, None)
    has_interval: bool = True
    separated: bool = False
    won: int = 0
    drawn: int = 0
    lost: int = 0
    refused: int = 0
    matches: int = 0
    more: int | None = None

    @property
    def record(self) -> str:
        """Matches won, drawn and lost."""
        return f"{self.won}–{self.drawn}–{self.lost}"


@attrs.frozen(kw_only=True)
class Part:
    """Agents that met, by way of others too: one table.

    ``rows`` are in order of strength, ``pairs`` in the order of their agents. ``unit`` is that of leads: Elo points, or
    the unit of the one game that pays. ``critical`` is what a statistic must exceed, infinite if nothing can;
    ``reference`` is the agent at 1500, empty if that is the mean of all.
    """

    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...] = ()
    headline: Headline = attrs.field(factory=Headline)
    unit: str = ELO
    critical: float = float("inf")
    reference: str = ""
    games: tuple[str, ...] = ()
    clusters: int = 0

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents in order."""
        return tuple(row.agent for row in self.rows)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The agents by group."""
        found: dict[int, list[str]] = {}
        for row in self.rows:
            found.setdefault(row.group, []).append(row.agent)
        return tuple(map(tuple, found.values()))

    @property
    def separated(self) -> frozenset[tuple[str, str]]:
        """The pairs that are told apart, the better agent first."""
        return frozenset((pair.a, pair.b) for pair in self.pairs if pair.separated)

    @property
    def shown_pairs(self) -> tuple[Pair, ...]:
        """The pairs that have a line each: all up to four agents, else neighbours in the order."""
        place = {agent: i for i, agent in enumerate(self.agents)}
        return tuple(pair for pair in self.pairs if len(place) <= 4 or place[pair.b] == place[pair.a] + 1)

    def pair(self, a: str, b: str) -> Pair | None:
        """The comparison of two agents, in whatever order; ``None`` if there is none."""
        return next((pair for pair in self.pairs if {pair.a, pair.b} == {a, b}), None)


@attrs.frozen(kw_only=True)
class FactorLead:
    """One level of a factor of a sweep against another: the mean lead of agents alike in everything else.

    ``lead`` and ``interval`` are in ``unit``, ``pairs`` counts the agents that are compared.
    """

    factor: str
    a: str
    b: str
    lead: float
    interval: Ends
    separated: bool
    pairs: int
    unit: str = ELO


@attrs.frozen(kw_only=True)
class Standings:
    """Who is better, as far as the matches tell: the one answer that every screen shows.

    ``sentences`` are the headline, at most three lines; ``factor_sentences`` has one for each factor of a sweep,
    ``game_sentences`` one for each game, or for several of which the same is said.
    ``parts`` are the tables over all games, ``by_game`` those of single games where there are several. ``left_out``
    counts matches that no player is to blame for. ``doubts`` limit what can be believed; ``footnotes`` say how numbers
    were made.
    """

    sentences: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    by_game: Mapping[str, tuple[Part, ...]] = attrs.field(factory=dict[str, tuple[Part, ...]])
    factors: tuple[FactorLead, ...] = ()
    factor_sentences: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()
    level: float = 0.95
    matches: int = 0
    left_out: int = 0

    game_sentences: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of all parts."""
        return tuple(row for part in self.parts for row in part.rows)

    def to_json(self) -> dict[str, Any]:
        """The standings as plain data, with intervals of two numbers or nulls."""
        return {
            "sentences": list(self.sentences),
            "game_sentences": list(self.game_sentences),
            "factors": [attrs.asdict(each) | {"interval": list(each.interval)} for each in self.factors],
            "factor_sentences": list(self.factor_sentences),
            "level": self.level,
            "matches": self.matches,
            "left_out": self.left_out,
            "parts": [_part(part) for part in self.parts],
            "by_game": {game: [_part(part) for part in parts] for game, parts in self.by_game.items()},
            "doubts": list(self.doubts),
            "footnotes": list(self.footnotes),
        }


def _part(part: Part) -> dict[str, Any]:
    finite = part.critical if part.critical < float("inf") else None
    return {
        "agents": list(part.agents),
        "games": list(part.games),
        "unit": part.unit,
        "reference": part.reference,
        "critical": finite,
        "clusters": part.clusters,
        "groups": [list(group) for group in part.groups],
        "separated": sorted(list(pair) for pair in part.separated),
        "ranks": {row.agent: list(row.ranks) for row in part.rows},
        "rows": [_row(row) for row in part.rows],
        "pairs": [_pair(pair) for pair in part.pairs],
        "headline": {
            "chain": [list(group) for group in part.headline.chain],
            "first": list(part.headline.first),
            "last": list(part.headline.last),
            "between": list(part.headline.between),
            "more": [list(pair) for pair in part.headline.more],
        },
    }


def _row(row: Row) -> dict[str, Any]:
    plain = attrs.asdict(row, recurse=False)
    plain |= {"ranks": list(row.ranks), "interval": list(row.interval), "share_refused": row.share_refused}
    for name in ("mean", "score"):
        own: Mean | None = plain[name]
        plain[name] = None if own is None else attrs.asdict(own) | {"interval": list(own.interval)}
    return plain


def _pair(pair: Pair) -> dict[str, Any]:
    plain = attrs.asdict(pair)
    return plain | {"interval": list(pair.interval), "log_odds_interval": list(pair.log_odds_interval)}
