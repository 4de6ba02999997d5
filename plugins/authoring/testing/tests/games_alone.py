"""Tasks for one player: a plan that is answered once, and a labyrinth that is explored by asking."""

from collections.abc import Mapping, Sequence

import attrs
from arena.chance import Chance
from arena.game import Decision, Game, GameFacts, Illegal, Options, Query, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

MOVES = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


@attrs.frozen
class Route(Game):
    """Plan a walk on a grid in one go; a plan that fails is a result like any other."""

    width: int = 3
    walls: tuple[tuple[int, int], ...] = ((1, 0), (1, 1))

    @property
    def rules(self) -> str:
        return (
            f"Plan a walk on a grid of {self.width} by {self.width} from the north-west corner to the north-east one, "
            f"around walls at {self.walls} (column, row). Answer once with a list of moves out of {', '.join(MOVES)}. "
            "A plan that arrives earns 1; one that leaves the grid, hits a wall or ends elsewhere earns 0."
        )

    def player_counts(self) -> Sequence[int]:
        return (1,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            min_return=0,
            max_return=1,
            optimal_returns=(1,),
            optimal_source="a plan exists",
            max_steps=1,
            forfeit_return=0,
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return RouteAnswer(self), ()


@attrs.define(eq=False)
class RouteAnswer(State):
    """The question, and the verdict once it was answered."""

    game: Route
    verdict: str = ""

    def to_act(self) -> Sequence[Player]:
        return () if self.verdict else (Player(0),)

    def decision(self, player: Player) -> Decision:
        schema: dict = {"type": "array", "items": {"enum": list(MOVES)}, "maxItems": 20}
        return Decision(
            player=player,
            phase="plan",
            action_schema=schema,
            sampler=lambda rng: rng.choices(list(MOVES), k=rng.randint(0, 6)),
        )

    def observe(self, player: Player | None) -> JSON:
        return {"walls": [list(wall) for wall in self.game.walls], "verdict": self.verdict}

    def check(self, player: Player, action: Action) -> Illegal | None:
        if not isinstance(action, list) or len(action) > 20:
            return Illegal("schema", "a plan is a list of at most 20 moves")
        wrong = [move for move in action if not isinstance(move, str) or move not in MOVES]
        return Illegal("schema", f"{wrong[0]!r} is not one of {', '.join(MOVES)}") if wrong else None

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        self.verdict = self._judge(actions[0])
        return (GameEvent("judged", self.verdict, EVERYONE),)

    def returns(self) -> Sequence[float] | None:
        return (float(self.verdict == "arrived"),) if self.verdict else None

    def _judge(self, plan: Sequence[str]) -> str:
        column = row = 0
        for number, move in enumerate(plan, 1):
            column, row = column + MOVES[move][0], row + MOVES[move][1]
            if not (0 <= column < self.game.width and 0 <= row < self.game.width):
                return f"move {number} leaves the grid"
            if (column, row) in self.game.walls:
                return f"move {number} hits a wall"
        return "arrived" if (column, row) == (self.game.width - 1, 0) else "ended elsewhere"


@attrs.frozen
class Labyrinth(Game):
    """Find the way out of rooms whose doors one can only ask about."""

    rooms: int = 5
    period: str = ""

    @property
    def rules(self) -> str:
        return (
            f"There are {self.rooms} rooms and a way out of one of them. The query 'doors' tells which rooms a room "
            "leads to; two may be asked about in each turn. Move to a neighbouring room, or wait. Reaching the last "
            "room within eight moves earns 1."
        )

    def player_counts(self) -> Sequence[int]:
        return (1,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(min_return=0, max_return=1, chance=True, max_steps=8, forfeit_return=0)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        order = chance.shuffle("rooms", range(1, self.rooms))
        path = [0, *order]
        state = Rooms(path, self.period)
        return state, (GameEvent("entered", [0, state.doors(0)], EVERYONE), GameEvent("map", list(path), EVERYONE))


@attrs.define(eq=False)
class Rooms(State):
    """Rooms in a row; ``path`` is their order."""

    path: list[int]
    period: str = ""
    room: int = 0
    moves: int = 0

    def doors(self, room: int) -> list[int]:
        at = self.path.index(room)
        return sorted(self.path[max(0, at - 1) : at] + self.path[at + 1 : at + 2])

    def to_act(self) -> Sequence[Player]:
        return () if self.room == self.path[-1] or self.moves == 8 else (Player(0),)

    def decision(self, player: Player) -> Decision:
        options = Options([*self.doors(self.room), None], lambda a: "wait" if a is None else f"go to room {a}")
        doors = Query(
            name="doors",
            summary="which rooms a room leads to",
            schema={"type": "integer", "minimum": 0, "maximum": len(self.path) - 1},
            answer=self._answer,
            limit=2,
            example=0,
            budget_scope=self.period,
        )
        return Decision(player=player, phase="walk", options=options, skip=None, queries=(doors,))

    def observe(self, player: Player | None) -> JSON:
        return {"room": self.room, "moves": self.moves}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        if actions[0] is not None:
            self.room = actions[0]
        self.moves += 1
        return (GameEvent("entered", [self.room, self.doors(self.room)], EVERYONE),)

    def returns(self) -> Sequence[float] | None:
        return None if self.to_act() else (float(self.room == self.path[-1]),)

    def _answer(self, arguments: JSON) -> JSON | Illegal:
        if type(arguments) is not int or not 0 <= arguments < len(self.path):
            return Illegal("no-such-room", f"rooms are numbered from 0 to {len(self.path) - 1}")
        return self.doors(arguments)
