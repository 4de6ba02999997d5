"""Each figure and table of a reproduced paper comes of the command beside it on the suite's page.

The runs that a page speaks of are played by agents that need no model, cut down by options that every user has. Then
the commands of each row of the page's table are run. A name in italics in the row's third cell must be a section, a
table or a figure of the report, and what a figure says must be whole: its series, the n and the interval of each
number, and its limits where it is a map. Words in capitals in a name stand for what depends on the run.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena_cli.application.group import group
from click.testing import CliRunner

from .report_numbers import faults

PAGES = Path(__file__).resolve().parents[1] / "docs" / "suites"
CODE = re.compile(r"`(arena [^`]+)`")
NAME = re.compile(r"\*([^*]+)\*")
STANDS_FOR = re.compile(r"\b(?:[A-Z]{2,}|[AB](?= : )|(?<= : )[AB])\b")
AS_PICTURES = ("--full", "--format", "-o", "--output")
AT_A_TERMINAL = {"play", "annotate"}
"""Commands that wait for a person; other tests sit down at them."""

IN_TURN = ("--set", "limits.concurrency=1")
"""One match after another, so that scripted answers come in the same order in every run."""


def scripted(*answers: str, **more: Any) -> dict[str, Any]:
    """A model whose answers are these, over and over."""
    return {"use": "llm", "constrained": False, "backend": {"use": "scripted", "answers": list(answers)}, **more}


TALKER = scripted(
    '{"reasoning": "I block the threat of my opponent", "action": 99}',
    '{"reasoning": "the center square is advantageous, I guess", "action": 1}',
    '{"action": 0}',
    prompt={"style": str(Path(__file__).parents[1] / "plugins/suites/board_game_arena/tests/numbers.yaml")},
)
MOVER = scripted("{'row': 1, 'column': 1}", "no move", "{'column': 9}", "{'row': 3, 'column': 3}")
LISTS = scripted('answer = [("A1", "B1")]', "answer = []", "perhaps")
PHASES = {
    '"note": "<': '{"note": "wait"}',
    "Proposal phase": '{"action": {"partner": null, "offer": {}, "request": {}, "message": ""}}',
    ".": '{"action": {"done": true}}',
}
"""What a team of roles says in TradeCraft, by what its prompt holds: it waits, and proposes nothing."""
WAITERS = {"use": "scripted", "rules": [{"when": when, "say": said} for when, said in PHASES.items()]}


@attrs.frozen
class Page:
    """What stands for the agents of a page's commands, and how its suites are cut down."""

    agents: Mapping[str, Mapping[str, Any]]
    cut: Mapping[str, tuple[str, ...]]
    words: Mapping[str, str] = attrs.field(factory=dict)


def of_games(name: str, key: str, *games: str) -> tuple[str, ...]:
    """Options that leave so many variants of a suite's game."""
    return tuple(word for game in games for word in ("--game", f"{name}[{key}={game}]"))


FOUR = ("111", "222", "311", "422")
CLASSIC = of_games("classic", "game", *FOUR)
STORY = tuple(word for game in FOUR for word in ("--game", f"story[game={game}][story=0]"))
OF_PAGES = {
    "board-game-arena": Page(
        {"mine.yaml": {"agents": {"random": "random", "talker": TALKER}}}, {"board-game-arena": ("-n", "1")}
    ),
    "grid-games-2024": Page(
        {
            "mine.yaml": {
                "agents": {"random": "grid-random", "mover": {**MOVER, "prompt": {"style": "grid-list"}}},
                "sweep": {"agents.mover.prompt.style": ["grid-list", "grid-illustration"]},
            },
            "eyes.yaml": {"agents": {"random": "grid-random", "mover": {**MOVER, "prompt": {"style": "grid-image"}}}},
        },
        dict.fromkeys(
            ("grid-games-2024", "grid-games-2024-image"), ("-n", "1", "--game", "tic-tac-toe", "--game", "connect-four")
        ),
    ),
    "tmgbench": Page(
        {
            "mine.yaml": {"agents": {"nash": "nash", "lists": LISTS}},
            "writers.yaml": {"agents": {"writer": scripted("Once upon a time.", prompt={"style": "tmgbench-writer"})}},
        },
        {
            "tmgbench-classic": ("-n", "2", *CLASSIC),
            "tmgbench-story": ("-n", "1", *STORY),
            "tmgbench": ("-n", "1", *CLASSIC, *STORY),
            "tmgbench-prompts": ("-n", "2", *CLASSIC),
            **dict.fromkeys(("tmgbench-sequential", "tmgbench-parallel", "tmgbench-nested"), ("-n", "2")),
            "tmgbench-writing": ("-n", "1", *of_games("writing", "game", "111")),
        },
        {"GAME": "111", "NUMBER": "0"},
    ),
    "tradecraft": Page(
        {
            "mine.yaml": {
                "agents": {
                    "calm": {"use": "tradecraft-roles", "backend": WAITERS, "tags": ["model", "persona"]},
                    "rival": {
                        "use": "tradecraft-roles",
                        "backend": WAITERS,
                        "persona": "competitive",
                        "tags": ["persona"],
                    },
                    "trader": {"use": "trader", "tags": ["model"]},
                    "random": {"use": "random", "tags": ["model"]},
                }
            }
        },
        {
            "tradecraft": (*of_games("paper", "problems", "paper#1"), "--set", "games.paper.max-turns=2"),
            "tradecraft-judged": (
                *of_games("paper", "problems", "paper#1", "paper#2"),
                *("--set", "games.paper.max-turns=3", "--set", "metrics.trading.reference-matches=2"),
                *(
                    "--set",
                    "metrics.behaviour.backend={use: scripted}",
                    "--set",
                    "metrics.mind.backend={use: scripted}",
                ),
            ),
        },
        {"FOLDER": "./folder", "FILE": "problems.json"},
    ),
}


@attrs.frozen
class Row:
    """A row of a page's table: what the paper has, the commands that make it, and the names to look for."""

    paper: str
    commands: tuple[str, ...]
    names: tuple[str, ...]


def rows(page: str) -> Iterator[Row]:
    """The rows of the table whose second column holds the commands; "the same" are those of the row before."""
    found, commands = False, ()
    for line in (PAGES / f"{page}.md").read_text("utf-8").splitlines():
        cells = (
            [cell.strip() for cell in line.strip("|").replace("\\|", "¦").split(" | ")] if line.startswith("|") else []
        )
        if not cells:
            found = False
        elif cells[1:3] == ["command", "what to look for"]:
            found = True
        elif found and not set(line) <= set("|-"):
            more = tuple(CODE.findall(cells[1]))
            commands = (*(commands if cells[1].startswith("the same") else ()), *more)
            yield Row(cells[0], commands, tuple(NAME.findall(cells[2])))


@attrs.define(eq=False)
class Worked:
    """A folder in which a page is worked through: what was run there, and what the reports in it hold."""

    page: str
    folder: Path
    said: dict[str, str] = attrs.field(factory=dict)

    def run(self, command: str) -> str:
        """What a command prints; one that was run before is not run again."""
        command = shlex.join(shlex.split(command, comments=True))
        if command not in self.said:
            words = self.words(command)
            if words[0] in AT_A_TERMINAL:
                return ""
            done = CliRunner().invoke(group, words, prog_name="arena")
            assert done.exit_code == 0, f"arena {shlex.join(words)}\n{done.output}\n{done.stderr}"
            self.said[command] = done.stdout
        return self.said[command]

    def words(self, command: str) -> list[str]:
        """The arguments of a command, with stand-ins for what a reader fills in, and with its suite cut down."""
        told = OF_PAGES[self.page]
        words = [told.words.get(word, word) for word in shlex.split(command, comments=True)[1:]]
        words = [word for at, word in enumerate(words) if "…" not in word and not is_open(words, at)]
        if words[0] == "run":
            words += ["-q", *IN_TURN, *told.cut[words[1].removeprefix("suite:")]]
        return words

    def report(self, command: str) -> dict[str, Any]:
        """What a report says, as data, whatever form the command asks for."""
        words, kept = self.words(command), list[str]()
        for at, word in enumerate(words):
            if word not in AS_PICTURES and words[at - 1] not in AS_PICTURES[1:]:
                kept.append(word)
        return json.loads(self.run(f"arena {shlex.join(kept)} --json"))


def is_open(words: list[str], at: int) -> bool:
    """Whether a word is an option whose value the reader is to fill in."""
    return at + 1 < len(words) and "…" in words[at + 1] and words[at].startswith("-")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Worked]:
    """A folder for each page, with its agents; the runs above its tables are played when they are first wanted."""
    made = {}
    for name, told in OF_PAGES.items():
        folder = tmp_path_factory.mktemp(name)
        for file, agents in told.agents.items():
            (folder / file).write_text(json.dumps(agents), "utf-8")
        made[name] = Worked(name, folder)
    return made


def begun(page: str, row: Row) -> Iterator[str]:
    """The commands in blocks of a page's code that play what the commands of a row read."""
    read = {word for command in row.commands for word in shlex.split(command)}
    for line in (PAGES / f"{page}.md").read_text("utf-8").splitlines():
        if line.startswith("arena run suite:") and " -o " in line and line.split(" -o ")[1].split()[0] in read:
            yield line


def is_said(name: str, titles: set[str]) -> bool:
    """Whether a name from a page, words in capitals being any, is one of a report's titles."""
    pattern = re.compile(STANDS_FOR.sub(".+", re.escape(name).replace(r"\ ", " ")))
    return any(pattern.fullmatch(title) for title in titles)


ALL = [
    pytest.param(page, row, id=f"{page}: {row.paper[:40]}") for page in OF_PAGES for row in rows(page) if row.commands
]


@pytest.mark.slow
@pytest.mark.xdist_group("suite tables")
@pytest.mark.parametrize(("page", "row"), ALL)
@pytest.mark.sample(slow=1)
def test_a_row_is_made_by_its_command(
    page: str, row: Row, folders: Mapping[str, Worked], monkeypatch: pytest.MonkeyPatch
):
    """The commands work, and the names beside them are titles of the report, or words that the command prints."""
    worked = folders[page]
    monkeypatch.chdir(worked.folder)
    if page == "tradecraft":
        write_rules(worked.folder)
    for command in begun(page, row):
        worked.run(command)

    said = "".join(worked.run(command) for command in row.commands)
    reports = [worked.report(command) for command in row.commands if command.startswith("arena report")]

    titles = {title for report in reports for title in titles_of(report)}
    unsaid = [name for name in row.names if not is_said(name, titles) and name not in said]
    assert unsaid == [], sorted(titles)
    for report in reports:
        assert faults(report) == []
        for figure in (figure for section in report["sections"] for figure in section["figures"]):
            look_at(figure)


def titles_of(report: Mapping[str, Any]) -> Iterator[str]:
    """The titles of a report's sections, tables and figures."""
    for section in report["sections"]:
        yield section["title"]
        beside = (panel for figure in section["figures"] for panel in figure.get("beside", ()))
        yield from (each["title"] for each in (*section["tables"], *section["figures"], *beside))


def look_at(figure: Mapping[str, Any]) -> None:
    """A figure has series with a value for each place along x, and a map has limits that hold."""
    title = figure["title"]
    assert figure["series"], title
    limits = figure.get("limits")
    for values in figure["series"].values():
        assert len(values) == len(figure["x"]), title
        for value in values:
            number = value["value"] if isinstance(value, dict) else value
            if limits and number is not None:
                assert limits[0] <= number <= limits[1], title


def write_rules(folder: Path) -> None:
    """A folder of rules and a file of problems in the form of TradeCraft's authors."""
    if (folder / "folder").exists():
        return
    recipes = folder / "folder" / "recipes"
    recipes.mkdir(parents=True)
    recipe = {"type": "mine:crafting_shapeless", "ingredients": [{"item": "mine:log"}]}
    (recipes / "plank.json").write_text(json.dumps({**recipe, "result": {"item": "mine:plank", "count": 4}}))
    problem = {"hands": [{"coal": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}
    (folder / "problems.json").write_text(json.dumps([problem]))


@pytest.mark.parametrize("page", OF_PAGES)
def test_every_page_has_its_table(page: str):
    """Each page has rows with commands and names to look for; where there is no command, it says what there is."""
    found = list(rows(page))

    assert len([row for row in found if row.commands and row.names]) >= 5
    assert [row.paper for row in found if row.names and not row.commands] == []
