"""Who may import whom: the core nobody, each room what is below it, a plugin what it requires; layers inside rooms."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from .syntax import statements, syntax_of

pytestmark = pytest.mark.xdist_group("syntax")  # one process: reading all modules takes long

ROOMS: Mapping[str, frozenset[str]] = {
    "arena": frozenset(),
    "arena_engine": frozenset({"arena"}),
    "arena_standings": frozenset({"arena", "arena_metric_statistics"}),
    "arena_report": frozenset({"arena", "arena_engine", "arena_metric_statistics", "arena_standings"}),
    "arena_cli": frozenset(
        {"arena", "arena_engine", "arena_standings", "arena_report", "arena_observer_progress", "arena_scene"}
    ),
    "arena_observer_progress": frozenset({"arena"}),
    "arena_testing": frozenset({"arena", "arena_engine", "arena_scene"}),
    "arena_devkit": frozenset({"arena", "arena_engine", "arena_report", "arena_testing", "arena_cli"}),
    "arena_gym": frozenset({"arena", "arena_engine"}),
    "arena_openai_protocol": frozenset({"arena"}),
    "arena_scene": frozenset(),
}
"""What each room may import of Arena."""

DOORS = {"arena/__init__.py": {"arena_engine"}, "arena/testing.py": {"arena_testing"}}
"""The files of the core that name another room, for types alone."""


CIRCLES = {"playarena-backend-vllm"}
"""Distributions with a circle left: a backend imports what starts its model, which is given the backend."""


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """The top-level names that a module imports, also inside functions, and whether it does so for types alone."""
    found = statements(syntax_of(path))
    guards = [node for node in found if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for_types = {id(node) for guard in guards for node in ast.walk(guard)}
    for node in found:
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], id(node) in for_types) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0], id(node) in for_types


def imported(package: Path) -> set[str]:
    """The top-level names that any module of a package imports."""
    return {name for path in package.rglob("*.py") for name, _ in imports(path)}


def trespasses(package: Path, allowed: frozenset[str], rooms: frozenset[str]) -> list[str]:
    """Each import of another room that ``package`` may not import."""
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package.parent).as_posix()
        for name, is_for_types in imports(path):
            is_door = is_for_types and name in DOORS.get(place, ())
            if name in rooms - allowed - {package.name} and not is_door:
                found.append(f"{place} imports {name}")
    return found


def requirements_of(project: Mapping[str, Any]) -> list[str]:
    """What a distribution requires, its extras included."""
    extras = project.get("optional-dependencies", {}).values()
    return [*project["dependencies"], *(requirement for extra in extras for requirement in extra)]


def undeclared(package: Path, requirements: list[str], first_party: dict[str, str]) -> set[str]:
    """First-party packages that ``package`` imports although its metadata does not require their distribution."""
    required = {re.split(r"[^\w-]", requirement)[0] for requirement in requirements}
    others = imported(package) & set(first_party) - {package.name}
    return {name for name in others if first_party[name] not in required}


def lint(directory: Path, source: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Check the contracts that ``directory/pyproject.toml`` states, on the core in ``source``."""
    environment = {**os.environ, **({"PYTHONPATH": str(source)} if source else {})}
    tool = Path(sys.executable).parent / "lint-imports"
    return subprocess.run(
        [str(tool), "--no-cache", "--config", "pyproject.toml"],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def module_imports(package: Path) -> dict[str, set[str]]:
    """The modules of its own distribution that each module imports, also in functions; a folder is its ``__init__``."""
    paths = {path.relative_to(package.parent).with_suffix("").parts: path for path in package.rglob("*.py")}
    modules = {".".join(parts).removesuffix(".__init__"): path for parts, path in paths.items()}
    found: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for node in statements(syntax_of(path)):
            if isinstance(node, ast.ImportFrom):
                named = {f"{node.module}.{alias.name}" for alias in node.names}
                found[name] |= (named | ({str(node.module)} if named - set(modules) else set())) & set(modules)
            elif isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names} & set(modules)
    return found


def circles(package: Path) -> list[tuple[str, ...]]:
    """A circle of imports in each folder that has one, between its modules and the folders in it.

    What a folder's ``__init__`` takes from the modules in it makes no circle, unless one of them takes it from there;
    a ``__main__``, which nothing imports, may.
    """
    siblings: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    imports = module_imports(package)
    found: list[tuple[str, ...]] = []
    for a, others in imports.items():
        for b in others - {a}:
            above = os.path.commonpath([a.replace(".", "/"), b.replace(".", "/")]).replace("/", ".")
            if above not in (a, b):
                ends = (".".join(name.split(".")[: above.count(".") + 2]) for name in (a, b))
                siblings[above][next(ends)].add(next(ends))
            elif above == b and not a.endswith(".__main__") and any(other.startswith(f"{b}.") for other in imports[b]):
                found.append((a, b))
    for graph in siblings.values():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            found.append(tuple(error.args[1]))
    return found


@pytest.mark.campaign
def test_first_party_imports_are_declared(distributions):
    """A plugin imports another first-party package only if it requires it."""
    first_party = {d.package.name: d.name for d in distributions}
    found = {d.name: undeclared(d.package, requirements_of(d.project), first_party) for d in distributions[1:]}

    assert {name: packages for name, packages in found.items() if packages} == {}


def test_undeclared_import_is_found(distributions, tmp_path):
    """A plugin that imports another one inside a function without requiring it is caught."""
    first_party = {d.package.name: d.name for d in distributions}
    package = tmp_path / "arena_agent_mine"
    package.mkdir()
    (package / "mind.py").write_text("def think():\n    from arena_agent_llm.prompts import anything\n")

    assert undeclared(package, ["playarena-core>=0.1"], first_party) == {"arena_agent_llm"}
    assert undeclared(package, ["playarena-core>=0.1", "playarena-agent-llm>=0.1"], first_party) == set()


def test_plugin_that_imports_a_room_it_does_not_declare_is_found(distributions, tmp_path):
    """A metric that takes something from the report without requiring it is caught."""
    first_party = {d.package.name: d.name for d in distributions}
    package = tmp_path / "arena_metric_mine"
    package.mkdir()
    (package / "metric.py").write_text("from arena_report import build\n")

    assert undeclared(package, ["playarena-core>=0.1"], first_party) == {"arena_report"}


def test_rooms_import_what_is_below_them(distributions):
    """The core imports no other room, but for the types at its doors; every other room only what the table allows."""
    everything = frozenset(d.package.name for d in distributions)
    packages = {d.package.name: d.package for d in distributions}

    found = {name: trespasses(packages[name], allowed, everything) for name, allowed in ROOMS.items()}

    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    "source",
    [
        "def late():\n    from arena_engine import run\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from arena_engine import Run\n",
    ],
)
def test_core_module_that_imports_the_engine_is_found(distributions, tmp_path, source):
    """Inside a function or for types alone: the core knows no engine."""
    package = tmp_path / "arena"
    package.mkdir()
    (package / "record.py").write_text(source)
    everything = frozenset(d.package.name for d in distributions)

    assert trespasses(package, ROOMS["arena"], everything) == ["arena/record.py imports arena_engine"]


def test_no_modules_import_each_other(distributions):
    """In no folder of a distribution do modules, or folders, import each other in a circle."""
    found = {d.name: those for d in distributions if (those := circles(d.package))}

    assert set(found) == CIRCLES, found


def test_circle_of_folders_is_found(tmp_path):
    """Two folders of which each imports a module of the other make a circle, and so does a module its own door."""
    package = tmp_path / "acme"
    sources = {
        "__init__": "def late():\n    from acme.high import top\n",
        "low/one": "",
        "low/two": "from acme.high.top import play\n",
        "high/top": "from acme.low import one\n",
        "own": "from acme import late\n",
    }
    for name, source in sources.items():
        path = package / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)

    door, folders = circles(package)

    assert door == ("acme.own", "acme")
    assert set(folders) == {"acme.low", "acme.high"}


@pytest.mark.slow
def test_layers_hold(root):
    """In core and engine, imports point down the layers of the contracts."""
    result = lint(root)

    assert result.returncode == 0, result.stdout


def test_each_package_of_the_engine_has_its_layer(root, distributions):
    """Ten packages in an order; nothing of the engine stands outside them but its door."""
    import tomllib

    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    (contract,) = (c for c in settings["tool"]["importlinter"]["contracts"] if c.get("containers") == ["arena_engine"])
    (engine,) = (d.package for d in distributions if d.name == "playarena-engine")
    packages = {path.relative_to(engine).parts[0] for path in engine.rglob("*.py")} - {"__init__.py"}

    assert set(contract["layers"]) == packages
    assert len(contract["layers"]) == 10


@pytest.mark.slow
def test_import_upwards_is_found(root, tmp_path):
    """A module that imports one above it breaks the contract."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    shutil.copytree(root / "core" / "src" / "arena", tmp_path / "src" / "arena")
    with (tmp_path / "src" / "arena" / "record.py").open("a") as record:
        record.write("\n\ndef late() -> None:\n    import arena.catalog\n")

    result = lint(tmp_path, tmp_path / "src")

    assert result.returncode == 1
    assert "arena.record -> arena.catalog" in result.stdout


def test_types_are_imported_as_everything_else(root):
    """In the core, ``TYPE_CHECKING`` stands in the hook specs and the doors alone, and no contract leaves it out."""
    import tomllib

    core = root / "core" / "src" / "arena"
    guarded = {p.relative_to(core).as_posix() for p in core.rglob("*.py") if "TYPE_CHECKING" in p.read_text("utf-8")}
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))

    assert guarded == {"__init__.py", "hookspecs.py", "testing.py"}
    assert settings["tool"]["importlinter"]["exclude_type_checking_imports"] is False
