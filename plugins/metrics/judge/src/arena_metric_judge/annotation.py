"""Files of a person's scores: one line of JSON for each subject, written as soon as it is complete."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from arena.errors import ConfigError
from arena.record import JSON, Player, canonical_json

from arena_metric_judge.rubric import Rubric

FIELDS: Final = ("run", "match", "player", "turn", "rubric", "version", "annotator", "scores")


@attrs.frozen(kw_only=True)
class Annotation:
    """A person's scores of one subject; ``scores`` maps a dimension to its ``score`` and ``justification``."""

    run: str
    match: str
    player: Player | None
    turn: int | None
    rubric: str
    version: str
    annotator: str
    scores: Mapping[str, Any]

    @property
    def place(self) -> tuple[str, Player | None, int | None]:
        """The subject: match, player and turn; ``None`` if a player or turn does not apply."""
        return self.match, self.player, self.turn

    def line(self) -> str:
        """The annotation as a line of the file."""
        plain: dict[str, JSON] = {name: getattr(self, name) for name in FIELDS}
        return canonical_json(plain)


def read(path: Path, rubric: Rubric) -> list[Annotation]:
    """The annotations of a file that were made with this rubric; ``ConfigError`` names a line that is invalid.

    If a subject occurs twice, the later annotation counts.
    """
    found: dict[object, Annotation] = {}
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            one = _parsed(line, f"{path}: line {number}", rubric)
            if (one.rubric, one.version) == (rubric.name, rubric.version):
                found[one.annotator, one.place] = one
    return list(found.values())


def append(path: Path, one: Annotation) -> None:
    """Append an annotation to the file immediately."""
    with path.open("a", encoding="utf-8") as file:
        file.write(one.line() + "\n")


def _lines(path: Path) -> Iterable[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error}; name a file that arena annotate wrote") from None


def _parsed(line: str, where: str, rubric: Rubric) -> Annotation:
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise ConfigError(f"{where} is not JSON: {error}; remove the line") from None
    if not isinstance(raw, dict) or raw.keys() != set(FIELDS) or not isinstance(raw["scores"], dict):
        raise ConfigError(f"{where}: expected a table with {', '.join(FIELDS)}")
    if raw["version"] == rubric.version:
        for name, dimension in rubric.dimensions.items():
            given = raw["scores"].get(name)
            problem = dimension.problem(given["score"]) if isinstance(given, dict) and "score" in given else name
            if problem:
                raise ConfigError(f"{where}: no score that fits the rubric: {problem}")
    return Annotation(**raw)
