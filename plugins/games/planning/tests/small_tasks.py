"""Small tasks of our own, which together use every feature that is read; each with a plan that solves it."""

from collections.abc import Iterator
from random import Random

import attrs
from arena_game_planning.pddl import Problem, Step, atom_text


@attrs.frozen
class SmallTask:
    """A task and a plan for it."""

    name: str
    domain: str
    problem: str
    plan: str


BLOCKS = SmallTask(
    "blocks",
    """
(define (domain blocks)
  (:predicates (on ?x ?y) (table ?x) (clear ?x) (empty) (held ?x))
  (:action take :parameters (?x)
    :precondition (and (clear ?x) (table ?x) (empty))
    :effect (and (not (table ?x)) (not (clear ?x)) (not (empty)) (held ?x)))
  (:action put :parameters (?x)
    :precondition (held ?x)
    :effect (and (not (held ?x)) (clear ?x) (empty) (table ?x)))
  (:action stack :parameters (?x ?y)
    :precondition (and (held ?x) (clear ?y))
    :effect (and (not (held ?x)) (not (clear ?y)) (clear ?x) (empty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (empty))
    :effect (and (held ?x) (clear ?y) (not (clear ?x)) (not (empty)) (not (on ?x ?y)))))
""",
    """
(define (problem four) (:domain blocks)
  (:objects a b c d)
  (:init (empty) (table a) (on b a) (clear b) (table c) (on d c) (clear d))
  (:goal (and (on a b) (on b c) (on c d))))
""",
    "(unstack d c)(put d)(take c)(stack c d)(unstack b a)(stack b c)(take a)(stack a b)",
)

CASE = SmallTask(
    "case",
    """
(define (domain case)
  (:requirements :adl)
  (:types place thing - object case - thing)
  (:constants bag - case)
  (:predicates (at ?x - thing ?p - place) (in ?x - thing) (sealed))
  (:action move :parameters (?from ?to - place)
    :precondition (and (at bag ?from) (not (= ?from ?to)))
    :effect (and (not (at bag ?from)) (at bag ?to)
      (forall (?x - thing) (when (and (in ?x) (not (= ?x bag))) (and (not (at ?x ?from)) (at ?x ?to))))))
  (:action put-in :parameters (?x - thing ?p - place)
    :precondition (and (at ?x ?p) (at bag ?p) (not (= ?x bag)) (not (in ?x)) (not (sealed)))
    :effect (in ?x))
  (:action take-out :parameters (?x - thing)
    :precondition (and (in ?x) (not (sealed)))
    :effect (not (in ?x)))
  (:action seal :parameters ()
    :precondition (and (not (sealed)) (exists (?x - thing) (in ?x)))
    :effect (sealed))
  (:action unseal :parameters () :precondition (sealed) :effect (not (sealed))))
""",
    """
(define (problem three-things) (:domain case)
  (:objects home work shop - place pen book cup - thing)
  (:init (at bag home) (at pen home) (at book shop) (at cup work))
  (:goal (and (forall (?x - thing) (imply (not (= ?x cup)) (at ?x work))) (not (in pen)) (or (sealed) (in book)))))
""",
    "(put-in pen home)(move home shop)(put-in book shop)(seal)(move shop work)(unseal)(take-out pen)",
)

TRUCKS = SmallTask(
    "trucks",
    """
(define (domain trucks)
  (:requirements :typing :fluents :action-costs)
  (:types truck van - vehicle vehicle parcel - locatable locatable place)
  (:predicates (at ?x - (either vehicle parcel) ?p - place) (in ?x - parcel ?v - vehicle) (road ?p ?q - place))
  (:functions (fuel ?v - vehicle) - number (far ?p ?q - place) - number (load ?v - vehicle) (room)
    (total-cost) - number)
  (:action drive :parameters (?v - vehicle ?p ?q - place)
    :precondition (and (at ?v ?p) (road ?p ?q) (>= (fuel ?v) (* 2 (far ?p ?q))))
    :effect (and (not (at ?v ?p)) (at ?v ?q) (decrease (fuel ?v) (* 2 (far ?p ?q)))
      (increase (total-cost) (+ (far ?p ?q) (load ?v)))))
  (:action put :parameters (?x - parcel ?v - vehicle ?p - place)
    :precondition (and (at ?x ?p) (at ?v ?p) (< (load ?v) (room)))
    :effect (and (not (at ?x ?p)) (in ?x ?v) (increase (load ?v) 1)))
  (:action get :parameters (?x - parcel ?v - vehicle ?p - place)
    :precondition (and (in ?x ?v) (at ?v ?p))
    :effect (and (at ?x ?p) (not (in ?x ?v)) (decrease (load ?v) 1)))
  (:action swap-fuel :parameters (?v ?w - vehicle ?p - place)
    :precondition (and (at ?v ?p) (at ?w ?p) (not (= ?v ?w)))
    :effect (and (assign (fuel ?v) (fuel ?w)) (assign (fuel ?w) (fuel ?v)) (increase (total-cost) 0.5)))
  (:action halve :parameters (?v - truck)
    :precondition (> (fuel ?v) 1)
    :effect (and (scale-down (fuel ?v) 2) (scale-up (total-cost) 3)))
  (:action fill :parameters (?v - vehicle ?p - place)
    :precondition (at ?v ?p)
    :effect (and (assign (fuel ?v) (- 20 (load ?v))) (increase (total-cost) (/ (fuel ?v) 3)))))
""",
    """
(define (problem two-parcels) (:domain trucks)
  (:objects t - truck v - van x y - parcel p q r - place)
  (:init (at t p) (at v p) (at x p) (at y q) (road p q) (road q p) (road q r) (road r q)
    (= (far p q) 3) (= (far q p) 3) (= (far q r) 2.5) (= (far r q) 2.5)
    (= (fuel t) 4) (= (fuel v) 9.25) (= (load t) 0) (= (load v) 0) (= (room) 1) (= (total-cost) 0))
  (:goal (and (at x r) (at y p) (<= (total-cost) 100)))
  (:metric minimize (+ (* 2 (total-cost)) (fuel t))))
""",
    """(swap-fuel t v p) (put x t p) (drive t p q) (fill t q) (halve t) (drive t q r) (get x t r) (fill t r)
(drive t r q) (put y t q) (drive t q p) (get y t p)""",
)

LAMPS = SmallTask(
    "lamps",
    """
(define (domain lamps)
  (:requirements :strips :disjunctive-preconditions :universal-preconditions)
  (:types lamp - lamp bulb - lamp)
  (:predicates (lit ?l - lamp) (wired ?l ?m - lamp) (odd))
  (:action press :parameters (?l - lamp)
    :precondition (or (odd) (not (lit ?l)) (forall (?m - lamp) (lit ?m)))
    :effect (and
      (when (odd) (not (odd)))
      (when (not (odd)) (odd))
      (when (lit ?l) (not (lit ?l)))
      (when (not (lit ?l)) (lit ?l))
      (forall (?m - lamp) (and
        (when (and (wired ?l ?m) (lit ?m)) (not (lit ?m)))
        (when (and (wired ?l ?m) (not (lit ?m))) (lit ?m))))))
  (:action cross :parameters (?l ?m - lamp)
    :precondition (lit ?m)
    :effect (and (not (lit ?l)) (lit ?m))))
""",
    """
(define (problem row) (:domain lamps)
  (:objects a b c - lamp d - bulb)
  (:init (wired a b) (wired b a) (wired b c) (wired c b) (wired c d) (wired d c) (lit a))
  (:goal (and (lit a) (lit b) (lit c) (lit d) (not (odd)))))
""",
    "(press d) (cross a c) (press a)",
)

TOWERS = SmallTask(
    "towers",
    """
(define (domain towers)
  (:requirements :strips :derived-predicates)
  (:predicates (on ?x ?y) (above ?x ?y) (free ?x) (low ?x))
  (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))
  (:derived (free ?x) (not (exists (?y) (on ?y ?x))))
  (:derived (low ?x) (forall (?y) (not (above ?x ?y))))
  (:action lift :parameters (?x ?y)
    :precondition (and (free ?x) (free ?y) (low ?x) (not (= ?x ?y)))
    :effect (on ?x ?y))
  (:action drop :parameters (?x ?y)
    :precondition (and (free ?x) (on ?x ?y))
    :effect (not (on ?x ?y))))
""",
    """
(define (problem turn) (:domain towers)
  (:objects a b c d)
  (:init (on a b) (on b c) (free a))
  (:goal (and (above d a) (above b a) (not (above a b)) (low c))))
""",
    "(drop a b)\n(drop b c)\n(lift b a)\n(lift d b)",
)

SIGNALS = SmallTask(
    "signals",
    """
(define (domain signals)
  (:requirements :adl :derived-predicates)
  (:types node - object lamp - node)
  (:constants source - node)
  (:predicates (wire ?a ?b - node) (shut ?a ?b - node) (live ?a - node) (dark ?l - lamp) (alarm) (quiet))
  (:derived (live ?a - node) (or (= ?a source) (exists (?b - node) (and (shut ?b ?a) (live ?b)))))
  (:derived (dark ?l - lamp) (not (live ?l)))
  (:derived (alarm) (and (exists (?l - lamp) (dark ?l)) (exists (?l - lamp) (live ?l))))
  (:derived (quiet) (not (alarm)))
  (:action shut-switch :parameters (?a ?b - node)
    :precondition (and (wire ?a ?b) (not (shut ?a ?b)) (or (quiet) (live ?a)))
    :effect (shut ?a ?b))
  (:action open-switch :parameters (?a ?b - node)
    :precondition (and (shut ?a ?b) (quiet))
    :effect (and (not (shut ?a ?b)) (when (live ?b) (shut ?b ?b)))))
""",
    """
(define (problem line) (:domain signals)
  (:objects m n - node p q - lamp)
  (:init (wire source m) (wire m n) (wire n p) (wire m q) (shut m n))
  (:goal (and (quiet) (live p) (live q) (shut m m))))
""",
    "(shut-switch source m)\n(open-switch source m)\n(shut-switch source m)\n(shut-switch n p)\n(shut-switch m q)",
)

SMALL = (BLOCKS, CASE, TRUCKS, LAMPS, TOWERS, SIGNALS)


def plan_text(steps) -> str:
    """Steps as a plan, one a line."""
    return "\n".join(map(atom_text, steps))


def mutations(problem: Problem, plan: tuple[Step, ...], rng: Random) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """What a player might get wrong of a plan: a step dropped, doubled, swapped, with a wrong object, and the end."""
    yield "cut off", plan[: rng.randrange(len(plan))]
    at = rng.randrange(len(plan))
    yield "dropped", plan[:at] + plan[at + 1 :]
    yield "doubled", plan[: at + 1] + plan[at:]
    if len(plan) > 1:
        at = rng.randrange(len(plan) - 1)
        yield "swapped", (*plan[:at], plan[at + 1], plan[at], *plan[at + 2 :])
    with_arguments = [i for i, step in enumerate(plan) if len(step) > 1]
    if with_arguments:
        at = rng.choice(with_arguments)
        step = list(plan[at])
        step[rng.randrange(1, len(step))] = rng.choice(list(problem.objects))
        yield "wrong object", (*plan[:at], tuple(step), *plan[at + 1 :])
