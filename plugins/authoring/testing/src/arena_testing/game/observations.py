"""Checks what players are shown: observations, their forms, scenes among them, and events in words."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, cast

from arena.game import ABSENT, Drawing, Game, Image
from arena.record import JSON, Player, canonical_json
from arena_engine.foundation import json_fault
from arena_scene import scene_faults

from arena_testing.foundation.values import copied, scramble
from arena_testing.game.position import ExaminedPosition

SCENE: Final = "scene"
"""The form that draws a position as data."""


def drawn_as_text(game: Game, view: Any) -> str:
    """The scene of a view as one text, to be compared."""
    drawn: Any = game.forms[SCENE](view)
    return json.dumps(getattr(drawn, "data", drawn), sort_keys=True, default=repr)  # whatever it is: faults come later


def drawing_fault(name: str, drawing: Drawing) -> str | None:
    """What is wrong with a drawing; of the form ``scene`` it must keep to the format of ``arena_scene``."""
    if not isinstance(drawing.alt, str) or not drawing.alt.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
        return "is a drawing without words for those who cannot see it"
    if fault := json_fault(drawing.data):
        return f"is a drawing that cannot be written down: {fault}"
    if name != SCENE:
        return None
    if faults := scene_faults(drawing.data):
        return f"is no sound scene: {faults[0]}"
    data: Any = drawing.data
    if data["alternative"] != drawing.alt:
        return "says other words beside its drawing than in it; make both with arena_scene.Scene(…).drawn()"
    return None


LONGEST = 20_000
"""From this many characters on, a text is too long to be read, by people and by models."""

_SIGNATURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8"}


def check_observations(position: ExaminedPosition) -> None:
    """Observations are JSON, equal at every call, and copies: changing one does not change the match."""
    for viewer, whose, observe in _views(position):
        observation = observe()
        if fault := json_fault(observation):
            raise position.fault("observation", f"{whose} cannot be written down: {fault}", viewer)
        text = canonical_json(observation)
        if canonical_json(observe()) != text:
            raise position.fault("observation", f"{whose} differs each time it is read", viewer)
        scramble(observation)
        if canonical_json(observe()) != text:
            raise position.fault("observation", f"{whose} is the state's own data; hand out a copy", viewer)


def check_forms(position: ExaminedPosition) -> None:
    """Every form accepts every observation, also after a trip through JSON, and does not change it."""
    for viewer, whose, observe in _views(position):
        observation: Any = observe()
        text = canonical_json(observation)
        for name, form in position.walk.game.forms.items():
            shown = form(observation)
            if fault := _shown_fault(name, shown):
                raise position.fault("forms", f"form {name!r} of {whose} {fault}", viewer)
            if isinstance(shown, str) and viewer is not None:
                check_length(position, f"form {name!r} of {whose}", shown, viewer)
            if canonical_json(observation) != text:
                raise position.fault("forms", f"form {name!r} changes the observation it is given", viewer)
            if form(copied(observation)) != shown:
                raise position.fault("forms", f"form {name!r} shows the same data differently the next time", viewer)


def check_words(position: ExaminedPosition, since: int) -> None:
    """The game can describe every event from number ``since`` on to each player who may see it.

    Where the facts say that nothing is hidden, no event is for some players alone.
    """
    for event, _ in position.walk.told[since:]:
        if event.to and len(event.to) < position.walk.players and not position.facts.hidden_information:
            what = f"hidden_information is not declared, but {event.kind!r} is told to {event.to!r} alone"
            raise position.fault("facts", what)
        for viewer in position.viewers:
            if not event.is_visible(viewer):
                continue
            told = position.walk.game.describe_event(event, viewer)
            if not isinstance(told, str) or not told.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
                raise position.fault("tell", f"the event {event.kind!r} is told as {told!r}", viewer)
            if viewer is not None:
                check_length(position, f"what is told of the event {event.kind!r}", told, viewer)


def check_length(position: ExaminedPosition, what: str, text: str, player: Player | None) -> None:
    """Fail if ``text`` is as long as nobody can be expected to read."""
    if (length := len(text)) >= LONGEST:
        said = f"{what} has {length:,} characters; at most {LONGEST - 1:,} can be read"
        raise position.fault("length", said, player)


def check_events_kept(position: ExaminedPosition) -> None:
    """The data of an event does not change after it was published."""
    for event, text in position.walk.told:
        if canonical_json(event.data) != text:
            what = (
                f"the event {event.kind!r} said {text} and says {canonical_json(event.data)} at the end; give it a copy"
            )
            raise position.fault("events", what)


def _shown_fault(name: str, shown: object) -> str | None:
    if isinstance(shown, str):
        if name == SCENE:
            return "is a text; the form 'scene' is a drawing, so give the text another name"
        return None if shown.strip() else "is empty"
    if isinstance(shown, Drawing):
        return drawing_fault(name, shown)
    if not isinstance(shown, Image):
        return f"is a {type(shown).__name__}, neither a text nor a picture nor a drawing"
    if not shown.data or "/" not in shown.media_type:
        return f"is a picture of {len(shown.data)} bytes with the media type {shown.media_type!r}"
    if not shown.data.startswith(_SIGNATURES.get(shown.media_type, b"")):
        return f"does not begin like {shown.media_type}"
    return None


def _views(position: ExaminedPosition) -> Iterator[tuple[Player | None, str, Callable[[], JSON]]]:
    """Whose observation it is, as faults name it, and how it is read: each player's, the spectator's, a bystander's."""
    for viewer in position.viewers:
        whose = "the spectator's observation" if viewer is None else "the observation"
        yield viewer, whose, partial(position.state.observe, viewer)
    if position.state.observe_public() is not ABSENT:
        yield None, "the view of a bystander", cast("Callable[[], JSON]", position.state.observe_public)
