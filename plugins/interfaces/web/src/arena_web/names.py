"""The names by which addresses call matches: digests of their ids, which hold slashes."""

from hashlib import blake2b
from typing import Final

DIGITS: Final = 16
"""The number of hexadecimal digits of a match's name."""


def match_name(id_: str) -> str:
    """The name of a match by its id."""
    return blake2b(id_.encode("utf-8", "surrogatepass"), digest_size=DIGITS // 2).hexdigest()
