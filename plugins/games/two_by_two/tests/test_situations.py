"""Situations: what is written, how it is told, and whether the checks find what is wrong."""

from collections import Counter
from pathlib import Path

import attrs
import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena_game_two_by_two.casting import castings, tell
from arena_game_two_by_two.checks import SEAMS, faults_of, faults_of_topic, hints, repeated, seams
from arena_game_two_by_two.situations import Situation, library, read_topic
from arena_game_two_by_two.story_games import TwoByTwoStory
from arena_game_two_by_two.storyteller import LONGEST_SENTENCE
from arena_game_two_by_two.tellings import degree_words, tellings, ways
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verbs import finite, gerund, past
from arena_game_two_by_two.verifier import verify
from arena_game_two_by_two.wording import Party, Voice

TOPICS = library("shipped")
FILES = Path(__file__).parents[1] / "src" / "arena_game_two_by_two" / "situations"
GORGE = next(one for topic in TOPICS for one in topic.situations if one.name == "gorge-road")


@pytest.mark.campaign
@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_shipped_situations_have_no_faults(topic):
    """No check finds anything in a shipped topic, in the text or in the stories told of it."""
    assert faults_of_topic(topic) == []


def test_every_clause_and_every_name_is_used_once():
    """No event, no reason and no name of a situation stands in two places."""
    names = Counter(one.name for topic in TOPICS for one in topic.situations)

    assert repeated(TOPICS) == []
    assert max(names.values()) == 1


def test_a_seed_tells_the_same_again():
    """The same seed tells the same story, another one another."""
    assert tell("111", 0, 5) == tell("111", 0, 5)
    assert tell("111", 0, 5) != tell("111", 0, 6)


def test_there_are_enough_words():
    """Nine tellings, at least six sets of degree words, and at least forty ways to begin that differ in two words."""
    known = ways()
    begun = [*known.any, *known.later, *known.present, *known.would]

    assert len(tellings()) == 9
    assert len(degree_words()) >= 6
    assert len(begun) >= 40
    assert len({tuple(way.split()[:2]) for way in begun}) == len(begun)


def test_no_opening_of_an_outcome_tells_the_answer():
    """Neither a way to begin an outcome nor what stands before it says what is likely, expected or wanted."""
    known = ways()
    parts = [wording for telling in tellings().values() for part in telling.parts for wording in part]
    before = [wording for wording in parts if "{first}" in wording or "{second}" in wording]

    assert {opening: hints(opening) for opening in (*known.any, *known.later, *known.present, *known.would, *before)
            if hints(opening)} == {}  # fmt: skip


@pytest.mark.parametrize(
    ("planted", "hint"),
    [
        ("A fair guess [is] that {x} will {xb}; {e}.", "guess"),
        ("Many [believe] that {x} will {xb}; {e}.", "believe"),
        ("Some [expect] {xo} to {xb}; {e}.", "expect"),
        ("Quite possibly {x} will {xb}, and {e}.", "Quite possibly"),
        ("Most likely {x} will {xb}, and {e}.", "likely"),
        ("Just as easily {x} [may] {xb}; {e}.", "easily"),
        ("Equally, were {x} to {xb}, {e}.", "Equally"),
        ("Nobody [can] rule out that {x} will {xb}; {e}.", "rule out"),
        ("Nothing [keeps] {xo} from {xg}; {e}.", "keeps"),
        ("Provided that {x} {xd}, {e}.", "Provided"),
    ],
)
def test_a_planted_hint_is_found(planted: str, hint: str):
    """An opening that says what is likely, expected or wanted is found by that word."""
    assert hints(planted) == [hint]


def changed(situation: Situation, **parts: object) -> Situation:
    return attrs.evolve(situation, **parts)


def outcome(event: str = "", like: str = "", dislike: str = "") -> Situation:
    """The gorge with another first event, or another reason of A there."""
    first, *rest = GORGE.outcomes
    reasons = attrs.evolve(first.a, like=like or first.a.like, dislike=dislike or first.a.dislike)
    return changed(GORGE, outcomes=(attrs.evolve(first, event=event or first.event, a=reasons), *rest))


@pytest.mark.sample(fast=17)
@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        (changed(GORGE, choices={**GORGE.choices, "A1": "wait for the other"}), "A1: 'other' leans on"),
        (changed(GORGE, choices={**GORGE.choices, "B2": "leave"}), "B2: 1 words, expected"),
        (changed(GORGE, settings=("Too short.", GORGE.settings[1])), "setting 1: 2 words, expected"),
        (
            changed(GORGE, settings=(GORGE.settings[0].replace("[is]", "is"), GORGE.settings[1])),
            "setting 1: 'is' stands outside",
        ),
        (
            changed(GORGE, settings=(GORGE.settings[0].replace("[can]", "can"), GORGE.settings[1])),
            "setting 1: 'can' stands outside",
        ),
        (
            changed(GORGE, settings=(GORGE.settings[0].replace("{A drives}", "{C drives}"), GORGE.settings[1])),
            "the mark {C drives} has no meaning",
        ),
        (
            changed(GORGE, settings=(GORGE.settings[0].replace("so narrow", "so so narrow"), GORGE.settings[1])),
            "a word twice",
        ),
        (
            changed(
                GORGE,
                settings=(GORGE.settings[0], GORGE.settings[1].replace("two lorries", "lorries of {A obj}")),
            ),
            "of me or of you",
        ),
        (
            changed(GORGE, closings=("The engines [start] at first light, one at each end.",) * 2),
            "closing 1: no 'will'",
        ),
        (
            changed(GORGE, closings=("At first light one engine will be started by {A}.", GORGE.closings[1])),
            "closing 1: 'by {A}' would become 'to I'; write {A obj}",
        ),
        (
            changed(GORGE, settings=(GORGE.settings[0].replace("only at one bay", "only at {A's}"), GORGE.settings[1])),
            "setting 1: \"{A's}\" would become 'my' without a noun; write {A's own}",
        ),
        (
            changed(GORGE, settings=(GORGE.settings[0].replace("[works]", "[worked]"), GORGE.settings[1])),
            "setting 1: 'worked' in a mark; write the present tense",
        ),
        (
            changed(GORGE, settings=(GORGE.settings[0].replace("from the quarry", "and [sings]"), GORGE.settings[1])),
            "setting 1: 'and [sings]' would become",
        ),
        (changed(GORGE, without=frozenset({"past", "present", "letter", "talk", "paper"})), "expected at least 5"),
        (outcome(event="{they} pass each other at the bay in the dark"), "A1B1: no 'will' in the event"),
        (outcome(event="{they will} pass each other happily in the dark"), "A1B1: 'happily' says who likes it"),
        (outcome(event="The lorries will pass each other in the dark"), "A1B1: an event begins small"),
        (outcome(like="{A's} empty road for once"), "A1B1: A likes: a reason names no party"),
        (changed(GORGE, choices={**GORGE.choices, "A1": "choose the best bay"}), "order names"),
        (outcome(like="no lorry on the whole road"), "A1B1: A likes: 'no' does not follow 'because of'"),
        (outcome(like="the road ahead is empty"), "A1B1: A likes: 'is' makes it a sentence"),
        (outcome(like=GORGE.outcomes[1].b.like), "used 2 times"),
        (outcome(dislike="a old road", like="a open road ahead"), "a before a vowel"),
    ],
)
def test_planted_faults_are_found(planted: Situation, fault: str):
    """Each check names what was planted, and where."""
    assert any(fault in found for found in faults_of(planted)), faults_of(planted)


@pytest.mark.parametrize("word", ["it", "them", "one", "ones", "him", "her", "both", "other"])
def test_a_choice_names_its_object(word: str):
    """No choice leans on what another sentence says."""
    planted = changed(GORGE, choices={**GORGE.choices, "A1": f"wait for {word} there"})

    assert faults_of(planted)[0].startswith(f"gorge-road: A1: {word!r} leans on another sentence")


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
        ("no end", "She waits for him at the corner of the street until the evening comes"),
        ("subject and verb", "So they was there."),
        ("of me or of you", "He waits in the garden of me."),
        ("a sentence of", f"{'so ' * LONGEST_SENTENCE}long."),
    ],
)
def test_seams_are_seen(name: str, text: str):
    """Each kind of seam is found where there is one."""
    assert any(fault.startswith(name) for fault in seams(text)) or SEAMS[name].search(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{A drives}, {B} [B waits]", ("Ada drives, Ben waits", "I drove, Ben waited", "Ada drives, you wait")),
        ("{A obj}, {A's}, {A he}, {A his}", ("Ada, Ada's, she, her", "me, my, I, my", "Ada, Ada's, she, her")),
        ("one is {A's own}", ("one is Ada's", "one is mine", "one is Ada's")),
        ("{both} [meet] and {they are} there", ("Ada and Ben meet and they are there",
         "Ben and I met and we were there", "you and Ada meet and you are there")),
        ("it [must] end, {A will} go", ("it must end, Ada will go",
         "it had to end, I would go", "it must end, Ada will go")),
        ("[tomorrow|the next day] it [lies]", ("tomorrow it lies", "the next day it lay", "tomorrow it lies")),
    ],
)  # fmt: skip
def test_marks_follow_person_and_tense(text: str, said: tuple[str, str, str]):
    """Names, pronouns and verbs fit who speaks, to whom, and when."""
    ada, ben = Party("Ada", "she"), Party("Ben", "he")
    voices = (
        Voice(ada, ben),
        Voice(attrs.evolve(ada, voice="I"), ben, is_past=True),
        Voice(ada, attrs.evolve(ben, voice="you")),
    )

    assert tuple(voice.say(text) for voice in voices) == said


def test_verbs_have_their_forms():
    """Regular and irregular verbs, doubled ends, and agreement."""
    assert [past(verb) for verb in ("stop", "carry", "leave", "open", "hoist", "forecast")] == [
        "stopped", "carried", "left", "opened", "hoisted", "forecast",
    ]  # fmt: skip
    assert [gerund(verb) for verb in ("lie", "take", "run", "see", "offer")] == [
        "lying", "taking", "running", "seeing", "offering",
    ]  # fmt: skip
    assert finite("is", "I", is_past=False) == "am"
    assert finite("passes", "they", is_past=False) == "pass"
    assert finite("has", "you", is_past=True) == "had"


def test_questions_are_asked_from_situations():
    """A story has its topic; a library that is not there is one sentence."""
    game = TwoByTwoStory("122", 3)
    (question,) = game.questions(Chance(0))

    assert question.form == "story"
    assert question.right == GAMES["122"].matrix.equilibria
    assert game.topic == castings(0)["122", 3].situation.topic
    with pytest.raises(ConfigError, match="expected one of shipped, or a folder of situations"):
        TwoByTwoStory(situations="nowhere")
    with pytest.raises(ConfigError, match="expected one of shipped, or a folder of situations, got ''"):
        TwoByTwoStory(situations="")


def test_a_folder_of_ones_own_tells_stories(tmp_path: Path):
    """Situations in a folder are told as the shipped ones are; mistakes in a file are named by file and place."""
    text = (FILES / "transport.toml").read_text(encoding="utf-8")
    for i in range(5):
        (tmp_path / f"own{i}.toml").write_text(text.replace("Transport", f"Own {i}"), encoding="utf-8")

    assert verify(tell("233", 2, 0, str(tmp_path)).text, GAMES["233"].matrix) == []

    (tmp_path / "bad.toml").write_text(text.replace("A1 =", "A3 =", 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"bad\.toml: situation 'gorge-road': 'A1' is missing"):
        read_topic(tmp_path / "bad.toml")
