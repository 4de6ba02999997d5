"""Writes into a run's journal what its agents are shown, so that it is known of those too that never made a move.

It stands apart from the benchmark in the journal because that holds settings, of which only the agents' plugins know
what they mean, and a journal is read where these are not installed.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

import attrs
from arena.errors import JournalError

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.foundation.json_values import fits
from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import JournalReader

PROMPTS: Final = "prompts"
"""The metadata key."""

_SHAPE: Final = {"forms": [str], "version": str}


@attrs.frozen(kw_only=True)
class RecordedPrompt:
    """What an agent of a run is shown by its configuration: forms of observation, and the version of its prompts.

    Both are empty for an agent that looks at no form and asks no model, such as random play.
    """

    forms: tuple[str, ...] = ()
    version: str = ""


def record_prompts(journal: Journal, benchmark: Benchmark) -> None:
    """Write down what the agents of a benchmark are shown."""
    journal.set_metadata(
        PROMPTS,
        {
            name: {"forms": sorted(entry.agent.forms()), "version": entry.agent.prompt_version()}
            for name, entry in benchmark.agents.items()
        },
    )


def recorded_prompts(journal: JournalReader) -> dict[str, RecordedPrompt]:
    """What a journal says of its agents; empty where it says nothing. ``JournalError`` if it is of another shape."""
    raw: Any = journal.metadata(PROMPTS)
    try:
        return {name: _recorded(name, each) for name, each in cast("Mapping[str, Any]", raw or {}).items()}
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise JournalError(
            f"what {journal.path} says of its agents is of another shape than Arena writes ({error}); "
            "this is no run of Arena, or a damaged one"
        ) from None


def _recorded(name: str, raw: Mapping[str, Any]) -> RecordedPrompt:
    fits(raw, _SHAPE, name)
    return RecordedPrompt(forms=tuple(raw["forms"]), version=raw["version"])
