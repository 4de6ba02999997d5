"""Files of a person's scores: one line of JSON for each subject, written as soon as it is complete."""

import json
import os
from collections.abc import Iterable, Mapping
from io import BufferedRandom
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.errors import ConfigError
from arena.record import JSON, Player, canonical_json

from arena_metric_judge.dimension import Dimension
from arena_metric_judge.rubric import Rubric

FIELDS: Final = ("run", "match", "player", "turn", "rubric", "version", "annotator", "scores")
OF_ROUND: Final = ("round", "party")
"""Fields that only the annotation of a round has."""


@attrs.frozen(kw_only=True)
class Annotation:
    """A person's scores of one subject: ``scores`` maps a dimension to its ``score`` and ``justification``.

    Where a rubric has items, it maps an item to such scores, and a kind of things found within it to a list of them.
    """

    run: str
    match: str
    player: Player | None
    turn: int | None
    rubric: str
    version: str
    annotator: str
    scores: Mapping[str, Any]
    round: str | None = None
    party: str | None = None

    @property
    def place(self) -> tuple[Any, ...]:
        """The subject: match, player, turn, round and party; ``None`` stands for what does not apply."""
        return self.match, self.player, self.turn, self.round, self.party

    def line(self) -> str:
        """The annotation as a line of the file."""
        of_round = [name for name in OF_ROUND if getattr(self, name) is not None]
        plain: dict[str, JSON] = {name: getattr(self, name) for name in (*FIELDS, *of_round)}
        return canonical_json(plain)


def read(path: Path, rubric: Rubric) -> list[Annotation]:
    """The annotations of a file that were made with this rubric; ``ConfigError`` names a line that is invalid.

    If a subject occurs twice, the later annotation counts. A last line that was cut off while it was written does not.
    """
    found: dict[object, Annotation] = {}
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            one = _parsed(line, f"{path}: line {number}", rubric)
            if (one.rubric, one.version) == (rubric.name, rubric.version):
                found[one.annotator, one.place] = one
    return list(found.values())


def append(path: Path, one: Annotation) -> None:
    """Append an annotation to the file immediately, in place of a last line that was cut off."""
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                _end_line(file)
        file.write(f"{one.line()}\n".encode())


def _end_line(file: BufferedRandom) -> None:
    """End the last line of a file, if an editor left it without an end, or take it away if it was cut off."""
    file.seek(0)
    *_, last = file.read().rpartition(b"\n")
    if _is_whole(last):
        file.write(b"\n")
    else:
        file.truncate(file.tell() - len(last))


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _lines(path: Path) -> Iterable[str]:
    try:
        *lines, last = path.read_bytes().split(b"\n")
        whole = [*lines, last] if last and _is_whole(last) else lines
        return b"\n".join(whole).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error}; name a file that arena annotate wrote") from None


def _parsed(line: str, where: str, rubric: Rubric) -> Annotation:
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise ConfigError(f"{where} is not JSON: {error}; remove the line") from None
    if not isinstance(raw, dict) or raw.keys() - set(OF_ROUND) != set(FIELDS) or not isinstance(raw["scores"], dict):
        raise ConfigError(f"{where}: expected a table with {', '.join(FIELDS)}")
    if raw["version"] == rubric.version:
        problem = _problem(raw["scores"], rubric)
        if problem:
            raise ConfigError(f"{where}: no score that fits the rubric: {problem}")
    return Annotation(**raw)


def _problem(scores: Mapping[str, Any], rubric: Rubric) -> str:
    """What is wrong with the scores of one subject, or an empty text."""
    if rubric.rounds is None or not rubric.rounds.items:
        return next(filter(None, (_fault(scores, dimension) for dimension in rubric.dimensions.values())), "")
    return next(filter(None, (_item_fault(place, own, rubric) for place, own in scores.items())), "")


def _item_fault(place: str, own: Any, rubric: Rubric) -> str:
    """What is wrong with the scores of one item; which of the dimensions are asked for depends on the match."""
    if not isinstance(own, Mapping):
        return f"{place}: expected a table"
    table = cast("Mapping[str, Any]", own)
    for name, given in table.items():
        if name in rubric.dimensions:
            fault = _fault(table, rubric.dimensions[name])
        elif rubric.rounds and name in rubric.rounds.items and isinstance(given, list):
            several = cast("list[Any]", given)
            fault = next(filter(None, (_item_fault(f"{place}, {name}", each, rubric) for each in several)), "")
        else:
            fault = f"{place}: nobody asked for {name!r}"
        if fault:
            return fault
    return ""


def _fault(scores: Mapping[str, Any], dimension: Dimension) -> str:
    given = scores.get(dimension.name)
    if dimension.note:
        return dimension.problem(given)
    return dimension.problem(given["score"]) if isinstance(given, dict) and "score" in given else dimension.name
