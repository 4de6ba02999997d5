"""Says what to type to install something, and imports names from distributions that may be missing.

The line is one that works where this program came from: a checkout, a folder of wheels, an index, or the environment
of a tool of uv or pipx. Imports the standard library alone, since it is also read by its path where another
distribution wrote over the package ``arena``.
"""

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from shutil import which
from typing import Any, Final

PREFIX: Final = "playarena-"
"""How the names of Arena's distributions begin on an index."""

BUNDLE: Final = "playarena"
"""The distribution that brings what most people want."""


def full_name(last: str) -> str:
    """The name of one of Arena's distributions, from its last part, with its extra if any: ``report[parquet]``."""
    return PREFIX + last


def install_line(*names: str, is_upgrade: bool = False, is_repair: bool = False) -> str:
    """The command that installs distributions by their names on an index; an extra may follow: ``acme[charts]``.

    ``is_upgrade`` replaces older ones, ``is_repair`` writes the same versions again, without what they require.
    """
    root, prefix = checkout(), Path(sys.prefix)
    is_ours = all(_bare(name) in workspace() for name in names)
    if root and is_ours and prefix.resolve() == root / ".venv":
        return _sync_line(root, names, is_repair)
    if is_ours:
        things = [*dict.fromkeys(thing for name in names for thing in _folders(name, is_repair))]
    else:
        things = [f"{name}{_pin(name) if is_repair else ''}" for name in names]
    if is_ours and root and _direct_url()["dir_info"].get("editable"):
        quoted = [f"-e {_quoted(each)}" for each in things]
    else:
        quoted = [_quoted(each) for each in things]
    links = [f"--find-links {_quoted(each)}" for each in _find_links()]
    if (prefix / "uv-receipt.toml").is_file() and not is_repair:
        return _tool_line(things, links, is_upgrade)
    if (prefix / "pipx_metadata.json").is_file() and not (is_repair or is_upgrade):
        return _line("pipx inject", prefix.name, *quoted, links and f"--pip-args={_quoted(' '.join(links))}")
    program, options = _program()
    again = "--reinstall" if program.startswith("uv ") else "--force-reinstall"
    how = f"{again} --no-deps" if is_repair else "--upgrade" if is_upgrade else ""
    return _line(program, "install", options, how, *links, *quoted)


def uninstall_line(name: str) -> str:
    """The command that removes a distribution from this environment."""
    program, options = _program()
    return _line(program, "uninstall", options, _quoted(name))


@cache
def checkout() -> Path | None:
    """The folder of the checkout that the core was installed from, if it was and it is still there."""
    recorded = _direct_url()
    if "dir_info" not in recorded:
        return None
    root = _path_of(recorded["url"]).parent
    return root.resolve() if (root / "pyproject.toml").is_file() and (root / "plugins").is_dir() else None


@cache
def workspace() -> Mapping[str, Path]:
    """The folders of the checkout's distributions, by name; empty without a checkout."""
    root = checkout()
    found: dict[str, Path] = {}
    for file in (*root.glob("*/pyproject.toml"), *root.glob("plugins/*/*/pyproject.toml")) if root else ():
        if name := re.search(r'(?m)^name\s*=\s*"([^"]+)"', file.read_text("utf-8")):
            found[name[1]] = file.parent
    return found


def open_door(package: str, name: str, homes: Mapping[str, str]) -> Any:
    """Import the object ``package.name`` from the module that ``homes`` gives for it.

    That module may belong to another distribution; if it is not installed, ``ImportError`` names the distribution.
    ``AttributeError`` says that there is no such name. Whatever else the import raises passes unchanged.
    """
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    room = homes[name].partition(".")[0]
    if find_spec(room) is None:
        dist = full_name(room.partition("_")[2].replace("_", "-"))
        raise ImportError(f"{package}.{name} is in {dist}, which is not installed: {install_line(dist)}", name=room)
    return getattr(import_module(homes[name]), name)


def installed_names(homes: Mapping[str, str]) -> Iterable[str]:
    """The names whose distribution is installed here; the others would raise ``ImportError``."""
    return [name for name, home in homes.items() if find_spec(home.partition(".")[0]) is not None]


def _sync_line(root: Path, names: Sequence[str], is_repair: bool) -> str:
    """The line of uv for the environment that ``uv sync`` made in the checkout."""
    packages = [f"--package {_bare(name)}" for name in names]
    extras = dict.fromkeys(f"--extra {extra}" for name in names for extra in _extras(name))
    again = [f"--reinstall-package {_bare(name)}" for name in names] if is_repair else ()
    project = "" if Path.cwd().is_relative_to(root) else f"--project {_quoted(root)}"
    return _line(_uv(), "sync --inexact", *packages, *extras, *again, project)


def _tool_line(things: Iterable[str], links: Iterable[str], is_upgrade: bool) -> str:
    """The line of uv for the environment of one of its tools, with all that was asked for before."""
    tool = Path(sys.prefix).name
    asked = {str(each["name"]): _requirement(each) for each in _receipt().get("requirements", ())}
    wanted = asked | {_bare(each): each for each in things}
    others = [f"--with {_quoted(each)}" for name, each in wanted.items() if name != tool]
    return _line("uv tool install", is_upgrade and "--upgrade", *links, _quoted(wanted.get(tool, tool)), *others)


def _requirement(noted: Mapping[str, Any]) -> str:
    """A requirement in uv's notes as it is typed."""
    for key in ("editable", "directory", "path"):
        if key in noted:
            return str(noted[key])
    extras = f"[{','.join(noted['extras'])}]" if noted.get("extras") else ""
    return f"{noted['name']}{extras}{noted.get('specifier', '')}"


def _folders(name: str, is_alone: bool) -> Iterator[str]:
    """The folder of a distribution of the checkout, after those of what it requires and is not installed."""
    for needed in [name] if is_alone else dict.fromkeys(_missing(name)):
        place = os.path.relpath(workspace()[_bare(needed)])
        extras = f"[{','.join(_extras(needed))}]" if _extras(needed) else ""
        yield f"{place if place.startswith('.') else f'./{place}'}{extras}"


def _missing(name: str) -> Iterator[str]:
    """The distributions of the checkout that a distribution requires and lacks, in the order of need, and its name."""
    project = tomllib.loads((workspace()[_bare(name)] / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project.get("optional-dependencies", {})
    for needed in (*project.get("dependencies", ()), *(one for extra in _extras(name) for one in optional[extra])):
        if _bare(needed) in workspace() and not _pin(_bare(needed)):
            yield from _missing(_bare(needed))
    yield name


def _pin(name: str) -> str:
    """The installed version as a requirement states it; empty if the distribution is not installed."""
    try:
        return f"=={version(name)}"
    except PackageNotFoundError:
        return ""


def _program() -> tuple[str, str]:
    """The program that installs into this environment, and the option that names the environment where it must."""
    prefix, python = Path(sys.prefix), Path(sys.executable)
    if (prefix / "pipx_metadata.json").is_file():
        return f"pipx runpip {prefix.name}", ""
    shown = _quoted(os.path.relpath(python) if python.is_relative_to(Path.cwd()) else python)
    if find_spec("pip") is not None:
        on_path = which("pip")
        return ("pip" if on_path and Path(on_path).parent == python.parent else f"{shown} -m pip"), ""
    beside = (each / ".venv" for each in (Path.cwd(), *Path.cwd().parents) if (each / ".venv").is_dir())
    taken = os.environ.get("VIRTUAL_ENV") or next(beside, None)
    return "uv pip", "" if taken and Path(taken).resolve() == prefix.resolve() else f"--python {shown}"


def _uv() -> str:
    """The program uv as it can be called here."""
    own = Path(sys.prefix) / "bin" / "uv"
    return os.path.relpath(own) if which("uv") is None and own.is_file() else "uv"


def _find_links() -> Iterable[str]:
    """The folders of wheels that the user set, or that the core came from."""
    found = [*os.environ.get("PIP_FIND_LINKS", "").split(), *os.environ.get("UV_FIND_LINKS", "").split(",")]
    found += map(str, _receipt().get("options", {}).get("find-links", ()))
    recorded = _direct_url()
    if "archive_info" in recorded and recorded["url"].startswith("file:"):
        found.append(str(_path_of(recorded["url"]).parent))
    return dict.fromkeys(each for each in found if each)


@cache
def _receipt() -> Mapping[str, Any]:
    """What uv notes of a tool in the tool's environment; empty elsewhere."""
    file = Path(sys.prefix) / "uv-receipt.toml"
    return tomllib.loads(file.read_text("utf-8")).get("tool", {}) if file.is_file() else {}


@cache
def _direct_url() -> Mapping[str, Any]:
    """What the installer noted of where the core came from; empty if that is an index."""
    try:
        return json.loads(distribution(full_name("core")).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}


def _path_of(url: str) -> Path:
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    return Path(url2pathname(urlsplit(url).path))


def _bare(requirement: str) -> str:
    """The name in a requirement as indexes compare it, without extras and versions."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def _extras(requirement: str) -> Sequence[str]:
    """The extras in a requirement."""
    inside = requirement.partition("[")[2].partition("]")[0]
    return [each.strip() for each in inside.split(",") if each.strip()]


def _quoted(word: object) -> str:
    return quote(str(word))


def _line(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part)
