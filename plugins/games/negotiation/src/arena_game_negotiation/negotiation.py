"""A negotiation in proposals and decisions.

Its form is that of the multi-issue bargaining of D. DeVault, J. Mell and J. Gratch (AAAI Spring Symposium 2015) and of
M. Lewis et al., "Deal or No Deal?" (EMNLP 2017): a pool of items, private values with the same total for both
players, and nothing for anybody without agreement. The values of the two players are drawn independently.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import arena_scene
import attrs
from arena.chance import Chance
from arena.game import Decision, Form, Game, GameFacts, State
from arena.record import EVERYONE, Action, GameEvent, Player, quoted
from attrs.validators import deep_mapping, ge, instance_of, le, matches_re, max_len, min_len

from arena_game_negotiation.random_play import RANDOM_PLAY
from arena_game_negotiation.scene import negotiation_scene, shares_touches
from arena_game_negotiation.table import SEATS, Negotiating, listed
from arena_game_negotiation.values import ways


def _check_total(owner: "Negotiation", _: Any, total: int) -> None:
    if not ways(tuple(owner.items.values()), total):
        pool = listed(owner.items)
        raise ValueError(f"no values of {pool} come to {total} in all; choose another total or other items")


@attrs.frozen
class Negotiation(Game):
    """Divide a pool of items by proposals and decisions; neither player knows what they are worth to the other.

    Messages are told as one line of JSON.
    """

    items: Mapping[str, int] = attrs.field(
        factory=lambda: {"book": 2, "hat": 1, "ball": 3},
        validator=[
            min_len(2),
            max_len(6),
            deep_mapping(matches_re(r"[a-z][a-z -]{0,29}"), [instance_of(int), ge(1), le(9)]),
        ],
        metadata={"help": "the things to be divided, and how many there are of each"},
    )
    total: int = attrs.field(
        default=10,
        validator=[ge(1), le(30), _check_total],
        metadata={"help": "what all things together are worth to each player"},
    )
    rounds: int = attrs.field(default=4, validator=[ge(1), le(50)], metadata={"help": "proposals until it is over"})
    message_limit: int = attrs.field(
        default=300, validator=[ge(0), le(5_000)], metadata={"help": "longest message beside a proposal, in characters"}
    )

    @property
    def rules(self) -> str:
        return (
            f"A negotiation of two players over {listed(self.items)}. To each player every thing has a private value, "
            f"a whole number from 0 up; to each player all things together are worth {self.total}. Players know their "
            "own values alone. They take turns as proposer. The proposer says how many things of each kind it keeps; "
            f"the other player would get the rest. A message of at most {self.message_limit} characters may go with "
            "it. The other player then accepts or rejects. If it accepts, the things are divided so, the match is "
            "over, and each player earns what its things are worth to it. If it rejects, it proposes next. After "
            f"{self.rounds} rejected proposals the match is over and nobody earns anything."
        )

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The first seat makes the first proposal."""
        return SEATS

    def facts(self, players: int) -> GameFacts:
        """Values are hidden and drawn by chance; everything else is public."""
        plain = Negotiation(message_limit=self.message_limit)  # messages count for nothing
        return GameFacts(
            hidden_information=True,
            chance=True,
            messages=True,
            returns="general-sum",
            min_return=0.0,
            max_return=float(self.total),
            random=RANDOM_PLAY.get("negotiation") if self == plain else None,
            max_steps=2 * self.rounds,
            forfeit_return=0.0,
            others_return=0.0,
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        """A short text with values, offer and remaining proposals, and the same as a table."""
        return {"text": describe, "scene": lambda view: negotiation_scene(view, describe(view))}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Draw the values; each player learns only its own."""
        values = tuple(self.worth(chance, seat) for seat in SEATS)
        state = Negotiating(items=self.items, rounds=self.rounds, message_limit=self.message_limit, values=values)
        dealt = [GameEvent("values", {"worth": own}, (Player(p),)) for p, own in enumerate(values)]
        return state, [GameEvent("pool", {"items": dict(self.items)}, EVERYONE), *dealt]

    def worth(self, chance: Chance, seat: str) -> dict[str, int]:
        """Draw what one item of each kind is worth to a seat."""
        return dict(
            zip(
                self.items,
                chance.choice(f"values of {seat}", ways(tuple(self.items.values()), self.total)),
                strict=True,
            )
        )

    def touches(self, decision: Decision) -> "arena_scene.Touches":
        """A kind of things in the table is one more of it to keep."""
        return shares_touches(decision)

    def describe_action(self, decision: Decision, action: Action) -> str:
        """What a proposal gives to whom, and what the proposer's share is worth to it."""
        if decision.phase != "proposal":
            return ""
        seen, proposal = cast("Any", decision.observation), cast("Any", action)
        keeps = proposal["keep"]
        gives = {name: count - keeps[name] for name, count in seen["items"].items()}
        values = seen["worth"][SEATS[decision.player]]
        worth = sum(values[name] * count for name, count in keeps.items())
        said = f", and you say: {quoted(proposal['message'])}" if proposal.get("message") else ""
        other = SEATS[1 - decision.player]
        return f"you keep {listed(keeps)}, worth {worth} of {self.total}; {other} gets {listed(gives)}{said}"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data = cast("Any", event.data)
        match event.kind:
            case "pool":
                return f"To be divided: {listed(data['items'])}."
            case "values":
                whose = "You are dealt" if player is not None else f"{SEATS[cast('Any', event.to)[0]]} is dealt"
                return f"{whose} these values: {_worth(data['worth'])}."
            case "proposed":
                said = f" and says: {quoted(data['message'])}" if data["message"] else ""
                keeps, gives = listed(data["keeps"]), listed(data["gives"])
                return f"{SEATS[data['player']]} proposes to keep {keeps} and to give {gives}{said}."
            case "decided" if data["accepted"]:
                return f"{SEATS[data['player']]} accepts."
            case "decided":
                return f"{SEATS[data['player']]} rejects."
            case _:
                return super().describe_event(event, player)


def describe(observation: Any) -> str:
    """The visible values, the current offer, and how many proposals may follow."""
    lines = [f"To be divided: {listed(observation['items'])}."]
    for seat, worth in observation["worth"].items():
        lines.append(f"One is worth to {'you' if len(observation['worth']) == 1 else seat}: {_worth(worth)}.")
    if (offer := observation["offer"]) is not None:
        lines.append(f"{offer['by']} would keep {listed(offer['keeps'])} and give {listed(offer['gives'])}.")
    lines.append(f"Proposal {observation['round']} of {observation['rounds']}.")
    return "\n".join(lines)


def _worth(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
