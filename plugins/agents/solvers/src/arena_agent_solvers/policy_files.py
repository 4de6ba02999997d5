"""Reads policies of other programs from files."""

import gzip
import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.errors import ConfigError

from arena_agent_solvers.policy_table import load

Table = Mapping[str, Mapping[int, float]]
"""Probabilities of actions by information state, in OpenSpiel's words."""

_PICKLES = frozenset({".pkl", ".pickle"})


def read_table(path: Path, *, trusts_pickle: bool = False) -> Table:
    """Read a policy from a file; ``ConfigError`` says what is wrong with it.

    ``.json`` and ``.json.gz`` hold ``{INFORMATION_STATE: {ACTION: PROBABILITY}}``, or an equilibrium as this package
    saves it; ``.pkl`` holds a ``TabularPolicy`` of ``open_spiel.python.policy``.
    """
    if path.suffix in _PICKLES and not trusts_pickle:
        raise ConfigError(
            f"{path}: is a pickle, and reading one can run any code; write 'trusts-pickle: true' if you made it "
            "yourself and give --trust-pickle, or keep the policy as JSON"
        )
    try:
        raw = _pickled(path) if path.suffix in _PICKLES else _plain(path)
        return {str(key): _checked(path, str(key), actions) for key, actions in raw.items()}
    except ConfigError:
        raise
    except Exception as error:  # whatever is in a file of somebody else
        why = f"{type(error).__name__}: {error}"
        raise ConfigError(f"{path}: cannot be read as a policy ({why}); expected a table of probabilities") from error


def _plain(path: Path) -> Mapping[str, Mapping[Any, float]]:
    content = path.read_bytes()
    raw: Any = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
    if set(raw) == {"check", "table"}:
        found = load(path).situations
        return {key: dict(zip(k.actions, k.probabilities, strict=True)) for key, k in found.items()}
    return raw


def _pickled(path: Path) -> Mapping[str, Mapping[Any, float]]:
    policy: Any = pickle.loads(path.read_bytes())
    masks, probabilities = policy.legal_actions_mask, policy.action_probability_array
    return {
        key: {a: float(p) for a, p in enumerate(probabilities[place]) if masks[place][a]}
        for key, place in policy.state_lookup.items()
    }


def _checked(path: Path, key: str, actions: Mapping[Any, float]) -> dict[int, float]:
    found = {int(action): float(p) for action, p in actions.items()}
    total = sum(found.values())
    if not found or min(found.values()) < 0 or abs(total - 1) > 1e-6:
        raise ConfigError(f"{path}: the probabilities of {key!r} are {found!r}; expected numbers that sum to 1")
    return found
