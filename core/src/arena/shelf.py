"""Tables that plugins keep in YAML files: shipped ones by name, others by path or in an installed package."""

from collections.abc import Mapping
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

import attrs

from arena.errors import ConfigError
from arena.reader import read

ENDINGS: Final = (".yaml", ".yml")


@attrs.frozen
class Shelf:
    """The files of one kind that a plugin's ``package`` ships in the folder ``kind``, and where else one may lie."""

    package: str
    kind: str

    def text(self, name: str) -> str:
        """The text of ``name``: one that is shipped, a path, or ``PACKAGE:FILE`` of an installed package.

        ``ValueError`` says what there is.
        """
        try:
            if not name.endswith(ENDINGS):
                return files(self.package).joinpath(self.kind, f"{name}.yaml").read_text("utf-8")
            package, colon, inside = name.partition(":")
            if colon and package.isidentifier() and len(package) > 1:
                return files(package).joinpath(inside).read_text("utf-8")
            return Path(name).expanduser().read_text("utf-8")
        except (OSError, ModuleNotFoundError, UnicodeDecodeError) as error:
            raise ValueError(
                f"{name!r} cannot be read ({error}); expected {', '.join(map(repr, self.names()))}, the path of a "
                ".yaml file, or PACKAGE:FILE.yaml of an installed package"
            ) from None

    def table(self, name: str) -> tuple[Mapping[str, Any], str]:
        """The table in a file, and a short hash of its text; ``ValueError`` where it is none."""
        text = self.text(name)
        try:
            found = read(text, name).data
        except ConfigError as error:
            raise ValueError(str(error)) from None
        if not isinstance(found, Mapping):
            raise ValueError(f"{name!r}: expected a table, got {type(found).__name__}")
        return cast("Mapping[str, Any]", found), blake2b(text.encode(), digest_size=4).hexdigest()

    def names(self) -> tuple[str, ...]:
        """The names of the files that are shipped."""
        shipped = files(self.package).joinpath(self.kind).iterdir()
        return tuple(sorted(path.name.removesuffix(".yaml") for path in shipped if path.name.endswith(".yaml")))


def short_name(name: str) -> str:
    """What a file is called in tables, however it was named."""
    return Path(name).stem if name.endswith(ENDINGS) else name


def check_keys(name: str, table: Mapping[str, Any], required: set[str], optional: set[str]) -> None:
    """``ValueError`` unless a table has these keys and no others."""
    if missing := sorted(required - table.keys()):
        raise ValueError(f"{name!r}: the key {missing[0]!r} is missing")
    if unknown := sorted(table.keys() - required - optional):
        raise ValueError(f"{name!r}: unknown key {unknown[0]!r} (there is: {', '.join(sorted(required | optional))})")


def words_in(name: str, where: str, value: Any) -> tuple[str, ...]:
    """A list of texts, none of them empty; ``ValueError`` where it is something else."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    if not items or not all(isinstance(item, str) and item.strip() for item in items):
        raise ValueError(f"{name!r}: {where}: expected a list of texts, got {value!r}")
    return tuple(items)
