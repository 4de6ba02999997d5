"""Prompt styles: named, ordered parts of text with placeholders, from data files.

Since a part is left out where a placeholder in it has nothing to say, one style serves decisions with and without
listed actions, first turns and later ones, first tries and repeated ones.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import attrs
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from arena_agent_llm.parts import PartText, unknown, version_of


@attrs.frozen(kw_only=True)
class Style:
    """A whole prompt: its parts in order, and whether the answer holds reasoning."""

    name: str
    summary: str = ""
    reasoning: bool = True
    parts: tuple[PartText, ...] = ()

    @property
    def version(self) -> str:
        """One hash for all parts and their order."""
        return version_of(self.reasoning, [[part.name, part.version] for part in self.parts])

    def part_names(self) -> tuple[str, ...]:
        """The parts' names, in order."""
        return tuple(part.name for part in self.parts)

    def changed(self, overrides: Mapping[str, Any]) -> "Style":
        """This style with parts replaced, dropped, added or moved; ``ValueError`` where an override does not fit.

        A text replaces a part's text, ``False`` or ``None`` drops the part, a table ``{text, in, before, after}`` does
        the rest. Only a table adds a part, so that a misspelt name is an error.
        """
        style = self
        for name, change in overrides.items():
            style = style._with(name, change)
        return style

    def _with(self, name: str, change: Any) -> "Style":
        old = next((part for part in self.parts if part.name == name), None)
        table = change if isinstance(change, Mapping) else {"text": change}
        _check_keys(f"part {name!r}", table, {"text", "in", "before", "after"})
        if old is None and not (isinstance(change, Mapping) and "text" in table):
            known = ", ".join(self.part_names())
            raise ValueError(f"{unknown('part', name, self.part_names())} in style {self.name!r} (there is: {known})")
        others = tuple(part for part in self.parts if part is not old)
        if change is None or change is False:
            return attrs.evolve(self, parts=others)
        text = table.get("text", old.text if old else None)
        if not isinstance(text, str):
            raise ValueError(f"part {name!r}: expected a text, or false to drop it, got {text!r}")
        part = PartText(name=name, place=table.get("in", old.place if old else "user"), text=text)
        where = self._place_of(name, table, others, self.parts.index(old) if old else len(others))
        return attrs.evolve(self, parts=(*others[:where], part, *others[where:]))

    def _place_of(self, name: str, table: Mapping[str, Any], others: tuple[PartText, ...], default: int) -> int:
        beside = [key for key in ("before", "after") if key in table]
        if not beside:
            return default
        names = [part.name for part in others]
        if len(beside) > 1 or table[beside[0]] not in names:
            raise ValueError(f"part {name!r}: give 'before' or 'after' one of: {', '.join(names)}")
        return names.index(table[beside[0]]) + (beside[0] == "after")


@cache
def styles() -> tuple[str, ...]:
    """The names of the styles that are shipped."""
    return tuple(sorted(p.name.removesuffix(".yaml") for p in _folder().iterdir() if p.name.endswith(".yaml")))


def load(name: str) -> Style:
    """A shipped style by its name, or one's own by a path to a YAML file; ``ValueError`` where there is none."""
    if not name.endswith((".yaml", ".yml")):
        if name not in styles():
            hint = f"{unknown('style', name, styles())} (there is: {', '.join(styles())}, or a path to a .yaml file)"
            raise ValueError(hint)
        return _shipped(name)
    try:
        return _parsed(Path(name).stem, Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"the style file {name!r} cannot be read: {error}") from None


def _folder():
    return files("arena_agent_llm") / "styles"


@cache
def _shipped(name: str) -> Style:
    return _parsed(name, _folder().joinpath(f"{name}.yaml").read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def _parsed(name: str, text: str) -> Style:
    try:
        raw = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ValueError(f"style {name!r} is not YAML: {' '.join(str(error).split())}") from None
    _check_keys(f"style {name!r}", raw, {"summary", "reasoning", "parts"})
    if not isinstance(raw.get("reasoning", True), bool) or not isinstance(raw.get("parts"), list):
        raise ValueError(f"style {name!r}: 'parts' must be a list and 'reasoning' true or false")
    parts: list[PartText] = []
    for entry in raw["parts"]:
        _check_keys(f"a part of style {name!r}", entry, {"name", "in", "text"})
        if not (isinstance(entry.get("name"), str) and isinstance(entry.get("text"), str)):
            raise ValueError(f"style {name!r}: every part needs 'name' and 'text', got {entry!r}")
        parts.append(PartText(name=entry["name"], place=entry.get("in", "user"), text=entry["text"]))
    if len({part.name for part in parts}) < len(parts):
        raise ValueError(f"style {name!r}: two parts have the same name")
    return Style(
        name=name, summary=str(raw.get("summary", "")), reasoning=raw.get("reasoning", True), parts=tuple(parts)
    )


def _check_keys(where: str, table: Any, known: set[str]) -> None:
    if not isinstance(table, Mapping):
        raise ValueError(f"{where}: expected a table, got {table!r}")
    for key in table:
        if key not in known:
            raise ValueError(f"{where}: {unknown('key', str(key), known)}")
