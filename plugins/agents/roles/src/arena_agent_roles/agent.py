"""An agent that is made of several roles."""

from collections import Counter
from collections.abc import Mapping

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, Reply, Response, Seat
from arena.backend import Backend
from arena.chance import Chance
from arena.errors import ConfigError, RuleError
from arena.game import Decision, Game
from arena.record import quoted
from arena_agent_llm.data_files import DataFiles
from attrs.validators import ge

from arena_agent_roles import persona
from arena_agent_roles.actor import RoleRunner
from arena_agent_roles.history import EventHistory
from arena_agent_roles.role import Role, RolePrompt
from arena_agent_roles.router import Router, problem


def _check_routes(_owner: object, _field: object, routes: Mapping[str, tuple[str, ...]]) -> None:
    if wrong := problem(routes):
        raise ValueError(wrong)


def _check_roles(agent: "Roles", _field: object, roles: Mapping[str, Role]) -> None:
    routed = Router(agent.routes).names() | ({agent.historian} if agent.historian else set())
    if strangers := sorted(roles.keys() - routed):
        raise ValueError(f"{strangers[0]!r} takes part in no route (there is: {', '.join(sorted(routed))})")
    historian = roles.get(agent.historian)
    if historian and not any("condense" in part.names for part in historian.prompt.compiled().parts):
        raise ValueError(f"{agent.historian!r}: no part of its prompt shows $condense; use the style 'historian'")


@attrs.frozen(kw_only=True)
class Roles(Agent):
    """Runs the roles of a decision's phase one after another; the last of them acts, or refuses with a reason."""

    backend: Backend = attrs.field(metadata={"help": "the model of every role that has none of its own"})
    routes: Mapping[str, tuple[str, ...]] = attrs.field(
        validator=_check_routes,
        metadata={"help": "roles by phase ('*': any other); the last one acts, those before it write notes"},
    )
    historian: str = attrs.field(
        default="", metadata={"help": "a role that condenses the history when it gets too long; unset: it is cut"}
    )
    roles: Mapping[str, Role] = attrs.field(
        factory=dict[str, Role], validator=_check_roles, metadata={"help": "the settings of each role"}
    )
    persona: str | None = attrs.field(
        default=None,
        validator=persona.check,
        metadata={
            "help": "how the others are treated: a shipped one, the path of a .yaml file, or PACKAGE:FILE.yaml",
            "names_file": lambda given: DataFiles.is_path(given["persona"] or ""),
            "file_use": "sent",
        },
    )
    history_limit: int = attrs.field(
        default=6_000, validator=ge(100), metadata={"help": "characters of the history that a role is shown"}
    )
    round_key: str = attrs.field(
        default="",
        metadata={
            "help": "a key of the observation; where its value changes, a new phase has begun for notes and budgets"
        },
    )

    def join(self, seat: Seat) -> PlayerAgent:
        return RolesPlayer(self, seat)

    def roles_with_backends(self) -> dict[str, tuple[Role, Backend]]:
        """Every role that takes part, by name, with the backend of the model that plays it."""
        names = [*dict.fromkeys(name for route in self.routes.values() for name in route)]
        if self.historian and self.historian not in names:
            names.append(self.historian)
        unset = {self.historian: Role(prompt=RolePrompt(style="historian"))} if self.historian else {}
        roles = {name: self.roles.get(name) or unset.get(name) or Role() for name in names}
        return {name: (role, role.backend or self.backend) for name, role in roles.items()}

    def backends(self) -> Mapping[str, Backend]:
        """The backends of all roles that take part, by the field that names them."""
        return {self._field(role, name): backend for name, (role, backend) in self.roles_with_backends().items()}

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Collect what the roles require of each backend; ``ConfigError`` if the first decision has no route."""
        state, _ = game.start(Chance(0), players)
        for player in state.to_act():
            try:
                Router(self.routes).route(state.decision(player).phase)
            except RuleError as error:
                raise ConfigError(str(error)) from None
        needed: dict[str, frozenset[str]] = {}
        for name, (role, _) in self.roles_with_backends().items():
            field = self._field(role, name)
            needed[field] = needed.get(field, frozenset()) | role.abilities(game, players)
        return needed

    def forms(self) -> frozenset[str]:
        """The forms that the roles' prompts show."""
        return frozenset(role.prompt.form for role, _ in self.roles_with_backends().values())

    def _field(self, role: Role, name: str) -> str:
        return f"roles.{name}.backend" if role.backend else "backend"


class RolesPlayer(PlayerAgent):
    """Plays one seat of one match with a runner for each role."""

    def __init__(self, agent: Roles, seat: Seat) -> None:
        known = persona.load(agent.persona) if agent.persona else None
        self._agent = agent
        self._router = Router(agent.routes)
        self._persona = known
        self._actors = {
            name: RoleRunner(name, role, backend, seat, known)
            for name, (role, backend) in agent.roles_with_backends().items()
        }
        self._history = EventHistory(lambda event: seat.game.describe_event(event, seat.player), agent.history_limit)
        self._notes: dict[str, str] = {}
        self._stale: set[str] = set()
        self._asked: Counter[str] = Counter()
        self._turn = -1
        self._stretch: object = None
        self._answered = ""

    async def act(self, decision: Decision) -> Response:
        """Run each role of the route; when a try is repeated, the notes of the turn are kept."""
        if decision.turn != self._turn:
            self._begin(decision)
        elif self._answered:
            self._actors[self._answered].update(decision, is_new_phase=False)
        *advisers, last = self._router.route(decision.phase)
        if refused := await self._condensed(decision):
            return refused
        for name in advisers:
            if name in self._notes and name not in self._stale:
                continue
            self._answered = name
            found = await self._actors[name].write(decision, self._history, self._notes, self._asked)
            if isinstance(found, Refusal):
                return self._refused(found, name, advisers[: advisers.index(name)])
            self._notes[name] = found.text
            self._stale.discard(name)
        self._answered = last
        turn = await self._actors[last].play(decision, self._history, self._notes, self._asked)
        return self._refused(turn, last, advisers) if isinstance(turn, Refusal) else self._signed(turn, last, advisers)

    def _begin(self, decision: Decision) -> None:
        self._turn = decision.turn
        self._answered = ""
        self._asked.clear()
        self._history.update(decision)
        seen = decision.observation
        stretch = (decision.phase, seen.get(self._agent.round_key) if isinstance(seen, Mapping) else None)
        is_new = stretch != self._stretch
        for name, actor in self._actors.items():
            actor.update(decision, is_new_phase=is_new)
            if actor.role.lasts == "turn" or is_new:
                self._stale.add(name)
        self._stretch = stretch

    async def _condensed(self, decision: Decision) -> Refusal | None:
        """Let the historian condense the events that do not fit; ``None`` if nothing went wrong."""
        if not self._agent.historian or not (record := self._history.overflow()):
            return None
        found = await self._actors[self._agent.historian].condense(decision, self._history, record)
        if isinstance(found, Refusal):
            return self._refused(found, self._agent.historian, [])
        self._history.condense(quoted(found.text))
        return None

    def _refused(self, refusal: Refusal, name: str, advisers: list[str]) -> Refusal:
        return attrs.evolve(refusal, note={"role": name, "notes": self._written(advisers)})

    def _written(self, advisers: list[str]) -> dict[str, str]:
        return {each: self._notes[each] for each in advisers}

    def _signed(self, turn: Reply, name: str, advisers: list[str]) -> Reply:
        assert isinstance(turn.note, Mapping)  # whoever reads an action says how
        actor = self._actors[name]
        return attrs.evolve(
            turn,
            note={
                **turn.note,
                "role": name,
                "persona": self._persona.name if self._persona else None,
                "notes": self._written(advisers),
                "parts": actor.version,
                "form": actor.role.prompt.form,
            },
        )
