"""The numbers that 720 stories keep: how often what is told, how long, and how much of it is told again."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from statistics import fmean, median
from typing import get_args

import attrs
import pytest
from arena_game_two_by_two.casting import STORIES, Key, castings, liked, people, tell
from arena_game_two_by_two.checks import seams
from arena_game_two_by_two.situations import SituationTopic, library
from arena_game_two_by_two.storyteller import Casting, NamedPerson, Ranks
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verifier import read_scenario, verify

KEYS = [(game, number) for game in GAMES for number in range(STORIES)]
TOPICS = library("shipped")
SEEDS = (0, 1)


@cache
def told(seed: int) -> Sequence[str]:
    """The scenarios of a seed, composed once."""
    return [tell(*key, seed).scenario for key in KEYS]


def topic_faults(topics: Sequence[SituationTopic]) -> list[str]:
    every = [one for topic in topics for one in topic.situations]
    found = [f"{topic.name}: too few" for topic in topics if len(topic.situations) < 1 + topic.stories / (STORIES - 1)]
    if len(every) < 200:
        found.append(f"{len(every)} situations")
    if sum(not one.a.is_person for one in every) < 0.1 * len(every):
        found.append("nearly all parties are people")
    return found


def casting_faults(found: Mapping[Key, Casting]) -> list[str]:
    """How the castings of a seed break a number: one sentence each."""
    uses = Counter(casting.situation.name for casting in found.values())
    tellings = Counter((casting.situation.name, casting.telling) for casting in found.values())
    couples = Counter((casting.a.name, casting.b.name) for casting in found.values())
    topics = Counter(casting.situation.topic for casting in found.values())
    faults = [f"{name} is told {count} times" for name, count in uses.items() if count > 4]
    faults += [f"{name} is told twice as {telling}" for (name, telling), count in tellings.items() if count > 1]
    faults += [f"{couple} play {count} times" for couple, count in couples.items() if count > 6]
    if len(uses) < 200:
        faults.append(f"{len(uses)} situations are told")
    if len(couples) < 300:
        faults.append(f"{len(couples)} couples")
    if topics != {topic.name: topic.stories for topic in TOPICS}:
        faults.append("topics have other shares")
    if shared_likes(found) > 1.95:
        faults.append("the games of a situation share their likes")
    for game in GAMES:
        five = [found[game, number] for number in range(STORIES)]
        if len({casting.situation.topic for casting in five}) < STORIES:
            faults.append(f"{game}: a topic twice")
        if len({casting.telling for casting in five}) < 3:
            faults.append(f"{game}: too few tellings")
        faults += [f"{game}: equal letters" for casting in five if casting.a.name[0] == casting.b.name[0]]
        faults += [f"{game}: no telling for this" for one in five if one.telling not in one.situation.tellings]
    return faults


def shared_likes(found: Mapping[Key, Casting]) -> float:
    """How many of its four likes a game has in common with another of its situation, on average."""
    likes: dict[str, list[int]] = defaultdict(list)
    for (game, _), casting in found.items():
        likes[casting.situation.name].append(liked(GAMES[game].matrix))
    return fmean((a & b).bit_count() for own in likes.values() for a, b in combinations(own, 2))


def length_faults(scenarios: Sequence[str]) -> list[str]:
    words = [len(scenario.split()) for scenario in scenarios]
    found = [f"{count} words" for count in words if not 200 <= count <= 450]
    if sum(250 <= count <= 400 for count in words) <= 0.9 * len(words):
        found.append("too many short or long ones")
    if median(len(scenario) for scenario in scenarios) > 1950:
        found.append("too many characters")
    return found


def likeness_faults(scenarios: Sequence[str]) -> list[str]:
    near = likeness(scenarios)
    found: list[str] = []
    if max(near) > 0.65:
        found.append(f"two stories share {max(near):.2f}")
    if median(near) > 0.4:
        found.append(f"the median of nearest neighbours is {median(near):.2f}")
    if len({scenario.split("\n\n")[0] for scenario in scenarios}) < min(180, len(scenarios)):
        found.append("too few first paragraphs")
    return found


def likeness(texts: Sequence[str]) -> list[float]:
    """The largest share of five-word sequences, names and numbers masked, that each text has in common with another."""
    grams = [set(zip(*(masked(text)[i:] for i in range(5)), strict=False)) for text in texts]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, own in enumerate(grams):
        for gram in own:
            holders[gram].append(i)
    near: list[float] = []
    for i, own in enumerate(grams):
        common = Counter(j for gram in own for j in holders[gram] if j != i)
        near.append(max((n / (len(own) + len(grams[j]) - n) for j, n in common.items()), default=0))
    return near


def masked(text: str) -> list[str]:
    return ["N" if word[0].isupper() or word[0].isdigit() else word for word in re.findall(r"[A-Za-z']+|\d+", text)]


def test_topics_have_enough_situations():
    """Each topic has one more than a quarter of its stories; a tenth of the parties are no people."""
    assert topic_faults(TOPICS) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_castings_vary(seed: int):
    """Situations, tellings, couples, topics and likes of 720 stories are spread as they should be."""
    assert casting_faults(castings(seed)) == []


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_stories_are_as_long_and_as_different_as_they_should_be(seed: int):
    """Nine of ten have 250 to 400 words, the median 1,950 characters at most; no two share much of what they say."""
    assert length_faults(told(seed)) == []
    assert length_faults([tell(*key, seed, ranks="words").scenario for key in KEYS]) == []
    assert likeness_faults(told(seed)) == []


@pytest.mark.campaign  # verifies 720 stories of each seed, with figures and without
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ranks", get_args(Ranks))
def test_every_story_tells_its_game(ranks: Ranks, seed: int):
    """All three readers give the game back, and so does the scenario without anything else; no seam shows."""
    for key in KEYS:
        story, matrix = tell(*key, seed, ranks=ranks), GAMES[key[0]].matrix

        assert verify(story.text, matrix) == [], key
        assert read_scenario(story.scenario) == matrix, key
        assert seams(story.scenario) == [], key


@pytest.mark.campaign
def test_no_name_is_a_common_word():
    """No name of a person stands in a story with a small letter."""
    assert common_words([*told(0), *told(1)], [person.name for person in people()]) == set()


def common_words(texts: Sequence[str], names: Sequence[str]) -> set[str]:
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return {name for name in names if name.lower() in words}


Castings = dict[Key, Casting]


def with_one(**parts: object) -> Callable[[Castings], Castings]:
    """The castings in which the first story has other parts."""
    return lambda found: found | {KEYS[0]: attrs.evolve(found[KEYS[0]], **parts)}


def with_all(**parts: object) -> Callable[[Castings], Castings]:
    return lambda found: {key: attrs.evolve(casting, **parts) for key, casting in found.items()}


def told_once_more(found: Castings) -> Castings:
    """The first story's casting for the first two stories of the next game too."""
    return found | dict.fromkeys(KEYS[STORIES : 2 * STORIES], found[KEYS[0]])


def with_equal_likes(found: Castings) -> Castings:
    """Each situation goes to stories whose games have as many likes as possible in common."""
    names = {casting.situation.name: casting for casting in found.values()}
    order = sorted(found, key=lambda key: liked(GAMES[key[0]].matrix))
    return {key: list(names.values())[i // 4] for i, key in enumerate(order)}


@pytest.mark.parametrize(
    ("plant", "fault"),
    [
        (told_once_more, "is told 8 times"),
        (told_once_more, "is told twice as"),
        (told_once_more, "a topic twice"),
        (told_once_more, "too few tellings"),
        (told_once_more, "topics have other shares"),
        (with_all(a=NamedPerson("Ada", "she"), b=NamedPerson("Ben", "he")), "play 720 times"),
        (with_all(a=NamedPerson("Ada", "she")), "couples"),
        (with_one(a=NamedPerson("Ada", "she"), b=NamedPerson("Aki", "he")), "111: equal letters"),
        (with_one(telling="nothing"), "111: no telling for this"),
        (lambda found: dict.fromkeys(found, found[KEYS[0]]), "1 situations are told"),
        (with_equal_likes, "the games of a situation share their likes"),
    ],
)
def test_planted_castings_are_found(plant: Callable[[Castings], Castings], fault: str):
    """Each number is broken by what breaks it."""
    faults = casting_faults(plant(dict(castings(0))))

    assert any(fault in found for found in faults), faults


def test_planted_topics_are_found():
    """A topic with a situation fewer, and a library of people alone, are found."""
    short = attrs.evolve(TOPICS[0], situations=TOPICS[0].situations[1:])
    personal = [
        attrs.evolve(topic, situations=tuple(one for one in topic.situations if one.a.is_person)) for topic in TOPICS
    ]

    assert topic_faults([short, *TOPICS[1:]]) == [f"{TOPICS[0].name}: too few"]
    assert {"nearly all parties are people", "183 situations"} <= set(topic_faults(personal))


PLAIN = [" ".join(f"{text}{a}{b}" for a in "abcdefghijklmnop" for b in "abcdefghijklmnopqrs") for text in "abcd"]
"""Four texts of 304 words that share none."""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("word " * 199, "199 words"),
        ("word " * 451, "451 words"),
        ("word " * 240, "too many short or long ones"),
        ("words " * 400, "too many characters"),
    ],
)
def test_planted_lengths_are_found(text: str, fault: str):
    """Too short and too long stories are found, and stories with too many characters."""
    assert length_faults(["word " * 300] * 4) == []
    assert fault in length_faults([text] * 4)


def test_planted_likeness_is_found():
    """A text told twice with other names, texts that share much, and equal first paragraphs are found."""
    text = "Ada drives stones down from the old quarry (A1), and Ben drives timber (2)."
    other = text.replace("Ada", "Eve").replace("Ben", "Tom")
    half = [f"{PLAIN[0]} {one[:400]}" for one in PLAIN]

    assert likeness_faults(PLAIN) == []
    assert likeness_faults([text, other, *PLAIN[:2]])[0] == "two stories share 1.00"
    assert "the median of nearest neighbours is" in " ".join(likeness_faults(half))
    assert likeness_faults([f"Same.\n\n{one}" for one in PLAIN]) == ["too few first paragraphs"]


def test_a_name_that_is_a_word_is_found():
    """A name such as Will would be found."""
    assert common_words(["Ada will go."], ["Ada", "Will"]) == {"Will"}


@pytest.mark.parametrize("key", KEYS[::103])
def test_planted_contradictions_are_caught(key: Key):
    """Where one section tells another game than the others, it is named."""
    story, matrix = tell(*key), GAMES[key[0]].matrix
    other = tell("144" if key[0] != "144" else "111", key[1])
    swapped = {
        "Preferences": attrs.evolve(
            story, preferences={**story.preferences, "A": dict(zip((1, 2, 3, 4), _ranks(story)[::-1], strict=True))}
        ),
        "Payoff Matrix": attrs.evolve(story, table=other.table),
        "Scenario": attrs.evolve(story, scenario=_exchanged(story.scenario)),
    }

    for section, planted in swapped.items():
        faults = verify(planted.text, matrix)

        assert faults, section
        assert all(fault.startswith(f"[{section}]") for fault in faults), faults


def _ranks(story: object) -> list[str]:
    return [story.preferences["A"][rank] for rank in (1, 2, 3, 4)]  # type: ignore[attr-defined]


def _exchanged(scenario: str) -> str:
    """The scenario in which every rank is the opposite one."""
    return re.sub(r"\(([1-4])\)", lambda rank: f"({5 - int(rank[1])})", scenario)
