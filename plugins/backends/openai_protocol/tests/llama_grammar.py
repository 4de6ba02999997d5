"""llama.cpp's own reader of grammars, without a model: whether it takes a grammar, and which texts fit it."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import xllamacpp

_LETTERS = '{}[]",:-.0123456789eEtrufalsn\\/ aZü♞😀\n\t\x7f'
_CLOSING = '"}]0'
_LONG = 120
"""So many characters later, a text is brought to its end."""


class LlamaGrammar:
    """A grammar and how much of a text it has read."""

    def __init__(self, library: Any, address: int) -> None:
        self._library = library
        self._address = ctypes.c_void_p(address)

    def read(self, text: str) -> bool:
        """Read on; whether the text can still become one of the grammar."""
        for character in text:
            if not self._stacks():
                return False
            self._library.accept(self._address, ord(character))
        return bool(self._stacks())

    @property
    def is_complete(self) -> bool:
        """Whether what was read is a text of the grammar."""
        return any(begin == end for begin, end in self._stacks())

    @contextmanager
    def copied(self) -> Iterator["LlamaGrammar"]:
        """A copy that reads on for itself."""
        copy = LlamaGrammar(self._library, self._library.clone(self._address))
        try:
            yield copy
        finally:
            copy.free()

    def free(self) -> None:
        """Give the memory back."""
        self._library.free(self._address)

    def _stacks(self) -> list[tuple[int, int]]:
        """Where each of the stacks begins and ends, read from a ``std::vector`` of such vectors."""
        begin, end, _ = (ctypes.c_size_t * 3).from_address(self._library.stacks(self._address))
        size = 3 * ctypes.sizeof(ctypes.c_size_t)
        return [tuple((ctypes.c_size_t * 3).from_address(at))[:2] for at in range(begin, end, size)]


class _Library:
    """The functions of llama.cpp by their mangled names; ``AttributeError`` where a build hides them."""

    def __init__(self) -> None:
        (path,) = Path(xllamacpp.__file__).parent.glob("xllamacpp.*.so")
        found = ctypes.CDLL(str(path))
        self.init = found._Z23llama_grammar_init_implPK11llama_vocabPKcS3_bPS3_mPKim
        self.accept = found._Z20llama_grammar_acceptP13llama_grammarj
        self.stacks = found._Z24llama_grammar_get_stacksP13llama_grammar
        self.clone = found._Z24llama_grammar_clone_implRK13llama_grammar
        self.free = found._Z23llama_grammar_free_implP13llama_grammar
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self.init.argtypes = (pointer, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_bool, pointer, size, pointer, size)
        self.accept.argtypes = (pointer, ctypes.c_uint32)
        self.accept.restype = self.free.restype = None
        self.stacks.argtypes = self.clone.argtypes = self.free.argtypes = (pointer,)
        self.init.restype = self.stacks.restype = self.clone.restype = pointer


@contextmanager
def loaded(text: str) -> Iterator[LlamaGrammar]:
    """A grammar as llama.cpp reads it; ``ValueError`` if it does not."""
    library = _Library()
    address = library.init(None, text.encode(), b"root", False, None, 0, None, 0)
    if not address:
        raise ValueError(f"llama.cpp does not take the grammar\n{text}")
    grammar = LlamaGrammar(library, address)
    try:
        yield grammar
    finally:
        grammar.free()


def fits(grammar: LlamaGrammar, text: str) -> bool:
    """Whether a whole text is one of the grammar."""
    with grammar.copied() as copy:
        return copy.read(text) and copy.is_complete


def drawn(grammar: LlamaGrammar, rng: Random, letters: str) -> str:
    """A text of the grammar, letter by letter one that llama.cpp takes."""
    text = ""
    with grammar.copied() as copy:
        while not copy.is_complete or (len(text) < _LONG and rng.random() < 0.5):
            order = rng.sample(_LETTERS + letters, len(_LETTERS + letters))
            first = _CLOSING if len(text) >= _LONG or rng.random() < 0.3 else ""
            taken = next((each for each in (*first, *order) if _is_taken(copy, each)), None)
            if taken is None:
                assert copy.is_complete, f"nothing can follow {text!r}"
                return text
            copy.read(taken)
            text += taken
    return text


def _is_taken(grammar: LlamaGrammar, letter: str) -> bool:
    with grammar.copied() as copy:
        return copy.read(letter)
