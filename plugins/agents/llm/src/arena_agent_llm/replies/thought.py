"""Separates what a model thought from what it says, by the marks that models put around their thoughts."""

import re
from typing import Final

import attrs

NAMES: Final = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad")
"""Tags around a thought, as ``<think>`` or, at the beginning of a line, ``[THINK]``; a name more is a line more."""

MOST: Final = 10_000
"""A text with more brackets than this, with which marks begin, says nothing."""

ENDS: Final = (
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|end_of_text|>", "<|endoftext|>", "<|eom_id|>", "</s>",
    "<|end_of_turn|>", "<end_of_turn>", "<eos>", "<\uff5cend\u2581of\u2581sentence\uff5c>", "<|end_of_solution|>",
)  # fmt: skip
"""Tokens that end a text; at its very end they say nothing."""

BOXES: Final = (("<|begin_of_box|>", "<|end_of_box|>"),)
"""Tokens that models of GLM put around what they answer (https://huggingface.co/zai-org/GLM-4.5V); a pair a line."""

SPECIAL: Final = re.compile(r"<[|\uff5c][^<>\s]{1,40}[|\uff5c]>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>|<[be]os>")
"""Tokens that a text holds nowhere else."""

_NAME = "|".join(NAMES)
_MARK = re.compile(
    rf"<(?P<angle>/?)(?:\w+:)?(?P<name>{_NAME})\b[^<>]*>|(?P<square>\[(?P<shut>/?)(?P<named>{_NAME})\])"
    r"|<\|(?P<edge>begin|end)_of_(?:thought|thinking)\|>|\u25c1(?P<triangle>/?)think\u25b7"
    r"|<\|(?:begin|end)_of_solution\|>|<\|(?P<end>end|return|call|start)\|>"
    r"|<\|channel\|>\s*(?P<channel>\w+)[^<{]*(?:<\|constrain\|>\s*\w*\s*)?(?:<\|message\|>)?"
    r"|\bassistant(?P<final>final)(?=[^a-z])|(?P<object>\{\s*+[\"'\w])",
    re.IGNORECASE,
)
_TELLS = re.compile(rf"<\||<(?:/|\w+:)*(?:{_NAME})|\[/?(?:{_NAME})\]|\u25c1|\bassistantfinal", re.IGNORECASE)
_BARE = re.compile(r"\s*(?:analysis|commentary)(?![a-z:,.)]|[^\S\n]+[a-z])")
_PIECE = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|[{}]", re.DOTALL)


@attrs.frozen
class Spoken:
    """``text`` is what is said, ``thought`` what is thought; ``is_open`` if a thought ends the text."""

    text: str
    thought: str = ""
    is_open: bool = False


def split(text: str) -> Spoken:
    """Separate the thoughts in ``text`` from the rest; time is linear in its length.

    A closing mark without an opening one ends a thought that began in the prompt. Marks may be nested. Where channels
    are marked, only the final one speaks. Inside an object nothing is a mark. A text that ends with a thought, closed
    or not, says nothing: whatever comes before it is not the final answer.
    """
    text = text.strip()
    while text.endswith(ENDS):
        text = next(text.removesuffix(end) for end in ENDS if text.endswith(end)).rstrip()
    if len(text) > MOST and sum(map(text.count, "<[{\u25c1")) > MOST:
        return Spoken("", text, is_open=True)
    # Looking for what marks begin with is much faster than looking for marks, and most texts have none.
    may_tell = "<" in text or "[" in text or not text.isascii() or "assistantfinal" in text.lower()
    is_channelled = _BARE.match(text) is not None
    if not is_channelled and not (may_tell and _TELLS.search(text)):
        return Spoken(text)
    parts, end = _Parts(text, is_channelled), 0
    for mark in _MARK.finditer(text):
        if mark.start() < end:
            continue
        if mark["object"]:
            end = _closed(text, mark.start()) if parts.speaks else end
            continue
        parts.take(mark)
    return parts.whole()


def unboxed(text: str) -> str:
    """A text that is one box and nothing else, without its marks; any other as it is."""
    for begin, end in BOXES:
        if text.startswith(begin) and text.endswith(end) and text.count(begin) == text.count(end) == 1:
            return text[len(begin) : -len(end)].strip()
    return text


def _closed(text: str, start: int) -> int:
    """Where the braces that open at ``start`` are closed; quoted ones do not count."""
    depth = 0
    for piece in _PIECE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(piece[0], 0)
        if not depth:
            return piece.end()
    return len(text)


class _Parts:
    """What was said and thought up to a position."""

    def __init__(self, text: str, is_channelled: bool) -> None:
        self._text, self._at, self._is_marked, self._is_thought = text, 0, False, False
        self._open: list[str] = []
        self._is_channelled, self._is_final, self._spoke = is_channelled, not is_channelled, False
        self._said: list[str] = []
        self._thought: list[str] = []

    @property
    def speaks(self) -> bool:
        """Whether what stands here is said."""
        return not self._open and self._is_final

    def take(self, mark: re.Match[str]) -> None:
        """Take the text before a mark to where it belongs, and open or close what the mark says."""
        before = self._text[self._at : mark.start()]
        name = (mark["name"] or mark["named"] or ("pipe" if mark["edge"] else "triangle")).casefold()
        is_closing = "/" in (mark["angle"], mark["shut"], mark["triangle"]) or mark["edge"] == "end"
        if mark[0].endswith("/>") or (
            mark["square"] and not is_closing and before.rstrip(" \t")[-1:] not in ("", "\n")
        ):
            return
        is_channel = bool(mark["channel"] or mark["final"])
        if is_channel and not self._is_channelled:  # what stands before the first channel is no answer either
            self._thought += self._said
            self._said, self._is_channelled, self._is_final = [], True, False
        is_late = is_closing and not self._open and not self._is_marked  # the thought began in the prompt
        (self._said if self.speaks and not is_late else self._thought).append(before)
        self._at, self._is_marked, self._is_thought = mark.end(), True, is_closing
        if is_channel:
            self._open.clear()
            self._is_final = (mark["channel"] or "final").casefold() == "final"
            self._spoke |= self._is_final
        elif mark["end"]:
            self._is_final = not self._is_channelled
        elif is_closing and name in self._open:
            del self._open[self._open.index(name) :]
        elif not is_closing and "_of_solution" not in mark[0]:
            self._open.append(name)

    def whole(self) -> Spoken:
        """Everything, once the last mark has been passed."""
        (self._said if self.speaks else self._thought).append(self._text[self._at :])
        is_behind = bool(self._is_thought and not self._text[self._at :].strip() and "".join(self._said).strip())
        if self._open or is_behind or (self._is_channelled and not self._spoke):
            return Spoken("", "\n".join(part.strip() for part in (*self._said, *self._thought) if part.strip()), True)
        said = "\n".join(self._said).strip() if self._is_marked else self._text
        return Spoken(said, "\n".join(part.strip() for part in self._thought if part.strip()))
