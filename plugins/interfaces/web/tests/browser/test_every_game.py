"""Whole matches of every game against random play, in the page of a seat: by a pointer alone, and by keys alone."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from arena.catalog import Catalog
from arena_engine import make_plugin

from .conftest import Tables, seating, visiting
from .filling import Keys, Pointer, enter
from .test_seat import ASKED, OVER

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

OWN_TURNS = 40
"""After so many turns of one's own one gets up."""

PATIENCE_MS = 120_000
"""A form with a hundred fields is filled key by key, and a match begins when its game and players are loaded."""

PLAYED: Mapping[str, Mapping[str, Any]] = {
    "tic-tac-toe": {},
    "connect-four": {},
    "matrix-rps": {},
    "openspiel": {"name": "clobber", "parameters": {"rows": 4, "columns": 4}},
}
"""Games of each kind of picture and of decision, each short; all others are for the campaign."""

OTHERS: Mapping[str, Mapping[str, Any]] = {
    "hanabi": {},
    "go": {"size": 5},
    "mnk": {},
    "gomoku": {},
    "grid-tic-tac-toe": {},
    "grid-connect-four": {},
    "grid-twin": {},
    "backgammon": {},
    "hex": {},
    "chess": {},
    "kuhn-poker": {},
    "matrix": {},
    "matrix-pd": {},
    "matching-pennies": {},
    "tradecraft": {},
    "two-by-two-story": {},
    "two-by-two-dominance": {},
    "negotiation": {},
    "leduc-poker": {},
    "texas-holdem": {},
    "checkers": {},
    "othello": {},
    "pig": {"target": 20},
    "nine-mens-morris": {},
    "oware": {},
    "breakthrough": {"rows": 4, "columns": 4},
    "pentago": {},
    "dots-and-boxes": {},
    "goofspiel": {"cards": 5},
    "first-price-auction": {},
    "openspiel-nim": {},
    "blackjack": {},
    "blotto": {"coins": 3},
    "bargaining": {},
    "gin-rummy": {},
    "liars-dice": {},
    "diplomacy": {},
    "diplomacy-facts": {},
    "planning": {},
    "planning-recall": {},
    "planning-tracking": {},
    "two-by-two": {},
    "two-by-two-mixed": {},
    "two-by-two-nested": {},
    "two-by-two-parallel": {},
    "two-by-two-play": {},
    "two-by-two-sequence": {},
    "two-by-two-writing": {},
    "pettingzoo": {"name": "pettingzoo.classic.rps_v2"},
    "gymnasium": {"name": "FrozenLake-v1", "parameters": {"map_name": "4x4"}},
}

GAMES = {**PLAYED, **OTHERS}

SEEDS: Mapping[str, int] = {"texas-holdem": 4}
"""Where with the seed of all others random play folds before the person has been asked."""

PLAYER = """
import json, sys, threading
from pathlib import Path
from random import Random
from arena_engine import Control, run
from arena_web.open_seat.open_seat import OpenSeat
from arena_web.open_seat.seat_player import SeatPlayer
runs = Path(sys.argv[1])
def joining(join):
    def joined(self, seat):
        player = join(self, seat)
        player.title = self.title
        return player
    return joined
def noting(act, rng):
    async def noted(self, decision):
        (runs.parent / self.title).write_text(json.dumps(decision.sample(rng)))
        return await act(self, decision)
    return noted
OpenSeat.join = joining(OpenSeat.join)
SeatPlayer.act = noting(SeatPlayer.act, Random(5))
def play(plain):
    run(plain, output=runs / plain["name"], check=False, control=Control(is_attended=True))
for plain in json.loads(sys.argv[2]):
    threading.Thread(target=play, args=(plain,)).start()
"""
"""Plays several benchmarks at once, and notes for each what a random player would do now: somebody's slip of paper."""


def table(name: str, game: Mapping[str, Any], players: int) -> dict[str, Any]:
    """One match of a person against random play."""
    return {
        "name": name,
        "seed": SEEDS.get(game["use"], 3),
        "games": {"game": {**game, "without-rules": True}},
        "agents": {"person": {"use": "open-seat", "title": name}, "other": "random"},
        "schedule": {"use": "fixed", "seatings": [["person", *["other"] * (players - 1)]]},
        "metrics": [],
    }


def players_of(game: Mapping[str, Any], catalog: Catalog) -> int:
    """How many sit down: two, or as near to that as a game can."""
    return min(make_plugin("game", game, catalog).player_counts(), key=lambda count: abs(count - 2))


@attrs.frozen
class Sitting:
    """Runs with one match of a game each, and the server that shows them."""

    folder: Path
    tables: Tables

    def paper(self, name: str) -> Any:
        """What a random player would do now."""
        return json.loads((self.folder / name).read_text())


@pytest.fixture(scope="module")
def sitting(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Sitting]:
    """A run for each test of this module that was chosen."""
    folder = tmp_path_factory.mktemp("games")
    catalog = Catalog()
    chosen = [
        own.callspec.params
        for own in request.session.items
        if own.module is request.module and hasattr(own, "callspec")
    ]
    plain = []
    for own in chosen:
        plugin = catalog.get("game", own["game"]).plugin
        game = {"use": own["game"], **GAMES[own["game"]], **(plugin.example if own["game"] == "matrix" else {})}
        plain.append(table(f"{own['game']}-{own['hand'].__name__.lower()}", game, players_of(game, catalog)))
    with seating(folder, plain, PLAYER) as tables:
        yield Sitting(folder, tables)


def is_next(answer: Any) -> bool:
    """Whether an answer of the server is a turn, or the end of the match."""
    return "/api/1/seat/turn?" in answer.url and answer.status in (200, 410)


def play(page: Any, hand: Pointer | Keys, turn: Mapping[str, Any], paper: Any, rng: Random) -> Mapping[str, Any] | None:
    """Act once; what is asked next, or nothing where the match is over."""
    with page.expect_response(is_next, timeout=PATIENCE_MS) as found:
        if turn["schema"] is None:
            hand.choose(rng, rng.choice(turn["options"])["label"])
        else:
            enter(hand, turn["schema"], paper)
            hand.press('.send button:has-text("Send")')
    asked = found.value
    page.locator(OVER if asked.status == 410 else ASKED).wait_for()
    return None if asked.status == 410 else asked.json()


@pytest.mark.parametrize("hand", [Pointer, Keys])
@pytest.mark.parametrize(
    "game", [*PLAYED, *(pytest.param(name, marks=pytest.mark.campaign) for name in sorted(OTHERS))]
)
def test_whole_match(chromium, sitting, game, hand):
    """A match is played to its end, or for 40 own turns; nothing is refused, and the browser complains of nothing."""
    name = f"{game}-{hand.__name__.lower()}"
    link = sitting.tables.link(name)
    with visiting(chromium, sitting.tables.served, start=link, is_known_missing=True) as visit:
        page = visit.page
        page.set_default_timeout(20_000)
        page.locator(ASKED).wait_for(timeout=PATIENCE_MS)
        with page.expect_response(is_next) as found:
            page.reload()
        turn, turns, rng, own = found.value.json(), 0, Random(7), hand(page)
        page.locator(ASKED).wait_for()
        while turn is not None and turns < OWN_TURNS:
            turn, turns = play(page, own, turn, sitting.paper(name), rng), turns + 1
            assert turn is None or not turn["rejected"]
        if turn is not None:
            own.press('button:has-text("Leave …")')
            own.press('button:has-text("Leave and forfeit")')
            page.locator(OVER).wait_for()
        visit.picture(f"seat-game-{game}")
        assert page.locator(OVER).inner_text()


def test_every_game_is_played():
    """No installed game is left out."""
    assert {*GAMES} == set(Catalog().names("game"))
