"""Planted faults: what is changed in a sound plugin, and the part and rule that must name it."""

from collections.abc import Mapping

import attrs


@attrs.frozen(kw_only=True)
class Fault:
    """One change to a sound plugin of a kind, in its module (``swap``), before it (``top``) or in its package.

    ``said`` must stand in the reason that is given.
    """

    kind: str = "game"
    part: str
    rule: str
    said: str = ""
    swap: Mapping[str, str] = attrs.field(factory=dict)
    top: str = ""
    package: str = ""
    descriptor: Mapping[str, str] = attrs.field(factory=dict)
    is_doubt: bool = False


def _import(rule, said, top, **more):
    return Fault(part="class", rule=rule, said=said, top=top, **more)


def _descriptor(rule, said, package="", **more):
    return Fault(part="descriptor", rule=rule, said=said, package=package, **more)


FAULTS: Mapping[str, Fault] = {
    # how it is imported
    "slow import": _descriptor("slow-import", "takes", "import time\ntime.sleep(1.2)"),
    "heavy import": _descriptor("heavy-import", "numpy", "import numpy"),
    "heavy class": _descriptor("heavy-import", "acme_broken.parts", "import acme_broken.parts", is_doubt=True),
    "network at import": _descriptor(
        "network", "127.0.0.1", "import socket\nsocket.socket().connect_ex(('127.0.0.1', 9))"
    ),
    "files at import": _descriptor("writes", "left.txt", "open('left.txt', 'w').close()"),
    "program at import": _descriptor("program", "true", "import subprocess\nsubprocess.run(['true'])"),
    "prints at import": _descriptor("output", "hello", "print('hello')"),
    "seeds at import": _import("global-luck", "random", "import random\nrandom.seed(1)"),
    "thread at import": _descriptor(
        "threads", "starts the thread", "import threading\nthreading.Timer(30, int).start()"
    ),
    "exit at import": _descriptor("exit", "exit code 7", "import os\nos._exit(7)"),
    "segfault at import": _descriptor("killed", "SIGSEGV", "import ctypes\nctypes.string_at(0)"),
    "segfault with the class": _import("killed", "parts.py", "import ctypes\nctypes.string_at(0)"),
    # what it is
    "no plugin": _descriptor("no-plugin", "not an arena.plugin.Plugin", "class Plugin(dict): pass"),
    "other contract": _descriptor("api", "plugin contract 3", descriptor={"api": "3"}),
    "no summary": _descriptor("summary", "no summary", descriptor={"summary": "''"}),
    "no licence": _descriptor("licence", "no licence", descriptor={"licence": "''"}, is_doubt=True),
    "wrong contract": Fault(kind="agent", part="class", rule="contract", said="Agent", swap={"(Agent)": ""}),
    "abstract method": Fault(part="class", rule="contract", said="lacks rules", swap={"def rules": "def laws"}),
    "undocumented parameter": Fault(
        part="parameters", rule="undocumented", said="'most'", swap={', metadata={"help": "the highest card"}': ""}
    ),
    "unknown annotation": Fault(
        part="parameters", rule="annotations", said="Highest", swap={"most: int": "most: 'Highest'"}
    ),
    "wrong preset": Fault(part="parameters", rule="preset", said="'least'", descriptor={"preset": "{'least': 1}"}),
    "wrong example": Fault(part="schema", rule="example", said="'many'", descriptor={"example": "{'most': 'many'}"}),
    "no example": Fault(part="schema", rule="example", said="'most' is required", swap={"default=3, ": ""}),
    "default of another type": Fault(
        part="schema", rule="parameter-schema", said="default 'three'", swap={"default=3": "default='three'"}
    ),
    # games
    "leak in an error text": Fault(
        part="leaks",
        rule="leak",
        said="verdicts",
        swap={
            "    def apply": "    def check(self, player, action):\n"
            "        if type(action) is int and 0 <= action <= self.most:\n            return None\n"
            "        return Illegal('no', f'not against {self.hands[1 - player]}')\n\n    def apply"
        },
    ),
    "leak in an observation": Fault(
        part="leaks", rule="leak", said="observation", swap={"if player in (None, p)]": "]"}
    ),
    "private deal told to all": Fault(
        part="leaks",
        rule="told",
        said="only player 0's observation shows; to see it: Broken(most=3).start(Chance(",
        swap={"card, (p,))": "card, None if p == 0 else (p,))"},
    ),
    "drawn positions that hold the truth": Fault(
        part="resample",
        rule="resample",
        said="(200 of 200 draws, ",
        swap={
            "    def clone": "    def resample_hidden(self, player, chance):\n        return self.clone()\n\n"
            "    def clone"
        },
    ),
    "limit that matches pass": Fault(
        part="conformance", rule="limit", said="only after 2 steps", swap={"max_steps=4": "max_steps=1"}
    ),
    "rules that nobody reads": Fault(
        part="conformance", rule="length", said="characters", swap={'return f"Both': 'return "so " * 9999 + f"Both'}
    ),
    "hidden information that is not declared": Fault(
        part="conformance", rule="facts", said="hidden_information", swap={"hidden_information=True, ": ""}
    ),
    "chance that is not declared": Fault(
        part="conformance", rule="facts", said="chance is False", swap={"chance=True, ": ""}
    ),
    "global luck": Fault(
        part="determinism",
        rule="determinism",
        said="global generator",
        top="import random",
        swap={'chance.index("card", self.most + 1)': 'chance.index("card", self.most + 1) * int(random.random() + 1)'},
    ),
    "hidden clock": Fault(
        part="determinism",
        rule="clock",
        said="another day",
        top="import datetime",
        swap={'"card": card}': '"card": card, "on": datetime.date.today().isoformat()}'},
    ),
    "hash order": Fault(
        part="determinism",
        rule="hash-order",
        said="hash differently",
        swap={'"card": card}': '"card": card, "words": list({"a", "b", "c", "d", "e", "f"})}'},
    ),
    "process": Fault(
        part="determinism",
        rule="process-luck",
        said="even with the same hashes",
        top="import os",
        swap={'"card": card}': '"card": card, "by": os.getpid()}'},
    ),
    "decision that changes the state": Fault(
        part="conformance",
        rule="decision",
        said="changes the state",
        swap={"    def decision(self, player):": "    def decision(self, player):\n        self.hands.append(0)"},
    ),
    "check that changes the state": Fault(
        part="conformance",
        rule="check",
        said="changes the state",
        swap={
            "    def apply": "    def check(self, player, action):\n        self.hands.append(0)\n"
            "        return State.check(self, player, action)\n\n    def apply"
        },
    ),
    "returns that do not sum to zero": Fault(
        part="conformance", rule="returns", said="zero-sum", swap={"hits[1] - hits[0])": "hits[1])"}
    ),
    "schema that accepts what check refuses": Fault(
        part="conformance",
        rule="schema",
        said="fits the schema and is refused",
        swap={
            'options=Options(range(self.most + 1), lambda card: f"say {card}")': (
                "action_schema={'type': 'integer', 'minimum': 0, 'maximum': 9}, sampler=lambda rng: rng.randint(0, 3)"
            ),
            "    def apply": "    def check(self, player, action):\n"
            "        ok = type(action) is int and 0 <= action <= self.most\n"
            "        return None if ok else Illegal('range', 'no such card')\n\n    def apply",
        },
    ),
    "check that accepts what apply cannot do": Fault(
        part="conformance",
        rule="apply",
        said="check accepts",
        swap={
            'options=Options(range(self.most + 1), lambda card: f"say {card}")': (
                "action_schema={'type': 'integer', 'minimum': 0, 'maximum': 3}, sampler=lambda rng: rng.randint(0, 2)"
            ),
            "    def apply(self, actions):": "    def check(self, player, action):\n"
            "        ok = type(action) is int and 0 <= action <= self.most\n"
            "        return None if ok else Illegal('range', 'no such card')\n\n    def apply(self, actions):\n"
            "        if 3 in actions.values():\n            raise IndexError('no card 3')",
        },
    ),
    "players that cannot play": Fault(
        part="conformance",
        rule="crash",
        said="IndexError",
        swap={"return (2,)": "return (2, 3)", "range(2)": "range(2)", "< 2": "< len(self.hands) + 1"},
    ),
    "no players": Fault(part="conformance", rule="players", said="(0, 2)", swap={"return (2,)": "return (0, 2)"}),
    "clone that shares": Fault(
        part="conformance",
        rule="clone",
        said="happens to its original",
        swap={"list(self.said))": "self.said)"},
    ),
    "state that cannot be pickled": Fault(
        part="conformance",
        rule="pickling",
        said="lambda",
        is_doubt=True,
        swap={"    said: list\n": "    said: list\n    draw: object = attrs.field(factory=lambda: lambda: 0)\n"},
    ),
    "labels that are the same": Fault(
        part="conformance", rule="labels", said="options have the label 'say it'", swap={'f"say {card}"': '"say it"'}
    ),
    "game that never ends": Fault(
        part="conformance",
        rule="endless",
        said="does not end",
        swap={"(len(self.said),) if len(self.said) < 2 else ()": "(len(self.said) % 2,)", ", max_steps=4": ""},
    ),
    "crash once in a hundred matches": Fault(
        part="playouts",
        rule="crash",
        said="to see it: Broken(most=40).start(Chance(",
        swap={
            "default=3": "default=40",
            "self.said.append(card)": "self.said.append(card)\n        if self.said == [card, card]:\n"
            "            raise ZeroDivisionError(card)",
        },
    ),
    # agents
    "illegal action in silence": Fault(
        kind="agent", part="conformance", rule="illegal", said="not legal", swap={"action=action": "action='pass'"}
    ),
    "quick agent that is not": Fault(
        kind="agent",
        part="conformance",
        rule="not-quick",
        said="ms, and every other match waits",
        is_doubt=True,
        swap={
            "async def act(self, decision):\n": "is_quick = True\n\n    def act(self, decision):\n"
            "        sum(range(1_000_000))\n"
        },
    ),
    "agent with global luck": Fault(
        kind="agent",
        part="determinism",
        rule="luck",
        said="seat.rng",
        top="import random",
        swap={"self.seat.rng)": "random)"},
    ),
    "agent that changes the match": Fault(
        kind="agent",
        part="conformance",
        rule="state",
        said="is changed",
        swap={"        return Reply": "        decision._view._state.apply({0: action})\n        return Reply"},
    ),
    "agent by hash": Fault(
        kind="agent",
        part="determinism",
        rule="hash-order",
        said="hash differently",
        swap={"action=action": "action=1 + hash(str(decision.observation)) % 3"},
    ),
    # backends
    "schema dropped": Fault(
        kind="backend",
        part="conformance",
        rule="schema",
        said="not the JSON",
        swap={"request.schema is not None": "False"},
    ),
    "usage not counted": Fault(
        kind="backend", part="conformance", rule="usage", said="was counted", swap={"=len(words[:limit]))": "=0)"}
    ),
    "length ignored": Fault(
        kind="backend",
        part="conformance",
        rule="max_tokens",
        said="tokens were written",
        swap={"request.sampling.max_tokens or len(words)": "len(words)"},
    ),
    # metrics
    "share without n": Fault(
        kind="metric", part="conformance", rule="summarize", said="its n", swap={"rows=((share,),)": "rows=((0.5,),)"}
    ),
    "measurement by luck": Fault(
        kind="metric",
        part="determinism",
        rule="luck",
        said="global generator",
        top="import random",
        swap={"[Measurement(": "[Measurement('luck', 1.0 + 0 * random.random()), Measurement("},
    ),
    # other kinds
    "misspelt hook": Fault(
        kind="observer", part="conformance", rule="hooks", said="match_finish", swap={"match_finished": "match_finish"}
    ),
    "schedule by hash": Fault(
        kind="schedule",
        part="determinism",
        rule="hash-order",
        said="hash differently",
        swap={"in agents]": "in set(agents)]"},
    ),
    "report with the time": Fault(
        kind="report",
        part="conformance",
        rule="determinism",
        said="written twice",
        top="import time",
        swap={"report.title)": "f'{report.title} {time.time_ns()}')"},
    ),
    "fickle policy": Fault(
        kind="illegal-actions",
        part="conformance",
        rule="illegal-actions",
        said="the same policy twice",
        top="from itertools import count\nNEXT = count()",
        swap={"self.retries + 1": "next(NEXT)"},
    ),
}
"""By name."""
