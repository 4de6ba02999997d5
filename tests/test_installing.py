"""What is told to install works, is told by one function, and a stranger's package ``arena`` is told of."""

import ast
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from arena.installing import BUNDLE, full_name

ROOT = Path(__file__).resolve().parents[1]
LINE = re.compile(r"\b(pip3? install|uv (add|pip|sync|tool)|pipx)\b")
SOURCES = sorted(path for pattern in ("core/src", "plugins/*/*/src") for path in ROOT.glob(f"{pattern}/**/*.py"))

ALLOWED: Mapping[str, str] = {
    "arena/installing.py": "it is the function",
    "arena_devkit/new_plugin_command.py": "the author's own folder, in an environment that the author chooses",
    "arena_devkit/review/targets.py": "the author's own folder, in an environment that the author chooses",
}
"""Modules that write such a line themselves, each with the reason."""

LEFT_OUT = {"vllm": "several gigabytes, for a GPU", "ray[rllib]": "gigabytes of torch"}
"""What is not installed here, each with the reason."""


def texts(module: ast.Module) -> Iterator[str]:
    """All texts of a module but those that stand alone, as docstrings do, which no program shows."""
    bare = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.value


@pytest.mark.slow
def test_one_function_says_what_to_type():
    """No module writes a line that installs something but those that have a reason, and each of these does."""
    found = {
        "/".join(path.parts[path.parts.index("src") + 1 :])
        for path in SOURCES
        if LINE.search(source := path.read_text("utf-8")) and any(map(LINE.search, texts(ast.parse(source))))
    }

    assert found == set(ALLOWED)


def test_lines_are_found():
    """The search above finds what it is for, also in parts of an f-string, and leaves docstrings alone."""
    source = '"""pip install a"""\nprint(f"{1}: pip install {2}", "run uv tool install x")\n'

    found = {text for text in texts(ast.parse(source)) if LINE.search(text)}
    assert found == {": pip install ", "run uv tool install x"}


def named(node: ast.expr) -> str:
    """The distribution that an argument names, if it does so by itself."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "full_name":
        return full_name(str(ast.literal_eval(node.args[0]))) if isinstance(node.args[0], ast.Constant) else ""
    return str(node.value) if isinstance(node, ast.Constant) else ""


def told() -> Iterator[str]:
    """The distributions that modules tell to install, and all that have a plugin."""
    sources = (path.read_text("utf-8") for path in SOURCES)
    for source in (each for each in sources if "install_line(" in each or "Requirement(" in each):
        for call in ast.walk(ast.parse(source)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                if call.func.id == "install_line":
                    yield from map(named, call.args)
                elif call.func.id == "Requirement":
                    yield from (named(each.value) for each in call.keywords if each.arg == "package")
    from arena_cli.application.first_party import index

    yield from (f"{each.name}[{each.extra}]" if each.extra else each.name for each in index().values() if each.plugins)


NAMES = sorted({name for name in told() if name} - set(LEFT_OUT))


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sample(slow=1)
def test_line_works_in_a_checkout(name, make_environment, root, tmp_path):
    """In a fresh environment with the core from a checkout, the line that is printed there installs what it names."""
    environment = make_environment(tmp_path / "environment", has_pip=False)
    environment.install("--editable", root / "core")

    at_root = f"cd '{root}' && '{environment.python}'"
    ask = f"from arena.installing import install_line; print(install_line({name!r}))"
    line = environment.run("bash", "-c", f'{at_root} -c "{ask}"').strip()
    assert line.startswith("uv pip install --python "), line
    environment.run("bash", "-c", f"cd '{root}' && '{environment.uv}' {line.removeprefix('uv ')}")

    assert re.sub(r"\[.*", "", name).lower() in environment.packages()


@pytest.fixture
def stranger(tools):
    """Writes the wheel of another ``arena``, as there is one on the public index: ``stranger(folder)`` is its path."""
    return tools("indexes").stranger


def refused(*command: object, folder: Path) -> str:
    """What a program that refuses to begin says, in one line."""
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode != 0, done.stdout
    return done.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_stranger_is_named_and_the_line_repairs(environment_with, wheels, tmp_path, monkeypatch, stranger):
    """A stranger's ``arena`` written over ours is named by every door, and what is told to type repairs all of it."""
    monkeypatch.setenv("UV_FIND_LINKS", str(next(iter(wheels.values())).parent))
    environment = environment_with(full_name("cli"), full_name("agent-baseline"))
    environment.install("--no-deps", wheels[BUNDLE])  # it brings the commands
    programs = environment.directory / "bin"
    environment.install(stranger(tmp_path))

    said = refused(programs / "playarena", "doctor", folder=tmp_path)

    assert said.startswith(f"arena: the package arena is that of arena, not that of {full_name('core')}; run `")
    for door in ("import arena_engine", "import arena_report", "from arena_cli import Command"):
        told = refused(environment.python, "-c", door, folder=tmp_path)
        assert told.endswith(said.partition(": ")[2]), door
    line = said.partition("`")[2].rstrip("`")
    repair(environment, line, tmp_path)
    assert "a stranger" not in (programs / "arena").read_text()
    assert "random" in environment.arena("list-plugins")
    assert "has one too" not in environment.run(programs / "playarena", "doctor")


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_doctor_names_strangers(environment_with, wheels, tmp_path, stranger):
    """Doctor names a stranger that ours was written over again, and one whose command stands in the place of ours."""
    environment = environment_with(full_name("cli"), full_name("agent-baseline"))
    environment.install(stranger(tmp_path))
    ours = (wheels[full_name("core")], wheels[BUNDLE])
    environment.install("--reinstall", "--no-deps", *ours)

    both = environment.run(environment.directory / "bin" / "playarena", "doctor")
    (environment.directory / "bin" / "arena").write_text("import arena\n")
    done = subprocess.run(
        [environment.directory / "bin" / "playarena", "doctor"], capture_output=True, text=True, check=False
    )

    assert both.count("arena has one too") == 2
    assert re.search(r"problem +command arena +it is that of arena, not\s+Arena's", done.stdout), done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_a_stranger_left_is_told_and_repaired(environment_with, wheels, tmp_path, monkeypatch, stranger):
    """Where a stranger was uninstalled, and our files with it, the command ``arena`` says so and how to repair it."""
    monkeypatch.setenv("UV_FIND_LINKS", str(next(iter(wheels.values())).parent))
    environment = environment_with(full_name("cli"), full_name("agent-baseline"))
    environment.install("--no-deps", wheels[BUNDLE])  # it brings the commands
    environment.install(stranger(tmp_path, has_command=False))
    environment.run(environment.uv, "pip", "uninstall", "--quiet", "--python", environment.python, "arena")

    said = refused(environment.directory / "bin" / "arena", "doctor", folder=tmp_path)

    assert "the package arena is not whole" in said
    repair(environment, said.partition("`")[2].rstrip("`"), tmp_path)
    assert "random" in environment.arena("list-plugins")


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_stranger_before_a_checkout_is_named(make_environment, root, tmp_path, stranger):
    """A stranger's package that hides ours of a checkout is named, and doctor tells of one that does not hide it."""
    environment = make_environment(tmp_path / "environment", has_pip=False)
    plugins = ("runtime/engine", "runtime/report", "observers/progress", "interfaces/scene", "interfaces/cli")
    folders = [root / "core", *(root / "plugins" / each for each in plugins)]
    environment.install(*(word for folder in folders for word in ("--editable", folder)))
    environment.install("--no-deps", "--editable", root / "plugins/bundles/all")
    environment.install(stranger(tmp_path))

    said = refused(environment.directory / "bin" / "playarena", "doctor", folder=tmp_path)

    assert f"that of arena, not that of {full_name('core')}" in said
    repair(environment, said.partition("`")[2].rstrip("`"), tmp_path)
    assert "distributions of Arena" in environment.run(environment.directory / "bin" / "arena", "doctor")


def repair(environment, line: str, folder: Path) -> None:
    """Type what was told in ``folder``, with the uv of the tests."""
    environment.run("bash", "-c", f"cd '{folder}' && " + re.sub(r"(^|&& )uv ", rf"\1'{environment.uv}' ", line))
