"""The metric ``reasoning-judge``."""

import asyncio
import json
from collections.abc import Iterable

import attrs
from arena.agent import Completions
from arena.backend import SCHEMA, Backend, Completion, CompletionRequest, Message
from arena.metric import Measurement, Metric, Section, Table
from arena.record import JSON, MatchRecord
from arena_agent_llm.answer import object_in

from arena_metric_reasoning import agreement, lexicon, rubric, tables
from arena_metric_reasoning.figures import figures
from arena_metric_reasoning.lexicon import Lexicon
from arena_metric_reasoning.measured import groups, ordered
from arena_metric_reasoning.moves import Move, moves

LEXICON = "lexicon"
"""One for each move with reasoning: its type by the lexicon."""

JUDGED = "judged"
"""One for each of them that a model was asked about: its type, ``None`` with a ``problem`` where that is unreadable."""


@attrs.frozen(kw_only=True)
class ReasoningJudge(Metric):
    """Types of reasoning as a model judges them, and how far that agrees with the lexicon."""

    backend: Backend = attrs.field(metadata={"help": "the model that judges"})
    lexicon: str = attrs.field(
        default=lexicon.DEFAULT,
        validator=lexicon.check,
        metadata={"help": "the types, and the words the judge is compared with"},
    )
    rubric: str = attrs.field(
        default=rubric.DEFAULT,
        validator=rubric.check,
        metadata={"help": "how the judge is asked: a shipped one, the path of a .yaml file, or PACKAGE:FILE.yaml"},
    )

    def measure(self, match: MatchRecord) -> Iterable[Measurement]:
        """The type of each move with reasoning by the lexicon."""
        known = lexicon.load(self.lexicon)
        for move in moves(match):
            if move.reasoning:
                category = known.classify(move.reasoning)
                yield Measurement(name=LEXICON, value=category, player=move.player, turn=move.turn)

    async def judge(self, match: MatchRecord, completions: Completions) -> Iterable[Measurement]:
        """Ask about each move with reasoning on its own."""
        known = lexicon.load(self.lexicon)

        async def one(move: Move) -> Measurement:
            line = completions.branch(f"{move.player}-{move.turn}")
            completion = await line.complete(self.backend, self._request(match.game, move, known))
            category, problem = understood(completion, known)
            return Measurement(
                name=JUDGED,
                value=category,
                player=move.player,
                turn=move.turn,
                detail={"problem": problem} if problem else None,
            )

        return await asyncio.gather(*(one(move) for move in moves(match) if move.reasoning))

    def _request(self, game: str, move: Move, known: Lexicon) -> CompletionRequest:
        asked = rubric.load(self.rubric)
        filled = asked.filled(known, game=game, action=move.label, reasoning=move.reasoning)
        return CompletionRequest(
            messages=(Message.of("system", asked.system), Message.of("user", filled)),
            schema=_schema(known) if SCHEMA in self.backend.able() else None,
            parts={"rubric": asked.version, "lexicon": known.version},
        )

    def summarize(self, table: Table) -> Iterable[Section]:
        """Judged types, agreement and confusion, by game and agent."""
        rows = ordered(table.rows, LEXICON)
        if not rows:
            yield Section(title="Judged reasoning", text="No reasoning was given in any move.")
            return
        known, asked = lexicon.load(self.lexicon), rubric.load(self.rubric)
        judged = ordered(table.rows, JUDGED)
        found = groups([row for row in judged if row.value is not None], table.level)
        pairs = agreement.compared(rows, judged, table.level)
        told = [agreement.table(pairs)]
        if found:
            told += [tables.categories(found, known.labels, "Types of reasoning, judged")]
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
    """The type that was answered, or ``None`` and why it cannot be read."""
    value, problem = object_in(completion)
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
