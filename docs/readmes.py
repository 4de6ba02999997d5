"""Write what the READMEs say of plugins and requirements, from what is installed and declared.

    .venv/bin/python docs/readmes.py

Needs all distributions, as ``uv sync --inexact --group test`` installs them. In each README of a distribution the end
is written: its parameters, as ``arena describe`` tells them, and where it stands among the others. The README of the
repository gets the number of plugins of each kind. A test fails where any of it is out of date. The site lists all
plugins in docs/plugins.md, whose tables are made when the site is (docs/conf.py).
"""

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import attrs
from arena.catalog import Catalog, InstalledPlugin
from arena.plugin import KINDS
from arena_engine.benchmark.parameters import Parameter, describe_parameters

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ROOT / "docs" / "architecture.md"
OPENSPIEL = ROOT / "docs" / "openspiel-games.md"
REGION = re.compile(
    r"(?<=<!-- made by docs/readmes\.py -->\n).*(?=<!-- end of what docs/readmes\.py makes -->)", re.DOTALL
)

PLURALS: Mapping[str, str] = {"prompt-style": "prompt styles", "illegal-actions": "policies for illegal actions"}
"""Of the kinds that are not simply followed by an s."""

PLACES: Mapping[str, str] = {
    "authoring": "with what an author needs",
    "bundles": "with what requires many others",
    "interfaces": "with the ways in",
    "runtime": "with what every run needs",
}
"""Where the libraries stand whose folders are no kinds of plugins."""

WITHOUT_CLASS = ("suite", "command", "prompt-style")
"""Kinds whose plugins are files or commands, and have no parameters of their own."""

SAMPLES: Mapping[str, str] = {
    "game": "chess, go, poker, connect four, Hanabi, negotiation, TradeCraft; by name {openspiel} of OpenSpiel",
    "agent": "language models, teams of roles, perfect and searching players, trained policies, you",
    "backend": "llama.cpp in this process, vLLM on your GPUs, servers of OpenAI's protocol, LiteLLM for all others",
    "metric": "outcomes, ratings, regret against perfect play, illegal actions, costs, reasoning, judges",
    "suite": "published benchmarks as one command each: Board Game Arena, TMGBench, grid games, TradeCraft",
}
"""What the README of the repository names of each kind."""


@attrs.frozen
class Distribution:
    """One of the workspace: where it is, and what its pyproject.toml says."""

    directory: Path
    project: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name it has on an index."""
        return self.project["name"]

    @property
    def read_me(self) -> Path:
        """The path of the README in its folder."""
        return self.directory / "README.md"

    @property
    def is_bundle(self) -> bool:
        """Whether it is nothing but its requirements, so that being required by it says nothing."""
        return self.directory.parent.name == "bundles"

    def required(self) -> set[str]:
        """What it always requires, third parties included."""
        return set(map(_bare, self.project["dependencies"]))

    def extras(self) -> Mapping[str, set[str]]:
        """What it requires beside that, by extra."""
        extras = self.project.get("optional-dependencies", {})
        return {extra: set(map(_bare, needed)) for extra, needed in extras.items()}


def _bare(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0]


def workspace() -> Mapping[str, Distribution]:
    """The distributions of the checkout by name, the core first."""
    files = (ROOT / "core" / "pyproject.toml", *sorted(ROOT.glob("plugins/*/*/pyproject.toml")))
    found = (Distribution(file.parent, tomllib.loads(file.read_text("utf-8"))["project"]) for file in files)
    return {distribution.name: distribution for distribution in found}


def plugins_of(names: Iterable[str]) -> Sequence[InstalledPlugin]:
    """The plugins of these distributions, whether they can be used here or not."""
    wanted = set(names)
    return [entry for entry in Catalog().entries() if entry.dist in wanted and entry.plugin is not None]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    yield from (f"| {' | '.join(map(_in_cell, row))} |" for row in rows)


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")


def ending(distribution: Distribution, entries: Sequence[InstalledPlugin], others: Mapping[str, Distribution]) -> str:
    """The end of a README: parameters, and where the distribution stands."""
    lines = ["## Parameters", "", *parameters(entries), "", "## Where it stands", "", *standing(distribution, others)]
    return "\n".join(lines) + "\n"


def parameters(entries: Sequence[InstalledPlugin]) -> Iterator[str]:
    """All parameters of a distribution's plugins as one table, and what is to be said of plugins without any."""
    described = [(entry, _described(entry)) for entry in entries if entry.kind not in WITHOUT_CLASS]
    having = [entry for entry, found in described if found]
    rows = _rows(described)
    if len(having) == 1:
        yield f"Of the {having[0].kind} `{having[0].name}`:"
        yield ""
        yield from table(("parameter", "type", "default", "meaning"), map(_cells, rows))
    elif having:
        yield from table(
            ("parameter", "of", "type", "default", "meaning"),
            ((_cells(p)[0], _owners(owners, having), *_cells(p)[1:]) for p, owners in rows.items()),
        )
    said = " ".join(_remarks(entries, [entry for entry, found in described if not found]))
    if said:
        yield from (
            ["", fill(said, 120, break_on_hyphens=False)] if having else [fill(said, 120, break_on_hyphens=False)]
        )


def _rows(
    described: Iterable[tuple[InstalledPlugin, Sequence[Parameter]]],
) -> Mapping[Parameter, list[InstalledPlugin]]:
    """Each parameter with the plugins that have it; those of one name stand together."""
    names: list[str] = []
    rows: dict[Parameter, list[InstalledPlugin]] = {}
    for entry, found in described:
        for parameter in found:
            names.append(parameter.name)
            rows.setdefault(_hashable(parameter), []).append(entry)
    return dict(sorted(rows.items(), key=lambda row: names.index(row[0].name)))


def _described(entry: InstalledPlugin) -> Sequence[Parameter]:
    assert entry.plugin is not None
    return describe_parameters(entry.plugin.load(), entry.plugin.preset)


def _hashable(parameter: Parameter) -> Parameter:
    """The same with its default as it is shown, so that equal ones of several plugins become one row."""
    default = (
        "required"
        if parameter.is_required
        else "from others"
        if parameter.is_computed
        else f"`{json.dumps(parameter.default, ensure_ascii=False)}`"
    )
    return attrs.evolve(parameter, default=default)


def _cells(parameter: Parameter) -> tuple[str, ...]:
    return f"`{parameter.name}`", parameter.type, parameter.default, parameter.help


def _owners(owners: Sequence[InstalledPlugin], having: Sequence[InstalledPlugin]) -> str:
    return "all" if len(owners) == len(having) else ", ".join(dict.fromkeys(f"`{owner.name}`" for owner in owners))


def _remarks(entries: Sequence[InstalledPlugin], bare: Sequence[InstalledPlugin]) -> Iterator[str]:
    if not entries:
        yield "It is a library: it offers no plugin, and so it has no parameters."
    if bare:
        yield f"Without parameters: {_named(bare)}."
    by_kind = {kind: [entry for entry in entries if entry.kind == kind] for kind in WITHOUT_CLASS}
    if by_kind["suite"]:
        yield f"Suites are played by `arena run suite:NAME`: {_named(by_kind['suite'])}."
    if by_kind["command"]:
        yield f"Commands explain their options, `arena NAME --help`: {_named(by_kind['command'])}."
    if by_kind["prompt-style"]:
        yield f"Prompt styles are shown by `arena describe prompt-style NAME`: {_named(by_kind['prompt-style'])}."


def _named(entries: Iterable[InstalledPlugin]) -> str:
    return ", ".join(f"`{entry.name}`" for entry in entries)


def standing(distribution: Distribution, others: Mapping[str, Distribution]) -> Iterator[str]:
    """What a distribution requires of the house, and what requires it."""
    below = [name for name in others if name in distribution.required()]
    above = [other for other in others.values() if distribution.name in other.required() and not other.is_bundle]
    folder = distribution.directory.parent
    place = "at the bottom" if folder == ROOT else PLACES.get(folder.name, f"among the {folder.name}")
    house = os.path.relpath(HOUSE, distribution.directory)
    yield f"In [the picture of the house]({house}) it stands {place}."
    yield ""
    yield f"- It requires {_linked(below, distribution, others) or 'nothing of Arena'}."
    for extra, needed in distribution.extras().items():
        if ours := [name for name in others if name in needed]:
            yield f"- With the extra `{extra}` it requires {_linked(ours, distribution, others)} too."
    if distribution.name == "playarena-core":
        yield "- Everything else requires it."
    elif above:
        yield f"- It is required by {_linked([other.name for other in above], distribution, others)}."


def _linked(names: Sequence[str], source: Distribution, others: Mapping[str, Distribution]) -> str:
    return ", ".join(f"[`{name}`]({os.path.relpath(others[name].read_me, source.directory)})" for name in names)


def _title(kind: str) -> str:
    return PLURALS.get(kind, f"{kind}s")


def tables() -> str:
    """All plugins, a table for each kind, with links as they are from docs/plugins.md."""
    others = workspace()
    entries = plugins_of(others)
    lines = list[str]()
    for kind in KINDS:
        rows = [
            (f"`{e.name}`", e.plugin.summary if e.plugin else "", _source(e, others)) for e in entries if e.kind == kind
        ]
        lines += [f"## {_title(kind).capitalize()}", "", *table(("name", "what it is", "comes with"), rows), ""]
    return "\n".join(lines)


def _source(entry: InstalledPlugin, others: Mapping[str, Distribution]) -> str:
    return f"[{entry.dist}]({os.path.relpath(others[entry.dist].read_me, HOUSE.parent)})"


def box(entries: Sequence[InstalledPlugin]) -> str:
    """The table of the repository's README: how many plugins of each kind, and some of them."""
    page = OPENSPIEL.read_text("utf-8")
    (passed,), (ruled,) = re.findall(r"\*\*(\d+) of \d+\*\* pass", page), re.findall(r"\*\*(\d+) of them", page)
    rows = (
        (
            _title(kind),
            str(sum(entry.kind == kind for entry in entries)),
            samples.format(openspiel=f"{passed} ({ruled} with rules)"),
        )
        for kind, samples in SAMPLES.items()
    )
    return "\n".join(table(("[in the box](docs/plugins.md)", "number", "such as"), rows)) + "\n"


def made() -> Mapping[Path, str]:
    """Every file that is written, with its text as it should be; ``ValueError`` where one has no place for it."""
    others = workspace()
    entries = plugins_of(others)
    texts = dict[Path, str]()
    parts = {ROOT / "README.md": box(entries)}
    for distribution in others.values():
        own = [entry for entry in entries if entry.dist == distribution.name]
        parts[distribution.read_me] = ending(distribution, own, others)
    for file, part in parts.items():
        before = file.read_text("utf-8")
        if not REGION.search(before):
            raise ValueError(f"{file.relative_to(ROOT)} has no comment that says where docs/readmes.py may write")
        texts[file] = REGION.sub(lambda _, part=part: part, before)
    return texts


def main() -> None:
    """Write all of it, and say what changed."""
    for file, text in made().items():
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
            sys.stderr.write(f"wrote {file.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
