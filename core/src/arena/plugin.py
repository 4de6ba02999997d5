"""What a plugin says about itself before anything heavy is imported."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import attrs

API = 1
"""The plugin contract this core speaks; bumped only when an existing plugin would break."""

KINDS = (
    "game",
    "agent",
    "backend",
    "metric",
    "executor",
    "schedule",
    "observer",
    "suite",
    "report",
    "export",
    "command",
    "solver",
    "style",
    "discipline",
)
"""What can be a plugin; the entry-point group of a kind is ``arena.<kind>s``."""


@attrs.frozen
class Need:
    """Something a plugin cannot do without: an importable module, and how to get it."""

    module: str
    install: str

    def is_met(self) -> bool:
        """Whether the module can be found; nothing is imported."""
        try:
            return find_spec(self.module) is not None
        except (ModuleNotFoundError, ValueError):
            return False


@attrs.frozen(kw_only=True)
class Plugin:
    """The target of an ``arena.*`` entry point.

    ``factory`` is written ``package.module:Class`` and imported when a run first asks for it, so listing a plugin costs
    nothing. The class is a frozen attrs class whose fields are the plugin's parameters. ``preset`` fixes or changes
    some of their defaults, so that one class can serve several names. For a suite or a prompt style, ``factory`` is
    ``package:path/in/package.yaml``; for a command it leads to a ``click.Command``. ``example`` is a working set of
    parameters for ``arena describe``.

    ``requires`` names what the backends of every agent must be able to do where this game or metric is used.

    Two fields let a model be named without a benchmark file (``--agent openai/gpt-4o``). A backend lists in ``models``
    regular expressions of the model names it is meant by (matched in full); it takes the name as its parameter
    ``model``, and a server's address as ``base_url`` where it can be pointed at one. An agent that plays with any
    model names in ``wraps_backend`` its parameter that takes the backend.
    """

    factory: str
    summary: str = ""
    needs: tuple[Need, ...] = ()
    capabilities: frozenset[str] = attrs.field(default=frozenset(), converter=frozenset[str])
    preset: dict[str, Any] = attrs.field(factory=dict[str, Any])
    example: dict[str, Any] = attrs.field(factory=dict[str, Any])
    version: str = "1"
    licence: str = ""
    requires: frozenset[str] = attrs.field(default=frozenset(), converter=frozenset[str])
    wraps_backend: str = ""
    models: tuple[str, ...] = ()
    api: int = API

    def missing(self) -> list[Need]:
        """The needs that are not met, without importing any."""
        return [need for need in self.needs if not need.is_met()]

    def load(self) -> Any:
        """Import the class; whatever that raises passes."""
        return resolve(self.factory)


def resolve(target: str) -> Any:
    """Import ``package.module:attribute``."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)
