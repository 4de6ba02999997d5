"""Writes distributions for new plugins from the files in ``templates``.

A template is a file of ``string.Template``, and so is its path. The folder ``any`` has the files of every distribution,
a folder per kind has the kind's own (``game-hidden`` those of a game with hidden cards), and ``licences`` the texts to
choose from.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from json import dumps
from keyword import iskeyword
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any, Final

import attrs
from arena import __version__
from arena.catalog import Catalog
from arena.errors import ConfigError, did_you_mean
from arena.plugin import KINDS, group_of, is_importable

TEMPLATES: Final = files("arena_devkit") / "templates"
SUFFIX: Final = ".template"
SHARED: Final = ("any", "licences")

LONGEST: Final = 30
"""The most characters in a plugin's name, so that no generated line is too long."""

OURS: Final = ("arena", "playarena")
"""The first words of names of distributions that are Arena's own."""

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_AUTHOR: Final = re.compile(r"\s*(?P<name>[^<>@]*?)\s*(?:<?(?P<mail>[^<>@\s]+@[^<>@\s]+)>?)?\s*")
_OWN: Final = ("attrs>=23.2",)


@attrs.frozen(kw_only=True)
class Blueprint:
    """What a new distribution is to be: one plugin of ``kind`` called ``name``.

    ``author`` is ``Name <mail>``, one of the two, or empty. ``licence`` is one of ``licences()``. ``is_hidden`` asks
    for a game with hidden cards.
    """

    kind: str
    name: str
    author: str = ""
    licence: str = "Apache-2.0"
    is_hidden: bool = False

    @property
    def folder(self) -> str:
        """The folder of the templates that are the plugin's own."""
        return f"{self.kind}-hidden" if self.is_hidden else self.kind

    @property
    def dist(self) -> str:
        """The name of the distribution and of its folder."""
        return self.name

    @property
    def package(self) -> str:
        """The name of the package to import."""
        return self.dist.replace("-", "_")

    @property
    def class_name(self) -> str:
        """The name of the plugin's class."""
        return "".join(part.capitalize() for part in self.name.split("-"))

    def check(self, catalog: Catalog) -> None:
        """Raise ``ConfigError`` if the name is unsuitable or is taken by an installed plugin."""
        for problem in self._problems(catalog):
            raise ConfigError(problem)

    def files(self) -> dict[str, str]:
        """The text of every file of the distribution, by path."""
        words = self._words()
        templates = {**_templates("any"), **_templates(self.folder), "LICENSE": _licence(self.licence)}
        return {Template(path).substitute(words): text.substitute(words) for path, text in templates.items()}

    def write(self, folder: Path) -> Path:
        """Write the whole distribution, or nothing, into a new folder below ``folder``; returns that folder."""
        root = folder / self.dist
        if root.exists():
            raise ConfigError(f"{root}: is there already; choose another name, or another --output")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=folder, prefix=".") as place:
                whole = Path(place) / self.dist
                for path, text in self.files().items():
                    (whole / path).parent.mkdir(parents=True, exist_ok=True)
                    (whole / path).write_text(text, encoding="utf-8")
                whole.rename(root)
        except OSError as error:
            raise ConfigError(f"{root}: cannot be written ({error.strerror}); choose another --output") from error
        return root

    def _problems(self, catalog: Catalog) -> Iterator[str]:
        if self.kind not in kinds():
            yield _unknown_kind(self.kind)
        elif self.is_hidden and self.kind != "game":
            yield f"--hidden is for games alone, not for {self.kind}s; leave it out"
        if self.licence not in licences():
            yield f"--licence {self.licence!r}: no such text{did_you_mean(self.licence, licences())}"
        if not _AUTHOR.fullmatch(self.author):
            yield f"--author {self.author!r}: expected 'Name <mail>', or one of both"
        if not _NAME.fullmatch(self.name) or len(self.name) > LONGEST:
            yield (
                f"{self.name!r} cannot be the name of a plugin; expected at most {LONGEST} lower-case letters and "
                "digits, a letter first, with single hyphens between words, such as 'my-game'"
            )
        first, _, rest = self.name.partition("-")
        if first in OURS:
            own = f"names that begin with {' or '.join(map(repr, OURS))} are Arena's own"
            yield f"{self.name!r}: {own}; choose another, such as {rest or 'duel'!r}"
        if catalog.has(self.kind, self.name):
            dists = ", ".join(entry.dist for entry in catalog.entries(self.kind) if entry.name == self.name)
            yield f"there is a {self.kind} called {self.name!r} already, from {dists}; choose another name"
        if _is_installed(self.dist):
            yield f"a distribution called {self.dist} is installed already; choose another name"
        if iskeyword(self.package):
            yield f"{self.name!r} is a word of Python, so no package can be called so; choose another name"
        elif is_importable(self.package):
            yield f"Python has a package or module called {self.package} already; choose another name"
        if self.class_name in self._used():
            yield f"its class would be called {self.class_name}, as something else in it is; choose another name"

    def _used(self) -> set[str]:
        """All words in the templates of this kind, which its class cannot be called, but for attributes."""
        texts = (text.template for text in _templates(self.folder).values())
        return {word for text in texts for word in re.findall(r"(?<![\w.])\w+", text)} | {"None", "True", "False"}

    def _words(self) -> Mapping[str, str]:
        own = _plan(self.folder)
        required = own.get("dependencies", ())
        core = [f"{dist}{_versions()}" for dist in ("playarena-core", *own.get("rooms", ()), *required)]
        author = _AUTHOR.fullmatch(self.author)
        name, mail = author.group("name", "mail") if author else ("", None)
        words = {
            "kind": self.kind,
            "group": group_of(self.kind),
            "name": self.name,
            "dist": self.dist,
            "package": self.package,
            "class_name": self.class_name,
            "licence": self.licence,
            "year": str(datetime.now(UTC).year),
            "holder": name or mail or f"the authors of {self.dist}",
            "authors": _authors(name, mail),
            "versions": _versions(),
            "dependencies": ", ".join(map(dumps, [*core, *(() if required else _OWN)])),
            "module": own.get("module", f"{self.kind}.py"),
            "summary": own["summary"],
        }
        return {**words, **{key: Template(own[key]).substitute(words) for key in ("holds", "tested", "use")}}


def kinds() -> tuple[str, ...]:
    """The kinds that templates exist for, in the order of ``arena.plugin.KINDS``."""
    there = {folder.name for folder in TEMPLATES.iterdir()} - set(SHARED)
    return tuple(kind for kind in KINDS if kind in there)


def licences() -> tuple[str, ...]:
    """The SPDX names of the licences whose text can be written."""
    return tuple(sorted(file.name.removesuffix(SUFFIX) for file in (TEMPLATES / "licences").iterdir()))


def _unknown_kind(kind: str) -> str:
    known = f"new-plugin writes a {', '.join(kinds()[:-1])} or {kinds()[-1]}"
    if kind in KINDS:
        return f"{known}; for a {kind} take an installed one as a model (`arena list-plugins --kind {kind}`)"
    return f"no kind of plugin is called {kind!r}{did_you_mean(kind, kinds())}; {known}"


def _templates(folder: str) -> dict[str, Template]:
    return {
        path.removesuffix(SUFFIX): Template(file.read_text(encoding="utf-8"))
        for path, file in _walk(TEMPLATES / folder)
        if path.endswith(SUFFIX)
    }


def _walk(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    for found in sorted(folder.iterdir(), key=lambda each: each.name):
        if found.is_dir():
            yield from _walk(found, f"{above}{found.name}/")
        else:
            yield f"{above}{found.name}", found


def _plan(kind: str) -> dict[str, Any]:
    return tomllib.loads((TEMPLATES / kind / "blueprint.toml").read_text(encoding="utf-8"))


def _licence(name: str) -> Template:
    return Template((TEMPLATES / "licences" / f"{name}{SUFFIX}").read_text(encoding="utf-8"))


def _authors(name: str, mail: str | None) -> str:
    parts = {"name": name, "email": mail}
    written = ", ".join(f"{key} = {dumps(value, ensure_ascii=False)}" for key, value in parts.items() if value)
    return f"authors = [{{ {written} }}]\n" if written else ""


def _versions() -> str:
    """The range of core versions that a plugin written for this one works with."""
    major, minor, *_ = __version__.split(".")
    return f">={major}.{minor},<{major}.{int(minor) + 1}"


def _is_installed(dist: str) -> bool:
    try:
        distribution(dist)
    except PackageNotFoundError:
        return False
    return True
