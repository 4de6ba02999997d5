"""Finds the variables of the environment that are named like a key."""

import os
import re

from arena.backend import Secret

SHORTEST = 8
"""Shorter values of variables are not taken for keys: removing them would garble ordinary texts."""

_LIKE_A_KEY = re.compile(
    r"(?!.*_(?:FILE|PATH)$)(?:.*_)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_.*)?", re.IGNORECASE
)


def environment_secrets() -> tuple[Secret, ...]:
    """Every environment variable that is named like a key, since LiteLLM may send any of them."""
    return tuple(
        Secret(name) for name, value in os.environ.items() if len(value) >= SHORTEST and _LIKE_A_KEY.fullmatch(name)
    )
