"""Sound plugins in source, one of each kind that has faults planted in it."""

INIT = """
from arena.plugin import Plugin

PLUGIN = Plugin(factory="acme_broken.parts:Broken", summary="a plugin to break", licence="Apache-2.0")
"""

GAME = '''
import attrs
from arena.game import Decision, Game, GameFacts, Illegal, Options, State
from arena.record import EVERYONE, GameEvent


@attrs.frozen
class Broken(Game):
    """Guess the other's card."""

    most: int = attrs.field(default=3, metadata={"help": "the highest card"})

    @property
    def rules(self):
        return f"Both players get a card from 0 to {self.most}, and guess the card of the other."

    def player_counts(self):
        return (2,)

    def facts(self, players):
        return GameFacts(hidden_information=True, chance=True, returns="zero-sum", max_steps=4)

    def start(self, chance, players):
        hands = [chance.index("card", self.most + 1) for _ in range(2)]
        return Table(self.most, hands, []), [GameEvent("dealt", card, (p,)) for p, card in enumerate(hands)]


@attrs.define(eq=False)
class Table(State):
    most: int
    hands: list
    said: list

    def to_act(self):
        return (len(self.said),) if len(self.said) < 2 else ()

    def decision(self, player):
        return Decision(player=player, options=Options(range(self.most + 1), lambda card: f"say {card}"))

    def observe(self, player):
        return {"hands": [c for p, c in enumerate(self.hands) if player in (None, p)], "said": list(self.said)}

    def apply(self, actions):
        ((player, card),) = actions.items()
        self.said.append(card)
        return [GameEvent("said", {"player": player, "card": card}, EVERYONE)]

    def returns(self):
        if len(self.said) < 2:
            return None
        hits = [float(said == self.hands[1 - p]) for p, said in enumerate(self.said)]
        return (hits[0] - hits[1], hits[1] - hits[0])

    def clone(self):
        return Table(self.most, list(self.hands), list(self.said))
'''

AGENT = '''
import attrs
from arena.agent import Agent, PlayerAgent, Reply


@attrs.frozen
class Broken(Agent):
    """Plays at random."""

    def join(self, seat):
        return Mind(seat)


class Mind(PlayerAgent):
    def __init__(self, seat):
        self.seat = seat

    async def act(self, decision):
        action = decision.sample(self.seat.rng)
        return Reply(action=action)
'''

BACKEND = '''
import json

import attrs
from arena.backend import OFFLINE, SCHEMA, Backend, Completion, Connection, Usage
from arena.errors import BackendError
from arena.game import Image


@attrs.frozen
class Broken(Backend):
    """Counts."""

    capabilities = frozenset({SCHEMA, OFFLINE})

    async def connect(self):
        return Line()


class Line(Connection):
    async def complete(self, request):
        if any(isinstance(part, Image) for message in request.messages for part in message.parts):
            raise BackendError("takes no pictures")
        words = ["one", "two", "three", "four", "five", "six", "seven"]
        if request.schema is not None:
            words = [json.dumps({"answer": "yes"})]
        limit = request.sampling.max_tokens or len(words)
        usage = Usage(prompt_tokens=8, completion_tokens=len(words[:limit]))
        reason = "length" if limit < len(words) else "stop"
        return Completion(text=" ".join(words[:limit]), finish_reason=reason, usage=usage, model="counter")
'''

METRIC = '''
import attrs
from arena.tables import Column, Estimate, Section, Table
from arena.metric import Measurement, Metric


@attrs.frozen
class Broken(Metric):
    """How many matches were decided."""

    def measure(self, match):
        return [Measurement("decided", match.record.returns is not None)]

    def summarize(self, measurements):
        found = sorted(row.value for row in measurements.rows if row.name == "decided")
        share = Estimate(value=sum(found) / len(found) if found else None, n=len(found), level=measurements.level)
        columns = (Column(name="decided", title="decided", style="share"),)
        return [Section(title="Decided", tables=(Table(title="decided", columns=columns, rows=((share,),)),))]
'''

OBSERVER = '''
import attrs
from arena.hookspecs import Observer, hookimpl


@attrs.frozen
class Broken(Observer):
    """Counts matches."""

    def start(self):
        return Counter()


class Counter:
    def __init__(self):
        self.matches = 0

    @hookimpl
    def match_finished(self, record):
        self.matches += 1
'''

SCHEDULE = '''
import attrs
from arena.schedule import Lineup, Schedule


@attrs.frozen
class Broken(Schedule):
    """Everybody alone, over and over."""

    def lineups(self, agents, players):
        return [Lineup((agent,) * players) for agent in agents]
'''

SOLVER = '''
import attrs
from arena.solver import ActionValues, Solution, Solver, ActionValue


@attrs.frozen
class Broken(Solver):
    """Counts to ten."""

    is_exact = False

    def unsupported_reason(self, game, players):
        return None

    def solve(self, game, players):
        return Guess()


class Guess(Solution):
    method = "a guess"

    def action_values(self, state, player):
        actions = state.decision(player).options.actions
        share = 1 / len(actions)
        return ActionValues(values=tuple(ActionValue(action=a, value=0.0, probability=share) for a in actions))
'''

REPORT = '''
import attrs
from arena_report.content.contract import ReportFormat


@attrs.frozen
class Broken(ReportFormat):
    """The title."""

    def write(self, report, path):
        path.write_text(report.title)
'''

ILLEGAL_ACTIONS = '''
import attrs
from arena.illegal_actions import IllegalActionPolicy


@attrs.frozen(kw_only=True)
class Broken(IllegalActionPolicy):
    """Patience for one refusal more."""

    def for_game(self, game, players):
        return IllegalActionPolicy(retries=self.retries + 1)
'''


SOUND = {
    "game": GAME,
    "agent": AGENT,
    "backend": BACKEND,
    "metric": METRIC,
    "observer": OBSERVER,
    "schedule": SCHEDULE,
    "solver": SOLVER,
    "report": REPORT,
    "illegal-actions": ILLEGAL_ACTIONS,
}
"""The module of a sound plugin, by kind."""
