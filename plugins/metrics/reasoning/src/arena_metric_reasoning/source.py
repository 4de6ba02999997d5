"""Data files of this plugin: shipped ones by name, others by path or in an installed package."""

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.reader import read

ENDINGS = (".yaml", ".yml")


def text_of(kind: str, name: str) -> str:
    """The text of ``name``: one that is shipped, a path, or ``PACKAGE:FILE`` of an installed package.

    ``ValueError`` says what there is.
    """
    try:
        if not name.endswith(ENDINGS):
            return files("arena_metric_reasoning").joinpath(kind, f"{name}.yaml").read_text("utf-8")
        package, colon, inside = name.partition(":")
        if colon and package.isidentifier() and len(package) > 1:
            return files(package).joinpath(inside).read_text("utf-8")
        return Path(name).expanduser().read_text("utf-8")
    except (OSError, ModuleNotFoundError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{name!r} cannot be read ({error}); expected {', '.join(map(repr, shipped(kind)))}, the path of a .yaml "
            "file, or PACKAGE:FILE.yaml of an installed package"
        ) from None


def table_of(kind: str, name: str) -> tuple[Mapping[str, Any], str]:
    """The table in a file, and a short hash of its text; ``ValueError`` where it is none."""
    text = text_of(kind, name)
    try:
        found = read(text, name).data
    except ConfigError as error:
        raise ValueError(str(error)) from None
    if not isinstance(found, Mapping):
        raise ValueError(f"{name!r}: expected a table, got {type(found).__name__}")
    return found, blake2b(text.encode(), digest_size=4).hexdigest()


@cache
def shipped(kind: str) -> tuple[str, ...]:
    """The names of the files of one kind that are shipped."""
    return tuple(sorted(p.name.removesuffix(".yaml") for p in files("arena_metric_reasoning").joinpath(kind).iterdir()))


def check_keys(name: str, table: Mapping[str, Any], required: set[str], optional: set[str]) -> None:
    """``ValueError`` unless a table has these keys and no others."""
    if missing := sorted(required - table.keys()):
        raise ValueError(f"{name!r}: the key {missing[0]!r} is missing")
    if unknown := sorted(table.keys() - required - optional):
        raise ValueError(f"{name!r}: unknown key {unknown[0]!r} (there is: {', '.join(sorted(required | optional))})")


def words_in(name: str, where: str, value: Any) -> tuple[str, ...]:
    """A list of texts, none of them empty; ``ValueError`` where it is something else."""
    if not isinstance(value, list) or not value or not all(isinstance(v, str) and v.strip() for v in value):
        raise ValueError(f"{name!r}: {where}: expected a list of texts, got {value!r}")
    return tuple(value)
