"""Findings for faults and doubts of conformance checks: what, where it shows, and what to do."""

from collections.abc import Iterable

from arena_testing import ConformanceError

from arena_devkit.review.findings import Finding


def finding_of(fault: ConformanceError, how: str = "") -> Finding:
    """The finding for a fault in a plugin that was made ``how`` (``with its example``; empty: as everybody does)."""
    who = "" if fault.player is None or f"player {fault.player}" in fault.what else f"player {fault.player}: "
    reason = f"{how}: {who}{fault.what}" if how else f"{who}{fault.what}"
    see = ": ".join(filter(None, ("" if fault.line is None else str(fault.line), fault.sight)))
    return Finding.of(fault.check, reason, see=see)


def doubts_of(untested: Iterable[str]) -> list[Finding]:
    """Warnings for what a conformance check could not test: each is a rule, a colon and the reason."""
    parts = (why.partition(": ") for why in untested)
    return [Finding.of(rule, reason or rule, is_warning=True) for rule, _, reason in parts]
