"""Compares the declared requirements of a distribution with what is installed and what it imports."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions, version
from pathlib import Path
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from arena_devkit.review.findings import Finding, Item
from arena_devkit.review.targets import Project

CORE: Final = "playarena-core"
_UPPER: Final = frozenset({"<", "<=", "==", "===", "~="})


def dependencies(project: Project) -> Item:
    """Declared version ranges contain the installed versions, and every imported package is declared."""
    dist = project.dist
    required = list(_requirements(dist))
    findings = [*_unmet(dist), *_python(dist), *_undeclared(project, required)]
    if _plain(project.name) != CORE:
        findings += _core(required)
    names = sorted({_plain(requirement.name) for requirement in required})
    note = f"requires {', '.join(names)}; all of it declared and in range"
    return Item(part="dependencies", findings=findings, note=note, facts={"requires": [str(r) for r in required]})


def closure(names: Iterable[Requirement]) -> list[Distribution]:
    """The installed distributions among ``names`` and all that they require in turn."""
    found: dict[str, Distribution] = {}
    todo, done = list(names), set[tuple[str, frozenset[str]]]()
    while todo:
        requirement = todo.pop()
        key = _plain(requirement.name), frozenset(requirement.extras)
        if key in done:
            continue
        done.add(key)
        try:
            dist = distribution(requirement.name)
        except PackageNotFoundError:
            continue
        found[key[0]] = dist
        todo += [r for r in _requirements(dist) if _applies(r, requirement.extras)]
    return list(found.values())


def required_by(dist: Distribution) -> list[Requirement]:
    """What a distribution requires on this platform without any of its extras."""
    return [requirement for requirement in _requirements(dist) if _applies(requirement, ())]


def _requirements(dist: Distribution) -> Iterator[Requirement]:
    for line in dist.requires or ():
        try:
            yield Requirement(line)
        except InvalidRequirement:
            continue


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    return requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in (*extras, ""))


def _core(required: Iterable[Requirement]) -> Iterator[Finding]:
    mine = [requirement for requirement in required if _plain(requirement.name) == CORE and requirement.marker is None]
    installed = version(CORE)
    major, minor, *_ = installed.split(".")
    wanted = f"{CORE}>={major}.{minor},<{major}.{int(minor) + 1}"
    if not mine:
        yield Finding.of("core-range", f"{CORE} is not required; expected {wanted}")
    for requirement in mine:
        if not requirement.specifier.contains(installed, prereleases=True):
            yield Finding.of("core-range", f"{requirement} excludes this core, {installed}; expected {wanted}")
        elif not any(each.operator in _UPPER for each in requirement.specifier):
            reason = f"{requirement} has no upper end, so a later core may break it; expected {wanted}"
            yield Finding.of("core-range", reason, is_warning=True)


def _unmet(dist: Distribution) -> Iterator[Finding]:
    for requirement in required_by(dist):
        if _plain(requirement.name) == CORE:
            continue
        try:
            installed = version(requirement.name)
        except PackageNotFoundError:
            yield Finding.of("unmet", f"{requirement} is required and not installed")
            continue
        if not requirement.specifier.contains(installed, prereleases=True):
            yield Finding.of("unmet", f"{requirement} is required, and {installed} is installed")


def _python(dist: Distribution) -> Iterator[Finding]:
    wanted = (dist.metadata.get_all("Requires-Python") or [""])[0]
    if not wanted:
        yield Finding.of("python", "no requires-python is declared", is_warning=True)
        return
    running = ".".join(map(str, sys.version_info[:3]))
    try:
        fits = SpecifierSet(wanted).contains(running)
    except InvalidSpecifier:
        fits = False
    if not fits:
        yield Finding.of("python", f"requires-python is {wanted!r}, and this is Python {running}")


def _undeclared(project: Project, required: Iterable[Requirement]) -> Iterator[Finding]:
    # A plugin may rely on what the core requires, since its contracts use it: attrs classes, click commands.
    known = [*required, *required_by(distribution(CORE))]
    declared = {_plain(requirement.name) for requirement in known} | {_plain(project.name)}
    indirect = {_plain(dist.metadata["Name"]) for dist in closure(required)}
    owners = packages_distributions()
    packages = {entry.entry_point.value.partition(":")[0].partition(".")[0] for entry in project.entries}
    for name, where in sorted(_imported(project, packages).items()):
        dists = {_plain(dist) for dist in owners.get(name, ())}
        if not dists or dists & declared or name in packages:
            continue
        owner = sorted(dists)[0]
        reason = f"{where} imports {name}, and {owner} is not declared"
        comes_along = bool(dists & indirect)
        if comes_along:
            reason += "; today it comes along with something else"
        yield Finding.of("undeclared", reason, is_warning=comes_along)


def _imported(project: Project, packages: Iterable[str]) -> dict[str, str]:
    """Top-level packages that the distribution imports unconditionally, with the file that imports them."""
    found: dict[str, str] = {}
    for file in _sources(project, packages):
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError):
            continue
        for name in _names(tree):
            found.setdefault(name, file.name)
    return {name: where for name, where in found.items() if name not in sys.stdlib_module_names}


def _sources(project: Project, packages: Iterable[str]) -> Iterator[Path]:
    for package in packages:
        roots = [project.directory / "src", project.directory] if project.directory else []
        roots.append(Path(str(project.dist.locate_file(""))))
        for root in roots:
            if (root / package).is_dir():
                yield from (root / package).rglob("*.py")
                break
            if (root / f"{package}.py").is_file():
                yield root / f"{package}.py"
                break


def _names(node: ast.AST) -> Iterator[str]:
    """Packages imported below ``node``, except in ``try`` blocks that may fail and under ``TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Try) or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and not child.level and child.module:
            yield child.module.partition(".")[0]
        else:
            yield from _names(child)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
