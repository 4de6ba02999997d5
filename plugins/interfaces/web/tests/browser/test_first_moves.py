"""The first move of five games on a telephone, by what is seen alone: few touches, and nothing is refused."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from .conftest import PLAYER, Tables, seating
from .test_every_game import table
from .test_seat import ASKED, OVER, sitting

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

PLAYERS: Mapping[str, int] = {"connect-four": 2, "chess": 2, "texas-holdem": 2, "negotiation": 2, "diplomacy": 7}

FIRST: Mapping[str, Sequence[str]] = {
    "connect-four": ['[data-element~="board/column:3"]'],
    "chess": ['[data-element~="board:6,4"]', '[data-element~="board:4,4"]'],
    "texas-holdem": ['.touches-row button:has-text("call")'],
    "negotiation": ['button:text-is("keep everything")', 'button:text-is("Send")'],
    "diplomacy": ['button:text-is("hold everything else")', 'button:text-is("Send")'],
}
"""What is pressed for the first move of each game."""


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """A seat in each of the five games."""
    plain = [
        table(name, {"use": name, **({"negotiation-rounds": 0} if name == "diplomacy" else {})}, players)
        for name, players in PLAYERS.items()
    ]
    with seating(tmp_path_factory.mktemp("first"), plain, PLAYER) as own:
        yield own


@pytest.mark.parametrize("game", PLAYERS)
def test_first_move_is_near(chromium, seats, game):
    """The first move is played with at most six touches on a telephone, and is not refused."""
    with sitting(chromium, seats, game, viewport={"width": 390, "height": 844}) as visit:
        page = visit.page
        with page.expect_response(lambda own: "/try/" in own.url) as played:
            for pressed in FIRST[game]:
                page.locator(pressed).first.click()
        page.locator(f"{ASKED}, {OVER}, .ask.is-waiting").first.wait_for()
        visit.picture(f"first-move-{game}")

    assert played.value.status == 200
    assert len(FIRST[game]) <= 6
