"""Whether matches share their deals where somebody outside plays, and that a run keeps to it."""

import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena_engine import Journal, load_benchmark, plan_matches
from arena_engine.benchmark.recorded_benchmark import as_begun, open_benchmark
from arena_engine.execution.api import enlarge_run
from arena_engine.execution.runner import create_run, extend_run, resume_run

AGENTS = {"ann": {"use": "open-seat"}, "bob": "random", "cy": "random"}


def plain(games=("kuhn-poker", "tic-tac-toe"), agents=AGENTS, repeats=1, **schedule):
    schedule = {"use": "round-robin", "repeats": repeats, **schedule}
    return {"games": {game: game for game in games}, "agents": agents, "schedule": schedule}


def shared(plans):
    """The games and pairings of the plans whose rotations share their deals."""
    blocks = {}
    for plan in plans:
        blocks.setdefault((plan.game, plan.pairing, plan.repeat), set()).add(plan.block)
    return {(game, pairing) for (game, pairing, _), own in blocks.items() if len(own) == 1}


EVERY = {(game, pair) for game in ("kuhn-poker", "tic-tac-toe") for pair in ("ann,bob", "ann,cy", "bob,cy")}
SEATED = {("kuhn-poker", "ann,bob"), ("kuhn-poker", "ann,cy")}


def test_open_seat_with_hidden_cards_has_deals_of_its_own():
    """Rotations share their deals, but not those of an open seat where the game hides something."""
    assert shared(plan_matches(load_benchmark(plain()))) == EVERY - SEATED
    assert shared(plan_matches(load_benchmark(plain(paired=True)))) == EVERY
    assert shared(plan_matches(load_benchmark(plain(paired=False)))) == set()


def test_open_seat_is_not_dealt_what_variants_are_dealt():
    """With the same deals for all agents, an open seat still has its own, unless they are paired by the file."""
    made = plain(games=("kuhn-poker",), use="self-play", **{"same-deals": True})
    said = {**made, "schedule": {**made["schedule"], "paired": True}}

    assert len({plan.block for plan in plan_matches(load_benchmark(made))}) == 2
    assert len({plan.block for plan in plan_matches(load_benchmark(said))}) == 1


def test_whether_deals_are_shared_is_said_by_true_or_false():
    """Anything else is refused, with its place and what was expected."""
    with pytest.raises(ConfigError) as caught:
        load_benchmark(plain(paired="sometimes"))

    assert caught.value.problems == ("schedule.paired: expected bool, got 'sometimes'",)


def test_run_without_open_seats_says_nothing_of_it(tmp_path):
    """Its header has the keys that it always had."""
    agents = {name: AGENTS[name] for name in ("bob", "cy")}
    with create_run(load_benchmark(plain(agents=agents)), tmp_path / "run") as journal:
        assert "unpaired" not in journal.header.to_json()


def test_run_keeps_what_it_began_with(tmp_path):
    """The journal says which seats have deals of their own; so a run that is resumed, repaired or enlarged has them."""
    with create_run(load_benchmark(plain()), tmp_path / "run") as journal:
        begun = journal.plans()
    with Journal.open(tmp_path / "run") as journal:
        assert journal.header.unpaired == (("kuhn-poker", "ann"),)
        assert plan_matches(open_benchmark(journal)) == begun

    resume_run(tmp_path / "run", Catalog(), ["limits.concurrency=1"])[0].close()
    with enlarge_run(tmp_path / "run", 2, Catalog())[0] as journal:
        assert set(begun) < set(journal.plans())
        assert shared(journal.plans()) == EVERY - SEATED


def test_run_from_before_shares_its_deals_for_ever(tmp_path):
    """A run whose journal does not say goes on as it began, also when it grows; what is added has deals of its own."""
    old = attrs.evolve(load_benchmark(plain(games=("kuhn-poker",))), unpaired=frozenset())
    create_run(old, tmp_path / "run").close()
    larger = load_benchmark(plain(agents={**AGENTS, "dan": {"use": "open-seat"}}, repeats=2))

    with Journal.open(tmp_path / "run") as journal:
        larger = as_begun(larger, journal)
    with extend_run(tmp_path / "run", larger) as journal:
        found = shared(journal.plans())

    assert {game_and_pair for game_and_pair in found if game_and_pair[0] == "kuhn-poker"} == {
        ("kuhn-poker", pair) for pair in ("ann,bob", "ann,cy", "bob,cy")
    }


def test_match_of_a_run_is_not_dealt_anew(tmp_path):
    """A benchmark by which matches of the run would have other deals does not extend it."""
    create_run(load_benchmark(plain()), tmp_path / "run").close()
    larger = load_benchmark(plain(repeats=2, paired=True))

    with pytest.raises(ConfigError, match=r"schedule: 'kuhn-poker/ann,bob/0.0' and 3 more would be dealt anew; keep"):
        extend_run(tmp_path / "run", larger)
