"""The journal's entry for one answer from outside: a completion, or another input of an agent."""

from collections.abc import Sequence
from typing import Any, Literal

import attrs

from arena_engine.journal.packing import PLAIN


@attrs.frozen(kw_only=True)
class JournalEntry:
    """One answer from outside, as it is stored in the journal.

    ``scope`` says where in the match it was needed: ``player/turn/try/branch…/number`` for an agent's completions.
    ``kind`` is ``completion``, ``cached`` (a completion that another run paid for), ``once`` (any other input),
    ``late`` (the try ran out of time at this point) or ``left`` (the player got up at this point). ``request_hash``
    identifies the request; ``request`` and ``value`` are JSON texts. Tokens and cost stand in ``value`` as the provider
    said them, and here so that SQL can sum them.

    ``counted`` says whose the tokens of a completion are: the ``provider``'s, or ``estimated`` from above where it gave
    no count that can be true; ``unknown`` in older runs, ``""`` for what is no completion. ``is_doubtful``, which is
    not stored, says that other answers of its match were lost, so that the match may not come to this question again.
    """

    match: str
    scope: str
    kind: Literal["completion", "cached", "once", "late", "left"]
    request_hash: str = ""
    request: str = ""
    value: str = "null"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    counted: Literal["provider", "estimated", "unknown", ""] = ""
    is_doubtful: bool = False

    def to_row(self) -> tuple[Any, ...]:
        """The columns of its row in the journal."""
        cost = None if self.cost_usd is None else float(self.cost_usd)
        return (
            *(self.match, self.scope, self.kind, self.request_hash, PLAIN, self.request, self.value),
            *(self.prompt_tokens, self.completion_tokens, cost, self.counted),
        )

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> "JournalEntry":
        """Create an entry from the columns of its row."""
        match, scope, kind, request_hash, _, request, value, prompt, completion, cost, counted = row
        return cls(
            match=match,
            scope=scope,
            kind=kind,
            request_hash=request_hash,
            request=request,
            value=value,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost_usd=cost,
            counted=counted,
        )


@attrs.frozen
class Reservation:
    """What one call to a model may use at most, written before it is sent and removed when it is answered or refused.

    ``number`` counts the calls of one scope. One that stays was sent and never answered.
    """

    match: str
    scope: str
    number: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
