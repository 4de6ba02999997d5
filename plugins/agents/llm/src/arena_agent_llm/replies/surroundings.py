"""Judges what stands around an answer by its form: what wraps it, what stands before it, and other answers."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from arena.record import JSON

from arena_agent_llm.replies.announcements import announces
from arena_agent_llm.replies.asked import ROOM, Asked, sentences
from arena_agent_llm.replies.lenient_json import Found, ending_at
from arena_agent_llm.replies.thought import BOXES

MOST: Final = 1_000
"""With more marks or other answers than this, nothing in a reply is an answer."""

FEW: Final = 3
"""Fewer sentences than these before an answer are as likely to deny it as to give reasons for it."""

SHORT: Final = 6
"""A line of so many words is a label."""

BRIEF: Final = 2
"""So few words before a full stop are no sentence but may be shortened words, such as ``E.g.``."""

_FENCES = {
    kind: re.compile(rf"(?:\A|\n)[^\S\n]*(`{{3,}})[^\S\n]*(?:{names})?[^\S\n]*\n?[^\S\n]*\Z", re.IGNORECASE)
    for kind, names in {"list": "python3?|py|json|text", "object": "json|jsonc|json5|text"}.items()
}
_NAME = re.compile(r"[^\W\d]\w{0,30}\s{0,9}=\s{0,9}\Z")
_TAG = re.compile(r"<([^\W\d][\w-]{0,30})>\Z")
_ANY_TAG = re.compile(r"(?<![\"'])<(/?)([A-Za-z][\w-]{0,40})(?:\s[^<>]*)?(/?)>")
_VOID = frozenset({"br", "hr", "img", "p", "li", "input"})
_BOX = re.compile(r"\\+boxed\s*\{((?:[^{}\n]|\{[^{}\n]*\}){0,300})\}")
_STYLED = re.compile(r"\\(?:text|mathrm|mathbf|texttt)\s*\{([^{}]*)\}")
_TAGGED = re.compile(r"<([A-Za-z][\w-]{0,40})[^<>]{0,200}>([^<>{}]{1,200})</\1>")
_QUOTED = re.compile(r"\\*([\"'\u201c])([^\"'\u201d\n]{0,300})\\*[\"'\u201d]")
_BARE = re.compile(r"[^\n,;}\])<]{0,200}")
ENDED: Final = re.compile(r"(?:(?<![.\u2026])[.!]|[\u3002\uff01\u0964\u06d4])[*_)\]\uff09]*\Z")
_RULE = re.compile(r"\n\s?(?:-{3,9}|\*{3,9}|_{3,9})\Z")
_BLOCK = re.compile(r"`{3}[^\n]*\n(.*?)`{3}", re.DOTALL)
_LABEL_LINE = re.compile(
    r".*(?:[:\uff1a?\uff1f\u061f\u2026]|\.\.)[*_`\"')]*|#.*|\*\*[^*]+\*\*.?|__[^_]+__.?|[(\[\u3010].*[)\]\u3011].?"
)


def wrapped(text: str, found: Found, asked: Asked) -> tuple[int, str]:
    """Where the wrapper of an answer begins, and what stands behind its end; of each kind there is at most one."""
    start, end, worn = found.start, found.end, set[str]()
    if asked.form == "list" and (name := _NAME.search(text[max(0, start - 60) : start])):
        start -= len(name[0])
    while True:
        before, behind = text[:start].rstrip(), text[end:].lstrip()
        fence = _FENCES["list" if asked.form == "list" else "object"].search(text[max(0, start - 60) : start])
        tag = _TAG.search(before[-40:])
        marks = [("bold", "**", "**"), ("bold", "__", "__"), ("code", "`", "`"), *(("box", *box) for box in BOXES)]
        if fence:
            marks = [("fence", fence[0].strip(), fence[1])]
        elif tag and announces(tag[1].replace("_", " ")):
            marks = [("tag", tag[0], f"</{tag[1]}>")]
        fits = (
            each for each in marks if each[0] not in worn and before.endswith(each[1]) and behind.startswith(each[2])
        )
        if (mark := next(fits, None)) is None:
            return start, behind.strip(".\u3002 \n")
        start, end = len(before) - len(mark[1]), len(text) - len(behind) + len(mark[2])
        worn.add(mark[0])


def objection(before: str) -> str:
    """Why an answer cannot stand behind these words; empty if it can.

    There may be nothing, an announcement, a block that is closed, or several sentences: they end with a finished one,
    or with an empty line below what is no heading, question or label. No block that begins there may be open.
    """
    said = _RULE.sub("", before.rstrip())
    gap = before[len(said) :].count("\n")
    if before.count("{") != before.count("}") or before.count("```") % 2 or _is_in_tag(said):
        return "it stands inside something that is not closed"
    line = said[said.rfind("\n") + 1 :].strip()
    if not said or _ANY_TAG.fullmatch(said, max(0, said.rfind("<"))):
        return ""
    told = sentences(said)
    above = line[: -len(told[-1])].rstrip()
    if announces(line) or (announces(told[-1]) and ENDED.search(above[-20:]) and _words(told[-2]) > BRIEF):
        return ""
    if len(told) < FEW:
        return "so few sentences before it may say anything of it"
    if gap and ENDED.search(line[-20:]) and not _LABEL_LINE.fullmatch(line):
        return ""
    over = said[: len(said) - len(told[-1])].rstrip(" \t")
    is_alone = over[-2:] in ("", "\n\n") or ENDED.search(over[-20:])
    is_label = _LABEL_LINE.fullmatch(line) or (is_alone and _words(told[-1]) <= SHORT)
    return "the words before it are no finished sentence" if gap < 2 or is_label else ""


def _words(text: str) -> float:
    """How many words a text has; in languages without spaces two characters are one."""
    return len(text.split()) if text.isascii() or " " in text else len(text) / 2


def _is_in_tag(text: str) -> bool:
    opened: list[str] = []
    for slash, name, closed in _ANY_TAG.findall(text) if "<" in text else ():
        if slash and name in opened:
            opened.remove(name)
        elif not slash and not closed and name.lower() not in _VOID:
            opened.append(name)
    return bool(opened)


def rivals(text: str, asked: Asked) -> Iterator[JSON]:
    """What looks like another answer: objects, boxes, tags, calls that are written out, and lines with the key."""
    by_key = {"action": _in_objects, "fields": _in_objects, "list": _in_blocks}.get(asked.form, _in_values)
    for number, rival in enumerate(chain(_in_notations(text, asked), by_key(text, asked) if asked.known else ())):
        yield rival if number < MOST else {}


def _in_objects(text: str, asked: Asked) -> Iterator[JSON]:
    """Other objects with one of several keys."""
    for match in key_pattern(asked.known).finditer(text):
        yield asked.meant(_decoded(text[text.rfind("{", 0, match.start() + 1) :][:ROOM]))


def _in_blocks(text: str, asked: Asked) -> Iterator[JSON]:
    """Other lists in blocks of code."""
    for block in _BLOCK.finditer(text):
        if found := ending_at(block[1], block[1].rfind("]") + 1, "["):
            yield found.value


def _in_values(text: str, asked: Asked) -> Iterator[JSON]:
    """What stands behind the key: in other objects, in calls and tags that are written out, and on lines."""
    for match in key_pattern(asked.known, is_bare=True).finditer(text):
        behind = text[match.end() : match.end() + ROOM]
        said = _BARE.match(behind)[0].strip()  # type: ignore[index]  # matches everywhere
        if quoted := _QUOTED.match(behind):
            yield quoted[2]
        elif match["quote"] or match["close"]:
            yield _decoded(behind) if behind[:1] in ("{", "[") else said
        elif behind[:1] not in ("{", "[") and said:
            yield from asked.labels_in(said)[:1] if asked.options else [said] * (" " not in said)


def _decoded(text: str) -> JSON:
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return text[:40]


def _in_notations(text: str, asked: Asked) -> Iterator[JSON]:
    """Boxes; and tags and calls that hold an action and nothing else."""
    for match in _BOX.finditer(text) if "boxed" in text else ():
        yield _STYLED.sub(r"\1", match[1]).strip().strip("\"'")
    for match in _TAGGED.finditer(text) if "</" in text else ():
        if asked.label(match[2].strip()):
            yield match[2].strip()
    call = f"{asked.tool}("
    for found in re.finditer(rf"(?<![\w.]){re.escape(call)}", text) if call in text else ():
        said = text[found.end() : found.end() + ROOM].partition(")")[0].strip().strip("\"'")
        if said and not {"=", ":"} & {*said}:
            yield said


@lru_cache(maxsize=256)
def key_pattern(keys: tuple[str, ...], *, is_bare: bool = False) -> re.Pattern[str]:
    """Where one of these keys stands in an object; ``is_bare`` also before any colon, or as a tag's name."""
    named = "|".join(map(re.escape, keys))
    if not is_bare:
        return re.compile(rf"[{{,]\s*+(?:[\"'](?:{named})[\"']|(?:{named}))\s*+:" if keys else r"(?!)")
    return re.compile(
        rf"(?<!\w)\\*(?P<quote>[\"'\u201c]?)(?:{named})(?!\w)\\*[\"'\u201d]?\s*+(?:[:=\uff1a]|(?P<close>>))\s*+", re.I
    )
