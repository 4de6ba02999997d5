"""Rules and lists of answers, and the files that hold them."""

import json
from pathlib import Path
from typing import Any, Final

import attrs
from arena.errors import ConfigError, RequestRejected
from arena_engine import read_yaml

MATCH_S: Final = 1.0
"""Seconds that an expression may take for a message; the interpreter's lock is held meanwhile."""


def _check_expression(_owner: object, _field: object, when: str) -> None:
    import regex  # its import takes a tenth of a second

    try:
        regex.compile(when)
    except regex.error as error:
        raise ValueError(f"{when!r} is no regular expression: {error}") from None


@attrs.frozen
class Rule:
    """An answer to every request whose last user message contains a match of ``when``."""

    when: str = attrs.field(validator=_check_expression, metadata={"help": "a regular expression; '.' spans lines"})
    say: str = attrs.field(metadata={"help": "the whole answer"})

    def matches(self, text: str) -> bool:
        """Whether a message contains a match; ``RequestRejected`` for an expression that takes too long."""
        import regex

        try:
            return regex.search(self.when, text, regex.DOTALL, timeout=MATCH_S) is not None
        except TimeoutError:
            what = f"the expression {self.when!r} takes more than {MATCH_S:g} s for a prompt"
            raise RequestRejected(f"{what}; write one that repeats nothing within a repetition") from None


@attrs.frozen(kw_only=True)
class Scriptbook:
    """The rules and answers of a script file."""

    rules: tuple[Rule, ...] = ()
    answers: tuple[str, ...] = ()


def read_script(path: Path) -> Scriptbook:
    """Read a list of texts and ``{when, say}`` tables, or a table with ``rules`` and ``answers``; blocks.

    Raises ``ConfigError`` with the place and kind of each problem.
    """
    try:
        text = path.expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error.strerror}; give the path of a script") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{str(path)!r} is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    if path.suffix == ".jsonl":
        lines = enumerate(text.split("\n"), start=1)
        data: Any = [_parsed(line, f"{path}: line {number}") for number, line in lines if line.strip()]
    elif path.suffix == ".json":
        data = _parsed(text, str(path))
    else:
        data = read_yaml(text, str(path)).data
    return _scriptbook(data, str(path))


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ConfigError(f"{where} is not JSON: {error}") from None


def _scriptbook(data: Any, where: str) -> Scriptbook:
    if isinstance(data, dict) and data and data.keys() <= {"rules", "answers"}:
        rules, answers = data.get("rules") or [], data.get("answers") or []
        data = [*rules, *answers] if isinstance(rules, list) and isinstance(answers, list) else None
    if not isinstance(data, list) or not data:
        raise ConfigError(f"{where}: expected a list of texts and of {{when, say}}, or a table of rules and answers")
    entries = [_entry(item, f"{where}: entry {number}") for number, item in enumerate(data, start=1)]
    return Scriptbook(
        rules=tuple(entry for entry in entries if isinstance(entry, Rule)),
        answers=tuple(entry for entry in entries if isinstance(entry, str)),
    )


def _entry(item: Any, where: str) -> Rule | str:
    if isinstance(item, str):
        return item
    if (
        not isinstance(item, dict)
        or item.keys() != {"when", "say"}
        or not all(isinstance(v, str) for v in item.values())
    ):
        raise ConfigError(f"{where}: expected a text or {{when: REGULAR EXPRESSION, say: TEXT}}, got {item!r}")
    try:
        return Rule(item["when"], item["say"])
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None
