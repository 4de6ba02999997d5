"""What the documents say of errors and contracts is what the code says, and the notebook runs."""

import ast
import re
from pathlib import Path

import pytest
from arena import errors
from arena.agent import RefusalKind
from arena.catalog import Status
from arena.plugin import KINDS, group_of

CONTRACTS = ("game", "decision", "chance", "agent", "backend", "metric", "solver", "schedule", "hookspecs")
KINDS_OF_ERRORS = {n: e for n, e in vars(errors).items() if isinstance(e, type) and issubclass(e, errors.ArenaError)}


@pytest.fixture
def page(root) -> str:
    """The page on errors."""
    return (root / "docs" / "errors.md").read_text("utf-8")


def rows(page: str, heading: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    part = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| `")]
    return [[cell.strip(" `") for cell in line.strip("|").split(" |")] for line in lines]


def test_every_kind_of_error_is_explained(page):
    """Each error that Arena raises on purpose has a row, and no other has."""
    assert {row[0] for row in rows(page, "Kinds")} == set(KINDS_OF_ERRORS) - {"ArenaError"}


@pytest.mark.slow
def test_every_kind_of_error_has_its_exit_code(page, installed):
    """A command that raises an error ends with the exit code that the page gives for it."""
    from arena_cli.application.group import group
    from click.testing import CliRunner

    installed.add(
        "acme-failing",
        {"arena.commands": {"fail-with": "acme_failing:FAIL"}},
        {
            "acme_failing.py": (
                "from arena.plugin import Plugin\nFAIL = Plugin(factory='acme_failing_command:fail')\n"
            ),
            "acme_failing_command.py": (
                "import click\nfrom arena import errors\n\n@click.command()\n@click.argument('kind')\n"
                "def fail(kind):\n    raise getattr(errors, kind)('enough')\n"
            ),
        },
    )

    codes = {kind: CliRunner().invoke(group, ["fail-with", kind]).exit_code for kind, *_ in rows(page, "Kinds")}

    assert codes == {row[0]: int(row[3]) for row in rows(page, "Kinds")}


def test_every_refusal_is_explained(page):
    """Each kind of refusal has a row, in the order of the code."""
    assert [row[0] for row in rows(page, "Refusals")] == [str(kind) for kind in RefusalKind]


def test_every_status_is_explained(page):
    """Each status of a plugin has a row, in the order of the code."""
    assert [row[0] for row in rows(page, "Plugins that are not `ok`")] == [str(status) for status in Status]


def test_every_kind_of_plugin_has_a_page(root):
    """The contract of each kind of plugin has a page of its own, and the list of all has a row for it."""
    contracts = root / "docs" / "contracts"
    table = (contracts / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| ([\w-]+) \| `([\w.]+)` \|.*\(([\w-]+)\.md\) \|$", table, re.M)

    assert sorted(listed) == sorted((kind, group_of(kind), kind) for kind in KINDS)
    assert {path.stem for path in contracts.glob("*.md")} == {*KINDS, "README"}


@pytest.mark.slow
def test_reference_names_modules_that_are_there(root, distributions):
    """Each module or class of the reference exists, and each module with a contract is in it."""
    named = set()
    for path in (root / "docs" / "reference").glob("*.md"):
        named |= set(re.findall(r"^\.\. autoapi\w+:: ([\w.]+)$", path.read_text("utf-8"), re.M))
    sources = {d.package.name: d.package.parent for d in distributions}

    assert [name for name in sorted(named) if not defines(sources[name.partition(".")[0]], name)] == []
    assert {f"arena.{name}" for name in CONTRACTS} <= named


def defines(source: Path, name: str) -> bool:
    """Whether there is a module of that name, or a module that defines it."""
    path = source.joinpath(*name.split("."))
    if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
        return True
    module = path.parent.with_suffix(".py")
    tree = ast.parse((module if module.is_file() else path.parent / "__init__.py").read_text("utf-8"))
    targets = (target for node in tree.body for target in getattr(node, "targets", [getattr(node, "target", None)]))
    constants = {target.id for target in targets if isinstance(target, ast.Name)}
    return path.name in constants or any(getattr(node, "name", None) == path.name for node in tree.body)


@pytest.mark.campaign
def test_notebook_runs(root, tmp_path):
    """Every cell of the notebook works in an empty folder, and it is kept without results."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(root / "examples" / "from_python.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)

    NotebookClient(notebook, timeout=100, resources={"metadata": {"path": str(tmp_path)}}).execute()

    assert (tmp_path / "run" / "journal.sqlite").is_file()
