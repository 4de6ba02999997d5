"""Which matches have deals of their own unless the schedule says otherwise: those of open seats where cards are hidden.

Rotations of a pairing share their deals, so whoever plays or watches one of them could know what is hidden in another.
"""

from collections.abc import Mapping

from arena_engine.benchmark.entries import AgentEntry, GameEntry


def unpaired_seats(games: Mapping[str, GameEntry], agents: Mapping[str, AgentEntry]) -> frozenset[tuple[str, str]]:
    """Each game that hides something, with each agent that somebody outside plays: their names in the benchmark."""
    outside = [name for name, entry in agents.items() if entry.agent.outside is not None]
    return frozenset((game, name) for name in outside for game, entry in games.items() if _hides(entry))


def _hides(entry: GameEntry) -> bool:
    try:
        return entry.game.facts(entry.players).hidden_information
    except Exception:  # the checks of a benchmark say so, and it is not played
        return True
