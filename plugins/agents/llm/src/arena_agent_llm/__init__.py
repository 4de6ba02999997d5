"""A language model as an agent."""

from arena.plugin import Plugin

LLM = Plugin(
    factory="arena_agent_llm.agent:LLM",
    summary="a language model: prompt styles, strict answers, retries with feedback, history, look-ups",
    example={
        "backend": {"use": "llamacpp"},
        "prompt": {"style": "chain-of-thought", "history": "compact"},
        "parser": "strict",
        "constrained": True,
    },
    wraps_backend="backend",
    licence="Apache-2.0",
)
