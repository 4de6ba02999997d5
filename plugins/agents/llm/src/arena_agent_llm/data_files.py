"""Finds a plugin's YAML files: by the name of a shipped file, by path, or as ``PACKAGE:FILE``."""

from collections.abc import Mapping
from hashlib import blake2b
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

import attrs

ENDINGS: Final = (".yaml", ".yml")


@attrs.frozen
class DataFiles:
    """YAML files of one kind, which ``package`` ships in its folder ``kind`` and users may add elsewhere."""

    package: str
    kind: str

    @staticmethod
    def is_path(name: str) -> bool:
        """Whether a name leads to any file of the machine, and not to one that a package ships."""
        package, colon, inside = name.partition(":")
        is_packaged = bool(colon) and package.isidentifier() and len(package) > 1 and ".." not in inside.split("/")
        return name.endswith(ENDINGS) and not is_packaged

    def text(self, name: str) -> str:
        """Read ``name``: a shipped file's name, a path, or ``PACKAGE:FILE`` of an installed package.

        ``ValueError`` lists the names that exist.
        """
        try:
            if not name.endswith(ENDINGS):
                return files(self.package).joinpath(self.kind, f"{name}.yaml").read_text("utf-8")
            package, colon, inside = name.partition(":")
            if colon and package.isidentifier() and len(package) > 1:
                return _folder(package).joinpath(inside).read_text("utf-8")
            return Path(name).expanduser().read_text("utf-8")
        except (OSError, ModuleNotFoundError, UnicodeDecodeError) as error:
            raise ValueError(
                f"{name!r} cannot be read ({error}); expected {', '.join(map(repr, self.names()))}, the path of a "
                ".yaml file, or PACKAGE:FILE.yaml of an installed package"
            ) from None

    def table(self, name: str) -> tuple[Mapping[str, Any], str]:
        """Parse a file that holds a mapping; returns it with a short hash of its text.

        ``ValueError`` if it is no mapping.
        """
        text = self.text(name)
        found = _parsed(text, name)
        if not isinstance(found, Mapping):
            raise ValueError(f"{name!r}: expected a table, got {type(found).__name__}")
        return cast("Mapping[str, Any]", found), blake2b(text.encode(), digest_size=4).hexdigest()

    def names(self) -> tuple[str, ...]:
        """The names of the shipped files, without their suffix."""
        shipped = files(self.package).joinpath(self.kind).iterdir()
        return tuple(sorted(path.name.removesuffix(".yaml") for path in shipped if path.name.endswith(".yaml")))


def _folder(package: str) -> Path:
    """The folder of an installed package, which is not imported: a name in somebody's file starts no code."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"no package called {package!r} is installed")
    return Path(found.submodule_search_locations[0])


def _parsed(text: str, name: str) -> Any:
    """Parse one YAML 1.2 document; ``ValueError`` names the line and column of a syntax error."""
    # Imported here because an agent that reads no file should not pay for it.
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise ValueError(f"{name}: {place}{error.problem or error.context}; correct the YAML there") from None
    except YAMLError as error:
        raise ValueError(f"{name}: {' '.join(str(error).split())}; correct the YAML there") from None


def short_name(name: str) -> str:
    """The short name that tables show for a file, whichever way it was named."""
    return Path(name).stem if name.endswith(ENDINGS) else name


def check_keys(name: str, table: Mapping[str, Any], required: set[str], optional: set[str]) -> None:
    """Raise ``ValueError`` unless a table has all required keys and no unknown ones."""
    if missing := sorted(required - table.keys()):
        raise ValueError(f"{name!r}: the key {missing[0]!r} is missing")
    if unknown := sorted(table.keys() - required - optional):
        raise ValueError(f"{name!r}: unknown key {unknown[0]!r} (there is: {', '.join(sorted(required | optional))})")


def words_in(name: str, where: str, value: Any) -> tuple[str, ...]:
    """Check that ``value`` is a list of non-empty strings and return it; ``ValueError`` if it is not."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    if not items or not all(isinstance(item, str) and item.strip() for item in items):
        raise ValueError(f"{name!r}: {where}: expected a list of texts, got {value!r}")
    return tuple(items)
