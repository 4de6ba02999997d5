"""Holds a run that another process plays: pauses it, goes on, stops it."""

from collections.abc import Callable
from typing import Any, Final

from arena.errors import ConfigError
from arena_engine import RemoteControl

from arena_web.errors import ApiError
from arena_web.routing import ApiRequest
from arena_web.run_state import state_of
from arena_web.site import Site

REASON: Final = "stopped in the browser"


def pause(site: Site, asked: ApiRequest) -> Any:
    """Ask nothing new; what is in flight is kept."""
    return _done(site, asked, lambda control: control.pause())


def proceed(site: Site, asked: ApiRequest) -> Any:
    """Go on after a pause."""
    return _done(site, asked, lambda control: control.proceed())


def stop(site: Site, asked: ApiRequest) -> Any:
    """End the run cleanly; `arena resume` goes on."""
    return _done(site, asked, lambda control: control.stop(REASON))


def _done(site: Site, asked: ApiRequest, do: Callable[[RemoteControl], None]) -> Any:
    found = site.runs.get(asked.path["run"])
    try:
        do(RemoteControl(found.directory))
    except ConfigError as error:
        raise ApiError(409, found.name, str(error), f"`arena resume {found.directory}` plays it on") from error
    state = state_of(found)
    return {"state": state.word, "state_words": state.words}
