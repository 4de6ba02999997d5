"""Which names of models mean this backend, and what the server is told of them."""

import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena_engine.benchmark.option_values import from_options

BOX = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("agent", "address", "use", "model"),
    [
        ("openai/gpt-4o", None, "openai-compatible", "gpt-4o"),
        ("openai/small", BOX, "openai-compatible", "small"),
        ("hosted_vllm/Qwen/Qwen3-4B", BOX, "openai-compatible", "Qwen/Qwen3-4B"),
        ("Qwen/Qwen3-4B", BOX, "openai-compatible", "Qwen/Qwen3-4B"),
        ("llama3.1:8b", BOX, "openai-compatible", "llama3.1:8b"),
        ("openai/gpt-4o", "https://openrouter.ai/api/v1", "openai-compatible", "openai/gpt-4o"),
        ("openai-compatible:anything", BOX, "openai-compatible", "anything"),
        ("litellm:openai/small", BOX, "litellm", "openai/small"),
        ("anthropic/claude-sonnet-4-5", None, "litellm", "anthropic/claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4-5", "https://proxy/", "litellm", "anthropic/claude-sonnet-4-5"),
    ],
)
def test_a_name_means_the_direct_way_where_there_is_one(agent, address, use, model):
    """It comes first for its own provider and at every address; other providers' protocols are LiteLLM's."""
    plain = from_options(["tic-tac-toe"], [agent, "random"], base_url=address, catalog=Catalog())

    (backend,) = [entry["backend"] for entry in plain["agents"].values() if isinstance(entry, dict)]
    assert (backend["use"], backend["model"], backend.get("base_url")) == (use, model, address)


def test_a_misspelt_agent_is_no_model():
    """A plain word beside an address is told with the agents that there are."""
    with pytest.raises(ConfigError, match="did you mean 'random'"):
        from_options(["tic-tac-toe"], ["openai/small", "randon"], base_url=BOX, catalog=Catalog())
