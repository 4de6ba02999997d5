"""An agent that asks a person at the terminal for each action."""

import threading
from functools import partial
from typing import Any

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Response, Seat
from arena.game import Decision

from arena_agent_human.lines import LineDialogue
from arena_agent_human.memory import MatchMemory
from arena_agent_human.reading import Ask, PlayCommand, read_recorded
from arena_agent_human.terminal import TerminalPrompt
from arena_agent_human.waiting import WaitingLine


@attrs.frozen(kw_only=True)
class Human(Agent):
    """Asks a person at the terminal; what is typed is journaled, so a resumed match does not ask again."""

    form: str = attrs.field(
        default="",
        metadata={"help": "the game's form of observation that is shown; empty: drawn where the game can, else text"},
    )
    list_actions: bool = attrs.field(
        default=True, metadata={"help": "whether the legal actions are listed, with numbers that may be typed"}
    )
    keys: bool = attrs.field(
        default=True, metadata={"help": "whether arrows, Tab and menus are used where the terminal has them"}
    )

    def join(self, seat: Seat) -> PlayerAgent:
        return HumanPlayer(self, seat, TerminalPrompt())

    def forms(self) -> frozenset[str]:
        """The one form that is shown to the person; every game has the one in words."""
        return frozenset({self.form or "text"})


class HumanPlayer(PlayerAgent):
    """Asks one person during one match."""

    def __init__(self, agent: Human, seat: Seat, terminal: TerminalPrompt) -> None:
        self._seat = seat
        self._memory = MatchMemory()
        self._lines = LineDialogue(agent.form, agent.list_actions, seat, terminal, self._memory)
        self._keys = None
        self._waiting: WaitingLine | None = None
        if agent.keys and terminal.has_keys:
            from arena_agent_human.screen import KeyDialogue  # prompt_toolkit takes a while to import

            self._keys = KeyDialogue(agent.form, seat, self._memory)
            others = [name for player, name in enumerate(seat.agents or ()) if player != seat.player]
            if seat.players > 1:
                self._waiting = WaitingLine(others)
                self._waiting.begin()

    async def act(self, decision: Decision) -> Response:
        """Show the position and ask until something means exactly one action; what is unclear is no refusal."""
        self._memory.meet(self._seat, decision)
        if self._waiting is not None:
            self._waiting.end()
        abandoned = threading.Event()
        try:
            while True:
                # Only what means something is handed out and journaled, and nothing that says goodbye.
                given = await self._seat.once("input", self._question(decision, abandoned))
                meant = read_recorded(given)
                if isinstance(meant, PlayCommand):
                    return Reply(action=meant.action)
                await self._look_up(meant)
        finally:
            abandoned.set()
            if self._waiting is not None:
                self._waiting.begin()

    def close(self) -> None:
        """Take the line away that says who is waited for."""
        if self._waiting is not None:
            self._waiting.end()

    def _question(self, decision: Decision, abandoned: threading.Event) -> Any:
        if self._keys is not None:
            return partial(self._keys.ask, decision)
        return partial(self._lines.ask, decision, abandoned)

    async def _look_up(self, wanted: Ask) -> None:
        found = await self._seat.query(wanted.query, wanted.arguments)
        (self._keys or self._lines).answered(wanted.query, found)
