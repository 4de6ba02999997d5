"""Every rule that a check can find broken has a remedy of its own."""

import re
from pathlib import Path

import arena_testing
from arena_devkit.review.remedies import remedy_for

RULE = re.compile(r"""(?:fault|Fault|ConformanceError)\(\s*"([a-z_-]+|another process)",""")


def test_every_rule_has_a_remedy():
    """No rule of the conformance checks ends in the remedy for rules that nobody thought of."""
    modules = Path(arena_testing.__file__).parent.rglob("*.py")
    rules = {rule for module in modules for rule in RULE.findall(module.read_text("utf-8"))}

    assert len(rules) > 50
    assert [rule for rule in sorted(rules) if remedy_for(rule) == remedy_for("no such rule")] == []
