"""Who plays White in chess."""

from arena.chance import Chance
from arena_game_openspiel.board_games.chess import Chess


def begun(notation: str = "uci"):
    game = Chess(notation=notation)
    return game, game.start(Chance(3), 2)[0]


def play(state, *labels):
    for label in labels:
        (player,) = state.to_act()
        options = state.decision(player).options
        state.apply({player: next(a for a in options.actions if options.label(a) == label)})
    return state


def test_white_is_player_0():
    """Seats are in the order of play: White moves first, is player 0, and earns what the mate of Black is worth."""
    game, state = begun("san")

    assert (tuple(game.seats(2)), tuple(state.to_act())) == (("White", "Black"), (0,))
    play(state, "e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6")
    assert state.observe(0)["you"] == state.observe(1)["to_move"] == "White"
    assert tuple(play(state, "Qxf7#").returns()) == (1.0, -1.0)
    assert state.observe(None)["outcome"] == "White won"


def test_clones_keep_the_order():
    """A copy, a resampled and a restored state have the same player to move, and pay the same."""
    import pickle

    _, state = begun("san")
    play(state, "f3", "e5", "g4")

    for other in (state.clone(), state.resample_hidden(1, Chance(1)), pickle.loads(pickle.dumps(state))):
        assert tuple(other.to_act()) == (1,)
        assert list(play(other, "Qh4#").returns()) == [-1.0, 1.0]


def test_en_passant_square_is_named_where_a_pawn_stands_ready():
    """The notation names the square only beside a pawn that attacks it, as the rules say."""
    _, state = begun()

    assert state.observe(None)["fen"].split()[3] == "-"
    assert play(state, "e2e4").observe(None)["fen"].split()[3] == "-"
    assert play(state, "a7a6", "e4e5", "d7d5").observe(None)["fen"].split()[3] == "d6"
    assert "e5d6" in set(map(state.decision(0).options.label, state.decision(0).options.actions))


def test_scene_gives_each_man_its_owner():
    """White's men are player 0's, and Black looks at the board from its own side."""
    game, state = begun()

    scene = game.forms["scene"](state.observe(1)).data

    (board, *_) = scene["parts"]
    owners = {piece["text"]: piece["role"] for piece in board["pieces"]}
    assert (owners["K"], owners["k"]) == ("player-0", "player-1")
    assert board["row_labels"][0] == "1"
