"""What a position of Diplomacy looks like: units in their places, centres with their owners, the talk one has heard."""

from random import Random

from arena.chance import Chance
from arena.game import PlayerView
from arena.record import Player
from arena_game_diplomacy.game import Diplomacy
from arena_scene import scene_faults, touches_of
from arena_scene.filling import blank, filled


def scene(steps: int, player: int | None = None):
    """The data of the scene of a random match, and the observation it is made of."""
    game = Diplomacy(negotiation_rounds=1)
    state, _ = game.start(Chance(1), 7)
    rng = Random(1)
    for _ in range(steps):
        state.apply({p: state.decision(p).sample(rng) for p in state.to_act()})
    view = state.observe(None if player is None else Player(player))
    data = game.forms["scene"](view).data
    assert scene_faults(data) == ()
    return data, view


def test_opening_has_all_units_and_centres():
    """22 units and 34 centres stand on the map, each in the role of the player whose it is."""
    data, _ = scene(0)
    pieces = data["parts"][0]["pieces"]

    assert sum(piece["shape"] in ("army", "fleet") for piece in pieces) == 22
    assert sum(piece["shape"] == "centre" for piece in pieces) == 34
    (vienna,) = [piece for piece in pieces if piece["at"] == "at-VIE"]
    assert (vienna["role"], vienna["label"]) == ("player-0", "army of AUSTRIA in Vienna")
    (petersburg,) = [piece for piece in pieces if piece["at"] == "at-STP/SC"]
    assert petersburg["label"].startswith("fleet of RUSSIA in")


def test_last_orders_are_on_the_map():
    """Every order of the last phase that can be drawn is there, and those that came to nothing say so."""
    data, view = scene(2)
    orders = [each for given in view["results"][-1]["orders"].values() for each in given]

    assert len(data["parts"][0]["orders"]) == len(orders)
    assert sum(order.get("failed", False) for order in data["parts"][0]["orders"]) == sum(
        each["result"] != "ok" for each in orders
    )


def test_talk_is_what_one_has_heard():
    """The messages of a scene are those of the observation and no others, in one chat with each power."""
    for player in (0, 3, None):
        data, view = scene(3, player)
        chats = {part["title"]: part["messages"] for part in data["parts"] if part["part"] == "messages"}
        told = sorted((own for chat in chats.values() for own in chat), key=lambda own: int(own["id"].split("-")[1]))
        assert [own["text"] for own in told] == [own["text"] for own in view["messages"]]
        for title, chat in chats.items():
            assert player is None or title == "to everybody" or title.startswith("with ")
            assert {own.get("is_own", False) for own in chat} <= ({True, False} if view["powers"] else {False})


def test_rest_is_held_by_one_button():
    """One button fills in a hold for every unit without an order, and leaves the others as they are."""
    game = Diplomacy(negotiation_rounds=0)
    state, _ = game.start(Chance(1), 7)
    decision = state.decision(Player(0)).asked(PlayerView(state, Player(0)), forms=game.forms)
    written = touches_of(game, decision).written()
    (rest,) = [own for own in written["fills"] if own["label"] == "hold everything else"]
    move = next(own for own in written["fills"] if own["label"] == "A VIE - GAL")

    form = filled(decision.schema, filled(decision.schema, blank(decision.schema), move["do"]), rest["do"])

    assert form == {"A BUD": "A BUD H", "A VIE": "A VIE - GAL", "F TRI": "F TRI H"}
    assert (rest["path"], move["kind"]) == ([], "move")
    assert state.check(Player(0), form) is None


def test_letters_begin_with_a_button():
    """While powers talk a button for each other power, and one for all, begins a message to it."""
    game = Diplomacy(negotiation_rounds=1)
    state, _ = game.start(Chance(1), 7)
    decision = state.decision(Player(0)).asked(PlayerView(state, Player(0)), forms=game.forms)
    fills = touches_of(game, decision).written()["fills"]
    (france,) = [own for own in fills if own["label"] == "write to FRANCE"]

    form = filled(decision.schema, blank(decision.schema), france["do"])

    assert len(fills) == 7
    assert form["messages"] == [{"to": ["FRANCE"]}]
