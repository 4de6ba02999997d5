"""What a player remembers of its match and repeats in its prompts, with all moves in one line if wanted."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from arena.backend import Message
from arena.game import Decision, Game
from arena.record import GameEvent

from arena_agent_llm.prompts.moment import NOTHING, Shown
from arena_agent_llm.prompts.parts import DYNAMIC
from arena_agent_llm.prompts.prompt import Prompt, PromptHistory, on_one_line

WITH_HISTORY: Final = "short-with-history"
"""The form of games whose sides move by turns, one move each, so that a line of moves needs no names."""


def sides(game: Game, players: int) -> Sequence[str]:
    """Who moves by turns in this game, in order; nobody where a turn may have several moves."""
    return game.seats(players) if WITH_HISTORY in game.forms else ()


def move_line(events: Iterable[str], sides: Sequence[str] = ()) -> str:
    """A line of the game's own words for events, which grows at its end alone.

    A move is told as ``SEAT: words``. Where ``sides`` move by turns, one move each, beginning with the first of them,
    the names are left out; whoever moves out of turn is named.
    """
    told = [*_told(events, sides)]
    between = (_between(before, after) for before, after in pairwise(told))
    return "".join(text + end for text, end in zip(told, [*between, ""], strict=False))


def _told(events: Iterable[str], sides: Sequence[str]) -> Iterator[str]:
    numbers = {side: number for number, side in enumerate(sides)}
    due = 0
    for event in events:
        side, _, words = event.partition(": ")
        number = numbers.get(side)
        if number is None or not words:
            yield event
        else:
            yield words if number == due else event
            due = (number + 1) % len(sides)


def _between(before: str, after: str) -> str:
    """Words that hold spaces end, and begin, where a reader sees it."""
    is_apart = before.endswith((".", "!", "?")) or " " not in before + after
    return " " if is_apart else "; "


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
            all_refused="\n".join([f"- {reply}: {why}" for reply, why in self._refused]),
        )

    def _moves(self, shown: Shown, first: int) -> str:
        return move_line(shown.untold(self._seen, self._new, knows_old=True)[first:], self._sides)

    def messages(self) -> tuple[Message, ...]:
        """The prompts and replies of earlier turns, with the last try of each."""
        first = 0 if self._length is None else -self._length
        return tuple([message for exchange in self._exchanges[first:] for message in exchange])

    def said(self, messages: tuple[Message, ...], reply: str) -> None:
        """Remember the messages of a try and the reply to it.

        An empty reply is dropped, since it cannot be sent again.
        """
        self._reply = reply.strip()
        if self._kind == "transcript" and reply.strip():
            self._last = (*messages, Message.of("assistant", reply))
