"""From a benchmark file to a typed value, and every mistake on the way."""

import contextlib
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import ArenaError, ConfigError, PluginError
from arena.illegal_actions import IllegalActionPolicy
from arena.record import canonical_json
from arena_engine.benchmark.benchmark import Benchmark, build_benchmark, load_benchmark
from arena_engine.benchmark.json_schema import json_schema
from arena_engine.job.executor import Limits
from arena_engine.job.planning import plan_matches
from arena_engine.job.schedules import RoundRobin

FILE = """\
name: first
seed: 7
games:
  short: {use: short-line, tags: [quick]}
  line:  {use: line, length: 5, players: 3}
agents:
  smol: {use: talker, tags: [model], backend: {use: echo, model: m}}
  dull: dull
  twin: {use: dull}
schedule: {use: round-robin, repeats: 2, rotate-seats: false}
illegal-actions: {retries: 1, then: skip}
metrics: [count]
limits: {budget-usd: 5, turn_seconds: 1e2}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("bench.yaml")
    path.write_text(FILE)
    return path


def write(path: str, text: str) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def problems(source: Any, catalog: Catalog, **options: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_benchmark(source, catalog=catalog, **options)
    return list(caught.value.problems)


def test_file_becomes_typed_values(acme: Catalog, file: Path):
    """Everything in the file arrives as the value it stands for."""
    benchmark = load_benchmark(file, catalog=acme)

    assert (benchmark.name, benchmark.seed, benchmark.level) == ("first", 7, 0.95)
    assert benchmark.games["short"].game.length == 3
    assert [(g.use, g.players, g.tags) for g in benchmark.games.values()] == [
        ("short-line", 2, ("quick",)),
        ("line", 3, ()),
    ]
    assert benchmark.agents["smol"].tags == ("model",)
    assert benchmark.agents["smol"].agent.backend.model == "m"
    assert benchmark.schedule == RoundRobin(repeats=2, rotate_seats=False)
    assert benchmark.illegal_actions == IllegalActionPolicy(retries=1, then="skip")
    assert benchmark.limits == Limits(budget_usd=5.0, turn_seconds=100.0)
    assert list(benchmark.metrics) == ["count"]
    assert type(benchmark.executor).__name__ == "Asyncio"
    assert [plan.id for plan in plan_matches(benchmark)][:2] == ["short/dull,smol/0.0", "short/dull,twin/0.0"]


def test_plain_data_builds_the_same_benchmark(acme: Catalog, file: Path):
    """The plain data of a benchmark is JSON and builds an equal one."""
    benchmark = load_benchmark(file, catalog=acme, overrides=["seed=8"], games=["quick"])

    again = build_benchmark(benchmark.plain, acme)

    assert canonical_json(benchmark.plain) == canonical_json(again.plain)
    assert again == benchmark
    assert plan_matches(again) == plan_matches(benchmark)


def test_provenance_names_every_plugin_in_use(acme: Catalog, file: Path):
    """Provenance covers games, agents, their backends, metrics, schedule and executor, each once."""
    used = [(p["kind"], p["name"]) for p in load_benchmark(file, catalog=acme).provenance()]

    assert used == sorted(used)
    assert {("game", "short-line"), ("agent", "dull"), ("backend", "echo"), ("metric", "count")} <= set(used)
    assert {("schedule", "round-robin"), ("executor", "asyncio")} <= set(used)


def test_mistakes_come_with_file_and_line(acme: Catalog, file: Path):
    """All mistakes of a file are told at once, each with its line and path."""
    text = FILE.replace("model: m}", "model: m, temperatur: 1}").replace("players: 3", "players: 7, lenght: 3")
    file.write_text(text.replace("seed: 7", "sede: 7").replace("[count]", "[cout, count, count]"))

    assert problems(file, acme) == [
        "bench.yaml:2: sede: unknown key (did you mean 'seed'?)",
        "bench.yaml:5: games.line.lenght: unknown key (did you mean 'length'?)",
        "bench.yaml:7: agents.smol.backend.temperatur: unknown key (did you mean 'temperature'?)",
        "bench.yaml:12: metrics.0: no metric called 'cout' (did you mean 'count'?)",
        "bench.yaml:12: metrics.2: 'count' is there twice; write a table to give each a name",
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("players: 3", "players: 7"), "bench.yaml:5: games.line.players: expected 2 to 4 players, got 7"),
        (("length: 5", "length: 500"), "bench.yaml:5: games.line.length: must be <= 99, got 500"),
        (("name: first", "name: a b"), "bench.yaml:1: name: expected letters, digits, '.', '_' and '-', got 'a b'"),
        (("  twin:", "  tw/in:"), "bench.yaml:9: agents.tw/in: a name holds no '/', no two"),
        (("seed: 7", "seed: x"), "bench.yaml:2: seed: expected int, got 'x'"),
        (("seed: 7", "extend: x"), "bench.yaml:2: extend: unknown key (did you mean 'extends'?)"),
        (("seed: 7", "level: 1"), "bench.yaml:2: level: must be < 1, got 1.0"),
        (("tags: [quick]", "tags: quick"), "bench.yaml:4: games.short.tags: expected list of str, got 'quick'"),
        (("{use: round-robin,", "{use: against, agent: smoll,"), "bench.yaml:10: schedule.agent: no agent or tag"),
        (("{use: dull}", "{use: talker}"), "bench.yaml:9: agents.twin.backend: required (backend plugin)"),
        (("players: 3", "players: 4"), "bench.yaml:10: schedule: 4 players need 4 different agents, and there are 3"),
    ],
)
@pytest.mark.sample(fast=2)
def test_one_mistake(acme: Catalog, file: Path, change: tuple[str, str], problem: str):
    """A benchmark that cannot be played says why before anything is played."""
    file.write_text(FILE.replace(*change))

    found = problems(file, acme)

    assert found[0].startswith(problem)


def test_missing_parts_are_named(acme: Catalog, file: Path):
    """A benchmark needs games and agents."""
    assert problems(write("b.yaml", "name: x"), acme) == [
        "b.yaml: games: required (the games, by any name)",
        "b.yaml: agents: required (the agents, by any name)",
    ]
    assert problems(write("b.yaml", "games: {}\nagents: {a: dull}"), acme) == [
        "b.yaml:1: games: the length must be >= 1, got 0"
    ]


@pytest.mark.sample(fast=7)
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: [1\n", "b.yaml: line 3, column 1: expected ',' or ']', but got '<stream end>'"),
        ("a: 1\nb: c: d\n", "b.yaml: line 2, column 5: mapping values are not allowed here"),
        ("seed: 1\ngames: {}\nseed: 2\n", 'b.yaml: line 3, column 1: found duplicate key "seed"'),
        ("seed: 1\n\tgames: {}", "b.yaml: line 2, column 1: found character '\\t' that cannot start any token"),
        ("a: \x07", "b.yaml: line 1, column 4: special characters are not allowed"),
        ("a: !!python/object:os.system x", "b.yaml: line 1, column 4: could not determine a constructor"),
        ("a: &a [*a]", "b.yaml: the YAML refers to itself or is nested too deeply"),
        ("1: 2", "b.yaml: line 1: the file: expected keys that are text, got 1; quote it"),
        ("seed: .inf", "b.yaml: line 1: seed: expected a finite number, got inf"),
        ("", "b.yaml: expected a table with games and agents, and it is empty"),
        ("- a", "b.yaml: expected a table with games and agents, and it is a list"),
        ("games: {}\n---\n", "b.yaml: line 2, column 1: but found another document"),
    ],
)
def test_texts_that_are_no_benchmark(acme: Catalog, file: Path, text: str, problem: str):
    """What is not YAML, or no table, is told in one sentence with its line and column."""
    (found,) = problems(write("b.yaml", text), acme)

    assert found.startswith(problem)


def test_yaml_is_version_1_2(acme: Catalog, file: Path):
    """'no' is a word, 012 is twelve, 1e2 is a number and a date is text."""
    text = "agents: {no: dull, yes: dull, 2024-01-01: dull}\nseed: 012\nlimits: {turn-seconds: 1e2}\ngames: {g: line}"

    benchmark = load_benchmark(write("b.yaml", text), catalog=acme)

    assert list(benchmark.agents) == ["no", "yes", "2024-01-01"]
    assert (benchmark.seed, benchmark.limits.turn_seconds, benchmark.name) == (12, 100.0, "b")


def test_files_that_cannot_be_read(acme: Catalog, file: Path):
    """A missing file, a directory and a text in another encoding are told apart."""
    Path("latin.yaml").write_bytes("name: é".encode("latin-1"))

    assert problems("nope.yaml", acme) == ["nope.yaml: there is no such file; check the path"]
    assert problems("line", acme) == ["line: there is no such file (did you mean 'suite:line'?)"]
    assert problems(".", acme) == [".: expected a file, and this is a directory"]
    assert problems("latin.yaml", acme) == ["latin.yaml: expected UTF-8 text, and byte 6 is none; save it as UTF-8"]


def test_forms_are_checked_before_play(acme: Catalog, file: Path):
    """An agent that reads a form the game lacks is a mistake of the benchmark."""
    file.write_text(FILE.replace("{use: talker,", "{use: talker, form: image,"))

    assert problems(file, acme) == [
        "bench.yaml:7: agents.smol: reads 'image', and game 'short' has only 'text'; choose one of these",
        "bench.yaml:7: agents.smol: reads 'image', and game 'line' has only 'text'; choose one of these",
    ]


def test_capabilities_are_checked_before_play(acme: Catalog, file: Path):
    """A backend that cannot do what its agent needs for a game is a mistake; one that can is none."""
    text = FILE.replace("{use: talker,", "{use: talker, looks: true,").replace("  line:", "  #")
    file.write_text(text)

    assert problems(file, acme) == [
        "bench.yaml:7: agents.smol.backend: cannot do 'images', which the agent needs to play 'short'; "
        "choose a backend that can"
    ]
    file.write_text(text.replace("use: echo", "use: parrot"))
    assert isinstance(load_benchmark(file, catalog=acme), Benchmark)


def test_requirements_of_a_game_are_checked_before_play(acme: Catalog, file: Path):
    """What a game's descriptor requires, the backends of all agents in it must be able to do."""
    file.write_text(FILE.replace("use: short-line", "use: picture-line").replace("  line:", "  #"))

    assert problems(file, acme) == [
        "bench.yaml:7: agents.smol.backend: cannot do 'images', which game 'picture-line' requires; "
        "choose a backend that can"
    ]


def test_metrics_may_have_names(acme: Catalog, file: Path):
    """The same metric twice needs names of the user's own."""
    file.write_text(FILE.replace("[count]", "{turns: {use: count, what: turns}, count: count}"))

    assert [m.what for m in load_benchmark(file, catalog=acme).metrics.values()] == ["turns", "matches"]


def test_disabled_plugins_are_not_used(acme: Catalog, file: Path):
    """'disable' in the file switches plugins off before they are imported."""
    file.write_text(FILE + "disable: [dull]\n")

    assert problems(file, acme)[0].startswith("bench.yaml:8: agents.dull: agent 'dull' from acme-arena 1.0 is disabled")


class TestOverrides:
    """Values given by ``--set path=value`` replace those of the file."""

    def test_values_are_yaml(self, acme: Catalog, file: Path):
        """Numbers, lists, tables and text behind the equals sign are read as YAML, and a bare name grows a table."""
        benchmark = load_benchmark(
            file,
            catalog=acme,
            overrides=[
                "agents.smol.backend.model=openai/gpt=4",
                "agents.twin.use=talker",
                "agents.twin.backend={use: echo, model: x}",
                "games.line.heaps=[1, 2]",
                "illegal_actions.retries=2",
                "limits.budget-usd=null",
                "games.short.length=4",
            ],
        )

        assert benchmark.agents["smol"].agent.backend.model == "openai/gpt=4"
        assert benchmark.agents["twin"].agent.backend.model == "x"
        assert benchmark.games["line"].game.heaps == (1, 2)
        assert benchmark.illegal_actions.retries == 2
        assert benchmark.limits.budget_usd is None

    def test_names_with_dots_are_found(self, acme: Catalog, file: Path):
        """A path reaches entries whose names hold dots."""
        file.write_text(FILE.replace("smol:", "gpt-4.1:"))

        benchmark = load_benchmark(file, catalog=acme, overrides=["agents.gpt-4.1.backend.model=x"])

        assert benchmark.agents["gpt-4.1"].agent.backend.model == "x"

    def test_null_takes_an_entry_away(self, acme: Catalog, file: Path):
        """A game or agent set to null is gone."""
        benchmark = load_benchmark(file, catalog=acme, overrides=["games.line=null", "agents.twin=null"])

        assert (list(benchmark.games), list(benchmark.agents)) == (["short"], ["smol", "dull"])

    @pytest.mark.parametrize(
        ("override", "problem"),
        [
            ("games.line.playrs=2", "--set: games.line.playrs: unknown key (did you mean 'players'?)"),
            ("limits.concurency=3", "--set: limits.concurency: unknown key (did you mean 'concurrency'?)"),
            (
                "agents.smol.backend.temperature=hot",
                "--set: agents.smol.backend.temperature: expected float, got",
            ),
            ("agents.smoll.use=dul", "--set: agents.smoll.use: no agent called 'dul' (did you mean 'dull'?)"),
            ("seed", "--set seed: expected PATH=VALUE, such as limits.concurrency=8"),
            (".=3", "--set .=3: expected PATH=VALUE, such as limits.concurrency=8"),
            ("metrics.4=count", "--set metrics.4: 4: expected a position from 0 to 0 in a list"),
            ("agents.x=null", "--set agents.x: there is nothing called 'x' to take away"),
            ("seed=[1", "--set seed: line 1, column 3: expected ',' or ']'"),
        ],
    )
    def test_mistakes(self, acme: Catalog, file: Path, override: str, problem: str):
        """A path or value that does not fit is told as coming from --set."""
        assert problems(file, acme, overrides=[override])[0].startswith(problem)


class TestComposition:
    """``extends``, ``include``, ``sweep``, ``filter`` and suites."""

    def test_extends_a_file(self, acme: Catalog, file: Path):
        """Own keys win, tables are merged, null takes away, another plugin replaces the whole entry."""
        write(
            "sub/own.yaml",
            "extends: ../bench.yaml\nname: own\ngames: {short: {length: 4}, line: null}\n"
            "agents: {smol: {use: dull}}\nillegal_actions: {retries: 9}\n",
        )

        benchmark = load_benchmark("sub/own.yaml", catalog=acme)

        assert (benchmark.name, benchmark.seed) == ("own", 7)
        assert {name: entry.game.length for name, entry in benchmark.games.items()} == {"short": 4}
        assert benchmark.agents["smol"].use == "dull"
        assert benchmark.illegal_actions == IllegalActionPolicy(retries=9, then="skip")

    def test_sweep_and_filter_are_taken_away(self, acme: Catalog, file: Path):
        """Null takes an inherited sweep or filter away, like any other key."""
        write("swept.yaml", "extends: bench.yaml\nsweep: {games.line.length: [4, 5]}\nfilter: {games: [line]}\n")

        benchmark = load_benchmark(write("own.yaml", "extends: swept.yaml\nsweep: null\nfilter: null\n"), catalog=acme)

        assert list(benchmark.games) == ["short", "line"]

    def test_one_path_of_a_sweep_is_taken_away(self, acme: Catalog, file: Path):
        """Null takes one path of an inherited sweep away, and the others stay."""
        write("swept.yaml", "extends: bench.yaml\nsweep: {games.line.length: [4, 5], games.short.length: [1, 2]}\n")
        own = write("own.yaml", "extends: swept.yaml\nsweep: {games.line.length: null}\n")

        assert list(load_benchmark(own, catalog=acme).games) == ["short[length=1]", "short[length=2]", "line"]

    def test_extends_a_suite(self, acme: Catalog, file: Path):
        """A suite is extended by name, and includes what its distribution ships."""
        benchmark = load_benchmark(write("own.yaml", "extends: suite:line\nseed: 4\ngames: {long: null}"), catalog=acme)

        assert (benchmark.name, benchmark.seed, list(benchmark.games)) == ("lines", 4, ["line"])
        assert list(benchmark.agents) == ["smol", "dull"]
        assert benchmark.based_on == ("line 3 (acme-arena 1.0)",)

    def test_fragments_lie_below_the_file(self, acme: Catalog, file: Path):
        """Later fragments stand above earlier ones, the file above all."""
        write("one.yaml", "seed: 1\nname: one\nlevel: 0.5")
        write("two.yaml", "seed: 2\nname: two")

        benchmark = load_benchmark(
            write("b.yaml", "include: [one.yaml, two.yaml]\nseed: 3\ngames: {g: line}\nagents: {a: dull, b: dull}"),
            catalog=acme,
        )

        assert (benchmark.seed, benchmark.name, benchmark.level) == (3, "two", 0.5)

    def test_mistake_in_a_fragment_is_found_there(self, acme: Catalog, file: Path):
        """The line of a mistake is that of the file it was written in."""
        write("parts/agents.yaml", "agents:\n  a: dul\n  b: dull")
        write("b.yaml", "include: [parts/agents.yaml]\ngames: {g: line}")

        assert problems("b.yaml", acme) == [
            "parts/agents.yaml:2: agents.a: no agent called 'dul' (did you mean 'dull'?)"
        ]

    def test_cycles_are_mistakes(self, acme: Catalog, file: Path):
        """A file that comes back to itself is refused."""
        write("a.yaml", "extends: b.yaml")
        write("b.yaml", "include: [a.yaml]")

        assert problems("a.yaml", acme) == ["a.yaml: extends or includes itself; take one of the references out"]

    def test_missing_fragment_is_told(self, acme: Catalog, file: Path):
        """A fragment is looked for beside the file that names it."""
        write("sub/a.yaml", "include: [b.yaml]")

        assert problems("sub/a.yaml", acme) == ["sub/b.yaml: there is no such file; check the path"]

    def test_composition_keys_are_typed(self, acme: Catalog, file: Path):
        """The keys of composition are checked like all others."""
        assert problems(write("a.yaml", "include: 5\nfilter: {game: [x]}"), acme) == [
            "a.yaml:1: include: expected list of str, got 5",
            "a.yaml:2: filter.game: unknown key (did you mean 'games'?)",
        ]

    def test_sweep_multiplies_an_entry(self, acme: Catalog, file: Path):
        """Every combination of values is an entry of its own, which answers to the old name as a tag."""
        file.write_text(
            FILE
            + "sweep:\n  agents.smol.prompt.style: [direct, chain-of-thought]\n"
            + "  agents.smol.backend.model: [a/b, c]\n  games.short.length: [3, 4]\n"
        )

        benchmark = load_benchmark(file, catalog=acme)

        assert list(benchmark.agents) == [
            "smol (direct, a:b)",
            "smol (direct, c)",
            "smol (chain-of-thought, a:b)",
            "smol (chain-of-thought, c)",
            "dull",
            "twin",
        ]
        first = next(iter(benchmark.agents.values()))
        tags = ("model", "smol", "prompt.style=direct", "backend.model=a/b")
        assert (first.agent.prompt.style, first.agent.backend.model, first.tags) == ("direct", "a/b", tags)
        assert list(benchmark.games) == ["short[length=3]", "short[length=4]", "line"]

    def test_schedules_reach_swept_agents(self, acme: Catalog, file: Path):
        """A schedule that names a swept agent means all its variants."""
        file.write_text(
            FILE.replace("{use: round-robin, repeats: 2,", "{use: against, agent: smol, pool: [dull],").replace(
                "  line:", "  #"
            )
            + "sweep: {agents.smol.prompt.history: [0, 1]}\n"
        )

        assert [plan.agents for plan in plan_matches(load_benchmark(file, catalog=acme))] == [
            ("smol (history=0)", "dull"),
            ("smol (history=1)", "dull"),
        ]

    @pytest.mark.parametrize(
        ("sweep", "problem"),
        [
            ("agents.smoll.prompt.style: [direct]", "sweep.agents.smoll.prompt.style: agents has no entry called 'smo"),
            ("seed: [1, 2]", "sweep.seed: expected a path into one game or agent, such as agents.NAME.PARAMETER"),
            ("agents.smol.prompt.style: []", "sweep.agents.smol.prompt.style: expected at least one value"),
            ("agents.smol.prompt.style: 3", "bench.yaml:14: sweep.agents.smol.prompt.style: expected list"),
            (
                "agents.smol.prompt.style: [direct, x, y]",
                "bench.yaml:7: agents.smol.prompt.style: expected 'direct' or 'chain-of-thought', got 'x'",
            ),
            ("agents.smol.backend.model: [a/b, 'a:b']", "agents.smol: two agents would be called 'smol (a:b)'; give"),
        ],
    )
    def test_mistakes_in_sweeps(self, acme: Catalog, file: Path, sweep: str, problem: str):
        """A sweep that leads nowhere, or to values that do not fit, is told by path."""
        file.write_text(FILE + f"sweep: {{{sweep}}}\n")

        assert problems(file, acme)[0].startswith(problem)

    def test_one_mistake_is_told_once_for_all_variants(self, acme: Catalog, file: Path):
        """A mistake in a swept entry is told under the name the user wrote, once."""
        file.write_text(
            FILE.replace("model: m}", "model: m, temperatur: 1}") + "sweep: {agents.smol.prompt.history: [0, 1]}\n"
        )

        assert problems(file, acme) == [
            "bench.yaml:7: agents.smol.backend.temperatur: unknown key (did you mean 'temperature'?)"
        ]

    def test_filters_choose_by_name_and_tag(self, acme: Catalog, file: Path):
        """The file's filter and the caller's both apply; tags and names are alike."""
        file.write_text(FILE + "filter: {games: [quick], agents: [model, dull, twin]}\n")

        benchmark = load_benchmark(file, catalog=acme, agents=["smol", "dull"])

        assert (list(benchmark.games), list(benchmark.agents)) == (["short"], ["smol", "dull"])
        assert problems(file, acme, games=["quik"]) == [
            "--game: nothing is called or tagged 'quik' (did you mean 'quick'?)"
        ]

    def test_agents_file_replaces_the_agents(self, acme: Catalog, file: Path):
        """Another file's agents play a suite in the place of its own."""
        write("mine.yaml", "agents: {mine: {use: talker, backend: {use: echo, model: mine}}, other: dull}")

        benchmark = load_benchmark("suite:line", agents_file="mine.yaml", catalog=acme)

        assert list(benchmark.agents) == ["mine", "other"]
        assert list(benchmark.games) == ["line", "long"]
        assert problems("suite:line", acme, agents_file=write("x.yaml", "seed: 1")) == [
            "x.yaml: expected a table 'agents', and there is none"
        ]

    def test_suites_that_cannot_be_used(self, acme: Catalog, file: Path):
        """An unknown suite gets a suggestion; one whose file is not shipped is named with its distribution."""
        with pytest.raises(PluginError, match=r"no suite called 'lin' \(did you mean 'line'\?\)"):
            load_benchmark("suite:lin", catalog=acme)
        with pytest.raises(PluginError, match=r"acme-arena ships no file 'suites/lost.yaml'; reinstall acme-arena"):
            load_benchmark("suite:lost", catalog=acme)


def test_no_mistake_is_a_traceback(acme: Catalog, file: Path):
    """Whatever plain data comes in, what comes out is a benchmark or one of our errors."""
    odd: list[Any] = [None, 3, "x", [], {}, [[]], {"use": None}, {"use": []}, {"a": {"b": None}}, True]
    for key in ("games", "agents", "schedule", "metrics", "limits", "sweep", "filter", "include", "extends", "disable"):
        for value in odd:
            with contextlib.suppress(ArenaError):
                build_benchmark({"games": {"g": "line"}, "agents": {"a": "dull", "b": "dull"}, key: value}, acme)


def test_metric_that_lacks_a_method_names_its_distribution(installed):
    """A plugin's class that is not complete is its author's mistake, and the message says whose."""
    code = (
        "import attrs\nfrom arena.metric import Metric\n\n"
        "@attrs.frozen\nclass Half(Metric):\n    def measure(self, match):\n        return ()\n"
    )
    init = "from arena.plugin import Plugin\n\nHALF = Plugin(factory='half.parts:Half')\n"
    installed.add(
        "half-done", {"arena.metrics": {"half": "half:HALF"}}, {"half/__init__.py": init, "half/parts.py": code}
    )
    plain = {"games": {"ttt": "tic-tac-toe"}, "agents": {"a": "random", "b": "random"}, "metrics": ["half"]}

    with pytest.raises(ConfigError, match=r"half-done.* lacks summarize"):
        build_benchmark(plain, Catalog())


@attrs.frozen(kw_only=True)
class Stern(IllegalActionPolicy):
    """Puts out after a number of warnings."""

    warnings: int = 2

    def for_game(self, game, players):
        return IllegalActionPolicy(retries=self.warnings, max_refusals=self.warnings, then="disqualify")


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("written", "warnings"), [("stern", 2), ({"use": "stern", "warnings": 5}, 5), ({"retries": 7}, 7)]
)
def test_policies_for_illegal_actions_have_names(acme, installed_plugin, written, warnings):
    """``illegal-actions`` is a table, the name of a policy, or a named one with parameters; the schema knows all."""
    jsonschema = pytest.importorskip("jsonschema")
    installed_plugin("illegal-actions", "stern", Stern)
    plain = {"games": {"line": "line"}, "agents": {"dull": "dull", "other": "dull"}, "illegal-actions": written}
    catalog = Catalog()

    policy = build_benchmark(plain, catalog).illegal_actions

    assert policy.for_game(None, 2).retries == warnings
    jsonschema.validate(plain, json_schema(catalog))


def test_a_named_policy_takes_the_place_of_the_plain_one(acme, installed_plugin, file):
    """What a file extends leaves nothing of its plain policy in a named one; a named one is changed in parts."""
    installed_plugin("illegal-actions", "stern", Stern)
    catalog = Catalog()
    file.with_name("named.yaml").write_text("extends: bench.yaml\nillegal-actions: {use: stern}\n")
    file.with_name("five.yaml").write_text("extends: named.yaml\nillegal-actions: {warnings: 5}\n")

    named, five = (load_benchmark(name, catalog=catalog).illegal_actions for name in ("named.yaml", "five.yaml"))

    assert (named.then, named.warnings) == ("forfeit", 2)
    assert (five.retries, five.warnings) == (3, 5)


def test_a_misspelt_policy_is_told(acme):
    """A policy that does not exist, and a key that it does not have, are mistakes with a path."""
    plain = {"games": {"line": "line"}, "agents": {"dull": "dull", "other": "dull"}}

    with pytest.raises(ConfigError, match=r"illegal.actions: no illegal-actions called 'mild'"):
        build_benchmark({**plain, "illegal-actions": "mild"}, acme)
    with pytest.raises(ConfigError, match=r"illegal.actions\.retrys: unknown key"):
        build_benchmark({**plain, "illegal-actions": {"retrys": 1}}, acme)


def test_next_commands_are_kept_in_order(acme: Catalog, file: Path):
    """What a benchmark names to go on with arrives as it stands; without it there is nothing."""
    file.write_text(FILE + "next: [arena play short, 'arena report @']\n")

    assert load_benchmark(file, catalog=acme).next == ("arena play short", "arena report @")
    file.write_text(FILE)
    assert load_benchmark(file, catalog=acme).next == ()


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("[a, b, c, d]", "next: expected at most 3 commands, got 4"),
        ('["arena \\e[2J"]', "expected commands of one line with up to 100 characters that can be seen"),
        ('["arena\\nrm"]', "expected commands of one line"),
        ("['  ']", "expected commands of one line"),
        (f"[{'a' * 101}]", "expected commands of one line"),
    ],
)
def test_next_commands_are_few_and_can_be_seen(acme: Catalog, file: Path, lines: str, problem: str):
    """A file of somebody else cannot fill the screen with them, nor send control characters to it."""
    file.write_text(FILE + f"next: {lines}\n")

    (found,) = problems(file, acme)

    assert problem in found
