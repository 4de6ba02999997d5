"""Parameters that the backends of several kinds of servers have in common, and how they are checked."""

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs
from arena.backend import Price, Usage
from attrs.validators import ge, optional

_AGENTS: Final = "the agent decides about that"
_BESIDE: Final = "write it beside extra"
_TAKEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(("model", "temperature", "top_p", "max_tokens", "seed", "reasoning_effort"), _BESIDE),
    "max_completion_tokens": "write max-tokens",
    **dict.fromkeys(("messages", "tools", "response_format", "stop", "logprobs", "top_logprobs", "n"), _AGENTS),
    **dict.fromkeys(("stream", "stream_options"), _AGENTS),
}


PRICES_HELP: Final = (
    "{input, output, cached, stored, reasoning} in US dollars for a million tokens of single calls; batch: true halves "
    "them; unset: what the provider says, else LiteLLM's list"
)


@attrs.frozen(kw_only=True)
class Prices:
    """Prices in US dollars for a million tokens."""

    input: float = attrs.field(validator=ge(0), metadata={"help": "for a million tokens that are sent"})
    output: float = attrs.field(validator=ge(0), metadata={"help": "for a million tokens that are written"})
    cached: float | None = attrs.field(
        default=None,
        validator=optional(ge(0)),
        metadata={"help": "for a million sent tokens that the provider had in its cache; unset: the same as input"},
    )

    stored: float | None = attrs.field(
        default=None,
        validator=optional(ge(0)),
        metadata={"help": "for a million sent tokens that the provider put into its cache; unset: the same as input"},
    )
    reasoning: float | None = attrs.field(
        default=None,
        validator=optional(ge(0)),
        metadata={"help": "for a million written tokens that the model thought; unset: the same as output"},
    )

    def times(self, factor: float) -> "Prices":
        """The same prices, each multiplied by a factor."""
        known = {name: value for name, value in attrs.asdict(self).items() if value is not None}
        return Prices(**{name: value * factor for name, value in known.items()})

    def price(self) -> Price:
        """The price of one token, where nothing is known of a cache; of written ones the dearer price."""
        return Price(self.input / 1e6, max(self.output, self.reasoning or 0.0) / 1e6)

    def cost_usd(self, usage: Usage, stored_tokens: int = 0) -> float:
        """What a completion with this usage costs, of which so many tokens were stored in a cache."""
        cached = min(usage.cached_tokens or 0, usage.prompt_tokens)
        stored = min(stored_tokens, usage.prompt_tokens - cached)
        thought = min(usage.reasoning_tokens or 0, usage.completion_tokens)
        sold = (
            (usage.prompt_tokens - cached - stored, self.input),
            (cached, self.input if self.cached is None else self.cached),
            (stored, self.input if self.stored is None else self.stored),
            (usage.completion_tokens - thought, self.output),
            (thought, self.output if self.reasoning is None else self.reasoning),
        )
        return sum(tokens * price for tokens, price in sold) / 1e6


def check_address(_owner: object, _field: object, text: str) -> None:
    """Validate the address of a server; it may begin with a variable of the environment."""
    if not re.match(r"https?://.|\$\{", text):
        raise ValueError(f"expected an address that starts with https:// or http://, got {text!r}")


def check_extra(extra: Mapping[str, Any], more: Mapping[str, str] | None = None) -> None:
    """Raise ``ValueError`` for a parameter of the provider that has a place of its own; ``more`` adds such names."""
    for name in extra:
        if instead := (more or {}).get(name) or _TAKEN.get(name):
            raise ValueError(f"{name!r} does not belong into extra: {instead}")
