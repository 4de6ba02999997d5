"""What the player of Hanabi by rules does, and how well."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.record import Ending
from arena.testing import REFERENCE_GAME, check_agent
from arena_agent_hanabi.rules import HanabiRules, choice
from arena_agent_hanabi.table import SeenTable, deck
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.engine.game import SpielState
from arena_metric_statistics.means import mean
from arena_testing.fixtures.play_match import play

COLOURS = ["red", "yellow", "green", "white", "blue"]
RANKS = [1, 2, 3, 4, 5]
CARDS = deck(5, 5)
WANTED = {2: 14.0, 3: 12.0, 4: 12.0, 5: 12.0}


TABLE: dict[str, Any] = {
    "you": "player 1",
    "fireworks": dict.fromkeys(COLOURS, 0),
    "hint_tokens": 4,
    "lives": 3,
    "deck": 30,
    "discards": [],
}


def chosen(state: SpielState, cards: dict[str, int]) -> tuple[int, Any]:
    """The player to act and the action that the rules choose from its observation."""
    (player,) = state.to_act()
    options = state.decision(player).options
    assert options is not None
    actions = {option.label: option.action for option in options}
    return player, actions[choice(SeenTable.read(state.observe(player), cards), actions)]


def score(game: Hanabi, players: int, seed: int) -> float:
    """The score of one deal with the rules in all seats."""
    cards = deck(game.colours, game.ranks)
    state, _ = game.start(Chance(seed), players)
    while state.to_act():
        player, action = chosen(cast("SpielState", state), cards)
        state.apply({cast("Any", player): action})
    returns = state.returns()
    assert returns is not None
    return returns[0]


def hand(*cards: tuple[str | None, Sequence[str], Sequence[int]]) -> list[dict[str, Any]]:
    """A hand of an observation: faces, and what hints leave open."""
    return [
        {"position": "ABCDE"[place], "card": face, "may_be": {"colours": list(colours), "ranks": list(ranks)}}
        for place, (face, colours, ranks) in enumerate(cards)
    ]


def view(own: list[dict[str, Any]], other: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """What player 1 of two sees."""
    return {
        **TABLE,
        "hands": {"player 1": own, "player 2": other},
        **changes,
    }


def said(seen: dict[str, Any], *legal: str) -> str:
    """The label that the rules choose; all that a hand and the hints allow is legal unless ``legal`` says what is."""
    own = [f"{act} card {card['position']}" for act in ("play", "discard") for card in seen["hands"]["player 1"]]
    other = [card["card"] for card in seen["hands"]["player 2"]] if seen["hint_tokens"] else []
    names = dict(zip("RYGWB", COLOURS, strict=True))
    hints = [f"tell player 2 its {names[face[0]]} cards" for face in other]
    hints += [f"tell player 2 its cards of rank {face[1]}" for face in other]
    return choice(SeenTable.read(seen, CARDS), dict.fromkeys(legal or (*own, *hints)))


UNKNOWN = (None, COLOURS, RANKS)
FOUR_FIVES = hand(*((f"{colour}5", COLOURS, RANKS) for colour in "RYGW"))


def test_plays_what_fits_whatever_it_may_be():
    """A one while nothing is laid fits in any colour, and is played before anything is hinted."""
    own = hand(UNKNOWN, (None, COLOURS, [1]), UNKNOWN)

    assert said(view(own, hand(("R1", COLOURS, RANKS)))) == "play card B"
    assert said(view(own, FOUR_FIVES, fireworks={**dict.fromkeys(COLOURS, 0), "red": 1})) != "play card B"


def test_counts_the_cards_it_sees():
    """A red card that is a one or a two is a two once all three red ones lie there or are seen elsewhere."""
    own = hand((None, ["red"], [1, 2]), UNKNOWN)
    laid = {**dict.fromkeys(COLOURS, 0), "red": 1}
    other = hand(("R1", COLOURS, RANKS), ("B5", COLOURS, RANKS))

    assert said(view(own, other, fireworks=laid, discards=["R1"], hint_tokens=0)) == "play card A"
    assert said(view(own, other, fireworks=laid, hint_tokens=0)) != "play card A"


def test_tells_what_can_then_be_played():
    """The hint that makes another player certain of a card that fits comes before any discard."""
    other = hand(("R3", COLOURS, RANKS), ("Y1", COLOURS, RANKS), ("B1", COLOURS, RANKS))

    assert said(view(hand(UNKNOWN, UNKNOWN), other)) == "tell player 2 its cards of rank 1"


def test_tells_nothing_twice():
    """What its holder can play already is not hinted again."""
    other = hand(("Y1", COLOURS, [1]), ("Y3", ["yellow"], [3]))
    own = hand(UNKNOWN, (None, ["red"], [2]))

    assert said(view(own, other)).startswith("discard")


def test_discards_what_is_useless_before_anything_else():
    """A card that lies there already goes first, wherever it is in the hand."""
    laid = {**dict.fromkeys(COLOURS, 1)}
    own = hand(UNKNOWN, UNKNOWN, (None, COLOURS, [1]))

    assert said(view(own, FOUR_FIVES, fireworks=laid, hint_tokens=0)) == "discard card C"


def test_cards_above_a_lost_rank_are_useless():
    """With both red twos gone no red card above can be played, so a red five need not be kept."""
    table = SeenTable.read(view(hand(UNKNOWN), FOUR_FIVES, discards=["R2", "R2"]), CARDS)

    assert {"R2", "R3", "R4", "R5"} <= table.useless
    assert "R1" not in table.useless
    assert table.last_copies == {"Y5", "G5", "W5", "B5"}


def test_keeps_the_last_card_of_its_kind():
    """A five is never the one to be discarded while another card is there."""
    own = hand((None, COLOURS, [5]), UNKNOWN)

    assert said(view(own, FOUR_FIVES, hint_tokens=0)) == "discard card B"


def test_risks_a_life_only_when_the_deck_has_run_out():
    """What may fit is played at the end if a life is to spare, and not before."""
    own, laid = hand((None, COLOURS, [2])), {**dict.fromkeys(COLOURS, 0), "red": 1}

    assert said(view(own, FOUR_FIVES, fireworks=laid, hint_tokens=0, deck=0)) == "play card A"
    assert said(view(own, FOUR_FIVES, fireworks=laid, hint_tokens=0, deck=0, lives=1)) == "discard card A"
    assert said(view(own, FOUR_FIVES, fireworks=laid, hint_tokens=0)) == "discard card A"


def test_gives_some_hint_where_nothing_may_be_discarded():
    """With all hint tokens there, a hint is given even if it tells nothing of use."""
    other = hand(("Y1", ["yellow"], [1]))
    hints = ("tell player 2 its yellow cards", "tell player 2 its cards of rank 1")

    assert said(view(hand(UNKNOWN), other, hint_tokens=8), "play card A", *hints) in hints


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
def test_what_it_does_not_see_changes_nothing(players: int):
    """In every position that it cannot tell from the real one, the rules choose the same action."""
    compared = 0
    for seed in range(2):
        state, _ = Hanabi().start(Chance(seed), players)
        while state.to_act():
            player, action = chosen(cast("SpielState", state), CARDS)
            other = state.resample_hidden(cast("Any", player), Chance(seed + 100))
            if other is not None:
                compared += 1
                assert chosen(cast("SpielState", other), CARDS) == (player, action)
            state.apply({cast("Any", player): action})

    assert compared > 50


@pytest.mark.campaign
@pytest.mark.parametrize("players", WANTED)
def test_scores_well_with_itself(players: int):
    """Over thirty deals the rules score what is wanted of them with every number of players, and lose none."""
    scores = [score(Hanabi(), players, seed) for seed in range(30)]

    assert mean(scores, bounds=(0, 25)).value >= WANTED[players]
    assert min(scores) > 0


@pytest.mark.campaign
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("players", "hand_size"),
    [
        (2, None),
        (3, None),
        (4, None),
        (4, 5),
        (5, None),
    ],
)
def test_scores_well_over_a_thousand_deals(players: int, hand_size: int | None):
    """The mean over 1,000 deals, with its interval, by number of players; with four also five cards each."""
    found = mean([score(Hanabi(hand_size=hand_size), players, seed) for seed in range(1_000)], bounds=(0, 25))

    print(f"\n{players} players, hand {hand_size}: {found}")  # noqa: T201 -- shown by pytest -rP
    assert cast("float", found.low) >= WANTED[players]


def test_plays_a_whole_match_with_the_referee(tmp_path: Path):
    """Seated as an agent it plays to the end by the rules, with the score of the same deal played directly."""
    record = play(Hanabi(), [HanabiRules()] * 3, tmp_path, seed=4).over

    assert record.ending is Ending.RULES
    assert record.returns == (score(Hanabi(), 3, 4),) * 3


@pytest.mark.slow
@pytest.mark.sample(slow=2)
@pytest.mark.parametrize("game", [Hanabi(), Hanabi(colours=2, ranks=2, hand_size=2, hints=1, lives=1)])
@pytest.mark.parametrize("players", [2, 4])
def test_keeps_the_contract_of_agents(game: Hanabi, players: int):
    """In every seat, beside random players and itself, all it does is legal, and replays the same."""
    if players not in game.player_counts():
        players = max(game.player_counts())

    assert check_agent(HanabiRules(), game, players, matches=1, is_legal=True).replies > 0


def test_other_games_are_refused():
    """What is no Hanabi is refused before anything is played."""
    with pytest.raises(ConfigError, match="hanabi-rules plays hanabi"):
        HanabiRules().needs(REFERENCE_GAME, 2)
