"""Sends requests as a server takes them: ``compat`` says what differs from OpenAI's protocol, and is applied here."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, cast, get_args

import attrs
from arena.record import JSON
from attrs.validators import deep_iterable, in_, optional

LimitName = Literal["max_tokens", "max_completion_tokens"]
SystemRole = Literal["system", "developer", "user"]
SchemaForm = Literal["json-object", "none"]

LEAVABLE: Final = (
    *("temperature", "top_p", "seed", "stop", "reasoning_effort", "tool_choice", "parallel_tool_calls"),
    *("stream_options", "prompt_cache_key", "cache_control", "strict", "top_k", "min_p", "presence_penalty"),
    *("frequency_penalty", "repetition_penalty", "user", "store", "metadata", "service_tier"),
)
"""What may be left out of a request; texts that ``stop`` would have cut off are cut off by Arena then."""

KEYWORDS: Final = (
    *("additionalProperties", "const", "default", "description", "examples", "exclusiveMaximum", "exclusiveMinimum"),
    *("format", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "multipleOf", "pattern"),
    *("title", "uniqueItems", "$schema", "$comment", "propertyNames", "minProperties", "maxProperties"),
)
"""Keywords of JSON Schema without which more answers fit; the game checks every answer anyway."""


def _one_of(options: Any) -> Any:
    return {"validator": optional(in_(get_args(options)))}


@attrs.frozen(kw_only=True)
class Compat:
    """What a server or a model takes otherwise than OpenAI's protocol has it; all unset: what refusals teach."""

    limit_name: LimitName | None = attrs.field(
        default=None, **_one_of(LimitName), metadata={"help": "the name under which the longest answer is sent"}
    )
    leave_out: tuple[str, ...] = attrs.field(
        default=(),
        validator=deep_iterable(in_(LEAVABLE)),
        metadata={"help": f"parameters that are not sent, of {', '.join(LEAVABLE)}"},
    )
    system: SystemRole | None = attrs.field(
        default=None,
        **_one_of(SystemRole),
        metadata={"help": "the role of the system's text; user: it is put before the first user message"},
    )
    schema: SchemaForm | None = attrs.field(
        default=None,
        **_one_of(SchemaForm),
        metadata={"help": "what is sent where schema is auto: json-object (JSON alone) or none"},
    )
    schema_without: tuple[str, ...] = attrs.field(
        default=(),
        validator=deep_iterable(in_(KEYWORDS)),
        metadata={"help": "keywords of JSON Schema that are not sent"},
    )

    def plus(self, other: "Compat") -> "Compat":
        """Both; where they differ, what ``other`` says."""
        if other == PLAIN:
            return self
        return Compat(
            limit_name=other.limit_name or self.limit_name,
            leave_out=tuple(dict.fromkeys((*self.leave_out, *other.leave_out))),
            system=other.system or self.system,
            schema=other.schema or self.schema,
            schema_without=tuple(dict.fromkeys((*self.schema_without, *other.schema_without))),
        )

    def with_schema(self, form: SchemaForm | None) -> "Compat":
        """The same with another form of answers."""
        return self if self.schema == form else attrs.evolve(self, schema=form)

    def plain(self) -> Mapping[str, JSON]:
        """What a benchmark writes as ``compat``: all that is set."""
        found: dict[str, Any] = {name.replace("_", "-"): value for name, value in attrs.asdict(self).items() if value}
        return {
            name: [*cast("tuple[str, ...]", value)] if isinstance(value, tuple) else value
            for name, value in found.items()
        }


PLAIN: Final = Compat()
"""Everything is sent as OpenAI's protocol has it."""


def written(compat: Compat) -> str:
    """The line of a benchmark that sets it by hand."""
    parts = (f"{name}: {_flow(value)}" for name, value in compat.plain().items())
    return f"compat: {{{', '.join(parts)}}}"


def _flow(value: JSON) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


def adapted(body: dict[str, Any], compat: Compat) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The body as the server takes it, and how it differs from what was asked, a phrase for each difference."""
    if compat == PLAIN:
        return body, ()
    sent = dict(body)
    said: list[str] = []
    for change in (_limit, _without, _roles, _form):
        said += change(sent, compat)
    return sent, tuple(said)


def cut_at_stop(text: str, stop: tuple[str, ...]) -> str:
    """The text up to the first of the words that end it, which the server was not told."""
    found = [place for word in stop if word and (place := text.find(word)) >= 0]
    return text[: min(found)] if found else text


def _limit(sent: dict[str, Any], compat: Compat) -> list[str]:
    name = compat.limit_name
    if name is None:
        return []
    said: list[str] = []
    for other in get_args(LimitName):
        if other != name and other in sent:
            sent[name] = sent.pop(other)
            said.append(f"{name} instead of {other}")
    return said


def _without(sent: dict[str, Any], compat: Compat) -> list[str]:
    said = [f"no {name}" for name in compat.leave_out if name in sent]
    for name in compat.leave_out:
        sent.pop(name, None)
    if "cache_control" in compat.leave_out:
        sent["messages"] = [_unmarked(message) for message in sent["messages"]]
    if "strict" in compat.leave_out and (form := _json_schema(sent)) is not None and "strict" in form:
        _put_schema(sent, {name: value for name, value in form.items() if name != "strict"})
        said.append("no strict")
    return said


def _unmarked(message: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(parts := message.get("content"), list):
        return message
    found = cast("list[dict[str, Any]]", parts)
    return {**message, "content": [{k: v for k, v in part.items() if k != "cache_control"} for part in found]}


def _roles(sent: dict[str, Any], compat: Compat) -> list[str]:
    messages: list[dict[str, Any]] = sent.get("messages", [])
    if compat.system in (None, "system") or not any(message["role"] == "system" for message in messages):
        return []
    if compat.system == "developer":
        sent["messages"] = [{**m, "role": "developer"} if m["role"] == "system" else m for m in messages]
        return ["the role developer instead of system"]
    sent["messages"] = _merged(messages)
    return ["the system's text at the head of the first user message"]


def _merged(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages with the text of each of the system's before that of the user who speaks next."""
    found: list[dict[str, Any]] = []
    waiting: list[Any] = []
    for message in messages:
        if message["role"] == "system":
            waiting.append(message["content"])
        elif message["role"] == "user" and waiting:
            found.append({**message, "content": _joined([*waiting, message["content"]])})
            waiting = []
        else:
            found.append(message)
    return [*found, {"role": "user", "content": _joined(waiting)}] if waiting else found


def _joined(contents: list[Any]) -> Any:
    if all(isinstance(content, str) for content in contents):
        return "\n\n".join(contents)
    parts: list[Any] = []
    for content in contents:
        parts += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return parts


def _form(sent: dict[str, Any], compat: Compat) -> list[str]:
    form: Any = sent.get("response_format")
    if not isinstance(form, Mapping):
        return _tool_schemas(sent, compat)
    if compat.schema == "none":
        del sent["response_format"]
        return ["no response_format"]
    if compat.schema == "json-object" and cast("Mapping[str, Any]", form).get("type") == "json_schema":
        sent["response_format"] = {"type": "json_object"}
        return ["response_format json_object instead of json_schema"]
    if (given := _json_schema(sent)) is None or not compat.schema_without:
        return []
    schema = _without_keywords(given.get("schema"), compat.schema_without)
    if schema == given.get("schema"):
        return []
    _put_schema(sent, {**given, "schema": schema})
    return [f"a schema without {', '.join(compat.schema_without)}"]


def _tool_schemas(sent: dict[str, Any], compat: Compat) -> list[str]:
    tools: list[dict[str, Any]] = sent.get("tools") or []
    if not compat.schema_without or not tools:
        return []
    narrowed: list[dict[str, Any]] = []
    for tool in tools:
        function = tool["function"]
        parameters = _without_keywords(function["parameters"], compat.schema_without)
        narrowed.append({**tool, "function": {**function, "parameters": parameters}})
    if narrowed == tools:
        return []
    sent["tools"] = narrowed
    return [f"tools without {', '.join(compat.schema_without)}"]


def _json_schema(sent: Mapping[str, Any]) -> Mapping[str, Any] | None:
    form: Any = sent.get("response_format")
    found: Any = cast("Mapping[str, Any]", form).get("json_schema") if isinstance(form, Mapping) else None
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else None


def _put_schema(sent: dict[str, Any], form: Mapping[str, Any]) -> None:
    sent["response_format"] = {**sent["response_format"], "json_schema": dict(form)}


_NAMED: Final = frozenset({"properties", "$defs", "definitions", "patternProperties"})
"""Under these, keys are names and no keywords."""


def _without_keywords(schema: Any, keywords: tuple[str, ...]) -> Any:
    """The schema without these keywords, at every depth; properties that are called so stay."""
    return _stripped(schema, lambda key: key in keywords)


def _stripped(schema: Any, is_left_out: Callable[[str], bool]) -> Any:
    if isinstance(schema, list):
        return [_stripped(each, is_left_out) for each in cast("list[Any]", schema)]
    if not isinstance(schema, Mapping):
        return schema
    found: dict[str, Any] = {}
    for key, value in cast("Mapping[str, Any]", schema).items():
        if key in _NAMED and isinstance(value, Mapping):
            named = cast("Mapping[str, Any]", value)
            found[key] = {name: _stripped(each, is_left_out) for name, each in named.items()}
        elif key in ("enum", "const") and not is_left_out(key):
            found[key] = value
        elif not is_left_out(key):
            found[key] = _stripped(value, is_left_out)
    return found
