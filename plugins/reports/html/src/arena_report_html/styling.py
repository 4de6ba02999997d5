"""Moves styles that stand in elements into the page's one style sheet, so that a policy can name it by its hash."""

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from typing import Final

PLACE: Final = "sha256-of-the-style"
"""What stands in the policy for the hash until the style is known."""

_TAG: Final = re.compile(r'<[a-zA-Z](?:[^<>"]|"[^"]*")*\sstyle="(?:[^"]*)"(?:[^<>"]|"[^"]*")*>')
_STYLE: Final = re.compile(r'\sstyle="([^"]*)"')
_CLASS: Final = re.compile(r'(\sclass=")([^"]*)"')
_END: Final = "</style>"


def hashed(text: str) -> str:
    """The hash of a script or a style as a policy names it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def gathered(page: str) -> str:
    """The page with classes in place of styles in elements; equal pages stay equal."""
    start = page.index("<style>") + len("<style>")
    head, end = page[:start], page.index(_END, start)
    own, rest = page[start:end], page[end:]
    names: dict[str, str] = {}
    rest = _TAG.sub(lambda tag: _classed(tag[0], names), rest)
    rules = "".join(f".{name} {{ {style} }}\n" for style, name in names.items())
    style = own + rules
    return head.replace(PLACE, hashed(style), 1) + style + rest


def _classed(tag: str, names: dict[str, str]) -> str:
    found = _STYLE.search(tag)
    assert found  # the pattern of a tag asks for it
    style = unescape(found[1]).strip().rstrip(";")
    tag = tag[: found.start()] + tag[found.end() :]
    if not style or set(style) & set("{}<>\\"):  # is no list of declarations, and is not worth a guess
        return tag
    name = names.setdefault(style, f"s-{len(names)}")
    if _CLASS.search(tag):
        return _CLASS.sub(rf'\1\2 {name}"', tag, count=1)
    cut = -2 if tag.endswith("/>") else -1
    return f'{tag[:cut]} class="{name}"{tag[cut:]}'
