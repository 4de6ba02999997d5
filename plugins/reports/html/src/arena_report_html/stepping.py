"""Boards to step through: the positions of told matches as frames for the renderer in browsers, and in words."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import attrs
from arena_report import BoardScene, MatchView
from arena_scene import difference, scene_faults, text_scene
from markupsafe import Markup

MOST: Final = 20_000_000
"""How many characters the frames and words of all boards of a page may have, so that the page stays below 25 MB."""


@attrs.frozen
class WordsView:
    """A position in words: before which step, and the text."""

    step: int
    text: str


@attrs.frozen
class StepsView:
    """The positions of one match: ``frames`` as JSON for a page, and each in words; or why there are none.

    ``frames`` is ``None`` where nothing is drawn that the words do not show.
    """

    frames: Markup | None = None
    words: tuple[WordsView, ...] = ()
    problem: str = ""

    @property
    def size(self) -> int:
        """How many characters of the page they take."""
        return len(self.frames or "") + sum(len(each.text) for each in self.words)


@attrs.frozen
class Steps:
    """The positions of all matches of a page, in their order, and how much of it they are."""

    matches: tuple[StepsView, ...]
    size: int
    left_out: int


def steps_of(matches: Sequence[MatchView], positions: int, longest: int) -> Steps:
    """The boards of matches, as many as fit: ``positions`` of them in all, each told in at most ``longest`` characters.

    A match has all its boards or none.
    """
    views: list[StepsView] = []
    size = left_out = 0
    for match in matches:
        view = _view(match, positions, longest)
        if view is None or size + view.size > MOST:
            views.append(StepsView(problem="the boards are left out, so that this page stays small"))
            left_out += 1
            continue
        positions -= len(view.words)
        size += view.size
        views.append(view)
    return Steps(tuple(views), size, left_out)


def _view(match: MatchView, positions: int, longest: int) -> StepsView | None:
    """The boards of one match that is told move by move; ``None`` if it has too many positions."""
    if match.moves is None:
        return StepsView()
    if match.turns >= positions:
        return None
    try:
        told = list(match.scenes())
    except Exception as error:  # the game is a plugin
        return StepsView(problem=f"the boards are missing: {type(error).__name__}: {error}"[:500])
    if len(told) > positions:
        return None
    words = tuple(WordsView(each.step, _cut(each.words, longest)) for each in told)
    if not any(each.drawing for each in told):
        return StepsView(words=words)
    return StepsView(_embedded(list(_frames(told))), words)


def _frames(told: Iterable[BoardScene]) -> Iterator[list[Any]]:
    """The steps with their frames: the first scene in full, then differences; words stand in the page already."""
    before: dict[str, Any] | None = None
    for each in told:
        scene = _scene(each)
        yield [each.step, scene if before is None else difference(before, scene)]
        before = scene


def _scene(told: BoardScene) -> dict[str, Any]:
    data: Any = None if told.drawing is None else told.drawing.data
    sound: dict[str, Any] = text_scene(told.title, told.words)[0] if data is None or scene_faults(data) else data
    return {**sound, "alternative": ""}


def _embedded(value: object) -> Markup:
    """JSON that ends no element of a page, whatever is in it."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text) - longest:,} characters more)"
