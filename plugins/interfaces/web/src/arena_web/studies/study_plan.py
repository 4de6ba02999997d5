"""Reads what a study is, and says who plays what: the order of each participant, and the benchmark of its matches."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.record import canonical_json, derive_rng, derive_seed
from arena_engine import BenchmarkProblem, check_benchmark, read_yaml, structure

from arena_web.studies.study_file import NAME, NO_CONSENT, Condition, Study

T = TypeVar("T")

PARTICIPANT: Final = "participant"
"""The agent of a participant's run that is the participant."""

_SEEDS: Final = 2**53

_GAME: Final = re.compile(r" \(game '([^']*)'\)$")
"""What says of which game a mistake of the schedule is."""


def order_of(study: Study, place: int) -> tuple[str, ...]:
    """The conditions of the participant at a place, in the order in which they are played.

    Where each plays one, every group of as many participants as there are conditions has each once. Where each plays
    all, every such group is a Latin square: each condition stands at each place of the order once. With an even number
    of conditions each also follows each other one equally often in a square, with an odd one in two squares together.
    """
    letters = derive_rng("study", study.seed, "conditions").sample([*study.conditions], len(study.conditions))
    size = len(letters)
    group, at = divmod(place, size)
    draw = derive_rng("study", study.seed, "group", group)
    if study.each == "one":
        return (draw.sample(letters, size)[at],)
    rows = draw.sample(_square(size), size)
    row = [letters[each] for each in rows[at]]
    return tuple(row[::-1] if size % 2 and group % 2 else row)


def benchmark_of(study: Study, order: tuple[str, ...], place: int) -> dict[str, Any]:
    """The benchmark of a participant's matches, one after the other."""
    agents: dict[str, Any] = {PARTICIPANT: {"use": "open-seat", "title": PARTICIPANT}}
    names = _agent_names(study)
    games: dict[str, Any] = {}
    seats: dict[str, Any] = {}
    first = 0
    for name in order:
        condition = study.conditions[name]
        others = [names[canonical_json(other)] for other in condition.others]
        agents |= {names[canonical_json(other)]: other for other in condition.others}
        games[name] = condition.game
        seats[name] = {
            "use": "fixed",
            "seatings": [_seating(condition, others, place // len(study.conditions))],
            "repeats": condition.matches,
            "rotate-seats": "in-turn" if condition.seat is None else False,
            "first-repeat": first,
        }
        first += condition.matches
    policy = {} if study.illegal_actions is None else {"illegal-actions": study.illegal_actions}
    return {
        "name": study.name,
        "seed": derive_seed("study", study.seed, "participant", place) % _SEEDS,
        "games": games,
        "agents": agents,
        "schedule": {"use": "by-game", "games": seats},
        "limits": {**study.limits, "concurrency": 1},
        **policy,
    }


def placed(problem: BenchmarkProblem, study: Study) -> BenchmarkProblem:
    """A mistake of such a benchmark, by where its cause stands in the study."""
    path, text = problem.path, problem.text
    if path[:1] == ("games",) and len(path) > 1:
        return BenchmarkProblem(("conditions", path[1], "game", *path[2:]), text)
    if path[:1] == ("schedule",) and (found := _GAME.search(text)):
        return BenchmarkProblem(("conditions", found[1], "against"), text[: found.start()])
    if path[:1] == ("agents",) and len(path) > 1:
        names = _agent_names(study)
        for name, condition in study.conditions.items():
            for at, other in enumerate(condition.others):
                if names[canonical_json(other)] == path[1]:
                    listed = (str(at),) if isinstance(condition.against, list | tuple) else ()
                    return BenchmarkProblem(("conditions", name, "against", *listed, *path[2:]), text)
    return problem


def _agent_names(study: Study) -> Mapping[str, str]:
    """The names of all agents by what they are: that of a plugin where it has no parameters, else made of it."""
    found: dict[str, str] = {}
    for text, other in _others(study):
        use: Any = cast("dict[str, Any]", other).get("use") if isinstance(other, dict) else other
        wanted = use.replace(":", "-").replace("/", "-").replace(",", "-") if isinstance(use, str) and use else "agent"
        number, name = 1, wanted
        while name in (PARTICIPANT, *found.values()):
            number += 1
            name = f"{wanted}-{number}"
        found.setdefault(text, name)
    return found


def _others(study: Study) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for condition in study.conditions.values():
        for other in condition.others:
            text = canonical_json(other)
            if text not in seen:
                seen.add(text)
                yield text, other


def _seating(condition: Condition, others: list[str], group: int) -> list[str]:
    """The agents by player; without a fixed seat a group of participants begins in the seat after the last one's."""
    seat = group % (len(others) + 1) if condition.seat is None else min(condition.seat, len(others))
    return [*others[:seat], PARTICIPANT, *others[seat:]]


def _square(size: int) -> list[list[int]]:
    """A Latin square of the numbers below ``size``, in which neighbours are as different as can be (Williams)."""
    first = [(at + 1) // 2 if at % 2 else -(at // 2) for at in range(size)]
    return [[(each + row) % size for each in first] for row in range(size)]


def read_study(file: Path, catalog: Catalog) -> Study:
    """The study of a file; ``ConfigError`` lists all mistakes, each with its line and its path."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read ({error}); expected a YAML file of a study") from error
    read = read_yaml(text, str(file))
    data: Any = read.data
    if not isinstance(data, Mapping):
        raise ConfigError(f"{file}: expected a table with name, consent and conditions")
    plain = cast("Mapping[str, Any]", data)
    study, problems = _structured(plain, Study, catalog)
    problems += _unplayable(plain, study, catalog)
    if study is None or problems:
        lines = {tuple(part.replace("_", "-") for part in path): line for path, line in read.lines.items()}
        raise ConfigError(dict.fromkeys(_located(problem, str(file), lines) for problem in problems))
    return study


def _structured(plain: Any, cls: type[T], catalog: Catalog) -> tuple[T | None, list[BenchmarkProblem]]:
    try:
        return structure(plain, cls, catalog), []
    except ConfigError as error:
        return None, [BenchmarkProblem.parse(line) for line in error.problems]


def _unplayable(plain: Mapping[str, Any], study: Study | None, catalog: Catalog) -> list[BenchmarkProblem]:
    """What keeps the matches from being played; of a study with other mistakes those of the sound conditions."""
    if study is None:
        raw: Any = plain.get("conditions")
        tables: Mapping[str, Any] = cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {}
        read = {name: _structured(table, Condition, catalog)[0] for name, table in tables.items()}
        sound = {name: condition for name, condition in read.items() if condition and NAME.fullmatch(name)}
        if not sound:
            return []
        study = Study(name="study", consent=NO_CONSENT, seed=0, participants=1, conditions=sound)
    found = check_benchmark(benchmark_of(study, tuple(study.conditions), 0), catalog).problems
    return [placed(problem, study) for problem in found]


def _located(problem: BenchmarkProblem, label: str, lines: Mapping[tuple[str, ...], int]) -> str:
    path = tuple(part.replace("_", "-") for part in problem.path)
    line = next((lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in lines), None)
    return f"{label}: {problem}" if line is None else f"{label}:{line}: {problem}"
