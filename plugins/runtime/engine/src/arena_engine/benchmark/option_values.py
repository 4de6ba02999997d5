"""Makes a benchmark from options of the command line: games, agents and models by name."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import ConfigError, PluginError, did_you_mean
from arena.installing import BUNDLE, install_line


def from_options(
    games: Sequence[str],
    agents: Sequence[str],
    *,
    repeats: int = 1,
    base_url: str | None = None,
    metrics: Sequence[str] = (),
    seed: int = 0,
    catalog: Catalog | None = None,
) -> dict[str, Any]:
    """The plain data of a benchmark of these games and agents, for ``load_benchmark``.

    An agent is the name of an agent plugin (``random``), of a model (``openai/gpt-4o``), or ``BACKEND:MODEL``. A model
    is played by the agent plugin that wraps backends. Several agents meet in a round robin, one alone plays itself;
    every pairing is played ``repeats`` times in every rotation of seats. ``base_url`` is the server of all models.
    Where several backends take a model, the first in their plugins' order is meant.
    ``ConfigError`` lists every agent that is neither.
    """
    catalog = catalog or Catalog()
    problems: list[str] = []
    made: dict[str, Any] = {}
    for agent in agents:
        try:
            name, entry = _agent(agent, base_url, catalog)
            made[_free(name, made)] = entry
        except ConfigError as error:
            problems += error.problems
    if base_url is not None and not problems and all(isinstance(entry, str) for entry in made.values()):
        problems.append(f"--base-url {base_url}: none of the agents is a model ({', '.join(agents)})")
    if problems:
        raise ConfigError(problems)
    played: dict[str, Any] = {}
    for game in games:
        played[_free(_bare(game), played)] = game
    return {
        "name": re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(games)).lstrip("._-") or "quick",
        "seed": seed,
        "games": played,
        "agents": made,
        "schedule": {"use": "round-robin" if len(made) > 1 else "self-play", "repeats": repeats},
        "metrics": list(metrics),
    }


def _agent(agent: str, base_url: str | None, catalog: Catalog) -> tuple[str, Any]:
    if catalog.has("agent", agent):
        return _bare(agent), agent
    backend, colon, model = agent.partition(":")
    if not colon or not catalog.has("backend", backend):
        backend, model = _backend(agent, base_url, catalog)
    wrapper = _wrapper(agent, catalog)
    asked = {"use": backend, "model": model, **({"base_url": base_url} if base_url else {})}
    return _word(model), {"use": wrapper.name, _wrapped(wrapper): asked}


def _backend(model: str, base_url: str | None, catalog: Catalog) -> tuple[str, str]:
    """The backend for a model, and the name by which that knows it."""
    entries = [e for e in catalog.entries("backend") if e.plugin is not None]
    meant = _meant(entries, f"{base_url} {model}", model) if base_url else []
    meant = meant or _meant(entries, model, model)
    if len(meant) == 1:
        return meant[0]
    if meant:
        choices = " or ".join(repr(f"{name}:{model}") for name, _ in meant)
        raise ConfigError(f"--agent {model}: several backends take models of that name; write {choices}")
    backends = ", ".join(e.name for e in entries) or "none"
    if advice := _advice(model, catalog):
        raise ConfigError(f"--agent {model}: {advice}")
    named = [p for e in entries if e.status is Status.OK for p in _models(e) if re.fullmatch(r"[\w-]+", p)]
    close = "" if "/" in model else did_you_mean(model, [*catalog.names("agent"), *named])
    raise ConfigError(
        f"--agent {model}: no agent is called that{close}, and no installed backend takes a model of that name; "
        f"write BACKEND:MODEL (backends: {backends}), or install a backend that takes it "
        f"({install_line(f'{BUNDLE}[hosted]')}; the user guide's chapter on hosted models says more)"
    )


def _meant(entries: Sequence[InstalledPlugin], asked: str, model: str) -> list[tuple[str, str]]:
    """The backends with a pattern for what is asked, as far as they can be used and are first in order."""
    found = [
        (entry, match.groupdict().get("model") or model)
        for entry in entries
        if (match := next(filter(None, (re.fullmatch(pattern, asked) for pattern in _models(entry))), None))
    ]
    found = [each for each in found if each[0].status is Status.OK] or found
    first = min((_order(entry) for entry, _ in found), default=0)
    return [(entry.name, name) for entry, name in found if _order(entry) == first]


def _order(entry: InstalledPlugin) -> int:
    return entry.plugin.order if entry.plugin else 0


def _advice(agent: str, catalog: Catalog) -> str:
    """What the catalog says of an agent that cannot be used, where that is more than that there is none."""
    try:
        catalog.get("agent", agent)
    except PluginError as error:
        return "" if str(error).startswith("no agent called") else str(error)
    return ""


def _wrapper(agent: str, catalog: Catalog) -> InstalledPlugin:
    wrappers = [e for e in catalog.entries("agent") if e.plugin and e.plugin.backend_parameter]
    if usable := [e for e in wrappers if e.status is Status.OK]:
        wrappers = usable
    if len(wrappers) == 1:
        return wrappers[0]
    if wrappers:
        names = ", ".join(repr(e.name) for e in wrappers)
        raise ConfigError(f"--agent {agent}: several agents play with any model ({names}); write a benchmark file")
    raise ConfigError(f"--agent {agent}: no installed agent plays with a model; install one that does")


def _models(entry: InstalledPlugin) -> tuple[str, ...]:
    return entry.plugin.model_patterns if entry.plugin else ()


def _wrapped(entry: InstalledPlugin) -> str:
    return entry.plugin.backend_parameter if entry.plugin else ""


def _free(name: str, taken: Iterable[str]) -> str:
    number = 1
    while (free := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return free


def _bare(plugin: str) -> str:
    return plugin.rpartition(":")[2]


def _word(model: str) -> str:
    """A model's name without its provider and without characters that have a meaning in match ids."""
    return re.sub(r"[\s,]+", "-", model.rstrip("/").rpartition("/")[2]) or "model"
