"""The dialogue at a terminal with keys: each decision is a screen of its own."""

import asyncio
import sys
from typing import Any

from arena.agent import Seat
from arena.errors import StopRun
from arena.game import Decision, Illegal
from arena.record import JSON

from arena_agent_human.dialogue import LEAVE, Dialogue
from arena_agent_human.keyboard import KeyTerminal
from arena_agent_human.memory import MatchMemory
from arena_agent_human.position import Looks
from arena_agent_human.reading import recorded
from arena_agent_human.terminal import has_colour, in_use, is_unicode


class KeyDialogue:
    """Asks one person during one match, by keys."""

    def __init__(self, form: str, seat: Seat, memory: MatchMemory) -> None:
        self._form, self._seat, self._memory = form, seat, memory
        self._terminal = KeyTerminal()
        self._dialogue: Dialogue | None = None
        self._shown = (-1, -1)

    def answered(self, query: str, answer: JSON | Illegal) -> None:
        """Show the answer of a look-up with the next question; a replayed look-up has no screen."""
        if self._dialogue is not None:
            self._dialogue.answered(query, answer)

    async def ask(self, decision: Decision) -> JSON:
        """Show the decision and wait until a person says what to do; ``StopRun`` if it leaves."""
        is_new = self._shown[0] != decision.turn
        if self._dialogue is None or self._shown != (decision.turn, decision.attempt):
            self._dialogue = Dialogue(self._seat, decision, self._form, self._memory)
            self._shown = (decision.turn, decision.attempt)
        async with _Taken():
            dialogue = self._dialogue
            meant: Any = await self._terminal.run(
                dialogue.stack, dialogue.shortcut, dialogue.last, _looks, is_new=is_new
            )
        if meant == LEAVE or meant is None:
            raise StopRun(f"the person playing {self._seat.name} has left")
        return recorded(meant)


class _Taken:
    """Holds the terminal, which several players and matches may share, without holding up the event loop."""

    async def __aenter__(self) -> None:
        while not in_use.acquire(blocking=False):  # noqa: ASYNC110 -- threads hold it as well
            await asyncio.sleep(0.05)

    async def __aexit__(self, *_: object) -> None:
        in_use.release()


def _looks(width: int, height: int) -> Looks:
    return Looks(width=width, height=height, has_colour=has_colour(sys.stderr), is_unicode=is_unicode(sys.stderr))
