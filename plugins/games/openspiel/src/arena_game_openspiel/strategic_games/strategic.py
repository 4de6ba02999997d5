"""Games in which two players choose at the same time, for one or several rounds."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from statistics import fmean, pstdev
from typing import Any, Final, TypeAlias

import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Drawing, Form, GameFacts, RandomReference
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, gt, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.redeal import replay
from arena_game_openspiel.engine.spiel import TERMINAL
from arena_game_openspiel.strategic_games.matrix_scene import column_id, payoff_table, row_id

Payoffs: TypeAlias = tuple[tuple[tuple[float, float], ...], ...]
"""What both players earn, by the first player's choice and the second's."""

Choices: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The choices of the first and of the second player, in words."""

LONGEST: Final = 1_000
"""The most rounds of a match."""

RULES = """\
{title} is played{times} by two players, {seats[0]} and {seats[1]}. Both choose at the same time, without seeing each \
other's choice; then both choices are shown. {choices} What both earn {when}depends on both choices:

{payoffs}

{end}"""


@attrs.frozen(kw_only=True)
class MatrixGame(SpielGame):
    """Two players choose at the same time, in one or several rounds with the same payoffs."""

    chance_mode = "end"

    rounds: int = attrs.field(
        default=1,
        validator=and_(ge(1), le(LONGEST)),
        metadata={"help": "rounds of a match, the most if it may end earlier"},
    )
    continues: float = attrs.field(
        default=1.0,
        validator=and_(gt(0.0), le(1.0)),
        metadata={"help": "probability that another round follows; 1: the number of rounds is known"},
    )

    @property
    @abstractmethod
    def choices(self) -> Choices:
        """The choices of the first and of the second player."""

    @property
    @abstractmethod
    def payoffs(self) -> Payoffs:
        """What both players earn in one round, by their choices."""

    @property
    def rules(self) -> str:
        """The rules with every payoff written out, and how the match ends."""
        seats = self.seats(2)
        lines = [
            f"- {seats[0]} chooses {first}, {seats[1]} chooses {second}: {seats[0]} earns {a:g}, {seats[1]} earns {b:g}"
            for first, row in zip(self.choices[0], self.payoffs, strict=True)
            for second, (a, b) in zip(self.choices[1], row, strict=True)
        ]
        return RULES.format(
            title=self.title,
            seats=seats,
            times=" once" if self.rounds == 1 else "",
            choices=_choices(seats, self.choices),
            when="" if self.rounds == 1 else "in a round ",
            payoffs="\n".join(lines),
            end=self._end(),
        )

    @property
    def pays_as_it_goes(self) -> bool:
        """Whether there are several rounds, since each round pays."""
        return self.rounds > 1

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        """Facts from the payoffs; the returns of optimal play are those of ``optimum``."""
        pairs = [pair for row in self.payoffs for pair in row]
        lengths = (1, self.rounds) if self.is_open_ended else (self.rounds,)
        least = min(float(value) * length for pair in pairs for value in pair for length in lengths)
        greatest = max(float(value) * length for pair in pairs for value in pair for length in lengths)
        sums = {float(a + b) * self.rounds for a, b in pairs}
        is_constant = len(sums) == 1 and (0.0 in sums or not self.is_open_ended)
        optimal, source = self.optimum()
        return GameFacts(
            simultaneous=True,
            chance=self.is_open_ended,
            returns="general-sum" if not is_constant else "zero-sum" if 0.0 in sums else "constant-sum",
            min_return=least,
            max_return=greatest,
            optimal_returns=optimal,
            optimal_source=source,
            random=self._random() if self.rounds == 1 else None,
            max_steps=self.rounds,
            forfeit_return=least,
            others_return=sums.pop() - least if is_constant else greatest,
        )

    def _random(self) -> RandomReference:
        """Every pair of choices is equally likely."""
        pairs = [(float(a), float(b)) for row in self.payoffs for a, b in row]
        first, second = zip(*pairs, strict=True)
        return RandomReference(
            returns=(fmean(first), fmean(second)),
            deviations=(pstdev(first), pstdev(second)),
            wins=(fmean(a > b for a, b in pairs), fmean(b > a for a, b in pairs)),
            draws=fmean(a == b for a, b in pairs),
            turns=2.0,
            n=0,
            source="the table of payoffs",
        )

    def optimum(self) -> tuple[tuple[float, float] | None, str]:
        """The returns of optimal play if they are known (else ``None``), and an explanation."""
        return None, ""

    @property
    def is_open_ended(self) -> bool:
        """Whether chance decides how many rounds are played."""
        return self.rounds > 1 and self.continues < 1

    def engine(self, players: int) -> pyspiel.Game:
        """A matrix game of OpenSpiel, repeated for the greatest possible number of rounds."""
        return self._rounds(self.rounds)

    def begin(self, players: int, chance: Chance) -> pyspiel.State:
        """Draw the number of rounds if chance ends the match; no player learns it."""
        return self._rounds(self._drawn(1, chance)).new_initial_state()

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """The same rounds so far, with another number of rounds to come if chance ends the match."""
        if not self.is_open_ended or engine.current_player() == TERMINAL:
            return engine.clone()
        history = engine.history()
        length = self._drawn(len(history) // 2 + 1, chance)
        return replay(self._rounds(length).new_initial_state(), history)

    @property
    def table(self) -> Sequence[str] | None:
        """The choices if both players have the same, else ``None``."""
        first, second = self.choices
        return first if first == second else None

    def lexicon(self, player: Player) -> Sequence[str]:
        return self.choices[player]

    def words(self, engine: pyspiel.State, player: Player, legal: Sequence[int]) -> Callable[[int], str]:
        """The player's own choices."""
        return self.choices[player].__getitem__

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The rounds so far, with both choices and what they earned, and the totals."""
        seats = self.seats(2)
        played = self._played(engine.history())
        totals = dict(zip(seats, (sum(earned[p] for _, earned in played) for p in (0, 1)), strict=True))
        is_over = engine.current_player() == TERMINAL
        outcome = ", ".join(f"{seat} earns {value:g}" for seat, value in totals.items()) if is_over else None
        return {
            **self.status(engine, player),
            "rounds": [{"choices": chosen, "earned": earned} for chosen, earned in played],
            "seats": list(seats),
            "totals": totals,
            "of": self.rounds,
            "continues": self.continues if self.rounds > 1 else 1.0,
            "outcome": outcome,
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, which tells all rounds, and the payoffs with what has been played as a scene."""
        return {**FORMS, "scene": self._scene}

    def _scene(self, view: Any) -> Drawing:
        return payoff_table(view, _text(view), self.title, self.choices, self.payoffs)

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The row or the column of the choice."""
        return (column_id(action) if player else row_id(action),)

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """Both choices and what they earn."""
        first, second = actions.values()
        earned = list(self.payoffs[first][second])
        number = len(engine.history()) // 2 + 1
        told = {"round": number, "actions": [first, second], "labels": labels, "earned": earned}
        return [GameEvent("revealed", told, EVERYONE)]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """Report the end of the match if chance decided it."""
        return [GameEvent("ended", {"rounds": len(engine.history()) // 2}, EVERYONE)] if self.is_open_ended else []

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say that the action is not one of the choices."""
        return "it is none of your choices"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "revealed":
            told = _earned(self.seats(2), data["labels"], data["earned"])
            return told if self.rounds == 1 else f"round {data['round']}: {told}"
        if event.kind == "ended":
            return f"the match ends after round {data['rounds']}"
        return super().describe_event(event, player)

    def _played(self, history: Sequence[int]) -> list[tuple[list[str], list[float]]]:
        pairs = zip(history[::2], history[1::2], strict=True)
        payoffs, (first, second) = self.payoffs, self.choices
        return [([first[a], second[b]], list(payoffs[a][b])) for a, b in pairs]

    def _drawn(self, least: int, chance: Chance) -> int:
        """Draw how many rounds are played, given that there are at least ``least``."""
        if not self.is_open_ended:
            return self.rounds
        length = least
        while length < self.rounds and chance.index(self.chance_mode, 2, [1 - self.continues, self.continues]):
            length += 1
        return length

    def _rounds(self, number: int) -> pyspiel.Game:
        table = (self.title, self.choices, self.payoffs)
        return _load(*table) if self.rounds == 1 else _repeated(*table, number)

    def _end(self) -> str:
        if self.rounds == 1:
            return "There is no second round."
        total = "You earn the sum of what you earned in all rounds."
        if not self.is_open_ended:
            return f"There are {self.rounds} rounds, which both players know. {total}"
        return (
            f"After each round another one follows with probability {self.continues:g}; otherwise the match ends. "
            f"After round {self.rounds} it ends in any case. {total}"
        )


@cache
def _load(title: str, choices: Choices, payoffs: Payoffs) -> pyspiel.Game:
    first, second = ([[float(pair[player]) for pair in row] for row in payoffs] for player in (0, 1))
    return pyspiel.create_matrix_game(title, title, *map(list, choices), first, second)


@lru_cache(maxsize=LONGEST)
def _repeated(title: str, choices: Choices, payoffs: Payoffs, number: int) -> pyspiel.Game:
    return pyspiel.create_repeated_game(_load(title, choices, payoffs), {"num_repetitions": number})


def _choices(seats: Sequence[str], choices: Choices) -> str:
    first, second = (f"{', '.join(words[:-1])} and {words[-1]}" if words[1:] else words[0] for words in choices)
    if first == second:
        return f"The choices are {first}."
    return f"The choices of {seats[0]} are {first}, those of {seats[1]} are {second}."


def _earned(seats: Sequence[str], choices: Sequence[str], earned: Sequence[float]) -> str:
    told = zip(seats, choices, earned, strict=True)
    return "; ".join(f"{seat} chose {choice} and earns {value:g}" for seat, choice, value in told)


def _text(view: Any) -> str:
    if view["of"] == 1 and not view["rounds"]:
        return f"Nobody has chosen yet. {status_line(view)}"
    return f"{_record(view)}\n{status_line(view)}"


def _record(view: Any) -> str:
    told = [_earned(view["seats"], played["choices"], played["earned"]) for played in view["rounds"]]
    if view["of"] == 1:
        return f"{told[0]}." if told else "Nobody has chosen yet."
    lines = [f"Round {number}: {words}." for number, words in enumerate(told, start=1)]
    if view["outcome"] is None:
        lines.append(f"This is round {len(told) + 1}{_of(view)}.")
    totals = ", ".join(f"{seat} {total:g}" for seat, total in view["totals"].items())
    return "\n".join([*lines, f"Earned so far: {totals}."])


def _of(view: Any) -> str:
    if view["continues"] == 1:
        return f" of {view['of']}"
    return f"; after it another one follows with probability {view['continues']:g}, up to round {view['of']}"


FORMS: Final[Mapping[str, Form]] = {"text": _text, "short": _text}
"""Text tells all rounds, so that nothing need be told beside it."""
