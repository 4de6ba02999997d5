"""How much processor time a check may take, so that games with long matches are checked as far as it goes."""

import time

import attrs


@attrs.frozen
class CpuLimit:
    """Some seconds of this process's CPU time, counted from when this was made; ``None`` for any number."""

    seconds: float | None = None
    _began: float = attrs.field(factory=time.process_time, init=False)

    @property
    def spent_s(self) -> float:
        """The seconds of CPU time since this was made."""
        return time.process_time() - self._began

    def is_over(self, share: float = 1.0) -> bool:
        """Whether a share of the time has been spent."""
        return self.seconds is not None and self.spent_s >= self.seconds * share
