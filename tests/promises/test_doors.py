"""What an agent is handed is data: it may change all of it, and the match is played as if it had changed nothing."""

from typing import Any

import pytest
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply
from arena.backend import Backend, Completion, CompletionRequest, Connection, Message
from arena.catalog import Catalog, Status
from arena.decision import PlayerView
from arena.game import Decision, Game, GameFacts, Illegal, Options, Query, State
from arena.record import EVERYONE, GameEvent, MatchPlan
from arena_engine import Journal, RunContext, make_plugin
from arena_engine.job.executor import Job
from arena_engine.match.checks import CheckedState
from arena_engine.match.player import MatchPlayer
from arena_engine.match.referee import Match, Referee
from arena_engine.match.simulation import simulate
from arena_engine.models.completions import RecordedCompletions
from arena_engine.models.pool import BackendPool
from arena_testing.foundation.values import scramble

from ..reachable import reachable

INSIDE = (State, CheckedState, PlayerView, MatchPlayer, Match, Referee, RunContext, Journal, BackendPool)


class Noted(Backend):
    """A backend whose every completion is ``yes``."""

    async def connect(self):
        return Yes()


class Yes(Connection):
    async def complete(self, request):
        return Completion(text="yes")


BACKEND = Noted()
REQUEST = CompletionRequest(messages=(Message.of("user", "well?"),))


def plan_of(players: int) -> MatchPlan:
    """One match of so many players."""
    agents = tuple(f"agent-{p}" for p in range(players))
    who = ",".join(agents)
    return MatchPlan(id=f"game/{who}/0.0", game="game", agents=agents, pairing=who, repeat=0, rotation=0, chance_seed=3)


async def play(game: Game, agent: Agent, steps: int | None = None) -> Any:
    """The events of a match, or of its first steps, between copies of an agent."""
    plan = plan_of(min(game.player_counts()))
    job = Job(plans=(plan,), games={"game": game}, agents=dict.fromkeys(plan.agents, agent), seed=5)
    return await simulate(job, plan, [agent] * len(plan.agents), steps)


class Plain(Agent):
    """Plays at random, and leaves all it gets alone."""

    spoils = False

    def join(self, seat):
        return Player(seat, self.spoils)


class Spoiling(Plain):
    """Plays the same, and changes all it gets and all it gave."""

    spoils = True


class Player(PlayerAgent):
    def __init__(self, seat, spoils):
        self.seat, self.spoils, self.given = seat, spoils, []

    def spoil(self, *things):
        if self.spoils:
            for thing in things:
                scramble(thing)

    async def act(self, decision):
        self.spoil(*self.given)
        looked = [decision.observation, decision.schema, decision.action_schema, [e.data for e in decision.news]]
        looked += [rejected.action for rejected in decision.rejected]
        for query in decision.queries:
            arguments = [query.example]
            answer = await self.seat.query(query.name, arguments[0])
            looked += [query.schema, query.example, answer, arguments]
        if decision.options is not None:
            looked += [decision.options.actions, [option.action for option in decision.options]]
        self.spoil(*looked)
        if self.spoils:
            for mutable in looked:
                if isinstance(mutable, list | dict):
                    mutable.clear()
        action = decision.sample(self.seat.rng)
        note = {"turn": [decision.turn]}
        self.given = [action, note]
        return Reply(action=action, note=note)


def games() -> list[str]:
    """Every game that is installed and can be played with its defaults or its example."""
    return [entry.name for entry in Catalog().entries("game") if entry.status is Status.OK]


@pytest.mark.sample(fast=8)
@pytest.mark.parametrize("name", games())
async def test_agents_may_change_all_they_get(name):
    """Two agents that change what they see, and what they said, play the same match as two that do not."""
    game = make_plugin("game", {"use": name, **Catalog().get("game", name).plugin.example})

    left_alone = await play(game, Plain(), 4)
    spoilt = await play(game, Spoiling(), 4)

    assert spoilt.events == left_alone.events
    assert spoilt.events


class Lists(Game):
    """A game that hands out its own lists, everywhere it can."""

    rules = "Say one of the lists."

    def player_counts(self):
        return (2,)

    def facts(self, players):
        return GameFacts(returns="zero-sum", max_steps=4)

    def start(self, chance, players):
        state = ListsState()
        return state, [GameEvent("dealt", state.table, EVERYONE)]


class ListsState(State):
    def __init__(self):
        self.table = {"cards": [[1], [2]]}
        self.legal = [[1], [2], {"pass": []}]
        self.schema = {"type": "object", "required": ["x"]}
        self.said = []

    def to_act(self):
        return (len(self.said) % 2,) if len(self.said) < 4 else ()

    def decision(self, player):
        look = Query(name="look", summary="look", schema=self.schema, answer=lambda given: self.table, example={})
        return Decision(
            player=player, options=Options(self.legal), action_schema=self.schema, skip=self.legal[2], queries=(look,)
        )

    def observe(self, player):
        return self.table

    def check(self, player, action):
        return None if action in [[1], [2], {"pass": []}] else Illegal("odd", f"not {action}")

    def apply(self, actions):
        assert (self.table, self.schema) == ({"cards": [[1], [2]]}, {"type": "object", "required": ["x"]})
        assert self.legal == [[1], [2], {"pass": []}]
        self.said += actions.values()
        assert all(self.check(0, said) is None for said in self.said)
        return [GameEvent("said", self.table, EVERYONE)]

    def returns(self):
        return (0.0, 0.0)


class Refused(Agent):
    """Says what is illegal first, and changes it once it is refused."""

    def join(self, seat):
        return RefusedPlayer(seat)


class RefusedPlayer(Player):
    def __init__(self, seat):
        super().__init__(seat, True)
        self.wrong = []

    async def act(self, decision):
        if not decision.attempt:
            self.wrong = ["wrong"]
            return Reply(action=self.wrong)
        self.wrong.append("more")
        decision.rejected[0].action.append("more")
        decision.queries[0].answer({})["cards"].clear()
        return await super().act(decision)


async def test_a_game_that_hands_out_its_own_lists_is_safe():
    """A state that shares its lists with everybody is neither changed by agents nor by what they keep of an action."""
    found = await play(Lists(), Refused())

    assert found.record.ending == "rules"
    refused = [event.data["action"] for event in found.record.refused()]
    assert refused == [["wrong"]] * 4
    assert all(event.data["answer"] == {"cards": [[1], [2]]} for event in found.events if event.kind == "queried")
    assert {str(event.data) for event in found.events if event.source == "game"} == {"{'cards': [[1], [2]]}"}


def ways_in(**roots: Any) -> list[str]:
    """The ways by public attributes from these things to something inside the match."""
    found = [each for name, root in roots.items() for each in reachable(root, name).values()]
    return [
        f"{way}: {type(thing).__name__}" for way, thing in found if isinstance(thing, (*INSIDE, RecordedCompletions))
    ]


class Walker(Agent):
    """Looks for ways to the match at its first turns, before and after it has asked a model."""

    def __init__(self) -> None:
        self.ways: list[str] = []
        self.turns = 0

    def join(self, seat):
        self.ways += ways_in(seat=seat)
        return Walking(seat, self)


class Walking(PlayerAgent):
    def __init__(self, seat, agent):
        self.seat, self.agent = seat, agent

    async def act(self, decision):
        branch = self.seat.completions.branch("side")
        answers = [await branch.complete(BACKEND, REQUEST), await self.seat.completions.complete(BACKEND, REQUEST)]
        self.agent.turns += 1
        self.agent.ways += ways_in(decision=decision, seat=self.seat, branch=branch, answers=answers)
        if decision.attempt == 0:
            return Refusal(kind=RefusalKind.EMPTY, reason="looking around")
        return Reply(action=[1])


async def test_nothing_public_leads_into_the_match():
    """No public attribute and no method's object leads from seat, decision or completions to anything of the match."""
    walker = Walker()

    await play(Lists(), walker)

    assert walker.turns == 8
    assert walker.ways == []


async def test_an_agent_cannot_put_off_its_own_limit():
    """What an agent gets as completions has nothing to change: neither its deadline nor its place in the journal."""
    seen: list[set[str]] = []

    class Curious(Agent):
        def join(self, seat):
            seen.append({name for name in dir(seat.completions) if not name.startswith("_")})
            return Player(seat, False)

    await play(Lists(), Curious())

    assert seen == [{"branch", "complete"}] * 2
