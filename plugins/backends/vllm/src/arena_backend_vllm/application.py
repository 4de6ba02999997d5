"""Runs vLLM's engine and its HTTP application inside this process; requests reach it without a socket.

So the same code as on a server turns a conversation into a prompt, and parses the answer.
"""

import asyncio
import contextlib
import io
import os
import warnings
from argparse import Namespace
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import Any

import httpx
from arena.errors import BackendUnavailable, ConfigError

from arena_backend_vllm.client import Client, ServerClient, connected
from arena_backend_vllm.engine import Engine
from arena_backend_vllm.environment import DEFAULTS
from arena_backend_vllm.failure import unloaded
from arena_backend_vllm.prompts import suited

_VERSIONS = "use vLLM 0.32 or later, or vllm-serve"
STOP_S = 15.0
"""Seconds that the engine's processes may take to stop before they are killed."""


async def load(backend: Engine) -> Client:
    """Load the model; raises ``ConfigError`` for an option vLLM rejects, ``BackendUnavailable`` if loading fails."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    loading = _Loading(backend)
    try:
        engine = await asyncio.to_thread(loading.run)
    except asyncio.CancelledError:
        loading.abandon()
        raise
    transport = httpx.ASGITransport(app=await _application(engine, loading.arguments), raise_app_exceptions=False)

    async def stop() -> None:
        # The handler would take the end of the engine's process for a crash, and log it at length.
        if (handler := getattr(engine, "output_handler", None)) is not None:
            handler.cancel()
        await asyncio.to_thread(engine.shutdown, STOP_S)
        # The engine's __del__ calls this again, and fails if Python is shutting down by then.
        engine.shutdown = _nothing

    http = httpx.AsyncClient(transport=transport, base_url="http://vllm/", timeout=None)
    return await connected(backend, ServerClient(http, "vLLM", stop))


class _Loading:
    """Loads an engine in a thread, so the event loop keeps running; stops it at once if the caller is cancelled."""

    arguments: Namespace

    def __init__(self, backend: Engine) -> None:
        self._backend = backend
        self._engine: Any = None
        self._is_wanted = True
        self._lock = Lock()

    def run(self) -> Any:
        """Load and return the engine; blocks for a minute."""
        self.arguments = _parsed(self._backend)
        try:
            engine = _engine(self.arguments)
        except ConfigError:
            raise
        except Exception as error:
            raise unloaded(self._backend.model, _chain(error)) from None
        # Under the lock, whichever of the two comes second stops the engine: this, or ``abandon``.
        with self._lock:
            self._engine = engine
            if not self._is_wanted:
                engine.shutdown()
        return engine

    def abandon(self) -> None:
        """Stop the engine, or cancel it if it is still loading."""
        with self._lock:
            self._is_wanted = False
            if self._engine is not None:
                self._engine.shutdown()


def _nothing() -> None:
    """A shutdown function that does nothing, for an engine that has been shut down."""


def _parsed(backend: Engine) -> Namespace:
    """The options as parsed by vLLM's own command line, which prints errors and exits."""
    parser = _found("vllm.utils.argparse_utils", "vllm.utils").FlexibleArgumentParser()
    module = _found("vllm.entrypoints.launchers.cli_args", "vllm.entrypoints.openai.cli_args")
    printed = io.StringIO()
    try:
        with contextlib.redirect_stderr(printed):
            return module.make_arg_parser(parser).parse_args(list(suited(backend.arguments())))
    except SystemExit:
        reason = printed.getvalue().strip().rpartition("error: ")[2] or "it gives no reason"
        raise ConfigError(f"vLLM refuses the backend's options: {' '.join(reason.split())}") from None
    except (ValueError, TypeError) as error:
        raise ConfigError(f"vLLM refuses the backend's options: {str(error).splitlines()[0]}") from None


def _engine(arguments: Namespace) -> Any:
    if not getattr(import_module("vllm.platforms").current_platform, "device_type", ""):
        raise RuntimeError("Failed to infer device type")
    engine_arguments = import_module("vllm.engine.arg_utils").AsyncEngineArgs.from_cli_args(arguments)
    return import_module("vllm.v1.engine.async_llm").AsyncLLM.from_engine_args(engine_arguments)


async def _application(engine: Any, arguments: Namespace) -> Any:
    """vLLM's own web application on top of an engine that was created here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            build = _found("vllm.entrypoints.launchers.app", "vllm.entrypoints.openai.api_server").build_app
            state = _found("vllm.entrypoints.launchers.api_server.app_state", "vllm.entrypoints.openai.api_server")
        tasks = await engine.get_supported_tasks()
        application = build(arguments, tasks, engine.model_config)
        await state.init_app_state(engine, application.state, arguments, tasks)
    except Exception as error:
        await asyncio.to_thread(engine.shutdown)
        raise BackendUnavailable(f"vLLM has no interface for this ({_chain(error)[-1]}); {_VERSIONS}") from None
    return application


def _found(*names: str) -> Any:
    """The first of these modules that exists: vLLM has moved them between versions."""
    for name in names:
        with contextlib.suppress(ModuleNotFoundError):
            if find_spec(name) is not None:
                return import_module(name)
    raise BackendUnavailable(f"this version of vLLM has no {names[0]}; {_VERSIONS}")


def _chain(error: BaseException | None) -> list[str]:
    lines: list[str] = []
    while error is not None:
        lines.insert(0, f"{type(error).__name__}: {' '.join(str(error).split())}")
        error = error.__cause__ or error.__context__
    return lines
