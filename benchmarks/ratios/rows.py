"""What a benchmark finds: ratios to a peer of the same run, or to a limit."""

from collections.abc import Iterable
from statistics import median
from typing import Any, Literal, Self

import attrs

Against = Literal["peer", "limit", "nothing"]
"""What a ratio is one to. A ratio to a peer of the same run is compared with the recorded one. One to a limit depends
on the machine, so that it is held against its goal alone. What stands beside nothing is shown and not judged."""


@attrs.frozen(kw_only=True)
class Row:
    """Ratios of one thing, one a round; ``goal`` is the most it may be, or the least where more is better."""

    name: str
    ratios: tuple[float, ...] = attrs.field(converter=tuple, validator=attrs.validators.min_len(1))
    goal: float | None = None
    is_more_better: bool = False
    against: Against = "peer"
    note: str = ""

    @property
    def ratio(self) -> float:
        """The median of the rounds."""
        return median(self.ratios)

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; ``None`` where there is none."""
        if self.goal is None:
            return None
        return self.ratio >= self.goal if self.is_more_better else self.ratio <= self.goal

    def to_json(self) -> dict[str, Any]:
        """A JSON object that `from_json` reads."""
        return {**attrs.asdict(self), "ratios": list(self.ratios)}

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(**raw)


def over(ones: Iterable[float], others: Iterable[float]) -> tuple[float, ...]:
    """The ratios of what was found round by round."""
    return tuple(one / other for one, other in zip(ones, others, strict=True))


def limited(name: str, found: float | Iterable[float], limit: float, unit: str = "", note: str = "") -> Row:
    """A row for what may be ``limit`` at most, as a share of it; ``found`` is one number, or one a round."""
    values = (found,) if isinstance(found, (int, float)) else tuple(found)
    told = f"{median(values):.3g}{unit and f' {unit}'}"
    return Row(
        name=f"{name}, of {limit:g}{unit and f' {unit}'}",
        ratios=tuple(value / limit for value in values),
        goal=1,
        against="limit",
        note=f"{told}; {note}" if note else told,
    )
