"""Every row of the page on reproducing the paper is one command, which prints what the row says."""

import json
import re
import shlex
from pathlib import Path

import pytest
from arena_cli.application.group import group
from click.testing import CliRunner

from .published_files import write

PAGE = Path(__file__).parents[4] / "docs/suites/grid-games-2024.md"

EYES = """
agents:
  random: grid-random
  talker:
    use: llm
    constrained: false
    takes: last
    prompt: {style: grid-image, history: none}
    backend: {use: scripted, answers: ["{'row': 1, 'column': 1}", "{'row': 2, 'column': 2}", "{'row': 3, 'column': 1}"]}
"""


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


def rows() -> dict[str, tuple[str, list[str]]]:
    """By what the paper has: the command, and the titles that the row promises."""
    text = PAGE.read_text("utf-8").partition("## Figures and tables")[2].partition("\n\n**")[0]
    found, command = {}, ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 3 and not cells[0].startswith(("in the paper", "---")):
            said = re.match(r"`(arena [^`]+)`", cells[1])
            command = said[1] if said else command if cells[1] == "the same" else ""
            found[cells[0]] = command, re.findall(r"\*([A-Z][^*]+)\*", cells[2])
    return {what: row for what, row in found.items() if row[0]}


@pytest.fixture(scope="module")
def runs(run, tmp_path_factory):
    """The suites' runs, cut to tic-tac-toe and to two agents as a user would cut them."""
    directory = tmp_path_factory.mktemp("page")
    (directory / "eyes.yaml").write_text(EYES)
    options = ("--agents", directory / "eyes.yaml", "--game", "tic-tac-toe", "-n", 2, "-q")
    done = arena("run", "suite:grid-games-2024-image", *options, "-o", directory / "images")
    assert done.exit_code == 0, done.stderr
    return {"runs/texts": run, "runs/images": directory / "images", "files": directory / "files"}


def test_page_has_a_row_for_each_figure_of_the_paper():
    """Tables 1 and 2 and figures 3 to 18 each have a command."""
    told = " ".join(rows())

    assert all(word in told for word in ("tables 1 and 2", "figures 3–11", "12–14", "15–17", "figure 18"))
    assert len(rows()) >= 8


@pytest.mark.parametrize("what", rows())
@pytest.mark.sample(fast=1, slow=5)
def test_row_prints_what_it_says(runs, what):
    """The command of a row runs, and its tables and figures have the titles that the row names."""
    command, titles = rows()[what]
    words = [str(runs.get(word, word)) for word in shlex.split(command)[1:]]
    if words[0] == "run":
        words += ["--game", "tic-tac-toe"]
    shown = arena(*words)

    assert shown.exit_code == 0, shown.stderr
    if words[0] == "report":
        shown = arena(*(word for word in words if word != "--full"), "--json")
        sections = json.loads(shown.stdout)["sections"]
        printed = {each["title"] for s in sections for each in (*s["tables"], *s["figures"])}
        forms = {"GAME, FORM": ("tic-tac-toe, list", "tic-tac-toe, illustration", "tic-tac-toe, image")}
        for title in titles:
            title = title.replace("… per opp", "Missed wins and blocks per opp")
            (place,) = [key for key in (*forms, "GAME") if title.endswith(key)] or [""]
            wanted = {title.replace(place, word) for word in forms.get(place, ("tic-tac-toe",))} if place else {title}
            assert wanted <= printed, (title, printed)
    elif titles:
        assert all(title in shown.stdout for title in titles)


def test_figures_say_their_n_and_keep_their_limits(runs):
    """Every bar of the report's own figures has its n, and what is in per cent lies between 0 and 100."""
    words = ("--metric", "competition", "--metric", "missed-opportunities", "--json")
    report = json.loads(arena("report", runs["runs/texts"], runs["runs/images"], *words).stdout)

    figures = [f for s in report["sections"] for f in s["figures"]]
    assert len(figures) == 6
    for figure in figures:
        cells = [c for values in figure["series"].values() for c in values if c is not None]
        assert cells
        assert all(isinstance(c, dict) and c["n"] > 0 and c["unit"] for c in cells), figure["title"]
        if figure["y_title"].startswith("%"):
            assert all(0 <= c["value"] <= 100 for c in cells)
            assert all(0 <= end <= 100 for c in cells for end in c["interval"] if end is not None)


def test_imported_files_draw_the_same_figures(tmp_path):
    """The authors' files in their published form, imported as a run, give the figures of the paper."""
    paths = [path for form in ("list", "image") for path in write(tmp_path, "tic-tac-toe", form, [("one", "two")])]
    done = arena("import", "llm-game-benchmark", *paths, "-o", tmp_path / "authors")
    assert done.exit_code == 0, done.stderr

    words = ("--metric", "competition", "--metric", "missed-opportunities", "--json")
    report = json.loads(arena("report", tmp_path / "authors", *words).stdout)

    figures = {f["title"]: f for s in report["sections"] for f in s["figures"]}
    assert set(figures) == {
        "Outcomes by seat: tic-tac-toe, image",
        "Outcomes by seat: tic-tac-toe, list",
        "Moves and invalid moves per match: tic-tac-toe",
        "Missed wins and blocks per valid move: tic-tac-toe",
        "Missed wins and blocks per opportunity: tic-tac-toe",
    }
    missed = figures["Missed wins and blocks per valid move: tic-tac-toe"]
    assert missed["x"] == ["one", "two"]
    assert list(missed["series"]) == [f"missed {w}, {f}" for w in ("wins", "blocks") for f in ("image", "list")]
