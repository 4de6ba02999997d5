"""What stands on the screen when a match with a person is over: the last position, who won, and how to play again."""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
from arena.game import Drawing, Game, State
from arena.record import GameEvent, MatchRecord
from arena.turns import Turn, positions, turns
from arena_scene import lines

from arena_cli.output import CleanText, Terminal, amount, paragraph, shorten


@attrs.frozen(kw_only=True)
class PersonMatch:
    """A finished match of a person: its game, its record, and the number of the person's player."""

    game: Game
    record: MatchRecord
    person: int

    def said(self, terminal: Terminal, again: str) -> list[str]:
        """The last position, what happened in the last step, the result, the match in one line, how to play again."""
        return [
            *self._last(terminal),
            "",
            *paragraph(self.result(), terminal),
            *([f"match   {shorten(moves, terminal.width - 8, terminal)}"] if (moves := self.moves()) else []),
            f"again   {again}",
        ]

    def _last(self, terminal: Terminal) -> Iterator[str]:
        for position in positions(self.game, self.record):
            if position.step < self.record.steps:
                continue
            yield from _drawn(self.game, position.state, terminal)
            for event in position.events:
                told = self.game.describe_event(GameEvent(event.kind, event.data, event.to), None)
                yield from paragraph(told, terminal)

    def result(self) -> str:
        """Who won, or what everybody earned, in one sentence from the person's side."""
        record, me = self.record, self.person
        many = len(turns(record))
        length = f"in {many} turn{'s' if many != 1 else ''}"
        if record.returns is None:
            reason = f": {record.failure.reason}" if record.failure is not None else ""
            return f"The match has no result ({record.ending}){reason}."
        forfeit = "" if record.ending == "rules" else f" ({record.ending})"
        mine, facts = record.returns[me], self.game.facts(len(record.agents))
        others = [agent for player, agent in enumerate(record.agents) if player != me]
        if facts.counts_wins and others:
            best = max(value for player, value in enumerate(record.returns) if player != me)
            what = "won" if mine > best else "lost" if mine < best else "drew"
            return f"You {what} as {record.seats[me]} against {', '.join(dict.fromkeys(others))}, {length}{forfeit}."
        if not others or facts.returns == "cooperative":
            who = "Together you" if others else "You"
            return f"{who} earned {amount(mine, facts.return_unit)}, {length}{forfeit}."
        earned = [
            f"{agent} ({record.seats[player]}) {value:g}"
            for player, (agent, value) in enumerate(zip(record.agents, record.returns, strict=True))
            if player != me
        ]
        own = amount(mine, facts.return_unit)
        return f"You ({record.seats[me]}) earned {own}, {', '.join(earned)}; {length}{forfeit}."

    def moves(self) -> str:
        """The options that were played, in order, each by its label without the words that all labels begin with."""
        labels = [_label(turn) for turn in turns(self.record)]
        if not labels or not all(labels):
            return ""
        common = _common_words(labels)
        names = [" ".join(label.split()[common:]) for label in labels]
        return (", " if any(" " in name for name in names) else " ").join(names)


def _label(turn: Turn) -> str:
    data: Any = turn.played.data if turn.played is not None else {}
    return str(data.get("label", ""))


def _common_words(labels: Sequence[str]) -> int:
    """How many words all labels begin with; at least one word of each is left."""
    words = [label.split() for label in labels]
    most = min(map(len, words)) - 1
    return next((at for at in range(most) if len({each[at] for each in words}) > 1), most)


def _drawn(game: Game, state: State, terminal: Terminal) -> list[str]:
    """The position as a spectator sees it: drawn where the game draws, else in words."""
    seen = state.observe(None)
    drawing = game.forms["scene"](seen) if "scene" in game.forms else None
    if isinstance(drawing, Drawing):
        return [CleanText(line) for line in lines(drawing, terminal.width, terminal.has_colour, terminal.is_unicode)]
    words = game.forms["text"](seen)
    return paragraph(words if isinstance(words, str) else words.alt, terminal)
