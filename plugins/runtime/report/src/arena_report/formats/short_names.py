"""Shortens names so that they stay apart: what several share is cut in its middle, what differs is shown."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Final, TypeAlias

import attrs

ELLIPSIS: Final = "…"

BETWEEN: Final = " – "
"""What stands between the names of two that are compared."""

_SHORT: Final = 12
"""The columns up to which a name is hardly ever cut."""

_MOST_TOKENS: Final = 200
"""The most words and signs of a name that is compared with others: a server may give its model any name."""

_FEWEST: Final = 4
"""The fewest columns of a name in a pair."""

_TOKEN: Final = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+|.", re.DOTALL)
"""Matches a number, a word, or a single sign of a name."""

Width: TypeAlias = Callable[[str], int]
"""Says how many columns a text takes."""

Parts: TypeAlias = tuple[str, ...]
"""What is shown of a name and what is not, in turn, beginning with a part that is shown."""


def short_names(names: Iterable[str], width: int, columns: Width = len) -> dict[str, str]:
    """Each name in at most ``width`` columns, all of them distinct: ``smol…(style=direct)``, ``smol…(style=plan)``.

    Names that fit stay whole. Of the others, those that begin alike are compared word by word: what they share is cut
    in its middle, what differs stays. If that is not enough, only names with a longer beginning in common are compared,
    in the end none, and names that would be equal get a number.
    """
    return {name: _text(parts) for name, parts in shortened_parts(names, width, columns).items()}


def shortened_parts(names: Iterable[str], width: int, columns: Width = len) -> dict[str, Parts]:
    """The same in parts that are shown and parts that are not, which together are the name.

    Where a number had to be added, there is one part alone.
    """
    given = list(dict.fromkeys(names))
    found: dict[str, Parts] = {name: (name,) for name in given if columns(name) <= width}
    depth = 1
    while len(found) < len(given):
        for group in _groups(given, depth):
            wanted = [name for name in group if name not in found]
            found |= (_shared(group).cut(wanted, width, columns) if wanted else None) or {}
        depth += 1
    return _distinct({name: found[name] for name in given}, width, columns)


def least_width(names: Iterable[str], columns: Width = len) -> int:
    """The columns in which all that differs between long names can be shown, and nothing of what they share.

    Names of twelve columns or less are compared with none: they are hardly ever cut.
    """
    long = [name for name in dict.fromkeys(names) if columns(name) > _SHORT]
    shortest = [found for group in _groups(long, 1) for found in _shared(group).least().items()]
    return max((min(columns(name), columns(_text(parts))) for name, parts in shortest), default=0)


def short_pairs(pairs: Sequence[tuple[str, str]], width: int, columns: Width = len) -> list[str]:
    """Two names with a dash between them in at most ``width`` columns; a name is short in the same way in all pairs."""
    names = dict.fromkeys(name for pair in pairs for name in pair)

    def told(room: int) -> list[str]:
        short = short_names(names, room, columns)
        return [f"{short[a]}{BETWEEN}{short[b]}" for a, b in pairs]

    rooms = range(_FEWEST, max([_FEWEST, *map(columns, names)]) + 1)
    fitting = bisect_left(rooms, True, key=lambda room: max(map(columns, told(room)), default=0) > width)
    if fitting:
        return told(rooms[fitting - 1])
    whole = [f"{a}{BETWEEN}{b}" for a, b in pairs]
    short = short_names(whole, width, columns)
    return [short[pair] for pair in whole]


def _text(parts: Sequence[str]) -> str:
    return "".join(part if not i % 2 else ELLIPSIS for i, part in enumerate(parts))


def _groups(names: Iterable[str], depth: int) -> list[tuple[str, ...]]:
    """The names that have their first tokens in common, as many as ``depth``; a name with fewer is alone."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        tokens = _TOKEN.findall(name)
        is_compared = depth < len(tokens) <= _MOST_TOKENS
        found.setdefault(tuple(tokens[:depth]) if is_compared else (name,), []).append(name)
    return [tuple(group) for group in found.values()]


@attrs.frozen
class _Shared:
    """The runs of tokens that several names share, in their order, and what each name has before, between and behind.

    Of a name that is compared with no other all is shared.
    """

    runs: tuple[str, ...]
    gaps: Mapping[str, Sequence[str]]

    def cut(self, names: Sequence[str], width: int, columns: Width) -> dict[str, Parts] | None:
        """The names with the longest runs cut first, alike in all of them; ``None`` if they do not fit."""
        keep = list(map(len, self.runs))
        while True:
            found = {name: self._parts(name, keep) for name in names}
            excess = max(columns(_text(parts)) for parts in found.values()) - width
            if excess <= 0:
                return found
            longest = max(range(len(keep)), key=keep.__getitem__, default=None)
            if longest is None or keep[longest] <= self._least:
                return found if self._least else None
            # A sign takes up to two columns, the mark takes some itself, and long runs are cut alike.
            next_longest = max((kept for i, kept in enumerate(keep) if i != longest), default=0)
            most = min(excess // 2, keep[longest] - next_longest)
            step = max(most, 2 if keep[longest] == len(self.runs[longest]) else 1)
            keep[longest] = max(keep[longest] - step, self._least)

    def least(self) -> dict[str, Parts]:
        """The names with all runs cut as far as can be."""
        return {name: self._parts(name, [self._least] * len(self.runs)) for name in self.gaps}

    @property
    def _least(self) -> int:
        """How many signs of a run stay: those of a name that is alone at its two ends."""
        return 2 if len(self.gaps) == 1 else 0

    def _parts(self, name: str, keep: Sequence[int]) -> Parts:
        """The parts of a name: of each run so many signs, half of them at its beginning."""
        first, *gaps = self.gaps[name]
        parts = [first]
        for run, count, gap in zip(self.runs, keep, gaps, strict=True):
            if count >= len(run) or len(run) < 2:
                parts[-1] += run + gap
            else:
                head, end = (count + 1) // 2, len(run) - count // 2
                parts[-1] += run[:head]
                parts += [run[head:end], run[end:] + gap]
        return tuple(parts)


@lru_cache(maxsize=64)
def _shared(names: tuple[str, ...]) -> _Shared:
    """What these names share, and what they do not."""
    tokens = [_TOKEN.findall(name) for name in names]
    common = reduce(_subsequence, tokens)
    places = [_embedded(common, own) for own in tokens]
    starts = [i for i in range(len(common)) if not i or any(own[i] != own[i - 1] + 1 for own in places)]
    ends = [*starts[1:], len(common)] if common else []
    runs = tuple("".join(common[start:end]) for start, end in zip(starts, ends, strict=True))
    gaps: dict[str, list[str]] = {}
    for name, own, at in zip(names, tokens, places, strict=True):
        behind = [0, *(at[end - 1] + 1 for end in ends)]
        before = [*(at[start] for start in starts), len(own)]
        gaps[name] = ["".join(own[begin:end]) for begin, end in zip(behind, before, strict=True)]
    return _Shared(runs, gaps)


def _subsequence(a: Sequence[str], b: Sequence[str]) -> list[str]:
    """The longest sequence of tokens that both have in this order; words and numbers count more than signs."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            kept = best[i + 1][j + 1] + _weight(a[i]) if a[i] == b[j] else 0
            best[i][j] = max(kept, best[i + 1][j], best[i][j + 1])
    found: list[str] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j] and best[i][j] == best[i + 1][j + 1] + _weight(a[i]):
            found.append(a[i])
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _weight(token: str) -> int:
    return 1 + 2 * len(token) if token[0].isalnum() else 1


def _embedded(common: Sequence[str], name: Sequence[str]) -> list[int]:
    """Where the tokens of a subsequence stand in a name."""
    found: list[int] = []
    for token in common:
        found.append(name.index(token, found[-1] + 1 if found else 0))
    return found


def _distinct(found: dict[str, tuple[str, ...]], width: int, columns: Width) -> dict[str, tuple[str, ...]]:
    """The same; a short name that is there already gets a number in place of its end."""
    taken: set[str] = {name for name, parts in found.items() if len(parts) == 1}
    made: dict[str, tuple[str, ...]] = {}
    for name, parts in found.items():
        if len(parts) > 1:
            short = text = _text(parts)
            number = 1
            while text in taken:
                number += 1
                end = f" #{number}"
                text = f"{_head(short, max(width - columns(end), 0), columns)}{end}"
                parts = (text,)
            taken.add(text)
        made[name] = parts
    return made


def _head(text: str, width: int, columns: Width) -> str:
    """The beginning of a text that takes at most ``width`` columns."""
    end = len(text)
    while end and columns(text[:end]) > width:
        end -= 1
    return text[:end]
