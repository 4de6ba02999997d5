"""Stories without figures: each party's order is told in words, and read from them."""

import re

import attrs
import pytest
from arena.chance import Chance
from arena_game_two_by_two.casting import STORIES, Key, tell
from arena_game_two_by_two.orders import rank_before
from arena_game_two_by_two.story_games import TwoByTwoStory
from arena_game_two_by_two.tellings import order_words
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verifier import read_scenario, verify

KEYS = [(game, number) for game in GAMES for number in range(STORIES)][::71]


@pytest.mark.parametrize("key", KEYS)
def test_the_order_is_read_from_the_words(key: Key):
    """A scenario without figures has all eight places, and gives its game back with and without the other sections."""
    story, matrix = tell(*key, ranks="words"), GAMES[key[0]].matrix

    assert not re.search(r"\(\d", story.scenario)
    assert len(re.findall(r"\(A\d, B\d\)", story.scenario)) == 12
    assert verify(story.text, matrix) == []
    assert read_scenario(story.scenario) == matrix


@pytest.mark.parametrize("sentences", order_words())
def test_every_set_of_words_tells_all_places(sentences: tuple[str, ...]):
    """In each set every place is told once, in two or three sentences, by what stands before it."""
    text = " ".join(sentences)
    places = list(re.finditer(r"\{([1-4])\}", text))
    before = [re.sub(r"\{[1-4]\}", "a road (A1, B1)", text[: place.start()]) for place in places]

    assert 2 <= len(sentences) <= 3
    assert len(sentences) == len(re.findall(r"\.(?: |$)", text))
    assert sorted(place[1] for place in places) == ["1", "2", "3", "4"]
    assert [rank_before(part) for part in before] == [int(place[1]) for place in places]


STORY = tell("111", 0, ranks="words")
CODES = re.findall(r"\(A\d, B\d\)", STORY.scenario)


def planted(changed: str) -> list[str]:
    return verify(attrs.evolve(STORY, scenario=changed).text, GAMES["111"].matrix)


def test_an_exchanged_order_is_found():
    """Two places exchanged in one party's order are named, with both worths."""
    head, last, tail = STORY.scenario.rpartition(CODES[-1])
    start, other, middle = head.rpartition(CODES[-2])

    faults = planted(start + last + middle + other + tail)

    assert len(faults) == 2
    assert all(re.fullmatch(r"\[Scenario\]: \(A., B.\) is worth . to ., expected .", fault) for fault in faults)


def test_a_missing_and_a_doubled_place_are_found():
    """An order that leaves out a combination says so, and so does one that names a combination twice."""
    head, _, tail = STORY.scenario.rpartition(CODES[-1])

    assert "order does not say where" in planted(head + tail)[0]
    assert "twice" in planted(head + CODES[-2] + tail)[0]


def test_a_scenario_that_orders_nothing_says_what_is_missing():
    """Where neither figures nor words say what an outcome is worth, the fault is that of scenarios with figures."""
    story = tell("111", 0)

    faults = verify(attrs.evolve(story, scenario=re.sub(r" \(\d\)", "", story.scenario)).text)

    assert faults == ["[Scenario]: it does not say what (A1, B1), (A1, B2), (A2, B1), (A2, B2) would be worth to both"]


def test_words_are_a_form_of_their_own():
    """Questions without figures have another form."""
    (question,) = TwoByTwoStory("122", 3, ranks="words").questions(Chance(0))

    assert question.form == "story-words"
    assert question.text.startswith(tell("122", 3, ranks="words").scenario)
