"""Puts names, persons and tenses into the marked text of situations and tellings.

In braces stands what depends on who a party is: ``{A}`` and ``{A obj}`` are *Ada*, *I* and *me*, or *you*; ``{A's}``
is *Ada's*, *my* or *your*, and ``{A's own}``, which stands alone, *Ada's*, *mine* or *yours*; ``{A he}``,
``{A him}``, ``{A his}`` and ``{A himself}`` are pronouns; ``{A drives}`` is a name with its verb, ``{A he drives}`` a
pronoun with its verb, and ``[A drives]`` the verb alone. ``{both}`` and ``{both obj}`` name the two; ``{they}``,
``{them}``, ``{their}`` and ``{they drive}`` mean them. In brackets stands what depends on the tense: ``[drives]`` is
a verb, ``[tomorrow|the next day]`` what is said in the present and in the past. *will* becomes *would*.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

import attrs

from arena_game_two_by_two.verbs import base, finite, gerund, past

Person: TypeAlias = Literal["I", "you", "she", "they"]
Form: TypeAlias = Literal["base", "does", "did", "doing"]

_PRONOUNS: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "I": ("I", "me", "my", "myself"),
    "we": ("we", "us", "our", "ourselves"),
    "you": ("you", "you", "your", "yourself"),
    "she": ("she", "her", "her", "herself"),
    "he": ("he", "him", "his", "himself"),
    "it": ("it", "it", "its", "itself"),
    "they": ("they", "them", "their", "themselves"),
}
PRONOUNS: Final = tuple(word for word in _PRONOUNS if word not in {"I", "we", "you"})
"""What a party can be called by, besides a name."""

_FORMS: Final = ("he", "him", "his", "himself")
_THEY: Final = ("they", "them", "their", "themselves")
_MARK: Final = re.compile(r"\{([^{}]*)\}|\[([^\[\]]*)\]|\bwill\b")
_BEGINNING: Final = re.compile(r"(^\"?|\n\"?|[.!?] \"?|[.!?]\" \")([a-z])")


class Unknown(ValueError):
    """A mark that has no meaning; the text is the mark."""


@attrs.frozen
class Party:
    """One of the two in a telling: ``voice`` is "name", "I" or "you"; ``pronoun`` is that of the third person."""

    name: str
    pronoun: str
    voice: str = "name"

    @property
    def person(self) -> Person:
        """What verbs agree with."""
        if self.voice == "name":
            return "they" if self.pronoun == "they" else "she"
        return "I" if self.voice == "I" else "you"

    def said(self, form: str = "") -> str:
        """The name as subject, or in the form "obj", "'s" or "own" (a possessive that stands alone)."""
        if form == "own":
            return {"I": "mine", "you": "yours"}.get(self.voice) or self.said("'s")
        if self.voice != "name":
            return _PRONOUNS[self.voice][{"": 0, "obj": 1, "'s": 2}[form]]
        if form == "'s":
            return f"{self.name}'" if self.pronoun == "they" and self.name.endswith("s") else f"{self.name}'s"
        return self.name

    def called(self, form: str) -> str:
        """The pronoun in the form of "he", "him", "his" or "himself"."""
        return _PRONOUNS[self.pronoun if self.voice == "name" else self.voice][_FORMS.index(form)]


@attrs.frozen
class Voice:
    """Who the parties are and when a text is told."""

    a: Party
    b: Party
    is_past: bool = False

    def say(self, text: str) -> str:
        """The text with all marks filled in; ``Unknown`` if one has no meaning."""
        return "".join(part if isinstance(part, str) else self._filled(*part) for part in _parts(text))

    def choice(self, text: str, party: Party, form: Form) -> str:
        """A choice ("wait and [see]") in one form of its verbs: the first word, and those in brackets."""
        first, space, rest = text.partition(" ")
        inflected = re.sub(r"\[([^\[\]|]*)\]", lambda verb: self._verb(verb[1], party, form), rest)
        return self.say(self._verb(first, party, form) + space + inflected)

    def _verb(self, verb: str, party: Party, form: Form) -> str:
        if form == "does":
            return finite(verb, party.person, self.is_past)
        return {"base": base, "did": past, "doing": gerund}[form](verb)

    def _filled(self, kind: str, mark: str) -> str:
        if kind == "will":
            return "would" if self.is_past else "will"
        return self._braced(mark) if kind == "{" else self._bracketed(mark)

    def _bracketed(self, mark: str) -> str:
        if "|" in mark:
            return mark.split("|")[1 if self.is_past else 0]
        first, *rest = mark.split(" ")
        if first in {"A", "B"} and rest:
            return self._agreeing(rest, self._party(first).person)
        person: Person = "they" if first in {"are", "have", "do"} or base(first) == first else "she"
        return self._agreeing([first, *rest], person)

    def _braced(self, mark: str) -> str:
        first, *rest = mark.split(" ")
        first = first.lower() if len(first) > 3 else first
        if first in {"A's", "B's"} and rest in ([], ["own"]):
            return self._party(first[0]).said("own" if rest else "'s")
        if first in {"A", "B"}:
            return self._of_one(self._party(first), rest)
        if first == "both":
            return self._both(rest)
        if first in _THEY:
            pronoun = _PRONOUNS[self._plural][_THEY.index(first)]
            if self._plural == "you" and first == "themselves":
                pronoun = "yourselves"
            return " ".join([pronoun, *([self._agreeing(rest, "they")] if rest else [])])
        raise Unknown(f"{{{mark}}}")

    def _of_one(self, party: Party, rest: list[str]) -> str:
        if not rest:
            return party.said()
        if rest == ["obj"]:
            return party.said("obj")
        if rest[0] in _FORMS:
            said, rest = party.called(rest[0]), rest[1:]
            return f"{said} {self._agreeing(rest, party.person)}" if rest else said
        return f"{party.said()} {self._agreeing(rest, party.person)}"

    def _both(self, rest: list[str]) -> str:
        form = "obj" if rest == ["obj"] else ""
        one, two = (self.b, self.a) if self.a.voice == "I" or self.b.voice == "you" else (self.a, self.b)
        pair = f"{one.said(form)} and {two.said(form)}"
        return f"{pair} {self._agreeing(rest, 'they')}" if rest and not form else pair

    def _agreeing(self, words: list[str], person: Person) -> str:
        verb, *rest = words
        if verb == "will":
            return " ".join([self._filled("will", ""), *rest])
        return " ".join([finite(verb, person, self.is_past), *rest])

    @property
    def _plural(self) -> str:
        voices = {self.a.voice, self.b.voice}
        return "we" if "I" in voices else "you" if "you" in voices else "they"

    def _party(self, letter: str) -> Party:
        return self.a if letter == "A" else self.b


def capitalized(text: str) -> str:
    """The text with a capital at each beginning of a sentence."""
    return _BEGINNING.sub(lambda found: found[1] + found[2].upper(), text)


@cache
def _parts(text: str) -> tuple[str | tuple[str, str], ...]:
    """A text as its plain pieces and its marks."""
    parts: list[str | tuple[str, str]] = []
    end = 0
    for mark in _MARK.finditer(text):
        parts.append(text[end : mark.start()])
        kind = mark[0][0] if mark[0] != "will" else "will"
        parts.append((kind, mark[1] if kind == "{" else mark[2] or ""))
        end = mark.end()
    return (*parts, text[end:])
