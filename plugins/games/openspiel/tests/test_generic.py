import subprocess
import sys

import pytest
from arena.chance import Chance
from arena.decision import PlayerView
from arena.errors import ConfigError
from arena.record import canonical_json
from arena_game_openspiel.generic import OpenSpiel
from arena_game_openspiel.probe import fatal_end

VARIED = {
    # in the open, one after another
    "breakthrough": {"rows": 5, "columns": 4},
    "othello": {},
    "gomoku": {"size": 6},
    "nim": {},
    "oware": {},
    "quoridor": {"board_size": 5},
    # with luck
    "pig": {"winscore": 20},
    "2048": {},
    "einstein_wurfelt_nicht": {},
    "yacht": {},
    # at the same time
    "goofspiel": {"num_cards": 4},
    "blotto": {},
    "matrix_sh": {},
    "matching_pennies_3p": {},
    "oshi_zumo": {"coins": 6},
    "snake": {},
    # hidden
    "phantom_ttt": {},
    "dark_hex": {},
    "liars_dice": {},
    "universal_poker": {},
    "gin_rummy": {},
    "hearts": {},
    "oh_hell": {},
    "bargaining": {},
    "sheriff": {},
    "tiny_hanabi": {},
    "blackjack": {},
    # with a generator of their own
    "negotiation": {},
    "tarok": {},
    # made of another game
    "misere": {"game": {"name": "kuhn_poker"}},
    "turn_based_simultaneous_game": {"game": {"name": "goofspiel", "num_cards": 3}},
    "repeated_game": {"stage_game": {"name": "matrix_pd"}, "num_repetitions": 3},
}
VEILED = (
    "phantom_ttt",
    "dark_hex",
    "liars_dice",
    "universal_poker",
    "gin_rummy",
    "bargaining",
    "negotiation",
    "sheriff",
)


@pytest.fixture(params=VARIED)
def other(request: pytest.FixtureRequest) -> OpenSpiel:
    return OpenSpiel(request.param, VARIED[request.param])


def test_any_game_can_be_played(other: OpenSpiel, walk):
    """Games of all kinds come to their end with readable labels, words for every event and returns in bounds."""
    facts = other.facts(min(other.player_counts()))
    for place, step in enumerate(walk(other, seed=1)):
        for player in step.state.to_act():
            decision = step.state.decision(player).asked(PlayerView(step.state, player), forms=other.forms)
            assert decision.render("text")
            if place % 4 == 0:
                labels = [option.label for option in decision.options]
                assert len(set(labels)) == len(labels)
                assert not any(label.replace(".", "").lstrip("-").isdigit() or not label for label in labels)
        assert all(other.describe_event(event, None) for event in step.events)
        last = step.state

    assert all(facts.min_return - 1e-9 <= value <= facts.max_return + 1e-9 for value in last.returns())
    assert last.observe(None)["outcome"]


def test_any_game_is_played_again_the_same(other: OpenSpiel, walk):
    """Equal chances give equal matches, also where the engine has a generator of its own."""
    told = [
        canonical_json([[e.kind, e.data, e.to] for step in walk(other, seed=5) for e in step.events]) for _ in range(2)
    ]

    assert told[0] == told[1]


@pytest.mark.parametrize("name", VEILED)
def test_hidden_moves_and_luck_are_never_public(name, walk):
    """In games with hidden information no event goes to anybody but one player."""
    game = OpenSpiel(name)
    for step in walk(game, seed=2):
        for event in step.events:
            assert event.kind in ("moved", "observed")
            assert event.to is not None
            assert len(event.to) == 1


def test_a_move_that_shows_nothing_tells_nothing(walk):
    """In phantom tic-tac-toe the other player hears nothing of a move, not even that there was one."""
    state, _ = OpenSpiel("phantom_ttt").start(Chance(0), 2)

    events = state.apply({0: 4})

    assert [event for event in events if event.is_visible(1)] == []
    assert {event.kind for event in events if event.is_visible(0)} == {"moved", "observed"}


def test_open_games_tell_moves_and_luck():
    """In games where everybody sees everything, moves and outcomes of chance are public."""
    state, _ = OpenSpiel("pig").start(Chance(0), 2)

    events = state.apply({0: 0})

    assert [(event.kind, event.to) for event in events] == [("moved", None), ("drawn", None)]


@pytest.mark.parametrize("name", ["liars_dice", "phantom_ttt", "gin_rummy", "universal_poker", "hearts", "blackjack"])
def test_imagined_states_look_real(name, walk):
    """Where a state can be imagined it looks to its player like the real one."""
    imagined = 0
    for place, step in enumerate(walk(OpenSpiel(name), seed=3)):
        for player in step.state.to_act():
            other = step.state.resample_hidden(player, Chance(place))
            if other is not None:
                imagined += 1
                assert other.observe(player) == step.state.observe(player)
                assert other.decision(player).schema == step.state.decision(player).schema

    assert imagined


def test_a_generator_of_its_own_gives_nothing_away():
    """Nobody imagines a state whose luck to come would be the real one."""
    state, _ = OpenSpiel("tarok").start(Chance(0), 3)

    assert state.resample_hidden(state.to_act()[0], Chance(1)) is None


def test_players_follow_the_engine():
    """The number of players is the engine's, a parameter fixes it."""
    assert list(OpenSpiel("kuhn_poker").player_counts()) == list(range(2, 11))
    assert list(OpenSpiel("kuhn_poker", {"players": 4}).player_counts()) == [4]
    assert list(OpenSpiel("chinese_checkers").player_counts()) == [2, 3, 4, 6]
    assert list(OpenSpiel("bridge").player_counts()) == [4]


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: OpenSpiel("conect_four"), "did you mean 'connect_four'"),
        (lambda: OpenSpiel("connect-four"), "did you mean 'connect_four'"),
        (lambda: OpenSpiel("mfg_garnet"), "mean field"),
        (lambda: OpenSpiel("crossword"), "structures"),
        (lambda: OpenSpiel("tarok", {"rng_seed": 3}), "seed of the match"),
        (lambda: OpenSpiel("breakthrough", {"rowz": 3}), "rowz"),
        (lambda: OpenSpiel("breakthrough", {"rows": "3"}), "rows"),
    ],
)
def test_what_cannot_be_played_is_refused(make, problem):
    """A game that is not there or cannot be played here is a mistake that says what to do."""
    with pytest.raises(ConfigError, match=problem):
        make()


SIX_STACKS = "1200 1200 1200 1200 1200 1200"


@pytest.mark.parametrize(
    "parameters",
    [{"numPlayers": 6}, {"numPlayers": 6, "betting": "limit", "blind": "50 100 0 0 0 0", "stack": SIX_STACKS}],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_parameters_that_end_the_process_are_refused(parameters, wrapped):
    """What would kill this process is tried in another one, and the sentence names the parameters and the reason."""
    name, given = "universal_poker", parameters
    if wrapped:
        name, given = "misere", {"game": {"name": name, **parameters}}

    with pytest.raises(ConfigError, match=r'ends the process with .*"numPlayers":6.*SIGSEGV, after \'only read'):
        OpenSpiel(name, given)


def test_only_unusual_parameters_are_tried():
    """No process is started for a game as it comes, nor for a number of players that it allows."""
    before = fatal_end.cache_info().misses
    for game in (OpenSpiel("kuhn_poker"), OpenSpiel("kuhn_poker", {"players": 4})):
        game.start(Chance(0), 4)
    assert fatal_end.cache_info().misses == before

    for _ in range(2):
        OpenSpiel("breakthrough", {"rows": 5, "columns": 3}).start(Chance(0), 2)
    assert fatal_end.cache_info().misses == before + 1


def test_an_unknown_name_prints_nothing():
    """OpenSpiel would print all its names on standard error; it is not asked."""
    code = "from arena_game_openspiel.generic import OpenSpiel\ntry: OpenSpiel('nope')\nexcept Exception: pass"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stderr == done.stdout == ""


def test_rules_come_from_the_engine(other: OpenSpiel):
    """The generated rules name the game and its bounds and are the same each time."""
    rules = other.rules

    assert other.name in rules
    assert "turns" in rules
    list(other.start(Chance(0), min(other.player_counts())))
    assert OpenSpiel(other.name, other.parameters).rules == rules


def test_parameters_are_named_in_the_rules():
    """What was set is told."""
    assert "rows = 5" in OpenSpiel("breakthrough", {"rows": 5, "columns": 4}).rules
