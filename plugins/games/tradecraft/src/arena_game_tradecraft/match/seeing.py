"""The observations of players and of the spectator."""

from typing import cast

from arena.record import JSON, Player

from arena_game_tradecraft.match.position import Outcome, Position
from arena_game_tradecraft.rules.amounts import write_amounts


def observe(state: Position, player: Player | None) -> JSON:
    """Public hands and the player's own hand and target; the spectator sees all hands and targets."""
    seen = observe_public(state)
    seats = state.reader.seats
    seen["you"] = None if player is None else seats[player]
    seen["proposal"] = _proposal(state, player)
    if player is None:
        seen["hands"] = {seat: write_amounts(hand) for seat, hand in zip(seats, state.hands, strict=True)}
        seen["targets"] = _targets(state)
        return seen
    is_crafting = state.phase == "craft"
    seen["hand"] = write_amounts(state.hands[player])
    seen["target"] = dict(state.problem.targets[player])
    seen["done"] = is_crafting and player in state.done
    seen["crafts_left"] = state.terms.max_crafts - state.crafts[player] if is_crafting else None
    return seen


def observe_public(state: Position) -> dict[str, JSON]:
    """Hands as everybody knows them, and who proposes; no targets, no proposal, no crafting that is not over."""
    seats = state.reader.seats
    return {
        "you": None,
        "phase": state.phase,
        "turn": state.turn,
        "max_turns": state.max_turns,
        "proposer": None if state.proposer is None else seats[state.proposer],
        "hands": state.public(),
        "left": [seats[p] for p in sorted(state.gone)],
        "proposal": None,
        "result": None if state.outcome is None else result(state),
    }


def result(state: Position) -> dict[str, JSON]:
    """The outcome of the match with everybody's target."""
    outcome = cast("Outcome", state.outcome)
    return {
        "reason": outcome.reason,
        "winners": [state.reader.seats[p] for p in outcome.winners],
        "targets": _targets(state),
    }


def _targets(state: Position) -> dict[str, JSON]:
    return {seat: dict(target) for seat, target in zip(state.reader.seats, state.problem.targets, strict=True)}


def _proposal(state: Position, player: Player | None) -> JSON:
    """The current proposal, for the two players it concerns."""
    if state.proposal is None or (player is not None and player not in (state.proposer, state.proposal.partner)):
        return None
    return {
        "proposer": state.reader.seats[cast("Player", state.proposer)],
        **state.reader.write_proposal(state.proposal),
    }
