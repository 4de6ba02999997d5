"""The metric ``reasoning-judge``, in which a model classifies reasoning."""

import asyncio
import json
from collections.abc import Iterable

import attrs
from arena.agent import Completions
from arena.backend import SCHEMA, Backend, Completion, CompletionRequest, Message
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import JSON
from arena.tables import Section
from arena_agent_llm.data_files import DataFiles
from arena_agent_llm.replies.answer import object_in

from arena_metric_reasoning import agreement, lexicon, reasoning_tables, rubric
from arena_metric_reasoning.lexicon import Lexicon
from arena_metric_reasoning.move_statistics import groups, ordered
from arena_metric_reasoning.moves import ReasonedMove, moves
from arena_metric_reasoning.reasoning_figures import figures

LEXICON = "lexicon"
"""The name of a measurement per move with reasoning: its type by the lexicon."""

JUDGED = "judged"
"""The name of a measurement per judged move: its type, or ``None`` with a ``problem`` if it is unreadable."""


@attrs.frozen(kw_only=True)
class ReasoningJudge(Metric):
    """Types of reasoning as a model judges them, and how far that agrees with the lexicon."""

    backend: Backend = attrs.field(metadata={"help": "the model that judges"})
    lexicon: str = attrs.field(
        default=lexicon.DEFAULT,
        validator=lexicon.check,
        metadata={
            "help": "the types, and the words the judge is compared with",
            "names_file": lambda given: DataFiles.is_path(given["lexicon"]),
            "file_use": "sent",
        },
    )
    rubric: str = attrs.field(
        default=rubric.DEFAULT,
        validator=rubric.check,
        metadata={
            "help": "how the judge is asked: a shipped one, the path of a .yaml file, or PACKAGE:FILE.yaml",
            "names_file": lambda given: DataFiles.is_path(given["rubric"]),
            "file_use": "sent",
        },
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row per move with reasoning: its type by the lexicon."""
        known = lexicon.load(self.lexicon)
        for move in moves(match.record):
            if move.reasoning:
                category = known.classify(move.reasoning)
                yield Measurement(name=LEXICON, value=category, player=move.player, turn=move.turn)

    async def judge(self, match: FinishedMatch, completions: Completions) -> Iterable[Measurement]:
        """Ask the judge about each move with reasoning separately."""
        known = lexicon.load(self.lexicon)

        async def one(move: ReasonedMove) -> Measurement:
            line = completions.branch(f"{move.player}-{move.turn}")
            completion = await line.complete(self.backend, self._request(match.record.game, move, known))
            category, problem = understood(completion, known)
            return Measurement(
                name=JUDGED,
                value=category,
                player=move.player,
                turn=move.turn,
                detail={"problem": problem} if problem else None,
            )

        return await asyncio.gather(*(one(move) for move in moves(match.record) if move.reasoning))

    def _request(self, game: str, move: ReasonedMove, known: Lexicon) -> CompletionRequest:
        asked = rubric.load(self.rubric)
        filled = asked.filled(known, game=game, action=move.label, reasoning=move.reasoning)
        return CompletionRequest(
            messages=(Message.of("system", asked.system), Message.of("user", filled)),
            schema=_schema(known) if SCHEMA in self.backend.supports() else None,
            parts={"rubric": asked.version, "lexicon": known.version},
        )

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Judged types, agreement and confusion, by game and agent."""
        rows = ordered(measurements.rows, LEXICON)
        if not rows:
            yield Section(title="Judged reasoning", text="No reasoning was given in any move.")
            return
        known, asked = lexicon.load(self.lexicon), rubric.load(self.rubric)
        judged = ordered(measurements.rows, JUDGED)
        found = groups([row for row in judged if row.value is not None], measurements.level)
        pairs = agreement.compared(rows, judged, measurements.level)
        told = [agreement.table(pairs)]
        if found:
            told += [reasoning_tables.categories(found, known.labels, "Types of reasoning, judged")]
            told += [agreement.confusion(pairs, known.labels)]
        drawn = figures(found, known.labels)
        yield Section(
            title="Judged reasoning",
            tables=tuple(told),
            figures=(
                *agreement.figures(pairs, known.labels),
                *(attrs.evolve(figure, title=f"{figure.title} (judged)") for figure in drawn),
            ),
            text=(
                f"A model judged each reasoning with the rubric {asked.name!r} (version {asked.version}); the types "
                f"are those of the lexicon {known.name!r} (version {known.version}). An answer that is no type is "
                "unreadable: it is counted, and in no share. Kappa is agreement beyond chance: 0 is what two judges "
                "reach that guess, each with its own shares of types, 1 is agreement in every move."
            ),
        )


def understood(completion: Completion, known: Lexicon) -> tuple[str | None, str]:
    """The type in the judge's answer; or ``None`` and why it is unreadable."""
    value, problem = object_in(completion, ("category",))
    if problem or "category" not in value:
        return None, problem or "no category in the answer"
    answered = value["category"]
    by_text = {label.casefold(): label for label in known.labels}
    category = by_text.get(answered.strip().casefold()) if isinstance(answered, str) else None
    return category, "" if category else f"no such category: {json.dumps(answered)[:80]}"


def _schema(known: Lexicon) -> JSON:
    return {
        "type": "object",
        "properties": {"category": {"enum": list(known.labels)}},
        "required": ["category"],
        "additionalProperties": False,
    }
