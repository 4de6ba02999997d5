"""What a review found: items of a checklist, each with its findings, reasons and remedies."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from arena.record import JSON
from arena.review.remedies import remedy_for

PARTS: Final = (
    "descriptor",
    "class",
    "parameters",
    "schema",
    "conformance",
    "leaks",
    "determinism",
    "playouts",
    "speed",
    "dependencies",
    "wheel",
)
"""The parts of a review, in their order."""

SLOW: Final = ("speed", "wheel")
"""The parts that a quick review leaves out."""


@attrs.frozen
class Finding:
    """One fault, or one doubt where it ``is_warning``: the ``rule`` it is against, what was seen, what to do."""

    rule: str
    reason: str
    remedy: str = ""
    is_warning: bool = False

    @classmethod
    def of(cls, rule: str, reason: str, *, is_warning: bool = False) -> "Finding":
        """A finding with the remedy that its rule has."""
        return cls(rule, reason, remedy_for(rule), is_warning)


@attrs.frozen(kw_only=True)
class Item:
    """One part of a review. ``untested`` says why it, or the rest of it, was not looked at; ``facts`` are numbers."""

    part: str
    findings: tuple[Finding, ...] = attrs.field(default=(), converter=tuple[Finding, ...])
    note: str = ""
    untested: str = ""
    facts: Mapping[str, JSON] = attrs.field(factory=dict[str, JSON])
    seconds: float = 0.0

    @property
    def status(self) -> str:
        """``failed``, ``warned``, ``untested`` or ``passed``."""
        if any(not finding.is_warning for finding in self.findings):
            return "failed"
        return "warned" if self.findings else "untested" if self.untested else "passed"

    def to_json(self) -> dict[str, Any]:
        """As ``arena check --json`` says it."""
        return {
            "part": self.part,
            "status": self.status,
            "note": self.note or self.untested,
            "seconds": round(self.seconds, 2),
            "facts": dict(self.facts),
            "findings": [attrs.asdict(finding) for finding in self.findings],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Item":
        """The item that ``written`` gave."""
        written: dict[str, Any] = {**value, "findings": tuple(Finding(**finding) for finding in value["findings"])}
        return cls(**written)

    def written(self) -> dict[str, Any]:
        """All of it as plain data."""
        return attrs.asdict(self)


def joined(items: Iterable[Item]) -> list[Item]:
    """Items of the same part as one, in the order of the parts."""
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
