"""Who may import whom: core below plugins, plugins apart from each other, the core's own layers."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


def imported(package: Path) -> set[str]:
    """The top-level names that any module of a package imports, also inside functions."""
    nodes = [node for path in package.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in names}


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


def test_first_party_imports_are_declared(distributions):
    """A plugin imports another first-party package only if it requires it; the core requires none, so imports none."""
    first_party = {d.package.name: d.name for d in distributions}
    found = {d.name: undeclared(d.package, d.project["dependencies"], first_party) for d in distributions}

    assert {name: packages for name, packages in found.items() if packages} == {}


def test_undeclared_import_is_found(distributions, tmp_path):
    """A plugin that imports another one inside a function without requiring it is caught."""
    first_party = {d.package.name: d.name for d in distributions}
    package = tmp_path / "arena_agent_mine"
    package.mkdir()
    (package / "mind.py").write_text("def think():\n    from arena_agent_llm.prompts import anything\n")

    assert undeclared(package, ["arena-core>=0.1"], first_party) == {"arena_agent_llm"}
    assert undeclared(package, ["arena-core>=0.1", "arena-agent-llm>=0.1"], first_party) == set()


def test_layers_hold(root):
    """In the core, imports point down the layers of the contract, and each module has its layer."""
    result = lint(root)

    assert result.returncode == 0, result.stdout


def test_import_upwards_is_found(root, tmp_path):
    """A module that imports one above it breaks the contract."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    shutil.copytree(root / "core" / "src" / "arena", tmp_path / "src" / "arena")
    with (tmp_path / "src" / "arena" / "record.py").open("a") as record:
        record.write("\n\ndef late() -> None:\n    import arena.runner\n")

    result = lint(tmp_path, tmp_path / "src")

    assert result.returncode == 1
    assert "arena.record -> arena.runner" in result.stdout
