"""Finds the one answer in a completion, or says why there is none. Never raises, whatever a model says.

Words around an answer may take it away; they never choose between two. ``docs/answers.md`` has the whole rule.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import attrs
from arena.agent import Refusal, RefusalKind
from arena.backend import Completion
from arena.record import JSON, canonical_json

from arena_agent_llm.outcomes import LOOK_UP, QueryCall, refusal
from arena_agent_llm.replies import standing
from arena_agent_llm.replies.lenient_json import scrub
from arena_agent_llm.replies.objects import Found, Scanned, find_lists, find_objects
from arena_agent_llm.replies.question import Answer, Asked, Candidate
from arena_agent_llm.replies.thought import Spoken, split
from arena_agent_llm.replies.words import words

QUERY: Final = "query"
REASONING: Final = "reasoning"
QUOTED: Final = 200
"""The most characters that a reason quotes of what a server sent."""
ONE_OBJECT: Final = "write one JSON object, the answer you mean, on a line of its own"

_PLACEHOLDER = re.compile(r"\s*(?:<[^<>]*>|\.{2,}|\u2026|_{2,}|\?+|\[[^\[\]]*your[^\[\]]*\])?\s*", re.IGNORECASE)
_FENCE = re.compile(r"```\w*\Z")


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
        self.spoken: Spoken = split(scrub(completion.text))
        own = scrub(completion.reasoning).strip()
        self.thought = "\n\n".join(part for part in (own, self.spoken.thought) if part)
        self._calls = [call for call in completion.tool_calls if call.name in (asked.tool, LOOK_UP)]
        self._scanned = self._scan()
        self.problems = [self._scanned, *self._native]
        self.problems = [scan for scan in self.problems if scan.state != "whole"]
        self.candidates = [*self._in_text(), *self._in_calls()]

    @property
    def text(self) -> str:
        """What the model says, without its thoughts."""
        return self.spoken.text

    @property
    def is_prose(self) -> bool:
        """Whether nothing in the completion is structured, not even something damaged."""
        return not self.candidates and not self.problems and not self._completion.tool_calls and not self._scanned.found

    def answer(self) -> Answer | QueryCall | Refusal:
        """The one answer, a look-up, or why there is neither."""
        if problem := withheld(self._completion) or self._missing():
            return problem
        last = self.candidates[-1]
        if problem := self._contradiction() or self._not_standing() or self._taken_back():
            if self.asked.takes != "last" or last.query:
                return problem
            return self._answer(last, is_last_of_several=True)
        if last.query:
            return attrs.evolve(last.query, reasoning=self._reasoning(last))
        return self._answer(last)

    def refuse(self, kind: RefusalKind, reason: str) -> Refusal:
        """A refusal that keeps what was said and thought."""
        return refusal(kind, reason, self.text, self.thought)

    def _answer(self, candidate: Candidate, *, is_last_of_several: bool = False) -> Answer:
        return Answer(
            value=candidate.value,
            reasoning=self._reasoning(candidate),
            is_native=candidate.found is None,
            is_last_of_several=is_last_of_several,
        )

    def _reasoning(self, candidate: Candidate) -> str:
        """The answer's own ``reasoning``, or else the prose before it, preceded by any hidden thinking."""
        own = candidate.whole.get(REASONING) if isinstance(candidate.whole, dict) else None
        if own is None or self.asked.form not in ("object", "fields"):
            first = next((c.found for c in self.candidates if c.found and c.value == candidate.value), None)
            before = self.text if first is None else self.text[: first.start]
            own = "" if self.asked.form == "text" else _FENCE.sub("", before.rstrip()).strip()
        prose = own if isinstance(own, str) else canonical_json(own)
        return "\n\n".join(part for part in (self.thought, prose) if part)

    def _scan(self) -> Scanned:
        if self.asked.form == "list":
            return find_lists(self.text)
        if self.asked.form == "text":
            said = self.text.strip()
            return Scanned((Found(0, len(self.text), said),) if said else ())
        return find_objects(self.text, self._keys)

    @property
    def _keys(self) -> tuple[str, ...]:
        return (*self.asked.keys, *([QUERY] if self.asked.may_look_up else []))

    @cached_property
    def _native(self) -> list[Scanned]:
        """The objects in the native calls."""
        return [self._arguments(scrub(call.arguments)) for call in self._calls]

    def _arguments(self, text: str) -> Scanned:
        found = find_objects(text, self._keys)
        if found.found or found.state != "whole":
            return found
        return Scanned((), "damaged", "the arguments of the call are no JSON object")

    def _in_text(self) -> Iterator[Candidate]:
        for found in self._scanned.found:
            if self.asked.form in ("list", "text"):
                yield Candidate(value=found.value, whole=found.value, found=found)
            elif (candidate := self._candidate(found.value, found)) and not self._is_copied(found):
                yield candidate

    def _in_calls(self) -> Iterator[Candidate]:
        for call, scanned in zip(self._calls, self._native, strict=True):
            for found in scanned.found[:1]:
                candidate = self._candidate(found.value, None, found.twice)
                if candidate and (call.name != LOOK_UP or candidate.query):
                    yield candidate

    def _candidate(self, value: JSON, found: Found | None, twice: frozenset[str] = frozenset()) -> Candidate | None:
        assert isinstance(value, dict)
        twice = found.twice if found else twice
        has_query = self.asked.may_look_up and QUERY in value
        held = [key for key in self.asked.keys if key in value]
        if has_query and not held:
            query = QueryCall(scrub(str(value[QUERY])), value.get("arguments"))
            return Candidate(
                value={QUERY: value[QUERY], "arguments": query.arguments}, whole=value, found=found, query=query
            )
        if not held and self.asked.keys:
            return None
        meant = self._meant(value, held, is_native=found is None)
        if isinstance(meant, str) and _PLACEHOLDER.fullmatch(meant) and not self.asked.is_legal(meant):
            return None
        return Candidate(
            value=meant, whole=value, found=found, twice=twice & {*held, QUERY}, is_both=has_query and bool(held)
        )

    def _meant(self, value: Mapping[str, JSON], held: Sequence[str], *, is_native: bool) -> JSON:
        """The part of an object that is the action."""
        if self.asked.form == "fields":
            return {key: each for key, each in value.items() if key != REASONING}
        return dict(value) if (self.asked.form == "action" and not is_native) or not held else value[held[0]]

    def _is_copied(self, found: Found) -> bool:
        words_around = standing.with_its_words(self.text, found)
        return bool(words_around) and words_around in self._prompt

    @cached_property
    def _prompt(self) -> str:
        told = (message for message in self.asked.prompt if message.role != "assistant")
        return " ".join(" ".join(message.text.split()) for message in told)

    def _missing(self) -> Refusal | None:
        """Why there is nothing to read, or nothing that can be trusted."""
        finish = self._completion.finish_reason
        if self.spoken.is_open and not self.candidates:
            if finish == "length":
                return self.refuse(RefusalKind.TRUNCATED, "the answer was cut off before it was complete; be shorter")
            return self.refuse(RefusalKind.UNREADABLE, "the thought in the answer never ends; close it, then answer")
        unknown = [call.name for call in self._completion.tool_calls if call.name not in (self.asked.tool, LOOK_UP)]
        if unknown and not self._calls:
            named = scrub(unknown[-1][:100])
            return self.refuse(RefusalKind.UNREADABLE, f"there is no tool called {named!r}, call {self.asked.tool!r}")
        if self.problems:
            scan = self.problems[0]
            if finish == "length" and any(problem.state == "cut-off" for problem in self.problems):
                return self.refuse(RefusalKind.TRUNCATED, "the answer was cut off before it was complete; be shorter")
            return self.refuse(RefusalKind.UNREADABLE, f"{scan.problem}; {ONE_OBJECT}")
        if self.asked.form == "text" and finish == "length":
            return self.refuse(RefusalKind.TRUNCATED, "the answer was cut off before it was complete; be shorter")
        return None if self.candidates else self._nothing(finish)

    def _nothing(self, finish: str) -> Refusal:
        if finish == "context-length":
            return self.refuse(RefusalKind.TOO_LONG, "the prompt was longer than the model takes")
        if finish == "length":
            return self.refuse(RefusalKind.TRUNCATED, "the answer was cut off before it was complete; be shorter")
        if finish == "content-filter":
            return self.refuse(RefusalKind.EMPTY, "the provider's content filter withheld the answer")
        if not self.text.strip() and not self._calls:
            return self.refuse(RefusalKind.EMPTY, "the answer was empty")
        if self.asked.form == "list":
            return self.refuse(RefusalKind.UNREADABLE, "there is no list in the answer")
        return self.refuse(RefusalKind.UNREADABLE, self._no_object())

    def _no_object(self) -> str:
        shown = [*self._scanned.found, *(found for scan in self._native for found in scan.found)]
        if not shown:
            return "there is no JSON object in the answer"
        holders = [
            found for found in shown if isinstance(found.value, dict) and found.value.keys() & set(self.asked.keys)
        ]
        if holders:
            return "the JSON object in the answer is the one of the prompt, not an answer of your own"
        held = shown[-1].value
        keys = ", ".join(repr(key[:40]) for key in list(held)[:5]) if isinstance(held, dict) else ""
        return (
            f"the JSON object in the answer has no key {' or '.join(map(repr, self.asked.keys[:3]))} (it has: {keys})"
        )

    def _contradiction(self) -> Refusal | None:
        chosen = next((candidate for candidate in self.candidates if not candidate.query), None)
        for candidate in self.candidates:
            if candidate.twice:
                return self._ambiguous(f"the key {min(candidate.twice)!r} has two different values")
            if candidate.is_both:
                return self._ambiguous(f"the answer has both {QUERY!r} and {self.asked.keys[0]!r}; give one of them")
        if chosen and (rival := self._rival(chosen)):
            return self._ambiguous(rival)
        if len(self.candidates) == 1:
            return None
        meanings = {canonical_json(self._meaning(candidate)): candidate for candidate in self.candidates}
        if len(meanings) == 1:
            return None
        if any(c.query for c in self.candidates) and not all(c.query for c in self.candidates):
            return self._ambiguous(f"the answer has both a look-up and {self.asked.keys[0]!r}; give one of them")
        named = " and ".join(repr(self._shown(candidate)) for candidate in list(meanings.values())[:2])
        noun = "look-ups" if self.candidates[-1].query else f"{self.asked.noun}s"
        count = "two" if len(meanings) == 2 else str(len(meanings))
        return self._ambiguous(f"the answer holds {count} different {noun} ({named}); {ONE_OBJECT}")

    def _meaning(self, candidate: Candidate) -> JSON:
        return candidate.value if candidate.query else self.asked.resolve(candidate.value)

    def _rival(self, chosen: Candidate) -> str:
        """What another key names, in the same object or in one without the key, if that is another legal action."""
        if self.asked.form != "object":
            return ""
        for whole in (*(c.whole for c in self.candidates), *(found.value for found in self._scanned.found)):
            for key, value in whole.items() if isinstance(whole, dict) else ():
                if (
                    key in (*self.asked.keys, REASONING)
                    or not words().names_an_answer(key)
                    or not self.asked.is_legal(value)
                ):
                    continue
                if canonical_json(self.asked.resolve(value)) != canonical_json(self.asked.resolve(chosen.value)):
                    named = f"{self._shown(chosen)!r} and, as {key[:40]!r}, {str(value)[:40]!r}"
                    return f"the answer names {named}; {ONE_OBJECT}"
        return ""

    def _not_standing(self) -> Refusal | None:
        if self.asked.form == "text" or any(candidate.found is None for candidate in self.candidates):
            return None
        why = ""
        for candidate in self.candidates:
            assert candidate.found is not None
            why = standing.objection(self.text, candidate.found, is_list=self.asked.form == "list")
            if not why:
                return None
        what = "list" if self.asked.form == "list" else "JSON object"
        how = ONE_OBJECT if what == "JSON object" else "write your answer on a line of its own"
        return self.refuse(RefusalKind.UNREADABLE, f"the {what} is not clearly your answer: {why}; {how}")

    def _taken_back(self) -> Refusal | None:
        last = self.candidates[-1]
        if self.asked.form == "text" or last.query:
            return None
        if self._calls and (said := standing.chosen_in_words(self.text, self.asked.others(last.value))):
            return self._ambiguous(f"the words beside the call choose another action ({said}); say and call the same")
        behind = next((self.text[c.found.end :] for c in reversed(self.candidates) if c.found), self.text)
        if not behind.strip():
            return None
        said = standing.taken_back(behind, self.asked.label(last.value), self.asked.others(last.value))
        return self._ambiguous(f"the words around the answer take it back ({said}); {ONE_OBJECT}") if said else None

    def _shown(self, candidate: Candidate) -> str:
        text = self.asked.label(candidate.value) or canonical_json(candidate.value)
        return text if len(text) <= 60 else text[:60] + " …"

    def _ambiguous(self, reason: str) -> Refusal:
        return self.refuse(RefusalKind.AMBIGUOUS, reason)


def folded(value: JSON) -> JSON:
    """A text with its full-width forms written plainly; anything else as it is."""
    return unicodedata.normalize("NFKC", value) if isinstance(value, str) else value
