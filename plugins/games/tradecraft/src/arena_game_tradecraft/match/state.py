"""One match of TradeCraft: whose turn it is, what players hold, and the effects of actions.

A turn is a proposal, the partner's answer, and a phase in which everybody crafts until done. All players craft at the
same time, and nobody sees the results before all are done; then fractions are rounded down and hands shown.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

import attrs
from arena.errors import RuleError
from arena.game import FORFEITED, Decision, Forfeited, Illegal, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

from arena_game_tradecraft.match import asking, judging, seeing
from arena_game_tradecraft.match.actions import Answer, Done, Proposal
from arena_game_tradecraft.match.position import Hand, Outcome, Position
from arena_game_tradecraft.rules.amounts import write_amounts
from arena_game_tradecraft.rules.crafting import Craft, apply_craft, floored


@attrs.define(eq=False)
class TradeState(Position, State):
    """A match in progress, with what its rules allow and do."""

    def decision(self, player: Player) -> Decision:
        """The decision of the current phase."""
        return asking.decision(self, player)

    def observe(self, player: Player | None) -> JSON:
        """Public hands, and what only ``player`` may see."""
        return seeing.observe(self, player)

    def observe_public(self) -> JSON:
        """Public hands, and who proposes."""
        return seeing.observe_public(self)

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Why the rules refuse ``action``, with a reason for each wrong part of it."""
        return judging.check(self, player, action)

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Apply a proposal, an answer, or one craft of each player who is still crafting."""
        meant, turn = self._meant(actions), self.turn
        events: list[GameEvent] = []
        for player in meant:
            if meant[player] is FORFEITED:
                self.gone.add(player)
                events.append(GameEvent("left", {"player": self.reader.seats[player]}, EVERYONE))
        if self.phase == "propose":
            events += self._propose(meant[cast("Player", self.proposer)])
        elif self.phase == "decide":
            events += self._answer(next(iter(meant.values())))
        else:
            events += self._craft(meant)
        self.note(turn, events)
        return events

    def begin(self) -> Sequence[GameEvent]:
        """Begin the first turn, or end the match if somebody holds its target from the start."""
        events = self._next_turn()
        self.note(0, events)
        return events

    def note(self, turn: int, events: Sequence[GameEvent]) -> None:
        """Add events to the log of ``turn``; those from the event that begins the next turn on are logged there."""
        for event in events:
            turn += event.kind == "turn"
            self.log.append((turn, event))

    def returns(self) -> Sequence[float] | None:
        if self.outcome is None:
            return None
        winners, scoring = self.outcome.winners, self.terms.scoring
        if not winners:
            if self.outcome.reason == "left":
                return [scoring.quit if p in self.gone else scoring.left for p in range(self.players)]
            return [scoring.nobody] * self.players
        earned = scoring.sole if len(winners) == 1 else scoring.shared
        return [earned if p in winners else scoring.loss for p in range(self.players)]

    def clone(self) -> "TradeState":
        """A copy that shares hands, which are replaced and never changed."""
        return attrs.evolve(
            self,
            hands=list(self.hands),
            shown=list(self.shown),
            crafts=list(self.crafts),
            done=set(self.done),
            gone=set(self.gone),
            log=list(self.log),
        )

    def _meant(self, actions: Mapping[Player, Action | Forfeited]) -> dict[Player, Any]:
        acting = self.to_act()
        if not acting or set(actions) != set(acting):
            raise RuleError(f"tradecraft: expected one action of each of {list(acting)}, got those of {list(actions)}")
        meant: dict[Player, Any] = {}
        for player in acting:
            action = actions[player]
            found = FORFEITED if action is FORFEITED else judging.judge(self, player, cast("JSON", action))
            if isinstance(found, Illegal):
                raise RuleError(f"tradecraft: player {player}: {found.reason}")
            meant[player] = found
        return meant

    def _propose(self, proposal: Proposal | Forfeited) -> list[GameEvent]:
        proposer = cast("Player", self.proposer)
        seats = self.reader.seats
        if proposal is FORFEITED or proposal.partner is None:
            passed = GameEvent("no-proposal", {"proposer": seats[proposer]}, EVERYONE)
            return [*([] if proposal is FORFEITED else [passed]), *self._start_crafting()]
        self.proposal, self.phase = proposal, "decide"
        content = {"proposer": seats[proposer], **self.reader.write_proposal(proposal)}
        return [
            GameEvent("proposed", {"proposer": seats[proposer]}, EVERYONE),
            GameEvent("proposal", content, _pair(proposer, proposal.partner)),
        ]

    def _answer(self, answer: Answer | Forfeited) -> list[GameEvent]:
        proposer, proposal = cast("Player", self.proposer), cast("Proposal", self.proposal)
        partner, seats = cast("Player", proposal.partner), self.reader.seats
        self.proposal = None
        accept = answer is not FORFEITED and answer.accept
        if accept:
            self.hands[proposer] = _moved(self.hands[proposer], proposal.offer, proposal.request)
            self.hands[partner] = _moved(self.hands[partner], proposal.request, proposal.offer)
            self.shown = list(self.hands)
            content = self.reader.write_proposal(proposal)
            del content["message"]
            told = GameEvent("accepted", {"proposer": seats[proposer], **content, "hands": self.public()}, EVERYONE)
        else:
            told = GameEvent("rejected", {"proposer": seats[proposer]}, EVERYONE)
        message = "" if answer is FORFEITED else answer.message
        reply = {"from": seats[partner], "accept": accept, "message": message}
        return [told, GameEvent("reply", reply, _pair(proposer, partner)), *self._start_crafting()]

    def _start_crafting(self) -> list[GameEvent]:
        if len(self.gone) >= self._fewest_gone:
            return self._end(Outcome("left"))
        self.phase, self.done, self.crafts = "craft", set(), [0] * self.players
        return [GameEvent("crafting", {"turn": self.turn}, EVERYONE)]

    @property
    def _fewest_gone(self) -> int:
        """The number of forfeits that ends the match: one if it ends when anybody quits, else all players."""
        return 1 if self.terms.quitting == "end" else self.players

    def _craft(self, meant: Mapping[Player, Craft | Done | Forfeited]) -> list[GameEvent]:
        events: list[GameEvent] = []
        for player, craft in meant.items():
            if isinstance(craft, Craft):
                self.crafts[player] += 1
                self.hands[player] = cast("Hand", apply_craft(self.hands[player], craft))
                events.append(GameEvent("crafted", self._told(player, craft), (player,)))
            else:
                self.done.add(player)
                if craft is not FORFEITED:
                    events.append(GameEvent("done", {"hand": write_amounts(self.hands[player])}, (player,)))
        if len(self.gone) >= self._fewest_gone:
            return events + self._end(Outcome("left"))
        if self.to_act():
            return events
        self.hands = [floored(hand) for hand in self.hands]
        self.shown = list(self.hands)
        return [*events, GameEvent("hands", {"hands": self.public()}, EVERYONE), *self._next_turn()]

    def _told(self, player: Player, craft: Craft) -> dict[str, JSON]:
        return {
            "kind": craft.recipe.kind,
            "inputs": write_amounts(craft.inputs),
            "output": {craft.recipe.output: craft.amount},
            "hand": write_amounts(self.hands[player]),
        }

    def _next_turn(self) -> list[GameEvent]:
        winners = tuple(p for p in self.present() if self.has_target(p))
        if winners:
            return self._end(Outcome("won", winners))
        if self.turn >= self.max_turns:
            return self._end(Outcome("turn-limit"))
        self.turn += 1
        here = [p for p in self.order if p not in self.gone]
        if len(here) == 1:
            self.proposer = None
            return [GameEvent("turn", {"turn": self.turn, "proposer": None}, EVERYONE), *self._start_crafting()]
        self.phase, self.proposer = "propose", self._proposer_after(self.proposer)
        return [GameEvent("turn", {"turn": self.turn, "proposer": self.reader.seats[self.proposer]}, EVERYONE)]

    def _proposer_after(self, last: Player | None) -> Player:
        start = 0 if last is None else self.order.index(last) + 1
        turned = (*self.order[start:], *self.order[:start])
        return next(p for p in turned if p not in self.gone)

    def _end(self, outcome: Outcome) -> list[GameEvent]:
        self.outcome, self.phase, self.proposal = outcome, "over", None
        return [GameEvent("over", seeing.result(self), EVERYONE)]


def _pair(one: Player, other: Player) -> tuple[Player, ...]:
    return tuple(sorted((one, other)))


def _moved(hand: Hand, out: Hand, come: Hand) -> Hand:
    after = {item: n for item, held in hand.items() if (n := held - out.get(item, 0))}
    for item, amount in come.items():
        after[item] = after.get(item, Fraction(0)) + amount
    return after
