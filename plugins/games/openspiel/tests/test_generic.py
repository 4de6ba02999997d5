import subprocess
import sys
from random import Random

import pyspiel
import pytest
from arena.chance import Chance
from arena.decision import PlayerView
from arena.errors import ConfigError
from arena.record import canonical_json
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.library.game_descriptions import WORDED
from arena_game_openspiel.library.generic import OpenSpiel
from arena_game_openspiel.library.library_description import UnwordedGame
from arena_game_openspiel.library.probe import fatal_end
from arena_game_openspiel.strategic_games.matrix import AnyMatrix

VARIED = {
    # in the open, one after another
    "clobber": {"rows": 5, "columns": 4},
    "othello": {},
    "gomoku": {"size": 6},
    "nim": {},
    "mancala": {},
    "quoridor": {"board_size": 5},
    # with luck
    "pig": {"winscore": 20},
    "2048": {},
    "einstein_wurfelt_nicht": {},
    "yacht": {},
    # at the same time
    "goofspiel": {"num_cards": 4, "returns_type": "total_points"},
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
    for step in walk(UnwordedGame(name), seed=2):
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
    state, _ = UnwordedGame("pig").start(Chance(0), 2)

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
        OpenSpiel("clobber", {"rows": 5, "columns": 3}).start(Chance(0), 2)
    assert fatal_end.cache_info().misses == before + 1


def test_an_unknown_name_prints_nothing():
    """OpenSpiel would print all its names on standard error; it is not asked."""
    code = "from arena_game_openspiel.library.generic import OpenSpiel\ntry: OpenSpiel('nope')\nexcept Exception: pass"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stderr == done.stdout == ""


def test_rules_come_from_the_engine(other: OpenSpiel):
    """Generated rules name the game and its bounds and are the same each time."""
    plain = UnwordedGame(other.name, other.parameters)
    rules = plain.rules

    assert other.name in rules
    assert "turns" in rules
    list(plain.start(Chance(0), min(other.player_counts())))
    assert UnwordedGame(other.name, other.parameters).rules == rules


TABLES = ("bos", "brps", "cd", "coordination", "mp", "pd", "rps", "rpsw", "sh", "shapleys_game")


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_payoffs_are_told(name):
    """Every game in which two players choose once and at the same time says what each cell pays, as the engine does."""
    game, engine = OpenSpiel(f"matrix_{name}"), pyspiel.load_matrix_game(f"matrix_{name}")
    assert game.has_rules

    for row in range(engine.num_rows()):
        for column in range(engine.num_cols()):
            first, second = engine.row_utility(row, column) + 0.0, engine.col_utility(row, column) + 0.0
            told = f"chooses {engine.col_action_name(column)}: player 1 earns {first:g}, player 2 earns {second:g}\n"
            assert f"- player 1 chooses {engine.row_action_name(row)}, player 2 {told}" in game.rules
            state, _ = game.start(Chance(0), 2)
            state.apply({0: row, 1: column})
            assert state.returns() == [first, second]


def test_other_tables_are_told_up_to_36_cells(tmp_path):
    """So is a file of payoffs; a greater table and one for more players is not."""
    table = tmp_path / "table.nfg"
    table.write_text('NFG 1 R "Pennies" { "first" "second" } { 2 2 }\n\n1 -1 -1 1 -1 1 1 -1\n', "utf-8")

    told = OpenSpiel("nfg_game", {"filename": str(table)})
    assert isinstance(told.told, AnyMatrix)
    assert told.rules.count(" earns 1, ") == 2
    assert isinstance(OpenSpiel("blotto", {"players": 2, "coins": 4, "fields": 2}).told, AnyMatrix)
    assert not isinstance(OpenSpiel("blotto", {"players": 2}).told, AnyMatrix)
    assert not isinstance(OpenSpiel("matching_pennies_3p").told, AnyMatrix)


ORDERED = {"chess"}
"""Games whose players OpenSpiel counts in another order."""


@pytest.mark.parametrize("name", sorted(set(WORDED) - ORDERED))
def test_worded_games_are_those_of_the_library(name):
    """Equal actions and draws are legal in equal positions and earn the same, as the library plays what it names."""
    game = OpenSpiel(name)
    assert game.has_rules
    players = min(game.player_counts())
    ours, theirs = game.engine(players).new_initial_state(), UnwordedGame(name).engine(players).new_initial_state()
    rng = Random(name)

    while not theirs.is_terminal():
        assert ours.current_player() == theirs.current_player()
        if theirs.is_simultaneous_node():
            legal = [[state.legal_actions(p) for p in range(players)] for state in (ours, theirs)]
            assert legal[0] == legal[1]
            step = [rng.choice(own) for own in legal[0]]
            ours.apply_actions(step)
            theirs.apply_actions(step)
            continue
        assert ours.legal_actions() == theirs.legal_actions()
        action = rng.choice(theirs.legal_actions())
        ours.apply_action(action)
        theirs.apply_action(action)
    assert ours.is_terminal()
    assert ours.returns() == theirs.returns()


@pytest.mark.slow  # asks the library for large boards
def test_other_parameters_have_the_mark():
    """Words hold for the parameters that a worded game has; a game with another one is told as the library tells it."""
    assert OpenSpiel("connect_four", {"rows": 5, "x_in_row": 3}).rules == ConnectFour(rows=5, align=3).rules
    assert OpenSpiel("go").rules == Go(size=19).rules
    assert OpenSpiel("kuhn_poker", {"players": 3}).has_rules
    for name, parameters in (
        ("go", {"handicap": 2}),
        ("hex", {"swap": True}),
        ("connect_four", {"rows": 40}),
        ("liars_dice", {"numdice": 0}),
    ):
        assert not OpenSpiel(name, parameters).has_rules


def test_parameters_are_named_in_the_rules():
    """What was set is told."""
    assert "rows = 5" in OpenSpiel("clobber", {"rows": 5, "columns": 4}).rules
