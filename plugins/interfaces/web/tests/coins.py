"""The text of a small game of somebody else, to be installed while a test runs."""

COINS = """
import os

import attrs
from arena.game import Decision, Game, GameFacts, Options, State
from arena.plugin import Plugin
from arena.record import GameEvent

COINS = Plugin(factory="acme_coins:Coins", summary="takes a coin")


@attrs.frozen
class Purse:
    coins: int = attrs.field(default=3, metadata={"help": "how many there are"})
    kind: str = attrs.field(default="gold", metadata={"help": "what they are of"})


@attrs.frozen
class Table:
    purses: tuple[Purse, ...] = (Purse(),)
    by_name: dict[str, int] = attrs.field(factory=dict)


class _State(State):
    def __init__(self, left):
        self.left = left

    def to_act(self):
        return (self.left % 2,) if self.left else ()

    def decision(self, player):
        return Decision(player=player, options=Options((1,), "take {}".format))

    def observe(self, player):
        how = os.environ.get("ACME_COINS", "")
        while how == "hang":
            pass
        if how == "exit":
            os._exit(7)
        if how == "raise":
            raise RuntimeError("<b>no</b>")
        if how == "memory":
            held = ["x" * 1_000_000 for _ in range(10_000)]
        return {"left": self.left}

    def apply(self, actions):
        self.left -= 1
        return (GameEvent("taken", {"left": self.left}, None),)

    def returns(self):
        return None if self.left else (1.0, -1.0)


@attrs.frozen
class Coins(Game):
    table: Table = attrs.field(default=Table(), metadata={"help": "what lies there"})
    limit: int | Purse | None = attrs.field(default=None, metadata={"help": "a number, or a purse"})
    rules = "Take a coin."

    def player_counts(self):
        return (2,)

    def facts(self, players):
        return GameFacts(returns="zero-sum", min_return=-1.0, max_return=1.0)

    def start(self, chance, players):
        return _State(sum(purse.coins for purse in self.table.purses)), ()
"""
"""Its parameters lie in each other; looked at, it fails as the variable ``ACME_COINS`` says."""
