"""Parentheses and words of PDDL, and where in the text each of them stands."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

from arena.errors import ConfigError, did_you_mean

Node: TypeAlias = Any
"""A word (``str``, in lower case) or a parenthesised list of nodes."""

Read = TypeVar("Read")

MAX_DEPTH: Final = 100
"""How deep parentheses may be nested; the formulas of published domains need about ten."""

# A variable ends the word before it, and a hyphen before a name stands alone: (at?x -place) is (at ?x - place).
_BARE_TOKEN: Final = re.compile(r"[()]|-(?=[^\W\d])|\??[^\s()?]+|\?")
_TOKEN: Final = re.compile(r"[()]|;[^\n]*|-(?=[^\W\d])|\??[^\s();?]+|\?")
_COMMENT: Final = re.compile(r";[^\n]*")
NAME: Final = re.compile(r"\w[\w.+@#*-]*")
"""How the name of a type, object, predicate, function or action is written; dots are common in published tasks."""


class PddlError(ConfigError):
    """A text in PDDL that cannot be read; the message says where and why: ``domain.pddl:12:9: no predicate …``."""


class Mistake(Exception):
    """What is wrong with a node of the text, before anybody has asked where it stands."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.at: tuple[int, int] | None = getattr(node, "at", None)


def fail(node: Node, message: str) -> NoReturn:
    """Refuse the text because of ``node``."""
    raise Mistake(node, message)


def unknown(node: Node, what: str, known: Iterable[str]) -> NoReturn:
    """Refuse a name that nothing has, and name the closest of those that exist."""
    word = str(node)
    fail(node, f"no {what} called {word!r}{did_you_mean(word, known)}" if len(word) <= 80 else f"no {what} called so")


class _Word(str):
    """A word that knows its line and column, both from 1."""

    at: tuple[int, int]


class _Group(list[Any]):
    """A parenthesised list that knows the line and column of its opening parenthesis."""

    at: tuple[int, int]


def read_text(text: str, name: str, read: Callable[[Node], Read]) -> Read:
    """What ``read`` makes of the one expression in ``text``; ``PddlError`` with file, line and column if it fails.

    Places are found only where something is wrong: the text is read a second time then, since words that know where
    they stand cost three times as much.
    """
    try:
        return read(_expression(_bare_words(text), list))
    except Mistake:
        pass
    try:
        return read(_expression(_placed_words(text), _Group))
    except Mistake as mistake:
        line, column = mistake.at or (1, 1)
        raise PddlError(f"{name}:{line}:{column}: {mistake}") from None


def _bare_words(text: str) -> list[str]:
    text = text.lower()
    return _BARE_TOKEN.findall(_COMMENT.sub(" ", text) if ";" in text else text)


def _placed_words(text: str) -> Iterable[str]:
    line, start, seen = 1, 0, 0
    for match in _TOKEN.finditer(text):
        at = match.start()
        if breaks := text.count("\n", seen, at):
            line, start = line + breaks, text.rindex("\n", seen, at) + 1
        seen = at
        if match[0][0] != ";":
            word = _Word(match[0].lower())
            word.at = (line, at - start + 1)
            yield word


def _expression(words: Iterable[str], group: Callable[[], Any]) -> Node:
    outer: list[Any] = []
    stack: list[list[Any]] = []
    current = outer
    for word in words:
        if word == "(":
            inner = group()
            if group is _Group:
                inner.at = word.at  # pyright: ignore[reportAttributeAccessIssue]  # words of this kind have it
            current.append(inner)
            stack.append(current)
            current = inner
            if len(stack) > MAX_DEPTH:
                fail(word, f"parentheses are nested deeper than {MAX_DEPTH}")
        elif word == ")":
            if not stack:
                fail(word, "this parenthesis closes nothing")
            current = stack.pop()
        else:
            current.append(word)
    if stack:
        fail(current, "this parenthesis is never closed")
    if len(outer) != 1 or isinstance(outer[0], str):
        fail(outer[1] if len(outer) > 1 else outer, "expected one expression in parentheses, (define …)")
    return outer[0]


def group_of(node: Node, what: str) -> list[Any]:
    """The node, which must be a list; ``what`` says what is expected here."""
    if isinstance(node, str):
        fail(node, f"expected {what} in parentheses, got {node!r}")
    return node


def word_of(node: Node, what: str) -> str:
    """The node, which must be a word; ``what`` says what is expected here."""
    if not isinstance(node, str):
        fail(node, f"expected {what}, got a parenthesis")
    return node


def name_of(node: Node, what: str) -> str:
    """The node, which must be a name; ``what`` says of what."""
    word = word_of(node, what)
    if not NAME.fullmatch(word):
        fail(node, f"expected {what}, got {word!r}")
    return word


def head_of(node: Node, what: str) -> str:
    """The first word of a list, such as ``and``; ``what`` says what the list is expected to be."""
    group = group_of(node, what)
    if not group:
        fail(node, f"expected {what}, got ()")
    return word_of(group[0], f"the first word of {what}")
