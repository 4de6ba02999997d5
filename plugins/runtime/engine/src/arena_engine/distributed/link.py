"""How a driver reaches its workers: what an executor says about the processes that it starts."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from arena.record import Ending, Failure, MatchPlan, MatchRecord

from arena_engine.distributed.fingerprint import EnvironmentFingerprint
from arena_engine.distributed.messages import WorkerSetup


class WorkerGone(Exception):
    """The process of a worker has ended, or cannot be reached any more.

    ``reason`` says how, as the end of a sentence. ``is_broken`` says that its code raised an error, which every other
    worker would raise too. ``blame`` is what a match that was played there alone is told to have done, or ``None``
    where a lost worker says nothing about its matches.
    """

    def __init__(self, reason: str, *, is_broken: bool = False, blame: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_broken = is_broken
        self.blame = blame

    def outcome(self, plan: MatchPlan, losses: int) -> MatchRecord:
        """What becomes of a match under which so many workers were lost, this last one while it played nothing else."""
        if self.blame is None:
            ending, why = Ending.INFRASTRUCTURE_FAILURE, f"{losses} workers were lost while they played it"
        else:
            ending, why = Ending.FAILED, f"{self.blame}, {losses} times, at last while it played alone"
        return MatchRecord(plan=plan, seats=(), ending=ending, returns=None, failure=Failure(why))


class WorkerLink(ABC):
    """The connection to one worker: calls its methods of the same names, in order. Raises ``WorkerGone``."""

    @abstractmethod
    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        """Wait until the worker runs and has built the benchmark; see ``Worker.set_up``."""

    @abstractmethod
    def tell(self, messages: Sequence[object]) -> None:
        """Send messages without waiting; a worker that is gone is noticed by ``next_messages``."""

    @abstractmethod
    async def next_messages(self) -> Sequence[bytes]:
        """Wait until the worker has messages, and return all of them, packed."""

    @abstractmethod
    async def close(self) -> None:
        """Let the worker close its backends, and end it."""

    @abstractmethod
    def kill(self) -> None:
        """End the process of the worker, whatever it does."""


class WorkerHost(ABC):
    """A place where workers can be started, such as this machine or a cluster."""

    @abstractmethod
    def start(self) -> WorkerLink:
        """Start a worker, without waiting until it runs; ``BackendError`` if there cannot be another."""

    @abstractmethod
    def missing(self) -> str:
        """Why no worker was ready in time, and what to do, as the end of an error message."""
