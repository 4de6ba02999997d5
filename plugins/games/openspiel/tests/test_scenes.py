"""What positions look like: the boards, cards and tables that a terminal draws of them."""

from random import Random

import pytest
from arena.chance import Chance
from arena.game import Game, PlayerView
from arena.record import Player
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.dice_games.backgammon import Backgammon
from arena_game_openspiel.dice_games.liars_dice import LiarsDice
from arena_game_openspiel.strategic_games.matrix import MatchingPennies, PrisonersDilemma
from arena_scene import element_ids, lines, scene_faults, touches_of


def after(game: Game, *labels: str, players: int = 2, seed: int = 1):
    """The state after these moves, named by their labels."""
    state, _ = game.start(Chance(seed), players)
    for label in labels:
        acting = state.to_act()
        state.apply({p: next(o.action for o in state.decision(p).options if o.label == label) for p in acting})
    return state


def drawn(game: Game, state, player: int | None = 0, before=None, **more) -> str:
    """What a terminal of 80 columns shows a player, below an empty line."""
    seen = state.observe(None if player is None else Player(player))
    return "\n".join(["", *lines(game.forms["scene"](seen), 80, False, True, before=before, **more)])


def test_tic_tac_toe_has_coordinates_and_shows_the_winning_line():
    """Columns are lettered and rows numbered from the top; the cells of the line stand between stars."""
    game = TicTacToe()
    moves = ("row 1, column 1", "row 1, column 2", "row 2, column 2", "row 1, column 3", "row 3, column 3")

    assert (
        drawn(game, after(game, *moves))
        == """
The game is over: X won.
    a   b   c
  ┌───┬───┬───┐
1 │*X*│ O │ O │
  ├───┼───┼───┤
2 │   │*X*│   │
  ├───┼───┼───┤
3 │   │   │*X*│
  └───┴───┴───┘"""
    )


def test_connect_four_is_open_above():
    """Discs fall into lettered columns, rows are counted from below, and the last column has an arrow."""
    game = ConnectFour(rows=4, columns=5, align=3)
    before, state = after(game, "column C", "column C"), after(game, "column C", "column C", "column D")

    assert (
        drawn(game, state, before=game.forms["scene"](before.observe(0)), players=game.seats(2))
        == """
  A   B   C   D   E
│   │   │   │   │   │ 4
│   │   │   │   │   │ 3
│   │   │ ○ │   │   │ 2
│   │   │ ● │ ● │   │ 1
└───┴───┴───┴───┴───┘
              ▲
● X   ○ O"""
    )


def test_hex_and_go_take_one_character_a_cell():
    """Hex leans to the right and says who joins what; go has its letters without I."""
    hexes, go = Hex(rows=3, columns=3), Go(size=9)

    assert (
        drawn(hexes, after(hexes, "b2", "a3"))
        == """
X joins top and bottom, O joins left and right
   a b c
1  · · ·
 2  · ● ·
  3  ○ · ·"""
    )
    shown = drawn(go, after(go, "J9", "A1")).splitlines()
    assert shown[2:4] == ["   A B C D E F G H J", "9  · · · · · · · · ●"]
    assert shown[-1] == "1  ○ · · · · · · · ·"


def test_chess_is_seen_from_ones_own_side():
    """Black sees rank 1 above, capitals are White's men; a king in check and what was taken are shown."""
    game = Chess()
    state = after(game, "e2e4", "d7d5", "e4d5", "f7f6", "d1h5")

    white = drawn(game, state, 0).splitlines()
    black = drawn(game, state, 1).splitlines()

    assert white[1] == "    a   b   c   d   e   f   g   h"
    assert white[3] == "8 │ r │ n │ b │ q │!k!│ b │ n │ r │"
    assert black[1] == "    h   g   f   e   d   c   b   a"
    assert black[10] == "8 │ r │ n │ b │!k!│ q │ b │ n │ r │"
    assert white[-2:] == black[-2:] == ["taken", "p × 1"]


@pytest.mark.slow
def test_check_is_what_the_engine_says():
    """In 400 positions of random matches a check is marked exactly where OpenSpiel's notation has a plus or a hash."""
    game, checks = Chess(notation="san"), 0
    for seed in range(4):
        state, _ = game.start(Chance(seed), 2)
        rng = Random(seed)
        for _ in range(100):
            if not state.to_act():
                break
            (player,) = state.to_act()
            action = state.decision(player).sample(rng)
            label = state.decision(player).options.label(action)
            state.apply({player: action})
            board = game.forms["scene"](state.observe(None)).data["parts"][0]
            assert bool(board.get("cells")) == label.endswith(("+", "#")), label
            checks += bool(board.get("cells"))
    assert checks > 5


def test_kuhn_hides_the_other_card():
    """A player sees its own card below the pot and the other one as a question mark; bets go around the table."""
    game = KuhnPoker()
    state = after(game, "check", "bet 1 chip", seed=3)
    card = state.observe(0)["cards"]["player 1"]

    assert (
        drawn(game, state)
        == f"""
player 2  2 paid
[?]

pot 3 chips

player 1 (you)  1 paid
[{card}]

bets
player 1  player 2
check     bet 1 chip"""
    )


def test_leduc_shows_the_public_card_and_both_rounds():
    """The public card lies between the hands and names one's own; each round, and each time around, begins a row."""
    game = LeducPoker()
    state = after(game, "check", "bet 2 chips", "call 2 chips", "bet 4 chips", seed=5)
    public = state.observe(0)["public_card"]

    own = state.observe(0)["cards"]["player 1"]
    assert drawn(game, state).startswith(f"\nplayer 2  3 paid\n[?]\n\non the board\n[{public}]\n\npot 10 chips")
    assert (own, public) == ("Q", "Q")
    assert "player 1 (you)  pair of queens · 7 paid" in drawn(game, state)
    assert drawn(game, state).splitlines()[-4:] == [
        "round  player 1      player 2",
        "1      check         bet 2 chips",
        "       call 2 chips",
        "2      bet 4 chips",
    ]


def test_hanabi_shows_what_holders_know():
    """Others' cards are open, one's own are not; below each stand its letter and what its hints leave open."""
    game = Hanabi()
    state, _ = game.start(Chance(1), 2)
    hint = next(o for o in state.decision(0).options if o.label.startswith("tell player 2 its cards of rank 1"))
    state.apply({0: hint.action})
    rows = drawn(game, state, 1).splitlines()

    assert rows[:5] == [
        "",
        "fireworks",
        "[R-]  [Y-]  [G-]  [W-]  [B-]",
        "",
        "hint tokens 7/8   lives 3/3   deck 40 cards",
    ]
    assert rows[7].endswith("    [?]    [?]    [?]    [?]    [?]")
    assert rows[8].split() == list("ABCDE") * 2
    known = rows[10].split()[5:]
    assert set(known) == {"1", "2345"}


def test_payoffs_mark_the_last_choices():
    """The table of payoffs is there before anybody has chosen; the last choices stand in brackets."""
    game = PrisonersDilemma(rounds=3)

    assert (
        drawn(game, after(game, "defect", "cooperate"))
        == """
you choose a row, player 2 a column; your payoff is the first number
           cooperate  defect
cooperate  [5, 5]     0, 10
defect     10, 0      1, 1

rounds
   player 1   player 2   player 1 earned  player 2 earned
1  defect     defect                   1                1
2  cooperate  cooperate                5                5

earned
player 1 6   player 2 6"""
    )
    assert "matcher" in drawn(MatchingPennies(), after(MatchingPennies()))


@pytest.mark.parametrize(
    ("game", "label", "path"),
    [
        (TicTacToe(), "row 2, column 1", ("board:1,0",)),
        (ConnectFour(), "column D", ("board/column:3",)),
        (Hex(rows=3, columns=3), "c1", ("board:0,2",)),
        (Go(), "A9", ("board:0,0",)),
        (Go(), "pass", ()),
        (Chess(), "e4", ("board:6,4", "board:4,4")),
        (Chess(notation="san"), "Nf3", ("board:7,6", "board:5,5")),
        (Hanabi(), "play card B", ("card-0-B",)),
        (Hanabi(), "tell player 2 its cards of rank 1", ("hand-1",)),
        (PrisonersDilemma(), "defect", ("row-1",)),
        (KuhnPoker(), "check", ()),
    ],
)
def test_options_are_elements_of_the_scene(game, label, path):
    """An option says what is touched for it: a cell, a column, two squares, a card; or nothing, for a button."""
    state, _ = game.start(Chance(1), 2)
    player = state.to_act()[0]
    decision = state.decision(player).asked(PlayerView(state, player), forms=game.forms)

    touches = touches_of(game, decision)

    assert {choice.label: choice.path for choice in touches.choices}[label] == path
    assert [choice.action for choice in touches.choices] == list(decision.options.actions)
    assert set(path) <= element_ids(decision.render("scene").data)


@pytest.mark.parametrize(
    "game",
    [
        TicTacToe(),
        ConnectFour(),
        Hex(),
        Go(),
        Chess(),
        LeducPoker(),
        Go(size=19),
        Hanabi(),
        PrisonersDilemma(rounds=40),
    ],
)
@pytest.mark.sample(fast=1, slow=2)
def test_scenes_fit_a_terminal(game):
    """In every position of a random match the scene is sound and drawn in 80 columns, and in ASCII as well."""
    state, _ = game.start(Chance(2), 2)
    rng = Random(2)
    for _ in range(60):
        for player in (*range(2), None):
            scene = game.forms["scene"](state.observe(player))
            assert scene_faults(scene.data) == ()
            for is_unicode in (True, False):
                shown = lines(scene, 80, False, is_unicode)
                assert max(map(len, shown)) <= 80
                assert is_unicode or all(line.isascii() for line in shown)
        if not state.to_act():
            break
        state.apply({player: state.decision(player).sample(rng) for player in state.to_act()})


def test_backgammon_is_told_where_it_cannot_be_drawn():
    """A terminal tells the board in words; every point can be touched, and a move touches from where to where."""
    game = Backgammon()
    state = after(game)
    (player,) = state.to_act()
    drawing = game.forms["scene"](state.observe(player))

    assert "Points in the numbers of" in "\n".join(lines(drawing, 80, False, True))
    assert {f"point-{number}" for number in range(1, 25)} <= element_ids(drawing.data)
    assert game.path(0, "bar/22*, 6/off with 5", Player(1)) == ["bar-1", "point-22", "point-6", "off-1"]


def test_dice_of_others_are_question_marks():
    """A player of liar's dice sees its own dice, and of the other's only how many there are."""
    game = LiarsDice(dice=2)
    data = game.forms["scene"](after(game).observe(Player(0))).data
    own, other = data["parts"][0]["parts"]

    assert all(piece["shape"].startswith("die-") for piece in own["pieces"])
    assert [piece["text"] for piece in other["pieces"]] == ["?", "?"]


def test_men_and_stones_have_the_colours_of_their_names():
    """White men and stones are light and black ones dark, whoever plays them."""
    chess, go = Chess(), Go(size=9)
    men = chess.forms["scene"](after(chess).observe(None)).data["parts"][0]["pieces"]
    (stone,) = go.forms["scene"](after(go, "E5").observe(None)).data["parts"][0]["pieces"]

    assert {(piece["label"].split()[0], piece["tone"]) for piece in men} == {("white", "light"), ("black", "dark")}
    assert (stone["label"].split()[0], stone["tone"]) == ("black", "dark")


def test_captured_stones_lie_beside_the_board():
    """A stone that is surrounded is taken, and is counted for the player who took it."""
    go = Go(size=5)
    state = after(go, "B1", "A1", "A2", "C3")

    taken = go.forms["scene"](state.observe(0)).data["parts"][1]

    assert state.observe(0)["captured"] == {"Black": 1, "White": 0}
    assert [(own["tone"], own["count"], own["label"]) for own in taken["pieces"]] == [("light", 1, "taken by Black")]
