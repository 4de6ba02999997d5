"""Finds the one answer in a completion by its form, or says why there is none. Never raises, whatever a model says.

``docs/answers.md`` has the rule, step by step. Words are never weighed: those before an answer must be finished or an
announcement of the closed list, and what stands behind it refuses.
"""

import re
from typing import Final, NoReturn

import attrs
from arena.agent import Refusal, RefusalKind
from arena.backend import Completion, ToolCall
from arena.record import JSON

from arena_agent_llm.outcomes import ACTION, LOOK_UP, QueryCall, refusal
from arena_agent_llm.replies.announcements import announces
from arena_agent_llm.replies.asked import QUERY, REASONING, ROOM, Asked, mentions, sentences
from arena_agent_llm.replies.lenient_json import Found, ending_at, scrub
from arena_agent_llm.replies.surroundings import ENDED, FEW, key_pattern, objection, rivals, wrapped
from arena_agent_llm.replies.thought import SPECIAL, split, unboxed

QUOTED: Final = 200
"""The most characters that a reason quotes of what a server sent."""

_UNFINISHED: Final = {
    "context-length": (RefusalKind.TOO_LONG, "the prompt was longer than the model takes"),
    "length": (RefusalKind.TRUNCATED, "the answer was cut off before it was complete; be shorter"),
    "content-filter": (RefusalKind.EMPTY, "the provider's content filter withheld the answer"),
}
_UNTOLD: Final = "the server does not say that the answer is whole; end it with a finished sentence"
_ENDS: Final = 20
"""So many closing braces, from the last, are tried as the end of the answer."""

_PLACEHOLDER = re.compile(r"\s*(?:<[^<>]*>|\.{2,}|\u2026|_{2,}|\?+|\[[^\[\]]*your[^\[\]]*\])?\s*", re.IGNORECASE)
_OBJECT = re.compile(r"\{\s*+[\"'\w]")
_OPENING = re.compile(r"(?:`{3,}\w*|\*\*|<\w+>)\Z")


@attrs.frozen(kw_only=True)
class Answer:
    """The answer in a completion; ``is_last_of_several`` if the rule would have refused it but for ``takes: last``."""

    value: JSON
    reasoning: str
    form: str = "json"
    is_last_of_several: bool = False


class _Refused(Exception):
    def __init__(self, kind: RefusalKind, reason: str) -> None:
        self.kind, self.reason = kind, reason


def withheld(completion: Completion) -> Refusal | None:
    """Why a completion holds no answer of the model, whatever stands in it: it declined, or nobody knows the shape."""
    if completion.finish_reason == "declined":
        said, thought = scrub(completion.text), scrub(completion.reasoning)
        return refusal(RefusalKind.DECLINED, "the model declined to answer", said, thought)
    if completion.received:
        came = scrub(" ".join(completion.received.split()))
        shown = came if len(came) <= QUOTED else f"{came[:QUOTED]} …"
        return refusal(RefusalKind.UNREADABLE, f"the server's answer has no text: {shown}", came)
    return None


class Reading:
    """One completion, taken apart."""

    def __init__(self, completion: Completion, asked: Asked) -> None:
        self.asked = asked
        self._completion = completion
        self._spoken = split(scrub(completion.text))
        self.text = unboxed(self._spoken.text)
        self._is_told = completion.finish_reason != "unknown"
        self.thought = _joined(scrub(completion.reasoning).strip(), self._spoken.thought)

    @property
    def is_prose(self) -> bool:
        """Whether nothing in the completion is structured, not even something damaged."""
        is_free = not self._completion.tool_calls and not _OBJECT.search(self.text)
        return is_free and bool(self.text) and (self._completion.finish_reason == "stop" or self._is_ended)

    @property
    def _is_ended(self) -> bool:
        """Whether prose is whole by its form where nobody says whether it is."""
        return not self._is_told and ENDED.search(self.text[-20:]) is not None

    def answer(self) -> Answer | QueryCall | Refusal:
        """The one answer, a look-up, or why there is neither."""
        if nothing := withheld(self._completion):
            return nothing
        last = None
        try:
            self._finished()
            if self._completion.tool_calls:
                return self._called()
            if self.asked.form == "text":
                return Answer(value=self.text, reasoning=self.thought)
            last = self._last()
            return self._said(last)
        except _Refused as why:
            held = last.value if last else None
            if (
                self.asked.takes == "last"
                and self._is_told
                and last
                and isinstance(held, dict)
                and held.keys() & {*self.asked.keys}
            ):
                return Answer(value=self.asked.meant(held), reasoning=self._before(last), is_last_of_several=True)
            return self.refuse(why.kind, why.reason)

    def refuse(self, kind: RefusalKind, reason: str) -> Refusal:
        """A refusal that keeps what was said and thought."""
        return refusal(kind, reason, self.text, self.thought)

    def lenient(self) -> str | None:
        """Step 10: the label that is the last line, alone or behind an announcement; steps 7 to 9 hold."""
        line = self.text[self.text.rfind("\n") + 1 :]
        said = line.strip(" \t*_`\"'.!\u3002#")
        labels = [option.label.strip() for option in self.asked.options]
        announced = [
            each for each in labels if said.casefold().endswith(each.casefold()) and announces(said[: -len(each)])
        ]
        label = said if self.asked.label(said) else max(announced, key=len, default="")
        before = self.text[: len(self.text) - len(line)]
        if not self._is_told or not label or len(line) > ROOM or objection(before):
            return None
        try:
            self._alone(before, label)
        except _Refused:
            return None
        return label

    def _stop(self, reason: str, kind: RefusalKind = RefusalKind.UNREADABLE) -> NoReturn:
        """Refuse by the form; the reason asks for the same answer once more, since it is the next try's prompt."""
        again = "the same answer again" if kind is RefusalKind.UNREADABLE else "the one answer that you mean"
        alone = f"as the {'list' if self.asked.form == 'list' else 'object'} alone{self.asked.skeleton}"
        if self._completion.tool_calls:
            alone = f"by one call of {self.asked.tool!r} and no text"
        raise _Refused(kind, f"{reason}; write {again}, {alone}")

    def _finished(self) -> None:
        """Steps 1 and 2: the model stopped by itself, and no thought is open."""
        if why := _UNFINISHED.get(self._completion.finish_reason):
            raise _Refused(*why)
        if self._spoken.is_open:
            self._stop("the thought in the answer never ends, or stands behind it")
        if not self.text and not self._completion.tool_calls:
            raise _Refused(RefusalKind.EMPTY, "the answer was empty")
        if self.asked.form == "text":
            self._plain(self.text)
            if not self._is_told and not self._is_ended and not self._completion.tool_calls:
                raise _Refused(RefusalKind.TRUNCATED, _UNTOLD)

    def _plain(self, text: str) -> None:
        """No token stands here that begins or ends a text of a model; inside an object it is what somebody wrote."""
        if SPECIAL.search(text):
            self._stop("special tokens stand in the answer")

    def _last(self) -> Found:
        """Step 3: the last object that holds one of the keys, or the last list."""
        closing, opening = ("]", "[") if self.asked.form == "list" else ("}", "{")
        known, other, end = self.asked.known, None, len(self.text)
        for _ in range(_ENDS):
            if (end := self.text.rfind(closing, 0, end) + 1) == 0:
                break
            found = ending_at(self.text, end, opening)
            if found and (not isinstance(found.value, dict) or not known or found.value.keys() & {*known}):
                if key_pattern(known).search(self.text, end):
                    break
                return found
            other, end = other or found, end - 1
        if key_pattern(known).search(self.text):
            self._stop("the object in the answer is damaged")
        if other and isinstance(other.value, dict):
            has = ", ".join(repr(key[:40]) for key in list(other.value)[:5])
            self._stop(f"the object in the answer has no key {' or '.join(map(repr, known[:3]))} (it has: {has})")
        return self._stop(f"there is no {'list' if opening == '[' else 'JSON object'} in the answer")

    def _said(self, last: Found) -> Answer | QueryCall:
        self._exact(last, self.asked.keys)
        query = self._query(last.value)
        value = None if query else self.asked.meant(last.value)
        start, behind = wrapped(self.text, last, self.asked)
        if behind:
            self._stop("something stands behind it")
        while (said := self.text[:start].rstrip()).endswith("}") and (twin := ending_at(said, len(said))):
            if twin.value != last.value:
                break
            start = twin.start
        before = self.text[:start]
        self._alone(before, value)
        if why := objection(before):
            self._stop(why)
        return Answer(value=value, reasoning=self._before(last)) if query is None else self._thinking(query, last)

    def _thinking(self, query: QueryCall, last: Found) -> QueryCall:
        return attrs.evolve(query, reasoning=self._before(last))

    def _exact(self, found: Found, asked: tuple[str, ...]) -> None:
        """Step 4: the asked keys, each once, and a text as ``reasoning`` before them."""
        if not isinstance(found.value, dict):
            return
        if found.twice:
            self._stop("a key stands twice in the object", RefusalKind.AMBIGUOUS)
        held, keys = list(found.value), {*asked}
        if self._query(found.value):
            if {*self.asked.keys} & {*held}:
                self._stop(f"it holds {QUERY!r} beside {self.asked.keys[0]!r}", RefusalKind.AMBIGUOUS)
            keys = {QUERY, "arguments"}
        if REASONING in held and REASONING not in keys:
            if not isinstance(found.value[REASONING], str) or held[0] != REASONING:
                self._stop(f"{REASONING!r} must be a text and come first")
            keys.add(REASONING)
        if asked and (more := [key for key in held if key not in keys]):
            self._stop(f"nobody asked for the key {more[0][:40]!r}")

    def _alone(self, before: str, value: JSON) -> None:
        """Steps 8 and 9: nothing else names another action, nor does the last sentence without the chosen one."""
        self._plain(before)
        if self._is_placeholder(value):
            self._stop("a placeholder stands for the action")
        for rival in rivals(before, self.asked) if before else ():
            if not self._is_placeholder(rival) and (value is None or not self.asked.is_same(rival, value)):
                self._stop(f"something else is named beside it ({str(rival)[:40]!r})", RefusalKind.AMBIGUOUS)
        told = sentences(before) if self.asked.options else ()
        if told and value is not None and (named := self.asked.labels_in(told[-1], beside=value)):
            self._stop(f"the words before it name another action ({named[0][:40]!r})", RefusalKind.AMBIGUOUS)

    def _is_placeholder(self, value: JSON) -> bool:
        return isinstance(value, str) and _PLACEHOLDER.fullmatch(value) is not None and not self.asked.is_legal(value)

    def _called(self) -> Answer | QueryCall:
        """The one native call, where several equal ones are one."""
        calls = self._completion.tool_calls
        names = {call.name for call in calls}
        if unknown := sorted(names - {self.asked.tool, LOOK_UP}):
            self._stop(f"there is no tool called {scrub(unknown[0][:100])!r}")
        if len(names) > 1:
            self._stop("two tools are called at once", RefusalKind.AMBIGUOUS)
        values = [self._arguments(call) for call in calls]
        meant = [self._query(value) or self.asked.meant(value, is_native=True) for value in values]
        chosen, own = meant[0], str(values[0].get(REASONING) or self.text)
        if isinstance(chosen, QueryCall):
            if any(each != chosen for each in meant):
                self._stop("the calls differ", RefusalKind.AMBIGUOUS)
            return attrs.evolve(chosen, reasoning=_joined(self.thought, own))
        if not all(not isinstance(each, QueryCall) and self.asked.is_same(each, chosen) for each in meant):
            self._stop("the calls differ", RefusalKind.AMBIGUOUS)
        self._alone(self.text, chosen)
        told = sentences(self.text)
        if told and (len(told) < FEW or not mentions(told[-1], self.asked.label(chosen))):
            self._stop("the text beside the call does not end with what it plays")
        return Answer(value=chosen, reasoning=_joined(self.thought, own), form="tool")

    def _arguments(self, call: ToolCall) -> dict[str, JSON]:
        text = scrub(call.arguments).strip()
        found = ending_at(text, len(text))
        if found is None or found.start or not isinstance(found.value, dict):
            self._stop("the arguments of the call are no JSON object")
        keys = (QUERY,) if call.name == LOOK_UP else (ACTION,) if self.asked.form == "action" else self.asked.keys
        if call.name == LOOK_UP and not self.asked.may_look_up:
            self._stop("nothing is left to be looked up")
        if keys and not found.value.keys() & {*keys}:
            self._stop(f"the call has no argument {keys[0]!r}")
        self._exact(found, keys)
        return found.value

    def _query(self, value: JSON) -> QueryCall | None:
        if not self.asked.may_look_up or not isinstance(value, dict) or QUERY not in value or QUERY in self.asked.keys:
            return None
        return QueryCall(scrub(str(value[QUERY])), value.get("arguments"))

    def _before(self, found: Found) -> str:
        """The answer's own ``reasoning``, or else the words before it, preceded by any hidden thinking."""
        own = found.value.get(REASONING) if isinstance(found.value, dict) else None
        prose = _OPENING.sub("", self.text[: found.start].rstrip()).strip() if own is None else str(own)
        return _joined(self.thought, prose)


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
