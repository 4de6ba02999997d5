"""Labelled replies of models: read from their files, and held against what a parser makes of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
from arena.agent import Reply
from arena.backend import Completion, ToolCall
from arena.game import Decision, Options
from arena.record import JSON, Player, canonical_json
from arena_agent_llm.replies.answer import understand

CORPUS = Path(__file__).parent / "corpus"


@attrs.frozen(kw_only=True)
class Case:
    """One reply, what could be played, and what its writer meant."""

    id: str
    category: str
    legal: tuple[Any, ...]
    labels: tuple[str, ...]
    completion: Completion
    meant: JSON
    strict: str
    lenient: str
    language: str = "en"

    @classmethod
    def of(cls, raw: dict[str, Any]) -> "Case":
        """Read a line of a file, whose keys the README beside the files tells."""
        calls = tuple(
            ToolCall(
                str(number), call["name"], said if isinstance(said := call["arguments"], str) else json.dumps(said)
            )
            for number, call in enumerate(raw.get("tool_calls") or ())
        )
        completion = Completion(
            text=raw["reply"],
            reasoning=raw.get("reasoning") or "",
            tool_calls=calls,
            finish_reason=raw.get("finish") or ("tool-calls" if calls else "stop"),
        )
        legal = tuple(raw["legal"])
        named = tuple(action if isinstance(action, str) else canonical_json(action) for action in legal)
        kept = {key: raw[key] for key in ("id", "category", "meant", "strict", "lenient")}
        labels = tuple(raw.get("labels") or named)
        return cls(legal=legal, labels=labels, completion=completion, language=raw.get("language", "en"), **kept)

    def is_alone(self) -> bool:
        """Whether the text is the object that the prompt asks for and nothing else, in a fence of JSON or in none."""
        text = self.completion.text.strip()
        text = text.removeprefix("```json").removeprefix("```").removesuffix("```").strip()
        try:
            value = json.loads(text, object_pairs_hook=list)
        except ValueError:
            return False
        keys = [key for key, _ in value] if isinstance(value, list) and text[0] == "{" else []
        return keys in (["action"], ["reasoning", "action"])

    def decision(self) -> Decision:
        """A decision between the legal actions."""
        labels = dict(zip(map(canonical_json, self.legal), self.labels, strict=True))
        return Decision(player=Player(0), options=Options(self.legal, lambda action: labels[canonical_json(action)]))

    def played(self, *, is_lenient: bool) -> JSON:
        """The legal action that is played, or ``None``."""
        may_look_up = any(call.name == "look_up" for call in self.completion.tool_calls)
        found = understand(self.completion, self.decision(), is_lenient=is_lenient, may_look_up=may_look_up)
        if not isinstance(found, Reply):
            return None
        return next((a for a in self.legal if canonical_json(a) == canonical_json(found.action)), None)


@attrs.frozen(kw_only=True)
class Score:
    """What a parser made of a file: the cases that it played and nobody meant, and the clear ones that it refused."""

    cases: int
    clear: int
    wrong: tuple[str, ...]
    refused: tuple[str, ...]


def cases(name: str) -> Iterator[Case]:
    """The cases of one of the files."""
    for line in (CORPUS / name).read_text("utf-8").splitlines():
        yield Case.of(json.loads(line))


def score(name: str, *, is_lenient: bool) -> Score:
    """Read all replies of a file."""
    found = list(cases(name))
    wrong: list[str] = []
    refused: list[str] = []
    clear = 0
    for case in found:
        played = case.played(is_lenient=is_lenient)
        label = case.lenient if is_lenient else case.strict
        is_meant = case.meant is not None and canonical_json(played) == canonical_json(case.meant)
        clear += label == "play"
        if played is not None and (label == "refuse" or not is_meant):
            wrong.append(case.id)
        if label == "play" and not is_meant:
            refused.append(case.id)
    return Score(cases=len(found), clear=clear, wrong=tuple(wrong), refused=tuple(refused))
