"""What is judged, and what of it is scored in one question."""

from collections.abc import Mapping

import attrs
from arena.record import Player

from arena_metric_judge.dimension import Dimension


@attrs.frozen(kw_only=True)
class Subject:
    """What is judged: a player's turn, a player, or the match if ``player`` is ``None``.

    In rubrics of rounds it is the ``round`` of that name, of the player who takes part as ``party`` if there is one.
    """

    player: Player | None = None
    turn: int | None = None
    role: str | None = None
    persona: str | None = None
    round: str | None = None
    party: str | None = None

    @property
    def branch(self) -> str:
        """The name of the branch on which a judge is asked about the subject."""
        if self.round is None:
            return f"{self.player}-{self.turn}"
        return "-".join(("round", self.round, *(() if self.party is None else (self.party,)))).replace("/", "_")


@attrs.frozen(kw_only=True)
class ScoredItem:
    """A part of an answer: what is scored under ``label``, or the whole answer if the label is empty.

    ``place`` is its name within the subject, empty for the subject itself, and ``events`` are the places in the record
    of the events that it stands for. ``found`` holds, by kind, the dimensions of what may be found within it.
    """

    label: str
    subject: Subject
    dimensions: tuple[Dimension, ...]
    place: str = ""
    kind: str = ""
    events: tuple[int, ...] = ()
    found: Mapping[str, tuple[Dimension, ...]] = attrs.field(factory=dict[str, tuple[Dimension, ...]])
