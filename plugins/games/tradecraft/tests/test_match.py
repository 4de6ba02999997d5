"""How a match goes: proposals, answers, crafting, winning."""

import pytest
from arena.chance import Chance
from arena.errors import ConfigError, RuleError
from arena.game import FORFEITED
from arena.record import Player
from arena_game_tradecraft.game import Scoring, TradeCraft

from .table import ACCEPT, DONE, PASS, REJECT, Match, craft, problem, propose

TWO = [{"oak_log": 2, "stick": 3}, {"coal": 3, "sand": 8}]
TARGETS = [{"torch": 4}, {"glass": 9}]


@pytest.fixture
def two() -> Match:
    """Two players; the first proposes first."""
    return Match(TWO, TARGETS)


def test_accepted_trade_changes_hands_for_all_to_see(two: Match):
    """What was offered and requested changes hands, and everybody sees the trade, but not the messages."""
    two.act(propose(2, {"stick": 2}, {"coal": 1}, "light for both"))
    told = two.act({"accept": True, "message": "gladly"})

    assert two.seen(0)["hands"] == {
        "player 1": {"coal": 1, "oak_log": 2, "stick": 1},
        "player 2": {"coal": 2, "sand": 8, "stick": 2},
    }
    (accepted,) = (event for event in told if event.kind == "accepted")
    assert accepted.to is None
    assert "message" not in accepted.data
    assert accepted.data["offer"] == {"stick": 2}


def test_gifts_demands_and_plain_messages_are_legal(two: Match):
    """Offer, request or both may be empty."""
    for proposal in (propose(2, {"stick": 1}, {}), propose(2, {}, {"coal": 1}), propose(2, {}, {}, "hello")):
        assert two.state.check(Player(0), proposal) is None


def test_refused_proposals_say_what_is_wrong_with_each_item(two: Match):
    """A proposal costs no turn when it cannot be made, and the reason goes through its items."""
    refused = two.refused(propose(2, {"stick": 9, "coal": 1}, {"sand": 9}))

    assert refused.kind == "not-held"
    assert refused.reason == (
        "offer.stick: you hold 3, not 9; offer.coal: you hold none, not 1; request.sand: player 2 holds 8, not 9"
    )
    assert two.state.to_act() == (0,)


@pytest.mark.parametrize(
    ("proposal", "kind"),
    [
        (propose(1, {"stick": 1}, {}), "self-trade"),
        (propose(2, {"stick": "1/2"}, {}), "not-whole"),
        (propose(2, {"stick": 0.5}, {}), "not-whole"),
        (propose(2, {"stick": -1}, {}), "not-positive"),
        (propose(2, {"stick": 0}, {}), "not-positive"),
        (propose(2, {}, {"coal": -2}), "not-positive"),
        (propose(3, {}, {}), "no-such-player"),
        (propose(2, {"no such thing": 1}, {}), "unknown-item"),
        (propose(2, {}, {}, "x" * 501), "message-too-long"),
        ({"partner": None, "offer": {"stick": 1}, "request": {}, "message": ""}, "no-partner"),
        ({"offer": {}, "request": {}}, "schema"),
        (DONE, "schema"),
    ],
)
def test_what_the_rules_forbid_is_refused(two: Match, proposal: object, kind: str):
    """Trades with oneself, of fractions or of nothing are refused, each with a kind and a reason of its own."""
    assert two.refused(proposal).kind == kind


def test_match_goes_through_its_phases(two: Match):
    """Propose, decide, craft; then the next player proposes."""
    assert (two.seen()["phase"], two.state.to_act()) == ("propose", (0,))
    two.act(propose(2, {}, {}))
    assert (two.seen()["phase"], two.state.to_act()) == ("decide", (1,))
    two.act(REJECT)
    assert (two.seen()["phase"], two.state.to_act()) == ("craft", [0, 1])
    two.act(craft("oak_planks", 4, oak_log=1), DONE)
    assert two.state.to_act() == [0]
    two.act(DONE)
    assert (two.seen()["turn"], two.state.to_act()) == (2, (1,))


def test_no_proposal_leads_to_crafting(two: Match):
    """A proposer may do without; everybody is told."""
    told = two.act(PASS)

    assert [(event.kind, event.to) for event in told] == [("no-proposal", None), ("crafting", None)]


def test_craft_that_fails_changes_nothing_and_allows_nothing(two: Match):
    """After a craft is refused, nothing can be made by it: what is checked is what is applied, in one act.

    The original kept the last recipe it had been asked about, valid or not, and applied it on request.
    """
    two.act(PASS)
    before = two.seen()

    assert two.refused(craft("glass", 5, stick=1)).kind == "not-a-recipe"
    assert two.refused(craft("torch", 4, coal=1, stick=1)).kind == "not-enough"
    assert two.seen() == before
    with pytest.raises(RuleError, match="no recipe makes"):
        two.state.apply({Player(0): craft("glass", 5, stick=1), Player(1): DONE})
    assert two.seen() == before


@pytest.mark.parametrize(
    "output", [{"oak_planks": 4, "torch": 4}, {"torch": 4, "oak_planks": 4}, {}, {"oak_planks": 4, "coal": 1}]
)
def test_a_craft_has_one_output(two: Match, output: dict[str, int]):
    """A second output beside a valid one makes the craft illegal; the original checked the first and gave both."""
    two.act(PASS)

    assert two.refused({"inputs": {"oak_log": 1}, "output": output}).kind == "schema"


def test_nobody_crafts_after_done(two: Match):
    """Who is done crafts no more in that turn, and no fraction reaches a public hand."""
    two.act(PASS)
    two.act(DONE, craft("glass", sand=1, coal="1/8"))

    assert two.refused(craft("oak_planks", 4, oak_log=1), player=0).reason == "you are done with crafting in this turn"
    with pytest.raises(RuleError, match="expected one action of each of"):
        two.state.apply({Player(0): craft("oak_planks", 4, oak_log=1), Player(1): DONE})
    assert two.seen(1)["hand"]["coal"] == "23/8"
    assert two.seen(0)["hands"]["player 2"] == {"coal": 3, "sand": 8}
    (hands,) = (event.data["hands"] for event in two.act(DONE) if event.kind == "hands")
    assert hands["player 2"] == {"coal": 2, "glass": 1, "sand": 7}


def test_fractions_are_kept_until_all_are_done():
    """Fractions last as long as the phase, so that eight eighths are one coal, and are cut off once, for all."""
    match = Match([{"coal": 1, "sand": 8}, {"oak_log": 3}], [{"glass": 9}, {"stick": 99}])
    match.act(PASS)
    match.act(craft("glass", sand=1, coal="1/8"), DONE)
    for left in ("3/4", "5/8", "1/2", "3/8", "1/4", "1/8", None):
        match.act(craft("glass", sand=1, coal="1/8"))
        assert match.seen(0)["hand"].get("coal") == left

    match.act(DONE)

    assert match.seen(0)["hand"] == {"glass": 8}


@pytest.mark.parametrize("written", ["2/3", [2, 3], "4/6", " 2 / 3 "])
def test_two_thirds_can_be_written(written: object):
    """Two thirds are two thirds however they are written as a fraction, and that is what the rules advise.

    The original's prompt advised 0.667, which its server refused.
    """
    match = Match([{"sand": 8, "tar": 1}], [{"glass": 9}])
    decision = match.state.decision(Player(0))

    meant = decision.interpret({"inputs": {"sand": 8, "tar": written}, "output": {"glass": 8}})

    assert meant == craft("glass", 8, sand=8, tar="2/3")
    assert match.state.check(Player(0), meant) is None
    assert '"1/3", not 0.333' in match.game.rules


def test_nearly_two_thirds_are_no_two_thirds():
    """A number with a decimal point means what it says, and the reason says how to write a third."""
    match = Match([{"sand": 8, "tar": 1}], [{"glass": 9}])

    refused = match.refused(craft("glass", 8, sand=8) | {"inputs": {"sand": 8, "tar": 0.667}})

    assert refused.kind == "not-a-recipe"
    assert "667/1000 was read: write a third as '1/3', not as 0.333" in refused.reason


def test_target_at_the_start_wins_at_once():
    """Who is dealt its target has won before anybody acts."""
    match = Match(TWO, [{"stick": 2}, {"glass": 9}])

    assert match.state.to_act() == ()
    assert match.state.returns() == [3.0, 0.0]


def test_target_reached_by_trade_wins_after_crafting():
    """A target is looked for only when a turn begins: what is crafted away meanwhile does not count."""
    match = Match(TWO, [{"coal": 1}, {"glass": 9}])
    match.act(propose(2, {"stick": 1}, {"coal": 1}))
    match.act(ACCEPT)
    assert match.state.returns() is None
    match.act(craft("torch", 4, coal=1, stick=1), DONE)
    match.act(DONE)

    assert match.state.returns() is None
    assert match.seen()["turn"] == 2


def test_fractions_do_not_win():
    """Hands are looked at after fractions were cut off."""
    match = Match([{"coal": 2, "sand": 1}], [{"coal": 2, "glass": 1}])
    match.act(craft("glass", sand=1, coal="1/8"))

    match.act(DONE)

    assert match.state.returns() is None
    assert match.seen()["hands"] == {"player 1": {"coal": 1, "glass": 1}}


def test_several_win_at_once():
    """All who hold their target share the win."""
    match = Match(
        [{"oak_log": 1}, {"birch_log": 1}, {"coal": 1}], [{"oak_planks": 4}, {"birch_planks": 4}, {"torch": 1}]
    )
    match.act(PASS)
    match.act(craft("oak_planks", 4, oak_log=1), craft("birch_planks", 4, birch_log=1), DONE)
    (*_, over) = match.act(DONE, DONE)

    assert over.data["winners"] == ["player 1", "player 2"]
    assert match.state.returns() == [1.0, 1.0, 0.0]


def test_nobody_wins_after_the_last_turn():
    """When the turns are over, everybody has lost, and all targets are shown."""
    match = Match(TWO, TARGETS, max_turns=2, scoring=Scoring(nobody=1.0))
    for _ in range(2):
        match.act(PASS)
        match.done()

    assert match.state.returns() == [1.0, 1.0]
    assert match.seen(0)["result"] == {
        "reason": "turn-limit",
        "winners": [],
        "targets": {"player 1": {"torch": 4}, "player 2": {"glass": 9}},
    }


def test_a_problem_may_have_turns_of_its_own():
    """The limit of a problem goes before that of the game."""
    game = TradeCraft(ruleset="workshop", problems=(problem(TWO, TARGETS, max_turn=4),), max_turns=9)
    state, _ = game.start(Chance(0), 2)

    assert state.observe(None)["max_turns"] == 4


def test_proposers_take_turns_in_a_fixed_order():
    """Each player proposes in turn, in the order of seats or in one that is drawn."""
    hands, targets = [{"stick": 1}] * 3, [{"ladder": 9}] * 3
    match = Match(hands, targets)
    seen = []
    for _ in range(4):
        seen.append(match.seen()["proposer"])
        match.act(PASS)
        match.done()

    assert seen == ["player 1", "player 2", "player 3", "player 1"]
    orders = set()
    for seed in range(20):
        game = TradeCraft(ruleset="workshop", problems=(problem(hands, targets),), order="random")
        drawn = game.start(Chance(seed), 3)[1][0]
        orders.add(tuple(drawn.data["order"]))
    assert len(orders) > 2


def test_rejected_proposal_stays_between_the_two():
    """Third players learn that there was a proposal and that it was rejected: not what, not to whom, no message."""
    hands, targets = [{"stick": 2}, {"coal": 2}, {"sand": 2}], [{"torch": 4}, {"torch": 8}, {"glass": 2}]
    match = Match(hands, targets)
    match.act(propose(2, {"stick": 1}, {"coal": 1}, "psst"))
    during = match.seen(2)
    match.act({"accept": False, "message": "never"})

    assert during["proposal"] is None
    kinds = [kind for kind, _ in match.told(2)]
    assert kinds == ["dealt", "target", "turn", "proposed", "rejected", "crafting"]
    assert match.told(2)[3:5] == [("proposed", {"proposer": "player 1"}), ("rejected", {"proposer": "player 1"})]
    assert ("reply", {"from": "player 2", "accept": False, "message": "never"}) in match.told(0)
    assert match.told(1)[4][1]["message"] == "psst"


def test_who_is_done_and_what_was_made_is_seen_by_nobody_else():
    """While others craft, a player learns nothing of it, not even that they are done."""
    match = Match(TWO, TARGETS)
    match.act(PASS)
    before = match.told(1)
    match.act(craft("oak_planks", 4, oak_log=1), craft("glass", sand=1, coal="1/8"))
    match.act(DONE, craft("glass", sand=1, coal="1/8"))

    assert [kind for kind, _ in match.told(1)[len(before) :]] == ["crafted", "crafted"]
    assert match.seen(1)["hands"]["player 1"] == TWO[0]


def test_crafts_are_limited():
    """After as many crafts as a match allows, only being done is left, until the next turn."""
    match = Match([{"oak_log": 3}], [{"stick": 99}], max_crafts=1)
    match.act(craft("oak_planks", 4, oak_log=1))

    assert match.seen(0)["crafts_left"] == 0
    assert match.refused(craft("oak_planks", 4, oak_log=1)).kind == "no-crafts-left"
    match.done()
    assert match.state.check(Player(0), craft("oak_planks", 4, oak_log=1)) is None


def test_match_ends_when_somebody_leaves():
    """Unless others are to go on, it is over for all, and nobody has won."""
    match = Match(TWO, TARGETS, scoring=Scoring(quit=-1.0, left=0.5))
    facts = match.game.facts(2)
    match.state.apply({Player(0): FORFEITED})

    assert match.state.returns() == [-1.0, 0.5]
    assert (facts.on_forfeit, facts.forfeit_return, facts.others_return) == ("end", -1.0, 0.5)


def test_others_go_on_without_a_player():
    """Who has left proposes no more, gets no proposals, and wins nothing."""
    hands, targets = [{"stick": 1, "coal": 1}, {"coal": 1}, {"coal": 1}], [{"torch": 4}, {"torch": 4}, {"torch": 4}]
    match = Match(hands, targets, quitting="continue")
    match.act(PASS)
    match.state.apply({Player(0): DONE, Player(1): FORFEITED, Player(2): DONE})

    assert match.seen()["proposer"] == "player 3"
    assert match.refused(propose(2, {}, {})).reason == "partner: player 2 has left"
    match.act(propose(1, {}, {"stick": 1}))
    match.act(ACCEPT)
    match.act(DONE, craft("torch", 4, coal=1, stick=1))
    match.act(DONE)
    assert match.state.returns() == [0.0, 0.0, 3.0]


def test_messages_can_be_switched_off():
    """In a match without messages a proposal with one is refused, and the game says that it has none."""
    match = Match(TWO, TARGETS, message_limit=0)

    assert match.refused(propose(2, {}, {}, "hello")).reason.startswith("message: expected no messages in this match")
    assert not match.game.facts(2).messages


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"partner": "Player_2", "offer": {"Stick": "2"}}, propose(2, {"stick": 2}, {})),
        ({"partner": "player 2", "offer": {"minecraft:stick": 1.0}, "request": None}, propose(2, {"stick": 1}, {})),
        ({"partner": None}, PASS),
        (propose(2, {"stick": 0.5}, {}), propose(2, {"stick": 0.5}, {})),
        ({"partner": 2}, {"partner": 2}),
        ("pass", "pass"),
    ],
)
def test_other_writings_of_a_proposal(two: Match, written: object, meant: object):
    """What can only mean one legal proposal is read as it, and nothing else is."""
    assert two.state.decision(Player(0)).interpret(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"), [(True, ACCEPT), ("Yes", ACCEPT), ({"accept": "reject"}, REJECT), ("maybe", "maybe"), (1, 1)]
)
def test_other_writings_of_an_answer(two: Match, written: object, meant: object):
    """Only what says yes or no is an answer; the original took whatever was not yes for a no."""
    two.act(propose(2, {}, {}))

    assert two.state.decision(Player(1)).interpret(written) == meant


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"ruleset": "no-such"}, "no rule set called 'no-such'"),
        ({"problems": "no-such"}, "no list of problems called 'no-such'"),
        ({"problems": "workshop#99"}, "expected a number from 1 to"),
        ({"problems": (problem([{"gold": 1}], [{"stick": 1}]),)}, "problems[0].hands[0]: 'gold' is no item"),
        ({"problems": (problem([{"sand": 1}], [{"glass": 1}]),)}, "problems[0].targets[0]: 'glass' cannot be made"),
        ({"problems": ()}, "problems: expected at least one problem"),
    ],
)
def test_mistakes_are_found_before_anything_is_played(parameters: dict[str, object], problem: str):
    """A game with a rule set or a problem that does not fit is refused with what is wrong."""
    with pytest.raises(ConfigError) as caught:
        TradeCraft(**({"ruleset": "workshop"} | parameters))

    assert problem in str(caught.value)
