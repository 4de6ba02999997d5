from collections import Counter
from hashlib import sha256

import pytest
from arena_game_two_by_two.casting import STORIES, castings, tell
from arena_game_two_by_two.situations import library
from arena_game_two_by_two.story import Story, Unreadable
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verifier import verify

KEYS = [(game, number) for game in GAMES for number in range(STORIES)]


@pytest.fixture(scope="module")
def stories():
    """All 720, by game and number."""
    return {key: tell(*key) for key in KEYS}


# A game of two cafés with the payoffs of game 111. The preferences of A exchange the ranks 3 and 1, as those of the
# story that the paper prints do: they are read from the words, since they name no combination.
CAFES = """
[Characters]
{"A": "Lena, who owns a small café", "B": "Paul, owner of a chain of cafés"}
[/Characters]
[Choices]
{"A1": "Keep prices steady", "A2": "Lower prices", "B1": "Maintain the present branches",
 "B2": "Expand into the quarter"}
[/Choices]
[Preferences]
{"A": {4: "Lower prices while Paul expands (Lena gains guests)", 3: "RANK3", 2: "Lower prices while Paul maintains his \
branches (a needless fight)", 1: "RANK1"},
 "B": {4: "Maintain the branches while Lena keeps prices steady", 3: "Expand while Lena keeps prices steady", 2: \
"Maintain the branches while Lena lowers prices", 1: "Expand while Lena lowers prices"}}
[/Preferences]
[Payoff Matrix]
| A \\ B | B1 | B2 |
| A1 | 1 \\ 4 | 3 \\ 3 |
| A2 | 2 \\ 2 | 4 \\ 1 |
[/Payoff Matrix]
[Scenario]
Lena can keep prices steady (A1) or lower them (A2), Paul can maintain his branches (B1) or expand (B2). If nothing \
changes (A1, B1), Lena struggles (1) while Paul has a fine year (4). If only Lena acts (A2, B1), both are content \
(2, 2). Should only Paul act (A1, B2), both find their guests (3, 3). If both act (A2, B2), Paul loses money (1) and \
Lena wins (4). FILL
[/Scenario]
""".replace("FILL", "So it goes on. " * 40)
STEADY_EXPANDS = "Keep prices steady while Paul expands"
STEADY_MAINTAINS = "Keep prices steady while Paul maintains his branches"
RIGHT = CAFES.replace("RANK3", STEADY_EXPANDS).replace("RANK1", STEADY_MAINTAINS)
EXCHANGED = CAFES.replace("RANK1", STEADY_EXPANDS).replace("RANK3", STEADY_MAINTAINS)


def test_there_are_720_different_stories(stories):
    """Five stories for each of 144 games, no two alike, and five topics for each game."""
    assert len({story.text for story in stories.values()}) == 720
    assert len({story.scenario for story in stories.values()}) == 720
    for game in GAMES:
        assert len({castings(0)[game, number].situation.topic for number in range(STORIES)}) == STORIES


@pytest.mark.slow
def test_seeds_tell_other_stories(stories):
    """The same seed tells the same story, another one another."""
    assert tell("111", 0, 5) == tell("111", 0, 5)
    assert sum(tell(*key, 1) == story for key, story in stories.items()) < 20


def test_texts_change_by_intent_alone(stories):
    """Readers have reviewed these stories and models answered them, so no letter of them changes by accident."""
    texts = "".join(story.text for story in stories.values())

    assert sha256(texts.encode()).hexdigest()[:16] == "fbb0e8098d5b24d4"


def test_topics_are_spread_as_in_the_paper():
    """Twenty topics; Business has 11.1 per cent, the others 1.4 to 7.9."""
    told = Counter(castings(0)[key].situation.topic for key in KEYS)

    assert len(library("shipped")) == 20
    assert {"Business", "Ecology", "Sports", "Technology", "Health Care", "Politics"} <= set(told)
    assert told["Business"] / 720 == pytest.approx(0.111, abs=0.0005)
    assert all(0.014 <= n / 720 <= 0.079 for topic, n in told.items() if topic != "Business")


@pytest.mark.parametrize("key", KEYS[::97])
def test_stories_survive_being_taken_apart(key: tuple[str, int]):
    """A story is put together again from what was read of it."""
    assert Story.parse(tell(*key).text) == tell(*key)


def test_the_printed_story_would_be_refused():
    """Ranks 3 and 1 exchanged in one player's preferences, as in the paper's story, are found and named."""
    matrix = GAMES["111"].matrix

    assert verify(RIGHT, matrix) == []
    assert verify(EXCHANGED, matrix) == [
        "[Preferences]: (A1, B1) is worth 3 to A, expected 1",
        "[Preferences]: (A1, B2) is worth 1 to A, expected 3",
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[/Choices]", "", "[Choices]: expected this section once"),
        ('"A2": "Lower prices"', '"A3": "Lower prices"', "[Choices]: expected 'A2' once"),
        ("4 \\ 1 |", "4 \\ 4 |", "[Payoff Matrix]: B's payoffs are"),
        (STEADY_EXPANDS, "Wait and see", "[Preferences]: A's rank 3 does not tell A1 from A2"),
        (STEADY_EXPANDS, STEADY_MAINTAINS, "[Preferences]: A's ranks 3 and 1 both name (A1, B1)"),
        ("(A1, B2)", "", "[Scenario]: it does not say what (A1, B2) would be worth"),
        ("Lena struggles (1)", "She struggles (1)", "[Scenario]: it is not clear whom the number"),
        ("So it goes on. ", "", "[Scenario]: 70 words, expected 200 to 450"),
    ],
)
def test_what_cannot_be_read_is_said(old: str, new: str, fault: str):
    """Each damage is one sentence that says where it is."""
    assert old in RIGHT

    assert any(found.startswith(fault) for found in verify(RIGHT.replace(old, new), GAMES["111"].matrix))


def test_no_story_is_not_a_story():
    """Any text can be verified; one without sections has a fault."""
    assert verify("") == ["[Characters]: expected this section once, with [/Characters] at its end, found 0"]
    with pytest.raises(Unreadable):
        Story.parse("once upon a time")
