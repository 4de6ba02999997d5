"""Reads and writes review files: stories that a model wrote, as YAML with a person's verdict on each."""

from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

import attrs
from arena.errors import ConfigError
from arena.record import MatchRecord
from arena_engine import Journal
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verifier import verify
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import LiteralScalarString

Verdict = Literal["undecided", "accept", "reject"]

HEAD: Final = """\
# Stories that passed the verifier. Change each verdict to accept or reject; then:
# arena tmgbench-stories use THIS-FILE -o bench.yaml --rewrite-rejected again.yaml
"""


@attrs.frozen(kw_only=True)
class Written:
    """A generated story and a reviewer's verdict on it."""

    game: str
    topic: str
    story: str = attrs.field(converter=str.strip)
    verdict: Verdict = "undecided"


def of_run(run: Path) -> list[Written]:
    """The stories that the verifier accepted in a run of ``two-by-two-writing``, in the order of its matches."""
    with Journal.open(run) as journal:
        return [written for record in journal.records() for written in _accepted(record)]


def merged(old: Iterable[Written], new: Iterable[Written]) -> list[Written]:
    """The stories of both, each once; verdicts that were given in ``old`` stay."""
    known = {written.story: written for written in old}
    return [*known.values(), *(written for written in new if written.story not in known)]


def load(path: Path) -> list[Written]:
    """The stories of a review file; ``ConfigError`` lists every mistake with its place.

    A story that no longer describes its game, because it was edited, is a mistake too.
    """
    try:
        raw = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        raise ConfigError(f"{path}: cannot be read: {' '.join(str(error).split())}") from None
    if not isinstance(raw, list):
        raise ConfigError(f"{path}: expected a list of stories")
    entries = cast("Sequence[Any]", raw)
    mistakes = [f"{path}[{i}]: {mistake}" for i, entry in enumerate(entries) for mistake in _mistakes(entry)]
    if mistakes:
        raise ConfigError(mistakes)
    return [Written(**entry) for entry in entries]


def dump(stories: Iterable[Written]) -> str:
    """The text of a review file, which a person can read and edit."""
    entries = [
        {**attrs.asdict(written), "story": LiteralScalarString(written.story.strip() + "\n")} for written in stories
    ]
    order = ("game", "topic", "verdict", "story")
    out = StringIO()
    YAML().dump([{key: entry[key] for key in order} for entry in entries], out)
    return HEAD + out.getvalue()


def _accepted(record: MatchRecord) -> Iterable[Written]:
    topic = ""
    for event in record.events:
        data: Any = event.data
        if event.source == "game" and event.kind == "asked" and "topic" in data:
            topic = data["topic"]
        elif event.source == "game" and event.kind == "accepted":
            yield Written(game=data["game"], topic=topic, story=data["text"])


def _mistakes(entry: Any) -> Iterable[str]:
    fields = [field.name for field in attrs.fields(Written)]
    if not isinstance(entry, dict) or set(cast("dict[Any, Any]", entry)) != set(fields):
        yield f"expected the keys {', '.join(fields)}"
        return
    if entry["verdict"] not in get_args(Verdict):
        yield f"verdict: expected {', '.join(get_args(Verdict))}, got {entry['verdict']!r}"
    if entry["game"] not in GAMES:
        yield f"game: no 2×2 game {entry['game']!r}"
    elif not isinstance(entry["story"], str):
        yield "story: expected a text"
    else:
        yield from (f"story: {fault}" for fault in verify(entry["story"], GAMES[entry["game"]].matrix))
