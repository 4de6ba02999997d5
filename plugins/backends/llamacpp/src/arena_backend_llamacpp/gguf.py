"""Reads facts about a GGUF file without loading the model."""

import mmap
from hashlib import blake2b, file_digest
from pathlib import Path

_MAGIC = b"GGUF"
_SAMPLE_BYTES = 1 << 20
_HEADER_BYTES = 1 << 26
_TEMPLATE = b"tokenizer.chat_template"


def check_file(path: Path) -> None:
    """Raise ``ValueError`` unless ``path`` is a readable GGUF file."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror}; give the path of a GGUF file") from None
    if magic != _MAGIC:
        raise ValueError(f"{str(path)!r} is not a GGUF file: it begins with {magic!r}, not {_MAGIC!r}; give another")


def fingerprint(path: Path) -> str:
    """A hash of a model's size, beginning and end: quick at every start, and different for different models."""
    size = path.stat().st_size
    found = blake2b(size.to_bytes(8, "big"), digest_size=6)
    with path.open("rb") as file:
        found.update(file.read(_SAMPLE_BYTES))
        file.seek(max(0, size - _SAMPLE_BYTES))
        found.update(file.read())
    return found.hexdigest()


def sha256_of(path: Path) -> str:
    """The SHA-256 of the whole file; takes about a second for each 400 MB."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def thinks_aloud(path: Path) -> bool:
    """Whether the model's chat template lets it think before it answers."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        start = content.find(_TEMPLATE, 0, _HEADER_BYTES)
        if start < 0:
            return False
        # A key is followed by the type of its value (4 bytes) and the length of the text (8 bytes).
        at = start + len(_TEMPLATE) + 4
        length = int.from_bytes(content[at : at + 8], "little")
        return b"think" in content[at + 8 : at + 8 + length]
