"""The metric ``diplomacy-negotiation``: six measures of what powers say, as a model annotates it."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import attrs
from arena.agent import Completions
from arena.backend import Backend
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import Player
from arena.tables import Cell, Section, Table
from arena_metric_judge import rubric as rubrics
from arena_metric_judge.judge import Judge
from arena_metric_judge.rounds import RoundsOfMatch
from arena_metric_judge.score_tables import refused_as
from arena_metric_judge.scores import JudgeScores
from arena_metric_outcomes.columns import counts, numbers, shares, text
from attrs.validators import ge

from arena_metric_diplomacy.annotated_pacts import annotated_agreements
from arena_metric_diplomacy.grouping import by_agent, detail, number, wanted
from arena_metric_diplomacy.keeping import kept_pacts
from arena_metric_diplomacy.match_phases import played
from arena_metric_diplomacy.negotiation_counts import ACCEPTANCE, MEASURES, QUESTIONS, PlayerCounts, counted, measure
from arena_metric_diplomacy.talk import PACT, kept_table, pact_measurement

RUBRIC: Final = "arena_metric_diplomacy:rubrics/diplomacy-negotiation.yaml"
_KINDS: Final = {
    "message": ("aligned", "perspective"),
    "proposal": ("to", "nature", "words", "orders", "pact"),
    "listener": ("tone",),
    "talk": ("conditional",),
}
"""The dimensions that a rubric must have, by the kind of items they are of."""

_NOTE: Final = (
    "A model read, for each power and phase, all that the power wrote, what it declared as its strategy, what it was "
    "answered and the orders that followed; it saw powers, and no names of agents. AlignR: messages that fit the "
    "declared strategy, of those under one. AcceptR: accepted proposals, of those that were accepted or declined. "
    "Mut:1S: mutual by one-sided proposals. P:C: calls to peace by calls to conflict, over recipients in a round. "
    "Persp.: messages that take the recipient's view. Cond.: rounds with an if, of those in which the power wrote. A "
    "message to several or to GLOBAL counts once. Sums over all matches come first, intervals are by resampling "
    "matches, and what has nothing to be divided by has no value. For reference let random and diplomacy-chatty play "
    "in the same run. What a model says is its opinion: `arena annotate` shows how far people agree."
)


def _check(_owner: object, _field: object, name: str) -> None:
    asked = rubrics.load(name)
    for kind, dimensions in _KINDS.items():
        if missing := set(dimensions) - {dimension.name for dimension in asked.of(kind)}:
            raise ValueError(
                f"{name!r}: 'dimensions' has no {sorted(missing)[0]!r} of {kind!r}, which the measures need"
            )


@attrs.frozen(kw_only=True)
class DiplomacyNegotiation(Metric):
    """Alignment, acceptance, mutuality, peace, perspective and conditions of talk, as a model annotates them."""

    backend: Backend = attrs.field(
        metadata={"help": "the model that annotates; let it write some 150 tokens a message"}
    )
    rubric: str = attrs.field(
        default=RUBRIC,
        validator=_check,
        metadata={
            "help": "what is asked: the path of a .yaml file, or PACKAGE:FILE.yaml, with the shipped one's names",
            "names_file": lambda given: rubrics.DATA_FILES.is_path(given["rubric"]),
            "file_use": "sent",
        },
    )
    tries: int = attrs.field(
        default=3, validator=ge(1), metadata={"help": "completions until an answer that cannot be read is given up"}
    )
    story_limit: int = attrs.field(
        default=12_000,
        validator=ge(500),
        metadata={"help": "characters of what is shown beside the messages that are annotated, the newest"},
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """How many questions there are about each player, so that what was not answered can be counted."""
        asked = rubrics.load(self.rubric)
        if played(match.record) is None or asked.rounds is None:
            return
        rounds = RoundsOfMatch.of(match.record, asked.rounds, match.game)
        found: dict[Player, int] = {}
        for name in rounds.rounds:
            for party, player in rounds.parties.items():
                found[player] = found.get(player, 0) + bool(rounds.items(asked, name, party))
        for player, count in found.items():
            yield Measurement(name=QUESTIONS, value=count, player=player)

    async def judge(self, match: FinishedMatch, completions: Completions) -> Iterable[Measurement]:
        """Ask about each power and phase, and hold the pacts that were found against the orders."""
        told = played(match.record)
        if told is None:
            return ()
        judge = Judge(backend=self.backend, rubric=self.rubric, tries=self.tries, story_limit=self.story_limit)
        judged = tuple(await judge.judge(match, completions))
        pacts = kept_pacts(told, annotated_agreements(judged, told.powers), match.record.id)
        version = {"version": rubrics.load(self.rubric).version}
        made = (pact_measurement(pact) for pact in pacts)
        return (*judged, *(each._replace(detail={**_detail(each), **version}) for each in made))

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """The six measures, ways of acceptance, pacts, and what the annotator did not answer."""
        asked = rubrics.load(self.rubric)
        rows, level = wanted(measurements), measurements.level
        scores = JudgeScores.of(attrs.evolve(measurements, rows=rows), asked)
        questions = [row for row in rows if row.name == QUESTIONS]
        if not any(row.value for row in questions):
            yield Section(title="Negotiation", text="There is no match of Diplomacy with talk.")
            return
        if not scores.asked:
            yield Section(title="Negotiation", text="Nothing was annotated yet.")
            return
        groups = _groups(counted((*questions, *scores.answered)))
        pacts = [row for row in rows if row.name == PACT and detail(row).get("version") == asked.version]
        annotator = (
            f"Annotator: {', '.join(scores.annotators)}, by the rubric {asked.name!r} (version {asked.version})."
        )
        tables = (
            _measures(groups, level, measurements.seed),
            _acceptance(groups, level, measurements.seed),
            _sums(groups),
            attrs.evolve(kept_table(pacts, level), title="Annotated pacts that were kept"),
            _answers(questions, scores.asked),
        )
        named = (attrs.evolve(t, note=f"{t.note} {annotator}".strip()) for t in tables if t.rows)
        yield Section(title="Negotiation", tables=tuple(named), text=_NOTE)


def _detail(found: Measurement) -> dict[str, Any]:
    told: Any = found.detail
    return dict(told)


_Groups = dict[tuple[str, ...], list[PlayerCounts]]


def _groups(found: Sequence[PlayerCounts]) -> _Groups:
    own = {id(each.row): each for each in found}
    return {group: [own[id(row)] for row in rows] for group, rows in by_agent(each.row for each in found).items()}


def _measures(groups: _Groups, level: float, seed: int) -> Table:
    rows = tuple(
        (*group, sum(each.counts.messages for each in own), *(measure(own, name, level, seed) for name in MEASURES))
        for group, own in groups.items()
    )
    columns = (*text("game", "agent"), *counts("messages"), *numbers(*MEASURES))
    return Table(title="Negotiation", columns=columns, rows=rows)


def _acceptance(groups: _Groups, level: float, seed: int) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for group, own in groups.items():
        total = sum(each.counts.proposals for each in own)
        clear = sum(each.counts.accepted + each.counts.declined for each in own)
        lines.append((*group, total, total - clear, *(measure(own, name, level, seed) for name in ACCEPTANCE)))
    columns = (*text("game", "agent"), *counts("proposals", "unclear"), *shares(*ACCEPTANCE))
    note = (
        "AcceptR: neither words nor orders are against it and one of them is for it. By words: the recipient's next "
        "message agrees or does not object. By orders: its orders fit what was asked of its units. By either: words or "
        "orders accept, whatever the other says."
    )
    return Table(title="Acceptance of proposals", columns=columns, rows=tuple(lines), note=note)


def _sums(groups: _Groups) -> Table:
    shown = {
        "messages": "messages",
        "under a strategy": "strategy",
        "aligned": "aligned",
        "with perspective": "perspective",
        "mutual": "mutual",
        "one-sided": "one_sided",
        "recipients": "listeners",
        "to peace": "peace",
        "to conflict": "conflict",
        "rounds": "rounds",
        "conditional": "conditional",
    }
    rows = tuple(
        (*group, *(sum(getattr(each.counts, name) for each in own) for name in shown.values()))
        for group, own in groups.items()
    )
    note = "Recipients are counted once in each round of talk, rounds where the power wrote."
    return Table(title="What was annotated", columns=(*text("game", "agent"), *counts(*shown)), rows=rows, note=note)


def _answers(questions: Sequence[MeasurementRow], asked: Sequence[MeasurementRow]) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for group, own in by_agent(questions).items():
        mine = [row for row in asked if (row.game, str(row.agent)) == group]
        total, read = int(sum(number(row) for row in own)), sum(bool(row.value) for row in mine)
        lines.append((*group, total, read, len(mine) - read, total - len(mine)))
    columns = (*text("game", "agent"), *counts("questions", "answered", "refused", "not asked"))
    note = f"What was refused after all tries, or not asked yet, is missing in all measures.{refused_as(asked)}"
    return Table(title="Answers of the annotator", columns=columns, rows=tuple(lines), note=note)
