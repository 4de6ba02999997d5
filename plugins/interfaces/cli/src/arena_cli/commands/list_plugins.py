"""The command ``arena list-plugins``: lists installed plugins with their status."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

import attrs
import click
from arena.catalog import InstalledPlugin, Status
from arena.installing import PREFIX
from arena.plugin import KINDS, OFFERS, WITHOUT_RULES

from arena_cli.application.first_party import FirstPartyDistribution, is_first_party, not_installed
from arena_cli.application.group import FAILED, VERBOSE, Command
from arena_cli.application.options import catalog_of
from arena_cli.output import (
    OutputColumn,
    Terminal,
    count,
    names_that_fit,
    paragraph,
    result,
    shorten,
    table,
    terminal_of,
)
from arena_cli.output.streams import echo_json

PLURALS: Final[Mapping[str, str]] = {"illegal-actions": "policies for illegal actions", OFFERS: "lists of plugins"}
"""Of the kinds that are not simply followed by an s."""

_NAMED: Final = ("game", "agent", "backend", "metric", "suite")
"""The kinds whose plugins are named one by one; of the others there is a number."""

_INDENT: Final = 15
_LINES: Final = 3
"""The most lines of names of one kind."""

_FAULTS: Final = 2
"""The most plugins of one kind that cannot be used and are told with their reasons."""

_MANY: Final = 50
"""The most plugins of one kind from a third-party distribution that are named; more are generated names."""

_OFFERED: Final = ("backend", "executor", "game", "agent", "metric")
"""The kinds of plugins that somebody may miss, the likeliest first."""

_WIDE: Final = 100
"""From so many columns on there is room for where a plugin comes from."""

_COLUMNS: Final = (
    OutputColumn(title="kind"),
    OutputColumn(title="name", shortens=True),
    OutputColumn(title="from", keep=2, shortens=True),
    OutputColumn(title="version", keep=1),
    OutputColumn(title="status"),
    OutputColumn(title="what it is", wraps=True),
)


@click.command(cls=Command)
@click.option("--kind", type=click.Choice(KINDS), help="All plugins of this kind.")
@click.option("--full", is_flag=True, help="All plugins, and what is not installed.")
@click.option("--json", "is_json", is_flag=True, help="An array of objects instead.")
@click.option("--strict", is_flag=True, help="Exit with 1 if any plugin is neither ok nor disabled.")
@click.pass_context
def list_plugins(ctx: click.Context, kind: str | None, full: bool, is_json: bool, strict: bool) -> None:
    """List every installed plugin and whether it can be used.

    Third-party plugins come first, with their distributions. Names of Arena's own distributions are shown without the
    beginning that they share.

    A plugin is ok, disabled, in conflict (two distributions claim its name), unavailable (something it needs is not
    installed), incompatible (written for another plugin contract) or broken; what is wrong and what to do stands
    below it. With --verbose: tracebacks, and how long each descriptor took to import.
    """
    entries = list(catalog_of(ctx).entries(kind))
    third_party_first = sorted(entries, key=_is_own)
    terminal = terminal_of(sys.stdout)
    if is_json:
        echo_json([entry.to_json() for entry in entries])
    elif kind or full or ctx.meta.get(VERBOSE):
        result(
            _all(
                third_party_first,
                terminal,
                is_verbose=bool(ctx.meta.get(VERBOSE)),
                has_kinds=kind is None,
                is_full=full,
            )
        )
        if full and kind is None:
            result(_missing(not_installed(), terminal))
    else:
        result(overview(entries, terminal))
    if strict and any(entry.status not in (Status.OK, Status.DISABLED) for entry in entries):
        ctx.exit(FAILED)


def overview(entries: Sequence[InstalledPlugin], terminal: Terminal) -> Iterator[str]:
    """All third-party plugins by distribution, then names of Arena's own in a paragraph a kind, at most 30 lines."""
    yield from _third_party([entry for entry in entries if not _is_own(entry)], terminal)
    own_entries = list(filter(_is_own, entries))
    by_kind = {kind: [entry for entry in own_entries if entry.kind == kind] for kind in (*KINDS, OFFERS)}
    for kind in _NAMED:
        if own := by_kind.pop(kind):
            yield from _named(f"{plural(kind)} ({len(own)})", [e.name for e in own if _is_ok(e)], terminal)
            yield from _faults(own, terminal)
    others = {kind: own for kind, own in by_kind.items() if own}
    if others:
        numbers = sorted(others.items(), key=lambda pair: -len(pair[1]))
        said = ", ".join(f"{plural(kind)} {len(own)}" for kind, own in numbers)
        yield from _paragraph(f"others ({sum(map(len, others.values()))})", said, terminal)
        yield from _faults([entry for own in others.values() for entry in own], terminal)
    status = Counter(map(_is_ok, entries))
    dists = len({entry.dist for entry in entries})
    total = f"{count(len(entries))} plugins from {dists} distributions, {count(status[True])} ok"
    yield from paragraph(f"{total} · all of a kind: --kind game", terminal)
    if missing := sorted(not_installed(), key=_rank):
        first, *more = missing
        yield from _paragraph("not installed:", f"{first.name}: {first.remedy()}", terminal)
        if more:
            yield from _paragraph("", f"and {len(more)} more: arena list-plugins --full", terminal)
    games = [entry for entry in entries if entry.kind == "game" and entry.plugin and _is_ok(entry)]
    known = [entry for entry in games if entry.plugin and "reference" in entry.plugin.capabilities]
    example = next((entry.name for entry in (*known, *games)), "random")
    yield from _paragraph("what one is:", f"arena describe {example}", terminal)


def plural(kind: str) -> str:
    """A kind of plugin in the plural, as running text names it."""
    return PLURALS.get(kind, f"{kind.replace('-', ' ')}s")


def _is_own(entry: InstalledPlugin) -> bool:
    return is_first_party(entry.dist)


def _from(entry: InstalledPlugin) -> str:
    """The plugin's distribution; one of Arena's own without the beginning that they share."""
    return entry.dist.removeprefix(PREFIX) if _is_own(entry) else entry.dist


def _is_ok(entry: InstalledPlugin) -> bool:
    return entry.status is Status.OK


def _rank(dist: FirstPartyDistribution) -> tuple[int, str]:
    return min(_OFFERED.index(kind) if kind in _OFFERED else len(_OFFERED) for kind in dist.plugins), dist.name


def _third_party(entries: Sequence[InstalledPlugin], terminal: Terminal) -> Iterator[str]:
    """The plugins of each distribution with its version, and below them what is wrong and what to do."""
    if entries:
        yield f"third-party ({count(len(entries))})"
    for (dist, version), group in groupby(sorted(entries, key=_origin), key=_origin):
        own = list(group)
        kinds = "; ".join(_names_of(kind, [e.name for e in own if e.kind == kind]) for kind in _kinds_of(own))
        yield from paragraph(f"{dist} {version}: {kinds}", terminal, 2, 2)
        faults: dict[tuple[str, ...], list[str]] = {}
        for entry in own:
            if not _is_ok(entry):
                faults.setdefault((entry.status, entry.reason, entry.remedy), []).append(entry.name)
        for (status, reason, remedy), names in faults.items():
            which = f"{', '.join(names)}  " if len(names) < len(own) else ""
            text = f"{status}: {which}{shorten(reason, 2 * terminal.width, terminal)}; {remedy}"
            yield from paragraph(text, terminal, 4, 2)


def _origin(entry: InstalledPlugin) -> tuple[str, str]:
    return entry.dist, entry.version


def _kinds_of(entries: Sequence[InstalledPlugin]) -> list[str]:
    return [kind for kind in (*KINDS, OFFERS) if any(entry.kind == kind for entry in entries)]


def _names_of(kind: str, names: Sequence[str]) -> str:
    word = plural(kind) if len(names) > 1 or kind in PLURALS else kind.replace("-", " ")
    more = f" and {count(len(names) - _MANY)} more (arena list-plugins --kind {kind})" if len(names) > _MANY else ""
    return f"{word} {', '.join(names[:_MANY])}{more}"


def _named(title: str, names: Sequence[str], terminal: Terminal) -> Iterator[str]:
    """Names in a few lines; of more names than fit the last ones are left out."""
    narrow = attrs.evolve(terminal, width=terminal.width - _INDENT)
    lines = paragraph(" ".join(names), narrow)
    if len(lines) > _LINES:
        shown = len(" ".join(lines[: _LINES - 1]).split())
        lines = [*lines[: _LINES - 1], names_that_fit(names[shown:], narrow.width, narrow)]
    for at, line in enumerate(lines):
        yield f"{title if at == 0 else '':{_INDENT - 1}} {line}"


def _paragraph(title: str, text: str, terminal: Terminal) -> Iterator[str]:
    for at, line in enumerate(paragraph(text, attrs.evolve(terminal, width=terminal.width - _INDENT))):
        yield f"{title if at == 0 else '':{_INDENT - 1}} {line}"


def _faults(entries: Sequence[InstalledPlugin], terminal: Terminal) -> Iterator[str]:
    faulty = [entry for entry in entries if not _is_ok(entry)]
    for entry in faulty[:_FAULTS]:
        lines = paragraph(f"{entry.status}: {entry.name}  {entry.reason}; {entry.remedy}", terminal, _INDENT, 2)
        yield from lines[:3]
    if more := faulty[_FAULTS:]:
        yield f"{'':{_INDENT}}and {len(more)} more: arena list-plugins --kind {more[0].kind}"


def _all(
    entries: Sequence[InstalledPlugin], terminal: Terminal, *, is_verbose: bool, has_kinds: bool, is_full: bool
) -> Iterator[str]:
    titles = {"kind"} if not has_kinds else set[str]()
    if terminal.width < _WIDE and not (is_full or is_verbose):
        titles |= {"from", "version"} | ({"status"} if all(map(_is_ok, entries)) else set())
    rows = [(e.kind, e.name, _from(e), e.version, str(e.status), _what(e)) for e in entries]
    shown = [at for at, column in enumerate(_COLUMNS) if column.title not in titles]
    yield from table([_COLUMNS[at] for at in shown], [[row[at] for at in shown] for row in rows], terminal, 0, "")
    for entry in entries:
        if entry.reason or is_verbose:
            yield f"{entry.kind} {entry.name}"
        if entry.reason:
            yield from paragraph(f"{entry.reason}; {entry.remedy}", terminal, 4)
        if is_verbose:
            yield f"    descriptor imported in {entry.load_s * 1000:.1f} ms"
            if entry.traceback:
                yield "    " + entry.traceback.rstrip().replace("\n", "\n    ")


def _what(entry: InstalledPlugin) -> str:
    has_rules = entry.plugin is None or WITHOUT_RULES not in entry.plugin.capabilities
    return entry.summary if has_rules else f"{entry.summary.removesuffix('.')} (rules: none)."


def _missing(dists: Sequence[FirstPartyDistribution], terminal: Terminal) -> Iterator[str]:
    if dists:
        yield ""
        columns = (
            OutputColumn(title="not installed"),
            OutputColumn(title="what it is", keep=1, wraps=True),
        )
        yield from table(columns, [(dist.name, dist.summary) for dist in dists], terminal, indent=0, more="")
        yield from paragraph(f"install one: {dists[0].remedy()}", terminal)
