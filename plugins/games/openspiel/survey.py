"""Write docs/openspiel-games.md: for every game OpenSpiel registers, whether it passes ``check_game``, or why not.

    .venv/bin/python plugins/games/openspiel/survey.py > docs/openspiel-games.md

Each game is checked in a process of its own, since a few of them end theirs. That takes minutes; with
``--verdicts docs/openspiel-games.md`` no match is played: verdicts are those of the file, and only the rest is written
again.
"""

import json
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pyspiel
from arena.chance import Chance
from arena.errors import ArenaError
from arena.game import Game
from arena.testing import ConformanceError, check_game
from arena_game_openspiel.library.generic import OpenSpiel
from arena_game_openspiel.library.library_description import UNPLAYABLE, UnwordedGame
from arena_game_openspiel.strategic_games.matrix import AnyMatrix

NAMED = {
    "backgammon": "backgammon", "checkers": "checkers", "chess": "chess", "connect_four": "connect-four", "go": "go",
    "hanabi": "hanabi", "othello": "othello", "pig": "pig", "nine_mens_morris": "nine-mens-morris", "oware": "oware",
    "breakthrough": "breakthrough", "pentago": "pentago", "dots_and_boxes": "dots-and-boxes", "goofspiel": "goofspiel",
    "first_sealed_auction": "first-price-auction", "nim": "openspiel-nim", "blackjack": "blackjack", "blotto": "blotto",
    "bargaining": "bargaining", "gin_rummy": "gin-rummy",
    "hex": "hex", "kuhn_poker": "kuhn-poker", "leduc_poker": "leduc-poker", "liars_dice": "liars-dice",
    "matrix_mp": "matching-pennies", "matrix_pd": "matrix-pd", "matrix_rps": "matrix-rps", "tic_tac_toe": "tic-tac-toe",
}  # fmt: skip
"""Games with a plugin of their own, by their names in OpenSpiel."""

RULES = {
    "ours": "its own, by a plugin of the same name (or of the one in brackets)",
    "text": "a text of ours, with the labels and observations of OpenSpiel",
    "its payoffs": "its payoffs",
    "none": "none",
}
"""How the rules of games are called on the page."""

FILE = "FILE"
"""Stands for a file that is written for the check."""

KUHN = {"name": "kuhn_poker"}
PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "add_noise": {"epsilon": 0.1, "seed": 1, "game": KUHN},
    "cached_tree": {"game": KUHN},
    "efg_game": {"filename": FILE},
    "misere": {"game": KUHN},
    "nfg_game": {"filename": FILE},
    "normal_form_extensive_game": {"game": KUHN},
    "repeated_game": {"stage_game": {"name": "matrix_pd"}, "num_repetitions": 3},
    "repeated_poker": {
        "max_num_hands": 2, "reset_stacks": True, "universal_poker_game_string": {"name": "universal_poker"},
    },
    "restricted_nash_response": {"game": KUHN},
    "start_at": {"game": {"name": "tic_tac_toe"}, "history": "4;0"},
    "turn_based_simultaneous_game": {"game": {"name": "goofspiel", "num_cards": 4}},
    "zerosum": {"game": {"name": "matrix_pd"}},
}  # fmt: skip
"""What a game is checked with where it cannot do without."""

FILES = {
    "efg_game": """\
EFG 2 R "Trust" { "first" "second" }
p "" 1 1 "" { "keep" "trust" } 0
t "" 1 "kept" { 1 1 }
p "" 2 1 "" { "share" "take" } 0
t "" 2 "shared" { 2 2 }
t "" 3 "taken" { 0 3 }
""",
    "nfg_game": 'NFG 1 R "Pennies" { "first" "second" } { 2 2 }\n\n1 -1 -1 1 -1 1 1 -1\n',
}

SLOW = {"bridge_uncontested_bidding": "scoring a match takes the engine a second, too long to look at thousands"}
"""Games that can be played and are not checked."""

FEW = 4
"""Matches of a game that are looked at first; more where they left something untested."""

SECONDS = 240
"""CPU time that a game may take: on a busy machine it takes longer, and is checked all the same."""

HEAD = """\
# Games of OpenSpiel

OpenSpiel {version} registers {total} games. To play one:
`{{use: openspiel, name: NAME, parameters: {{...}}}}`.
**{passed} of {total}** pass `arena.testing.check_game`: random matches end, can be repeated, keep to the rules that the
game states and leak nothing, and Arena reads the words of every action back as that action.

**{ruled} of them** have rules. Some have a plugin of their own. Others have a text of ours, which holds for the default
parameters and those it names. Simultaneous games of two players are told by their payoffs, up to 36 cells. All other
games carry the mark `rules: none`: a model is told what the engine says of the game, and not how to play it. Write
`without-rules: true` in the entry of such a game.

`plugins/games/openspiel/reading.py` asks readers which actions are legal in random positions, given the rules alone.

`plugins/games/openspiel/survey.py` writes this page, and a test compares it with the games.

| rules | games that pass |
|---|---|
"""

TABLE = """
| name | `check_game` |
|---|---|
"""


def checked() -> Mapping[str, tuple[str, str]]:
    """What rules each game has, and whether it passes; two are checked at a time."""
    names = sorted(pyspiel.registered_names())
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(_verdict, names), strict=True))


def taken(page: str) -> Mapping[str, tuple[str, str]]:
    """What rules each game has, and the verdict on it that ``page`` holds."""
    verdicts = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.MULTILINE))
    listed = re.findall(r"^\| [^`|]+ \| (`.+) \|$", page, re.MULTILINE)
    verdicts |= {name: "passes" for row in listed for name in re.findall(r"`(\w+)`", row)}
    return {
        name: (_rules(name), verdicts.get(name, "not checked").replace("\\|", "|"))
        for name in sorted(pyspiel.registered_names())
    }


def write(verdicts: Mapping[str, tuple[str, str]]) -> None:
    """Print the page."""
    passed = sum(verdict.startswith("passes") for _, verdict in verdicts.values())
    ruled = sum(verdict == "passes" and rules != "none" for rules, verdict in verdicts.values())
    head = HEAD.format(version=pyspiel.__version__, passed=passed, ruled=ruled, total=len(verdicts))
    rows = [_passing(rules, [n for n in verdicts if verdicts[n] == (kind, "passes")]) for kind, rules in RULES.items()]
    rest = [_row(name, verdict) for name, (_, verdict) in verdicts.items() if verdict != "passes"]
    sys.stdout.write("".join((head, *rows, TABLE, *rest)))


def _passing(rules: str, names: Sequence[str]) -> str:
    return f"| {rules} | {', '.join(map(_named, names))} |\n"


def _named(name: str) -> str:
    own = NAMED.get(name, "").replace("-", "_")
    return f"`{name}`" + (f" ({NAMED[name]})" if own not in ("", name) else "")


def _row(name: str, verdict: str) -> str:
    return f"| `{name}` | {verdict.replace('|', chr(92) + '|')} |\n"


def _verdict(name: str) -> tuple[str, str]:
    done = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True)
    if done.returncode == -signal.SIGXCPU:
        return "none", f"no: it takes more than {SECONDS} s"
    said = done.stdout.strip().splitlines()
    rules, verdict = said if done.returncode == 0 else ("none", f"no: it ends the process ({done.returncode})")
    return rules, verdict


def check(name: str) -> tuple[str, str]:
    """What rules one game has, and whether it passes, with the parameters it was checked with."""
    parameters = PARAMETERS.get(name, {})
    told = f" with `{json.dumps(parameters)}`" if parameters else ""
    if reason := {**UNPLAYABLE, **SLOW}.get(name):
        return "none", f"no: {reason}"
    rules = "none"
    try:
        with _made(name) as game:
            rules = _kind_of_rules(game)
            _check_matches(game)
            _check_words(game)
    except ConformanceError as error:
        return rules, f"no{told}: {str(error).partition('; to see it')[0]}"
    except ArenaError as error:
        return rules, f"no{told}: {str(error).rpartition('here: ')[2]}"
    return rules, f"passes{told}"


def _rules(name: str) -> str:
    if name in {**UNPLAYABLE, **SLOW}:
        return "none"
    try:
        with _made(name) as game:
            return _kind_of_rules(game)
    except ArenaError:
        return "none"


@contextmanager
def _made(name: str) -> Iterator[OpenSpiel]:
    """The game with the parameters that it is checked with, and their files as long as it is in use."""
    parameters = PARAMETERS.get(name, {})
    with TemporaryDirectory() as folder:
        if name in FILES:
            path = Path(folder) / name
            path.write_text(FILES[name], encoding="utf-8")
            parameters = {**parameters, "filename": str(path)}
        yield OpenSpiel(name, parameters)


def _kind_of_rules(game: OpenSpiel) -> str:
    if not game.has_rules:
        return "none"
    return "its payoffs" if isinstance(game.told, AnyMatrix) else "text" if type(game.told) is UnwordedGame else "ours"


def _check_matches(game: Game) -> None:
    players = min(game.player_counts())
    try:
        check_game(game, players, playouts=FEW)
    except ConformanceError:
        check_game(game, players)


def _check_words(game: Game) -> None:
    """Along one match, the words of each action mean that action and no other."""
    state, _ = game.start(Chance(1), min(game.player_counts()))
    rng = Random(1)
    for _ in range(60):
        acting = state.to_act()
        for player in acting:
            decision = state.decision(player)
            assert decision.options is not None
            for option in decision.options[:200]:
                if decision.interpret(option.label) != option.action:
                    raise ConformanceError("labels", f"{option.label!r} is not read back as {option.action!r}")
        if not acting:
            return
        state.apply({player: state.decision(player).sample(rng) for player in acting})


if __name__ == "__main__":
    if sys.argv[1:2] == ["--verdicts"]:
        write(taken(Path(sys.argv[2]).read_text(encoding="utf-8")))
    elif len(sys.argv) > 1:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        sys.stdout.write("\n".join((*check(sys.argv[1]), "")))
    else:
        write(checked())
