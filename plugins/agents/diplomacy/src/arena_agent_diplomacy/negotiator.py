"""What a player says in fixed sentences: whom it offers peace, what it asks for, and what it agrees to."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Final

import attrs
from arena_game_diplomacy.match.pacts import Agreement, Pact, Stance, Statement, read
from arena_game_diplomacy.rules.notation import parse_order

from arena_agent_diplomacy.keeping import supporters
from arena_agent_diplomacy.movement import OrderPlan
from arena_agent_diplomacy.observation import SeenPosition
from arena_agent_diplomacy.values import DECAY, Side, distances

NEAR: Final = 3
"""Within how many moves of an own unit a power has a centre if it is offered peace."""

_BINDING: Final[frozenset[Stance]] = frozenset({"propose", "promise", "agree"})
_KINDS: Final = ("peace", "empty", "support")

Said = Mapping[tuple[str, Pact], Stance]
"""What was said last in a phase, by the power that said it or that it was said to, and by pact."""


@attrs.frozen
class Negotiator:
    """One power of a player in one round of negotiation, with what is in force and whom it does not trust."""

    seen: SeenPosition
    power: str
    in_force: tuple[Agreement, ...]
    distrusted: frozenset[str]
    rng: Random

    def sentences(self) -> dict[str, list[Statement]]:
        """What the power says to whom: answers first, then what it proposes and asks for itself."""
        found: dict[str, list[Statement]] = {}
        said, received, foe = dict(self._said()), self._received(), self.foe
        for (partner, pact), stance in sorted(received.items(), key=lambda item: _KINDS.index(item[0][1].kind)):
            if stance in ("propose", "request") and (partner, pact) not in said:
                answer = "agree" if self._accepts(partner, pact, stance, said, foe) else "refuse"
                said[partner, pact] = answer
                found.setdefault(partner, []).append(Statement(answer, pact))
        for partner, pact, stance in self._offers(said, received, foe):
            if (partner, pact) not in said and (partner, pact) not in received:
                said[partner, pact] = stance
                found.setdefault(partner, []).append(Statement(stance, pact))
        return found

    @property
    def friends(self) -> frozenset[str]:
        """The powers with which this one has agreed to keep the peace."""
        return frozenset(a.partner for a in self.in_force if a.bound == self.power and a.pact.kind == "peace")

    @property
    def foe(self) -> str:
        """The power whose centres are nearest, whom it does not offer peace; empty if that power only holds."""
        scores = {
            power: self._nearness(power)
            for power in (*self.seen.others, *self.seen.passive)
            if power not in self.friends and self._nearness(power) > 0
        }
        foe = max(sorted(scores), key=lambda power: scores[power], default="")
        return foe if foe in self.seen.others else ""

    def _nearness(self, power: str) -> float:
        return sum(DECAY**far for far in self._distances(power))

    def _distances(self, power: str) -> Iterator[int]:
        """How many moves the nearest own unit needs to each centre of a power, of those that it can get to."""
        position = self.seen.position
        for centre in (position.centres or {}).get(power, ()):
            ways = [distances(position.board, unit).get(centre) for unit in position.units[self.power]]
            if found := [far for far in ways if far is not None]:
                yield min(found)

    def _said(self) -> Said:
        return {
            (partner, statement.pact): statement.stance
            for writer, recipients, statement in self._statements()
            if writer == self.power
            for partner in recipients
        }

    def _received(self) -> Said:
        return {
            (writer, statement.pact): statement.stance
            for writer, recipients, statement in self._statements()
            if writer in self.seen.others and self.power in recipients
        }

    def _statements(self) -> Iterator[tuple[str, Iterable[str], Statement]]:
        """Who said what to whom in this phase."""
        for message in self.seen.view["messages"]:
            if message["phase"] == self.seen.position.phase:
                to = (*self.seen.others, self.power) if "GLOBAL" in message["to"] else message["to"]
                for statement in read(message["text"]):
                    yield message["from"], to, statement

    def _expected(self, said: Said) -> Side:
        """Its side as it will be if others agree to all that it has offered."""
        kept = [(a.partner, a.pact) for a in self.in_force if a.bound in self.seen.own]
        kept += [(partner, pact) for (partner, pact), stance in said.items() if stance in _BINDING]
        friends = frozenset(partner for partner, pact in kept if pact.kind == "peace")
        return self.seen.side(friends, frozenset(name for _, pact in kept for name in pact.provinces))

    def _accepts(self, partner: str, pact: Pact, stance: Stance, said: Said, foe: str) -> bool:
        """Whether it agrees: to peace with any but its foe, and to what it can do beside all that it has agreed to."""
        if partner == foe or partner in self.distrusted:
            return False
        promised = {p.target[:3] for (_, p), s in said.items() if p.kind == "support" and s in _BINDING}
        match pact.kind:
            case "peace":
                closed = self.seen.side(frozenset({partner})).closed
                return not promised & closed
            case "empty":
                wanted = {unit[2:5] for unit in self.seen.side().units} | self.seen.side().pulls().keys()
                return not set(pact.provinces) & (wanted | promised)
            case "support":
                return stance == "request" and not promised and self._can_support(partner, pact, said)

    def _can_support(self, partner: str, pact: Pact, said: Said) -> bool:
        position, expected = self.seen.position, self._expected(said)
        asked = {p.unit: p.target for (_, p), s in said.items() if s == "request"}
        centres = {name for name, power in expected.owners.items() if power in expected.own}
        own = centres | {unit[2:5] for unit in expected.units}
        if pact.unit not in position.units[partner] or pact.target[:3] in own | expected.closed | set(asked.values()):
            return False
        return any(unit not in asked for unit in supporters(self.seen, self.power, pact))

    def _offers(self, said: Said, received: Said, foe: str) -> Iterator[tuple[str, Pact, Stance]]:
        year = f"F{self.seen.position.year:04}"
        for partner in self.seen.others:
            if partner == foe or partner in self.distrusted:
                continue
            if partner in self.friends:
                yield from self._requests(partner, said)
            elif min(self._distances(partner), default=NEAR + 1) <= NEAR:
                yield partner, Pact("peace", until=year), "propose"
                if border := self._border(partner):
                    yield partner, Pact("empty", (border,), until=year), "propose"

    def _border(self, partner: str) -> str:
        """An empty province without a centre to which both powers could move; of several that near most own centres."""
        position = self.seen.position
        board, units = position.board, position.units
        reach = [{p for unit in units[power] for p in board.reach[unit]} for power in (self.power, partner)]
        shared = (reach[0] & reach[1]) - position.occupied.keys() - set(board.centres)
        own = (position.centres or {}).get(self.power, ())
        return max(sorted(shared), key=lambda name: sum(board.distances[name][c] == 1 for c in own), default="")

    def _requests(self, partner: str, said: Said) -> Iterator[tuple[str, Pact, Stance]]:
        """The support that it asks of a friend for a move that it would make and others may resist.

        It asks once in a phase, and not if it has promised support itself, with units that might then be missing.
        """
        if any(pact.kind == "support" and stance != "refuse" for (_, pact), stance in said.items()):
            return
        side, position = self._expected(said), self.seen.position
        for text in OrderPlan(side, self.seen.choices, self.rng).complete().values():
            order = parse_order(position.board, text)
            if order.kind != "move" or order.target is None or order.unit not in position.units[self.power]:
                continue
            province = position.board.province_of[order.target]
            resisted = province in position.occupied or side.rivals.get(province, 0) > 0
            if resisted and any(province in position.board.reach[unit] for unit in position.units[partner]):
                yield partner, Pact("support", (), order.unit, province), "request"
                return
