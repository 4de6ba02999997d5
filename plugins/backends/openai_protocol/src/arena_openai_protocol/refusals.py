"""Learns from a refusal how a server wants to be asked: tables of what models and servers are known to say.

Each line of ``MODELS``, ``RULES``, ``REFUSING`` and ``OUT_OF_RANGE`` stands for itself and names where it is said. A
server that says it in other words gets a line of its own.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, cast

import attrs

from arena_openai_protocol.compat import KEYWORDS, LEAVABLE, PLAIN, Compat, adapted

STATUSES: Final = frozenset({400, 404, 405, 406, 415, 422, 500, 501})
"""The statuses by which servers refuse a parameter; some call it a fault of their own, or an endpoint not found."""


@attrs.frozen
class _ModelRow:
    """What is known of the models whose names fit; ``host`` narrows it to servers."""

    model: str
    compat: Compat
    source: str
    host: str = ""


_REASONING: Final = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "parallel_tool_calls")
MODELS: Final = (
    _ModelRow(
        r"(?:.*/)?o[134](?:-(?:mini|pro|preview|deep-research))?(?:-\d{4}-\d\d-\d\d)?",
        Compat(limit_name="max_completion_tokens", leave_out=_REASONING),
        "https://platform.openai.com/docs/guides/reasoning: the o-series takes no sampling parameters",
    ),
    _ModelRow(
        r"(?:.*/)?o1-(?:mini|preview)(?:-\d{4}-\d\d-\d\d)?",
        Compat(system="user"),
        "https://github.com/openai/openai-python/issues/1804: o1-preview and o1-mini take no system message",
    ),
    _ModelRow(
        r"(?:.*/)?gpt-5(?:-(?:mini|nano))?(?:-\d{4}-\d\d-\d\d)?",
        Compat(limit_name="max_completion_tokens", leave_out=("temperature", "top_p")),
        "https://platform.openai.com/docs/guides/latest-model: GPT-5 refuses temperature and top_p",
    ),
    _ModelRow(
        r"(?:models/)?gemma-[123]n?-.*",
        Compat(system="user"),
        "https://github.com/QuantumNous/new-api/issues/989: Developer instruction is not enabled for these models",
        host=r"generativelanguage\.googleapis\.com",
    ),
    _ModelRow(
        r"deepseek-(?:chat|reasoner|v\d.*)",
        Compat(schema="json-object"),
        "https://api-docs.deepseek.com/api/create-chat-completion: response_format is text or json_object",
        host=r"api\.deepseek\.com",
    ),
    _ModelRow(
        r"deepseek-reasoner",
        Compat(leave_out=("tool_choice",)),
        "https://github.com/deepseek-ai/DeepSeek-V3/issues/1376: thinking mode refuses tool_choice",
        host=r"api\.deepseek\.com",
    ),
)


def known_compat(model: str, host: str) -> Compat:
    """What the table knows of a model at a host."""
    found = PLAIN
    for row in MODELS:
        if re.fullmatch(row.model, model.lower()) and (not row.host or re.fullmatch(row.host, host)):
            found = found.plus(row.compat)
    return found


@attrs.frozen
class _Rule:
    """A change to make when a refusal has these words, where the request has ``field`` (``messages``: any)."""

    words: str
    field: str
    change: Compat
    source: str


_AS_USER, _AS_DEVELOPER, _AS_SYSTEM = (Compat(system=role) for role in ("user", "developer", "system"))
RULES: Final = (
    _Rule(r"use '?\"?max_completion_tokens", "max_tokens", Compat(limit_name="max_completion_tokens"), "OpenAI"),
    _Rule(r"use '?\"?max_tokens", "max_completion_tokens", Compat(limit_name="max_tokens"), "Mistral, older gateways"),
    _Rule(
        r"unknown variant `?developer|role.{0,60}'?developer'?.{0,40}(?:not|invalid|unsupported)|"
        r"(?:invalid|unexpected|unsupported|unknown)[^.]{0,40}role[^.]{0,20}developer",
        "developer",
        _AS_SYSTEM,
        "https://github.com/deepseek-ai/DeepSeek-V3/issues/1376",
    ),
    _Rule(r"use (?:the )?['\"`]?developer['\"`]?", "system", _AS_DEVELOPER, "OpenAI"),
    _Rule(
        r"system (?:role|message|prompt|instruction)s?\b.{0,60}(?:not|n't|unsupported|unavailable|disabled)",
        "system",
        _AS_USER,
        "https://github.com/vllm-project/vllm/pull/2964: System role not supported",
    ),
    _Rule(
        r"(?:not|n't) (?:support|accept|allow|take|have)\w*(?: an?| the| any)? system",
        "system",
        _AS_USER,
        "https://github.com/EricLBuehler/mistral.rs/issues/45",
    ),
    _Rule(
        r"not support (?:thinking|reasoning)|(?:thinking|reasoning)\"? is not supported",
        "reasoning_effort",
        Compat(leave_out=("reasoning_effort",)),
        "https://docs.ollama.com/capabilities/thinking",
    ),
    _Rule(
        r"system_instruction.{0,40}not supported|developer instruction is not enabled",
        "system",
        _AS_USER,
        "https://github.com/QuantumNous/new-api/issues/989",
    ),
    _Rule(
        r"does not support '?\"?system|role.{0,40}['\"`]?system['\"`]?.{0,40}(?:not|invalid|unsupported)|"
        r"(?:invalid|unexpected|unsupported|unknown)(?: message)? role:? ?['\"`]?system|unknown variant `?system",
        "system",
        _AS_USER,
        "https://github.com/openai/openai-python/issues/1804",
    ),
    _Rule(
        r"roles must alternate|only user(?:,| and| or) ?(?:assistant|model)|"
        r"first message.{0,30}(?:role |be )['\"`]?user",
        "system",
        _AS_USER,
        "https://github.com/EricLBuehler/mistral.rs/issues/45",
    ),
    _Rule(
        r"must contain the word ['\"`]?json|json_object.{0,60}(?:not |un)(?:supported|available)|"
        r"must be '?json_schema'? or '?text",
        "json_object",
        Compat(schema="none"),
        "https://github.com/willmiao/ComfyUI-Lora-Manager/issues/1033",
    ),
    _Rule(
        r"\bstrict\b['\"`]?\W.{0,40}(?:unexpected|unknown|unrecogni[sz]ed|not (?:supported|permitted|allowed))|"
        r"(?:unexpected|unknown|unrecogni[sz]ed|unsupported)[^.]{0,40}['\"`]strict['\"`]",
        "json_schema",
        Compat(leave_out=("strict",)),
        "https://docs.mistral.ai/capabilities/structured-output/custom_structured_output: older servers know no strict",
    ),
    _Rule(
        r"response[_ ]?format|json[_ ]schema|structured[_ ]output|guided[_ ](?:json|decoding)|"
        r"(?:output|response)[_ ]schema|invalid schema|schema is (?:too|not)|compile (?:the )?(?:grammar|schema)",
        "json_schema",
        Compat(schema="json-object"),
        "https://github.com/BerriAI/litellm/issues/7580: response_format.type json_schema is unavailable now",
    ),
    _Rule(
        r"response[_ ]?format|json[_ ](?:object|mode|schema)|structured[_ ]output",
        "json_object",
        Compat(schema="none"),
        "https://github.com/truefoundry/models/pull/913",
    ),
)
"""In this order; the first that changes the request is taken."""

REFUSING: Final[Mapping[str, str]] = {
    r"(?:not|n't|nor) (?:yet |currently )?(?:be )?(?:support|allow|permit|accept)": "OpenAI, Azure, xAI, Groq, vLLM",
    r"(?:not|n't) (?:yet |currently )?(?:be )?(?:available|enabled|implemented|honou?r)": "Groq, LM Studio, TGI",
    r"unsupported|unavailable|disallowed|forbidden|incompatible": "OpenAI, Groq, Moonshot",
    r"extra inputs|extra_forbidden|extra fields|additional propert": "Mistral, vLLM (pydantic)",
    r"unrecogni[sz]ed|not recogni[sz]ed|unknown|unexpected|cannot find field|no such": "Azure, Google, Cohere, TGI",
    r"deprecat": "https://docs.anthropic.com/en/release-notes/api: temperature and top_p of newer Claude models",
    r"only .{0,40}(?:allowed|supported|accepted|permitted)|only the default": "OpenAI, Moonshot (invalid temperature)",
    r"cannot (?:both )?be (?:used|set|specified|combined|provided)|mutually exclusive|not both": "Anthropic, Bedrock",
    r"may only be (?:set|used)|use only one|may not be|must not be|should not be": "Anthropic",
    r"(?:must|should) be (?:omitted|unset|null|left out|1(?:\.0)?\b|one of)|expected one of": "Anthropic, Groq",
    r"no endpoints found": "https://openrouter.ai/docs/features/provider-routing",
}
"""Words by which a server says that it takes a parameter not at all, and who says them."""

OUT_OF_RANGE: Final[Mapping[str, str]] = {
    r"must be (?:in|within|between|less|greater|at (?:least|most)|<|>|a |an )": "vLLM, TGI, Mistral",
    r"(?:less|greater) than|out of range|maximum value|minimum value|between .{1,12} and": "DeepSeek, OpenAI, Cohere",
    r"input should be": "pydantic",
}
"""Words about a value that is wrong of itself: the mistake is the benchmark's, and nothing is learned of it."""

LISTED: Final = r"(?:supported|allowed|valid|accepted|possible) values|\bone of\b|expected .{1,40} or "
"""Words of OpenAI, xAI, Groq and vLLM by which a server lists the efforts that it takes: another one is meant."""

_REFUSES: Final = re.compile("|".join(REFUSING), re.I)
_RANGES: Final = re.compile("|".join(OUT_OF_RANGE), re.I)
_KEYWORD_PLACE: Final = re.compile(r"schema|keyword|response_format|json|parameters|propert", re.I)


def lesson(status: int, text: str, body: Mapping[str, Any], compat: Compat) -> Compat | None:
    """What to add to ``compat`` so that a request is not refused for this again; ``None`` if the refusal says nothing.

    ``text`` is all that the server said, ``body`` what it was sent, as ``adapted`` made it with ``compat``.
    """
    if status not in STATUSES:
        return None
    said = _flat(text)
    for change in (*_keyword(said, body), *_ruled(said, body), *_parameter(said, text, body)):
        wider = compat.plus(change)
        is_back = change.system == "system" and compat.system == "developer"
        if wider != compat and (is_back or adapted(dict(body), change)[1]):
            return wider
    return None


def _flat(text: str) -> str:
    return " ".join(text.replace('\\"', '"').split())[:20_000]


def _fields(body: Mapping[str, Any]) -> frozenset[str]:
    """The parameters that a body has, the roles of its messages, and the form of answer that it asks for."""
    form: Any = body.get("response_format")
    kind = str(cast("Mapping[str, Any]", form).get("type")) if isinstance(form, Mapping) else ""
    return frozenset({*body, kind, *(str(message["role"]) for message in body.get("messages", ()))})


def _ruled(said: str, body: Mapping[str, Any]) -> Iterator[Compat]:
    there = _fields(body)
    for rule in RULES:
        if rule.field in there and re.search(rule.words, said, re.I):
            yield rule.change


def _keyword(said: str, body: Mapping[str, Any]) -> Iterator[Compat]:
    """Keywords of JSON Schema that a refusal names, where the request has a schema with them."""
    sent = json.dumps([body.get("response_format"), body.get("tools")])
    if '"schema"' not in sent and '"parameters"' not in sent:
        return
    if not _REFUSES.search(said) and not re.search(r"invalid (?:schema|fields)", said, re.I):
        return
    if not _KEYWORD_PLACE.search(said):
        return
    there = [word for word in KEYWORDS if f'"{word}"' in sent]
    named = [word for word in there if re.search(rf"(?<![\w$]){re.escape(word)}(?!\w)", said)]
    # Common words of any sentence are taken for keywords only where they are marked as names.
    marks = r"['\"`{{/]{0}['\"`}}]|(?:propert(?:y|ies)|keywords?)\b[^.]{{0,80}}\b{0}\b"
    named = [word for word in named if word not in _COMMON or re.search(marks.format(re.escape(word)), said)]
    if named:
        yield Compat(schema_without=tuple(named))


_COMMON: Final = frozenset(
    {"const", "default", "description", "examples", "format", "maximum", "minimum", "pattern", "title"}
)


def _parameter(said: str, text: str, body: Mapping[str, Any]) -> Iterator[Compat]:
    """Parameters that a refusal names in a field of its own, or in a sentence that says they are not taken."""
    if _RANGES.search(said):
        return
    told = _told_param(text)
    # A model that thinks less or more than asked is another player: the benchmark must name an effort that is taken.
    fixed = ("reasoning_effort",) if re.search(LISTED, said, re.I) else ()
    if told in LEAVABLE and told in body and told not in fixed:
        yield Compat(leave_out=(told,))
    if not _REFUSES.search(said):
        return
    for name in LEAVABLE:
        is_sent = name in body or (name == "cache_control" and name in json.dumps(body.get("messages")))
        if is_sent and name not in fixed and _pattern(name).search(said):
            yield Compat(leave_out=(name,))
    for name, other in (("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")):
        if name in body and _pattern(name).search(said):
            yield Compat(limit_name=cast("Any", other))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """The name as servers write it: with underscores, spaces or capitals, as a word of its own."""
    return re.compile(rf"(?<![A-Za-z_]){'[_ -]?'.join(map(re.escape, name.split('_')))}(?![A-Za-z_])", re.I)


def _told_param(text: str) -> str:
    """What the JSON of an error has as ``param``, or the last part of the place that pydantic names."""
    found = re.search(r'"param"\s*:\s*"(?P<name>\w+)"', text)
    found = found or re.search(r"""['"]loc['"]\s*:\s*\[\s*['"]body['"]\s*,\s*['"](?P<name>\w+)['"]""", text)
    return found["name"] if found else ""
