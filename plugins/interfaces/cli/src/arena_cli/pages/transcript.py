"""Formats a recorded match as pages: one for each turn, and one for the end."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from mimetypes import guess_extension
from pathlib import Path
from typing import Any, Final

import click
from arena.errors import ArenaError, ConfigError, RuleError
from arena.game import Drawing, Game, Image, State
from arena.record import Event, GameEvent, MatchHistory, MatchRecord, canonical_json, quoted, visible
from arena.turns import positions
from arena_engine import (
    Journal,
    JournalEntry,
    completion_from_text,
    event_key,
    record_words,
    transcript,
    watched_outside,
)
from arena_engine.journal import TranscriptTry, TranscriptTurn
from arena_scene import for_people, lines

from arena_cli.application.options import print_status
from arena_cli.output import CleanText, result, terminal_of
from arena_cli.output.safe_text import shown, styled

SET_IN: Final = 2
"""Columns by which a line that is broken goes on: what is quoted in it never begins where our own lines do."""


def select_match(journal: Journal, wanted: str | None) -> MatchRecord | None:
    """The match with this id or number (from 1, in plan order); for ``None`` the only match, if there is just one.

    ``ConfigError`` if there is no such match, or if it is not over.
    """
    history = select_history(journal, wanted)
    if history is None or isinstance(history, MatchRecord):
        return history
    raise _unfinished(journal, history.plan.id)


def select_history(journal: Journal, wanted: str | None) -> MatchHistory | None:
    """The same for a match of which some steps are known, over or not; ``ConfigError`` if none is."""
    plans = journal.plans()
    if wanted is None:
        if len(plans) != 1:
            return None
        wanted = plans[0].id
    elif wanted.isdecimal():
        if not 1 <= int(wanted) <= len(plans):
            raise ConfigError(f"--match {wanted}: {journal.directory} has matches 1 to {len(plans)}")
        wanted = plans[int(wanted) - 1].id
    if wanted not in {plan.id for plan in plans}:
        raise ConfigError(f"--match {wanted}: no match of that id; `arena replay {journal.directory}` lists them")
    history = journal.history_of(wanted)
    if history is None or not (isinstance(history, MatchRecord) or history.events or history.steps):
        raise _unfinished(journal, wanted)
    return history


def _unfinished(journal: Journal, match: str) -> ConfigError:
    return ConfigError(f"--match {match}: not finished; go on with `arena resume {journal.directory}`")


def listed(journal: Journal) -> str:
    """All matches as text: number, id and ending of each."""
    endings = {**dict.fromkeys(journal.matches_with_progress(), "begun"), **journal.endings()}
    width = max(16, *map(len, endings.values())) if endings else 16
    lines = [f"{n:>6}  {endings.get(p.id, 'not finished'):{width}}  {p.id}" for n, p in enumerate(journal.plans(), 1)]
    return "\n".join([f"{'number':>6}  {'ending':{width}}  id (replay one with --match NUMBER)", *lines])


class MatchTranscript:
    """The pages of one match, made by playing its recorded actions again.

    Where ``form`` gives pictures, they are written to the directory ``pictures``, if one is given. Without the ``game``
    there are no positions, and events are told in ``words``, by ``event_key``, as far as there are any.
    """

    def __init__(
        self,
        journal: Journal,
        game: Game | None,
        record: MatchHistory,
        form: str,
        *,
        is_full: bool,
        pictures: Path | None = None,
        words: Mapping[str, str] | None = None,
    ) -> None:
        self._record = record
        self._game = game
        self._is_full = is_full
        self._turns = transcript(record, journal.answers(record.id))
        self._told: dict[int, set[str]] = {}
        self._words = words or {}
        self._is_watched = record.id in watched_outside(journal)
        self._why = ""
        self._boards = self._events() if game is None else self._positions(game, form, pictures)

    def _positions(self, game: Game, form: str, pictures: Path | None) -> list[str]:
        """The events of each step with the position that they lead to."""
        found: list[str] = []
        for position in positions(game, self._record):
            board = board_of(game, position.state, form)
            if pictures is not None:
                place = pictures / f"step-{position.step:0{len(str(self._record.steps))}}"
                board = write_picture(board, place, form)
            if position.step == self._record.steps and not position.state.to_act():
                self._why = game.describe_end(position.state.observe(None))
            told = [*map(self._tell, position.events), shown(board if isinstance(board, str) else on_terminal(board))]
            found.append("\n".join(told))
        return found

    def _events(self) -> list[str]:
        """The events of each step."""
        told: list[list[str]] = [[] for _ in range(self._record.steps + 1)]
        for event in self._record.events:
            if event.source == "game":
                told[event.step].append(self._tell(event))
        return ["\n".join(lines) for lines in told]

    def pages(self) -> list[str]:
        """One page per turn; a prompt's messages appear only when they are first sent to that player."""
        found = [self._page(turn) for turn in self._turns]
        last = filter(None, [self._boards[-1]])
        title = "── the end" if isinstance(self._record, MatchRecord) else "── so far"
        return [*found, "\n".join([styled(title, bold=True), *last, *self._ending()])]

    def _page(self, turn: TranscriptTurn) -> str:
        record = self._record
        seat = self._seat(turn.player)
        title = f"── turn {turn.number} of {len(self._turns)} · {seat}: {record.agents[turn.player]}"
        lines = [styled(title, bold=True), *filter(None, [self._boards[turn.step]])]
        for event in turn.queries:
            lines += _look_up(event)
        told = set[str]() if self._is_full else self._told.setdefault(turn.player, set())
        for each in turn.tries:
            lines += format_try(each, told)
        if turn.played is None:
            lines.append(styled("eliminated by forfeit", fg="red"))
        return "\n".join(lines)

    def _tell(self, event: Event) -> str:
        if self._game is None:
            told = self._words.get(event_key(event.kind, event.data), f"{event.kind}: {canonical_json(event.data)}")
        else:
            told = self._game.describe_event(GameEvent(event.kind, event.data, event.to), None)
        audience = "" if event.to is None else f" (seen by {', '.join(map(self._seat, event.to)) or 'nobody'})"
        return styled(f"· {_indented(for_people(told))}{audience}", dim=True)

    def _seat(self, player: int) -> str:
        return self._record.seats[player] if self._record.seats else f"player {player}"

    def _ending(self) -> Iterator[str]:
        record = self._record
        if not isinstance(record, MatchRecord):
            yield shown(f"not over: {record.steps} step{'' if record.steps == 1 else 's'} so far")
            return
        yield shown(f"result: {record_words(record, why=self._why)}")
        if self._is_watched:
            yield "watched by the host, who saw all of it while somebody outside played"
        if record.returns is not None:
            pairs = zip(record.agents, record.returns, strict=True)
            yield shown("returns: " + ", ".join(f"{agent} {value:g}" for agent, value in pairs))
        if record.failure is not None:
            yield shown(f"failure: {record.failure.reason}\n{record.failure.traceback}".rstrip())


def board_of(game: Game, state: State, form: str) -> str | Image | Drawing:
    """A position as the spectator sees it; ``RuleError`` lists the forms that exist."""
    if form not in game.forms:
        raise RuleError(f"--form {form}: no form of that name (there is: {', '.join(game.forms)})")
    return game.forms[form](state.observe(None))


def on_terminal(board: Image | Drawing) -> str:
    """What a terminal shows of a board that is no text: a drawing as signs, and of a picture what it is and shows."""
    if isinstance(board, Image):
        return f"[{board.media_type}, {len(board.data):,} bytes: {board.alt or 'a picture'}]"
    terminal = terminal_of(sys.stdout)
    return "\n".join(lines(board, terminal.width, False, terminal.is_unicode))


def write_picture(board: str | Image | Drawing, place: Path, form: str) -> str:
    """Write a picture beside ``place``, with the ending of its type, and say where; else ``ConfigError``."""
    if not isinstance(board, Image):
        raise ConfigError(f"--output {place.parent}: --form {form} shows no pictures; leave out --output")
    path = place.with_suffix(guess_extension(board.media_type) or ".bin")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(board.data)
    except OSError as error:
        raise ArenaError(f"{path}: cannot be written ({error.strerror}); choose another --output") from error
    return f"[{path}: {board.alt or 'a picture'}]"


def format_try(each: TranscriptTry, told: set[str]) -> Iterator[str]:
    """One try: the request, the answer and the outcome. Messages in ``told`` are not repeated."""
    for answer in each.answers:
        yield from _answer_lines(answer, told)
    data = each.data
    if reasoning := data.get("reasoning"):
        yield styled("reasoning: ", fg="blue") + shown(_on_one_line(reasoning))
    if each.is_refused:
        yield styled(f"refused: {data['kind']}: {_indented(data['reason'])}", fg="red")
        return
    words = f"{_indented(data['label'])} " if "label" in data else ""
    by = "" if data["by"] == "agent" else f", put in by the policy for illegal actions: {data['by']}"
    verdict = "played" if each.event.kind == "played" else "not applied, since the match ended"
    yield styled(f"{verdict}: {words}({visible(canonical_json(data['action']))}){by}", fg="green")


def _answer_lines(answer: JournalEntry, told: set[str]) -> Iterator[str]:
    where = answer.scope.partition("/")[2]
    if answer.kind == "late":
        return
    if answer.kind == "once":
        yield styled(f"input {where}: ", fg="blue") + shown(answer.value)
        return
    messages: Sequence[Any] = json.loads(answer.request)["messages"]
    new = [m for m in messages if canonical_json(m) not in told]
    if len(new) < len(messages):
        yield styled(f"--- {len(messages) - len(new)} messages as before", fg="cyan")
    for message in new:
        told.add(canonical_json(message))
        yield styled(f"--- {message['role']}", fg="cyan")
        parts = message["parts"]
        yield shown("".join(p if isinstance(p, str) else f"[{p['media_type']}: {p['alternative']}]" for p in parts))
    completion = completion_from_text(answer.value)
    ended = f"{completion.finish_reason} {shown(completion.finish_word)}".rstrip()
    yield styled(f"--- answer ({completion.model or 'model'}, {ended})", fg="magenta")
    if completion.reasoning:
        yield styled("thought: ", fg="blue") + shown(_on_one_line(completion.reasoning))
    if said := completion.text or completion.received:
        yield shown(_indented(said))
    for call in completion.tool_calls:
        yield shown(_indented(f"{call.name}({call.arguments})"))


def _look_up(event: Event) -> Iterator[str]:
    """A look-up with its answer, and before it what the player thought beside it."""
    assert isinstance(event.data, Mapping)  # the referee writes tables
    if reasoning := event.data.get("reasoning"):
        yield styled("reasoning: ", fg="blue") + shown(_on_one_line(str(reasoning)))
    asked = {key: value for key, value in event.data.items() if key not in ("reasoning", "note")}
    yield styled(f"looked up: {visible(canonical_json(asked))}", fg="blue")


def _on_one_line(text: str) -> str:
    """A text of a player as it is if that is one line, and else quoted as JSON."""
    return text if text.isprintable() else quoted(text)


def _indented(text: str) -> str:
    """A text in which no line after the first begins where ours do."""
    return "\n  ".join(visible(text).splitlines())


def page_through(pages: Sequence[str]) -> None:
    """Show pages at a terminal one at a time; Enter or n goes on, p goes back, q ends."""
    at = 0
    while True:
        result(CleanText(pages[at]), hanging=SET_IN)
        print_status("[Enter or n: on, p: back, q: end]")
        key = click.getchar()
        if key in ("q", "\x03", "\x04"):
            return
        if key in ("p", "\x1b[D", "\x1b[A"):
            at = max(0, at - 1)
        elif at + 1 == len(pages):
            return
        else:
            at += 1
