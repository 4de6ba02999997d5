"""Finds the cells, cards and actions that a text mentions.

A game that declares ``Game.names`` says how its cells or cards are written. For any other game, names are derived from
the labels of the match's actions: with numbers and single letters left open, a label gives a pattern (``column C``
gives ``column`` and a letter). A text that fits the pattern but is no action of any decision of the match names
something that does not exist. Labels without numbers or single letters are searched for literally, and by their first
word if only one action on offer begins with it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import attrs
from arena.game import Entities, EntityStatus

_OPEN = re.compile(r"\d+|(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_HEAD = re.compile(r"[A-Za-z]{3,}(?=\s|$)")


@attrs.frozen
class Entity:
    """Something that has a name, such as a cell or an action; the name is in lower case."""

    kind: str
    name: str


@attrs.frozen
class Mention:
    """A part of a text that names a thing; ``standing`` is ``None`` if there is no such thing."""

    thing: Entity
    text: str
    start: int
    end: int
    standing: EntityStatus | None


@attrs.frozen(eq=False)
class MentionFinder:
    """Finds mentions of the things that can be named in one decision.

    ``legal`` are the actions on offer, ``actions`` all that are known from any decision of the match; named things may
    be actions too.
    """

    names: tuple[Entities, ...]
    literals: dict[str, Entity]
    legal: frozenset[Entity]
    actions: frozenset[Entity]

    @classmethod
    def of(cls, declared: Sequence[Entities], offered: Sequence[str], known: Iterable[str]) -> "MentionFinder":
        """Create a finder from the names that the game declares, the labels on offer, and those of the whole match."""
        every = tuple(dict.fromkeys((*offered, *known)))
        names = tuple(declared) or _derived(every)
        things = {label: _thing(label, names) for label in every}
        literals = {label.lower(): thing for label, thing in things.items() if thing.kind == _ACTION and len(label) > 1}
        for head, own in _heads(label for label in every if things[label].kind == _ACTION).items():
            here = [label for label in own if label in offered]
            if len(here) == 1:
                literals.setdefault(head, things[here[0]])
            elif not here:
                literals.setdefault(head, Entity(_ACTION, head))
        legal = frozenset(things[label] for label in offered)
        return cls(names, literals, legal, frozenset((*things.values(), *literals.values())))

    def mentions(self, text: str) -> list[Mention]:
        """Every mention in the text, in its order; of overlapping ones the longest is kept."""
        found = [mention for names in self.names for mention in _named(names, text)]
        if self.literals:
            for match in _either(tuple(sorted(self.literals, key=lambda word: (-len(word), word)))).finditer(text):
                thing = self.literals[" ".join(match[0].lower().split())]
                found.append(Mention(thing, match[0], *match.span(), "unknown"))
        kept: list[Mention] = []
        for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
            if all(mention.end <= other.start or mention.start >= other.end for other in kept):
                kept.append(mention)
        return sorted(kept, key=lambda m: m.start)

    def called(self, label: str) -> Entity:
        """The thing that the action with this label stands for."""
        return _thing(label, self.names)

    def can_be_played(self, thing: Entity) -> bool:
        """Whether the thing is an action of some decision, or of the same kind as one."""
        return thing in self.actions or any(thing.kind == action.kind != _ACTION for action in self.actions)


_ACTION = "action"


def _named(names: Entities, text: str) -> Iterable[Mention]:
    for match in _shape(names.pattern).finditer(text):
        name = _key(match)
        yield Mention(Entity(names.kind, name), match[0], *match.span(), names.status.get(name))


def _key(match: re.Match[str]) -> str:
    caught = [group for group in match.groups() if group is not None] or [match[0]]
    return " ".join(" ".join(caught).lower().split())


def _thing(label: str, names: Sequence[Entities]) -> Entity:
    for each in names:
        if (match := _shape(each.pattern).fullmatch(label)) and (name := _key(match)) in each.status:
            return Entity(each.kind, name)
    return Entity(_ACTION, " ".join(label.lower().split()))


def _derived(labels: Iterable[str]) -> tuple[Entities, ...]:
    shapes: dict[str, list[str]] = {}
    for label in labels:
        if shape := _left_open(label):
            shapes.setdefault(shape, []).append(label)
    return tuple(
        Entities(
            kind=f"action like {own[0]!r}",
            pattern=shape,
            status={_key(match): "unknown" for label in own if (match := _shape(shape).fullmatch(label))},
        )
        for shape, own in shapes.items()
        if len(own) > 1
    )


def _left_open(label: str) -> str | None:
    """The pattern of a label; ``None`` if it has no numbers or single letters, or too little else to recognize."""
    parts: list[str] = []
    at = opened = 0
    for match in _OPEN.finditer(label):
        parts += [re.escape(label[at : match.start()]), r"(\d+)" if match[0].isdigit() else "([A-Za-z])"]
        at, opened = match.end(), opened + 1
    rest = _OPEN.sub("", label)
    if not opened or not (opened > 1 or re.search(r"[A-Za-z]{3}", rest)):
        return None
    return "".join((*parts, re.escape(label[at:])))


def _heads(labels: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for label in labels:
        if match := _HEAD.match(label):
            found.setdefault(match[0].lower(), []).append(label)
    return found


@lru_cache(maxsize=1024)
def _shape(shape: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{shape})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _either(words: tuple[str, ...]) -> re.Pattern[str]:
    ways = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    return re.compile(rf"(?<!\w)(?:{ways})(?!\w)", re.IGNORECASE)
