"""Sample match records for trying metrics, with every way a match can end."""

from collections.abc import Iterator

import attrs
from arena.metric import Baseline, CallUsage, UnfinishedMatch
from arena.record import EVERYONE, Ending, Event, Failure, MatchPlan, MatchRecord, Player

_ENDINGS: tuple[tuple[Ending, tuple[float, ...] | None, tuple[int, ...]], ...] = (
    (Ending.RULES, (1.0, -1.0), ()),
    (Ending.RULES, (-1.0, 1.0), ()),
    (Ending.RULES, (0.0, 0.0), ()),
    (Ending.FORFEIT_ILLEGAL, (-1.0, 1.0), (0,)),
    (Ending.FORFEIT_FORMAT, (1.0, -1.0), (1,)),
    (Ending.FORFEIT_TIME, (1.0, -1.0), (1,)),
    (Ending.FORFEIT_LEFT, (-1.0, 1.0), (0,)),
    (Ending.DISQUALIFIED, None, (0,)),
    (Ending.TURN_LIMIT, None, ()),
    (Ending.RULES, (1.0, -1.0), ()),
)

REFERENCES = {
    "coins": Baseline(
        random=(0.1, -0.1),
        random_errors=(0.01, 0.01),
        random_n=1_000,
        random_wins=(0.45, 0.35),
        random_draws=0.2,
        random_turns=2.0,
        returns="zero-sum",
        min_return=-1,
        max_return=1,
        optimal=(0.0, 0.0),
        optimal_source="it is a coin",
    )
}


def sample_records(repeats: int = 3) -> tuple[MatchRecord, ...]:
    """Matches of two agents in a game called ``coins``.

    They are won, lost, drawn, forfeited and cut short, with seats rotated; ``repeats`` times each.
    """
    return tuple(_records(repeats))


def sample_call_usage(match: MatchRecord) -> tuple[CallUsage, ...]:
    """Completions of ``match``: one per player, one of a judge, and one whose tokens and cost are unknown."""
    known = CallUsage(
        player=None,
        turn=None,
        prompt_tokens=90,
        completion_tokens=7,
        cached_tokens=60,
        reasoning_tokens=2,
        cost_usd=0.125,
    )
    asked = [attrs.evolve(known, player=Player(p), turn=0, cached_tokens=30 * p) for p in range(len(match.agents))]
    unknown = attrs.evolve(
        asked[-1],
        turn=1,
        prompt_tokens=None,
        completion_tokens=None,
        cached_tokens=None,
        reasoning_tokens=None,
        cost_usd=None,
    )
    return (*asked, known, *[unknown] * (match.plan.repeat == 1))


def sample_unfinished() -> tuple[UnfinishedMatch, ...]:
    """Two matches without a result: one failed, one was not played."""
    agents = ("careful", "rash")
    return (
        UnfinishedMatch(
            match="coins/careful,rash/90.0", game="coins", agents=agents, ending=Ending.FAILED, reason="a bug"
        ),
        UnfinishedMatch(match="coins/careful,rash/91.0", game="coins", agents=agents, ending=None),
    )


def broken_record() -> MatchRecord:
    """The record of a match that failed, as it is read from a journal."""
    plan = _plan(92, 0)
    return MatchRecord(plan=plan, seats=(), ending=Ending.FAILED, returns=None, failure=Failure("a bug", "Traceback"))


def _records(repeats: int) -> Iterator[MatchRecord]:
    for number in range(repeats * len(_ENDINGS)):
        ending, returns, gone = _ENDINGS[number % len(_ENDINGS)]
        plan = _plan(number // 2, number % 2)
        yield MatchRecord(
            plan=plan,
            seats=("heads", "tails"),
            ending=ending,
            returns=returns,
            forfeited=tuple(map(Player, gone)),
            steps=2,
            events=tuple(_events(number, gone)),
        )


def _plan(repeat: int, rotation: int) -> MatchPlan:
    agents = ("careful", "rash") if rotation == 0 else ("rash", "careful")
    return MatchPlan(
        id=f"coins/{','.join(agents)}/{repeat}.{rotation}",
        game="coins",
        agents=agents,
        pairing="careful,rash",
        repeat=repeat,
        rotation=rotation,
        chance_seed=repeat,
    )


def _events(number: int, gone: tuple[int, ...]) -> Iterator[Event]:
    yield Event(0, "game", "tossed", None, {"coin": number % 2}, EVERYONE)
    for step, player in enumerate((Player(0), Player(1))):
        to = (player,)
        for attempt in range(number % 3 if player in gone else number % 2):
            refused = {"kind": "illegal", "reason": "no such side", "turn": 0, "try": attempt, "action": "edge"}
            yield Event(step, "referee", "refused", player, refused, to)
        if player in gone:
            yield Event(step, "referee", "gone", player, {"kind": "illegal"}, EVERYONE)
            return
        by = "random" if number % 10 == 9 else "agent"  # an odd number: something was refused before
        played = {
            "action": player,
            "label": "say heads",
            "turn": 0,
            "try": number % 2,
            "by": by,
            "reasoning": "a hunch",
        }
        yield Event(step, "referee", "played", player, played, to)
