"""Games for three: a proposal that only two may see, and an auction that goes on when somebody leaves."""

from collections.abc import Mapping, Sequence

import attrs
from arena.chance import Chance
from arena.game import FORFEITED, Decision, Game, GameFacts, Illegal, Options, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

PIE = 6


@attrs.frozen
class Proposals(Game):
    """One offers another a share of a pie; the third sees who talks, but not about what."""

    rules = (
        f"Each of three players proposes once, in turn: it chooses a partner and offers 0 to {PIE} slices of a pie of "
        f"{PIE}. Only the partner sees the offer and accepts or refuses it. If it accepts, it earns the offered slices "
        "and the proposer the others; the third player learns no more than that they agreed."
    )

    def player_counts(self) -> Sequence[int]:
        return (3,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(hidden_information=True, min_return=0, max_return=3 * PIE, max_steps=6)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Negotiation(), (GameEvent("turn", 0, EVERYONE),)


@attrs.define(eq=False)
class Negotiation(State):
    """Who has earned what, and the offer on the table."""

    earned: list[float] = attrs.field(factory=lambda: [0.0] * 3)
    proposer: int = 0
    offer: dict | None = None

    def to_act(self) -> Sequence[Player]:
        if self.proposer == 3:
            return ()
        return (Player(self.proposer if self.offer is None else self.offer["partner"]),)

    def decision(self, player: Player) -> Decision:
        if self.offer is not None:
            labels = {"accept": "accept the offer", "refuse": "refuse the offer"}
            return Decision(player=player, phase="decide", options=Options(list(labels), labels.__getitem__))
        others = [p for p in range(3) if p != player]
        schema: dict = {
            "type": "object",
            "properties": {"partner": {"enum": others}, "slices": {"type": "integer", "minimum": 0, "maximum": PIE}},
            "required": ["partner", "slices"],
            "additionalProperties": False,
        }
        return Decision(
            player=player,
            phase="propose",
            action_schema=schema,
            sampler=lambda rng: {"partner": rng.choice(others), "slices": rng.randint(0, PIE)},
        )

    def observe(self, player: Player | None) -> JSON:
        earned = {str(p): amount for p, amount in enumerate(self.earned) if player in (None, p)}
        is_party = self.offer is not None and player in (None, self.proposer, self.offer["partner"])
        return {"proposer": self.proposer, "earned": earned, "offer": dict(self.offer or {}) if is_party else None}

    def check(self, player: Player, action: Action) -> Illegal | None:
        if self.offer is not None:
            return State.check(self, player, action)
        if not isinstance(action, dict) or set(action) != {"partner", "slices"}:
            return Illegal("schema", "a proposal is an object with 'partner' and 'slices'")
        partner, slices = action["partner"], action["slices"]
        if type(partner) is not int or partner not in range(3) or partner == player:
            return Illegal("partner", f"{partner!r} is not one of the other two players")
        if type(slices) is not int or slices not in range(PIE + 1):
            return Illegal("slices", f"{slices!r} is not a whole number from 0 to {PIE}")
        return None

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        ((player, action),) = actions.items()
        if self.offer is None:
            self.offer = dict(action)
            partner = Player(action["partner"])
            return (
                GameEvent("proposed", [player, partner], EVERYONE),
                GameEvent("offer", action["slices"], (player, partner)),
            )
        if action == "accept":
            self.earned[player] += self.offer["slices"]
            self.earned[self.proposer] += PIE - self.offer["slices"]
        self.offer = None
        self.proposer += 1
        return (GameEvent("answered", [player, action], EVERYONE), GameEvent("turn", self.proposer, EVERYONE))

    def returns(self) -> Sequence[float] | None:
        return None if self.to_act() else list(self.earned)


@attrs.frozen
class Auction(Game):
    """Three bid in turn for a coin; who leaves, or is put out, is out of the bidding and the others go on."""

    worth: int = 5

    @property
    def rules(self) -> str:
        return (
            f"Three players bid in turn for a prize worth {self.worth}: one more than the highest bid so far, or pass "
            "for good. When only one is left, or everybody has passed, the highest bidder earns the prize less its bid."
        )

    def player_counts(self) -> Sequence[int]:
        return (3,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(max_return=self.worth - 1, max_steps=60, on_forfeit="continue")

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Bidding(self.worth), ()


@attrs.define(eq=False)
class Bidding(State):
    """Who still bids, and how high."""

    worth: int
    bidders: list[Player] = attrs.field(factory=lambda: [Player(0), Player(1), Player(2)])
    bid: int = 0
    leader: int | None = None

    def to_act(self) -> Sequence[Player]:
        is_decided = not self.bidders or self.bidders == [self.leader] or self.bid == 2 * self.worth
        return () if is_decided else (self.bidders[0],)

    def decision(self, player: Player) -> Decision:
        labels = {"raise": f"bid {self.bid + 1} coins", "pass": "leave the bidding"}
        return Decision(player=player, phase="bid", options=Options(list(labels), labels.__getitem__), skip="pass")

    def observe(self, player: Player | None) -> JSON:
        return {"bidders": list(self.bidders), "bid": self.bid, "leader": self.leader}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        ((player, action),) = actions.items()
        self.bidders.remove(player)
        if action is FORFEITED or action == "pass":
            return (GameEvent("left", player, EVERYONE),)
        self.bid += 1
        self.leader = player
        self.bidders.append(player)
        return (GameEvent("bid", [player, self.bid], EVERYONE),)

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        return [float(self.worth - self.bid) if p == self.leader else 0.0 for p in range(3)]
