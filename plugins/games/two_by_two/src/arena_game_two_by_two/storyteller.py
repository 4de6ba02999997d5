"""Tells any of the 144 games in the words of a situation; equal seeds give equal stories."""

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, TypeAlias, TypeVar

import attrs

from arena_game_two_by_two.matrix import CELLS, Matrix
from arena_game_two_by_two.situations import Outcome, Reasons, Situation, SituationRole
from arena_game_two_by_two.story import Story, combination
from arena_game_two_by_two.tellings import choice_sentences, degree_words, order_words, tellings, ways
from arena_game_two_by_two.wording import Party, Voice, capitalized

T = TypeVar("T")

Ranks: TypeAlias = Literal["numbers", "words"]
"""How a story says what an outcome is worth: by a figure after each outcome, or by each party's order in sentences."""

LONGEST_SENTENCE: Final = 40
"""The most words of a sentence, which a way to begin must leave room for."""

_PLACE: Final = re.compile(r"\{(\w+)\}")
_PART: Final = re.compile(r"\{(title|setting|choices|first|second|closing)\}")


@attrs.frozen
class NamedPerson:
    """A name that a party can have, with its pronoun."""

    name: str
    pronoun: str


@attrs.frozen
class Casting:
    """A situation with the telling, the wordings and the people of one story."""

    situation: Situation
    telling: str
    setting: int
    closing: int
    a: NamedPerson
    b: NamedPerson


def compose(matrix: Matrix, casting: Casting, rng: Random, ranks: Ranks = "numbers") -> Story:
    """Tell a strictly ordinal game in one situation and one telling."""
    situation = casting.situation
    plain = Voice(_party(situation.a, casting.a), _party(situation.b, casting.b))
    telling = tellings()[casting.telling]
    voice = Voice(
        attrs.evolve(plain.a, voice=telling.a), attrs.evolve(plain.b, voice=telling.b), is_past=telling.is_past
    )
    outcomes = (_outcomes if ranks == "numbers" else _ordered_outcomes)(matrix, situation, voice, rng)
    said = {
        "title": situation.title,
        "setting": voice.say(situation.settings[casting.setting]),
        "choices": _choices(situation, voice, rng),
        "first": " ".join(outcomes[:2]),
        "second": " ".join(outcomes[2:]),
        "closing": voice.say(situation.closings[casting.closing]),
    }
    parts = (_PART.sub(lambda part: capitalized(said[part[1]]), rng.choice(part)) for part in telling.parts)
    who = {"A": situation.a.who, "B": situation.b.who}
    parties = {"A": plain.a, "B": plain.b}
    return Story.told(
        characters={player: f"{party.said()}, {plain.say(who[player])}" for player, party in parties.items()},
        choices={name: capitalized(_chosen(situation, plain, name, "base")) for name in situation.choices},
        preferences={player: _preferences(player, matrix, situation, plain) for player in parties},
        matrix=matrix,
        scenario=capitalized("\n\n".join(parts)),
    )


def _party(role: SituationRole, person: NamedPerson) -> Party:
    return Party(person.name, person.pronoun) if role.is_person else Party(role.name, role.pronoun)


def _choices(situation: Situation, voice: Voice, rng: Random) -> str:
    sentences = [
        voice.say(
            text.replace("{A1}", _chosen(situation, voice, f"{player}1", "base"))
            .replace("{A2}", _chosen(situation, voice, f"{player}2", "base"))
            .replace("{A", f"{{{player}")
            .replace("(A", f"({player}")
        )
        for player, text in zip("AB", rng.sample(choice_sentences(), 2), strict=True)
    ]
    return " ".join(capitalized(sentence) for sentence in shuffled(sentences, rng))


def _outcomes(matrix: Matrix, situation: Situation, voice: Voice, rng: Random) -> list[str]:
    """What the four combinations lead to, each with what it is worth to either party."""
    sets = rng.sample(degree_words(), 2)
    return [
        f"{event} {_worths(matrix, situation.outcomes[cell], voice, cell, sets, rng)}"
        for cell, event in _events(situation, voice, rng)
    ]


def _ordered_outcomes(matrix: Matrix, situation: Situation, voice: Voice, rng: Random) -> list[str]:
    """What the four combinations lead to, and then the order of either party, in words."""
    sets = rng.sample(order_words(), 2)
    events = [event for _, event in _events(situation, voice, rng)]
    orders = [_order(player, sentences, matrix, situation, voice) for player, sentences in zip("AB", sets, strict=True)]
    return [*events, *shuffled(orders, rng)]


def _order(player: str, sentences: Sequence[str], matrix: Matrix, situation: Situation, voice: Voice) -> str:
    party = voice.a if player == "A" else voice.b
    names = {"x": party.said(), "xo": party.said("obj"), "he": party.called("he"), "him": party.called("him")}
    told = {
        str(worth["AB".index(player)]): f"{voice.say(_reason(player, worth, outcome))} {combination(cell)}"
        for cell, (worth, outcome) in enumerate(zip(matrix, situation.outcomes, strict=True), start=1)
    }
    text = " ".join(sentences)
    return capitalized(_PLACE.sub(lambda place: {**names, **told}[place[1]], text))


def _reason(player: str, worth: tuple[int, int], outcome: Outcome) -> str:
    """Why the player likes an outcome of this worth, or why not."""
    reasons, rank = (outcome.a, worth[0]) if player == "A" else (outcome.b, worth[1])
    return reasons.like if rank > 2 else reasons.dislike


def _events(situation: Situation, voice: Voice, rng: Random) -> Iterator[tuple[int, str]]:
    """The combinations in another order, with what they lead to, each beginning in a way of its own."""
    left = _beginnings(voice.is_past, rng)
    for i, cell in enumerate(shuffled(range(len(CELLS)), rng)):
        sides = shuffled([(voice.a, f"A{CELLS[cell][0] + 1}"), (voice.b, f"B{CELLS[cell][1] + 1}")], rng)
        event = ""
        for way in left if i else [way for way in left if way not in ways().later]:
            event = _event(situation, voice, cell, way, sides)
            if len(event.split()) <= LONGEST_SENTENCE:
                left.remove(way)
                break
        yield cell, event


def _event(situation: Situation, voice: Voice, cell: int, way: str, sides: Sequence[tuple[Party, str]]) -> str:
    (x, one), (y, two) = sides
    told = attrs.evolve(voice, is_past=voice.is_past or way in ways().would)
    forms = {
        f"{letter}{form[1]}": _chosen(situation, told, name, form[0])
        for letter, name in (("x", one), ("y", two))
        for form in _FORMS
    }
    names = {"x": x.said(), "y": y.said(), "xo": x.said("obj"), "yo": y.said("obj")}
    event = told.say(situation.outcomes[cell].event)
    return capitalized(told.say(way.format(**names, **forms, c=combination(cell + 1), e=event)))


_FORMS: Final = (("does", "d"), ("base", "b"), ("doing", "g"))


def _worths(
    matrix: Matrix, outcome: Outcome, voice: Voice, cell: int, sets: Sequence[Mapping[int, str]], rng: Random
) -> str:
    row, column = CELLS[cell]
    said = [
        _degree(words, payoffs[row][column], party, reasons, voice)
        for words, payoffs, party, reasons in zip(
            sets, (matrix.a, matrix.b), (voice.a, voice.b), (outcome.a, outcome.b), strict=True
        )
    ]
    return " ".join(capitalized(f"{sentence}.") for sentence in shuffled(said, rng))


def _degree(words: Mapping[int, str], rank: int, party: Party, reasons: Reasons, voice: Voice) -> str:
    reason = voice.say(reasons.like if rank > 2 else reasons.dislike)
    return words[rank].format(x=party.said(), xo=party.said("obj"), r=reason)


def _beginnings(is_past: bool, rng: Random) -> list[str]:
    """All ways to begin that the tense allows, in another order."""
    known = ways()
    return shuffled([*known.any, *known.later, *known.would, *(() if is_past else known.present)], rng)


def _preferences(player: str, matrix: Matrix, situation: Situation, voice: Voice) -> dict[int, str]:
    """What the player would do in response to what, by rank, with the reason in brackets."""
    found: dict[int, str] = {}
    other = voice.b if player == "A" else voice.a
    for cell, ((row, column), worth) in enumerate(zip(CELLS, matrix, strict=True)):
        mine, theirs = (f"A{row + 1}", f"B{column + 1}")[:: 1 if player == "A" else -1]
        rank = worth["AB".index(player)]
        reason = voice.say(_reason(player, worth, situation.outcomes[cell]))
        does = _chosen(situation, voice, theirs, "does")
        found[rank] = f"{capitalized(_chosen(situation, voice, mine, 'base'))} while {other.said()} {does} ({reason})"
    return found


def _chosen(situation: Situation, voice: Voice, name: str, form: str) -> str:
    return voice.choice(situation.choices[name], voice.a if name[0] == "A" else voice.b, form)  # type: ignore[arg-type]


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """The items in another order."""
    order = list(items)
    rng.shuffle(order)
    return order
