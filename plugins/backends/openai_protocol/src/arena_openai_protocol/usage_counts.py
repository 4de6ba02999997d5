"""Reads what servers say that an answer used, by whichever names, checks the sum, and finds what it cost."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Any, Final, cast

import attrs
from arena.backend import Usage

LONGEST: Final = 20
"""A text of so many digits is no count."""

_PROMPT: Final = (
    "prompt_tokens",  # OpenAI's chat, and all that follow it
    "billed_units.input_tokens",  # Cohere, whose ``tokens`` count its own template too
    "tokens.input_tokens",
    "input_tokens",  # OpenAI's responses, Anthropic, DashScope
    "promptTokenCount",  # Gemini
    "inputTokens",  # Bedrock's Converse
    "inputTokenCount",  # Bedrock's metrics
    "inputTextTokenCount",  # Bedrock's Titan
    "input_token_count",  # watsonx
    "prompt_eval_count",  # Ollama
    "tokens_evaluated",  # llama.cpp
)
"""Names of the tokens that were sent; the first that is told counts, and a name more is a line more."""
_WRITTEN: Final = (
    "completion_tokens",
    "billed_units.output_tokens",
    "tokens.output_tokens",
    "output_tokens",
    "candidatesTokenCount",
    "outputTokens",
    "outputTokenCount",
    "generated_token_count",
    "generated_tokens",  # text-generation-inference
    "eval_count",
    "tokens_predicted",
)
"""Names of the tokens that were written."""
TOTAL: Final = ("total_tokens", "totalTokenCount", "totalTokens")
"""Names of all tokens together."""
_CACHED: Final = (
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "prompt_token_details.cached_tokens",
    "cached_tokens",  # Moonshot, Together
    "cache_read_input_tokens",  # Anthropic
    "prompt_cache_hit_tokens",  # DeepSeek
    "cachedContentTokenCount",  # Gemini
    "cacheReadInputTokens",  # Bedrock's Converse
    "cacheReadInputTokenCount",
    "num_cached_tokens",  # Mistral
    "cached_prompt_tokens",
    "cached_input_tokens",
)
"""Names of sent tokens that were read from a cache; the largest counts."""
_STORED: Final = (
    "prompt_tokens_details.cache_write_tokens",  # OpenRouter
    "prompt_tokens_details.cache_creation_tokens",  # LiteLLM
    "prompt_tokens_details.cache_creation_input_tokens",  # DashScope
    "input_tokens_details.cache_write_tokens",
    "cache_creation_input_tokens",  # Anthropic
    "cacheWriteInputTokens",  # Bedrock's Converse
    "cacheWriteInputTokenCount",
)
"""Names of sent tokens that were stored in a cache, which some providers sell dearer."""
_THOUGHT: Final = (
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "output_tokens_details.thinking_tokens",
    "reasoning_tokens",  # SGLang, Perplexity
    "thoughtsTokenCount",  # Gemini
    "thinking_tokens",
)
"""Names of written tokens that were thought; the largest counts."""
_APART: Final = frozenset({"input_tokens", "inputTokens"})
"""Names of sent tokens that leave out what a cache has to do with, if these names stand beside them."""
_APART_FROM: Final = (
    *("cache_read_input_tokens", "cache_creation_input_tokens"),
    *("cacheReadInputTokens", "cacheWriteInputTokens"),
)
_ADDED: Final = ("toolUsePromptTokenCount",)
"""Sent tokens that stand apart in any case: Gemini's, of what its tools found."""
_THOUGHT_APART: Final = ("thoughtsTokenCount",)
"""Thought tokens that stand apart in any case."""
_COSTS: Final[Sequence[tuple[str, float]]] = (
    ("cost", 1.0),  # https://openrouter.ai/docs/use-cases/usage-accounting
    ("cost.total_cost", 1.0),  # https://docs.perplexity.ai/api-reference/chat-completions-post
    ("cost_in_usd_ticks", 1e-10),  # https://docs.x.ai/docs/guides/reasoning
    ("estimated_cost", 1.0),  # https://deepinfra.com/docs/openai_api
)
"""Where servers tell what an answer cost, and how many dollars the unit is."""
_UPSTREAM: Final = ("cost_details.upstream_inference_cost", "market_cost")
"""What OpenRouter and Vercel's gateway do not charge, since the provider charges it to a key of one's own."""


@attrs.frozen(kw_only=True)
class UsageTold:
    """What a server says of an answer: its usage, the tokens stored in a cache, and its cost in US dollars."""

    usage: Usage = attrs.field(factory=Usage)
    stored_tokens: int = 0
    cost_usd: float | None = None


_NOTHING: Final = UsageTold()


def usage_told(response: Any) -> UsageTold:
    """What a response says of its use, wherever in it and by whichever names; ``Usage()`` if it says nothing."""
    for place in _places(response):
        if (found := counted(place)) != _NOTHING:
            return found
    return _NOTHING


def counted(told: Any) -> UsageTold:
    """What an object with counts says; what is no number counts as not told.

    Parts that stand beside their whole are added to it: reasoning of xAI and Gemini, Anthropic's cache. The total that
    the server tells decides where it can. Where it cannot, and the sum of the parts differs, the larger one is counted.
    """
    if not isinstance(told, Mapping):
        return _NOTHING
    found = _flat(cast("Mapping[str, Any]", told))
    names = _names(tuple(found))
    (name, prompt), (_, written), (_, total) = (_first(found, each) for each in names.wholes)
    cached, stored, thought = (_most(found, each) for each in names.parts)
    added = sum(_number(found[each]) or 0 for each in names.added)
    sent, wrote = _whole(names, name, ((prompt or 0) + added, written or 0, total), (cached, stored, thought))
    difference = 0
    if total and sent and sent + wrote != total:
        difference, wrote = (0 if written is None else abs(total - sent - wrote)), max(wrote, total - sent)
    elif total and prompt is None and wrote:
        sent = max(0, total - wrote)
    usage = Usage(
        prompt_tokens=sent,
        completion_tokens=wrote,
        cached_tokens=cached,
        reasoning_tokens=thought,
        difference=difference,
    )
    return UsageTold(usage=usage, stored_tokens=stored or 0, cost_usd=_cost(found, names) if names.costs else None)


def _whole(
    names: "_Names",
    name: str,
    counts: tuple[int, int, int | None],
    parts: tuple[int | None, int | None, int | None],
) -> tuple[int, int]:
    """All tokens that were sent and written; ``name`` is that of the sent ones.

    First comes what the names mean, or what alone can be; if its sum is not the total, what else has that sum.
    """
    prompt, written, total = counts
    cached, stored, thought = ((part or 0) for part in parts)
    kept = cached + stored
    if kept > prompt > 0:  # no part is larger than its whole, whatever the total says
        return prompt + kept, written + thought * (names.are_thoughts_apart or thought > written)
    if prompt + written == total:
        return prompt, written
    is_apart = name in _APART and names.is_cache_apart
    are_apart = names.are_thoughts_apart or thought > written
    usual = prompt + kept * is_apart, written + thought * are_apart
    others = [(prompt + more, written + beside) for more in (0, kept, cached, stored) for beside in (0, thought)]
    return next((each for each in (usual, *others) if sum(each) == total), usual)


def _places(response: Any) -> Iterator[Any]:
    """Where answers of all protocols hold their counts, and at last the answer itself."""
    if not isinstance(response, Mapping):
        return
    answer = cast("Mapping[str, Any]", response)
    choices: Any = answer.get("choices")
    inner = cast("list[Any]", choices) if isinstance(choices, list) else []
    for each in (answer, answer.get("x_groq"), *inner):
        if isinstance(each, Mapping):
            yield cast("Mapping[str, Any]", each).get("usage")
    yield answer.get("usageMetadata")  # Gemini
    yield answer.get("meta")  # Cohere before its second version
    yield answer.get("amazon-bedrock-invocationMetrics")
    yield answer


def _cost(found: Mapping[str, Any], names: "_Names") -> float | None:
    """What the server says that the answer cost, a key of one's own at the provider included."""
    for name, dollars in names.costs:
        if (told := _amount(found[name])) is None:
            continue
        upstream = next((sum_ for each in _UPSTREAM if (sum_ := _amount(found.get(each)))), 0.0)
        is_own = found.get("is_byok")
        return told * dollars + (upstream if is_own or (is_own is None and upstream > told) else 0.0)
    return None


def _flat(told: Mapping[str, Any]) -> dict[str, Any]:
    """Counts by their names, those in objects by both names with a point between."""
    found = dict(told)
    for name, inner in told.items():
        if isinstance(inner, dict):
            found |= {f"{name}.{each}": value for each, value in cast("dict[str, Any]", inner).items()}
    return found


@attrs.frozen(kw_only=True)
class _Names:
    """Which names of the tables above a server uses."""

    wholes: Sequence[Sequence[str]]
    parts: Sequence[Sequence[str]]
    added: Sequence[str]
    costs: Sequence[tuple[str, float]]
    is_cache_apart: bool
    are_thoughts_apart: bool


@lru_cache(maxsize=256)
def _names(told: tuple[str, ...]) -> _Names:
    """Looked up once for the answers of a server, which have the same names."""
    has = frozenset(told)

    def used(names: Sequence[str]) -> Sequence[str]:
        return [name for name in names if name in has]

    return _Names(
        wholes=[*map(used, (_PROMPT, _WRITTEN, TOTAL))],
        parts=[*map(used, (_CACHED, _STORED, _THOUGHT))],
        added=used(_ADDED),
        costs=[(name, dollars) for name, dollars in _COSTS if name in has],
        is_cache_apart="input_tokens_details" not in has and bool(used(_APART_FROM)),
        are_thoughts_apart=bool(used(_THOUGHT_APART)),
    )


def _first(found: Mapping[str, Any], names: Sequence[str]) -> tuple[str, int | None]:
    """The first of these that is a number above 0, or else is one at all, with its name."""
    first: tuple[str, int | None] = ("", None)
    for name in names:
        number = _number(found[name])
        if number:
            return name, number
        if number is not None and not first[0]:
            first = name, number
    return first


def _most(found: Mapping[str, Any], names: Sequence[str]) -> int | None:
    numbers = [number for name in names if (number := _number(found[name])) is not None]
    return max(numbers) if numbers else None


def _number(value: Any) -> int | None:
    """A count as a whole number, or the text of one."""
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < LONGEST else None


def _amount(value: Any) -> float | None:
    """A sum of money that can be true, or the text of one."""
    try:
        amount = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    except (ValueError, OverflowError):
        return None
    return amount if isfinite(amount) and amount >= 0 else None
