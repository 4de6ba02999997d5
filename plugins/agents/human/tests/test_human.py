"""A person at a terminal, typed for by the tests."""

import asyncio
import io
import os
import pty
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import attrs
import pytest
from arena.agent import Reply, Seat
from arena.chance import Chance
from arena.errors import JournalError, StopRun
from arena.game import Decision, Game, GameFacts, Illegal, Image, Options, PlayerView, Query, Rejected, State
from arena.record import JSON, GameEvent, Player, canonical_json, derive_rng
from arena_agent_human import HUMAN
from arena_agent_human.agent import Human, HumanPlayer
from arena_agent_human.numbers import ActionNumbers
from arena_agent_human.reading import (
    Ask,
    HumanCommand,
    PlayCommand,
    Unclear,
    read,
    read_recorded,
    recorded,
)
from arena_agent_human.terminal import TerminalPrompt, in_use
from arena_agent_human.waiting import WaitingLine
from arena_agent_human.wording import as_table
from arena_engine.match.calling import in_thread

LABELS = {0: "rock", 1: "paper", 2: "scissors"}


class Hands(State):
    def to_act(self) -> Sequence[Player]:
        return (Player(0), Player(1))

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, options=Options([0, 1, 2], LABELS.__getitem__))

    def observe(self, player: Player | None) -> JSON:
        return "round [bold]1[/bold] :smile:"

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        return ()

    def returns(self) -> None:
        return None


@attrs.frozen
class RockPaperScissors(Game):
    rules = "Rock beats scissors."

    @property
    def forms(self) -> Mapping[str, Any]:
        return {"text": str, "image": lambda seen: Image("image/png", b"", "a rock")}

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts()

    def seats(self, players: int) -> Sequence[str]:
        return ("LEFT", "RIGHT")

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Hands(), ()

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        return f"{event.data}!"


@attrs.define(eq=False)
class Person:
    """A seat, what is typed at it, and what was shown; ``kept`` is what the journal would hold."""

    seat: Seat
    screen: io.StringIO
    kept: list[JSON]

    def sit(self, typed: str, **settings: Any) -> HumanPlayer:
        return HumanPlayer(Human(**settings), self.seat, TerminalPrompt(io.StringIO(typed), self.screen))

    @property
    def shown(self) -> str:
        return self.screen.getvalue()


@pytest.fixture
def person() -> Person:
    kept: list[JSON] = []

    async def once(name: str, function: Callable[[], JSON]) -> JSON:
        assert name == "input"
        kept.append(await in_thread(function))
        return kept[-1]

    async def query(name: str, arguments: JSON, *, reasoning: str = "", note: JSON = None) -> JSON | Illegal:
        return Illegal("unknown-query", "there is no such query") if name != "beats" else [arguments, "scissors"]

    game = RockPaperScissors()
    seat = Seat(
        player=Player(0),
        players=2,
        name="LEFT",
        game=game,
        rules=game.rules,
        completions=None,  # type: ignore[arg-type]
        query=query,
        once=once,
        resample_hidden=lambda _: None,
        make_rng=lambda: derive_rng("agent", 0),
    )
    return Person(seat, io.StringIO(), kept)


def decide(**more: Any) -> Decision:
    decision = Hands().decision(Player(0))
    said = {name: more.pop(name, getattr(decision, name)) for name in signature(Decision).parameters}
    return Decision(**said).asked(PlayerView(Hands(), Player(0)), forms=RockPaperScissors().forms, **more)


def met(decision: Decision) -> ActionNumbers:
    """The numbers of actions of a match that begins with this decision."""
    numbers = ActionNumbers()
    if decision.options is not None:
        numbers.meet(decision.options)
    return numbers


SCHEMA = {"options": None, "action_schema": {"type": "object"}}
TEXT = {"options": None, "action_schema": {"type": "string"}}
BEATS = {"queries": (Query(name="beats", summary="what it beats", schema={"type": "string"}, answer=canonical_json),)}
COLUMNS = {"options": Options([2, 3, 4], lambda action: f"column {'ABCDEFG'[action]}")}
MOVES = {"options": Options([0, 1, 2], {0: "e2e3", 1: "e2e4", 2: "g1f3"}.__getitem__)}
CHESS = {"options": Options([7, 8], {7: "Bxc3", 8: "b4"}.__getitem__)}
ODD = {"options": Options([5, "b", 0], {5: "help", "b": "go", 0: '"b"'}.__getitem__)}


@pytest.mark.parametrize(
    ("line", "more", "meant"),
    [
        ("1", {}, PlayCommand(0)),
        ("3", {}, PlayCommand(2)),
        ("rock", {}, PlayCommand(0)),
        (" Rock ", {}, PlayCommand(0)),
        ("help", {}, HumanCommand("help")),
        (":quit", {}, HumanCommand("quit")),
        ("?", {}, HumanCommand("?")),
        ("help", ODD, PlayCommand(5)),
        ('"b"', ODD, PlayCommand(0)),
        (":help", ODD, HumanCommand("help")),
        ("Bxc3", CHESS, PlayCommand(7)),
        ("7", {"options": Options([[1], [2]])}, Unclear("there is no action 7")),
        ("[2]", {"options": Options([[1], [2]])}, PlayCommand([2])),
        ('{"bid": 3}', SCHEMA, PlayCommand({"bid": 3})),
        ("hello", TEXT, PlayCommand("hello")),
        ('"hello"', TEXT, PlayCommand("hello")),
        ("12", TEXT, PlayCommand("12")),
        ('ask beats "rock"', BEATS, Ask("beats", "rock")),
        ("ask beats", BEATS, Ask("beats", None)),
    ],
)
def test_what_a_line_means(line, more, meant):
    """Numbers, labels, JSON, commands and look-ups are told apart."""
    decision = decide(**more)

    assert read(line, decision, met(decision)) == meant


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("", {}), ("0", {}), ("4", {}), ("9" * 9_999, {}), ("well", {}), ("bxc3", CHESS), ("hi", SCHEMA),
        ("NaN", SCHEMA), ('"\\ud800"', SCHEMA), ("[" * 99_999, SCHEMA), ("ask", BEATS), ("ask beats x", BEATS),
    ],
)  # fmt: skip
def test_what_a_line_does_not_mean(line, more):
    """What is unknown or has two meanings is never guessed."""
    decision = decide(**more)

    assert isinstance(read(line, decision, met(decision)), Unclear)


def test_numbers_without_a_list():
    """Where no numbers are shown no number is an action."""
    assert read("1", decide(), None) == Unclear("1 is none of the legal actions: rock, paper, scissors")


@pytest.mark.parametrize(
    ("line", "more", "action"),
    [
        ("sc", {}, 2),
        ("P", {}, 1),
        ("p", {}, 1),
        ("D", COLUMNS, 3),
        ("d", COLUMNS, 3),
        ("column D", COLUMNS, 3),
        ("column", COLUMNS, None),
        ("e2", MOVES, None),
        ("e2e4", MOVES, 1),
        ("E2E4", MOVES, 1),
        ("g", MOVES, 2),
        ("Bx", CHESS, 7),
        ("bx", CHESS, None),
    ],
)
def test_beginnings_and_last_words(line, more, action):
    """A unique beginning, the last word of a label and coordinates in capitals mean an action; nothing else does."""
    decision = decide(**more)

    meant = read(line, decision, met(decision))

    assert meant == PlayCommand(action) if action is not None else isinstance(meant, Unclear)


def test_squares():
    """A coordinate that stands beside a drawn board means the cell; its label does as well."""
    decision = decide(options=Options([0, 1], {0: "row 1, column 2", 1: "row 2, column 1"}.__getitem__))
    squares = {"row 1, column 2": "b1", "row 2, column 1": "a2"}

    assert read("b1", decision, met(decision), squares) == PlayCommand(0)
    assert read("A2", decision, met(decision), squares) == PlayCommand(1)
    assert read("row 2", decision, met(decision), squares) == PlayCommand(1)


def test_numbers_last():
    """An action keeps its number, and what is not possible any more leaves its number unused."""
    numbers = met(decide())
    later = decide(options=Options([0, 2, 9], {**LABELS, 9: "well"}.__getitem__))
    numbers.meet(later.options)

    assert [numbers.of(action) for action in (0, 2, 9)] == [1, 3, 4]
    assert read("3", later, numbers) == PlayCommand(2)
    assert read("4", later, numbers) == PlayCommand(9)
    assert read("2", later, numbers) == Unclear("2 is paper, which you cannot do now")


@pytest.mark.parametrize("meant", [PlayCommand([1, {"a": None}]), PlayCommand(None), Ask("beats", "rock")])
def test_what_is_journaled_means_the_same(meant):
    """What is journaled of an answer is what it means, so no number or beginning is read again later."""
    assert read_recorded(recorded(meant)) == meant


@pytest.mark.parametrize("given", [7, "nonsense", {"play": 1, "ask": 2}, {"ask": 2}])
def test_journals_of_others(given):
    """What no person can have answered is an error of the journal, and no guess."""
    with pytest.raises(JournalError, match="no answer of a person"):
        read_recorded(given)


async def test_a_turn(person):
    """A turn shows news, position and actions, and asks until the line is clear; only what it means is kept."""
    player = person.sit("well\n?\n\nrock\n")

    reply = await player.act(decide(news=(GameEvent("hit", "ouch", None),)))

    assert reply == Reply(action=0)
    assert person.kept == [{"play": 0}]
    for text in ("you are LEFT (players: LEFT, RIGHT)", "Type rules for the rules", "ouch!",
                 "round [bold]1[/bold] :smile:",
                 "   1  rock", "'well' is none of the legal actions: ", "nothing was typed"):  # fmt: skip
        assert text in person.shown
    assert person.shown.count("   1  rock") == 2


async def test_rules_are_shown_when_asked_for(person):
    """The first question has no rules; they come when somebody asks for them, as often as that."""
    player = person.sit("1\nrules\n2\n")

    await player.act(decide())
    assert "Rock beats scissors." not in person.shown
    await player.act(decide(turn=1))

    assert person.shown.count("Rock beats scissors.") == 1


async def test_refused_try(person):
    """In a further try the person sees why, and not everything again."""
    player = person.sit("1\n2\n", list_actions=False)

    await player.act(decide(**SCHEMA))
    await player.act(decide(**SCHEMA, attempt=1, rejected=(Rejected("no", "not now", 1),)))

    assert "refused: 1: not now" in person.shown
    assert person.shown.count("What you see") == 1


async def test_look_up(person):
    """A look-up is answered and the question goes on; both lines are kept."""
    player = person.sit('ask beats "rock"\nask nothing\n2\n')

    reply = await player.act(decide(**BEATS))

    assert reply == Reply(action=1)
    assert len(person.kept) == 3
    assert "rock, scissors" in person.shown
    assert "there is no such query" in person.shown


@pytest.mark.parametrize("typed", ["quit\n", ":quit\n", ""])
async def test_leaving(person, typed):
    """Who leaves stops the run; nothing is kept, so a resumed run asks again here."""
    with pytest.raises(StopRun):
        await person.sit(typed).act(decide())

    assert person.kept == []


async def test_replay_shows_nothing(person):
    """A recorded answer is played without a word on the screen."""

    async def recorded(name, function):
        return {"play": 1}

    person.seat.once = recorded

    assert await person.sit("").act(decide()) == Reply(action=1)
    assert person.shown == ""


async def test_picture_is_described(person):
    """A terminal shows what stands for a picture."""
    await person.sit("1\n", form="image").act(decide())

    assert "a rock" in person.shown


async def test_bytes_that_are_no_text(person):
    """Broken input is asked again, and never reaches the journal."""
    source = io.TextIOWrapper(io.BytesIO(b"\xff\n1\n"), encoding="utf-8", errors="surrogateescape")
    player = HumanPlayer(Human(), person.seat, TerminalPrompt(source, person.screen))

    assert await player.act(decide()) == Reply(action=0)
    assert person.kept == [{"play": 0}]


async def test_real_terminal(person, monkeypatch):
    """On a terminal a withdrawn question lets go of the keyboard: the next one gets the line that is typed."""
    keyboard, line = pty.openpty()
    with os.fdopen(line, "r") as stdin, os.fdopen(keyboard, "wb", buffering=0) as typing:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stderr", person.screen)
        player = Human(keys=False).join(person.seat)
        threads = threading.active_count()

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(player.act(decide()), 0.05)
        typing.write(b"scissors\n")
        reply = await asyncio.wait_for(player.act(decide(attempt=1)), 10)

        assert reply == Reply(action=2)
        assert threading.active_count() <= threads + 2  # one for each question, since the first may still look
        assert re.search(r"LEFT>", person.shown)


def test_waiting_is_told_with_seconds():
    """While the others load or think, a line says so with seconds; it goes when a person is asked again."""
    screen = io.StringIO()
    line = WaitingLine(["smollm", "smollm"], screen)

    line.begin()
    deadline = time.monotonic() + 20
    while "1 s" not in screen.getvalue() and time.monotonic() < deadline:
        time.sleep(0.05)
    line.end()
    while not screen.getvalue().endswith("\x1b[2K") and time.monotonic() < deadline:
        time.sleep(0.05)

    assert "smollm is loading or thinking: 1 s" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[2K")


def test_quick_opponents_are_not_waited_for():
    """Nothing is written where the others have answered at once, nor while a person is asked."""
    screen = io.StringIO()
    quick, asked = WaitingLine(["random"], screen), WaitingLine([], screen)

    quick.begin()
    quick.end()
    with in_use:
        asked.begin()
        time.sleep(1.5)
        asked.end()
        time.sleep(1.0)

    assert screen.getvalue() == ""


def test_descriptor():
    """The descriptor's example is the agent's own defaults, and its form is checked."""
    assert HUMAN.load()(**HUMAN.example) == Human()
    assert Human(form="image").forms() == {"image"}
    assert Human().forms() == {"text"}


CRAFTS = [
    {"makes": "1 cobblestone_stairs", "needs": "1 cobblestone", "kind": "stonecutting", "most": 1},
    {"makes": "1 copper_ingot", "needs": "1/8 #fuel, 1 raw_copper", "kind": "smelting", "most": 12},
]


@pytest.mark.parametrize("width", [30, 40, 48, 60, 80])
def test_no_word_of_a_table_is_broken(width: int):
    """An answer with many columns is a table as wide as there is room, else a list; every word of it is whole."""
    lines = as_table({"crafts": CRAFTS}, width)

    words = {word.strip("(),:") for line in lines for word in line.split()}
    assert {"cobblestone_stairs", "stonecutting", "raw_copper", "1/8", "12"} <= words
    assert max(map(len, lines)) <= width
    assert (len(lines) == 4) == (width == 80)


def test_a_text_without_a_label_is_typed_without_quotation_marks():
    """Options that are texts are named as they are, not as JSON."""
    decision = Decision(player=Player(0), options=Options(["left", "right"]))

    for typed in ("left", "l", '"left"'):
        assert read(typed, decision, None) == PlayCommand("left")
    assert read("quit", decision, None) == HumanCommand("quit")
