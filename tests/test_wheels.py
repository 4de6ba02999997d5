"""Each wheel works without the rest of the checkout, ours and somebody else's."""

import json
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = [ROOT / "core" / "pyproject.toml", *sorted(ROOT.glob("plugins/*/*/pyproject.toml"))]

ALIKE = ("authors", "classifiers", "keywords", "license", "license-files", "requires-python")
"""What every distribution of ours says in the same words."""

LIMIT_BYTES = 4_000_000
"""How large all wheels may be together: they are installed over slow lines, too."""

NIM = """
name: nim
seed: 3
games: {nim: {use: nim, heaps: [1, 2, 3]}}
agents: {one: {use: random}, two: {use: random}}
schedule: {use: round-robin, repeats: 4, rotate-seats: true}
metrics: []
"""


def test_all_say_the_same_of_themselves(distributions):
    """Authors, classifiers, keywords and licence are written in every distribution as they are in the core."""
    core = distributions[0].project

    assert core["license-files"] == ["LICENSE"]
    assert all(core[key] for key in ALIKE)
    assert [d.name for d in distributions for key in ALIKE if d.project.get(key) != core[key]] == []


def test_each_has_the_licence_of_the_repository(distributions, root):
    """The licence in each distribution's folder is the one of the repository, byte for byte."""
    licence = (root / "LICENSE").read_bytes()
    files = {d.name: d.directory / "LICENSE" for d in distributions}

    assert [name for name, file in files.items() if not file.is_file() or file.read_bytes() != licence] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [tomllib.loads(p.read_text("utf-8"))["project"]["name"] for p in PROJECTS])
@pytest.mark.sample(slow=1)
def test_each_wheel_works_alone_with_the_core(name, distributions, environment_with):
    """In a fresh environment with what it requires, a wheel's plugins are listed, ok or unavailable with a remedy."""
    (d,) = (d for d in distributions if d.name == name)

    listed = environment_with("playarena-core", name).listed()

    own = [(plugin["kind"], plugin["name"]) for plugin in listed if plugin["dist"] == name]
    assert sorted(own) == sorted(d.plugins)
    for plugin in listed:
        assert plugin["status"] in {"ok", "unavailable"}, plugin
        assert plugin["status"] == "ok" or (plugin["reason"] and plugin["remedy"]), plugin


@pytest.mark.slow
def test_wheels_carry_their_type_information_and_licence(wheels, third_party, build_wheel):
    """Each wheel has py.typed and a licence file, and says Apache-2.0."""
    from zipfile import ZipFile

    for name, wheel in {**wheels, third_party.name: build_wheel(third_party.directory)}.items():
        with ZipFile(wheel) as archive:
            names = archive.namelist()
            (metadata,) = (n for n in names if n.endswith(".dist-info/METADATA"))
            assert any(n.endswith("/py.typed") for n in names), name
            assert any(n.endswith(".dist-info/licenses/LICENSE") for n in names), name
            assert "License-Expression: Apache-2.0" in archive.read(metadata).decode(), name


@pytest.mark.slow
def test_wheels_are_small(wheels):
    """All wheels together stay below four megabytes."""
    sizes = {name: wheel.stat().st_size for name, wheel in wheels.items()}

    assert sum(sizes.values()) <= LIMIT_BYTES, sorted(sizes.items(), key=lambda size: -size[1])[:5]


@pytest.mark.campaign
def test_a_plugin_of_somebody_else(third_party, build_wheel, environment_with, tmp_path):
    """A wheel from outside is installed with pip, listed, tested, played against random, uninstalled, and gone."""
    environment = environment_with(
        "playarena-agent-baseline", "playarena-cli", "playarena-scene", "playarena-testing", "pip"
    )
    pip = (environment.python, "-m", "pip", "--disable-pip-version-check")
    benchmark = tmp_path / "nim.yaml"
    benchmark.write_text(NIM)

    assert "nim" not in {plugin["name"] for plugin in environment.listed()}

    environment.run(*pip, "install", "--quiet", "--no-deps", build_wheel(third_party.directory))
    (listed,) = [plugin for plugin in environment.listed() if plugin["name"] == "nim"]
    assert listed["kind"] == "game"
    assert listed["status"] == "ok"
    assert (listed["dist"], listed["version"]) == (third_party.name, third_party.project["version"])

    assert "passed" in environment.run(
        environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", third_party.directory / "tests"
    )

    run = environment.arena("run", benchmark, "--output", tmp_path / "run").splitlines()[-1]
    environment.arena("export", run, "--format", "jsonl", "--output", tmp_path / "nim.jsonl")
    matches = [json.loads(line) for line in (tmp_path / "nim.jsonl").read_text().splitlines()]
    assert len(matches) == 8
    assert {match["ending"] for match in matches} == {"rules"}
    assert all(sorted(match["returns"]) == [-1.0, 1.0] for match in matches)

    environment.run(*pip, "uninstall", "--quiet", "--yes", third_party.name)
    assert "nim" not in {plugin["name"] for plugin in environment.listed()}
