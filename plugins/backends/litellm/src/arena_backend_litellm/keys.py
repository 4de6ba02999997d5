"""Keys: a ``.env`` file that may hold them, and the values that nobody may get to see."""

import os
import re
from collections.abc import Iterable

from arena.backend import Secret
from arena.errors import ConfigError
from dotenv import find_dotenv, load_dotenv

SHORTEST = 8
"""Shorter values of the environment are no keys, and cutting them out would maul ordinary texts."""

_LIKE_A_KEY = re.compile(
    r"(?!.*_(?:FILE|PATH)$)(?:.*_)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_.*)?", re.IGNORECASE
)


def read_dotenv() -> None:
    """Set what a ``.env`` in the working directory, or the nearest parent that has one, sets and nobody else has.

    ``ConfigError`` where the file is there and cannot be read.
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
    """Every variable of the environment that is named like a key: LiteLLM may send any of them."""
    return tuple(
        Secret(name) for name, value in os.environ.items() if len(value) >= SHORTEST and _LIKE_A_KEY.fullmatch(name)
    )


def without(secrets: Iterable[Secret], text: str) -> str:
    """``text`` with the name of each secret in the place of its value."""
    for secret in secrets:
        text = text.replace(secret.reveal(), str(secret))
    return text
