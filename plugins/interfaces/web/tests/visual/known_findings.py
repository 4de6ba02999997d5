"""Findings that are known: of each case the rules that it breaks, and why; a rule that it keeps must be taken out."""

KNOWN: dict[str, dict[str, str]] = {}
