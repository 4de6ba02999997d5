from fractions import Fraction
from pathlib import Path
from typing import Any

import arena
import pytest
from arena.tables import Section
from arena_game_two_by_two.topology import GAMES
from arena_metric_equilibria.playing import distance, equilibria
from arena_metric_equilibria.score_tables import REFERENCES, reference
from arena_metric_equilibria.scores import score

SOME = ["111", "122", "322", "222", "444", "311"]
BENCHMARK: dict[str, Any] = {
    "name": "some",
    "seed": 3,
    "games": {
        "classic": {"use": "two-by-two"},
        "other": {"use": "two-by-two", "exchange": ["players"]},
        "told": {"use": "two-by-two-story"},
        "row": {"use": "two-by-two-sequence", "stories": 3},
        "nested": {"use": "two-by-two-nested"},
    },
    "sweep": {
        "games.classic.game": SOME,
        "games.other.game": SOME,
        "games.told.game": SOME,
        "games.told.story": [0, 4],
    },
    "agents": {
        "nash": {"use": "nash"},
        "silent": {"use": "scripted"},
        "cautious": {"use": "rule-of-thumb", "rule": "maximin"},
    },
    "schedule": {"use": "self-play", "repeats": 2},
    "metrics": ["equilibria"],
}


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Section]:
    run = arena.run(BENCHMARK, output=tmp_path_factory.mktemp("runs") / "run")
    return {section.title: section for section in run.report().sections}


def rows(section: Section, title: str) -> list[dict[str, Any]]:
    table = next(table for table in section.tables if table.title == title)
    return [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]


def test_the_solver_is_perfect_and_silence_is_not(sections: dict[str, Section]):
    """Always right is 1, 0, 0 in every form; who never answers readably is wrong everywhere, and that is shown."""
    table = rows(sections["Equilibria of 2×2 games"], "Accuracy, inconsistency and bias")
    found = {(row["form"], row["agent"]): row for row in table}

    for form in ("classic", "story"):
        nash, silent = found[form, "nash"], found[form, "silent"]
        assert (nash["par"].value, nash["id"].value, nash["bd"].value) == (1, 0, 0)
        assert nash["unreadable"].value == 0
        assert silent["par"].value == 0
        assert silent["unreadable"].value == 1
    assert found["classic", "nash"]["answers"] == 12
    assert found["story", "nash"]["answers"] == 24
    assert {name for form, name in found if form == "classic"} > set(REFERENCES.values())


def test_who_never_answers_looks_no_better_than_random(sections: dict[str, Section]):
    """In each table, map and radar every number of an agent without a readable answer is the worst, or missing."""
    section = sections["Equilibria of 2×2 games"]
    for title in ("Accuracy, inconsistency and bias", "By number of equilibria"):
        for row in rows(section, title):
            if row["agent"] == "silent":
                told = {name.split()[0].lower(): cell.value for name, cell in row.items() if hasattr(cell, "value")}
                worst = {"par": 0, "id": 1, "bd": 1, "sd": None, "unreadable": 1}
                assert all(value in (worst[name], None) for name, value in told.items())
    radar = next(figure for figure in section.figures if figure.kind == "radar")
    assert {cell.value for panel in radar.panels for cell in panel.series["silent"]} <= {0, None}
    maps = next(each for each in sections["Maps of the 2×2 games"].figures if each.title.startswith("silent"))
    assert {cell for panel in maps.beside for row in panel.series.values() for cell in row} == {None}


def test_every_number_is_of_the_games_that_were_asked(sections: dict[str, Section]):
    """References are computed over the same games: among these six, silence is right once."""
    table = rows(sections["Equilibria of 2×2 games"], "Accuracy, inconsistency and bias")

    none = next(row for row in table if row["agent"] == REFERENCES["none"])

    assert none["games"] == 6
    assert none["par"] == pytest.approx(sum(not GAMES[game].matrix.equilibria for game in SOME) / 6)


def test_renaming_changes_nothing_for_the_solver(sections: dict[str, Section]):
    """The paired comparison has a row for each agent; the solver's answers move with the names."""
    table = rows(sections["Robustness to renaming"], "Renamings against the original")

    assert {row["agent"] for row in table} == {"nash", "silent", "cautious"}
    assert {row["difference"].value for row in table} == {0}
    assert {row["games"] for row in table} == {6}


def test_complex_forms_count_whole_matches(sections: dict[str, Section]):
    """A match is right if all its questions are; random play is shown beside it."""
    table = rows(sections["Other questions about 2×2 games"], "Everything right")
    found = {(row["form"], row["agent"]): row for row in table}

    assert found["sequential", "nash"]["right"].value == 1
    assert found["nested-story", "nash"]["right"].value == 1
    assert found["sequential", "silent"]["right"].value == 0
    assert found["sequential", "nash"]["random"].value == 16**-3


def test_maps_show_every_quarter(sections: dict[str, Section]):
    """The standard map has 24 rows of 24 quarters, 144 of them right; games that were not asked are left blank."""
    figure, *_ = sections["Maps of the 2×2 games"].figures
    standard, practical, *_ = figure.panels
    cells = [value for row in standard.series.values() for value in row]

    assert len(cells) == 24 * 24
    assert sum(value or 0 for value in cells) == 108 + 2 * 18  # type: ignore[misc]  # no estimates here
    assert sum(value is not None for row in practical.series.values() for value in row) == 4 * len(SOME)
    assert len(standard.labels) == 144


MAPS = ("practical", "inconsistency (practical − standard)")


def test_maps_stand_beside_each_other_with_fixed_limits(sections: dict[str, Section]):
    """An agent's figure has the standard map and, of each form, shares with their n, and differences."""
    figure = next(each for each in sections["Maps of the 2×2 games"].figures if each.title.startswith("nash"))

    assert [panel.title for panel in figure.panels] == [
        "nash, classic, story: standard",
        *(f"{form}: {what}" for form in ("classic", "story") for what in MAPS),
    ]
    assert [panel.limits for panel in figure.panels] == [(0, 1), *[(0, 1), (-1, 1)] * 2]
    shares = [value for row in figure.panels[1].series.values() for value in row if value is not None]
    assert {(value.n, value.unit, value.method) for value in shares} == {
        (2, "answers", "no interval: fewer than 3 answers")
    }
    wrong = [value.value for row in figure.panels[2].series.values() for value in row if value is not None]
    assert set(wrong) == {0}


def test_maps_have_layers_names_and_lines(sections: dict[str, Section]):
    """Names stand outside; the counter-diagonal and the boxes of the games without equilibrium are drawn."""
    standard = sections["Maps of the 2×2 games"].figures[0]
    diagonal, *boxes = standard.outlines

    assert standard.blocks == (2, 12)
    assert standard.block_names is not None
    assert standard.block_names.columns == ("1", "6", "5", "4", "3", "2") * 2
    assert standard.block_names.rows == ("2", "3", "4", "5", "6", "1") * 2
    assert standard.block_names.ends[:2] == ("Chicken", "Leader")
    assert diagonal.points == ((0, 24), (24, 0))
    assert [(box.points[0], box.points[2]) for box in boxes] == [((6, 0), (12, 6)), ((18, 12), (24, 18))]


def test_references_stand_in_one_block_behind_all_agents(sections: dict[str, Section]):
    """The agents of all forms come first, then the exact lines of all forms."""
    table = rows(sections["Equilibria of 2×2 games"], "Accuracy, inconsistency and bias")

    are_exact = [row["agent"] in REFERENCES.values() for row in table]
    assert are_exact == sorted(are_exact)


def test_references_are_exact():
    """Random sets and random cells come to what can be worked out by hand."""
    sets, cells = score(reference("random-set", GAMES)), score(reference("random-cell", GAMES))

    assert (sets.par, sets.id, sets.bd) == (Fraction(1, 16), Fraction(1, 4), 0)
    assert (cells.par, cells.bd) == (Fraction(3, 16), 0)


def test_every_game_has_an_equilibrium_at_no_distance():
    """Each equilibrium, pure or mixed, lies at distance zero; one combination that is none lies further off."""
    for game in GAMES.values():
        points = list(equilibria(game.matrix))
        assert points
        for point in points:
            assert sum(point) == 1
            assert distance(point, game.matrix) == 0
    assert distance([Fraction(1), Fraction(0), Fraction(0), Fraction(0)], GAMES["111"].matrix) == 1


def test_played_games_are_held_against_equilibria(tmp_path: Path):
    """In the dilemma two defectors are in the equilibrium in every match, and at no distance from it."""
    run = arena.run(
        {
            "name": "played",
            "seed": 1,
            "games": {"dilemma": {"use": "two-by-two-play", "game": "111"}},
            "agents": {"defect": {"use": "scripted", "players": {"A": ["A2"], "B": ["B1"]}}},
            "schedule": {"use": "self-play", "repeats": 4},
            "metrics": ["equilibria"],
        },
        output=tmp_path / "run",
    )

    (section,) = [section for section in run.report().sections if section.title == "2×2 games played"]
    (row,) = rows(section, "Play against equilibria")

    assert (row["matches"], row["pure"].value, row["distance"].value) == (4, 1, 0)
    assert row["random-pure"].value == 0.25
    assert (row["random-pure"].low, row["random-pure"].high) == (0.0, 0.75)
    assert row["random-distance"].value == pytest.approx(0.75, abs=0.02)
    assert (row["random-distance"].low, row["random-distance"].high) == (0.25, 1.0)


@pytest.mark.parametrize("then", ["forfeit", "disqualify"])
def test_who_fails_is_in_no_equilibrium(tmp_path: Path, then: str):
    """Matches that ended by invalid responses count: far from an equilibrium, and as questions not answered."""
    run = arena.run(
        {
            "name": "failed",
            "seed": 1,
            "games": {
                "dilemma": {"use": "two-by-two-play", "game": "111"},
                "row": {"use": "two-by-two-sequence", "stories": 3},
            },
            "agents": {"silent": {"use": "scripted"}},
            "schedule": {"use": "self-play", "repeats": 4},
            "metrics": ["equilibria"],
            "illegal-actions": {"then": then},
        },
        output=tmp_path / "run",
    )

    sections = {section.title: section for section in run.report().sections}
    (played,) = rows(sections["2×2 games played"], "Play against equilibria")
    (asked,) = rows(sections["Other questions about 2×2 games"], "Everything right")

    assert (played["matches"], played["pure"].value, played["distance"].value) == (4, 0, 1)
    assert (asked["right"].value, asked["right"].n) == (0, 4)


def test_the_topology_has_its_families_and_solutions(sections: dict[str, Section]):
    """18 games without equilibrium, 108 with one and 18 with two; only those with one have a dominant choice."""
    section = sections["Equilibria of 2×2 games"]
    kinds = [tuple(row.values()) for row in rows(section, "Games by equilibria, and by who has a dominant choice")]
    families, solutions = (each for each in section.figures if each.title.startswith(("Families", "Solutions")))

    assert kinds == [("0", 18, 0, 0, 0, 18), ("1", 108, 36, 36, 36, 0), ("2", 18, 0, 0, 0, 18)]
    assert [panel.limits for panel in families.panels] == [(1, 4), (1, 4), (0, 2)]
    assert families.block_names is not None
    assert families.block_names.rows[:2] == ("Chicken", "Battle")
    assert families.block_names.columns[-1] == "Chicken"
    leaving = [value for row in families.beside[1].series.values() for value in row]
    assert leaving.count(0) == 108 + 2 * 18
    assert [{v for row in panel.series.values() for v in row} for panel in solutions.panels] == [
        {0, 1, 2}, {0, 1}, {0, 1}
    ]  # fmt: skip


def test_stories_that_were_asked_are_counted_once(sections: dict[str, Section]):
    """Each of the twelve stories is one point and one part of the shares, however many agents answered it."""
    section = sections["Equilibria of 2×2 games"]
    topics = rows(section, "Stories by topic")
    shares, lengths, scatter = section.figures[-1].panels

    assert sum(row["stories"] for row in topics) == 12
    assert [(row["share"].n, row["share"].unit) for row in topics] == [(12, "stories")] * len(topics)
    for figure in (shares, lengths):
        assert sum(value.value for value in figure.series["share"]) == pytest.approx(1)
    assert len(scatter.x) == 12
    assert set(scatter.x) == set(shares.x)
    assert all(200 <= words <= 450 for words in scatter.series["words"])
    assert scatter.unit == "words"
