"""What a player remembers of its match and repeats in its prompts."""

from collections.abc import Callable, Container, Sequence

from arena.backend import Message
from arena.game import Decision
from arena.record import GameEvent

from arena_agent_llm.move_line import move_line
from arena_agent_llm.parts import DYNAMIC
from arena_agent_llm.present import NOTHING, Shown
from arena_agent_llm.prompt import Prompt, PromptHistory, on_one_line


class Memory:
    """The memory of one player: the events it saw (compact) or its prompts and replies (transcript)."""

    def __init__(
        self,
        prompt: Prompt,
        tell: Callable[[GameEvent], str],
        sides: Sequence[str] = (),
        placeholders: Container[str] = DYNAMIC,
    ) -> None:
        """``sides`` are the names of those who move by turns, so that a line of moves needs no names.

        ``placeholders`` are those that the prompt may show; what only others show is left empty.
        """
        self._shows = placeholders
        self._kind = prompt.history
        self._length = prompt.history_length
        self._tell = tell
        self._turn = -1
        self._seen: list[str] = []
        self._sides = sides
        self._new = 0
        self._news: list[str] = []
        self._exchanges: list[tuple[Message, ...]] = []
        self._last: tuple[Message, ...] = ()
        self._reply = ""
        self._refused: list[tuple[str, str]] = []
        self._is_refused = False

    def update(self, decision: Decision) -> bool:
        """Take in the events and refusals that are new in this decision; returns whether it begins a turn."""
        self._is_refused = bool(decision.rejected)
        if decision.rejected:
            answer, reason = self._reply or "(nothing)", decision.rejected[-1].reason
            self._refused.append((on_one_line(answer), on_one_line(reason)))
        if decision.turn == self._turn:
            return False
        self._turn = decision.turn
        told = [*filter(None, map(self._tell, decision.news))] if self._kind != "none" else []
        if self._kind == "compact":
            self._seen, self._new = self._seen + told, len(told)
        elif self._kind == "transcript":
            if self._last:
                self._exchanges.append(self._last)
                self._last, self._news = (), []
            # What nobody was told yet is told now: a turn may have been another's, or its answers were empty.
            self._news += told
        return True

    def past(self, shown: Shown = NOTHING) -> PromptHistory:
        """The match so far in words, as the prompt needs it; what is ``shown`` now is left out."""
        first = 0 if self._length is None else -self._length
        refused, reason = self._refused[-1] if self._is_refused else ("", "")
        return PromptHistory(
            history="\n".join(shown.untold(self._seen, self._new)[first:]) if "history" in self._shows else "",
            moves=self._moves(shown, first) if "moves" in self._shows else "",
            news="\n".join(shown.untold(self._news, len(self._news))),
            refused=refused,
            reason=reason,
            all_refused="\n".join(f"- {reply}: {why}" for reply, why in self._refused),
        )

    def _moves(self, shown: Shown, first: int) -> str:
        return move_line(shown.untold(self._seen, self._new, knows_old=True)[first:], self._sides)

    def messages(self) -> tuple[Message, ...]:
        """The prompts and replies of earlier turns, with the last try of each."""
        first = 0 if self._length is None else -self._length
        return tuple(message for exchange in self._exchanges[first:] for message in exchange)

    def said(self, messages: tuple[Message, ...], reply: str) -> None:
        """Remember the messages of a try and the reply to it.

        An empty reply is dropped, since it cannot be sent again.
        """
        self._reply = reply.strip()
        if self._kind == "transcript" and reply.strip():
            self._last = (*messages, Message.of("assistant", reply))
