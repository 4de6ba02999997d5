"""``arena check``: what passes, what it is asked for, what it says, and how distributions are looked at."""

import json

import pytest
from arena.installing import install_line
from arena_devkit.check_command import FORMAT
from arena_devkit.review import review as reviewing
from arena_devkit.review.findings import PARTS
from arena_devkit.review.review import parts_of

from .faults import FAULTS, Fault
from .sound import INIT, SOUND
from .test_faults import checked, install

SUITE = "name: small\nseed: 3\ngames: {guess: broken}\nagents: {one: one, two: one}\nmetrics: []\n"


@pytest.fixture
def sound(installed):
    """Install a game without any fault."""
    install(installed, Fault(part="", rule=""))


def test_sound_descriptor_passes(arena, sound):
    """A sound plugin passes, and the object printed has the documented keys."""
    done = arena("check", "broken", "--only", "descriptor", "--only", "schema", "--json")

    told = json.loads(done.stdout)
    (subject,) = told["subjects"]
    assert done.exit_code == 0, done.stdout
    assert list(told) == ["format", "core", "passed", "subjects"]
    assert (told["format"], told["passed"]) == (FORMAT, True)
    assert list(subject) == ["kind", "name", "dist", "version", "passed", "items"]
    assert [item["part"] for item in subject["items"]] == ["descriptor", "schema"]
    assert all(list(item) == ["part", "status", "note", "seconds", "facts", "findings"] for item in subject["items"])
    assert {item["status"] for item in subject["items"]} == {"passed"}


OFFER = """
from arena.hookspecs import hookimpl
from arena.plugin import Plugin

@hookimpl
def arena_games():
    return {"broken": Plugin(factory="acme_broken.parts:Broken", summary="a game", licence="Apache-2.0")}
"""


@pytest.mark.campaign
def test_keys_of_facts_stay(arena, sound):
    """Scripts find the steps of random matches under the key that they have always had."""
    told = json.loads(arena("check", "broken", "--only", "conformance", "--quick", "--json").stdout)

    ((item,),) = (subject["items"] for subject in told["subjects"])
    assert {"playouts", "waves", "longest"} <= set(item["facts"])


def offered(installed, text: str) -> None:
    """A distribution that offers what ``text`` says by hook."""
    files = {"acme_broken/__init__.py": text, "acme_broken/parts.py": SOUND["game"]}
    installed.add("acme-broken", {"arena.plugins": {"more": "acme_broken"}}, files)


@pytest.mark.slow
def test_offered_plugin_is_reviewed(arena, installed):
    """What a distribution offers by hook is reviewed like what it names in entry points."""
    offered(installed, OFFER)

    done = arena("check", "acme-broken", "--only", "descriptor", "--only", "class", "--only", "schema", "--json")

    (subject,) = json.loads(done.stdout)["subjects"]
    assert done.exit_code == 0, done.stdout
    assert (subject["kind"], subject["name"], subject["dist"]) == ("game", "broken", "acme-broken")
    assert [(item["part"], item["status"]) for item in subject["items"]] == [
        ("descriptor", "passed"),
        ("class", "passed"),
        ("schema", "passed"),
    ]


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(
    ("text", "kind", "rule", "said"),
    [
        (
            OFFER + "\n@hookimpl\ndef arena_agents():\n    raise OSError('no list')\n",
            "agent",
            "offer",
            "OSError: no list",
        ),
        (OFFER.replace("Plugin(", "dict("), "game", "offer", "not an arena.plugin.Plugin"),
        (OFFER.replace("Plugin(", "Plugin(api=2, "), "game", "api", "plugin contract 2"),
        ("import no_such_module", "plugins", "import-error", "No module named 'no_such_module'"),
        (OFFER.replace("arena_games", "arena_gmaes"), "plugins", "offer", "unknown hook 'arena_gmaes'"),
    ],
)
def test_offer_that_cannot_be_used_is_a_finding(arena, installed, text, kind, rule, said):
    """An offer that raises, gives something else or is written for another contract fails the review by its name."""
    offered(installed, text)

    done = arena("check", "acme-broken", "--only", "descriptor", "--json")

    (found,) = [subject for subject in json.loads(done.stdout)["subjects"] if not subject["passed"]]
    (finding,) = [finding for item in found["items"] for finding in item["findings"] if finding["rule"] == rule]
    assert done.exit_code == 1
    assert found["kind"] == kind
    assert said in finding["reason"]


def test_process_that_ends_itself_is_a_finding(arena, installed):
    """A plugin that ends its process in the middle of an import is named, and the review goes on."""
    install(installed, Fault(part="", rule="", top="import os\nos._exit(3)"))

    done = arena("check", "broken", "--only", "class", "--only", "conformance")

    assert done.exit_code == 1
    assert "failed    class        the process was ended with exit code 3 from inside" in done.stdout
    assert "untested  conformance  it cannot be imported" in done.stdout
    assert "1 fault, 1 untested · " in done.stdout


@pytest.mark.campaign
def test_missing_jsonschema_is_told_once(arena, sound, installed):
    """Without jsonschema one line says that schemas are not checked and what to install, and no doubt repeats it."""
    installed.add("acme-poor", {}, {"sitecustomize.py": "import sys\nsys.modules['jsonschema'] = None\n"})

    done = arena("check", "broken", "--quick", "--only", "schema,conformance")

    assert done.exit_code == 0, done.stdout
    assert done.stdout.count("jsonschema") == 2, done.stdout
    assert " ".join(done.stdout.split()).count(install_line("jsonschema")) == 1
    assert "1 untested" in done.stdout


def test_faults_say_what_where_and_how_to_mend_it(arena, installed):
    """A fault is three lines: what was found, the match that shows it, and what to do; the rest are names in a line."""
    install(installed, FAULTS["private deal told to all"])

    done = arena("check", "broken", "--quick", "--only", "descriptor,leaks,resample")

    lines = done.stdout.splitlines()
    assert done.exit_code == 1
    assert lines[:2] == ["game broken · acme-broken 1.0", "  ok      2 of 3   descriptor resample"]
    told = " ".join(" ".join(lines[2:-2]).split())
    assert told.startswith("failed leaks 'dealt' tells player 1 what only player 0's observation shows see it Broken(")
    assert "Broken(most=3), seed 0: event 'dealt' " in told
    assert told.endswith("mend it send it to those alone who may see it, or show it in every observation")
    assert lines[-1].startswith("1 fault · ")
    assert lines[-1].endswith("--full · again only this: --only leaks")
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_parts_of_the_review_are_named_with_commas(arena, sound):
    """Parts are given one by one or with commas; one that does not exist is refused with the nearest name."""
    done = arena("check", "broken", "--only", "class,descriptor", "--skip", "class", "--json")
    wrong = arena("check", "broken", "--only", "class,leeks")

    (subject,) = json.loads(done.stdout)["subjects"]
    assert [item["part"] for item in subject["items"]] == ["descriptor"]
    assert (wrong.exit_code, "no part is called 'leeks' (did you mean 'leaks'?)" in wrong.stderr) == (2, True)


@pytest.mark.slow
def test_everything_is_told_if_asked_for(arena, sound):
    """With --full every part has a line of its own, with what was looked at."""
    done = arena("check", "broken", "--only", "descriptor,class", "--full")

    assert [line.split()[:2] for line in done.stdout.splitlines()[1:3]] == [["ok", "descriptor"], ["ok", "class"]]
    assert "imported in" in done.stdout


def test_what_is_not_there_is_a_mistake(arena, sound, tmp_path):
    """An unknown name, a folder without a plugin and one that is not installed are mistakes that say what to do."""
    project = tmp_path / "hex"
    project.mkdir()

    unknown = arena("check", "brokn")
    empty = arena("check", project)
    (project / "pyproject.toml").write_text('[project]\nname = "acme-hex"\n')
    pluginless = arena("check", project)
    with (project / "pyproject.toml").open("a") as file:
        file.write('[project.entry-points."arena.games"]\nhex = "acme_hex:HEX"\n')
    missing = arena("check", project)

    assert {done.exit_code for done in (unknown, empty, pluginless, missing)} == {2}
    assert "(did you mean 'broken'?)" in " ".join(unknown.stderr.split())
    assert "there is no pyproject.toml" in " ".join(empty.stderr.split())
    assert "declares no plugin" in " ".join(pluginless.stderr.split())
    assert f"run `pip install -e {project}` first" in " ".join(missing.stderr.split())


def test_each_kind_has_its_parts():
    """Every kind of plugin has parts, in the order of all parts; leaks, playouts and speed are for games alone."""
    from arena.plugin import KINDS

    for kind in KINDS:
        assert [part for part in PARTS if part in parts_of(kind)] == list(parts_of(kind))
        assert "conformance" in parts_of(kind)
        assert ({"leaks", "playouts", "speed"} <= set(parts_of(kind))) is (kind == "game")


REQUIRED = {
    "a range": (["playarena-core>=0.1,<0.2"], "", None),
    "no core": ([], "", ("core-range", "is not required", False)),
    "a later core": (["playarena-core>=9"], "", ("core-range", "excludes this core", False)),
    "any core": (["playarena-core"], "", ("core-range", "no upper end", True)),
    "something missing": (["playarena-core<0.2", "no-such-thing"], "", ("unmet", "not installed", False)),
    "something too old": (["playarena-core<0.2", "pluggy<0.1"], "", ("unmet", "pluggy<0.1", False)),
    "an import": (["playarena-core<0.2"], "import hypothesis", ("undeclared", "imports hypothesis", False)),
    "an import that is tried": (
        ["playarena-core<0.2"],
        "try:\n    import hypothesis\nexcept ImportError:\n    pass",
        None,
    ),
    "an import for an extra": (["playarena-core<0.2", "hypothesis; extra == 'more'"], "import hypothesis", None),
}


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.sample(fast=1, slow=3)
def test_requirements_are_held_against_what_is_there(arena, installed, name):
    """Ranges hold this core and what is installed, and what is imported is declared."""
    requires, top, wanted = REQUIRED[name]
    files = {"acme_broken/__init__.py": INIT, "acme_broken/parts.py": f"{top}\n{SOUND['game']}"}
    points = {"arena.games": {"broken": "acme_broken:PLUGIN"}}
    installed.add("acme-broken", points, files, requires=requires)

    done = arena("check", "acme-broken", "--only", "dependencies", "--json")

    (subject,) = json.loads(done.stdout)["subjects"]
    (item,) = subject["items"]
    found = [f for f in item["findings"] if f["rule"] != "python"]
    assert done.exit_code == int(wanted is not None and not wanted[2]), item
    assert [(f["rule"], f["is_warning"]) for f in found] == ([(wanted[0], wanted[2])] if wanted else []), item
    assert all(wanted[1] in f["reason"] for f in found)


@pytest.mark.campaign
def test_plugin_that_never_comes_back_is_ended(arena, installed, monkeypatch):
    """An import that never ends is ended after its time, with what it started."""
    monkeypatch.setattr(reviewing, "_IMPORTS_S", 4.0)
    install(installed, Fault(part="", rule="", top="print('busy')\nimport time\ntime.sleep(600)"))

    subject = checked(arena, "--only", "class")

    (finding,) = subject["items"][0]["findings"]
    assert finding["rule"] == "time"
    assert "after 4 s" in finding["reason"]


@pytest.mark.campaign
@pytest.mark.parametrize("kind", SOUND)
def test_sound_plugin_of_each_kind_passes(arena, installed, kind):
    """A sound plugin of any kind passes all that takes seconds."""
    install(installed, Fault(kind=kind, part="", rule=""))

    subject = checked(arena, "--skip", "dependencies", "--skip", "playouts")

    found = {item["part"]: item["status"] for item in subject["items"]}
    assert found == dict.fromkeys((part for part in found), "passed"), subject
    assert set(found) == set(parts_of(kind)) - {"playouts", "speed"}
    assert subject["exit"] == 0


@pytest.mark.campaign
def test_speed_is_held_against_a_yardstick(arena, sound):
    """The speed of a game stands beside that of the core's own tiny game."""
    subject = checked(arena, "--only", "speed")

    (item,) = subject["items"]
    assert item["facts"]["actions_per_s"] > 0
    assert item["facts"]["references"]["yardstick"] > 0


PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "acme-broken"
version = "1.0"
description = "a game to break"
readme = "README.md"
license = "Apache-2.0"
requires-python = ">=3.11"
dependencies = ["playarena-core>=0.1,<0.2"]

[project.entry-points."arena.games"]
broken = "acme_broken:PLUGIN"

[tool.hatch.build.targets.wheel]
packages = ["src/acme_broken"]
"""

WHEELS = {
    "sound": ({}, None),
    "without py.typed": ({"src/acme_broken/py.typed": None}, ("py-typed", "py.typed is not in the wheel")),
    "without its module": (
        {"pyproject.toml": PROJECT.replace('["src/acme_broken"]', '["src/other"]'), "src/other/__init__.py": ""},
        ("missing-module", "acme_broken, which is not in the wheel"),
    ),
    "with another plugin": (
        {"pyproject.toml": PROJECT.replace("broken = ", "mended = ")},
        ("entry-points", "not in both"),
    ),
    "that imports what it does not require": (
        {"src/acme_broken/parts.py": f"import hypothesis\n{SOUND['game']}"},
        ("undiscovered", "No module named 'hypothesis'"),
    ),
    "that does not build": ({"pyproject.toml": PROJECT.replace("README.md", "NOWHERE.md")}, ("build", "NOWHERE.md")),
}


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("name", WHEELS)
def test_wheel_is_built_and_tried_alone(arena, sound, tmp_path, name):
    """A wheel holds what it should and works beside nothing but what it requires, or it is said what is wrong."""
    changes, wanted = WHEELS[name]
    files = {
        "pyproject.toml": PROJECT,
        "README.md": "A game to break.",
        "src/acme_broken/__init__.py": INIT,
        "src/acme_broken/parts.py": SOUND["game"],
        "src/acme_broken/py.typed": "",
        **changes,
    }
    for path, text in files.items():
        if text is not None:
            (tmp_path / "project" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "project" / path).write_text(text)

    done = arena("check", tmp_path / "project", "--only", "wheel", "--json")

    (subject,) = json.loads(done.stdout)["subjects"]
    (item,) = subject["items"]
    assert done.exit_code == (0 if wanted is None else 1), item
    assert [f["rule"] for f in item["findings"]] == ([] if wanted is None else [wanted[0]]), item
    assert all(wanted[1] in f["reason"] for f in item["findings"])
    assert not (tmp_path / "project" / "build").exists()


@pytest.mark.campaign
def test_suites_styles_and_commands_are_looked_at(arena, installed):
    """A suite is planned, a style is read and the help of a command is asked for; what is wrong with one is named."""
    package = (
        INIT
        + """
SUITE = Plugin(factory="acme_broken:small.yaml", summary="small", licence="Apache-2.0")
WRONG = Plugin(factory="acme_broken:wrong.yaml", summary="wrong", licence="Apache-2.0")
STYLE = Plugin(factory="acme_broken:style.yaml", summary="style", licence="Apache-2.0")
COMMAND = Plugin(factory="acme_broken.command:greet", summary="greet", licence="Apache-2.0")
ONE = Plugin(factory="acme_broken.agent:Broken", summary="random", licence="Apache-2.0")
"""
    )
    command = 'import click\n\n@click.command()\ndef greet():\n    """Say hello."""\n'
    files = {
        "acme_broken/__init__.py": package,
        "acme_broken/parts.py": SOUND["game"],
        "acme_broken/agent.py": SOUND["agent"],
        "acme_broken/command.py": command,
        "acme_broken/small.yaml": SUITE,
        "acme_broken/wrong.yaml": SUITE.replace("guess: broken", "guess: brokn"),
        "acme_broken/style.yaml": "parts: [rules]\n",
    }
    points = {
        "arena.games": {"broken": "acme_broken:PLUGIN"},
        "arena.agents": {"one": "acme_broken:ONE"},
        "arena.suites": {"small": "acme_broken:SUITE", "wrong": "acme_broken:WRONG"},
        "arena.prompt_styles": {"terse": "acme_broken:STYLE"},
        "arena.commands": {"greet": "acme_broken:COMMAND"},
    }
    installed.add("acme-broken", points, files)

    told = {
        name: arena("check", name, "--full", "--only", "class", "--only", "conformance")
        for name in ("small", "wrong", "terse", "greet")
    }

    assert {name: done.exit_code for name, done in told.items()} == {"small": 0, "wrong": 1, "terse": 0, "greet": 0}
    assert "2 matches of 1 games, 2 agents" in told["small"].stdout
    assert "games.guess" in told["wrong"].stdout
    assert "did you mean 'broken'?" in told["wrong"].stdout
