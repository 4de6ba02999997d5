"""The agent ``imported``, which stands for somebody whose matches were played elsewhere and imported."""

import attrs
from arena.agent import Agent, PlayerAgent, Seat
from arena.errors import ConfigError

from arena_suite_grid_games.published_game import NO_FORM


@attrs.frozen(kw_only=True)
class Imported(Agent):
    """Stands for an agent of imported matches, which are kept and cannot be played on.

    A match that it would have to play has no result, since nobody is there to ask.
    """

    form: str = attrs.field(metadata={"help": "the form of observation that it was shown; -: none"})
    model: str = attrs.field(default="", metadata={"help": "what it is called where its matches were published"})

    def join(self, seat: Seat) -> PlayerAgent:
        """Raise ``ConfigError``: what was imported is over."""
        raise ConfigError("this agent's matches were imported, and it cannot play; put another agent in its place")

    def forms(self) -> frozenset[str]:
        return frozenset((self.form,)) - {NO_FORM}
