"""The settings of a prompt, and the messages built from them."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import attrs
from arena.agent import Seat
from arena.backend import Message
from arena.game import ABSENT, Decision, Drawing, Image, Option, Options, Query, Rejected
from arena.record import JSON, canonical_json, quoted, visible
from attrs.validators import ge, optional

from arena_agent_llm.data_files import ENDINGS
from arena_agent_llm.outcomes import PLAY
from arena_agent_llm.prompts.answer_form import examples, in_every_turn, listed, skeleton
from arena_agent_llm.prompts.moment import Shown, first_decision, said_at_first, with_short_names
from arena_agent_llm.prompts.parts import FORM, Layout, Place, Values, WrittenParts
from arena_agent_llm.prompts.style import Style, load

ACTION_SHOWN = 200
"""The most characters of a refused action that are shown to the model again."""

SCHEMA_FORM = "schema"
"""The form of a game that stands for its schemas in prompts; what is enforced is the schema all the same."""

LISTED = "your legal actions"
"""What ends a turn in which the legal actions are listed."""


def _check_style(prompt: "Prompt", _: Any, value: str) -> None:
    load(value)


def _check_parts(prompt: "Prompt", _: Any, value: Mapping[str, Any]) -> None:
    try:
        style = load(prompt.style)
    except ValueError:  # reported as the style's mistake
        return
    style.changed(value)


@attrs.frozen(kw_only=True)
class Prompt:
    """How a decision is presented to the model; every field is part of the run's record."""

    style: str = attrs.field(
        default="chain-of-thought",
        validator=_check_style,
        metadata={
            "help": "an installed style, or a path to a .yaml file",
            "names_file": lambda given: given["style"].endswith(ENDINGS),
            "file_use": "sent",
        },
    )
    form: str = attrs.field(default="text", metadata={"help": "the game's form of observation; it may be a picture"})
    list_actions: bool = attrs.field(default=True, metadata={"help": "whether the legal actions are listed"})
    history: Literal["none", "compact", "transcript"] = attrs.field(
        default="compact",
        metadata={
            "help": "the match so far: not told, told in words, or as all earlier prompts and replies",
            "compared": ("none", "compact", "transcript"),
        },
    )
    history_length: int | None = attrs.field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "only the last so many events (compact) or turns (transcript)"},
    )
    parts: Mapping[str, Any] = attrs.field(
        factory=dict[str, Any],
        validator=_check_parts,
        metadata={
            "help": "texts for the style's parts; false drops one, true adds one that is off, "
            "{text, in, unless, before, after} the rest"
        },
    )

    def compiled(self) -> Style:
        """The style after this prompt's own changes to its parts."""
        style = load(self.style)
        return style.changed(self.parts) if self.parts else style

    @property
    def position_form(self) -> str:
        """The form in which the position is shown.

        That is ``form`` if a part shows the observation, since parts with forms of their own are left out in games that
        lack them; in a style without such a part it is the first form that a part shows by name.
        """
        style = self.compiled()
        if "observation" in style.names:
            return self.form
        return next((min(part.forms) for part in style.parts if part.forms), self.form)

    def shown(self) -> frozenset[str]:
        """The forms of observation that a prompt may show."""
        return self.compiled().forms | {self.form}


@attrs.frozen(kw_only=True)
class PromptHistory:
    """The match so far as one prompt describes it; which of the first three fields are filled depends on the settings.

    ``moves`` are the history in one line.
    ``refused`` is the answer of the last try and ``reason`` why it was refused, empty in a first try; ``all_refused``
    has a line for every refused answer of the match that the player was informed about.
    """

    history: str = ""
    moves: str = ""
    news: str = ""
    refused: str = ""
    reason: str = ""
    all_refused: str = ""

    def placeholders(self) -> Values:
        """The fields by their names."""
        return {name: getattr(self, name) for name in _HISTORY}


_HISTORY: Final = tuple(field.name for field in attrs.fields(PromptHistory))


@attrs.frozen(kw_only=True)
class PromptMessage:
    """A message with the names and versions of the parts it was built from."""

    message: Message
    parts: Mapping[str, str]


class PromptBuilder:
    """Builds the messages of one player in one match."""

    def __init__(
        self, prompt: Prompt, seat: Seat, *, has_tools: bool, more: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """``more`` adds placeholders that stay the same for the whole match."""
        self.style = prompt.compiled()
        self._prompt = prompt
        self._has_tools = has_tools
        self._static = {**_static(seat), **self._beginning(seat), **more}
        self._read: tuple[Options | None, tuple[Option, ...]] = (None, ())
        answer = {"tool": PLAY} if has_tools else {"answer": in_every_turn(self.style)}
        self.system = self._write("system", "system", {**self._static, **answer})

    def named(self, decision: Decision) -> Decision:
        """The decision with its actions called as this style calls them."""
        return with_short_names(decision) if self.style.actions == "short" else decision

    def options(self, decision: Decision) -> tuple[Option, ...]:
        """The options of a decision, which are read once as long as the same decision is asked."""
        if decision.options is not self._read[0]:
            self._read = decision.options, tuple(decision.options or ())
        return self._read[1]

    def _beginning(self, seat: Seat) -> dict[str, str]:
        """What a game says of itself in few words, and an answer to its first decision, as far as parts tell them."""
        asked = self.style.names
        if not asked & {"short_rules", "notation", "example", "listed"}:
            return {}
        decision = first_decision(seat.game, seat.players)
        told = {
            name: said_at_first(seat.game, decision, name.replace("_", "-"))
            for name in ("short_rules", "notation")
            if name in asked
        }
        if "example" in asked and not self._has_tools and decision is not None:
            told["example"] = examples(self.style, self.named(decision))
        if self._prompt.list_actions and decision is not None and decision.options is not None:
            told["listed"] = LISTED
        return told

    def ask(
        self,
        decision: Decision,
        past: Callable[[Shown], PromptHistory],
        look_ups_left: int,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> PromptMessage:
        """Build the question; everything in it may change from turn to turn. Reads the decision's observation.

        ``past`` tells the match so far, without what it is told that the question shows. ``more`` adds placeholders,
        and overrides the decision's own.
        """
        asked = self.style.placeholders(decision.phase)
        shape, about = self._shape(decision, look_ups_left, asked), self._about(decision)
        seen = self._seen(decision, asked)
        values = {**self._static, **about, **shape, **seen, **more}
        written = self._write("user", "user", {**values, **past(self._shown(values, seen)).placeholders()})
        return written or PromptMessage(
            message=Message.of("user", f"It is your turn, {self._static['seat']}."), parts={}
        )

    def tell(self, query: str, arguments: JSON, result: str, left: int) -> str:
        """The message with a query's result; ``left`` is how many more queries are allowed."""
        values = {"query": query, "arguments": canonical_json(arguments), "result": result, "left": str(left)}
        written = self._write("look-up", "user", values)
        return written.message.text if written else result

    def look_up_parts(self) -> Mapping[str, str]:
        """The parts that describe queries, with their versions."""
        return {part.name: part.version for part in self.style.placed("look-up")}

    def _about(self, decision: Decision) -> dict[str, str]:
        return {
            "turn": str(decision.turn + 1),
            "try": str(decision.attempt + 1),
            "phase": decision.phase,
            "feedback": "\n".join(map(_refusal_line, decision.rejected)),
            **_counted(decision),
        }

    def _seen(self, decision: Decision, asked: frozenset[str]) -> dict[str, str | Image]:
        """What the player sees, in each form that is ``asked`` for; the observation is made once for all of them."""
        shown = {name: name.removeprefix(FORM) for name in asked if name.startswith(FORM)}
        shown = {name: form for name, form in shown.items() if form in decision.forms}
        shown |= {"observation": self._prompt.form} if "observation" in asked else {}
        # A game can say in a form what its schema enforces, where that is too long to be shown.
        if "schema" in asked and decision.options is None and SCHEMA_FORM in decision.forms:
            shown["schema"] = SCHEMA_FORM
        if len(shown) == 1:  # nearly always: a single form needs no copy of what is seen
            return {name: _in_prompt(decision.render(form)) for name, form in shown.items()}
        for form in shown.values():
            if form not in decision.forms:
                decision.render(form)  # raises, and says which forms there are
        seen = decision.observation if shown else None
        return {name: _in_prompt(decision.forms[form](seen)) for name, form in shown.items()}

    def _shown(self, values: Values, seen: Values) -> Shown:
        """The texts of what is seen, as far as the parts that will be there show them."""
        parts = self._layout("user", values).parts
        named = frozenset[str]().union(*[part.names for part in parts])
        return Shown(tuple([text for name, text in seen.items() if name in named and isinstance(text, str)]))

    def _shape(self, decision: Decision, look_ups_left: int, asked: frozenset[str]) -> dict[str, str]:
        """Describe the form that the answer must have."""
        is_listed = self._prompt.list_actions
        values = {"tool": PLAY} if self._has_tools else {"answer": skeleton(self.style, decision, is_listed=is_listed)}
        if decision.options is None:
            values |= {"schema": json.dumps(decision.schema, ensure_ascii=False)} if "schema" in asked else {}
        elif is_listed:
            values["actions"] = listed(self.style, decision, self.options(decision))
        if look_ups_left:
            values["queries"] = "\n".join(map(_query_line, decision.queries))
            values["queries_left"] = str(look_ups_left)
        return values

    def _write(self, place: Place, role: Literal["system", "user"], values: Values) -> PromptMessage | None:
        layout = self._layout(place, values)
        if not layout.parts:
            return None
        return PromptMessage(message=Message(role, layout.filled(values)), parts=WrittenParts(layout, values))

    def _layout(self, place: Place, values: Values) -> Layout:
        """The parts that are there."""
        return self.style.layout(place, frozenset([name for name in values if values[name]]), values.get("phase"))


def _counted(decision: Decision) -> dict[str, str]:
    """How many answers of this player were refused, and how many may be."""
    left = decision.refusals_left
    if left is None:
        return {}
    return {
        "refusals": str(decision.refusals),
        "refusals_left": str(left),
        "refusals_allowed": str(decision.refusals + left - 1),
    }


def _in_prompt(shown: str | Image | Drawing) -> str | Image:
    """What a form shows, as a prompt can hold it: drawings in words, and nothing as an empty text."""
    words = shown.alt if isinstance(shown, Drawing) else shown
    return "" if words == "null" else words


def _static(seat: Seat) -> dict[str, str]:
    return {
        "game": seat.game.title,
        "rules": seat.rules.strip(),
        "seat": seat.name,
        "seats": ", ".join(seat.game.seats(seat.players)),
        "player": str(seat.player + 1),
        "players": str(seat.players),
        "agents": ", ".join(seat.agents or ()),
    }


def _query_line(query: Query) -> str:
    schema = json.dumps(query.schema, ensure_ascii=False)
    return f"- {query.name}: {query.summary.rstrip('.')} (JSON schema of the arguments: {schema})"


def _refusal_line(rejected: Rejected) -> str:
    reason = on_one_line(rejected.reason)
    if rejected.action is ABSENT:
        return f"- {reason}"
    text = visible(canonical_json(rejected.action))
    return f"- {text if len(text) <= ACTION_SHOWN else text[:ACTION_SHOWN] + '…'}: {reason}"


def on_one_line(text: str) -> str:
    """A text as it is if that is one line of visible characters, else quoted as JSON."""
    return text if text.isprintable() else quoted(text)
