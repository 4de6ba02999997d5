"""The descriptor of a plugin, which can be read before anything heavy is imported."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import attrs

from arena.installing import full_name, install_line

API: Final = 1
"""The number of the plugin contract that this Arena knows; raised only when an existing plugin would break."""

KINDS = (
    *("game", "agent", "backend", "metric", "executor", "schedule", "observer"),
    *("suite", "report", "export", "command", "solver", "prompt-style", "illegal-actions"),
)
"""What can be a plugin; ``group_of`` says in which entry-point group."""

OFFERS: Final = "plugins"
"""The kind under which a broken module of plugin offers is listed; its entry-point group names all such modules."""

WITHOUT_RULES: Final = "without-rules"
"""The capability of a plugin whose games may come without rules, and the key by which a benchmark consents to one."""

RESERVED: Final[Mapping[str, tuple[str, ...]]] = {"command": (full_name("cli"), full_name("devkit"))}
"""By kind, the distributions whose names nobody else can take: ``arena run`` is the same in every environment."""


def group_of(kind: str) -> str:
    """The entry-point group of a kind: ``arena.games``, ``arena.illegal_actions``."""
    return f"arena.{kind.replace('-', '_').removesuffix('s')}s"


def is_importable(module: str) -> bool:
    """Whether a module can be found; only the packages that contain it are imported."""
    try:
        return find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):
        return False


@attrs.frozen
class Requirement:
    """Something a plugin cannot do without: an importable module, and how to get it.

    ``package`` is what an index calls the distribution that brings the module, with an extra if any; the line that
    installs it is told. ``remedy`` is what else to do, or what to do instead, in words.
    """

    module: str
    remedy: str = ""
    package: str = ""

    def how_to_get(self) -> str:
        """What to do to get it, in one line that works where this program came from."""
        return " ".join(filter(None, (install_line(self.package) if self.package else "", self.remedy)))


@attrs.frozen(kw_only=True)
class Plugin:
    """The descriptor of a plugin: an entry point leads to it, or a hook of ``arena.hookspecs.OfferSpec`` returns it.

    ``api`` is the number of the plugin contract it was written for; 1, the default, is the one described here.

    ``factory`` is written ``package.module:Class`` and imported when a run first asks for it, so listing a plugin costs
    nothing. The class is a frozen attrs class whose fields are the plugin's parameters. ``preset`` changes some of
    their defaults, so that one class can serve several names. For a suite or a prompt style, ``factory`` is
    ``package:path/in/package.yaml``; for a command it leads to a ``click.Command``. ``example``: working parameters.

    ``required_capabilities`` are those that the backends of every agent must support if this game or metric is used.

    Two fields let a model be named without a benchmark file (``--agent openai/gpt-4o``). A backend lists in
    ``model_patterns`` regular expressions of names that select it, matched in full, first against ``ADDRESS NAME`` if
    an address is given; it takes the name, or its group ``model``, as ``model`` and the address, if any, as
    ``base_url``. An agent that plays with any model gives in ``backend_parameter`` the parameter for the backend.

    ``order`` sorts commands in ``arena --help`` and backends that one model's name selects: lower numbers first, equal
    ones by name. ``endings`` are endings of files (``".md"``) that select this report format if none is named.
    """

    factory: str
    summary: str = ""
    requirements: tuple[Requirement, ...] = ()
    capabilities: frozenset[str] = attrs.field(default=frozenset(), converter=frozenset[str])
    preset: dict[str, Any] = attrs.field(factory=dict[str, Any])
    example: dict[str, Any] = attrs.field(factory=dict[str, Any])
    version: str = "1"
    licence: str = ""
    required_capabilities: frozenset[str] = attrs.field(default=frozenset(), converter=frozenset[str])
    backend_parameter: str = ""
    model_patterns: tuple[str, ...] = ()
    order: int = 100
    endings: tuple[str, ...] = ()
    api: int = API

    def missing(self, is_importable: Callable[[str], bool] = is_importable) -> list[Requirement]:
        """The requirements that are not met, without importing any; ``is_importable`` may remember what it found."""
        return [each for each in self.requirements if not is_importable(each.module)]

    def load(self) -> Any:
        """Import the class that ``factory`` names; whatever that raises passes."""
        return resolve(self.factory)


def resolve(target: str) -> Any:
    """Import what ``package.module:attribute`` names; whatever that raises passes."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)
