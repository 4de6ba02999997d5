"""What reasoning refers to, in real positions of real games."""

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.record import Player
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.library.generic import OpenSpiel
from arena_metric_reasoning import claims, references
from arena_metric_reasoning.mentions import MentionFinder
from arena_metric_reasoning.references import FREE, HELD, ILLEGAL, MISSING, TAKEN


def sight(game, *labels):
    """What the player to act can refer to after some actions, given by their labels."""
    state, _ = game.start(Chance(1), 2)
    known = []
    for label in (*labels, None):
        (player,) = state.to_act()
        offered = [option.label for option in state.decision(player).options]
        known += offered
        if label is not None:
            state.apply({player: state.decision(player).options.actions[offered.index(label)]})
    return MentionFinder.of(game.names(state.observe(player)), offered, known), state.observe(player)


def flags(text, seen, played=None):
    """The flags of one reasoning."""
    thing = next(iter(seen.legal)) if played is None else seen.called(played)
    return set(references.check(text, seen, thing, claims.load("english")).flags)


TAKEN_CENTRE = ("row 2, column 2",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I should play d4.", {MISSING}),
        ("Somewhere near b2 perhaps.", set()),
        ("Row 4, column 1 wins.", {MISSING}),
        ("Row 2, column 2 is still free.", {FREE}),
        ("The square row 2 and column 2 is empty", {FREE}),
        ("row 2, column 2 is not free", set()),
        ("the opponent took row 2, column 2", set()),
        ("row 1, column 1 is already taken", {TAKEN}),
        ("row 1, column 1 is free and I take it", set()),
        ("I will play row 2, column 2.", {ILLEGAL}),
        ("I will not play row 2, column 2.", set()),
        ("I will play row 1, column 3.", set()),
        ("There is an open row 2, column 2", {FREE}),
        ("no free row 2, column 2", set()),
        ("Row 2, column 2? It is free of charge to dream.", set()),
        ("nothing at all", set()),
    ],
)
def test_cells_of_tic_tac_toe(text, expected):
    """A cell off the board, a taken one called free, a free one called taken, and an illegal decision are flagged."""
    seen, _ = sight(TicTacToe(), *TAKEN_CENTRE)

    assert flags(text, seen) == expected


@pytest.mark.parametrize(
    ("game", "labels", "text", "expected"),
    [
        (ConnectFour(), (), "column H is open", {MISSING}),
        (ConnectFour(), (), "column D is open, D1 is empty", set()),
        (ConnectFour(), ("column D",), "D1 is empty", {FREE}),
        (ConnectFour(rows=2), ("column A", "column A"), "I will play column A", {ILLEGAL}),
        (Hex(rows=3, columns=3), ("b2",), "I choose d4; b2 is free", {MISSING, FREE, ILLEGAL}),
        (Go(size=9), ("E5",), "E5 is free, I9 is not on the board, J9 is", {MISSING, FREE}),
        (Chess(), (), "the pawn goes from e2 to e4; i9 is far away", {MISSING}),
        (Chess(), (), "e2 is empty", {FREE}),
        (Chess(), ("e2e4",), "I will play e2e4", {ILLEGAL}),
    ],
)
def test_other_boards(game, labels, text, expected):
    """Every curated board says itself how its places are written."""
    seen, _ = sight(game, *labels)

    assert flags(text, seen) == expected


def test_cards_that_are_not_held():
    """A card one says to have and has not is flagged; the own one is not, nor what others may have."""
    seen, view = sight(KuhnPoker())
    own = view["cards"][view["you"]]
    other = next(card for card in "JQK" if card != own)

    assert flags(f"I have the {other}, so I bet.", seen) == {HELD}
    assert flags(f"I hold a {own}. If I have the {other}, fine; they may have the {other}.", seen) == set()
    assert flags("My card is an ace", seen) == {MISSING}


def test_actions_that_are_not_on_offer():
    """In a game of actions in words, what belongs to another situation cannot be decided on."""
    seen, _ = sight(KuhnPoker(), "bet 1 chip")

    assert flags("I will call, since he bet.", seen, "call 1 chip") == set()
    assert flags("I decide to check.", seen, "call 1 chip") == {ILLEGAL}


def test_any_game_with_labels():
    """Where a game declares no names its labels give their shape: another number in it is no action of the match."""
    game = OpenSpiel(name="clobber", parameters={"rows": 4, "columns": 4})
    state, _ = game.start(Chance(0), 2)
    offered = [option.label for option in state.decision(state.to_act()[0]).options]
    seen = MentionFinder.of((), offered, ())

    assert game.names(state.observe(Player(0))) == ()
    assert flags(f"I play {offered[0]}", seen) == set()
    assert MISSING in flags(f"I play {offered[0].replace(offered[0][1], '9', 1)}", seen)


@pytest.mark.parametrize(
    ("text", "last", "intended", "contradicts"),
    [
        ("row 1, column 1 or row 3, column 3", True, None, False),
        ("row 3, column 3 or row 1, column 1", False, None, False),
        ("I will play row 1, column 1. Not that row 3, column 3 is bad", True, False, False),
        ("I choose row 3, column 3.", True, True, False),
        ("My best move is row 3, column 3. I should not play row 3, column 3.", True, True, True),
        ("row 3, column 3 is free. But row 3, column 3 is taken.", True, None, True),
        ("Hm.", None, None, False),
    ],
)
def test_coherence(text, last, intended, contradicts):
    """The action named last, the one decided on, and contradictions are told apart."""
    seen, _ = sight(TicTacToe(), *TAKEN_CENTRE)
    found = references.check(text, seen, seen.called("row 3, column 3"), claims.load("english"))

    assert (found.last, found.intended, found.contradicts) == (last, intended, contradicts)


def test_names_follow_the_view():
    """Whether a card is held is said of the player's own view alone; the spectator holds none."""
    game = KuhnPoker()
    state, _ = game.start(Chance(1), 2)

    (own,) = game.names(state.observe(Player(0)))
    (all_,) = game.names(state.observe(None))
    assert sorted(set(own.status.values())) == ["elsewhere", "held"]
    assert set(all_.status.values()) == {"unknown"}


def test_claims_need_their_places(tmp_path):
    """Expressions without the place of a name, or that are none, are refused with a sentence."""
    from arena_metric_reasoning.reasoning import Reasoning

    for name, text in (("place", "free"), ("expression", "({name}")):
        path = tmp_path / f"{name}.yaml"
        other = "\n".join(f"{c}: ['{{name}}']" for c in claims.CLAIMS if c != "free")
        path.write_text(f"free: ['{text}']\n{other}\n", "utf-8")
        with pytest.raises(ValueError, match=r"has no|no regular expression"):
            Reasoning(claims=str(path))


def test_an_expression_that_does_not_end_is_given_up(tmp_path):
    """It is a sentence about the expression, not a report that nothing can stop."""
    path = tmp_path / "claims.yaml"
    path.write_text("summary: slow\n" + "\n".join(f"{c}: ['(x|x)*[yz]{{name}}']" for c in claims.CLAIMS))

    with pytest.raises(ConfigError, match=r"the expression '\(x\|x\)\*\[yz\]\{name\}' takes more than 1 s"):
        claims.load(str(path)).about("x" * 60 + " b2", 61, 63)
