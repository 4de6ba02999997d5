"""The match-ups of the paper, from the command line to the report."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import arena
import pytest
from arena.agent import RefusalKind
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.metric import FinishedMatch
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal, load_benchmark, plan_matches
from arena_engine.benchmark.documents import suites
from arena_metric_tradecraft.metric import Trading
from arena_suite_tradecraft.schedule import MatchUps
from click.testing import CliRunner

NOBODY: frozenset[str] = frozenset()


def command(*arguments: object) -> str:
    """What a command prints; it must succeed."""
    done = CliRunner().invoke(group, [str(argument) for argument in arguments], prog_name="arena")
    assert done.exit_code == 0, done.output
    return done.output


def sections(place: Path) -> dict[str, Any]:
    """The report of a run by the titles of its sections."""
    return {section.title: section for section in arena.load(place).report().sections}


def test_the_suites_are_listed():
    """Each suite has its name and a version of its own."""
    found = {suite.name: suite.version for suite in suites(Catalog())}

    assert all(found[name] for name in ("tradecraft", "tradecraft-judged", "tradecraft-small"))


def test_each_pairing_plays_ten_matches():
    """Over the five problems every pairing has ten matches, personas with themselves too, from both seats equally."""
    plans = plan_matches(load_benchmark("suite:tradecraft"))
    pairings = Counter(plan.pairing for plan in plans)

    assert set(pairings.values()) == {10}
    assert {name for name in pairings if "random" not in name and "trader" not in name} == {
        "competitive,cooperative",
        *("competitive,competitive", "cooperative,cooperative", "unprimed,unprimed"),
        *("cooperative,unprimed", "competitive,unprimed"),
    }
    assert "cooperative,random" not in pairings
    seats = Counter(plan.agents for plan in plans if plan.pairing == "cooperative,unprimed")
    assert set(seats.values()) == {5}
    assert {plan.game for plan in plans} == {f"paper[problems=paper#{n}]" for n in range(1, 6)}


def test_groups_keep_to_themselves():
    """Agents meet those with whom they share a group; who has no group meets everybody."""
    schedule = MatchUps(groups=("model", "persona"), with_itself=False)
    agents = {
        "gpt": frozenset({"model", "persona"}),
        "claude": frozenset({"model"}),
        "kind": frozenset({"persona"}),
        "x": NOBODY,
    }

    met = {lineup.pairing for lineup in schedule.lineups(agents, 2)}

    assert met == {"claude,gpt", "gpt,kind", "claude,x", "gpt,x", "kind,x"}


@pytest.mark.parametrize("players", [2, 3])
def test_seats_take_turns_and_share_deals(players: int):
    """A pairing has one match for each seat and repeat; of an agent with itself each has deals of its own."""
    found = list(MatchUps(repeats=2).lineups(dict.fromkeys("abc", NOBODY), players))

    assert set(Counter(lineup.pairing for lineup in found).values()) == {2 * players}
    own = [lineup for lineup in found if len(set(lineup.agents)) == 1 and "a" in lineup.agents]
    assert [lineup.repeat for lineup in own] == list(range(2 * players))
    others = [lineup for lineup in found if len(set(lineup.agents)) == players]
    assert {lineup.repeat for lineup in others} == {0, 1}
    assert len({lineup.agents for lineup in others}) == players * (3 if players == 2 else 1)


def test_who_shares_no_group_is_said():
    """A benchmark in which nobody meets anybody is a mistake that is named."""
    schedule = MatchUps(groups=("model", "persona"), with_itself=False)

    with pytest.raises(ConfigError, match="no 2 agents share a group"):
        schedule.lineups({"a": frozenset({"model"}), "b": frozenset({"persona"})}, 2)


@pytest.mark.slow
def test_any_agents_play_and_the_tables_are_printed(tmp_path: Path):
    """With other agents in the place of all, each pairing is played and the paper's tables and plots come out."""
    (tmp_path / "mine.yaml").write_text("agents: {ann: random, bob: {use: random, tags: [model]}}\n")
    place = tmp_path / "run"
    command(
        *("run", "suite:tradecraft", "--agents", tmp_path / "mine.yaml", "-q", "-o", place, "-n", "2"),
        *("--game", "paper[problems=paper#1]", "--set", "games.paper.max-turns=2"),
        *("--set", "metrics={trading: {use: trading, reference-matches: 2}}"),
    )

    trading = sections(place)["Trading"]
    assert [table.title for table in trading.tables[:2]] == ["Outcomes by pair", "Trading by agent"]
    assert {row[:4] for row in trading.tables[0].rows} == {
        ("paper", "ann", "bob", 4),
        ("paper", "ann, first seat", "ann, second seat", 4),
        ("paper", "bob, first seat", "bob, second seat", 4),
        ("paper", "random play, first seat", "random play, second seat", 2),
        ("paper", "joint plan, first seat", "joint plan, second seat", 1),
    }
    assert [(figure.kind, figure.title) for figure in trading.figures] == [
        ("stacked-bar", "paper: outcomes by pair"),
        ("bar", "paper: won and rejected by agent"),
        ("bar", "paper: turns by agent"),
        ("bar", "paper: invalid behaviour by agent"),
        ("heat-map", "paper: problems by difficulty"),
    ]


DIMENSIONS = (
    "goal-alignment", "cooperation", "adaptability", "intention-concealment", "strategic-planning", "self-interest",
    "information-use", "persuasion",
)  # fmt: skip
ORDERS = ("first-order", "second-order", "third-order")


def team(persona: str, *tags: str) -> dict[str, Any]:
    """Roles that a script plays: they wait, and propose nothing."""
    craft, note = '{"action": {"done": true}}', '{"note": "wait"}'
    nothing = '{"action": {"partner": null, "offer": {}, "request": {}, "message": ""}}'
    rules = [
        {"when": when, "say": say} for when, say in (('"note": "<', note), ("Proposal phase", nothing), (".", craft))
    ]
    backend = {"use": "scripted", "rules": rules}
    return {"use": "tradecraft-roles", "backend": backend, "persona": persona, "tags": list(tags)}


@pytest.mark.slow
def test_a_judge_scores_all_dimensions_and_orders(tmp_path: Path):
    """With a judge there are the eight dimensions and three orders with radars, and strata by persona.

    A question is about a turn of the game, in which players act in several roles.
    """
    (tmp_path / "mine.yaml").write_text(
        json.dumps({"agents": {"calm": team("unprimed"), "rival": team("competitive")}})
    )
    place = tmp_path / "run"
    command(
        *("run", "suite:tradecraft-judged", "--agents", tmp_path / "mine.yaml", "-q", "-o", place),
        *("--set", "games.paper.max-turns=1", "--set", "schedule={use: fixed, seatings: [[calm, rival]]}"),
        *("--set", "metrics.behaviour.backend={use: scripted}", "--set", "metrics.mind.backend={use: scripted}"),
        *("--set", "metrics.trading.reference-matches=2", "--game", "paper[problems=paper#1]"),
        *("--game", "paper[problems=paper#2]"),
    )

    found = sections(place)
    for name, wanted in (("social-behaviour", DIMENSIONS), ("theory-of-mind", ORDERS)):
        judged = found[f"Judged: {name}"]
        strata = next(table for table in judged.tables if table.title == "Scores by persona and role")
        assert {row[0] for row in strata.rows} == {"paper"}
        assert {row[1] for row in strata.rows} == {"unprimed", "competitive"}
        assert {row[2] for row in strata.rows} == {"any"}
        kinds = {figure.title: figure.kind for figure in judged.figures}
        assert kinds == {f"paper: {name} by agents": "radar", f"paper: {name} by personas": "radar"}
        assert all(len(figure.x) == len(wanted) for figure in judged.figures)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judged run of the suite with two models and two personas, cut as a user cuts it."""
    root = tmp_path_factory.mktemp("judged")
    agents = {"calm": team("unprimed", "model", "persona"), "rival": team("competitive", "persona")}
    agents |= {name: {"use": name, "tags": ["model"]} for name in ("random", "trader")}
    (root / "mine.yaml").write_text(json.dumps({"agents": agents}))
    command(
        *("run", "suite:tradecraft-judged", "--agents", root / "mine.yaml", "-q", "-o", root / "run"),
        *("--game", "paper[problems=paper#1]", "--game", "paper[problems=paper#2]", "--set", "games.paper.max-turns=3"),
        *("--set", "metrics.behaviour.backend={use: scripted}", "--set", "metrics.mind.backend={use: scripted}"),
        *("--set", "metrics.trading.reference-matches=2"),
    )
    return root / "run"


@pytest.fixture(scope="module")
def reported(judged: Path) -> list[Any]:
    """The sections of the judged run, as ``arena report --json`` has them."""
    return json.loads(command("report", judged, "--json"))["sections"]


@pytest.fixture(scope="module")
def figures(reported: list[Any]) -> dict[str, Any]:
    """All figures of the judged run by title."""
    return {figure["title"]: figure for section in reported for figure in section["figures"]}


@pytest.mark.slow
def test_one_judged_run_has_every_figure_of_the_paper(figures: dict[str, Any]):
    """One journal gives radars overall and of each pairing, measures by agent and persona, outcomes and contrasts."""
    radars = {title for title, figure in figures.items() if figure["kind"] == "radar"}
    models = ("calm : calm", "calm : random", "calm : trader", "random : random", "random : trader", "trader : trader")
    pairings = (*models, "calm : rival", "rival : rival")
    for name in ("social-behaviour", "theory-of-mind"):
        assert {title for title in radars if name in title} == {
            *(f"paper: {name} by {what}" for what in ("agents", "personas")),
            *(f"paper: {name} in {pairing}" for pairing in pairings),
        }
        assert f"paper: {name} of winners and losers" in figures
        assert f"paper: {name}, relative difference" in figures
    for what in ("agent", "persona"):
        assert {f"paper: {each} by {what}" for each in ("won and rejected", "turns", "invalid behaviour")} <= set(
            figures
        )
    assert {"paper: outcomes by pair", "paper: problems by difficulty"} <= set(figures)


@pytest.mark.slow
def test_the_page_names_figures_and_tables_that_a_run_has(reported: list[Any], figures: dict[str, Any]):
    """Each figure and table that the page of the suite names for one of the paper's is in the judged run."""
    page = (Path(__file__).parents[4] / "docs/suites/tradecraft.md").read_text(encoding="utf-8")
    rows = re.search(r"## Figures and tables\n(.*?)\n## ", page, re.DOTALL)
    assert rows
    named = set(re.findall(r"\*([^*]+)\*", rows[1]))
    drawn = {name.replace("A : B", "calm : rival") for name in named if name.startswith("paper: ")}
    sections = {section["title"] for section in reported}
    tables = {name for name in named if name[:1].isupper()} - sections

    assert len(drawn) > 10
    assert len(tables) > 4
    assert drawn <= set(figures)
    assert tables <= {table["title"] for section in reported for table in section["tables"]}


@pytest.mark.campaign
def test_figures_of_a_run_are_files(judged: Path, tmp_path: Path):
    """``--format figures`` writes each figure of the run as SVG and PNG."""
    command("report", judged, "--format", "figures", "-o", tmp_path / "figures")

    names = {re.sub(r"^\d+-", "", file.name) for file in (tmp_path / "figures").iterdir()}
    for title in ("social-behaviour-in-calm-rival", "turns-by-persona", "problems-by-difficulty"):
        assert {f"paper-{title}.svg", f"paper-{title}.png"} <= names


@pytest.mark.slow
def test_a_radar_of_a_pairing_has_its_two_agents(figures: dict[str, Any]):
    """A radar has the two that met, or the two seats of an agent that met itself, from 0 to the greatest score."""
    assert set(figures["paper: social-behaviour in calm : rival"]["series"]) == {"calm", "rival"}
    itself = figures["paper: social-behaviour in calm : calm"]
    assert set(itself["series"]) == {"calm, seat 1", "calm, seat 2"}
    assert "calm, seat 1 n=4, calm, seat 2 n=4" in itself["note"]
    assert itself["references"] == {"greatest score": 1.0}
    values = [value for series in itself["series"].values() for value in series]
    assert all(0 <= value["interval"][0] <= value["value"] <= value["interval"][1] <= 1 for value in values)


@pytest.mark.slow
def test_every_number_of_a_figure_has_its_sample_and_interval(figures: dict[str, Any]):
    """In ``arena report --json`` the figures' numbers have n, unit and interval; numbers of problems are counted.

    A mean of fewer than five blocks has no interval, and neither have equal values; both say so.
    """
    for title, figure in figures.items():
        if not title.startswith("paper: "):
            continue
        values = [value for series in figure["series"].values() for value in series if value is not None]
        if figure["kind"] == "heat-map":
            assert sum(values) == 2, "both problems that were played are counted"
            assert "n=2" in figure["note"]
            continue
        assert values
        known = [value for value in values if value["value"] is not None]
        assert all(value["n"] > 0 and value["unit"] for value in known), title
        without = [value for value in known if value["interval"][0] is None]
        assert all("are equal" in value["method"] or value["n"] < 5 for value in without), title
        assert all(value["method"].startswith("no interval: ") for value in without), title


@pytest.mark.slow
def test_a_judge_is_asked_once_for_each_turn_of_the_game(tmp_path: Path):
    """Each rubric asks one question for each turn, sample and match, and the dry run expects as many."""
    judge = "{use: judge, samples: 2, backend: {use: scripted}"
    options = (
        *("run", "suite:tradecraft-judged", "--agent", "random", "-q"),
        *("--set", f"metrics.behaviour={judge}}}", "--set", f"metrics.mind={judge}, rubric: theory-of-mind}}"),
        *("--game", "paper[problems=paper#1]", "--set", "schedule={use: fixed, seatings: [[random, random]]}"),
        *("--set", "metrics.trading.reference-matches=2", "--set", "games.paper.max-turns=3"),
    )
    place = tmp_path / "run"
    command(*options, "-o", place)
    with Journal.open(place) as journal:
        (record,) = journal.records()
        found = {
            name: [m for each in journal.judgements(name).values() for m in each] for name in ("behaviour", "mind")
        }
        tokens = {json.loads(a.request)["sampling"]["max_tokens"] for a in journal.answers(record.id)}

    turns = [event for event in record.events if event.kind == "turn"]
    assert len(turns) > 1
    for each in found.values():
        asked = [m for m in each if m.name == "asked"]
        assert len(asked) == 2 * len(turns)
        assert {(m.player, m.detail["party"]) for m in each if m.name == "score"} == {(0, "player 1"), (1, "player 2")}
    assert tokens == {1400}
    expected = command(*options, "--dry-run")
    assert "behaviour (judge): 6 (6 to 18) calls" in expected
    assert "mind (judge): 6 (6 to 18) calls" in expected


def test_the_page_names_tests_that_there_are():
    """Each test that the page of the suite names for a defect of the original is there."""
    root = Path(__file__).parents[4]
    named = set(re.findall(r"`(test_\w+)`", (root / "docs/suites/tradecraft.md").read_text(encoding="utf-8")))
    folders = ("games/tradecraft/tests", "agents/roles/tests")
    written = "".join(
        file.read_text(encoding="utf-8") for folder in folders for file in (root / "plugins" / folder).glob("test_*.py")
    )

    assert len(named) > 5
    assert all(f"def {name}(" in written for name in named)


@pytest.mark.campaign
@pytest.mark.timeout(1_800)
def test_the_embedded_model_plays_whole_matches(tmp_path: Path):
    """The embedded model plays in roles of two completions to the last turn: nothing crashes, all is classified."""
    place = tmp_path / "run"
    command(
        *("run", "suite:tradecraft-small", "-q", "-o", place),
        *("--set", "schedule={use: fixed, seatings: [[unprimed, random]]}"),
        *("--set", "metrics.trading.reference-matches=2"),
    )

    with Journal.open(place) as journal:
        (match,) = journal.records()
        answers = list(journal.recorded(match.id).values())
    assert match.ending is Ending.RULES
    played = [event.data for event in match.played()]
    roles = {answer.scope.split("/")[3] for answer in answers}
    assert roles == {"proposer", "decision-maker", "planner", "crafter"}
    assert {data["by"] for data in played} <= {"agent", "skip"}
    refused = [event.data for event in match.refused()]
    assert {data["kind"] for data in refused} <= set(RefusalKind)
    assert all(data["rule"] and data["reason"] for data in refused if data["kind"] == "illegal")
    (game,) = load_benchmark("suite:tradecraft-small").games.values()
    counted = [m.detail for m in Trading().measure(FinishedMatch(match, game.game)) if m.name == "conduct"]
    assert sum(sum(player["rules"].values()) for player in counted) == len(refused)
    assert sections(place)["Trading"].tables
