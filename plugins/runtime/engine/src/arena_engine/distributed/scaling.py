"""How many workers a run starts, and how much each of them is given."""

import attrs


@attrs.frozen(kw_only=True)
class WorkerCount:
    """How many workers to start, and how many must be ready before play begins with those that are there.

    Each worker plays ``matches_each`` matches at once. Workers that are not ready within ``start_timeout_s`` seconds
    are not waited for.
    """

    workers: int
    awaited: int
    matches_each: int
    start_timeout_s: float
