"""The verdict as a value: sentences, pairs with their intervals, the ranking, doubts."""

from collections.abc import Mapping
from typing import Literal, Self

import attrs
from arena.record import JSON, MatchRecord
from arena.tables import Table

Ends = tuple[float | None, float | None]
"""The ends of an interval; an open end is ``None``."""


@attrs.frozen(kw_only=True)
class Contest:
    """What a verdict is made from: one match that gave returns.

    ``returns`` are by agent, each the sum over its seats, and ``seats`` are the players it was. ``played`` is equal for
    two matches in which everything happened alike, and empty if that is not known.
    """

    game: str
    block: str
    match: str
    returns: Mapping[str, float]
    seats: Mapping[str, tuple[int, ...]] = attrs.field(factory=dict[str, tuple[int, ...]])
    played: str = ""

    @classmethod
    def of(cls, match: MatchRecord, *, block: str = "", played: str = "") -> Self:
        """A match with a result that gave returns; ``block`` is that of its plan, unless it has another name here."""
        returns: dict[str, float] = {}
        seats: dict[str, tuple[int, ...]] = {}
        for player, (agent, value) in enumerate(zip(match.agents, match.returns or (), strict=True)):
            returns[agent] = returns.get(agent, 0.0) + value
            seats[agent] = (*seats.get(agent, ()), player)
        return cls(
            game=match.game,
            block=block or match.plan.block,
            match=match.id,
            returns=returns,
            seats=seats,
            played=played,
        )


@attrs.frozen(kw_only=True)
class AgentRating:
    """What a rating system says of an agent, in points; ``reference`` is ``"reference"`` for the anchor, else empty.

    An open end of ``interval`` is ``None``, and ``rating`` is ``None`` where no number is finite. ``ranks`` are the
    best and the worst rank that nothing contradicts.
    """

    rating: float | None
    interval: Ends
    rank: int | None
    ranks: tuple[int, int]
    reference: str = ""


@attrs.frozen(kw_only=True)
class VerdictPair:
    """Two agents compared; ``difference`` is that of ``a`` over ``b``, in Elo points or in ``unit``.

    ``won``, ``drawn`` and ``lost`` count the matches in which they met, from ``a``. The interval is at the verdict's
    level, corrected for all its pairs; its open ends are ``None``, and both are if there is none. ``settled`` says that
    it excludes 0. ``more_matches`` is how many more would tell them apart with a chance of ``power``, if the
    difference is what it looks like; ``None`` if they are told apart, or too little was played to say. ``is_alike``
    says that the interval is that of a difference which is the same in all blocks.
    """

    a: str
    b: str
    won: int
    drawn: int
    lost: int
    matches: int
    blocks: int
    measure: Literal["elo", "return"]
    difference: float | None
    interval: Ends
    settled: bool
    more_matches: int | None
    unit: str
    score: float | None = None
    score_interval: Ends = (None, None)
    power: float = 0.8
    is_alike: bool = False

    @property
    def record(self) -> str:
        """Matches won, lost and drawn, in this order, as chess programs print them."""
        return f"{self.won}–{self.lost}–{self.drawn}"

    @property
    def lead(self) -> float:
        """The point estimate in favour of ``a``: of the score over one half, or of returns."""
        return (self.difference or 0.0) if self.score is None else self.score - 0.5

    def turned(self) -> "VerdictPair":
        """The same comparison from the other agent."""
        score = None if self.score is None else 1 - self.score
        low, high = self.score_interval
        return attrs.evolve(
            self,
            a=self.b,
            b=self.a,
            won=self.lost,
            lost=self.won,
            difference=None if self.difference is None else 0.0 - self.difference,
            interval=_turned(self.interval),
            score=score,
            score_interval=(None if high is None else 1 - high, None if low is None else 1 - low),
        )

    def to_json(self) -> dict[str, JSON]:
        """The pair as plain data, with an interval of two numbers or nulls."""
        names = ("a", "b", "won", "drawn", "lost", "matches", "blocks", "measure", "difference")
        plain: dict[str, JSON] = {name: getattr(self, name) for name in names}
        ends: dict[str, JSON] = {"interval": list(self.interval), "settled": self.settled}
        return {**plain, **ends, "more_matches": self.more_matches, "unit": self.unit, "score": self.score}


def _turned(ends: Ends) -> Ends:
    low, high = ends
    return None if high is None else 0.0 - high, None if low is None else 0.0 - low


@attrs.frozen(kw_only=True)
class RankedAgent:
    """One agent's place: ``rank`` is 1 for the best, ``ranks`` the best and the worst that nothing contradicts.

    ``rating`` and its ``interval`` are there where a rating system published them; ``reference`` is ``"reference"`` for
    its anchor. ``score`` is the share of points won in games that count wins, ``mean_return`` the mean in ``unit`` over
    all matches where games pay in one unit. ``won``, ``drawn`` and ``lost`` count the comparisons with all other agents
    of a match.
    """

    rank: int
    ranks: tuple[int, int]
    agent: str
    rating: float | None
    interval: Ends
    reference: str
    mean_return: float | None
    won: int
    drawn: int
    lost: int
    matches: int
    blocks: int
    score: float | None = None
    mean_interval: Ends = (None, None)
    unit: str = ""

    def to_json(self) -> dict[str, JSON]:
        """The agent as plain data, with intervals of two numbers or nulls."""
        names = ("rank", "agent", "rating", "reference", "won", "drawn", "lost", "matches", "blocks", "score", "unit")
        plain: dict[str, JSON] = {name: getattr(self, name) for name in names}
        ends: dict[str, JSON] = {"ranks": list(self.ranks), "interval": list(self.interval)}
        return {**plain, **ends, "mean_return": self.mean_return, "mean_interval": list(self.mean_interval)}


@attrs.frozen(kw_only=True)
class Verdict:
    """Who is better, as far as the matches tell: the one answer that all formats show.

    ``sentences`` are the answer in words, the most important first, and ``game_sentences`` one line for each game where
    there are several. ``pairs`` are in the order of the ranking, and so is each pair. ``scores`` is the table of scores
    by game, ``None`` with a single game. ``doubts`` limit what can be believed, ``by_game`` has the verdict on each
    game where there are several (the variants of a game may be one), and ``footnotes`` say once how numbers were made.
    """

    sentences: tuple[str, ...]
    game_sentences: tuple[str, ...] = ()
    pairs: tuple[VerdictPair, ...] = ()
    ranking: tuple[RankedAgent, ...] = ()
    doubts: tuple[str, ...] = ()
    scores: Table | None = None
    by_game: Mapping[str, "Verdict"] = attrs.field(factory=dict[str, "Verdict"])
    level: float = 0.95
    footnotes: tuple[str, ...] = ()

    @property
    def shown_pairs(self) -> tuple[VerdictPair, ...]:
        """The pairs that have a line each: all, or neighbours in the ranking where there are more than four agents."""
        place = {each.agent: i for i, each in enumerate(self.ranking)}
        if len(place) <= 4:
            return self.pairs
        return tuple(pair for pair in self.pairs if place[pair.b] == place[pair.a] + 1)

    def to_json(self) -> dict[str, JSON]:
        """The verdict as plain data; ``by_game`` holds the same for each game."""
        found: dict[str, JSON] = {
            "sentences": list(self.sentences),
            "game_sentences": list(self.game_sentences),
            "pairs": [pair.to_json() for pair in self.pairs],
            "ranking": [agent.to_json() for agent in self.ranking],
            "doubts": list(self.doubts),
            "level": self.level,
            "footnotes": list(self.footnotes),
        }
        if self.by_game:
            found["by_game"] = {game: verdict.to_json() for game, verdict in self.by_game.items()}
        return found


@attrs.frozen(kw_only=True)
class RunHeadline:
    """What was played, in one line: the name, when it began (UTC), and what it took.

    ``matches`` have a result, ``planned`` were wanted. ``seconds`` is ``None`` if it is not known. ``illegal_turns``
    are turns with at least one refused answer, ``models`` those that answered, ``cost_usd`` is ``None`` unless a
    backend with a price was asked.
    """

    name: str
    when: str = ""
    matches: int = 0
    planned: int = 0
    seconds: float | None = None
    turns: int = 0
    illegal_turns: int = 0
    models: tuple[str, ...] = ()
    cost_usd: float | None = None
