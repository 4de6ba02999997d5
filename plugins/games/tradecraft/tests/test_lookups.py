"""What players may look up."""

from typing import Any

import pytest
from arena.game import Illegal, Query
from arena.record import Player
from arena_game_tradecraft.game import Lookups

from .table import DONE, PASS, Match, craft, propose

HANDS = [{"oak_log": 3, "coal": 1}, {"clay": 4, "coal": 2}]
TARGETS = [{"torch": 4}, {"bricks": 1}]


@pytest.fixture
def match() -> Match:
    """Two players with wood, clay and coal."""
    return Match(HANDS, TARGETS)


def queries(match: Match, player: int = 0) -> dict[str, Query]:
    """The look-ups of a player by name."""
    return {query.name: query for query in match.state.decision(Player(player)).queries}


def ask(match: Match, name: str, player: int = 0, **arguments: Any) -> Any:
    """What the look-up of this name answers to these arguments."""
    return queries(match, player)[name].answer(arguments)


def test_item_is_explained(match: Match):
    """An item comes with the recipes that make it, what it goes into, and its tags with weights."""
    answer = ask(match, "item", item="oak_planks")

    assert answer["made_by"] == [{"makes": {"oak_planks": 4}, "needs": {"oak_log": 1}, "kind": "crafting_shapeless"}]
    assert answer["goes_into"] == ["charcoal", "chest", "clay_brick", "stick"]
    assert answer["tags"] == {"#fuel": "16/3", "#planks": 1}


def test_recipes_are_found_both_ways(match: Match):
    """Recipes that make an item, and those that use it, also through a tag."""
    assert [r["needs"] for r in ask(match, "recipes", item="stick", that="make")["recipes"]] == [{"#planks": 2}]
    using = ask(match, "recipes", item="coal", that="use")
    assert using["total"] == len(using["recipes"])
    assert {"#coal|charcoal": 1, "stick": 1} in [r["needs"] for r in using["recipes"]]
    assert ask(match, "recipes", item="coal", that="use", skip=1)["recipes"] == using["recipes"][1:]


def test_tag_shows_its_members(match: Match):
    """A tag comes with the members that can be had, and how many of each count as one."""
    members = ask(match, "tag", tag="#fuel")["members"]

    assert members["stick"] == 16
    assert members["coal_block"] == "1/10"
    assert "tar" not in members, "nobody can come to hold any"
    assert ask(match, "tag", tag="fuel")["members"] == members
    assert ask(match, "tag", tag="fule").reason == "there is no tag 'fule'; there is #fuel"


def test_possible_crafts_are_exact(match: Match):
    """What is offered can be done: logs alone make charcoal, with one counted for heat, as often as is said."""
    match.act(PASS)
    found = {next(iter(c["makes"])): c for c in ask(match, "possible_crafts")["crafts"]}

    assert found["charcoal"]["most"] == 3
    for offered in found.values():
        assert match.state.check(Player(0), offered["example"]) is None
    alone = ask(match, "possible_crafts", hand={"oak_log": 3})["crafts"]
    assert {next(iter(c["makes"])): c["most"] for c in alone} == {"oak_planks": 3, "charcoal": 1}
    assert ask(match, "possible_crafts", hand={"stick": 1})["crafts"] == []


def test_crafts_are_checked_without_being_done(match: Match):
    """A check says whether it is a recipe, whether it is possible, and why not; it changes nothing."""
    match.act(PASS)
    before = match.seen()

    assert ask(match, "check_craft", inputs={"oak_log": 1}, output={"oak_planks": 4}) == {
        "is_recipe": True,
        "is_possible": True,
        "reason": "",
    }
    dear = ask(match, "check_craft", inputs={"oak_log": 9}, output={"oak_planks": 36})
    assert (dear["is_recipe"], dear["is_possible"]) == (True, False)
    assert "oak_log: 9 needed, 3 held" in dear["reason"]
    wrong = ask(match, "check_craft", inputs={"oak_log": 1}, output={"oak_planks": 5})
    assert (wrong["is_recipe"], wrong["is_possible"]) == (False, False)
    assert match.seen() == before


def test_names_are_searched(match: Match):
    """Names that contain a text come first, then names like it; only what can be had in the match."""
    assert ask(match, "search", text="brick")["items"] == ["bricks", "brick_tile", "clay_brick"]
    assert ask(match, "search", text="Oak Log")["items"][0] == "oak_log"
    assert ask(match, "search", text="torhc")["items"] == ["torch"]
    assert ask(match, "search", text="bronze")["items"] == []


def test_history_is_ones_own(match: Match):
    """A player is told again what it saw, and nothing else."""
    match.act(propose(2, {"coal": 1}, {}, "hello"))
    match.act({"accept": False, "message": "no"})
    match.act(craft("oak_planks", 4, oak_log=1), DONE)

    own = ask(match, "history")["events"]

    assert [(event["kind"], event["data"]) for event in own] == match.told(0)
    assert {event["turn"] for event in ask(match, "history", turn=1)["events"]} == {1}


def test_what_cannot_be_had_is_not_explained(match: Match):
    """Unless all of the wiki is open, items that nobody can come to hold are unknown in the match."""
    closed = ask(match, "item", item="lantern")
    everything = Match(HANDS, TARGETS, wiki="all")

    assert isinstance(closed, Illegal)
    assert closed.reason.startswith("there is no item 'lantern' in this match")
    assert ask(everything, "item", item="lantern")["made_by"]
    assert ask(match, "item", item="lantren").reason.startswith("there is no item 'lantren' in this rule set")


def test_budgets_are_set_by_phase():
    """How often may be asked is a setting for each phase; with none, nothing can be asked."""
    match = Match(HANDS, TARGETS, lookups=Lookups(propose=2, decide=0, craft=5))

    assert {query.limit for query in queries(match).values()} == {2}
    match.act(propose(2, {}, {}))
    assert queries(match, 1) == {}
    match.act({"accept": False, "message": ""})
    assert {query.limit for query in queries(match).values()} == {5}


def test_history_does_not_tell_who_was_done_last():
    """What a player is told of its own last craft is the same whether others went on crafting after it or not."""
    quick, slow = Match(HANDS, TARGETS), Match(HANDS, TARGETS)
    quick.act(PASS)
    slow.act(PASS)
    quick.act(DONE, DONE)
    slow.act(craft("charcoal", oak_log=1, coal="1/8"), DONE)
    slow.act(DONE)

    told = [ask(match, "history", player=1)["events"] for match in (quick, slow)]

    turns = [[(event["kind"], event["turn"]) for event in events] for events in told]
    assert turns[0] == turns[1]
    assert turns[0][-3:] == [("done", 1), ("hands", 1), ("turn", 2)]
