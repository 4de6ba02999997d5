"""The commands that tell about plugins and files: nothing is played."""

import json

import click
import pytest
from arena.catalog import Catalog
from arena.plugin import RESERVED
from arena_cli.application.group import group

COMMANDS = {e.name: e.summary for e in Catalog().entries("command") if e.dist in RESERVED["command"]}


def test_help_names_every_command_and_exit_code(arena):
    """``arena --help`` is enough to find one's way."""
    done = arena("--help")

    assert done.exit_code == 0
    assert all(command in done.stdout for command in COMMANDS)
    assert all(f"  {code}  " in done.stdout for code in range(4))


@pytest.mark.sample(fast=13)
@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself(arena, name):
    """The line in ``arena --help`` is the first one of the command's own help."""
    done = arena(name, "--help")

    assert done.exit_code == 0
    help_text = group.get_command(click.Context(group), name).help
    assert " ".join(help_text.split("\n\n")[0].split()) == COMMANDS[name]


def test_misspelt_command(arena):
    """A close name is suggested."""
    done = arena("reprot")

    assert done.exit_code == 2
    assert done.stderr == "arena: no command called 'reprot' (did you mean 'arena report'?)\n"


_GREETER = """
import click
from arena.plugin import Plugin

GREET = Plugin(factory="greeter_command:greet", summary="Say hello to a run.")
RUN = Plugin(factory="greeter_command:greet", summary="A run of another kind.")
LINES = Plugin(factory="greeter_command:Lines", summary="a line for each match")
WRONG = Plugin(factory="greeter_command:NAME", summary="no command")
"""

_GREETER_COMMAND = """
import attrs
import click
from arena_report.content.contract import ExportFormat


NAME = "nobody"


@click.command()
@click.argument("name")
def greet(name):
    click.echo(f"hello {name}")


@attrs.frozen
class Lines(ExportFormat):
    def write(self, journal, path):
        path.write_text("".join(f"{record.id}\\n" for record in journal.records()))
"""


@pytest.fixture
def greeter(installed):
    """A distribution with commands and an export."""
    installed.add(
        "greeter",
        {
            "arena.commands": {"greet": "greeter:GREET", "run": "greeter:RUN", "wrong": "greeter:WRONG"},
            "arena.exports": {"lines": "greeter:LINES"},
        },
        {"greeter.py": _GREETER, "greeter_command.py": _GREETER_COMMAND},
    )


def test_plugin_adds_a_command(arena, greeter):
    """A plugin's command is called, listed and described like the core's own, and can be disabled."""
    assert arena("greet", "you").stdout == "hello you\n"
    assert "Say hello to a run." in arena("--help").stdout
    assert "arena greet --help" in arena("describe", "command", "greet").stdout
    off = arena("--disable", "greet", "greet", "you")
    assert (off.exit_code, "disabled" in off.stderr) == (2, True)
    assert "did you mean 'arena greet'?" in arena("great").stderr
    wrong = arena("wrong")
    assert (wrong.exit_code, "which is no click.Command" in wrong.stderr) == (2, True)


_OFFERS = """
from arena.hookspecs import hookimpl
from arena.plugin import Plugin

@hookimpl
def arena_commands():
    return {f"greet-{n}": Plugin(factory="greeter_command:greet", summary="Say hello.") for n in range(3)}
"""


def test_commands_may_be_offered_by_hook(arena, greeter, installed):
    """A command that a hook offers is called, listed, suggested and described like one of an entry point."""
    installed.add("many-greeters", {"arena.plugins": {"many": "many_greeters"}}, {"many_greeters.py": _OFFERS})

    assert arena("greet-2", "you").stdout == "hello you\n"
    assert "greet-1" in arena("--help").stdout
    assert "did you mean 'arena greet-0'?" in arena("greet-00").stderr
    assert "many-greeters 1.0" in arena("describe", "command", "greet-1").stdout
    off = arena("--disable", "many-greeters", "greet-2", "you")
    assert (off.exit_code, "no command called 'greet-2'" in off.stderr) == (2, True)


def test_plugin_that_takes_the_name_of_a_command_is_in_conflict(arena, greeter):
    """Whoever calls its command ``run`` is listed in conflict, with whose name it is; ours stays ok."""
    listed = json.loads(arena("list-plugins", "--kind", "command", "--json").stdout)

    found = {entry["dist"]: entry for entry in listed if entry["name"] == "run"}
    assert (found["greeter"]["status"], found["greeter"]["reason"]) == (
        "conflict",
        "the name is reserved for playarena-cli",
    )
    assert found["greeter"]["remedy"] == "give it another name, or uninstall greeter"
    assert found["playarena-cli"]["status"] == "ok"
    assert "Play a benchmark" in arena("run", "--help").stdout


@pytest.mark.slow
def test_report_format_with_a_taken_name_is_in_conflict(arena, installed):
    """Two formats of one name are both in conflict until the distribution is named with it."""
    files = {"acme_html.py": "from arena.plugin import Plugin\nHTML = Plugin(factory='acme_html:Html')\n"}
    installed.add("acme-html", {"arena.reports": {"html": "acme_html:HTML"}}, files)
    arena("run", "--game", "tic-tac-toe", "--agent", "random", "-q", "-o", "run")

    listed = json.loads(arena("list-plugins", "--kind", "report", "--json").stdout)
    done = arena("report", "run", "--format", "html", "-o", "page.html")
    picked = arena("report", "run", "--format", "playarena-report-html:html", "-o", "page.html")

    found = {entry["dist"]: (entry["status"], entry["reason"]) for entry in listed if entry["name"] == "html"}
    assert found == {
        "acme-html": ("conflict", "the name is also taken by playarena-report-html"),
        "playarena-report-html": ("conflict", "the name is also taken by acme-html"),
    }
    assert (
        done.exit_code,
        "write 'acme-html:html' or 'playarena-report-html:html'" in " ".join(done.stderr.split()),
    ) == (
        2,
        True,
    )
    assert picked.exit_code == 0, picked.stderr


def test_command_of_the_core_keeps_its_name(arena, greeter):
    """No plugin takes the place of ``arena run``."""
    assert "A run of another kind." not in arena("--help").stdout
    assert "Play a benchmark" in arena("run", "--help").stdout


def test_plugin_adds_an_export(arena, greeter):
    """``arena export --format NAME`` hands the journal to the plugin's format; unknown names get a suggestion."""
    assert (
        arena("run", "--game", "tic-tac-toe", "--agent", "random", "--agent", "first-legal", "-q", "-o", "r").exit_code
        == 0
    )

    assert arena("export", "r", "--format", "lines", "-o", "ids.txt").exit_code == 0
    with open("ids.txt") as file:
        assert file.read().startswith("tic-tac-toe/first-legal,random/")
    assert "did you mean 'lines'?" in arena("export", "r", "--format", "linse", "-o", "x").stderr
    assert arena("export", "r", "--format", "lines", "-o", "-").exit_code == 2
    assert "cannot be written" in arena("export", "r", "--format", "lines", "-o", "no/such/place").stderr


def test_list_says_what_is_wrong_and_what_to_do(arena, installed):
    """A plugin that cannot be used stands in the list with its reason and remedy, and fails ``--strict``."""
    installed.add("needy", {"arena.games": {"needy": "needy:NEEDY"}}, {"needy.py": _NEEDY})
    installed.add("torn", {"arena.games": {"torn": "torn:TORN"}}, {"torn.py": "1 / 0"})

    done = arena("list-plugins", "--kind", "game")
    verbose = arena("list-plugins", "--kind", "game", "-v")

    assert done.exit_code == 0
    assert "needs no_such_module; pip install it" in done.stdout
    assert "ZeroDivisionError: division by zero" in done.stdout
    assert "Traceback" not in done.stdout
    assert "Traceback" in verbose.stdout
    assert "descriptor imported in" in verbose.stdout
    assert arena("list-plugins", "--kind", "game", "--strict").exit_code == 1
    assert arena("list-plugins", "--kind", "game", "--strict", "--disable", "needy", "--disable", "torn").exit_code == 0


_NEEDY = """
from arena.plugin import Requirement, Plugin

NEEDY = Plugin(factory="needy:Needy", requirements=(Requirement("no_such_module", "pip install it"),))
"""


def test_list_as_json(arena):
    """The array holds the documented keys, in their order."""
    done = arena("list-plugins", "--json", "--kind", "schedule")

    listed = json.loads(done.stdout)
    assert [entry["name"] for entry in listed] == sorted(entry["name"] for entry in listed)
    assert {tuple(entry) for entry in listed} == {
        ("kind", "name", "dist", "version", "status", "reason", "remedy", "summary")
    }


def test_disabled_plugin_is_not_used(arena):
    """``--disable`` switches a plugin off, before or behind the command."""
    done = arena("run", "--disable", "first-legal", "--game", "tic-tac-toe", "--agent", "first-legal")
    before = arena("--disable", "agent:first-legal", "describe", "first-legal")

    assert done.exit_code == before.exit_code == 2
    assert "first-legal" in done.stderr
    assert "first-legal" in before.stderr


def test_description_of_a_game(arena):
    """A game is described with who plays it, parameters, facts, its start, rules and lines that try it, on one page."""
    done = arena("describe", "connect-four")

    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    for part in (
        "players: 2 (X, O)",
        "agents that can play it: any; optimal: optimal, perfect-connect-four; made for",
        "rows       6        height of the board",
        "zero-sum",
        "optimal play earns",
        "  A   B   C   D   E   F   G",
        "more lines: --rules",
        "arena play connect-four --against random",
        "    my-connect-four: {use: connect-four, rows: 6",
        "Apache-2.0",
    ):
        assert part in done.stdout, part
    assert lines[-1] == "also called so: arena describe solver connect-four"


@pytest.mark.campaign
def test_rules_of_a_game_are_shown_in_full(arena):
    """``--rules`` shows all rules, ``--full`` also every parameter with its type."""
    brief, rules = arena("describe", "connect-four").stdout, arena("describe", "connect-four", "--rules").stdout
    full = arena("describe", "game", "tradecraft", "--full").stdout

    assert "The winner earns 1 and the loser -1" not in brief
    assert "The winner earns 1 and the loser -1" in rules
    assert "scoring.nobody" in full
    assert "more lines" not in full


@pytest.mark.slow
def test_description_as_json(arena):
    """``--json`` holds the parameters with types and defaults, of a game its facts and agents, and other kinds."""
    game, agent = (json.loads(arena("describe", name, "--json").stdout) for name in ("connect-four", "scripted"))

    assert (game["format"], game["kind"], game["also"]) == (1, "game", ["solver"])
    assert [p["name"] for p in game["parameters"]] == ["rows", "columns", "align"]
    assert game["game"]["facts"]["max_steps"] == 42
    assert game["game"]["agents"]["optimal"] == ["optimal", "perfect-connect-four"]
    assert "mcts" in game["game"]["agents"]["others"]
    assert (agent["kind"], agent["also"]) == ("agent", ["backend"])


def test_without_a_name_there_is_a_list(arena):
    """Whoever names nothing sees what there is to describe."""
    assert arena("describe").stdout == arena("list-plugins").stdout


def test_names_are_listed_by_kind_on_one_screen(arena):
    """Without ``--kind`` each kind of Arena's own plugins is a paragraph, at most 30 lines in all."""
    lines = arena("list-plugins").stdout.splitlines()

    assert len(lines) <= 30
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("games (")
    assert lines[-1] == "what one is:   arena describe connect-four"


_HERS = "from arena.plugin import Plugin\nHERS = Plugin(factory='hers:Hers')\n"


def hers(installed, dist, points, text=_HERS):
    """Install a distribution whose entry points, names by group, all lead to one descriptor."""
    module = dist.replace("-", "_")
    named = {group: dict.fromkeys(names, f"{module}:HERS") for group, names in points.items()}
    installed.add(dist, named, {f"{module}.py": text}, version="0.3")


def test_third_party_plugins_come_first(arena, installed):
    """Each distribution that is not of Arena's repository, whatever it is called, is a line with its plugins."""
    hers(installed, "arena-of-acme", {"arena.games": ["sticks"], "arena.agents": ["counter", "expert"]})
    hers(installed, "acme-style", {"arena.prompt_styles": ["terse"]})

    lines = arena("list-plugins").stdout.splitlines()

    assert lines[:3] == [
        "third-party (4)",
        "  acme-style 0.3: prompt style terse",
        "  arena-of-acme 0.3: game sticks; agents counter, expert",
    ]
    assert lines[3].startswith("games (")
    rows = arena("list-plugins", "--kind", "game").stdout.splitlines()
    assert rows[1].split()[0] == "sticks"


def test_third_party_plugins_that_cannot_be_used_come_first_too(arena, installed):
    """What is wrong and what to do stands below the distribution, once for all plugins that share it."""
    hers(installed, "acme-torn", {"arena.games": ["torn"], "arena.metrics": ["tears"]}, "1 / 0")
    hers(installed, "acme-ahead", {"arena.games": ["ahead"]}, _HERS.replace("Plugin(f", "Plugin(api=2, f"))
    offers = "from arena.hookspecs import hookimpl\n\n@hookimpl\ndef arena_games():\n    return 1 / 0\n"
    installed.add("acme-many", {"arena.plugins": {"many": "acme_many"}}, {"acme_many.py": offers})

    lines = arena("list-plugins").stdout.splitlines()

    assert lines[:12] == [
        "third-party (4)",
        "  acme-ahead 0.3: game ahead",
        "    incompatible: written for plugin contract 2, and this Arena knows contract",
        "      1; upgrade Arena, or install a version of acme-ahead that is written for",
        "      contract 1",
        "  acme-many 1.0: game many",
        "    broken: ZeroDivisionError: division by zero; reinstall or upgrade acme-many,",
        "      or switch it off with ARENA_DISABLE=acme-many",
        "  acme-torn 0.3: game torn; metric tears",
        "    broken: ZeroDivisionError: division by zero; reinstall or upgrade acme-torn,",
        "      or switch it off with ARENA_DISABLE=acme-torn",
        lines[11],
    ]


@pytest.mark.parametrize("number", [1, 5, 40])
def test_no_third_party_plugin_is_left_out(arena, installed, number):
    """However many there are and however long their names, each is named in full with its distribution."""
    for at in range(number):
        hers(
            installed,
            f"distribution-with-a-long-name-{at}",
            {"arena.games": [f"game-with-a-name-as-long-as-this-{at}"]},
        )

    shown = arena("list-plugins").stdout.split("\ngames (")[0]

    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    assert {
        f"distribution-with-a-long-name-{at} 0.3: game game-with-a-name-as-long-as-this-{at}" for at in range(number)
    } <= {entry.strip() for entry in " ".join(shown.split()).replace(" distribution-", "\ndistribution-").splitlines()}


def test_generated_names_are_counted(arena, installed):
    """Of hundreds of names of one distribution the first are named, and a command lists the others."""
    hers(installed, "acme-heaps", {"arena.games": [f"heap-{size:03}" for size in range(300)]})

    shown = " ".join(arena("list-plugins").stdout.split())

    assert "acme-heaps 0.3: games heap-000, heap-001," in shown
    assert "heap-049 and 250 more (arena list-plugins --kind game)" in shown


def test_arena_alone_says_how_to_begin(arena):
    """``arena`` without a command shows three lines to begin with and every command, and is no mistake."""
    done = arena()

    assert (done.exit_code, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) <= 24
    assert [line.split()[:2] for line in done.stdout.splitlines()[3:6]] == [
        ["arena", "play"],
        ["arena", "run"],
        ["arena", "list-plugins"],
    ]
    assert all(command in done.stdout for command in COMMANDS)


def test_description_of_nested_parameters(arena):
    """Parameters of a parameter have dotted names."""
    done = arena("describe", "agent", "llm")

    lines = done.stdout.splitlines()
    assert any(line.startswith("prompt.style ") for line in lines)
    assert "backend                required            the model that is asked" in lines


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tic-tac-to"], "did you mean 'tic-tac-toe'?"),
        (["gmae", "tic-tac-toe"], "no kind of plugin called 'gmae' (did you mean 'game'?)"),
        (["nothing"], "and 2"),
        (["nothing"], "; arena list-plugins lists them"),
        (["game", "llm"], "no game called 'llm'"),
    ],
)
def test_description_of_what_is_not_there(arena, words, said):
    """One sentence says what was probably meant."""
    done = arena("describe", *words)

    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert done.stderr.count("arena: ") == 1


@pytest.mark.campaign
def test_every_plugin_can_be_described(arena):
    """Whatever is listed as ok has a description."""
    listed = json.loads(arena("list-plugins", "--json").stdout)

    for entry in listed:
        if entry["status"] == "ok":
            done = arena("describe", entry["kind"], entry["name"])
            assert done.exit_code == 0, (entry["name"], done.stderr)


@pytest.mark.campaign
def test_schema_is_a_schema(arena):
    """``arena schema`` prints a JSON schema that accepts a good file and refuses a bad one."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(arena("schema").stdout)
    good = {"games": {"t": "tic-tac-toe"}, "agents": {"a": "random", "b": {"use": "random"}}}

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(good, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**good, "sed": 1}, schema)


def test_a_prompt_style_is_described_by_its_file(arena, installed):
    """A style that a distribution ships says how it is used and shows all its parts; a missing file is named."""
    files = {
        "acme_style/__init__.py": "from arena.plugin import Plugin\n"
        "TERSE = Plugin(factory='acme_style:terse.yaml', summary='in few words')\n"
        "LOST = Plugin(factory='acme_style:lost.yaml')\n",
        "acme_style/terse.yaml": "parts:\n  - {name: rules, in: system, text: $rules}\n",
    }
    installed.add(
        "acme-style", {"arena.prompt_styles": {"terse": "acme_style:TERSE", "lost": "acme_style:LOST"}}, files
    )

    done, lost = arena("describe", "prompt-style", "terse"), arena("describe", "prompt-style", "lost")

    assert done.stdout.startswith("prompt-style terse\nin few words\n")
    assert "prompt: {style: terse}" in done.stdout
    assert "  - {name: rules, in: system, text: $rules}" in done.stdout
    assert lost.exit_code == 2
    assert "ships no file 'lost.yaml'" in lost.stderr


def test_suites_are_listed(arena, acme):
    """A suite is listed with its line, and as JSON with its version and distribution too."""
    done, listed = arena("suites"), json.loads(arena("suites", "--json").stdout)

    assert "lines of all lengths" in done.stdout
    (line,) = (suite for suite in listed["suites"] if suite["name"] == "line")
    assert (listed["format"], line["dist"], line["version"]) == (1, "acme-arena", "3")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(arena, shell):
    """Each shell gets a script that calls arena."""
    done = arena("completion", shell)

    assert done.exit_code == 0
    assert "_ARENA_COMPLETE" in done.stdout


def test_backends_are_checked(arena, tmp_path):
    """One completion of each different backend: fine ones report model and speed, broken ones fail the check."""
    (tmp_path / "bench.yaml").write_text(_BACKENDS)

    done = arena("check-agents", "bench.yaml")
    fine = arena("check-agents", "bench.yaml", "--set", "agents.broken=random")

    assert done.exit_code == 1
    assert "agents.good.backend (Scripted): ok" in done.stdout
    assert "agents.broken.backend (Scripted): failed" in done.stdout
    assert "agents.twin" not in done.stdout
    assert fine.exit_code == 0, fine.stdout
    assert "answered 'fine'" in fine.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["bench.yaml"]


_BACKENDS = """
games: {ttt: tic-tac-toe}
agents:
  good: {use: llm, backend: {use: scripted, answers: [fine]}}
  twin: {use: llm, backend: {use: scripted, answers: [fine]}}
  broken: {use: llm, backend: {use: scripted, faults: [{kind: server-error, share: 1.0}]}}
"""


def test_bug_is_called_one(arena, installed):
    """What nobody expected is shown with its traceback and called a bug, not the user's mistake."""
    installed.add("odd", {"arena.reports": {"odd": "odd:ODD"}}, {"odd.py": _ODD})
    arena("run", "--game", "tic-tac-toe", "--agent", "random", "-q", "-o", "run")

    done = arena("report", "run", "--format", "odd")

    assert done.exit_code == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError above is a bug" in done.stderr


_ODD = """
from arena.plugin import Plugin
from arena_report import ReportFormat

ODD = Plugin(factory="odd:Odd")


class Odd(ReportFormat):
    def write(self, report, path):
        1 / 0
"""
