"""Each wheel works without the rest of the checkout, ours and somebody else's."""

import json
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NIM = """
name: nim
seed: 3
games: {nim: {use: nim, heaps: [1, 2, 3]}}
agents: {one: {use: random}, two: {use: random}}
schedule: {use: round-robin, repeats: 4, rotate-seats: true}
metrics: []
"""


@pytest.fixture(scope="module")
def wheels(distributions, third_party, build_wheel) -> Mapping[str, Path]:
    """A wheel of each distribution, by its name."""
    return {d.name: build_wheel(d.directory) for d in (*distributions, third_party)}


def with_requirements(name: str, distributions: Iterable, wheels: Mapping[str, Path]) -> Sequence[Path]:
    """The wheel of a distribution and those of all first-party ones it requires."""
    projects = {d.name: d.project for d in distributions}
    found, todo = [], [name]
    while todo:
        found.append(todo.pop())
        required = (re.split(r"[^\w-]", requirement)[0] for requirement in projects[found[-1]]["dependencies"])
        todo += [r for r in required if r in projects and r not in found]
    return [wheels[each] for each in dict.fromkeys(found)]


def test_each_wheel_works_alone_with_the_core(distributions, third_party, wheels, make_environment, tmp_path):
    """In a fresh environment, each wheel's plugins are all listed, ok or unavailable with a remedy."""
    everything = (*distributions, third_party)
    for d in everything:
        environment = make_environment(tmp_path / d.name)
        environment.install(*with_requirements(d.name, everything, wheels))

        listed = environment.listed()

        own = [(plugin["kind"], plugin["name"]) for plugin in listed if plugin["dist"] == d.name]
        assert sorted(own) == sorted(d.plugins)
        for plugin in listed:
            assert plugin["status"] in {"ok", "unavailable"}, plugin
            assert plugin["status"] == "ok" or (plugin["reason"] and plugin["remedy"]), plugin
        shutil.rmtree(environment.directory)


def test_wheels_carry_their_type_information_and_licence(wheels):
    """Each wheel has py.typed and says Apache-2.0."""
    from zipfile import ZipFile

    for name, wheel in wheels.items():
        with ZipFile(wheel) as archive:
            names = archive.namelist()
            (metadata,) = (n for n in names if n.endswith(".dist-info/METADATA"))
            assert any(n.endswith("/py.typed") for n in names), name
            assert "License-Expression: Apache-2.0" in archive.read(metadata).decode(), name


def test_a_plugin_of_somebody_else(third_party, wheels, make_environment, tmp_path):
    """A wheel from outside is installed with pip, listed, tested, played against random, uninstalled, and gone."""
    environment = make_environment(tmp_path / "environment")
    environment.install(wheels["arena-agent-baseline"], f"{wheels['arena-core']}[testing]")
    pip = (environment.python, "-m", "pip", "--disable-pip-version-check")
    benchmark = tmp_path / "nim.yaml"
    benchmark.write_text(NIM)

    assert "nim" not in {plugin["name"] for plugin in environment.listed()}

    environment.run(*pip, "install", "--quiet", "--no-deps", wheels[third_party.name])
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
