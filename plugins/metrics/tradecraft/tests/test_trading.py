"""What players of TradeCraft did, counted from records of real matches."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import MatchRecord
from arena.tables import Estimate, Section
from arena.testing import RANDOM, FunctionAgent, check_metric, play
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import Difficulty, Problem
from arena_metric_tradecraft.metric import Trading

START = Problem(({"stick": 2, "oak_log": 2}, {"coal": 2}), ({"torch": 4}, {"oak_log": 2}))
GAME = TradeCraft(ruleset="workshop", problems=(START,), max_turns=3)
DONE = {"done": True}
PASS = {"partner": None, "offer": {}, "request": {}, "message": ""}
YES, NO = {"accept": True, "message": ""}, {"accept": False, "message": ""}
TORCHES = {"inputs": {"coal": 1, "stick": 1}, "output": {"torch": 4}}
PLANKS = {"inputs": {"oak_log": 1}, "output": {"oak_planks": 4}}

Played = Callable[..., MatchRecord]


def offer(partner: int, offer: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    return {"partner": f"player {partner}", "offer": offer, "request": request, "message": ""}


def doing(*actions: Any) -> FunctionAgent:
    """Plays what is written down, and is done or passes when nothing is left."""
    left = list(actions)

    def choose(decision: Any, seat: Any) -> Reply | Refusal:
        if not left:
            return Reply(action=decision.skip)
        action = left.pop(0)
        return action if isinstance(action, Refusal) else Reply(action=action, note={"persona": "rude"})

    return FunctionAgent(choose)


@pytest.fixture
def played(tmp_path: Path) -> Played:
    """A match between agents."""

    def played(agents: Sequence[FunctionAgent], game: TradeCraft = GAME, **more: Any) -> MatchRecord:
        return play(game, agents, tmp_path / str(len(list(tmp_path.iterdir()))), **more).over

    return played


def conduct(record: MatchRecord, game: TradeCraft = GAME) -> list[dict[str, Any]]:
    """What is said of each player, without what is nothing."""
    found = [m.detail for m in Trading().measure(FinishedMatch(record, game)) if m.name == "conduct"]
    return [{k: v for k, v in detail.items() if v} for detail in found if isinstance(detail, Mapping)]


def outcome(record: MatchRecord, game: TradeCraft = GAME) -> dict[str, Any]:
    """What is said of the match."""
    (found,) = [m for m in Trading().measure(FinishedMatch(record, game)) if m.name == "match"]
    assert isinstance(found.detail, Mapping)
    return {"turns": found.value, **found.detail}


def test_each_kind_of_invalid_behaviour_is_counted_once(played: Played):
    """Refused proposals, answers and crafts, what cannot be read, and empty proposals are told apart."""
    unreadable = Refusal(kind=RefusalKind.UNREADABLE, reason="prose")
    one = doing(
        *(offer(2, {"coal": 1}, {}), offer(1, {}, {}), unreadable, offer(2, {}, {})),
        *({"inputs": {"stick": 1}, "output": {"torch": 4}}, TORCHES, DONE),
    )
    two = doing({"accept": "maybe"}, NO, DONE)
    record = played([one, two])
    first, second = conduct(record)

    wanted = {"infeasible": 2, "unreadable": 1, "empty": 2, "invalid_crafts": 2, "proposals": 1}
    assert {k: first[k] for k in wanted} == wanted  # the second empty proposal is that of turn 3
    assert first["rules"] == {
        "not-held": 1, "self-trade": 1, "unreadable": 1, "not-a-recipe": 1, "not-enough": 1,
    }  # fmt: skip
    assert (second["invalid_answers"], second["rejects"]) == (1, 1)
    assert "accepts" not in second


def test_what_a_policy_puts_in_is_no_behaviour(played: Played):
    """Proposals, answers and crafts of a policy are substitutes, and not empty, rejected or crafted by the player."""
    nonsense = doing(*["?"] * 12)
    record = played([nonsense, doing()], illegal_actions=IllegalActionPolicy(retries=0, then="skip"))
    first, second = conduct(record)

    assert (first["substitutes"], first["infeasible"], first["invalid_crafts"]) == (5, 2, 3)
    assert "empty" not in first
    assert (second["empty"], "substitutes" in second) == (1, False)


def test_a_win_has_its_crafts_and_the_fewest(played: Played):
    """The winner's crafts stand beside the shortest chain from all it was dealt and got; crafts in vain cost."""
    one = doing(offer(2, {}, {"coal": 1}), PLANKS, TORCHES, DONE)
    record = played([one, doing(YES)])
    first, second = conduct(record)

    assert outcome(record)["winners"] == [0]
    assert (first["crafts"], first["needed"], first["won"]) == (2, 1, True)
    assert second["accepts"] == 1
    assert "won" not in second


def test_a_target_that_is_given_needs_no_craft(played: Played):
    """Who gets its target in trades needed no crafts, and both may win at once."""
    one = doing(offer(2, {"oak_log": 2}, {"coal": 1}), TORCHES, DONE)
    record = played([one, doing(YES)])

    assert outcome(record)["winners"] == [0, 1]
    assert [player["won"] for player in conduct(record)] == [True, True]
    assert "needed" not in conduct(record)[1]


def test_a_forfeited_match_is_broken_off(played: Played):
    """Who is put out ends the match: nobody has won by the rules, and it is not counted among those that nobody won."""
    record = played([doing("?"), RANDOM], illegal_actions=IllegalActionPolicy(retries=0, then="forfeit"))

    assert outcome(record) | {"problem": ""} == {
        "turns": 1, "problem": "", "level": outcome(record)["level"], "winners": [], "is_over": False, "players": 2,
    }  # fmt: skip


def test_who_is_put_out_rejected_nothing(played: Played):
    """A proposal to a player who is put out over it fails, and is no rejection of that player's."""
    game = attrs.evolve(GAME, quitting="continue")
    policy = IllegalActionPolicy(retries=0, then="forfeit")
    record = played([doing(offer(2, {}, {"coal": 1})), doing("?")], game, illegal_actions=policy)
    first, second = conduct(record, game)

    assert [event.kind for event in record.events if event.kind in ("left", "rejected")] == ["left", "rejected"]
    assert first["proposals"] == 1
    assert (second["invalid_answers"], "rejects" in second) == (1, False)


def section(records: Sequence[MatchRecord], game: TradeCraft = GAME, **more: Any) -> Section:
    """The section of a report on records, each with an id of its own."""
    metric = Trading(reference_matches=4)
    plans = [attrs.evolve(r.plan, id=f"game/{n}", chance_seed=n, **more) for n, r in enumerate(records)]
    matches = [attrs.evolve(r, plan=plan) for r, plan in zip(records, plans, strict=True)]
    rows = [
        MeasurementRow.of(found, match) for match in matches for found in metric.measure(FinishedMatch(match, game))
    ]
    (made,) = metric.summarize(Measurements(rows=rows, games={match.game: game for match in matches}))
    return made


def cells(made: Section, title: str, first: str, key: str = "agent") -> dict[str, Any]:
    """A row of a table by its agent."""
    (table,) = [table for table in made.tables if table.title == title]
    names = [column.title for column in table.columns]
    (row,) = [row for row in table.rows if row[names.index(key)] == first]
    return dict(zip(names, row, strict=True))


def values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Estimates as their values."""
    return {k: v.value if isinstance(v, Estimate) else v for k, v in row.items()}


def test_the_tables_hold_the_paper_s_measures(played: Played):
    """Outcomes by pair, turns, invalid behaviour per turn, rejection as receiver and efficiency are in the report."""
    win = [doing(offer(2, {}, {"coal": 1}), PLANKS, TORCHES, DONE), doing(YES)]
    lose = [doing(offer(2, {"coal": 1}, {}), offer(2, {}, {"coal": 1})), doing(NO)]
    records = [played(win), played(lose)]
    made = section(records, agents=("ann", "bob"), pairing="ann,bob")

    pair = values(cells(made, "Outcomes by pair", "ann", "first"))
    assert (pair["second"], pair["first wins"], pair["nobody wins"], pair["both win"]) == ("bob", 0.5, 0.5, 0)
    ann, bob = (values(cells(made, "Trading by agent", name)) for name in ("ann", "bob"))
    assert (ann["won"], ann["turns"], ann["chain efficiency"]) == (0.5, 2, 0.5)
    assert ann["invalid per turn"] == pytest.approx(2 / 4)  # one refused trade and one empty proposal in four turns
    assert bob["rejected as receiver"] == 0.5
    assert values(cells(made, "Trading by persona", "rude", "persona"))["matches"] == 4
    assert cells(made, "Trading by agent", "random play")["matches"] == 8


def test_the_joint_plan_stands_beside_agents(played: Played):
    """The best cooperative plan lets both win, in the fewest turns, without any invalid behaviour."""
    made = section([played([doing(), doing()])])
    plan = values(cells(made, "Trading by agent", "joint plan"))

    assert (plan["won"], plan["turns"], plan["invalid per turn"], plan["chain efficiency"]) == (1, 1, 0, 1)


def test_games_swept_over_problems_are_one_game(played: Played):
    """Ten matches over five problems are ten matches of a pairing, and not five times two."""
    record = played([doing(), doing()])
    records = [attrs.evolve(record, plan=attrs.evolve(record.plan, game=f"paper[problems=paper#{n}]")) for n in (1, 2)]
    made = section(records)

    (table,) = [table for table in made.tables if table.title == "Winners and turns"]
    assert [row[0] for row in table.rows] == ["paper"] * 3
    assert table.rows[0][2] == 2


def test_problems_and_difficulties_are_told_apart(played: Played):
    """Each problem has lines of its own, and so has each difficulty, from easy to hard; what is ungraded has none."""

    def graded(amount: int, chain: int | None) -> Problem:
        grade = chain and Difficulty((chain, 0), (1, 1), (1, 1), jointly=True)
        return Problem(START.hands, ({"torch": amount}, {"oak_log": 2}), difficulty=grade or None)

    problems = tuple(graded(amount, chain) for amount, chain in ((4, 1), (8, 5), (12, 12), (16, None)))
    game = TradeCraft(ruleset="workshop", problems=problems, max_turns=1)
    records = [played([doing(), doing()], attrs.evolve(game, problems=(problem,))) for problem in problems]
    made = section(records, game)
    tables = {table.title: table.rows for table in made.tables}

    assert [row[1] for row in tables["Trading by difficulty"] if row[2] == "all agents"] == ["easy", "medium", "hard"]
    assert [row[1] for row in tables["Trading by problem"] if row[2] == "all agents"] == [
        f"problem#{n}: {amount} torch / 2 oak_log" for n, amount in ((1, 4), (2, 8), (3, 12), (4, 16))
    ]


def test_figures_have_the_measures_by_agent_and_by_persona(played: Played):
    """Wins, rejections, turns and invalid behaviour are figures by agent and persona, with the tables' numbers."""
    win = [doing(offer(2, {}, {"coal": 1}), PLANKS, TORCHES, DONE), doing(YES)]
    lose = [doing(offer(2, {"coal": 1}, {}), offer(2, {}, {"coal": 1})), doing(NO)]
    made = section([played(win), played(lose)], agents=("ann", "bob"), pairing="ann,bob")
    figures = {figure.title: figure for figure in made.figures}
    ann = cells(made, "Trading by agent", "ann")

    assert figures["game: won and rejected by agent"].series["ann"] == (ann["won"], ann["rejected as receiver"])
    turns = figures["game: turns by agent"]
    assert turns.series["turns"][turns.x.index("ann")] == ann["turns"]
    assert figures["game: invalid behaviour by agent"].series["ann"][0] == ann["invalid per turn"]
    rude = cells(made, "Trading by persona", "rude", "persona")
    assert figures["game: won and rejected by persona"].series["rude"] == (rude["won"], rude["rejected as receiver"])
    assert set(figures["game: invalid behaviour by persona"].series) == {"rude", "random play", "joint plan"}
    assert "rude n=4" in figures["game: turns by persona"].note


def test_problems_are_a_figure_by_chain_and_trades(played: Played):
    """The problems of a game are counted by the chain and the trades of their hardest target; the rest is named."""

    def graded(amount: int, chain: int, trades: int | None) -> Problem:
        grade = Difficulty((chain, 1), (trades, 1), (1, 1), jointly=True) if trades else None
        return Problem(START.hands, ({"torch": amount}, {"oak_log": 2}), difficulty=grade)

    kinds = ((4, 2, 1), (8, 2, 1), (12, 4, 2), (16, 1, None))
    problems = tuple(graded(*kind) for kind in kinds)
    game = TradeCraft(ruleset="workshop", problems=problems, max_turns=1)
    made = section([played([doing(), doing()], attrs.evolve(game, problems=problems[:1]))], game)

    figure = made.figures[-1]
    assert figure.title == "game: problems by difficulty"
    assert figure.x == ("2", "3", "4")
    assert figure.series == {"2": (0, 0, 1), "1": (2, 0, 0)}
    assert "n=3" in figure.note
    assert figure.note.endswith("Not graded or not proved: 1.")


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_contract_of_metrics_is_kept(players: int, tmp_path: Path):
    """Random matches of any number of players are measured purely and summed up with intervals."""
    game = TradeCraft(ruleset="workshop", problems="workshop", max_turns=2)
    records = [play(game, [RANDOM] * players, tmp_path / str(n), seed=n).over for n in range(4)]
    plans = [attrs.evolve(record.plan, id=f"game/{n}", repeat=n) for n, record in enumerate(records)]
    records = [attrs.evolve(record, plan=plan) for record, plan in zip(records, plans, strict=True)]

    report = check_metric(Trading(reference_matches=2), records, game)

    assert report.estimates > 0
