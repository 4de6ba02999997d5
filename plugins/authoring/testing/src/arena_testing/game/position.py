"""One position of a match, with what the checks need to examine it."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from random import Random

import attrs
from arena.game import ABSENT, GameFacts, State
from arena.record import JSON, Player, canonical_json

from arena_testing.foundation.conformance import ConformanceError
from arena_testing.foundation.playthrough import Playthrough
from arena_testing.foundation.schemas import Schemas


@attrs.define(eq=False, kw_only=True)
class Examination:
    """What is known about a game while its matches are examined.

    ``actions`` holds some played actions by phase. ``counts`` are the numbers of the report. ``without`` names checks
    to leave out.
    """

    facts: GameFacts
    actions: Mapping[str, Sequence[JSON]]
    schemas: Schemas = attrs.field(factory=Schemas)
    counts: Counter[str] = attrs.field(factory=Counter[str])
    without: frozenset[str] = frozenset()


@attrs.define(eq=False)
class ExaminedPosition:
    """One position of one match, and helpers to report faults in it."""

    walk: Playthrough
    examination: Examination
    rng: Random

    @property
    def state(self) -> State:
        """The state to be examined."""
        return self.walk.state

    @property
    def facts(self) -> GameFacts:
        """The facts that the game declares for this number of players."""
        return self.examination.facts

    @property
    def viewers(self) -> list[Player | None]:
        """All players in order, then ``None`` for the spectator."""
        return [*map(Player, range(self.walk.players)), None]

    def fault(self, check: str, what: str, player: Player | None = None) -> ConformanceError:
        """The error to raise for ``what``, with the actions that lead to this position."""
        return ConformanceError(check, what, player=player, line=self.walk.line)

    def snapshot(self) -> str:
        """Everything that can be seen of the state, as one text."""
        return snapshot(self.state, self.walk.players)

    @contextmanager
    def undisturbed(self, check: str, what: str, player: Player | None = None) -> Generator[None]:
        """Fail with ``what`` if the block changes anything that can be seen."""
        before = self.snapshot()
        yield
        if self.snapshot() != before:
            raise self.fault(check, what, player)


def snapshot(state: State, players: int) -> str:
    """Everything that can be seen of ``state`` as one canonical text, without playing on from it."""
    seen: list[JSON] = [state.observe(player) for player in (*map(Player, range(players)), None)]
    if (public := state.observe_public()) is not ABSENT:
        seen.append(public)
    chosen: list[JSON] = []
    for player in state.to_act():
        decision = state.decision(player)
        options = None if decision.options is None else [[o.action, o.label] for o in decision.options]
        chosen.append([decision.phase, options, decision.action_schema])
    returns = state.returns()
    return canonical_json([list(state.to_act()), seen, chosen, None if returns is None else list(returns)])
