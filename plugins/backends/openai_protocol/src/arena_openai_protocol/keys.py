"""Removes the values of secrets from texts."""

from collections.abc import Iterable

from arena.backend import Secret


def without(secrets: Iterable[Secret], text: str) -> str:
    """``text`` with the value of each secret replaced by its name."""
    for secret in secrets:
        if value := secret.reveal():
            text = text.replace(value, str(secret))
    return text
