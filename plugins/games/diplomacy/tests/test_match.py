"""The course of a match: who acts when, what follows what, and how it ends."""

import itertools
from random import Random

import pytest
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import FORFEITED
from arena.record import Player, canonical_json
from arena.testing import check_game
from arena_game_diplomacy.game import Diplomacy

SILENT = {"messages": []}
ENDGAME = {
    "phase": "F1905M",
    "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"], "TURKEY": ["A CON"]},
    "centres": {"FRANCE": ["PAR", "BEL"], "GERMANY": ["MUN"], "TURKEY": ["CON"]},
}


def started(players=7, **parameters):
    """The first state of a match, and its events."""
    return Diplomacy(**parameters).start(Chance(0), players)


def after_talk(state):
    """The state when orders are due, after rounds in which nobody says anything."""
    while state.step == "negotiate":
        state.apply(dict.fromkeys(state.to_act(), SILENT))
    return state


def ordered(state, **orders):
    """Give orders by power, each a list, and nothing to all other players; returns the events."""
    actions = {}
    for player in state.to_act():
        given = [order for power in state.hands[player] for order in orders.get(power, ())]
        actions[player] = state.decision(player).aliases(given)
    return state.apply(actions)


def random_match(game, players, seed):
    """A match of random players that is played to its end, with all its events."""
    state, events = game.start(Chance(seed), players)
    found, rng = list(events), Random(seed)
    while state.to_act():
        found += state.apply({p: state.decision(p).sampler(rng) for p in state.to_act()})
    return state, found


@pytest.mark.campaign
@pytest.mark.parametrize(
    "parameters",
    [
        {"negotiation_rounds": 1, "last_year": 1902},
        pytest.param(
            {"negotiation_rounds": 0, "last_year": 1903, "hands": [["FRANCE", "ITALY"], ["RUSSIA"]]},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            {"negotiation_rounds": 2, "last_year": 1901, "hands": ["TURKEY", "ENGLAND", "FRANCE"]},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_contract_is_kept(parameters):
    """The game keeps the contract of games, and its secrets where it has any."""
    game = Diplomacy(**parameters)

    report = check_game(game, playouts=3, cpu_s=20)

    assert report.untested == ()
    assert report.differing > 0 or game.negotiation_rounds == 0


@pytest.mark.slow
def test_secrets_are_kept_where_reports_are_asked():
    """Reports of others change nothing that a player can see; units with few orders often repeat them."""
    start = {"phase": "S1901M", "units": {"TURKEY": ["A SYR"], "RUSSIA": ["F STP/NC"]}}
    game = Diplomacy(negotiation_rounds=0, knowledge="asked", last_year=1901, start=start)

    report = check_game(game, 2, playouts=4, cpu_s=5)

    assert report.differing > 0


def test_steps_of_a_year():
    """Rounds of negotiation, then orders; retreats and adjustments are asked of those alone who have a choice."""
    state, events = started(negotiation_rounds=2)
    assert [event.kind for event in events] == ["start", "round"]
    assert (state.step, state.round, len(state.to_act())) == ("negotiate", 1, 7)

    told = state.apply(dict.fromkeys(state.to_act(), SILENT))
    assert [(event.kind, event.data["round"]) for event in told] == [("round", 2)]
    assert state.apply(dict.fromkeys(state.to_act(), SILENT)) == []
    assert (state.step, len(state.to_act())) == ("orders", 7)

    told = ordered(state, FRANCE=["A MAR - SPA", "A PAR - BUR"], GERMANY=["A MUN - RUH"])
    assert [event.kind for event in told] == ["adjudicated", "round"]
    assert state.position.phase == "F1901M"
    ordered(after_talk(state), FRANCE=["A BUR - MUN"], GERMANY=["A RUH - HOL"])

    assert (state.position.phase, state.step) == ("W1901A", "adjustments")
    assert [state.seats[player] for player in state.to_act()] == ["FRANCE", "GERMANY"][:1]
    assert state.decision(Player(2)).phase == "adjustments"


def test_retreats_are_asked_of_the_dislodged():
    """Only who has a dislodged unit with a place to go is asked, and nobody is where there is none."""
    start = {"phase": "S1905M", "units": ENDGAME["units"] | {"ITALY": ["A TYR"]}, "centres": ENDGAME["centres"]}
    state, _ = started(negotiation_rounds=0, start=start, hands=["FRANCE", "GERMANY"])

    ordered(state, FRANCE=["A BUR - MUN", "A RUH S A BUR - MUN"])

    assert (state.position.phase, state.step, state.to_act()) == ("S1905R", "retreats", (Player(1),))
    assert "A MUN R BER" in state.decision(Player(1)).action_schema["properties"]["A MUN"]["enum"]
    told = state.apply({Player(1): {}})
    assert told[0].data["missing"] == {"GERMANY": ["A MUN"]}
    assert state.position.units["GERMANY"] == ()


def test_neutral_powers_hold_and_disband():
    """Powers in no hand hold; when they are dislodged they go, and when they must disband they do."""
    start = {"phase": "F1905M", "units": ENDGAME["units"], "centres": ENDGAME["centres"]}
    state, _ = started(1, negotiation_rounds=0, start=start, hands=["FRANCE"])
    assert state.neutral == ("GERMANY", "TURKEY")

    told = ordered(state, FRANCE=["A BUR - MUN", "A RUH S A BUR - MUN"])

    assert [event.data["phase"] for event in told if event.kind == "adjudicated"] == ["F1905M", "F1905R"]
    assert told[0].data["missing"] == {}
    assert state.position.units["GERMANY"] == ()
    assert state.position.centres["FRANCE"] == ("BEL", "MUN", "PAR")


def test_solo_ends_the_match():
    """Who has enough centres after fall wins alone, whatever year it is."""
    state, _ = started(negotiation_rounds=0, start=ENDGAME, win_centres=3, hands=["FRANCE", "GERMANY", "TURKEY"])

    ordered(state, FRANCE=["A BUR - MUN", "A RUH S A BUR - MUN"])
    told = ordered(state, GERMANY=["A MUN D"])

    assert told[-1].kind == "ended"
    assert told[-1].data["winner"] == "FRANCE"
    assert told[-1].data["reason"] == "solo"
    assert told[-1].data["survivors"] == ["FRANCE", "TURKEY"]
    assert state.returns() == (1.0, 0.0, 0.0)
    assert state.to_act() == ()


def test_hands_win_together():
    """The centres of all powers of a hand count together."""
    hands = [["FRANCE", "TURKEY"], ["GERMANY"]]
    state, _ = started(negotiation_rounds=0, start=ENDGAME, win_centres=3, hands=hands)

    told = ordered(state)

    assert told[-1].data["winner"] == "FRANCE+TURKEY"
    assert told[-1].data["winners"] == ["FRANCE", "TURKEY"]
    assert state.returns() == (1.0, 0.0)


def test_last_year_ends_the_match():
    """After the winter of the last year the match is over."""
    state, _ = started(negotiation_rounds=0, start=ENDGAME, last_year=1905, hands=["FRANCE", "GERMANY", "TURKEY"])

    told = ordered(state)

    assert told[-1].data["reason"] == "last-year"
    assert state.returns() == pytest.approx((4 / 6, 1 / 6, 1 / 6))


def test_who_is_eliminated_is_asked_no_more():
    """A player without units and centres has no turns; the others go on."""
    state, _ = started(negotiation_rounds=1, start=ENDGAME, hands=["FRANCE", "GERMANY", "TURKEY"])

    ordered(after_talk(state), FRANCE=["A BUR - MUN", "A RUH S A BUR - MUN"])
    state.apply({Player(1): {"A MUN": "A MUN D"}})
    state.apply({player: state.decision(player).skip for player in state.to_act()})

    assert (state.step, state.position.phase) == ("negotiate", "S1906M")
    assert state.to_act() == (Player(0), Player(2))
    assert state.speaker(Player(0)).others == ("TURKEY",)


def test_who_forfeits_leaves_powers_in_disorder():
    """The powers of who forfeits hold from then on, the others go on, and all of 1 is theirs."""
    state, _ = started(negotiation_rounds=1, last_year=1901)

    told = state.apply({p: FORFEITED if p == 2 else SILENT for p in state.to_act()})
    assert told[0].kind == "disorder"
    assert told[0].data["powers"] == ["FRANCE"]
    assert Player(2) not in state.to_act()
    while state.to_act():
        state.apply({player: state.decision(player).skip for player in state.to_act()})

    returns = state.returns()
    assert returns[2] == 0.0
    assert sum(returns) == pytest.approx(1)


def test_all_may_forfeit():
    """Where everybody forfeits the match is over at once."""
    state, _ = started(3)

    told = state.apply(dict.fromkeys(state.to_act(), FORFEITED))

    assert told[-1].data["reason"] == "forfeited"
    assert state.to_act() == ()
    assert state.returns() is not None


def test_wrong_steps_change_nothing():
    """A step without all who act, or with an illegal action, raises and leaves the state as it was."""
    state, _ = started(negotiation_rounds=0)
    before = canonical_json(state.observe(None))

    with pytest.raises(RuleError):
        state.apply({Player(0): {}})
    with pytest.raises(RuleError, match="A VIE may"):
        state.apply({player: {"A VIE": "A VIE - LON"} if player == 0 else {} for player in state.to_act()})

    assert canonical_json(state.observe(None)) == before


@pytest.mark.sample(fast=4)
@pytest.mark.parametrize("seed", range(20))
def test_random_matches_end(seed):
    """Random matches end in time, return shares of 1, and each phase begins with what the one before left."""
    game = Diplomacy(negotiation_rounds=seed % 2, last_year=1905)
    state, events = random_match(game, 7, seed)

    phases = [event.data for event in events if event.kind == "adjudicated"]

    assert sum(state.returns()) == pytest.approx(1)
    assert len({event.kind for event in events if event.kind == "ended"}) == 1
    for now, later in itertools.pairwise(phases):
        assert now["next"]["phase"] == later["phase"]
    for phase in phases:
        provinces = [unit[2:5] for units in phase["units"].values() for unit in units]
        assert len(provinces) == len(set(provinces))


@pytest.mark.campaign
def test_longer_random_matches_end():
    """Two hundred of them end, to 1912, half of them with hands of several powers."""
    coalitions = [["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY"], ["ITALY", "RUSSIA", "TURKEY"]]
    games = [
        Diplomacy(negotiation_rounds=0, last_year=1912),
        Diplomacy(negotiation_rounds=0, last_year=1912, win_centres=25, hands=coalitions),
    ]

    for seed in range(200):
        state, _ = random_match(games[seed % 2], (7, 2)[seed % 2], seed)
        assert sum(state.returns()) == pytest.approx(1)


def test_copies_are_independent():
    """A copy shares everything that never changes, and playing it leaves the original alone."""
    state, _ = started(negotiation_rounds=0)
    before = canonical_json(state.observe(None))
    copy = state.clone()

    ordered(copy, FRANCE=["A PAR - BUR"])

    assert canonical_json(state.observe(None)) == before
    assert copy.position.phase == "F1901M"
    assert state.clone().phase_orders is state.phase_orders


def test_keys_leave_talk_out():
    """Positions in which the same can happen have one key, whatever was said; other positions have another."""
    state, _ = started(2, negotiation_rounds=1)
    talked = state.clone()
    hello = {"messages": [{"to": ["ENGLAND"], "text": "hello"}]}

    state.apply({Player(0): SILENT, Player(1): SILENT})
    talked.apply({Player(0): hello, Player(1): SILENT})

    assert canonical_json(talked.observe(None)) != canonical_json(state.observe(None))
    assert talked.transposition_key() == state.transposition_key()
    ordered(talked, AUSTRIA=["A VIE - GAL"])
    assert talked.transposition_key() != state.transposition_key()


def test_resampled_states_look_the_same():
    """A resampled state is the same to its player, and holds nothing of what others said in secret."""
    state, _ = started(negotiation_rounds=2)
    said = {"messages": [{"to": ["ENGLAND"], "text": "secret"}], "strategy": "lie", "trust": []}
    state.apply({player: said if player == 0 else SILENT for player in state.to_act()})

    for player in (Player(1), Player(2)):
        other = state.resample_hidden(player, Chance(3))
        assert canonical_json(other.observe(player)) == canonical_json(state.observe(player))
    assert state.resample_hidden(Player(2), Chance(3)).messages == ()
    assert state.resample_hidden(Player(1), Chance(3)).declarations == ()


def test_influence_is_of_who_was_last_there():
    """A province that was left stays under the influence of who left it, until somebody else comes."""
    state, _ = started(negotiation_rounds=0)

    ordered(state, GERMANY=["A MUN - BUR"])
    ordered(state, GERMANY=["A BUR - RUH"], FRANCE=["A PAR - BUR"])

    influence = state.influence_by_power()
    assert influence["GERMANY"] == ["BER", "KIE", "MUN", "RUH"]
    assert influence["FRANCE"] == ["BRE", "BUR", "MAR", "PAR"]
