"""How many workers a run starts, and what each of them needs."""

import attrs


@attrs.frozen(kw_only=True)
class WorkerCount:
    """How many workers to start, how many must be ready before play begins, and what resources each of them takes."""

    workers: int
    awaited: int
    matches_each: int
    start_timeout_s: float
