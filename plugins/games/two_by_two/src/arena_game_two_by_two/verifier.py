"""Reads a story's game from its words in three ways, and reports where they disagree.

The preferences, the table and the scenario are read separately, none with the help of another. All three must
give the same game, and the one that was requested. TMGBench prints a story of game 111 (appendix D.1) whose preferences
exchange the ranks 3 and 1 of one player; this module finds such mistakes.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from arena_game_two_by_two.matrix import CELLS, Matrix
from arena_game_two_by_two.orders import in_words, orders
from arena_game_two_by_two.story import PLAYERS, Story, Unreadable, combination, ranked

SHORTEST: Final = 200
LONGEST: Final = 450
"""The most words of a scenario, as in TMGBench (appendix D.3)."""

_COMBINATION: Final = re.compile(r"\(\s*A([12])\s*,\s*B([12])\s*\)")
_NUMBERS: Final = re.compile(r"\(\s*([1-4])\s*(?:,\s*([1-4])\s*)?\)")
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_SENTENCE_END: Final = re.compile(r"[.!?]\"?\s")
_PERSONS: Final[Mapping[str, str]] = {"i": "I", "me": "I", "you": "you"}
"""Words by which the one who speaks or is spoken to is named, with the one that stands for them."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_NAME_WORD: Final = re.compile(r"[^\W\d_]+(?:'(?!\w))?")
"""A word that may end with an apostrophe, as in "the weavers' guild"."""


def verify(text: str, wanted: Matrix | None = None) -> list[str]:
    """What is wrong with a story: one sentence for each fault, none if it tells exactly the ``wanted`` game."""
    try:
        story = Story.parse(text)
    except Unreadable as fault:
        return [str(fault)]
    faults: list[str] = []
    games = {name: _attempt(reader, story, faults) for name, reader in READERS.items()}
    read = {name: matrix for name, matrix in games.items() if matrix is not None}
    if wanted is None and read:
        wanted = read.get("Payoff Matrix", next(iter(read.values())))
    for name, matrix in read.items():
        faults += _differences(name, matrix, wanted)
    if not SHORTEST <= story.words <= LONGEST:
        faults.append(f"[Scenario]: {story.words} words, expected {SHORTEST} to {LONGEST}")
    return faults


def from_preferences(story: Story) -> Matrix:
    """Read the game from the list of preferences; ``Unreadable`` if a text does not name one combination.

    A preference names its combination by code, or by the words of the choices: of each player's two choices, the one
    that shares more of the words that tell them apart. Text in brackets is ignored, since it states the result.
    """
    cells: dict[int, list[int]] = {number: [0, 0] for number in range(1, 5)}
    for index, player in enumerate(PLAYERS):
        for rank, said in story.preferences[player].items():
            number = _named(said, story, player, rank)
            if cells[number][index]:
                where = f"[Preferences]: {player}'s ranks {cells[number][index]} and {rank}"
                raise Unreadable(f"{where} both name {combination(number)}")
            cells[number][index] = rank
    return ranked("[Preferences]", {number: (a, b) for number, (a, b) in cells.items()})


def from_scenario(story: Story) -> Matrix:
    """Read the game from the scenario, in which the characters go by their names, or one of them by "I" or "you"."""
    names = _names(story)
    absent = {player for player, name in names.items() if not _mentions(story.scenario, name)}
    return read_scenario(
        story.scenario, names | {p: n for p, n in names_in(story.scenario).items() if p in absent} if absent else names
    )


def read_scenario(scenario: str, names: Mapping[str, str] | None = None) -> Matrix:
    """Read the game from a scenario: after each ``(A1, B2)``, its worth to either player, as ``(3)`` or ``(3, 2)``.

    A number alone belongs to the character named last before it; ``names`` are theirs by player, by default those that
    the scenario tells with their choices. A scenario without numbers is read from the words that order its outcomes.
    ``Unreadable`` if a combination is missing, or if it is not clear which number belongs to whom.
    """
    names = names or names_in(scenario)
    if not _NUMBERS.search(scenario) and (places := in_words(scenario, lambda before: _last_named(before, names))):
        return _ordered(places)
    marks = list(_COMBINATION.finditer(scenario))
    ends = [mark.start() for mark in marks[1:]] + [len(scenario)]
    cells: dict[int, tuple[int, int]] = {}
    for mark, end in zip(marks, ends, strict=True):
        number = 1 + CELLS.index((int(mark[1]) - 1, int(mark[2]) - 1))
        worth = _worth(scenario[mark.end() : end], names)
        if worth is None:
            continue
        if cells.get(number, worth) != worth:
            raise Unreadable(f"[Scenario]: {combination(number)} is given two different values")
        cells[number] = worth
    missing = [combination(number) for number in range(1, 5) if number not in cells]
    if missing:
        raise Unreadable(f"[Scenario]: it does not say what {', '.join(missing)} would be worth to both")
    return ranked("[Scenario]", cells)


def _ordered(places: Iterable[tuple[str, str, int]]) -> Matrix:
    """The game in which these are the places, by code and player, that the orders have in words."""
    cells: dict[int, list[int]] = {number: [0, 0] for number in range(1, 5)}
    for code, player, rank in places:
        number = next(number for number in cells if combination(number) == code)
        index = PLAYERS.index(player)
        if cells[number][index]:
            raise Unreadable(f"[Scenario]: {player}'s order names {code} twice")
        cells[number][index] = rank
    for index, player in enumerate(PLAYERS):
        if missing := [combination(number) for number, worth in cells.items() if not worth[index]]:
            raise Unreadable(f"[Scenario]: {player}'s order does not say where {', '.join(missing)} stands")
    return ranked("[Scenario]", {number: (a, b) for number, (a, b) in cells.items()})


def names_in(scenario: str) -> dict[str, str]:
    """What the characters are called: of what the sentence that tells a player's choices could mean, the most frequent.

    That is a name, "I", "you", or words after *the* that come again in every outcome. ``Unreadable`` if a player's
    choices are not told by their codes after a name.
    """
    words = Counter(_WORD.findall(scenario))
    told = _WORD if _NUMBERS.search(scenario) else _NAME_WORD
    found: dict[str, str] = {}
    for player in PLAYERS:
        before, mark, _ = scenario.partition(f"({player}1)")
        sentence = _SENTENCE_END.split(before)[-1] if mark else ""
        said = [w for w in _named_in(told.findall(sentence), words) if w not in found.values()]
        if not said:
            raise Unreadable(f"[Scenario]: it does not say by name who can choose ({player}1)")
        found[player] = max(reversed(said), key=lambda name: _likelihood(name, scenario))
    return found


def _likelihood(name: str, scenario: str) -> tuple[bool, int, int, int]:
    """How likely a word is what a character is called: "I" and "you" first, then what sentences of outcomes name."""
    said = _SENTENCE_END.split(scenario)
    if _NUMBERS.search(scenario):
        named = sum(bool(_NUMBERS.search(one) and _mentions(one, name)) for one in said)
    else:
        named = sum(orders(one, name) for one in said)
    return name in _PERSONS.values(), named, len(_mentions(scenario, name)), len(name.split())


def _named_in(said: Sequence[str], words: Mapping[str, int]) -> list[str]:
    """What could name a character in the words of a sentence, in the order in which it stands there."""
    found: list[str] = []
    for i, word in enumerate(said):
        if word.lower() in _PERSONS:
            found.append(_PERSONS[word.lower()])
        elif word.lower() == "the":
            found += [" ".join(["the", *said[i + 1 : i + n]]) for n in (2, 3, 4) if i + n <= len(said)]
        elif word.istitle() and word.lower() not in words:
            found.append(word)
    return found


READERS: Final[Mapping[str, Callable[[Story], Matrix]]] = {
    "Preferences": from_preferences,
    "Payoff Matrix": lambda story: story.matrix,
    "Scenario": from_scenario,
}


def _attempt(reader: Callable[[Story], Matrix], story: Story, faults: list[str]) -> Matrix | None:
    try:
        return reader(story)
    except Unreadable as fault:
        faults.append(str(fault))
        return None


def _differences(name: str, found: Matrix, wanted: Matrix | None) -> list[str]:
    faults: list[str] = []
    for number, (got, expected) in enumerate(zip(found, wanted or found, strict=True), start=1):
        for player, is_, ought in zip(PLAYERS, got, expected, strict=True):
            if is_ != ought:
                faults.append(f"[{name}]: {combination(number)} is worth {is_} to {player}, expected {ought}")
    return faults


def _worth(text: str, names: Mapping[str, str]) -> tuple[int, int] | None:
    """The payoffs of both players in a piece of the scenario, or ``None`` if it does not state both."""
    single: dict[str, int] = {}
    for number in _NUMBERS.finditer(text):
        if number[2]:
            return int(number[1]), int(number[2])
        player = _last_named(text[: number.start()], names)
        if player is None or player in single:
            raise Unreadable(f"[Scenario]: it is not clear whom the number in {_around(text, number)!r} belongs to")
        single[player] = int(number[1])
        if len(single) == 2:
            return single["A"], single["B"]
    return None


def _last_named(text: str, names: Mapping[str, str]) -> str | None:
    found = [(mark.start(), player) for player, name in names.items() for mark in _mentions(text, name)]
    return max(found)[1] if found else None


def _mentions(text: str, name: str) -> list["re.Match[str]"]:
    words = [word for word, person in _PERSONS.items() if person == name] or [re.escape(name)]
    return list(re.finditer(rf"\b(?:{'|'.join(words)})\b", text, re.IGNORECASE))


def _names(story: Story) -> dict[str, str]:
    """The names of the characters: the words before the first comma."""
    return {player: said.split(",")[0].strip() for player, said in story.characters.items()}


def _named(said: str, story: Story, player: str, rank: int) -> int:
    if code := _COMBINATION.search(said):
        return 1 + CELLS.index((int(code[1]) - 1, int(code[2]) - 1))
    stems = _stems(_BRACKETS.sub(" ", said))
    chosen: list[int] = []
    for letter in PLAYERS:
        first, second = (_stems(story.choices[f"{letter}{n}"]) for n in (1, 2))
        shared = len(stems & (first - second)), len(stems & (second - first))
        if shared[0] == shared[1]:
            where = f"[Preferences]: {player}'s rank {rank}"
            raise Unreadable(f"{where} does not tell {letter}1 from {letter}2 in {said!r}")
        chosen.append(int(shared[1] > shared[0]))
    return 1 + CELLS.index((chosen[0], chosen[1]))


def _stems(text: str) -> set[str]:
    """The words without their endings: ``lowers`` and ``lowering`` are ``lower``."""
    return {_stem(word.lower()) for word in _WORD.findall(text)}


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _around(text: str, mark: "re.Match[str]") -> str:
    return text[max(0, mark.start() - 40) : mark.end()].strip()
