"""The verdict's sentences and numbers, case by case."""

from collections.abc import Iterator

import pytest
from arena.metric import Baseline
from arena_report import Contest, verdict_of

CHIPS = Baseline(
    random=(0.1, -0.1),
    random_errors=(0.1, 0.1),
    random_n=400,
    returns="zero-sum",
    min_return=-2.0,
    max_return=2.0,
    return_unit="chips a hand",
)
TEAM = Baseline(random=(1.2, 1.2), random_errors=(0.1, 0.1), random_n=400, returns="cooperative", optimal=(25.0, 25.0))


def matches(won: int, lost: int, drawn: int, a="A", b="B", game="hex", block=1) -> list[Contest]:
    """Matches of two agents in this order, ``block`` of them in each rotation block."""
    gaps = [1.0] * won + [-1.0] * lost + [0.0] * drawn
    return [
        Contest(
            game=game, block=f"{game}/{a}{b}{i // block}", match=f"{game}/{a}{b}/{i}", returns={a: gap, b: 0.0 - gap}
        )
        for i, gap in enumerate(gaps)
    ]


def paid(*gains: float, a="A", b="B", game="kuhn") -> list[Contest]:
    """Matches in which the first agent earns so much, and the second loses it."""
    return [
        Contest(game=game, block=f"{game}/{i}", match=f"{game}/{i}", returns={a: gain, b: 0.0 - gain})
        for i, gain in enumerate(gains)
    ]


def cases() -> Iterator[tuple[list[Contest], str]]:
    yield (
        matches(14, 5, 1),
        "A beats B: 14–5–1 (won–lost–drawn) in 20 matches, +168 Elo (95 %: +12 … +456).",
    )
    yield (
        matches(11, 8, 1),
        "A and B cannot be told apart: 11–8–1 (won–lost–drawn) in 20 matches, +53 Elo (95 %: −112 … +248); "
        "about 320 more matches would tell, if the difference is what it looks like (power 80 %).",
    )
    yield (
        matches(30, 0, 0, block=2),
        "A beats B: 30–0–0 (won–lost–drawn) in 30 matches (15 blocks), at least +222 Elo.",
    )
    yield (
        matches(0, 6, 0),
        "B beats A: 6–0–0 (won–lost–drawn) in 6 matches, at least +28 Elo.",
    )
    yield (
        matches(5, 0, 0),
        "A and B cannot be told apart: 5–0–0 (won–lost–drawn) in 5 matches, at least −15 Elo; "
        "6 matches won like this would tell.",
    )
    yield (
        matches(0, 0, 10, block=2),
        "A and B: 0–0–10 (won–lost–drawn) in 10 matches (5 blocks), all alike: no interval, nothing can be said.",
    )
    yield (
        matches(1, 1, 0, block=2),
        "A and B: 1–1–0 (won–lost–drawn) in 2 matches (1 block): no interval, nothing can be said.",
    )


@pytest.mark.parametrize(("contests", "sentence"), list(cases()))
def test_two_agents_get_one_sentence(contests, sentence):
    """What two agents did is said in one sentence, with n, interval and what is certain."""
    assert verdict_of(contests, {}, ratings={}).sentences == (sentence,)


def test_without_ratings_a_lead_is_a_share():
    """Where nothing published ratings the lead is the share of points, with its interval."""
    found = verdict_of(matches(14, 5, 1), {})

    assert found.sentences == ("A beats B: 14–5–1 (won–lost–drawn) in 20 matches, 73 % (95 %: 52 % … 93 %).",)


def test_payoffs_are_said_in_the_unit_of_the_game():
    """A game that pays chips is about chips, not about Elo: twice the gain, since what one wins the other loses."""
    found = verdict_of(paid(1, 1, -1, 2, 1, 1, 1, 2), {"kuhn": CHIPS}, ratings={})

    assert found.sentences == ("A earns 2.00 chips a hand more than B (95 %: 0.45 … 3.55) in 8 matches.",)
    assert found.pairs[0].measure == "return"
    assert found.pairs[0].unit == "chips a hand"


def test_several_agents_are_told_in_order_as_far_as_it_is_certain():
    """The longest top group whose ranks are certain comes first, then who cannot be told apart."""
    contests = [
        *matches(40, 0, 0, "mcts", "random"),
        *matches(38, 2, 0, "mcts", "first"),
        *matches(21, 19, 0, "first", "random"),
    ]
    found = verdict_of(contests, {}, ratings={})

    assert found.sentences == ("mcts is first; first and random cannot be told apart.",)
    assert [(each.rank, each.ranks) for each in found.ranking] == [(1, (1, 1)), (2, (2, 3)), (3, (2, 3))]
    assert [(pair.a, pair.b, pair.settled) for pair in found.pairs] == [
        ("mcts", "first", True),
        ("mcts", "random", True),
        ("first", "random", False),
    ]
    assert found.doubts == ("first cannot be told apart from random play",)


def test_games_that_contradict_each_other_are_named():
    """Who is better in one game and worse in another is not called better or worse without saying so."""
    found = verdict_of(matches(20, 1, 0, game="chess") + matches(1, 20, 0, game="hex"), {}, ratings={})

    assert found.sentences[0].startswith("A and B cannot be told apart: 21–21–0 (won–lost–drawn) in 42 matches, +0 Elo")
    assert found.sentences[1] == "A leads in chess, B in hex."
    assert list(found.by_game) == ["chess", "hex"]
    assert [line.partition(":")[0] for line in found.game_sentences] == ["chess", "hex"]


def test_kinds_that_cannot_be_added_up_are_told_game_by_game():
    """Where wins and chips are mixed, the sentence over all says only who leads where."""
    found = verdict_of(matches(20, 1, 0) + paid(1, -1, 1, -1), {"kuhn": CHIPS}, ratings={})

    assert found.sentences == ("A leads in hex; nobody certainly leads in kuhn.",)
    assert found.pairs == ()
    assert found.by_game["kuhn"].pairs[0].difference == 0


def test_agents_that_have_not_met_are_not_ranked_over_kinds_but_compared():
    """Where two agents met only a third nobody leads; who certainly beats whom is said over all games all the same."""
    met = matches(20, 1, 0, "optimal", "model") + matches(10, 9, 0, "random", "model")
    found = verdict_of(met + paid(1, -1, 1, -1), {"kuhn": CHIPS}, ratings={})
    all_met = verdict_of(met + matches(12, 9, 0, "optimal", "random") + paid(1, -1), {"kuhn": CHIPS}, ratings={})

    assert found.sentences == ("optimal beats model in hex; nobody certainly leads in kuhn.",)
    assert found.game_sentences[0] == "hex: optimal beats model; random and model cannot be told apart."
    assert all_met.sentences == ("nobody certainly leads in hex and kuhn.",)


def test_cooperative_play_is_compared_by_mean_returns_beside_random_and_optimal():
    """Teams that never meet are compared by what they earn, with what random and optimal play earn beside it."""
    contests = [
        Contest(game="hanabi", block=f"{i}", match=f"{who}/{i}", returns={who: 2 * gain}, seats={who: (0, 1)})
        for who, gains in (("A", (10, 12, 11, 9)), ("B", (5, 6, 7, 5)))
        for i, gain in enumerate(gains)
    ]
    found = verdict_of(contests, {"hanabi": TEAM}, ratings={})

    assert found.sentences[0].startswith("A earns")
    assert found.sentences[0].endswith("random play earns 1.20, optimal play 25.0.")
    assert [each.mean_return for each in found.ranking] == [10.5, 5.75]


def test_repeated_matches_count_once():
    """Two agents that repeat the same match have played it once, and the verdict says so."""
    contests = [
        Contest(
            game="hex",
            block=str(i // 2),
            match=str(i),
            returns={"A": 1.0, "B": -1.0},
            seats={"A": (i % 2,), "B": (1 - i % 2,)},
            played=f"as seat {i % 2}",
        )
        for i in range(20)
    ]
    found = verdict_of(contests, {}, ratings={})

    assert found.pairs[0].matches == 2
    assert found.pairs[0].blocks == 1
    assert not found.pairs[0].settled
    assert found.doubts == ("A and B repeat the same matches in hex: of 20 played, 2 are different and count",)


def test_matches_of_random_agents_count_though_they_are_alike():
    """In a short game an agent that plays at random often repeats a match by chance; each counts."""
    contests = [
        Contest(
            game=f"game[number={number}]",
            block=f"{number}/{i}",
            match=f"{number}/{i}",
            returns={"first": 1.0, "random": -1.0},
            seats={"first": (0,), "random": (1,)},
            played="the same",
        )
        for number in range(5)
        for i in range(2)
    ]

    assert verdict_of(contests, {}, ratings={}).ranking[0].matches == 10


def test_variants_of_a_game_repeat_matches_together():
    """Whether agents leave nothing to chance is judged over all variants of a game, not in each alone."""
    alike = [
        Contest(
            game=f"game[number={number}]",
            block=f"{number}/{i}",
            match=f"{number}/{i}",
            returns={"A": 1.0, "B": -1.0},
            seats={"A": (0,), "B": (1,)},
            played="the same" if number else f"another {i}",
        )
        for number in range(5)
        for i in range(2)
    ]

    assert verdict_of(alike, {}, ratings={}).ranking[0].matches == 10
    assert verdict_of(alike[2:], {}, ratings={}).ranking[0].matches == 4


def test_too_few_blocks_are_said_to_be_too_few():
    """Where even all won would not be enough, three agents are not called alike; the sentence says what is missing."""
    contests = [*matches(3, 0, 0, "A", "B"), *matches(3, 0, 0, "A", "C"), *matches(2, 1, 0, "B", "C")]

    assert verdict_of(contests, {}, ratings={}).sentences == (
        "too few matches to tell A, B and C apart (3 blocks a pair, at least 7 are needed).",
    )


def test_nothing_finished_says_why():
    """Without any result there is one sentence, with the reason, and no number."""
    found = verdict_of([], {}, failure="LiteLLM found no key (OPENAI_API_KEY)")

    assert found.sentences == ("No match has a result: LiteLLM found no key (OPENAI_API_KEY).",)
    assert found.ranking == found.pairs == ()


def test_json_holds_what_is_said():
    """As data the verdict has sentences, pairs and doubts, over all games and by game."""
    plain = verdict_of(matches(20, 1, 0) + matches(1, 2, 3, game="go"), {}, ratings={}).to_json()

    assert set(plain) >= {"sentences", "pairs", "doubts", "by_game"}
    assert set(plain["by_game"]) == {"hex", "go"}
    assert set(plain["pairs"][0]) >= {
        *("a", "b", "won", "drawn", "lost", "matches", "blocks", "measure"),
        *("difference", "interval", "settled", "more_matches"),
    }


def test_rank_lies_within_its_interval_where_a_sure_pair_contradicts_the_order():
    """Who surely beats a rival, and is behind it over all matches, has a rank that its interval holds."""
    told = [
        *matches(40, 0, 0, "A", "B"),
        *matches(0, 90, 0, "A", "C"),
        *matches(90, 0, 0, "B", "C"),
    ]

    ranking = verdict_of(told, {}).ranking

    assert [each.agent for each in ranking] == ["B", "C", "A"]
    assert all(each.ranks[0] <= each.rank <= each.ranks[1] for each in ranking)
