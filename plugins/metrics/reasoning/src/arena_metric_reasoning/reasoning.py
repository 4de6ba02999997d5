"""The metric ``reasoning``, which works without a model."""

from collections import Counter
from collections.abc import Iterable, Iterator

import attrs
from arena.game import Game
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import MatchRecord
from arena.tables import Section
from arena_agent_llm.data_files import DataFiles
from attrs.validators import ge

from arena_metric_reasoning import claims, lexicon, reasoning_tables
from arena_metric_reasoning.move_statistics import ALL_AGENTS, ALL_GAMES, MOVE, groups, ordered
from arena_metric_reasoning.moves import moves
from arena_metric_reasoning.reasoning_figures import figures, flags
from arena_metric_reasoning.references import checks

CHECK = "references"
"""The name of a measurement per checked move: its number of references, with flags and coherence in the detail."""

UNCHECKED = "unchecked"
"""The name of a measurement per move with reasoning that could not be checked."""


@attrs.frozen(kw_only=True)
class Reasoning(Metric):
    """Types of reasoning by a lexicon, what the reasoning refers to, and whether the action follows from it."""

    lexicon: str = attrs.field(
        default=lexicon.DEFAULT,
        validator=lexicon.check,
        metadata={
            "help": "types and their words: a shipped one, the path of a .yaml file, or PACKAGE:FILE.yaml",
            "names_file": lambda given: DataFiles.is_path(given["lexicon"]),
            "file_use": "loaded",
        },
    )
    claims: str = attrs.field(
        default=claims.DEFAULT,
        validator=claims.check,
        metadata={
            "help": "sentences that call a thing free, taken or held, or an action decided, the same way",
            "names_file": lambda given: DataFiles.is_path(given["claims"]),
            "file_use": "loaded",
        },
    )
    examples: int = attrs.field(
        default=5, validator=ge(0), metadata={"help": "flagged words that are listed for each agent in each game"}
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """The type of each move's reasoning, with its length in words and whether it mentions the opponent.

        If the game is available, also what each reasoning refers to, compared with the position.
        """
        yield from self._types(match.record)
        if match.game is not None:
            yield from self._checks(match.record, match.game)

    def _types(self, match: MatchRecord) -> Iterator[Measurement]:
        known = lexicon.load(self.lexicon)
        for move in moves(match):
            if not move.reasoning:
                yield Measurement(name=MOVE, value=None, player=move.player, turn=move.turn)
                continue
            yield Measurement(
                name=MOVE,
                value=known.classify(move.reasoning),
                player=move.player,
                turn=move.turn,
                detail={
                    "words": len(move.reasoning.split()),
                    "opponent": known.mentions_opponent(move.reasoning),
                    "matched": known.matched(move.reasoning),
                },
            )

    def _checks(self, match: MatchRecord, game: Game) -> Iterator[Measurement]:
        for move, found in checks(match, game, claims.load(self.claims)):
            if found is None:
                yield Measurement(name=UNCHECKED, value=True, player=move.player, turn=move.turn)
                continue
            yield Measurement(
                name=CHECK,
                value=found.references,
                player=move.player,
                turn=move.turn,
                detail={
                    "flags": {flag: list(words) for flag, words in found.flags.items()},
                    "last": found.last,
                    "intended": found.intended,
                    "contradicts": found.contradicts,
                },
            )

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Types with their entropy, references and coherence, by game and agent."""
        rows = ordered(measurements.rows, MOVE)
        if not rows:
            yield Section(title="Reasoning", text="There is no move to report.")
            return
        known = lexicon.load(self.lexicon)
        found = groups(rows, measurements.level)
        spoken = {key: own for key, own in found.items() if own.labels}
        # Only single agents in single games: sums over them mix turns of different meaning.
        single = {key: own for key, own in spoken.items() if ALL_AGENTS not in key and ALL_GAMES not in key}
        silent = sum(row.value is None for row in rows)
        told = [reasoning_tables.overview(found)]
        told += [reasoning_tables.categories(spoken, known.labels), reasoning_tables.by_turn(single)] if spoken else []
        yield Section(
            title="Reasoning",
            tables=tuple(told),
            figures=tuple(figures(found, known.labels)),
            text=(
                f"Types are told by the words of the lexicon {known.name!r} (version {known.version}); the type with "
                "most different words counts, the first in the lexicon's order where several have as many. "
                f"No reasoning given: {silent:,} of {len(rows):,} moves. What optimal play would say, nobody knows, "
                "and random play says nothing, so there is no reference beside these numbers."
            ),
        )
        yield from self._references(measurements)

    def _references(self, table: Measurements) -> Iterable[Section]:
        rows, lost = ordered(table.rows, CHECK), ordered(table.rows, UNCHECKED)
        if not rows and not lost:
            return
        found = groups(rows, table.level)
        unchecked = Counter((row.game, str(row.agent)) for row in lost)
        unchecked += Counter((row.game, ALL_AGENTS) for row in lost) + Counter(
            (ALL_GAMES, str(row.agent)) for row in lost
        )
        told = [reasoning_tables.references(found, unchecked), reasoning_tables.coherence(found)]
        single = {key: own for key, own in found.items() if ALL_AGENTS not in key}
        flagged = reasoning_tables.examples(single, self.examples)
        yield Section(
            title="What reasoning refers to",
            tables=(*told, *((flagged,) if flagged.rows else ())),
            figures=tuple(flags(found)),
            text=(
                "Names in the reasoning are compared with what the player saw and could do. A flag is a sentence that "
                "cannot be true of the position; what is not flagged need not be true. Optimal play refers to nothing "
                "that is not there: the reference beside each flag is 0. "
                f"Not checked: {len(lost):,} moves with reasoning."
            ),
        )
