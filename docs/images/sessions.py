"""Matches of a person at a terminal of 80 columns and 24 rows, key by key, and the pictures of them.

    .venv/bin/python docs/images/sessions.py

Each session is a real `arena play` in a pseudo-terminal. A test plays all of them and looks at the screen after each
step; this program writes the screens that are marked as SVG files beside it.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
from virtual_terminal import Screen, Session, svg

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
class PlaySession:
    """A match from the first screen to the last; ``what`` says what its picture shows."""

    name: str
    what: str
    arguments: Sequence[str]
    steps: Sequence[KeyStep]

    def play(self, folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[KeyStep, Screen]]:
        """Press the keys of each step in turn, wait for its text, and yield what is on the screen then."""
        command = [ARENA, "play", *self.arguments, "-o", "match"]
        with Session(command, cwd=folder, environment=environment) as session:
            for step in self.steps:
                session.press(*step.keys)
                session.wait_for(step.then, *step.also, gone=step.gone)
                yield step, session.screen
            session.end()
            yield KeyStep(then="match"), session.screen


TRADE: Final = "problems=[{hands: [{coal: 2}, {cobblestone: 2, stick: 1}], targets: [{stick: 1, coal: 1}, {stone: 2}]}]"

SESSIONS: Final = (
    PlaySession(
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
            KeyStep(keys=("D", "enter"), then="You won as X against first-legal, in 7 turns."),
        ),
    ),
    PlaySession(
        name="play-kuhn-poker",
        what="Kuhn poker at a terminal: one's own card and what has been bet",
        arguments=("kuhn-poker",),
        steps=(
            KeyStep(then="your move", also=("against equilibrium", "1 check", "2 bet 1 chip"), is_pictured=True),
            KeyStep(keys=("b", "enter"), then="You (player 1) earned", also=("again", "--seat 2")),
        ),
    ),
    PlaySession(
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
    PlaySession(
        name="play-tradecraft",
        what="TradeCraft at a terminal: hands, the target, and the crafts for which the hand suffices",
        arguments=("tradecraft", "--against", "trader", "--seat", "2", "-p", TRADE),
        steps=(
            KeyStep(then="what do you do?", also=("you give 1 stick and get 1 coal", "2 refuse the proposal")),
            KeyStep(keys=("2",), then="send?", also=("refuse the proposal of player 1",)),
            KeyStep(keys=("e", "down", "not yet", "enter"), then="send?", also=('and say: "not yet"',)),
            KeyStep(keys=("enter",), then="craft …", also=("craft no more in this turn",)),
            KeyStep(keys=("down", "enter"), then="send?"),
            KeyStep(keys=("enter",), then="propose something to player 1", also=("2 propose nothing",)),
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
"""Every session that is played and pictured."""


def main() -> None:
    """Play all sessions and write their pictures."""
    for session in SESSIONS:
        folder = Path(tempfile.mkdtemp())
        try:
            for step, screen in session.play(folder, os.environ):
                if step.is_pictured:
                    (HERE / f"{session.name}.svg").write_text(svg(screen, session.what), "utf-8")
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
