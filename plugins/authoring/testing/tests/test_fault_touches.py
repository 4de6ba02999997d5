"""Planted faults in what can be touched: options, elements, fills, look-ups, and what they may betray."""

from collections.abc import Callable
from itertools import count
from typing import Any

import attrs
import pytest
from arena.game import Drawing, Illegal, Query, QueryAction
from arena.testing import check_game
from arena_scene import (
    Add,
    Assist,
    Choice,
    Fill,
    Put,
    Scale,
    Scene,
    SceneTable,
    SceneText,
    Suggest,
    TableColumn,
    TableRow,
    Touches,
)

from .games_board import TicTacToe
from .games_secrets import Cards, Hands
from .games_tables import Negotiation, Proposals
from .planted import Planted, changed, fault_of
from .test_fault_sight import scene


@attrs.frozen
class Touchable(Planted):
    """A sound game of which something can be touched, and whose look-ups suggest actions."""

    offered: Callable[[Any], Any] = lambda decision: None
    suggested: Callable[[Any], Any] = lambda decision: ()

    def touches(self, decision):
        return self.offered(decision)

    def query_actions(self, decision, query, answer):
        return self.suggested(decision)


def cell(option):
    """The cell of an option of tic-tac-toe."""
    return ("board:{},{}".format(*divmod(option.action, 3)),)


def on_board(path=cell, **more):
    """Touches of tic-tac-toe, with something changed in them."""
    return lambda decision: Touches.of(decision.options, path, **more)


def board(offered):
    """Tic-tac-toe with these touches."""
    return Touchable(TicTacToe(), forms_added={"scene": scene()}, offered=offered)


@pytest.mark.slow
def test_sound_touches_pass():
    """Every option has a cell, further elements mean the same, and nothing is found."""
    assert check_game(board(on_board(say="Choose a cell."))).positions


def left_out(decision):
    return Touches.of(list(decision.options)[1:], cell)


def twice(decision):
    first = decision.options[0]
    more = Choice(path=(), action=first.action, label=first.label)
    return attrs.evolve(Touches.of(decision.options, cell), choices=(*Touches.of(decision.options, cell).choices, more))


def another_action(decision):
    touches = Touches.of(decision.options, cell)
    return attrs.evolve(touches, choices=tuple(attrs.evolve(c, action=9 - c.action) for c in touches.choices))


CALLS = count()


@pytest.mark.sample(fast=4)
@pytest.mark.parametrize(
    ("offered", "what"),
    [
        (left_out, "0 times among what can be touched and 1 times among the options"),
        (twice, "2 times among what can be touched and 1 times among the options"),
        (another_action, "times among what can be touched and"),
        (on_board(lambda option: ("board:3,3",)), "touches 'board:3,3', which is no element of the scene"),
        (on_board(lambda option: ("two words",)), "is not what this field may hold"),
        (on_board(also={"board:0,0": ["nowhere"]}), "'nowhere' is no element of the scene"),
        (on_board(also={"board": ["board:1,1"]}), "'board:1,1' means itself and another element"),
        (on_board(say=" "), "touches.say"),
        (on_board(fills=[Fill(path=(), label="x", do=[Put(pointer="", value=1)])]), "a fill changes a form although"),
        (on_board(assist=[Assist(query="eval", title="Worth")]), "'eval' is looked up, which is none of: no look-up"),
        (lambda decision: on_board(say=f"for the {next(CALLS)}th time")(decision), "is another each time"),
        (lambda decision: {"touches": 1}, "it must return arena_scene.Touches, or None"),
    ],
)
def test_touches_of_options(offered, what):
    """An option without its one path, an element that is not there, and what differs each time are found."""
    fault = fault_of(board(offered))

    assert (fault.check, what in fault.what) == ("touches", True), fault.what


def test_touches_without_a_scene():
    """Where nothing is drawn nothing can be touched."""
    fault = fault_of(Touchable(TicTacToe(), offered=on_board()))

    assert (fault.check, "no form 'scene'" in fault.what) == ("touches", True), fault.what


def slices(view):
    """A table of the pie, with a row that can be touched."""
    table = SceneTable(id="pie", columns=[TableColumn(title="slices")], rows=[TableRow(id="slice", cells=["one"])])
    return Drawing(*Scene("A pie", "a pie of six slices", table).drawn())


class Asks(Negotiation):
    """May look up how much is left."""

    def decision(self, player):
        schema = {"type": "object", "properties": {"of": {"type": "integer"}}, "additionalProperties": False}
        query = Query(name="left", summary="what is left", schema=schema, answer=left, example={})
        return changed(Negotiation.decision(self, player), queries=(query,))


def left(arguments):
    """How many slices are left, of one pie or of all."""
    is_sound = isinstance(arguments, dict) and set(arguments) <= {"of"} and type(arguments.get("of", 1)) is int
    return 6 if is_sound else Illegal("schema", "expected {} or {'of': 1}")


def pie(*fills, **more):
    """The game of proposals with these fills of its form."""

    def offered(decision):
        return None if decision.options is not None else Touches(fills=fills, **more)

    return Touchable(Proposals(), forms_added={"scene": slices}, state=Asks, offered=offered)


def one(*do, path=("slice",), **more):
    return Fill(path=path, label="one slice", do=do, **more)


@pytest.mark.campaign
def test_sound_fills_pass():
    """Fills of what the schema has are no fault."""
    fills = one(Add(pointer="/slices")), one(path=(), query="left", arguments={"of": 1})
    more = {"suggest": [Suggest(pointer="/slices", query="left", argument="of")]}

    assert check_game(pie(*fills, **more)).positions


@pytest.mark.sample(fast=4)
@pytest.mark.parametrize(
    ("game", "what"),
    [
        (pie(one(Add(pointer="/slice"))), "changes '/slice', which the schema does not have"),
        (pie(one(Put(pointer="/slices", value=7))), "at '/slices': 7 is greater than the maximum of 6"),
        (pie(one(Put(pointer="/partner", value="Ann"))), "at '/partner': 'Ann' is not one of"),
        (pie(one(Add(pointer="/slices", value="more"))), "a line of text cannot be added to integer"),
        (pie(one(Add(pointer="/slices", value=True))), "True cannot be added there"),
        (pie(one(Scale(pointers=["/pies"], by=2, most=6))), "changes '/pies', which the schema does not have"),
        (pie(one(Add(pointer="/slices"), path=("crumb",))), "touches 'crumb', which is no element of the scene"),
        (pie(one()), "has 0 items, expected 1 to 100"),
        (pie(one(query="rest")), "'rest' is looked up, which is none of: left"),
        (pie(one(query="left", arguments={"of": "it"})), "'left' is looked up with arguments against its schema"),
        (pie(suggest=[Suggest(pointer="/slices", query="left", argument="what")]), "has no argument 'what'"),
        (pie(suggest=[Suggest(pointer="/crumbs", query="left", argument="of")]), "'/crumbs' is completed"),
    ],
)
def test_touches_of_a_schema(game, what):
    """A fill of what the schema does not have or does not allow, and a look-up that is not there, are found."""
    fault = fault_of(game)

    assert (fault.check, what in fault.what) == ("touches", True), fault.what


def test_options_of_a_schema():
    """A decision that has a schema has no options that could be touched."""
    game = Touchable(
        Proposals(),
        forms_added={"scene": slices},
        offered=lambda decision: Touches(choices=(Choice(path=(), action={"slices": 1}, label="one"),)),
    )

    assert "options can be touched although the decision has none" in fault_of(game).what


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(
    ("offers", "what"),
    [
        ([QueryAction(label="all", action={"partner": 0, "slices": 9})], "against the schema of the decision"),
        ([QueryAction(label=" ", action={"partner": 0, "slices": 1})], "give a QueryAction with a label"),
        ([{"label": "all"}], "give a QueryAction with a label"),
        ([QueryAction(label="all", action={1, 2})], "cannot be written down"),
    ],
)
def test_actions_of_a_look_up(offers, what):
    """What an answer suggests to do is named, and fits the decision."""
    game = Touchable(
        Proposals(),
        state=Asks,
        suggested=lambda decision: offers if decision.options is None else (),
    )

    fault = fault_of(game)

    assert (fault.check, what in fault.what) == ("queries", True), fault.what


class Peeks(Hands):
    """Keeps the hands where touches and scenes of others find them."""

    latest: Any = None

    def decision(self, player):
        Peeks.latest = self.hands[1 - player]
        return Hands.decision(self, player)

    def observe(self, player):
        if player is not None:
            Peeks.latest = self.hands[1 - player]
        return Hands.observe(self, player)

    def resample_hidden(self, player, chance):
        return None


def told(words):
    """A scene that is a text."""

    def drawn(view):
        return Drawing(*Scene("Cards", "cards", SceneText(id="text", text=words())).drawn())

    return drawn


def test_touches_that_betray_a_card():
    """What is said above the picture must not depend on what the player may not know."""
    game = Touchable(
        Cards(),
        state=Peeks,
        forms_added={"scene": told(lambda: "cards")},
        offered=lambda decision: Touches.of(decision.options, lambda option: (), say=f"Guess: {Peeks.latest}."),
    )

    fault = fault_of(game)

    assert (fault.check, fault.what.startswith("touches: ")) == ("leak", True), fault.what


def test_scene_that_betrays_a_card():
    """A picture must not depend on what the player may not know, even if it finds it elsewhere than in its view."""
    game = Touchable(Cards(), state=Peeks, forms_added={"scene": told(lambda: f"the other holds {Peeks.latest}")})

    fault = fault_of(game)

    assert (fault.check, fault.what.startswith("scene: ")) == ("leak", True), fault.what


class Shows(Peeks):
    """A bystander sees the guesses, which everybody is told."""

    def observe_public(self):
        Peeks.latest = self.hands[0]
        return {"cards": {}, "guesses": list(self.guesses)}


def test_public_scene_that_betrays_a_card():
    """What a bystander sees drawn must not be more than what everybody was told."""

    def drawn(view):
        words = f"the first holds {Peeks.latest}" if not view["cards"] else "cards"
        return Drawing(*Scene("Cards", "cards", SceneText(id="text", text=words)).drawn())

    fault = fault_of(Touchable(Cards(), state=Shows, forms_added={"scene": drawn}))

    assert (fault.check, "a bystander is shown" in fault.what) == ("public", True), fault.what
