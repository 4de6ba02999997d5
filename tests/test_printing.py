"""Nothing is printed past ``arena_cli.output``, which keeps to the width of the terminal and hides no secret."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from .syntax import syntax_of

pytestmark = pytest.mark.xdist_group("syntax")  # one process: reading all modules takes long

ALLOWED: Mapping[str, str] = {
    "arena_agent_human/terminal.py": "asks a person, who is in the middle of a match",
    "arena_backend_llamacpp/fetch.py": "shows how far a download is, for whoever uses the backend",
    "arena_backend_vllm/embedded_model.py": "a program of its own that tells another one its folder",
    "arena_cli/__init__.py": "says that a command was interrupted before anything was imported",
    "arena_cli/completion/answer.py": "answers a shell in its own protocol, with as few imports as can be",
    "arena_cli/commands/export.py": "writes the bytes of an export",
    "arena_cli/output/streams.py": "is what prints",
    "arena_cli/output/safe_text.py": "prints the traceback of a process that ends",
    "arena_game_two_by_two/export.py": "a program of its own, for the maker of a page",
    "arena_observer_progress/displays.py": "draws how far a run is, for whoever runs without a command line too",
    "arena_testing/game/other_process.py": "a program of its own that answers in JSON",
}
"""The modules that print by themselves, and why."""


def printing(path: Path) -> Iterator[str]:
    """Each line of a module that prints by itself: with ``print``, ``click``, ``rich`` or a stream."""
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            if any(name.partition(".")[0] == "rich" for name in names):
                yield f"{node.lineno}: imports rich"
        elif isinstance(node, ast.Call) and (called := _dotted(node.func)) in PRINTS:
            yield f"{node.lineno}: {called}"


def _dotted(node: ast.expr) -> str:
    """What is called, with its dots, where it is nothing but names."""
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


PRINTS = frozenset(
    {
        *("print", "click.echo", "click.secho", "click.echo_via_pager", "click.progressbar", "click.style"),
        *(f"sys.{stream}.{write}" for stream in ("stdout", "stderr") for write in ("write", "writelines")),
        *(f"sys.{stream}.buffer.{write}" for stream in ("stdout", "stderr") for write in ("write", "writelines")),
    }
)


@pytest.fixture(scope="module")
def found(distributions) -> Mapping[str, list[str]]:
    """The modules of all distributions that print by themselves, with the lines."""
    modules = {
        path.relative_to(each.package.parent).as_posix(): list(printing(path))
        for each in distributions
        for path in sorted(each.package.rglob("*.py"))
    }
    return {name: lines for name, lines in modules.items() if lines}


@pytest.mark.slow
def test_nothing_is_printed_past_the_module_for_output(found):
    """Commands print with ``arena_cli.output``, those of plugins too; what does not is listed with its reason."""
    assert {name: lines for name, lines in found.items() if name not in ALLOWED} == {}


@pytest.mark.slow
def test_the_list_of_exceptions_has_no_more_than_there_are(found):
    """A module that prints no longer by itself is taken off the list."""
    assert sorted(ALLOWED.keys() - found.keys()) == []


@pytest.mark.parametrize(
    "line", ["print(1)", "click.echo('a')", "sys.stderr.write('a')", "from rich.console import Console"]
)
def test_printing_by_oneself_is_found(tmp_path, line):
    """Each way to print past the module is seen."""
    module = tmp_path / "command.py"
    module.write_text(f"import sys\n\nimport click\n\n{line}\n")

    assert len(list(printing(module))) == 1
