"""The dialogue by plain lines, for terminals without keys and for programs that type."""

import json
import threading

from arena.agent import Seat
from arena.errors import StopRun
from arena.game import ABSENT, Decision, Illegal
from arena.record import JSON
from arena_scene import reason_words, said

from arena_agent_human.memory import MatchMemory
from arena_agent_human.position import SeenPosition, answer_lines
from arena_agent_human.reading import COMMANDS, Ask, HumanCommand, PlayCommand, Unclear, plain_label, read, recorded
from arena_agent_human.terminal import TerminalPrompt


class LineDialogue:
    """Shows and asks line by line; one line means one thing, as ``arena_agent_human.reading`` says."""

    def __init__(
        self, form: str, lists_actions: bool, seat: Seat, terminal: TerminalPrompt, memory: MatchMemory
    ) -> None:
        self._form, self._lists_actions, self._seat = form, lists_actions, seat
        self._terminal, self._memory = terminal, memory
        self._has_begun = False
        self._shown = (-1, -1)
        self._told_queries: set[str] = set()
        self._decision: Decision | None = None

    def answered(self, query: str, answer: JSON | Illegal) -> None:
        """Show the answer of a look-up."""
        if isinstance(answer, Illegal):
            self._terminal.complain(answer.reason)
        else:
            assert self._decision is not None  # one looks something up for a decision
            told = answer_lines(self._seat.game, self._decision, query, answer, self._terminal.looks)
            self._terminal.say("\n".join(told))

    def ask(self, decision: Decision, abandoned: threading.Event) -> JSON:
        """Show what there is to see and read until a line means something; runs in a thread."""
        self._decision = decision
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
                    case meant:
                        return recorded(meant)
        finally:
            self._terminal.release()

    def _read(self, line: str, decision: Decision) -> PlayCommand | Ask | HumanCommand | Unclear:
        numbers = self._memory.numbers if self._lists_actions else None
        return read(line, decision, numbers, self._seen(decision).squares)

    def _show(self, decision: Decision) -> None:
        if self._shown == (decision.turn, decision.attempt):
            return
        if not self._has_begun:
            self._has_begun = True
            self._begin()
        if self._shown[0] != decision.turn:
            self._news()
            self._obey("look", decision)
            self._list(decision, is_asked=False)
        self._shown = (decision.turn, decision.attempt)
        for rejected in decision.rejected[-1:]:
            tried = "" if rejected.action is ABSENT else f"{said(rejected.action)}: "
            self._terminal.complain(f"refused: {tried}{reason_words(rejected.reason)}")

    def _begin(self) -> None:
        """Say who plays in two lines; rules and help are shown when somebody asks for them."""
        others = [name for player, name in enumerate(self._seat.agents or ()) if player != self._seat.player]
        against = f", against {', '.join(dict.fromkeys(others))}" if others else ""
        seats = ", ".join(self._seat.game.seats(self._seat.players))
        self._terminal.title(f"{self._seat.game.title}: you are {self._seat.name} (players: {seats}){against}")
        self._terminal.say("Type rules for the rules, help for what you can type.")

    def _news(self) -> None:
        if self._memory.news:
            self._terminal.title("What happened")
            self._terminal.say("\n".join(self._memory.news))

    def _obey(self, command: str, decision: Decision) -> None:
        match command:
            case "quit":
                raise StopRun(f"the person playing {self._seat.name} has left")
            case "rules":
                self._terminal.title("Rules")
                self._terminal.say(self._seat.rules.strip())
            case "help":
                self._terminal.title("What you can type")
                how = "an action by its name, a beginning of it, its number, or as JSON"
                how = how if decision.options is not None else "an action as JSON"
                self._terminal.say(f"  {how}\n" + "\n".join(f"  {name:6}{what}" for name, what in COMMANDS.items()))
            case "look":
                self._terminal.title("What you see")
                seen = self._seen(decision)
                self._terminal.draw(seen.lines(self._terminal.looks))
                if problem := seen.problem(self._terminal.looks):
                    self._complain_once(problem)
            case _:
                self._list(decision, is_asked=True)

    def _seen(self, decision: Decision) -> SeenPosition:
        return SeenPosition(self._seat, decision, self._form)

    def _complain_once(self, problem: str) -> None:
        if problem not in self._memory.problems:
            self._memory.problems.add(problem)
            self._terminal.complain(problem)

    def _list(self, decision: Decision, *, is_asked: bool) -> None:
        if decision.options is None:
            self._terminal.title("Your action is JSON that fits this schema")
            said = decision.render("schema") if "schema" in decision.forms else None
            self._terminal.say(said if isinstance(said, str) else _spaced(decision.schema))
        elif self._lists_actions or is_asked:
            self._terminal.title("Your actions")
            of = self._memory.numbers.of
            lines = (
                f"{of(o.action):4}  {plain_label(o)}" if self._lists_actions else f"  {plain_label(o)}"
                for o in decision.options
            )
            self._terminal.say("\n".join(lines))
        self._list_queries(decision, is_asked=is_asked)

    def _list_queries(self, decision: Decision, *, is_asked: bool) -> None:
        """Say what can be looked up: in full the first time and when somebody asks, else by name."""
        known = [] if is_asked else [query.name for query in decision.queries if query.name in self._told_queries]
        for query in decision.queries:
            if query.name not in known:
                self._told_queries.add(query.name)
                self._terminal.say(f"  ask {query.name} …   {query.summary} (arguments: {_spaced(query.schema)})")
        if known:
            self._terminal.say(f"  ask NAME JSON: {', '.join(known)}; ? says what they are")


def _spaced(value: JSON) -> str:
    """JSON with spaces, so that its lines are broken between words."""
    return json.dumps(value, ensure_ascii=False)
