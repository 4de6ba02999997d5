"""What was measured at random, as tables and goals in Markdown."""

import os
import platform
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median

from random_play.meters import Rounds

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- written by benchmarks/engine.py -->\n", "<!-- end of what benchmarks/engine.py writes -->\n"
TITLES = {
    "openspiel": "OpenSpiel",
    "state": "state",
    "journal": "journal",
    "referee": "referee",
    "pettingzoo": "PettingZoo",
    "textarena-bare-fresh": "TextArena bare, fresh",
    "textarena-bare-kept": "bare, kept",
    "textarena-default-fresh": "default, fresh",
    "textarena-default-kept": "default, kept",
}
DISTS = ("open-spiel", "pettingzoo", "textarena")
RATIOS = (
    ("state", "openspiel"),
    ("referee", "pettingzoo"),
    ("referee", "textarena-bare-fresh"),
    ("referee", "textarena-bare-kept"),
    ("referee", "textarena-default-fresh"),
)
GOALS = (
    ("state", "openspiel", dict.fromkeys(("tic-tac-toe", "connect-four", "kuhn-poker", "chess"), 0.25)),
    ("referee", "textarena-bare-fresh", {"tic-tac-toe": 1.0, "chess": 10.0}),
)
PUBLISHED = {"tic-tac-toe": (4.6, 174_000), "connect-four": (2.2, 52_000), "kuhn-poker": (9.4, 182_000)}
"""Episodes per second of Board Game Arena's own loop, random against random, and of OpenSpiel's on the same machine."""

TIMES_PUBLISHED = 1_000
"""How many times its share of OpenSpiel's speed ours is to be."""


def report(found: Mapping[str, Rounds], rounds: int) -> tuple[str, bool]:
    """What was measured in each game, and whether all goals are met."""
    aims, shares = list(_goals(found)), list(_published(found))
    versions = ", ".join(f"{dist} {version(dist)}" for dist in DISTS)
    peers = [peer for peer in TITLES if any(peer in game for game in found.values())]
    parts = [
        f"{rounds} rounds on {os.cpu_count()} cores; Python {platform.python_version()}, {versions}.\n",
        "Steps per CPU second, medians of the rounds:\n",
        _rates(found, [peer for peer in peers if not peer.startswith("textarena")]),
        _rates(found, [peer for peer in peers if peer.startswith(("referee", "textarena"))]),
        _observed(found),
        "Arena's rate over a peer's, medians of the rounds (least to greatest):\n",
        _compared(found),
        _table(("goal", "found"), (aim[:2] for aim in aims)),
        _paces([row for row, _ in shares]),
    ]
    return "\n".join(filter(None, parts)), all(is_met for *_, is_met in (*aims, *shares))


def write(text: str) -> None:
    """Put it into the documentation, in the place of what was written there before."""
    before, begin, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    assert end, f"{PAGE} has no place for it"
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")


def _table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _rates(found: Mapping[str, Rounds], peers: Collection[str]) -> str:
    rows = [
        (name, *(f"{median(m.rate for m in game[peer]):,.0f}" if peer in game else "-" for peer in peers))
        for name, game in found.items()
    ]
    return _table(("game", *(TITLES[peer] for peer in peers)), rows)


def _observed(found: Mapping[str, Rounds]) -> str:
    kept = {name: game["textarena-default-kept"] for name, game in found.items() if "textarena-default-kept" in game}
    # One more was played before the first round.
    matches = ", ".join(f"{name} {1 + sum(meter.episodes for meter in meters):,}" for name, meters in kept.items())
    return matches and f"Matches that *default, kept* has observed at the end: {matches}.\n"


def _ratios(game: Rounds, one: str, other: str) -> list[float]:
    return [a.rate / b.rate for a, b in zip(game.get(one, ()), game.get(other, ()), strict=False)]


def _spread(ratios: Collection[float], digits: int = 2) -> str:
    if not ratios:
        return "-"
    middle, least, greatest = (f"{ratio:.{digits}f}" for ratio in (median(ratios), min(ratios), max(ratios)))
    return f"{middle} ({least} to {greatest})"


def _compared(found: Mapping[str, Rounds]) -> str:
    rows = ((name, *(_spread(_ratios(game, *pair)) for pair in RATIOS)) for name, game in found.items())
    return _table(("game", *(f"{one} / {TITLES[other]}" for one, other in RATIOS)), rows)


def _goals(found: Mapping[str, Rounds]) -> Iterator[tuple[str, str, bool]]:
    for one, other, bounds in GOALS:
        for name, bound in bounds.items():
            if ratios := _ratios(found.get(name, {}), one, other):
                is_met = median(ratios) >= bound
                aim = f"{name}: {one} at least {bound:g} × {TITLES[other]}"
                yield aim, f"{'met' if is_met else 'missed'}: {_spread(ratios)}", is_met


def _paces(rows: Collection[Sequence[str]]) -> str:
    head = ("game", "OpenSpiel", "journal", "ratio", "goal", "times Board Game Arena's share")
    return f"Episodes per CPU second with Arena's journal on:\n\n{_table(head, rows)}" if rows else ""


def _published(found: Mapping[str, Rounds]) -> Iterator[tuple[Sequence[str], bool]]:
    for name, (theirs, raw) in PUBLISHED.items():
        game = found.get(name, {})
        if not {"journal", "openspiel"} <= set(game):
            continue
        shares = [a.pace / b.pace for a, b in zip(game["journal"], game["openspiel"], strict=True)]
        goal, found_share = TIMES_PUBLISHED * theirs / raw, median(shares)
        paces = (f"{median(meter.pace for meter in game[peer]):,.0f}" for peer in ("openspiel", "journal"))
        verdict = f"{goal:.4f}, {'met' if found_share >= goal else 'missed'}"
        yield (name, *paces, _spread(shares, 3), verdict, f"{found_share / (theirs / raw):,.0f}"), found_share >= goal
