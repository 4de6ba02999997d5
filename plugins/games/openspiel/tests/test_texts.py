"""The rules of games that are played with OpenSpiel's own labels: each is there, and says how actions are written."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from arena_game_openspiel.library.description import TEXTS
from arena_game_openspiel.library.generic import OpenSpiel

SQUARES = r"[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBNK])?|O-O(-O)?"
"""A move in algebraic notation."""

LONG = r"([a-h][1-8]){2}[qrbn]?"
"""A move as the square left and the square reached."""

NOTATIONS = {
    "2048": r"Up|Right|Down|Left",
    "amazons": r"[XO] (From|To|Shoot:) \(\d+, \d+\)",
    "antichess": SQUARES,
    "battleship": r"Pl[01]: (place ship (horizontal|vertical)ly with top-left corner in|shoot at) \(\d, \d\)",
    "bridge": r"choose [1-7][♣♦♥♠]|[1-7]NT|Pass|R?Dbl",
    "catch": r"LEFT|STAY|RIGHT",
    "chinese_checkers": r"choose \d+[-=]>\d+|Pass",
    "cliff_walking": r"RIGHT|UP|LEFT|DOWN",
    "crazy_eights": r"Play [CDHS][2-9TJQKA]|Nominate suit [CDHS]|Draw|Pass",
    "crazyhouse": rf"(?:{SQUARES}|[ECAH][a-h]?[1-8]?x?[a-h][1-8]|[PNBRQ]@[a-h][1-8])[+#]?",
    "cribbage": r"Choose [A2-9TJQK][CDHS]( [A2-9TJQK][CDHS])?|Pass",
    "dark_chess": SQUARES,
    "dark_hex": r"[abc][123]",
    "dark_hex_ir": r"[abc][123]",
    "einstein_wurfelt_nicht": r"(B[1-6]-(down|right|diag)|W[1-6]-(up|left|diag))\*?",
    "euchre": r"[CDHS][9TJQKA]|Pass|Clubs|Diamonds|Hearts|Spades|Alone|Partner",
    "go_fish": r"\d[a-m]",
    "gomoku": r"choose \d+,\d+",
    "havannah": r"[a-o]\d+",
    "hearts": r"[2-9TJQKA][CDHS]",
    "kriegspiel": LONG,
    "latent_ttt": r"[xo]\([0-2],[0-2]\)",
    "lewis_signaling": r"(Message|Action) [0-2]",
    "liars_dice_ir": r"choose \d+-[1-6]|Liar",
    "lines_of_action": r"[a-h][1-8][-x][a-h][1-8]",
    "mancala": r"choose \d+",
    "matching_pennies_3p": r"Heads|Tails",
    "mnk": r"[xo]\(\d+,\d+\)",
    "oh_hell": r"[CDHS][2-9TJQKA]|choose \d+",
    "oshi_zumo": r"\[P[01]\]Bid: \d+",
    "phantom_go": r"[BW] ([a-hj][1-9]|PASS)",
    "phantom_ttt": r"[xo]\([0-2],[0-2]\)",
    "phantom_ttt_ir": r"[xo]\([0-2],[0-2]\)",
    "quoridor": r"[a-i][1-9][hv]?",
    "rbc": rf"Sense [a-f][1-6]|pass|{LONG}",
    "shogi": r"([1-9][a-i]){2}\+?|[PLNSGBR]\*[1-9][a-i]",
    "spades": r"[CDHS][2-9TJQKA]|Nil|choose \d+",
    "tiny_hanabi": r"p[01]a[012]",
    "trade_comm": r"Utter \d|Trade \d:\d",
    "twixt": r"[xo][a-h][1-8]",
    "ultimate_tic_tac_toe": r"Choose local board [0-8]|Local board [0-8]: [xo]\([0-2],[0-2]\)",
    "xiangqi": r"[GAEHRCSgaehrcs]\([0-9],[0-8]\)-\([0-9],[0-8]\)",
    "y": r"[a-s]\d+",
    "yacht": r"Keep all \(proceed to scoring\)|Reroll dice: [0-4](,[0-4])*|Score in [A-Z]\w+( [a-zA-Z]+)*",
}
"""How actions are written, by game."""

OTHERS = {
    "catch": {"rows": 7, "columns": 3},
    "crazy_eights": {"max_draw_cards": 3, "max_turns": 60},
    "gomoku": {"size": 9},
    "lines_of_action": {"max_game_length": 40},
    "mnk": {"m": 5, "n": 4, "k": 3},
    "oshi_zumo": {"coins": 8},
}
"""Parameters for which a text holds too, since it names them."""


def test_every_text_is_of_a_game_and_says_how_actions_are_written():
    """The folder of texts has those whose notation is tested here, and nothing else."""
    assert {file.name for file in TEXTS.iterdir()} == {f"{name}.txt" for name in NOTATIONS}


@pytest.mark.parametrize("name", NOTATIONS)
def test_a_text_shows_the_notation_that_the_game_has(name, walk):
    """Each label in a random match is of the notation that the text has an example of."""
    game, notation = OpenSpiel(name), NOTATIONS[name]
    text = " ".join(TEXTS.joinpath(f"{name}.txt").read_text("utf-8").split())

    assert game.has_rules
    assert re.search(rf'(?<![\w"])("?)(?:{notation})\1(?!\w)', text)
    for place, step in enumerate(walk(game, seed=4)):
        if place < 60:
            for player in step.state.to_act():
                assert [
                    o.label for o in step.state.decision(player).options if not re.fullmatch(notation, o.label)
                ] == []


@pytest.mark.parametrize("name", OTHERS)
def test_a_text_holds_for_the_parameters_that_it_names(name):
    """The rules tell the values of these parameters."""
    game = OpenSpiel(name, OTHERS[name])

    assert game.has_rules
    assert all(re.search(rf"\b{value}\b", game.rules.partition("Its parameters")[0]) for value in OTHERS[name].values())


def test_a_text_does_not_hold_for_other_parameters():
    """A game on another board than its text tells of has no rules."""
    for name, size in (("y", 9), ("twixt", 6), ("amazons", 8)):
        game = OpenSpiel(name, {"board_size": size})

        assert not game.has_rules
        assert OpenSpiel(name).has_rules


READING = Path(__file__).parents[1] / "reading.py"


def test_readings_are_scored_by_the_legal_actions_that_they_name(tmp_path):
    """A reading with all legal actions agrees; one that leaves out or adds agrees less; one of nothing does not."""
    asked = [sys.executable, READING, "--answers", tmp_path / "answers"]
    subprocess.run([*asked, "--write", tmp_path / "texts", "mancala", "chess"], check=True)
    answers = {name: json.loads((tmp_path / "answers" / f"{name}.json").read_text()) for name in ("mancala", "chess")}
    read = {place: each["legal"] for place, each in answers["mancala"].items()}
    read |= {"1": read["1"][1:], "2": [*read["2"], "choose 0"], "3": []}
    (tmp_path / "read").mkdir()
    (tmp_path / "read" / "mancala.json").write_text(json.dumps(read))

    scored = subprocess.run([*asked, "--score", tmp_path / "read"], capture_output=True, text=True, check=True).stdout

    text = (tmp_path / "texts" / "mancala.txt").read_text()
    legal = [len(each["legal"]) for each in answers["mancala"].values()]
    values = [(legal[0] - 1) / legal[0], legal[1] / (legal[1] + 1), 0, 1, 1]
    assert text.count("Which actions are legal for you now?") == 5
    assert "\nlegal" not in text
    assert scored.splitlines()[0].split()[2:] == [f"{value:.2f}" for value in values]
    assert scored.splitlines()[1].endswith("of 1 games, 2 of 5 positions exact")
