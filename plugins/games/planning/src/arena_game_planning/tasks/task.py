"""A task of planning with what is known about it, and its obfuscated twin, in which all names are replaced."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, Literal, TypeAlias

import attrs

from arena_game_planning.pddl.conditions import CHANGES, RESERVED, is_number


@attrs.frozen
class PlanningTask:
    """A task of planning with what is known about it.

    ``plan`` is the reference plan, an action in parentheses each, and ``found_by`` who found it; both are ``None``
    where no plan is known. ``optimal`` says whether it is known to be a shortest one. ``classes`` are ``spatial``,
    ``sequential`` and ``resource``. ``legal_actions`` is the mean number of applicable actions along the plan, and
    ``state_space`` the logarithm to base 10 of the number of states times that mean; ``is_counted`` says that the
    states were counted, otherwise they are bounded from above. ``None`` stands for what was not measured. Of a folder,
    ``left_out`` problems cannot be read.
    """

    domain: str
    number: int
    domain_text: str
    problem_text: str
    plan: tuple[str, ...] | None = None
    found_by: str | None = None
    optimal: bool = False
    classes: tuple[str, ...] = ()
    legal_actions: float | None = None
    state_space: float | None = None
    is_counted: bool = False
    title: str = ""
    left_out: int = 0

    @property
    def name(self) -> str:
        """How the task is called: its domain and number, or the path of its file."""
        return self.title or f"{self.domain}#{self.number}"


Disguise: TypeAlias = Literal["words", "letters"]
"""What the new names are: English words that mean something else, or letters that mean nothing."""

KEPT: Final = RESERVED | CHANGES | {
    "define", "domain", "problem", "object", "number", "minimize", "maximize", "total-cost", "total-time",
    "-", "+", "*", "/", "=", "<", "<=", ">", ">=",
}  # fmt: skip
"""Words that PDDL gives a meaning, so that they cannot be replaced."""

_WORDS: Final = """
anchor apron arrow autumn badge banjo barley basin basket beacon bishop blanket bottle bracelet branch breeze bridge
bucket butter button cabin cactus camel candle canoe canvas carpet carrot castle cedar cellar chalk chapel cherry
chimney cider circus clover coffee comet compass copper coral cotton crayon cricket crystal curtain cushion daisy
desert diary dolphin domino donkey dragon eagle ember falcon feather fiddle flannel flute forest fountain garden
garlic ginger glacier goblet granite guitar hammock harbor harp harvest hazel helmet heron honey hornet island ivory
jacket jasmine jungle kettle kitten ladder lagoon lantern laurel lemon lily linen lizard lobster lotus magnet mango
maple marble meadow melon mirror mitten monsoon mosaic muffin mustard nectar needle nutmeg oasis oboe olive onion
orchard orchid otter owl paddle palace panther paper parrot parsley peach peacock pebble pepper pickle pigeon pillow
pirate planet plum pocket poppy potato prairie pudding pumpkin puzzle quartz rabbit radish raven ribbon river rocket
saddle saffron salmon sandal satin scarf shadow shelter silver sketch spider spinach spoon squirrel statue summer
sunset swan syrup tailor teapot temple thistle thunder ticket tiger timber tomato trumpet tulip tunnel turtle umbrella
valley vanilla velvet violin walnut walrus wagon willow window winter wizard yarrow zebra
"""

_TOKEN: Final = re.compile(r";[^\n]*|-(?=[^\W\d])|\??[^\s();?]+|\?")
_CONSONANTS: Final = "bcdfghjklmnpqrstvwxz"


def disguised(task: PlanningTask, disguise: Disguise) -> PlanningTask:
    """The twin of a task in which each name is another, always the same for one task; its plan is translated too.

    Comments are dropped, since they would tell what the names were.
    """
    texts = (task.domain_text, task.problem_text)
    names = dict.fromkeys(name for text in texts for name in _names(text))
    renaming = dict(zip(names, _new_names(disguise, Random(f"{task.name}/{disguise}")), strict=False))
    return attrs.evolve(
        task,
        domain_text=_substituted(task.domain_text, renaming),
        problem_text=_substituted(task.problem_text, renaming),
        plan=None if task.plan is None else tuple(_substituted(step, renaming) for step in task.plan),
    )


def _names(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        word = match[0].lower()
        if word[0] not in ";:" and word not in KEPT and not is_number(word):
            yield word.removeprefix("?")


def _substituted(text: str, renaming: Mapping[str, str]) -> str:
    def other(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word[0] == ";":
            return ""
        return f"?{renaming[word[1:]]}" if word[0] == "?" and word[1:] in renaming else renaming.get(word, word)

    return _TOKEN.sub(other, text)


def _new_names(disguise: Disguise, rng: Random) -> Iterator[str]:
    """Names without end, no two of which are equal."""
    if disguise == "letters":
        seen: set[str] = set()
        while True:
            name = "".join(rng.choice(_CONSONANTS) for _ in range(5))
            if name not in seen:
                seen.add(name)
                yield name
    words = rng.sample(_WORDS.split(), len(_WORDS.split()))
    yield from words
    round_number = 2
    while True:
        yield from (f"{word}-{round_number}" for word in words)
        round_number += 1
