"""Planted faults in how a game tells what players write."""

from collections.abc import Callable, Mapping, Sequence

import attrs
import pytest
from arena.chance import Chance
from arena.game import Decision, Form, Game, GameFacts, Illegal, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player, quoted
from arena.testing import check_game

from .planted import fault_of

Tell = Callable[[str], str]


@attrs.frozen
class Letters(Game):
    """Two players send each other one letter, which is told by ``event`` and shown by ``form``."""

    event: Tell = quoted
    form: Tell = quoted
    action: Tell = quoted
    refusal: Tell = quoted
    wants_long: bool = False

    rules = "Each player writes one letter to the other."

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(min_return=0, max_return=0, max_steps=2, messages=True, forfeit_return=0, others_return=0)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Writing(self), ()

    @property
    def forms(self) -> Mapping[str, Form]:
        return {"text": lambda seen: "\n".join(["The letters:", *(self.form(each) for each in seen["letters"])])}

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        return f"a letter: {self.event(event.data['letter'])}"

    def describe_action(self, decision: Decision, action: Action) -> str:
        return f"write {self.action(action['letter'])}"


@attrs.define(eq=False)
class Writing(State):
    """The letters so far."""

    game: Letters
    letters: list[str] = attrs.field(factory=list)

    def to_act(self) -> Sequence[Player]:
        return (Player(len(self.letters)),) if len(self.letters) < 2 else ()

    def decision(self, player: Player) -> Decision:
        letter: JSON = {"type": "string", "maxLength": 400}
        schema: JSON = {"type": "object", "properties": {"letter": letter}, "required": ["letter"]}
        return Decision(player=player, action_schema=schema, sampler=lambda rng: {"letter": rng.choice(["yes", "no"])})

    def observe(self, player: Player | None) -> JSON:
        return {"letters": list(self.letters)}

    def check(self, player: Player, action: Action) -> Illegal | None:
        if not isinstance(action, dict) or not isinstance(action.get("letter"), str):
            return Illegal("schema", "a letter is a text")
        if len(action["letter"]) > 400:
            return Illegal("schema", "too long")
        if self.game.wants_long and "\n" in action["letter"]:
            return Illegal("lines", f"this is more than one line: {self.game.refusal(action['letter'])}")
        return None

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        letter = actions[Player(len(self.letters))]["letter"]
        self.letters = [*self.letters, letter]
        return (GameEvent("letter", {"letter": letter}, EVERYONE),)

    def returns(self) -> Sequence[float] | None:
        return None if self.to_act() else (0.0, 0.0)

    def clone(self) -> "Writing":
        return Writing(self.game, list(self.letters))


def as_it_is(text: str) -> str:
    """The text, without anything done to it."""
    return text


def in_quotes(text: str) -> str:
    """The text in quotes on one line, where its own quotes end them."""
    return f'"{" ".join(text.split())}"'


def indented(text: str) -> str:
    """The text with its lines moved to the right."""
    return text.replace("\n", "\n    ")


@pytest.mark.slow
def test_quoted_texts_are_sound():
    """A game that tells letters as quoted lines of JSON keeps its contract, also where it refuses one."""
    assert check_game(Letters()).playouts
    assert check_game(Letters(wants_long=True)).playouts


@pytest.mark.parametrize("tell", [as_it_is, in_quotes, indented])
@pytest.mark.parametrize("where", ["event", "form", "action"])
@pytest.mark.sample(fast=1, slow=3)
def test_text_that_is_told_as_it_is(where, tell):
    """A letter that could be taken for the game's words is found, wherever it is told."""
    fault = fault_of(Letters(**{where: tell}))

    assert fault.check == "quoted"
    assert "quoted" in fault.what


def test_text_in_a_reason_for_refusal():
    """A reason for refusal that repeats what was written, line by line, is found."""
    fault = fault_of(Letters(wants_long=True, refusal=as_it_is))

    assert (fault.check, "the reason why .letter is refused" in fault.what) == ("quoted", True)
