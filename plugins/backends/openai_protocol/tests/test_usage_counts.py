"""Every shape of usage is read by one function, and costs what its server charges."""

import pytest
from arena.backend import Usage
from arena_openai_protocol import Prices, counted, usage_told

PRICES = Prices(input=10, output=20, cached=1, stored=12.5, reasoning=30)
DETAILS = {"prompt_tokens_details": {"cached_tokens": 40}, "completion_tokens_details": {"reasoning_tokens": 4}}
CACHE_APART = {"cache_read_input_tokens": 80}
XAI = {"prompt_tokens": 100, "completion_tokens": 10, "completion_tokens_details": {"reasoning_tokens": 900}}
# what the server says; tokens sent, written, cached, thought and stored; dollars for a million such answers
SHAPES = {
    "OpenAI's chat": (
        {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110, **DETAILS},
        (100, 10, 40, 4, 0),
        60 * 10 + 40 + 6 * 20 + 4 * 30,
    ),
    "OpenAI's responses": (
        {
            "input_tokens": 100,
            "output_tokens": 10,
            "total_tokens": 110,
            "input_tokens_details": {"cached_tokens": 40},
            "output_tokens_details": {"reasoning_tokens": 4},
        },
        (100, 10, 40, 4, 0),
        60 * 10 + 40 + 6 * 20 + 4 * 30,
    ),
    "Anthropic's": (
        {
            "input_tokens": 60,
            "output_tokens": 10,
            "cache_read_input_tokens": 30,
            "cache_creation_input_tokens": 10,
        },
        (100, 10, 30, None, 10),
        60 * 10 + 30 + 125 + 10 * 20,
    ),
    "Anthropic's for OpenAI's clients": (
        {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110, "cache_read_input_tokens": 80},
        (100, 10, 80, None, 0),
        20 * 10 + 80 + 200,
    ),
    "a gateway that leaves the cache out": (
        {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 110, "cache_read_input_tokens": 80},
        (100, 10, 80, None, 0),
        20 * 10 + 80 + 200,
    ),
    "DeepSeek's": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
            "prompt_cache_hit_tokens": 70,
            "prompt_cache_miss_tokens": 30,
        },
        (100, 10, 70, None, 0),
        30 * 10 + 70 + 200,
    ),
    "Moonshot's": (
        {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110, "cached_tokens": 64},
        (100, 10, 64, None, 0),
        36 * 10 + 64 + 200,
    ),
    "xAI's": ({**XAI, "total_tokens": 1010}, (100, 910, None, 900, 0), 1000 + 200 + 27_000),
    "xAI's without a total": (XAI, (100, 910, None, 900, 0), 1000 + 200 + 27_000),
    "xAI's with few thoughts": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 115,
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
        (100, 15, None, 5, 0),
        1000 + 200 + 150,
    ),
    "xAI's with its cost": (
        {**XAI, "total_tokens": 1010, "cost_in_usd_ticks": 368_000_000},
        (100, 910, None, 900, 0),
        36_800,
    ),
    "Gemini's": (
        {
            "promptTokenCount": 90,
            "toolUsePromptTokenCount": 10,
            "candidatesTokenCount": 10,
            "thoughtsTokenCount": 5,
            "cachedContentTokenCount": 50,
            "totalTokenCount": 115,
        },
        (100, 15, 50, 5, 0),
        50 * 10 + 50 + 10 * 20 + 5 * 30,
    ),
    "Gemini's with nothing but thoughts": (
        {"promptTokenCount": 21, "thoughtsTokenCount": 60, "totalTokenCount": 81},
        (21, 60, None, 60, 0),
        210 + 1800,
    ),
    "OpenRouter's": (
        {"prompt_tokens": 194, "completion_tokens": 2, "total_tokens": 196, "cost": 0.0095, "is_byok": False}
        | {"cost_details": {"upstream_inference_cost": 0.0095}},
        (194, 2, None, None, 0),
        9500,
    ),
    "OpenRouter's by a key of one's own": (
        {"prompt_tokens": 194, "completion_tokens": 2, "cost": 0.0005, "is_byok": True}
        | {"cost_details": {"upstream_inference_cost": 0.01}},
        (194, 2, None, None, 0),
        10_500,
    ),
    "Vercel's gateway, by a key of one's own": (
        {"prompt_tokens": 100, "completion_tokens": 10, "cost": 0, "market_cost": "0.0012", "is_byok": True},
        (100, 10, None, None, 0),
        1200,
    ),
    "Perplexity's": (
        {"prompt_tokens": 100, "completion_tokens": 10, "cost": {"request_cost": 0.005, "total_cost": 0.006}},
        (100, 10, None, None, 0),
        6000,
    ),
    "Bedrock's": (
        {
            "inputTokens": 60,
            "outputTokens": 10,
            "totalTokens": 110,
            "cacheReadInputTokens": 30,
            "cacheWriteInputTokens": 10,
        },
        (100, 10, 30, None, 10),
        60 * 10 + 30 + 125 + 200,
    ),
    "Cohere's": (
        {
            "billed_units": {"input_tokens": 20, "output_tokens": 10},
            "tokens": {"input_tokens": 90, "output_tokens": 10},
        },
        (20, 10, None, None, 0),
        200 + 200,
    ),
    "Ollama's": ({"prompt_eval_count": 100, "eval_count": 10}, (100, 10, None, None, 0), 1000 + 200),
    "SGLang's": (
        {"prompt_tokens": 100, "completion_tokens": 910, "total_tokens": 1010, "reasoning_tokens": 900},
        (100, 910, None, 900, 0),
        1000 + 200 + 27_000,
    ),
}


@pytest.mark.parametrize(("told", "tokens", "dollars"), SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_costs_what_its_server_charges(told, tokens, dollars):
    """Cached, stored and thought tokens have their prices, and what the server says comes before them."""
    found = counted(told)
    used = found.usage
    cost = PRICES.cost_usd(used, found.stored_tokens) if found.cost_usd is None else found.cost_usd

    read = (used.prompt_tokens, used.completion_tokens, used.cached_tokens, used.reasoning_tokens, found.stored_tokens)
    assert read == tokens
    assert used.difference == 0
    assert cost * 1e6 == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("told", "sent", "written", "difference"),
    [
        ({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 1010}, 100, 910, 900),
        ({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 50}, 100, 10, 60),
        ({"prompt_tokens": 100, "completion_tokens": 0, "total_tokens": 110}, 100, 10, 10),
        ({"prompt_tokens": 100, "total_tokens": 110}, 100, 10, 0),
        ({"completion_tokens": 10, "total_tokens": 110}, 100, 10, 0),
        ({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 0}, 100, 10, 0),
        ({"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30, **CACHE_APART}, 100, 10, 80),
        ({"total_tokens": 110}, 0, 0, 0),
        ({"prompt_tokens": None, "completion_tokens": True, "total_tokens": "many"}, 0, 0, 0),
    ],
)
def test_of_a_total_and_the_sum_of_its_parts_the_larger_counts(told, sent, written, difference):
    """What differs is said; a part that is not told is what is left of the total."""
    cached = told.get("cache_read_input_tokens")

    found = counted(told).usage

    assert found == Usage(prompt_tokens=sent, completion_tokens=written, cached_tokens=cached, difference=difference)


@pytest.mark.parametrize("cost", [-1, float("nan"), float("inf"), "free", None, True, {"total_cost": []}])
def test_a_cost_that_cannot_be_true_is_none(cost):
    """Then prices count."""
    assert counted({"prompt_tokens": 1, "cost": cost}).cost_usd is None


def test_usage_is_found_in_answers_of_other_protocols():
    """Gemini's field of its own, and the answer itself."""
    gemini = usage_told({"usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2}})

    assert gemini.usage == Usage(prompt_tokens=3, completion_tokens=2)
    assert usage_told({"prompt_eval_count": 3, "eval_count": 2}).usage == gemini.usage
    assert usage_told([1]).usage == usage_told({"usage": [], "choices": [1]}).usage == Usage()
