"""Who plays whom, and that nobody's luck depends on who else is there."""

from collections import Counter
from itertools import groupby, islice

import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError, PluginError
from arena.schedule import Lineup, Schedule
from arena_engine import plan_matches
from arena_engine.benchmark.structure import structure
from arena_engine.job.planning import iter_plans, meetings
from arena_engine.job.schedules import Against, AllPairings, ByGame, Fixed, RoundRobin, SelfPlay
from hypothesis import given, strategies as st


@attrs.frozen
class Played:
    players: int
    tags: tuple[str, ...] = ()


@attrs.frozen
class Tagged:
    tags: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Contest:
    games: dict[str, Played]
    agents: dict[str, Tagged]
    schedule: Schedule
    seed: int = 7


def contest(schedule: Schedule, agents: str = "a b", players: int = 2, seed: int = 7) -> Contest:
    return Contest(
        games={"game": Played(players)},
        agents={name: Tagged() for name in agents.split()},
        schedule=schedule,
        seed=seed,
    )


def seatings(schedule: Schedule, agents: str = "a b c", players: int = 2) -> list[str]:
    return ["".join(plan.agents) for plan in plan_matches(contest(schedule, agents, players))]


def test_games_may_have_schedules_of_their_own():
    """A game is played by the schedule under its name, else under one of its tags, else by the one for all others."""
    schedule = ByGame(
        games={"go": Against(agent="a", pool=("b",)), "cards": SelfPlay()}, otherwise=RoundRobin(rotate_seats=False)
    )
    games = {"go": Played(2), "kuhn": Played(2, ("cards",)), "hex": Played(2)}

    plans = plan_matches(attrs.evolve(contest(schedule, "a b c"), games=games))

    found = {game: ["".join(plan.agents) for plan in plans if plan.game == game] for game in games}
    assert found == {"go": ["ab", "ba"], "kuhn": ["aa", "bb", "cc"], "hex": ["ab", "ac", "bc"]}


def test_repeats_of_all_games_can_be_set_at_once():
    """``repeats`` of the whole counts in place of what games have, as ``-n`` of the command line wants it."""
    schedule = ByGame(games={"game": RoundRobin(repeats=5)}, otherwise=SelfPlay(repeats=4), repeats=2)

    assert seatings(schedule, "a b") == ["ab", "ba"] * 2


def test_mistakes_of_a_games_own_schedule_name_the_game():
    """Where the schedule of one game cannot seat its players, the game is named."""
    schedule = ByGame(games={"game": Against(agent="a", pool=("nobody",))})

    with pytest.raises(ConfigError, match=r"no agent or tag called 'nobody'.*\(game 'game'\)"):
        plan_matches(contest(schedule))


def test_schedules_by_game_are_read_from_plain_data():
    """In a file each game's schedule is written like any other."""
    plain = {"use": "by-game", "games": {"go": {"use": "against", "agent": "a"}}, "otherwise": "self-play"}

    assert structure(plain, Schedule, Catalog()) == ByGame(games={"go": Against(agent="a")}, otherwise=SelfPlay())


def test_round_robin_seats_every_pair_both_ways():
    """Two-player round robin plays every pair once in each order of seats."""
    assert seatings(RoundRobin()) == ["ab", "ba", "ac", "ca", "bc", "cb"]


def test_round_robin_without_rotation_plays_each_set_once():
    """Without rotation every set of agents plays once."""
    assert seatings(RoundRobin(rotate_seats=False), "a b c d", 3) == ["abc", "abd", "acd", "bcd"]


def test_rotation_moves_everybody_on_by_one_seat():
    """With three players rotation is cyclic, and 'all' takes every order."""
    assert seatings(RoundRobin(), "a b c", 3) == ["abc", "bca", "cab"]
    assert sorted(seatings(RoundRobin(rotate_seats="all"), "a b c", 3)) == ["abc", "acb", "bac", "bca", "cab", "cba"]


def test_seats_in_turn_move_on_from_repeat_to_repeat():
    """Each repeat is played in one rotation only, so every match has deals of its own and seats are even."""
    assert seatings(RoundRobin(repeats=3, rotate_seats="in-turn"), "a b c") == [
        "ab",
        "ac",
        "bc",
        "ba",
        "ca",
        "cb",
        *("ab", "ac", "bc"),
    ]
    assert seatings(Against(agent="b", pool=("a",), repeats=4, rotate_seats="in-turn")) == ["ba", "ab", "ba", "ab"]
    assert seatings(RoundRobin(repeats=3, rotate_seats="in-turn"), "a b c", 3) == ["abc", "bca", "cab"]

    plans = plan_matches(contest(RoundRobin(repeats=4, rotate_seats="in-turn"), "a b"))
    assert len({plan.chance_seed for plan in plans}) == 4


def test_rotations_share_their_deals():
    """All rotations of one pairing and repeat have one chance seed; other repeats have others."""
    plans = plan_matches(contest(RoundRobin(repeats=2), "a b c", 3))

    seeds = {(plan.repeat, plan.chance_seed) for plan in plans}
    assert len(plans) == 6
    assert len(seeds) == len({seed for _, seed in seeds}) == 2


@pytest.mark.parametrize(
    "schedule",
    [
        RoundRobin(repeats=2, paired=False),
        AllPairings(repeats=2, paired=False),
        Against(agent="a", repeats=2, paired=False),
        Fixed(seatings=(("a", "b"),), repeats=2, rotate_seats=True, paired=False),
        ByGame(games={"game": RoundRobin(repeats=2, paired=True)}, paired=False),
        ByGame(games={"game": RoundRobin(repeats=2, paired=False)}),
    ],
)
def test_matches_that_are_not_paired_have_deals_of_their_own(schedule: Schedule):
    """With ``paired: false`` no two matches share their deals; ids and seats are as with it."""
    plans = plan_matches(contest(schedule))
    paired = plan_matches(contest(attrs.evolve(schedule, paired=True)))

    assert [plan.id for plan in plans] == [plan.id for plan in paired]
    assert (len({plan.block for plan in plans}), len({plan.block for plan in paired})) == (4, 2)


def test_deals_cannot_be_shared_and_not_shared():
    """Variants that are to get the same deals contradict matches that are to have deals of their own."""
    with pytest.raises(ConfigError, match=r"^schedule.paired: false contradicts same-deals: true; leave one of them"):
        plan_matches(contest(Against(agent="a", same_deals=True, paired=False)))


@pytest.mark.parametrize(
    ("ordered", "with_itself", "expected"),
    [
        (True, False, "ab ba"),
        (False, False, "ab"),
        (True, True, "aa ab ba bb"),
        (False, True, "aa ab bb"),
    ],
)
def test_all_pairings(ordered: bool, with_itself: bool, expected: str):
    """All pairings are ordered or not, with or without an agent against itself."""
    assert seatings(AllPairings(ordered=ordered, with_itself=with_itself), "a b") == expected.split()


def test_against_plays_the_pool_only():
    """One against a pool: the pool's agents do not meet."""
    assert seatings(Against(agent="b")) == ["ba", "ab", "bc", "cb"]
    assert seatings(Against(agent="b", pool=("c",), rotate_seats=False)) == ["bc"]


def test_against_takes_tags():
    """Both sides of 'against' may be named by tag."""
    agents = {"big": Tagged(("ours",)), "small": Tagged(("ours",)), "x": Tagged(("engine",)), "y": Tagged()}
    plans = plan_matches(
        Contest(
            games={"game": Played(2)},
            agents=agents,
            schedule=Against(agent="ours", pool=("engine",), rotate_seats=False),
        )
    )

    assert [plan.agents for plan in plans] == [("big", "x"), ("small", "x")]


def test_self_play_plays_once_where_rotation_changes_nothing():
    """An agent against itself is one match per repeat."""
    assert seatings(SelfPlay(repeats=2), "a b") == ["aa", "bb", "aa", "bb"]


def test_fixed_plays_what_is_written():
    """Fixed seatings keep their seats unless they are asked to rotate."""
    assert seatings(Fixed(seatings=(("c", "a"),))) == ["ca"]
    assert seatings(Fixed(seatings=(("c", "a"), ("a", "c")), rotate_seats=True)) == ["ca", "ac"]


def test_games_are_played_one_after_the_other_by_their_first_repeat():
    """A game whose first repeat has a later number begins when the other one is over."""
    order = {"one": 2, "two": 0}
    own = {name: Fixed(seatings=(("a", "b"),), repeats=2, first_repeat=first) for name, first in order.items()}
    games = {name: Played(2) for name in order}

    plans = plan_matches(attrs.evolve(contest(ByGame(games=own)), games=games))

    assert [plan.id for plan in plans] == ["two/a,b/0.0", "two/a,b/1.0", "one/a,b/2.0", "one/a,b/3.0"]


@pytest.mark.parametrize(
    "schedule",
    [RoundRobin(), AllPairings(), Against(agent="a"), SelfPlay(), Fixed(seatings=(("a", "b"), ("c", "a")))],
)
def test_one_player_games_are_played_alone(schedule: Schedule):
    """In a game for one player every agent plays alone, once."""
    assert sorted(seatings(schedule, "a b c", 1)) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("schedule", "problem"),
    [
        (RoundRobin(), "schedule: 4 players need 4 different agents, and there are 3 (a, b, c); add agents, or use "),
        (AllPairings(), "schedule: 4 players need 4 different agents"),
        (Against(agent="x"), "schedule.agent: no agent or tag called 'x' (agents: a, b, c)"),
        (Against(agent="a", pool=("b", "y")), "schedule.pool: no agent or tag called 'y'"),
        (Against(agent="a"), "schedule.pool: 4 players need 3 opponents of 'a', and there are 2 (b, c)"),
        (Fixed(seatings=(("a", "b"),)), "schedule.seatings.0: expected 4 agents, got ['a', 'b']"),
        (Fixed(seatings=(("a", "b", "c", "d"),)), "schedule.seatings.0: no agent called 'd'"),
    ],
)
def test_impossible_seatings_say_what_to_do(schedule: Schedule, problem: str):
    """A schedule that cannot fill the seats says so by path, and for which game."""
    with pytest.raises(ConfigError) as caught:
        plan_matches(contest(schedule, "a b c", 4))

    assert caught.value.problems[0].startswith(problem)
    assert caught.value.problems[0].endswith("(game 'game')")


def test_a_seating_written_twice_is_a_mistake():
    """The same seating twice would be the same match twice."""
    with pytest.raises(ConfigError, match=r"schedule.seatings.1: \['a', 'b'\] is there twice; raise repeats instead"):
        plan_matches(contest(Fixed(seatings=(("a", "b"), ("a", "b")))))


def test_ids_say_who_plays_what():
    """An id is game, agents by seat, repeat and rotation."""
    ids = [plan.id for plan in plan_matches(contest(RoundRobin(repeats=2)))]

    assert ids == ["game/a,b/0.0", "game/b,a/0.1", "game/a,b/1.0", "game/b,a/1.1"]


def test_plans_do_not_depend_on_the_order_in_the_file():
    """Agents in another order give the same matches with the same chance."""
    one = plan_matches(contest(RoundRobin(repeats=3), "a b c", 3))
    other = plan_matches(contest(RoundRobin(repeats=3), "c a b", 3))

    assert set(one) == set(other)


@given(st.integers(1, 4), st.integers(2, 4), st.sampled_from([2, 3]), st.sampled_from([True, False, "all", "in-turn"]))
def test_adding_agents_and_repeats_changes_nobodys_match(repeats: int, agents: int, players: int, rotate: object):
    """Every plan of a small benchmark is in the larger one, and no id comes twice."""
    names = ["a", "b", "c", "d", "e"]
    players = min(players, agents)
    small = plan_matches(contest(RoundRobin(repeats=repeats, rotate_seats=rotate), " ".join(names[:agents]), players))
    large = plan_matches(contest(RoundRobin(repeats=repeats + 1, rotate_seats=rotate), " ".join(names), players))

    assert set(small) <= set(large)
    assert max(Counter(plan.id for plan in large).values()) == 1


def test_seed_and_game_change_the_luck():
    """Another seed, game or pairing has another chance seed."""
    seeds = {plan.chance_seed for seed in (1, 2) for plan in plan_matches(contest(RoundRobin(), "a b c", 2, seed))}

    assert len(seeds) == 6


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=5))
def test_rotation_counts_the_distinct_orders(agents: list[str]):
    """The rotation is the seating's place among all distinct seatings of the same agents, sorted."""
    from itertools import permutations

    orders = sorted(set(permutations(agents)))

    assert Lineup(tuple(agents)).rotation == orders.index(tuple(agents))


@pytest.mark.parametrize("name", ["round-robin", "all-pairings", "against", "self-play", "fixed"])
def test_examples_work(name: str):
    """The example of every schedule is a working set of parameters."""
    catalog = Catalog()
    entry = catalog.get("schedule", name)

    assert entry.plugin is not None
    assert isinstance(structure({"use": name, **entry.plugin.example}, Schedule, catalog), Schedule)


def test_variants_get_the_same_deals():
    """With ``same-deals`` each agent of the side is dealt the same against one opponent, and alone the same task."""
    tagged = Contest(
        games={"game": Played(2), "task": Played(1)},
        agents={"a1": Tagged(("a",)), "a2": Tagged(("a",)), "b": Tagged(), "c": Tagged()},
        schedule=Against(agent="a", pool=("b", "c"), repeats=2, same_deals=True),
    )
    apart = attrs.evolve(tagged, schedule=Against(agent="a", pool=("b", "c"), repeats=2))
    seeds = {plan.id: plan.chance_seed for plan in plan_matches(tagged)}
    blocks = {plan.id: plan.block for plan in plan_matches(tagged)}

    assert seeds["game/a1,b/0.0"] == seeds["game/b,a2/0.1"] == seeds["game/a2,b/0.0"]
    assert blocks["game/a1,b/0.0"] == blocks["game/a2,b/0.0"]
    assert len({seeds["game/a1,b/0.0"], seeds["game/a1,c/0.0"], seeds["game/a1,b/1.0"]}) == 3
    assert len({seed for id_, seed in seeds.items() if id_.startswith("task") and id_.endswith("/0.0")}) == 1
    assert len({plan.chance_seed for plan in plan_matches(apart) if plan.repeat == 0 and plan.game == "game"}) == 4
    assert {plan.id for plan in plan_matches(apart)} == set(seeds)


class Backwards(Schedule):
    """Gives the last repeat first, and everything twice."""

    def lineups(self, agents, players):
        return [Lineup(tuple(agents), repeat) for repeat in (1, 0) for _ in "ab"]


class Lying(Backwards):
    """Says that its lineups come by repeat."""

    is_by_repeat = True


def test_a_plan_is_made_as_it_is_asked_for():
    """Of a plan without an end in sight the first matches are there at once, and so is who meets whom."""
    games = {"go": Played(2), "hex": Played(2)}
    endless, short = (
        attrs.evolve(contest(RoundRobin(repeats=repeats), "a b c"), games=games) for repeats in (1 << 40, 2)
    )

    assert tuple(islice(iter_plans(endless), 24)) == plan_matches(short)
    assert list(meetings(endless)) == list(
        dict.fromkeys((plan.game, a) for plan in plan_matches(short) for a in plan.agents)
    )


def test_lineups_in_any_order_are_played_by_repeat():
    """A schedule that does not say that its lineups come by repeat is put in order, and each lineup is played once."""
    games = {"go": Played(2), "hex": Played(2)}

    plans = plan_matches(attrs.evolve(contest(Backwards()), games=games))

    assert [(plan.repeat, plan.game) for plan in plans] == [(0, "go"), (0, "hex"), (1, "go"), (1, "hex")]
    with pytest.raises(PluginError, match="'Lying': is_by_repeat, but repeat 0 comes after 1"):
        plan_matches(contest(Lying()))


@pytest.mark.parametrize(
    "schedule",
    [
        RoundRobin(repeats=4, rotate_seats="in-turn"),
        AllPairings(repeats=3, with_itself=True),
        Against(agent="a", repeats=3),
        SelfPlay(repeats=3),
        Fixed(seatings=(("a", "b"), ("b", "c")), repeats=3, first_repeat=5, rotate_seats="all"),
    ],
    ids=lambda schedule: type(schedule).__name__,
)
def test_lineups_come_by_repeat(schedule):
    """What says so gives its lineups in the order of repeats, and lets the same agents play in each."""
    lineups = list(schedule.lineups({name: frozenset() for name in "abc"}, 2))

    assert schedule.is_by_repeat
    assert [lineup.repeat for lineup in lineups] == sorted(lineup.repeat for lineup in lineups)
    found = [{a for lineup in group for a in lineup.agents} for _, group in groupby(lineups, lambda each: each.repeat)]
    assert len(found) > 2
    assert found == found[:1] * len(found)
