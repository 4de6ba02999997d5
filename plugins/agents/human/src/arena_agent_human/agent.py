"""An agent that asks a person at the terminal for each action."""

import threading
from functools import partial

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Response, Seat
from arena.errors import StopRun
from arena.game import ABSENT, Decision, Illegal, Image
from arena.record import canonical_json

from arena_agent_human.reading import COMMANDS, Ask, HumanCommand, PlayCommand, Unclear, read
from arena_agent_human.terminal import TerminalPrompt


@attrs.frozen(kw_only=True)
class Human(Agent):
    """Asks a person at the terminal; what is typed is journaled, so a resumed match does not ask again."""

    form: str = attrs.field(default="text", metadata={"help": "the game's form of observation that is shown"})
    list_actions: bool = attrs.field(
        default=True, metadata={"help": "whether the legal actions are listed, with numbers that may be typed"}
    )

    def join(self, seat: Seat) -> PlayerAgent:
        return HumanPlayer(self, seat, TerminalPrompt())

    def forms(self) -> frozenset[str]:
        """The one form that is shown to the person."""
        return frozenset({self.form})


class HumanPlayer(PlayerAgent):
    """Asks one person during one match."""

    def __init__(self, agent: Human, seat: Seat, terminal: TerminalPrompt) -> None:
        self._agent = agent
        self._seat = seat
        self._terminal = terminal
        self._knows_rules = False
        self._shown = (-1, -1)

    async def act(self, decision: Decision) -> Response:
        """Show the position and ask until a line means exactly one action; unclear lines are no refusals."""
        abandoned = threading.Event()
        try:
            while True:
                # Only a line that means something is handed out and journaled, and none that says goodbye.
                line = await self._seat.once("input", partial(self._ask, decision, abandoned))
                meant = self._read(str(line), decision)
                if isinstance(meant, PlayCommand):
                    return Reply(action=meant.action)
                if isinstance(meant, Ask):
                    await self._look_up(meant)
        finally:
            abandoned.set()

    async def _look_up(self, wanted: Ask) -> None:
        found = await self._seat.query(wanted.query, wanted.arguments)
        if isinstance(found, Illegal):
            self._terminal.complain(found.reason)
        else:
            self._terminal.say(canonical_json(found))

    def _read(self, line: str, decision: Decision) -> PlayCommand | Ask | HumanCommand | Unclear:
        return read(line, decision, is_numbered=self._agent.list_actions)

    def _ask(self, decision: Decision, abandoned: threading.Event) -> str:
        """Show what there is to see and read until a line means something; runs in a thread."""
        self._terminal.take(abandoned)
        try:
            self._show(decision)
            while True:
                line = self._terminal.line(f"{self._seat.name}>", abandoned)
                match self._read(line, decision):
                    case HumanCommand(name):
                        self._obey(name, decision)
                    case Unclear(problem):
                        self._terminal.complain(f"{problem}; type ? for the legal actions")
                    case _:
                        return line
        finally:
            self._terminal.release()

    def _show(self, decision: Decision) -> None:
        if self._shown == (decision.turn, decision.attempt):
            return
        if not self._knows_rules:
            self._knows_rules = True
            self._obey("rules", decision)
            self._obey("help", decision)
        if self._shown[0] != decision.turn:
            self._news(decision)
            self._obey("look", decision)
            self._list(decision, is_asked=False)
        self._shown = (decision.turn, decision.attempt)
        for rejected in decision.rejected[-1:]:
            tried = "" if rejected.action is ABSENT else f"{canonical_json(rejected.action)}: "
            self._terminal.complain(f"refused: {tried}{rejected.reason}")

    def _news(self, decision: Decision) -> None:
        told = [self._seat.game.describe_event(event, self._seat.player) for event in decision.news]
        if any(told):
            self._terminal.title("What happened")
            self._terminal.say("\n".join(filter(None, told)))

    def _obey(self, command: str, decision: Decision) -> None:
        match command:
            case "quit":
                raise StopRun(f"the person playing {self._seat.name} has left")
            case "rules":
                seats = ", ".join(self._seat.game.seats(self._seat.players))
                self._terminal.title(f"You are {self._seat.name} (players: {seats})")
                self._terminal.say(self._seat.rules.strip())
            case "help":
                self._terminal.title("What you can type")
                how = "an action by its number, its words, or as JSON" if decision.options else "an action as JSON"
                self._terminal.say(f"  {how}\n" + "\n".join(f"  {name:6}{what}" for name, what in COMMANDS.items()))
            case "look":
                seen = decision.render(self._agent.form)
                self._terminal.title("What you see")
                self._terminal.say(seen.alt or "(a picture)" if isinstance(seen, Image) else seen)
            case _:
                self._list(decision, is_asked=True)

    def _list(self, decision: Decision, *, is_asked: bool) -> None:
        if decision.options is None:
            self._terminal.title("Your action is JSON that fits this schema")
            said = decision.render("schema") if "schema" in decision.forms else None
            self._terminal.say(said if isinstance(said, str) else canonical_json(decision.schema))
        elif self._agent.list_actions or is_asked:
            self._terminal.title("Your actions")
            numbered = enumerate(decision.options, start=1)
            lines = (f"{n:4}  {o.label}" if self._agent.list_actions else f"  {o.label}" for n, o in numbered)
            self._terminal.say("\n".join(lines))
        for query in decision.queries:
            self._terminal.say(f"  ask {query.name} …   {query.summary} (arguments: {canonical_json(query.schema)})")
