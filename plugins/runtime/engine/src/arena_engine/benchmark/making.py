"""Creates a single plugin from the data that a benchmark file would hold for it."""

from collections.abc import Mapping
from typing import Any

from arena.catalog import Catalog
from arena.errors import ConfigError, did_you_mean

from arena_engine.benchmark.fields import CONTRACTS
from arena_engine.benchmark.structure import structure
from arena_engine.benchmark.trust import trusting


def make_plugin(
    kind: str,
    settings: str | Mapping[str, Any],
    catalog: Catalog | None = None,
    *,
    trust_code: bool = False,
    trust_pickle: bool = False,
) -> Any:
    """Create a plugin of a kind, such as ``"game"``, from its name or from ``{"use": NAME, …}`` with its parameters.

    ``trust_code`` and ``trust_pickle`` consent to run the code that the parameters name, and to read their pickles.
    ``ConfigError`` says why there is no such plugin, or lists every mistake in its parameters by their path.
    """
    contracts = {name: contract for contract, name in CONTRACTS.items()}
    if kind not in contracts:
        known = ", ".join(sorted(contracts))
        raise ConfigError(f"no plugin of kind {kind!r} can be made{did_you_mean(kind, contracts)}; expected {known}")
    catalog = catalog or Catalog()
    with trusting(code=trust_code, pickle=trust_pickle):
        return structure(settings, contracts[kind], catalog)
