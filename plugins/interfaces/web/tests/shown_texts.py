"""Every text that pages show, as it stands in their sources: ``python shown_texts.py`` prints it, to be read whole.

From scripts and pages it takes what stands between elements, and the strings of several words; from modules of Python
the strings of several words that are no docstrings.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "arena_web"
"""The modules and pages of the server."""

_COMMENTS = re.compile(r"/\*.*?\*/|^\s*//.*?$|\s//\s.*?$", re.DOTALL | re.MULTILINE)
_INSERTED = re.compile(r"\$\{[^{}]*\}")
_CLASSES = re.compile(r'\bclass="[^"]*"')
_CODE = re.compile(r"[`{}=$&|\]]|\w\.\w|\w\(|^[,:).]")
_BETWEEN = re.compile(r">([^<>{}`$=;]*[A-Za-z][^<>{}`$=;]*)<")
_STRING = re.compile(r'"([^"\n]*[A-Za-z][^"\n]* [^"\n]*)"')


def of_script(text: str) -> Iterator[str]:
    """The texts of a script or page."""
    text = _CLASSES.sub("", _COMMENTS.sub("", text))
    found: list[str] = []
    while (without := _INSERTED.sub("…", text)) != text:
        found += _STRING.findall(text)
        text = without
    found += (*_STRING.findall(text), *_BETWEEN.findall(text))
    yield from (each.strip() for each in found if each.strip() and not _CODE.search(each.strip()))


def of_module(text: str) -> Iterator[str]:
    """The strings of several words of a module, without docstrings."""
    tree = ast.parse(text)
    told = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told and " " in node.value:
            yield node.value.strip()


def shown_texts() -> dict[str, list[str]]:
    """All texts by the file that they stand in, each once."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        if "vendor" in path.parts or path.suffix not in (".py", ".js", ".html"):
            continue
        texts = (of_module if path.suffix == ".py" else of_script)(path.read_text("utf-8"))
        found[str(path.relative_to(PACKAGE))] = list(dict.fromkeys(text for text in texts if text))
    return found


if __name__ == "__main__":
    for name, texts in shown_texts().items():
        sys.stdout.write("".join(f"{name}: {text}\n" for text in texts))
