"""Findings that are known: of each case the rules that it breaks, and why; a rule that it keeps must be taken out."""

KNOWN: dict[str, dict[str, str]] = {
    f"seat-sticks-{width}-{theme}": {"protocol": "a game without a picture is shown as the data of its observation"}
    for width in ("wide", "phone")
    for theme in ("light", "dark")
}
