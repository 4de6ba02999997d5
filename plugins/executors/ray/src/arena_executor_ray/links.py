"""The driver's connection to one Ray actor."""

from collections.abc import Sequence
from typing import Any

import ray
from arena_engine import EnvironmentFingerprint, WorkerGone, WorkerLink, WorkerSetup
from ray.exceptions import RayError, RayTaskError


class RayLink(WorkerLink):
    """Calls the methods of an actor."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        return await _called(self._handle.set_up.remote(setup))

    def tell(self, messages: Sequence[object]) -> None:
        self._handle.tell.remote(messages)

    async def next_messages(self) -> Sequence[bytes]:
        return await _called(self._handle.next_messages.remote())

    async def close(self) -> None:
        await _called(self._handle.close.remote())

    def kill(self) -> None:
        ray.kill(self._handle)


async def _called(call: Any) -> Any:
    try:
        return await call
    except RayTaskError as error:
        raise WorkerGone(_reason(error), is_broken=True) from None
    except RayError as error:
        raise WorkerGone(_reason(error)) from None


def _reason(error: RayError) -> str:
    """The last line of Ray's message: the error itself, below the traceback."""
    return (str(error).strip() or type(error).__name__).splitlines()[-1].strip().rstrip(".")
