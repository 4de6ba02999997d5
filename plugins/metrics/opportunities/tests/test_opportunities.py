import attrs
import pytest
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, canonical_json
from arena.testing import RANDOM, check_metric, play, playing
from arena_game_grid.game import ConnectFour, Gomoku, TicTacToe
from arena_game_grid.twins import GridTwin
from arena_metric_opportunities.metric import MissedOpportunities
from arena_metric_opportunities.opportunity_figures import figures


@pytest.fixture
def counted(tmp_path):
    """The counts of both players in one match of given moves; ``(row, column)``, or a column."""

    def counted(game, first, second, **more):
        agents = [playing(*map(action, first)), playing(*map(action, second))]
        record = play(game, agents, tmp_path / "run", **more).over
        found = [m for m in MissedOpportunities().measure(FinishedMatch(record, game)) if m.name == "opportunities"]
        return [{k: v for k, v in m.detail.items() if v} for m in found]

    return counted


def action(move):
    if isinstance(move, tuple):
        return {"row": move[0], "column": move[1]}
    return {"column": move} if isinstance(move, int) else move


def test_a_win_not_taken_is_missed(counted):
    """X could win at once, and does so a move later; the last move counts too, and so does what O did not block."""
    one, two = counted(TicTacToe(), [(1, 1), (1, 2), (2, 2), (1, 3)], [(3, 1), (3, 2), (2, 1)])

    # X threatens 1,3 after its second move, and so O, who threatens nothing, can block and does not.
    assert one == {
        "moves": 4, "wins": 2, "missed_wins": 1, "win_luck": pytest.approx(1 - 1 / 5 + 1 - 2 / 3),
        "created": 2, "forks": 1,
    }  # fmt: skip
    assert two == {
        "moves": 3, "blocks": 1, "missed_blocks": 1, "block_luck": pytest.approx(1 - 1 / 6),
        "wins": 1, "missed_wins": 1, "win_luck": pytest.approx(3 / 4), "created": 1,
    }  # fmt: skip


def test_who_can_win_need_not_block(counted):
    """A move that wins, or could have, is no missed block, whatever the opponent threatens."""
    _, two = counted(TicTacToe(), [(1, 1), (1, 2), (2, 3)], [(3, 1), (3, 2), (3, 3)])

    assert two["wins"] == 1
    assert two["blocks"] == 1  # after X's second move
    assert two["missed_blocks"] == 1
    assert "missed_wins" not in two


def test_pieces_that_fall_can_give_a_win_away(counted):
    """A threat in the air is none until somebody opens it; who fills the cell below gives it."""
    # R holds 5,2 5,3 5,4 and needs 5,5 or 5,1; Y fills the cell below the former.
    one, two = counted(ConnectFour(), [3, 2, 4, 3, 5], [2, 4, 7, 5])

    assert one["wins"] == 1
    assert two["given"] == 1
    assert "missed_wins" not in one


def test_blocks_lose_the_opponents_threats(counted):
    """Of a row of four with two open ends one is blocked: a fork, two threats made, one lost, and the win taken."""
    game = Gomoku(rows=9, columns=9)
    one, two = counted(game, [(5, 3), (5, 4), (5, 5), (5, 6), (5, 2)], [(1, 1), (1, 3), (1, 5), (5, 7)])

    assert (one["created"], one["forks"], one["lost"], one["wins"]) == (2, 1, 1, 1)
    assert two["blocks"] == 1
    assert "missed_blocks" not in two


def test_substitutes_are_nobodys_choice(counted):
    """What a policy puts in changes the board and is counted for nobody."""
    policy = IllegalActionPolicy(retries=0, then="random")
    one, _ = counted(TicTacToe(), ["?"] * 5, ["?"] * 5, illegal_actions=policy)

    assert "moves" not in one


def test_twins_are_judged_as_their_originals(tmp_path):
    """A match of a twin has the counts of the same match of the original."""
    original = ConnectFour()
    twin = GridTwin(of=original, kind="story")
    renamed = dict(zip(map(canonical_json, original.actions(2)), twin.actions(2), strict=True))
    first, second = ([action(move) for move in moves] for moves in ([3, 2, 4, 3, 5], [2, 4, 7, 5]))
    counts = []
    for game, name in ((original, lambda a: a), (twin, lambda a: renamed[canonical_json(a)])):
        agents = [playing(*map(name, moves)) for moves in (first, second)]
        record = play(game, agents, tmp_path / type(game).__name__).over
        counts.append(
            [m.detail for m in MissedOpportunities().measure(FinishedMatch(record, game)) if m.name == "opportunities"]
        )

    assert counts[0] == counts[1]
    assert counts[1][1]["given"] == 1


def test_games_in_which_a_line_loses_are_left_out(tmp_path):
    """There is no win to miss in misère games, and nothing is said of them."""
    game = TicTacToe(misere=True)
    record = play(game, [RANDOM, RANDOM], tmp_path / "run").over

    assert list(MissedOpportunities().measure(FinishedMatch(record, game))) == []


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Gomoku(rows=7, columns=7, overline=False)], ids=repr)
def test_random_play_misses_as_much_as_it_should(play_many, game):
    """Over 25 random matches, missed shares have the reference of random choice in their intervals."""
    records = play_many(game, 25)
    report = check_metric(MissedOpportunities(reference_matches=2), records, game)

    assert report.estimates > 0
    counts = [
        m.detail for record in records for m in MissedOpportunities().measure(FinishedMatch(record, game)) if m.detail
    ]
    for what in ("win", "block"):
        missed = sum(c[f"missed_{what}s"] for c in counts)
        luck, chances = sum(c[f"{what}_luck"] for c in counts), sum(c[f"{what}s"] for c in counts)
        assert chances > 5
        assert abs(missed - luck) < 4 * (chances * 0.25) ** 0.5


@pytest.fixture
def play_many(tmp_path):
    """Records of random matches."""

    def play_many(game, number):
        found = [play(game, [RANDOM, RANDOM], tmp_path / str(n), seed=n).over for n in range(number)]
        plans = [attrs.evolve(record.plan, id=f"game/{n}", repeat=n) for n, record in enumerate(found)]
        return [attrs.evolve(record, plan=plan) for record, plan in zip(found, plans, strict=True)]

    return play_many


def row(agent, form, counts, *, repeat=0):
    """What was counted of one player of a match of tic-tac-toe; the other one looks at no form."""
    detail = {"moves": 4, "wins": 1, "missed_wins": 0, "blocks": 1, "missed_blocks": 0, **counts}
    return MeasurementRow(
        name="opportunities",
        value=detail["moves"],
        match=f"{agent}/{form}/{repeat}",
        block=f"{agent}/{form}/{repeat}",
        game="tic-tac-toe",
        pairing=agent,
        ending=Ending.RULES,
        agents=(named(agent, form), "other"),
        player=0,
        agent=named(agent, form),
        detail=detail,
    )


def named(agent, form):
    """The name that a sweep over styles gives an agent."""
    return f"{agent} (grid-{form})" if form else agent


FORMS = {named(agent, form): (form,) for agent in ("ann", "bob") for form in ("list", "image")}
PROMPTS = {name: (name.partition(" ")[0], form) for name, (form,) in FORMS.items()}


def test_figures_show_forms_side_by_side():
    """A game has a figure per valid move and one per opportunity; an agent has a bar for each form and kind."""
    rows = [row("ann", "list", {"missed_wins": 1}, repeat=n) for n in range(5)]
    rows += [row("ann", "image", {"missed_blocks": 1, "moves": 5}, repeat=n) for n in range(5)]
    rows += [row("bob", "list", {"wins": 0}, repeat=n) for n in range(5)]

    per_move, per_chance = figures(rows, Measurements(rows=rows, forms=FORMS, prompts=PROMPTS))

    assert per_move.title == "Missed wins and blocks per valid move: tic-tac-toe"
    assert per_chance.title == "Missed wins and blocks per opportunity: tic-tac-toe"
    assert per_move.x == ("ann", "bob")
    assert list(per_move.series) == [f"missed {w}, {f}" for w in ("wins", "blocks") for f in ("image", "list")]
    ann, bob = per_move.series["missed wins, list"]
    assert (ann.value, ann.n, bob.value) == (25.0, 5, 0.0)
    assert ann.high <= 100
    assert per_move.series["missed blocks, image"] == (per_move.series["missed blocks, image"][0], None)
    assert per_move.series["missed blocks, image"][0].value == 20.0
    assert [each and each.value for each in per_chance.series["missed wins, list"]] == [100.0, None]
    assert per_move.y_title == "% of valid moves"


def test_agents_without_a_form_have_plain_names():
    """Where nobody says which form it was shown the series have no form, and titles stay whole."""
    per_move, _ = figures([row("ann", "", {})], Measurements(rows=(), forms=FORMS))

    assert list(per_move.series) == ["missed wins", "missed blocks"]
