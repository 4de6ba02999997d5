"""The tasks that are shipped: how many, how long, always the same, and how they are chosen."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from math import log10
from pathlib import Path
from random import Random
from statistics import median

import pytest
from arena.errors import ConfigError
from arena_game_planning import validate
from arena_game_planning.commands.short_plans import search
from arena_game_planning.generators import DOMAINS, generator
from arena_game_planning.pddl import read_domain, read_plan, read_problem
from arena_game_planning.tasks import shipped as task_data, shipped as tasks
from arena_game_planning.tasks.folders import every_task, folder
from arena_game_planning.tasks.shipped import (
    StoredTask,
    all_tasks,
    draft,
    numbers,
    problem_text,
    select,
    stored_tasks,
    task,
    task_count,
)

from .val import ask_val

PUBLISHED = {
    "drone": (20, None),
    "floortile": (36, 25),
    "grid": (48, 14),
    "logistics": (100, 14),
    "sokoban": (100, 13),
    "termes": (37, 423),
    "assembly": (142, 4),
    "barman": (100, 89.5),
    "blocksworld": (100, 31),
    "briefcaseworld": (20, 52),
    "multi-agent-coordination": (50, 20),
    "cooperate-sequential-gripper": (50, 62),
    "elevator": (48, 33.5),
    "counters": (20, None),
    "depots": (50, 47.5),
    "freecell": (100, 122),
    "markettrader": (20, None),
    "rovers": (100, 26),
    "satellite": (100, 14.5),
    "settlersnumeric": (19, None),
    "sugar": (20, None),
}
"""How many tasks of each domain SPIN-Bench has, and the median length of plans of Fast Downward; none if numeric."""

THREE = [(domain, 1 + place * total // 3) for domain, (total, _) in PUBLISHED.items() for place in range(3)]


def said_by_another_process(code: str, seed: str) -> str:
    """What a fresh interpreter prints that hashes texts otherwise."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def bytes_of(names: str) -> str:
    """Code that prints a digest of the texts of tasks."""
    return (
        "import hashlib; from arena_game_planning.tasks.shipped import select; found = hashlib.sha256(); "
        f"[found.update((t.domain_text + t.problem_text).encode()) for t in select({names})]; print(found.hexdigest())"
    )


def test_there_are_1280_tasks_with_the_published_counts():
    """Every domain has as many tasks as SPIN-Bench, in its order of easy to hard by number."""
    assert list(DOMAINS) == list(PUBLISHED)
    assert [task_count(domain) for domain in DOMAINS] == [count for count, _ in PUBLISHED.values()]
    assert [len(generator(domain).sizes) for domain in DOMAINS] == [count for count, _ in PUBLISHED.values()]
    assert len(numbers("all")) == 1280


@pytest.mark.parametrize("domain", PUBLISHED)
def test_median_length_is_like_the_published_one(domain):
    """Medians are within a factor of 1.5 of the published ones, of 3 for termes; numeric plans have 10 to 700 steps."""
    lengths = [len(record.plan) for record in stored_tasks(domain)]
    _, published = PUBLISHED[domain]

    if published is None:
        assert 10 <= min(lengths) <= max(lengths) <= 700
    else:
        factor = 3 if domain == "termes" else 1.6
        assert published / factor <= median(lengths) <= published * factor


OBJECTS = {
    "drone": 40,
    "counters": 22,
    "markettrader": 21.5,
    "multi-agent-coordination": 44.5,
    "settlersnumeric": 15,
    "depots": 40.5,
    "cooperate-sequential-gripper": 35.5,
    "assembly": 14,
    "satellite": 22,
    "blocksworld": 9.5,
}
GOALS = {"drone": 47, "settlersnumeric": 22, "counters": 85, "briefcaseworld": 14.5}


@pytest.mark.parametrize(("domain", "published"), OBJECTS.items())
def test_half_of_the_tasks_have_as_many_objects_as_in_the_paper(domain, published):
    """The median of objects is within 20 % of that of the paper's tasks."""
    drafts = [draft(domain, number, record.seed) for number, record in enumerate(stored_tasks(domain), 1)]

    counts = [sum(len(names) for _, names in drawn.objects) for drawn in drafts]

    assert median(counts) == pytest.approx(published, rel=0.2)


@pytest.mark.parametrize(("domain", "published"), GOALS.items())
def test_half_of_the_tasks_have_goals_as_long_as_in_the_paper(domain, published):
    """The median of the predicates, functions and connectives in a goal is within 20 % of that of the paper's tasks."""
    drafts = [draft(domain, number, record.seed) for number, record in enumerate(stored_tasks(domain), 1)]

    assert median(1 + sum(wish.count("(") for wish in drawn.goal) for drawn in drafts) == pytest.approx(
        published, rel=0.2
    )


@pytest.mark.parametrize("domain", [domain for domain, (_, published) in PUBLISHED.items() if published])
def test_plans_are_not_padded(domain):
    """Where Fast Downward finds a plan in 10 s, ours is at most 1.25 times as long at the median, and never twice."""
    ratios = [len(record.plan) / record.planner_steps for record in stored_tasks(domain) if record.planner_steps]

    assert len(ratios) >= 10
    assert median(ratios) <= 1.25
    assert max(ratios) <= 2


def test_mean_length_is_between_30_and_50():
    """The mean over all tasks is near that of the published tasks, so that N-step numbers can be compared."""
    lengths = [len(record.plan) for domain in DOMAINS for record in stored_tasks(domain)]

    assert 30 <= sum(lengths) / len(lengths) <= 50


@pytest.mark.parametrize(("domain", "number"), THREE, ids=lambda value: str(value))
def test_reference_plan_is_valid(domain, number):
    """The shipped plan of a task solves it, and the number of legal actions along it is known."""
    found = task(domain, number)

    assert validate(found.domain_text, found.problem_text, "\n".join(found.plan or ())).valid
    assert found.found_by in {"construction", "fast-downward lama-first"}
    assert found.legal_actions is not None
    assert found.legal_actions >= 1


@pytest.mark.parametrize(("domain", "number"), THREE, ids=lambda value: str(value))
def test_constructed_plan_is_valid(domain, number):
    """The plan that a generator knows solves the problem it draws, also with a seed that was never shipped."""
    drawn = draft(domain, number, 990)
    text = drawn.text(domain, "other")

    assert drawn.plan is None or validate(tasks.domain_text(domain), text, "\n".join(drawn.plan)).valid
    assert (drawn.plan is None) == (domain in {"grid", "freecell"})


@pytest.mark.slow
def test_tasks_are_the_same_in_two_processes():
    """Three tasks a domain have the same bytes whatever the seed of hashing is."""
    names = [f"{domain}#{number}" for domain, number in THREE]
    here = hashlib.sha256()
    for found in select(names):
        here.update((found.domain_text + found.problem_text).encode())

    assert said_by_another_process(bytes_of(repr(names)), "1") == here.hexdigest()
    assert said_by_another_process(bytes_of(repr(names)), "2") == here.hexdigest()


@pytest.mark.campaign
def test_all_tasks_are_valid_different_and_the_same_in_two_processes():
    """The plan that comes with each of the 1,280 is valid, and no two are equal."""
    found = all_tasks()
    verdicts = [validate(t.domain_text, t.problem_text, "\n".join(t.plan or ())) for t in found]
    bodies = Counter((t.domain, t.problem_text.split("\n", 1)[1]) for t in found)

    assert all(verdict.valid for verdict in verdicts)
    assert max(bodies.values()) == 1
    assert said_by_another_process(bytes_of("'all'"), "1") == said_by_another_process(bytes_of("'all'"), "2")


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("domain", PUBLISHED)
def test_val_accepts_every_reference_plan(domain, tmp_path):
    """VAL says of all reference plans of a domain that they are valid."""
    found = select(domain)
    said = [ask_val(t.domain_text, t.problem_text, "\n".join(t.plan or ()) + "\n", tmp_path).said for t in found]

    assert said == ["valid"] * len(found)


def test_no_two_of_the_shipped_digests_are_equal():
    """The digests of 1,280 tasks are 1,280."""
    assert len({record.digest for domain in DOMAINS for record in stored_tasks(domain)}) == 1280


@pytest.mark.slow
def test_the_page_has_the_sizes_of_the_shipped_tasks():
    """The table of the page is what ``describe_tasks.py`` writes from the tasks."""
    scripts = Path(__file__).parents[1] / "scripts"
    page = Path(__file__).parents[4] / "docs" / "suites" / "spin-planning.md"
    code = f"import sys; sys.path.insert(0, {str(scripts)!r}); import describe_tasks; print(describe_tasks.table())"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() in page.read_text("utf-8")


def test_what_is_shipped_is_small():
    """Domains and records take at most 600 kB."""
    folders = [files("arena_game_planning").joinpath(name) for name in ("plans", "domains")]

    assert sum(len(file.read_bytes()) for place in folders for file in place.iterdir()) <= 600_000


def test_a_problem_that_changed_is_refused(monkeypatch):
    """Where a generator writes other bytes than those of the shipped plan, the task is not handed out."""
    changed = StoredTask(seed=1, digest="0" * 16, found_by="construction", plan=())
    monkeypatch.setattr(tasks, "stored_tasks", lambda domain: (changed,))

    with pytest.raises(ConfigError, match="no longer writes the problem that was shipped"):
        task.__wrapped__("blocksworld", 1)


def test_packed_records_are_read_again():
    """The same records give the same bytes, and the shipped file holds nothing else."""
    shipped = files("arena_game_planning").joinpath("plans", "drone.json.xz").read_bytes()

    assert task_data.packed_tasks(stored_tasks("drone")) == shipped


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("drone#3", (("drone", 3),)),
        ("drone#3-5", (("drone", 3), ("drone", 4), ("drone", 5))),
        (
            ("drone#3-4", "drone#4", "Multi_Agent_coordination#1"),
            (("drone", 3), ("drone", 4), ("multi-agent-coordination", 1)),
        ),
        ("sugar", tuple(("sugar", number) for number in range(1, 21))),
    ],
)
def test_tasks_are_chosen_by_name(choice, expected):
    """A task, a range, a domain and a list of them, in the order given and each once."""
    assert numbers(choice) == expected
    assert [(found.domain, found.number) for found in select(choice)] == list(expected)


def test_so_many_of_each_domain_are_spread_from_easy_to_hard():
    """Two tasks a domain are 42, one of the easier and one of the harder half."""
    chosen = numbers({"per-domain": 2})

    assert len(chosen) == 42
    for domain, (count, _) in PUBLISHED.items():
        first, second = (number for name, number in chosen if name == domain)
        assert first <= count / 2 < second


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("blockworld#1", "no domain called 'blockworld' (did you mean 'blocksworld'?)"),
        ("drone#0", "drone#0: expected numbers from 1 to 20"),
        ("drone#21", "drone#21: expected numbers from 1 to 20"),
        ("drone#5-3", "drone#5-3: expected a number or a range such as 3-7 after '#', got '5-3'"),
        ("drone#", "drone#: expected a number or a range such as 3-7 after '#', got ''"),
        ({"per-domain": 0}, "tasks: expected per-domain with a whole number"),
    ],
)
def test_choices_that_name_nothing_are_refused(choice, message):
    """What names no task is a mistake of the configuration, told in a sentence."""
    with pytest.raises(ConfigError) as refused:
        numbers(choice)

    assert message in str(refused.value)


def test_sizes_decide_what_is_drawn_and_seeds_which():
    """Another seed gives another problem of the same size."""
    assert problem_text("logistics", 50, 1) != problem_text("logistics", 50, 2)
    assert problem_text("logistics", 50, 1) == problem_text("logistics", 50, 1)


def test_sizes_without_a_solvable_problem_are_refused():
    """A size that leaves no problem is the caller's mistake and raises at once."""
    makes = generator("blocksworld")

    with pytest.raises(ValueError, match="at least 2"):
        makes.draw(Random(1), type(makes.sizes[0])(blocks=1))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_plans_of_counters_are_shortest(number):
    """A breadth-first search over small counters finds no shorter plan than the one that is said to be shortest."""
    makes = generator("counters")
    size = type(makes.sizes[0])(counters=3, greatest=4, rate=number)
    drawn = makes.draw(Random(number), size)
    problem = read_problem(read_domain(tasks.domain_text("counters")), drawn.text("counters", "small"))
    found = search(problem, 100_000)

    assert drawn.is_shortest
    assert found.plan is not None
    assert len(found.plan) == len(drawn.plan or ())


@pytest.mark.parametrize("domain", ["assembly", "sokoban"])
def test_states_and_shortest_plans_are_found_by_our_own_search(domain):
    """On the smallest tasks whose states were counted, our search counts the same and finds plans as short."""
    counted = [(r.states, number) for number, r in enumerate(stored_tasks(domain), 1) if r.is_counted]
    assert counted, "no task of this domain was measured"
    for states, number in sorted(counted)[:2]:
        found = task(domain, number)
        problem = read_problem(read_domain(found.domain_text), found.problem_text)
        seen = search(problem, 100_000, stop_at_goal=False)
        assert seen.is_exhausted
        assert round(log10(seen.states), 3) == states
        assert found.optimal == (len(seen.plan or ()) == len(found.plan or ()))


def test_a_folder_of_files_is_read_as_tasks(tmp_path):
    """Problems beside a domain are tasks, by path; a plan of the same name is the reference plan."""
    given = task("blocksworld", 1)
    (tmp_path / "domain.pddl").write_text(given.domain_text)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "p1.pddl").write_text(given.problem_text)
    (tmp_path / "p2.pddl").write_text(given.problem_text)
    (tmp_path / "p2.plan").write_text("\n".join(given.plan or ()) + "\n; cost = 2\n")

    found = folder(tmp_path).tasks

    assert [(t.name, t.domain, t.number) for t in found] == [
        ("deep/p1.pddl", "blocksworld", 1),
        ("p2.pddl", "blocksworld", 2),
    ]
    assert found[0].plan is None
    assert found[1].plan == tuple(
        " ".join(("(" + " ".join(step) + ")",)) for step in read_plan("\n".join(given.plan or ()))
    )


def test_files_that_cannot_be_read_are_left_out(tmp_path):
    """Each broken problem of a folder is left out with its own reason, and the others are tasks."""
    given = task("blocksworld", 1)
    (tmp_path / "domain.pddl").write_text(given.domain_text)
    (tmp_path / "good.pddl").write_text(given.problem_text)
    (tmp_path / "one.pddl").write_text(given.problem_text.replace("(hand-empty)", "(hand-full)"))
    (tmp_path / "two.pddl").write_text("(define (problem")
    (tmp_path / "three.pddl").write_text(given.problem_text)
    (tmp_path / "three.plan").write_text("(put-down b1)")

    found = folder(tmp_path)

    assert [own.name for own in found.tasks] == ["good.pddl"]
    assert list(found.left_out) == ["one.pddl", "three.pddl", "two.pddl"]
    assert "no predicate called 'hand-full'" in found.left_out["one.pddl"]
    assert "this parenthesis is never closed" in found.left_out["two.pddl"]
    assert "three.plan: expected a plan that solves three.pddl" in found.left_out["three.pddl"]


def test_a_folder_without_any_task_is_refused(tmp_path):
    """Where nothing can be read, each reason is told once."""
    (tmp_path / "domain.pddl").write_text("(define (domain d) (:durative-action a))")
    for name in ("one", "two"):
        (tmp_path / f"{name}.pddl").write_text("(define (problem p) (:domain d) (:goal (and)))")

    with pytest.raises(ConfigError) as refused:
        folder(tmp_path)

    assert len(refused.value.problems) == 1
    assert "durative actions are not supported" in refused.value.problems[0]


def test_a_folder_stands_for_each_of_its_tasks(tmp_path):
    """A choice of a folder is one choice for each file that can be read, by domain and number."""
    given = task("blocksworld", 1)
    for place, name in (("", "a"), ("deep", "b"), ("deep", "c")):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / f"{name}.pddl").write_text(given.problem_text if name != "b" else "(define")
    (tmp_path / "domain.pddl").write_text(given.domain_text)

    choices = every_task({"folder": str(tmp_path)})

    assert choices == {
        "blocksworld#1": {"folder": str(tmp_path), "file": "a.pddl", "left-out": 1},
        "blocksworld#2": {"folder": str(tmp_path), "file": "deep/c.pddl", "left-out": 1},
    }
    assert every_task(choices["blocksworld#1"]) is None
    assert every_task({"per-domain": 2}) is None
