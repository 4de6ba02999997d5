"""The results of a review: checklist items with findings, reasons and remedies."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs
from arena.record import JSON

from arena_devkit.review.remedies import remedy_for

PARTS: Final = (
    "descriptor",
    "class",
    "parameters",
    "schema",
    "conformance",
    "leaks",
    "resample",
    "determinism",
    "playouts",
    "speed",
    "dependencies",
    "wheel",
)
"""The parts of a review in the order in which they are shown."""

SLOW: Final = ("speed", "wheel")
"""The parts that a quick review leaves out unless they are named."""


@attrs.frozen
class Finding:
    """A broken rule, or a doubt if ``is_warning``: what was found (``reason``) and what to do (``remedy``).

    ``see`` says where it shows: in a game, the match that leads there; empty, where the reason says it all.
    """

    rule: str
    reason: str
    remedy: str = ""
    is_warning: bool = False
    see: str = ""

    @classmethod
    def of(cls, rule: str, reason: str, *, is_warning: bool = False, see: str = "") -> "Finding":
        """A finding against ``rule`` with that rule's remedy."""
        return cls(rule, reason, remedy_for(rule), is_warning, see)

    def to_json(self) -> dict[str, Any]:
        """The finding as ``arena check --json`` shows it, where the reason says how to see it as well."""
        reason = f"{self.reason}; to see it: {self.see}" if self.see else self.reason
        return {"rule": self.rule, "reason": reason, "remedy": self.remedy, "is_warning": self.is_warning}


@attrs.frozen(kw_only=True)
class Item:
    """The result of one part of a review.

    ``untested`` says why the part, or the rest of it, was not checked; ``facts`` are numbers to show; ``seconds`` is
    wall-clock time.
    """

    part: str
    findings: tuple[Finding, ...] = attrs.field(default=(), converter=tuple[Finding, ...])
    note: str = ""
    untested: str = ""
    facts: Mapping[str, JSON] = attrs.field(factory=dict[str, JSON])
    seconds: float = 0.0

    @property
    def status(self) -> str:
        """``failed``, ``warned``, ``untested`` or ``passed``, the worst that applies."""
        if any(not finding.is_warning for finding in self.findings):
            return "failed"
        return "warned" if self.findings else "untested" if self.untested else "passed"

    def to_json(self) -> dict[str, Any]:
        """The item as ``arena check --json`` shows it."""
        return {
            "part": self.part,
            "status": self.status,
            "note": self.note or self.untested,
            "seconds": round(self.seconds, 2),
            "facts": dict(self.facts),
            "findings": [finding.to_json() for finding in self.findings],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Item":
        """Read an item that ``written`` returned."""
        written: dict[str, Any] = {**value, "findings": tuple(Finding(**finding) for finding in value["findings"])}
        return cls(**written)

    def written(self) -> dict[str, Any]:
        """The whole item as plain data, for the way back from a child process."""
        return attrs.asdict(self)


def facts_of(report: Any, *without: str) -> dict[str, Any]:
    """The numbers in a conformance report by their keys in JSON, but the fields named in ``without``.

    Files keep the key ``waves`` for the steps of matches.
    """
    facts = attrs.asdict(report, filter=lambda attribute, _: attribute.name not in (*without, "untested"))
    return {"waves" if name == "steps" else name: value for name, value in facts.items()}


def joined(items: Iterable[Item]) -> list[Item]:
    """Merge items of the same part, in the order of ``PARTS``."""
    found: dict[str, Item] = {}
    for item in items:
        if (before := found.get(item.part)) is None:
            found[item.part] = item
            continue
        found[item.part] = attrs.evolve(
            item,
            findings=(*before.findings, *item.findings),
            note=before.note or item.note,
            untested=before.untested or item.untested,
            facts={**before.facts, **item.facts},
            seconds=before.seconds + item.seconds,
        )
    return [found[part] for part in PARTS if part in found]
