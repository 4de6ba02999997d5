"""Classifies the reasoning of agents, finds what it refers to, and checks whether the action follows from it."""

from arena.plugin import Plugin

REASONING = Plugin(
    factory="arena_metric_reasoning.reasoning:Reasoning",
    summary="types of reasoning by a lexicon, entropy, length, references to what is not there, coherence",
    licence="Apache-2.0",
)

REASONING_JUDGE = Plugin(
    factory="arena_metric_reasoning.judge:ReasoningJudge",
    summary="types of reasoning as a model judges them, and how far that agrees with the lexicon",
    example={"backend": {"use": "llamacpp", "temperature": 0}},
    licence="Apache-2.0",
)
