"""Loads rule sets from folders, zip files and jars, packages and single files, and shipped ones by name.

A pack of a thousand small files is read and hashed; the resulting rule set is cached as one file under that hash in the
user's cache directory. A changed pack has another hash, so nothing stale is ever used, and a cached file that cannot be
read is replaced.
"""

import os
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import attrs
from arena.errors import ConfigError, InputWarning

from arena_game_tradecraft.rules.compact import FORMAT, fingerprint, parse_rules, write_rules
from arena_game_tradecraft.rules.datapack import is_read, parse_pack
from arena_game_tradecraft.rules.pairs import parse_pairs
from arena_game_tradecraft.rules.procedural import parse_source, procedural_rules
from arena_game_tradecraft.rules.ruleset import RuleSet

SHIPPED: Final = "arena_game_tradecraft:rulesets"
"""The package folder of the rule sets that are found by bare names."""

_NAME: Final = re.compile(r"[\w-]+")
_PACKAGED: Final = re.compile(r"(?P<package>[A-Za-z_][\w.]+):(?P<path>.+)")
_TAGS: Final = ("tags/items", "tags/item", "tags/_custom", "tags/blocks", "tags/block")
_FOLDERS: Final = ("recipes", "recipe", *_TAGS, "pairs")
_ARCHIVES: Final = (".zip", ".jar")
_READING: Final = 4
"""The version of the cache; raised whenever packs are read differently, so that older entries are not used."""


def load(source: str | Path, *, cache: Path | None = None) -> RuleSet:
    """Load the rule set named by ``source``; ``ConfigError`` says what is wrong with it, by file and path.

    ``source`` is the name of a shipped one (``"workshop"``); ``"package:path"``; or a path, written with a
    slash or a suffix, of a folder or archive in the format of ``datapack``, of a ``.json`` file in that of
    ``compact``, or of a ``.txt`` file in that of ``pairs``. ``"procedural?seed=7"`` generates one, see
    ``procedural``. Parsed packs are kept in ``cache``, by default a directory of the user. What could be read in two
    ways is told as an ``InputWarning`` each time, whether it was read or kept.
    """
    return told(read(source, cache=cache))


def told(rules: RuleSet) -> RuleSet:
    """Warn of what in the rules could be read in two ways; returns them."""
    for note in rules.notes:
        warnings.warn(note, InputWarning, stacklevel=3)
    return rules


def read(source: str | Path, *, cache: Path | None = None) -> RuleSet:
    """The same as ``load``, without a warning."""
    if (wanted := parse_source(str(source))) is not None:
        return settled(procedural_rules(wanted))
    place = locate(str(source))
    name = Path(place.name).stem
    if place.is_file() and place.name.endswith(".json"):
        rules = parse_rules(place.name, place.read_bytes(), name)
    elif place.is_file() and place.name.endswith(".txt"):
        rules = RuleSet(name, {}, parse_pairs({place.name: place.read_bytes()}))
    else:
        rules = _pack(read_pack(place), name, cache_directory() if cache is None else cache)
    return settled(rules)


def locate(source: str, folder: str = SHIPPED, what: str = "rule set") -> Traversable:
    """The file or folder named by ``source``; a bare name is looked up in the package folder ``folder``."""
    if _NAME.fullmatch(source):
        shipped = packaged(folder)
        found = (place for suffix in ("", ".json", ".zip") if _exists(place := shipped / f"{source}{suffix}"))
        names = sorted(Path(place.name).stem for place in shipped.iterdir() if not place.name.startswith(("_", ".")))
        missing = f"no {what} called {source!r} (there is: {', '.join(names)}; a folder is written './{source}')"
    elif (match := _PACKAGED.fullmatch(source)) and not Path(source).exists():
        found = iter([place] if _exists(place := packaged(source)) else [])
        missing = f"{source}: the package {match['package']!r} has no {match['path']!r}"
    else:
        found = iter([path] if (path := Path(source).expanduser()).exists() else [])
        missing = f"{source}: no such file or folder"
    if (place := next(found, None)) is None:
        raise ConfigError(missing)
    return place


def is_path(source: str) -> bool:
    """Whether a source leads to any file or folder of the machine, and not to one that a package ships."""
    place = source.partition("#")[0].partition("?")[0]
    if _NAME.fullmatch(place):
        return False
    return _PACKAGED.fullmatch(place) is None or ".." in place.split("/")


def packaged(source: str) -> Traversable:
    """Resolve ``package:path`` without importing the package; the file need not exist."""
    package, _, path = source.partition(":")
    first, *inside = package.split(".")  # a search for a package inside another one would import that one
    found = find_spec(first) if first else None
    if found is None or not found.submodule_search_locations:
        raise ConfigError(f"{source}: no package called {first!r} is installed")
    return Path(found.submodule_search_locations[0]).joinpath(*inside, *path.split("/"))


def read_pack(place: Traversable) -> dict[str, bytes]:
    """The recipes and tags of a folder or archive, by their path in it."""
    if place.is_dir():
        found = {path: file.read_bytes() for path, file in _walk(place) if is_read(path)}
        if not found and (inside := _folders_with_recipes(place)):
            raise ConfigError(f"{place.name}: there is no recipe; name a folder in it: {', '.join(inside)}")
        return found
    if not place.name.endswith(_ARCHIVES):
        raise ConfigError(f"{place.name}: expected a folder, a .zip or .jar, a .json or a .txt file")
    try:
        with place.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            return {path: archive.read(path) for path in archive.namelist() if is_read(path)}
    except zipfile.BadZipFile as error:
        raise ConfigError(f"{place.name}: this is not a zip file: {error}") from error


def cache_directory() -> Path:
    """The directory of cached packs: in ``$XDG_CACHE_HOME``, or ``.cache`` in the user's home."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path("~/.cache").expanduser()) / "arena" / "tradecraft"


def settled(rules: RuleSet) -> RuleSet:
    """Sort everything by name, so that equal rules are played alike wherever they were read."""
    return attrs.evolve(
        rules,
        tags=dict(sorted(rules.tags.items())),
        recipes=tuple(sorted(rules.recipes, key=lambda recipe: recipe.name)),
        digest=fingerprint(rules),
    )


def _pack(files: Mapping[str, bytes], name: str, cache: Path) -> RuleSet:
    kept = cache / f"{_hash(files)}.json"
    try:
        return parse_rules(kept.name, kept.read_bytes(), name)
    except (OSError, ConfigError):
        rules = parse_pack(files, name)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_text(write_rules(rules), encoding="utf-8")
        unfinished.replace(kept)
    except OSError:
        pass  # a home that cannot be written to costs time, nothing else
    return rules


def _hash(files: Mapping[str, bytes]) -> str:
    hashed = blake2b(f"{_READING}/{FORMAT}".encode(), digest_size=16)
    for path in sorted(files):
        hashed.update(f"\0{path}\0{len(files[path])}\0".encode())
        hashed.update(files[path])
    return hashed.hexdigest()


def _folders_with_recipes(place: Traversable) -> list[str]:
    inside = (child for child in place.iterdir() if child.is_dir())
    return sorted(child.name for child in inside if any((child / folder).is_dir() for folder in ("recipes", "recipe")))


def _exists(place: Traversable) -> bool:
    return place.is_file() or place.is_dir()


def _walk(root: Traversable) -> Iterator[tuple[str, Traversable]]:
    spaces = root.joinpath("data")
    roots = [("", root)]
    if spaces.is_dir():
        roots += [(f"data/{space.name}/", space) for space in spaces.iterdir() if space.is_dir()]
    for prefix, place in roots:
        for folder in _FOLDERS:
            yield from _files(place.joinpath(*folder.split("/")), f"{prefix}{folder}")


def _files(place: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    if not place.is_dir():
        return
    for child in place.iterdir():
        if child.is_dir():
            yield from _files(child, f"{path}/{child.name}")
        else:
            yield f"{path}/{child.name}", child
