"""A person at a real terminal: whole matches by keys, what is on the screen after each, and terminals that can less."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from arena_engine import Journal

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs" / "images"))

from sessions import SESSIONS, KeySession  # noqa: E402 -- the programs that make the pictures are no package
from virtual_terminal import NOTHING, Session  # noqa: E402

ARENA = Path(sys.executable).parent / "arena"

ORDERS = """
from arena import Decision, Game, GameFacts, Plugin, State
from arena.game import Illegal
from arena.record import EVERYONE, GameEvent

ORDERS = Plugin(factory="orders:Orders", summary="write one order")
PLACE = {"type": "object", "properties": {"x": {"type": "integer", "minimum": 0, "maximum": 7},
         "y": {"type": "integer", "minimum": 0, "maximum": 7}}, "required": ["x", "y"], "additionalProperties": False}
SCHEMA = {
    "type": "object",
    "properties": {
        "unit": {"enum": ["army", "fleet", "scout", "wagon", "balloon", "train", "barge"]},
        "path": {"type": "array", "items": PLACE, "minItems": 1, "maxItems": 4},
        "how": {"anyOf": [
            {"title": "slowly", "type": "object", "properties": {"days": {"type": "integer", "minimum": 1}},
             "required": ["days"], "additionalProperties": False},
            {"title": "with others", "type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
        ]},
        "cargo": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
    },
    "required": ["unit", "path", "how"],
    "additionalProperties": False,
}


class Orders(Game):
    rules = "Write one order. It must not end where it began."

    def player_counts(self):
        return (1,)

    def facts(self, players):
        return GameFacts(returns="cooperative", max_steps=1)

    def start(self, chance, players):
        return Sheet(), [GameEvent("begun", {}, EVERYONE)]


class Sheet(State):
    order = None

    def to_act(self):
        return () if self.order else (0,)

    def decision(self, player):
        return Decision(player=player, phase="order", action_schema=SCHEMA, sampler=lambda rng: {
            "unit": "army", "path": [{"x": 0, "y": 0}, {"x": 1, "y": 0}], "how": {"days": 1}})

    def observe(self, player):
        return {"stock": {"coal": 3, "wood": 2}}

    def check(self, player, action):
        path = action.get("path", []) if isinstance(action, dict) else []
        if len(path) > 1 and path[0] == path[-1]:
            return Illegal("circle", "an order must not end where it began")
        return None

    def apply(self, actions):
        self.order = actions[0]
        return [GameEvent("written", self.order, EVERYONE)]

    def returns(self):
        return [1.0] if self.order else None
"""


SKETCH = """
from arena import Decision, Game, GameFacts, Plugin, State
from arena.game import Drawing, Options
from arena.record import EVERYONE, GameEvent

SKETCH = Plugin(factory="sketch:Sketch", summary="go left or right, twice")


class Sketch(Game):
    rules = "Go left or right, twice."

    @property
    def forms(self):
        return {"text": lambda seen: f"you have gone {seen} times",
                "scene": lambda seen: Drawing({"format": 1, "parts": [{"part": "balloon"}]}, "a balloon")}

    def player_counts(self):
        return (1,)

    def facts(self, players):
        return GameFacts(returns="cooperative", max_steps=2)

    def start(self, chance, players):
        return Path(), [GameEvent("begun", {}, EVERYONE)]


class Path(State):
    steps = 0

    def to_act(self):
        return () if self.steps == 2 else (0,)

    def decision(self, player):
        return Decision(player=player, options=Options(["left", "right"]))

    def observe(self, player):
        return self.steps

    def apply(self, actions):
        self.steps += 1
        return [GameEvent("gone", self.steps, EVERYONE)]

    def returns(self):
        return [1.0] if self.steps == 2 else None
"""


def installed(folder: Path, name: str, source: str) -> Mapping[str, str]:
    """The environment in which a game of somebody else is installed: its module, from the distribution acme-NAME."""
    info = folder / "site" / f"acme_{name}-1.dist-info"
    info.mkdir(parents=True)
    (folder / "site" / f"{name}.py").write_text(source)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: acme-{name}\nVersion: 1\n")
    (info / "top_level.txt").write_text(f"{name}\n")
    (info / "entry_points.txt").write_text(f"[arena.games]\n{name} = {name}:{name.upper()}\n")
    return {"PYTHONPATH": str(folder / "site")}


@pytest.fixture
def orders(tmp_path: Path) -> Mapping[str, str]:
    """The environment in which a game of orders is installed."""
    return installed(tmp_path, "orders", ORDERS)


def played(arguments: Sequence[str], folder: Path, environment: Mapping[str, str] = NOTHING, **size: int) -> Session:
    """A session of ``arena play`` that writes its match to the folder ``match``."""
    command = [ARENA, "play", *arguments, "-o", "match"]
    return Session(command, cwd=folder, environment=environment, **size)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.name)
@pytest.mark.sample(fast=1, slow=1)
def test_sessions(session: KeySession, tmp_path: Path):
    """Matches are played by keys alone, runs and checks end; each step shows what it should, within 80 x 24."""
    for step, screen in session.go_through(tmp_path):
        assert not [text for text in (step.then, *step.also) if text not in screen.text], screen.text
        if step.is_pictured:
            picture = ROOT / "docs" / "images" / f"{session.name}.svg"
            drawn = session.picture(screen)
            assert picture.read_text("utf-8") == drawn, f"make it again: docs/images/sessions.py\n{screen.text}"

    if "-o" in session.command:
        assert (tmp_path / session.command[-1] / "journal.sqlite").is_file()


CIRCLE = (
    ("b a tab", "unit (one of 7"),
    ("l tab enter", "balloon  barge"),
    ("3 enter 4 enter", "x (0–7"),
    ("right", "more ("),
    ("3 enter 4 enter enter", "      x", "2."),
    ("right enter", "how ("),
    ("5 enter", "days ("),
    ("c tab enter", "add ("),
    ("2 enter enter", "coal ("),
)
"""An order that ends where it began: keys to press, each time with what is shown before they are pressed."""


@pytest.mark.campaign
def test_an_order_of_nested_parts(tmp_path: Path, orders: Mapping[str, str]):
    """Objects in lists, alternatives and open tables are filled in by keys; the rules are asked before it is sent."""
    with played(["orders"], tmp_path, orders) as session:
        for keys, *shown in CIRCLE:
            session.wait_for(*shown)
            session.press(*keys.split())
        session.wait_for("send?", "not allowed: an order must not end where it began")
        session.press("enter")
        session.press("e")
        session.wait_for("unit (one of 7", gone=("send?",))
        session.press("down", "down", "down")
        session.wait_for("x (0–7, ← →): 3")
        session.press("6", "down", "down", "down", "down", "down", "down", "down")
        session.wait_for("send?", "balloon", gone=("not allowed",))
        session.press("enter")
        session.wait_for("You earned 1 point, in 1 turn.")
        assert session.end() == 0

    subprocess.run(
        [ARENA, "export", "match", "--format", "jsonl", "-o", "out.jsonl", "--events"],
        cwd=tmp_path, env={**os.environ, **orders}, check=True, capture_output=True,
    )  # fmt: skip
    exported = (tmp_path / "out.jsonl").read_text().replace(" ", "")
    assert '"unit":"balloon"' in exported
    assert '"cargo":{"coal":2}' in exported
    assert '"how":{"days":5}' in exported


@pytest.mark.slow
def test_json_stays_possible(tmp_path: Path, orders: Mapping[str, str]):
    """A whole action may be typed as JSON in the first field; it is told in words and asked about like any other."""
    order = '{"unit":"army","path":[{"x":1,"y":1}],"how":["Ann"]}'
    with played(["orders"], tmp_path, orders) as session:
        session.wait_for("unit (")
        session.press(order)
        session.wait_for('"how":["Ann"]}')  # longer than the line, whose beginning is out of sight
        session.press("enter")
        session.wait_for("send?", "unit: army", "Ann")
        session.press("enter")
        session.wait_for("You earned 1 point")
        assert session.end() == 0


@pytest.mark.slow
def test_a_wrong_entry_is_cleared(tmp_path: Path):
    """What cannot be played is taken out of the line, and what can be played is said."""
    with played(["tic-tac-toe", "--against", "first-legal"], tmp_path) as session:
        session.wait_for("your move")
        session.press("x", "x", "enter")
        screen = session.wait_for("'xx' is not possible; you can play a1, b1, c1", gone=("Enter): xx",))
        assert all(len(line) <= 80 for line in screen.splitlines())
        session.press("b", "2", "enter")
        session.wait_for("O:", "your move", gone=("not possible",))


@pytest.mark.slow
def test_a_game_of_plain_data_is_read_without_json(tmp_path: Path):
    """The game of the README, which has neither words nor a drawing, is played from names with values."""
    source = re.search(r"```python\n(# sticks/sticks\.py\n.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert source
    with played(["sticks", "--against", "first-legal"], tmp_path, installed(tmp_path, "sticks", source[1])) as session:
        begun = session.wait_for("you are player 1", "sticks left 21", "laid out: 21", "take 3")
        session.press("3", "enter")
        later = session.wait_for("sticks left 17", "took: player 1, sticks 3", "took: player 2, sticks 1")
        assert not set('{}"') & set(begun + later)


@pytest.mark.slow
def test_leaving_asks_once_and_keeps_the_match(tmp_path: Path):
    """Ctrl-C asks; who leaves finds the match again, at the same question and with the same numbers."""
    with played(["connect-four", "--against", "first-legal"], tmp_path) as session:
        session.wait_for("your move")
        session.press("d", "enter")
        session.wait_for("O: column A", "your move")
        session.press("ctrl-c")
        session.wait_for("Leave the match?")
        session.press("enter")
        session.wait_for("your move", gone=("Leave",))
        session.press("ctrl-c")
        session.wait_for("Leave the match?")
        session.press("ctrl-c")
        session.wait_for("stopped early")
        assert session.end() == 3

    with Session([ARENA, "resume", "match"], cwd=tmp_path) as session:
        session.wait_for("O: column A", "your move", "4 D")
        for typed in ("4", "D"):
            session.press(typed, "enter")
            session.wait_for("O: column A", "your move", gone=("you play", f"Enter): {typed}"))
        session.press("4", "enter")
        assert session.end() == 0

    shown = subprocess.run([ARENA, "replay", "match"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert shown.count("played: column D") == 4


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("environment", [{"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, {"NO_COLOR": "1"}])
def test_terminals_that_show_less(tmp_path: Path, environment: Mapping[str, str]):
    """A terminal without signs beyond ASCII, or without colours, gets the same screen in what it has."""
    with played(["kuhn-poker", "--against", "first-legal"], tmp_path, environment) as session:
        screen = session.wait_for("your move")
        if "PYTHONIOENCODING" in environment:
            assert screen.isascii(), screen
        else:
            styles = {style for row in session.screen.cells() for cell in row for style in cell.style}
            assert not {style for style in styles if style.startswith("colour")}
        session.press("c", "enter")
        session.wait_for("You (player 1) earned")


@pytest.mark.slow
def test_a_terminal_of_thirty_columns(tmp_path: Path):
    """Thirty columns are enough to play: no line is broken inside a word, and nothing is wider."""
    with played(["tic-tac-toe", "--against", "first-legal"], tmp_path, rows=24, columns=30) as session:
        session.wait_for("your move")
        session.press("right", "enter")
        session.wait_for("O:", "your move")
        assert all(len(line) <= 30 for line in session.screen.lines)


@pytest.mark.slow
def test_a_drawing_that_is_too_wide(tmp_path: Path):
    """A board that does not fit is told in words, which is said once; no line is wider than the terminal."""
    said = "too narrow to draw all of it"
    with played(["hex", "--against", "first-legal"], tmp_path, rows=24, columns=30) as session:
        session.wait_for("your move", said, "told in words")
        assert all(len(line) <= 30 for line in session.screen.lines)
        session.press("b", "2", "enter")
        session.wait_for("O:", "your move", gone=(said, "you play"))


@pytest.mark.slow
def test_a_drawing_that_is_too_wide_in_lines(tmp_path: Path):
    """By plain lines it is said once as well."""
    done = subprocess.run(
        [ARENA, "play", "hex", "--against", "first-legal"], input="b2\nb3\nb4\n", cwd=tmp_path,
        env={**os.environ, "COLUMNS": "30"}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip

    assert done.returncode == 3, done.stderr
    assert " ".join(done.stderr.split()).count("too narrow to draw all of it") == 1
    assert done.stderr.count("What you see") == 4


@pytest.mark.campaign
def test_a_scene_that_is_not_valid(tmp_path: Path):
    """A drawing with a fault is not drawn: the position is told in words, and once it is said whose fault it is."""
    with played(["sketch"], tmp_path, installed(tmp_path, "sketch", SKETCH)) as session:
        screen = session.wait_for("your move", "you have gone 0 times")
        told = " ".join(screen.split())
        assert "the scene of Sketch from acme-sketch is not valid (" in told
        assert "in words instead" in told
        assert "a balloon" not in told
        session.press("left", "enter")
        session.wait_for("you have gone 1 times", gone=("not valid", "you play"))
        session.press("r", "i", "enter")
        assert session.end() == 0


@pytest.mark.campaign
def test_a_scene_that_is_not_valid_in_lines(tmp_path: Path):
    """By plain lines the fault is told once in a match too."""
    done = subprocess.run(
        [ARENA, "play", "sketch"], input="left\nright\n", cwd=tmp_path,
        env={**os.environ, **installed(tmp_path, "sketch", SKETCH)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert " ".join(done.stderr.split()).count("the scene of Sketch from acme-sketch is not valid") == 1


@pytest.mark.slow
def test_lines_where_there_are_no_keys(tmp_path: Path):
    """Off a terminal a program plays by plain lines, and so does a person whose terminal only prints them."""
    done = subprocess.run(
        [ARENA, "play", "connect-four", "--against", "first-legal", "-o", "match"],
        input="rules\nD\nd\n4\ncolumn D\n", cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert done.stdout == "match\n"
    assert "You won as X against first-legal" in done.stderr
    assert "\x1b" not in done.stderr
    assert max(map(len, done.stderr.splitlines())) <= 80
    assert re.search(r"again +arena play connect-four --against first-legal --seat 2", done.stderr)


@pytest.mark.slow
def test_play_without_input(tmp_path: Path):
    """Nothing to read is no guess: the match is kept and can be resumed."""
    done = subprocess.run(
        [ARENA, "play", "connect-four", "--against", "first-legal", "-o", "match"],
        stdin=subprocess.DEVNULL, cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip

    assert done.returncode == 3
    assert "the person at the terminal has left (end of input)" in " ".join(done.stderr.split())
    assert "arena resume match" in " ".join(done.stderr.split())


@pytest.mark.campaign
def test_who_is_there(arena):
    """Without a game all games are listed with their players; without an opponent the strongest that fits is taken."""
    listed = arena("play")
    assert listed.returncode == 0, listed.stderr
    assert len(listed.stdout.splitlines()) <= 24
    assert all(len(line) <= 80 for line in listed.stdout.splitlines())
    assert re.search(r"^2–5 +hanabi$", listed.stdout, re.MULTILINE)
    assert "arena play tic-tac-toe" in listed.stdout

    begun = arena("play", "connect-four", "-o", "match")
    assert "against optimal, the strongest installed agent" in " ".join(begun.stderr.split())


def test_all_other_seats_are_the_opponents(arena, tmp_path):
    """A seat is taken by its name, the opponent has all others of the usual seven, and that is said at once."""
    begun = arena("play", "diplomacy", "--against", "diplomacy-hold", "--seat", "france", "-o", "match")

    with Journal.open(tmp_path / "match") as journal:
        (plan,) = journal.plans()
        policy = journal.header.benchmark.get("illegal_actions")
    assert plan.agents == tuple("human" if seat == 2 else "diplomacy-hold" for seat in range(7))
    assert policy is None  # what every benchmark has that names none
    said = " ".join(begun.stderr.split())
    assert "7 players: you are FRANCE, and diplomacy-hold plays AUSTRIA, ENGLAND, GERMANY, ITALY, RUSSIA and" in said
    assert "--players takes 1–7" in said


def test_a_seat_that_is_not_there(arena):
    """The seats of the game are told by the numbers and names that can be typed."""
    mistaken = arena("play", "tic-tac-toe", "--against", "random", "--seat", "3")

    assert mistaken.returncode == 2
    assert "--seat 3: no such seat in 'tic-tac-toe'; choose 1 (X), 2 (O)" in " ".join(mistaken.stderr.split())


def test_fewer_players_than_usual_are_asked_for(arena):
    """Two agents do not fill seven seats: what to write for a match of two is said, and is right."""
    agents = ("--agent", "diplomacy-hold", "--agent", "diplomacy-greedy")
    refused = arena("run", "--game", "diplomacy", *agents, "--dry-run")
    told = " ".join(refused.stderr.split())
    advice = re.search(r"--set (\S+) plays it with 2", told)
    assert refused.returncode == 2
    assert advice, told

    planned = arena("run", "--game", "diplomacy", *agents, "--set", advice[1], "--dry-run")

    assert planned.returncode == 0, planned.stderr
    assert planned.stdout.startswith("diplomacy: 2 matches to play")
    assert "allowed: 3 illegal moves per turn, then the match is forfeited" in planned.stdout


@pytest.mark.slow
def test_an_opponent_that_is_not_there(arena):
    """A typing error in the name of an opponent is told by the option it was typed for, with what is like it."""
    mistaken = arena("play", "connect-four", "--against", "smolm")

    assert mistaken.returncode == 2
    told = " ".join(mistaken.stderr.split())
    assert "--against smolm: no agent is called that (did you mean 'smollm'?)" in told


@pytest.mark.sample(slow=1)
@pytest.mark.slow
@pytest.mark.parametrize(("game", "seconds"), [("chess", 15), ("hex", 15), ("go", 15)])
def test_a_large_game_begins_soon(arena, game, seconds):
    """Who names no opponent waits a few seconds at most, however large the game is."""
    before = os.times()
    begun = arena("play", game, "-o", "match")
    after = os.times()

    assert "against mcts, the strongest installed agent" in " ".join(begun.stderr.split())
    assert after.children_user - before.children_user < seconds
