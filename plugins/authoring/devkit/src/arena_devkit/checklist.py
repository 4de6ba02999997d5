"""What ``arena check`` prints: what is sound, then each fault and doubt with where it shows and what to do."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

import attrs
from arena_cli.output import CleanText, Terminal, duration, join, paragraph, styled

from arena_devkit.review.findings import PARTS, Finding, Item
from arena_devkit.review.review import Reviewed

_WORDS: Final[Mapping[str, str]] = {"passed": "ok", "warned": "warned", "failed": "failed", "untested": "untested"}
_COLOURS: Final = {"passed": "green", "warned": "yellow", "failed": "red", "untested": "bright_black"}
_ORDER: Final = ("passed", "failed", "warned", "untested")
_START: Final = re.compile(r"\.start\(Chance\((\d+)\), \d+\)")

_LONGEST: Final = 600
"""The most characters of a reason, or of how to see it, without ``--full``."""


@attrs.frozen
class _Widths:
    """The columns that the words of a list take, and the labels behind them."""

    word: int
    label: int

    @classmethod
    def of(cls, statuses: Iterable[str], labels: Iterable[str]) -> "_Widths":
        return cls(max((len(_WORDS[status]) for status in statuses), default=0), max(map(len, labels)))


def checklist(subjects: Sequence[Reviewed], terminal: Terminal, *, is_full: bool = False) -> Iterator[str]:
    """The lines for plugins of one distribution and for the distribution itself, which come last in ``subjects``.

    A single plugin and its distribution are one list. Of several plugins, those without findings are names in a line.
    With ``is_full`` every part has a line of its own with what was looked at, and nothing is shortened.
    """
    plugins = [subject for subject in subjects if subject.kind != "distribution"]
    own = [item for subject in subjects if subject.kind == "distribution" for item in subject.items]
    dist = f"{subjects[0].dist} {subjects[0].version}"
    if len(plugins) == 1:
        yield from _block(plugins[0], f"{_called(plugins[0])} · {dist}", [*plugins[0].items, *own], terminal, is_full)
        return
    for plugin in plugins:
        if is_full or any(item.status != "passed" for item in plugin.items):
            yield from _block(plugin, f"{_called(plugin)} · {dist}", plugin.items, terminal, is_full)
            yield ""
    yield _title(dist, terminal)
    sound = [plugin for plugin in plugins if all(item.status == "passed" for item in plugin.items)]
    if sound and not is_full:
        whole = f"{len(sound)} of {len(plugins)}"
        names = " ".join(plugin.name for plugin in sound)
        yield from _line("passed", whole, _Widths.of(["passed"], [whole]), names, terminal)
    yield from _items(subjects[0], own, terminal, is_full)


def summary(subjects: Iterable[Reviewed], terminal: Terminal, *, seconds: float, is_full: bool = False) -> list[str]:
    """The last line, or two: how many faults and doubts there are, how many seconds it took, and how to look again."""
    items = [item for subject in subjects for item in subject.items]
    findings = [finding for item in items for finding in item.findings]
    faults = sum(not finding.is_warning for finding in findings)
    doubts = len(findings) - faults
    untested = sum(item.status == "untested" for item in items)
    counts = [_plural(faults, "fault"), _plural(doubts, "doubt"), f"{untested} untested" if untested else ""]
    told = [", ".join(filter(None, counts)) or "no faults", duration(seconds)]
    if not is_full:
        told.append("all of it: --full")
    found = [part for part in PARTS if any(item.part == part and item.findings for item in items)]
    again = [f"again only this: --only {','.join(found)}"] if found else []
    whole = " · ".join([*told, *again])
    return [whole] if terminal.columns(whole) <= terminal.width else [" · ".join(told), *again]


def _block(subject: Reviewed, title: str, items: Sequence[Item], terminal: Terminal, is_full: bool) -> Iterator[str]:
    yield _title(title, terminal)
    yield from _items(subject, items, terminal, is_full)


def _items(subject: Reviewed, items: Sequence[Item], terminal: Terminal, is_full: bool) -> Iterator[str]:
    whole = f"{sum(item.status == 'passed' for item in items)} of {len(items)}"
    shown = [item for item in items if is_full or item.status != "passed"]
    widths = _Widths.of([item.status for item in items], [whole, "mend it", *(item.part for item in shown)])
    ordered = sorted(shown, key=lambda item: _ORDER.index(item.status))
    passed = [item.part for item in items if item.status == "passed"]
    if passed and not is_full:
        yield from _line("passed", whole, widths, " ".join(passed), terminal)
    for _, group in groupby(ordered, key=lambda item: item.status):
        for item in group:
            yield from _item(subject, item, widths, terminal, is_full)


def _item(subject: Reviewed, item: Item, widths: _Widths, terminal: Terminal, is_full: bool) -> Iterator[str]:
    if not item.findings:
        said = item.untested if item.status == "untested" else item.note
        yield from _line(item.status, item.part, widths, said, terminal)
    for finding in item.findings:
        status = "warned" if finding.is_warning else "failed"
        seen = _how_to_see(subject, item, finding)
        yield from _line(status, item.part, widths, _cut(finding.reason, is_full), terminal)
        yield from _line("", "see it", widths, seen if is_full else _cut(_brief(seen), is_full), terminal)
        yield from _line("", "mend it", widths, finding.remedy, terminal)
    if item.findings and item.note and is_full:
        yield from _line("", "looked at", widths, item.note, terminal)


def _how_to_see(subject: Reviewed, item: Item, finding: Finding) -> str:
    if finding.see:
        return finding.see
    what = subject.dist if item.part in ("dependencies", "wheel") else f"{subject.kind}:{subject.name}"
    return f"arena check {what} --only {item.part} --full"


def _brief(seen: str) -> str:
    """A match that shows a fault, in words: the game, the seed and what was done."""
    return _START.sub(r", seed \1", seen).replace(", then apply ", ", after ")


def _line(status: str, label: str, widths: _Widths, text: str, terminal: Terminal) -> Iterator[str]:
    """One line of the list, or several if the text is long; those after the first begin under the text."""
    word = _WORDS.get(status, "")
    begin = 2 + widths.word + 2 + widths.label + 2
    room = Terminal(width=max(20, terminal.width - begin), is_unicode=terminal.is_unicode)
    marked = styled(word, fg=_COLOURS[status]) if word and terminal.has_colour else CleanText(word)
    lead = join("  ", marked, " " * (widths.word + 2 - len(word)), label.ljust(widths.label + 2))
    for number, line in enumerate(_broken(text, room) or [""]):
        yield join(lead if not number else " " * begin, CleanText(line))


def _broken(text: str, room: Terminal) -> list[str]:
    """The text between words, and a word that is longer than the room, such as a match, at any sign."""
    lines: list[str] = []
    for line in paragraph(text, room):
        lines += [line[at : at + room.width] for at in range(0, len(line), room.width)] or [""]
    return lines


def _title(text: str, terminal: Terminal) -> str:
    return styled(text, bold=True) if terminal.has_colour else text


def _called(subject: Reviewed) -> str:
    return f"{subject.kind} {subject.name}"


def _cut(text: str, is_full: bool) -> str:
    return text if is_full or len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()} …"


def _plural(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number > 1 else ''}" if number else ""
