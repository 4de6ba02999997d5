"""Questions that TMGBench does not ask: dominant choices, and the probabilities of mixed equilibria."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final, cast

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import ConfigError, RuleError
from arena.game import Absent, Decision, Drawing, Forfeited, Form, Illegal, Options, State
from arena.record import EVERYONE, JSON, NOBODY, Action, GameEvent, Player

from arena_game_two_by_two.classic import describe, in_topology
from arena_game_two_by_two.examination import SOLVER
from arena_game_two_by_two.questions import QuestionGame
from arena_game_two_by_two.scene import choice_id, told_scene
from arena_game_two_by_two.topology import GAMES

NEAR: Final = Fraction(1, 100)
"""The greatest accepted error of a probability, since answers in decimals are rounded."""

RULES: Final = """\
You are a spectator of a game between two players, A and B, who choose at the same time and without talking to each \
other. A has the choices A1 and A2, B has the choices B1 and B2. The payoffs are shown as numbers. """

DOMINANCE: Final = """\
A choice is dominant if it is better for its player than the other one, whatever the other player does. Name every \
dominant choice of either player. Your answer is a list such as ["A1", "B2"]; it is empty if no choice is dominant."""

MIXED: Final = """\
In a mixed equilibrium both players choose at random, so that neither could gain by choosing otherwise. Find the \
equilibrium in which both players mix. Your answer says how likely A chooses A1 and B chooses B1, as numbers from 0 to \
1 or as fractions, for instance {"A1": "2/3", "B1": 0.25}."""

_FRACTION: Final = r"^\s*\d{1,6}\s*/\s*0*[1-9]\d{0,5}\s*$"
_LIKELY: Final[JSON] = {
    "anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string", "pattern": _FRACTION}]
}


@attrs.frozen
class TwoByTwoDominance(QuestionGame):
    """Name the dominant choices of one of the 144 games."""

    game: str = attrs.field(default="111", validator=in_topology, metadata={"help": "layer, row and column, as '111'"})

    @property
    def rules(self) -> str:
        return RULES + DOMINANCE

    @property
    def right(self) -> list[str]:
        """The dominant choices of both players, which are the right answer."""
        matrix = GAMES[self.game].matrix
        return [f"{player}{n}" for player, n in (("A", matrix.dominant_a), ("B", matrix.dominant_b)) if n]

    @property
    def forms(self) -> Mapping[str, Form]:
        return {"text": _text, "scene": _scene}

    def touches(self, decision: Decision) -> "arena_scene.Touches":
        """Dominant choices are rows and columns of the table; that there is none is a button."""
        say = "Touch every dominant choice."
        return arena_scene.Touches.of(decision.options or (), lambda o: [choice_id(0, n) for n in o.action], say=say)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return _started(Dominance(self.game, self.right), "dominance", self.right)


@attrs.frozen
class TwoByTwoMixed(QuestionGame):
    """Find the mixed equilibrium of one of the 36 games that have one, with the ranks 1 to 4 as payoffs."""

    game: str = attrs.field(
        default="122", validator=in_topology, metadata={"help": "a game that has none or two pure ones"}
    )

    def __attrs_post_init__(self) -> None:
        if GAMES[self.game].matrix.mixed is None:
            known = ", ".join(name for name, game in GAMES.items() if game.matrix.mixed is not None)
            raise ConfigError(f"game: {self.game!r} has no equilibrium in which both players mix (these have: {known})")

    @property
    def rules(self) -> str:
        return RULES + MIXED

    @property
    def forms(self) -> Mapping[str, Form]:
        return {"text": _text, "scene": _scene}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        mixed = GAMES[self.game].matrix.mixed
        assert mixed is not None
        return _started(Mixed(self.game, mixed), "mixed", {"A1": str(mixed[0]), "B1": str(mixed[1])})


@attrs.define(eq=False)
class Dominance(State):
    """The state of a question about dominance: a table, and the choices that were named."""

    game: str
    right: list[str]
    answer: list[str] | None = None

    def to_act(self) -> Sequence[Player]:
        return (SOLVER,) if self.answer is None else ()

    def decision(self, player: Player) -> Decision:
        """None or one choice of either player."""
        named = [[*a, *b] for a in ([], ["A1"], ["A2"]) for b in ([], ["B1"], ["B2"])]
        return Decision(player=player, phase="answer", options=Options(named, _label))

    def observe(self, player: Player | None) -> JSON:
        return {
            "question": describe(GAMES[self.game].matrix),
            "answer": None if self.answer is None else list(self.answer),
        }

    def observe_public(self) -> JSON | Absent:
        """The question alone, since no event tells the answer."""
        return {**cast("dict[str, JSON]", self.observe(None)), "answer": None}

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Record the answer and whether it is right."""
        answer = actions[SOLVER]
        if not isinstance(answer, list) or not all(isinstance(name, str) for name in answer):
            raise RuleError(f"two-by-two-dominance: expected a list of choices, got {answer!r}")
        self.answer = [str(name) for name in answer]
        return _graded(self.game, "dominance", self.answer, self.right, self.answer == self.right)

    def returns(self) -> Sequence[float] | None:
        return None if self.answer is None else (float(self.answer == self.right),)

    def clone(self) -> State:
        return attrs.evolve(self)


@attrs.define(eq=False)
class Mixed(State):
    """The state of a question about a mixed equilibrium: a table, and the probabilities that were named."""

    game: str
    right: tuple[Fraction, Fraction]
    answer: tuple[Fraction, Fraction] | None = None

    def to_act(self) -> Sequence[Player]:
        return (SOLVER,) if self.answer is None else ()

    def decision(self, player: Player) -> Decision:
        schema: JSON = {
            "type": "object",
            "properties": {"A1": _LIKELY, "B1": _LIKELY},
            "required": ["A1", "B1"],
            "additionalProperties": False,
        }
        return Decision(player=player, phase="answer", action_schema=schema, sampler=_any_mixture)

    def observe(self, player: Player | None) -> JSON:
        answer = None if self.answer is None else [str(p) for p in self.answer]
        return {"question": describe(GAMES[self.game].matrix), "answer": answer}

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse what is not two probabilities from 0 to 1."""
        if _likely(action) is not None:
            return None
        return Illegal("not-probabilities", 'expected {"A1": p, "B1": q}, each from 0 to 1 as a number or as "1/3"')

    def observe_public(self) -> JSON | Absent:
        """The question alone, since no event tells the answer."""
        return {**cast("dict[str, JSON]", self.observe(None)), "answer": None}

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Record the answer and whether it is right."""
        self.answer = _likely(actions[SOLVER])
        if self.answer is None:
            raise RuleError(f"two-by-two-mixed: {actions[SOLVER]!r} are no probabilities")
        named: JSON = {"A1": str(self.answer[0]), "B1": str(self.answer[1])}
        right: JSON = {"A1": str(self.right[0]), "B1": str(self.right[1])}
        return _graded(self.game, "mixed", named, right, self._is_right())

    def returns(self) -> Sequence[float] | None:
        """1 if both probabilities were within a hundredth."""
        return None if self.answer is None else (float(self._is_right()),)

    def clone(self) -> State:
        return attrs.evolve(self)

    def _is_right(self) -> bool:
        return self.answer is not None and all(abs(p - q) <= NEAR for p, q in zip(self.answer, self.right, strict=True))


def _started(state: Dominance | Mixed, form: str, right: JSON) -> tuple[State, Sequence[GameEvent]]:
    asked = {"number": 1, "text": describe(GAMES[state.game].matrix)}
    posed = {"number": 1, "of": 1, "game": state.game, "form": form, "right": right}
    return state, [GameEvent("asked", asked, EVERYONE), GameEvent("posed", posed, NOBODY)]


def _graded(game: str, form: str, named: JSON, right: JSON, is_right: bool) -> Sequence[GameEvent]:
    graded = {"number": 1, "game": game, "form": form, "named": named, "right": right, "is_right": is_right}
    return [GameEvent("graded", graded, NOBODY)]


def _likely(action: Any) -> tuple[Fraction, Fraction] | None:
    """Both probabilities of an answer, or ``None`` for any other JSON value."""
    if not isinstance(action, Mapping) or set(action) != {"A1", "B1"}:
        return None
    found = [_probability(action[name]) for name in ("A1", "B1")]
    a, b = found
    return None if a is None or b is None else (a, b)


def _probability(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, str):
        whole, slash, part = value.partition("/")
        if not (slash and whole.strip().isdecimal() and part.strip().isdecimal() and int(part)):
            return None
        value = Fraction(int(whole), int(part))
    found = Fraction(value)
    return found if 0 <= found <= 1 else None


def _any_mixture(rng: Random) -> Action:
    return {"A1": round(rng.random(), 2), "B1": round(rng.random(), 2)}


def _label(action: Any) -> str:
    return f"dominant: {' and '.join(action)}" if action else "no choice is dominant"


def _text(observation: Any) -> str:
    return observation["question"]


def _scene(observation: Any) -> Drawing:
    answer = observation["answer"]
    return told_scene("A question about a 2×2 game", _text(observation), [] if answer is None else [_named(answer)])


def _named(answer: Sequence[str]) -> str:
    return ", ".join(answer) or "none"
