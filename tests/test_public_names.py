"""What first-party plugins import from other rooms is public; four plugins can be written with public names alone."""

import ast
import importlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from .syntax import statements, syntax_of

pytestmark = pytest.mark.xdist_group("syntax")  # one process: reading all modules takes long

ROOMS = (
    "arena_engine",
    "arena_standings",
    "arena_report",
    "arena_cli",
    "arena_gym",
    "arena_testing",
    "arena_openai_protocol",
    "arena_scene",
)
PAGES = {
    "arena_engine": "engine",
    "arena_report": "report",
    "arena_standings": "standings",
    "arena_cli": "cli",
    "arena_gym": "gym",
    "arena_scene": "scene",
}
PACKAGES = "packages"
"""The page of what single packages of the rooms hand out."""

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"

PRIVATE = {"__version__", "_enter_task", "_leave_task"}
"""The version of the core, and what the standard library has no other name for: to change the task that runs."""

CALLS = {"arena.calls"}
"""What engine and report share with the core beside it: how plugins are called by name and blamed."""

GAME = '''
import attrs
from arena.game import Decision, Game, GameFacts, Options, State
from arena.record import EVERYONE, GameEvent, Player


@attrs.frozen
class Pennies(Game):
    """The first to say a number takes the pennies; the second matches it or not."""

    rules = "Player 1 hides a penny, heads or tails. Player 2 says which; a right guess wins it."

    def player_counts(self):
        return (2,)

    def facts(self, players):
        return GameFacts(returns="zero-sum", hidden_information=True, min_return=-1.0, max_return=1.0)

    def start(self, chance, players):
        return Hidden(), ()


class Hidden(State):
    def __init__(self):
        self.said = []

    def to_act(self):
        return (Player(len(self.said)),) if len(self.said) < 2 else ()

    def decision(self, player):
        return Decision(player=player, options=Options(("heads", "tails")))

    def observe(self, player):
        sees_all = player is None or len(self.said) == 2
        return {"said": list(self.said if sees_all else self.said[:1] if player == 0 else [])}

    def apply(self, actions):
        ((player, action),) = actions.items()
        self.said.append(action)
        done = (GameEvent("shown", list(self.said), EVERYONE),) if len(self.said) == 2 else ()
        return (GameEvent("hid", action, (player,)),) if not done else done

    def returns(self):
        if len(self.said) < 2:
            return None
        return (-1.0, 1.0) if self.said[0] == self.said[1] else (1.0, -1.0)
'''

METRIC = '''
from collections.abc import Iterable

import attrs
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.tables import Column, Estimate, Section, Table


@attrs.frozen
class Positions(Metric):
    """How many positions a match goes through."""

    needs_game = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        yield Measurement("positions", sum(1 for _ in match.positions()))

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        rows = measurements.rows_named("positions")
        mean = sum(float(row.value) for row in rows) / len(rows) if rows else None
        columns = (Column(name="what", title="what"), Column(name="mean", title="mean", style="number"))
        rows = (("a match", Estimate(value=mean, n=len(rows))),)
        table = Table(title="Positions", columns=columns, rows=rows)
        yield Section(title="Positions", tables=(table,))
'''

EXECUTOR = '''
import attrs
from arena_engine import Executor, MatchRunner


@attrs.frozen
class OneByOne(Executor):
    """Plays one match after another."""

    async def play(self, job, context):
        async with MatchRunner(job, context) as runner:
            for plan in job.plans:
                context.check_stopped()
                yield await runner.play(plan)
'''

REPORT = '''
import json

import attrs
from arena_report import ReportFormat, write_file


@attrs.frozen
class Titles(ReportFormat):
    """The titles of all tables, as JSON."""

    def write(self, report, path):
        titles = [table.title for section in report.sections for table in section.tables]
        write_file(path, [json.dumps(titles).encode()])
'''


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Each module and name that a file imports from somewhere."""
    for node in statements(syntax_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


def undocumented(path: Path, core: set[str], own: str = "") -> list[str]:
    """What a file imports of the core or a room other than its ``own`` although no page of the reference names it."""
    found = []
    for module, name in imports(path):
        room = module.partition(".")[0]
        is_hidden = room == "arena" and module not in core and f"{module}.{name}" not in core
        is_inner = room in ROOMS and room != own and not is_handed_out(module, name)
        is_private = name.startswith("_") and name not in PRIVATE
        if room != own and (is_private or is_hidden or is_inner):
            found.append(f"{module}.{name}")
    return found


def is_handed_out(module: str, name: str) -> bool:
    """Whether a room, or a package of one that has its part on a page of the reference, hands out a name."""
    if module in ROOMS or module in handed_out():
        return name in importlib.import_module(module).__all__
    return is_documented_module(module)


@cache
def handed_out() -> dict[str, list[str]]:
    """What the page names of each package of a room."""
    page = (REFERENCE / f"{PACKAGES}.md").read_text("utf-8")
    parts = {part.partition("\n")[0]: part for part in re.split(r"^## ", page, flags=re.M)[1:]}
    return {package: named_on(part) for package, part in parts.items()}


def named_on(page: str) -> list[str]:
    """The names that a page, or a part of one, has entries for."""
    return [line.rpartition(".")[2] for line in re.findall(r"^\.\. autoapi\w+:: ([\w.]+)$", page, re.M)]


def is_documented_module(module: str) -> bool:
    """Whether authors import from the module itself: two of arena_testing and one of arena_cli, which say so."""
    return module in {"arena_testing.strategies", "arena_testing.fixtures.distributions", "arena_cli.output"}


@pytest.fixture
def core(root) -> set[str]:
    """The modules of the core that the reference describes, and the doors."""
    text = "".join(page.read_text("utf-8") for page in (root / "docs" / "reference").glob("*.md"))
    return {"arena", "arena.testing", *re.findall(r"^\.\. autoapimodule:: (arena\.\w+)$", text, re.M)}


def test_public_names_alone_are_imported(distributions, third_party, core):
    """Every name that a distribution takes from the core or another room is one that a page of the reference names."""
    found = {
        f"{d.name}: {fault}"
        for d in (*distributions[1:], third_party)
        for path in d.package.rglob("*.py")
        for fault in undocumented(path, core | CALLS, own=d.package.name)
    }

    assert found == set()


def test_undocumented_import_is_found(core, tmp_path):
    """A plugin that takes a name from inside a room, or a private one of the core, is caught."""
    module = tmp_path / "metric.py"
    module.write_text("from arena_engine.match.referee import Referee\nfrom arena.calls import PluginCall\n")

    assert undocumented(module, core) == ["arena_engine.match.referee.Referee", "arena.calls.PluginCall"]


@pytest.mark.parametrize("room", [*PAGES, PACKAGES])
def test_reference_page_has_what_a_room_hands_out(root, room):
    """The page of a room names exactly the room's ``__all__``, and that of the packages those of all of them."""
    pages = handed_out() if room == PACKAGES else {room: named_on((REFERENCE / f"{PAGES[room]}.md").read_text("utf-8"))}

    for package, named in pages.items():
        assert sorted(named) == sorted(name for name in importlib.import_module(package).__all__ if name != "main")


@pytest.mark.slow
def test_four_plugins_are_written_with_public_names_alone(core, tmp_path, monkeypatch):
    """A game, a metric that looks at positions, an executor and a report format, and nothing private in them."""
    import arena
    from arena.testing import check_executor, check_game, check_metric

    for name, source in {"game": GAME, "metric": METRIC, "executor": EXECUTOR, "report": REPORT}.items():
        path = tmp_path / f"acme_{name}.py"
        path.write_text(source)
        assert undocumented(path, core) == []
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("acme_game").Pennies()
    metric = importlib.import_module("acme_metric").Positions()
    executor = importlib.import_module("acme_executor").OneByOne()
    titles = importlib.import_module("acme_report").Titles()

    check_game(game)
    check_metric(metric)
    check_executor(executor)
    assert len([line for line in EXECUTOR.splitlines() if line.strip()]) <= 25
    assert len([line for line in GAME.splitlines() if line.strip()]) <= 40
    run = arena.run(
        {"games": {"rps": "matrix-rps"}, "agents": {"a": "random", "b": "first-legal"}}, output=tmp_path / "run"
    )
    titles.write(run.report({"positions": metric}), tmp_path / "titles.json")
    assert json.loads((tmp_path / "titles.json").read_text()) == ["Positions"]
