"""Judges by the words around an answer whether it is the player's own, and whether it was taken back.

Words around an answer may take it away; they never choose between two.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from arena.game import Option

from arena_agent_llm.replies.objects import Found
from arena_agent_llm.replies.words import plain, words

SHOWN: Final = 80
"""The most characters of a model's own words that a reason quotes."""

_TAG = (
    r"(?:\w*_)?(?:answer|action|move|final|response|reply|output|result|json|decision|choice|code|tool_call|play"
    r"|antwort|zug|aktion|réponse|coup|choix|respuesta|jugada|acción|答案|回答)"
)
_MARKS = re.compile(
    r"(?:\s|[>*_`\"'\u201c\u201e\u00ab#\[(,]|[-+\u2022\u2013\u2014](?=\s)|\d{1,3}[.)](?=\s)|```\w*|\$+"
    rf"|</?{_TAG}[^<>]*>|\\(?:boxed|text)\{{|[\u2705\u27a1\u2192]\ufe0f?|=>|->)*+",
    re.IGNORECASE,
)
_FENCE_LINE = re.compile(r"\s*+(?:```|~~~)\s*+\w*\s*+")
_CLOSING = re.compile(r"(?:[\s*_`\"'\u201d\u00bb)\]}>$]|</\w+>|```)*+")
_COLON = re.compile(r"[:\uff1a=][\s*_`\"']*\Z")
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])[\s*_\"')]+|(?<=[\u3002\uff01\uff1f])|\n+")
_STOP = re.compile(r"[.!?\u2026\u3002\uff01\uff1f:\uff1a][\s*_\"')]*\Z")
_GOES_ON = re.compile(r"[^\S\n]*+(?:[,;\uff0c]|[a-z\u00df-\u00ff\u3400-\u9fff])")
_FINISHED = re.compile(r"[^\w\s,][\s*_\"')]*\Z")
_SPEAKER = re.compile(r"[^:.!?\n]{1,40}[:\uff1a](?=\s)")
_ITEM = re.compile(r"\s*(?:[-+*\u2022>|#]|\d{1,3}[.)])")
_NEAR = re.compile(r"[\s:,\uff1a\uff0c\"'`*_]*(?:[\w']+[\s\"'`*_]+){0,4}[\"'`*_]*")
_CLAUSE = re.compile(r"[,;:.!?\u2014\u3002\uff0c]")
_ROOM = 2_000
_MOST_BEHIND = 50_000
_WHOLE = 5
_NAME = 3
_NEARBY = 60
_NO_WORD = " \t\"'`*_.,:;!-"


def objection(text: str, answer: Found, *, is_list: bool = False) -> str:
    """Why an answer does not stand on its own; empty if it does.

    It stands if it begins a line, or follows a finished sentence or a lead-in that ends with a colon, and no sentence
    goes on behind it. A lead-in, on the same line or the line above, must announce an answer and hold no negation,
    condition, question, example, past, or other subject.
    """
    behind = text[answer.end : answer.end + _ROOM]
    closed = _CLOSING.match(behind).end()  # type: ignore[union-attr]  # matches everywhere
    if behind[closed : closed + 1] in ("?", "\uff1f"):
        return "a question mark follows it"
    line_start = text.rfind("\n", 0, answer.start) + 1
    before = text[max(line_start, answer.start - _ROOM) : answer.start]
    lead = before[_MARKS.match(before).end() :].strip()  # type: ignore[union-attr]  # matches everywhere
    is_same_line = "\n" not in behind[:closed]
    if is_same_line and _GOES_ON.match(behind[closed - 1 if closed and behind[closed - 1].isspace() else closed :]):
        return f"it stands inside a sentence ({_shown(f'{lead} … {behind[closed:].splitlines()[0]}')})"
    if not lead:
        return _above(_line_above(text, line_start), behind[closed:].lstrip())
    if _COLON.search(lead):
        return _lead_in(lead, is_list=is_list)
    if _is_own(plain(lead)):
        return _touched(_last_sentence(lead))
    if _STOP.search(lead):
        if (speaker := _SPEAKER.match(lead)) and not words().announce.search(plain(speaker[0])):
            return f"the words before it are somebody else's ({_shown(speaker[0])})"
        return _touched(_last_sentence(lead), ("negation", "example", "other"))
    return f"it stands inside a sentence ({_shown(lead)})"


def taken_back(behind: str, chosen: str, others: Sequence[Option]) -> str:
    """The words behind an answer that withdraw it or offer another action; empty if they are commentary.

    ``chosen`` is the label of what was chosen, ``others`` are the options besides it.
    """
    if not behind.strip():
        return ""
    if len(behind) > _MOST_BEHIND:
        return f"{len(behind):,} characters follow it"
    known, own = words(), plain(chosen).strip()
    labels = _label_pattern(others)
    was_question = False
    sentences = [part for part in _SENTENCE_END.split(behind) if part.strip()]
    for sentence in sentences:
        said = plain(sentence)
        first = known.withdraw_first.search(said)
        is_withdrawn = first is not None and first[0].strip(_NO_WORD) not in own.split()
        is_withdrawn |= any(found[0] != own for found in known.withdraw.finditer(said))
        is_withdrawn |= known.no.search(said) is not None and not was_question
        if is_withdrawn or _refuted(said, own):
            return _shown(sentence)
        was_question = sentence.rstrip(" \"'*_`)").endswith(("?", "\uff1f"))
        is_answered = was_question and sentence is not sentences[-1] and not known.offer_first.search(said)
        if not is_answered and _offers(sentence, labels):
            return _shown(sentence)
    return ""


def _refuted(said: str, own: str) -> bool:
    """Whether a sentence says that the answer, by a word for it or by its label, is wrong or impossible."""
    for found in words().refuted.finditer(said):
        before = said[: found.start()].rstrip(_NO_WORD)
        if words().it_before.search(before) or (own and before.endswith(own)):
            return True
    return False


def chosen_in_words(text: str, others: Sequence[Option]) -> str:
    """The sentence of ``text`` in which the player says that it chooses one of ``others``; empty if there is none."""
    labels = _label_pattern(others)
    for sentence in _SENTENCE_END.split(text):
        for mention in labels.finditer(sentence):
            if words().announced.search(plain(sentence[: mention.start()])) and not _touched(sentence):
                return _shown(sentence)
    return ""


def announced(text: str, options: Sequence[Option]) -> tuple[Option, ...]:
    """The options that a text without any object announces: none if it is not clear, several if labels look alike.

    An option is announced by the last sentence, or by one that says nothing else and that nothing behind it takes back.
    """
    labels = _label_pattern(options)
    sentences = [part for part in _SENTENCE_END.split(text) if part.strip()] if len(text) <= _MOST_BEHIND else []
    if not sentences:
        return ()
    whole = [(i, found) for i, part in enumerate(sentences) if (found := _announces(part, labels, is_whole=True))]
    said = {_folded(mention) for mention in labels.findall(sentences[-1][:_ROOM])}
    if not whole and len(said) > 1:
        return tuple(option for option in options if _folded(option.label) in said)
    at, found = whole[-1] if whole else (len(sentences) - 1, _announces(sentences[-1], labels, is_whole=False))
    named = tuple(option for option in options if found and _folded(option.label) == _folded(found))
    others = [option for option in options if option not in named]
    behind = "\n".join(sentences[at + 1 :])
    if len({_folded(label) for _, label in whole}) > 1 or taken_back(behind, found, others):
        return ()
    return named


def _announces(sentence: str, labels: re.Pattern[str], *, is_whole: bool) -> str:
    """The one label that a sentence announces or consists of; with ``is_whole`` only if nothing follows it."""
    mentions = list(labels.finditer(sentence)) if len(sentence) <= _ROOM else []
    if len(mentions) != 1 or sentence.rstrip(" \"'*_`)").endswith(("?", "\uff1f")):
        return ""
    before, after = sentence[: mentions[0].start()], sentence[mentions[0].end() :]
    if _touched(f"{before} {after}") or (is_whole and re.search(r"\w", after)):
        return ""
    is_alone = not re.search(r"\w", before + after)
    announcement = words().announced.search(plain(before))
    if is_whole and (announcement is None or len(before.split()) > _WHOLE):
        return ""
    return mentions[0][0] if is_alone or announcement else ""


def with_its_words(text: str, answer: Found) -> str:
    """An answer and the words on its line, or on the line above, with single spaces; empty if it stands bare.

    What stands in the prompt like that was copied from it; a bare object is never taken for a copy.
    """
    line_start = text.rfind("\n", 0, answer.start) + 1
    line_end = text.find("\n", answer.end)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    lead, rest = text[line_start : answer.start], text[answer.end : line_start + len(line)]
    if not re.search(r"\w", lead + rest):
        above = _line_above(text, line_start)
        if not above:
            return ""
        line = f"{above} {line}"
    return " ".join(line.split())


def _is_own(lead: str) -> bool:
    """Whether words end in an announcement of the player's own answer: ``I play``, ``my move is``."""
    known = words()
    return bool(known.verb.search(lead) or (known.mine.search(lead) and known.announced.search(lead)))


def _above(line: str, behind: str) -> str:
    """What the line above says against an answer: a lead-in, or a sentence that goes on in the answer and behind it."""
    is_unfinished = line and not _FINISHED.search(line) and not _ITEM.match(line)
    if is_unfinished and behind[:1].islower():
        return f"it stands inside a sentence ({_shown(line)})"
    return _touched(_last_sentence(line)) if _COLON.search(line) or is_unfinished else ""


def _lead_in(lead: str, *, is_list: bool) -> str:
    """What a lead-in on the same line says against an answer; a name with a colon may be that of another speaker.

    Nobody else speaks in lists, which are asked for by few prompts and in few games.
    """
    sentence = _last_sentence(lead)
    if not is_list and len(sentence.split()) <= _NAME and not words().announce.search(plain(sentence)):
        return f"the words before it do not announce your answer ({_shown(sentence)})"
    return _touched(sentence)


def _offers(sentence: str, labels: re.Pattern[str]) -> bool:
    """Whether a sentence offers one of these labels: behind a word that offers, or as what would be better.

    A label that something is only compared with (``better than c3``) is not offered.
    """
    known = words()
    for mention in labels.finditer(sentence):
        before = plain(sentence[max(0, mention.start() - _NEARBY) : mention.start()])
        clause = _CLAUSE.split(before)[-1]
        if known.than.search(clause):
            continue
        if any(_NEAR.fullmatch(before, found.end()) for found in known.offer.finditer(before)):
            return True
        after = _CLAUSE.split(plain(sentence[mention.end() : mention.end() + _NEARBY]))[0]
        near = " ".join(after.split()[:4])
        if known.better.search(near) and not known.disqualifying["negation"].search(near):
            return True
    return False


def _touched(sentence: str, lists: Sequence[str] = ("negation", "condition", "example", "past", "other")) -> str:
    """Why words cannot announce the player's own answer; empty if nothing speaks against it."""
    known = words()
    said = known.harmless.sub(" ", plain(sentence))
    if "?" in said or "\uff1f" in said or (len(lists) > 3 and known.question.search(said)):
        return f"the words before it ask ({_shown(sentence)})"
    if known.somebody_elses.search(said):
        return f"the words before it speak of somebody else ({_shown(sentence)})"
    for name in lists:
        if known.disqualifying[name].search(said):
            return f"the words before it do not announce your answer ({_shown(sentence)})"
    return ""


def _line_above(text: str, line_start: int) -> str:
    """The last line with words above a position, but for the opening of a fence; at most so many characters of it."""
    lines = text[max(0, line_start - _ROOM) : line_start].rstrip().splitlines()
    while lines and (_FENCE_LINE.fullmatch(lines[-1]) or not lines[-1].strip()):
        lines.pop()
    return lines[-1].strip() if lines else ""


def _last_sentence(text: str) -> str:
    return [part for part in _SENTENCE_END.split(text) if part.strip()][-1]


def _label_pattern(options: Sequence[Option]) -> re.Pattern[str]:
    """Labels as whole words, in any case; one letter or number alone counts only where punctuation follows it."""
    return _pattern_of(tuple(sorted({option.label.strip() for option in options if option.label.strip()})))


@lru_cache(maxsize=64)
def _pattern_of(labels: tuple[str, ...]) -> re.Pattern[str]:
    pattern = "|".join(_whole(label) for label in sorted(labels, key=len, reverse=True))
    return re.compile(rf"(?<![\w\"'])(?:{pattern})|(?<=[\"'])(?:{pattern})(?=[\"'])" if labels else r"(?!)")


def _whole(label: str) -> str:
    if len(label) == 1:
        return rf"{re.escape(label)}(?=[\s\"'*_`)]*(?:[.,;:!?\u3002\uff0c]|\Z|\n))"
    words_of = r"\s+(?:the\s+|an?\s+)?".join(re.escape(word) for word in label.split())
    return rf"(?i:{words_of})(?!\w)" if sum(map(str.isalpha, label)) > 1 else rf"{words_of}(?!\w)"


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


def _shown(words_said: str) -> str:
    text = " ".join(words_said.split())
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + " \u2026")
