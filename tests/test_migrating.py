"""The page on migrating names every public name of 0.1 that is not where it was."""

import importlib
import re
from pathlib import Path

from arena_cli.renamed import COMMANDS, OPTIONS
from arena_engine.benchmark.renamed import CAPABILITIES, KEYS


def is_there(dotted: str) -> bool:
    """Whether a name can be imported from its module."""
    module, _, name = dotted.rpartition(".")
    try:
        return hasattr(importlib.import_module(module), name)
    except ImportError:
        return False


def table(root: Path) -> dict[str, str]:
    """The last table of the page: each old name with what stands beside it."""
    page = (root / "docs" / "migrating.md").read_text("utf-8").split("\n## Names\n")[1]
    return dict(re.findall(r"^\| `([\w.]+)` \| (.+) \|$", page, re.M))


def test_every_name_of_before_is_there_or_in_the_table(root):
    """A public name of 0.1 is where it was, or the table says where it is."""
    before = (root / "tests" / "public_names_0_1.txt").read_text("utf-8").split()
    known = table(root)

    assert len(before) > 300
    assert [name for name in before if name not in known and not is_there(name)] == []


def test_the_table_leads_somewhere(root):
    """Each name on the right that is written as a dotted path can be imported from there."""
    targets = [right.strip("`") for right in table(root).values() if re.fullmatch(r"`arena[\w.]*`", right)]

    assert [name for name in targets if not is_there(name)] == []


def section(root: Path) -> str:
    """What the page says of keys and options."""
    page = (root / "docs" / "migrating.md").read_text("utf-8")
    return page.split("\n## Keys and options\n")[1].split("\n## ")[0]


def test_every_renamed_key_is_in_the_table(root):
    """The page lists each key that is called otherwise now, with what it is a key of, and no other."""
    rows = re.findall(r"^\| (?:any |the )?`?([a-z -]+?)`? \| `([\w-]+)` \| `([\w-]+)` \|$", section(root), re.M)

    named = {"top of the file": ""}
    assert sorted((named.get(part, part), old, now) for part, old, now in rows) == sorted(
        (part, old, now) for part, keys in KEYS.items() for old, now in keys.items()
    )


def test_every_renamed_option_and_command_is_in_the_table(root):
    """The page lists each option and command that is called otherwise now, in full, and no other."""
    rows = dict(re.findall(r"^\| `arena ([^`]+)` \| `arena ([^`]+)` \|$", section(root), re.M))

    old_commands = {now: old for old, now in COMMANDS.items()}
    expected = dict(COMMANDS)
    for path, options in OPTIONS.items():
        command, *rest = path.split()
        was = " ".join((old_commands.get(command, command), *rest))
        expected |= {f"{was} {old}": f"{path} {now}" for old, now in options.items()}
    assert rows == expected


def test_every_renamed_capability_is_told(root):
    """The page says what became of each capability."""
    told = section(root)

    assert [word for pair in CAPABILITIES.items() for word in pair if f"`{word}`" not in told] == []
