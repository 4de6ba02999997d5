"""Finding plugins: every status has its reason and its remedy."""

import json
import subprocess
import sys

import pytest
from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import PluginError
from arena.plugin import API, KINDS, Plugin, group_of
from arena_testing.fixtures.distributions import Installed
from stevedore import NamedExtensionManager

GOOD = 'from arena.plugin import Requirement, Plugin\nGAME = Plugin(factory="{0}.play:Game", summary="a game")\n'


def add(site: Installed, dist: str, name: str = "nim", text: str = GOOD, **options: object) -> None:
    module = dist.replace("-", "_")
    site.add(dist, {"arena.games": {name: f"{module}:GAME"}}, {f"{module}.py": text.replace("{0}", module)}, **options)


def entry(dist: str, catalog: Catalog | None = None) -> InstalledPlugin:
    return next(e for e in (catalog or Catalog()).entries() if e.dist == dist)


def test_good_plugin_is_ok(installed: Installed):
    """A descriptor that can be imported and needs nothing is ok, and what it points to is not imported."""
    add(installed, "acme-nim", version="0.3")

    found = entry("acme-nim")

    assert (found.status, found.reason, found.remedy) == (Status.OK, "", "")
    assert str(found) == "game 'nim' from acme-nim 0.3"
    assert found.summary == "a game"
    assert Catalog().get("game", "nim").key == found.key


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize(
    ("text", "status", "reason", "remedy"),
    [
        (
            "import no_such_module",
            Status.BROKEN,
            "ModuleNotFoundError: No module named 'no_such_module'",
            "reinstall or upgrade acme-nim, or switch it off with ARENA_DISABLE=acme-nim",
        ),
        ("assert 1 == 2, 'no'", Status.BROKEN, "AssertionError: no", "reinstall or upgrade acme-nim"),
        ("raise SystemExit(3)", Status.BROKEN, "SystemExit: 3", "reinstall or upgrade acme-nim"),
        ("GAME = 3", Status.BROKEN, "acme_nim:GAME is 3, not an arena.plugin.Plugin", "reinstall or upgrade"),
        ("nothing = 1", Status.BROKEN, "AttributeError: module 'acme_nim' has no attribute 'GAME'", "reinstall"),
        (
            GOOD.replace("Plugin(", "Plugin(api=99, "),
            Status.INCOMPATIBLE,
            "written for plugin contract 99, and this Arena knows contract 1",
            "upgrade Arena, or install a version of acme-nim that is written for contract 1",
        ),
        (
            GOOD.replace("summary", 'requirements=(Requirement("no_engine", "pip install no-engine"),), summary'),
            Status.UNAVAILABLE,
            "needs no_engine",
            "pip install no-engine",
        ),
    ],
)
def test_what_is_wrong_is_told(installed: Installed, text: str, status: Status, reason: str, remedy: str):
    """Whatever a descriptor does when imported, the listing survives and says what is wrong and what to do."""
    add(installed, "acme-nim", text=text)
    add(installed, "good-hex", "hexagons")

    found = entry("acme-nim")

    assert found.status is status
    assert found.reason.startswith(reason)
    assert found.remedy.startswith(remedy)
    assert entry("good-hex").status is Status.OK
    with pytest.raises(PluginError) as caught:
        Catalog().get("game", "nim")
    assert f"{found.reason}; {found.remedy}" in str(caught.value)


@pytest.mark.parametrize("stated", ["api=1, ", ""])
def test_contract_need_not_be_stated(installed: Installed, stated: str):
    """A descriptor that states no contract is one for contract 1, as is one that says so."""
    add(installed, "acme-nim", text=GOOD.replace("Plugin(", f"Plugin({stated}"))

    assert entry("acme-nim").plugin == Plugin(factory="acme_nim.play:Game", summary="a game", api=API)
    assert Catalog().get("game", "nim").status is Status.OK


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("number", ["2", "0", "-1", "None", "'2'"])
def test_unknown_contract_is_told_in_one_sentence(installed: Installed, number: str):
    """Whatever contract a descriptor states, one line says which plugin of what states what, and what to do."""
    add(installed, "acme-nim", version="0.3", text=GOOD.replace("Plugin(", f"Plugin(api={number}, "))

    with pytest.raises(PluginError) as caught:
        Catalog().get("game", "nim")

    assert entry("acme-nim").status is Status.INCOMPATIBLE
    assert str(caught.value) == (
        f"game 'nim' from acme-nim 0.3 is incompatible: written for plugin contract {number}, and this Arena knows "
        "contract 1; upgrade Arena, or install a version of acme-nim that is written for contract 1"
    )


def test_group_of_each_kind():
    """The entry-point group of a kind is its word in the plural; no two kinds share one."""
    groups = [group_of(kind) for kind in KINDS]

    assert {"arena.games", "arena.prompt_styles", "arena.illegal_actions"} < set(groups)
    assert len(set(groups)) == len(KINDS)


def test_reason_is_one_line(installed: Installed):
    """However many lines an error has, what it says fits into a table and a sentence."""
    add(installed, "acme-nim", text="raise RuntimeError('no engine\\n  found')")

    assert entry("acme-nim").reason == "RuntimeError: no engine found"


def test_broken_plugin_keeps_its_traceback(installed: Installed):
    """A broken plugin's traceback and load time are there for those who ask."""
    add(installed, "acme-nim", text="def fail():\n    raise OSError('disk')\nfail()")

    found = entry("acme-nim")

    assert "in fail" in found.traceback
    assert found.traceback.rstrip().endswith("OSError: disk")
    assert found.load_s > 0


def test_two_distributions_with_one_name_conflict(installed: Installed):
    """A name claimed twice belongs to nobody until the distribution is named with it."""
    add(installed, "acme-nim")
    add(installed, "other-nim")

    found = entry("acme-nim")

    assert found.status is Status.CONFLICT
    assert found.reason == "the name is also taken by other-nim"
    assert found.remedy == "uninstall one of acme-nim, other-nim, or write 'acme-nim:nim' or 'other-nim:nim'"
    assert Catalog().get("game", "other-nim:nim").dist == "other-nim"
    assert Catalog().get("game", "Other_Nim:nim").dist == "other-nim"
    with pytest.raises(PluginError, match="several distributions have a game called 'nim'; write 'acme-nim:nim' or"):
        Catalog().get("game", "nim")


@pytest.mark.parametrize("token", ["acme-nim", "Acme_Nim", "game:nim", "nim"])
def test_disabled_plugin_is_never_imported(installed: Installed, token: str):
    """A plugin can be switched off by distribution, kind and name, or name, before anything of it is imported."""
    add(installed, "acme-nim", text="raise SystemExit")

    catalog = Catalog(disabled=[token])
    found = entry("acme-nim", catalog)

    assert found.status is Status.DISABLED
    assert found.remedy.startswith("take ")
    assert "acme_nim" not in sys.modules
    with pytest.raises(PluginError, match=r"game 'nim' from acme-nim 1\.0 is disabled"):
        catalog.get("game", "nim")


def test_environment_disables(installed: Installed, monkeypatch: pytest.MonkeyPatch):
    """ARENA_DISABLE works beside what is disabled otherwise, and is named in the remedy."""
    add(installed, "acme-nim")
    add(installed, "other-hex", "hexagons")
    monkeypatch.setenv("ARENA_DISABLE", "nothing-installed,acme-nim")

    catalog = Catalog().without(["other-hex"])

    assert entry("acme-nim", catalog).remedy == "take 'acme-nim' out of ARENA_DISABLE"
    assert entry("other-hex", catalog).status is Status.DISABLED


def test_disabling_one_of_two_ends_the_conflict(installed: Installed):
    """What is disabled claims no name."""
    add(installed, "acme-nim")
    add(installed, "other-nim")

    assert Catalog(disabled=["other-nim"]).get("game", "nim").dist == "acme-nim"


def test_unknown_name_is_answered_with_the_closest(installed: Installed):
    """A misspelt name gets a suggestion; one like nothing gets the list."""
    add(installed, "acme-nim")

    with pytest.raises(PluginError, match=r"^no game called 'nimm' \(did you mean 'nim'\?\)$"):
        Catalog().get("game", "nimm")
    with pytest.raises(PluginError, match=r"^no game called 'zzzzzz' \(installed: .*nim.*\)$"):
        Catalog().get("game", "zzzzzz")


def test_class_that_cannot_be_imported_is_named(installed: Installed):
    """Where the descriptor is good and the class is not, the plugin and its distribution are named."""
    add(installed, "acme-nim")

    found = Catalog().get("game", "nim")

    with pytest.raises(PluginError, match=r"^game 'nim' from acme-nim 1.0 is broken: ModuleNotFoundError"):
        found.load()


def test_listing_imports_nothing_heavy():
    """Listing all that is installed imports descriptors alone."""
    heavy = ["numpy", "pyspiel", "litellm", "ray", "vllm", "structlog", "cattrs", "ruamel.yaml", "matplotlib", "rich"]
    code = (
        "import sys, json\nfrom arena.catalog import Catalog\nlist(Catalog().entries())\n"
        f"print(json.dumps([m for m in {heavy!r} if m in sys.modules]))"
    )

    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert json.loads(printed) == []


def test_environment_is_read_again_when_it_has_changed(installed: Installed):
    """A second catalog has the entry points that the first one found, and a third one what was installed since."""
    add(installed, "acme-nim")
    first, second = (next(e for e in Catalog().installed() if e.dist == "acme-nim").entry_point for _ in range(2))
    add(installed, "acme-hex", "acme-hex")

    assert first is second
    assert Catalog().get("game", "acme-hex").dist == "acme-hex"


def test_stevedore_alone_misses_what_was_just_installed(installed: Installed):
    """Its own discovery keeps what it found once; why the catalog finds entry points, and stevedore loads them."""
    names = ["nim-before", "hex-after"]
    add(installed, "acme-nim", names[0])
    assert NamedExtensionManager(group_of("game"), names).names() == names[:1]
    add(installed, "acme-hex", names[1])

    assert NamedExtensionManager(group_of("game"), names).names() == names[:1]
    assert {*names} <= set(Catalog().names("game"))
