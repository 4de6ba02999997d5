"""Benchmarks that use keys by the names they had: files, changes on the command line, sweeps, suites, the schema."""

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.agent import Agent
from arena.backend import Backend
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import Metric
from arena.testing import RANDOM, answering
from arena_engine import (
    build_benchmark,
    load_benchmark,
    make_plugin,
    plan_matches,
)
from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.benchmark.fields import CONTRACTS, fields_of, union_members, unwrapped
from arena_engine.benchmark.json_schema import json_schema, plugin_schema
from arena_engine.benchmark.renamed import CAPABILITIES, KEYS, RenamedKeyWarning
from arena_engine.benchmark.renamer import TOP
from arena_engine.running.executor import Limits

pytestmark = pytest.mark.filterwarnings("ignore::arena_engine.benchmark.renamed.RenamedKeyWarning")

BASE: Mapping[str, Any] = {
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"m": {"use": "llm", "backend": {"use": "scripted", "attempts": 2}}},
    "schedule": "self-play",
    "limits": {"waves": 3},
    "metrics": [],
}

OLD = """\
name: old
games: {ttt: tic-tac-toe}
agents:
  m:
    use: llm
    backend:
      use: scripted
      attempts: 2
schedule: self-play
limits:
  concurrency: 1
  waves: 3
metrics: []
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty directory to write files into."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def told(recwarn: pytest.WarningsRecorder) -> Callable[[], list[str]]:
    """What was said of renamed keys since it was asked last."""

    def ask() -> list[str]:
        found = [str(warning.message) for warning in recwarn.list if warning.category is RenamedKeyWarning]
        recwarn.clear()
        return found

    warnings.simplefilter("always", RenamedKeyWarning)
    return ask


def write(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def problems(source: Any, **options: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_benchmark(source, **options)
    return list(caught.value.problems)


def backend_of(benchmark: Benchmark, name: str = "m") -> Any:
    agent: Any = benchmark.agents[name].agent
    return agent.backend


WRITTEN: Mapping[str, Any] = {
    "imagines": False,
    "tells-agents": True,
    "limits": {"waves": 5},
    "illegal-actions": {"answers": 6, "total": 7},
    "agents": {
        "m": {"use": "llm", "backend": {"use": "scripted", "adapts": False, "attempts": 8, "longest-wait-s": 9.0}}
    },
}


def paths(written: Any, *above: str) -> list[str]:
    """The dotted paths of all values in plain data."""
    if isinstance(written, Mapping):
        return [path for key, value in written.items() for path in paths(value, *above, key)]
    return [".".join(above)]


def test_every_old_key_works(told):
    """Each old key of the table says what the key of now says, and is told of in one line."""
    made = load_benchmark({**BASE, **WRITTEN})

    assert (made.resample_hidden, made.reveal_agents, made.limits.max_steps) == (False, True, 5)
    assert (made.illegal_actions.max_answers, made.illegal_actions.max_refusals) == (6, 7)
    backend = backend_of(made)
    assert (backend.adaptive_concurrency, backend.max_attempts, backend.max_retry_wait_s) == (False, 8, 9.0)
    lines = told()
    assert "limits.waves is called limits.max-steps now" in lines
    now = {old: new for keys in KEYS.values() for old, new in keys.items()}
    old = [path for path in paths(WRITTEN) if path.rpartition(".")[2] in now]
    assert len(old) == len(now)
    assert sorted(lines) == sorted(
        f"{path} is called {path.removesuffix(path.rpartition('.')[2])}{now[path.rpartition('.')[2]]} now"
        for path in old
    )


def test_table_leads_to_keys_that_are_there():
    """Each key of now is a parameter of what the table says, and no old one is any more."""
    parts = {"": Benchmark, "limits": Limits, **{kind: cls for cls, kind in CONTRACTS.items()}}

    for part, keys in KEYS.items():
        fields = {name.replace("_", "-") for name in fields_of(parts[part])}
        assert set(keys.values()) <= fields
        assert not set(keys) & fields


def test_every_place_of_a_plugin_is_looked_into():
    """The parts of a benchmark in which keys are renamed are all that hold plugins, and the limits."""
    places = {name: field.type for name, field in fields_of(Benchmark).items()}
    entries = {"games", "agents", "metrics", "observers"}
    single = {n for n, hint in places.items() if set(union_members(unwrapped(hint))) & {*CONTRACTS, Limits}}

    assert set(TOP) == entries | single


def test_a_key_is_told_once(told):
    """A key that several documents of one benchmark use is told of once."""
    write("base.yaml", OLD)
    write("over.yaml", "extends: base.yaml\nlimits: {waves: 4}\n")

    made = load_benchmark("over.yaml", overrides=["limits.waves=2"])

    assert made.limits.max_steps == 2
    assert told().count("limits.waves is called limits.max-steps now") == 1


def test_python_hears_of_old_keys():
    """Plain data in Python is warned of like a file."""
    with pytest.warns(RenamedKeyWarning, match=r"^limits\.waves is called limits\.max-steps now$"):
        build_benchmark({**BASE, "agents": {"m": "random"}})


def test_keys_of_now_are_told_nothing_of(told):
    """A benchmark without old keys brings no line, whatever else is called like one of them."""
    load_benchmark({**BASE, "agents": {"attempts": "random", "waves": "random"}, "limits": {"max_steps": 3}})

    assert told() == []


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("limits: {waves: 3, max-steps: 4}", "limits.waves and limits.max-steps are the same; keep the second"),
        ("limits: {max_steps: 4, waves: 3}", "limits.waves and limits.max_steps are the same; keep the second"),
        ("tells_agents: true\nreveal-agents: true", "tells-agents and reveal-agents are the same; keep the second"),
        (
            "illegal-actions: {use: grid-games-2024, total: 1, max-refusals: 2}",
            "illegal-actions.total and illegal-actions.max-refusals are the same; keep the second",
        ),
        (
            "metrics: [{use: judge, backend: {use: scripted, attempts: 1, max-attempts: 2}}]",
            "metrics.0.backend.attempts and metrics.0.backend.max-attempts are the same; keep the second",
        ),
        (
            "limits: {waves: 3}\nsweep: {agents.m.backend: [{use: scripted, attempts: 1, max-attempts: 1}]}",
            "sweep.agents.m.backend.attempts and sweep.agents.m.backend.max-attempts are the same; keep the second",
        ),
        (
            "sweep: {agents.m.backend.attempts: [1], agents.m.backend.max-attempts: [2]}",
            "sweep.agents.m.backend.attempts and sweep.agents.m.backend.max-attempts are the same; keep the second",
        ),
        (
            "agents: {m: {backend: {longest-wait-s: 3.0, longest_wait_s: 4.0}}}",
            "agents.m.backend.longest-wait-s: written twice, with '-' and with '_'; keep one",
        ),
    ],
)
def test_both_names_in_one_document_are_a_mistake(written, sentence):
    """A key by its old and by its new name in one document is one sentence with file, line and path."""
    write("base.yaml", OLD)
    write("both.yaml", f"extends: base.yaml\n{written}\n")

    first, *_ = problems("both.yaml")

    place, _, text = first.partition(": ")
    assert text == sentence
    assert place in ("both.yaml:2", "both.yaml:3")


def test_both_names_in_a_change_are_a_mistake():
    """A value of ``--set`` is a document of its own."""
    sentence = "limits.waves and limits.max-steps are the same; keep the second"

    assert problems(BASE, overrides=["limits={waves: 3, max-steps: 4}"]) == [f"--set limits: {sentence}"]


@pytest.mark.parametrize(("below", "above"), [("waves", "max-steps"), ("max-steps", "waves"), ("waves", "waves")])
def test_what_is_extended_is_overridden_under_either_name(below, above):
    """A key of an extended file is overridden by the same key under its other name, both ways, and taken away by it."""
    write("base.yaml", OLD.replace("waves", below))
    write("over.yaml", f"extends: base.yaml\nlimits: {{{above}: 4}}\n")
    write("away.yaml", f"extends: base.yaml\nlimits: {{{above}: null}}\n")

    assert load_benchmark("base.yaml").limits.max_steps == 3
    assert load_benchmark("over.yaml").limits.max_steps == 4
    assert load_benchmark("away.yaml").limits.max_steps is None


@pytest.mark.parametrize(("below", "above"), [("attempts", "max-attempts"), ("max-attempts", "attempts")])
@pytest.mark.parametrize("how", ["extends: base.yaml", "include: [other.yaml, base.yaml]"])
def test_a_part_of_an_agent_overrides_under_either_name(below, above, how):
    """A file that changes one parameter of a backend need not say again which agent and backend there are."""
    write("base.yaml", OLD.replace("attempts", below))
    write("other.yaml", "limits: {concurrency: 2}\n")
    write("over.yaml", f"{how}\nagents: {{m: {{backend: {{{above}: 5}}}}}}\n")

    assert backend_of(load_benchmark("over.yaml")).max_attempts == 5


def test_a_part_below_its_agent_is_known_too():
    """A file of defaults may stand below the one that says which agent they are for."""
    write("defaults.yaml", "agents: {m: {backend: {attempts: 5, adapts: false}}}\n")
    write("over.yaml", OLD.replace("name: old", "include: [defaults.yaml]").replace("      attempts: 2\n", ""))

    backend = backend_of(load_benchmark("over.yaml"))

    assert (backend.max_attempts, backend.adaptive_concurrency) == (5, False)


@pytest.mark.parametrize("key", ["waves", "max-steps"])
def test_changes_override_under_either_name(told, key):
    """``--set`` overrides a file under either name, and an old one is told of."""
    write("bench.yaml", OLD.replace("waves", "max-steps" if key == "waves" else "waves"))

    made = load_benchmark("bench.yaml", overrides=[f"limits.{key}=7"])

    assert made.limits.max_steps == 7
    assert "limits.waves is called limits.max-steps now" in told()


def test_changes_reach_backends_at_any_depth():
    """``--set`` renames along its path: below a bare name, in a list, and in the table that it sets."""
    judge = {"use": "judge", "backend": {"use": "scripted", "max-attempts": 3}}
    plain = {**BASE, "agents": {"m": {"use": "llm", "backend": "scripted"}}, "metrics": [judge]}

    made = load_benchmark(
        plain,
        overrides=[
            "agents.m.backend.attempts=4",
            "metrics.0.backend.attempts=5",
            "agents.n={use: llm, backend: {use: scripted, attempts: 6}}",
            "illegal-actions.total=2",
        ],
    )

    metric: Any = made.metrics["judge"]
    assert (backend_of(made).max_attempts, metric.backend.max_attempts) == (4, 5)
    assert backend_of(made, "n").max_attempts == 6
    assert made.illegal_actions.max_refusals == 2


def test_suites_are_renamed(acme, installed, told):
    """A suite of a distribution that still uses old keys works, alone and extended."""
    suite = f"{OLD}tells-agents: true\n"
    installed.add(
        "old-suite",
        {"arena.suites": {"old": "old_suite:SUITE"}},
        {
            "old_suite/__init__.py": "from arena.plugin import Plugin\n"
            'SUITE = Plugin(factory="old_suite:suite.yaml", version="1")\n',
            "old_suite/suite.yaml": suite,
        },
    )
    write("mine.yaml", "extends: suite:old\nlimits: {max-steps: 9}\n")

    alone, mine = load_benchmark("suite:old"), load_benchmark("mine.yaml")

    assert (alone.limits.max_steps, mine.limits.max_steps, mine.reveal_agents) == (3, 9, True)
    assert "tells-agents is called reveal-agents now" in told()


def test_agents_of_another_file_are_renamed():
    """``--agents FILE`` may use old keys."""
    write("bench.yaml", OLD)
    write("mine.yaml", "agents: {mine: {use: llm, backend: {use: scripted, attempts: 9}}}\n")

    assert backend_of(load_benchmark("bench.yaml", agents_file="mine.yaml"), "mine").max_attempts == 9


@attrs.frozen(kw_only=True)
class Member:
    """A part of a team."""

    backend: Backend | None = None
    note: str = ""


@attrs.frozen(kw_only=True)
class Team(Agent):
    """Holds backends wherever a plugin can."""

    backend: Backend | str | None = None
    agent: Agent | None = None
    substitutes: tuple[Agent, ...] = ()
    members: Mapping[str, Member] = attrs.field(factory=dict[str, Member])
    attempts: int = 1
    settings: Mapping[str, Any] = attrs.field(factory=dict[str, Any])

    def join(self, seat):
        return RANDOM.join(seat)


@attrs.frozen(kw_only=True)
class Stubborn(Backend):
    """Has a parameter of its own that is called as one of all backends was."""

    attempts: int = 1

    async def connect(self):
        return await answering("").connect()


@attrs.frozen(kw_only=True)
class Wrapping(Stubborn):
    """A backend that asks others."""

    first: Backend
    others: tuple[Backend, ...] = ()


@attrs.frozen(kw_only=True)
class Strict(IllegalActionPolicy):
    """A policy with a parameter of its own that is called as one of all policies was."""

    total: int = 0


@attrs.frozen
class Asking(Metric):
    """A metric with a judge in a list."""

    judges: tuple[Backend, ...] = ()

    def measure(self, match):
        return ()

    def summarize(self, measurements):
        return ()


@pytest.fixture
def deep(installed_plugin) -> None:
    """Plugins that hold others."""
    installed_plugin("agent", "team", Team)
    installed_plugin("agent", "ready", Team, preset={"agent": {"use": "team"}})
    installed_plugin("backend", "stubborn", Stubborn)
    installed_plugin("backend", "wrapping", Wrapping)
    installed_plugin("illegal-actions", "strict", Strict)
    installed_plugin("metric", "asking", Asking)


PATIENT: Mapping[str, Any] = {"use": "scripted", "attempts": 4}


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"use": "team", "backend": PATIENT}, "backend"),
        ({"use": "team", "members": {"longest-wait-s": {"backend": PATIENT}}}, "members.longest-wait-s.backend"),
        ({"use": "team", "agent": {"use": "team", "backend": PATIENT}}, "agent.backend"),
        ({"use": "team", "substitutes": ["random", {"use": "team", "backend": PATIENT}]}, "substitutes.1.backend"),
        ({"use": "ready", "agent": {"backend": PATIENT}}, "agent.backend"),
        ({"use": "team", "backend": {"use": "wrapping", "first": PATIENT}}, "backend.first"),
        ({"use": "team", "backend": {"use": "wrapping", "first": "scripted", "others": [PATIENT]}}, "backend.others.0"),
    ],
)
def test_backends_are_renamed_at_any_depth(deep, told, entry, path):
    """Wherever the type of a field expects a backend its keys are renamed."""
    made: Any = load_benchmark({**BASE, "agents": {"m": entry}, "limits": {}})

    assert told() == [f"agents.m.{path}.attempts is called agents.m.{path}.max-attempts now"]
    found = made.agents["m"].agent
    for key in path.split("."):
        found = (
            found[int(key)] if key.isdecimal() else found[key] if isinstance(found, Mapping) else getattr(found, key)
        )
    assert found.max_attempts == 4


def test_judges_of_metrics_are_renamed(deep):
    """Backends of metrics, in a list or a table of metrics, are renamed too."""
    asking = {"use": "asking", "judges": ["scripted", PATIENT]}

    listed = load_benchmark({**BASE, "metrics": [asking]}).metrics["asking"]
    named = load_benchmark({**BASE, "metrics": {"mine": asking}}).metrics["mine"]

    assert [judge.max_attempts for judge in listed.judges] == [6, 4]
    assert listed == named


def test_parameters_of_plugins_keep_their_names(deep, told):
    """A plugin's own parameter is no backend's key, whatever it is called, and free tables are left alone."""
    entry = {
        "use": "team",
        "attempts": 5,
        "settings": {"attempts": 6, "limits": {"waves": 7}},
        "backend": {"use": "stubborn", "attempts": 8, "max-attempts": 9},
    }

    made: Any = load_benchmark(
        {**BASE, "agents": {"m": entry}, "limits": {}, "illegal-actions": {"use": "strict", "total": 1}}
    )

    team = made.agents["m"].agent
    assert (team.attempts, team.settings) == (5, {"attempts": 6, "limits": {"waves": 7}})
    assert (team.backend.attempts, team.backend.max_attempts, made.illegal_actions.total) == (8, 9, 1)
    assert told() == []


def test_single_plugins_are_renamed():
    """A plugin that Python makes from settings is renamed like one in a file."""
    with pytest.warns(RenamedKeyWarning, match=r"^backend\.attempts is called backend\.max-attempts now$"):
        agent: Any = make_plugin("agent", {"use": "llm", "backend": PATIENT})

    assert agent.backend.max_attempts == 4
    with pytest.raises(ConfigError, match=r"^attempts and max-attempts are the same; keep the second$"):
        make_plugin("backend", {**PATIENT, "max-attempts": 1})


def test_problems_name_the_line_of_the_old_key():
    """What is wrong with the value of an old key is told with the line where it stands."""
    write("bench.yaml", OLD.replace("waves: 3", "waves: 0").replace("attempts: 2", "attempts: many"))

    assert problems("bench.yaml") == [
        "bench.yaml:8: agents.m.backend.max-attempts: expected int, got 'many'",
        "bench.yaml:12: limits.max-steps: must be >= 1, got 0",
    ]


def test_problems_of_a_change_are_told_as_such():
    """What is wrong with a ``--set`` by an old key is told of ``--set``."""
    write("bench.yaml", OLD)

    assert problems("bench.yaml", overrides=["limits.waves=0"]) == ["--set: limits.max-steps: must be >= 1, got 0"]


def test_variants_of_a_sweep_are_called_as_written(told):
    """A sweep by an old key works, and its variants, whose names feed ids and deals, are called as they ever were."""
    write("bench.yaml", f"{OLD}sweep: {{agents.m.backend.attempts: [1, 4], agents.m.backend.longest_wait_s: [7.5]}}\n")

    made = load_benchmark("bench.yaml")

    names = [f"m[backend.attempts={n}][backend.longest_wait_s=7.5]" for n in (1, 4)]
    assert list(made.agents) == names
    assert [(backend_of(made, n).max_attempts, backend_of(made, n).max_retry_wait_s) for n in names] == [
        (1, 7.5),
        (4, 7.5),
    ]
    assert [(plan.id, plan.chance_seed) for plan in plan_matches(made)] == [
        (f"ttt/{names[0]},{names[0]}/0.0", 7333828432189789557),
        (f"ttt/{names[1]},{names[1]}/0.0", 8299272710650362118),
    ]
    assert "sweep.agents.m.backend.attempts is called sweep.agents.m.backend.max-attempts now" in told()


def test_variants_are_called_in_the_words_of_the_file():
    """Where a file spells a swept key in another way, the variant is called by that spelling, as it ever was."""
    text = OLD.replace("attempts: 2", "longest_wait_s: 2.0")
    write("bench.yaml", f"{text}sweep: {{agents.m.backend.longest-wait-s: [1.0]}}\n")

    made = load_benchmark("bench.yaml")

    assert list(made.agents) == ["m[backend.longest_wait_s=1.0]"]
    assert backend_of(made, "m[backend.longest_wait_s=1.0]").max_retry_wait_s == 1.0


def test_variants_are_called_by_the_values_as_written():
    """A sweep over whole backends with old keys names its variants by what was written, and renames what it sets."""
    write("bench.yaml", f"{OLD}sweep: {{agents.m.backend: [{{use: scripted, attempts: 3}}, scripted]}}\n")

    made = load_benchmark("bench.yaml")

    assert list(made.agents) == ['m[backend={"attempts":3;"use":"scripted"}]', "m[backend=scripted]"]
    assert [backend_of(made, name).max_attempts for name in made.agents] == [3, 6]


def test_keys_of_an_agent_that_a_sweep_names_are_renamed(deep):
    """Which plugin an entry uses may be swept as well."""
    plain = {**BASE, "agents": {"m": {"backend": PATIENT}}, "sweep": {"agents.m.use": ["llm", "team"]}}

    made = load_benchmark(plain)

    assert [backend_of(made, name).max_attempts for name in ("m[use=llm]", "m[use=team]")] == [4, 4]


@pytest.mark.parametrize(("below", "above"), [("attempts", "max-attempts"), ("max-attempts", "attempts")])
def test_sweeps_are_overridden_under_either_name(below, above):
    """A sweep of an extended file is overridden by the same sweep under the other name of its key."""
    write("base.yaml", f"{OLD}sweep: {{agents.m.backend.{below}: [1], agents.m.backend.temperature: [0.5]}}\n")
    write("over.yaml", f"extends: base.yaml\nsweep: {{agents.m.backend.{above}: [5, 6]}}\n")
    change = f"sweep.agents.m.backend.{above}=[7]"

    assert list(load_benchmark("over.yaml").agents) == [
        f"m[backend.{above}={n}][backend.temperature=0.5]" for n in (5, 6)
    ]
    assert list(load_benchmark("base.yaml", overrides=[change]).agents) == [
        f"m[backend.{above}=7][backend.temperature=0.5]"
    ]


def test_disabled_plugins_are_not_imported(deep, installed):
    """Renaming looks into no plugin that must not be imported, wherever that is said."""
    installed.add(
        "explosive",
        {"arena.agents": {"bomb": "explosive:BOMB"}},
        {
            "explosive/__init__.py": "from arena.plugin import Plugin\nBOMB = Plugin(factory='explosive.parts:Bomb')\n",
            "explosive/parts.py": "raise SystemExit('imported')\n",
        },
    )
    write("base.yaml", OLD.replace("agents:", "agents:\n  bomb: {use: bomb, backend: {use: scripted, attempts: 3}}"))
    write("over.yaml", "extends: base.yaml\ndisable: [explosive]\nagents: {bomb: null}\n")

    assert list(load_benchmark("over.yaml").agents) == ["m"]


def test_schema_keeps_old_keys_as_deprecated(deep):
    """The schema knows each old key beside the one of now, marked as deprecated, and both are valid."""
    jsonschema = pytest.importorskip("jsonschema")
    kept = {
        "playarena-engine",
        "playarena-agent-llm",
        "playarena-backend-scripted",
        "playarena-game-grid",
        "playarena-game-openspiel",
    }
    dists = {entry.dist for entry in Catalog().installed()}
    catalog = Catalog(disabled=sorted(dist for dist in dists - kept if dist.startswith("playarena")))
    schema = json_schema(catalog)

    tables = {
        "": schema["properties"],
        "limits": schema["properties"]["limits"]["properties"],
        "illegal-actions": schema["properties"]["illegal-actions"]["anyOf"][0]["properties"],
        "backend": schema["$defs"]["backend.scripted"]["properties"],
    }
    for part, keys in KEYS.items():
        for old, now in keys.items():
            assert tables[part][old] == {**tables[part][now], "deprecated": True}
            assert "deprecated" not in tables[part][now]
    assert "deprecated" not in schema["$defs"]["backend.stubborn"]["properties"]["attempts"]
    assert schema["$defs"]["illegal-actions.grid-games-2024"]["properties"]["total"]["deprecated"]
    assert plugin_schema(catalog.get("backend", "scripted"), catalog)["properties"]["adapts"]["deprecated"]
    for plain in ({**BASE, **WRITTEN}, {**BASE, "limits": {"max-steps": 1}}):
        jsonschema.validate(plain, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**BASE, "limits": {"waves": 0}}, schema)


@pytest.mark.parametrize("capability", [*CAPABILITIES.items()], ids=str)
@pytest.mark.parametrize("at", [0, 1])
def test_capabilities_count_under_either_name(installed_plugin, capability, at):
    """A plugin may state a renamed capability by its old name, as one that it has or as one that it requires."""
    installed_plugin("agent", "seer", Team, capabilities=frozenset({capability[at]}))
    installed_plugin("metric", "wants", Asking, required_capabilities=frozenset({capability[1 - at]}))
    plain = {**BASE, "agents": {"m": {"use": "seer"}}, "metrics": ["wants"], "limits": {}}

    load_benchmark(plain)
    assert problems({**plain, "resample-hidden": False}) == [
        "agents.m: thinks on imagined positions; write 'resample-hidden: true', or leave the agent out"
    ]
