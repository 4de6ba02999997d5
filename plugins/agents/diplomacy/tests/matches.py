"""Matches of Diplomacy between players without a model, played by the rules alone, without referee and journal."""

from collections.abc import Collection
from random import Random
from typing import Any, cast

import attrs
from arena.chance import Chance
from arena.record import Player
from arena_agent_diplomacy.greedy import greedy_orders
from arena_agent_diplomacy.observation import SeenPosition
from arena_game_diplomacy import POWERS
from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.match.state import DiplomacyState


@attrs.frozen
class Outcome:
    """How many centres each power held when the match ended, and in which year that was."""

    centres: dict[str, int]
    year: int

    def leads(self, powers: Collection[str]) -> bool:
        """Whether one of these powers has more centres than every other power has."""
        most = max(self.centres[power] for power in powers)
        return all(count < most for power, count in self.centres.items() if power not in powers)


def played(game: Diplomacy, greedy: Collection[str], seed: int, players: int = len(POWERS)) -> Outcome:
    """One match in which ``greedy`` powers play like ``diplomacy-greedy`` and all others at random."""
    state = cast("DiplomacyState", game.start(Chance(seed), players)[0])
    rngs = {player: Random(f"{seed}/{player}") for player in range(players)}
    seats = game.seats(players)
    while turn := state.to_act():
        actions: dict[Player, Any] = {}
        for player in turn:
            if seats[player] in greedy:
                seen = SeenPosition.read(state.observe(player))
                actions[player] = seen.action(greedy_orders(seen, seen.side(), rngs[player]))
            else:
                sampler = state.decision(player).sampler
                assert sampler is not None
                actions[player] = sampler(rngs[player])
        assert not any(state.check(player, action) for player, action in actions.items())
        state.apply(actions)
    position = state.position
    centres = {power: len(names) for power, names in (position.centres or {}).items()}
    return Outcome(centres, position.year)


def two_of(seed: int) -> tuple[str, str]:
    """Two powers; over 21 seeds each two of the seven once."""
    pairs = [(first, second) for first in POWERS for second in POWERS if first < second]
    return pairs[seed % len(pairs)]
