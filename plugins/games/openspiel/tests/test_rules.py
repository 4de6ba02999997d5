from collections import Counter

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Game
from arena.plugin import resolve
from arena_game_openspiel.board_games.breakthrough import Breakthrough
from arena_game_openspiel.board_games.checkers import Checkers
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.dots_and_boxes import DotsAndBoxes
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.morris import NineMensMorris
from arena_game_openspiel.board_games.nim import Nim
from arena_game_openspiel.board_games.othello import Othello
from arena_game_openspiel.board_games.oware import Oware
from arena_game_openspiel.board_games.pentago import Pentago
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.blackjack import Blackjack
from arena_game_openspiel.card_games.gin_rummy import GinRummy
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.card_games.holdem import TexasHoldem
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.dice_games.backgammon import Backgammon
from arena_game_openspiel.dice_games.liars_dice import LiarsDice
from arena_game_openspiel.dice_games.pig import Pig
from arena_game_openspiel.library.game_descriptions import WORDED
from arena_game_openspiel.strategic_games.auction import FirstPriceAuction
from arena_game_openspiel.strategic_games.bargaining import Bargaining
from arena_game_openspiel.strategic_games.blotto import Blotto
from arena_game_openspiel.strategic_games.goofspiel import Goofspiel
from arena_game_openspiel.strategic_games.matrix import MatchingPennies, PrisonersDilemma, RockPaperScissors


def _play(game, *labels, players=2):
    state, _ = game.start(Chance(0), players)
    for label in labels:
        (player,) = state.to_act()
        action = next(option.action for option in state.decision(player).options if option.label == label)
        state.apply({player: action})
    return state


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (TicTacToe(), ["X moves first", "draw", "earns 1", "diagonals"]),
        (ConnectFour(rows=5, columns=6, align=3), ["5 rows", "6 columns", "A to F", "3 of your discs", "draw"]),
        (KuhnPoker(), ["ante of 1 chip", "J, Q and K", "fold", "call", "bet 1 chip", "no ties", "only its holder"]),
        (LeducPoker(), ["ante of 1 chip", "2 chips more", "4 chips more", "at most two", "pair", "share the pot"]),
        (RockPaperScissors(), ["same time", "rock", "earns -1"]),
        (PrisonersDilemma(temptation=7.5), ["cooperate", "earns 7.5", "same time"]),
        (MatchingPennies(), ["heads", "mismatcher earns 1"]),
        (Hex(rows=5, columns=6), ["5 rows", "6 columns", "top edge", "left edge", "no draws"]),
        (Chess(), ["50 moves", "third time", "stalemate", "White moves first", "en passant"]),
        (Go(size=7, komi=5.5), ["7 by 7", "5.5 points", "liberties", "ko", "98 moves", "draw"]),
        (Hanabi(), ["never your own", "8 hint tokens", "3 lives", "at most 25", "everybody earns 0", "three cards"]),
        (LiarsDice(dice=2, faces=4), ["2 dice", "4 dice", "face 4 is wild", "higher", "liar"]),
        (Backgammon(scoring="full"), ["bar", "bear off", "3 and -3", "500 turns", "double is played twice"]),
        (
            Checkers(),
            ["8 rows", "White moves first", "must, with any", "farthest row", "40 moves", "no move in your turn"],
        ),
        (Othello(), ["e4 and d5", "Black moves first", "turns no disc", "only action is to pass", "more discs"]),
        (Pig(target=30, faces=8), ["faces 1 to 8", "roll of 1", "30 or more wins", "1000 rolls", "draw"]),
        (
            NineMensMorris(),
            ["a7-d7-g7", "nine men each", "only three men", "in a mill", "no move", "200 turns"],
        ),
        (Oware(seeds=3), ["A to F", "G to L", "3 seeds", "2 or 3 seeds", "more than 18", "never into", "reaches them"]),
        (Breakthrough(rows=7, columns=5), ["7 and 6", "rows 1 and 2", "a6xb5", "Black moves first", "no draws"]),
        (Breakthrough(rows=5), ["fill row 5", "fill row 1", "a5-a4"]),
        (Pentago(), ["a1 comes to c1", "five of", "If both players have five", "by 90 degrees"]),
        (
            Goofspiel(cards=5),
            ["A to E", "1 to 5 points", "random order", "share the highest card", "same time"],
        ),
        (FirstPriceAuction(most=7), ["from 1 to 7", "bid 0 to 5", "one less", "draws one of them", "stays sealed"]),
        (
            Nim(heaps=(2, 1), misere=False),
            ["heap A with 2 things and heap B with 1 thing", "last thing wins", "no draws"],
        ),
        (Nim(), ["last thing loses", "nobody may pass"]),
        (Blackjack(), ["counts 11 or 1", "16 or less", "first card is hidden", "0 if both are equal"]),
        (Blotto(coins=6, fields=4), ["4 fields, lettered A to D", "6 coins", "nobody wins it", "same time"]),
        (Bargaining(offers=6), ["worth 10 to each", "6 offers", "cannot be accepted", "both earn 0", "hidden from"]),
        (
            GinRummy(knock=5, gin_bonus=20),
            ["at most 5 deadwood", "gin 20 more", "25 more", "2 cards", "ace low"],
        ),
        (DotsAndBoxes(rows=2, columns=4), ["3 rows of 5 dots", "8 boxes", "fourth side", "draw another line", "a1-a2"]),
        (
            TexasHoldem(stack=3000),
            ["2 to 10 players", "50 chips by player 1 and 100", "3000 chips", "half of what the pot"],
        ),
        (TexasHoldem(betting="limit", big_blind=80), ["2 to 4 players", "80 chips", "160 in the others", "at most 3"]),
    ],
)
def test_rules_say_what_one_must_know(game: Game, words):
    """The rules name the sizes, payments, ties and who sees what."""
    for word in words:
        assert word in game.rules, word


def test_rules_of_the_worded_games_have_80_to_250_words():
    """Long enough to explain, short enough to be read; five games whose rules are not so short are longer."""
    worded = [resolve(f"arena_game_openspiel.{own.factory}")() for own in WORDED.values()]
    longer = {
        type(game).__name__
        for game in [*worded, TexasHoldem(), TexasHoldem(betting="limit")]
        if not 80 <= sum(any(map(str.isalnum, word)) for word in game.rules.split()) <= 250
    }

    assert longer == {"Backgammon", "Chess", "Go", "Hanabi", "LeducPoker"}


def test_hex_cells_touch_as_the_rules_say():
    """b3 touches a3, c3, b2, c2, a4 and b4: chains over each of these pairs win, over others they do not."""
    won = _play(Hex(rows=4, columns=4), "c1", "a1", "c2", "a2", "b3", "a3", "b4")
    assert won.returns() == [1.0, -1.0]
    slanted = _play(Hex(rows=4, columns=4), "d1", "a1", "c2", "a2", "b3", "b1", "a4")
    assert slanted.returns() == [1.0, -1.0]
    apart = _play(Hex(rows=4, columns=4), "a1", "d1", "b2", "d2", "c3", "d3", "d4")
    assert apart.returns() is None


def test_o_joins_left_and_right():
    """O wins from column a to the last column."""
    state = _play(Hex(rows=3, columns=3), "a1", "a2", "b1", "b2", "c1", "c2")

    assert state.observe(None)["outcome"] == "O won"


def test_go_captures_refuses_suicide_and_ko():
    """A group without liberties is taken off; suicide and taking back a ko are refused in words."""
    state = _play(Go(size=5), "B1", "A1", "A2")
    assert state.observe(None)["board"][4][0] == ""
    assert "no liberties" in state.check(1, 0).reason
    ko = _play(Go(size=5), "B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2")
    assert "ko" in ko.check(0, 7).reason


def test_go_counts_stones_and_surrounded_points():
    """Two passes end the match; the whole board counts for the only stone on it, less komi."""
    black = _play(Go(size=3, komi=7.5), "B2", "pass", "pass")
    none = _play(Go(size=3, komi=9.5), "B2", "pass", "pass")

    assert black.returns() == [1.0, -1.0]
    assert none.returns() == [-1.0, 1.0]


def test_chess_is_drawn_by_repetition_without_a_claim():
    """The third occurrence of a position ends the match."""
    state = _play(Chess(notation="san"), *["Nf3", "Nf6", "Ng1", "Ng8"] * 2)

    assert state.returns() == [0.0, 0.0]


def test_white_moves_first_and_mates():
    """White is player 0; the shortest mate is Black's."""
    state = _play(Chess(notation="san"), "f3", "e5", "g4", "Qh4#")

    assert state.observe(None)["outcome"] == "Black won"
    assert state.returns() == [-1.0, 1.0]


def test_backgammon_starts_as_the_rules_say():
    """Both sides see 2, 5, 3 and 5 of their checkers on 24, 13, 8 and 6 in their own numbers."""
    state, _ = Backgammon().start(Chance(0), 2)
    for player, seat in enumerate(("X", "O")):
        points = state.observe(player)["points"]
        own = {point: count for point, (side, count) in points.items() if side == seat}
        assert own == {"24": 2, "13": 5, "8": 3, "6": 5}


def test_a_backgammon_match_without_a_winner_is_a_draw(walk):
    """After the last turn nobody earns anything."""
    *_, last = walk(Backgammon(max_turns=6))

    assert last.state.returns() == [0.0, 0.0]


def test_hanabi_deals_the_cards_of_the_rules():
    """Three ones, one of the highest rank and two of each other rank of a colour."""
    state, _ = Hanabi(colours=2, ranks=4).start(Chance(0), 2)
    while state.to_act() and state.observe(None)["deck"]:
        (player,) = state.to_act()
        options = state.decision(player).options
        state.apply({player: next((o.action for o in options if "discard" in o.label), options.actions[-1])})
    view = state.observe(None)

    cards = Counter([*view["discards"], *(card["card"] for hand in view["hands"].values() for card in hand)])

    assert cards == {f"{c}{r}": n for c in "RY" for r, n in ((1, 3), (2, 2), (3, 2), (4, 1))}


@pytest.mark.parametrize(("bid", "winner"), [("bid 3 x face 2", 0), ("bid 4 x face 2", 1), ("bid 2 x face 6", 1)])
def test_the_highest_face_of_a_die_is_wild(bid, winner):
    """With 2, 2, 6 and 4 three dice count for the face 2, and one for the face 6."""
    state, _ = LiarsDice(dice=2).start(Chance(0, {0: 1, 1: 1, 2: 5, 3: 3}), 2)
    bids = {option.label: option.action for option in state.decision(0).options}
    state.apply({0: bids[bid]})

    events = state.apply({1: 24})

    assert events[-1].data == {"dice": [[2, 2], [4, 6]], "winner": winner}


def test_a_dilemma_must_be_one():
    """Payoffs out of order are a mistake of the configuration."""
    with pytest.raises(ConfigError, match="go down"):
        PrisonersDilemma(temptation=1.0)


@pytest.mark.parametrize("make", [lambda: ConnectFour(rows=1), lambda: Go(size=25), lambda: LiarsDice(dice=0)])
def test_sizes_out_of_range_are_refused(make):
    """A board or hand that cannot be played is refused when the game is made."""
    with pytest.raises(ValueError, match="must be"):
        make()


def test_tic_tac_toe_is_worth_what_its_facts_say():
    """Minimax over all positions gives the declared optimum, uniform play the known 737/1260 wins of X."""
    seen = {}

    def value(state, place):
        key = str(state.observe(None))
        if key not in seen:
            returns = state.returns()
            if returns is not None:
                seen[key] = (returns[0], float(returns[0] > 0))
            else:
                player = place % 2
                children = []
                for action in state.decision(player).options.actions:
                    child = state.clone()
                    child.apply({player: action})
                    children.append(value(child, place + 1))
                best = max if player == 0 else min
                seen[key] = (best(v for v, _ in children), sum(w for _, w in children) / len(children))
        return seen[key]

    optimum, wins = value(TicTacToe().start(Chance(0), 2)[0], 0)

    assert len(seen) == 5478
    assert optimum == TicTacToe().facts(2).optimal_returns[0]
    assert wins == pytest.approx(737 / 1260)


def test_kuhn_poker_is_worth_what_its_facts_say():
    """Counterfactual regret minimization comes to the declared value."""
    import pyspiel

    game = KuhnPoker()
    solver = pyspiel.CFRPlusSolver(game.engine(2))
    for _ in range(300):
        solver.evaluate_and_update_policy()
    value = pyspiel.expected_returns(game.begin(2, Chance(0)), solver.tabular_average_policy(), -1, True)

    assert value == pytest.approx(game.facts(2).optimal_returns, abs=1e-4)


@pytest.mark.campaign
def test_leduc_poker_is_worth_what_its_facts_say():
    """Counterfactual regret minimization comes to the declared value."""
    import pyspiel

    game = LeducPoker()
    solver = pyspiel.CFRPlusSolver(game.engine(2))
    for _ in range(2000):
        solver.evaluate_and_update_policy()
    value = pyspiel.expected_returns(game.begin(2, Chance(0)), solver.tabular_average_policy(), -1, True)

    assert value == pytest.approx(game.facts(2).optimal_returns, abs=1e-5)
