"""The metric ``judge``."""

import asyncio
from collections.abc import Iterable

import attrs
from arena.agent import Completions
from arena.backend import SCHEMA, SEED, Backend, CompletionRequest, Message, Sampling
from arena.game import Game
from arena.metric import Measurement, Metric, Section, Table
from arena.record import JSON, MatchRecord, digest, stream
from arena_agent_llm.looking_up import words
from attrs.validators import ge, le

from arena_metric_judge import figures, rubric, tables
from arena_metric_judge.question import Question
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.scores import ASKED, SCORED, Scores
from arena_metric_judge.story import Story, Subject, story


@attrs.frozen(kw_only=True)
class Judge(Metric):
    """Scores by a rubric as a model gives them."""

    backend: Backend = attrs.field(metadata={"help": "the model that judges"})
    rubric: str = attrs.field(
        default="social-behaviour",
        validator=rubric.check,
        metadata={"help": "what is scored: a shipped rubric, the path of a .yaml file, or PACKAGE:FILE.yaml"},
    )
    samples: int = attrs.field(
        default=1,
        validator=[ge(1), le(100)],
        metadata={"help": "how often each is judged; from the second time the players stand in another order"},
    )
    tries: int = attrs.field(
        default=3, validator=ge(1), metadata={"help": "completions until an answer that cannot be read is given up"}
    )
    story_limit: int = attrs.field(
        default=12_000, validator=ge(500), metadata={"help": "characters of the match that are shown, the newest"}
    )
    joins_variants: bool = attrs.field(
        default=False, metadata={"help": "count the variants that a sweep made of a game as one game"}
    )

    def measure(self, match: MatchRecord) -> Iterable[Measurement]:
        """Nothing is to be seen without a judge."""
        return ()

    async def examine(self, match: MatchRecord, game: Game, completions: Completions) -> Iterable[Measurement]:
        """Ask about each subject of the rubric, each time on a branch of its own."""
        asked = rubric.load(self.rubric)
        told = story(match, game, asked)
        subjects = told.subjects(asked)
        if asked.per == "player":
            # One question holds all players, so that their order can be told apart from what they did.
            subjects = (Subject(),)
        found = await asyncio.gather(
            *(
                self._ask(match, told, asked, subject, sample, completions)
                for subject in subjects
                for sample in range(self.samples)
            )
        )
        return [measurement for each in found for measurement in each]

    async def _ask(
        self, match: MatchRecord, told: Story, asked: Rubric, subject: Subject, sample: int, completions: Completions
    ) -> list[Measurement]:
        order = _order(match.id, len(told.seats), sample)
        seats = {told.seats[p]: told.subjects(asked)[p].player for p in order} if asked.per == "player" else {}
        question = Question(rubric=asked, seats={name: p for name, p in seats.items() if p is not None})
        line = completions.branch(f"{subject.player}-{subject.turn}-{sample}")
        messages = (
            Message.of("system", asked.system),
            Message.of("user", self._filled(told, asked, subject, order, question)),
        )
        problem = ""
        for number in range(1, self.tries + 1):
            request = self._request(messages, question, asked, digest(match.id, sample, number) % 2**31)
            completion = await line.complete(self.backend, request)
            scores, problem = question.read(completion)
            if not problem:
                break
            again = f"Your last answer was refused: {problem}. Answer once more, in the form asked for."
            said = Message.of("assistant", words(completion) or "(nothing)")
            messages = (*messages[:2], said, Message.of("user", again))
        else:
            scores, number = (), self.tries
        about: dict[str, JSON] = {"rubric": asked.name, "version": asked.version, "sample": sample}
        rows = [
            Measurement(
                name=ASKED,
                value=not problem,
                player=subject.player,
                turn=subject.turn,
                detail={**about, "tries": number, "problem": problem},
            )
        ]
        whole = {s.player: s for s in told.subjects(asked)}
        for score in scores:
            of = subject if score.player is None else whole[score.player]
            detail = {
                **about,
                "dimension": score.dimension,
                "justification": score.justification,
                "role": of.role,
                "persona": of.persona,
                "won": won(match, of.player),
            }
            rows.append(Measurement(name=SCORED, value=score.value, player=of.player, turn=of.turn, detail=detail))
        return rows

    def _filled(self, told: Story, asked: Rubric, subject: Subject, order: list[int], question: Question) -> str:
        act = told.act(subject)
        return asked.filled(
            {
                "game": told.title,
                "rules": told.rules,
                "players": ", ".join(told.seats[p] for p in order),
                "story": told.told(subject, asked, order, self.story_limit),
                "player": "" if subject.player is None else told.seats[subject.player],
                "turn": act.text if act else "",
                "dimensions": asked.described(),
                "answer": question.skeleton(),
            }
        )

    def _request(
        self, messages: tuple[Message, ...], question: Question, asked: Rubric, seed: int
    ) -> CompletionRequest:
        able = self.backend.able()
        return CompletionRequest(
            messages=messages,
            sampling=Sampling(seed=seed if SEED in able else None),
            schema=question.schema() if SCHEMA in able else None,
            parts={"rubric": asked.version},
        )

    def summarize(self, table: Table) -> Iterable[Section]:
        """Scores, what could not be read, winners against losers, strata, agreement, and radars."""
        asked = rubric.load(self.rubric)
        scores = Scores.of(table, asked)
        if self.joins_variants:
            scores = scores.joined()
        if not scores.asked:
            yield Section(title=f"Judged: {asked.name}", text="Nothing was judged yet.")
            return
        yield Section(
            title=f"Judged: {asked.name}",
            tables=tuple(tables.tables(scores)),
            figures=tuple(figures.radars(scores)),
            text=(
                f"A model scored each {asked.per} by the rubric {asked.name!r} (version {asked.version}), "
                f"{'once' if self.samples == 1 else f'{self.samples} times'}. Scores are averaged over repeated "
                "judgements, then over the turns of a player in a match, then over matches; intervals rest on what "
                "shares deals. An answer that cannot be read after all tries is counted and in no score. What a model "
                "scores is its opinion: `arena annotate` shows how far a person agrees."
            ),
        )


def won(match: MatchRecord, player: int | None) -> bool | None:
    """Whether a player earned the most; ``None`` where all earned the same or nobody anything."""
    if player is None or match.returns is None or len(set(match.returns)) == 1:
        return None
    return match.returns[player] == max(match.returns)


def _order(match: str, players: int, sample: int) -> list[int]:
    """The players in the order in which they are named: their own first, then drawn."""
    order = list(range(players))
    if sample:
        stream("judge", match, sample).shuffle(order)
    return order
