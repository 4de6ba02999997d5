"""Defines what a report is, and the contracts for report formats and export formats."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

import attrs
from arena.options import Drawing, Image
from arena.record import JSON
from arena.tables import Section
from arena_engine import Journal
from arena_standings import Standings


@attrs.frozen(kw_only=True)
class Move:
    """One answer of one agent: an action that was played, or one that was not.

    ``outcome`` is ``"played"``, ``"refused"``, ``"withheld"`` (the match ended before it was applied) or ``"gone"``
    (the player forfeited). ``by`` is ``"agent"``, or the policy that substituted an action. ``text`` is the action in
    words, or why it was refused. All texts are as the model wrote them: a format that interprets any character must
    escape them.
    """

    step: int
    player: str
    outcome: str
    text: str
    turn: int | None = None
    attempt: int = 0
    by: str = "agent"
    reasoning: str = ""


@attrs.frozen(kw_only=True)
class BoardImage:
    """The position before a step of a match, or at its end, as a picture: an SVG with a text for who cannot see it.

    The picture is as the game drew it, with texts of players in it perhaps: a format that puts it into a page must let
    nothing in it run.
    """

    step: int
    image: Image


@attrs.frozen(kw_only=True)
class BoardScene:
    """The position before a step of a match, or at its end: in words, and as a drawing where the game makes one.

    ``drawing`` is what the game's form ``scene`` gives the spectator, unchecked; ``title`` is what the game is called.
    """

    step: int
    title: str
    words: str
    drawing: Drawing | None = None


SceneSeries: TypeAlias = Callable[[], Iterable[BoardScene]]
"""A function that gives the positions of a match."""

NO_SCENES: Final[SceneSeries] = tuple[BoardScene, ...]
"""Gives no positions."""


@attrs.frozen(kw_only=True)
class MatchView:
    """One match as a list of matches shows it; ``players`` are agents with their seats.

    ``moves`` is ``None`` if the report leaves them out to stay small. ``boards`` are the positions in which something
    else is to be seen than in the one before, if the format shows boards and the game draws them. ``scenes`` plays the
    match again and gives every position; it raises what the game raises, and gives none where boards are not asked for.
    """

    id: str
    game: str
    players: tuple[str, ...]
    ending: str
    returns: tuple[float, ...] | None
    turns: int
    refusals: int
    substitutes: int
    reason: str = ""
    moves: tuple[Move, ...] | None = None
    boards: tuple[BoardImage, ...] = ()
    scenes: SceneSeries = attrs.field(default=NO_SCENES, eq=False, repr=False)


@attrs.frozen(kw_only=True)
class RunHeadline:
    """What was played, in one line: the name, when it began (UTC), and what it took.

    ``matches`` have a result, ``planned`` were wanted. ``seconds`` are those of playing, over all parts of a resumed
    run, and ``None`` if they are not known. ``illegal_turns`` are turns with at least one refused answer, ``models``
    those that answered, ``cost_usd`` is ``None`` unless a backend with a price was asked.
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


def _no_headline() -> RunHeadline:
    return RunHeadline(name="")


@attrs.frozen(kw_only=True)
class Report:
    """The results of one or several runs, as data.

    ``headline`` says what was played, ``verdict`` who is better; both are empty in a report that is not of runs.
    ``sections`` are the results, metric by metric; ``facts`` are about the runs themselves: what was played, with which
    plugins and models, and the baselines. ``settings`` are the resolved benchmarks by run,
    ``configurations`` the digest of what each agent is, by run and by its name there. ``matches`` lists the first
    of ``match_count`` matches. ``notes`` must be shown: they limit what the numbers mean. ``failures`` say which
    metrics are missing because they raised, and why. ``made_by`` has the command, the seed and the version of each run.
    ``variants`` are the tables of single variants of games, where ``fold_variants`` has made one row of them.
    """

    title: str
    sections: tuple[Section, ...]
    facts: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    settings: Mapping[str, JSON] = attrs.field(factory=dict[str, JSON])
    configurations: Mapping[str, Mapping[str, str]] = attrs.field(factory=dict[str, Mapping[str, str]])
    matches: tuple[MatchView, ...] = ()
    match_count: int = 0
    failures: tuple[str, ...] = ()
    made_by: tuple[str, ...] = ()
    variants: tuple[Section, ...] = ()
    verdict: Standings = attrs.field(factory=Standings)
    headline: RunHeadline = attrs.field(factory=_no_headline)


@attrs.frozen(kw_only=True)
class Screen:
    """Where a report is shown as text: its width in columns, and whether styles such as bold can be seen there.

    ``is_brief`` asks for the most important tables only.
    """

    width: int = 120
    has_styles: bool = False
    is_brief: bool = False


class ReportFormat(ABC):
    """A way to write a report to a file: best a ``@attrs.frozen`` class whose fields are its parameters.

    ``metrics`` are, by name, those that a report of this format is made of; most formats show whatever was measured.
    ``shows_boards`` asks for the boards of matches, which take time to draw, ``folds_variants`` for a report in which
    many variants of a game are one row, unless a reader asks for all.
    """

    metrics: ClassVar[tuple[str, ...]] = ()
    shows_boards: ClassVar[bool] = False
    folds_variants: ClassVar[bool] = False

    @abstractmethod
    def write(self, report: Report, path: Path) -> None:
        """Write ``report`` to ``path``, replacing what is there; equal reports give equal bytes.

        ``OSError`` passes through.
        """

    def text(self, report: Report, screen: Screen) -> str | None:
        """The report as text for standard output; ``None`` if the format can only be written to files."""
        return None


class ExportFormat(ABC):
    """A way to write a run for other programs: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def write(self, journal: Journal, path: Path) -> None:
        """Write the matches with a result to ``path``, a file or a directory as the format's summary says.

        An existing file is replaced; a directory must be new or empty; see ``write_file`` and ``new_directory``. Equal
        journals give equal bytes. ``OSError`` passes through.
        """

    def content(self, journal: Journal) -> Iterable[bytes] | None:
        """The export as bytes for standard output; ``None`` if the format needs a path."""
        return None
