"""Which matches may only be seen as a bystander sees them: somebody outside plays in them, or with their deals."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from arena.record import MatchPlan
from arena_engine import Journal, outside_agents, recorded_games


def sittings(journal: Journal) -> Iterator[MatchPlan]:
    """The matches in which somebody outside sits who may not know all of them: they hide something and are not over.

    One that ended without a result is played again, with the same deals, and so it is not over.
    """
    outside = outside_agents(journal)
    if not outside:
        return
    open_games = {game for game in recorded_games(journal) if not hides(journal, game)}
    over = {id_ for id_, ending in journal.endings().items() if ending.is_final}
    for plan in journal.plans():
        if plan.id not in over and plan.game not in open_games and outside & set(plan.agents):
            yield plan


def is_covered(journal: Journal, plan: MatchPlan, *, is_host: bool = False) -> bool:
    """Whether a match, over or not, may only be seen as a bystander sees it: somebody sits in it or with its deals.

    A host sees all of it where it is recorded of each such sitting that the host does.
    """
    return plan.block in _covered_blocks(journal, is_host=is_host)


def covered_matches(journal: Journal, *, is_host: bool = False) -> frozenset[str]:
    """The ids of all matches of which that is true."""
    blocks = _covered_blocks(journal, is_host=is_host)
    return frozenset(plan.id for plan in journal.plans() if plan.block in blocks) if blocks else frozenset()


def _covered_blocks(journal: Journal, *, is_host: bool) -> set[str]:
    watched = journal.watched() if is_host else frozenset[str]()
    return {plan.block for plan in sittings(journal) if plan.id not in watched}


def hides(journal: Journal, game: str) -> bool:
    """Whether a game hides something from a player, as the journal says; where it does not say, it may."""
    raw = cast("Mapping[str, Any]", journal.metadata("games") or {}).get(game, {})
    return bool(cast("Mapping[str, Any]", raw.get("facts", {})).get("hidden_information", not raw))
