"""The words of the pages: plain English, with the terms of the field."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from shown_texts import of_script, shown_texts

BANNED = re.compile(
    r"\b(refus(al|als|ed)|substitutes?|bystanders?|get up|got up|so many|so often|goes on|go on|anew|open seats?"
    r"|put in by|at the table|stranger|is none of|look-ups?)\b",
    re.IGNORECASE,
)
"""Words of ours for which the field has another one, as in an *invalid response* or a *fallback move*."""

SCRIPTS = (".js", ".html")


def test_pages_speak_as_the_field_does():
    """No text between elements and no sentence of a page has a word for which the field has another one."""
    texts = {name: own for name, own in shown_texts().items() if name.endswith(SCRIPTS)}

    faults = [f"{name}: {text}" for name, own in texts.items() for text in own if " " in text and BANNED.search(text)]

    assert faults == []
    assert sum(map(len, texts.values())) > 400


@pytest.mark.parametrize(
    ("script", "texts"),
    [
        ("html`<p>Leave ${a} now</p>`", ["Leave … now"]),
        ('html`<b title="two words">x</b>`', ["two words", "x"]),
        ("// no text here\nconst a = `one`;", []),
    ],
)
def test_texts_are_found(script, texts):
    """What stands between elements and what attributes say is found, comments and names are not."""
    assert list(of_script(script)) == texts
