"""The game ``diplomacy-facts``: one question about what a power has, borders on and can attack."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final, Literal

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import ConfigError, RuleError
from arena.game import FORFEITED, Decision, Drawing, Entities, Forfeited, Form, Game, GameFacts, Illegal, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player
from attrs.validators import and_, ge, in_, le, optional

from arena_game_diplomacy.facts.positions import YEARS, RecordedSituation, random_walk, recorded
from arena_game_diplomacy.knowledge.report_reading import plain_report
from arena_game_diplomacy.knowledge.reports import explanation, report_fault, report_schema
from arena_game_diplomacy.knowledge.truth import (
    FIELDS,
    WORST_CASE,
    Situation,
    pooled,
    random_report,
    scored,
    true_report,
)
from arena_game_diplomacy.rules.board import POWERS
from arena_game_diplomacy.showing.forms import borders
from arena_game_diplomacy.showing.naming import named

RULES: Final = """\
You are shown a position of the board game Diplomacy on its standard map, before orders are given, and asked what is \
true of one power. Armies (A) move over land: they can go to an inland or coastal province that has a common border \
with theirs. Fleets (F) move on seas and along coasts: they can go to a neighbouring sea, and to a coastal province \
that shares a coast with theirs. Bulgaria, Spain and St Petersburg have two coasts, and a fleet there is on one of \
them, such as STP/SC; in your answer, name the province without its coast. Your answer is a JSON object with what is \
asked for, complete: both what is wrong and what is left out cost. It earns from 0 to 1, the harmonic mean of how much \
of what you say is right and how much of what is right you say."""


def question_text(observation: Any) -> str:
    """A question in words: the position, the borders if they are told, and what is asked."""
    lines = [
        f"You are {observation['powers'][0]}. This is the position before the orders of {observation['phase']}.",
        "",
        "Units:",
    ]
    lines += _by_power(observation["units"])
    lines += ["", "Provinces under the influence of each power, where its unit stands or was the last to stand:"]
    lines += _by_power(observation["influence"])
    if observation["borders"]:
        lines += ["", borders(observation)]
    lines += ["", "Your answer holds:", explanation(observation["fields"])]
    return "\n".join(lines)


def _by_power(entries: Mapping[str, Any]) -> list[str]:
    return [f"{power}: {', '.join(names) or 'none'}" for power, names in entries.items()]


Field = Literal["all", "location", "unit", "adjacent", "attackable", "attack_analysis", "worst_case"]

ANSWERER: Final = Player(0)

POSITIONS: Final = 100
"""From how many positions of a seed chance draws one where no number is given."""


@attrs.frozen(kw_only=True)
class FactsQuestion:
    """A position, the power and the fields that are asked about; ``name`` is that of the position."""

    name: str
    situation: Situation
    power: str
    fields: tuple[str, ...]
    has_borders: bool

    @property
    def observation(self) -> dict[str, JSON]:
        """What a player knows: the position, who has influence where, and what is asked."""
        position = self.situation.position
        return {
            "question": self.name,
            "phase": position.phase,
            "powers": [self.power],
            "fields": self.fields,
            "units": _lists(position.units),
            "centres": _lists(position.centres or {}),
            "dislodged": {},
            "influence": _lists(self.situation.influence),
            "borders": self.has_borders,
        }

    def read(self, answer: Any) -> Action:
        """The report that an answer means; where one field is asked, what it holds is enough."""
        board = self.situation.position.board
        report = plain_report(answer, self.fields, board)
        if report is None and len(self.fields) == 1 and isinstance(answer, Sequence | Mapping):
            report = plain_report({self.fields[0]: answer}, self.fields, board)
        return answer if report is None else report

    def judged(self, report: Any) -> dict[str, JSON]:
        """What the event ``judged`` says of a report, or of ``None``, which leaves out everything."""
        scores = scored(report, self.situation, (self.power,), self.fields)
        f1 = pooled(scores).f1
        return {
            "question": self.name,
            "phase": self.situation.position.phase,
            "powers": [self.power],
            "fields": self.fields,
            "report": report,
            "truth": true_report(self.situation, (self.power,), self.fields),
            "scores": {field: attrs.asdict(score) for field, score in scores.items()},
            "f1": (0.0 if report is None else 1.0) if f1 is None else f1,
        }


def _lists(names: Mapping[str, Sequence[str]]) -> dict[str, JSON]:
    return {power: list(those) for power, those in names.items()}


@attrs.define(eq=False)
class FactsState(State):
    """A question that waits for its answer; a player who forfeits has given none, which is judged as well."""

    question: FactsQuestion
    verdict: Mapping[str, Any] | None = None

    def opened(self) -> list[GameEvent]:
        """The event that asks the question, with the position that it is about."""
        question, situation = self.question, self.question.situation
        data: dict[str, JSON] = {
            "question": question.name,
            "phase": situation.position.phase,
            "powers": [question.power],
            "fields": question.fields,
            "position": situation.position.to_json(),
            "influence": _lists(situation.influence),
        }
        return [GameEvent("asked", data, EVERYONE)]

    def to_act(self) -> Sequence[Player]:
        return (ANSWERER,) if self.verdict is None else ()

    def decision(self, player: Player) -> Decision:
        """Asks for one report with the fields of the question."""
        question = self.question
        return Decision(
            player=player,
            phase="report",
            action_schema=report_schema(question.fields),
            sampler=self._sample,
            aliases=question.read,
        )

    def _sample(self, rng: Random) -> Action:
        return random_report(self.question.situation, (self.question.power,), rng, self.question.fields)

    def observe(self, player: Player | None) -> JSON:
        """The position and the question; the same before and after the answer."""
        return self.question.observation

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse what does not look like a report; one that is wrong is legal."""
        if self.verdict is not None:
            return Illegal("over", "the question has been answered")
        fault = report_fault(action, self.question.fields)
        return None if fault is None else Illegal("not-a-report", fault)

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Judge the report, or that there is none."""
        report = actions[ANSWERER]
        if report is not FORFEITED and (refused := self.check(ANSWERER, report)):
            raise RuleError(f"{self.question.name}: {refused.reason}")
        self.verdict = self.question.judged(None if report is FORFEITED else report)
        return [GameEvent("judged", self.verdict, EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        """F1 of the items of all fields together."""
        return None if self.verdict is None else (self.verdict["f1"],)

    def clone(self) -> State:
        return FactsState(self.question, self.verdict)


@attrs.frozen
class DiplomacyFacts(Game):
    """Say what a power has, borders on and can attack in one position of Diplomacy.

    The factual knowledge checks of *SPIN-Bench* (Yao et al. 2025), section 4.3.2, one question a match. Without
    ``number`` or ``power`` the match's chance draws them.
    """

    field: Field = attrs.field(
        default="all",
        validator=in_(("all", *FIELDS, WORST_CASE)),
        metadata={"help": "what is asked; all: the five fields of the paper, which leaves out worst_case"},
    )
    power: str | None = attrs.field(
        default=None, validator=optional(in_(POWERS)), metadata={"help": "who is asked about; unset: drawn"}
    )
    number: int | None = attrs.field(
        default=None,
        validator=optional(ge(0)),
        metadata={"help": "which position; unset: drawn from 100, or from all of the journal"},
    )
    years: int = attrs.field(
        default=YEARS,
        validator=and_(ge(1), le(30)),
        metadata={"help": "random play goes on for at most so many years"},
    )
    seed: int = attrs.field(default=0, metadata={"help": "another seed gives other positions"})
    borders: bool = attrs.field(default=True, metadata={"help": "whether the question tells the borders of the map"})
    journal: str | None = attrs.field(
        default=None,
        metadata={
            "help": "a run whose positions are taken instead of those of random play: its folder or its journal",
            "names_file": True,
            "file_use": "sent",
        },
    )

    def __attrs_post_init__(self) -> None:
        # A journal is read when the game is configured, since rules do no I/O.
        if (size := len(self.pool)) and self.number is not None and self.number >= size:
            raise ConfigError(f"number: expected less than {size}, the number of positions of the journal")

    @cached_property
    def pool(self) -> tuple[RecordedSituation, ...]:
        """The positions of the journal; none where positions come from random play."""
        if self.journal is None:
            return ()
        found = recorded(self.journal)
        power = self.power
        kept = tuple(each for each in found if power is None or each.situation.position.units.get(power))
        if not kept:
            raise ConfigError(f"power: {power} has no unit in any position of {self.journal}")
        return kept

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are asked for."""
        return FIELDS if self.field == "all" else (self.field,)

    @property
    def rules(self) -> str:
        return RULES

    def player_counts(self) -> Sequence[int]:
        return (1,)

    def seats(self, players: int) -> Sequence[str]:
        return ("answerer",)

    def facts(self, players: int) -> GameFacts:
        """One step, after which the right answer has earned 1; to forfeit is to leave everything out."""
        return GameFacts(
            chance=None in (self.number, self.power),
            min_return=0.0,
            max_return=1.0,
            optimal_returns=(1.0,),
            optimal_source="each question has one right answer, which follows from its text and the map",
            max_steps=1,
            on_forfeit="continue",
            forfeit_return=0.0,
            others_return=0.0,
            return_unit="F1",
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        """The position, the borders and what is asked, as text and as a scene of that text."""
        return {"text": question_text, "scene": _drawn}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Choose position and power; chance draws what the parameters leave open."""
        size = len(self.pool) or POSITIONS
        number = chance.index("number", size) if self.number is None else self.number
        situation, name = self._situation(number)
        powers = [power for power in POWERS if situation.position.units.get(power)]
        power = chance.choice("power", powers) if self.power is None else self.power
        question = FactsQuestion(
            name=name,
            situation=situation,
            power=power,
            fields=self.fields,
            has_borders=self.borders,
        )
        state = FactsState(question)
        return state, state.opened()

    def _situation(self, number: int) -> tuple[Situation, str]:
        """The position of a number, and what the record calls it."""
        if self.journal is not None:
            chosen = self.pool[number]
            return chosen.situation, f"position {number + 1}, {chosen.situation.position.phase} of {chosen.match}"
        walk, power = random_walk(number, self.seed, self.years), self.power
        # A power that is asked about has units in the opening, so there is always a last position in which it has some.
        situation = next(s for s in reversed(walk) if power is None or s.position.units.get(power))
        about = f"position {number + 1}" + (f" of seed {self.seed}" if self.seed else "")
        return situation, f"{about}, {situation.position.phase}" + (f" of {self.years} years" * (self.years != YEARS))

    def names(self, observation: Any) -> Sequence[Entities]:
        """Provinces and powers, as in a match."""
        return named(observation)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "asked":
            return f"{data['question']}: {', '.join(data['fields'])} of {data['powers'][0]}"
        if event.kind == "judged":
            return f"F1 {data['f1']:.2f}"
        return super().describe_event(event, player)


def _drawn(observation: Any) -> Drawing:
    return Drawing(*arena_scene.text_scene("A question about Diplomacy", question_text(observation)))
