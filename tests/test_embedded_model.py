"""The embedded model at every game whose words are ours, and the reports that come of it."""

import os
from html import unescape

import arena
import pytest
from arena.catalog import Catalog, Status
from arena.record import Ending
from arena_engine import Journal
from arena_engine.benchmark.parameters import describe_parameters
from arena_report import build, named_figures

MATCHES, DECISIONS = 3, 60
SEED = int(os.environ.get("ARENA_CAMPAIGN_SEED", "5"))

SHORT = {
    "tic-tac-toe": "tic-tac-toe", "kuhn-poker": "kuhn-poker", "leduc-poker": "leduc-poker",
    "matrix-rps": "matrix-rps", "matching-pennies": "matching-pennies", "matrix-pd": "matrix-pd",
    "known-end": {"use": "matrix-pd", "rounds": 3}, "open-end": {"use": "matrix-pd", "rounds": 20, "continues": 0.5},
    "matrix": {
        "use": "matrix", "rows": ["enter", "stay out"], "columns": ["fight", "yield"],
        "payoffs": [[[-1, 0], [2, 1]], [[0, 3], [0, 3]]],
    },
}  # fmt: skip
"""Asked to reason, with everything in the prompt."""

LONG = {
    "connect-four": "connect-four", "hex": {"use": "hex", "rows": 5, "columns": 5}, "chess": "chess",
    "go": {"use": "go", "size": 9}, "liars-dice": "liars-dice", "hanabi": "hanabi", "backgammon": "backgammon",
    "texas-holdem": "texas-holdem", "checkers": "checkers", "othello": "othello", "pig": "pig",
    "nine-mens-morris": "nine-mens-morris", "oware": "oware", "breakthrough": "breakthrough", "pentago": "pentago",
    "dots-and-boxes": "dots-and-boxes", "goofspiel": "goofspiel",
    "first-price-auction": "first-price-auction", "nim": "openspiel-nim", "blackjack": "blackjack", "blotto": "blotto",
    "bargaining": "bargaining", "gin-rummy": "gin-rummy",
}  # fmt: skip
"""Asked for the action alone; it is forced to be legal, so that the actions need not be listed."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Both runs, of three matches a game, each match broken off so that a game takes no more than sixty decisions."""
    folder = tmp_path_factory.mktemp("runs")
    prompts = {
        "short": (SHORT, {"style": "chain-of-thought"}),
        "long": (LONG, {"style": "direct", "history": "none", "list-actions": False}),
    }
    for name, (games, prompt) in prompts.items():
        backend = {"use": "llamacpp", "threads": 1, "slots": 2, "max-tokens": 100}
        bench = {
            "name": name, "games": games, "seed": SEED,
            "agents": {"smollm": {"use": "llm", "backend": backend, "prompt": prompt, "reasoning-limit": 60}},
            "schedule": {"use": "self-play", "repeats": MATCHES}, "limits": {"max-steps": DECISIONS // MATCHES},
            "illegal-actions": {"retries": 1, "then": "random"},
        }  # fmt: skip
        arena.run(bench, output=folder / name)
    return folder


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_the_embedded_model_plays_every_curated_game(runs, tmp_path):
    """Three matches or sixty decisions of each game, not one crash, and every report renders from the journals."""
    for name, games in (("short", SHORT), ("long", LONG)):
        matches = arena.load(runs / name).matches
        assert len(matches) == MATCHES * len(games)
        for match in matches:
            assert match.ending in (Ending.RULES, Ending.TURN_LIMIT), match
            assert match.steps > 0

    catalog = Catalog()
    metrics = {
        entry.name: entry.load()(**entry.plugin.preset)
        for entry in catalog.entries("metric")
        if entry.status is Status.OK
        and not any(p.is_required for p in describe_parameters(entry.load(), entry.plugin.preset))
    }
    with Journal.open(runs / "short") as short, Journal.open(runs / "long") as long:
        report = build([short, long], metrics)

    assert report.sections
    assert [section.text for section in report.sections if section.text.startswith("failed")] == []
    for entry in catalog.entries("report"):
        if entry.status is Status.OK:
            path = tmp_path / entry.name
            entry.load()().write(report, path)
            assert missing(report, path) == []


def missing(report, path):
    """What of a report is not in what was written: titles of sections in a file, figures in a directory."""
    if path.is_dir():
        names = {file.name.partition(".")[0] for file in path.iterdir() if file.stat().st_size > 0}
        return [name for name, _ in named_figures(report) if name not in names]
    written = unescape(path.read_text(encoding="utf-8"))
    return [section.title for section in report.sections if section.title not in written]
