"""Hosted models: how well a provider is used, how its true limit is found, and that a budget holds.

    python benchmarks/hosted.py [--matches 300] [--latency 1] [--without-peer] [--write]

The provider is a server on this machine (``provider/server.py``), in a process of its own and with a log of its own,
asked by ``openai-compatible``. Matches of tic-tac-toe between two ``llm`` agents, journal on. *Trouble*: 64 requests at
once, 5 % of them refused for a second, 2 % broken, 1 % dropped, 1 % garbage; the limit is the number of requests in the
server's log times the latency, over 64. *A hidden limit*: the agents may ask 64 at once, the server bears 20 and
refuses the others. *Budget*: a number of tokens that is spent in the middle. TextArena plays as many matches against
the same kind of server, with its own agent for OpenAI's protocol and one thread for each of the 64 places.
"""

import argparse
import asyncio
import contextlib
import io
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

from arena.hookspecs import hookimpl
from arena_engine import RunStatus, build_benchmark
from arena_engine.execution.runner import create_run, play_run
from provider.process import outcomes, provider
from ratios.rows import Row, limited
from ratios.script import run

PLACES = 64
HIDDEN = 20
ANSWER = 220
"""Tokens of a request and its answer, as the server counts them."""
GOAL_TIME = 1.2
GOAL_OFF = 0.2
LATE_S = 0.1
"""How long a request that was admitted before the budget was spent may be on its way."""


class Purse:
    """An observer that notes when a number of tokens was spent, as the run itself learns it."""

    def __init__(self, tokens: int) -> None:
        self._left = tokens
        self.spent_at = float("inf")

    @hookimpl
    def completion_received(self, completion: Any) -> None:
        """Count an answer that has been written down."""
        self._left -= completion.usage.prompt_tokens + completion.usage.completion_tokens
        if self._left <= 0:
            self.spent_at = min(self.spent_at, time.monotonic())


def play(
    address: str, directory: Path, matches: int, limits: Mapping[str, int], watchers: Mapping[str, object]
) -> tuple[RunStatus, float]:
    """Play against a server; what came of it, and the seconds it took."""
    backend = {
        "use": "openai-compatible",
        "model": "local",
        "base_url": address,
        "concurrency": PLACES,
        "prices": {"input": 1.0, "output": 1.0},
    }
    player = {"use": "llm", "backend": backend}
    plain = {
        "name": "serving",
        "seed": 1,
        "games": {"game": {"use": "tic-tac-toe"}},
        "agents": {"one": player, "two": player},
        "schedule": {"use": "round-robin", "repeats": matches, "rotate_seats": False},
        "limits": {"concurrency": matches, **limits},
    }
    benchmark = build_benchmark(plain)
    with create_run(benchmark, directory) as journal:
        begun = time.monotonic()
        outcome = asyncio.run(play_run(journal, benchmark, watchers, lambda *failure: sys.exit(str(failure))))
        return outcome, time.monotonic() - begun


def trouble(directory: Path, matches: int, latency: float) -> Sequence[Row]:
    """All matches against a server that fails at times."""
    with provider(directory, "trouble", "--faults", "--latency", str(latency), "--places", str(PLACES)) as server:
        cpu = time.process_time()
        outcome, seconds = play(server.address, directory / "trouble", matches, {}, {})
        cpu = time.process_time() - cpu
        entries = server.entries()
    ideal = len(entries) * latency / PLACES
    print(f"trouble: {outcome.finished} of {matches} matches in {seconds:.1f} s; {len(entries)} requests: ", end="")
    print(outcomes(entries))
    span = max(entry.until for entry in entries) - entries[0].at
    each_ms = 1_000 * cpu / len(entries)
    print(f"  from the first request to the last answer {span:.1f} s; {each_ms:.1f} ms of CPU per request")
    lost = matches - outcome.finished
    return (
        none("trouble: matches not accounted for", lost, next(iter(outcome.failed.values()), "all ended by the rules")),
        of_most("trouble: time × the ideal", seconds / ideal, GOAL_TIME, f"{seconds:.1f} and {ideal:.1f} s"),
    )


def hidden_limit(directory: Path, matches: int, latency: float) -> Sequence[Row]:
    """A server that bears fewer requests at once than the agents may ask."""
    with provider(directory, "hidden", "--refuses", "--latency", str(latency), "--places", str(HIDDEN)) as server:
        outcome, seconds = play(server.address, directory / "hidden", matches, {}, {})
        entries = server.entries()
    middle, end = entries[0].at + (entries[-1].until - entries[0].at) / 2, entries[-1].at
    later = [entry for entry in entries if middle <= entry.at < end]
    answered = [entry for entry in later if entry.outcome == "answered"]
    seconds_each = fmean(entry.until - entry.at for entry in answered)
    # Who is refused at once would have been there as long as the others.
    asked = len(later) * seconds_each / (end - middle)
    served = len(answered) * seconds_each / (end - middle)
    print(f"hidden limit: {outcome.finished} of {matches} matches in {seconds:.1f} s; {outcomes(entries)}")
    print(f"  second half: {asked:.1f} asked at once, {served:.1f} of them served; the server bears {HIDDEN}")
    return (
        none("hidden limit: matches not accounted for", matches - outcome.finished, outcomes(entries)),
        of_most("hidden limit: asked at once, off it", abs(asked / HIDDEN - 1), GOAL_OFF, f"{asked:.1f} of {HIDDEN}"),
        of_most(
            "hidden limit: served at once, off it", abs(served / HIDDEN - 1), GOAL_OFF, f"{served:.1f} of {HIDDEN}"
        ),
    )


def budget(directory: Path, matches: int, latency: float) -> Sequence[Row]:
    """A budget of tokens that is spent after about half of the run."""
    tokens = ANSWER * matches * 4
    purse = Purse(tokens)
    with provider(directory, "budget", "--faults", "--latency", str(latency), "--places", str(PLACES)) as server:
        limits = {"budget_tokens": tokens}
        outcome, _ = play(server.address, directory / "budget", matches, limits, {"purse": purse})
        entries = server.entries()
    late = [entry.at - purse.spent_at for entry in entries if entry.at > purse.spent_at]
    over = sum(entry.tokens for entry in entries) - tokens
    print(f"budget: {tokens} tokens, {over} more were used; {outcome.stopped}")
    print(f"  {len(late)} requests came after it was spent, the last {1_000 * max(late, default=0):.0f} ms after")
    return (
        none("budget: exit status off 3", abs(outcome.exit_status - 3), "3 is a clean stop"),
        none("budget: requests after it was spent", sum(s > LATE_S for s in late), f"later than {1_000 * LATE_S:g} ms"),
        limited("budget: answers over it", max(0, over) / ANSWER, PLACES, "", "at most what was in flight"),
    )


def peer(directory: Path, matches: int, latency: float) -> Row:
    """TextArena against the same kind of server."""
    import textarena

    def one(number: int) -> bool:
        agents = {player: textarena.agents.OpenAIAgent("local", api_key="none", base_url=address) for player in (0, 1)}
        environment = textarena.make("TicTacToe-v0")
        environment.reset(num_players=2, seed=number)
        is_over = False
        while not is_over:
            player, observation = environment.get_observation()
            is_over, _ = environment.step(action=agents[player](observation))
        environment.close()
        return True

    def safely(number: int) -> bool:
        try:
            return one(number)
        except Exception:
            return False

    with provider(directory, "peer", "--faults", "--latency", str(latency), "--places", str(PLACES)) as server:
        address = server.address
        begun, cpu = time.monotonic(), time.process_time()
        with ThreadPoolExecutor(PLACES) as threads, contextlib.redirect_stdout(io.StringIO()):
            finished = sum(threads.map(safely, range(matches)))
        seconds, cpu = time.monotonic() - begun, time.process_time() - cpu
        entries = server.entries()
    ideal = len(entries) * latency / PLACES
    note = f"{seconds:.1f} and {ideal:.1f} s; {finished} of {matches} matches; {outcomes(entries)}"
    return Row(
        name="trouble: time of TextArena's agent × the ideal",
        ratios=(seconds / ideal,),
        against="nothing",
        note=f"{note}; {1_000 * cpu / len(entries):.1f} ms of CPU per request",
    )


def of_most(name: str, found: float, goal: float, note: str) -> Row:
    """What depends on how busy the machine is, and is held against its goal alone."""
    return Row(name=name, ratios=(found,), goal=goal, against="limit", note=note)


def none(name: str, found: float, note: str) -> Row:
    """What must not happen at all."""
    return of_most(name, found, 0, note)


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Trouble, a hidden limit, a budget, and TextArena in the same trouble; each once, since each takes minutes."""
    matches, latency = options.matches, options.latency
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        yield from trouble(directory, matches, latency)
        yield from hidden_limit(directory, max(1, matches // 4), latency)
        yield from budget(directory, max(1, matches // 4), latency)
        if not options.without_peer:
            yield peer(directory, matches, latency)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds per completion")
    parser.add_argument("--without-peer", action="store_true", help="leave TextArena out")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, dists=("aiohttp", "textarena"), arguments=arguments, has_quick=False))
