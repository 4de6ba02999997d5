from collections import Counter

import pytest
from arena.chance import Chance
from arena.game import Illegal, State
from arena.testing import check_game
from arena_game_two_by_two.casting import tell
from arena_game_two_by_two.situations import library
from arena_game_two_by_two.writing import WRITER, TwoByTwoWriting

RIGHT, WRONG = tell("111", 0).text, tell("122", 0).text


def start(**parameters: int) -> State:
    state, _ = TwoByTwoWriting("111", "Law", **parameters).start(Chance(0), 1)
    return state


@pytest.mark.campaign
def test_writing_keeps_the_contract():
    """It passes what every game has to pass."""
    check_game(TwoByTwoWriting("322"))


def test_a_story_of_the_right_game_is_accepted():
    """A draft without faults ends the match and is kept as accepted."""
    state = start()

    *_, accepted = state.apply({WRITER: RIGHT})

    assert (accepted.kind, accepted.data) == ("accepted", {"game": "111", "text": RIGHT})
    assert state.returns() == (1.0,)


def test_faults_are_shown_with_the_draft():
    """A draft that tells another game comes back with what is wrong in it."""
    state = start()

    _, verified = state.apply({WRITER: WRONG})
    seen = state.observe(WRITER)

    assert state.decision(WRITER).phase == "correct"
    assert seen["text"] == WRONG  # type: ignore[index,call-overload]
    assert seen["faults"] == verified.data["faults"] != []  # type: ignore[index,call-overload]


def test_corrections_run_out_and_then_drafts():
    """After two corrections the writer starts anew without the old draft; after the last one the story is rejected."""
    state = start(corrections=2, drafts=2)

    seen = []
    while state.to_act():
        seen.append((state.observe(WRITER)["draft"], state.observe(WRITER)["version"]))  # type: ignore[index,call-overload]
        *_, last = state.apply({WRITER: WRONG})

    assert seen == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    assert last.kind == "rejected"
    assert state.returns() == (0.0,)


def test_only_texts_are_stories():
    """Anything but a text of a sensible length is refused with a reason."""
    for action in (None, 3, "", "x" * 30_000, ["a"]):
        refused = start().check(WRITER, action)
        assert isinstance(refused, Illegal)
        assert "a story as one text" in refused.reason


def topic_of(game: TwoByTwoWriting, seed: int) -> str:
    """The topic of one match."""
    state, _ = game.start(Chance(seed), 1)
    return state.observe(WRITER)["topic"]  # type: ignore[index,call-overload,return-value]


def test_topics_are_drawn_by_the_shares_of_the_paper():
    """Without a topic each match draws one, Business in 11.1 per cent; one that is given is kept."""
    drawn = Counter(topic_of(TwoByTwoWriting("111"), seed) for seed in range(7_200))

    assert set(drawn) == {topic.name for topic in library("shipped")}
    assert all(abs(drawn[topic.name] / 7_200 - topic.stories / 720) < 0.015 for topic in library("shipped"))
    assert {topic_of(TwoByTwoWriting("111", "Law"), seed) for seed in range(5)} == {"Law"}
