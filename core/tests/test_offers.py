"""Plugins that a distribution offers by hook: listed, refused, disabled and explained like those of entry points."""

import re
import sys
from pathlib import Path

import pytest
from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import PluginError
from arena.hookspecs import OfferSpec
from arena.installed import hook_of
from arena.plugin import KINDS
from arena_testing.fixtures.distributions import Installed

HEAD = "from arena.hookspecs import hookimpl\nfrom arena.plugin import Plugin, Requirement\n\n\n"
MANY = """
@hookimpl
def arena_games():
    return {f"heap-{n}": Plugin(factory="acme_many.play:Heap", preset={"size": n}) for n in range(300)}
"""


def offer(site: Installed, text: str, dist: str = "acme-many") -> None:
    """Install a distribution whose one entry point names the module that ``text`` is."""
    module = dist.replace("-", "_")
    site.add(dist, {"arena.plugins": {"many": module}}, {f"{module}.py": HEAD + text})


def entries(catalog: Catalog | None = None, dist: str = "acme-many") -> list[InstalledPlugin]:
    return [entry for entry in (catalog or Catalog()).entries() if entry.dist == dist]


def test_each_kind_has_a_hook():
    """Every kind of plugin can be offered by the hook that is called after its entry-point group."""
    specs = {name for name in vars(OfferSpec) if name.startswith("arena_")}

    assert specs == {hook_of(kind) for kind in KINDS}
    assert {"arena_games", "arena_prompt_styles", "arena_illegal_actions"} < specs


def test_one_hook_offers_three_hundred_games(installed: Installed):
    """Each name is a plugin of the distribution, found by name, its provenance the module and the hook."""
    offer(installed, MANY)

    found = entries()

    assert len(found) == 300
    assert {(entry.kind, entry.status, entry.version) for entry in found} == {("game", Status.OK, "1.0")}
    entry = Catalog().get("game", "heap-7")
    assert entry.plugin is not None
    assert entry.plugin.preset == {"size": 7}
    assert entry.target == "acme_many:arena_games"
    assert entry.dist == "acme-many"
    assert "acme_many.play" not in sys.modules


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_can_be_offered(installed: Installed, kind: str):
    """What a hook gives is a plugin of the hook's kind."""
    offer(installed, f'@hookimpl\ndef {hook_of(kind)}():\n    return {{"made": Plugin(factory="acme:Made")}}\n')

    assert [(entry.kind, entry.name, entry.status) for entry in entries()] == [(kind, "made", Status.OK)]


COUNTING = """
ASKED = []

@hookimpl
def arena_games():
    ASKED.append("games")
    return {"heap": Plugin(factory="acme_many.play:Heap")}

@hookimpl
def arena_agents():
    ASKED.append("agents")
    return {"thinker": Plugin(factory="acme_many.play:Thinker")}
"""


def test_offers_are_asked_once(installed: Installed):
    """Nothing is asked before the first look-up; then once, also for catalogs with more plugins disabled."""
    offer(installed, COUNTING)
    catalog = Catalog()
    less = catalog.without(["agent:thinker"])
    assert "acme_many" not in sys.modules

    assert catalog.has("game", "heap")
    assert [entry.status for entry in entries(less)] == [Status.OK, Status.DISABLED]
    assert less.without(["nothing"]).names("game")

    assert sys.modules["acme_many"].ASKED == ["games", "agents"]


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("import no_such_module", "plugins", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)", "plugins", "SystemExit: 3"),
        ("", "plugins", "acme_many implements no hook of arena.hookspecs.OfferSpec; mark functions with @hookimpl"),
        (
            "@hookimpl\ndef arena_gmaes():\n    return {}",
            "plugins",
            "PluginValidationError: unknown hook 'arena_",
        ),
        ("@hookimpl\ndef arena_games(config):\n    return {}", "plugins", "PluginValidationError: Plugin 'acme_many'"),
        ("@hookimpl\ndef arena_games():\n    raise OSError('no\\n list')", "game", "OSError: no list"),
        ("@hookimpl\ndef arena_games():\n    raise SystemExit(3)", "game", "SystemExit: 3"),
        ("@hookimpl\ndef arena_games():\n    return ['heap']", "game", "acme_many:arena_games gives ['heap'], not a"),
        ("@hookimpl\ndef arena_games():\n    yield 'heap'", "game", "acme_many:arena_games gives <generator object"),
        (
            "@hookimpl\ndef arena_suites():\n    return {3: None}",
            "suite",
            "acme_many:arena_suites gives {3: None}",
        ),
    ],
)
def test_offer_that_fails_is_broken(installed: Installed, text: str, kind: str, reason: str):
    """An offer that raises or returns something else is listed under its entry point; all other plugins are there."""
    offer(installed, text)
    offer(installed, COUNTING, "other-many")

    (found,) = entries()

    assert (found.kind, found.name, found.version, found.status) == (kind, "many", "1.0", Status.BROKEN)
    assert found.reason.startswith(reason)
    assert found.remedy == "reinstall or upgrade acme-many, or switch it off with ARENA_DISABLE=acme-many"
    assert [entry.status for entry in entries(dist="other-many")] == [Status.OK, Status.OK]
    assert Catalog().get("game", "heap").dist == "other-many"
    with pytest.raises(PluginError, match=f"no {kind} called 'pile'; {kind} 'many' from acme-many 1.0 is broken: "):
        Catalog().get(kind, "pile")


def test_offer_that_raises_leaves_the_other_hooks(installed: Installed):
    """Where one hook of a module raises, the others are asked all the same, and a traceback says where it was."""
    offer(installed, COUNTING + "\n@hookimpl\ndef arena_metrics():\n    return 1 / 0\n")

    found = {entry.kind: entry for entry in entries()}

    assert {kind: entry.status for kind, entry in found.items()} == {
        "game": Status.OK,
        "agent": Status.OK,
        "metric": Status.BROKEN,
    }
    assert "in arena_metrics" in found["metric"].traceback


WRONG = {
    'Plugin(api=3, factory="a:B")': (
        Status.INCOMPATIBLE,
        "written for plugin contract 3, and this Arena knows contract 1",
    ),
    "3": (Status.BROKEN, "acme_many:arena_games gives 3 for 'odd', not an arena.plugin.Plugin"),
    'Plugin(factory="a:B", requirements=(Requirement("no_engine", "pip install it"),))': (
        Status.UNAVAILABLE,
        "needs no_engine",
    ),
}


@pytest.mark.parametrize("made", WRONG)
def test_offered_plugin_has_a_status_of_its_own(installed: Installed, made: str):
    """One name that cannot be used says why, and the others of the same hook can be used."""
    good = 'Plugin(factory="acme_many.play:Heap")'
    offer(installed, f'@hookimpl\ndef arena_games():\n    return {{"odd": {made}, "sound": {good}}}\n')

    found = {entry.name: entry for entry in entries()}

    assert (found["odd"].status, found["odd"].reason) == WRONG[made]
    assert found["sound"].status is Status.OK
    with pytest.raises(PluginError, match=f"game 'odd' from acme-many 1.0 is .*{re.escape(WRONG[made][1])}"):
        Catalog().get("game", "odd")


def test_offer_and_entry_point_conflict(installed: Installed):
    """A name that one distribution offers and another has in an entry point belongs to nobody; both can be named."""
    offer(installed, COUNTING)
    text = 'from arena.plugin import Plugin\nHEAP = Plugin(factory="other_heap.play:Heap")\n'
    installed.add("other-heap", {"arena.games": {"heap": "other_heap:HEAP"}}, {"other_heap.py": text})

    found = next(entry for entry in entries() if entry.name == "heap")

    assert (found.status, found.reason) == (Status.CONFLICT, "the name is also taken by other-heap")
    assert Catalog().get("game", "acme-many:heap").target == "acme_many:arena_games"
    assert Catalog().get("game", "other-heap:heap").target == "other_heap:HEAP"
    assert Catalog(disabled=["other-heap"]).get("game", "heap").dist == "acme-many"


def test_distribution_that_gives_a_name_twice(installed: Installed):
    """A name that a distribution both offers and has in an entry point is a conflict with itself, and says so."""
    text = HEAD + COUNTING + '\nHEAP = Plugin(factory="acme_many.play:Heap")\n'
    points = {"arena.plugins": {"many": "acme_many"}, "arena.games": {"heap": "acme_many:HEAP"}}
    installed.add("acme-many", points, {"acme_many.py": text})

    found = next(entry for entry in entries() if entry.name == "heap")

    reason = "acme-many gives the name twice, by acme_many:HEAP and acme_many:arena_games"
    assert (found.status, found.reason) == (Status.CONFLICT, reason)
    with pytest.raises(PluginError, match=reason):
        Catalog().get("game", "acme-many:heap")


def test_offered_command_takes_no_name_of_ours(installed: Installed):
    """Whoever offers ``run`` is in conflict, and the command stays whose it is."""
    offer(installed, '@hookimpl\ndef arena_commands():\n    return {"run": Plugin(factory="acme:run")}\n')

    (found,) = entries()

    assert (found.status, found.reason) == (Status.CONFLICT, "the name is reserved for playarena-cli")
    assert Catalog().get("command", "run").dist == "playarena-cli"


@pytest.mark.parametrize("token", ["acme-many", "Acme_Many", "plugins:many"])
def test_disabled_distribution_is_not_asked(installed: Installed, token: str):
    """A distribution that is switched off is listed by its entry point, and its module is never imported."""
    offer(installed, "raise SystemExit")

    (found,) = entries(Catalog(disabled=[token]))

    assert (found.kind, found.name, found.status) == ("plugins", "many", Status.DISABLED)
    assert "acme_many" not in sys.modules


@pytest.mark.parametrize("token", ["heap-7", "game:heap-7"])
def test_disabled_name_is_taken_out(installed: Installed, monkeypatch: pytest.MonkeyPatch, token: str):
    """One name of many can be switched off, and the others stay."""
    offer(installed, MANY)
    monkeypatch.setenv("ARENA_DISABLE", token)

    off = [entry for entry in entries() if entry.status is not Status.OK]

    assert [(entry.name, entry.status) for entry in off] == [("heap-7", Status.DISABLED)]
    with pytest.raises(PluginError, match=r"game 'heap-7' from acme-many 1\.0 is disabled"):
        Catalog().get("game", "heap-7")


def test_name_of_an_entry_point_disables_no_offer(installed: Installed):
    """What an entry point in ``arena.plugins`` is called is no plugin's name."""
    offer(installed, COUNTING)

    assert {entry.status for entry in entries(Catalog(disabled=["many"]))} == {Status.OK}


def test_requirements_are_looked_for_once(installed: Installed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """However many plugins need a module, it is looked for once, and again by the next catalog."""
    needy = MANY.replace("preset=", 'requirements=(Requirement("no_engine", "pip install it"),), preset=')
    offer(installed, needy)
    looked: list[str] = []

    class Finder:
        def find_spec(self, name: str, *_: object) -> None:
            looked.append(name)

    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    catalog = Catalog()
    found = entries(catalog)
    list(catalog.without(["heap-1"]).entries("game"))

    assert {entry.status for entry in found} == {Status.UNAVAILABLE}
    assert looked.count("no_engine") == 1
    (tmp_path / "site" / "no_engine.py").write_text("")
    assert {entry.status for entry in entries()} == {Status.OK}


def test_offered_plugin_is_installed(installed: Installed):
    """What is offered is among all that is installed, with the entry point that led to it."""
    offer(installed, COUNTING)

    found = [entry for entry in Catalog().installed() if entry.dist == "acme-many"]

    assert [(entry.kind, entry.name, entry.target) for entry in found] == [
        ("game", "heap", "acme_many:arena_games"),
        ("agent", "thinker", "acme_many:arena_agents"),
    ]
    assert {entry.entry_point.name for entry in found} == {"many"}
