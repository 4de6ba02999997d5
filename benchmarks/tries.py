"""How a model's first and second tries are read where nothing forces their form.

    python benchmarks/tries.py [--turns 8] [--games tic-tac-toe,kuhn-poker] [--styles direct,brief]
        [--backend '{use: llamacpp, slots: 1}'] [--quick] [--write]

The model is asked in positions of random matches, without a schema and without tools. An answer that is refused or
illegal is asked for once more, with the reason. Printed are, by style and try, how many answers were played, illegal,
and refused by each kind; ``docs/answers.md`` shows the table.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

import attrs
from arena.agent import Completions, Refusal, Response
from arena.backend import Backend, Completion, CompletionRequest, Connection
from arena.game import ABSENT, Decision, Illegal, PlayerView, Rejected
from arena.record import JSON, Player
from arena_agent_llm.agent import LLM
from arena_agent_llm.prompts.prompt import Prompt
from arena_engine.benchmark.structure import make_plugin
from asked.positions import decisions, response, seated
from ratios.rows import Row
from ratios.script import run
from ruamel.yaml import YAML

GAMES: Final = ("tic-tac-toe", "connect-four", "kuhn-poker", "leduc-poker", "hex")
STYLES: Final = ("direct", "chain-of-thought", "brief")
FROM_ONE_MATCH: Final = 4
KINDS: Final = ("played", "illegal", "unreadable", "ambiguous", "truncated", "empty")


class Asking(Completions):
    """Sends requests to an open connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        sampling = backend.with_defaults(request.sampling)
        return await self._connection.complete(attrs.evolve(request, sampling=sampling))

    def branch(self, name: str) -> Completions:
        return self


async def counted(options: argparse.Namespace, style: str) -> list[Counter[str]]:
    """The kinds of first and of second tries in so many turns of each game, by one style."""
    backend = make_plugin("backend", YAML(typ="safe", pure=True).load(options.backend))
    connection = await backend.connect()
    found: list[Counter[str]] = [Counter(), Counter()]
    agent = LLM(backend=backend, prompt=Prompt(style=style), constrained=False)
    try:
        for name in options.games.split(","):
            await _of_game(name, agent, connection, options, found)
    finally:
        await connection.close()
    return found


async def _of_game(
    name: str, agent: LLM, connection: Connection, options: argparse.Namespace, found: list[Counter[str]]
) -> None:
    game = make_plugin("game", name)
    for seed in range(-(-options.turns // FROM_ONE_MATCH)):
        seat = Player(seed % 2)
        player = agent.join(seated(game, seat, Asking(connection), f"{name}/{seed}"))
        for decision in islice(decisions(game, seat, seed), min(FROM_ONE_MATCH, options.turns)):
            said = await response(player, decision)
            found[0][kind_of(said, decision)] += 1
            if (rejected := _rejected(said, decision)) is not None:
                found[1][kind_of(await response(player, _again(decision, rejected)), decision)] += 1


def kind_of(said: Response, decision: Decision) -> str:
    """What became of an answer."""
    if isinstance(said, Refusal):
        return said.kind.value
    return "illegal" if decision.check(said.action) else "played"


def _rejected(said: Response, decision: Decision) -> Rejected | None:
    if isinstance(said, Refusal):
        return Rejected(said.kind.value, said.reason, ABSENT)
    illegal = decision.check(said.action)
    return None if illegal is None else Rejected(illegal.kind, illegal.reason, said.action)


class _Seen(PlayerView):
    """The same position once more, as a decision shows it."""

    def __init__(self, decision: Decision) -> None:
        self._decision = decision

    def observe(self) -> JSON:
        return self._decision.observation

    def check(self, action: JSON) -> Illegal | None:
        return self._decision.check(action)


def _again(decision: Decision, rejected: Rejected) -> Decision:
    more = {"turn": decision.turn, "attempt": 1, "rejected": (rejected,), "refusals": 1, "forms": decision.forms}
    return decision.asked(_Seen(decision), **more)


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """One table, and the share of first tries that are played, as a row for each style."""
    if options.quick:
        options.games, options.styles, options.turns = "tic-tac-toe", "direct", 1
    print(f"| style | try | answers | {' | '.join(KINDS)} |\n|---|---|---|{'---|' * len(KINDS)}")
    for style in options.styles.split(","):
        tries = asyncio.run(counted(options, style))
        for number, kinds in enumerate(tries, start=1):
            told = " | ".join(str(kinds[kind]) for kind in KINDS)
            print(f"| `{style}` | {number} | {kinds.total()} | {told} |", flush=True)
        share = tries[0]["played"] / max(1, tries[0].total())
        yield Row(name=f"first tries that are played, of all, `{style}`", ratios=(share,), against="nothing")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--styles", default=",".join(STYLES))
    parser.add_argument("--backend", default="{use: llamacpp, slots: 1, max-tokens: 200}")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
