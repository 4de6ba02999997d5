"""Plays the parts of the campaign, writes what came of each to ``docs/campaigns.md``, and reads there what is due.

``campaigns.py play [PART or part of a test's name] [SEED]`` plays one part, those tests, or all parts; ``campaigns.py
note PART RESULT`` writes what was played elsewhere; ``campaigns.py due PART`` succeeds if something under the part's
paths has changed since the commit that the page names, or if that commit is unknown here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "campaigns.md"

PARTS = {
    "core": ["core", "plugins/authoring", "plugins/executors", "plugins/runtime"],
    "games": ["plugins/games"],
    "models": ["plugins/agents", "plugins/backends"],
    "numbers": ["plugins/exports", "plugins/metrics"],
    "pages": ["plugins/commands", "plugins/interfaces", "plugins/observers", "plugins/reports"],
    "promises": ["tests/promises"],
    "suites": ["plugins/bundles", "plugins/suites"],
    "workspace": ["tests", "--ignore=tests/promises"],
}
"""What pytest collects for each part; together they hold every test of the repository."""

SCRIPTS = {"standings": ["benchmarks/standings.py", "--runs=2000"]}
"""Parts that are a script of their own, with its arguments."""

ELSEWHERE = {
    "rllib": [
        "plugins/games/pettingzoo/pyproject.toml",
        "plugins/games/pettingzoo/src",
        "plugins/games/pettingzoo/tests/environment",
        "plugins/games/pettingzoo/tests/rllib.py",
        "plugins/interfaces/gym/src",
        "plugins/agents/solvers/src/arena_agent_solvers/rllib.py",
        "tests/torch.sh",
    ],
    "vllm": [
        "plugins/backends/vllm/pyproject.toml",
        "plugins/backends/vllm/src",
        "plugins/backends/vllm/tests/environment",
        "plugins/backends/vllm/tests/real",
        "plugins/backends/openai_protocol/src",
        "core/src/arena/backend.py",
        "tests/torch.sh",
    ],
}
"""Parts with an environment of their own, each with the paths whose change makes it due."""


def git(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """What git says in the checkout."""
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)


def noted(page: str) -> dict[str, list[str]]:
    """The cells of each part's row."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", page, re.MULTILINE)
    return {part: [cell.strip() for cell in cells.split("|")] for part, cells in rows}


def with_note(page: str, part: str, *cells: str) -> str:
    """The page with another row for a part."""
    row = f"| `{part}` | {' | '.join(cells)} |"
    return re.sub(rf"^\| `{part}` \|.*\|$", row, page, flags=re.MULTILINE)


def note(part: str, result: str, root: Path = ROOT) -> None:
    """Write when, on which commit and with what result a part was played."""
    head = git("rev-parse", "--short=12", "HEAD", root=root).stdout.strip() or "unknown"
    if git("status", "--porcelain", "--", *paths(part), root=root).stdout:
        head += " and changes"
    page = root / "docs" / "campaigns.md"
    today = datetime.now(timezone.utc).date().isoformat()  # noqa: UP017 -- for every Python that a checkout may meet
    page.write_text(with_note(page.read_text("utf-8"), part, today, head, result), "utf-8")


def paths(part: str) -> list[str]:
    """What a part depends on."""
    return [path for path in {**PARTS, **SCRIPTS, **ELSEWHERE}[part] if not path.startswith("-")]


def is_due(part: str, root: Path = ROOT) -> bool:
    """Whether a part is to be played: it passed on no commit that is known here, or something has changed since."""
    cells = noted((root / "docs" / "campaigns.md").read_text("utf-8")).get(part, [])
    if len(cells) != 3 or not cells[2].startswith("passed"):
        return True
    has_changed = git("diff", "--quiet", cells[1], "--", *paths(part), root=root).returncode != 0
    return has_changed or bool(git("status", "--porcelain", "--", *paths(part), root=root).stdout)


def play(only: str, seed: str) -> int:
    """Play one part, the tests of some name, or all parts; the exit status is the worst."""
    known = {**PARTS, **SCRIPTS}
    chosen = {only: known[only]} if only in known else {only: ["-k", only]} if only else known
    worst = 0
    for part, arguments in chosen.items():
        print(f"campaign {part} with SEED={seed}", flush=True)
        begun = time.monotonic()
        tests = ["-m", "pytest", "-n", "auto", "-m", "campaign", f"--hypothesis-seed={seed}"]
        status = subprocess.run(
            [sys.executable, *(() if part in SCRIPTS else tests), *arguments],
            cwd=ROOT,
            env={**os.environ, "ARENA_CAMPAIGN_SEED": seed},
            check=False,
        ).returncode
        if part in known:
            minutes = f"{(time.monotonic() - begun) / 60:.0f} min, SEED={seed}"
            results = {0: f"passed, {minutes}", 5: "passed, has no tests"}
            note(part, results.get(status, f"failed, {minutes}"))
        worst = max(worst, 0 if status == 5 and part in known else status)
    return worst


def main(command: str, *arguments: str) -> int:
    """Do what the command line says."""
    if command == "play":
        return play(*arguments)
    if command == "note":
        note(*arguments)
        return 0
    return 0 if is_due(*arguments) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
