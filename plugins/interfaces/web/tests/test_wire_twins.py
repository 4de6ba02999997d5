"""Hidden information at the wire: twins of a whole match are the same bytes for whoever cannot tell them apart.

Twins are matches in which a player (or a bystander, who knows what everybody is told) saw and did the same from the
deal to the end, although other cards were dealt or somebody else did something else in secret. They are found as
``check_game`` finds them, are then played through the server by the holders of all seats, and every byte that the
player or a bystander was sent is compared.
"""

from __future__ import annotations

import asyncio
import copy
import json
import threading
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from arena.catalog import Catalog
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Game
from arena.record import Player, canonical_json
from arena_engine import Control, RunLog, load_benchmark, run
from arena_engine.execution.runner import create_run
from arena_testing.foundation.conformance import Forced, Step
from arena_testing.foundation.playthrough import Playthrough, fresh
from arena_testing.game.chance_swaps import exchange
from arena_web.held.positions import Positions
from arena_web.held.workers import WorkerFailed, Workers
from arena_web.workers.worker import answer

from .test_live import connected
from .test_seats import Seated
from .test_views import watched

pytestmark = pytest.mark.asyncio(loop_scope="session")

CATALOG = Catalog()

OWN = (
    *("kuhn-poker", "leduc-poker", "texas-holdem", "liars-dice", "negotiation", "tradecraft", "hanabi"),
    *("first-price-auction", "bargaining", "gin-rummy"),
)
OPENSPIEL = (
    *("battleship", "colored_trails", "coordinated_mp", "crazy_eights", "cribbage"),
    *("dark_chess", "dark_hex", "euchre", "first_sealed_auction", "go_fish", "hearts", "kriegspiel"),
    *("latent_ttt", "lewis_signaling", "liars_dice_ir", "oh_hell", "phantom_go", "phantom_ttt", "sheriff", "skat"),
    *("social_deduction", "spades", "tiny_bridge_2p", "tiny_bridge_4p", "tiny_hanabi", "trade_comm"),
    *("universal_poker", "repeated_leduc_poker", "coop_box_pushing", "rbc"),
)
GAMES: dict[str, Any] = {
    **{name: name for name in OWN},
    "tradecraft of three": {"use": "tradecraft", "problems": "minecraft-trios", "max-turns": 1},
    "kuhn poker of three": {"use": "kuhn-poker", "players": 3},
    **{name: {"use": "openspiel", "name": name, "without-rules": True} for name in OPENSPIEL},
}
"""Games here that hide something from somebody, and of which twins are found."""

_HANDS = [{"oak_log": 3, "coal": 1}, {"stick": 2}, {"sand": 2}, {"string": 1}]
FOUR = {
    "use": "tradecraft",
    "max-turns": 2,
    "problems": [
        {"hands": _HANDS, "targets": [*targets, {"oak_fence": 9}]}
        for targets in ([{"torch": 4}, {"chest": 1}, {"glass": 1}], [{"ladder": 3}, {"torch": 4}, {"oak_door": 3}])
    ],
}
"""Four players; the two deals differ in the targets of all but the last one."""

LENGTHS = (40, 12, 5, 2)
"""The most steps of a match; where no twins of whole matches are found, shorter ones are compared."""

WALKS = 12
"""So many matches of each length are looked at for twins."""

CHANGES = 25
"""So many other deals or actions of each."""


@attrs.frozen
class Twins:
    """Two matches that a viewer cannot tell apart: what chance is forced to in each, and the actions of all players."""

    limit: int
    one: tuple[Forced, tuple[Step, ...]]
    other: tuple[Forced, tuple[Step, ...]]


def known(walk: Playthrough, viewer: Player | None) -> bytes:
    """What a viewer saw and did so far, as a hash; a bystander's is what everybody was told."""
    return walk.public if viewer is None else walk.seen[viewer]


def walked(game: Game, players: int, seed: int, rng: Random, limit: int, viewer: Player | None) -> Any:
    """A match of random actions, with what a viewer knew after each step."""
    walk = Playthrough.begin(game, players, seed)
    seen = [known(walk, viewer)]
    while not walk.is_over and len(walk.steps) < limit:
        walk.step(walk.draw_step(rng))
        seen.append(known(walk, viewer))
    return walk, seen


def changed(walk: Playthrough, seen: list[bytes], rng: Random, limit: int, viewer: Player | None) -> Playthrough | None:
    """The same match with other cards, or with another action of somebody else; ``None`` where the viewer can tell."""
    forced, at = exchange(walk.chance.trace, rng) or {}, -1
    if not forced or rng.random() < 0.5:
        forced, at = {}, rng.randrange(len(walk.steps))
    other = Playthrough.begin(walk.game, walk.players, walk.seed, forced)
    for number in range(limit):
        if known(other, viewer) not in seen:
            return None
        if other.is_over:
            break
        planned = walk.steps[number] if number < len(walk.steps) else {}
        step = dict(other.draw_step(rng))
        for player in step:
            action = planned.get(player)
            is_kept = player == viewer or number != at
            if player in planned and is_kept and other.state.check(player, copy.deepcopy(action)) is None:
                step[player] = action
        other.step(fresh(step))
    return other


def ends(walk: Playthrough) -> str:
    """What everybody is told at the end of a match: what came of it for each player, and whether it was cut short."""
    return canonical_json([walk.is_over, walk.earned, walk.state.returns() if walk.is_over else None])


def twins(game: Game, players: int, seed: int, viewer: Player | None) -> Twins | None:
    """The longest twins for a viewer that are found, whole matches if there are some."""
    for limit in LENGTHS:
        found: list[Twins] = []
        for number in range(WALKS):
            rng = Random(f"{limit}/{number}")
            walk, seen = walked(game, players, seed, rng, limit, viewer)
            longest = max((len(each.one[1]) for each in found), default=0)
            if len(walk.steps) > longest and (other := twin(walk, seen, rng, limit, viewer)) is not None:
                found.append(Twins(limit, ({}, tuple(walk.steps)), (other.forced, tuple(other.steps))))
        if found:
            return found[-1]
    return None


def twin(walk: Playthrough, seen: list[bytes], rng: Random, limit: int, viewer: Player | None) -> Playthrough | None:
    """Another match that the viewer cannot tell from this one, although the two are not the same to their end."""
    truth = canonical_json(walk.state.observe(None))
    for _ in range(CHANGES):
        try:
            other = changed(walk, seen, rng, limit, viewer)
        except RuleError:  # what chance was forced to cannot come up
            continue
        if other is None or known(other, viewer) != seen[-1] or ends(other) != ends(walk):
            continue
        is_as_long = walk.is_over or len(other.steps) == len(walk.steps)
        if is_as_long and canonical_json(other.state.observe(None)) != truth:
            return other
    return None


class Here(Workers):
    """A worker that answers in this process, where chance is forced."""

    async def ask(self, asked: Mapping[str, Any], tell: Any = None) -> Any:
        found = await asyncio.to_thread(answer, asked, CATALOG, tell)
        if "error" in found:
            raise WorkerFailed(found["error"])
        return found["ok"]


@pytest.fixture
def deals(monkeypatch: pytest.MonkeyPatch) -> dict[int, Forced]:
    """What chance comes to, by its seed: a match that is dealt so stands for one with a seed that deals so."""
    forced: dict[int, Forced] = {}
    begin = Chance.__init__

    def begun(self: Chance, seed: int, given: Forced | None = None) -> None:
        begin(self, seed, forced.get(seed) if given is None else given)

    monkeypatch.setattr(Chance, "__init__", begun)
    monkeypatch.setattr("arena_engine.match.referee.VISIBLE_AFTER_S", 0.0)
    monkeypatch.setattr("arena_web.foundation.keys.Rates.count", lambda *_: None)  # more is asked than a page asks
    return forced


def benchmark(name: str, limit: int = 1000) -> dict[str, Any]:
    """One match of a game, all of whose seats are open."""
    return {
        "name": "run",
        "seed": 5,
        "games": {"game": FOUR if name == "four" else GAMES[name]},
        "agents": {"person": {"use": "open-seat"}},
        "schedule": "self-play",
        "limits": {"max-steps": limit},
    }


async def sent(
    plain: Any,
    place: Path,
    steps: tuple[Step, ...],
    viewer: Player | None,
    make_viewer: Any,
    examples: Mapping[str, Any],
) -> list[str]:
    """All that a player, or a bystander, is sent in a match that is played step by step by the holders of its seats.

    A player looks everything up in each of its turns, also by these examples of arguments.
    """
    players = load_benchmark(plain).games["game"].players
    control, begun = Control(is_attended=True), threading.Event()
    log = RunLog(lambda _, name, __: begun.set() if name == "match_started" else None)
    playing = asyncio.ensure_future(asyncio.to_thread(run, plain, output=place, check=False, control=control, log=log))
    host = make_viewer(place.parent, positions=Positions(Here()))
    try:
        await asyncio.to_thread(begun.wait, 60)
        seats = [Seated(host.client, (await host.lend(**link(p, players))).key) for p in range(players)]
        match = (await seats[0].get()).json()["match"]
        bystander = await host.lend(right="bystander", run="run", match=match)
        listening, heard = await heard_by(bystander) if viewer is None else (None, None)
        turns = [-1] * players
        for step in steps:
            for player, action in step.items():
                turns[player] = await take_turn(
                    seats[player], match, turns[player], action, examples if player == viewer else None
                )
        if viewer is not None:
            return await at_the_end(seats[viewer], match, turns[viewer])
        found = await told_to_the_end(heard)
        listening.cancel()
        return [*found, *map(repr, await watched(bystander))]
    finally:
        control.stop()
        await playing
        await host.site.feeds.close()


def link(player: int, players: int) -> dict[str, Any]:
    """What a host asks for to have the link of a player's seat."""
    return {"right": "seat", "run": "run", "agent": "person", **({"player": player} if players > 1 else {})}


async def take_turn(seat: Seated, match: str, before: int, action: Any, examples: Mapping[str, Any] | None) -> int:
    """Take a turn, whose number it is; a viewer, who has examples, asks first for all that it may be told of it."""
    asked = await seat.turn(before, match=match)
    assert asked.status_code == 200, asked.text
    turn = asked.json()
    path = f"/turn/{turn['turn']}"
    if examples is not None:
        await seat.turn(match=match)
        for form in turn["forms"]:
            await seat.get(f"{path}/form/{form}?match={match}")
        offered = [option["action"] for option in (turn["options"] or ())[:3]]
        for probe in (action, *offered, "nonsense", {"nonsense": [1]}):
            await seat.post(f"{path}/check?match={match}", action=probe)
        for name in (query["name"] for query in turn["queries"]):
            for arguments in ({}, examples.get(name, {})):
                await seat.post(f"{path}/query/{name}?match={match}", arguments=arguments)
        await seat.get(f"/match/{match}")
    done = await seat.post(f"{path}/try/{turn['try']}?match={match}", action=action)
    assert done.json() == {"accepted": True}, done.text
    return turn["turn"]


async def at_the_end(seat: Seated, match: str, turn: int) -> list[str]:
    """All that a seat was sent, with what it is told once the match is over."""
    end = await seat.turn(turn, match=match)
    assert end.status_code == 410, end.text
    for path in ("", f"/match/{match}", f"/match/{match}/frames", f"/match/{match}?as=all", f"/position?match={match}"):
        await seat.get(path)
    return [content.decode("utf-8", "backslashreplace") for content in seat.bytes_]


async def heard_by(bystander: Any) -> tuple[Any, Any]:
    """A connection of a bystander to its match, from when the start of that is in the journal."""
    told = await bystander.json("/live?topics=watch&wait=0")
    while "not begun" in (text := json.dumps(told["messages"])) or '"state": "planned"' in text:
        told = await bystander.json(f"/live?topics=watch&after={told['numbers']['watch']}&wait=30")
    return connected(bystander, {"watch": ["watch"]})


async def told_to_the_end(heard: Any) -> list[str]:
    """The messages of a connection until the match is over; what happens quickly is told in one go, by kinds."""
    messages: list[dict[str, Any]] = []
    while not messages or messages[-1]["kind"] != "ended":
        messages.append(json.loads((await heard.get())["text"]))
    numbers = [message.pop("number") for message in messages]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return [json.dumps(message) for message in sorted(messages, key=lambda message: message["kind"])]


def examples_of(game: Game, players: int) -> dict[str, Any]:
    """Arguments for each look-up that is offered at the start."""
    state, _ = game.start(Chance(0), players)
    return {query.name: query.example for player in state.to_act() for query in state.decision(player).queries}


Compare = Callable[..., Awaitable[list[list[str]]]]


@pytest.fixture
def compare(make_viewer: Any, tmp_path: Path, deals: dict[int, Forced]) -> Compare:
    """A function that plays twins of a game for a viewer: what it is sent in each; nothing where there are none.

    Unless they are given, they are looked for.
    """

    async def compare(name: str, viewer: Player | None, given: Twins | None = None) -> list[list[str]]:
        loaded = load_benchmark(benchmark(name))
        game, players = loaded.games["game"].game, loaded.games["game"].players
        folder = tmp_path / str(viewer)
        with create_run(loaded, folder / "plan") as journal:
            (plan,) = journal.plans()
        deals.clear()
        found = given or await asyncio.to_thread(twins, game, players, plan.chance_seed, viewer)
        examples = examples_of(game, players)
        told: list[list[str]] = []
        for number, (forced, steps) in enumerate((found.one, found.other) if found else ()):
            deals[plan.chance_seed] = forced
            place = folder / str(number) / "run"
            told.append(await sent(benchmark(name, found.limit), place, steps, viewer, make_viewer, examples))
        return told

    return compare


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.sample(slow=1)
async def test_twins_are_the_same_bytes(compare: Compare, name: str):
    """A player and a bystander are sent the same, message for message, in two matches that they cannot tell apart."""
    compared = 0
    for viewer in (None, *map(Player, range(load_benchmark(benchmark(name)).games["game"].players))):
        told = await compare(name, viewer)
        compared += bool(told)
        assert told[:1] == told[1:]

    assert compared


def traded(partner: int, amount: int, message: str, crafts: list[Any]) -> tuple[Step, ...]:
    """A turn of the four: a proposal that is rejected, and crafts of the first player in secret."""
    done = {"done": True}
    item = {1: "stick", 2: "sand"}[partner]
    proposal = {"partner": f"player {partner + 1}", "offer": {"coal": 1}, "request": {item: amount}, "message": message}
    steps: list[Step] = [{Player(0): proposal}, {Player(partner): {"accept": False, "message": message[::-1]}}]
    steps.append({Player(0): crafts[0], **{Player(other): done for other in (1, 2, 3)}})
    return (*steps, *({Player(0): own} for own in (*crafts[1:], done)))


@pytest.mark.slow
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("viewer", [None, Player(3), Player(1)])
async def test_trades_of_others_are_the_same_bytes(compare: Compare, viewer: Player | None):
    """No third is sent whom others proposed what to in vain, what they wrote, crafted and want."""
    planks = {"inputs": {"oak_log": 1}, "output": {"oak_planks": 4}}
    charcoal = {"inputs": {"coal": "1/8", "oak_log": 1}, "output": {"charcoal": 1}}
    one = ({0: 0}, traded(1, 1, "a stick, please", [planks, charcoal]))
    other = ({0: 1}, traded(2, 2, "all your sand for this", [charcoal, planks]))

    told = await compare("four", viewer, Twins(len(one[1]), one, other))

    assert (told[0] == told[1]) == (viewer != Player(1))  # whoever was asked can tell


@pytest.mark.sample(slow=1)
@pytest.mark.slow
@pytest.mark.parametrize("viewer", [None, Player(0)])
async def test_a_leak_is_seen(compare: Compare, monkeypatch: pytest.MonkeyPatch, viewer: Player | None):
    """If everybody were shown the whole position, twins would be told apart: so the comparison can tell."""
    monkeypatch.setattr("arena_web.workers.replaying.Replayed.see", lambda _, state: state.observe(None))

    one, other = await compare("kuhn-poker", viewer)

    assert one != other
