"""Gives the agents and games of many runs one identity each, and names that tell them apart."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, islice
from typing import Final

import attrs
from arena.record import JSON, canonical_json
from arena_engine import Configuration, Variant, level_word

SUBMITTED: Final = "submitted"
"""The parameter of what is known by its name alone, from the file of a submission."""

_TELLING: Final = ("use", "model", "style", "form", "temperature", "reasoning-effort")
"""The parameters by which people tell models and prompts apart, the most usual first."""

_MOST_TRIED: Final = 2_000
"""How many sets of parameters are looked at for one that tells all apart."""

_LONG: Final = 40
"""From so many characters on, a value is no name."""


@attrs.frozen(kw_only=True)
class Entrant:
    """One agent or game of a leaderboard: one configuration, whatever it is called in its runs.

    ``label`` is unique on its leaderboard. ``differs`` are the parameters that tell it apart from others of its name.
    """

    label: str
    names: tuple[str, ...]
    configuration: Configuration
    differs: Mapping[str, JSON] = attrs.field(factory=dict[str, JSON])

    def is_called(self, word: str) -> bool:
        """Whether a user may mean it by a word: its label, one of its names, or its plugin's."""
        return word in (self.label, *self.names, self.configuration.use)


class Register:
    """The configurations of many runs by digest; ``merged`` are parameters in which they may differ all the same."""

    def __init__(self, merged: Iterable[str] = ()) -> None:
        self._merged = tuple(merged)
        self._found: dict[str, Configuration] = {}
        self._names: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._entries: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._levels: defaultdict[str, dict[str, JSON]] = defaultdict(dict)
        self.missed = set(self._merged)

    def add(self, name: str, configuration: Configuration, variant: Variant | None = None) -> str:
        """Take an agent or a game of a run, with what it is a variant of; returns its digest."""
        self.missed -= {key for key in self.missed if configuration.without([key]) != configuration}
        self.missed -= configuration.defaults.keys()
        own = configuration.without(self._merged)
        self._found.setdefault(own.digest, own)
        if variant is not None:
            left = variant.without(self._merged)
            name = left.name
            self._entries[own.digest][variant.entry] = None
            self._levels[own.digest] |= left.levels
        self._names[own.digest][name] = None
        return own.digest

    def entrants(self) -> dict[str, Entrant]:
        """All of them by digest; the most telling differences are added to names that several have."""
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for digest, names in self._names.items():
            variants = [name for name in names if name not in self._entries[digest]]
            by_name[_name(variants or names)].append(digest)
        found: dict[str, Entrant] = {}
        for name, digests in by_name.items():
            keys = self._telling([self._found[digest] for digest in digests]) if len(digests) > 1 else ()
            for digest in digests:
                own = self._found[digest]
                told = ", ".join(_words(key, own) for key in keys)
                found[digest] = Entrant(
                    label=f"{name} ({told})" if told else name,
                    names=(*dict.fromkeys((*self._names[digest], *self._entries[digest])),),
                    configuration=own,
                    differs={**self._levels[digest], **{key: own.value(key) for key in keys}},
                )
        return _distinct(found)

    def _telling(self, configurations: Sequence[Configuration]) -> tuple[str, ...]:
        """The fewest parameters in which each of the configurations differs from each other one."""
        known = {key for each in configurations for key in (*each.parameters, *each.defaults)} - {*self._merged}
        values = {key: [canonical_json(each.value(key)) for each in configurations] for key in known}
        varying = sorted((key for key in known if len(set(values[key])) > 1), key=lambda key: _cost(key, values[key]))
        chosen = (some for size in range(1, len(varying) + 1) for some in combinations(varying, size))
        for keys in islice(chosen, _MOST_TRIED):
            if len(set(zip(*(values[key] for key in keys), strict=True))) == len(configurations):
                return keys
        return tuple(varying)


def _name(names: Iterable[str]) -> str:
    """One name for what is called differently in different runs."""
    return " = ".join(names)


def _cost(key: str, values: Sequence[str]) -> tuple[int, int, str]:
    """How little a parameter says to a reader; versions say least."""
    last = key.rpartition(".")[2]
    is_long = any(len(value) > _LONG or value[:1] in "[{" for value in values)
    place = _TELLING.index(last) if last in _TELLING else len(_TELLING)
    return 2 if last == "version" else 1 if is_long else 0, place, f"{key.count('.')}{key}"


def _words(key: str, configuration: Configuration) -> str:
    """The value of a parameter as it tells an agent apart: ``direct``, ``simulations 400``, ``no tools``."""
    value, last = configuration.value(key), key.rpartition(".")[2]
    if key == SUBMITTED:
        return SUBMITTED if value is not None else "played here"
    if last == "version" and value is not None:
        return f"version {str(value).rpartition(' ')[2]}"
    if last == "players":
        return f"{value} players"
    return level_word(key, value)


def _distinct(found: Mapping[str, Entrant]) -> dict[str, Entrant]:
    """The entrants with the beginnings of their digests behind labels that several have."""
    by_label: defaultdict[str, list[str]] = defaultdict(list)
    for digest, each in found.items():
        by_label[each.label].append(digest)
    twice = {digest for digests in by_label.values() if len(digests) > 1 for digest in digests}
    return {
        digest: attrs.evolve(each, label=f"{each.label} #{digest.rpartition(':')[2][:6]}") if digest in twice else each
        for digest, each in found.items()
    }
