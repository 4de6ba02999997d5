"""A study as two tables, one row for each participant and one for each match, and a book of their columns."""

import csv
import io
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from arena.errors import ArenaError, ConfigError
from arena.record import Ending, MatchPlan, MatchRecord
from arena_engine import Journal, RecordedGame, recorded_games
from arena_report import spreadsheet_row

from arena_web.held.found_runs import JOURNAL
from arena_web.held.seat_matches import outcome_of
from arena_web.studies.open_study import OpenStudy
from arena_web.studies.study_file import LONGEST_TEXT, PARTS, Question
from arena_web.studies.study_plan import PARTICIPANT, order_of
from arena_web.studies.study_store import Participant

Column = dict[str, Any]
"""What the book says of a column: its name and kind, what it means, and its values or unit where it has some."""

ENDINGS_OF_FILES: Final = (".csv", ".json")

_CODE: Final[Column] = {"name": "code", "kind": "text", "meaning": "the anonymous code of the participant"}

_MATCHES: Final[Sequence[Column]] = (
    _CODE,
    {"name": "condition", "kind": "text", "meaning": "the condition that the match belongs to"},
    {"name": "order", "kind": "number", "meaning": "the number of the match among the participant's, from 1"},
    {"name": "game", "kind": "text", "meaning": "the game"},
    {"name": "against", "kind": "text", "meaning": "the other agents in the order of their seats, with +"},
    {"name": "seat", "kind": "number", "meaning": "which player the participant was, from 0"},
    {
        "name": "result",
        "kind": "choice",
        "meaning": "what came of it for the participant; empty without a result, or where points are counted",
        "values": ["won", "drawn", "lost"],
    },
    {"name": "points", "kind": "number", "meaning": "the participant's return by the rules of the game"},
    {"name": "ending", "kind": "choice", "meaning": "how it ended", "values": sorted(map(str, Ending))},
    {"name": "turns", "kind": "number", "meaning": "actions of the participant that were played", "unit": "turns"},
    {"name": "refusals", "kind": "number", "meaning": "answers of the participant that were refused"},
    {
        "name": "seconds",
        "kind": "number",
        "meaning": "time from when the participant was asked to each answer, summed up",
        "unit": "s",
    },
)


def export(own: OpenStudy, file: Path) -> list[Path]:
    """Write a study as CSV, with the matches and the book beside it, or as one JSON; returns the files."""
    if file.suffix not in ENDINGS_OF_FILES:
        raise ConfigError(f"-o {file}: expected a file that ends in {' or '.join(ENDINGS_OF_FILES)}")
    people = [each for each in own.store.participants() if each.consent is not None]
    book = {"participants": list(_columns(own)), "matches": list(_MATCHES)}
    rows = {
        "participants": [_row(own, each) for each in people],
        "matches": [row for each in people for row in _matches(own, each)],
    }
    if file.suffix == ".json":
        _write(file, _json({"study": own.study.name, **rows, "codebook": book}))
        return [file]
    beside = {name: file.with_suffix(f".{name}") for name in ("matches.csv", "codebook.json")}
    _write(file, _csv(book["participants"], rows["participants"]))
    _write(beside["matches.csv"], _csv(book["matches"], rows["matches"]))
    _write(beside["codebook.json"], _json({"study": own.study.name, **book}))
    return [file, *beside.values()]


def _columns(own: OpenStudy) -> Iterator[Column]:
    names = [*own.study.conditions]
    yield _CODE
    yield {"name": "consent", "kind": "text", "meaning": "SHA-256 of the text that was agreed to"}
    yield {
        "name": "agreed",
        "kind": "date",
        "meaning": "the day on which it was agreed to, in UTC",
        "unit": "YYYY-MM-DD",
    }
    for at in range(1 if own.study.each == "one" else len(names)):
        meaning = (
            f"the condition that was played {('first', 'second', 'third')[at] if at < 3 else f'as number {at + 1}'}"
        )
        yield {"name": f"condition_{at + 1}", "kind": "choice", "meaning": meaning, "values": names}
    yield {"name": "matches", "kind": "number", "meaning": "matches of the participant", "unit": "matches"}
    yield {"name": "matches_over", "kind": "number", "meaning": "those that are over", "unit": "matches"}
    meaning = "whether everything was played and answered; who stopped keeps what was given"
    yield {"name": "finished", "kind": "truth", "meaning": meaning, "values": [True, False]}
    for part in PARTS:
        yield from (_of_question(part, question) for question in own.study.questions(part))


def _of_question(part: str, question: Question) -> Column:
    found: Column = {"name": f"{part}_{question.name}", "kind": question.kind, "meaning": question.ask}
    found["asked"] = f"{part} the matches"
    found["required"] = question.required
    if question.kind == "choice":
        found["values"] = list(question.choices)
    elif question.kind == "scale":
        steps = question.steps
        ends = [steps[0], steps[-1]] if len(question.labels) == 2 else steps
        found |= {"values": list(steps), "labels": dict(zip(map(str, ends), question.labels, strict=False))}
    elif question.kind == "number":
        found |= {"least": question.low, "greatest": question.high}
    else:
        found["longest"] = LONGEST_TEXT
    return found


def _row(own: OpenStudy, participant: Participant) -> dict[str, Any]:
    progress = own.progress(participant)
    order = order_of(own.study, participant.place)
    answers = {
        f"{part}_{question.name}": participant.answers.get(part, {}).get(question.name)
        for part in PARTS
        for question in own.study.questions(part)
    }
    return {
        "code": participant.code,
        "consent": participant.consent,
        "agreed": participant.agreed,
        **{f"condition_{at}": name for at, name in enumerate(order, 1)},
        "matches": progress.total,
        "matches_over": progress.done,
        "finished": own.step(participant) == "over",
        **answers,
    }


def _matches(own: OpenStudy, participant: Participant) -> Iterator[dict[str, Any]]:
    directory = own.run_of(participant.code)
    if not (directory / JOURNAL).is_file():
        return
    with Journal.open(directory) as journal:
        games = recorded_games(journal)
        over = {id_ for id_, ending in journal.endings().items() if ending.is_final}
        for number, plan in enumerate(journal.plans(), 1):
            record = journal.record_of(plan.id) if plan.id in over else None
            if record is not None:
                own_answers = journal.answers(plan.id, within=str(plan.agents.index(PARTICIPANT)))
                seconds = round(sum(_seconds(entry.value) for entry in own_answers), 1)
                match = _match(plan, record, games.get(plan.game))
                yield {"code": participant.code, "condition": plan.game, "order": number, **match, "seconds": seconds}


def _match(plan: MatchPlan, record: MatchRecord, game: RecordedGame | None) -> dict[str, Any]:
    player, returns = plan.agents.index(PARTICIPANT), record.returns
    is_won_or_lost = returns is not None and game is not None and game.baseline.counts_wins
    return {
        "game": plan.game if game is None else game.title,
        "against": "+".join(name for name in plan.agents if name != PARTICIPANT),
        "seat": player,
        "result": outcome_of(returns, player) if returns is not None and is_won_or_lost else None,
        "points": None if returns is None else returns[player],
        "ending": str(record.ending),
        "turns": sum(event.player == player for event in record.played()),
        "refusals": sum(event.player == player for event in record.refused()),
    }


def _seconds(text: str) -> float:
    """The seconds of an entry of the journal that is an answer; none for others."""
    value: Any = json.loads(text)
    found: Any = cast("Mapping[str, Any]", value).get("seconds", 0) if isinstance(value, dict) else 0
    return found if type(found) in (int, float) else 0.0


def _csv(columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, [column["name"] for column in columns], lineterminator="\n")
    writer.writeheader()
    writer.writerows(spreadsheet_row(row) for row in rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _json(plain: Any) -> bytes:
    return (json.dumps(plain, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _write(file: Path, content: bytes) -> None:
    """Write a file that its user alone can read, whole or not at all."""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
        Path(name).replace(file)
    except OSError as error:
        raise ArenaError(f"{file}: cannot be written ({error.strerror}); choose another -o") from error
