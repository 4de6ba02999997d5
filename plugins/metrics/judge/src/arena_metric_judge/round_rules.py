"""How a rubric finds rounds in the events of a match, who takes part in them, and what is scored within them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from arena_agent_llm.data_files import check_keys

Scores: TypeAlias = Literal["one", "all", "none"]
"""Whether a question about a round scores one player, all of them, or the round itself."""


@attrs.frozen(kw_only=True)
class ItemKind:
    """One kind of thing that is scored within a round.

    Items are the events of kind ``event``, or with ``by`` the different values of these fields of them, each entry of
    a list for itself; ``party`` is the field that names whose they are. Items ``within`` another kind are in no event:
    who judges finds them there, any number of them.
    """

    name: str
    title: str
    event: str = ""
    party: str = ""
    by: tuple[str, ...] = ()
    within: str = ""


@attrs.frozen(kw_only=True)
class RoundRules:
    """Where a round begins and what is scored in it.

    Each event of kind ``event`` begins a round; with ``by``, those with the same value of this field are one round.
    Without an ``event`` it is the game's own, and in a match that has none each step is a round.
    ``parties`` are an event and its field that lists for each player the names under which it takes part; without it
    these are the names of the seats. ``everybody`` is the word for all of them, if there is one. ``events`` are the
    kinds of events that are told, each with the fields that may name the party that is judged; with none all is told.
    """

    players: Scores = "one"
    event: str = ""
    by: str = ""
    parties: tuple[str, str] | None = None
    everybody: str = ""
    events: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    items: Mapping[str, ItemKind] = attrs.field(factory=dict[str, ItemKind])

    @property
    def told(self) -> frozenset[str]:
        """The kinds of events that are told even where the game has no words for them."""
        return frozenset((*self.events, *(item.event for item in self.items.values())))

    def within(self, kind: str) -> tuple[ItemKind, ...]:
        """The kinds of items that are found within items of this kind."""
        return tuple(item for item in self.items.values() if item.within == kind)


KEYS: Final = frozenset({"players", "round", "parties", "events", "items"})
"""The keys of a rubric that only one with ``per: round`` has."""


def read_rules(rubric: str, table: Mapping[str, Any]) -> RoundRules:
    """Read the keys of a rubric that are about rounds; ``ValueError`` says what is wrong with them."""
    players = table.get("players", "one")
    if players not in ("one", "all", "none"):
        raise ValueError(f"{rubric!r}: 'players': expected one of one, all, none, got {players!r}")
    begins = _texts(rubric, "round", table.get("round", {}), set(), {"event", "by"})
    parties = _texts(rubric, "parties", table.get("parties", {}), set(), {"event", "field", "everybody"})
    if ("event" in parties) != ("field" in parties):
        raise ValueError(f"{rubric!r}: 'parties': event and field go together, since both say where the names stand")
    raw_items = table.get("items", {})
    if not isinstance(raw_items, Mapping):
        raise ValueError(f"{rubric!r}: 'items': expected a table of kinds of items, got {raw_items!r}")
    items = {str(name): _item(rubric, str(name), raw) for name, raw in cast("Mapping[Any, Any]", raw_items).items()}
    for item in items.values():
        if item.within and (item.within not in items or items[item.within].by or items[item.within].within):
            raise ValueError(
                f"{rubric!r}: items.{item.name}.within: expected a kind of items that are events, got {item.within!r}"
            )
    return RoundRules(
        players=players,
        event=begins.get("event", ""),
        by=begins.get("by", ""),
        parties=(parties["event"], parties["field"]) if "event" in parties else None,
        everybody=parties.get("everybody", ""),
        events=_events(rubric, table.get("events", {})),
        items=items,
    )


def _item(rubric: str, name: str, raw: Any) -> ItemKind:
    where = f"items.{name}"
    if not isinstance(raw, Mapping):
        raise ValueError(f"{rubric!r}: {where}: expected a table, got {raw!r}")
    table = cast("Mapping[str, Any]", raw)
    if "within" in table:
        found = _texts(rubric, where, table, {"within"}, {"title"})
        return ItemKind(name=name, title=found.get("title", f"each {name}"), within=found["within"])
    by = table.get("by", [])
    found = _texts(rubric, where, {k: v for k, v in table.items() if k != "by"}, {"event", "party"}, {"title"})
    return ItemKind(
        name=name,
        title=found.get("title", f"each {name}"),
        event=found["event"],
        party=found["party"],
        by=_names(rubric, f"{where}.by", by),
    )


def _events(rubric: str, raw: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, Mapping):
        raise ValueError(f"{rubric!r}: 'events': expected a table from kinds of events to lists of fields, got {raw!r}")
    table = cast("Mapping[Any, Any]", raw)
    return {str(kind): _names(rubric, f"events.{kind}", fields) for kind, fields in table.items()}


def _names(rubric: str, where: str, raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(each, str) and each for each in cast("list[Any]", raw)):
        raise ValueError(f"{rubric!r}: {where}: expected a list of fields of the event, got {raw!r}")
    return tuple(cast("Iterable[str]", raw))


def _texts(rubric: str, where: str, raw: Any, required: set[str], optional: set[str]) -> Mapping[str, str]:
    """A table of texts with these keys and no others."""
    if not isinstance(raw, Mapping):
        raise ValueError(f"{rubric!r}: {where!r}: expected a table, got {raw!r}")
    table = cast("Mapping[str, Any]", raw)
    check_keys(f"{rubric}: {where}", table, required, optional)
    for key, value in table.items():
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{rubric!r}: {where}.{key}: expected a text, got {value!r}")
    return table
