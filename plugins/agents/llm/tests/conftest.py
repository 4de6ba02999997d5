"""A small game, a seat at it, and completions that give prepared answers and remember what they were asked."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import attrs
import pytest
from arena.agent import Completions, PlayerAgent, Seat
from arena.backend import SCHEMA, SEED, TOOLS, Backend, Completion, CompletionRequest, Connection
from arena.chance import Chance
from arena.game import Decision, Drawing, Game, GameFacts, Illegal, Image, Options, PlayerView, Query, State
from arena.record import JSON, GameEvent, Player, canonical_json, derive_rng
from arena_agent_llm.agent import LLM

LABELS = {0: "rock", 1: "paper", 2: "scissors"}


@attrs.define(eq=False)
class Hands(State):
    """Three rounds of throws; in the last one the players name an amount instead."""

    round: int = 0
    thrown: list[Any] = attrs.field(factory=list)

    def to_act(self) -> Sequence[Player]:
        return (Player(0), Player(1)) if self.round < 3 else ()

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, options=Options([0, 1, 2], LABELS.__getitem__))

    def observe(self, player: Player | None) -> JSON:
        return {"round": self.round + 1, "thrown": list(self.thrown)}

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        self.round += 1
        self.thrown.append([actions[Player(0)], actions[Player(1)]])
        return (GameEvent("thrown", self.thrown[-1], None),)

    def returns(self) -> Sequence[float] | None:
        return (0.0, 0.0) if self.round == 3 else None


@attrs.frozen
class RockPaperScissors(Game):
    @property
    def rules(self) -> str:
        return "Rock beats scissors, scissors beat paper, paper beats rock. $5 a round."

    @property
    def forms(self) -> Mapping[str, Any]:
        return {
            "text": lambda seen: f"round {seen['round']} of 3",
            "image": lambda seen: Image("image/png", b"\x89PNG", f"round {seen['round']}"),
            "scene": lambda seen: Drawing({"scene": 1}, f"a drawing of round {seen['round']}"),
            "blank": lambda seen: "null",
            "thrown-so-far": lambda seen: f"thrown: {len(seen['thrown'])}",
        }

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(simultaneous=True, returns="zero-sum")

    def seats(self, players: int) -> Sequence[str]:
        return ("LEFT", "RIGHT")

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Hands(), (GameEvent("started", None, None),)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        if event.kind == "started":
            return "The match begins."
        left, right = event.data  # type: ignore[misc]
        return f"LEFT threw {LABELS[left]}, RIGHT threw {LABELS[right]}."


@attrs.frozen(kw_only=True)
class Able(Backend):
    """A backend's configuration; it is never connected to."""

    can: frozenset[str] = frozenset({SCHEMA, SEED, TOOLS})
    most_enumerated: int | None = None

    def supports(self) -> frozenset[str]:
        return self.can

    def enumeration_limit(self) -> int | None:
        return self.most_enumerated

    async def connect(self) -> Connection:
        raise AssertionError("nobody connects here")


class Answers(Completions):
    """Gives prepared completions in order; ``asked`` are the requests."""

    def __init__(self, *answers: Completion | str) -> None:
        self.answers = [a if isinstance(a, Completion) else Completion(text=a) for a in answers]
        self.asked: list[CompletionRequest] = []

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        self.asked.append(request)
        return self.answers.pop(0)

    def branch(self, name: str) -> Completions:
        return self


@attrs.define(eq=False, kw_only=True)
class Table:
    """A seat with its answers, and decisions as the referee would hand them over."""

    seat: Seat
    answers: Answers
    game: RockPaperScissors
    state: Hands
    queried: list[tuple[str, JSON]] = attrs.field(factory=list)

    def agent(self, **settings: Any) -> LLM:
        return LLM(**{"backend": Able(), **settings})

    def join(self, **settings: Any) -> PlayerAgent:
        return self.agent(**settings).join(self.seat)

    def decide(self, **more: Any) -> Decision:
        decision, player = self.state.decision(self.seat.player), self.seat.player
        said = {name: more.pop(name, getattr(decision, name)) for name in signature(Decision).parameters}
        return Decision(**said).asked(PlayerView(self.state, player), forms=self.game.forms, **more)


@pytest.fixture
def sit() -> Callable[..., Table]:
    def sit(*answers: Completion | str, player: int = 0, agents: tuple[str, ...] | None = None) -> Table:
        queried: list[tuple[str, JSON]] = []

        async def query(name: str, arguments: JSON, *, reasoning: str = "", note: JSON = None) -> JSON | Illegal:
            queried.append((name, arguments))
            return Illegal("unknown-query", f"there is no query {name!r}") if name != "beats" else "scissors"

        async def once(name: str, function: Callable[[], JSON]) -> JSON:
            return function()

        given = Answers(*answers)
        game = RockPaperScissors()
        seat = Seat(
            player=Player(player),
            players=2,
            name=game.seats(2)[player],
            game=game,
            rules=game.rules,
            agents=agents,
            completions=given,
            query=query,
            once=once,
            resample_hidden=lambda _: None,
            make_rng=lambda: derive_rng("agent", "match", player),
        )
        return Table(seat=seat, answers=given, game=game, state=Hands(), queried=queried)

    return sit


@pytest.fixture
def amount() -> dict[str, Any]:
    """What makes a decision one with a schema and no options."""
    schema = {"type": "object", "properties": {"amount": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}
    return {"options": None, "action_schema": schema, "sampler": lambda rng: {"amount": rng.randrange(9)}}


@pytest.fixture
def beats() -> tuple[Query, ...]:
    """A look-up that may be made twice in a turn."""
    schema: JSON = {"type": "string"}
    return (
        Query(name="beats", summary="what a hand beats", schema=schema, answer=canonical_json, limit=2, example="rock"),
    )
