"""What a match starts from: everybody's hand and target.

Problems are written as in TradeCraft's paper (section 2.3): a JSON file holds one ``{"hands": [{item: amount}, …],
"targets": […], "max_turn"?: n}`` or a list of them. A target is ``{item: amount}`` or the name of one item.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import attrs
from arena.errors import ConfigError
from attrs.validators import ge, optional

from arena_game_tradecraft.datapack import short
from arena_game_tradecraft.document import Node
from arena_game_tradecraft.loading import locate
from arena_game_tradecraft.ruleset import RuleSet

SHIPPED: Final = "arena_game_tradecraft:problems"
"""Where the problems are that a bare name stands for."""

Hand = Mapping[str, int]


@attrs.frozen
class Problem:
    """One start: a hand and a target for each player, and how many turns there are at most, where it says so."""

    hands: tuple[Hand, ...] = attrs.field(metadata={"help": "what each player holds at the start"})
    targets: tuple[Hand, ...] = attrs.field(metadata={"help": "what each player needs, in the same order"})
    max_turn: int | None = attrs.field(
        default=None, validator=optional(ge(1)), metadata={"help": "turns, at most; those of the game unless given"}
    )

    def __attrs_post_init__(self) -> None:
        if not self.hands or len(self.hands) != len(self.targets):
            raise ValueError(f"expected as many targets as hands, got {len(self.targets)} and {len(self.hands)}")
        for what, amounts in (("hands", self.hands), ("targets", self.targets)):
            for i, amount in enumerate(amounts):
                if any(type(n) is not int or n < 1 for n in amount.values()):
                    raise ValueError(f"{what}[{i}]: expected whole amounts of at least 1, got {dict(amount)!r}")
        if not all(self.targets):
            raise ValueError("every player needs a target")

    @property
    def players(self) -> int:
        """For how many it is."""
        return len(self.hands)

    def hand(self, player: int) -> dict[str, Fraction]:
        """What a player holds at the start."""
        return {item: Fraction(n) for item, n in self.hands[player].items()}

    def faults(self, rules: RuleSet) -> Sequence[str]:
        """Why it cannot be played by these rules: items there are none of, targets that nothing held leads to."""
        found = [
            f"{what}[{i}]: {item!r} is no item of the rule set {rules.name!r}"
            for what, amounts in (("hands", self.hands), ("targets", self.targets))
            for i, held in enumerate(amounts)
            for item in held
            if item not in rules.item_set
        ]
        if found:
            return found
        reached = rules.reachable(item for hand in self.hands for item in hand)
        return [
            f"targets[{i}]: {item!r} cannot be made from what the players hold"
            for i, target in enumerate(self.targets)
            for item in target
            if item not in reached
        ]


def load_problems(source: str) -> tuple[Problem, ...]:
    """The problems of a file: a shipped name, ``"package:path"`` or a path; ``#3`` at its end picks the third.

    ``ConfigError`` names file and path of every mistake.
    """
    file, _, place = source.partition("#")
    located = locate(file, SHIPPED, "list of problems")
    problems = parse_problems(located.name, located.read_bytes())
    if not place:
        return problems
    if not place.isdecimal() or not 1 <= int(place) <= len(problems):
        raise ConfigError(f"{source}: expected a number from 1 to {len(problems)} after '#', got {place!r}")
    return (problems[int(place) - 1],)


def parse_problems(file: str, content: bytes | str) -> tuple[Problem, ...]:
    """The problems in the text of a file, at least one."""
    node = Node.parse(file, content)
    found: list[Problem] = []
    mistakes: list[str] = []
    for written in node.items() if isinstance(node.value, list) else [node]:
        try:
            found.append(_problem(written))
        except ConfigError as error:
            mistakes += error.problems
    if not found and not mistakes:
        mistakes.append(f"{file}: expected at least one problem")
    if mistakes:
        raise ConfigError(mistakes)
    return tuple(found)


def write_problem(problem: Problem) -> dict[str, object]:
    """The problem as it is written in a file."""
    written: dict[str, object] = {
        "hands": [dict(hand) for hand in problem.hands],
        "targets": [dict(target) for target in problem.targets],
    }
    return written if problem.max_turn is None else {**written, "max_turn": problem.max_turn}


def _problem(node: Node) -> Problem:
    if unknown := sorted(set(node.table()) - {"hands", "targets", "max_turn"}):
        node.table()[unknown[0]].fail("unknown key (there is: hands, targets, max_turn)")
    hands = tuple(_hand(hand) for hand in node.at("hands").items())
    targets = tuple(
        {short(target.value): 1} if isinstance(target.value, str) and target.value else _hand(target)
        for target in node.at("targets").items()
    )
    limit = node.at("max_turn").whole() if node.has("max_turn") else None
    try:
        return Problem(hands, targets, limit)
    except ValueError as error:
        node.fail(str(error))


def _hand(node: Node) -> dict[str, int]:
    return {short(item): amount.whole() for item, amount in node.table().items()}
