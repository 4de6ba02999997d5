"""The metric ``judge``, in which a model scores matches by a rubric."""

import asyncio
from collections.abc import Iterable
from typing import ClassVar

import attrs
from arena.agent import Completions
from arena.backend import SCHEMA, SEED, Backend, CompletionRequest, Message, Sampling
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import JSON, MatchRecord, derive_rng, derive_seed
from arena.tables import Section
from arena_agent_llm.query_calls import words
from attrs.validators import ge, le

from arena_metric_judge import figures, rubric, tables
from arena_metric_judge.question import JudgeQuestion
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.scores import ASKED, SCORED, JudgeScores
from arena_metric_judge.story import MatchStory, Subject, story


@attrs.frozen(kw_only=True)
class Judge(Metric):
    """Scores by a rubric that a model gives to turns, players or matches."""

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

    needs_game: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """Nothing; all measurements come from the judge."""
        return ()

    async def judge(self, match: FinishedMatch, completions: Completions) -> Iterable[Measurement]:
        """Ask about each subject of the rubric independently of all others."""
        assert match.game is not None  # ``needs_game`` is true
        asked = rubric.load(self.rubric)
        told = story(match.record, match.game, asked)
        subjects = told.subjects(asked)
        if asked.per == "player":
            # One question covers all players; their order varies between samples, since it may influence the judge.
            subjects = (Subject(),)
        found = await asyncio.gather(
            *(
                self._ask(match.record, told, asked, subject, sample, completions)
                for subject in subjects
                for sample in range(self.samples)
            )
        )
        return [measurement for each in found for measurement in each]

    async def _ask(
        self,
        match: MatchRecord,
        told: MatchStory,
        asked: Rubric,
        subject: Subject,
        sample: int,
        completions: Completions,
    ) -> list[Measurement]:
        order = _order(match.id, len(told.seats), sample)
        seats = {told.seats[p]: told.subjects(asked)[p].player for p in order} if asked.per == "player" else {}
        question = JudgeQuestion(rubric=asked, seats={name: p for name, p in seats.items() if p is not None})
        line = completions.branch(f"{subject.player}-{subject.turn}-{sample}")
        messages = (
            Message.of("system", asked.system),
            Message.of("user", self._filled(told, asked, subject, order, question)),
        )
        problem = ""
        for number in range(1, self.tries + 1):
            request = self._request(messages, question, asked, derive_seed(match.id, sample, number) % 2**31)
            completion = await line.complete(self.backend, request)
            scores, problem = question.read(completion, messages)
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

    def _filled(
        self, told: MatchStory, asked: Rubric, subject: Subject, order: list[int], question: JudgeQuestion
    ) -> str:
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
        self, messages: tuple[Message, ...], question: JudgeQuestion, asked: Rubric, seed: int
    ) -> CompletionRequest:
        able = self.backend.supports()
        return CompletionRequest(
            messages=messages,
            sampling=Sampling(seed=seed if SEED in able else None),
            schema=question.schema() if SCHEMA in able else None,
            parts={"rubric": asked.version},
        )

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Scores, unreadable answers, winners against losers, strata, agreement, and radars."""
        asked = rubric.load(self.rubric)
        scores = JudgeScores.of(measurements, asked)
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
    """Whether a player earned the most; ``None`` if all earned the same or there are no returns."""
    if player is None or match.returns is None or len(set(match.returns)) == 1:
        return None
    return match.returns[player] == max(match.returns)


def _order(match: str, players: int, sample: int) -> list[int]:
    """The order in which players are named: their own for sample 0, a random one for further samples."""
    order = list(range(players))
    if sample:
        derive_rng("judge", match, sample).shuffle(order)
    return order
