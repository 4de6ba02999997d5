"""The agent that asks a language model, and the prompt styles it can use."""

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
    backend_parameter="backend",
    licence="Apache-2.0",
)

STYLES = "arena_agent_llm:styles/"

DIRECT = Plugin(
    factory=STYLES + "direct.yaml",
    summary="rules, what has happened, what is seen, legal actions; the answer without reasoning",
    licence="Apache-2.0",
)
CHAIN_OF_THOUGHT = Plugin(
    factory=STYLES + "chain-of-thought.yaml",
    summary="as direct, with step-by-step reasoning before the action",
    licence="Apache-2.0",
)
BOARD_GAME_ARENA = Plugin(
    factory=STYLES + "board-game-arena.yaml",
    summary="the hierarchy of Board Game Arena: what all games have, what one game has, reasoning and JSON form",
    licence="Apache-2.0",
)
BRIEF = Plugin(
    factory=STYLES + "brief.yaml",
    summary="few tokens: rules and form of the answer once, then the position and the actions in a line each",
    licence="Apache-2.0",
)
BRIEF_REASONING = Plugin(
    factory=STYLES + "brief-reasoning.yaml",
    summary="as brief, with step-by-step reasoning before the action",
    licence="Apache-2.0",
)
