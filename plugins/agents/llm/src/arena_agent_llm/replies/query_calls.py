"""Puts a query and its result into the conversation with a model."""

from arena.backend import Completion, Message

from arena_agent_llm.outcomes import LOOK_UP
from arena_agent_llm.replies.lenient_json import scrub
from arena_agent_llm.replies.thought import split

_IGNORED = "not answered: look one thing up at a time"


def exchange(completion: Completion, told: str) -> tuple[Message, ...]:
    """The messages that a query adds to the conversation; ``told`` is the result in words."""
    if not completion.tool_calls:
        return Message.of("assistant", words(completion)), Message.of("user", told)
    answered = [call for call in completion.tool_calls if call.name == LOOK_UP][-1]
    calls = Message("assistant", (completion.text,) if completion.text else (), tool_calls=completion.tool_calls)
    answers = (
        Message("tool", (told if call is answered else _IGNORED,), tool_call=call.id) for call in completion.tool_calls
    )
    return calls, *answers


def words(completion: Completion) -> str:
    """The answer as text that can be sent again, without what was thought."""
    said = split(scrub(completion.text)).text
    return said.strip() or "\n".join(scrub(call.arguments) for call in completion.tool_calls)
