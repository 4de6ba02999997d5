"""Nothing but ``arena_standings`` decides who is better; a second implementation shows by what it imports or makes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .syntax import syntax_of

pytestmark = pytest.mark.xdist_group("syntax")  # one process: reading all modules takes long

OWNER = "arena_standings"

LIBRARIES = frozenset(
    ("arena_rank", "arenakit", "choix", "elote", "evalica", "glicko2", "openskill", "skelo", "statsmodels", "trueskill")
)
"""What fits ratings or compares agents, and may be imported by the metric of other methods alone."""

METHODS = frozenset(f"arena_metric_ratings.{name}" for name in ("elo", "glicko", "orders", "weng_lin"))
"""The other methods; they may be imported where a published table shows them."""

OTHER_METHODS = frozenset({"arena_metric_ratings", "arena_suite_spin_bench"})
"""The distributions that show ratings by other methods: without ranks, or as a published table has them."""

RANKINGS = frozenset({"arena_report/formats/standing_tables.py", "arena_command_leaderboard/cells.py"})
"""The modules that make a column of ranks, from the standings."""

VALUES = frozenset({"Headline", "Pair", "Row", "Standings"})
"""What only the owner makes; others are given it."""

POINTS = 400
"""Points of a tenfold chance: whoever divides by them computes on the scale of Elo."""

POSITIONS = frozenset({"arena_agent_chess/solver.py"})
"""The modules in which such points are of a position, not of an agent."""


def imported(node: ast.AST) -> Iterator[str]:
    """The dotted names that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def seconds(path: Path, package: str, place: str) -> Iterator[str]:
    """Each sign that a module of another package rates, ranks or compares agents by itself."""
    names = [(node, name) for node in ast.walk(syntax_of(path)) for name in imported(node)]
    made = {name.rpartition(".")[2] for _, name in names if name.startswith(f"{OWNER}.")} & VALUES
    for _, name in names:
        is_other = name.partition(".")[0] in LIBRARIES or ".".join(name.split(".")[:2]) in METHODS
        if name.startswith("scipy.optimize.minimize") or (is_other and package not in OTHER_METHODS):
            yield f"{place} imports {name}"
    for node in ast.walk(syntax_of(path)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in made:
                yield f"{place} makes a {name}"
            case ast.Call(func=ast.Name(id="Column"), keywords=words) if place not in RANKINGS:
                if any(word.arg == "title" and ast.unparse(word.value) == "'#'" for word in words):
                    yield f"{place} makes a column of ranks"
            case ast.BinOp(left=left, op=ast.Div(), right=right) if (
                package not in OTHER_METHODS and place not in POSITIONS
            ):
                if any(isinstance(side, ast.Constant) and side.value == POINTS for side in (left, right)):
                    yield f"{place} computes on the scale of Elo"


def test_one_package_decides_who_is_better(distributions):
    """No other distribution imports a method of rating, makes standings or a column of ranks, or computes with Elo."""
    packages = [d.package for d in distributions if d.package.name != OWNER]

    found = [
        sign
        for package in packages
        for path in sorted(package.rglob("*.py"))
        for sign in seconds(path, package.name, path.relative_to(package.parent).as_posix())
    ]

    assert found == []


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("import choix", "imports choix"),
        ("def fit():\n    from scipy.optimize import minimize", "imports scipy.optimize.minimize"),
        ("from arena_metric_ratings import elo", "imports arena_metric_ratings.elo"),
        ("from arena_standings import Row\nfirst = Row(agent='a')", "makes a Row"),
        ("columns = [Column(name='rank', title='#')]", "makes a column of ranks"),
        ("expected = 1 / (1 + 10 ** (-gap / 400))", "computes on the scale of Elo"),
    ],
)
def test_second_implementation_is_found(tmp_path, text, sign):
    """A module that rates or ranks agents is named with what gave it away."""
    path = tmp_path / "board.py"
    path.write_text(text)

    assert list(seconds(path, "arena_other", "arena_other/board.py")) == [f"arena_other/board.py {sign}"]
