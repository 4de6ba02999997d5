"""Orders the commands by what one wants of them."""

from collections.abc import Mapping, Sequence
from typing import Final

PURPOSES: Final[Mapping[str, Sequence[str]]] = {
    "play": ("play", "replay"),
    "run": ("run", "resume", "suites", "check-agents", "cache"),
    "look": (
        "runs",
        "view",
        "report",
        "leaderboard",
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
