"""The reader: what it reads, and how it names what is wrong."""

from fractions import Fraction

import pytest
from arena_game_planning.pddl import PddlError, applicable, apply, goal_holds, read_domain, read_plan, read_problem

from .small_tasks import BLOCKS, SMALL, TRUCKS

SHORT = """
(define (domain parts)
  (:types part whole - thing thing - thing)
  (:predicates (order ?p ?q - part) (done ?w - whole) (ready))
  (:action join
    :parameters (?p ?q - part ?w - whole)
    :precondition (and (order ?p ?q) (not (done ?w)))
    :effect (done ?w)))
"""
PROBLEM = "(define (problem one) (:domain parts) (:objects a b - part w - whole) (:init (order a b)) (:goal (done w)))"


def refused(text: str, problem: str | None = None) -> str:
    """The message with which a domain, or a problem of it, is refused."""
    with pytest.raises(PddlError) as caught:
        read_domain(text) if problem is None else read_problem(read_domain(text), problem)
    return str(caught.value)


def test_place_of_a_mistake_is_named():
    """An unknown predicate is named with file, line and column, and with the one that was probably meant."""
    text = SHORT.replace("(order ?p ?q) (not", "(oder ?p ?q) (not")

    assert refused(text) == "domain.pddl:7:25: no predicate called 'oder' (did you mean 'order'?)"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(done ?w)))\n    :effect", "(done ?v)))\n    :effect", "no variable called '?v' (there is: ?p, ?q, ?w)"),
        ("(order ?p ?q) (not", "(order ?p) (not", "'order' has 2 arguments, got 1"),
        ("(order ?p ?q) (not", "(order ?p ?w) (not", "'?w' is of type whole, but 'order' is about part"),
        ("?q - part ?w", "?q - prat ?w", "no type called 'prat' (did you mean 'part'?)"),
        (":precondition", ":precondtion", "no part of action 'join' called ':precondtion' (did you mean ':precond"),
        (":action", ":durative-action", "durative actions are not supported"),
        (":action", ":derived", "expected (:derived (PREDICATE …) CONDITION)"),
        (":action", ":axiom", "expected (:axiom :vars (…) :context CONDITION :implies (PREDICATE …))"),
        (":action", ":process", "processes are not supported"),
        (":action", ":atcion", "no section called ':atcion' (did you mean ':action'?)"),
        ("(and (order", "(preference x (order", "preferences are not supported"),
        ("?p ?q - part ?w", "?p ?p - part ?w", "the variable '?p' is declared twice"),
        (":effect (done ?w)", ":effect (done)", "'done' has 1 arguments, got 0"),
        ("(ready)", "(and)", "'and' cannot be the name of a predicate"),
        ("(ready)", "ready", "expected a predicate in parentheses, got 'ready'"),
        ("(ready)", "(done ?p - part)", "the predicate 'done' is declared twice, with different arguments"),
        ("join", "", "expected the name of an action, got ':parameters'"),
    ],
)
def test_mistakes_in_a_domain_are_named(old, new, said):
    """Each mistake has a sentence of its own behind file, line and column."""
    assert old in SHORT

    message = refused(SHORT.replace(old, new, 1))

    assert said in message
    assert message.startswith("domain.pddl:")
    assert all(part.isdigit() for part in message.split(":")[1:3])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(order a b)", "(oder a b)", "problem.pddl:1:79: no predicate called 'oder' (did you mean 'order'?)"),
        ("(order a b)", "(order a c)", "no object called 'c'"),
        ("(order a b)", "(order a w)", "'w' is of type whole, but 'order' is about part"),
        ("(order a b)", "(order a)", "'order' has 2 arguments, got 1"),
        ("(order a b)", "(= (cost) 3)", "no function called 'cost'"),
        ("(order a b)", "(= (total-cost) x)", "expected a number of at most 40 digits, got 'x'"),
        ("(order a b)", "(at 5 (ready))", "facts that become true at a time are not supported"),
        ("(order a b)", "()", "expected a fact, got ()"),
        ("(:goal (done w))", "", "there is no (:goal …)"),
        ("(done w)", "(done ?x)", "no variable called '?x'"),
        ("(:domain parts)", "(:domain prats)", "expected (:domain parts)"),
        ("(:goal", "(:metric minimise (total-cost)) (:goal", "expected (:metric minimize EXPRESSION)"),
        ("(:goal", "(:constraints (always (ready))) (:goal", "constraints on trajectories are not supported"),
        ("(problem one)", "(problm one)", "expected (problem NAME)"),
    ],
)
def test_mistakes_in_a_problem_are_named(old, new, said):
    """So has each mistake in a problem."""
    assert old in PROBLEM

    message = refused(SHORT, PROBLEM.replace(old, new, 1))

    assert said in message
    assert message.startswith("problem.pddl:")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1: expected one expression in parentheses"),
        ("(define (domain d))\n)", "2:1: this parenthesis closes nothing"),
        ("(define\n  (domain d)", "1:1: this parenthesis is never closed"),
        ("(" * 100_000, "1:101: parentheses are nested deeper than 100"),
        ("(domain d)", "1:1: expected (define (domain …) …), got (domain …)"),
        ("; only a comment", "expected one expression"),
    ],
)
def test_broken_parentheses_are_named(text, said):
    """What is no expression is refused in a sentence, however deep it is nested."""
    assert said in refused(text)


def test_everything_of_the_small_tasks_is_read():
    """Types without end, constants, numbers, conditional effects and quantifiers are read, whatever is required."""
    for task in SMALL:
        problem = read_problem(read_domain(task.domain), task.problem)

        assert problem.domain.actions
        assert problem.objects


def test_type_may_be_its_own_parent():
    """Types that lead back to themselves are types like others."""
    circle = "(define (domain d) (:types a - b b - c c - a d - d) (:predicates (p ?x - a)))"
    domain = read_domain(circle)
    problem = read_problem(
        domain, "(define (problem p) (:domain d) (:objects x - c y - d) (:init (p x)) (:goal (p x)))"
    )

    assert problem.objects_of(("a",)) == ("x",)
    assert problem.objects_of(("object",)) == ("x", "y")


def test_either_is_any_of_its_types():
    """``(either a b)`` admits the objects of both types and of no other."""
    problem = read_problem(read_domain(TRUCKS.domain), TRUCKS.problem)

    assert problem.objects_of(("vehicle", "parcel")) == ("t", "v", "x", "y")
    assert ("at", "x", "p") in problem.initial.atoms


def test_names_are_read_in_any_case_with_dots_and_beside_comments():
    """Case says nothing, dots belong to names, and comments to nobody."""
    domain = read_domain("; one\n(DEFINE (Domain My.Domain-1) (:Predicates (P.q ?X)) ; two ( (\n)")
    text = "(define (problem P.1) (:domain my.domain-1) (:objects n0-0.a) (:init (p.Q N0-0.A)) (:goal (p.q n0-0.a)))"
    problem = read_problem(domain, text)

    assert problem.initial.atoms == {("p.q", "n0-0.a")}


def test_numbers_are_exact():
    """A third of a tenth is no float."""
    domain = read_domain("(define (domain d) (:functions (f)) (:predicates (p)))")
    problem = read_problem(domain, "(define (problem p) (:domain d) (:init (= (f) 0.1)) (:goal (= (f) (/ 1 10))))")

    assert problem.initial.numbers == {("f",): Fraction(1, 10)}


def test_quantifiers_without_end_are_refused():
    """A goal over five variables and a hundred objects would take hours, and is refused at once."""
    objects = " ".join(f"o{i}" for i in range(100))
    variables = " ".join(f"?v{i}" for i in range(5))
    domain = read_domain("(define (domain d) (:predicates (p ?x)))")
    text = f"(define (problem p) (:domain d) (:objects {objects}) (:init) (:goal (forall ({variables}) (p ?v0))))"

    with pytest.raises(PddlError, match="more than 200,000 instances"):
        read_problem(domain, text)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", ()),
        ("(seal)", (("seal",),)),
        ("(MOVE A b)\n(pick C)", (("move", "a", "b"), ("pick", "c"))),
        (
            "0: (move a b) [1]\n1.5: (pick c) [0.001] ; done\n; cost = 2 (unit cost)",
            (("move", "a", "b"), ("pick", "c")),
        ),
        ("(move\n a\n b)(pick c)", (("move", "a", "b"), ("pick", "c"))),
    ],
)
def test_plans_are_read(text, steps):
    """Comments, upper case, times before and durations after an action are read over."""
    assert read_plan(text) == steps


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("move a b", "plan:1:1: expected an action such as (move a b), got 'move a b'"),
        ("(move a b)\n(pick c", "plan:2:1: expected an action"),
        ("(move a b))", "plan:1:11: expected an action"),
        ("()", "plan:1:1: () is no action"),
        ("(move (a) b)", "plan:1:1: expected an action"),
        ("1. (move a b) twice", "plan:1:1: expected an action"),
        ("(move a/ b)", "'a/' cannot be the name"),
        ("[1] (move a b)", "a duration follows no action"),
        ("3:", "no action follows a time"),
        ("3: 4: (move a b)", "no action follows a time"),
        ("(" * 100_000, "expected an action"),
    ],
)
def test_what_is_no_plan_is_refused(text, said):
    """Nothing is guessed of a plan that is not written as one."""
    with pytest.raises(PddlError) as caught:
        read_plan(text)

    assert said in str(caught.value)


def test_small_tasks_name_their_file():
    """Errors carry the name that the caller gives to the text."""
    with pytest.raises(PddlError, match=r"^tasks/p7\.pddl:4:25: no object called 'e'"):
        read_problem(read_domain(BLOCKS.domain), BLOCKS.problem.replace("(table a)", "(table e)"), "tasks/p7.pddl")


PLAIN = """(define (domain Plain) (:predicates (link ?x ?y) (done ?x))
  (:action go :parameters (?x ?y) :precondition (link ?x ?y) :effect (done ?y)))"""
PLAIN_PROBLEM = "(define (problem p) (:domain plain) (:objects a b) (:init (link a b)) (:goal (done b)))"


@pytest.mark.parametrize(
    ("which", "old", "new"),
    [
        (0, "(link ?x ?y) (done ?x))", "(link ?x ?x) (done ?x))"),
        (0, "(:predicates", "(:types - object) (:predicates"),
        (0, "(:predicates", "(:types) (:constants) (:predicates"),
        (0, "(done ?x))", "(done?x))"),
        (0, ":parameters (?x ?y)", ":parameters (?x?y)"),
        (0, ":parameters (?x ?y)", ":parameters (?x -object ?y -object)"),
        (1, "(:domain plain)", "(:domain PLAIN)"),
        (1, "(:domain plain)", "(:domain)"),
        (1, "(:domain plain)", ""),
        (1, "(:objects a b)", "(:objects a b - object - object)"),
        (1, "(:goal", "(:length (:serial 3) (:parallel 3)) (:goal"),
    ],
)
def test_pddl_as_people_write_it(which, old, new):
    """Texts that planners take although the grammar does not have them mean what they seem to mean."""
    texts = [PLAIN, PLAIN_PROBLEM]
    assert old in texts[which]
    texts[which] = texts[which].replace(old, new, 1)

    problem = read_problem(read_domain(texts[0]), texts[1])

    assert applicable(problem, problem.initial) == [("go", "a", "b")]
    assert goal_holds(problem, apply(problem, problem.initial, ("go", "a", "b")))
