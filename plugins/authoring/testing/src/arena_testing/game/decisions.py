"""Checks of a decision: ``check`` accepts what is offered, and nothing else."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, cast

from arena.game import ABSENT, Decision, Illegal, Option
from arena.record import JSON, Player, canonical_json, derive_rng
from arena_engine.foundation import json_fault

from arena_testing.foundation.schemas import Schemas
from arena_testing.foundation.values import NONSENSE, copied, extremes, near_misses
from arena_testing.game.observations import check_length
from arena_testing.game.position import ExaminedPosition
from arena_testing.game.written import check_written

SAMPLES = 4
_OPTIONS_PROBED = 6
_BARE_NUMBER = re.compile(r"""[\s"'\[(]*[-+]?\d+([.,]\d+)?[\s"'\])]*""")


def check_asking(position: ExaminedPosition) -> None:
    """Calling ``decision`` changes nothing that anybody sees; no two options have one label."""
    before = canonical_json([position.state.observe(viewer) for viewer in position.viewers])
    for player in position.state.to_act():
        decision = position.state.decision(player)
        if canonical_json([position.state.observe(viewer) for viewer in position.viewers]) != before:
            raise position.fault("decision", "asking for the decision changes the state", player)
        if decision.options is not None:
            # One by one, since going through options whose labels are not unique raises.
            labels = Counter(decision.options.label(action) for action in decision.options.actions)
            if labels and (often := labels.most_common(1)[0])[1] > 1:
                raise position.fault("labels", f"{often[1]} options have the label {often[0]!r}", player)


def check_decision(position: ExaminedPosition, player: Player) -> None:
    """The decision is complete, and ``check`` accepts what it offers and nothing else."""
    decision = position.state.decision(player)
    if decision.player != player:
        raise position.fault("decision", f"the decision belongs to player {decision.player}", player)
    if not decision.phase:
        raise position.fault("decision", "the decision's phase has no name", player)
    if decision.options is None:
        _check_open(position, decision)
    else:
        _check_enumerated(position, decision)
    _check_skip(position, decision)


def probes(decision: Decision, known: Iterable[JSON], near: int = 16) -> Iterator[JSON]:
    """Actions to give to ``check``: ``known`` ones, up to ``near`` near misses of each legal one, and nonsense."""
    yield from known
    for action in _legal(decision):
        rng = derive_rng("probes", action)
        for tried in (near_misses(action), list(extremes(decision.action_schema, copied(action)))):
            yield from rng.sample(tried, min(near, len(tried)))
    yield from NONSENSE


def verdict(position: ExaminedPosition, player: Player, action: JSON) -> Illegal | None:
    """What ``check`` returns for ``action``; fails if that is neither ``None`` nor an ``Illegal`` with a reason."""
    found: Any
    try:
        found = position.state.check(player, action)
    except Exception as error:
        what = f"check raises {type(error).__name__} for {action!r}: {error}"
        raise position.fault("check", what, player) from error
    if found is None:
        return None
    if not isinstance(found, Illegal) or not found.kind or not found.reason.strip():
        raise position.fault("check", f"check says {found!r} to {action!r}, not None or Illegal with a reason", player)
    check_length(position, f"the reason why {str(action)[:40]!r} is refused", found.reason, player)
    return found


def _check_enumerated(position: ExaminedPosition, decision: Decision) -> None:
    player, options = decision.player, list(decision.options or ())
    _check_options(position, player, options)
    for option in options:
        if refused := verdict(position, player, copied(option.action)):
            what = f"the option {option.action!r} is refused: {refused.reason}"
            raise position.fault("options", what, player)
    offered = {canonical_json(option.action) for option in options}
    for option in options:
        if canonical_json(option.label) in offered and canonical_json(option.action) != canonical_json(option.label):
            what = f"the label {option.label!r} of the option {option.action!r} is the action of another option"
            raise position.fault("labels", what, player)
    labels: list[JSON] = [option.label for option in options[:_OPTIONS_PROBED]]
    known = position.examination.actions.get(decision.phase, ())
    for probe in (*probes(decision, known), *labels):
        position.examination.counts["probes"] += 1
        text = canonical_json(probe)
        if text not in offered and verdict(position, player, probe) is None:
            raise position.fault("options", f"{text} is accepted but not among the options", player)
        if canonical_json(probe) != text:
            raise position.fault("check", f"check changes the action {text} it is given", player)
    check_written(position, decision, options)


def _check_options(position: ExaminedPosition, player: Player, options: list[Option]) -> None:
    if not options:
        raise position.fault("options", "the player is to act and has no option", player)
    known = _declared(position)
    actions: set[str] = set()
    for option in options:
        if known is not None and not _is_known(option.action, known):
            what = f"the option {option.action!r} is not among the {len(known)} actions that Game.actions declares"
            raise position.fault("options", what, player)
        if fault := json_fault(option.action):
            raise position.fault("options", f"the option {option.action!r} cannot be written down: {fault}", player)
        if canonical_json(option.action) in actions:
            raise position.fault("options", f"the option {option.action!r} is offered twice", player)
        if not option.label.strip() or _BARE_NUMBER.fullmatch(option.label):
            what = f"the label {option.label!r} of the option {option.action!r} says nothing; put it into words"
            raise position.fault("labels", what, player)
        check_length(
            position, f"the label of an option, which begins with {option.label[:40]!r},", option.label, player
        )
        actions.add(canonical_json(option.action))


def _declared(position: ExaminedPosition) -> set[str] | range | None:
    declared = position.walk.game.actions(position.walk.players)
    if declared is None or isinstance(declared, range):  # not listed, since there may be hundreds of thousands
        return declared
    known = {canonical_json(action) for action in declared}
    if len(known) < len(declared):
        raise position.fault("options", f"Game.actions declares {len(declared)} actions of which {len(known)} differ")
    return known


def _is_known(action: JSON, known: set[str] | range) -> bool:
    return type(action) is int and action in known if isinstance(known, range) else canonical_json(action) in known


def _check_open(position: ExaminedPosition, decision: Decision) -> None:
    player, schemas = decision.player, position.examination.schemas
    for fault in (json_fault(decision.action_schema, "schema"), schemas.fault(decision.action_schema)):
        if fault:
            raise position.fault("schema", fault, player)
    if decision.sampler is None:
        raise position.fault("schema", "a decision without options needs a sampler", player)
    for action in _legal(decision):
        if fault := json_fault(action):
            raise position.fault("schema", f"the sample {action!r} cannot be written down: {fault}", player)
        if misfit := schemas.misfit(decision.schema, copied(action)):
            raise position.fault("schema", f"the sample {action!r} does not fit the schema: {misfit}", player)
        if refused := verdict(position, player, copied(action)):
            raise position.fault("schema", f"the sample {action!r} is refused: {refused.reason}", player)
        if canonical_json(meant := _interpreted(position, decision, copied(action))) != canonical_json(action):
            raise position.fault("writings", f"the action {action!r} is read as another one, {meant!r}", player)
    for probe in probes(decision, position.examination.actions.get(decision.phase, ())):
        position.examination.counts["probes"] += 1
        text = canonical_json(probe)
        refused = verdict(position, player, probe)
        if refused is not None and _is_promised(decision.action_schema, probe, refused, schemas):
            what = f"{text} fits the schema and is refused all the same: {refused.reason}"
            raise position.fault("schema", what, player)
        if refused is None and (misfit := schemas.misfit(decision.schema, copied(probe))):
            raise position.fault("schema", f"{text} is accepted against the schema: {misfit}", player)
        if canonical_json(probe) != text:
            raise position.fault("check", f"check changes the action {text} it is given", player)
        meant = _interpreted(position, decision, probe)
        if canonical_json(meant) != text and (refused := verdict(position, player, meant)):
            what = f"{text} is read as {meant!r}, which is refused: {refused.reason}"
            raise position.fault("writings", what, player)


def _is_promised(schema: Any, value: JSON, refused: Illegal, schemas: Schemas) -> bool:
    """Whether the schema is so precise about ``value`` that ``check`` may not refuse it.

    A schema of a single plain value can be complete. A schema of lists and objects cannot express what depends on the
    position; there, only values refused with kind ``schema`` must not fit it.
    """
    if not schemas.can_check or _is_misspelt(value) or schemas.misfit(schema, copied(value)) is not None:
        return False
    parts = cast("dict[str, JSON]", schema) if isinstance(schema, dict) else {}
    is_plain = "enum" in parts or parts.get("type") in ("integer", "number", "boolean")
    return is_plain or refused.kind == "schema"


def _is_misspelt(value: Any) -> bool:
    """Whether ``value`` contains a whole number as a float, which JSON schemas do not tell from an integer."""
    if isinstance(value, dict):
        return any(map(_is_misspelt, cast("dict[str, Any]", value).values()))
    if isinstance(value, list | tuple):
        return any(map(_is_misspelt, cast("list[Any]", value)))
    return isinstance(value, float) and value.is_integer()


def _interpreted(position: ExaminedPosition, decision: Decision, value: JSON) -> JSON:
    """The action that the game reads ``value`` as; fails if that is not JSON or reading it raises."""
    try:
        meant = decision.interpret(value)
    except Exception as error:
        what = f"reading {value!r} raises {type(error).__name__}: {error}"
        raise position.fault("writings", what, decision.player) from error
    if isinstance(meant, Illegal):
        return value
    if fault := json_fault(meant):
        raise position.fault("writings", f"{value!r} is read as {meant!r}, which is not JSON: {fault}", decision.player)
    return meant


def _check_skip(position: ExaminedPosition, decision: Decision) -> None:
    skip: Any = decision.skip
    if skip is ABSENT:
        return
    if fault := json_fault(skip):
        raise position.fault("skip", f"doing nothing cannot be written down: {fault}", decision.player)
    if refused := verdict(position, decision.player, copied(skip)):
        raise position.fault("skip", f"doing nothing, {skip!r}, is refused: {refused.reason}", decision.player)


def _legal(decision: Decision) -> list[JSON]:
    """Some legal actions, always the same ones."""
    if decision.options is not None:
        actions = decision.options.actions
        return [actions[i] for i in range(0, len(actions), max(1, len(actions) // _OPTIONS_PROBED))][:_OPTIONS_PROBED]
    return [decision.sample(Random(n)) for n in range(SAMPLES)]
