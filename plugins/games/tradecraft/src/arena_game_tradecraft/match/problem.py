"""The starting position of a match: everybody's hand and target, and how hard that is.

As in TradeCraft (section 2.3) the score of a target is the length of its crafting chain times the trades it takes.
These findings are stored with a problem, so reading them needs no search. What no search has settled is ``"unknown"``.

Problems are written as TradeCraft (section 2.3) does: a JSON file holds one ``{"hands": [{item: amount}, …],
"targets": […], "max_turn"?: n, "difficulty"?: {…}}`` or a list of them. A target is ``{item: amount}`` or the name of
one item. ``difficulty`` holds what is proved about the targets, see ``difficulty``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import Final, Literal, TypeAlias, cast

import attrs
from arena.errors import ConfigError
from attrs.validators import ge, optional

from arena_game_tradecraft.rules.amounts import say_amounts
from arena_game_tradecraft.rules.document import Node, gathered
from arena_game_tradecraft.rules.loading import locate
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.rules.tags import short

Finding: TypeAlias = int | Literal["unknown", "impossible"]
"""A proved minimum; ``"impossible"`` if a target is proved out of reach, ``"unknown"`` if nothing is proved."""

Truth: TypeAlias = bool | Literal["unknown"]

BANDS: Final[Mapping[str, tuple[int, int | None]]] = {"easy": (0, 3), "medium": (4, 8), "hard": (9, None)}
"""The lowest and highest score of each level."""

UNKNOWN: Final = "unknown"
IMPOSSIBLE: Final = "impossible"
WORDS: Final[tuple[Literal["impossible"], Literal["unknown"]]] = (IMPOSSIBLE, UNKNOWN)
"""The words that may replace a number; the first one wins if both occur."""


@attrs.frozen
class Difficulty:
    """What has been proved of each target, in the order of the players."""

    chain: tuple[Finding, ...] = attrs.field(
        metadata={"help": "crafts from all hands together to the target, at least"}
    )
    trades: tuple[Finding, ...] = attrs.field(
        metadata={"help": "accepted proposals, of one kind each way, until its player holds it, at least"}
    )
    kinds: tuple[Finding, ...] = attrs.field(metadata={"help": "kinds of item that must change hands, at least"})
    jointly: Truth = attrs.field(metadata={"help": "whether all targets can be held at once"})

    def __attrs_post_init__(self) -> None:
        if not len(self.chain) == len(self.trades) == len(self.kinds):
            raise ValueError(
                "expected one number a player in chain, trades and kinds alike, got "
                f"{len(self.chain)}, {len(self.trades)} and {len(self.kinds)}"
            )
        for name, findings in (("chain", self.chain), ("trades", self.trades), ("kinds", self.kinds)):
            for i, found in enumerate(findings):
                if (found not in WORDS) if isinstance(found, str) else (type(found) is not int or found < 0):
                    raise ValueError(
                        f"{name}[{i}]: expected a whole number of at least 0, 'unknown' or 'impossible', got {found!r}"
                    )
        if self.jointly is not True and self.jointly is not False and self.jointly != UNKNOWN:
            raise ValueError(f"jointly: expected true, false or 'unknown', got {self.jointly!r}")

    @property
    def players(self) -> int:
        """The number of targets, one for each player."""
        return len(self.chain)

    def score(self, player: int) -> Finding:
        """The chain length of one target times its trades; no trade counts as one."""
        parts = self.chain[player], self.trades[player]
        for word in WORDS:
            if word in parts:
                return word
        chain, trades = parts
        return int(chain) * max(1, int(trades))

    @property
    def hardest(self) -> Finding:
        """The greatest score of any target, which is the score of the problem."""
        scores = [self.score(player) for player in range(self.players)]
        for word in WORDS:
            if word in scores:
                return word
        return max(map(int, scores))

    @property
    def level(self) -> str:
        """``"easy"``, ``"medium"`` or ``"hard"`` by the hardest target, or ``"unknown"`` or ``"impossible"``."""
        return level_of(self.hardest)


def level_of(score: Finding) -> str:
    """The level of a score; ``"unknown"`` and ``"impossible"`` are returned unchanged."""
    if isinstance(score, str):
        return score
    return next(level for level, (_, last) in BANDS.items() if last is None or score <= last)


SHIPPED: Final = "arena_game_tradecraft:problems"
"""The package folder of the problems that are found by bare names."""

JOINTLY: Final = "jointly"
"""Selects the problems whose targets are proved to be reachable together."""

Hand = Mapping[str, int]

_KEYS: Final = ("hands", "targets", "max_turn", "difficulty")
_GRADES: Final = ("chain", "trades", "kinds", "jointly")


@attrs.frozen
class Problem:
    """One start: a hand and a target for each player, and the most turns if the problem limits them."""

    hands: tuple[Hand, ...] = attrs.field(metadata={"help": "what each player holds at the start"})
    targets: tuple[Hand, ...] = attrs.field(metadata={"help": "what each player needs, in the same order"})
    max_turn: int | None = attrs.field(
        default=None, validator=optional(ge(1)), metadata={"help": "turns, at most; those of the game unless given"}
    )
    difficulty: Difficulty | None = attrs.field(default=None, metadata={"help": "what is proved of the targets"})

    def __attrs_post_init__(self) -> None:
        if not self.hands:
            raise ValueError("expected at least one hand")
        if len(self.hands) != len(self.targets):
            raise ValueError(f"expected as many targets as hands, got {len(self.targets)} and {len(self.hands)}")
        for what, amounts in (("hands", self.hands), ("targets", self.targets)):
            for i, amount in enumerate(amounts):
                if any(type(n) is not int or n < 1 for n in amount.values()):
                    raise ValueError(f"{what}[{i}]: expected whole amounts of at least 1, got {dict(amount)!r}")
        if not all(self.targets):
            raise ValueError("every player needs a target")
        if self.difficulty is not None and self.difficulty.players != self.players:
            raise ValueError(
                f"difficulty: expected numbers for {self.players} players, got them for {self.difficulty.players}"
            )

    @property
    def players(self) -> int:
        """The number of players it is for."""
        return len(self.hands)

    def hand(self, player: int) -> dict[str, Fraction]:
        """The items that a player holds at the start."""
        return {item: Fraction(n) for item, n in self.hands[player].items()}

    def together(self) -> dict[str, Fraction]:
        """The items that all players together hold at the start."""
        held: dict[str, Fraction] = {}
        for hand in self.hands:
            for item, n in hand.items():
                held[item] = held.get(item, Fraction(0)) + n
        return held

    def faults(self, rules: RuleSet) -> Sequence[str]:
        """Why these rules cannot play this problem: unknown items, or targets that cannot be made from any hand."""
        return self.unknown(rules) or self.out_of_reach(rules)

    def unknown(self, rules: RuleSet) -> Sequence[str]:
        """The items that these rules do not have, each with its place."""
        return [
            f"{what}[{i}]: {item!r} is no item of the rule set {rules.name!r}{_meant(item, rules)}"
            for what, amounts in (("hands", self.hands), ("targets", self.targets))
            for i, held in enumerate(amounts)
            for item in held
            if item not in rules.item_set
        ]

    def out_of_reach(self, rules: RuleSet) -> Sequence[str]:
        """The targets that nobody can ever hold, each with its place; the amounts count where they are graded."""
        graded = self.difficulty
        if graded is not None and (lost := [i for i in range(self.players) if graded.score(i) == IMPOSSIBLE]):
            return [f"targets[{i}]: {say_amounts(self.targets[i])} is proved to be out of reach" for i in lost]
        reached = rules.reachable(item for hand in self.hands for item in hand)
        return [
            f"targets[{i}]: {item!r} cannot be made from what the players hold"
            for i, target in enumerate(self.targets)
            for item in target
            if item not in reached
        ]


def load_problems(source: str) -> tuple[Problem, ...]:
    """Load the problems of a file: a shipped name, ``"package:path"`` or a path, and after ``#`` a selection.

    ``#3`` picks the third, ``#easy`` those of that level, ``#jointly`` those whose targets are proved to be reachable
    together; ``#easy+jointly`` takes those that are both. ``ConfigError`` names file and path of every mistake.
    """
    file, _, wanted = source.partition("#")
    located = locate(file, SHIPPED, "list of problems")
    if located.is_dir():
        inside = sorted(each.name for each in located.iterdir() if each.name.endswith(".json"))
        raise ConfigError(
            f"{file}: expected a file of problems, got a folder; name a file"
            + (f" in it, like '{file.rstrip('/')}/{inside[0]}'" if inside else ", like 'problems.json'")
        )
    problems = parse_problems(located.name, located.read_bytes())
    return select(problems, wanted.split("+"), source) if wanted else problems


def check_problems(problems: Iterable[Problem], rules: RuleSet) -> None:
    """Raise ``ConfigError`` with every item of ``problems`` that ``rules`` do not have."""
    if found := [f"problems[{i}].{fault}" for i, problem in enumerate(problems) for fault in problem.unknown(rules)]:
        raise ConfigError(gathered(found))


def out_of_reach(problems: Iterable[Problem], rules: RuleSet) -> Mapping[int, str]:
    """The problems of which some target can never be held, by their place, with the first reason; none is drawn."""
    found = {i: problem.out_of_reach(rules) for i, problem in enumerate(problems)}
    return {i: f"problems[{i}].{reasons[0]}" for i, reasons in found.items() if reasons}


def say_out_of_reach(problems: Sequence[Problem], left_out: Mapping[int, str]) -> str:
    """How many problems are left out of draws, and the reason of the first ones."""
    reasons = "; ".join([*left_out.values()][:3]) + ("; …" if len(left_out) > 3 else "")
    count = f"{len(left_out)} of {len(problems)} problems"
    has, is_ = ("has", "is") if len(left_out) == 1 else ("have", "are")
    return f"{count} {has} a target out of reach and {is_} left out of draws: {reasons}"


def parse_problems(file: str, content: bytes | str) -> tuple[Problem, ...]:
    """Parse the problems of a file; ``ConfigError`` if there are none."""
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
        raise ConfigError(gathered(mistakes))
    return tuple(found)


def select(problems: tuple[Problem, ...], words: Sequence[str], source: str) -> tuple[Problem, ...]:
    """The problems that fit all ``words``: a number, a level, or ``jointly``; ``ConfigError`` if none does."""
    found = problems
    for word in words:
        if word.isdecimal() and 1 <= int(word) <= len(problems):
            found = tuple(problem for problem in found if problem is problems[int(word) - 1])
        elif word in BANDS:
            found = tuple(p for p in found if p.difficulty is not None and p.difficulty.level == word)
        elif word == JOINTLY:
            found = tuple(p for p in found if p.difficulty is not None and p.difficulty.jointly is True)
        else:
            known = f"a number from 1 to {len(problems)}, {', '.join(map(repr, BANDS))} or {JOINTLY!r}"
            raise ConfigError(f"{source}: expected {known} after '#', got {word!r}")
    if not found:
        raise ConfigError(f"{source}: none of {len(problems)} problems is {' and '.join(words)}")
    return found


def write_problem(problem: Problem) -> dict[str, object]:
    """The problem as JSON, as it is written in a file."""
    written: dict[str, object] = {
        "hands": [dict(hand) for hand in problem.hands],
        "targets": [dict(target) for target in problem.targets],
    }
    if problem.max_turn is not None:
        written["max_turn"] = problem.max_turn
    if problem.difficulty is not None:
        found = attrs.asdict(problem.difficulty)
        written["difficulty"] = {key: list(n) if isinstance(n, tuple) else n for key, n in found.items()}
    return written


def write_problems(problems: Iterable[Problem]) -> str:
    """Write problems to a text, one per line."""
    lines = (json.dumps(write_problem(problem), ensure_ascii=False) for problem in problems)
    return "[\n  " + ",\n  ".join(lines) + "\n]\n"


def _problem(node: Node) -> Problem:
    _check_keys(node, _KEYS)
    hands = tuple(_hand(hand) for hand in node.at("hands").items())
    targets = tuple(
        {short(target.value): 1} if isinstance(target.value, str) and target.value else _hand(target)
        for target in node.at("targets").items()
    )
    limit = node.at("max_turn").whole() if node.has("max_turn") else None
    found = _difficulty(node.at("difficulty")) if node.has("difficulty") else None
    try:
        return Problem(hands, targets, limit, found)
    except ValueError as error:
        node.fail(str(error))


def _difficulty(node: Node) -> Difficulty:
    _check_keys(node, _GRADES)
    chain, trades, kinds = (_findings(node.at(key)) for key in _GRADES[:3])
    try:
        return Difficulty(chain, trades, kinds, node.at("jointly").value)
    except ValueError as error:
        node.fail(str(error))


def _findings(node: Node) -> tuple[Finding, ...]:
    return tuple(_finding(found) for found in node.items())


def _finding(node: Node) -> Finding:
    if isinstance(node.value, str):
        if node.value not in WORDS:
            node.expected(f"a whole number of at least 0, {' or '.join(map(repr, reversed(WORDS)))}")
        return cast("Finding", node.value)
    return node.whole(0)


def _check_keys(node: Node, known: Sequence[str]) -> None:
    if unknown := sorted(set(node.table()) - set(known)):
        node.table()[unknown[0]].fail(f"unknown key (there is: {', '.join(known)})")


def _meant(item: str, rules: RuleSet) -> str:
    close = get_close_matches(item, rules.items, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _hand(node: Node) -> dict[str, int]:
    hand: dict[str, int] = {}
    for item, amount in node.table().items():
        if short(item) in hand:
            amount.fail(f"{short(item)!r} stands twice in one table")
        hand[short(item)] = amount.whole()
    return hand
