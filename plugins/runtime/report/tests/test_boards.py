"""Boards in reports: which form draws them, which positions have one, how many there are, and what goes wrong."""

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from arena.game import Form, Game, Image
from arena.metric import Metric
from arena.record import EVERYONE, Ending, Event, MatchPlan, MatchRecord, Player
from arena_engine.journal.journal import Journal
from arena_engine.match.simulation import RandomAgent
from arena_report import assemble
from arena_report.content.matches import BoardDrawings
from arena_testing.fixtures.play_match import play
from arena_testing.fixtures.reference_game import ReferenceGame

AGENTS = ("ann", "bob")


@attrs.frozen
class Entry:
    game: Game
    players: int = 2


@attrs.frozen
class Parts:
    games: Mapping[str, Entry]
    metrics: Mapping[str, Metric] = attrs.field(factory=dict)
    level: float = 0.95


def drawn(seen: Any) -> Image:
    return Image("image/svg+xml", f"<svg>{seen['number'] // 2}</svg>".encode(), f"the number {seen['number']}")


def failing(seen: Any) -> Image:
    if seen["number"] > 0:
        raise LookupError("no ink")
    return drawn(seen)


def refusing(seen: Any) -> Image:
    raise LookupError("for players alone")


def dotted(seen: Any) -> Image:
    return Image("image/png", b"\x89PNG", "a dot")


@attrs.frozen
class Drawn(ReferenceGame):
    """The reference game with a picture of the number, which changes with every second one."""

    draw: Form = drawn

    @property
    def forms(self) -> Mapping[str, Form]:
        return {**super().forms, "dot": dotted, "board": self.draw}


def record(game: str = "drawn", *added: int) -> MatchRecord:
    """A match in which these numbers were added."""
    plan = MatchPlan(
        id=f"{game}/ann,bob/0.0", game=game, agents=AGENTS, pairing="ann,bob", repeat=0, rotation=0, chance_seed=0
    )
    events: list[Event] = []
    for step, add in enumerate(added):
        player = Player(step % 2)
        played = {"action": add, "turn": step, "try": 0, "by": "agent"}
        events.append(Event(step, "referee", "played", player, played, EVERYONE))
        events.append(Event(step + 1, "game", "added", None, {"player": player, "added": add}, EVERYONE))
    return MatchRecord(
        plan=plan,
        seats=(),
        ending=Ending.TURN_LIMIT,
        returns=None,
        steps=len(added),
        events=tuple(events),
        failure=None,
    )


def test_a_board_for_each_position_that_looks_different():
    """The first form that draws SVG is used, and a position that looks like the one before has no board."""
    boards = BoardDrawings({"drawn": Drawn()}, 10).of(record("drawn", 1, 1, 2))

    assert [board.step for board in boards] == [0, 2, 3]
    assert [board.image.alt for board in boards] == ["the number 0", "the number 2", "the number 4"]


def test_a_game_without_svg_has_no_boards():
    """Forms of text, pictures for models and forms for players alone are no boards; nor has a game that is not here."""
    games = {"plain": ReferenceGame(), "dotted": Drawn(dotted), "refusing": Drawn(refusing)}
    drawings = BoardDrawings(games, 10)

    assert [drawings.of(record(name, 1)) for name in (*games, "gone")] == [()] * 4
    assert drawings.notes == ()


def test_matches_that_do_not_fit_are_left_out_whole():
    """The number of pictures is bounded over all matches, and the report says how many matches lack theirs."""
    drawings = BoardDrawings({"drawn": Drawn()}, 4)

    found = [len(drawings.of(record("drawn", *added))) for added in ((2, 2), (2,), (1,), (1,))]

    assert found == [3, 0, 1, 0]
    assert drawings.notes == ("boards of 2 matches are left out to keep the report small; see arena replay",)


@pytest.mark.parametrize(
    ("game", "added", "why"),
    [(Drawn(failing), (1, 2), "LookupError: no ink"), (Drawn(), (9, 1), "JournalError: match")],
)
def test_what_cannot_be_drawn_is_a_note(game, added, why):
    """A form that raises, or a record that the game does not do again, costs the boards and not the report."""
    drawings = BoardDrawings({"drawn": game}, 10)

    assert drawings.of(record("drawn", *added)) == drawings.of(record("drawn", *added)) == ()
    (note,) = drawings.notes
    assert note.startswith(f"boards of 'drawn' are missing: {why}")


@pytest.mark.slow
def test_a_report_has_boards_where_they_are_asked_for(tmp_path):
    """Nothing is drawn for a format that shows no boards, since that takes time."""
    play(Drawn(), [RandomAgent(), RandomAgent()], tmp_path / "run")
    with Journal.open(tmp_path / "run") as journal:
        benchmark = Parts({"game": Entry(Drawn())})
        plain, shown = (assemble([journal], {journal.header.id: benchmark}, boards=wanted) for wanted in (False, True))

    assert [match.boards for match in plain.matches] == [()]
    assert [len(match.boards) > 1 for match in shown.matches] == [True]
    assert attrs.evolve(shown, matches=plain.matches) == plain
