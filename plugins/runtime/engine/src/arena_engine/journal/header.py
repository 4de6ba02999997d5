"""The identity of a run, as its journal keeps it."""

from collections.abc import Mapping
from typing import Any, Self

import attrs
from arena.record import JSON

_UNPAIRED = "unpaired"


@attrs.frozen(kw_only=True)
class Header:
    """The identity of a run: its composed benchmark, and the environment in which it was created.

    ``benchmark`` is plain data from which the same benchmark can be built again. ``provenance`` lists every plugin
    used; ``created`` is a time in UTC. ``unpaired`` are games and agents by name whose matches have deals of their own
    unless the schedule says otherwise.
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
    unpaired: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, JSON]:
        """Return it as it is written to disk."""
        plain = {key: value for key, value in attrs.asdict(self).items() if key != _UNPAIRED}
        unpaired: dict[str, JSON] = {_UNPAIRED: self.unpaired} if self.unpaired else {}
        return {**plain, **unpaired}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """Read it back; the counterpart of ``to_json``."""
        known: dict[str, Any] = dict(plain)
        known["provenance"] = tuple(plain["provenance"])
        known[_UNPAIRED] = tuple((game, agent) for game, agent in plain.get(_UNPAIRED, ()))
        return cls(**known)
