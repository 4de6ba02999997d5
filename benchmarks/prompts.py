"""What prompts cost and how often they are misunderstood: one before, and one after.

    python benchmarks/prompts.py [--turns 10] [--before '{style: direct}'] [--after '{style: brief}']
        [--games tic-tac-toe,chess] [--backend '{use: llamacpp, slots: 1, threads: 1}'] [--answers FILE]
        [--quick] [--write]

A model is asked by both prompts in the same positions of the same random matches, with the same seeds. Its answers are
judged and not played (``asked/positions.py``): the shape of an answer is enforced, the action is a free text. Printed
are tokens read anew, reused and written, the rates of unreadable and of illegal answers, and of those equal to an
example in the prompt, with 95 % intervals (Wilson), and the paired differences of what is wrong, with matches as
clusters. A prompt is no worse if over at least four games the wrong answers are at most 3 points more, and at most 8 at
the upper end of the interval. ``--turns 150`` takes the embedded model an hour; answers are kept in ``--answers``,
where a measurement that was broken off goes on.

As a row, each ratio is that of a game.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Final, TypeAlias

import attrs
from arena.game import Game
from arena_agent_llm.agent import LLM
from arena_engine.benchmark.structure import make_plugin
from asked.differences import MOST_WORSE, MOST_WORSE_SURELY, paired, rate
from asked.positions import Answered, answers
from asked.tokens import prompts_of_a_match, tokenizer
from ratios.rows import Row, limited
from ratios.script import run
from ruamel.yaml import YAML

GAMES: Final = ("tic-tac-toe", "connect-four", "kuhn-poker", "leduc-poker")
LEAST_GAMES: Final = 4
"""Fewer games say nothing about a prompt as such."""

CHESS_GOAL: Final = 44_000

ByGame: TypeAlias = dict[str, dict[str, list[Answered]]]
"""Answers by game and by prompt, ``before`` or ``after``."""


def _cpu(each: Answered) -> float:
    return each.seconds


TOKENS: Final[dict[str, Callable[[Answered], float]]] = {
    "read anew": lambda each: each.sent - each.reused,
    "reused": lambda each: each.reused,
    "written": lambda each: each.written,
}
WRONG: Final[dict[str, Callable[[Answered], bool]]] = {
    "unreadable": lambda each: each.found == "unreadable",
    "illegal": lambda each: each.found == "illegal",
    "unreadable or illegal": lambda each: each.found != "legal",
}
COPIED: Final[dict[str, Callable[[Answered], bool]]] = {"equal to an example": lambda each: each.copied}


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Both prompts in all games."""
    if options.quick:
        options.games, options.turns = options.games.split(",")[0], min(options.turns, 3)
    found = asyncio.run(asked(options, options.turns))
    tell(found)
    yield from rows(found, f"{options.after} × {options.before}")
    yield chess(options)


async def asked(options: argparse.Namespace, turns: int) -> ByGame:
    """The answers to both prompts, in so many turns of each game or more; matches that are kept are all there.

    All turns of a match are asked one after another, as they are when it is played.
    """
    kept = Kept(options.answers)
    agents = {which: agent(getattr(options, which), options.backend) for which in ("before", "after")}
    backend = agents["before"].backend
    connection = await backend.connect()
    games: dict[str, Game] = {name: make_plugin("game", name) for name in options.games.split(",")}
    found: ByGame = {name: {which: [] for which in agents} for name in games}
    seed = 0
    try:
        while left := [n for n in games if len(found[n]["after"]) < turns or kept.has(agents, f"{n}/{seed}")]:
            for name, which in product(left, agents):
                match = f"{which}/{name}/{seed}"
                if match not in kept.matches:
                    prompt = agents[which].prompt
                    kept.add(match, await answers(games[name], name, prompt, backend, connection, seed))
                found[name][which] += kept.matches[match]
            seed += 1
    finally:
        await connection.close()
    return found


def agent(prompt: str, backend: str) -> LLM:
    """The agent that asks by a prompt, both as a benchmark file would write them."""
    read = YAML(typ="safe", pure=True).load
    return make_plugin("agent", {"use": "llm", "prompt": read(prompt), "backend": read(backend)})


class Kept:
    """Answers by match in a file, a match a line, so that nothing is asked twice; without a file, in memory."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.matches: dict[str, list[Answered]] = {}
        for line in file.read_text("utf-8").splitlines() if file and file.exists() else ():
            match, raw = json.loads(line)
            self.matches[match] = [Answered(**each) for each in raw]

    def has(self, prompts: Iterable[str], match: str) -> bool:
        """Whether the answers to all prompts are kept of a match."""
        return all(f"{which}/{match}" in self.matches for which in prompts)

    def add(self, match: str, found: list[Answered]) -> None:
        """Keep the answers of one match."""
        self.matches[match] = found
        if self._file:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([match, [attrs.asdict(each) for each in found]]) + "\n")


def pooled(found: ByGame) -> dict[str, list[Answered]]:
    """The answers of all games together, by prompt."""
    return {which: [each for both in found.values() for each in both[which]] for which in ("before", "after")}


def tell(found: ByGame) -> None:
    """Print what was found in each game, and in all together."""
    for name, both in {**found, "all games": pooled(found)}.items():
        print(name)
        for which, each in both.items():
            told = ", ".join(f"{mean(each, of):.1f} {what}" for what, of in TOKENS.items())
            print(f"  {which}: {len(each)} turns; tokens a turn: {told}; {mean(each, _cpu):.2f} CPU s a turn")
            print("    " + "; ".join(f"{what} {rate(each, of)}" for what, of in {**WRONG, **COPIED}.items()))
        for what, of in WRONG.items():
            print(f"  {what}, after less before: {paired(both['before'], both['after'], of)}")


def rows(found: ByGame, names: str) -> Iterator[Row]:
    """The ratios, one a game."""
    for what, of in {**{f"tokens {what}": of for what, of in TOKENS.items()}, "CPU": _cpu}.items():
        pairs = [(mean(both["after"], of), mean(both["before"], of)) for both in found.values()]
        if all(before for _, before in pairs):
            yield Row(name=f"{what} a turn, {names}", ratios=tuple(after / before for after, before in pairs))
    if len(found) >= LEAST_GAMES:
        together = pooled(found)
        for what, of in WRONG.items():
            more = paired(together["before"], together["after"], of)
            yield limited(f"{what} more often, {names}", 100 * more.value, 100 * MOST_WORSE, "points", note=str(more))
            yield limited(f"{what} more often, at most, {names}", 100 * more.high, 100 * MOST_WORSE_SURELY, "points")


def chess(options: argparse.Namespace) -> Row:
    """The tokens of all prompts of both players in 80 moves of chess, beside those before and those allowed."""
    game = make_plugin("game", "chess")
    with tokenizer() as by:
        before, after = (
            asyncio.run(prompts_of_a_match(game, agent(prompt, options.backend), by, 80))
            for prompt in (options.before, options.after)
        )
    name = "prompts of 80 moves of chess, legal moves and moves so far included"
    return limited(name, after, CHESS_GOAL, "tokens", note=f"{after:,}, before {before:,}")


def mean(answers: Sequence[Answered], of: Callable[[Answered], float]) -> float:
    """The mean over turns."""
    return fmean(map(of, answers))


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--turns", type=int, default=10, help="turns a game and prompt")
    parser.add_argument("--before", default="{style: direct}")
    parser.add_argument("--after", default="{style: brief}")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--backend", default="{use: llamacpp, slots: 1, threads: 1}")
    parser.add_argument("--answers", type=Path, help="a file that keeps the answers, and gives those it has")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
