"""What led to a player's action: thoughts, look-ups with their answers, notes of its roles, and refused answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.record import JSON, Event, MatchRecord, Player, quoted

_KINDS: Final = frozenset({"queried", "refused", "played", "withheld"})


@attrs.frozen
class Thought:
    """One line about what a player did in private; ``brief`` is the same without the answer of a look-up."""

    text: str
    brief: str = ""


@attrs.frozen
class Thinking:
    """The thoughts of a match by the places of the events before which they are told, in the order they happened."""

    told: Mapping[int, Sequence[Thought]]

    @classmethod
    def of(cls, record: MatchRecord) -> "Thinking":
        """Collect all that players did in private, each player's notes once."""
        told: dict[int, list[Thought]] = {}
        turns: dict[tuple[int, Player], list[int]] = {}
        for place, event in enumerate(record.events):
            if event.source == "referee" and event.kind in _KINDS and event.player is not None:
                turns.setdefault((event.step, event.player), []).append(place)
        known: dict[tuple[Player, str], str] = {}
        for (_, player), places in turns.items():
            _Turn(record, player, places, known).tell(told)
        return cls(told)

    def before(self, place: int) -> Sequence[Thought]:
        """What is told before the event at this place."""
        return self.told.get(place, ())


@attrs.frozen
class _Turn:
    """The events of one player's turn; ``known`` are the notes that were told before."""

    record: MatchRecord
    player: Player
    places: Sequence[int]
    known: dict[tuple[Player, str], str]

    def tell(self, told: dict[int, list[Thought]]) -> None:
        """Add the turn's thoughts to those of the match."""
        for place, thoughts in self._notes():
            told.setdefault(place, []).extend(thoughts)
        for place in self.places:
            told.setdefault(place, []).extend(self._of(self.record.events[place]))

    def _notes(self) -> Iterator[tuple[int, list[Thought]]]:
        """The notes of roles that are new, each where the role was done with its look-ups."""
        for place in self.places:
            written = _note(self.record.events[place]).get("notes")
            for role, text in cast("Mapping[str, str]", written or {}).items():
                if self.known.get((self.player, role)) != text:
                    self.known[self.player, role] = text
                    yield self._written_before(role, place), [Thought(f"{self._who(role)} writes: {quoted(text)}")]

    def _written_before(self, role: str, place: int) -> int:
        """The first event of the turn after the role's look-ups; where these name no roles, the one with the note."""
        earlier = [each for each in self.places if each <= place]
        own = [n for n, each in enumerate(earlier) if self._role(each) == role and self._is_look_up(each)]
        if own:
            return earlier[min(own[-1] + 1, len(earlier) - 1)]
        is_named = all(self._role(each) for each in earlier if self._is_look_up(each))
        return earlier[0] if is_named else place

    def _is_look_up(self, place: int) -> bool:
        return self.record.events[place].kind == "queried"

    def _role(self, place: int) -> str:
        return str(_note(self.record.events[place]).get("role") or "")

    def _who(self, role: str) -> str:
        seat = self.record.seats[self.player]
        return f"(private) {seat} as {role}" if role else f"(private) {seat}"

    def _of(self, event: Event) -> Iterator[Thought]:
        data = cast("Mapping[str, Any]", event.data)
        who = self._who(str(_note(event).get("role") or ""))
        if data.get("reasoning") and data.get("by", "agent") == "agent":
            yield Thought(f"{who} thinks: {quoted(data['reasoning'])}")
        if event.kind == "queried":
            asked = f"{who} looks up {quoted(data['name'])} of {quoted(data.get('arguments'))}"
            yield Thought(f"{asked}: {quoted(data.get('answer'))}", f"{asked}: (the answer is left out)")
        if event.kind == "refused":
            said: JSON = data.get("action", data.get("text"))
            answer = "" if said is None else f" {quoted(said)}"
            yield Thought(f"{who} answers{answer}, which is refused ({data['kind']}): {quoted(data['reason'])}")


def _note(event: Event) -> Mapping[str, Any]:
    note = cast("Mapping[str, Any]", event.data).get("note")
    return cast("Mapping[str, Any]", note) if isinstance(note, Mapping) else {}
