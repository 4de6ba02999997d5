"""Types of reasoning by their words."""

import pytest
from arena_metric_reasoning.lexicon import load
from arena_metric_reasoning.reasoning import Reasoning
from hypothesis import given, strategies as st

LABELLED = [
    ("I take the center square.", "Positional"),
    ("The edge is all there is left.", "Positional"),
    ("I need to BLOCK them", "Blocking"),
    ("to prevent it, and to counter", "Blocking"),
    ("They are trying something; their strategy is clear.", "Opponent Modeling"),
    ("A fork is a threat", "Winning Logic"),
    ("this has the best\nmove in it", "Heuristic"),
    ("Most likely fine, and advantageous", "Heuristic"),
    ("According to the rule.", "Rule-Based"),
    ("A random guess!", "Random/Unjustified"),
    ("I pass.", "Uncategorized"),
    # words, not parts of words
    ("The winner is winning with wins", "Uncategorized"),
    ("unblocked, blocks, blocked", "Uncategorized"),
    ("cornered in corners, guessing randomly, rules and strategies", "Uncategorized"),
    ("win-win", "Winning Logic"),
    # one word, however often, against two
    ("corner corner corner, block to prevent", "Blocking"),
    # ties go to the first category
    ("I win from the corner", "Positional"),
    ("a random rule", "Rule-Based"),
    ("block their move", "Blocking"),
    ("the opponent has a threat", "Opponent Modeling"),
    # words inside longer phrases count as well
    ("stop opponent", "Blocking"),
    ("a winning move is not the word win", "Winning Logic"),
    ("their strategy", "Opponent Modeling"),
]

COUNTS = {
    "Positional": 4,
    "Blocking": 6,
    "Opponent Modeling": 4,
    "Winning Logic": 6,
    "Heuristic": 4,
    "Rule-Based": 3,
    "Random/Unjustified": 2,
}


@pytest.mark.parametrize(("text", "category"), LABELLED)
def test_labelled_by_hand(text, category):
    """Each text has the type that a person reading the lexicon gives it."""
    assert load("board-game-arena").classify(text) == category


def test_lexicon_is_complete():
    """The seven categories stand in the paper's order with all of their words."""
    categories = load("board-game-arena").categories

    assert {name: len(words) for name, words in categories.items()} == COUNTS
    assert list(categories) == list(COUNTS)


@given(st.lists(st.sampled_from([w for words in load("board-game-arena").categories.values() for w in words])))
def test_repeating_and_shouting_change_nothing(words):
    """A type depends on which words there are: not on case, nor on how often they come."""
    known = load("board-game-arena")
    text = " . ".join(words)

    assert known.classify(f"{text} . {text.upper()}") == known.classify(text)
    assert (known.classify(text) == known.none) == (not words)


@given(st.text())
def test_any_text_has_one_type(text):
    """Whatever a model writes has exactly one of the labels."""
    known = load("board-game-arena")

    assert known.classify(text) in known.labels


def test_own_lexicon(tmp_path):
    """A lexicon of one's own is given by its path."""
    path = tmp_path / "colours.yaml"
    path.write_text("none: Grey\nopponent: [gegner]\ncategories: {Rot: [rot, rosa], Blau: [blau]}\n", "utf-8")

    known = load(Reasoning(lexicon=str(path)).lexicon)
    assert [known.classify(text) for text in ("blau und rot", "Blau", "gelb")] == ["Rot", "Blau", "Grey"]
    assert known.mentions_opponent("der Gegner")


def test_installed_lexicon():
    """A lexicon in an installed package is given as PACKAGE:FILE."""
    assert load("arena_metric_reasoning:lexicons/board-game-arena.yaml").labels == load("board-game-arena").labels


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("categories: {A: []}", "expected a list of texts"),
        ("categories: {A: [b]}\ncolour: 1", "unknown key 'colour'"),
        ("opponent: [x]", "'categories' is missing"),
        ("- a", "expected a table"),
        ("none: A\ncategories: {A: [b]}", "label of texts without one"),
    ],
)
def test_broken_lexicon(tmp_path, text, words):
    """A lexicon that is not one is refused with a sentence when the metric is made."""
    path = tmp_path / "broken.yaml"
    path.write_text(text, "utf-8")

    with pytest.raises(ValueError, match=words):
        Reasoning(lexicon=str(path))


def test_unknown_lexicon():
    """A name that is not shipped leads to those that are."""
    with pytest.raises(ValueError, match="'board-game-arena'"):
        Reasoning(lexicon="bord-game-arena")
