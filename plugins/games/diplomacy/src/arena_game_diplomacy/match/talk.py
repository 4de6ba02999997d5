"""Messages, declared strategies and trust: the form of what players say, and who may read it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, cast

import attrs
from arena.game import Illegal
from arena.options import unshared
from arena.record import JSON, GameEvent, Player

from arena_game_diplomacy.fitting import misfit

GLOBAL: Final = "GLOBAL"
"""The recipient that stands for everybody."""

LEVELS: Final = ("low", "medium", "high")
SILENCE: Final[Mapping[str, JSON]] = {"messages": []}


@attrs.frozen
class Message:
    """One message: ``recipients`` are powers, or ``GLOBAL`` alone; ``to`` are the players who have it."""

    phase: str
    round: int
    sender: str
    recipients: tuple[str, ...]
    text: str
    to: tuple[Player, ...] | None

    def is_visible(self, player: Player | None) -> bool:
        """Whether ``player`` sent it or received it; ``None`` is the spectator, who reads everything."""
        return self.to is None or player is None or player in self.to

    def to_json(self) -> dict[str, JSON]:
        """The message as plain data."""
        return {
            "phase": self.phase,
            "round": self.round,
            "from": self.sender,
            "to": list(self.recipients),
            "text": self.text,
        }

    def event(self) -> GameEvent:
        """The event for sender and recipients."""
        return GameEvent("message", self.to_json(), self.to)


@attrs.frozen
class Declaration:
    """What a player says of its plans and of others, for the record alone: nobody else sees it."""

    phase: str
    round: int
    player: Player
    powers: tuple[str, ...]
    strategy: str | None
    trust: tuple[Mapping[str, str], ...]

    def to_json(self) -> dict[str, JSON]:
        """The declaration as plain data; ``power`` is the first of the player's powers."""
        return {
            "phase": self.phase,
            "round": self.round,
            "power": self.powers[0],
            "powers": list(self.powers),
            "strategy": self.strategy,
            "trust": [dict(entry) for entry in self.trust],
        }

    def event(self) -> GameEvent:
        """The event for its player alone."""
        return GameEvent("declared", self.to_json(), (self.player,))


@attrs.frozen
class Report:
    """What a player reported in one phase of what it knows of the position; ``None`` if it reported nothing."""

    phase: str
    player: Player
    powers: tuple[str, ...]
    report: JSON

    def to_json(self) -> dict[str, JSON]:
        """The report as plain data."""
        return {"phase": self.phase, "powers": list(self.powers), "report": unshared(self.report)}

    def event(self) -> GameEvent:
        """The event for its player alone."""
        return GameEvent("report", self.to_json(), (self.player,))


@attrs.frozen(kw_only=True)
class Speaker:
    """What one player may say in one round: for which powers, to whom, and how much."""

    powers: tuple[str, ...]
    others: tuple[str, ...]
    message_limit: int
    messages_per_round: int

    @cached_property
    def schema(self) -> dict[str, JSON]:
        """The JSON schema of what the player says in a round."""
        text: JSON = {"type": "string", "minLength": 1, "maxLength": self.message_limit}
        recipients: JSON = {"type": "array", "items": {"enum": [*self.others, GLOBAL]}, "minItems": 1, "maxItems": 7}
        needed = ["from", "to", "text"] if len(self.powers) > 1 else ["to", "text"]
        message = _object({"from": {"enum": list(self.powers)}, "to": recipients, "text": text}, needed)
        levels = {"power": {"enum": list(self.others)}, "level": {"enum": list(LEVELS)}}
        trust = _object({**levels, "why": {"type": "string", "maxLength": self.message_limit}}, ["power", "level"])
        most = self.messages_per_round * len(self.powers)
        return _object(
            {
                "messages": {"type": "array", "items": message, "maxItems": most},
                "strategy": text,
                "trust": {"type": "array", "items": trust, "maxItems": len(self.others)},
            },
            ["messages"],
        )

    def check(self, action: JSON) -> Illegal | None:
        """Why the player may not say this, or ``None``."""
        if fault := misfit(action, self.schema):
            return Illegal("schema", f"{_form(self.powers)}; {fault}")
        said = cast("Mapping[str, Any]", action)
        for power in self.powers:
            count = sum(message.get("from", power) == power for message in said["messages"])
            if count > self.messages_per_round:
                return Illegal("too-many", f"{power} may send {self.messages_per_round} messages a round, not {count}")
        seen: set[str] = set()
        for entry in said.get("trust", ()):
            if entry["power"] in seen:
                return Illegal("twice", f"'trust' names {entry['power']} twice; say one level for each power")
            seen.add(entry["power"])
        return None if _is_unicode(action) else Illegal("encoding", "a text holds half of a character; leave it out")

    def read(self, value: Any) -> JSON:
        """What is said, where it is written a little otherwise; anything else unchanged.

        A list stands for its messages, one recipient for a list of one, and names of powers may be in any letters.
        """
        if isinstance(value, list | tuple):
            value = {"messages": value}
        if not isinstance(value, Mapping):
            return value
        said: dict[str, JSON] = dict(value)
        if isinstance(messages := said.get("messages"), list | tuple):
            said["messages"] = [self._message(message) for message in messages]
        if isinstance(trust := said.get("trust"), list | tuple):
            said["trust"] = [_capitals(entry, ("power",)) for entry in trust]
        if said.get("strategy", "") in ("", None):
            said.pop("strategy", None)
        return said

    def _message(self, message: Any) -> JSON:
        if isinstance(message, Mapping) and isinstance(message.get("to"), str):
            message = {**message, "to": [message["to"]]}
        return _capitals(message, ("from", "to"))


def _capitals(entry: Any, keys: Sequence[str]) -> JSON:
    if not isinstance(entry, Mapping):
        return entry
    return {key: _upper(value) if key in keys else value for key, value in entry.items()}


def _upper(value: Any) -> JSON:
    if isinstance(value, str):
        return value.strip().upper()
    return [_upper(item) for item in value] if isinstance(value, list | tuple) else value


def _form(powers: Sequence[str]) -> str:
    sender = f'"from": "{powers[0]}", ' if len(powers) > 1 else ""
    return f'expected {{"messages": [{{{sender}"to": ["POWER" or "{GLOBAL}"], "text": "…"}}]}}'


def _object(properties: Mapping[str, JSON], required: Sequence[str]) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _is_unicode(value: Any) -> bool:
    if isinstance(value, str):
        return not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, Mapping):
        return all(map(_is_unicode, value.values()))
    return all(map(_is_unicode, value)) if isinstance(value, list | tuple) else True
