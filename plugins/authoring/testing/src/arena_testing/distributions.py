"""Real distributions for tests, written to a temporary directory on ``sys.path`` where arena discovers them."""

import importlib
import json
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
from arena.plugin import Plugin, group_of


@attrs.define(eq=False)
class Installed:
    """A directory on ``sys.path`` that tests install distributions into."""

    directory: Path
    _modules: set[str] = attrs.field(factory=set[str], init=False)

    def add(
        self,
        dist: str,
        entry_points: Mapping[str, Mapping[str, str]],
        files: Mapping[str, str],
        *,
        version: str = "1.0",
        requires: Sequence[str] = (),
        direct_url: Mapping[str, Any] | None = None,
    ) -> None:
        """Install a distribution that declares ``requires`` as its dependencies.

        ``entry_points`` are ``{"arena.games": {"hex": "acme_hex:HEX"}}``; ``files`` are texts by their path, Python
        modules among them (``{"acme_hex.py": …}``); ``direct_url`` is the content of ``direct_url.json`` (PEP 610).
        """
        home = self.directory / f"{dist.replace('-', '_')}-{version}.dist-info"
        home.mkdir(parents=True)
        metadata = [f"Name: {dist}", f"Version: {version}", *(f"Requires-Dist: {line}" for line in requires)]
        (home / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *metadata, ""]), encoding="utf-8")
        groups = (
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in names.items())
            for group, names in entry_points.items()
        )
        (home / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
        if direct_url is not None:
            (home / "direct_url.json").write_text(json.dumps(direct_url), encoding="utf-8")
        # As an installer does it, so that others can find out to which distribution a file belongs.
        listed = (*files, *(str(file.relative_to(self.directory)) for file in home.iterdir()))
        (home / "RECORD").write_text("".join(f"{path},,\n" for path in listed), encoding="utf-8")
        for path, text in files.items():
            file = self.directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            self._modules.add(path.partition("/")[0].removesuffix(".py"))
        importlib.invalidate_caches()

    def add_plugin(self, kind: str, name: str, made: Any, **described: Any) -> Plugin:
        """Register the class (or command) ``made`` as the plugin ``name`` of a kind; returns its descriptor.

        ``described`` are fields of the descriptor (``preset``, ``example``, …). The plugin belongs to the distribution
        ``test-KIND-NAME`` and exists in this process only. A plugin that consists of files, such as a suite, needs
        ``add``.
        """
        dist = f"test-{kind}-{name}"
        module = dist.replace("-", "_")
        plugin = Plugin(factory=f"{module}:made", **described)
        sys.modules[module] = ModuleType(module, f"The {kind} {name!r}, for the time of one test.")
        vars(sys.modules[module]).update(made=made, PLUGIN=plugin)
        self._modules.add(module)
        self.add(dist, {group_of(kind): {name: f"{module}:PLUGIN"}}, {})
        return plugin

    def forget(self) -> None:
        """Remove the modules of all installed distributions from ``sys.modules``."""
        for name in [name for name in sys.modules if name.partition(".")[0] in self._modules]:
            del sys.modules[name]
        importlib.invalidate_caches()


@contextmanager
def installed(directory: Path) -> Generator[Installed, None, None]:
    """Put ``directory`` on ``sys.path`` until the block ends, so that distributions can be installed there."""
    directory.mkdir(parents=True, exist_ok=True)
    site = Installed(directory)
    sys.path.insert(0, str(directory))
    try:
        yield site
    finally:
        sys.path.remove(str(directory))
        site.forget()
