"""Games where several act at the same time: thrown hands, crafting at one's own pace, letters and orders."""

from collections.abc import Mapping, Sequence
from random import Random

import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import FORFEITED, Decision, Game, GameFacts, Illegal, Options, Query, State
from arena.record import EVERYONE, JSON, GameEvent, Player

HANDS = ("rock", "paper", "scissors")


@attrs.frozen
class RockPaperScissors(Game):
    """Both throw at once, several times; each round pays at once."""

    rounds: int = 3

    @property
    def rules(self) -> str:
        return (
            f"In each of {self.rounds} rounds both players throw rock, paper or scissors at the same time. Paper beats "
            "rock, scissors beat paper, rock beats scissors: the winner of a round gets one point from the loser."
        )

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            simultaneous=True,
            returns="zero-sum",
            min_return=-self.rounds,
            max_return=self.rounds,
            optimal_returns=(0, 0),
            optimal_source="symmetry of the equilibrium",
            max_steps=self.rounds,
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Throws(self.rounds), ()


@attrs.define(eq=False)
class Throws(State):
    """What was thrown so far."""

    rounds: int
    thrown: list[tuple[str, str]] = attrs.field(factory=list)

    def to_act(self) -> Sequence[Player]:
        return (Player(0), Player(1)) if len(self.thrown) < self.rounds else ()

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, phase="throw", options=Options(HANDS))

    def observe(self, player: Player | None) -> JSON:
        return {"thrown": [list(pair) for pair in self.thrown]}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        pair = (actions[0], actions[1])
        self.thrown.append(pair)
        return (GameEvent("thrown", list(pair), EVERYONE),)

    def rewards(self) -> Sequence[float]:
        return _points(self.thrown[-1]) if self.thrown else (0.0, 0.0)

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        first = sum(_points(pair)[0] for pair in self.thrown)
        return (first, -first)


def _points(pair: tuple[str, str]) -> tuple[float, float]:
    first = (0.0, 1.0, -1.0)[(HANDS.index(pair[0]) - HANDS.index(pair[1])) % 3]
    return (first, -first)


RECIPES = {"plank": ("wood", 1), "stick": ("plank", 2), "torch": ("stick", 1)}


@attrs.frozen
class Workshop(Game):
    """Both craft at the same time, unseen by the other, until each has had enough."""

    rules = (
        "Each player gets some wood that the other does not see. At the same time, both craft one thing after another "
        "until they are done: a plank takes one wood, a stick two planks, a torch one stick. Who is done waits; when "
        "both are, each earns one point for a plank, three for a stick and five for a torch. "
        "The query 'recipe' tells what a thing is made of."
    )

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            simultaneous=True, hidden_information=True, chance=True, min_return=0, max_steps=40, forfeit_return=0
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        stocks = [{"wood": chance.choice(f"wood of {p}", range(1, 5))} for p in range(players)]
        return Benches(stocks), [GameEvent("stocked", dict(stock), (Player(p),)) for p, stock in enumerate(stocks)]


@attrs.define(eq=False)
class Benches(State):
    """What each player has, and who is done."""

    stocks: list[dict[str, int]]
    done: list[Player] = attrs.field(factory=list)

    def to_act(self) -> Sequence[Player]:
        return tuple(Player(p) for p in range(2) if p not in self.done)

    def decision(self, player: Player) -> Decision:
        stock = self.stocks[player]
        makeable = [thing for thing, (part, count) in RECIPES.items() if stock.get(part, 0) >= count]
        recipe = Query(
            name="recipe",
            summary="what a thing is made of",
            schema={"type": "object", "properties": {"thing": {"enum": list(RECIPES)}}, "required": ["thing"]},
            answer=_recipe,
            limit=2,
            example={"thing": "torch"},
        )
        options = Options([*makeable, "done"], lambda thing: "be done" if thing == "done" else f"craft a {thing}")
        return Decision(player=player, phase="craft", options=options, skip="done", queries=(recipe,))

    def observe(self, player: Player | None) -> JSON:
        stocks = {str(p): dict(stock) for p, stock in enumerate(self.stocks) if player in (None, p)}
        return {"stocks": stocks, "done": list(self.done)}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        for player, thing in actions.items():
            if (refused := self.check(player, thing)) is not None:
                raise RuleError(f"player {player}: {refused.reason}")
        return [self._craft(player, thing) for player, thing in sorted(actions.items())]

    def returns(self) -> Sequence[float] | None:
        worth = {"plank": 1, "stick": 3, "torch": 5}
        return None if self.to_act() else [float(sum(worth.get(k, 0) * n for k, n in s.items())) for s in self.stocks]

    def _craft(self, player: Player, thing: str) -> GameEvent:
        if thing == "done":
            self.done.append(player)
            return GameEvent("finished", player, EVERYONE)
        part, count = RECIPES[thing]
        stock = self.stocks[player]
        stock[part] -= count
        stock[thing] = stock.get(thing, 0) + 1
        return GameEvent("crafted", thing, (player,))


def _recipe(arguments: JSON) -> JSON | Illegal:
    thing = arguments.get("thing") if isinstance(arguments, dict) else None
    if not isinstance(thing, str) or thing not in RECIPES:
        return Illegal("unknown-thing", "give a thing that can be crafted, such as {'thing': 'torch'}")
    part, count = RECIPES[thing]
    return {part: count}


POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@attrs.frozen
class Letters(Game):
    """Seven powers write each other private letters, then give orders at the same time."""

    years: int = 3

    @property
    def rules(self) -> str:
        return (
            f"Seven powers with two armies each play {self.years} years. In spring everybody writes private letters to "
            "any others, an object of texts by power; nobody else reads them. In autumn everybody orders at the same "
            "time: attack one power, or hold. A power attacked by two or more others loses an army; one without "
            "armies is out. In the end every power earns its armies. Others go on when a power leaves; it then holds."
        )

    def player_counts(self) -> Sequence[int]:
        return (7,)

    def seats(self, players: int) -> Sequence[str]:
        return POWERS

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            simultaneous=True,
            hidden_information=True,
            messages=True,
            min_return=0,
            max_return=2,
            max_steps=2 * self.years,
            on_forfeit="continue",
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Europe(self.years), (GameEvent("season", ["spring", 1], EVERYONE),)


@attrs.define(eq=False)
class Europe(State):
    """Armies by power, and all letters."""

    years: int
    armies: list[int] = attrs.field(factory=lambda: [2] * 7)
    season: int = 0
    letters: list[list] = attrs.field(factory=list)

    @property
    def _alive(self) -> list[Player]:
        return [Player(p) for p in range(7) if self.armies[p]]

    def to_act(self) -> Sequence[Player]:
        return () if self.season == 2 * self.years or len(self._alive) < 2 else tuple(self._alive)

    def decision(self, player: Player) -> Decision:
        others = [POWERS[p] for p in self._alive if p != player]
        if self.season % 2:
            options = Options(["hold", *others], lambda a: "hold" if a == "hold" else f"attack {a}")
            return Decision(player=player, phase="orders", options=options, skip="hold")
        schema: dict = {
            "type": "object",
            "properties": {other: {"type": "string", "maxLength": 200} for other in others},
            "additionalProperties": False,
        }
        return Decision(
            player=player,
            phase="letters",
            action_schema=schema,
            sampler=lambda rng: _some_letters(others, rng),
            skip={},
        )

    def observe(self, player: Player | None) -> JSON:
        letters = [list(letter) for letter in self.letters if player is None or POWERS[player] in letter[:2]]
        return {"season": self.season, "armies": dict(zip(POWERS, self.armies, strict=True)), "letters": letters}

    def check(self, player: Player, action: JSON) -> Illegal | None:
        if self.season % 2:
            return State.check(self, player, action)
        if not isinstance(action, dict):
            return Illegal("schema", "letters are an object of texts by power, such as {'FRANCE': 'peace?'}")
        for power, text in action.items():
            if power == POWERS[player] or power not in POWERS or not self.armies[POWERS.index(power)]:
                return Illegal("addressee", f"{power!r} is no other power that is still in the game")
            if not isinstance(text, str) or len(text) > 200:
                return Illegal("schema", f"the letter to {power} is not a text of at most 200 characters")
        return None

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        orders = {
            p: {} if a is FORFEITED and self.season % 2 == 0 else "hold" if a is FORFEITED else a
            for p, a in actions.items()
        }
        events = self._fight(orders) if self.season % 2 else self._post(orders)
        self.season += 1
        return [*events, GameEvent("season", [("spring", "autumn")[self.season % 2], self.season // 2 + 1], EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        return None if self.to_act() else [float(n) for n in self.armies]

    def _post(self, posted: Mapping) -> list[GameEvent]:
        events: list[GameEvent] = []
        for player, letters in sorted(posted.items()):
            for power, text in sorted(letters.items()):
                letter = [POWERS[player], power, text]
                self.letters.append(letter)
                events.append(GameEvent("letter", list(letter), (player, Player(POWERS.index(power)))))
        return events

    def _fight(self, orders: Mapping) -> list[GameEvent]:
        told = {POWERS[player]: order for player, order in sorted(orders.items())}
        events = [GameEvent("orders", told, EVERYONE)]
        for player in self._alive:
            if list(orders.values()).count(POWERS[player]) >= 2:
                self.armies[player] -= 1
                events.append(GameEvent("defeated", POWERS[player], EVERYONE))
                if not self.armies[player]:
                    events.append(GameEvent("eliminated", POWERS[player], EVERYONE))
        return events


def _some_letters(others: Sequence[str], rng: Random) -> JSON:
    return {other: rng.choice(["peace?", "war!"]) for other in others if rng.random() < 0.4}
