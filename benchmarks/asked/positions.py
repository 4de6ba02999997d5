"""Asks a model for its move in positions of random matches; what it answers is judged and not played.

So equal seeds are equal positions, whatever the prompt: each turn has an answer by one prompt and one by the other. The
shape of the answer is enforced and the action is a free text, since a model that can write legal actions alone says
nothing about how well a prompt tells which are legal.
"""

import json
import time
from collections.abc import Awaitable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, Final, Literal, NoReturn

import attrs
from arena.agent import Completions, PlayerAgent, Refusal, Response, Seat
from arena.backend import Backend, Completion, CompletionRequest, Connection
from arena.chance import Chance
from arena.game import Decision, Game, PlayerView, State
from arena.record import GameEvent, Player, derive_rng
from arena_agent_llm.agent import LLM
from arena_agent_llm.prompts.prompt import Prompt

FROM_ONE_MATCH: Final = 10
"""The most turns of one match, so that the long games have several."""

Found = Literal["legal", "illegal", "unreadable"]


@attrs.frozen
class Answered:
    """One answer in one position; tokens are those of its request, CPU in seconds.

    It is ``copied`` if it is word for word an example of an answer in its prompt.
    """

    match: str
    turn: int
    found: Found
    sent: int
    reused: int
    written: int
    seconds: float
    text: str
    copied: bool = False

    @property
    def place(self) -> tuple[str, int]:
        """The position, which an answer by another prompt has too."""
        return self.match, self.turn


class Asking(Completions):
    """Sends requests to an open connection, with actions as free texts, and keeps what came back."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.last = Completion(text="")
        self.seconds = 0.0
        self.is_copied = False

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        began = time.process_time()
        asked = attrs.evolve(request, sampling=backend.with_defaults(request.sampling), schema=free(request.schema))
        self.last = await self._connection.complete(asked)
        self.seconds = time.process_time() - began
        self.is_copied = is_example(self.last.text, request.messages[0].text)
        return self.last

    def branch(self, name: str) -> Completions:
        return self


def is_example(answer: str, told: str) -> bool:
    """Whether an answer stands in what the model was told, however it is spaced."""
    try:
        return json.dumps(json.loads(answer), ensure_ascii=False) in told
    except ValueError:
        return False


def free(schema: Any) -> Any:
    """A schema with a short text in the place of each enumeration."""
    if isinstance(schema, Mapping):
        if "enum" in schema:
            return {"type": "string", "maxLength": 30}
        return {key: free(value) for key, value in schema.items()}
    return [free(each) for each in schema] if isinstance(schema, list | tuple) else schema


async def answers(
    game: Game, name: str, prompt: Prompt, backend: Backend, connection: Connection, seed: int
) -> list[Answered]:
    """What a model answers to the first decisions of one seat of a random match; seats take turns from seed to seed."""
    asking = Asking(connection)
    match, seat = f"{name}/{seed}", Player(seed % 2)
    player = LLM(backend=backend, prompt=prompt).join(seated(game, seat, asking, match))
    found: list[Answered] = []
    for decision in islice(decisions(game, seat, seed), FROM_ONE_MATCH):
        said = await response(player, decision)
        if isinstance(said, Refusal):
            kind: Found = "unreadable"
        else:
            kind = "illegal" if decision.check(said.action) else "legal"
        usage = asking.last.usage
        assert usage is not None
        found.append(
            Answered(
                match,
                len(found),
                kind,
                usage.prompt_tokens or 0,
                usage.cached_tokens or 0,
                usage.completion_tokens or 0,
                asking.seconds,
                asking.last.text,
                asking.is_copied,
            )
        )
    return found


def decisions(game: Game, seat: Player, seed: int) -> Iterator[Decision]:
    """The decisions of one seat of a match that all play at random."""
    rng = Random(seed)
    state, events = game.start(Chance(seed), 2)
    news = [event for event in events if _sees(seat, event)]
    turn = 0
    while acting := state.to_act():
        actions = {}
        for player in acting:
            decision = state.decision(player)
            if player == seat:
                yield _asked(game, state, decision, turn, news)
                turn, news = turn + 1, []
            actions[player] = decision.sample(rng)
        news += [event for event in state.apply(actions) if _sees(seat, event)]


def _asked(game: Game, state: State, decision: Decision, turn: int, news: list[GameEvent]) -> Decision:
    view = PlayerView(state, decision.player)
    return decision.asked(view, turn=turn, news=tuple(news), forms=game.forms)


def _sees(player: Player, event: GameEvent) -> bool:
    return event.to is None or player in event.to


async def response(player: PlayerAgent, decision: Decision) -> Response:
    """What a player answers to a decision."""
    said = player.act(decision)
    return await said if isinstance(said, Awaitable) else said


def seated(game: Game, player: Player, completions: Completions, match: str) -> Seat:
    """A seat at a match of which nothing is recorded."""

    def none(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("prompts are compared in single positions, without look-ups and answers from outside")

    return Seat(
        player=player,
        players=2,
        name=game.seats(2)[player],
        game=game,
        rules=game.rules,
        completions=completions,
        query=none,
        once=none,
        resample_hidden=lambda _: None,
        make_rng=lambda: derive_rng("agent", match, player),
    )
