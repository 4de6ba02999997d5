"""Plant mistakes in the code, one at a time, and see which of them the fast tests of its own distribution find.

    .venv/bin/python tools/mutation.py [--tests CHECKOUT] [--only PART-OF-A-PATH] [--output FILE] [--before FILE]

The same as ``make mutation``. Fifteen mutants of each of ten distributions are in ``tools/mutants.json``, with the text
of their lines; ``--draw`` draws them anew, from the same seed. Each is planted in a copy of the distribution's source,
which stands before the installed one on Python's path. Its tests stop at the first failure. ``--tests`` takes the tests
of another checkout; ``--before`` is what another run found, and the exit status is 1 if more than five of it are lost.
"""

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tools" / "mutants.json"
PLUGINS = "runtime/engine runtime/report interfaces/cli agents/llm agents/solvers games/grid games/tradecraft"
DISTRIBUTIONS = ["core", *(f"plugins/{name}" for name in f"{PLUGINS} metrics/outcomes metrics/ratings".split())]
EACH, SEED, MAY_BE_LOST = 15, 38, 5
OTHERS = {
    "Lt": "<=", "LtE": "<", "Gt": ">=", "GtE": ">", "Eq": "!=", "NotEq": "==", "In": "not in", "NotIn": "in",
    "Is": "is not", "IsNot": "is", "And": "or", "Or": "and", "Add": "-", "Sub": "+", "Mult": "+", "Div": "*",
}  # fmt: skip
"""What is written in the place of an operator."""


def mutants_of(path: Path) -> Iterator[dict[str, Any]]:
    """Each mistake that can be planted within a line of a module that is Python with it, too."""
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        for (row, begin), (last, stop), new in replaced(node):
            line = text.splitlines()[row - 1]
            becomes = f"{line[:begin]}{new}{line[stop:]}"
            found = {"path": path.relative_to(ROOT).as_posix(), "line": row, "was": line, "becomes": becomes}
            if row == last and line.isascii() and becomes != line and is_python(planted(text, found)):
                yield found


def replaced(node: ast.AST) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    """From where to where a node is written in another way, and how: operators, numbers, conditions and results."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) | ast.BinOp(left=left, op=op, right=right):
            yield end(left), start(right), f" {OTHERS.get(type(op).__name__, '*')} "
        case ast.BoolOp(op=op, values=[left, right]):
            yield end(left), start(right), f" {OTHERS[type(op).__name__]} "
        case ast.Constant(value=bool() | int() as value):
            yield start(node), end(node), str(not value if isinstance(value, bool) else value + 1)
        case ast.If(test=test) | ast.IfExp(test=test):
            yield start(test), end(test), f"not ({ast.unparse(test)})"
        case ast.Return(value=ast.expr() as value):
            yield start(value), end(value), "None"


def start(node: ast.expr) -> tuple[int, int]:
    """The line and column where an expression begins."""
    return node.lineno, node.col_offset


def end(node: ast.expr) -> tuple[int, int]:
    """The line and column where it ends."""
    return node.end_lineno or 0, node.end_col_offset or 0


def is_python(text: str) -> bool:
    """Whether it can be compiled."""
    try:
        return bool(ast.parse(text))
    except SyntaxError:
        return False


def planted(text: str, mutant: dict[str, Any]) -> str:
    """A module with the mistake, in the line that is as it was and nearest to where it was."""
    lines = text.splitlines()
    places = [place for place, line in enumerate(lines) if line == mutant["was"]]
    if not places:
        raise SystemExit(f"{mutant['path']} has changed: {mutant['was']!r} is gone; draw the mutants anew with --draw")
    lines[min(places, key=lambda place: abs(place + 1 - mutant["line"]))] = mutant["becomes"]
    return "\n".join(lines) + "\n"


def failure(name: str, tests: Path, source: Path, limit_s: float | None) -> str:
    """How the fast tests of a distribution fail, or hang, with this source of it; empty if they pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-n", "2", str(tests / name)]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=tests, env=environment, capture_output=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return "they hang"
    return (done.stdout + done.stderr).decode()[-2_000:] if done.returncode else ""  # pytest's own faults come second


def tried(name: str, tests: Path) -> Iterator[dict[str, Any]]:
    """The mutants of a distribution, with whether each was found."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(shutil.copytree(ROOT / name / "src", Path(folder, "src")))
        began = time.monotonic()
        if said := failure(name, tests, source, None):
            raise SystemExit(f"the tests of {name} fail without any mutant:\n{said}")
        limit_s = 30 + 4 * (time.monotonic() - began)
        for mutant in json.loads(LIST.read_text("utf-8"))[name]:
            path = source.parents[0] / Path(mutant["path"]).relative_to(name)
            sound = path.read_text("utf-8")
            path.write_text(planted(sound, mutant), "utf-8")
            yield {**mutant, "found": bool(failure(name, tests, source, limit_s))}
            path.write_text(sound, "utf-8")


def main() -> int:
    """Draw, or try and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="draw the mutants anew")
    parser.add_argument("--tests", type=Path, default=ROOT, help="the checkout with the tests")
    parser.add_argument("--only", default="", help="distributions with this in their path")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "mutation.json")
    parser.add_argument("--before", type=Path, help="what was found by other tests")
    options = parser.parse_args()
    if options.draw:
        modules = {name: sorted((ROOT / name / "src").rglob("*.py")) for name in DISTRIBUTIONS}
        every = {name: [each for path in paths for each in mutants_of(path)] for name, paths in modules.items()}
        drawn = {name: Random(f"{SEED} {name}").sample(found, EACH) for name, found in every.items()}
        LIST.write_text(json.dumps(drawn, indent=0) + "\n", "utf-8")
        return 0
    found: list[dict[str, Any]] = []
    options.output.parent.mkdir(parents=True, exist_ok=True)
    for name in (name for name in DISTRIBUTIONS if options.only in name):
        for mutant in tried(name, options.tests.resolve()):
            found.append(mutant)
            print(".s"[not mutant["found"]], end="", file=sys.stderr, flush=True)
            options.output.write_text(json.dumps(found) + "\n", "utf-8")
    print(f"\n{sum(mutant['found'] for mutant in found)} of {len(found)} mutants are found; {options.output}")
    before = json.loads(options.before.read_text("utf-8")) if options.before else []
    lost = [mutant for mutant in found if not mutant["found"] and {**mutant, "found": True} in before]
    for mutant in lost:
        print(f"lost: {mutant['path']}:{mutant['line']}: {mutant['becomes'].strip()}")
    return len(lost) > MAY_BE_LOST


if __name__ == "__main__":
    sys.exit(main())
