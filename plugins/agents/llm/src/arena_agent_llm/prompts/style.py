"""Prompt styles: named, ordered parts of text with placeholders, read from data files.

Since a part is left out if one of its placeholders has no value, one style serves decisions with and without listed
actions, first and later turns, first and repeated tries.
"""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import attrs
from arena.catalog import Catalog
from arena.errors import PluginError
from arena.game import Decision
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from arena_agent_llm.outcomes import ACTION, AnswerForm, AnswerShape
from arena_agent_llm.prompts.parts import Layout, Place, PromptPart, unknown, version_of

ActionNames: TypeAlias = Literal["labels", "numbers", "short"]
"""How a style may name actions."""

_SHAPES: Final[Mapping[AnswerForm, AnswerShape]] = {form: AnswerShape(form) for form in get_args(AnswerForm)}

_KEYS: Final = {"summary", "reasoning", "actions", "answer", "keys", "extends", "parts"}
"""The keys of a style."""


@attrs.frozen(kw_only=True)
class Style:
    """A whole prompt: its parts in order, whether the answer includes reasoning, and how it names the action.

    Actions are named by their ``labels``, by ``numbers`` if they are whole numbers, or in ``short``: by the game's
    short names for them if it has any, and all in one line. The answer is a JSON ``object`` that holds the action, or
    the ``action`` itself if that is an object, or an object with the ``fields`` of the action beside its reasoning, or
    the last ``list`` in the text, as Python or JSON writes it, or the whole ``text``.

    Where an action has no fields by name, or none of the name that ``keys`` gives for the phase, an answer with
    ``fields`` has the whole action under that name, else under ``action``.

    ``offered`` are parts that are off until somebody asks for them.
    """

    name: str
    summary: str = ""
    reasoning: bool = True
    actions: ActionNames = "labels"
    answer: AnswerForm = "object"
    keys: Mapping[str, str] = attrs.field(factory=dict[str, str])
    parts: tuple[PromptPart, ...] = ()
    offered: tuple["OfferedPart", ...] = ()

    @cached_property
    def version(self) -> str:
        """One hash of all parts and their order."""
        settings = [self.reasoning, *([self.actions] if self.actions != "labels" else [])]
        settings += [self.answer] if self.answer != "object" else []
        settings += [dict(self.keys)] if self.keys else []
        return version_of(*settings, [[part.name, part.version] for part in self.parts])

    @cached_property
    def forms(self) -> frozenset[str]:
        """The forms of observation that its parts show by name."""
        return frozenset().union(*(part.forms for part in self.parts))

    @cached_property
    def names(self) -> frozenset[str]:
        """The placeholders of all its parts."""
        return frozenset().union(*(part.names for part in self.parts))

    @cached_property
    def phases(self) -> frozenset[str]:
        """The phases that its parts name."""
        return frozenset().union(*(part.phases for part in self.parts))

    def placed(self, place: Place) -> tuple[PromptPart, ...]:
        """The parts of one message, in order."""
        return self._by_place.get(place, ())

    @cached_property
    def _by_place(self) -> Mapping[Place, tuple[PromptPart, ...]]:
        places: set[Place] = {part.place for part in self.parts}
        return {place: tuple(part for part in self.parts if part.place == place) for place in places}

    def layout(self, place: Place, named: frozenset[str], phase: object) -> Layout:
        """The parts of one message that are there where these placeholders have values; made once for each case."""
        case = (place, named, phase if phase in self.phases else None)
        if (known := self._layouts.get(case)) is None:
            said = [part for part in self.placed(place) if part.is_there(named, phase)]
            there = {part.name for part in said}
            known = self._layouts[case] = Layout(tuple([part for part in said if part.unless not in there]))
        return known

    @cached_property
    def _layouts(self) -> dict[tuple[Place, frozenset[str], object], Layout]:
        return {}

    def placeholders(self, phase: str) -> frozenset[str]:
        """All placeholders of the parts that are there in this phase."""
        return self._placeholders[phase if phase in self.phases else None]

    @cached_property
    def _placeholders(self) -> Mapping[str | None, frozenset[str]]:
        names = frozenset[str]()
        return {
            phase: names.union(*(part.names for part in self.parts if not part.phases or phase in part.phases))
            for phase in (None, *self.phases)
        }

    def shape_of(self, decision: Decision) -> AnswerShape:
        """What the answer to this decision looks like."""
        if self.answer != "fields":
            return _SHAPES[self.answer]
        schema: Any = decision.action_schema
        names = schema.get("properties", {}) if isinstance(schema, Mapping) else {}
        key = self.keys.get(decision.phase, "" if names else ACTION)
        return AnswerShape("object", key) if key and key not in names else AnswerShape("fields")

    def part_names(self) -> tuple[str, ...]:
        """The parts' names, in order."""
        return tuple(part.name for part in self.parts)

    def changed(self, overrides: Mapping[str, Any]) -> "Style":
        """Return this style with parts replaced, dropped, added or moved; ``ValueError`` if an override does not fit.

        A string replaces a part's text, ``False`` or ``None`` drops the part, ``True`` adds one that is offered, and a
        table ``{text, in, unless, phases, before, after}`` does the rest. Only a table can add another part, so that a
        misspelt name is an error.
        """
        style = self
        for name, change in overrides.items():
            style = style._with(name, change)
        return style.checked()

    def checked(self) -> "Style":
        """This style; ``ValueError`` if its system message shows a form of answer that differs from turn to turn.

        An example is an object that holds the action, and there is none of answers of another form.
        """
        if self.answer != "object" and (told := [part.name for part in self.parts if "example" in part.names]):
            raise ValueError(f"part {told[0]!r}: there is no $example of answers by 'answer: {self.answer}'")
        if self.answer == "object" and self.actions != "numbers":
            return self
        for part in self.parts:
            if part.place == "system" and "answer" in part.names:
                setting = "actions: numbers" if self.actions == "numbers" else f"answer: {self.answer}"
                raise ValueError(
                    f"part {part.name!r}: $answer changes from turn to turn in a style with '{setting}' and cannot "
                    "stand in the system message; write 'in: user'"
                )
        return self

    def _with(self, name: str, change: Any) -> "Style":
        if change is True:
            return self._with_offered(name)
        old = next((part for part in self.parts if part.name == name), None)
        table = change if isinstance(change, Mapping) else {"text": change}
        _check_keys(f"part {name!r}", table, {"text", "in", "unless", "phases", "before", "after"})
        if old is None and not (isinstance(change, Mapping) and "text" in table):
            known = ", ".join(self.part_names())
            raise ValueError(f"{unknown('part', name, self.part_names())} in style {self.name!r} (there is: {known})")
        others = tuple(part for part in self.parts if part is not old)
        if change is None or change is False:
            return attrs.evolve(self, parts=others)
        text = table.get("text", old.text if old else None)
        if not isinstance(text, str):
            raise ValueError(f"part {name!r}: expected a text, or false to drop it, got {text!r}")
        place, unless = table.get("in", old.place if old else "user"), table.get("unless", old.unless if old else "")
        phases = _phases(name, table.get("phases", old.phases if old else ()))
        part = PromptPart(name=name, place=place, text=text, unless=unless or "", phases=phases)
        if table.get("unless"):
            _check_unless(part, others)
        where = self._place_of(name, table, others, self.parts.index(old) if old else len(others))
        return attrs.evolve(self, parts=(*others[:where], part, *others[where:]))

    def _with_offered(self, name: str) -> "Style":
        found = next((each for each in self.offered if each.part.name == name), None)
        if found is None:
            if name in self.part_names():
                return self
            known = [each.part.name for each in self.offered]
            raise ValueError(f"{unknown('part', name, known)} that is off in style {self.name!r}")
        others = tuple(each for each in self.offered if each is not found)
        after = [part.name for part in self.parts].index(found.after) + 1 if found.after in self.part_names() else 0
        parts = (*self.parts[:after], found.part, *self.parts[after:])
        return attrs.evolve(self, parts=parts, offered=others)

    def _place_of(self, name: str, table: Mapping[str, Any], others: tuple[PromptPart, ...], default: int) -> int:
        beside = [key for key in ("before", "after") if key in table]
        if not beside:
            return default
        names = [part.name for part in others]
        if len(beside) > 1 or table[beside[0]] not in names:
            raise ValueError(f"part {name!r}: give 'before' or 'after' one of: {', '.join(names)}")
        return names.index(table[beside[0]]) + (beside[0] == "after")


@attrs.frozen
class OfferedPart:
    """A part that is off unless it is asked for, and the part that it comes after; first, if that is empty."""

    part: PromptPart
    after: str


def styles() -> tuple[str, ...]:
    """The names of the styles that plugins offer."""
    return Catalog().names("prompt-style")


def load(name: str, within: tuple[str, ...] = ()) -> Style:
    """Load an installed style by its name, or a YAML file by its path; ``ValueError`` if there is none.

    ``within`` are the styles that extend it, to detect cycles.
    """
    if name in within:
        raise ValueError(f"style {name!r} extends itself: {', which extends '.join([*within, name])}")
    if not name.endswith((".yaml", ".yml")):
        return _installed(name, within)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"the style file {name!r} cannot be read: {error}") from None
    return _parsed(name, text, within)


@cache
def _installed(name: str, within: tuple[str, ...]) -> Style:
    try:
        entry = Catalog().get("prompt-style", name)
        text = entry.read_text()
    except PluginError as error:
        raise ValueError(f"{error}; or give a path to a .yaml file") from None
    return attrs.evolve(_parsed(name, text, within), name=entry.name, summary=entry.summary)


@lru_cache(maxsize=64)
def _parsed(name: str, text: str, within: tuple[str, ...]) -> Style:
    try:
        raw = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ValueError(f"style {name!r} is not YAML: {' '.join(str(error).split())}") from None
    _check_keys(f"style {name!r}", raw, _KEYS)
    of = raw.get("extends")
    if of is not None and not isinstance(of, str):
        raise ValueError(f"style {name!r}: 'extends' names a style, got {of!r}")
    below = load(_beside(name, of), (*within, name)) if of else Style(name=name)
    style = attrs.evolve(below, name=name, **_settings(name, raw))
    parts = raw.get("parts", {} if of else None)
    if of and isinstance(parts, Mapping):
        return style.changed(parts)
    if not isinstance(parts, list):
        raise ValueError(f"style {name!r}: 'parts' must be a list, or changes by name where it extends another style")
    entries = list(_listed(name, parts))
    listed = tuple(part for part, is_off in entries if not is_off)
    for part in listed:
        if part.unless:
            _check_unless(part, listed)
    return attrs.evolve(style, parts=listed, offered=tuple(_offered(entries))).checked()


def _offered(entries: list[tuple[PromptPart, bool]]) -> Iterator[OfferedPart]:
    after = ""
    for part, is_off in entries:
        if is_off:
            yield OfferedPart(part, after)
        else:
            after = part.name


def _beside(name: str, other: str) -> str:
    """Resolve the style that ``name`` extends; a relative path starts at the file that contains it."""
    return (
        str(Path(name).parent / other)
        if name.endswith((".yaml", ".yml")) and other.endswith((".yaml", ".yml"))
        else other
    )


def _settings(name: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(raw.get("reasoning", True), bool):
        raise ValueError(f"style {name!r}: 'reasoning' must be true or false, got {raw['reasoning']!r}")
    if raw.get("actions", "labels") not in get_args(ActionNames):
        raise ValueError(f"style {name!r}: 'actions' must be labels, numbers or short, got {raw['actions']!r}")
    if raw.get("answer", "object") not in get_args(AnswerForm):
        raise ValueError(f"style {name!r}: 'answer' must be {' or '.join(get_args(AnswerForm))}, got {raw['answer']!r}")
    keys = raw.get("keys", {})
    if not isinstance(keys, Mapping) or not all(isinstance(each, str) for each in (*keys, *keys.values())):
        raise ValueError(f"style {name!r}: 'keys' must be a table from phases to keys of answers, got {keys!r}")
    known = {key: raw[key] for key in ("reasoning", "actions", "answer", "keys") if key in raw}
    return {**known, "summary": str(raw.get("summary", ""))}


def _listed(name: str, entries: list[Any]) -> Iterator[tuple[PromptPart, bool]]:
    """The parts of a style, each with whether it is off."""
    seen: set[str] = set()
    for entry in entries:
        _check_keys(f"a part of style {name!r}", entry, {"name", "in", "text", "unless", "phases", "off"})
        if not (isinstance(entry.get("name"), str) and isinstance(entry.get("text"), str)):
            raise ValueError(f"style {name!r}: every part needs 'name' and 'text', got {entry!r}")
        if entry["name"] in seen:
            raise ValueError(f"style {name!r}: two parts have the same name, {entry['name']!r}")
        seen.add(entry["name"])
        place, unless = entry.get("in", "user"), entry.get("unless", "")
        phases = _phases(entry["name"], entry.get("phases", ()))
        if not isinstance(entry.get("off", False), bool):
            raise ValueError(f"part {entry['name']!r}: 'off' must be true or false, got {entry['off']!r}")
        part = PromptPart(name=entry["name"], place=place, text=entry["text"], unless=unless, phases=phases)
        yield part, entry.get("off", False)


def _phases(name: str, found: Any) -> tuple[str, ...]:
    """The phases of a part, as a tuple of names."""
    if not isinstance(found, list | tuple) or not all(isinstance(phase, str) for phase in found):
        raise ValueError(f"part {name!r}: 'phases' must be a list of phases of decisions, got {found!r}")
    return tuple(found)


def _check_unless(part: PromptPart, others: tuple[PromptPart, ...]) -> None:
    names = [other.name for other in others if other is not part]
    if part.unless not in names:
        raise ValueError(f"part {part.name!r}: it can make way, with 'unless', for one of: {', '.join(names)}")


def _check_keys(where: str, table: Any, known: set[str]) -> None:
    if not isinstance(table, Mapping):
        raise ValueError(f"{where}: expected a table, got {table!r}")
    for key in table:
        if key not in known:
            raise ValueError(f"{where}: {unknown('key', str(key), known)}")
