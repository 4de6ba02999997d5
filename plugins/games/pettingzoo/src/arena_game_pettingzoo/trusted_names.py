"""Tells environments that anybody's benchmark may name from code that could do anything."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import Distribution, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

LIBRARIES: Final = frozenset({"gymnasium", "pettingzoo"})
"""The distributions whose environments are known, and which a distribution of environments requires."""


def unknown_module(module: str) -> str:
    """Why a module may hold anything, looked up without importing it; empty if it belongs to a known distribution.

    A distribution is known if it is, or requires, Gymnasium or PettingZoo. A module that is not there at all is left to
    whoever imports it.
    """
    top = module.partition(".")[0]
    if find_spec(top) is None:
        return ""
    if any(_is_known(dist) for dist in _owners(module, top)):
        return ""
    return f"no installed distribution that is or requires gymnasium or pettingzoo has the module {module!r}"


def unknown_class(found: Any, kinds: tuple[type, ...], wrappers: tuple[type, ...]) -> str:
    """Why something is no class of environments; empty if it is one and wraps no other."""
    if not isinstance(found, type) or not issubclass(found, kinds):
        return "it is no class of environments"
    # What shimmy has makes environments of other libraries by names of its own, which may be paths again.
    if issubclass(found, wrappers) or found.__module__.startswith(("pettingzoo.utils.", "shimmy.")):
        return "it is a wrapper around other environments"
    return ""


def attribute_of(name: str) -> tuple[Any, str]:
    """Import the module of ``package.module`` or ``package.module:attribute``; returns it and the attribute's name."""
    module, _, attribute = name.partition(":")
    return import_module(module), attribute


def _owners(module: str, top: str) -> Iterator[Distribution]:
    """The distributions that have installed this very module, at the place from which it would be imported."""
    path = module.replace(".", "/")
    is_own = re.compile(rf"{re.escape(path)}(/__init__)?(\.py|\.[^/]*\.(so|pyd))").fullmatch
    places = _places(top)
    for name in dict.fromkeys(packages_distributions().get(top, ())):
        dist = distribution(name)
        files = [Path(str(dist.locate_file(file))).resolve() for file in dist.files or () if is_own(str(file))]
        if any(file.is_relative_to(place) for file in files for place in places):
            yield dist


def _places(top: str) -> list[Path]:
    spec = find_spec(top)
    if spec is None:
        return []
    found = spec.submodule_search_locations or ([spec.origin] if spec.origin else [])
    return [Path(place).resolve() for place in found]


def _is_known(dist: Distribution) -> bool:
    own: Mapping[str, Any] = dist.metadata  # pyright: ignore[reportAssignmentType] -- a message
    # What an extra would bring is not required.
    required = [line for line in dist.requires or () if not re.search(r";.*\bextra\b", line)]
    names = [str(own.get("Name", "")), *required]
    return any(_word(name) in LIBRARIES for name in names)


def _word(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""
