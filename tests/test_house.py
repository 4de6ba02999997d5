"""The rooms of the house: what each requires and brings, how big the core is, and which names are taken."""

import ast
import importlib
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import arena
import pytest
from arena_engine.execution import api

from .syntax import syntax_of

pytestmark = pytest.mark.xdist_group("syntax")  # one process: reading all modules takes long

REQUIREMENTS: Mapping[str, frozenset[str]] = {
    "playarena-core": frozenset({"attrs", "pluggy", "stevedore"}),
    "playarena-engine": frozenset({"playarena-core", "attrs", "cattrs", "msgspec", "ruamel-yaml"}),
    "playarena-standings": frozenset({"playarena-core", "playarena-metric-statistics", "attrs", "numpy"}),
    "playarena-report": frozenset(
        {"playarena-core", "playarena-engine", "playarena-metric-statistics", "playarena-standings", "attrs"}
    ),
    "playarena-cli": frozenset(
        {
            *(
                "playarena-core",
                "playarena-engine",
                "playarena-report",
                "playarena-standings",
                "playarena-observer-progress",
                "playarena-scene",
            ),
            *("click", "rich", "structlog"),
        }
    ),
    "playarena-observer-progress": frozenset({"playarena-core", "attrs", "rich"}),
    "playarena-testing": frozenset(
        {"playarena-core", "playarena-engine", "playarena-scene", "attrs", "jsonschema", "pytest"}
    ),
    "playarena-devkit": frozenset(
        {
            *("playarena-core", "playarena-engine", "playarena-report", "playarena-cli", "playarena-testing"),
            *("attrs", "click", "packaging"),
        }
    ),
    "playarena-gym": frozenset({"playarena-core", "playarena-engine", "attrs", "gymnasium", "numpy", "pettingzoo"}),
    "playarena-openai-protocol": frozenset({"playarena-core"}),
    "playarena-scene": frozenset({"attrs"}),
    "playarena-web": frozenset(
        {
            *("playarena-core", "playarena-engine", "playarena-standings", "playarena-report", "playarena-cli"),
            *("playarena-scene", "attrs", "click", "starlette", "uvicorn", "websockets"),
        }
    ),
}
"""What each room requires to be installed, itself and nothing through others."""

EXTRAS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "playarena-report": {"parquet": frozenset({"pyarrow"})},
    "playarena-testing": {"strategies": frozenset({"hypothesis"})},
    "playarena-web": {
        "annotation": frozenset({"playarena-metric-judge"}),
    },
}
"""What some rooms require only where somebody asks for it."""

HEAVY = {"click", "rich", "cattrs", "ruamel", "structlog", "litellm", "numpy"}
"""What reading a game's descriptor must never import."""

CONTRACTS = {
    *("Agent", "Backend", "Connection", "Decision", "Game"),
    *("GameFacts", "Metric", "PlayerAgent", "Plugin", "State"),
}
"""The contracts that ``from arena import …`` hands out."""


def required(requirements: list[str]) -> frozenset[str]:
    """The distributions that requirements name, without versions and extras, spelt as indexes compare them."""
    names = (re.split(r"[^\w.-]", requirement)[0] for requirement in requirements)
    return frozenset(re.sub(r"[-_.]+", "-", name).lower() for name in names)


def test_core_is_small(distributions):
    """The core has at most 3,656 lines in at most 22 modules, and no module has more than 300."""
    lengths = {
        path.relative_to(distributions[0].package).as_posix(): path.read_bytes().count(b"\n")
        for path in distributions[0].package.rglob("*.py")
    }

    assert sum(lengths.values()) <= 3_656, lengths
    assert len(lengths) <= 22, sorted(lengths)
    assert {name: lines for name, lines in lengths.items() if lines > 300} == {}


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_room_requires_what_the_table_says(distributions, name):
    """A room requires exactly the distributions of the table, and so does each of its extras."""
    (project,) = (d.project for d in distributions if d.name == name)

    assert required(project["dependencies"]) == REQUIREMENTS[name]
    extras = project.get("optional-dependencies", {})
    assert {extra: required(requirements) for extra, requirements in extras.items()} == EXTRAS.get(name, {})


def imported_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has after a statement."""
    program = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_a_game_imports_nothing_heavy():
    """Neither the core nor a game's descriptor brings a terminal, a YAML reader, a model or numpy."""
    assert imported_by("import arena, arena_game_grid") & HEAVY == set()


def test_importing_the_core_imports_no_contract():
    """``import arena`` is its doors alone: not even attrs is read before a contract is asked for."""
    program = "import sys, arena\nprint(*sorted(n for n in sys.modules if n.split('.')[0] == 'arena'))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["arena", "arena.installing"]
    assert "attrs" not in imported_by("import arena")


def test_doors_list_their_names():
    """``dir(arena)`` and ``arena.__all__`` list what can be imported from it."""
    named = {"run", "load", "Run", "__version__", *CONTRACTS}

    assert named <= set(dir(arena))
    assert set(arena.__all__) == named


def test_testing_door_has_the_names_of_its_room():
    """``arena.testing`` hands out exactly what ``arena_testing`` does, and type checkers see the same names."""
    door, room = importlib.import_module("arena.testing"), importlib.import_module("arena_testing")

    assert sorted(door.__all__) == sorted(room.__all__)
    assert set(room.__all__) <= set(dir(door))
    assert for_types(Path(str(door.__file__))) == {"*"}
    assert for_types(Path(str(room.__file__))) == set(room.__all__)


def for_types(module: Path) -> set[str]:
    """The names that a module imports for type checkers alone."""
    guards = (n for n in ast.walk(syntax_of(module)) if isinstance(n, ast.If))
    imports = (n for guard in guards if ast.unparse(guard.test) == "TYPE_CHECKING" for n in guard.body)
    return {alias.asname or alias.name for n in imports if isinstance(n, ast.ImportFrom) for alias in n.names}


def test_doors_hand_out_the_objects_of_their_rooms():
    """What comes through a door is the object itself, so that classes compare equal wherever they came from."""
    room = importlib.import_module("arena_testing")
    door = importlib.import_module("arena.testing")

    assert (arena.run, arena.load, arena.Run) == (api.run, api.load, api.Run)
    assert all(getattr(door, name) is getattr(room, name) for name in room.__all__)
    for name in sorted(CONTRACTS):
        contract = getattr(arena, name)
        assert getattr(importlib.import_module(contract.__module__), name) is contract


def packages(root: Path) -> Iterator[Path]:
    """A package and those in it, without templates, which are no packages yet."""
    return (path.parent for path in sorted(root.rglob("__init__.py")) if not any("$" in part for part in path.parts))


def offered(package: Path) -> set[str]:
    """The public names that a package defines, imports from elsewhere, or lists in ``__all__`` or a table of homes."""
    names: set[str] = set()
    tree = syntax_of(package / "__init__.py")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node in tree.body:
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            # ``from package import module`` names a module, which is what the name then stands for.
            names |= {a.asname or a.name for a in node.names if node.module and not node.module.endswith(package.name)}
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if {ast.unparse(target) for target in targets} & {"__all__", "_HOMES", "_NAMES"}:
                strings = (c.value for c in ast.walk(node.value) if isinstance(c, ast.Constant))
                names |= {text for text in strings if isinstance(text, str) and text.isidentifier()}
    return names


def hidden_by_modules(root: Path) -> list[str]:
    """Each public name of a package that is also the name of one of its modules."""
    return [
        f"{package.relative_to(root.parent).as_posix()}: {name}"
        for package in packages(root)
        for name in sorted(offered(package) & {path.stem for path in (*package.glob("*.py"), *folders(package))})
    ]


def folders(package: Path) -> Iterator[Path]:
    """The packages directly inside a package."""
    return (path.parent for path in package.glob("*/__init__.py"))


def test_no_module_hides_a_function_of_its_package(distributions):
    """No package has a public function or class by the name of one of its modules.

    Importing the module would put it in the function's place, and the second call would fail.
    """
    assert [fault for d in distributions for fault in hidden_by_modules(d.package)] == []


@pytest.mark.parametrize(
    "text",
    [
        "def run(): ...\n",
        "from acme.running import run\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from acme.running import run as run\n",
        '__all__ = ["run"]\n',
    ],
)
def test_function_that_a_module_hides_is_found(tmp_path, text):
    """However a package offers ``run``, a module or package ``run`` in it is caught."""
    for place in ("acme/run.py", "acme/running.py"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text("def run(): ...\n")
    (tmp_path / "acme" / "__init__.py").write_text(text)

    assert hidden_by_modules(tmp_path / "acme") == ["acme: run"]

    (tmp_path / "acme" / "run.py").rename(tmp_path / "acme" / "starting.py")
    assert hidden_by_modules(tmp_path / "acme") == []


def classes(package: Path) -> Iterator[tuple[str, str]]:
    """Name and module of each public class that a package defines."""
    for path in sorted(package.rglob("*.py")):
        if any("$" in part for part in path.parts):
            continue
        for node in syntax_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, path.relative_to(package.parent).as_posix()


def shared_names(roots: list[Path]) -> dict[str, list[str]]:
    """The class names that stand for more than one class, with the modules of each."""
    found: dict[str, list[str]] = defaultdict(list)
    for root in roots:
        for name, module in classes(root):
            found[name].append(module)
    return {name: modules for name, modules in found.items() if len(modules) > 1}


@pytest.mark.slow
def test_no_class_name_twice_in_the_rooms(distributions):
    """One public class name, one meaning, over all rooms together."""
    rooms = [d.package for d in distributions if d.name in REQUIREMENTS]

    assert shared_names(rooms) == {}


def test_class_name_that_stands_for_two_things_is_found(tmp_path):
    """Two classes of one name in two packages are caught, private ones are not."""
    for package in ("one", "other"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "table.py").write_text("class Table: ...\nclass _Row: ...\n")

    found = shared_names([tmp_path / "one", tmp_path / "other"])

    assert found == {"Table": ["one/table.py", "other/table.py"]}
