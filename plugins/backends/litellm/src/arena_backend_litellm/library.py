"""LiteLLM, imported once and kept quiet."""

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

_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")

_WARNINGS = (
    "coroutine '.*acompletion' was never awaited",  # what is left of a request that is cancelled before it is sent
    "Pydantic serializer warnings",  # about its own types
)


@cache
def library() -> Any:
    """The module; the first call takes seconds. ``ConfigError`` where it cannot be imported."""
    # Its own list of models, not one fetched from the network; and no .env but the one that was read here, whose
    # values are known and cut out of every text.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    try:
        with _out_of_the_way():
            module: Any = import_module("litellm")
    except ImportError as error:
        raise ConfigError(f"LiteLLM cannot be imported: {error}; reinstall it with pip install litellm") from None
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
    """Keep what is imported here from the garbage collector.

    It holds hundreds of thousands of objects that stay: looking through them halts everything for a tenth of a second,
    again and again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
        gc.freeze()
