"""The journal's entry for one answer from outside: a completion, or another input of an agent."""

from typing import Literal

import attrs


@attrs.frozen(kw_only=True)
class JournalEntry:
    """One answer from outside, as it is stored in the journal.

    ``scope`` says where in the match it was needed: ``player/turn/try/branch…/number`` for an agent's completions.
    ``kind`` is ``completion``, ``cached`` (a completion that another run paid for), ``once`` (any other input) or
    ``late`` (the try ran out of time at this point). ``request_hash`` identifies the request; ``request`` and ``value``
    are JSON texts. Tokens and cost are part of ``value`` too, and repeated so that SQL can sum them.
    """

    match: str
    scope: str
    kind: Literal["completion", "cached", "once", "late"]
    request_hash: str = ""
    request: str = ""
    value: str = "null"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
