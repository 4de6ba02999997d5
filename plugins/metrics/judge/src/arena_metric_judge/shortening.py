"""Leaves out of a match's story what does not fit: the oldest first, and nothing of the round that is judged."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from arena_metric_judge.story_lines import StoryLine

LEFT_OUT: Final = "(earlier events are left out)"
BEGINS: Final = "--- the round to be judged begins here"
ENDS: Final = "--- the round to be judged ends here"
BRIEF: Final = "(the round is too long to be told whole: answers to look-ups in it are left out, as marked)"

_WHOLE: Final = range(0)


def shortened(lines: Sequence[StoryLine], limit: int, *, stays: Collection[int], judged: range = _WHOLE) -> str:
    """The lines that fit into ``limit`` characters, as one text; what is left out is the oldest.

    Lines of events that ``stays`` names are all there and do not count. So are those of the events ``judged``, which do
    count; if they alone are too long, answers to look-ups among them are left out, the oldest first, and that is said.
    """
    own = _without_answers([line for line in lines if line.event in judged], limit)
    room = limit - sum(len(line.text) + 1 for line in own)
    others = [line for line in lines if line.event not in judged]
    kept = _newest(others, room, stays)
    texts = [LEFT_OUT] if len(kept) < len(others) else []
    if not own:
        return "\n".join([*texts, *(line.text for line in kept)])
    texts += [line.text for line in kept if line.event < judged.start]
    is_brief = any(line.is_brief for line in own)
    texts += [BEGINS, *([BRIEF] if is_brief else []), *(line.text for line in own), ENDS]
    return "\n".join([*texts, *(line.text for line in kept if line.event >= judged.stop)])


def _newest(lines: Sequence[StoryLine], room: int, stays: Collection[int]) -> list[StoryLine]:
    """The newest lines that fit, in their order, and with them all that must stay."""
    kept: list[StoryLine] = []
    for line in reversed(lines):
        room -= 0 if line.event in stays else len(line.text) + 1
        if room >= 0 or line.event in stays:
            kept.append(line)
    return kept[::-1]


def _without_answers(lines: Sequence[StoryLine], limit: int) -> list[StoryLine]:
    """The lines, with as many of the oldest answers to look-ups left out as it takes to fit."""
    over = sum(len(line.text) + 1 for line in lines) - limit

    def each() -> Iterator[StoryLine]:
        nonlocal over
        for line in lines:
            brief = line.in_brief() if over > 0 else line
            over -= len(line.text) - len(brief.text)
            yield brief

    return list(each())
