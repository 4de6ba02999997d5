"""Forms of English verbs: what a situation says in one form, tellings need in others."""

import re
from functools import cache
from types import MappingProxyType
from typing import Final

_IRREGULAR: Final = """
beat beat, become became, begin began, bend bent, bet bet, bind bound, bite bit, blow blew, break broke, breed bred,
bring brought, build built, burn burned, burst burst, buy bought, cast cast, catch caught, choose chose, cling clung,
come came, cost cost, creep crept, cut cut, deal dealt, dig dug, do did, draw drew, drink drank, drive drove, eat ate,
fall fell, feed fed, feel felt, fight fought, find found, flee fled, fly flew, forbid forbade, forecast forecast,
forget forgot, forgive forgave, freeze froze, get got, give gave, go went, grind ground, grow grew, hang hung, have
had, hear heard, hide hid, hit hit, hold held, hurt hurt, keep kept, kneel knelt, know knew, lay laid, lead led, lean
leaned, leap leapt, leave left, lend lent, let let, lie lay, light lit, lose lost, make made, mean meant, meet met,
mow mowed, overtake overtook, pay paid, put put, quit quit, read read, rebuild rebuilt, rid rid, ride rode, ring rang,
rise rose, run ran, say said, see saw, seek sought, sell sold, send sent, set set, shake shook, shed shed, shine
shone, shoot shot, show showed, shrink shrank, shut shut, sing sang, sink sank, sit sat, sleep slept, slide slid, sow
sowed, speak spoke, spend spent, spin spun, split split, spread spread, spring sprang, stand stood, steal stole, stick
stuck, sting stung, strike struck, swear swore, sweep swept, swim swam, swing swung, take took, teach taught, tear
tore, tell told, think thought, stink stank, throw threw, understand understood, undertake undertook, undo undid, wake
woke, wear wore, weave wove, weep wept, win won, wind wound, withdraw withdrew, withhold withheld, write wrote,
overhear overheard, outbid outbid, resell resold, retell retold, rewrite rewrote, foresee foresaw, stride strode,
tread trod, thrust thrust, bid bid, bleed bled
"""
_PAST: Final = MappingProxyType(dict(re.findall(r"(\w+)\s(\w+)", _IRREGULAR)))
_WITH_DOUBLED_END: Final = """
begin admit commit permit refer prefer control travel cancel label transfer occur submit omit forget forbid
quit equip fuel signal model level channel quarrel marvel rebut regret outbid overrun upset format refit
unplug equal compel rebel patrol enrol
"""
_DOUBLED: Final = frozenset(_WITH_DOUBLED_END.split())
_CLOSED: Final = re.compile(r"[^aeiou]*[aeiou][bcdfgklmnprtvz]")
_MODAL: Final = MappingProxyType(
    {"can": "could", "may": "might", "must": "had to", "will": "would", "cannot": "could not"}
)
_FIXED: Final = MappingProxyType(
    {"is": "be", "are": "be", "am": "be", "has": "have", "does": "do", "goes": "go", "lies": "lie", "dies": "die",
     "ties": "tie", "aches": "ache", "lenses": "lens"}
)  # fmt: skip


def base(word: str) -> str:
    """The form without ending of a verb in the present tense: ``drive`` of ``drives``."""
    if word in _FIXED:
        return _FIXED[word]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "zzes", "ches", "shes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def third(verb: str) -> str:
    """The form after *she*: ``drives``."""
    if verb in {"be", "have"}:
        return {"be": "is", "have": "has"}[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


@cache
def past(verb: str) -> str:
    """The past tense: ``drove``; of *be* the form after *she*."""
    if verb == "be":
        return "was"
    if found := _PAST.get(verb):
        return found
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if re.search(r"[^aeiou]y$", verb) else f"{_doubled(verb)}ed"


@cache
def gerund(verb: str) -> str:
    """The form in ``-ing``: ``driving``."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and verb != "be" and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{_doubled(verb)}ing"


def finite(word: str, person: str, is_past: bool) -> str:
    """A verb in the form that its subject and the tense need.

    ``word`` is in the present tense, with or without its ending. ``person`` is "I", "you", "she" or "they".
    """
    if word in _MODAL:
        return _MODAL[word] if is_past else word
    verb = base(word)
    if verb == "be":
        many = person in {"you", "they"}
        present = "am" if person == "I" else "are" if many else "is"
        return ("were" if many else "was") if is_past else present
    if is_past:
        return past(verb)
    return third(verb) if person == "she" else verb


def _doubled(verb: str) -> str:
    return verb + verb[-1] if verb in _DOUBLED or _CLOSED.fullmatch(verb) else verb
