"""A look-up in a conversation: what the model asked, and what it is told."""

from arena.backend import Completion, Message

from arena_agent_llm.answer import LOOK_UP
from arena_agent_llm.reader import split_thinking
from arena_agent_llm.tolerant import scrub

_IGNORED = "not answered: look one thing up at a time"


def exchange(completion: Completion, told: str) -> tuple[Message, ...]:
    """The messages that a look-up adds; ``told`` is what was found, in words."""
    if not completion.tool_calls:
        return Message.of("assistant", words(completion)), Message.of("user", told)
    answered = [call for call in completion.tool_calls if call.name == LOOK_UP][-1]
    calls = Message("assistant", (completion.text,) if completion.text else (), tool_calls=completion.tool_calls)
    answers = (
        Message("tool", (told if call is answered else _IGNORED,), tool_call=call.id) for call in completion.tool_calls
    )
    return calls, *answers


def words(completion: Completion) -> str:
    """What was answered, as text that can be sent again; thoughts are left out."""
    said, _ = split_thinking(scrub(completion.text))
    return said.strip() or "\n".join(scrub(call.arguments) for call in completion.tool_calls)
