"""The leaderboard as a value: rows in order of rank, in one standing for all who can be compared."""

from collections.abc import Mapping
from typing import Literal

import attrs
from arena.record import JSON
from arena_report import VerdictPair

from arena_command_leaderboard.entrants import Entrant
from arena_command_leaderboard.identified_matches import Duplicates, Source

Ends = tuple[float | None, float | None]


@attrs.frozen(kw_only=True)
class BoardRow:
    """One agent of a standing.

    ``rank`` is ``None`` if there are not enough matches to rank it, else 1 for the best; ``ranks`` are the best and the
    worst rank that nothing contradicts. ``rating`` is ``None`` without bound, and in games that pay, where
    ``mean_return`` is in ``unit``; ``interval`` is that of whichever there is. ``score`` is the share of points won.
    """

    agent: Entrant
    rank: int | None
    ranks: tuple[int, int] | None
    rating: float | None = None
    interval: Ends = (None, None)
    is_reference: bool = False
    mean_return: float | None = None
    unit: str = ""
    score: float | None = None
    won: int = 0
    drawn: int = 0
    lost: int = 0
    matches: int = 0
    blocks: int = 0
    games: tuple[str, ...] = ()
    turns: int = 0
    illegal_turns: int = 0

    @property
    def illegal(self) -> float | None:
        """The share of turns with an answer that was refused; ``None`` if no turn is known."""
        return self.illegal_turns / self.turns if self.turns else None

    def to_json(self) -> dict[str, JSON]:
        """The row as plain data; open ends of an interval are null."""
        return {
            "rank": self.rank,
            "ranks": None if self.ranks is None else list(self.ranks),
            "agent": self.agent.label,
            "names": list(self.agent.names),
            "configuration": self.agent.configuration.digest,
            "differs": dict(self.agent.differs),
            "rating": self.rating,
            "interval": list(self.interval),
            "reference": "reference" if self.is_reference else None,
            "mean_return": self.mean_return,
            "unit": self.unit or None,
            "score": self.score,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "matches": self.matches,
            "blocks": self.blocks,
            "games": list(self.games),
            "illegal": self.illegal,
            "turns": self.turns,
        }


@attrs.frozen(kw_only=True)
class Standing:
    """Agents that are compared with each other, the best first; those with too few matches come last.

    ``kind`` says what ranks them. ``title`` is empty where there is nothing to tell it apart from. ``sentences`` say
    who cannot be told apart, ``notes`` how numbers were made; ``resampled`` is what intervals are over.
    """

    title: str
    kind: Literal["rating", "return"]
    games: tuple[str, ...]
    rows: tuple[BoardRow, ...]
    pairs: tuple[VerdictPair, ...] = ()
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unit: str = ""
    resampled: Literal["blocks", "runs"] = "blocks"

    def to_json(self) -> dict[str, JSON]:
        """The standing as plain data."""
        return {
            "title": self.title,
            "kind": self.kind,
            "games": list(self.games),
            "intervals_over": self.resampled,
            "rows": [row.to_json() for row in self.rows],
            "sentences": list(self.sentences),
            "notes": list(self.notes),
        }


@attrs.frozen(kw_only=True)
class Board:
    """A leaderboard: ``standings`` over all games, and ``by_game`` those of each game for itself, by its label.

    ``merged`` are the parameters in which the agents of a row may differ. ``left_out`` counts matches by why they count
    nowhere.
    """

    standings: tuple[Standing, ...]
    by_game: Mapping[str, tuple[Standing, ...]]
    games: Mapping[str, Entrant]
    sources: tuple[Source, ...]
    matches: int
    agents: int
    turns: int
    illegal_turns: int
    duplicates: tuple[Duplicates, ...] = ()
    left_out: Mapping[str, int] = attrs.field(factory=dict[str, int])
    merged: tuple[str, ...] = ()
    level: float = 0.95

    def to_json(self) -> dict[str, JSON]:
        """The leaderboard as plain data: rows in order of rank, each with the number of its group in ``group``."""
        rows: list[JSON] = [
            {**row.to_json(), "group": number} for number, each in enumerate(self.standings, 1) for row in each.rows
        ]
        groups: list[JSON] = [
            {"group": number, **{key: value for key, value in each.to_json().items() if key != "rows"}}
            for number, each in enumerate(self.standings, 1)
        ]
        return {
            "rows": rows,
            "groups": groups,
            "by_game": [
                {"game": name, "configuration": self.games[name].configuration.digest, **standing.to_json()}
                for name, standings in self.by_game.items()
                for standing in standings
            ],
            "pairs": [
                {**pair.to_json(), "group": number}
                for number, each in enumerate(self.standings, 1)
                for pair in each.pairs
            ],
            "runs": [attrs.asdict(source) for source in self.sources],
            "duplicates": [
                {"sources": list(each.sources), "count": len(each.matches), "matches": list(each.matches)}
                for each in self.duplicates
            ],
            "left_out": [{"why": why, "matches": count} for why, count in self.left_out.items()],
            "merged": list(self.merged),
            "level": self.level,
        }
