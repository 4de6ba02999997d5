"""What a machine can see of a badly written situation: one sentence for each fault, with its place."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Final

from arena_game_two_by_two.situations import CELLS, Situation, SituationTopic
from arena_game_two_by_two.storyteller import LONGEST_SENTENCE, Casting, NamedPerson, Ranks, compose
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verifier import verify
from arena_game_two_by_two.wording import Party, Unknown, Voice

FEWEST_TELLINGS: Final = 5

_LEANING: Final = re.compile(r"\b(it|them|one|ones|him|her|both|other|another|former|latter)\b", re.IGNORECASE)
_FINITE: Final = r"is|are|was|were|will|would|has|can|cannot|must|may|does"
_UNMARKED: Final = re.compile(rf"(?<!to )\b({_FINITE})\b")
_TIME: Final = re.compile(
    r"\b(tomorrow|tonight|today|yesterday|now|ago|(?<!the )last (?:week|month|year|night))\b", re.IGNORECASE
)
_CLAUSE: Final = re.compile(rf"(?<!to )\b({_FINITE}|he|she|they|you|I|his|their|my|your)\b")
_NEGATION: Final = re.compile(r"(?:no|not|nobody|nothing|none)\b")
_LIKING: Final = re.compile(
    r"\b(happy|happily|glad|gladly|sad|sadly|pleased|content|unfortunately|luckily|fortunately|sorry|proud|proudly|"
    r"delighted|angry|angrily|annoyed|relieved|disappointed|wonderful|terrible|best|worst|better|worse)\b",
    re.IGNORECASE,
)
_HINT: Final = re.compile(
    r"\b(un)?(likely|probab\w+|guess\w*|equally|easily|surely|certain\w*|natural\w*|normal\w*|usual\w*|rarely|seldom|"
    r"(quite|very|most) (possib\w+|plausib\w+)|expect\w*|believ\w*|hope\w*|fear\w*|wish\w*|trust\w*|agree\w*|"
    r"predict\w*|provided|rule out|of course|doubt\w*|keeps?|kept|better|best|worse|worst)\b",
    re.IGNORECASE,
)
_GENDER: Final = re.compile(
    r"\b(?:son|daughter|boy|girl|man|woman|brother|sister|niece|nephew|mother|father|widow|headmistress|headmaster)\b",
    re.I,
)
_AS_OBJECT: Final = re.compile(r"\b(?:to|for|with|from|by|between|behind|of) \{([AB])\}")
_ALONE: Final = re.compile(r"\{[AB]'s\}(?=[,.;:]| (?:on|in|at|from|to|for|with|and|or|by|up|along)\b| \[(?:is|are)\])")
_SECOND_VERB: Final = re.compile(r"\{[AB] \w+\}[^.,;{}]* and \[(\w+s)\]")
_MARKED_VERB: Final = re.compile(r"[\[{](?:[AB] )?(?:he )?([\w']+)(?=[\]} ])")
_PAST_FORM: Final = re.compile(r"was|were|had|did|could|would|should|might|\w*[^aeiou\W]ed")
_MARKS: Final = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]")

SEAMS: Final[Mapping[str, "re.Pattern[str]"]] = {
    "a word twice": re.compile(r"\b(\w+) \1\b"),
    "a before a vowel": re.compile(r"\b[Aa] (?=[aeiou])(?!(?:one|once|uni|use|usu|eu|ut))\w+"),
    "an before a consonant": re.compile(r"\b[Aa]n (?![aeiouAEIOU]|hour|honest|honour|heir)\w+"),
    "an empty place": re.compile(r"[{}\[\]]|\bNone\b|\bnull\b"),
    "spaces": re.compile(r"  | [,.;:!?]|\( | \)"),
    "punctuation": re.compile(r"[,.;:!?]{2}|\.\w"),
    "a small beginning": re.compile(r"(?:^|[.!?] |\n)[a-z]"),
    "no end": re.compile(r"(?m)^(?:\S+ ){12}.*[^.!?\"\n]$"),
    "subject and verb": re.compile(
        r"\b(?:he|she|it) (?:are|have|were|do|am)\b|(?<!of )\b(?:they|we|you) (?:is|was|has|does|am)\b|"
        r"(?<!and )\bI (?:is|are|were(?! to)|has|does)\b"
    ),
    "of me or of you": re.compile(
        r"(?i)(?<!two)(?<!both)(?<!each)(?<!one)(?<!either)(?<!neither)(?<!none)(?<!all) of (?:me|you)\b"
    ),
}
"""What would show that a text was put together from pieces."""


def faults_of_topic(topic: SituationTopic) -> list[str]:
    """The faults of all situations of a topic, and clauses or names that stand in two places."""
    found = [fault for situation in topic.situations for fault in faults_of(situation)]
    names = Counter(situation.name for situation in topic.situations)
    found += [f"{name}: {count} situations of this name" for name, count in names.items() if count > 1]
    return found


def faults_of(situation: Situation) -> list[str]:
    """The faults of one situation; of its text first, and of the stories that are told of it if the text has none."""
    try:
        found = [f"{situation.name}: {fault}" for fault in _text_faults(situation)]
    except Unknown as mark:
        return [f"{situation.name}: the mark {mark} has no meaning"]
    return found or [f"{situation.name}: {fault}" for fault in dict.fromkeys(_story_faults(situation))]


def repeated(topics: tuple[SituationTopic, ...]) -> list[str]:
    """Clauses that are used for two combinations, in one situation or in two."""
    clauses = Counter(clause for topic in topics for one in topic.situations for _, clause in _clauses(one))
    return [f"used {count} times: {clause!r}" for clause, count in clauses.items() if count > 1]


def _text_faults(situation: Situation) -> Iterator[str]:
    plain = Voice(Party("Ada", "she"), Party("Ben", "he"))
    for i, setting in enumerate(situation.settings, start=1):
        yield from _length(f"setting {i}", plain.say(setting), 35, 55)
        yield from _marked(f"setting {i}", setting)
    for i, closing in enumerate(situation.closings, start=1):
        yield from _length(f"closing {i}", plain.say(closing), 8, 20)
        yield from _marked(f"closing {i}", closing)
        if "will" not in closing:
            yield f"closing {i}: no 'will' in it; it tells what comes next"
    for letter, role in (("a", situation.a), ("b", situation.b)):
        if role.is_person and (found := re.search(_GENDER, re.split(r",| who | of ", role.who)[0])):
            yield f"{letter}: {found[0]!r} fits no person of another gender"
    for name, choice in situation.choices.items():
        yield from _length(name, choice, 2, 7)
        if leaning := _LEANING.search(_MARKS.sub("", choice)):
            yield f"{name}: {leaning[0]!r} leans on another sentence; a choice names its object itself"
    for cell, outcome in zip(CELLS, situation.outcomes, strict=True):
        yield from _length(f"{cell}: event", plain.say(outcome.event), 6, 16)
        yield from _event(cell, outcome.event)
    for where, reason in _clauses(situation):
        if where.endswith("event"):
            continue
        yield from _length(where, plain.say(reason), 3, 9)
        if "{" in reason:
            yield f"{where}: a reason names no party, got {reason!r}"
        if negation := _NEGATION.match(reason):
            yield f"{where}: {negation[0]!r} does not follow 'because of'; say 'a road without a car', not 'no car'"
        if finite := _CLAUSE.search(_MARKS.sub("", reason)):
            yield f"{where}: {finite[0]!r} makes it a sentence; a reason is a phrase such as 'an empty road'"
    if len(situation.tellings) < FEWEST_TELLINGS:
        yield f"only the tellings {', '.join(situation.tellings)} fit, expected at least {FEWEST_TELLINGS}"
    clauses = Counter(clause for _, clause in _clauses(situation))
    yield from (f"used {count} times: {clause!r}" for clause, count in clauses.items() if count > 1)


def _event(cell: str, event: str) -> Iterator[str]:
    yield from _marked(f"{cell}: event", event)
    if not re.search(r"\bwill\b", event):
        yield f"{cell}: no 'will' in the event {event!r}"
    if liking := _LIKING.search(event):
        yield f"{cell}: {liking[0]!r} says who likes it; an event tells only what happens"
    if event.endswith(".") or (event[0].isupper() and not event.startswith("{")):
        yield f"{cell}: an event begins small and has no full stop, since it continues a sentence"


def _marked(where: str, text: str) -> Iterator[str]:
    if found := _AS_OBJECT.search(text):
        yield f"{where}: {found[0]!r} would become 'to I'; write {{{found[1]} obj}}"
    if found := _ALONE.search(text):
        yield f"{where}: {found[0]!r} would become 'my' without a noun; write {found[0][:-1]} own}}"
    if found := _SECOND_VERB.search(text):
        yield f"{where}: 'and [{found[1]}]' would become 'I … and {found[1]}'; write [A {found[1]}] or [B {found[1]}]"
    verbs = (verb for verb in _MARKED_VERB.findall(text) if _PAST_FORM.fullmatch(verb))
    yield from (f"{where}: {verb!r} in a mark; write the present tense, which becomes the past" for verb in verbs)
    bare = _MARKS.sub("", text)
    if noun := re.search(r"\b(?:the|a|last|her|his) will\b|\bwill's\b", bare):
        yield f"{where}: {noun[0]!r} would become 'would'; call a last will a testament"
    for found in (_UNMARKED.search(bare.replace("will", "")), _TIME.search(bare)):
        if found:
            yield f"{where}: {found[0]!r} stands outside of a mark, and would be wrong in the past"


def _length(where: str, text: str, fewest: int, most: int) -> Iterator[str]:
    words = len(text.split())
    if not fewest <= words <= most:
        yield f"{where}: {words} words, expected {fewest} to {most}"


def _clauses(situation: Situation) -> Iterator[tuple[str, str]]:
    for cell, outcome in zip(CELLS, situation.outcomes, strict=True):
        yield f"{cell}: event", outcome.event
        for player, reasons in (("A", outcome.a), ("B", outcome.b)):
            yield f"{cell}: {player} likes", reasons.like
            yield f"{cell}: {player} dislikes", reasons.dislike


def _story_faults(situation: Situation) -> Iterator[str]:
    """Faults of stories in all tellings, of games that need every like and dislike, and of one without figures."""
    rng = Random(situation.name)
    people = (NamedPerson("Ada", "she"), NamedPerson("Ben", "he"))
    told: tuple[tuple[str, Ranks], ...] = (("111", "numbers"), ("466", "numbers"), ("233", "numbers"), ("411", "words"))
    for i, (telling, (game, ranks)) in enumerate(product(situation.tellings, told)):
        a, b = people if i % 2 else people[::-1]
        casting = Casting(situation, telling, i % 2, (i + 1) % 2, a, b)
        story = compose(GAMES[game].matrix, casting, rng, ranks)
        yield from (
            f"{telling}: {fault}" for fault in (*verify(story.text, GAMES[game].matrix), *seams(story.scenario))
        )


def hints(opening: str) -> list[str]:
    """Words of an opening that tell which outcome is likely, expected or wanted, which is what players are asked."""
    return [found[0] for found in _HINT.finditer(opening)]


def seams(text: str) -> list[str]:
    """Places at which a story shows that it was put together, and sentences that are too long."""
    found = [f"{name}: {mark[0]!r}" for name, pattern in SEAMS.items() if (mark := pattern.search(text))]
    sentences = re.split(r"(?<=[.!?])\"? |\n", text)
    longest = max(sentences, key=lambda sentence: len(sentence.split()))
    if len(longest.split()) > LONGEST_SENTENCE:
        found.append(f"a sentence of {len(longest.split())} words: {longest!r}")
    return found
