"""The identity of a run, as its journal keeps it."""

from collections.abc import Mapping
from typing import Any, Self

import attrs
from arena.record import JSON

_RULE = "answer-rule"
_UNPAIRED = "unpaired"


@attrs.frozen(kw_only=True)
class Header:
    """The identity of a run: its composed benchmark, and the environment in which it was created.

    ``benchmark`` is plain data from which the same benchmark can be built again. ``provenance`` lists every plugin
    used; ``created`` is a time in UTC. ``answer_rule`` is the rule by which answers are read, 1 in a run that does not
    say. ``unpaired`` are games and agents by name whose matches have deals of their own unless the schedule says
    otherwise.
    """

    id: str
    name: str
    seed: int
    benchmark: JSON
    created: str
    core: str
    python: str
    platform: str
    provenance: tuple[Mapping[str, JSON], ...]
    answer_rule: int = 1
    unpaired: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, JSON]:
        """Return it as it is written to disk."""
        plain = {key: value for key, value in attrs.asdict(self).items() if key not in ("answer_rule", _UNPAIRED)}
        unpaired: dict[str, JSON] = {_UNPAIRED: self.unpaired} if self.unpaired else {}
        return {**plain, _RULE: self.answer_rule, **unpaired}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """Read it back; the counterpart of ``to_json``."""
        known: dict[str, Any] = {key: value for key, value in plain.items() if key != _RULE}
        known["provenance"] = tuple(plain["provenance"])
        known[_UNPAIRED] = tuple((game, agent) for game, agent in plain.get(_UNPAIRED, ()))
        return cls(**known, answer_rule=plain.get(_RULE, 1))
