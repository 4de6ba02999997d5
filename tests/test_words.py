"""The words of the house: which names the code does not use, and what a docstring must say."""

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import attrs
import pytest

from .syntax import statements, syntax_of

pytestmark = pytest.mark.xdist_group("syntax")  # one process: reading all modules takes long

ROOT = Path(__file__).parent.parent

BANNED = frozenset(
    re.findall(
        r"\w+",
        """
        asker askers cast casts chair chairs chronicle crew crews desk desks discipline disciplines errand errands gate
        gates guise guises heard hears lane lanes luck mind minds papers patience rehearsal rehearse rehearsed shelf
        shelves staff station stations wave waves yardstick yardsticks
        """,
    )
)
"""Words of ours for things that have a word of the field already; a name is looked at word by word."""

KEPT: Mapping[str, str] = {
    "cast": "typing.cast",
    "luck": "the rule of the conformance checks that reports call so",
}
"""Banned words that are names of somebody else's, or that a published format keeps, each with its reason."""

HOOKS_OF_OFFERS = "OfferSpec"
"""The class of hooks that explains once what holds for all of them."""

STOP = frozenset(
    re.findall(r"\w+", "a an the of this thi that it its is i are be in on to for by with and or as a at whether")
)
"""What tells nothing when a docstring is held against the name it stands under."""

OUTSIDE: Mapping[str, frozenset[str]] = {
    "AECEnv": frozenset({"action_space", "close", "last", "observation_space", "observe", "render", "reset", "step"}),
    "ParallelEnv": frozenset({"action_space", "close", "observation_space", "render", "reset", "state", "step"}),
    "Env": frozenset({"close", "render", "reset", "step"}),
    "Command": frozenset({"get_help", "invoke", "make_context", "parse_args", "shell_complete"}),
    "Group": frozenset({"format_commands", "get_command", "invoke", "list_commands", "resolve_command"}),
    "ParamType": frozenset({"convert", "shell_complete"}),
    "BaseHTTPRequestHandler": frozenset({"do_GET", "do_HEAD", "do_POST", "log_message"}),
    "HTMLParser": frozenset({"handle_data", "handle_endtag", "handle_starttag"}),
    "Sequence": frozenset({"count", "index"}),
}
"""Methods of base classes that other packages bring."""


@attrs.frozen
class Named:
    """A module, class, function or method of the code, where it stands, and whether a base class has it too."""

    where: str
    name: str
    node: ast.AST
    is_public: bool
    is_override: bool = False

    @property
    def docstring(self) -> str | None:
        """The docstring of the definition, if it has one."""
        return ast.get_docstring(self.node)  # type: ignore[arg-type]  # only nodes that may have one


def sources() -> list[Path]:
    """Every module that is installed, templates left out."""
    found = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in found.splitlines() if re.search(r"(^core|^plugins/\w+/\w+)/src/", line)]


@cache
def trees() -> Mapping[Path, ast.Module]:
    """The syntax trees of all modules that are installed."""
    return {path: syntax_of(path) for path in sources()}


def base_names(node: ast.ClassDef) -> list[str]:
    """The last words of its base classes, without what stands in brackets: ``Metric`` for ``arena.metric.Metric``."""
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    return [base.attr if isinstance(base, ast.Attribute) else base.id for base in bases if hasattr(base, "lineno")]  # type: ignore[attr-defined]


def defined(node: ast.ClassDef) -> set[str]:
    """The names that a class's own body gives to methods and attributes."""
    names = {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)}
    fields = {
        item.target.id for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
    return names | fields


def inherited(modules: Sequence[ast.Module]) -> Mapping[str, frozenset[str]]:
    """What subclasses of each class override when they define it, by the class's name, through all its bases."""
    own: dict[str, set[str]] = defaultdict(set)
    bases: dict[str, set[str]] = defaultdict(set)
    for node in (node for module in modules for node in statements(module) if isinstance(node, ast.ClassDef)):
        own[node.name] |= defined(node)
        bases[node.name] |= set(base_names(node))

    def collect(name: str, seen: frozenset[str]) -> frozenset[str]:
        if name in seen:
            return frozenset()
        above = [collect(base, seen | {name}) for base in bases.get(name, ())]
        return frozenset(own.get(name, ())) | OUTSIDE.get(name, frozenset()) | frozenset().union(*above)

    return {name: collect(name, frozenset()) for name in (*own, *OUTSIDE)}


def named(path: Path, tree: ast.Module, overridden: Mapping[str, frozenset[str]]) -> Iterator[Named]:
    """The module and whatever it defines, functions within functions left out."""
    try:
        place = str(path.relative_to(ROOT))
    except ValueError:
        place = str(path)
    yield Named(place, path.stem, tree, is_public=not path.stem.startswith("_"))

    def within(body: Sequence[ast.stmt], above: frozenset[str], is_public: bool) -> Iterator[Named]:
        for node in body:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            where, shown = f"{place}:{node.lineno}", is_public and not node.name.startswith("_")
            yield Named(where, node.name, node, is_public=shown, is_override=node.name in above)
            if isinstance(node, ast.ClassDef):
                shown = shown and node.name != HOOKS_OF_OFFERS
                names = [overridden.get(base, frozenset[str]()) for base in base_names(node)]
                yield from within(node.body, frozenset[str]().union(*names), shown)

    yield from within(tree.body, frozenset(), True)


@cache
def everything() -> Sequence[Named]:
    """All modules, classes, functions and methods of the house."""
    overridden = inherited(list(trees().values()))
    return [found for path, tree in trees().items() for found in named(path, tree, overridden)]


def spoken(text: str) -> list[str]:
    """The words of a name or a sentence, in small letters."""
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())


def words_of(text: str) -> list[str]:
    """The same without the plural's ``s``."""
    parts = spoken(text)
    return [part[:-1] if len(part) > 3 and part.endswith("s") and not part.endswith("ss") else part for part in parts]


def may_hold_banned(text: str) -> bool:
    """Whether a banned word stands anywhere in a module, be it in a name, in text or in a comment."""
    small = text.lower()
    return any(word in small for word in BANNED) and bool(BANNED & set(spoken(text.replace("_", " "))))


def banned_in(tree: ast.AST, kept: Mapping[str, str] = KEPT) -> Iterator[tuple[int, str]]:
    """Names with a banned word: of classes, functions, parameters, variables and attributes, with their lines."""
    for node in ast.walk(tree):
        for name in _names(node):
            if name not in kept and BANNED & set(spoken(name.replace("_", " "))):
                yield getattr(node, "lineno", 0), name


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr


def banned_in_docstring(found: Named) -> list[str]:
    """The banned words of a docstring; what stands between backticks or quotes is somebody else's text."""
    text = re.sub(r"``.*?``|\".*?\"", " ", found.docstring or "", flags=re.DOTALL)
    return sorted(BANNED & set(spoken(text)))


def fault(found: Named) -> str | None:
    """What is wrong with a docstring, or with its absence."""
    text = found.docstring
    if text is None:
        return "has no docstring" if found.is_public and not found.is_override else None
    first = text.split("\n\n")[0].rstrip()
    if not first.endswith((".", "?", "!", ":", "::")):
        return f"begins with a line that ends no sentence: {first!r}"
    if not found.is_public:
        return None
    if len(text.split()) < 4 and not found.is_override:
        return f"has a docstring of fewer than four words: {text!r}"
    if set(words_of(first)) - STOP <= set(words_of(found.name.replace("_", " "))) | STOP:
        return f"has a docstring that only repeats the name: {text!r}"
    return None


def parsed(source: str) -> list[Named]:
    """What a piece of code defines."""
    tree = ast.parse(source)
    return list(named(Path("piece.py"), tree, inherited([tree])))


def test_every_public_name_is_explained_by_a_sentence() -> None:
    """A public name that overrides nothing has a docstring of four words or more that says more than the name does."""
    faults = [f"{found.where} {found.name} {wrong}" for found in everything() if (wrong := fault(found))]

    assert not faults, "\n".join(faults)


def test_no_name_uses_a_word_that_the_field_has_another_for() -> None:
    """No class, function, parameter, variable or attribute has a banned word in its name."""
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path, tree in trees().items()
        if may_hold_banned(path.read_text("utf-8"))
        for line, name in banned_in(tree)
    ]

    assert not found, "\n".join(found)


def test_no_docstring_uses_a_word_that_the_field_has_another_for() -> None:
    """No docstring explains something in a banned word."""
    found = [f"{item.where} {item.name}: {words}" for item in everything() if (words := banned_in_docstring(item))]

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('"""A module of four words."""\n\ndef play():\n    """Play it."""\n', "fewer than four words"),
        ('"""A module of four words."""\n\ndef open_the_run():\n    """Open the run of this."""\n', "repeats the name"),
        ('"""A module of four words."""\n\ndef play():\n    return 1\n', "has no docstring"),
        ('"""A module of four words."""\n\ndef play():\n    """Play a whole match of this"""\n', "ends no sentence"),
    ],
)
def test_a_planted_docstring_is_found(source: str, expected: str) -> None:
    """A docstring that is short, repeats the name, is missing or ends no sentence is reported."""
    assert [wrong for found in parsed(source) if (wrong := fault(found)) and expected in wrong]


def test_an_override_needs_no_docstring() -> None:
    """A method that a base class explains may go without, and a new one beside it may not."""
    code = (
        '"""A module of four words."""\n\nclass Base:\n    """The class that explains its methods."""\n\n'
        '    def act(self):\n        """Choose what is played next."""\n\n'
        'class Child(Base):\n    """A class with one new method."""\n\n'
        "    def act(self): ...\n\n    def new(self): ...\n"
    )

    assert [found.name for found in parsed(code) if fault(found)] == ["new"]


@pytest.mark.parametrize(
    "source",
    ["def play(desk): ...", "def play():\n    lanes = 1", "class FrontDesk: ...", "match.waves", "def luck(): ..."],
)
def test_a_planted_name_is_found(source: str) -> None:
    """A banned word is found in a parameter, a variable, a class, an attribute and, in whole, in a function's name."""
    assert may_hold_banned(source)
    assert list(banned_in(ast.parse(source), {}))
