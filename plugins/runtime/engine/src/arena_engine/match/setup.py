"""Holds what all matches of one game with the same number of players have in common."""

from collections.abc import Mapping
from types import MappingProxyType

import attrs
from arena.calls import PluginCall, calling
from arena.errors import PluginError
from arena.game import Decision, Form, Game, GameFacts
from arena.illegal_actions import IllegalActionPolicy

from arena_engine.match.values import shown
from arena_engine.running.executor import Job


@attrs.frozen
class MatchSetup:
    """A game with a number of players, and everything about it that is the same in all its matches of one job.

    ``begun`` are decisions that ``CheckedState`` has found sound at the start of a match.
    """

    job: Job
    game: Game
    facts: GameFacts
    seats: tuple[str, ...]
    rules: str
    forms: Mapping[str, Form]
    max_steps: int
    policy: IllegalActionPolicy
    begun: set[Decision] = attrs.field(factory=set[Decision], eq=False, repr=False)

    @classmethod
    def of(cls, job: Job, game_name: str, players: int) -> "MatchSetup":
        """Create the setup of a game of ``job``, which is asked for its facts, seats, rules and forms here."""
        game = job.games[game_name]
        try:
            with calling(PluginCall("game", game_name, type(game).facts)):
                facts = game.facts(players)
            with calling(PluginCall("game", game_name, type(game).seats)):
                seats = _seats(game, players)
            return cls(
                job=job,
                game=game,
                facts=facts,
                seats=seats,
                rules=_text("rules", game.rules),
                forms=MappingProxyType(dict(game.forms)),
                max_steps=min(facts.max_steps, job.limits.max_steps or facts.max_steps),
                policy=job.illegal_actions.for_game(game, players),
            )
        except PluginError as fault:
            raise PluginError(f"game {game_name!r}: {fault}") from fault
        except Exception as error:
            called = f"for {players} players it raised {type(error).__name__}: {error}"
            raise PluginError(f"game {game_name!r}: {called}") from error


def _seats(game: Game, players: int) -> tuple[str, ...]:
    seats = tuple(_text(f"seats({players})", seat) for seat in game.seats(players))
    if len(seats) != players or len(set(seats)) < players:
        raise PluginError(f"seats({players}) is {seats!r}; expected {players} different names")
    return seats


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise PluginError(f"{what} is {shown(value)}; expected a text")
    return value
