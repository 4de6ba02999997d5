"""A match of a run, read for a view: where it stands, and what happened in it."""

from collections.abc import Mapping

import attrs
from arena.metric import Baseline
from arena.record import MatchHistory, MatchRecord
from arena_engine import Journal, is_played, recorded_games, watched_outside

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import bad_input, not_found
from arena_web.foundation.hidden_matches import is_covered
from arena_web.foundation.seeing import ALL, PUBLIC, has_begun
from arena_web.held.found_runs import FoundRun
from arena_web.held.match_names import MatchPlace
from arena_web.held.positions import MatchSource
from arena_web.held.run_state import control_state, open_run
from arena_web.held.seat_matches import settings
from arena_web.runs.listing import agent_titles


@attrs.frozen(kw_only=True)
class OpenMatch:
    """A match that was read: where it stands, what happened in it, and who looks.

    ``reveals_agents`` says whether players are told who plays the others, ``seats`` what the game calls them,
    ``baseline`` the facts of its game, where they are recorded. ``is_watched`` says whether the host saw all of it
    while somebody outside played. Whoever looks ``is_told_why`` something went wrong unless what is hidden could stand
    there.
    """

    run: FoundRun
    place: MatchPlace
    history: MatchHistory
    source: MatchSource
    view: str
    is_playing: bool
    is_watched: bool
    is_told_why: bool
    titles: Mapping[str, str]
    run_name: str
    reveals_agents: bool
    seats: tuple[str, ...]
    baseline: Baseline | None

    @property
    def player(self) -> int | None:
        """The player whose view it is, if it is one's."""
        return int(self.view) if self.view.isdecimal() else None


def open_match(site: Site, asked: ApiRequest) -> OpenMatch:
    """Read a match of which a request speaks, for the view that it names."""
    run = site.runs.get(asked.path["run"])
    with open_run(run) as journal:
        view = asked.query.get("as") or ALL
        return read_match(site, run, journal, asked.path["match"], view, is_host=asked.right == "host")


def read_match(
    site: Site, run: FoundRun, journal: Journal, name: str, view: str, *, is_host: bool = False
) -> OpenMatch:
    """Read a match of an open journal; an answer of 404 where there is none, of 400 where there is no such view.

    Of a match that is covered everybody sees what a bystander does.
    """
    place = site.index.find(journal, name)
    history = site.histories.of(journal, place.id)
    if history is None:
        raise not_found("match", f"this run has no match {name!r}")
    views = [ALL, *map(str, range(len(history.agents))), PUBLIC]
    if view not in views:
        raise bad_input("as", f"nobody sees this match as {view[:40]!r}", f"there is: {', '.join(views)}")
    is_over = isinstance(history, MatchRecord)
    covered = is_covered(journal, history.plan, is_host=is_host)
    source = MatchSource(
        run=str(run.directory),
        header=journal.header.id,
        match=place.id,
        game=history.game,
        players=len(history.agents),
        steps=history.steps,
        is_over=is_over,
        is_begun=has_begun(history),
    )
    known = recorded_games(journal).get(history.game)
    baseline = known.baseline if known else None
    return OpenMatch(
        run=run,
        place=place,
        history=history,
        source=source,
        view=PUBLIC if covered else view,
        is_told_why=not covered,
        is_playing=not is_over and _is_in_play(run, place.id, history),
        is_watched=place.id in watched_outside(journal),
        titles=agent_titles(journal),
        run_name=journal.header.name,
        seats=history.seats or (baseline.seats if baseline else ()),
        baseline=baseline,
        reveals_agents=bool(settings(journal.header.benchmark).get("reveal_agents")),
    )


def _is_in_play(run: FoundRun, match: str, history: MatchHistory) -> bool:
    """Whether somebody plays a match that is not over.

    The process that plays it may be too busy to say so, and names it no more a moment before its end is in the journal.
    """
    if history.steps and is_played(run.directory):
        return True
    control = control_state(run.directory)
    return control is not None and match in control.playing
