"""The syntax of the repository's modules, read once for all tests that look at it."""

import ast
from functools import cache
from pathlib import Path


@cache
def syntax_of(path: Path) -> ast.Module:
    """The syntax tree of a module; it is shared, so nobody may change it."""
    return ast.parse(path.read_text("utf-8"))
