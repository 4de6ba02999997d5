"""Factual recall: what holds after a step of a trajectory that is told with all its changes."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, Literal

import attrs
from arena.chance import Chance
from arena.game import Illegal, State
from arena.record import JSON, Action, GameEvent, derive_rng
from attrs.validators import and_, ge, in_, le, optional

from arena_game_planning.pddl import GroundAtom, Problem, atom_text, read_problem
from arena_game_planning.pddl.texts import formula_text
from arena_game_planning.questions.question_game import SingleQuestion, SingleQuestionGame, SingleQuestionState
from arena_game_planning.questions.walks import Walk, atoms_of, walk
from arena_game_planning.tasks.shipped import task, task_count
from arena_game_planning.tasks.validation import change_between, known_domain

RecallDomain = Literal["elevator", "grid", "floortile"]
Properties = Literal[1, 3, "all"]

RECALL_DOMAINS: Final[tuple[RecallDomain, ...]] = ("elevator", "grid", "floortile")
"""The domains whose tasks are walked through."""

LENGTHS: Final = range(2, 31, 2)
"""How many steps the trajectories have."""

QUESTIONS: Final = 20
"""How many questions there are of each domain and length, each about another task: 900 in all."""

PROPERTIES: Final[tuple[Properties, ...]] = (1, 3, "all")
"""How many properties are asked for; over the 900 questions each of the three stands for 300."""

WALKS: Final = 20
"""How many walks are drawn at most until so many properties are mutable on one as are asked for."""

MOST_ATOMS: Final = 500
"""How many atoms an answer may have."""

RULES: Final = """\
You are told what is true in a small world at first, what is to be reached, and what was done step by step: each \
action with everything that became true and false by it. What is not mentioned stays as it was. Then you are asked \
which facts of some kinds are true after one of the steps. A fact is written as a name with the things it is about, \
in parentheses, for instance (at truck1 depot2). Your answer is a list of texts, one for each such fact that is true \
after that step, in any order, for instance ["(at truck1 depot2)", "(empty truck1)"]; the list is empty if there is \
none. It counts only if it has all of them and nothing else."""


@attrs.frozen(kw_only=True)
class RecallQuestion(SingleQuestion):
    """A trajectory and a question about one of its steps; ``name`` tells the question.

    ``asked`` are the predicates whose true atoms are asked for. ``moments`` are these atoms at the start and after each
    step.
    """

    name: str
    domain: str
    text: str
    asked_step: int
    asked: tuple[str, ...]
    moments: tuple[frozenset[GroundAtom], ...] = attrs.field(repr=False)

    @property
    def length(self) -> int:
        """How many steps the trajectory has."""
        return len(self.moments) - 1

    @property
    def truth(self) -> frozenset[GroundAtom]:
        """The facts that are asked for, and that are the right answer."""
        return self.moments[self.asked_step]

    @property
    def schema(self) -> JSON:
        """A list of texts, each an atom."""
        return {"type": "array", "items": {"type": "string"}, "maxItems": MOST_ATOMS}

    def refused(self, answer: Any) -> Illegal | None:
        """Refuse what is no list of atoms; names that do not occur are wrong, not refused."""
        if not isinstance(answer, Sequence) or isinstance(answer, str) or len(answer) > MOST_ATOMS:
            return Illegal("not-a-list", f"an answer is a list of at most {MOST_ATOMS} facts, each a text")
        wrong = [text for text in answer if read_atom(text) is None]
        return Illegal("not-a-fact", f"{wrong[0]!r} is no fact such as '(at truck1 depot2)'") if wrong else None

    def sample(self, rng: Random) -> Action:
        """Draw a moment of the trajectory, each with the same probability, and answer what holds there."""
        return sorted(map(atom_text, rng.choice(self.moments)))

    def judged(self, answer: Any) -> dict[str, JSON]:
        """Whether the set is exactly right, and how much of it: precision, recall and their harmonic mean."""
        given = frozenset(atom for atom in map(read_atom, answer or ()) if atom)
        missing, extra = self.truth - given, given - self.truth
        hits = len(given & self.truth)
        is_whole = answer is not None and not missing and not extra
        precision = hits / len(given) if given else float(is_whole)
        recall = hits / len(self.truth) if self.truth else float(is_whole)
        return {
            "question": self.name,
            "domain": self.domain,
            "length": self.length,
            "asked_step": self.asked_step,
            "properties": len(self.asked),
            "asked": list(self.asked),
            "valid": is_whole,
            "f1": 2 * hits / (len(given) + len(self.truth)) if hits else float(is_whole),
            "precision": precision,
            "recall": recall,
            "missing": sorted(map(atom_text, missing)),
            "extra": sorted(map(atom_text, extra)),
        }


@attrs.frozen
class FactualRecall(SingleQuestionGame):
    """Say what is true after one step of a trajectory that is told with all its changes.

    Without ``domain``, ``length`` or ``number`` the match's chance draws one of the 900 questions.
    """

    domain: RecallDomain | None = attrs.field(
        default=None,
        validator=optional(in_(RECALL_DOMAINS)),
        metadata={"help": "whose tasks are walked through; unset: drawn from elevator, grid and floortile"},
    )
    length: int | None = attrs.field(
        default=None,
        validator=optional(and_(ge(1), le(100))),
        metadata={"help": "how many steps; unset: drawn from 2, 4, … 30"},
    )
    number: int | None = attrs.field(
        default=None,
        validator=optional(and_(ge(0), le(QUESTIONS - 1))),
        metadata={"help": "which question of this domain and length; unset: drawn from all 20"},
    )
    properties: Properties | None = attrs.field(
        default=None,
        validator=optional(in_(PROPERTIES)),
        metadata={"help": "how many of the properties that can change are asked for; unset: 1, 3 or all, in turn"},
    )
    seed: int = attrs.field(default=0, metadata={"help": "another seed gives other questions"})

    @property
    def rules(self) -> str:
        """What is told, what is asked, and what an answer is."""
        return RULES

    @property
    def is_drawn(self) -> bool:
        """Whether domain, length or number are left to chance."""
        return None in (self.domain, self.length, self.number)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Choose the question; chance draws what the parameters leave open."""
        domain = chance.choice("domain", RECALL_DOMAINS) if self.domain is None else self.domain
        length = chance.choice("length", LENGTHS) if self.length is None else self.length
        number = chance.index("number", QUESTIONS) if self.number is None else self.number
        state = SingleQuestionState(recall_question(domain, length, number, self.properties, self.seed))
        return state, state.opened()


@lru_cache(maxsize=1 << 10)
def recall_question(
    domain: RecallDomain, length: int, number: int, properties: Properties | None = None, seed: int = 0
) -> RecallQuestion:
    """The question about a domain and length with this number, counted from 0; no two of one seed are equal.

    Questions of one domain and length are about different tasks. Where fewer properties can change than are asked for,
    all of them are asked.
    """
    order = derive_rng("planning-recall", seed, domain, length).sample(range(1, task_count(domain) + 1), QUESTIONS)
    rng = derive_rng("planning-recall", seed, domain, length, number)
    wanted = properties or PROPERTIES[(RECALL_DOMAINS.index(domain) + length // 2 + number) % len(PROPERTIES)]
    told, mutable = _rich_walk(_problem(domain, order[number]), length, 3 if wanted == "all" else wanted, rng)
    asked_step = rng.randint(1, length)
    count = len(mutable) if wanted == "all" else min(wanted, len(mutable))
    asked = tuple(sorted(rng.sample(mutable, count)))
    which = f"{domain}, {length} steps, question {number + 1}"
    which += "" if properties is None else f" about {properties}"
    return RecallQuestion(
        name=which + (f" of seed {seed}" if seed else ""),
        domain=domain,
        text=_text(told, asked_step, asked),
        asked_step=asked_step,
        asked=asked,
        moments=tuple(atoms_of(state, asked) for state in told.states),
    )


def recall_questions(seed: int = 0) -> list[RecallQuestion]:
    """All 900 questions of a seed, by domain and length."""
    return [
        recall_question(domain, length, number, seed=seed)
        for domain in RECALL_DOMAINS
        for length in LENGTHS
        for number in range(QUESTIONS)
    ]


def read_atom(text: Any) -> GroundAtom | None:
    """The atom that a text names, in any case and with or without its parentheses; ``None`` if it names none."""
    if not isinstance(text, str):
        return None
    words = text.strip().lower()
    if words.startswith("(") and words.endswith(")"):
        words = words[1:-1]
    return None if any(mark in words for mark in "(),") else tuple(words.split()) or None


def _rich_walk(problem: Problem, length: int, properties: int, rng: Random) -> tuple[Walk, tuple[str, ...]]:
    """A walk on which so many properties are mutable, which are returned too; the last one drawn if none is."""
    for _ in range(WALKS):
        told = walk(problem, length, rng)
        if len(mutable := told.mutable()) >= properties:
            break
    return told, mutable


@lru_cache(maxsize=1 << 8)
def _problem(domain: str, number: int) -> Problem:
    chosen = task(domain, number)
    return read_problem(known_domain(chosen.domain_text), chosen.problem_text)


def _text(told: Walk, asked_step: int, asked: Sequence[str]) -> str:
    """The question in words: the start, the goal, each step with its changes, and what is asked."""
    start = told.problem.initial
    lines = [
        f"At the start these facts are true: {_facts(start.changing)}",
        f"These never change: {_facts(start.fixed)}",
    ]
    lines.append(f"To be reached: {formula_text(told.problem.goal, {})}")
    for number, step in enumerate(told.steps, start=1):
        change = change_between(number, step, *told.states[number - 1 : number + 1])
        lines.append(f"Step {number}: {change.action}")
        lines.append(f"  became true: {' '.join(change.became_true) or 'nothing'}")
        lines.append(f"  became false: {' '.join(change.became_false) or 'nothing'}")
    kinds = " or ".join(filter(None, (", ".join(asked[:-1]), asked[-1])))
    lines.append(f"Which facts whose name is {kinds} are true after step {asked_step}?")
    return "\n".join(lines)


def _facts(atoms: frozenset[GroundAtom]) -> str:
    return " ".join(map(atom_text, sorted(atoms))) or "none"
