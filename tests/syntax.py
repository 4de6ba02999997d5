"""The syntax of the repository's modules, read once for all tests that look at it."""

import ast
import gc
from collections.abc import Sequence
from functools import cache
from pathlib import Path

BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
"""Where statements hold other statements."""


@cache
def syntax_of(path: Path) -> ast.Module:
    """The syntax tree of a module; it is shared, so nobody may change it."""
    text = path.read_text("utf-8")
    gc.disable()  # a tree has no cycles, and a search for garbage among all of them takes longer than to read them
    try:
        return ast.parse(text)
    finally:
        gc.freeze()
        gc.enable()


def statements(tree: ast.Module) -> Sequence[ast.AST]:
    """The statements of a module, those within others too, without their expressions, which are most of the tree."""
    found: list[ast.AST] = [tree]
    for node in found:  # which grows meanwhile
        for block in BLOCKS:
            found += getattr(node, block, ())
    return found[1:]
