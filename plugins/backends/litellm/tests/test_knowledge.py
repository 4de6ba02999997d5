"""What is known of models without importing LiteLLM, held against what LiteLLM says."""

import gc

import pytest
from arena.backend import IMAGES, LOGPROBS, SCHEMA, SEED, TOOLS
from arena_backend_litellm.library import library
from arena_openai_protocol import (
    listed_abilities,
    listed_enumeration_limit,
    listed_model,
    listed_prices,
    strict_schema,
)
from arena_openai_protocol.model_list import _CONSTRAINING, _SEEDED, _TELLING

MODELS = [
    "openai/gpt-4o",
    "gpt-4o",
    "openai/gpt-5-mini",
    "openai/gpt-3.5-turbo",
    "anthropic/claude-sonnet-4-5",
    "gemini/gemini-2.5-pro",
    "mistral/mistral-large-latest",
    "deepseek/deepseek-chat",
    "azure/gpt-4o",
    "vertex_ai/gemini-2.5-pro",
    "bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0",
    "openai/unheard-of",
    "openrouter/unheard-of",
]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.slow
def test_abilities_are_those_litellm_names(model):
    """Schema, tools and images are claimed exactly where LiteLLM says so."""
    module = library()
    says = {
        SCHEMA: module.supports_response_schema(model=model),
        TOOLS: module.supports_function_calling(model=model),
        IMAGES: module.supports_vision(model=model),
    }

    able = listed_abilities(model, is_own_server=False)

    assert {ability: ability in able for ability in says} == says


@pytest.mark.parametrize("model", [model for model in MODELS if "unheard" not in model])
@pytest.mark.slow
def test_prices_are_those_litellm_charges(model):
    """A million tokens cost before a run what LiteLLM charges for few in it."""
    sent, written = library().cost_per_token(model=model, prompt_tokens=1000, completion_tokens=100)

    known = listed_prices(model)

    assert known is not None
    assert (known.price().prompt_usd * 1000, known.price().completion_usd * 100) == pytest.approx((sent, written))


@pytest.mark.parametrize(
    ("model", "is_own_server", "limit"),
    [
        ("openai/gpt-4o", False, 1_000),
        ("gpt-4o", False, 1_000),
        ("azure/gpt-4o", True, 1_000),
        ("openai/mine", True, None),
        ("anthropic/claude-sonnet-4-5", False, None),
    ],
)
@pytest.mark.slow
def test_enumerations_are_capped_where_the_provider_says_so(model, is_own_server, limit):
    """OpenAI names a limit for enumerated values; servers of one's own that speak its protocol do not have it."""
    assert listed_enumeration_limit(model, is_own_server=is_own_server) == limit


def test_models_nobody_has_heard_of():
    """Nothing is claimed but what the provider's interface offers, and a little more for servers of one's own."""
    assert listed_prices("openai/unheard-of") is None
    assert listed_model("openai/unheard-of") == {}
    assert listed_abilities("openrouter/unheard-of", is_own_server=False) == {SEED}
    assert listed_abilities("openai/unheard-of", is_own_server=True) == {SCHEMA, SEED, LOGPROBS}


def test_a_name_of_another_provider_does_not_count():
    """``groq/gpt-4o`` is not OpenAI's."""
    assert listed_model("groq/gpt-4o") == {}


@pytest.mark.filterwarnings("ignore:Item")  # pydantic's, about LiteLLM's types
@pytest.mark.parametrize("provider", sorted(_SEEDED | _TELLING | _CONSTRAINING))
@pytest.mark.slow
def test_parameters_are_passed_on_by_litellm(provider):
    """A provider said to take seeds, log probabilities or schemas is one for which LiteLLM passes them on."""
    supported = library().get_supported_openai_params(model="unheard-of", custom_llm_provider=provider)

    assert provider not in _SEEDED or "seed" in supported
    assert provider not in _TELLING or {"logprobs", "top_logprobs"} <= set(supported)
    assert provider not in _CONSTRAINING or "response_format" in supported


@pytest.mark.slow
def test_a_model_that_reasons_tells_no_probabilities():
    """OpenAI's reasoning models return none."""
    assert LOGPROBS in listed_abilities("openai/gpt-4o", is_own_server=False)
    assert LOGPROBS not in listed_abilities("openai/o3", is_own_server=False)


def test_a_schema_for_strict_mode_loses_its_lengths():
    """What OpenAI's servers would refuse is left out, everything else stays in its order."""
    schema = {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string", "maxLength": 600},
            "cells": {"type": "array", "items": {"type": "integer", "minimum": 0}, "uniqueItems": True},
        },
        "required": ["reasoning", "cells"],
        "additionalProperties": False,
    }

    put = strict_schema(schema)

    assert put == {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string"},
            "cells": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
        "required": ["reasoning", "cells"],
        "additionalProperties": False,
    }


TABLE = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"enum": ["a"]},
        {"anyOf": [TABLE]},
        {**TABLE, "required": []},
        {**TABLE, "additionalProperties": True},
        {**TABLE, "properties": {"a": {"type": "array", "prefixItems": [{}]}}},
        {**TABLE, "properties": {"a": {}}},
        {**TABLE, "properties": {"a": {"type": "object"}}},
        {**TABLE, "not": {}},
    ],
    ids=str,
)
def test_schemas_strict_mode_cannot_hold(schema):
    """They are sent without force: a refused request would be worse than a free answer."""
    assert strict_schema(schema) is None


@pytest.mark.slow
def test_the_garbage_collector_leaves_the_library_alone():
    """What LiteLLM's import makes is not looked through again and again while requests wait."""
    module = library()

    watched = {id(thing) for thing in gc.get_objects()}
    assert gc.isenabled()
    assert id(module.__dict__) not in watched
    assert gc.get_freeze_count() > 100_000
