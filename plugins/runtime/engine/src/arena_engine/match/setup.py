"""What all matches of one game with the same number of players share, and what each player may look up."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import attrs
from arena.calls import PluginCall, calling
from arena.errors import PluginError
from arena.game import Decision, Form, Game, GameFacts, Illegal, Query
from arena.illegal_actions import IllegalActionPolicy
from arena.record import JSON, Player

from arena_engine.foundation.json_values import shown
from arena_engine.job.executor import Job
from arena_engine.match.tries import NeverRefused


@attrs.frozen
class MatchSetup:
    """A game with a number of players, and everything about it that is the same in all its matches of one job.

    ``by_number`` has each player, and knows no player -1; ``alone`` has the steps in which one player acts.
    ``never_refused`` is what a player is told who has never been refused, and ``begun`` are decisions that
    ``CheckedState`` has found sound at the start of a match.
    """

    job: Job
    game: Game
    facts: GameFacts
    seats: tuple[str, ...]
    rules: str
    forms: Mapping[str, Form]
    max_steps: int
    policy: IllegalActionPolicy
    never_refused: NeverRefused
    by_number: Mapping[Player, Player]
    alone: Mapping[tuple[Player, ...], tuple[Player, ...]]
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
            policy, forms = job.illegal_actions.for_game(game, players), MappingProxyType(dict(game.forms))
            left = policy.retries if policy.max_refusals is None else min(policy.retries, policy.max_refusals)
            return cls(
                job=job,
                game=game,
                facts=facts,
                seats=seats,
                rules=_text("rules", game.rules),
                forms=forms,
                max_steps=min(facts.max_steps, job.limits.max_steps or facts.max_steps),
                policy=policy,
                by_number={Player(p): Player(p) for p in range(players)},
                alone={(Player(p),): (Player(p),) for p in range(players)},
                never_refused=NeverRefused(forms, left + 1),
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


class Lookups:
    """The queries of one player; ``asked`` counts them by their scope and name."""

    def __init__(self) -> None:
        self.asked: dict[tuple[str, str], int] = {}

    def still_open(self, offered: Sequence[Query]) -> tuple[Query, ...]:
        """The queries of a new turn, each with what is left of its limit in its ``budget_scope``."""
        self.asked = {key: times for key, times in self.asked.items() if key[0]}
        left = ((query, query.limit - self.asked.get((query.budget_scope, query.name), 0)) for query in offered)
        return tuple(
            query if limit == query.limit else attrs.evolve(query, limit=limit) for query, limit in left if limit > 0
        )

    def answer(self, name: str, offered: Sequence[Query], ask: Callable[[Query], JSON | Illegal]) -> JSON | Illegal:
        """The answer to a query, which ``ask`` gets from the game; why there is none, if it is not offered any more."""
        queries = {query.name: query for query in offered}
        if name not in queries:
            return Illegal("unknown-query", f"there is no query {name!r} (there is: {', '.join(queries) or 'none'})")
        query = queries[name]
        key = (query.budget_scope, name)
        asked = self.asked.get(key, 0)
        if asked >= query.limit:
            within = f"in {query.budget_scope}" if query.budget_scope else "per turn"
            return Illegal("budget", f"{name!r} may be asked {query.limit} times {within}")
        self.asked[key] = asked + 1
        return ask(query)
