"""Every screen gives the same answer to who is better: sentences, order, ranks, ratings and intervals are one value."""

import html
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from arena.catalog import Catalog
from arena_engine import Journal, run as run_benchmark
from arena_report import Report, build
from arena_report.formats.latex import render as latex
from arena_report.formats.markdown import render as markdown

pytestmark = pytest.mark.xdist_group("one-answer")

PLAYERS: list[Any] = [
    "random",
    "first-legal",
    {"use": "mcts", "simulations": 4},
    {"use": "mcts", "simulations": 25},
    {"use": "scripted", "actions": [], "then": "refuse"},
    {"use": "llm", "backend": {"use": "scripted", "answers": ["nonsense"]}},
]
GAMES: list[Any] = ["tic-tac-toe", "connect-four", {"use": "hex", "rows": 3, "columns": 3}]
PAYING = ["kuhn-poker"]


def generated(seed: int) -> dict[str, Any]:
    """A benchmark of 2 to 6 agents and 1 to 3 games; agents may fail, never meet, or meet once."""
    dice = Random(seed)
    pays = dice.random() < 0.4
    games = PAYING * pays or dice.sample(GAMES, dice.randint(1, 3))
    players = [p for p in PLAYERS if not pays or not isinstance(p, dict) or p["use"] != "mcts"]
    chosen = dice.sample(players, dice.randint(2, len(players)))
    return {
        "name": f"run-{seed}",
        "seed": seed,
        "games": {f"g{i}": game for i, game in enumerate(games)},
        "agents": {f"agent-{i}": player for i, player in enumerate(chosen)},
        "schedule": {"use": "round-robin", "repeats": dice.choice([1, 2, 7])},
        "illegal-actions": {"retries": 1, "then": dice.choice(["forfeit", "disqualify"])},
        "metrics": [],
    }


def plain(text: str) -> str:
    """What a reader of a document sees, in one line: without tags, escapes and the marks of tables."""
    for sign, written in {"[": "{[}", "]": "{]}", "–": r"\textendash{}", "−": r"\textminus{}", "-": "{-}"}.items():
        text = text.replace(written, sign)
    text = re.sub(r"\\ensuremath\{\\(geq|leq)\}", lambda found: "≥" if found[1] == "geq" else "≤", text)
    text = html.unescape(re.sub(r"<[^>]*>", " ", text)).replace(r"\textgreater{}", ">").replace(r"\textless{}", "<")
    return " ".join(re.sub(r"[\\|&*]", " ", text).split())


def documents(run: Path, report: Report) -> dict[str, str]:
    """The report of a run in every form, as a reader sees it."""
    page = run.parent / "page.html"
    Catalog().get("report", "html").load()().write(report, page)
    terminal = Catalog().get("report", "terminal").load()()
    terminal.write(report, run.parent / "page.txt")
    return {
        "terminal": plain((run.parent / "page.txt").read_text("utf-8")),
        "markdown": plain(markdown(report)),
        "latex": plain(latex(report)),
        "html": plain(page.read_text("utf-8")),
    }


@pytest.mark.sample(fast=2, slow=8)
@pytest.mark.parametrize("seed", range(200))
def test_all_forms_say_the_same(tmp_path, arena, seed):
    """The numbers of the JSON stand in each document, and the leaderboard's table is that of the report."""
    run = run_benchmark(generated(seed), output=tmp_path / "run").directory
    with Journal.open(run) as journal:
        report = build([journal])
    told = json.loads(arena("report", run, "--json").stdout)["verdict"]
    board = json.loads(arena("leaderboard", run, "--json").stdout)["verdict"]

    assert told["sentences"] == list(report.verdict.sentences)
    for name, text in documents(run, report).items():
        for sentence in told["sentences"]:
            assert plain(sentence) in text, (name, sentence)
        for row in (row for part in told["parts"] if len(part["rows"]) > 1 for row in part["rows"]):
            best, worst = row["ranks"]
            rank = str(best) if best == worst else f"{best}–{worst}"
            shown = "" if row["rating"] is None else str(round(row["rating"]))
            if row["mean"] is not None:
                shown = f"{abs(row['mean']['value']):.2f}"
            assert re.search(rf"\b{rank} {row['agent']}\b.{{0,40}}?{shown}", text), (name, row)
    assert [row["rating"] for part in board["parts"] for row in part["rows"]] == [
        row["rating"] for part in told["parts"] for row in part["rows"]
    ]
