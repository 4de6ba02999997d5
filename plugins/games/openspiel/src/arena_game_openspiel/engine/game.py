"""Games of OpenSpiel and their matches, with labels, observations and events.

OpenSpiel's strings are built only when something reads them; who is to act and what is legal is asked once per step.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, Final

import arena_scene
import pyspiel
from arena.chance import Chance
from arena.errors import ConfigError, RuleError, StaleDecision
from arena.game import ABSENT, Absent, Decision, Game, Illegal, Options, State
from arena.record import JSON, Action, GameEvent, Player, canonical_json, visible

from arena_game_openspiel.engine.redeal import repeated, replay
from arena_game_openspiel.engine.spellings import LONGEST, read_in, spelt
from arena_game_openspiel.engine.spiel import CHANCE, SIMULTANEOUS, TERMINAL, moved, outcome

MANY_OUTCOMES = 512
"""From this many outcomes on, a draw is recorded by its index among the outcomes, not by its number."""

FEW_LABELS: Final = 10
"""Up to so many labels, the decisions made of them are few enough to be kept."""

_NOBODY: Final = Player(-1)


class SpielGame(Game):
    """A game of OpenSpiel; subclasses are frozen attrs classes whose fields are the parameters."""

    says: ClassVar[str] = ""  # above the picture while a player chooses; empty: a usual sentence
    chance_mode: ClassVar[str] = "chance"
    """The name under which draws of chance are recorded."""

    @property
    def is_veiled(self) -> bool:
        """Whether moves are hidden information, so that each player learns only what ``glimpse`` shows it."""
        return False

    @property
    def pays_as_it_goes(self) -> bool:
        """Whether players earn rewards before the end."""
        return False

    @property
    def order(self) -> Sequence[int] | None:
        """The number that each of two players has in OpenSpiel, where it counts them in another order; else ``None``.

        For games in which players take turns and see everything. All other methods are given the players' own numbers.
        """
        return None

    def seats(self, players: int) -> Sequence[str]:
        """The players by number, counted from 1; the order in which they act first."""
        return tuple(f"player {p + 1}" for p in range(players))

    @abstractmethod
    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's game for this number of players."""

    @abstractmethod
    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The JSON that ``player`` observes; ``None`` stands for the spectator, who sees everything."""

    def public_view(self, engine: pyspiel.State) -> "JSON | Absent":
        """What a bystander sees; ``ABSENT`` if there is no such view, or if nothing is hidden."""
        return ABSENT

    def actions(self, players: int) -> Sequence[int]:
        """OpenSpiel's numbers of all actions."""
        return range(self.engine(players).num_distinct_actions())

    def begin(self, players: int, chance: Chance) -> pyspiel.State:
        """OpenSpiel's state before any draw of chance."""
        return self.engine(players).new_initial_state()

    def glimpse(self, engine: pyspiel.State, player: Player) -> str:
        """What one player sees, in games where ``is_veiled``: OpenSpiel's observation as text."""
        return engine.observation_string(player)

    @property
    def table(self) -> Sequence[str] | None:
        """The label of each action, by its number, if labels are the same in every position; else ``None``."""
        return None

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The label of a legal action, unique in this position: OpenSpiel's own."""
        return engine.action_to_string(player, action)

    def words(self, engine: pyspiel.State, player: Player, legal: Sequence[int]) -> Callable[[int], str]:
        """A function that returns the labels of this step's legal actions."""
        return partial(self.label, engine, player)

    def acted(self, engine: pyspiel.State, player: Player, action: int, label: str) -> list[GameEvent]:
        """The events of a move, made from the state before it."""
        return [moved(player, action, label)]

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """The events of simultaneous moves, made from the state before them."""
        return [moved(player, action, label) for (player, action), label in zip(actions.items(), labels, strict=True)]

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """The events of a chance outcome, each with its recipients, made from the state before it."""
        return []

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """The events at the end of a match."""
        return []

    def read(self, engine: pyspiel.State, player: Player, text: str) -> "int | Illegal | None":
        """The action that a text means which is no label of this step; ``None`` if it means none, legal or not.

        By default one of ``lexicon`` in letters of either case, or without the words that all of them begin with.
        """
        return spelt(self.lexicon(player), text)

    def lexicon(self, player: Player) -> Sequence[str]:
        """The label of each action, by its number, where it is the same in every position; else nothing."""
        return self.table or ()

    def called(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """What a refusal calls an action that is not legal here; empty: it has no name."""
        labels = self.lexicon(player)
        return labels[action] if 0 <= action < len(labels) else ""

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Why an action is not legal here; the text must not reveal what ``player`` may not know."""
        return "you cannot do this now"

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """A state that ``player`` cannot tell from this one, or ``None`` if none can be found."""
        return engine.clone()

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """Everything that affects what can still happen, if that is less than the history; else ``None``."""
        return None

    def status(self, engine: pyspiel.State, player: Player | None) -> dict[str, Any]:
        """The observer, the players to move and the outcome, by the names of the seats."""
        seats = self.seats(engine.num_players())
        told = seats if self.order is None else [seats[player] for player in self.order]
        current = engine.current_player()
        return {
            "you": None if player is None else seats[player],
            "to_move": told[current] if current >= 0 else None,
            "outcome": outcome(engine.returns(), told) if current == TERMINAL else None,
        }

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The elements of the scene that are touched to choose an option; none where it is a button beside it."""
        return ()

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """The options of a decision as elements of the scene; ``None`` where the game draws none."""
        if decision.options is None or "scene" not in self.forms:
            return None
        return arena_scene.Touches.of(
            decision.options, lambda option: self.path(option.action, option.label, decision.player), self.says
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Create OpenSpiel's state and make its first draws of chance."""
        counts = self.player_counts()
        if players not in counts:
            raise ConfigError(f"players: this game is for {_counts(counts)}, not for {players}")
        state = SpielState(self, self.begin(players, chance), chance)
        return state, state.open()

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "moved":
            return f"{self.name_of(data['player'])}: {data['label']}"
        return super().describe_event(event, player)

    def name_of(self, player: int) -> str:
        """The name of a seat; in no game does it depend on the number of players."""
        return self.seats(max(self.player_counts()))[player]


def _counts(counts: Sequence[int]) -> str:
    return f"{min(counts)} players" if len({*counts}) == 1 else f"{min(counts)} to {max(counts)} players"


class SpielState(State):
    """One match: OpenSpiel's state, the chance it draws from, and what it answered in this step."""

    __slots__ = (
        *("_chance", "_current", "_earned", "_forms", "_is_quiet", "_known", "_legal"),
        *("_order", "_rewards", "_said", "_seen", "_step", "_table", "_words"),
        *("engine", "game"),
    )

    def __init__(self, game: SpielGame, engine: pyspiel.State, chance: Chance) -> None:
        self.game = game
        self.engine = engine
        self._chance = chance
        self._table = table = game.table
        self._known = None if table is None or len(table) > FEW_LABELS else _decisions(tuple(table))
        self._order = game.order
        self._current = CHANCE
        self._legal: dict[Player, list[int]] = {}
        self._words: dict[Player, Callable[[int], str]] = {}
        self._said: tuple[Player, int, str] | None = None  # the last label read, which is that of the action played
        self._step = 0
        self._seen: list[str] | None = [""] * engine.num_players() if game.is_veiled else None
        self._earned: list[float] | None = [0.0] * engine.num_players() if game.pays_as_it_goes else None
        self._rewards: list[float] | None = None
        self._is_quiet = self._seen is None and self._earned is None

    def open(self) -> list[GameEvent]:
        """Make the draws of chance at the start; called once, before anything else."""
        events: list[GameEvent] = []
        self._settle(events)
        return events

    def to_act(self) -> Sequence[Player]:
        return tuple(self._legal)

    def decision(self, player: Player) -> Decision:
        legal = self._legal.get(player)
        if legal is None:
            raise RuleError(f"player {player!r} is not to act")
        if self._known is not None:
            key = (player, *legal)
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = self._decision(player, legal)
            return known
        return self._decision(player, legal)

    def _decision(self, player: Player, legal: list[int]) -> Decision:
        table = self._table
        words = _Words(self, player)
        if table is None:
            return Decision(player=player, options=Options(legal, words), aliases=words.read)
        return Decision(player=player, options=Options(legal, table.__getitem__), aliases=partial(read_in, table))

    def observe(self, player: Player | None) -> JSON:
        return self.game.view(self.engine, player)

    def observe_public(self) -> JSON | Absent:
        return self.game.public_view(self.engine)

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse everything but legal actions, which are OpenSpiel's integers."""
        legal = self._legal.get(player)
        if legal is None:
            return Illegal("not-your-turn", "it is not your turn")
        if type(action) is int and action in legal:
            return None
        if type(action) is int and 0 <= action < self.engine.get_game().num_distinct_actions():
            name, why = self.game.called(self.engine, player, action), self.game.refusal(self.engine, player, action)
            return Illegal("illegal", f"{name} is not legal: {why}" if name else why)
        return Illegal("not-an-option", f"{visible(canonical_json(action)[:80])} is none of the legal actions")

    def word(self, player: Player, action: int) -> str:
        """The label of a legal action of this step."""
        said = self._said
        if said is not None and said[0] == player and said[1] == action:
            return said[2]
        words = self._words.get(player)
        if words is None:
            words = self._words[player] = self.game.words(self.engine, player, self._legal[player])
        label = words(action)
        self._said = (player, action, label)
        return label

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        legal = self._legal
        if len(actions) != len(legal) or not legal:
            raise RuleError(f"a step takes one action of each of {list(legal)}, not of {list(actions)}")
        player, action = _NOBODY, -1
        for player, action in actions.items():
            if type(action) is not int or action not in legal.get(player, ()):
                raise RuleError(f"player {player!r}: {action!r} is not legal and should have been checked")
        self._step += 1
        if self._current == SIMULTANEOUS:
            events = self._apply_together(actions)
        else:
            engine, table = self.engine, self._table
            label = self.word(player, action) if table is None else table[action]
            events = self.game.acted(engine, player, action, label)
            engine.apply_action(action)
            if self._words:
                self._words, self._said = {}, None
            current = engine.current_player()
            if current >= 0 and self._is_quiet:
                order = self._order
                self._legal = {current if order is None else order[current]: engine.legal_actions()}
                return events
        self._settle(events)
        return events

    def returns(self) -> Sequence[float] | None:
        # adding zero turns the engine's -0.0 into 0.0, which has another canonical text
        return None if self._legal else [value + 0.0 for value in self._earnings()]

    def rewards(self) -> Sequence[float] | None:
        """What each player earned in the last step, in games with rewards before the end; else ``None``."""
        return self._rewards

    def resample_hidden(self, player: Player, chance: Chance) -> "SpielState | None":
        engine = self.game.resample_hidden(self.engine, player, chance)
        if engine is None:
            return None
        other = self._branch(engine, chance)
        if self._seen is not None:
            other._seen = [self.game.glimpse(engine, Player(p)) for p in range(len(self._seen))]
        return other

    def transposition_key(self) -> JSON:
        return self.game.transposition_key(self.engine)

    def clone(self) -> "SpielState":
        other = self._branch(self.engine.clone(), self._chance.clone())
        if self._seen is not None:
            other._seen = list(self._seen)
        return other

    def __reduce__(self) -> Any:
        # not by the engine's own pickling, which knows registered games only
        players, history = self.engine.num_players(), self.engine.history()
        return _restore, (self.game, players, self._chance, history, self._step, self._rewards)

    def _branch(self, engine: pyspiel.State, chance: Chance) -> "SpielState":
        other = SpielState(self.game, engine, chance)
        other._step = self._step
        other._look_around()
        if self._earned is not None:
            other._earned = list(self._earned)
            other._rewards = self._rewards
        return other

    def _apply_together(self, actions: Mapping[Player, int]) -> list[GameEvent]:
        ordered = dict(sorted(actions.items()))
        words = [self.word(p, a) if self._table is None else self._table[a] for p, a in ordered.items()]
        events = self.game.revealed(self.engine, ordered, words)
        self._words, self._said = {}, None
        # the engine wants a number from everybody; who has nothing to choose gives 0
        self.engine.apply_actions([ordered.get(Player(p), 0) for p in range(self.engine.num_players())])
        return events

    def _settle(self, events: list[GameEvent]) -> None:
        """Let chance act until a player must, then update who is to act and add events."""
        engine = self.engine
        current = engine.current_player()
        while current == CHANCE:
            drawn = self._draw(engine)
            events.extend(self.game.dealt(engine, drawn))
            engine.apply_action(drawn)
            current = engine.current_player()
        if current >= 0:
            self._current = current
            self._legal = {self._player(current): engine.legal_actions()}
        else:
            self._look_around()
        if self._seen is not None:
            self._tell_each(events, self._seen)
        if self._earned is not None:
            earned = self._earnings()
            self._rewards = [now - before for now, before in zip(earned, self._earned, strict=True)]
            self._earned = earned
        if current == TERMINAL:
            events.extend(self.game.ended(engine))

    def _look_around(self) -> None:
        engine = self.engine
        self._current = current = engine.current_player()
        if current >= 0:
            self._legal = {self._player(current): engine.legal_actions()}
        elif current == SIMULTANEOUS:
            legal = {Player(p): engine.legal_actions(p) for p in range(engine.num_players())}
            self._legal = {player: actions for player, actions in legal.items() if actions}
        else:
            self._legal = {}

    def _player(self, number: int) -> Player:
        """The player with this number in OpenSpiel."""
        return Player(number if self._order is None else self._order[number])

    def _earnings(self) -> list[float]:
        """What OpenSpiel says that each player has earned."""
        earned = self.engine.returns()
        return earned if self._order is None else [earned[number] for number in self._order]

    def _draw(self, engine: pyspiel.State) -> int:
        outcomes = engine.chance_outcomes()
        size = engine.get_game().max_chance_outcomes()
        if size > MANY_OUTCOMES:
            place = self._chance.index(self.game.chance_mode, len(outcomes), [weight for _, weight in outcomes])
            return outcomes[place][0]
        weights = [0.0] * size
        for number, weight in outcomes:
            weights[number] = weight
        return self._chance.index(self.game.chance_mode, size, weights)

    def _tell_each(self, events: list[GameEvent], seen: list[str]) -> None:
        # told only when it changes: how many steps went by is not the player's to know
        for p, before in enumerate(seen):
            text = self.game.glimpse(self.engine, Player(p))
            if text != before:
                seen[p] = text
                events.append(GameEvent("observed", {"text": text}, (Player(p),)))


@lru_cache(maxsize=256)
def _decisions(table: tuple[str, ...]) -> dict[tuple[int, ...], Decision]:
    """The decisions that were made with these labels, by player and legal actions: no match makes them again."""
    return {}


class _Words:
    """The labels of one player's options, which can be read only during their step."""

    __slots__ = ("_player", "_state", "_step")

    def __init__(self, state: SpielState, player: Player) -> None:
        self._state = state
        self._player = player
        self._step = state._step

    def __call__(self, action: int) -> str:
        if self._state._step != self._step:
            raise StaleDecision(f"the options of player {self._player} were read after their step had been applied")
        return self._state.word(self._player, action)

    def read(self, value: Any) -> "Action | Illegal":
        """The action that another spelling of it means; what is none comes back as it is."""
        state = self._state
        if state._step != self._step:
            raise StaleDecision(f"the options of player {self._player} were read after their step had been applied")
        short = isinstance(value, str) and len(value) <= LONGEST
        meant = state.game.read(state.engine, self._player, value) if short else None
        return value if meant is None else meant


def _restore(
    game: SpielGame, players: int, chance: Chance, history: list[int], step: int, rewards: list[float] | None
) -> SpielState:
    state = SpielState(game, replay(game.begin(players, repeated(chance)), history), chance)
    state._look_around()
    state._step, state._rewards = step, rewards
    if state._earned is not None:
        state._earned = state._earnings()
    if state._seen is not None:
        state._seen = [game.glimpse(state.engine, Player(p)) for p in range(players)]
    return state
