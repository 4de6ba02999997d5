"""What a text can refer to in one decision, and where it does.

A game that declares ``Game.names`` says itself how its cells or cards are written. For any other, the labels of the
match's actions do: with their numbers and single letters left open they give the shape of a name (``column C`` gives
``column`` and a letter), and a text of that shape that is no action of any decision of the match names nothing there
is. Labels without numbers or single letters are looked for as they are, and by their first word where only one action
on offer begins with it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import attrs
from arena.game import Names, Standing

_OPEN = re.compile(r"\d+|(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_HEAD = re.compile(r"[A-Za-z]{3,}(?=\s|$)")


@attrs.frozen
class Thing:
    """Something that has a name: its kind and its name, in lower case."""

    kind: str
    name: str


@attrs.frozen
class Mention:
    """A place in a text that names a thing; ``standing`` is ``None`` where there is no such thing."""

    thing: Thing
    text: str
    start: int
    end: int
    standing: Standing | None


@attrs.frozen(eq=False)
class Sight:
    """The things of one decision: those with names, and the actions, which may be some of them.

    ``legal`` are the actions on offer, ``actions`` all that are known from any decision of the match.
    """

    names: tuple[Names, ...]
    literals: dict[str, Thing]
    legal: frozenset[Thing]
    actions: frozenset[Thing]

    @classmethod
    def of(cls, declared: Sequence[Names], offered: Sequence[str], known: Iterable[str]) -> "Sight":
        """From what the game declares, the labels on offer, and those of the whole match."""
        every = tuple(dict.fromkeys((*offered, *known)))
        names = tuple(declared) or _derived(every)
        things = {label: _thing(label, names) for label in every}
        literals = {label.lower(): thing for label, thing in things.items() if thing.kind == _ACTION and len(label) > 1}
        for head, own in _heads(label for label in every if things[label].kind == _ACTION).items():
            here = [label for label in own if label in offered]
            if len(here) == 1:
                literals.setdefault(head, things[here[0]])
            elif not here:
                literals.setdefault(head, Thing(_ACTION, head))
        legal = frozenset(things[label] for label in offered)
        return cls(names, literals, legal, frozenset((*things.values(), *literals.values())))

    def mentions(self, text: str) -> list[Mention]:
        """Every name in the text, in its order; of two that overlap the longer one."""
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

    def called(self, label: str) -> Thing:
        """The thing that an action of this label is."""
        return _thing(label, self.names)

    def can_be_played(self, thing: Thing) -> bool:
        """Whether it would be an action if it were on offer: it is one elsewhere, or is called like one."""
        return thing in self.actions or any(thing.kind == action.kind != _ACTION for action in self.actions)


_ACTION = "action"


def _named(names: Names, text: str) -> Iterable[Mention]:
    for match in _shape(names.shape).finditer(text):
        name = _key(match)
        yield Mention(Thing(names.kind, name), match[0], *match.span(), names.known.get(name))


def _key(match: re.Match[str]) -> str:
    caught = [group for group in match.groups() if group is not None] or [match[0]]
    return " ".join(" ".join(caught).lower().split())


def _thing(label: str, names: Sequence[Names]) -> Thing:
    for each in names:
        if (match := _shape(each.shape).fullmatch(label)) and (name := _key(match)) in each.known:
            return Thing(each.kind, name)
    return Thing(_ACTION, " ".join(label.lower().split()))


def _derived(labels: Iterable[str]) -> tuple[Names, ...]:
    shapes: dict[str, list[str]] = {}
    for label in labels:
        if shape := _left_open(label):
            shapes.setdefault(shape, []).append(label)
    return tuple(
        Names(
            kind=f"action like {own[0]!r}",
            shape=shape,
            known={_key(match): "unknown" for label in own if (match := _shape(shape).fullmatch(label))},
        )
        for shape, own in shapes.items()
        if len(own) > 1
    )


def _left_open(label: str) -> str | None:
    """The shape of a label, or ``None`` where it has nothing to leave open or nothing to be told by."""
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
