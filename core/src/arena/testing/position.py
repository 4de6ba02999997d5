"""One position under examination, and what checks need to look at it."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from random import Random

import attrs

from arena.game import GameFacts, State
from arena.record import JSON, Player, canonical
from arena.testing.conformance import ConformanceError
from arena.testing.schemas import Schemas
from arena.testing.walk import Walk


@attrs.define(eq=False, kw_only=True)
class Examination:
    """What is known about a game while its matches are examined.

    ``actions`` holds, by phase, actions that were played somewhere. ``counts`` feeds the report.
    """

    facts: GameFacts
    actions: Mapping[str, Sequence[JSON]]
    schemas: Schemas = attrs.field(factory=Schemas)
    counts: Counter[str] = attrs.field(factory=Counter[str])


@attrs.define(eq=False)
class Position:
    """One position of one match."""

    walk: Walk
    examination: Examination
    rng: Random

    @property
    def state(self) -> State:
        """The state to be examined."""
        return self.walk.state

    @property
    def facts(self) -> GameFacts:
        """What the game declares."""
        return self.examination.facts

    @property
    def viewers(self) -> list[Player | None]:
        """Everybody who can look: all players and the spectator."""
        return [*map(Player, range(self.walk.players)), None]

    def fault(self, check: str, what: str, player: Player | None = None) -> ConformanceError:
        """The error that reports ``what`` was found here."""
        return ConformanceError(check, what, player=player, line=self.walk.line)

    def glance(self) -> str:
        """One text of everything that can be seen of the state."""
        return glance(self.state, self.walk.players)

    @contextmanager
    def undisturbed(self, check: str, what: str, player: Player | None = None) -> Generator[None]:
        """Fail with ``what`` if the block changes anything that can be seen."""
        before = self.glance()
        yield
        if self.glance() != before:
            raise self.fault(check, what, player)


def glance(state: State, players: int) -> str:
    """One text of everything that can be seen of ``state`` without trying anything out."""
    seen: list[JSON] = [state.observe(player) for player in (*map(Player, range(players)), None)]
    chosen: list[JSON] = []
    for player in state.to_act():
        decision = state.decision(player)
        options = None if decision.options is None else [[o.action, o.label] for o in decision.options]
        chosen.append([decision.phase, options, decision.action_schema])
    returns = state.returns()
    return canonical([list(state.to_act()), seen, chosen, None if returns is None else list(returns)])
