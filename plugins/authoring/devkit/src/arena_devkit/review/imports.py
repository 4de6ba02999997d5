"""Imports a plugin's descriptor and class and checks what they are; runs in a child process."""

import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoints, entry_points
from typing import Any, Final

import attrs
import click
from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import PluginError
from arena.plugin import OFFERS, Plugin, group_of, resolve
from arena_engine.benchmark import CONTRACTS

from arena_devkit.review.findings import Finding, Item
from arena_devkit.review.import_audit import Watch
from arena_devkit.review.tasks import Task

LIMIT_S: Final = 1.0
"""The longest time in seconds that importing a descriptor may take; most take a few milliseconds."""

CLASS_LIMIT_S: Final = 20.0
FILES: Final = frozenset({"suite", "prompt-style"})
"""Kinds whose plugins consist of data files."""

_CONTRACT_OF: Final[Mapping[str, Any]] = {kind: contract for contract, kind in CONTRACTS.items()}
_ALSO: Final = {
    "report": "arena_report.content.contract:ReportFormat",
    "export": "arena_report.formats.exports:ExportFormat",
}


def entry_points_of(task: Task) -> EntryPoints:
    """The entry point under review, or those of the hooks that offer the plugin if it has none of its own."""
    for found in (entry_points(group=group_of(task.kind), name=task.name), entry_points(group=group_of(OFFERS))):
        if mine := [ep for ep in found if ep.dist is not None and ep.dist.metadata["Name"] == task.dist]:
            return EntryPoints(mine)
    return EntryPoints()


def descriptor(task: Task) -> tuple[Item, InstalledPlugin | None]:
    """Import the descriptor alone, or call the hook that offers it, and check it."""
    points = entry_points_of(task)
    target = ", ".join(point.value for point in points)
    catalog = Catalog(points)
    found: list[InstalledPlugin] = []
    with Watch() as watch:
        for point in points:
            point.load()
        found = [entry for entry in catalog.installed() if entry.key == (task.kind, task.name)]
    findings = list(watch.findings(f"the descriptor {target}"))
    facts = {"import_ms": round(watch.seconds * 1000, 1), "modules": len(watch.modules)}
    if watch.error is not None:
        reason = f"importing {target} raises {type(watch.error).__name__}: {watch.error}"
        findings.append(Finding.of("import-error", reason))
        return Item(part="descriptor", findings=findings, facts=facts), None
    findings += _weight(target, watch)
    if not found:
        findings.append(Finding.of("offer", f"{target} offers {task.kind} {task.name!r} no more when asked again"))
        return Item(part="descriptor", findings=findings, facts=facts), None
    entry = next(e for e in catalog.entries(task.kind) if e.name == task.name)
    findings += _described(entry)
    note = f"imported in {facts['import_ms']} ms, {facts['modules']} modules of its own"
    unavailable = f"{entry.reason}; {entry.remedy}" if entry.status is Status.UNAVAILABLE else ""
    item = Item(part="descriptor", findings=findings, note=note, facts=facts, untested=unavailable)
    return item, entry if entry.status is Status.OK else None


def _weight(target: str, watch: Watch) -> Iterator[Finding]:
    if watch.seconds > LIMIT_S:
        reason = f"importing {target} takes {watch.seconds:.1f} s; expected at most {LIMIT_S:g} s"
        yield Finding.of("slow-import", reason)
    own = {target.partition(":")[0].partition(".")[0], "arena"}
    foreign = {name.partition(".")[0] for name in watch.modules} - own - sys.stdlib_module_names
    if heavy := sorted(name for name in foreign if not name.startswith("_") and name in sys.modules):
        reason = f"importing {target} brings in {', '.join(heavy[:5])}"
        yield Finding.of("heavy-import", f"{reason}; a listing of plugins would, too")


def _described(entry: InstalledPlugin) -> Iterator[Finding]:
    plugin = entry.plugin
    if plugin is None:
        is_offered = entry.hook or entry.kind == OFFERS
        yield Finding.of("offer" if is_offered else "no-plugin", entry.reason)
        return
    if entry.status is Status.INCOMPATIBLE:
        yield Finding.of("api", entry.reason)
    if not plugin.summary.strip():
        yield Finding.of("summary", "the descriptor has no summary")
    if not plugin.licence.strip():
        yield Finding.of("licence", "the descriptor names no licence", is_warning=True)
    module = plugin.factory.partition(":")[0]
    if entry.kind not in FILES and module in sys.modules and "." in module:
        reason = f"the module {module} is imported with the descriptor, so every listing imports it"
        yield Finding.of("heavy-import", reason, is_warning=True)


def loaded(entry: InstalledPlugin) -> tuple[Item, Any]:
    """Import what the descriptor points to and check that it is of the plugin's kind."""
    plugin = entry.plugin or Plugin(factory="")
    if entry.kind in FILES:
        return _file(entry), None
    cls: Any = None
    with Watch() as watch:
        cls = plugin.load()
    findings = list(watch.findings(f"the class {plugin.factory}", is_heavy=True))
    facts = {"import_s": round(watch.seconds, 2), "modules": len(watch.modules)}
    note = f"{plugin.factory}, imported in {watch.seconds:.2f} s"
    if watch.error is not None:
        reason = f"importing {plugin.factory} raises {type(watch.error).__name__}: {watch.error}"
        return Item(part="class", findings=[*findings, Finding.of("import-error", reason)], facts=facts), None
    if watch.seconds > CLASS_LIMIT_S:
        reason = f"importing {plugin.factory} takes {watch.seconds:.0f} s; expected at most {CLASS_LIMIT_S:g} s"
        findings.append(Finding.of("slow-import", reason, is_warning=True))
    findings += _kept(entry.kind, cls)
    return Item(part="class", findings=findings, note=note, facts=facts), cls


def _kept(kind: str, cls: Any) -> Iterator[Finding]:
    if kind == "command":
        if not isinstance(cls, click.Command):
            yield Finding.of("contract", f"{cls!r} is no click.Command")
        return
    contract: Any = _CONTRACT_OF.get(kind) or resolve(_ALSO[kind])
    if not isinstance(cls, type) or not issubclass(cls, contract):
        yield Finding.of("contract", f"{cls!r} is no class derived from {contract.__module__}.{contract.__name__}")
        return
    if lacking := sorted(getattr(cls, "__abstractmethods__", ())):
        yield Finding.of("contract", f"{cls.__name__} lacks {', '.join(lacking)}, which every {kind} must have")
    if not (attrs.has(cls) and _is_frozen(cls)):
        reason = f"{cls.__name__} is no frozen attrs class, so runs can neither compare nor rebuild it"
        yield Finding.of("mutable", reason, is_warning=True)


def _is_frozen(cls: Any) -> bool:
    try:
        cls.__new__(cls).arena_check = None
    except attrs.exceptions.FrozenInstanceError:
        return True
    except Exception:
        return False
    return False


def _file(entry: InstalledPlugin) -> Item:
    try:
        text = entry.read_text()
    except PluginError as error:
        return Item(part="class", findings=(Finding.of("file", str(error)),))
    note = f"{entry.plugin.factory if entry.plugin else ''}, {len(text.splitlines())} lines"
    return Item(part="class", note=note)
