"""Rules that hold for the repository as a whole."""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from .syntax import syntax_of

TEXT = {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".html", ".jinja", ".css", ".js", ".sh", ".template", ""}
GENERATED = {".venv", ".git", "__pycache__", "runs", "dist", "build", "node_modules"}
# Ann is nobody: tests may show that a path of hers stays out of a file.
MACHINE_PATH = re.compile(r"/(?<![\w.}~-]/)(?:home|root|Users|work|opt|tmp)/(?!ann\b)[\w.-]+")
TICKET = re.compile(r"(?i)\b(?:issue|ticket)s? #?\d+\b")


def tracked(root: Path) -> list[Path]:
    """Every text file that belongs to the repository, with or without git."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.decode()
        paths = [root / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [p for p in root.rglob("*") if not GENERATED & set(p.relative_to(root).parts)]
    return [path for path in paths if path.is_file() and path.suffix in TEXT and path.name != "uv.lock"]


def test_one_version_for_all(distributions, root):
    """All first-party distributions and the workspace carry the same version."""
    workspace = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]

    assert {d.project["version"] for d in distributions} == {workspace["version"]}


def test_imported_version_is_the_installed_one(distributions):
    """``arena.__version__`` is the version of the distributions."""
    import arena

    assert arena.__version__ == distributions[0].project["version"]


def test_plugins_accept_this_core(distributions):
    """Each plugin asks for the core of its own minor version, and for no later one; scenes need nothing of Arena."""
    major, minor, *_ = distributions[0].project["version"].split(".")
    wanted = f"playarena-core>={major}.{minor},<{major}.{int(minor) + 1}"

    assert {d.name for d in distributions[1:] if wanted not in d.project["dependencies"]} == {"playarena-scene"}


def test_each_name_is_claimed_once(distributions):
    """No two first-party distributions offer the same plugin."""
    claims = Counter(plugin for d in distributions for plugin in d.plugins)

    assert [plugin for plugin, times in claims.items() if times > 1] == []


def test_each_kind_is_known(distributions):
    """Every entry-point group is one that the core looks into."""
    from arena.plugin import KINDS

    assert {kind for d in distributions for kind, _ in d.plugins} <= set(KINDS)


def test_each_distribution_is_complete(distributions, third_party):
    """Every distribution has a README that names it, type information, a licence and Python's lower bound."""
    for d in (*distributions, third_party):
        assert d.name in (d.directory / "README.md").read_text("utf-8"), f"{d.name}: its README does not name it"
        assert (d.package / "py.typed").is_file(), f"{d.name}: py.typed is missing"
        assert d.project["license"] == "Apache-2.0", d.name
        assert d.project["requires-python"] == ">=3.11", d.name
        assert d.project["description"], d.name


def test_each_plugin_is_documented_by_its_distribution(distributions):
    """A distribution's README names every plugin it offers, or shows how it is used."""
    unnamed = [
        (d.name, name)
        for d in distributions[1:]
        for _, name in d.plugins
        if not re.search(rf"`{name}`|use: {name}\b", (d.directory / "README.md").read_text("utf-8"))
    ]

    assert unnamed == []


def test_workspace_holds_every_distribution(distributions, root):
    """The root project installs every first-party distribution from this checkout, the heavy ones as extras."""
    import tomllib

    workspace = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    sources = workspace["tool"]["uv"]["sources"]

    assert {d.name for d in distributions} == set(sources)
    assert all(source == {"workspace": True} for source in sources.values())
    extras = workspace["project"].get("optional-dependencies", {}).values()
    installed = set(workspace["project"]["dependencies"]).union(*extras)
    assert {d.name for d in distributions} <= {re.split(r"[^\w-]", requirement)[0] for requirement in installed}


def names_a_machine_or_ticket(text: str) -> bool:
    """Whether a text has a path of somebody's machine or the number of a ticket."""
    return bool(MACHINE_PATH.search(text) or TICKET.search(text))


def test_no_machine_is_named(root):
    """No file names a path of somebody's machine, nor a ticket."""
    texts = {path: path.read_text("utf-8") for path in tracked(root) if path != Path(__file__).resolve()}
    found = [
        f"{path.relative_to(root)}:{number}: {line.strip()}"
        for path, text in texts.items()
        if names_a_machine_or_ticket(text)
        for number, line in enumerate(text.splitlines(), 1)
        if names_a_machine_or_ticket(line)
    ]

    assert found == []


@pytest.mark.parametrize("line", ["see /home/bob/arena", "/opt/x", "open('/tmp/x')", "as issue 7 says", "TICKET #8"])
def test_machine_paths_and_tickets_are_found(line):
    """The search above finds what it is for."""
    assert names_a_machine_or_ticket(line)


def code(path: Path) -> dict[int, str]:
    """The lines of a module, by number, that are neither blank nor comment nor docstring."""
    told = {
        line
        for node in ast.walk(syntax_of(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    return {n: line for n, line in lines if line.strip() and not line.strip().startswith("#") and n not in told}


def test_a_module_is_read_in_one_sitting(distributions):
    """No first-party module has more than 450 lines, comments and docstrings included."""
    lines = {path: path.read_text("utf-8").count("\n") for d in distributions for path in d.package.rglob("*.py")}

    assert lines
    assert {path: n for path, n in lines.items() if n > 450} == {}


def test_a_folder_is_one_subject(distributions):
    """No folder of a distribution has more than 25 modules, its ``__init__`` included."""
    folders = Counter(path.parent for d in distributions for path in d.package.rglob("*.py"))

    assert folders
    assert {folder: n for folder, n in folders.items() if n > 25} == {}


def long_tests(text: str) -> dict[str, int]:
    """The tests of a module that have more than 40 lines, with how many they have.

    Only a module that has a long piece with a test is parsed, since to parse all of them takes seconds.
    """
    pieces = re.split(r"\n\n\n(?=@|class |(?:async )?def )", text)
    if not any("def test_" in piece and piece.count("\n") >= 40 for piece in pieces):
        return {}
    functions = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    lengths = {n.name: (n.end_lineno or n.lineno) - n.lineno + 1 for n in functions if n.name.startswith("test_")}
    return {name: lines for name, lines in lengths.items() if lines > 40}


def test_tests_fit_in_the_head(root):
    """No test has more than 40 lines."""
    tests = [path for path in tracked(root) if path.suffix == ".py" and "tests" in path.relative_to(root).parts]

    assert tests
    assert {path: found for path in tests if (found := long_tests(path.read_text("utf-8")))} == {}


@pytest.mark.parametrize("begin", ["def", "async def", "@slow\ndef"])
def test_long_test_is_found(begin):
    """A test of 41 lines is found, between shorter ones; one of 40 lines is none, whatever decorates it."""
    short, long = (f"{begin} test_{lines}():\n" + "    assert True\n" * (lines - 1) for lines in (40, 41))

    assert long_tests("\n\n".join((short, long, short))) == {"test_41": 41}
    assert long_tests(short) == {}


def test_core_names_no_game_model_or_vendor(distributions):
    """The code of the core knows no game, no model and no vendor by name."""
    words = re.compile(r"(?i)\b(?:openai|anthropic|gpt-?\d\w*|smollm\w*|llama\w*|chess|connect-four|poker|openspiel)\b")
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in distributions[0].package.rglob("*.py")
        if words.search(path.read_text("utf-8"))
        for number, line in code(path).items()
        if words.search(line)
    ]

    assert found == []


def test_documents_link_to_what_exists(root):
    """Every relative link in a Markdown file leads to a file of this repository."""
    broken = [
        f"{path.relative_to(root)}: {target}"
        for path in tracked(root)
        if path.suffix == ".md"
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text("utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]

    assert broken == []


def test_read_mes_show_what_is_tested(root):
    """No README shows a command that nobody runs."""
    read_mes = [path for path in tracked(root) if path.name == "README.md"]

    assert [path for path in read_mes if "untested" in path.read_text("utf-8").lower()] == []


def test_read_me_leads_with_three_commands(root):
    """The first commands in the README are the ones a newcomer needs, clone, set up, play; what they name is there."""
    page = (root / "README.md").read_text("utf-8")
    shown = page[page.index("```shell\n") :].splitlines()[1:4]
    targets = re.findall(r"^([\w-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE)

    clone, set_up, play = (line.partition("  #")[0].rstrip() for line in shown)

    assert clone == "git clone … arena && cd arena"
    assert set_up == "make quickstart"
    assert set(re.findall(r"^make ([\w-]+)", page, re.MULTILINE)) <= set(targets)
    assert play == ".venv/bin/arena play tic-tac-toe --against smollm"


def test_user_guide_is_complete(root):
    """The user guide names every command, every key of a benchmark file, every limit, status and ending."""
    import attrs
    from arena.catalog import Catalog, Status
    from arena.illegal_actions import IllegalActionPolicy
    from arena.plugin import RESERVED
    from arena.record import Ending
    from arena_engine import Benchmark, Limits
    from arena_engine.benchmark.composition import KEYS

    guide = (root / "docs" / "user-guide.md").read_text("utf-8")
    fields = [f for cls in (Benchmark, IllegalActionPolicy, Limits) for f in attrs.fields(cls)]
    commands = [e.name for e in Catalog().entries("command") if e.dist in RESERVED["command"]]
    keys = [f.name for f in fields if not f.metadata.get("hidden")] + list(KEYS)

    assert [command for command in commands if f"`arena {command}" not in guide] == []
    assert [key for key in keys if f"`{key.replace('_', '-')}`" not in guide] == []
    assert [str(word) for word in (*Status, *Ending) if f"`{word}`" not in guide] == []
