import re
from collections import Counter
from hashlib import sha256
from random import Random

import pytest
from arena_game_two_by_two.composer import STORIES, character_sets, compose, tell
from arena_game_two_by_two.frames import topics
from arena_game_two_by_two.story import Story, Unreadable
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verifier import READERS, verify

ALL = {(game, number): tell(game, number) for game in GAMES for number in range(STORIES)}

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


def test_there_are_720_different_stories():
    """Five stories for each of 144 games, no two alike, and five topics for each game."""
    assert len({story.text for story in ALL.values()}) == 720
    assert len({story.scenario for story in ALL.values()}) == 720
    for game in GAMES:
        assert len({character_sets(0)[game, number].frame.topic for number in range(STORIES)}) == STORIES


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.sample(fast=1, slow=1)
def test_every_story_tells_its_game(seed: int):
    """Preferences, table and scenario, read one by one, all give the game that was to be told; with any seed."""
    for game, number in ALL:
        assert verify(tell(game, number, seed).text, GAMES[game].matrix) == []


def test_seeds_tell_other_stories():
    """The same seed tells the same story, another one another."""
    assert tell("111", 0, 5) == tell("111", 0, 5)
    assert sum(tell(*key, 1) == story for key, story in ALL.items()) < 20


def test_texts_stay_as_they_were():
    """Runs that began with these stories go on with them, so no letter of them changes."""
    texts = "".join(story.text for story in ALL.values())

    assert sha256(texts.encode()).hexdigest()[:16] == "9cbbf99dce30ee4d"


def test_topics_are_spread_as_in_the_paper():
    """Twenty topics with at least three frames each; Business has 11.1 per cent, the others 1.4 to 7.9."""
    told = Counter(character_sets(0)[key].frame.topic for key in ALL)

    assert len(topics()) == 20
    assert all(len(topic.frames) >= 3 for topic in topics())
    assert {"Business", "Ecology", "Sports", "Technology", "Health Care", "Politics"} <= set(told)
    assert told["Business"] / 720 == pytest.approx(0.111, abs=0.0005)
    assert all(0.014 <= n / 720 <= 0.079 for topic, n in told.items() if topic != "Business")


def test_scenarios_are_as_long_as_the_papers():
    """200 to 450 words each, nine of ten between 250 and 400."""
    lengths = [story.words for story in ALL.values()]

    assert all(200 <= length <= 450 for length in lengths)
    assert sum(250 <= length <= 400 for length in lengths) >= 0.9 * len(lengths)


SEAMS = {
    "a word twice": r"\b(\w+) \1\b",
    "a before a vowel": r"\b[Aa] (?=[aeiou])(?!(?:one|once|uni|use|usu|eu))\w+",
    "an before a consonant": r"\b[Aa]n (?![aeiouAEIOU]|hour|honest)\w+",
    "an empty place": r"[{}]|\bNone\b|\bnull\b",
    "spaces": r"  | [,.;:!?]|\( | \)",
    "punctuation": r"[,.;:!?]{2}|\.\w",
    "a small beginning": r"(?:^|[.!?] |\n)[a-z]",
    "no end": r"[^.!?]\n\n|[^.!?]$",
}


@pytest.mark.parametrize("name", SEAMS)
def test_no_seams_show(name: str):
    """Composed sentences read as if they had been written in one piece."""
    seams = {key: found[0] for key, story in ALL.items() if (found := re.search(SEAMS[name], story.scenario))}

    assert seams == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a word twice", "It is the the last day."),
        ("a before a vowel", "He eats a apple."),
        ("an before a consonant", "An dog barks."),
        ("an empty place", "Here {A} waits."),
        ("spaces", "She waits , he goes."),
        ("punctuation", "She waits.. he goes."),
        ("a small beginning", "she waits."),
        ("no end", "She waits"),
    ],
)
def test_seams_would_be_seen(name: str, text: str):
    """Each kind of seam is found where there is one."""
    assert re.search(SEAMS[name], text)


@pytest.mark.parametrize("key", list(ALL)[::97])
def test_stories_survive_being_taken_apart(key: tuple[str, int]):
    """A story is put together again from what was read of it."""
    assert Story.parse(ALL[key].text) == ALL[key]


@pytest.mark.parametrize("section", READERS)
@pytest.mark.parametrize("key", list(ALL)[::31])
def test_planted_contradictions_are_caught(key: tuple[str, int], section: str):
    """Where one section tells another game than the others, it is named."""
    text = ALL[key].text
    other = next(game for game in GAMES.values() if game.matrix != GAMES[key[0]].matrix)
    planted = _replaced(text, _with_matrix(key, other.id).text, section)

    faults = verify(planted, GAMES[key[0]].matrix)

    assert faults
    assert all(fault.startswith(f"[{section}]") for fault in faults)


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


def _with_matrix(key: tuple[str, int], game: str) -> Story:
    return compose(GAMES[game].matrix, character_sets(0)[key], Random(0))


def _replaced(text: str, other: str, section: str) -> str:
    pattern = re.compile(rf"\[{section}\].*\[/{section}\]", re.DOTALL)
    return pattern.sub(lambda _: pattern.search(other)[0], text)  # type: ignore[index]  # every story has it
