"""Plays a match of a journal again and says what there is to see in each position; runs in a worker process.

A view is ``all``, the number of a player, or ``public``. All but ``all`` are made of nothing but what that view may
know: a position comes only where the view was told something, sees something else than before, or acted. So two matches
that differ only in what a view may not know give it the same positions, in the same number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.catalog import Catalog
from arena.chance import Chance
from arena.errors import ArenaError
from arena.game import ABSENT, Game, State, public_view
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Event, GameEvent, MatchHistory, Player, canonical_json
from arena.turns import positions
from arena_cli import MatchTranscript
from arena_engine import Journal, make_plugin, open_parts, recorded_games
from arena_scene import for_people, position_words, scene_frames, scene_of, shortened, text_scene
from click import unstyle

from arena_web.foundation.kept_values import Histories
from arena_web.foundation.seeing import ALL, PUBLIC, has_begun, is_own, may_know

GAMES: Final = 16
"""So many games are kept built."""

WORKER_ROOM: Final = 30_000_000
"""About so many bytes of matches are kept in each process, which has to do with a bound."""

LONGEST_TEXT: Final = 2_000
"""Of no event are more characters told in a list."""


@attrs.define(eq=False, kw_only=True)
class Shown:
    """One position as a view has it: its step, what the view was told on the way there, and what it sees.

    ``seen`` is asked of the state of the match, so it has to be used before the next position is.
    """

    step: int
    told: tuple[Event, ...]
    see: Callable[[], Any]

    @cached_property
    def seen(self) -> Any:
        """What the view sees, or ``ABSENT``."""
        return self.see()


class Replayed:
    """One match with its game, as one view has it."""

    def __init__(self, game: Game, history: MatchHistory, view: str) -> None:
        self.game = game
        self.history = history
        self.view = view
        self.player = Player(int(view)) if view.isdecimal() else None
        self._facts = game.facts(len(history.agents))

    def shown(self) -> Iterator[Shown]:
        """The positions of the view, from the first to the last."""
        before: str | None = None
        told: list[Event] = []
        acted = self._steps_of_own()
        if self._is_unknown:
            yield Shown(step=0, see=lambda: ABSENT, told=())
            return
        for position in positions(self.game, self.history):
            told += [event for event in position.events if may_know(event, self.view)]
            shown = Shown(step=position.step, told=tuple(told), see=partial(self.see, position.state))
            if self.view == ALL:  # sees each position, whatever is in it
                yield shown
                told = []
                continue
            text = "" if shown.seen is ABSENT else canonical_json(shown.seen)
            if before is None or told or text != before or position.step - 1 in acted:
                yield shown
                before, told = text, []

    def words_of(self, event: Event) -> str:
        """An event as the view is told it."""
        told = for_people(self.game.describe_event(GameEvent(event.kind, event.data, event.to), self.player))
        return told if len(told) <= LONGEST_TEXT else told[: LONGEST_TEXT - 1] + "…"

    def told(self, shown: Shown) -> list[dict[str, Any]]:
        """What the view was told on the way to a position; only who sees all learns who else was told."""
        has_all = self.view == ALL
        return [
            {
                "text": self.words_of(event),
                "seen_by": "everybody" if event.to is None else list(event.to) if has_all else [self.player],
            }
            for event in shown.told
        ]

    def own(self, shown: Shown) -> list[int]:
        """The places among what was told of what the player of the view did itself."""
        if self.player is None:
            return []
        return [at for at, event in enumerate(shown.told) if is_own(event.data, self.player)]

    def scene(self, shown: Shown) -> tuple[dict[str, Any], str]:
        """A position as a scene, and in words."""
        if shown.seen is ABSENT:
            nothing = "this match has not begun" if self._is_unknown else "nothing of this position is public"
            words = "\n".join(map(self.words_of, shown.told)) or nothing
            scene, alternative = text_scene(self.game.title, words)
            return scene, alternative
        forms = self.game.forms
        text = forms["text"](shown.seen) if "text" in forms else canonical_json(shown.seen)
        scene = scene_of(self.game.title, forms, shown.seen)
        return scene, shortened(position_words(text) if isinstance(text, str) else scene["alternative"])

    @property
    def _is_unknown(self) -> bool:
        """Whether what happens at the start of the match is not in the journal yet."""
        if has_begun(self.history):
            return False
        _, opening = self.game.start(Chance(self.history.plan.chance_seed), len(self.history.agents))
        return bool(opening)

    def see(self, state: State) -> Any:
        """What the view sees of a state, or ``ABSENT``."""
        if self.view == PUBLIC:
            return public_view(state, self._facts)
        return state.observe(self.player)

    def _steps_of_own(self) -> frozenset[int]:
        events = (*self.history.played(), *self.history.refused()) if self.player is not None else ()
        return frozenset(event.step for event in events if event.player == self.player)


def replayed(path: str, match: str, view: str, catalog: Catalog) -> Replayed:
    """A match of a run, read anew."""
    with Journal.open(Path(path), check=False) as journal:
        history = _HISTORIES.of(journal, match)
        if history is None:
            raise ArenaError(f"no match {match!r}")
        return Replayed(_game(journal, history.game, catalog), history, view)


def game_facts(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """What a game is, for one who looks at its matches."""
    with Journal.open(Path(asked["run"]), check=False) as journal:
        game = _game(journal, asked["game"], catalog)
    hides = game.facts(asked["players"]).hidden_information
    return {"rules": game.rules, "has_scene": "scene" in game.forms, "hides": hides}


def timeline(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """The positions of a view without their pictures: of each its step, and what was told on the way there.

    ``own`` has the places in ``told`` of what the player of the view did itself.
    """
    found = replayed(asked["run"], asked["match"], asked["view"], catalog)
    return [{"step": each.step, "told": found.told(each), "own": found.own(each)} for each in found.shown()]


def end(asked: Mapping[str, Any], catalog: Catalog) -> str:
    """Why a match ended by its rules, as its game says of the last position of a view; empty where it says nothing."""
    found = replayed(asked["run"], asked["match"], asked["view"], catalog)
    words = ""
    for position in positions(found.game, found.history):
        if position.step == found.history.steps and (seen := found.see(position.state)) is not ABSENT:
            words = found.game.describe_end(seen)
    return words if len(words) <= LONGEST_TEXT else words[: LONGEST_TEXT - 1] + "…"


def in_play(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """Who is ``to_act`` in the last position of a match, and how many refusals are ``allowed`` in all of it."""
    found = replayed(asked["run"], asked["match"], ALL, catalog)
    last: list[int] = []
    for position in positions(found.game, found.history):
        last = [int(player) for player in position.state.to_act()]
    with Journal.open(Path(asked["run"]), check=False) as journal:
        policy = _policy(journal, catalog)
    return {"to_act": last, "allowed": policy.for_game(found.game, len(found.history.agents)).max_refusals}


def frames(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """Positions ``from`` to ``to`` of a view as scenes, the first in full, then differences; and each in words.

    A ``from`` of -1 is the last position alone.
    """
    found = replayed(asked["run"], asked["match"], asked["view"], catalog)
    begin, end = asked["from"], asked["to"]
    wanted: list[tuple[dict[str, Any], str]] = []
    total, last = 0, None
    for shown in found.shown():
        if 0 <= begin <= total <= end:
            wanted.append(found.scene(shown))
        total, last = total + 1, shown
    if begin < 0 and last is not None:
        wanted = [found.scene(last)]
    scenes: Sequence[dict[str, Any]] = [scene for scene, _ in wanted]
    return {
        "from": total - 1 if begin < 0 else begin,
        "frames": scene_frames(scenes),
        "total": total,
        "words": [words for _, words in wanted],
    }


def text(asked: Mapping[str, Any], catalog: Catalog) -> str:
    """A match to read, as ``arena replay`` tells it."""
    with Journal.open(Path(asked["run"]), check=False) as journal:
        history = journal.history_of(asked["match"])
        if history is None:
            raise ArenaError(f"no match {asked['match']!r}")
        known = recorded_games(journal).get(history.game)
        words: Mapping[str, str] = {} if known is None else known.words
        parts = open_parts(journal, catalog)
        game = parts.games[history.game].game if history.game in parts.games else None
        made = MatchTranscript(journal, game, history, "text", is_full=False, words=words)
        return "\n\n".join(map(unstyle, made.pages())) + "\n"


def _game(journal: Journal, name: str, catalog: Catalog) -> Game:
    """A game of a run, which is built once as long as the run's benchmark is the same."""
    place, benchmark = (journal.directory, name), journal.header.benchmark
    known = _GAMES.pop(place, None)
    if known is None or known[0] != benchmark:
        known = benchmark, _built(journal, name, catalog)
    _GAMES[place] = known
    if len(_GAMES) > GAMES:
        del _GAMES[next(iter(_GAMES))]
    return known[1]


_HISTORIES: Final = Histories(WORKER_ROOM)
"""The matches that this process was asked for last."""

_GAMES: Final[dict[tuple[Path, str], tuple[Any, Game]]] = {}
"""The games that were built, the one used longest ago first."""


def _policy(journal: Journal, catalog: Catalog) -> IllegalActionPolicy:
    """A run's policy for illegal actions, as far as it says how many refusals there may be in a match."""
    plain = cast("Mapping[str, Any]", journal.header.benchmark)
    raw: Any = plain.get("illegal-actions", plain.get("illegal_actions")) or {}
    if isinstance(raw, str) or "use" in raw:
        return make_plugin("illegal-actions", raw, catalog)
    return IllegalActionPolicy(max_refusals=raw.get("max-refusals", raw.get("max_refusals")))


def _built(journal: Journal, name: str, catalog: Catalog) -> Game:
    parts = open_parts(journal, catalog)
    if name in parts.absent:
        raise ArenaError(f"this needs {parts.absent[name]}")
    return parts.game(name)
