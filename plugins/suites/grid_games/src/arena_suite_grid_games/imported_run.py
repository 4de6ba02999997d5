"""Turns published games with their moves into matches of a run: each move is applied by the rules of its game."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from arena.agent import RefusalKind
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import State
from arena.record import JSON, NOBODY, Ending, Event, Failure, MatchPlan, MatchRecord, Player, derive_seed
from arena.schedule import Lineup, joined_names
from arena_command_leaderboard.journals import IMPORTED
from arena_engine import load_benchmark, variant_name, write_run
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe

from arena_suite_grid_games.published_game import NO_RESULT, VALID, PublishedGame, PublishedMove

GAMES: Final[Mapping[str, tuple[str, Mnk]]] = {
    "tic-tac-toe": ("grid-tic-tac-toe", TicTacToe()),
    "connect-four": ("grid-connect-four", ConnectFour()),
    "gomoku": ("gomoku", Gomoku()),
}
"""The original's games with their plugins here."""

_REFUSED: Final = {"Already Taken": "taken", "Out of Bounds": "out-of-bounds"}
"""The kinds of refusal, by the original's word; every other one is of the answer's format."""


class Contradicted(ValueError):
    """The moves of a published game cannot be played by the rules, or do not end as it says; the text says where."""


def write(games: Iterable[PublishedGame], directory: Path, name: str, tell: Callable[[str], None]) -> int:
    """Write a run of all games whose moves are known; return how many there are.

    ``tell`` is called for each game whose moves contradict the rules, which is left out.
    """
    records: list[MatchRecord] = []
    played: Counter[tuple[str, ...]] = Counter()
    kept = [game for game in games if game.game in GAMES and (game.moves or game.result == NO_RESULT)]
    called = _names(kept)
    for game in kept:
        agents = tuple(called[agent, game.form] for agent in game.agents)
        key = (game.game, *agents)
        try:
            records.append(record_of(game, _plan(game.game, agents, played[key])))
        except Contradicted as error:
            tell(f"{game.source}: left out of the run: {game.stem}: {error}")
        else:
            played[key] += 1
    if any(record.ending.is_result for record in records):
        benchmark = load_benchmark(_benchmark(records, name, called))
        write_run(benchmark, directory, records)
    return sum(record.ending.is_result for record in records)


def _names(games: Iterable[PublishedGame]) -> dict[tuple[str, str], str]:
    """The names of agents in each form: as a sweep over forms would call them if there are several."""
    shown = dict.fromkeys((agent, game.form) for game in games for agent in game.agents)
    has_several = len({form for _, form in shown}) > 1
    called = {
        (agent, form): variant_name(_entry(agent), {"form": form} if has_several else {}) for agent, form in shown
    }
    if twice := [name for name, count in Counter(called.values()).items() if count > 1]:
        raise ConfigError(f"two agents of these files would be called {twice[0]!r}; rename one of them in its file")
    return called


def _entry(agent: str) -> str:
    return " ".join(agent.replace("/", ":").split())


def record_of(game: PublishedGame, plan: MatchPlan) -> MatchRecord:
    """The match of a published game; ``Contradicted`` if its moves do not lead to its result."""
    rules = GAMES[game.game][1]
    if game.result == NO_RESULT:
        failure = Failure("a network error ended it, as the file says")
        return MatchRecord(plan=plan, seats=(), ending=Ending.INFRASTRUCTURE_FAILURE, returns=None, failure=failure)
    replay = _Replay(rules, game.id)
    for number, move in enumerate(game.moves, 1):
        replay.add(move, number)
    return replay.record(game.result, plan)


class _Replay:
    """One match while its moves are applied."""

    def __init__(self, rules: Mnk, match: str) -> None:
        self._rules = rules
        self._state: State = rules.start(Chance(0), 2)[0]
        self._events = [Event(0, "referee", IMPORTED, None, {"id": match}, NOBODY)]
        self._steps = 0
        self._turns, self._tries = [0, 0], [0, 0]
        self._refused: RefusalKind | None = None

    def add(self, move: PublishedMove, number: int) -> None:
        """Apply a move that was valid, or note that one was refused."""
        player = Player(move.player)
        if player not in self._state.to_act():
            raise Contradicted(f"move {number} is of player {player + 1}, who is not to move")
        action = {"column": move.column}
        if not self._rules.gravity:
            action = {"row": move.row, "column": move.column}
        if move.outcome == VALID:
            self._play(player, action, move, number)
        else:
            self._refuse(player, action, move)

    def record(self, result: str, plan: MatchPlan) -> MatchRecord:
        """The match as it stands, which must have ended as ``result`` says."""
        returns = self._state.returns()
        told = _returns(result)
        if result.startswith("disqualified"):
            return self._disqualified(Player(int(result.endswith("2nd"))), plan)
        if (None if returns is None else tuple(returns)) != told:
            raise Contradicted(f"it says {result}, and its moves end in {_words(returns)}")
        ending = Ending.TURN_LIMIT if told is None else Ending.RULES
        return self._record(plan, ending, told, ())

    def _play(self, player: Player, action: dict[str, int], move: PublishedMove, number: int) -> None:
        if (illegal := self._state.check(player, action)) is not None:
            raise Contradicted(f"move {number} is called valid, and {illegal.reason}")
        label = self._rules.board.label(action)
        data = {**self._turn(player), "action": action, "by": "agent", "label": label}
        self._events.append(Event(self._steps, "referee", "played", player, data, (player,)))
        (happened,) = self._state.apply({player: action})
        self._steps += 1
        self._events.append(Event(self._steps, "game", happened.kind, None, happened.data, happened.to))
        self._turns[player] += 1
        self._tries[player] = 0
        landed: Any = happened.data
        if (landed["row"], landed["column"]) != (move.row, move.column):
            told = f"row {move.row}, column {move.column}"
            raise Contradicted(f"move {number} is told for {told}, and landed in row {landed['row']}")

    def _refuse(self, player: Player, action: dict[str, int], move: PublishedMove) -> None:
        rule = _REFUSED.get(move.outcome)
        kind = RefusalKind.UNREADABLE if rule is None else RefusalKind.ILLEGAL
        illegal = None if rule is None else self._state.check(player, action)
        reason = move.outcome.lower() if illegal is None else illegal.reason
        answer: dict[str, JSON] = {"rule": rule, "action": action} if rule else {"text": move.response}
        data = {**self._turn(player), "kind": str(kind), "reason": reason, **answer}
        self._events.append(Event(self._steps, "referee", "refused", player, data, (player,)))
        self._tries[player] += 1
        self._refused = kind

    def _turn(self, player: Player) -> dict[str, JSON]:
        return {"turn": self._turns[player], "try": self._tries[player]}

    def _disqualified(self, player: Player, plan: MatchPlan) -> MatchRecord:
        if player not in self._state.to_act() or not self._tries[player] or self._refused is None:
            raise Contradicted("it says that a player was disqualified, and that one's last move was not refused")
        self._events.append(Event(self._steps, "referee", "gone", player, {"kind": str(self._refused)}, None))
        return self._record(plan, Ending.DISQUALIFIED, None, (player,))

    def _record(
        self, plan: MatchPlan, ending: Ending, returns: tuple[float, ...] | None, forfeited: tuple[Player, ...]
    ) -> MatchRecord:
        return MatchRecord(
            plan=plan,
            seats=tuple(self._rules.seats(2)),
            ending=ending,
            returns=returns,
            forfeited=forfeited,
            steps=self._steps,
            events=tuple(self._events),
        )


def _returns(result: str) -> tuple[float, float] | None:
    return {"winner1st": (1.0, -1.0), "winner2nd": (-1.0, 1.0), "draw": (0.0, 0.0)}.get(result)


def _words(returns: Sequence[float] | None) -> str:
    if returns is None:
        return "an unfinished game"
    return "a draw" if returns[0] == returns[1] else f"a win of player {1 + int(returns[1] > returns[0])}"


def _plan(game: str, agents: tuple[str, ...], repeat: int) -> MatchPlan:
    lineup = Lineup(agents, repeat)
    return MatchPlan(
        id=f"{game}/{joined_names(agents)}/{repeat}.{lineup.rotation}",
        game=game,
        agents=agents,
        pairing=lineup.pairing,
        repeat=repeat,
        rotation=lineup.rotation,
        # no deals are shared: each of these matches is an observation of its own
        chance_seed=derive_seed("imported", game, *agents, repeat),
    )


def _benchmark(records: Sequence[MatchRecord], name: str, called: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    there = {agent for record in records for agent in record.agents}
    agents = {own: _imported(agent, form) for (agent, form), own in called.items() if own in there}
    return {
        "name": name,
        "games": {game: {"use": GAMES[game][0]} for game in GAMES if any(r.game == game for r in records)},
        "agents": dict(sorted(agents.items())),
        "schedule": {"use": "same-form"},
        "illegal-actions": {"use": "grid-games-2024", "limits": "code"},
        "metrics": ["competition", "missed-opportunities", "ratings", "illegal-actions"],
    }


def _imported(agent: str, form: str) -> dict[str, Any]:
    """The configuration of an agent, whose name is all that is known of it beside the form."""
    variant = {"of": _entry(agent), "by": ["form"]}
    return {"use": "imported", "model": agent, "form": form, "tags": [f"form={form}"], "variant": variant}


def without_moves(games: Iterable[PublishedGame]) -> Iterator[PublishedGame]:
    """The games that a run cannot hold, since their file has no moves, or since the game is not one of the three."""
    return (g for g in games if g.has_result and (not g.moves or g.game not in GAMES))
