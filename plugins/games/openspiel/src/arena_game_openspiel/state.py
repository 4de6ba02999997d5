"""One match played by OpenSpiel's engine.

OpenSpiel's strings are built only when something reads them; who is to act and what is legal is asked once per step.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import pyspiel
from arena.chance import Chance
from arena.errors import RuleError, StaleDecision
from arena.game import Absent, Decision, Illegal, Options, State
from arena.record import JSON, Action, GameEvent, Player, canonical_json

from arena_game_openspiel.redeal import repeated, replay

if TYPE_CHECKING:
    from arena_game_openspiel.engine import SpielGame

CHANCE = -1
SIMULTANEOUS = -2
TERMINAL = -4

MANY_OUTCOMES = 512
"""From this many outcomes on, a draw is recorded by its index among the outcomes, not by its number."""

FEW_LABELS: Final = 10
"""Up to so many labels, the decisions made of them are few enough to be kept."""

_NOBODY: Final = Player(-1)


class SpielState(State):
    """One match: OpenSpiel's state, the chance it draws from, and what it answered in this step."""

    __slots__ = (
        "_chance",
        "_current",
        "_earned",
        "_forms",
        "_is_quiet",
        "_known",
        "_legal",
        "_order",
        "_rewards",
        "_said",
        "_seen",
        "_step",
        "_table",
        "_words",
        "engine",
        "game",
    )

    def __init__(self, game: "SpielGame", engine: pyspiel.State, chance: Chance) -> None:
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
        words = _Words(self, player) if table is None else table.__getitem__
        return Decision(player=player, options=Options(legal, words))

    def observe(self, player: Player | None) -> JSON:
        return self.game.view(self.engine, player)

    def observe_public(self) -> JSON | Absent:
        return self.game.public_view(self.engine)

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse everything but legal actions, which are OpenSpiel's integers."""
        legal = self._legal.get(player)
        if legal is None:
            return Illegal("not-your-turn", "it is not your turn")
        if type(action) is not int:
            return Illegal("not-an-integer", f"an action is an integer, not {canonical_json(action)}")
        if action in legal:
            return None
        return Illegal("illegal", f"action {action} is not legal: {self.game.refusal(self.engine, player, action)}")

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


def _restore(
    game: "SpielGame", players: int, chance: Chance, history: list[int], step: int, rewards: list[float] | None
) -> SpielState:
    state = SpielState(game, replay(game.begin(players, repeated(chance)), history), chance)
    state._look_around()
    state._step, state._rewards = step, rewards
    if state._earned is not None:
        state._earned = state._earnings()
    if state._seen is not None:
        state._seen = [game.glimpse(state.engine, Player(p)) for p in range(players)]
    return state
