"""Hostile plugins, a dozen lines each: what they do, and what whoever runs them must read."""

from collections.abc import Mapping
from typing import Final

import attrs

SOUND: Final = '''
"""Sound plugins that the hostile ones spoil."""

from arena.agent import Agent, PlayerAgent, Refusal, Reply
from arena.backend import Backend, Completion, Connection, Usage
from arena.errors import BackendError
from arena.game import Decision, Game, GameFacts, Illegal, Options, Query, State
from arena.hookspecs import Observer, hookimpl
from arena.metric import Measurement, Metric
from arena.plugin import Plugin
from arena.agent import RefusalKind
from arena.record import EVERYONE, GameEvent
from arena.tables import Section


class SoundState(State):
    """Two players in turn say a or b, twice; the first wins."""

    steps = 0

    def to_act(self):
        return (self.steps % 2,) if self.steps < 2 else ()

    def decision(self, player):
        return Decision(player=player, options=Options(["a", "b"]))

    def observe(self, player):
        return {"steps": self.steps}

    def apply(self, actions):
        self.steps += 1
        return [GameEvent("said", {"what": list(actions.values())}, EVERYONE)]

    def returns(self):
        return [1.0, -1.0] if self.steps == 2 else None


class SoundGame(Game):
    rules = "Say a or b."
    state = SoundState

    def player_counts(self):
        return (2,)

    def facts(self, players):
        return GameFacts(returns="zero-sum", min_return=-1, max_return=1, max_steps=9)

    def start(self, chance, players):
        return self.state(), []


class SoundPlayer(PlayerAgent):
    def __init__(self, seat):
        self.seat = seat

    async def act(self, decision):
        return Reply(action=decision.sample(self.seat.rng))


class SoundAgent(Agent):
    player = SoundPlayer

    def join(self, seat):
        return self.player(seat)


class SoundConnection(Connection):
    async def complete(self, request):
        return Completion(text="a", usage=Usage(prompt_tokens=1, completion_tokens=1))


class SoundBackend(Backend):
    connection = SoundConnection

    async def connect(self):
        return self.connection()


class SoundMetric(Metric):
    def measure(self, match):
        return [Measurement("steps", match.record.steps)]

    def summarize(self, measurements):
        return [Section(title="steps", text=str(len(measurements.rows)))]


class SoundObserver(Observer):
    def start(self):
        return self
'''


@attrs.frozen
class Hostile:
    """One hostile plugin: its kind, its source, the exit code of a run with it, and what must be read of it."""

    kind: str
    source: str
    says: tuple[str, ...]
    code: int = 1


def game(source: str, *says: str, code: int = 1) -> Hostile:
    """A game; the source may define ``Spoilt``, a state, or ``Plugged``, the game itself."""
    if "class Plugged" not in source:
        source += "\nclass Plugged(SoundGame):\n    state = Spoilt\n"
    return Hostile("game", source, says, code)


def agent(source: str, *says: str, code: int = 1) -> Hostile:
    """An agent; the source may define ``Spoilt``, a player, or ``Plugged``, the agent itself."""
    if "class Plugged" not in source:
        source += "\nclass Plugged(SoundAgent):\n    player = Spoilt\n"
    return Hostile("agent", source, says, code)


def acting(lines: str, *says: str) -> Hostile:
    """An agent that acts by these lines."""
    body = "\n".join(f"        {line}" for line in lines.splitlines())
    return agent(f"class Spoilt(SoundPlayer):\n    async def act(self, decision):\n{body}\n", *says)


def state(lines: str, *says: str) -> Hostile:
    """A game whose state has these methods."""
    body = "\n".join(f"    {line}" for line in lines.splitlines())
    return game(f"class Spoilt(SoundState):\n{body}\n", *says)


def backend(lines: str, *says: str) -> Hostile:
    """A backend whose connection answers by these lines."""
    body = "\n".join(f"        {line}" for line in lines.splitlines())
    source = f"class Spoilt(SoundConnection):\n    async def complete(self, request):\n{body}\n"
    return Hostile("backend", f"{source}\nclass Plugged(SoundBackend):\n    connection = Spoilt\n", says)


def metric(source: str, *says: str) -> Hostile:
    """A hostile metric, given as source, with what the user must read."""
    return Hostile("metric", source, says)


GAMES: Final[Mapping[str, Hostile]] = {
    "start-raises": game(
        "class Plugged(SoundGame):\n    def start(self, chance, players):\n        raise KeyError('deck')\n",
        "game 'g': start after step 0 raised KeyError: 'deck'",
    ),
    "start-nothing": game(
        "class Plugged(SoundGame):\n    def start(self, chance, players):\n        return None\n",
        "game 'g': start None after step 0: expected a State and its events",
    ),
    "start-no-state": game(
        "class Plugged(SoundGame):\n    def start(self, chance, players):\n        return 5, []\n",
        "game 'g': start (5, []) after step 0: expected a State and its events",
    ),
    "step-raises": state(
        "def apply(self, actions):\n    raise ZeroDivisionError('no pot')",
        "game 'g': apply after step 0 raised ZeroDivisionError: no pot",
    ),
    "check-raises": state(
        "def check(self, player, action):\n    raise ValueError('who knows')",
        "game 'g': check after step 0 raised ValueError: who knows",
    ),
    "check-says-no": state(
        "def check(self, player, action):\n    return 'no'",
        "game 'g': check of 'a' is 'no' after step 0: expected None or an Illegal",
    ),
    "decision-raises": state(
        "def decision(self, player):\n    raise LookupError('lost')",
        "game 'g': decision after step 0 raised LookupError: lost",
    ),
    "decision-nothing": state(
        "def decision(self, player):\n    return None",
        "game 'g': decision(0) None after step 0: expected a Decision of player 0",
    ),
    "decision-of-another": state(
        "def decision(self, player):\n    return Decision(player=1, options=Options(['a']))",
        "after step 0: expected a Decision of player 0",
    ),
    "no-options": state(
        "def decision(self, player):\n    return Decision(player=player, options=Options([]))",
        "game 'g': decision(0) [] after step 0: there are no options",
    ),
    "options-twice": state(
        "def decision(self, player):\n    return Decision(player=player, options=Options(['a', 'b', 'a']))",
        "game 'g': decision(0) ['a', 'b', 'a'] after step 0: the option 'a' is there twice",
    ),
    "options-twice-by-keys": state(
        "def decision(self, player):\n"
        "    return Decision(player=player, options=Options([{'x': 1, 'y': 2}, {'y': 2, 'x': 1}]))",
        "is there twice",
    ),
    "options-labelled-alike": state(
        "def decision(self, player):\n    return Decision(player=player, options=Options(['a', 'b'], lambda a: 'it'))",
        "game 'g': decision(0) ['a', 'b'] after step 0: two options have the label 'it'",
    ),
    "label-raises": state(
        "def decision(self, player):\n    return Decision(player=player, options=Options(['a', 'b'], {}.__getitem__))",
        "game 'g':",
        "raised KeyError: 'a'",
    ),
    "observation-no-json": Hostile(
        "game",
        "class Spoilt(SoundState):\n    def observe(self, player):\n        return {'hidden': {1, 2}}\n\n"
        "class Plugged(SoundGame):\n    state = Spoilt\n\n"
        "class Reader(SoundPlayer):\n    async def act(self, decision):\n"
        "        return Reply(action='a', note=decision.observation)\n\n"
        "class Reading(SoundAgent):\n    player = Reader\n",
        ("game 'g': observe(0) {'hidden': {1, 2}} after step 0: no JSON value: hidden is a set, which is not JSON",),
    ),
    "form-raises": Hostile(
        "game",
        "class Plugged(SoundGame):\n    @property\n    def forms(self):\n        raise KeyError('paper')\n",
        ("KeyError: 'paper'",),
        2,
    ),
    "resamples-itself": Hostile(
        "game",
        "class Spoilt(SoundState):\n    def resample_hidden(self, player, chance):\n        return self\n\n"
        "class Plugged(SoundGame):\n    state = Spoilt\n\n"
        "class Reader(SoundPlayer):\n    async def act(self, decision):\n"
        "        self.seat.resample_hidden(1)\n        return Reply(action='a')\n\n"
        "class Reading(SoundAgent):\n    player = Reader\n",
        ("game 'g': resample_hidden", "it is the match itself; expected another state"),
    ),
    "options-no-json": state(
        "def decision(self, player):\n    return Decision(player=player, options=Options([{1, 2}, 'b']))",
        "game 'g': decision(0)",
        "the option {1, 2} is not JSON: the value is a set, which is not JSON",
    ),
    "to-act-twice": state(
        "def to_act(self):\n    return (0, 0) if self.steps < 2 else ()",
        "game 'g': to_act (0, 0) after step 0: player 0 is there twice",
    ),
    "to-act-nobody-there": state(
        "def to_act(self):\n    return (5,) if self.steps < 2 else ()",
        "game 'g': to_act (5,) after step 0: 5 is none of the 2 players, counted from 0",
    ),
    "to-act-minus-one": state(
        "def to_act(self):\n    return (-1,) if self.steps < 2 else ()",
        "game 'g': to_act (-1,) after step 0: -1 is none of the 2 players, counted from 0",
    ),
    "to-act-number": state(
        "def to_act(self):\n    return 5",
        "game 'g': to_act 5 after step 0: expected a sequence of players",
    ),
    "event-for-nobody-there": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said', 1, (7,))]",
        "game 'g': the event 'said' to (7,) after step 1: 7 is none of the 2 players, counted from 0",
    ),
    "event-for-minus-one": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said', 1, (-1,))]",
        "game 'g': the event 'said' to (-1,) after step 1: -1 is none of the 2 players",
    ),
    "event-for-a-number": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said', 1, 0)]",
        "game 'g': the event 'said' to 0 after step 1: expected EVERYONE or a tuple of players",
    ),
    "events-nothing": state(
        "def apply(self, actions):\n    self.steps += 1\n    return None",
        "game 'g': the events None after step 1: expected a sequence of GameEvent",
    ),
    "event-no-event": state(
        "def apply(self, actions):\n    self.steps += 1\n    return ['said']",
        "game 'g': an event 'said' after step 1: expected a GameEvent",
    ),
    "event-no-json": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said', {'who': {1}}, EVERYONE)]",
        "game 'g': the event 'said' {'who': {1}} after step 1: no JSON value: who is a set, which is not JSON",
    ),
    "event-nan": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said', [float('nan')], EVERYONE)]",
        "game 'g': the event 'said' [nan] after step 1: no JSON value: [0] is nan, which JSON cannot write",
    ),
    "event-half-a-character": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said', 'x \\ud83d', EVERYONE)]",
        "game 'g': the event 'said' 'x \\ud83d' after step 1",
    ),
    "event-kind-half-a-character": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said \\ud83d', 1, EVERYONE)]",
        "game 'g': the event",
    ),
    "rules-half-a-character": game("class Plugged(SoundGame):\n    rules = 'Say \\ud83d'\n", code=0),
    "seats-half-a-character": game(
        "class Plugged(SoundGame):\n    def seats(self, players):\n        return ('X \\ud83d', 'O')\n",
        "it cannot be written down as JSON: 'utf-8' codec can't encode",
    ),
    "label-half-a-character": state(
        "def decision(self, player):\n"
        "    return Decision(player=player, options=Options(['a', 'b'], lambda a: a + ' \\ud83d'))",
    ),
    "event-too-long-a-number": state(
        "def apply(self, actions):\n    self.steps += 1\n    return [GameEvent('said', 10 ** 5000, EVERYONE)]",
        "game 'g': the event 'said'",
        "an integer of more than 4,300 digits",
    ),
    "facts-raise": game(
        "class Plugged(SoundGame):\n    def facts(self, players):\n        raise KeyError('facts')\n",
        "KeyError: 'facts'",
        code=2,
    ),
    "forfeits-pay": game(
        "class Plugged(SoundGame):\n    def facts(self, players):\n"
        "        return GameFacts(returns='zero-sum', forfeit_return=1.0, others_return=1.0)\n",
        "if player 0 forfeits, the returns are [1.0, 1.0]: they add up to 2.0 in a zero-sum game",
        code=2,
    ),
    "forfeits-nan": game(
        "class Plugged(SoundGame):\n    def facts(self, players):\n"
        "        return GameFacts(forfeit_return=float('nan'))\n",
        "if player 0 forfeits, the returns are [nan, 1.0]: the return of player 0 is not a finite number",
        code=2,
    ),
    "seats-alike": game(
        "class Plugged(SoundGame):\n    def seats(self, players):\n        return ('X', 'X')\n",
        "game 'g': seats(2) is ('X', 'X'); expected 2 different names",
    ),
    "rules-no-text": game("class Plugged(SoundGame):\n    rules = 7\n", "game 'g': rules is 7; expected a text"),
    "import-raises": Hostile("game", "raise RuntimeError('no licence')\n", ("RuntimeError: no licence",), 2),
}

AGENTS: Final[Mapping[str, Hostile]] = {
    "import-raises": Hostile("agent", "raise RuntimeError('no licence')\n", ("RuntimeError: no licence",), 2),
    "join-raises": agent(
        "class Plugged(SoundAgent):\n    def join(self, seat):\n        raise OSError('no engine')\n",
        "agent 'a': join as player 0 raised OSError: no engine",
    ),
    "join-nothing": agent(
        "class Plugged(SoundAgent):\n    def join(self, seat):\n        return None\n",
        "agent 'a': join returned None; expected a PlayerAgent",
    ),
    "act-raises": acting("raise KeyError('board')", "agent 'a': act in turn 1 raised KeyError: 'board'"),
    "act-nothing": acting("return None", "agent 'a': act returned None; expected a Reply or a Refusal"),
    "action-no-json": acting(
        "return Reply(action={1})",
        "agent 'a': the action {1} is no JSON value: the value is a set, which is not JSON",
    ),
    "action-nan": acting("return Reply(action=[float('nan')])", "agent 'a': the action [nan] is no JSON value"),
    "action-with-numbers-as-keys": acting(
        "return Reply(action={1: 'a'})",
        "agent 'a': the action {1: 'a'} is no JSON value: the value has the key 1, which is not a text",
    ),
    "action-in-itself": acting(
        "knot = []\nknot.append(knot)\nreturn Reply(action=knot)", "agent 'a': the action [[...]] is no JSON value"
    ),
    "note-no-json": acting(
        "return Reply(action='a', note={'seat': self.seat})", "agent 'a': the note", "seat is a Seat, which is not JSON"
    ),
    "reasoning-no-text": acting(
        "return Reply(action='a', reasoning=5)", "agent 'a': the reasoning of its answer is 5; expected a text"
    ),
    "refusal-of-no-kind": acting(
        "return Refusal(kind='bored', reason='no')",
        "agent 'a': it refuses with the kind 'bored'; expected a RefusalKind",
    ),
    "refusal-without-words": acting(
        "return Refusal(kind=RefusalKind.EMPTY, reason=None)",
        "agent 'a': the reason of its answer is None; expected a text",
    ),
    "once-no-json": acting(
        "await self.seat.once('x', lambda: {1})\nreturn Reply(action='a')",
        "agent 'a': what once('x', …) gave, {1} is no JSON value",
    ),
    "query-no-json": acting(
        "await self.seat.query('x', {1})\nreturn Reply(action='a')",
        "agent 'a': the arguments of query 'x', {1} is no JSON value",
    ),
    "check-no-json": acting("decision.check({1})\nreturn Reply(action='a')", "agent 'a': act in turn 1 raised"),
    "deaf-to-errors": acting(
        "try:\n    await self.seat.completions.complete(SoundBackend(), None)\nexcept Exception as error:\n"
        "    raise KeyError('swallowed') from error",
        "agent 'a': act in turn 1 raised KeyError: 'swallowed'",
    ),
}

BACKENDS: Final[Mapping[str, Hostile]] = {
    "import-raises": Hostile("backend", "raise RuntimeError('no licence')\n", ("RuntimeError: no licence",), 2),
    "complete-raises": backend("raise ZeroDivisionError('tokens')", "raised ZeroDivisionError: tokens"),
    "complete-nothing": backend("return None", "backend", "returned None; expected a Completion"),
    "connect-raises": Hostile(
        "backend",
        "class Plugged(SoundBackend):\n    async def connect(self):\n        raise KeyError('socket')\n",
        ("raised KeyError: 'socket'",),
    ),
    "connect-nothing": Hostile(
        "backend",
        "class Plugged(SoundBackend):\n    async def connect(self):\n        return None\n",
        ("connect returned None; expected a Connection",),
    ),
    "text-no-text": backend("return Completion(text=5)", "the text of its answer is 5; expected a text"),
}

METRICS: Final[Mapping[str, Hostile]] = {
    "import-raises": Hostile("metric", "raise RuntimeError('no licence')\n", ("RuntimeError: no licence",), 2),
    "measure-raises": metric(
        "class Plugged(SoundMetric):\n    def measure(self, match):\n        raise ZeroDivisionError('by nothing')\n",
        "metric 'm' is missing: match 'fine/a,b/0.0': ZeroDivisionError: by nothing",
    ),
    "measure-nothing": metric(
        "class Plugged(SoundMetric):\n    def measure(self, match):\n        return None\n",
        "metric 'm' is missing",
        "TypeError",
    ),
    "measure-no-measurement": metric(
        "class Plugged(SoundMetric):\n    def measure(self, match):\n        return [5]\n",
        "metric 'm' is missing",
        "measure yields 5, not a Measurement",
    ),
    "measure-nan": metric(
        "class Plugged(SoundMetric):\n    def measure(self, match):\n        return [Measurement('x', float('nan'))]\n",
        "metric 'm' is missing",
        "the measurement 'x' cannot be written down: the value is nan, which JSON cannot write",
    ),
    "measure-a-list": metric(
        "class Plugged(SoundMetric):\n    def measure(self, match):\n        return [Measurement('x', [1])]\n",
        "metric 'm' is missing",
        "the measurement 'x' is [1]; expected one number or text",
    ),
    "measure-nobody": metric(
        "class Plugged(SoundMetric):\n    def measure(self, match):\n        return [Measurement('x', 1, player=9)]\n",
        "metric 'm' is missing",
        "the measurement 'x' is of player 9, who is not there",
    ),
    "summarize-raises": metric(
        "class Plugged(SoundMetric):\n    def summarize(self, measurements):\n        raise LookupError('no words')\n",
        "metric 'm' is missing: LookupError: no words",
    ),
    "summarize-nonsense": metric(
        "class Plugged(SoundMetric):\n    def summarize(self, measurements):\n        return [5]\n",
        "metric 'm' is missing",
        "summarize returned [5]; expected sections",
    ),
    "judge-raises": metric(
        "class Plugged(SoundMetric):\n    async def judge(self, match, completions):\n        raise KeyError('law')\n",
        "metric 'm' could not judge",
        "KeyError: 'law'",
    ),
    "judge-nan": metric(
        "class Plugged(SoundMetric):\n    async def judge(self, match, completions):\n"
        "        return [Measurement('x', float('inf'))]\n",
        "metric 'm' could not judge",
        "the value is inf, which JSON cannot write",
    ),
}

STYLES: Final[Mapping[str, Hostile]] = {
    "import-raises": Hostile("prompt_style", "raise RuntimeError('no licence')\n", ("RuntimeError: no licence",), 2),
    "no-such-file": Hostile("prompt_style", "", ("prompt_style.yaml",), 2),
    "no-style": Hostile("prompt_style", "FILE = '5'", ("agents.c.prompt",), 2),
    "unknown-placeholder": Hostile(
        "prompt_style",
        "FILE = 'reasoning: false\\nactions: labels\\nanswer: object\\nparts:\\n"
        '  - {name: secret, in: user, text: "$state"}\\n\'',
        ("agents.c.prompt", "state"),
        2,
    ),
    "no-yaml": Hostile("prompt_style", "FILE = 'parts: [\\n'", ("agents.c.prompt",), 2),
}

SUITES: Final[Mapping[str, Hostile]] = {
    "import-raises": Hostile("suite", "raise RuntimeError('no licence')\n", ("RuntimeError: no licence",), 2),
    "no-such-file": Hostile("suite", "", ("suite.yaml",), 2),
    "no-table": Hostile("suite", "FILE = '5'", ("suite",), 2),
    "no-yaml": Hostile("suite", "FILE = 'games: [\\n'", ("suite",), 2),
    "unknown-plugin": Hostile(
        "suite", "FILE = 'games: {g: no-such-game}\\nagents: {a: sound, b: sound}\\n'", ("no-such-game",), 2
    ),
    "runs-itself": Hostile("suite", "FILE = 'extends: suite:hostile\\n'", ("hostile",), 2),
}

OBSERVERS: Final[Mapping[str, Hostile]] = {
    "start-raises": Hostile(
        "observer",
        "class Plugged(SoundObserver):\n    def start(self):\n        raise OSError('no display')\n",
        ("observer 'o': start raised OSError: no display",),
        2,
    ),
    "hook-raises": Hostile(
        "observer",
        "class Plugged(SoundObserver):\n    @hookimpl\n    def match_finished(self, record):\n"
        "        raise KeyError('screen')\n",
        ("observer 'o' failed in match_finished: KeyError: 'screen'",),
    ),
    "hook-unknown": Hostile(
        "observer",
        "class Plugged(SoundObserver):\n    @hookimpl\n    def match_finnished(self, record):\n        pass\n",
        ("unknown hook 'match_finnished'",),
        2,
    ),
}
