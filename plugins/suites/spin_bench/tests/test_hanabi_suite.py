"""The suite spin-hanabi, from the command line to its table."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, cast

import arena
import pytest
from arena.chance import Chance
from arena.metric import FinishedMatch
from arena.record import EVERYONE, Ending, Event, MatchPlan, MatchRecord, Player, derive_rng
from arena_cli.application.group import group
from arena_engine import Journal, load_benchmark, plan_matches
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.engine.game import SpielState
from arena_suite_spin_bench.hanabi import HanabiScores, quartiles
from click.testing import CliRunner

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("hanabi"),  # one process: what all tests here share takes long to make
]

HANDS = {
    "hanabi-2": (2, 5),
    "hanabi-3": (3, 5),
    "hanabi-4": (4, 5),
    "hanabi-5": (5, 4),
    "hanabi-4-by-the-rules": (4, 4),
}


def played(directory: Path, agents: dict[str, Any], *more: str) -> Path:
    """A run of the suite with other agents in the place of all."""
    (directory / "mine.yaml").write_text(json.dumps({"agents": agents}), encoding="utf-8")
    words = ["run", "suite:spin-hanabi", "--agents", str(directory / "mine.yaml"), "-q", "-o", str(directory / "run")]
    done = CliRunner().invoke(group, [*words, *more], prog_name="arena")
    assert done.exit_code == 0, done.output
    return directory / "run"


def records(run: Path) -> list[MatchRecord]:
    """All matches of a run."""
    with Journal.open(run) as journal:
        return list(journal.records())


@pytest.fixture(scope="module")
def rows(run: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows of the table *Hanabi scores* by game and agent."""
    section = next(section for section in arena.load(run).report().sections if section.title == "Hanabi")
    (table,) = section.tables
    assert table.title == "Hanabi scores"
    names = [column.name for column in table.columns]
    return {(str(row[0]), str(row[1])): dict(zip(names, row, strict=True)) for row in table.rows}


def test_one_agent_holds_all_seats_five_times_a_setting():
    """Two to five players with the original's hands, and four players with the hands of the rules; five more tries."""
    benchmark = load_benchmark("suite:spin-hanabi")
    plans = plan_matches(benchmark)

    assert {
        name: (entry.players, cast("Hanabi", entry.game).hand_size) for name, entry in benchmark.games.items()
    } == HANDS
    assert all(len(set(plan.agents)) == 1 for plan in plans)
    assert set(Counter((plan.game, plan.agents[0]) for plan in plans).values()) == {5}
    assert (benchmark.illegal_actions.retries, benchmark.illegal_actions.then) == (5, "forfeit")


def test_all_agents_get_the_same_deals():
    """A deal of one agent is a deal of every other one, and no two repeats have the same."""
    deals: dict[tuple[str, int], set[int]] = defaultdict(set)
    for plan in plan_matches(load_benchmark("suite:spin-hanabi")):
        deals[plan.game, plan.repeat].add(plan.chance_seed)

    assert {len(seeds) for seeds in deals.values()} == {1}
    assert len({seed for seeds in deals.values() for seed in seeds}) == 25


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suite with the player by rules, random play, and a model that answers with nothing legal."""
    silent = {
        "use": "llm",
        "backend": {"use": "scripted", "answers": ["I would rather not say."]},
        "constrained": False,
    }
    agents = {"rules": "hanabi-rules", "random": "random", "silent": silent}
    return played(tmp_path_factory.mktemp("hanabi"), agents)


def test_the_table_shows_both_scores(rows: dict[tuple[str, str], dict[str, Any]]):
    """For each setting and agent: score, quartiles, what the original records and lost matches, with n and interval."""
    assert set(rows) == {(game, agent) for game in HANDS for agent in ("rules", "random", "silent")}
    for (game, agent), row in rows.items():
        assert row["hands"] == "{} × {}".format(*HANDS[game])
        assert row["score"].n == 5
        assert row["score"].low is not None
        assert row["random"].value < 0.1
        if agent == "rules":
            assert row["score"].value >= 12
            assert (row["last life lost"].value, row["original records"].n) == (0, 5)
            assert row["original records"].value <= row["score"].value <= row["original records"].value + 1


def test_a_match_whose_last_life_is_lost_scores_nothing(rows: dict[tuple[str, str], dict[str, Any]]):
    """Random play loses all its lives: it earns 0, where the original would have recorded what lay there before."""
    lost = [row for (_, agent), row in rows.items() if agent == "random"]

    assert all(row["score"].value == 0 and row["last life lost"].value == 1 for row in lost)
    assert sum(row["original records"].value for row in lost) > 0


def test_who_cannot_answer_is_asked_five_times_more_and_loses(run: Path, rows: dict[tuple[str, str], dict[str, Any]]):
    """Six refusals and the match is lost with 0; the original crashes there and records nothing."""
    silent = [record for record in records(run) if "silent" in record.agents]

    assert len(silent) == 25
    assert {record.ending for record in silent} == {Ending.FORFEIT_FORMAT}
    assert {len(list(record.refused())) for record in silent} == {6}
    assert all(set(record.returns or ()) == {0.0} for record in silent)
    assert all(row["original records"].n == 0 for (_, agent), row in rows.items() if agent == "silent")


def test_a_disqualification_scores_nothing():
    """A match that nobody was given a return for, since a player failed, has the score 0 and is not left out."""
    plan = MatchPlan(id="h", game="h", agents=("m", "m"), pairing="m", repeat=0, rotation=0, chance_seed=0)
    out = MatchRecord(plan=plan, seats=("1", "2"), ending=Ending.DISQUALIFIED, returns=None, forfeited=(Player(0),))

    (row,) = HanabiScores().measure(FinishedMatch(out, Hanabi()))

    assert (row.value, row.detail["recorded"]) == (0.0, None)


def test_random_play_is_recorded_above_what_it_earns():
    """Over 400 deals of two players random play earns nothing, and the original records more than 1 of 25 on average.

    What is recorded is the engine's score before the last action, as the original keeps it.
    """
    game, recorded, earned = Hanabi(), [], []
    for seed in range(400):
        state, _ = game.start(Chance(seed), 2)
        rng, events, before = derive_rng("test", seed), [], 0.0
        while state.to_act():
            (player,) = state.to_act()
            before = cast("SpielState", state).engine.returns()[0]
            happened = state.apply({player: state.decision(player).sample(rng)})
            events += [Event(0, "game", event.kind, None, event.data, EVERYONE) for event in happened]
        returns = tuple(state.returns() or ())
        plan = MatchPlan(id="m", game="g", agents=("a", "a"), pairing="a,a", repeat=0, rotation=0, chance_seed=seed)
        record = MatchRecord(plan=plan, seats=(), ending=Ending.RULES, returns=returns, steps=1, events=tuple(events))
        (found,) = HanabiScores().measure(FinishedMatch(record, game))
        detail = cast("dict[str, Any]", found.detail)
        assert detail["recorded"] == before
        assert detail["is-bombed"] is (returns[0] == 0)
        recorded.append(detail["recorded"])
        earned.append(found.value)

    assert sum(earned) / 400 < 0.1
    assert 1.0 < sum(recorded) / 400 < 1.5


def test_quartiles_lie_between_scores():
    """They are interpolated between the scores; a single score is all three of them."""
    assert quartiles([1, 2, 3, 4, 5]) == (2, 3, 4)
    assert quartiles([0, 10]) == (2.5, 5, 7.5)
    assert quartiles([7.0]) == (7, 7, 7)


def test_the_prompt_asks_for_three_steps():
    """A turn is asked with the table, the three steps and the legal actions, and a reason before the action."""
    done = CliRunner().invoke(
        group, ["run", "suite:spin-hanabi", "--dry-run", "--show-prompt", "--agent", "smollm"], prog_name="arena"
    )

    assert done.exit_code == 0, done.output
    order = ["Hint tokens: 8", "1. Your own cards", "2. The others", "3. Discards", "play card A", '"reasoning"']
    places = [done.output.index(words) for words in order]
    assert places == sorted(places)
