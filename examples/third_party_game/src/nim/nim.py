"""The rules of Nim.

C. L. Bouton showed in "Nim, a game with a complete mathematical theory" (Annals of Mathematics 3, 1901) who wins: in
normal play the player to move loses exactly if the heaps' sizes, written in binary, add up to zero without carries.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import xor
from string import ascii_uppercase
from typing import Any, cast

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Drawing, Forfeited, Form, Game, GameFacts, Options, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player
from attrs.validators import deep_iterable, ge, le, max_len, min_len

FIRST = Player(0)
MOST_DRAWN = 40


@attrs.frozen
class Nim(Game):
    """Take any number of things from one heap, in turn, until nothing is left."""

    heaps: tuple[int, ...] = attrs.field(
        default=(3, 4, 5),
        validator=[min_len(1), max_len(len(ascii_uppercase)), deep_iterable([ge(1), le(1_000)])],
        metadata={"help": "how many things lie in each heap at the start"},
    )
    misere: bool = attrs.field(default=False, metadata={"help": "who takes the last thing loses"})

    @property
    def rules(self) -> str:
        """What both players are told."""
        heaps = ", ".join(f"{name} with {size}" for name, size in zip(ascii_uppercase, self.heaps, strict=False))
        ending = "loses" if self.misere else "wins"
        return (
            f"Nim for two players. There are heaps of things: {heaps}. The players take turns. In your turn, choose "
            "one heap and take any number of things from it, at least one and at most all of them. "
            f"The player who takes the very last thing {ending}."
        )

    def player_counts(self) -> Sequence[int]:
        """Nim is played by two."""
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The players by their order."""
        return ("first", "second")

    def facts(self, players: int) -> GameFacts:
        """A zero-sum game with nothing hidden, solved since 1901."""
        value = 1.0 if mover_wins(self.heaps, self.misere) else -1.0
        return GameFacts(
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            optimal_returns=(value, -value),
            optimal_source="Bouton, Annals of Mathematics 3 (1901)",
            max_steps=sum(self.heaps),
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        """A line of text, and pictures of the heaps in letters and as data; very large heaps are not drawn."""
        drawn: dict[str, Form] = {"scene": self._scene} if max(self.heaps) <= MOST_DRAWN else {}
        return {"text": describe, "illustration": draw, **drawn}

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """A thing in the picture: it is taken with all that lie behind it in its heap."""
        if max(self.heaps) > MOST_DRAWN:
            return None
        sizes = list(cast("Any", decision.observation)["heaps"].values())

        def path(option: Any) -> tuple[str]:
            row = ascii_uppercase.index(option.action["heap"])
            return (thing(row, sizes[row] - option.action["take"]),)

        say = "Touch a thing: it is taken with all that lie to its right."
        return arena_scene.Touches.of(decision.options or (), path, say=say)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Lay out the heaps for all to see."""
        return Heaps(list(self.heaps), self.misere), [GameEvent("laid-out", name_heaps(self.heaps), EVERYONE)]

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        """Say who took what."""
        data = cast("Any", event.data)
        if event.kind == "laid-out":
            return describe({"heaps": data})
        return f"{self.seats(2)[data['player']]} took {data['take']} from heap {data['heap']}"

    def _scene(self, observation: Any) -> Drawing:
        """The heaps as rows, in a frame that holds them as they were at the start."""
        things = [
            arena_scene.Piece(at=(row, place), role="neutral", shape="disc", label=f"thing {place + 1} of heap {name}")
            for row, (name, size) in enumerate(observation["heaps"].items())
            for place in range(size)
        ]
        size = (len(self.heaps), max(self.heaps))
        rows = arena_scene.Grid(
            id="heaps", label="the heaps", size=size, row_labels=list(observation["heaps"]), pieces=things
        )
        return Drawing(*arena_scene.Scene("Nim", describe(observation), rows).drawn())


@attrs.define(eq=False)
class Heaps(State):
    """What is left, and whose turn it is."""

    sizes: list[int]
    misere: bool
    turn: Player = FIRST

    def to_act(self) -> Sequence[Player]:
        """The player in turn, until nothing is left."""
        return (self.turn,) if any(self.sizes) else ()

    def decision(self, player: Player) -> Decision:
        """Every number from every heap."""
        actions = [
            {"heap": name, "take": take}
            for name, size in zip(ascii_uppercase, self.sizes, strict=False)
            for take in range(1, size + 1)
        ]
        return Decision(player=player, options=Options(actions, label))

    def observe(self, player: Player | None) -> JSON:
        """The heaps and the player in turn; everybody sees everything."""
        return {"heaps": name_heaps(self.sizes), "turn": self.turn if any(self.sizes) else None}

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Take the things away."""
        move = cast("Any", actions[self.turn])
        heap, take = ascii_uppercase.index(move["heap"]), move["take"]
        if not 1 <= take <= self.sizes[heap]:
            raise RuleError(f"nim: cannot take {take!r} from a heap of {self.sizes[heap]}")
        self.sizes[heap] -= take
        event = GameEvent("took", {"player": self.turn, **move}, EVERYONE)
        self.turn = Player(1 - self.turn)
        return [event]

    def returns(self) -> Sequence[float] | None:
        """One for the winner; ``turn`` has passed to the player who did not take the last thing."""
        if any(self.sizes):
            return None
        winner = self.turn if self.misere else Player(1 - self.turn)
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def resample_hidden(self, player: Player, chance: Chance) -> State:
        """The state itself: nothing is hidden and nothing is left to chance."""
        return self.clone()

    def clone(self) -> State:
        """A copy that later moves do not share."""
        return Heaps(list(self.sizes), self.misere, self.turn)


def mover_wins(heaps: Sequence[int], misere: bool) -> bool:
    """Whether the player to move wins with best play; misère differs only where no heap holds more than one."""
    if misere and max(heaps) <= 1:
        return sum(heaps) % 2 == 0
    return reduce(xor, heaps) != 0


def thing(row: int, place: int) -> str:
    """The id of a thing in the picture, by its heap and its place in it."""
    return f"heaps:{row},{place}"


def name_heaps(sizes: Sequence[int]) -> dict[str, int]:
    """The sizes by the heaps' letters."""
    return dict(zip(ascii_uppercase, sizes, strict=False))


def label(action: Any) -> str:
    """An action in words."""
    return f"take {action['take']} from heap {action['heap']}"


def describe(observation: Any) -> str:
    """The heaps in one line."""
    return "heaps: " + ", ".join(f"{name} has {size}" for name, size in observation["heaps"].items())


def draw(observation: Any) -> str:
    """The heaps as rows of letters."""
    return "\n".join(f"{name} {'o' * size}".rstrip() for name, size in observation["heaps"].items())
