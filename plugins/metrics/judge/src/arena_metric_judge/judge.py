"""The metric ``judge``, in which a model scores matches by a rubric."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

import attrs
from arena.agent import Completions, Refusal
from arena.backend import SCHEMA, SEED, Backend, CompletionRequest, Message, Sampling
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import JSON, MatchRecord, Player, derive_rng, derive_seed
from arena.tables import Section
from arena_agent_llm.data_files import DataFiles
from arena_agent_llm.replies.query_calls import words
from attrs.validators import ge, le

from arena_metric_judge import rubric, score_figures, score_tables
from arena_metric_judge.question import Judgement, JudgeQuestion
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.scores import ASKED, FOUND, SCORED, JudgeScores
from arena_metric_judge.story import MatchStory, story
from arena_metric_judge.subject import Subject


@attrs.frozen(kw_only=True)
class Judge(Metric):
    """Scores by a rubric that a model gives to turns, players or matches."""

    backend: Backend = attrs.field(metadata={"help": "the model that judges"})
    rubric: str = attrs.field(
        default="social-behaviour",
        validator=rubric.check,
        metadata={
            "help": "what is scored: a shipped rubric, the path of a .yaml file, or PACKAGE:FILE.yaml",
            "names_file": lambda given: DataFiles.is_path(given["rubric"]),
            "file_use": "sent",
        },
    )
    samples: int = attrs.field(
        default=1,
        validator=[ge(1), le(100)],
        metadata={"help": "how often each is judged; from the second time the players stand in another order"},
    )
    tries: int = attrs.field(
        default=3, validator=ge(1), metadata={"help": "completions until an answer that cannot be read is given up"}
    )
    answer_tokens: int = attrs.field(
        default=700,
        validator=ge(1),
        metadata={"help": "longest answer about a round, in tokens for each player scored, in place of the backend's"},
    )
    story_limit: int = attrs.field(
        default=12_000,
        validator=ge(500),
        metadata={"help": "characters of the match that are shown, the newest; the round that is judged is told whole"},
    )
    joins_variants: bool = attrs.field(
        default=False, metadata={"help": "count the variants that a sweep made of a game as one game"}
    )

    needs_game: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """Nothing; all measurements come from the judge."""
        return ()

    async def judge(self, match: FinishedMatch, completions: Completions) -> Iterable[Measurement]:
        """Ask each question of the rubric independently of all others."""
        assert match.game is not None  # ``needs_game`` is true
        asked = rubric.load(self.rubric)
        told = story(match.record, match.game, asked)
        found = await asyncio.gather(
            *(
                self._ask(match.record, told, asked, subjects, sample, completions)
                for subjects in told.questions(asked)
                for sample in range(self.samples)
            )
        )
        return [measurement for each in found for measurement in each]

    async def _ask(
        self,
        match: MatchRecord,
        told: MatchStory,
        asked: Rubric,
        subjects: Sequence[Subject],
        sample: int,
        completions: Completions,
    ) -> list[Measurement]:
        order = _order(match.id, len(told.seats), sample)
        subject, question = question_about(told, asked, subjects, order)
        prompt = (
            Message.of("system", asked.system),
            Message.of("user", self._filled(told, asked, subject, order, question)),
        )
        line = completions.branch(f"{subject.branch}-{sample}")
        seeds = [derive_seed(match.id, sample, number) % 2**31 for number in range(1, self.tries + 1)]
        answer = await self._answer(question, prompt, line, seeds)
        about: dict[str, JSON] = {"rubric": asked.name, "version": asked.version, "sample": sample}
        # Runs by other rubrics keep the bytes that they had before refusals had kinds.
        origin = answer.origin() if asked.rounds else {}
        detail: dict[str, JSON] = {**about, "tries": answer.tries, "problem": answer.problem, **origin}
        detail |= _where(subject)
        row = Measurement(name=ASKED, value=answer.is_read, player=subject.player, turn=subject.turn, detail=detail)
        return [row, *(_measured(answer.read, match, about) if isinstance(answer.read, Judgement) else ())]

    async def _answer(
        self, question: JudgeQuestion, prompt: tuple[Message, ...], line: Completions, seeds: Sequence[int]
    ) -> "_Answered":
        """Ask until an answer can be read, at most once for each of the seeds."""
        messages, found = prompt, None
        for number, seed in enumerate(seeds, start=1):
            completion = await line.complete(self.backend, self._request(messages, question, seed))
            read = question.read(completion)
            found = _Answered(read, number, completion.model or type(self.backend).__name__)
            if isinstance(read, Judgement):
                break
            again = f"Your last answer was refused: {read.reason}. Answer once more, in the form asked for."
            said = Message.of("assistant", words(completion) or "(nothing)")
            messages = (*prompt, said, Message.of("user", again))
        assert found is not None  # there is at least one seed
        return found

    def _filled(
        self, told: MatchStory, asked: Rubric, subject: Subject, order: list[int], question: JudgeQuestion
    ) -> str:
        act = told.act(subject)
        parties = told.rounds.parties if told.rounds else {told.seats[p]: Player(p) for p in order}
        return asked.filled(
            {
                "game": told.title,
                "rules": told.rules,
                "players": ", ".join(sorted(parties, key=lambda name: order.index(parties[name]))),
                "story": told.told(subject, asked, order, self.story_limit, question.items),
                "player": told.name(subject),
                "turn": act.text if act else "",
                "round": subject.round or "",
                "dimensions": asked.described(),
                "answer": question.skeleton(),
            }
        )

    def _request(self, messages: tuple[Message, ...], question: JudgeQuestion, seed: int) -> CompletionRequest:
        able = self.backend.supports()
        longest = self.answer_tokens * len(question.items) if question.rubric.is_of_all else None
        return CompletionRequest(
            messages=messages,
            sampling=Sampling(seed=seed if SEED in able else None, max_tokens=longest),
            schema=question.schema() if SCHEMA in able else None,
            parts={"rubric": question.rubric.version},
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
            tables=tuple(score_tables.tables(scores)),
            figures=tuple(score_figures.figures(scores)),
            text=(
                f"{_named(scores.annotators)} scored each {asked.per} by the rubric {asked.name!r} "
                f"(version {asked.version}), "
                f"{'once' if self.samples == 1 else f'{self.samples} times'}. Scores are averaged over repeated "
                f"judgements, then over the {'turns' if asked.rounds is None else 'rounds'} of a player in a match, "
                "then over matches; intervals rest on what shares deals. An answer that cannot be read after all tries "
                "is counted and in no score. What a model scores is its opinion: `arena annotate` shows how far a "
                "person agrees."
            ),
        )


@attrs.frozen
class _Answered:
    """What came of a question: a judgement or the last refusal, after how many tries, and from which model."""

    read: Judgement | Refusal
    tries: int
    annotator: str

    @property
    def is_read(self) -> bool:
        return isinstance(self.read, Judgement)

    @property
    def problem(self) -> str:
        return self.read.reason if isinstance(self.read, Refusal) else ""

    def origin(self) -> dict[str, JSON]:
        """Who answered, and under which kind the answer was refused."""
        kind = str(self.read.kind) if isinstance(self.read, Refusal) else ""
        return {"kind": kind, "annotator": self.annotator}


def question_about(
    told: MatchStory, asked: Rubric, subjects: Sequence[Subject], order: Sequence[int]
) -> tuple[Subject, JudgeQuestion]:
    """What one question is about, and the form of its answer; several players are named in the ``order`` given."""
    if asked.per != "player" and (asked.rounds is None or asked.rounds.players != "all"):
        (subject,) = subjects
        return subject, JudgeQuestion(rubric=asked, items=told.items(subject, asked))
    named = sorted(subjects, key=lambda subject: order.index(subject.player or 0))
    items = tuple(item for subject in named for item in told.items(subject, asked, told.name(subject)))
    return Subject(round=named[0].round), JudgeQuestion(rubric=asked, items=items)


def won(match: MatchRecord, player: int | None) -> bool | None:
    """Whether a player earned the most; ``None`` if all earned the same, or nobody anything since others failed."""
    if match.returns is None and player in match.at_fault:
        return False
    if player is None or match.returns is None or len(set(match.returns)) == 1:
        return None
    return match.returns[player] == max(match.returns)


def _measured(judgement: Judgement, match: MatchRecord, about: Mapping[str, JSON]) -> Iterator[Measurement]:
    """The measurements of a judgement: one for each score, and for each thing that was found."""
    for score in judgement.scores:
        of = score.item.subject
        detail: dict[str, JSON] = {
            **about,
            "dimension": score.dimension.name,
            "justification": score.justification,
            "role": of.role,
            "persona": of.persona,
            "won": won(match, of.player),
            **_where(of),
        }
        if score.place:
            detail["item"] = score.place
        yield Measurement(name=SCORED, value=score.value, player=of.player, turn=of.turn, detail=detail)
    for found in judgement.found:
        of = found.item.subject
        detail = {**about, **_where(of), "kind": found.kind, "item": found.item.place, "notes": found.notes}
        yield Measurement(name=FOUND, value=len(found.notes), player=of.player, turn=of.turn, detail=detail)


def _where(subject: Subject) -> dict[str, JSON]:
    """The round and the party that are judged, as they stand in the detail of a measurement."""
    named: dict[str, JSON] = {"round": subject.round, "party": subject.party}
    return {key: value for key, value in named.items() if value is not None}


def _named(annotators: Sequence[str]) -> str:
    return f"A model ({', '.join(annotators)})" if annotators else "A model"


def _order(match: str, players: int, sample: int) -> list[int]:
    """The order in which players are named: their own for sample 0, a random one for further samples."""
    order = list(range(players))
    if sample:
        derive_rng("judge", match, sample).shuffle(order)
    return order
