"""Says in words how a match came out and why; pages, terminal and lists of matches use no words of their own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from arena.metric import Baseline
from arena.record import Ending, MatchRecord

from arena_engine.journal.encoded_match import MatchSummary, PairingTotals, summary_row

_WITHOUT_RESULT: Final[Mapping[Ending, str]] = {
    Ending.CANCELLED: "cancelled, no result",
    Ending.INFRASTRUCTURE_FAILURE: "no result: a model could not be reached",
    Ending.FAILED: "no result: a plugin failed",
}

_FAILED_BY: Final[Mapping[Ending, str]] = {
    Ending.FORFEIT_ILLEGAL: "forfeited with an illegal move",
    Ending.FORFEIT_FORMAT: "forfeited with an unreadable response",
    Ending.FORFEIT_TIME: "ran out of time",
    Ending.FORFEIT_LEFT: "left",
    Ending.DISQUALIFIED: "was disqualified",
    Ending.TURN_LIMIT: "made too few valid moves before the turn limit",
}


def player_names(agents: Sequence[str], seats: Sequence[str]) -> tuple[str, ...]:
    """The agents of a match by player; where one agent plays several, each with its seat."""
    times = Counter(agents)
    known = [seats[player] if player < len(seats) else f"player {player + 1}" for player in range(len(agents))]
    return tuple(f"{agent} ({seat})" if times[agent] > 1 else agent for agent, seat in zip(agents, known, strict=True))


def has_only_losers(ended: MatchSummary | PairingTotals) -> bool:
    """Whether matches ended by the failure of those at fault without a return for anybody: these lost, nobody won."""
    return bool(ended.at_fault) and ended.winner is None and ended.ending in (Ending.DISQUALIFIED, Ending.TURN_LIMIT)


def is_undecided(ended: MatchSummary | PairingTotals) -> bool:
    """Whether a limit cut matches off before anybody was given a return, and nobody is at fault."""
    return ended.winner is not None and ended.winner < 0


def result_words(names: Sequence[str], ended: MatchSummary | PairingTotals, *, earned: str = "", why: str = "") -> str:
    """Who won a match, by the names of its players, and why: a win is the greatest return, alone.

    ``earned`` stands for the verdict where a game is not won or lost. ``why`` is the game's reason, as its
    ``describe_end`` tells it; a failure of a player goes before it.
    """
    if not ended.ending.is_result:
        return _WITHOUT_RESULT[ended.ending]
    reason = reason_words(names, ended, why=why)
    if has_only_losers(ended):
        return f"nobody won: {reason}"
    if is_undecided(ended):
        return "cut off, no result"
    verdict = earned or _verdict(names, ended.winner)
    return f"{verdict}: {reason}" if reason else verdict


def reason_words(names: Sequence[str], ended: MatchSummary | PairingTotals | MatchRecord, *, why: str = "") -> str:
    """Why a match came out as it did; empty where there is nothing to say beyond who won."""
    who = " and ".join(names[player] for player in ended.at_fault)
    if who and ended.ending in _FAILED_BY:
        return f"{who} {_FAILED_BY[ended.ending]}"
    return why or ("turn limit" if ended.ending is Ending.TURN_LIMIT else "")


def record_words(
    record: MatchRecord, names: Sequence[str] = (), baseline: Baseline | None = None, *, why: str = ""
) -> str:
    """The same of a record; where a game is not won or lost, as its ``baseline`` says, what each player earned."""
    names = names or player_names(record.agents, record.seats)
    earned = "" if baseline is None or record.returns is None else _earned(names, record.returns, baseline)
    return result_words(names, MatchSummary.from_row(summary_row(record)), earned=earned, why=why)


def _verdict(names: Sequence[str], winner: int | None) -> str:
    if len(names) == 1:
        return "over"
    return "drawn" if winner is None else f"{names[winner]} won"


def _earned(names: Sequence[str], returns: Sequence[float], baseline: Baseline) -> str:
    """What the players earned, where nobody's gain is another's loss; else nothing."""
    if baseline.has_winners:
        return ""
    if len(names) == 1 or baseline.returns == "cooperative":
        unit = baseline.return_unit.removesuffix("s") if returns[0] == 1 else baseline.return_unit
        return f"{'earned' if len(names) == 1 else 'together'} {returns[0]:g} {unit}"
    return ", ".join(f"{name} {value:g}" for name, value in zip(names, returns, strict=True))
