"""What a packed journal takes, beside a plain one: bytes on the disk, and CPU to write and to read it.

    python benchmarks/journal.py [--rounds 5] [--matches 10000] [--quick] [--write]

The same benchmark is run with ``journal: {compress: true}`` and with ``false``, in turns and in processes of its own:
random matches of tic-tac-toe and of chess, and 80 plies of chess by a model (the ``scripted`` backend, which answers
at once). Bytes are those of the journal's file when the run has ended, with summaries and indices, divided by its
matches where they are bytes a match. CPU seconds are user and system of ``arena run -q``, less those of the same with
two matches, and of ``arena export`` to jsonl as a whole.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import attrs
from ratios.rounds import ARENA, in_turns, program
from ratios.rows import Row, limited, over
from ratios.script import run

GOAL_BYTES = 600
GOAL_MODEL = 0.25
GOAL_CPU = 1.05
PLIES = 80


@attrs.frozen(kw_only=True)
class Case:
    """What is played: ``repeats`` pairs of matches of a game between two agents."""

    title: str
    game: str
    agent: Any
    repeats: int
    limits: Mapping[str, int] = attrs.field(factory=dict[str, int])

    def play(self, folder: Path, repeats: int, *, compress: bool) -> float:
        """Play so many pairs of matches; the CPU seconds that it took."""
        plain = {
            "name": "journal",
            "seed": 1,
            "games": {"ttt" if self.game == "tic-tac-toe" else "chess": self.game},
            "agents": {"a": self.agent, "b": self.agent},
            "schedule": {"use": "round-robin", "repeats": repeats},
            "limits": self.limits,
            "metrics": ["outcomes", "illegal-actions"],
            "journal": {"compress": compress},
        }
        folder.mkdir()
        file = folder / "journal.yaml"
        file.write_text(json.dumps(plain), "utf-8")
        return program([ARENA, "run", file, "-q", "-o", folder / "run"])


@attrs.define
class Found:
    """What was found of a journal, round by round."""

    size: list[float] = attrs.field(factory=list[float])
    reading: list[float] = attrs.field(factory=list[float])


def measured(case: Case, rounds: int) -> tuple[Mapping[str, Found], Mapping[str, list[float]]]:
    """The bytes and the reading of both journals, and the CPU seconds of writing them."""
    found = {"packed": Found(), "plain": Found()}

    def work(name: str) -> Callable[[], float]:
        def write() -> float:
            with tempfile.TemporaryDirectory() as place:
                few = case.play(Path(place, "few"), 1, compress=name == "packed")
                many = case.play(Path(place, "many"), case.repeats, compress=name == "packed")
                journal = Path(place, "many", "run")
                found[name].size.append((journal / "journal.sqlite").stat().st_size)
                export = [ARENA, "export", journal, "--format", "jsonl", "-o", Path(place, "matches.jsonl")]
                found[name].reading.append(program(export))
            return many - few

        return write

    writing = in_turns({name: work(name) for name in found}, rounds, is_warm=True)
    return found, {name: list(seconds) for name, seconds in writing.items()}


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Bytes, writing and reading of each case."""
    less = 10 if options.quick else 1
    model = {"use": "llm", "backend": "scripted"}
    for case in (
        Case(title="tic-tac-toe", game="tic-tac-toe", agent="random", repeats=options.matches // 2 // less),
        Case(title="chess", game="chess", agent="random", repeats=max(2, 60 // less)),
        Case(title="model", game="chess", agent=model, repeats=max(2, 8 // less), limits={"max-steps": PLIES}),
    ):
        found, writing = measured(case, options.rounds)
        packed, plain = found["packed"], found["plain"]
        is_model = case.title == "model"
        what = f"{PLIES} plies of chess by a model" if is_model else f"matches of {case.title}"
        if case.title == "tic-tac-toe":
            sizes = [size / (2 * case.repeats) for size in packed.size]
            yield limited("a match of tic-tac-toe, packed", sizes, GOAL_BYTES, "bytes")
        note = f"{median(packed.size) / 1e6:.2f} and {median(plain.size) / 1e6:.2f} MB"
        goal = GOAL_MODEL if is_model else None
        yield Row(name=f"bytes of {what}, packed × plain", ratios=over(packed.size, plain.size), goal=goal, note=note)
        note = f"{median(writing['packed']):.2f} and {median(writing['plain']):.2f} s"
        ratios = over(writing["packed"], writing["plain"])
        yield Row(name=f"run of {what}, packed × plain", ratios=ratios, goal=GOAL_CPU, note=note)
        note = f"{median(packed.reading):.2f} and {median(plain.reading):.2f} s"
        yield Row(name=f"export of {what}, packed × plain", ratios=over(packed.reading, plain.reading), note=note)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--matches", type=int, default=10_000, help="matches of tic-tac-toe")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
