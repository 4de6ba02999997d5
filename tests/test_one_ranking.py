"""Who is better is decided in one place: nothing else fits strengths, ranks agents or compares two of them.

Structure says so: only `arena_standings` imports its own inner modules, no module but the ones named here imports a
package that fits models or rates players, and no name of a second decision exists.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("syntax")  # one process: reading all modules takes as long as the tests

ROOT = Path(__file__).parents[1]

OWN = "arena_standings"

FITS = ("scipy.optimize", "scipy.stats", "choix", "evalica", "trueskill", "openskill", "sklearn", "statsmodels")
"""What would fit strengths, or compare two agents, in another way."""

OTHERS = {
    "arena_metric_statistics": "the statistics of single figures, which the standings use themselves",
    "arena_metric_ratings": "the table of other methods, which ranks nobody",
    "arena_game_tradecraft": "the solver of a game's problems, which knows no agents",
}
"""Who may import such packages, and why."""

RATINGS = "arena_metric_ratings"

READ_RATINGS = {"arena_suite_spin_bench": "the procedure of the paper's Table 4"}

RANKS = frozenset({"ranks_of", "groups_of", "headline_of", "critical_value", "verdict_of", "RankedAgent"})
"""Names that decide, or that decided, who is better."""


def sources() -> Iterator[tuple[str, Path, ast.Module]]:
    """The modules of all distributions, with the name of their package; tests and examples decide nothing."""
    for file in sorted([*ROOT.glob("core/src/**/*.py"), *ROOT.glob("plugins/*/*/src/**/*.py")]):
        package = file.relative_to(ROOT).parts[file.relative_to(ROOT).parts.index("src") + 1]
        yield package, file.relative_to(ROOT), ast.parse(file.read_text("utf-8"))


def imported(module: ast.Module) -> Iterator[tuple[str, str]]:
    """The modules that a module imports from, and the names that it takes from them; empty for a whole module."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, each.name) for each in node.names)


def full(module: str, name: str) -> str:
    return f"{module}.{name}" if name else module


@pytest.fixture(scope="module")
def found() -> list[tuple[str, Path, ast.Module]]:
    return list(sources())


def test_the_inside_of_the_standings_is_theirs_alone(found):
    """Equations, separation and order are imported nowhere else, so nobody makes ranks from them."""
    inner = {"equations", "separation", "order", "rows", "standing", "means"}
    broken = [
        f"{path}: {module}"
        for package, path, tree in found
        if package != OWN
        for module, _ in imported(tree)
        if module.startswith(f"{OWN}.") and module.split(".")[1] in inner
    ]

    assert broken == []


def test_nothing_else_fits_strengths_or_tests_a_difference(found):
    """What fits models or tests hypotheses is imported by the named distributions alone."""
    broken = [
        f"{path}: {full(module, name)}"
        for package, path, tree in found
        if package not in OTHERS
        for module, name in imported(tree)
        if any(full(module, name) == fit or full(module, name).startswith(f"{fit}.") for fit in FITS)
    ]

    assert broken == []


def test_other_methods_are_read_where_a_paper_has_them(found):
    """The ratings of other methods are a metric; only a suite whose paper documents one imports them."""
    broken = [
        f"{path}: {module}"
        for package, path, tree in found
        if package != RATINGS and package not in READ_RATINGS
        for module, _ in imported(tree)
        if module.partition(".")[0] == RATINGS
    ]

    assert broken == []


def test_names_that_decide_who_is_better_are_defined_once(found):
    """No function or class elsewhere has the name of one that ranks, groups or separates agents."""
    broken = [
        f"{path}: {node.name}"
        for package, path, tree in found
        if package != OWN
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in RANKS
    ]

    assert broken == []


def test_a_column_of_ranks_comes_from_the_rows_of_the_standings(found):
    """The titles of such columns, `#` and `# by play`, are written by the two makers of tables alone."""
    makers = {"standing_tables.py", "cells.py", "problems_command.py"}  # the last one numbers the problems of a game
    titles = {"#", "# by play"}
    broken = [
        f"{path}: {node.lineno}"
        for _, path, tree in found
        if path.name not in makers
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"Column", "OutputColumn", "_text"}
        for value in [*node.args, *(each.value for each in node.keywords)]
        if isinstance(value, ast.Constant) and value.value in titles
    ]

    assert broken == []
