"""The line that installs something, in each of the places that the program can come from."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from arena import installing
from arena.installing import full_name, install_line, uninstall_line

CORE = full_name("core")
GRID = full_name("game-grid")
TOOL = '[tool]\nrequirements = [{ name = "acme", specifier = "==1" }, { name = "hex", extras = ["a"] }]\n'


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to be in, in whose environment pip is the first on the path, and a core that is from an index."""
    python = tmp_path / "env" / "bin" / "python"
    for program in (python, python.with_name("pip")):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.touch(mode=0o755)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("PATH", str(python.parent))
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    came_from(tmp_path, {})
    yield tmp_path
    forget()


def came_from(place: Path, noted: dict[str, object]) -> None:
    """Let the core be installed with this note of its installer."""
    found = place / "site" / f"{CORE.replace('-', '_')}-1.dist-info"
    found.mkdir(parents=True, exist_ok=True)
    (found / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {CORE}\nVersion: 1\n")
    (found / "direct_url.json").write_text(json.dumps(noted))
    forget()


def forget() -> None:
    """Clear what is remembered of the place that the program came from."""
    for each in (installing.checkout, installing.workspace, installing._direct_url, installing._receipt):
        each.cache_clear()


def checkout(place: Path, *, is_editable: bool = False) -> Path:
    """A checkout with the core, a game, and what the game requires; the core is installed from there."""
    for folder, text in {
        "": "[tool.uv.workspace]\n",
        "core": f'[project]\nname = "{CORE}"\n',
        "plugins/games/grid": f'[project]\nname = "{GRID}"\ndependencies = ["{CORE}>=1", "arena-lacking[x]>=1"]\n'
        "[project.optional-dependencies]\ncommands = []\n",
        "plugins/x/lacking": '[project]\nname = "arena-lacking"\n',
    }.items():
        (place / "checkout" / folder).mkdir(parents=True, exist_ok=True)
        (place / "checkout" / folder / "pyproject.toml").write_text(text)
    root = place / "checkout"
    came_from(place, {"url": (root / "core").as_uri(), "dir_info": {"editable": True} if is_editable else {}})
    return root


def test_index_is_the_last_resort():
    """What came from an index is installed from one, with pip where pip is."""
    assert install_line("acme", "hex[a]") == "pip install acme 'hex[a]'"
    assert install_line("acme", is_upgrade=True) == "pip install --upgrade acme"
    assert install_line(CORE, is_repair=True) == f"pip install --force-reinstall --no-deps {CORE}==1"
    assert uninstall_line("acme") == "pip uninstall acme"


def test_another_pip_on_the_path_is_not_meant(monkeypatch):
    """Where the environment is not activated, its interpreter is named."""
    monkeypatch.setenv("PATH", "")

    assert install_line("acme") == "env/bin/python -m pip install acme"


def test_environment_of_uv_has_no_pip(place, monkeypatch):
    """Without pip the line is uv's, with the environment's interpreter where uv would take another environment."""
    monkeypatch.setattr(sys, "path", [str(place / "site"), *(p for p in sys.path if not (Path(p) / "pip").is_dir())])
    monkeypatch.delitem(sys.modules, "pip", raising=False)

    assert install_line("acme") == "uv pip install --python env/bin/python acme"
    assert install_line(CORE, is_repair=True).endswith(f"--reinstall --no-deps {CORE}==1")
    monkeypatch.setenv("VIRTUAL_ENV", str(place / "env"))
    assert install_line("acme") == "uv pip install acme"
    assert uninstall_line("acme") == "uv pip uninstall acme"


def test_folder_of_wheels_is_named(place, monkeypatch):
    """The folder that the core's wheel was in, and those that variables name, are given again."""
    came_from(place, {"url": (place / "my wheels" / "core-1.whl").as_uri(), "archive_info": {}})
    monkeypatch.setenv("UV_FIND_LINKS", "more")

    assert install_line("acme") == f"pip install --find-links more --find-links '{place}/my wheels' acme"


def test_checkout_has_the_folders(place, monkeypatch):
    """In a checkout pip is given the folder of a distribution and of those that it lacks; others are on an index."""
    root = checkout(place)

    assert install_line(GRID) == "pip install ./checkout/plugins/x/lacking ./checkout/plugins/games/grid"
    assert install_line("open-spiel") == "pip install open-spiel"
    assert install_line(GRID, is_repair=True).endswith(" --no-deps ./checkout/plugins/games/grid")
    monkeypatch.chdir(root / "core")
    assert install_line(f"{GRID}[commands]").endswith(" '../plugins/games/grid[commands]'")
    checkout(place, is_editable=True)
    assert install_line(GRID).endswith(" -e ../plugins/games/grid")


def test_checkout_that_is_gone_is_an_index(place):
    """Nothing is installed from a folder that is not there any more."""
    shutil.rmtree(checkout(place))

    assert install_line(GRID) == f"pip install {GRID}"


def test_environment_of_the_checkout_is_synced(place, monkeypatch):
    """In the environment that ``uv sync`` makes, what is in the workspace is synced, from wherever one is."""
    root = checkout(place, is_editable=True)
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    end = f"--package {GRID} --extra commands --project {root}"

    assert install_line(f"{GRID}[commands]") == f"uv sync --inexact {end}"
    assert install_line(CORE, is_repair=True).partition(" --project")[0].endswith(f" --reinstall-package {CORE}")
    monkeypatch.chdir(root)
    assert install_line(GRID) == f"uv sync --inexact --package {GRID}"
    assert install_line("open-spiel") == "pip install open-spiel"


def test_tool_of_uv_keeps_what_it_has(place, monkeypatch):
    """``uv tool install`` forgets what it is not told again, so all of the tool's requirements are given."""
    tool = place / "tools" / "acme"
    tool.mkdir(parents=True)
    (tool / "uv-receipt.toml").write_text(TOOL)
    monkeypatch.setattr(sys, "prefix", str(tool))
    forget()

    assert install_line("new") == "uv tool install acme==1 --with 'hex[a]' --with new"
    assert install_line("acme[b]", is_upgrade=True) == "uv tool install --upgrade 'acme[b]' --with 'hex[a]'"
    assert install_line("acme", is_repair=True) == "pip install --force-reinstall --no-deps acme"


def test_program_of_pipx_is_injected_into(place, monkeypatch):
    """What a program of pipx lacks is injected into its environment."""
    program = place / "venvs" / "acme"
    program.mkdir(parents=True)
    (program / "pipx_metadata.json").write_text("{}")
    monkeypatch.setattr(sys, "prefix", str(program))
    monkeypatch.setenv("PIP_FIND_LINKS", "dist")

    assert install_line("new") == "pipx inject acme new --pip-args='--find-links dist'"
    assert install_line("acme", is_repair=True) == (
        "pipx runpip acme install --force-reinstall --no-deps --find-links dist acme"
    )
    assert uninstall_line("other") == "pipx runpip acme uninstall other"


def test_nothing_of_arena_is_imported_by_it(place):
    """The module can be read by its path where the package ``arena`` is somebody else's."""
    program = "import sys, runpy; runpy.run_path(sys.argv[1]); assert 'arena' not in sys.modules"

    assert os.spawnv(os.P_WAIT, sys._base_executable, ["python", "-I", "-c", program, installing.__file__]) == 0
