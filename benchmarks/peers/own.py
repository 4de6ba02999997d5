"""Arena's games, played at random: the rules alone, and as `arena run` plays a benchmark."""

import json
import random
import tempfile
import time
from pathlib import Path

from ratios.rounds import ARENA, program

from peers.meters import Match


def state(name: str) -> Match:
    """Arena's game and state alone, as a referee asks them."""
    from arena.catalog import Catalog
    from arena.chance import Chance

    game = Catalog().get("game", name).plugin.load()()

    def play(seed: int) -> tuple[int, float]:
        rng = random.Random(seed)
        start = time.process_time()
        position, _ = game.start(Chance(seed), 2)
        steps = 0
        while acting := position.to_act():
            actions = {}
            for player in acting:
                action = position.decision(player).sample(rng)
                assert position.check(player, action) is None
                actions[player] = action
                steps += 1
            position.apply(actions)
        return steps, time.process_time() - start

    return play


def command(name: str, repeats: int) -> Match:
    """`arena run FILE -q` of twice so many matches, less the same of two: start and end of the program are not counted.

    The actions are counted in what `arena export` writes, which takes no part of the time.
    """

    def play(seed: int) -> tuple[int, float, int]:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            few, _ = _run(folder / "few", name, 1, seed)
            seconds, run = _run(folder / "many", name, repeats, seed)
            exported = folder / "matches.jsonl"
            program([ARENA, "export", run, "--format", "jsonl", "-o", exported])
            matches = [json.loads(line) for line in exported.read_text("utf-8").splitlines()]
        assert len(matches) == 2 * repeats, f"{2 * repeats - len(matches)} matches have no result"
        share = 1 - 1 / repeats
        return round(share * sum(len(match["turns"]) for match in matches)), seconds - few, 2 * repeats - 2

    return play


def run_of(folder: Path, game: str, repeats: int, seed: int = 1) -> Path:
    """Play twice so many random matches of a game; the folder of the run."""
    return _run(folder, game, repeats, seed)[1]


def _run(folder: Path, game: str, repeats: int, seed: int) -> tuple[float, Path]:
    plain = {
        "name": "random",
        "seed": seed,
        "games": {"game": game},
        "agents": {"one": "random", "two": "random"},
        "schedule": {"use": "round-robin", "repeats": repeats},
        "metrics": ["outcomes", "illegal-actions"],
    }
    folder.mkdir(parents=True)
    file = folder / "random.yaml"
    file.write_text(json.dumps(plain), "utf-8")
    return program([ARENA, "run", file, "-q", "-o", folder / "run"]), folder / "run"
