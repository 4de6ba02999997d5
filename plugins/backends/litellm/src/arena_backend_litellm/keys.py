"""Reads keys from a ``.env`` file, and removes the values of secrets from texts."""

import os
import re
from collections.abc import Iterable

from arena.backend import Secret
from arena.errors import ConfigError
from dotenv import find_dotenv, load_dotenv

SHORTEST = 8
"""Shorter values of variables are not taken for keys: removing them would garble ordinary texts."""

_LIKE_A_KEY = re.compile(
    r"(?!.*_(?:FILE|PATH)$)(?:.*_)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_.*)?", re.IGNORECASE
)


def read_dotenv() -> None:
    """Set the variables of a ``.env`` file in the working directory or its nearest parent that has one.

    Variables that are already set stay. Raises ``ConfigError`` if the file exists and cannot be read.
    """
    path = find_dotenv(usecwd=True)
    if not path:
        return
    try:
        load_dotenv(path, override=False)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ConfigError(f"{path!r} cannot be read: {why}; correct or remove it") from None


def environment_secrets() -> tuple[Secret, ...]:
    """Every environment variable that is named like a key, since LiteLLM may send any of them."""
    return tuple(
        Secret(name) for name, value in os.environ.items() if len(value) >= SHORTEST and _LIKE_A_KEY.fullmatch(name)
    )


def without(secrets: Iterable[Secret], text: str) -> str:
    """``text`` with the value of each secret replaced by its name."""
    for secret in secrets:
        text = text.replace(secret.reveal(), str(secret))
    return text
