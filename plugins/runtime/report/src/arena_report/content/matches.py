"""Prepares matches for reading: who played, how the match ended, its moves, and positions as pictures."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, cast

import attrs
from arena.game import Drawing, Form, Game, Image
from arena.record import Event, MatchRecord, Player, canonical_json
from arena.turns import positions

from arena_report.content.contract import NO_SCENES, BoardImage, BoardScene, MatchView, Move, SceneSeries

SVG: Final = "image/svg+xml"
"""The media type of a board: a form that gives the spectator such a picture shows the board to people."""


@attrs.define(eq=False)
class BoardDrawings:
    """Draws matches until ``left`` pictures are drawn; ``notes`` say what is missing, and why."""

    games: Mapping[str, Game]
    left: int
    _forms: dict[str, Form | None] = attrs.field(factory=dict[str, "Form | None"], init=False)
    _failures: dict[str, str] = attrs.field(factory=dict[str, str], init=False)
    _left_out: int = attrs.field(default=0, init=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the report has to be told about the boards that it lacks."""
        told = [f"boards of {game!r} are missing: {why}" for game, why in self._failures.items()]
        if self._left_out:
            told.append(f"boards of {self._left_out} matches are left out to keep the report small; see arena replay")
        return tuple(told)

    def of(self, record: MatchRecord) -> tuple[BoardImage, ...]:
        """The boards of a match; none if its game has no form that draws them, or too few pictures are left."""
        name, game = record.game, self.games.get(record.game)
        if game is None or name in self._failures:
            return ()
        try:
            if name not in self._forms:
                self._forms[name] = drawing_form(game, record)
            form = self._forms[name]
            found = self._drawn(form, game, record) if form else ()
        except Exception as error:  # the game is a plugin
            self._failures[name] = f"{type(error).__name__}: {error}"
            return ()
        if found is None:
            self._left_out += 1
            return ()
        self.left -= len(found)
        return found

    def shown(self, record: MatchRecord) -> tuple[tuple[BoardImage, ...], SceneSeries]:
        """The boards of a match, and a function that gives every position in words and as the game draws it."""
        game = self.games.get(record.game)
        return self.of(record), NO_SCENES if game is None else partial(scenes, game, record)

    def _drawn(self, form: Form, game: Game, record: MatchRecord) -> tuple[BoardImage, ...] | None:
        if self.left < 1:
            return None
        boards: list[BoardImage] = []
        for position in positions(game, record):
            image = form(position.state.observe(None))
            if not isinstance(image, Image) or (boards and image.data == boards[-1].image.data):
                continue
            if len(boards) == self.left:
                return None
            boards.append(BoardImage(step=position.step, image=image))
        return tuple(boards)


def scenes(game: Game, record: MatchRecord) -> Iterator[BoardScene]:
    """Every position of a match as the spectator sees it, the last one included."""
    text, draw = game.forms.get("text"), game.forms.get("scene")
    for position in positions(game, record):
        view = position.state.observe(None)
        drawn = draw(view) if draw else None
        words = text(view) if text else canonical_json(view)
        yield BoardScene(
            step=position.step,
            title=game.title,
            words=words if isinstance(words, str) else canonical_json(view),
            drawing=drawn if isinstance(drawn, Drawing) else None,
        )


def drawing_form(game: Game, record: MatchRecord) -> Form | None:
    """The first form that shows the opening of a match to the spectator as SVG; one that raises is for players."""
    opening = next(positions(game, record)).state.observe(None)
    for form in game.forms.values():
        with suppress(Exception):
            shown = form(opening)
            if isinstance(shown, Image) and shown.media_type == SVG:
                return form
    return None


_TOLD = frozenset({"played", "refused", "withheld", "gone"})


def view(
    match: MatchRecord,
    boards: tuple[BoardImage, ...] = (),
    scenes: SceneSeries = NO_SCENES,
    *,
    is_full: bool,
) -> MatchView:
    """One match as a report lists it; moves are included only if ``is_full``."""
    played = [event for event in match.played() if _data(event).get("by", "agent") == "agent"]
    turns = sum(1 for _ in match.played())
    return MatchView(
        id=match.id,
        game=match.game,
        players=tuple(_player(match, Player(p)) for p in range(len(match.agents))),
        ending=str(match.ending),
        returns=match.returns,
        turns=turns,
        refusals=sum(1 for _ in match.refused()),
        substitutes=turns - len(played),
        reason=match.failure.reason if match.failure else "",
        moves=tuple(_moves(match)) if is_full else None,
        boards=boards,
        scenes=scenes,
    )


def _player(match: MatchRecord, player: Player) -> str:
    return f"{match.agents[player]} ({match.seats[player]})" if match.seats else match.agents[player]


def _moves(match: MatchRecord) -> Iterator[Move]:
    for event in match.events:
        if event.source == "referee" and event.kind in _TOLD and event.player is not None:
            data = _data(event)
            yield Move(
                step=event.step,
                player=_player(match, event.player),
                outcome=event.kind,
                text=_text(event.kind, data),
                turn=data.get("turn"),
                attempt=data.get("try", 0),
                by=data.get("by", "agent"),
                reasoning=data.get("reasoning", ""),
            )


def _text(kind: str, data: Mapping[str, Any]) -> str:
    if kind == "gone":
        return f"out of tries, the last one {data.get('kind')}"
    action = data.get("label") or (canonical_json(data["action"]) if "action" in data else data.get("text", ""))
    return action if kind != "refused" else ": ".join(t for t in (str(data["kind"]), action, data["reason"]) if t)


def _data(event: Event) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", event.data) if isinstance(event.data, Mapping) else {}
