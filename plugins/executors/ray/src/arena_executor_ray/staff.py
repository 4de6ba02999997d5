"""How many workers a run wants."""

import attrs


@attrs.frozen(kw_only=True)
class Staff:
    """How many workers there are to be, how many are waited for before play begins, and what each of them takes."""

    workers: int
    awaited: int
    matches_each: int
    start_timeout_s: float
