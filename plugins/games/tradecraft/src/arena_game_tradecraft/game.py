"""TradeCraft's parameters, and the start of a match."""

import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import ConfigError, InputWarning
from arena.game import Decision, Drawing, Form, Game, GameFacts, QueryAction, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player
from attrs.validators import ge, in_

from arena_game_tradecraft.generation.generating import generate, parse_generated
from arena_game_tradecraft.match.actions import Reader
from arena_game_tradecraft.match.problem import Problem, check_problems, load_problems, out_of_reach, say_out_of_reach
from arena_game_tradecraft.match.state import TradeState
from arena_game_tradecraft.match.terms import Lookups, Scoring, Terms
from arena_game_tradecraft.random_play import RANDOM_PLAY
from arena_game_tradecraft.rules.document import gathered
from arena_game_tradecraft.rules.loading import is_path, read, told
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.showing import words
from arena_game_tradecraft.showing.pictures import answer_picture
from arena_game_tradecraft.showing.scene import trade_scene
from arena_game_tradecraft.showing.touching import suggested, table_touches

_PLAIN_LIMIT = 1_000


@attrs.frozen(kw_only=True)
class TradeCraft(Game):
    """Trade items with others, craft from recipes, and be the first to hold your target.

    Rules of *TradeCraft: an arena for long-term strategic social reasoning and planning* (anonymous, under review),
    section 2. A rule set is read once per process. ``ConfigError`` lists every mistake in it and in the problems.
    Messages are told as one line of JSON.
    """

    ruleset: str = attrs.field(
        default="minecraft",
        metadata={
            "help": "rule set: a shipped name, 'package:path', or a path",
            "names_file": lambda given: is_path(given["ruleset"]),
            "file_use": "sent",
        },
    )
    problems: str | tuple[Problem, ...] = attrs.field(
        default="paper",
        metadata={
            "help": "hands and targets to draw from: a name, 'package:path' or path ('…#3' is the third, '…#easy' "
            "those of that level), 'generated?seed=7', or a list",
            "names_file": lambda given: isinstance(given["problems"], str) and is_path(given["problems"]),
            "file_use": "sent",
        },
    )
    max_turns: int = attrs.field(
        default=15, validator=[ge(1)], metadata={"help": "turns, at most, where the problem does not say"}
    )
    order: Literal["seats", "random"] = attrs.field(
        default="seats", validator=in_(("seats", "random")), metadata={"help": "who proposes after whom"}
    )
    max_crafts: int = attrs.field(default=40, validator=ge(0), metadata={"help": "crafts of a player in one turn"})
    message_limit: int = attrs.field(
        default=500, validator=ge(0), metadata={"help": "characters of a message, at most; 0 for no messages"}
    )
    wiki: Literal["reachable", "all"] = attrs.field(
        default="reachable",
        validator=in_(("reachable", "all")),
        metadata={"help": "items that may be looked up: all, or those that unlimited amounts of the hands can become"},
    )
    lookups: Lookups = attrs.field(factory=Lookups, metadata={"help": "how often things may be looked up"})
    scoring: Scoring = attrs.field(factory=Scoring, metadata={"help": "what players earn"})
    quitting: Literal["end", "continue"] = attrs.field(
        default="end",
        validator=in_(("end", "continue")),
        metadata={"help": "whether the match ends when a player is eliminated by forfeit, or the others go on"},
    )

    def __attrs_post_init__(self) -> None:
        _ = self.pool

    @cached_property
    def rule_set(self) -> RuleSet:
        """The items, tags and recipes of the match."""
        return told(_rules(self.ruleset))

    @cached_property
    def given(self) -> tuple[Problem, ...]:
        """All problems that were given, also those that are left out of draws."""
        written = self.problems
        given = _problems(written, self.ruleset) if isinstance(written, str) else tuple(written)
        if not given:
            raise ConfigError("problems: expected at least one problem")
        check_problems(given, self.rule_set)
        return given

    @cached_property
    def pool(self) -> tuple[Problem, ...]:
        """The problems from which a match is drawn: all of those given whose targets are not out of reach."""
        left_out = out_of_reach(self.given, self.rule_set)
        pool = tuple(problem for i, problem in enumerate(self.given) if i not in left_out)
        if not pool:
            raise ConfigError(gathered([*left_out.values()]))
        if left_out:
            warnings.warn(say_out_of_reach(self.given, left_out), InputWarning, stacklevel=2)
        return pool

    @property
    def terms(self) -> Terms:
        """What the rules read of the parameters while a match is played."""
        return Terms(
            max_turns=self.max_turns,
            max_crafts=self.max_crafts,
            message_limit=self.message_limit,
            lookups=self.lookups,
            scoring=self.scoring,
            quitting=self.quitting,
        )

    @property
    def title(self) -> str:
        return "TradeCraft"

    @property
    def rules(self) -> str:
        return words.rules(self.terms, self.rule_set.name, several=self.player_counts()[-1] > 1)

    @property
    def round_event(self) -> str:
        """A round is a turn: a proposal, its answer, and everybody's crafting."""
        return "turn"

    def player_counts(self) -> Sequence[int]:
        """All numbers of players for which there are problems."""
        return sorted({problem.players for problem in self.pool})

    def seats(self, players: int) -> Sequence[str]:
        """The seats ``player 1``, ``player 2`` and so on."""
        return tuple(f"player {n}" for n in range(1, players + 1))

    def facts(self, players: int) -> GameFacts:
        """Hidden information if several play, and chance if a problem or the order of proposers is drawn."""
        scoring = self.scoring
        problems = self._problems(players)
        several = players > 1
        earned = [scoring.sole, scoring.nobody, scoring.quit, scoring.left]
        if several:
            earned += [scoring.shared, scoring.loss]
        steps = max(problem.max_turn or self.max_turns for problem in problems) * (self.max_crafts + 3)
        return GameFacts(
            simultaneous=several,
            hidden_information=several,
            chance=len(problems) > 1 or (several and self.order == "random"),
            messages=several and self.message_limit > 0,
            min_return=min(earned),
            max_return=max(earned),
            random=RANDOM_PLAY.get(self.configuration(players)),
            max_steps=steps + (steps == _PLAIN_LIMIT),
            on_forfeit=self.quitting,
            forfeit_return=scoring.quit,
            others_return=scoring.left,
        )

    def configuration(self, players: int) -> str:
        """The name of what random play depends on, where all but problems and turns is as it comes; else empty.

        Messages do not count: no rule reads them.
        """
        if not isinstance(self.problems, str) or any(getattr(self, name) != value for name, value in _plain().items()):
            return ""
        return f"{self.ruleset}: {self.problems}, {self.max_turns} turns, {players} players"

    @property
    def forms(self) -> Mapping[str, Form]:
        """The position in words, and as tables of the target and of all hands."""
        return {
            "text": words.position,
            "scene": lambda view: trade_scene(view, words.position(view)),
        }

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Draw a problem if there are several, show all hands to everybody and each target to its player."""
        problems = self._problems(players)
        problem = chance.choice("problem", problems) if len(problems) > 1 else problems[0]
        order = tuple(_everybody(players))
        if self.order == "random" and players > 1:
            order = tuple(chance.shuffle("order", order))
        seats, rules = self.seats(players), self.rule_set
        hands = [problem.hand(p) for p in _everybody(players)]
        held = {item for hand in hands for item in hand}
        state = TradeState(
            terms=self.terms,
            rules=rules,
            reader=Reader(rules, seats, self.message_limit if players > 1 else 0),
            problem=problem,
            order=order,
            wiki=rules.item_set if self.wiki == "all" else frozenset(rules.reachable(held)),
            hands=list(hands),
            shown=list(hands),
            crafts=[0] * players,
        )
        dealt: dict[str, JSON] = {
            "hands": state.public(),
            "order": [seats[p] for p in order],
            "max_turns": state.max_turns,
        }
        events = [GameEvent("dealt", dealt, EVERYONE)]
        events += (GameEvent("target", {"target": dict(problem.targets[p])}, (p,)) for p in _everybody(players))
        state.note(0, events)
        return state, [*events, *state.begin()]

    def touches(self, decision: Decision) -> "arena_scene.Touches":
        """What lies in the hands fills proposals and crafts, and leads to what is known of it."""
        return table_touches(decision)

    def query_actions(self, decision: Decision, query: str, answer: JSON) -> Sequence[QueryAction]:
        """The crafts that ``possible_crafts`` finds, while the player crafts."""
        is_crafting = query == "possible_crafts" and decision.phase == "craft"
        return suggested(self.rule_set, decision, answer) if is_crafting else ()

    def query_scene(self, decision: Decision, query: str, answer: JSON) -> "tuple[Drawing, arena_scene.Touches]":
        """Recipes drawn, with names that lead on; while the player crafts, what could be crafted fills the form."""
        return answer_picture(self.rule_set, decision, query, answer)

    def describe_action(self, decision: Decision, action: Action) -> str:
        """What an action gives and takes, in the words of its phase."""
        return words.action(decision.phase, decision.observation, action)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        return words.tell(event)

    def _problems(self, players: int) -> list[Problem]:
        return [problem for problem in self.pool if problem.players == players]


def _everybody(players: int) -> list[Player]:
    return [Player(p) for p in range(players)]


@lru_cache(maxsize=1)
def _plain() -> Mapping[str, object]:
    """The defaults of the parameters that change what players earn, besides rule set, problems and turns."""
    plain = {name: attrs.fields_dict(TradeCraft)[name].default for name in ("order", "max_crafts", "wiki", "quitting")}
    return {**plain, "lookups": Lookups(), "scoring": Scoring()}


@lru_cache(maxsize=8)
def _rules(source: str) -> RuleSet:
    return read(source)


@lru_cache(maxsize=64)
def _problems(source: str, ruleset: str) -> tuple[Problem, ...]:
    wish = parse_generated(source)
    return load_problems(source) if wish is None else generate(_rules(ruleset), wish)
