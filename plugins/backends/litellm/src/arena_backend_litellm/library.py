"""Imports LiteLLM once, and silences its logs and warnings."""

import gc
import logging
import os
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from arena.errors import ConfigError
from arena.installing import install_line

from arena_backend_litellm.answer_bounds import install

_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")

_WARNINGS = (
    "coroutine '.*acompletion' was never awaited",  # a request that was cancelled before it was sent
    "Pydantic serializer warnings",  # about its own types
)


@cache
def library() -> Any:
    """The LiteLLM module; the first call takes seconds. Raises ``ConfigError`` if it cannot be imported."""
    # LiteLLM shall use its own list of models, not fetch one from the network, and shall not read a .env file itself,
    # which would set every variable in it.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    try:
        with _out_of_the_way():
            module: Any = import_module("litellm")
    except ImportError as error:
        raise ConfigError(f"LiteLLM cannot be imported: {error}; reinstall it with {install_line('litellm')}") from None
    install(import_module("httpx"))
    module.suppress_debug_info = True
    module.set_verbose = False
    module.drop_params = False
    for message in _WARNINGS:
        warnings.filterwarnings("ignore", message=message)
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return module


@contextmanager
def _out_of_the_way() -> Generator[None]:
    """Exclude the objects that are created in the body from garbage collection.

    The import creates hundreds of thousands of objects that are never freed: each full collection would scan them and
    halt everything for a tenth of a second.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
        gc.freeze()
