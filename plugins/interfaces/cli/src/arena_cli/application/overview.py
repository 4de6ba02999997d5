"""Orders the commands by what one wants of them, and shows them where ``arena`` stands alone."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from arena_cli.output import Terminal, paragraph, result, terminal_of

PURPOSES: Final[Mapping[str, Sequence[str]]] = {
    "play": ("play", "replay"),
    "run": ("run", "resume", "suites", "check-agents", "cache"),
    "look": (
        "runs",
        "view",
        "report",
        "leaderboard",
        "standings",
        "power",
        "audit",
        "export",
        "annotate",
        "study",
        "import",
        "verify",
    ),
    "find out": ("list-plugins", "describe", "doctor", "schema", "completion"),
    "write plugins": ("new-plugin", "check"),
}
"""Commands by what one wants, the likeliest first."""


def by_purpose(commands: Sequence[str]) -> dict[str, list[str]]:
    """The commands that there are, by purpose; those that other plugins add stand last."""
    known = {name for names in PURPOSES.values() for name in names}
    found = {purpose: [name for name in names if name in commands] for purpose, names in PURPOSES.items()}
    found["of plugins"] = [name for name in commands if name not in known]
    return {purpose: names for purpose, names in found.items() if names}


BEGIN: Final = (
    ("arena play tic-tac-toe", "play yourself, against an agent"),
    ("arena run FILE", "play a benchmark, and see who is better"),
    ("arena list-plugins", "what there is to play with"),
)
"""The three lines to begin with, each with what it does."""

_INDENT: Final = 16


def show_overview(commands: Sequence[str]) -> None:
    """Print the overview, as wide as the terminal is."""
    result(_lines(commands, terminal_of(sys.stdout)))


def _lines(commands: Sequence[str], terminal: Terminal) -> Iterator[str]:
    yield from paragraph("Language models, engines and people play strategic games, measured honestly.", terminal)
    yield ""
    yield "to begin with"
    for line, meaning in BEGIN:
        yield f"  {line:24}  {meaning}"
    yield ""
    narrow = attrs.evolve(terminal, width=terminal.width - _INDENT)
    for purpose, names in by_purpose(commands).items():
        for at, line in enumerate(paragraph(" ".join(names), narrow)):
            yield f"{purpose if at == 0 else '':{_INDENT}}{line}"
    yield ""
    yield "each in a line:  arena --help"
    yield "one in full:     arena COMMAND --help"
