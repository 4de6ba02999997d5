"""Turns effects into functions, and works out the state after an action."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

import attrs

from arena_game_planning.pddl.compiling import (
    Binding,
    Pick,
    Places,
    Undefined,
    combinations,
    compile_test,
    compile_value,
    limited,
    quotient,
)
from arena_game_planning.pddl.formulas import Atom, Change, Effects, ForEach, Not, When
from arena_game_planning.pddl.problem import Problem
from arena_game_planning.pddl.state import GroundAtom, PlanState
from arena_game_planning.pddl.texts import atom_text


@attrs.define
class Outcome:
    """What one action changes, as it is collected: atoms that become true and false, and changes of numbers."""

    added: list[GroundAtom] = attrs.field(factory=list[GroundAtom])
    deleted: list[GroundAtom] = attrs.field(factory=list[GroundAtom])
    changes: list[tuple[str, GroundAtom, Fraction]] = attrs.field(factory=list[tuple[str, GroundAtom, Fraction]])


Collect: TypeAlias = Callable[[Problem, PlanState, Binding, Outcome], None]


@attrs.frozen
class CompiledEffects:
    """Effects of an action: atoms that are always added or deleted, and functions that collect everything else."""

    added: tuple[Pick, ...]
    deleted: tuple[Pick, ...]
    others: tuple[Collect, ...]

    def outcome(self, problem: Problem, state: PlanState, binding: Binding) -> Outcome:
        """What the effects change in ``state``; ``Undefined`` where a number in them has no value."""
        outcome = Outcome([pick(binding) for pick in self.added], [pick(binding) for pick in self.deleted])
        for collect in self.others:
            collect(problem, state, binding, outcome)
        return outcome

    def after(self, problem: Problem, state: PlanState, binding: Binding) -> PlanState:
        """The state after the effects; what they delete and add is there afterwards.

        ``Undefined`` where a number has no value, or where changes of one number contradict each other.
        """
        outcome = self.outcome(problem, state, binding)
        changing = state.changing.difference(outcome.deleted).union(outcome.added)
        return PlanState(changing, changed_numbers(state, outcome.changes), state.fixed)


def compile_effects(effects: Effects, places: Places) -> CompiledEffects:
    """Compile effects whose variables stand at ``places``."""
    added: list[Pick] = []
    deleted: list[Pick] = []
    others: list[Collect] = []
    for effect in effects:
        match effect:
            case Atom(name, args):
                added.append(places.pick(name, args))
            case Not(Atom(name, args)):
                deleted.append(places.pick(name, args))
            case Change():
                others.append(_change(effect, places))
            case When():
                others.append(_when(effect, places))
            case ForEach():
                others.append(_for_each(effect, places))
            case Not():
                raise AssertionError("a negated effect is always an atom")
    return CompiledEffects(tuple(added), tuple(deleted), tuple(others))


def changed_numbers(
    state: PlanState, changes: Sequence[tuple[str, GroundAtom, Fraction]]
) -> Mapping[GroundAtom, Fraction]:
    """The numbers of ``state`` after ``changes``, all of which were computed in it.

    Increases and decreases of one number add up, and a number that has none starts from 0 for them, as VAL has it.
    ``Undefined`` if one is assigned or scaled and changed a second time: the order would matter, and PDDL has none.
    """
    if not changes:
        return state.numbers
    numbers = dict(state.numbers)
    met: dict[GroundAtom, bool] = {}
    for kind, ground, by in changes:
        is_sum = kind in ("increase", "decrease")
        if not (met.get(ground, True) and (is_sum or ground not in met)):
            raise Undefined(f"{atom_text(ground)} is changed in two ways at once")
        met[ground] = is_sum
        numbers[ground] = limited(_changed(kind, ground, numbers.get(ground), by))
    return numbers


def _changed(kind: str, ground: GroundAtom, value: Fraction | None, by: Fraction) -> Fraction:
    match kind:
        case "assign":
            return by
        case "increase":
            return by if value is None else value + by
        case "decrease":
            return -by if value is None else value - by
        case _ if value is None:
            raise Undefined(f"{atom_text(ground)} has no value")
        case "scale-up":
            return value * by
        case _:
            return quotient(value, by)


def _change(effect: Change, places: Places) -> Collect:
    kind, pick = effect.kind, places.pick(effect.fluent.name, effect.fluent.args)
    value = compile_value(effect.by, places)

    def collect(problem: Problem, state: PlanState, binding: Binding, outcome: Outcome) -> None:
        outcome.changes.append((kind, pick(binding), value(state, binding)))

    return collect


def _when(effect: When, places: Places) -> Collect:
    test, inner = compile_test(effect.condition, places), _collector(effect.effects, places)

    def collect(problem: Problem, state: PlanState, binding: Binding, outcome: Outcome) -> None:
        if test(problem, state, binding):
            inner(problem, state, binding, outcome)

    return collect


def _for_each(effect: ForEach, places: Places) -> Collect:
    variables = effect.variables
    inner = _collector(effect.effects, places.with_variables([variable.name for variable in effect.variables]))

    def collect(problem: Problem, state: PlanState, binding: Binding, outcome: Outcome) -> None:
        for values in combinations(problem, variables):
            inner(problem, state, binding + values, outcome)

    return collect


def _collector(effects: Effects, places: Places) -> Collect:
    compiled = compile_effects(effects, places)

    def collect(problem: Problem, state: PlanState, binding: Binding, outcome: Outcome) -> None:
        outcome.added.extend(pick(binding) for pick in compiled.added)
        outcome.deleted.extend(pick(binding) for pick in compiled.deleted)
        for part in compiled.others:
            part(problem, state, binding, outcome)

    return collect
