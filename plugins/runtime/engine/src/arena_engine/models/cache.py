"""A cache of completions shared between runs, so the same request is paid for only once.

The key of a completion is its whole request (backend, messages, sampling, schema, tools) together with the run's seed,
the match and the scope of the completion in it. A second run of the same matches with the same seed therefore finds
every completion, and two completions of one run never share an entry, even if their requests are equal.

One file holds one completion. It is written under another name and then renamed, so several processes may share a
directory.
"""

import json
import os
import warnings
from asyncio import to_thread
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Self

import attrs
from arena.backend import Backend, Completion, CompletionRequest

from arena_engine.foundation.redaction import Redactor
from arena_engine.models.request_text import completion_from_text, completion_text, request_hash, request_text


class CompletionCache:
    """The cache as one run uses it, in a directory that is created for the first completion.

    A file that cannot be read or written never stops a run: the cache warns once, and the model is asked.
    """

    def __init__(self, directory: Path, seed: int) -> None:
        self._directory = directory.expanduser()
        self._seed = seed
        self._has_warned = False

    @classmethod
    def at(cls, directory: Path | None, seed: int) -> Self | None:
        """A cache in ``directory``, or ``None`` if that is ``None``."""
        return None if directory is None else cls(directory, seed)

    def key(self, backend: Backend, request: CompletionRequest, match: str, scope: str) -> str:
        """The key of a completion, as a hash; the request's sampling is complete."""
        asked = request_text(backend, attrs.evolve(request, parts={}))
        return request_hash(json.dumps([asked, self._seed, match, scope]))

    async def get(self, key: str) -> Completion | None:
        """The completion with a cost of 0, or ``None`` if there is none that can be read."""
        completion = await to_thread(self._read, key)
        return None if completion is None else attrs.evolve(completion, cost_usd=0.0)

    async def put(self, key: str, backend: Backend, completion: Completion) -> None:
        """Store a completion, without the backend's secrets."""
        text = completion_text(Redactor.of((backend,), shows_names=False).completion(completion))
        await to_thread(self._write, key, text)

    def _path(self, key: str) -> Path:
        return self._directory / key[:2] / f"{key[2:]}.json"

    def _read(self, key: str) -> Completion | None:
        path = self._path(key)
        try:
            raw: dict[str, Any] = json.loads(path.read_bytes())
            if raw["check"] != _check(key, raw["completion"]):
                raise ValueError("its checksum is another")
            return completion_from_text(raw["completion"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            self._warn(f"{path}: cannot be used ({type(error).__name__}: {error}); the model is asked again")
            return None

    def _write(self, key: str, text: str) -> None:
        path = self._path(key)
        written: str | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile("w", dir=path.parent, prefix=".", encoding="utf-8", delete=False) as file:
                written = file.name
                json.dump({"check": _check(key, text), "completion": text}, file)
            os.replace(written, path)
        except OSError as error:
            if written:
                Path(written).unlink(missing_ok=True)
            self._warn(f"{path}: cannot be written ({error}); answers are not shared with other runs")

    def _warn(self, text: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"cache: {text}", RuntimeWarning, stacklevel=2)


def _check(key: str, text: str) -> str:
    return blake2b(f"{key} {text}".encode(), digest_size=8).hexdigest()
