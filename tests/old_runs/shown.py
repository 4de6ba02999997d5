"""What an old run shows through the command line, as text that is the same on every machine.

Nothing of Arena is imported but its console script, so that this holds wherever its modules are. A story is told in a
directory that holds a copy of the run; its keys are the names of golden files.
"""

import json
import re
import shutil
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from hashlib import blake2b
from importlib.metadata import entry_points
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Final, TypeAlias
from unittest.mock import patch

Call: TypeAlias = tuple[str, ...]
"""The arguments of one call of ``arena``; ``RUN`` stands for the run's directory."""

HERE: Final = Path(__file__).parent
RUNS, GOLDEN, BENCHMARKS = HERE / "folders", HERE / "golden", HERE / "benchmarks"

CACHE: Final = "cache"
"""The directory of answers that ``cached`` has filled and ``cached-again`` has used."""

DATA: Final = frozenset({".jsonl", ".csv", ".journal"})
"""The endings of golden files that programs read; all others hold prose."""

_JSONL: Final = ("export", "RUN", "--events", "--output", "-")
_CSV: Final = ("export", "RUN", "--format", "csv", "--output", "-")
_REPLAY: Final = ("replay", "RUN", "--match")

_VIEWS: Final[Mapping[str, Call]] = {
    "report.text": ("report", "RUN"),
    "report.markdown": ("report", "RUN", "--format", "markdown"),
    "matches.jsonl": _JSONL,
    "matches.csv": _CSV,
    "matches.text": ("replay", "RUN"),
    "replay.text": (*_REPLAY, "1"),
    "audit.text": ("audit", "RUN"),
    "audit-json.text": ("audit", "RUN", "--json"),
}

_IN_FULL: Final[Mapping[str, Call]] = {
    "report-full.text": ("report", "RUN", "--full"),
    "report.latex": ("report", "RUN", "--format", "latex"),
}

_MORE_VIEWS: Final[Mapping[str, Mapping[str, Call]]] = {
    "disciplined": {"replay-form.text": (*_REPLAY, "2", "--form", "illustration")},
    "failed": {**_IN_FULL, "replay-failed.text": (*_REPLAY, "3")},
    "finished": {
        **_IN_FULL,
        "asked.text": (*_REPLAY, "1", "--turn", "2", "--ask", "random"),
        "leaderboard.text": ("leaderboard", "RUN"),
        "other-metric.text": ("report", "RUN", "--metric", "optimality", "--forfeits", "without"),
        "replay-turn.text": (*_REPLAY, "3", "--turn", "1", "--full"),
    },
    "judged": _IN_FULL,
}

_BRIEF: Final = frozenset({"report.text", "other-metric.text"})
"""The views that show what random play earns if it is known already."""

_LEFT: Final[Mapping[str, Call]] = {
    "failed": (),
    "judging": ("--set", "limits.budget-calls=500"),
    "stopped": ("--set", "limits.budget-calls=500"),
    "traded": ("--set", "limits.budget-calls=500"),
}
"""Runs that are not over, with what is said to let them go on."""

LARGER: Final[Mapping[str, Call]] = {
    "extended": ("--set", "schedule.repeats=3", "--set", "agents.first=first-legal", "--metric", "costs"),
    "finished": ("--set", "agents.first=first-legal"),
}
"""What is said to make runs larger."""

ANEW: Final[Mapping[str, Call]] = {
    "cached": (),
    "cached-again": (),
    "disciplined": (),
    "engines": (),
    "extended": ("--set", "schedule.repeats=2", "--set", "illegal-actions.total=4"),
    "failed": ("--set", "agents.broken.backend.attempts=1", "--trust-code"),
    "finished": ("--set", "limits.waves=7", "--set", "illegal-actions.answers=10", "--set", "tells-agents=true"),
    "judged": (
        *("--set", "agents.curious.prompt.version=1"),
        *("--set", "agents.team.roles.planner.prompt.version=1"),
        *("--set", "agents.team.roles.proposer.prompt.version=1"),
        *("--set", "agents.team.roles.decision-maker.prompt.version=1"),
        *("--set", "games.deal.version=1", "--set", "metrics.mind.version=1"),
    ),
    "swept": (),
}
"""Runs whose benchmarks are played from the beginning: no budget stopped them at a call that chance has chosen.

What is said then is what they are: the keys of a file can be written on the command line.
"""

# How long it took; and where a run is estimated anew, how long it was to take.
_TIME: Final = re.compile(r"(?m)^\| time \|.*$")
_SECONDS: Final = re.compile(r"(?<= in )(less than a second|\d+ seconds?)(?= · )")


def put(run: str, directory: Path) -> None:
    """Copy the folder of a run, its benchmark, and the cache if it used one, into a directory."""
    shutil.copytree(RUNS / run, directory / run)
    if (file := BENCHMARKS / _file(run)).is_file():
        shutil.copy(file, directory)
    if run == "cached-again":
        shutil.copytree(HERE / CACHE, directory / CACHE)


def arena(*arguments: str) -> str:
    """Call the command line in this process and in this directory: what it wrote, and its exit code."""
    (entry, *_) = entry_points(group="console_scripts", name="arena")
    main = entry.load()
    out, err = _stream(), _stream()
    code: object = 0
    with patch.multiple(sys, argv=["arena", *arguments], stdin=_stream()), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main()
        except SystemExit as end:
            code = end.code
    told = _text(err)
    said = f"[standard error]\n{told}" if told else ""
    return f"$ arena {' '.join(arguments)}\n{_text(out)}{said}[exit code {code or 0}]\n"


def views(run: str) -> Mapping[str, Call]:
    """What shows a run as it is, by the golden file. The longest say again what others do, and are kept of a few."""
    return {**_VIEWS, **_MORE_VIEWS.get(run, {})}


def view(run: str, name: str) -> str:
    """What one of the run's views shows today."""
    if name in _BRIEF:  # it does not wait for random matches; this one plays and keeps them
        _called(run, _VIEWS["report.markdown"])
    return _called(run, views(run)[name])


def resumed(run: str) -> Mapping[str, str]:
    """A run that goes on, and what comes of it."""
    return _story("resumed", run, ("resume", "RUN", "--quiet", *_LEFT.get(run, ())), is_played=run in _LEFT)


def larger(run: str) -> Mapping[str, str]:
    """A run that is made larger, and what comes of it."""
    return _story("larger", run, ("run", _file(run), "--extend", "RUN", "--quiet", *LARGER[run]), is_played=True)


def names(run: str) -> frozenset[str]:
    """All golden files of a run."""
    played = [*(["resumed"] if run in _LEFT else []), *(["larger"] if run in LARGER else [])]
    told = {f"{story}{ending}" for story in played for ending in (".text", *DATA)}
    return frozenset({*views(run), "resumed.text", "resumed.journal", *told})


def anew(run: str, directory: str) -> str:
    """Play the benchmark of a run from the beginning."""
    return arena("run", _file(run), "--output", directory, "--quiet", *ANEW[run])


def journal(run: Path) -> tuple[str, ...]:
    """All that a journal holds of matches, a line each: plans, endings, answers with their hashes, judgements.

    Records, requests and their hashes are what resuming relies on. Who played when and with which versions is left out,
    and so is why a match failed: that is prose, and a traceback.
    """
    with closing(sqlite3.connect(run / "journal.sqlite")) as database:
        kept = dict(database.execute("SELECT key, value FROM meta WHERE key GLOB 'dictionary/*'"))

        def unpacked(packing: str, text: str | bytes | None) -> str | None:
            if not isinstance(text, bytes):
                return text
            number = packing.partition(":")[2]
            dictionary = json.loads(kept[f"dictionary/{number}"])["text"] if number else ""
            return zlib.decompressobj(-15, dictionary.encode()).decompress(text).decode()

        database.create_function("unpacked", 2, unpacked)
        return tuple(_lines(database))


def answers(run: Path) -> frozenset[str]:
    """The lines of the journal that say what was asked and answered."""
    return frozenset(line for line in journal(run) if line.startswith("answer "))


def _story(name: str, run: str, call: Call, *, is_played: bool) -> Mapping[str, str]:
    told = [_called(run, call), _called(run, _VIEWS["matches.text"])]
    if is_played:
        report = _TIME.sub("| time | TIME |", _called(run, _VIEWS["report.markdown"]))
        told.append(_SECONDS.sub("less than a second", report))
    matches = name if is_played else "matches"  # what was over exports as before
    return {
        f"{name}.text": "\n".join(told),
        f"{matches}.jsonl": _called(run, _JSONL),
        f"{matches}.csv": _called(run, _CSV),
        f"{name}.journal": "".join(f"{line}\n" for line in journal(Path(run))),
    }


def _called(run: str, call: Call) -> str:
    return arena(*(run if word == "RUN" else word for word in call))


def _file(run: str) -> str:
    return f"{run.removesuffix('-again')}.yaml"


def _lines(database: sqlite3.Connection) -> Iterator[str]:
    for place, plan, ending, record in _matches(database):
        yield f"match {place} {plan} {ending} {_digest(_without_thoughts(_without_failure(record)))}"
    texts = "request, value"
    if database.execute("PRAGMA user_version").fetchone()[0] > 1:
        texts = "unpacked(packing, request), unpacked(packing, value)"
    asked = f"match, scope, kind, request_hash, {texts}, prompt_tokens, completion_tokens, cost_usd"
    for match, scope, kind, hash_, request, *rest in database.execute(f"SELECT {asked} FROM answers ORDER BY 1, 2"):
        yield f"answer {match} {scope} {kind} {hash_} {_digest(request)} {json.dumps(rest, ensure_ascii=False)}"
    for row in database.execute("SELECT match, metric, value FROM judgements ORDER BY 1, 2"):
        yield f"judgement {' '.join(row)}"


def _matches(database: sqlite3.Connection) -> Iterator[tuple[int, str, str | None, str | None]]:
    """The matches of a journal as schema 1 had them: with the plan once more in each record."""
    if database.execute("PRAGMA user_version").fetchone()[0] == 1:
        yield from database.execute("SELECT place, plan, ending, record FROM matches ORDER BY 1")
        return
    query = (
        "SELECT place, plan, ending, unpacked(packing, record) FROM plans LEFT JOIN records USING (match) ORDER BY 1"
    )
    for place, plan, ending, record in database.execute(query):
        yield place, plan, ending, record and f'{{"plan":{plan},{record[1:]}'


def _without_failure(record: str | None) -> str | None:
    if record is None or not (failure := json.loads(record).get("failure")):
        return record
    return record.replace(json.dumps(failure, ensure_ascii=False, separators=(",", ":")), "null")


def _without_thoughts(record: str | None) -> str | None:
    """The record as it was before look-ups and refusals had what agents thought and noted beside them."""
    found = None if record is None else json.loads(record)
    added = [
        (e[4], key) for e in (found or {}).get("events", ()) for key in _ADDED.get(e[2], ()) if key in (e[4] or {})
    ]
    for data, key in added:
        del data[key]
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) if added else record


_ADDED: Final[Mapping[str, tuple[str, ...]]] = {"queried": ("reasoning", "note"), "refused": ("note",)}


def _digest(text: str | None) -> str:
    return "-" if text is None else blake2b(text.encode(), digest_size=8).hexdigest()


def _stream() -> TextIOWrapper:
    return TextIOWrapper(BytesIO(), encoding="utf-8", newline="", write_through=True)


def _text(stream: TextIOWrapper) -> str:
    assert isinstance(stream.buffer, BytesIO)
    return stream.buffer.getvalue().decode()
