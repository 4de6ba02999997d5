"""A player of Diplomacy that plays like the greedy one, and makes and keeps simple pacts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import Decision, Game
from arena.record import Action
from arena_game_diplomacy import Position
from arena_game_diplomacy.match.pacts import Agreement, Statement, agreements, judge_pact, write
from attrs.validators import ge, le

from arena_agent_diplomacy.greedy import greedy_orders
from arena_agent_diplomacy.keeping import Terms, bound_orders
from arena_agent_diplomacy.negotiator import Negotiator
from arena_agent_diplomacy.observation import SeenPosition, require_diplomacy


@attrs.frozen(kw_only=True)
class DiplomacyChatty(Agent):
    """Plays like ``diplomacy-greedy``, and makes simple pacts by the fixed sentences of the game's module ``pacts``.

    It offers peace to its neighbours but the nearest, asks friends for support, agrees to what it can do beside all it
    has agreed to, and keeps its word, unless ``breaks`` has it break a pact on purpose. Who breaks a pact with it gets
    no other, and everybody is told. It declares whom it is about to attack, and trusts others by how they kept theirs.
    """

    breaks: float = attrs.field(
        default=0.0,
        validator=[ge(0), le(1)],
        metadata={"help": "how likely it breaks an agreement that binds it, in each phase; 0: never"},
    )

    def join(self, seat: Seat) -> PlayerAgent:
        return ChattyPlayer(seat.rng, self.breaks)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` unless the game is Diplomacy; requires nothing of a backend."""
        require_diplomacy("diplomacy-chatty", game)
        return {}


@attrs.define(eq=False)
class ChattyPlayer(PlayerAgent):
    """Plays one match; remembers in how many phases each power kept or broke an agreement with it."""

    _rng: Random
    _breaks: float
    _kept: Counter[str] = attrs.field(factory=Counter[str], init=False)
    _broken: Counter[str] = attrs.field(factory=Counter[str], init=False)
    _to_accuse: list[tuple[str, str]] = attrs.field(factory=list[tuple[str, str]], init=False)
    _last: Position | None = attrs.field(default=None, init=False)

    async def act(self, decision: Decision) -> Reply:
        seen = SeenPosition.read(decision.observation)
        made = agreements(seen.view["messages"], seen.position.board.powers)
        self._remember(seen, made)
        if decision.phase == "negotiate":
            return Reply(action=cast("Action", self._talk(seen, made)))
        if decision.phase == "orders":
            terms = Terms.drawn(made, seen, self._breaks, self._rng)
            return Reply(action=seen.action(bound_orders(seen, terms, self._rng)))
        return Reply(action=seen.action(greedy_orders(seen, seen.side(), self._rng)))

    def _remember(self, seen: SeenPosition, made: tuple[Agreement, ...]) -> None:
        """Hold the orders of the movement phase that is over against what others had agreed to; once for each phase."""
        for result in seen.view["results"]:
            if self._last is None or result["phase"] != self._last.phase:
                continue
            orders = {power: [one["order"] for one in given] for power, given in result["orders"].items()}
            for agreement in made:
                if agreement.partner not in seen.own or agreement.bound in seen.own:
                    continue
                if verdict := judge_pact(agreement, self._last, orders):
                    (self._kept if verdict.is_kept else self._broken)[agreement.bound] += 1
                    if not verdict.is_kept:
                        self._to_accuse.append((agreement.partner, agreement.bound))
            self._last = None
        if seen.position.kind == "M":
            self._last = seen.position

    def _talk(self, seen: SeenPosition, made: tuple[Agreement, ...]) -> dict[str, Any]:
        """The messages of one round, and in the first one of a phase what it declares."""
        in_force = tuple(agreement for agreement in made if agreement.in_force(seen.position.phase))
        messages: list[dict[str, Any]] = []
        foes: set[str] = set()
        for power in seen.own:
            accusations = [f"{culprit} has broken a pact." for culprit in self._accused(power)]
            public = [{"from": power, "to": ["GLOBAL"], "text": text} for text in accusations]
            negotiator = Negotiator(seen, power, in_force, frozenset(self._broken), self._rng)
            private = [
                {"from": power, "to": [partner], "text": text}
                for partner, statements in negotiator.sentences().items()
                if (text := fitted(statements, seen.view["message_limit"]))
            ]
            messages += (public + private)[: seen.view["messages_per_round"]]
            foes.add(negotiator.foe)
        said: dict[str, Any] = {"messages": messages}
        if seen.view["round"] == 1:
            goal = f"Take centres of {', '.join(sorted(foes - {''})) or 'powers that only hold'}, and keep the pacts."
            said |= {"strategy": goal[: seen.view["message_limit"]], "trust": [self._trust(p) for p in seen.others]}
        return said

    def _accused(self, power: str) -> list[str]:
        """Those who have broken a pact with one of its powers since the last talk; nobody is accused twice for it."""
        culprits = [culprit for partner, culprit in self._to_accuse if partner == power]
        self._to_accuse = [(partner, culprit) for partner, culprit in self._to_accuse if partner != power]
        return list(dict.fromkeys(culprits))

    def _trust(self, power: str) -> dict[str, str]:
        kept, broken = self._kept[power], self._broken[power]
        level = "low" if broken else "high" if kept else "medium"
        return {"power": power, "level": level, "why": f"Pacts kept: {kept}, broken: {broken}."}


def fitted(statements: Iterable[Statement], limit: int) -> str:
    """The sentences of as many statements as have room in a message of so many characters, those said first first."""
    text = ""
    for statement in statements:
        longer = f"{text} {write(statement)}".strip()
        text = longer if len(longer) <= limit else text
    return text
