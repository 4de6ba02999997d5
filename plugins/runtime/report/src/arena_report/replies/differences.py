"""Reads a journal again and lists every decision in which the recorded answer and the played action differ.

Refusals, substitutes and forfeits are taken from the record. In addition there is a check that does not trust the agent
that read the answer: the last JSON object in the recorded completion that has an ``action`` is compared with the action
played, by other code than the agent's.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, cast

import attrs
from arena.agent import LAST_OF_SEVERAL, RefusalKind
from arena.backend import Completion
from arena.catalog import Catalog
from arena.game import Decision, Game, PlayerView
from arena.record import JSON, MatchRecord, Player, canonical_json
from arena.turns import Try, Turn, positions
from arena_engine import Journal, JournalEntry, RecordedParts, completion_from_text, open_parts, transcript
from arena_engine.journal import TranscriptTry, TranscriptTurn


def recorded_decision(game: Game, record: MatchRecord, turn: Turn) -> Decision:
    """The decision of a turn, which can be shown in all forms of the game.

    ``JournalError`` if the game plays otherwise than it is recorded.
    """
    for position in positions(game, record):
        if position.step == turn.step:
            view = PlayerView(position.state, turn.player)
            return position.state.decision(turn.player).asked(view, forms=game.forms)
    raise AssertionError("a turn belongs to a step of its match")


def has_short_name(decision: Decision, name: JSON, action: JSON) -> bool:
    """Whether a form of the game gives each option one word, and an action has this one.

    Models may be asked by such names in place of labels, as the style ``brief`` does.
    """
    if decision.options is None or not isinstance(name, str):
        return False
    actions = list(decision.options.actions)
    for form in decision.forms:
        shown = decision.render(form)
        words = shown.split() if isinstance(shown, str) else []
        if len(words) == len(actions) == len(set(words)) and name in words:
            return actions[words.index(name)] == action
    return False


SUBSTITUTE, FORFEIT, WITHHELD, DIFFERS = "substitute", "forfeit", "withheld", "differs"

CLASSES: Final[Mapping[str, str]] = {
    **{str(kind): "refused and asked again" for kind in RefusalKind},
    SUBSTITUTE: "tries were spent; the policy for illegal actions played something else",
    FORFEIT: "tries were spent; the player was eliminated",
    WITHHELD: "a clear action that was not applied, since another player's forfeit ended the match",
    DIFFERS: "the answer's last JSON object names another action than the one played",
}
"""The classes of differences, in the order in which they are reported, each with its meaning."""

MARKED: Final[Mapping[str, str]] = {
    LAST_OF_SEVERAL: "several answers, of which the last was played as the agent is set; else it would be refused"
}
"""Classes of answers that were played as the agent is set, reported only where there are any."""


@attrs.frozen(kw_only=True)
class Difference:
    """One difference. ``written`` is the answer as recorded, ``played`` the action applied in its place, if any.

    ``attempt`` says which try it was, from 1, where that is not clear from ``kind`` and ``turn``.
    """

    match: str
    turn: int
    player: Player
    agent: str
    kind: str
    reason: str = ""
    written: str = ""
    played: JSON = None
    attempt: int | None = None

    @property
    def decision(self) -> str:
        """The ID of the decision: the match, the number of the turn, and of the try if that is known."""
        return f"{self.match} turn {self.turn}" + (f" try {self.attempt}" if self.attempt else "")

    def to_json(self) -> dict[str, JSON]:
        """Return it as plain data; without a try that is not known."""
        return attrs.asdict(self, filter=lambda field, value: field.name != "attempt" or value is not None)


@attrs.frozen(kw_only=True)
class Audit:
    """The differences found in one run.

    Of ``answered`` tries with a recorded completion, ``checked`` named an action in JSON and could be compared with the
    action played; the others were read by the agent alone.
    """

    matches: int
    unfinished: int
    turns: int
    tries: int
    answered: int
    checked: int
    findings: tuple[Difference, ...]

    def counts(self) -> dict[str, int]:
        """How many differences there are of each class: zeros included, but for the classes of ``MARKED``."""
        found = Counter(finding.kind for finding in self.findings)
        return {kind: found[kind] for kind in (*CLASSES, *MARKED) if kind in CLASSES or found[kind]}

    def total(self, kind: str) -> int:
        """What a class is a share of: tries for refusals, checked tries for differences, turns for the rest."""
        if kind == DIFFERS:
            return self.checked
        return self.turns if kind in (SUBSTITUTE, FORFEIT, WITHHELD, LAST_OF_SEVERAL) else self.tries

    def to_json(self) -> dict[str, JSON]:
        """The whole audit as plain data, ready for ``json.dumps``."""
        counts = {kind: {"n": n, "of": self.total(kind)} for kind, n in self.counts().items()}
        numbers = attrs.asdict(self, filter=lambda field, _: field.name != "findings")
        return {**numbers, "counts": counts, "findings": [finding.to_json() for finding in self.findings]}


def audit(journal: Journal, catalog: Catalog | None = None) -> Audit:
    """Check every match of a run that has ended, also those without a result.

    With a ``catalog`` the games are asked by which short names a model may have been told of its actions; without one,
    or where a game cannot be built, an answer by such a name differs from the action played.
    """
    parts = cache(lambda: open_parts(journal, catalog))  # only asked where something differs
    matches = asked = tries = answered = checked = 0
    findings: list[Difference] = []
    for record in journal.records():
        matches += 1
        for turn in transcript(record, journal.answers(record.id)):
            asked += 1
            tries += len(turn.tries)
            answered += sum(1 for each in turn.tries if _written(each))
            named = _named(turn)
            checked += named is not None
            agent = record.agents[turn.player]
            base = Difference(match=record.id, turn=turn.number, player=turn.player, agent=agent, kind="")
            found = list(_of_turn(base, turn, named))
            if catalog and named and found and found[-1].kind == DIFFERS and _is_by_name(parts, record, turn, named):
                found.pop()
            findings += found
    return Audit(
        matches=matches,
        unfinished=len(journal.plans()) - matches,
        turns=asked,
        tries=tries,
        answered=answered,
        checked=checked,
        findings=tuple(findings),
    )


def _of_turn(base: Difference, turn: TranscriptTurn, named: "Named | None") -> Iterator[Difference]:
    shown: JSON = None
    if turn.played:
        data = turn.tries[-1].data
        shown = data.get("label", data["action"])
    for each in turn.tries:
        if each.is_refused:
            written = _written(each) or each.data.get("text", "")
            if not written and "action" in each.data:
                written = canonical_json(each.data["action"])
            yield attrs.evolve(base, kind=each.data["kind"], reason=each.data["reason"], written=written, played=shown)
    last = turn.tries[-1]
    if turn.played is None:
        yield attrs.evolve(base, kind=FORFEIT, reason=last.data["reason"], written=_written(last))
    elif turn.by != "agent":
        yield attrs.evolve(base, kind=SUBSTITUTE, reason=f"{turn.by} action", played=shown)
    elif not turn.is_applied:
        yield attrs.evolve(base, kind=WITHHELD, written=_written(last), played=None)
    if turn.by == "agent" and is_last_of_several(last):
        attempt = len(turn.tries) if len(turn.tries) > 1 else None
        yield attrs.evolve(base, kind=LAST_OF_SEVERAL, written=_written(last), played=shown, attempt=attempt)
    if named is not None and not _is_same(named.action, last.data):
        reason = f"the answer names {canonical_json(named.action)}"
        yield attrs.evolve(base, kind=DIFFERS, reason=reason, written=_written(last), played=shown)


def _is_by_name(parts: Callable[[], RecordedParts], record: MatchRecord, turn: TranscriptTurn, named: "Named") -> bool:
    """Whether the answer names what was played by a short name that the game gives it."""
    try:
        decision = recorded_decision(parts().game(record.game), record, turn)
        return has_short_name(decision, named.action, turn.tries[-1].data["action"])
    except Exception:  # the game is a plugin, and may be another one here
        return False


@attrs.frozen
class Named:
    """An action that the text of an answer names."""

    action: JSON


def _named(turn: TranscriptTurn) -> Named | None:
    """The action that the answer behind an agent's own action names; ``None`` without an answer or JSON in it."""
    if turn.by != "agent":
        return None
    found: Named | None = None
    for text in _texts(turn.tries[-1]):
        for value in _objects(text):
            if "action" in value:
                found = Named(value["action"])
    return found


def is_last_of_several(each: Try) -> bool:
    """Whether the action of a try would have been refused but for the agent's setting to take the last of several."""
    note = each.data.get("note")
    return isinstance(note, Mapping) and cast("Mapping[str, Any]", note).get("answer") == LAST_OF_SEVERAL


def _is_same(named: JSON, played: Mapping[str, Any]) -> bool:
    """Whether two spellings of an action agree: as data, as label, or but for spaces and the case of plain words."""
    action = canonical_json(played["action"])
    if canonical_json(named) == action:
        return True
    said = _folded(named if isinstance(named, str) else canonical_json(named))
    return said in {_folded(action), _folded(str(played.get("label", action)))}


def _folded(text: str) -> str:
    # Case matters in words with digits, as in the notation of many games.
    return " ".join(word if any(map(str.isdigit, word)) else word.casefold() for word in text.split())


def _written(each: TranscriptTry) -> str:
    return "\n".join(_texts(each))


def _texts(each: TranscriptTry) -> list[str]:
    """All texts that a model wrote in one try; the arguments of a native tool call come after its text."""
    texts: list[str] = []
    for _, completion in completions(each):
        texts += [t for t in (completion.text, *(call.arguments for call in completion.tool_calls)) if t]
    return texts


def completions(each: TranscriptTry) -> list[tuple[str, Completion]]:
    """The completions of one try, each with its branch: those of branches first, then those of the main line."""
    found = [answer for answer in sorted(each.answers, key=_place) if answer.kind in ("completion", "cached")]
    return [("/".join(answer.scope.split("/")[3:-1]), completion_from_text(answer.value)) for answer in found]


def _place(answer: JournalEntry) -> tuple[bool, list[tuple[int, str]]]:
    """A sort key: branches before the main line, which states the decision; within each, calls in their order."""
    path = answer.scope.split("/")[3:]
    return len(path) == 1, [(int(part) if part.isdecimal() else 0, part) for part in path]


def _objects(text: str) -> Iterable[dict[str, Any]]:
    """Yield the JSON objects in a text in order, without those inside another."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
        else:
            yield value
            at = text.find("{", end)
