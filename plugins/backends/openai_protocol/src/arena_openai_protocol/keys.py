"""Reads keys from a ``.env`` file, and removes the values of secrets from texts."""

from collections.abc import Iterable

from arena.backend import Secret
from arena.errors import ConfigError


def read_dotenv() -> None:
    """Set the variables of a ``.env`` file in the working directory or its nearest parent that has one.

    Variables that are already set stay. Raises ``ConfigError`` if the file exists and cannot be read. Needs
    ``python-dotenv``, which a backend requires that looks for keys.
    """
    from dotenv import find_dotenv, load_dotenv

    path = find_dotenv(usecwd=True)
    if not path:
        return
    try:
        load_dotenv(path, override=False)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ConfigError(f"{path!r} cannot be read: {why}; correct or remove it") from None


def without(secrets: Iterable[Secret], text: str) -> str:
    """``text`` with the value of each secret replaced by its name."""
    for secret in secrets:
        if value := secret.reveal():
            text = text.replace(value, str(secret))
    return text
