"""What the rules of a match depend on besides hands and recipes: limits, look-ups, and what players earn."""

from typing import Literal

import attrs
from attrs.validators import ge


@attrs.frozen(kw_only=True)
class Scoring:
    """The returns of a match.

    The defaults are those of the original; its older settings gave everybody 1 for a draw.
    """

    sole: float = attrs.field(default=3.0, metadata={"help": "what the only winner earns"})
    shared: float = attrs.field(default=1.0, metadata={"help": "what each of several winners earns"})
    loss: float = attrs.field(default=0.0, metadata={"help": "what others earn where somebody won"})
    nobody: float = attrs.field(default=0.0, metadata={"help": "what everybody earns where nobody won"})
    quit: float = attrs.field(default=0.0, metadata={"help": "what who leaves earns, where that ends the match"})
    left: float = attrs.field(default=0.0, metadata={"help": "what the others earn then"})


@attrs.frozen(kw_only=True)
class Lookups:
    """How often a player may make each kind of query in one phase of a turn; 0 forbids it.

    A refused action restores none of them, and all crafts of one crafting phase share them.
    """

    propose: int = attrs.field(default=8, validator=ge(0), metadata={"help": "when it proposes"})
    decide: int = attrs.field(default=8, validator=ge(0), metadata={"help": "when it answers a proposal"})
    craft: int = attrs.field(
        default=10, validator=ge(0), metadata={"help": "while it crafts, all crafts of a turn together"}
    )

    def limit(self, phase: str) -> int:
        """The limit of the queries in a phase."""
        return {"propose": self.propose, "decide": self.decide, "craft": self.craft}[phase]


@attrs.frozen(kw_only=True)
class Terms:
    """What a match is played by; its parameters have the same names and say more."""

    max_turns: int
    max_crafts: int
    message_limit: int
    lookups: Lookups
    scoring: Scoring
    quitting: Literal["end", "continue"]
