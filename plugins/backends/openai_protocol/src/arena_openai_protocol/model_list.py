"""Reads what is known about models from the list that LiteLLM brings, without importing it, which takes seconds.

A model is named ``PROVIDER/MODEL``, as LiteLLM does. Where LiteLLM is not installed, no model is listed.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from arena.backend import BATCH, IMAGES, LOGPROBS, SCHEMA, SEED, TOOLS

from arena_openai_protocol.parameters import Prices

MILLION: Final = 1e6
FILE: Final = "model_prices_and_context_window_backup.json"

_LISTED: Final[Mapping[str, str]] = {
    "supports_response_schema": SCHEMA,
    "supports_function_calling": TOOLS,
    "supports_vision": IMAGES,
}

_SEEDED: Final = frozenset(
    {"openai", "azure", "hosted_vllm", "ollama", "ollama_chat", "lm_studio", "llamafile", "vertex_ai"}
    | {"groq", "together_ai", "openrouter", "xai", "mistral", "cohere", "cerebras", "nvidia_nim"}
    | {"github", "hyperbolic", "novita"}
)
"""Providers whose API takes a seed and to which LiteLLM passes it on; whether answers repeat is up to them."""

_TELLING: Final = frozenset({"openai", "azure", "hosted_vllm", "deepseek"})
"""Providers that return log probabilities, except for reasoning models."""

_CONSTRAINING: Final = frozenset(
    {"hosted_vllm", "ollama", "ollama_chat", "lm_studio", "fireworks_ai", "databricks", "nebius"}
)
"""Providers that make answers follow a schema with any model."""

_UNLISTED: Final = frozenset({SCHEMA, SEED})
"""Capabilities assumed of an unlisted model on a server of the user's own."""


_COSTS: Final[Mapping[str, Sequence[str]]] = {
    "input": ("input_cost_per_token",),
    "output": ("output_cost_per_token",),
    "cached": ("cache_read_input_token_cost", "input_cost_per_token_cache_hit"),
    "stored": ("cache_creation_input_token_cost",),
    "reasoning": ("output_cost_per_reasoning_token",),
}
"""What LiteLLM's list calls the prices."""

_ABOVE: Final = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


@cache
def listed_model(model: str) -> Mapping[str, Any]:
    """LiteLLM's entry for a model; empty if it is not listed."""
    listed = _list()
    provider, slash, bare = model.partition("/")
    if found := listed.get(model):
        return found
    nothing: Mapping[str, Any] = {}
    found = listed.get(bare, nothing) if slash else nothing
    own = str(found.get("litellm_provider", ""))
    return found if own == provider or own.startswith((f"{provider}-", f"{provider}_")) else {}


@cache
def listed_abilities(model: str, *, is_own_server: bool) -> frozenset[str]:
    """The capabilities of a model; ``is_own_server`` says that the user gave the server's address."""
    return frozenset(_abilities(listed_model(model), listed_provider(model), is_own_server=is_own_server))


def listed_prices(model: str, sent: int = 0) -> Prices | None:
    """The prices of a model for a prompt of so many tokens; ``None`` if it is not listed or not sold by the token."""
    return next((prices for above, prices in _priced(model) if sent > above or not above), None)


@cache
def _priced(model: str) -> Sequence[tuple[int, Prices]]:
    """The prices of a model and from how many tokens of the prompt on they hold, the highest number first."""
    known = listed_model(model)
    found: list[tuple[int, Prices]] = []
    for above in sorted({int(each[1]) * 1_000 for name in known if (each := _ABOVE.fullmatch(name))} | {0}):
        ending = f"_above_{above // 1_000}k_tokens" if above else ""
        prices = {
            field: float(price) * MILLION
            for field, names in _COSTS.items()
            if (price := next(filter(_is_price, map(known.get, _dearer(names, ending))), None)) is not None
        }
        if prices.keys() >= {"input", "output"}:
            found.insert(0, (above, Prices(**prices)))
    return found if found and not found[-1][0] else []


def _is_price(value: Any) -> bool:
    return value is not None


def _dearer(names: Sequence[str], ending: str) -> Iterator[str]:
    """The names of a price with the ending of a longer prompt, and then as they are."""
    yield from (f"{name}{ending}" for name in names if ending)
    yield from names


def listed_longest_answer(model: str) -> int | None:
    """The most tokens that a model writes in one answer, or ``None`` if it is not listed."""
    known = listed_model(model).get("max_output_tokens")
    return known if isinstance(known, int) else None


def listed_enumeration_limit(model: str, *, is_own_server: bool) -> int | None:
    """The most values that all enumerations of one schema may have together; ``None`` if the provider names no limit.

    https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
    """
    provider = listed_provider(model)
    return 1_000 if provider == "azure" or (provider == "openai" and not is_own_server) else None


def listed_provider(model: str) -> str:
    """The provider that a model's name begins with, else the one that LiteLLM's list gives."""
    return model.partition("/")[0] if "/" in model else str(listed_model(model).get("litellm_provider", ""))


def _abilities(known: Mapping[str, Any], provider: str, *, is_own_server: bool) -> Iterator[str]:
    yield from (ability for key, ability in _LISTED.items() if known.get(key))
    if provider in _SEEDED:
        yield SEED
    if provider in _TELLING and not known.get("supports_reasoning"):
        yield LOGPROBS
    if provider in _CONSTRAINING:
        yield SCHEMA
    if provider == "hosted_vllm":
        yield BATCH
    if is_own_server and not known:
        yield from _UNLISTED


def _list() -> Mapping[str, Mapping[str, Any]]:
    # Reading takes 20 ms and the list 15 MB: it is read again for each model rather than kept.
    spec = find_spec("litellm")
    places = [Path(place) / FILE for place in (spec and spec.submodule_search_locations) or ()]
    for path in places:
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))
    return {}
