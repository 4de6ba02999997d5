"""What a person sees at a terminal of 80 columns and 24 rows, key by key, and the pictures of it.

    .venv/bin/python docs/images/sessions.py [NAME…]

Each session is a real program in a pseudo-terminal: matches of `arena play`, runs, and the check of a game with faults.
A test goes through all of them and looks at the screen after each step; this program writes the screens that are marked
as SVG files beside it.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
from virtual_terminal import NOTHING, Screen, Session, svg

HERE: Final = Path(__file__).resolve().parent
ARENA: Final = Path(sys.executable).parent / "arena"


@attrs.frozen(kw_only=True)
class KeyStep:
    """Keys that are pressed, a text that comes onto the screen then, and others that are there with it.

    ``gone`` are texts that are not there any more; the screen becomes the session's picture if ``is_pictured``.
    """

    keys: Sequence[str] = ()
    then: str
    also: Sequence[str] = ()
    gone: Sequence[str] = ()
    is_pictured: bool = False


@attrs.frozen(kw_only=True)
class KeySession:
    """A command from its first screen to its last; ``what`` says what its picture shows.

    ``varies`` are patterns of what differs from time to time (seconds, rates), with what the picture shows instead.
    ``prepare`` makes what the command needs in a folder and says in which environment it runs.
    """

    name: str
    what: str
    command: Sequence[str]
    steps: Sequence[KeyStep]
    status: int = 0
    varies: Mapping[str, str] = NOTHING
    prepare: Callable[[Path], Mapping[str, str]] = lambda _: NOTHING

    def go_through(self, folder: Path) -> Iterator[tuple[KeyStep, Screen]]:
        """Press the keys of each step in turn, wait for its text, and yield what is on the screen then."""
        with Session([ARENA, *self.command], cwd=folder, environment=self.prepare(folder)) as session:
            for step in self.steps:
                session.press(*step.keys)
                session.wait_for(step.then, *step.also, gone=step.gone)
                yield step, session.screen
            status = session.end()
            if status != self.status:
                raise RuntimeError(f"{self.name} ends with {status}:\n{session.screen.text}")

    def picture(self, screen: Screen) -> str:
        """The screen as an SVG file that is the same each time."""
        return svg(screen.with_replaced(self.varies), self.what)


def play_session(name: str, what: str, arguments: Sequence[str], steps: Sequence[KeyStep]) -> KeySession:
    """A match of `arena play` that is kept in the folder ``match``."""
    return KeySession(name=name, what=what, command=("play", *arguments, "-o", "match"), steps=steps)


def cards_with_faults(folder: Path) -> Mapping[str, str]:
    """A game of hidden cards in which two mistakes are easily made, and the environment in which it is installed."""
    subprocess.run([ARENA, "new-plugin", "game", "cards", "--hidden"], cwd=folder, check=True, capture_output=True)
    source = folder / "cards" / "src"
    rules = source / "cards" / "game.py"
    text = rules.read_text("utf-8")
    for sound, faulty in FAULTS.items():
        if sound not in text:
            raise RuntimeError(f"{sound!r} is not in the game that is made")
        text = text.replace(sound, faulty)
    rules.write_text(text, "utf-8")
    info = source / "cards-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cards\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[arena.games]\ncards = cards:PLUGIN\n")
    return {"PYTHONPATH": str(source)}


FAULTS: Final = {
    "(Player(p),)) for p": "(Player(p),) if p else EVERYONE) for p",
    "return attrs.evolve(self, dealt=(own, other) if player == FIRST else (other, own))": "return self.clone()",
}
"""A card that everybody is told although only one player may see it, and drawn positions that hold the true cards."""

TRADE: Final = "problems=[{hands: [{coal: 2}, {cobblestone: 2, stick: 1}], targets: [{stick: 1, coal: 1}, {stone: 2}]}]"

PLAY_SESSIONS: Final = (
    play_session(
        name="play-connect-four",
        what="Connect four at a terminal: the board, and the columns to choose from",
        arguments=("connect-four", "--against", "first-legal"),
        steps=(
            KeyStep(then="your move", also=("you are X", "against first-legal", "1 A", "7 G", "rules: r")),
            KeyStep(keys=("r",), then="Enter: back", also=("rules", "four")),
            KeyStep(keys=("enter",), then="your move", gone=("Enter: back",)),
            KeyStep(keys=("?",), then="Ctrl-C", also=("Tab", "rules, look, news")),
            KeyStep(keys=("escape",), then="your move", gone=("Ctrl-C",)),
            KeyStep(keys=("column", "enter"), then="can mean column A or column B"),
            KeyStep(keys=("up",), then="Enter): column", gone=("can mean",)),
            KeyStep(keys=("escape", "left", "left"), then="[6 F]", also=("Enter): column F",)),
            KeyStep(keys=("d", "enter"), then="O: column A", also=("X: column D",)),
            KeyStep(keys=("4", "enter"), then="O: column A", gone=("you play", "Enter): 4")),
            KeyStep(keys=("col", "tab"), then="column A  column B"),
            KeyStep(keys=("escape",), then="your move", gone=("column B",)),
            KeyStep(keys=("D", "enter"), then="O: column A", gone=("you play", "Enter): D"), is_pictured=True),
            KeyStep(keys=("D", "enter"), then="You won as X against first-legal, in 7 turns: four in a row."),
        ),
    ),
    play_session(
        name="play-kuhn-poker",
        what="Kuhn poker at a terminal: one's own card and what has been bet",
        arguments=("kuhn-poker",),
        steps=(
            KeyStep(then="your move", also=("against optimal", "1 check", "2 bet 1 chip"), is_pictured=True),
            KeyStep(keys=("b", "enter"), then="You (player 1) earned", also=("again", "--seat 2")),
        ),
    ),
    play_session(
        name="play-negotiation",
        what="A proposal in a negotiation: fields with bounds, what they mean in words, and a last question",
        arguments=("negotiation", "--against", "random", "--seat", "2", "--seed", "3"),
        steps=(
            KeyStep(then="your move", also=("1 accept", "2 reject", "look up: F3", "rules: F2")),
            KeyStep(keys=("rej", "enter"), then="book (0", also=("BOB rejects.", "you keep nothing, worth 0 of 10")),
            KeyStep(keys=("3", "enter"), then="expected 0–2", also=("book: expected",)),
            KeyStep(keys=("left", "left", "enter"), then="hat (0", also=("you keep 1 × book, worth 1 of 10",)),
            KeyStep(keys=("up", "2", "enter"), then="hat (0", also=("you keep 2 × book, worth 2 of 10",)),
            KeyStep(keys=("enter", "enter"), then="message (a text"),
            KeyStep(
                keys=("only the books?", "enter"),
                then="send? [Enter: yes, e: edit, q: leave the match]",
                also=('"only the books?"', "ALICE gets 1 × hat, 3 × ball"),
                is_pictured=True,
            ),
            KeyStep(keys=("enter",), then="ALICE rejects.", also=("your move",)),
            KeyStep(keys=("f3",), then="8 left", also=("worth", "what things are worth to you")),
            KeyStep(keys=("enter",), then="ask? [Enter"),
            KeyStep(keys=("e", "1", "enter", "enter", "3", "enter", "enter"), then="worth: 4", also=("Enter: back",)),
            KeyStep(keys=("enter", "f3"), then="7 left"),
            KeyStep(keys=("escape",), then="your move", gone=("7 left",)),
            KeyStep(keys=("right", "enter"), then="You (BOB) earned 8 points, random (ALICE) 2"),
        ),
    ),
    play_session(
        name="play-tradecraft",
        what="TradeCraft at a terminal: hands, the target, and the crafts for which the hand suffices",
        arguments=("tradecraft", "--against", "trader", "--seat", "2", "-p", TRADE),
        steps=(
            KeyStep(then="what do you do?", also=("you give 1 stick and get 1 coal", "2 refuse the proposal")),
            KeyStep(keys=("2",), then="send?", also=("refuse the proposal of player 1",)),
            KeyStep(keys=("e", "down", "not yet", "enter"), then="send?", also=('and say: "not yet"',)),
            KeyStep(keys=("enter",), then="craft …", also=("craft no more in this turn",)),
            KeyStep(keys=("down", "enter"), then="send?"),
            KeyStep(
                keys=("enter",), then="propose to player 1: so far nothing changes hands", also=("2 propose nothing",)
            ),
            KeyStep(keys=("enter",), then="cobblestone (0"),
            KeyStep(keys=("enter", "2", "enter"), then="stick: expected 0–1"),
            KeyStep(keys=("1", "enter", "right", "enter"), then="you give 1 stick and get 1 coal"),
            KeyStep(keys=("coal, please", "enter"), then="send?", also=('and say: "coal, please"',)),
            KeyStep(keys=("enter",), then="player 1 accepts.", also=("craft …",)),
            KeyStep(keys=("f3",), then="possible_crafts", also=("10 left",)),
            KeyStep(keys=("4",), then="ask? [Enter"),
            KeyStep(keys=("enter",), then="4 craft 1 stone of 1/8 coal, 1 cobblestone", is_pictured=True),
            KeyStep(keys=("4",), then="send?", also=("craft 1 stone of 1/8 coal, 1 cobblestone",)),
            KeyStep(keys=("enter",), then="what do you do?", also=("1 stone",)),
            KeyStep(keys=("enter", "inp", "enter"), then="coal ("),
            KeyStep(keys=("1/8", "enter", "1", "enter"), then="stone (0", also=("coal", "1/8")),
            KeyStep(keys=("enter",), then="add ("),
            KeyStep(keys=("stone", "enter"), then="stone (1"),
            KeyStep(keys=("1", "enter", "enter"), then="send?", also=("craft 1 stone of 1/8 coal, 1 cobblestone",)),
            KeyStep(keys=("enter",), then="what do you do?", gone=("send?",)),
            KeyStep(keys=("2",), then="send?", also=("craft no more in this turn",)),
            KeyStep(keys=("enter",), then="You (player 2) earned", also=("trader (player 1)",)),
        ),
    ),
)
"""Whole matches of a person."""

SECONDS: Final = {r"in \d+ s\b": "in 1 s", r"· \d+ s ·": "· 3 s ·", r" · [\d,]+/s(?= ·)": ""}

OTHER_SESSIONS: Final = (
    KeySession(
        name="terminal-run",
        what="A run at a terminal: the line that renews itself, the verdict and the ranking",
        command=(
            "run",
            "--game",
            "tic-tac-toe",
            "--agent",
            "random",
            "--agent",
            "first-legal",
            "-n",
            "20",
            "-o",
            "run",
        ),
        steps=(
            KeyStep(
                then="more    arena report run --full",
                also=(
                    "tic-tac-toe · 40/40 matches",
                    "first-legal > random",
                    "gr  #  agent         Elo  95 %            W–D–L   n",
                    "2  random       1500  reference",
                    "report  run/report.html",
                ),
                is_pictured=True,
            ),
        ),
        varies=SECONDS,
    ),
    KeySession(
        name="terminal-run-stopped",
        what="A run that Ctrl-C ends",
        command=("run", "--game", "connect-four", "--agent", "random", "--agent", "mcts", "-n", "2000", "-o", "run"),
        steps=(
            KeyStep(then="/4,000 matches", also=("connect-four",)),
            KeyStep(keys=("ctrl-c",), then="arena resume run", also=("stopped",)),
        ),
        status=3,
    ),
    KeySession(
        name="terminal-check",
        what="The check of a game with two faults: what, where, how to see it, how to mend it",
        command=("check", "cards", "--only", "leaks,resample", "--quick"),
        steps=(
            KeyStep(
                then="again only this: --only leaks,resample",
                also=("game cards", "see it", "mend it"),
                is_pictured=True,
            ),
        ),
        status=1,
        varies=SECONDS,
        prepare=cards_with_faults,
    ),
)

SESSIONS: Final = (*PLAY_SESSIONS, *OTHER_SESSIONS)
"""Every session that is gone through and pictured."""


def main() -> None:
    """Go through the sessions that are named, else all, and write their pictures."""
    for session in (each for each in SESSIONS if each.name in sys.argv[1:] or not sys.argv[1:]):
        folder = Path(tempfile.mkdtemp())
        try:
            for step, screen in session.go_through(folder):
                if step.is_pictured:
                    (HERE / f"{session.name}.svg").write_text(session.picture(screen), "utf-8")
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
