"""A 2×2 game played for its payoffs: both players choose once, at the same time."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Forfeited, Form, Game, GameFacts, Options, RandomReference, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

from arena_game_two_by_two.classic import in_topology
from arena_game_two_by_two.matrix import CELLS, Matrix
from arena_game_two_by_two.scene import played_scene
from arena_game_two_by_two.topology import GAMES

RULES: Final = """\
Two players, A and B, each choose once, at the same time and without talking to each other. A chooses A1 or A2, B \
chooses B1 or B2. What both earn depends on both choices:

{payoffs}

A larger number is better for the player who earns it. There is no second round."""


@attrs.frozen
class TwoByTwoPlay(Game):
    """One of the 144 games, played once by two players for its payoffs 1 to 4."""

    game: str = attrs.field(default="111", validator=in_topology, metadata={"help": "layer, row and column, as '111'"})

    @property
    def rules(self) -> str:
        lines = (
            f"- A chooses A{row + 1} and B chooses B{column + 1}: A earns {a}, B earns {b}"
            for (row, column), (a, b) in zip(CELLS, self.matrix, strict=True)
        )
        return RULES.format(payoffs="\n".join(lines))

    @property
    def matrix(self) -> Matrix:
        """The payoffs of the game called ``game``, as ranks 1 to 4."""
        return GAMES[self.game].matrix

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """A chooses the row, B the column."""
        return ("A", "B")

    def facts(self, players: int) -> GameFacts:
        """With exactly one pure equilibrium, its payoffs are the returns of optimal play."""
        stable = self.matrix.equilibria
        only = list(self.matrix)[min(stable) - 1] if len(stable) == 1 else None
        return GameFacts(
            simultaneous=True,
            returns="general-sum",
            min_return=1.0,
            max_return=4.0,
            optimal_returns=None if only is None else (float(only[0]), float(only[1])),
            optimal_source="" if only is None else "the only pure equilibrium",
            random=self._random(),
            max_steps=1,
            forfeit_return=1.0,
            others_return=4.0,
        )

    def _random(self) -> RandomReference:
        """Every combination is equally likely, and each player has each of the payoffs 1 to 4 once."""
        ahead = [(a > b) - (a < b) for a, b in self.matrix]
        return RandomReference(
            returns=(2.5, 2.5),
            deviations=(sqrt(1.25), sqrt(1.25)),
            wins=(ahead.count(1) / 4, ahead.count(-1) / 4),
            draws=ahead.count(0) / 4,
            turns=2.0,
            n=0,
            source="the table of payoffs",
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        return {"text": _text, "scene": lambda seen: played_scene(self.matrix, seen, _text(seen))}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Start before the choices; the rules hold the payoffs."""
        return Round(self.matrix, self.game), ()

    def touches(self, decision: Decision) -> "arena_scene.Touches":
        """A's choices are rows of the table, and B's columns."""
        line = "column" if decision.player else "row"
        return arena_scene.Touches.of(decision.options or (), lambda own: (f"{line}-{int(own.action[1]) - 1}",))

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        """Both choices and what they earn."""
        data: Any = event.data
        if event.kind != "revealed":
            return super().describe_event(event, player)
        told = zip("AB", data["chosen"], data["earned"], strict=True)
        return "; ".join(f"{seat} chose {choice} and earns {earned}" for seat, choice, earned in told)


@attrs.define(eq=False)
class Round(State):
    """One match; ``chosen`` has both choices (0 for the first, 1 for the second), ``None`` before they are made."""

    matrix: Matrix
    game: str
    chosen: tuple[int, int] | None = None

    def to_act(self) -> Sequence[Player]:
        return () if self.chosen else (Player(0), Player(1))

    def decision(self, player: Player) -> Decision:
        """Two choices, named after the player."""
        names = [f"{'AB'[player]}{n}" for n in (1, 2)]
        return Decision(player=player, options=Options(names, str))

    def observe(self, player: Player | None) -> JSON:
        """Nothing before the choices, both of them afterwards."""
        return {"chosen": self._names(), "earned": self._earned()}

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        chosen: Any = actions[Player(0)], actions[Player(1)]
        if chosen[0] not in ("A1", "A2") or chosen[1] not in ("B1", "B2"):
            raise RuleError(f"two-by-two-play: {list(chosen)!r} are not one choice of A and one of B")
        self.chosen = (int(chosen[0][1]) - 1, int(chosen[1][1]) - 1)
        revealed: JSON = {"game": self.game, "chosen": self._names(), "earned": self._earned()}
        return [GameEvent("revealed", revealed, EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        """The payoffs of the combination."""
        earned = self._earned()
        return None if earned is None else tuple(float(value) for value in earned)

    def clone(self) -> State:
        return Round(self.matrix, self.game, self.chosen)

    def resample_hidden(self, player: Player, chance: Chance) -> State:
        """The state itself, since nothing is hidden before the choices."""
        return self.clone()

    def _names(self) -> list[str] | None:
        return [f"A{self.chosen[0] + 1}", f"B{self.chosen[1] + 1}"] if self.chosen else None

    def _earned(self) -> list[int] | None:
        if self.chosen is None:
            return None
        row, column = self.chosen
        return [self.matrix.a[row][column], self.matrix.b[row][column]]


def _text(observation: Any) -> str:
    if observation["chosen"] is None:
        return "Nobody has chosen yet."
    lines = zip("AB", observation["chosen"], observation["earned"], strict=True)
    return "\n".join(f"{seat} chose {choice} and earns {earned}." for seat, choice, earned in lines)
