"""The matches of one seat: which there are, which is at hand, and what is said to whoever takes it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from arena.record import MatchPlan, MatchRecord
from arena_cli.output import amount
from arena_engine import AFTER_LAST_TRY, ControlState, Journal, RecordedGame, recorded_games

from arena_web.foundation.errors import ApiError, not_found
from arena_web.foundation.keys import Grant
from arena_web.held.found_runs import FoundRun, FoundRuns
from arena_web.held.match_names import match_name
from arena_web.held.run_state import control_state, open_run

ANSWER_S: Final = 5.0
"""Seconds that the process which plays a run has to say what it does; it may be busy with a game."""

KEPT: Final = 200
"""Of so many seats the matches are kept."""


@attrs.frozen(kw_only=True)
class SeatMatch:
    """One match of a seat: its plan, which player the seat is, its number among the seat's matches, from 1."""

    plan: MatchPlan
    player: int
    number: int

    @property
    def name(self) -> str:
        """The name by which addresses call it."""
        return match_name(self.plan.id)


@attrs.frozen(kw_only=True)
class SeatLook:
    """How it stands with a seat: the match at hand, its record if it is over, and who plays the run.

    ``following`` is the one that is at hand once that is over, if there is one.
    """

    run: FoundRun
    grant: Grant
    header: str
    benchmark: Mapping[str, Any]
    matches: tuple[SeatMatch, ...]
    match: SeatMatch
    record: MatchRecord | None
    following: SeatMatch | None
    done: int
    game: RecordedGame | None
    control: ControlState | None

    @property
    def agent_settings(self) -> Mapping[str, Any]:
        """The settings of the agent whose seat it is."""
        return settings(settings(self.benchmark.get("agents")).get(self.grant.agent))

    @property
    def is_in_play(self) -> bool:
        """Whether the match at hand is being played."""
        return _is_in_play(self.match, self.control)


class SeatMatches:
    """Looks at seats in the journals of their runs; the plans of a seat are read once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, int, str, int | None], tuple[SeatMatch, ...]] = {}

    def look(self, runs: FoundRuns, grant: Grant, name: str = "", *, is_begun: bool = True) -> SeatLook:
        """How it stands with a seat and the match of this name, or else the one that is at hand.

        So it is also where that match is not known to have begun (``is_begun``): which of a seat's matches begins next
        is for the run to say.
        """
        run = run_of(runs, grant)
        control = control_state(run.directory, ANSWER_S)
        with open_run(run) as journal:
            check_run(journal, grant)
            matches = self.of(journal, grant.agent, grant.player)
            if not matches:
                raise ApiError(409, grant.agent, "this seat has no match in the run", "ask the host for a new link")
            over = {id_ for id_, ending in journal.endings().items() if ending.is_final}
            named = _named(matches, name) if name else None
            if named is None or not (is_begun or named.plan.id in over or _is_in_play(named, control)):
                named = _at_hand(matches, over, control) or matches[-1]
            match = named
            left = tuple(each for each in matches if each != match)
            record = journal.record_of(match.plan.id) if match.plan.id in over else None
            return SeatLook(
                run=run,
                grant=grant,
                header=journal.header.id,
                benchmark=settings(journal.header.benchmark),
                matches=matches,
                match=match,
                record=record,
                following=_at_hand(left, over, control),
                done=sum(each.plan.id in over for each in matches),
                game=recorded_games(journal).get(match.plan.game),
                control=control,
            )

    def of(self, journal: Journal, agent: str, player: int | None) -> tuple[SeatMatch, ...]:
        """The matches in which an agent sits, as this player if one is named, in the order of the plan."""
        key = str(journal.directory), journal.header.id, journal.planned(), agent, player
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = _matches_of(journal, agent, player)
        return self._kept[key]

    def places(self, journal: Journal, agent: str) -> tuple[int | None, ...]:
        """The players that an agent is where it sits in one match several times; else ``None`` alone."""
        lineups = {match.plan.agents for match in self.of(journal, agent, None)}
        several = {
            at for agents in lineups if agents.count(agent) > 1 for at, name in enumerate(agents) if name == agent
        }
        return tuple(sorted(several)) or (None,)


def run_of(runs: FoundRuns, grant: Grant) -> FoundRun:
    """The run of a link to a seat or a match, if it is shown here."""
    for run in runs.all():
        if str(run.directory) == grant.run:
            return run
    raise not_found("run", "the run of this link is not shown here any more", "ask the host")


def check_run(journal: Journal, grant: Grant) -> None:
    """An answer of 409 where another run than that of a link lies in its directory."""
    if journal.header.id != grant.header:
        raise ApiError(409, "run", "another run lies there by now", "ask the host for a new link")


def settings(raw: Any) -> Mapping[str, Any]:
    """A table of a benchmark as its journal keeps it, under the names that are written with underscores."""
    table: Mapping[str, Any] = cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {}
    return {name.replace("-", "_"): value for name, value in table.items()}


def _matches_of(journal: Journal, agent: str, player: int | None) -> tuple[SeatMatch, ...]:
    found = [
        (plan, plan.agents.index(agent) if player is None else player)
        for plan in journal.plans()
        if (agent in plan.agents if player is None else plan.agents[player : player + 1] == (agent,))
    ]
    return tuple(SeatMatch(plan=plan, player=at, number=number + 1) for number, (plan, at) in enumerate(found))


def _named(matches: tuple[SeatMatch, ...], name: str) -> SeatMatch:
    for match in matches:
        if match.name == name:
            return match
    raise not_found("match", f"this seat has no match {name[:40]!r}", "leave it out for the one at hand")


def _is_in_play(match: SeatMatch, control: ControlState | None) -> bool:
    return control is not None and match.plan.id in control.playing


def _at_hand(matches: tuple[SeatMatch, ...], over: set[str], control: ControlState | None) -> SeatMatch | None:
    """The match in play, the one that waits for this seat first; else the next; ``None`` after the last."""
    waiting = set[str]() if control is None else {seat.match for seat in control.waiting}
    begun = [match for match in matches if _is_in_play(match, control)]
    left = [match for match in matches if match.plan.id not in over]
    return next((match for match in begun if match.plan.id in waiting), next(iter((*begun, *left)), None))


Outcome: TypeAlias = Literal["won", "drawn", "lost"]
"""What came of a match for one player."""

_VERDICTS: Final[Mapping[Outcome, str]] = {"won": "You won.", "drawn": "A draw.", "lost": "You lost."}

AFTER: Final = "After the last refusal "

STATES: Final[Mapping[str, str]] = {
    "playing": "The match is being played.",
    "waiting": "The match has not begun yet.",
    "not running": "Nobody plays the run at present; it goes on once the host resumes it.",
    "over": "All matches of this seat are over.",
}
"""What the states of a seat mean."""


def on_last_refusal(benchmark: Mapping[str, Any]) -> str:
    """What happens after the last refusal, by the policy of a run."""
    policy = benchmark.get("illegal_actions")
    known = settings(policy)
    is_named = isinstance(policy, str) or "use" in known
    then = (
        "what the benchmark's policy says happens"
        if is_named
        else AFTER_LAST_TRY.get(str(known.get("then", "forfeit")), "")
    )
    return f"{AFTER}{then}."


def refusal_words(reason: str, left: int | None, then: str) -> str:
    """A refusal in words: why, and how often one may still try."""
    why = f"Refused: {reason}." if reason else "Refused."
    if left is None:
        return f"{why} Try again."
    if left <= 0:
        return f"{why} It was the last one: {then.removeprefix(AFTER)}"
    return f"{why} Try again; {'the next refusal' if left == 1 else f'refusal {left} from here'} is the last. {then}"


def verdict_words(look: SeatLook, record: MatchRecord) -> str:
    """What a match came to for the player of the seat."""
    if record.returns is None:
        return "You lost; nobody wins." if look.match.player in record.at_fault else "Nobody wins."
    own, unit = record.returns[look.match.player], "points"
    if look.game is not None:
        if look.game.baseline.counts_wins:
            return _VERDICTS[outcome_of(record.returns, look.match.player)]
        unit = look.game.baseline.return_unit
    return f"You earned {amount(own, unit)}."


def outcome_of(returns: Sequence[float], player: int) -> Outcome:
    """Whether a player won, lost or shared the best result of a game that is won or lost."""
    best = max(returns)
    if returns[player] < best:
        return "lost"
    return "won" if returns.count(best) == 1 else "drawn"
