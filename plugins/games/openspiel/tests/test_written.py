"""What players write for an action: the label, another notation of it, and nothing that no prompt shows."""

import json
from pathlib import Path

import pytest
from arena.agent import Refusal, Reply
from arena.backend import Completion
from arena.catalog import Catalog
from arena.chance import Chance
from arena.decision import PlayerView
from arena.errors import StaleDecision
from arena.game import Illegal
from arena_agent_llm.replies.answer import understand
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.strategic_games.matrix import AnyMatrix

FIELD = Path(__file__).parent / "field"
ITALIAN = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]


def begun(game, *moves):
    """A match after some moves, each written as somebody may, and the decision that is asked then."""
    state, _ = game.start(Chance(0), 2)
    for move in moves:
        (player,) = state.to_act()
        state.apply({player: state.decision(player).interpret(move)})
    player = state.to_act()[0]
    return state, state.decision(player).asked(PlayerView(state, player), forms=game.forms)


def named(name):
    """A game by its name in a benchmark."""
    return Catalog().get("game", name).load()()


def answered(decision, reply):
    """What a model's reply means there."""
    return understand(Completion(text=reply), decision, is_lenient=False, may_look_up=False)


@pytest.mark.parametrize("notation", ["uci", "san"])
@pytest.mark.parametrize("reply", json.loads((FIELD / "chess_notation.json").read_text("utf-8")))
def test_castling_as_people_write_it(notation, reply):
    """Eight ways to write castling are castling, whatever the notation of the labels."""
    _, decision = begun(Chess(notation=notation), *ITALIAN)

    played = answered(decision, json.dumps({"action": reply}))

    assert decision.options.label(played.action) == {"uci": "e1g1", "san": "O-O"}[notation]


@pytest.mark.parametrize(
    ("written", "move"),
    [
        *((written, "f3e5") for written in ("Nxe5", "Ne5", "4. Nxe5!?", "N3xe5", "Nf3xe5", "F3E5", "f3xe5", "♘xe5")),
        *((written, "d2d4") for written in ("d4", "d2-d4", "4.d4", "D2-D4", "d2–d4", "d4!", " d4 ")),
        *((written, "c4f7") for written in ("Bxf7+", "Bf7", "Bc4xf7#")),
        *((written, "e1e2") for written in ("Ke2", "e1e2", "e1 - e2")),
    ],
)
def test_other_notations_of_one_move(written, move):
    """What other notations and their signs add or leave out changes no move."""
    _, decision = begun(Chess(), *ITALIAN)

    assert decision.options.label(decision.interpret(written)) == move


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        *((written, "illegal") for written in ("e2e5", "Qh5", "bxc3", "O-O-O", "e2e4", "e1g1q", "Nd5")),
        *(
            (written, "unreadable")
            for written in ("centre", "B4", "e4 d4", "1. e4 e5", "", "king", "4673", "x" * 5_000)
        ),
        *((written, "unreadable") for written in (4673, 0, None, ["e2e4"])),
    ],
)
def test_what_is_no_legal_move(written, kind):
    """A move of chess that cannot be made is illegal; what is no move is unreadable; the reason names legal ones."""
    _, decision = begun(Chess(), *ITALIAN)

    refused = decision.interpret(written)

    assert refused.kind == kind
    assert "of 33 the nearest are " in refused.reason
    assert (" is not legal: " in refused.reason) == (kind == "illegal")


def test_a_move_of_two_men_is_ambiguous():
    """A move that two men can make is not guessed."""
    _, decision = begun(Chess(), "d4", "d5", "Nf3", "e6")

    assert decision.interpret("Nd2").kind == "ambiguous"
    assert "b1d2, f3d2" in decision.interpret("Nd2").reason
    assert decision.options.label(decision.interpret("Nbd2")) == "b1d2"


def test_castling_that_is_not_legal():
    """Before it is possible, castling is illegal, and a king to its own rook means nothing."""
    _, decision = begun(Chess())

    assert decision.interpret("O-O").kind == "illegal"
    assert decision.interpret("e1h1").kind == "unreadable"


def test_a_number_that_is_not_shown():
    """The number 4 is no column of connect four, in whose prompt the columns have letters."""
    case = json.loads((FIELD / "raw_number.json").read_text("utf-8"))
    _, decision = begun(named(case["game"]))

    refused = answered(decision, case["reply"])

    assert isinstance(refused, Refusal)
    assert refused.reason == (
        "4 is none of the legal actions: column A, column B, column C, column D, column E, column F, column G"
    )


@pytest.mark.parametrize("case", json.loads((FIELD / "reasons_told.json").read_text("utf-8")), ids=str)
def test_reasons_speak_of_labels(case):
    """What a model is told of a wrong answer is in the game's words, and tells what is legal."""
    _, decision = begun(named(case["game"]))

    refused = answered(decision, case["reply"])

    assert "integer" not in refused.reason
    assert " is not legal: " in refused.reason or " is none of the legal actions: " in refused.reason
    assert decision.options[0].label in refused.reason


@pytest.mark.parametrize(
    ("name", "moves", "written", "label"),
    [
        ("connect-four", (), "E", "column E"),
        ("connect-four", (), "COLUMN e", "column E"),
        ("othello", (), "D3", "d3"),
        ("go", (), "c3", "C3"),
        ("hex", (), "F2", "f2"),
        ("oware", (), "house f", "house F"),
        ("breakthrough", (), "A2-A3", "a2-a3"),
        ("checkers", (), "A3-B4", "a3-b4"),
        ("nine-mens-morris", (), "PUT D7", "put d7"),
        ("matching-pennies", (), "HEADS", "heads"),
        ("goofspiel", (), "b", "card B"),
    ],
)
def test_other_spellings_of_a_label(name, moves, written, label):
    """Coordinates in letters of either case, and a label without the words all of them begin with, are labels."""
    _, decision = begun(named(name), *moves)

    assert decision.options.label(decision.interpret(written)) == label


@pytest.mark.parametrize(
    ("name", "moves", "written"),
    [
        ("tic-tac-toe", ("row 1, column 1",), "row 1, column 1"),
        ("go", ("A1",), "a1"),
        ("hex", ("a1",), "a1"),
        ("breakthrough", (), "a6-a5"),
        ("checkers", (), "a3-b2"),
        ("nine-mens-morris", ("put d7",), "put d7"),
        ("nine-mens-morris", (), "take d7"),
        ("nine-mens-morris", (), "d7-d6"),
    ],
)
def test_a_label_that_is_not_legal_now(name, moves, written):
    """What a game would call an action elsewhere is that action, and its own rules refuse it."""
    _, decision = begun(named(name), *moves)

    meant = decision.interpret(written)
    illegal = meant if isinstance(meant, Illegal) else decision.check(meant)

    assert illegal is not None
    assert " is not legal: " in illegal.reason


def test_both_sides_of_a_matrix_have_their_own_words():
    """A choice of the other player is no choice."""
    game = AnyMatrix(rows=("up", "down"), columns=("left", "right"), payoffs=((((1, 0)), (0, 1)), ((0, 1), (1, 0))))
    state, _ = game.start(Chance(0), 2)

    assert [state.decision(p).interpret(word) for p, word in ((0, "DOWN"), (1, "Left"))] == [1, 0]
    assert state.decision(0).interpret("left").kind == "unreadable"


def test_numbers_where_they_are_listed():
    """Where a prompt lists the numbers of actions they are answers, and an illegal one is refused in words."""
    _, decision = begun(named("tic-tac-toe"), "row 1, column 1")
    one = understand(Completion(text='{"action": 4}'), decision, is_lenient=False, may_look_up=False, is_numbered=True)
    taken = decision.check(decision.interpret(0, is_numbered=True))

    assert one == Reply(action=4, note={"answer": "json"})
    assert taken.reason == "row 1, column 1 is not legal: the cell is taken"


def test_nothing_is_read_after_the_step():
    """Another spelling is read in the position that was asked, and in no later one."""
    state, _ = Chess().start(Chance(0), 2)
    decision = state.decision(0)
    state.apply({0: decision.interpret("e4")})

    with pytest.raises(StaleDecision):
        decision.interpret("1. d4")
