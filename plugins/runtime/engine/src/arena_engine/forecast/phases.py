"""Tells apart what an agent sends and writes: by phase, seat, part of the match and part of the prompt."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

import attrs

from arena_engine.execution.capture import CapturedRequest, CapturedTurn
from arena_engine.forecast.calls import SPREAD, WRITTEN, answer_limit, different_backends, longest_answer
from arena_engine.forecast.samples import AgentRequests
from arena_engine.job.executor import Job
from arena_engine.journal.usage import Range


@attrs.frozen(kw_only=True)
class PhaseForecast:
    """What an agent probably asks in one phase, as one seat, in one part of the matches of a game, in first tries.

    ``reused_tokens`` are those at the beginning of prompts that an earlier prompt of the match, or of another match of
    the game, began with too: a provider or server that caches what it has read need not read them again.
    ``period`` is the part of the match in the game's words, empty if the game has none. ``parts`` are the tokens of the
    parts of prompts as far as the agent tells them apart; they sum to no more than ``prompt_tokens``.
    ``answer_tokens`` are at least those of the action that random play chose, and at most what the backend is asked
    for, or infinite. ``cost_usd`` is ``None`` if a price is unknown; its bounds take other ratios of characters to
    tokens into account, and all lengths of answers.
    """

    caller: str
    game: str
    phase: str
    seat: str
    period: str
    calls: float
    prompt_tokens: float
    reused_tokens: float = 0.0
    parts: Mapping[str, float]
    answer_tokens: Range
    cost_usd: Range | None

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What this is the forecast of."""
        return (self.caller, self.game, self.phase, self.seat, self.period)

    def plus(self, other: "PhaseForecast") -> "PhaseForecast":
        """Both together, under the words of this one."""
        names = dict.fromkeys((*self.parts, *other.parts))
        costs = (self.cost_usd, other.cost_usd)
        return attrs.evolve(
            self,
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            reused_tokens=self.reused_tokens + other.reused_tokens,
            parts={name: self.parts.get(name, 0.0) + other.parts.get(name, 0.0) for name in names},
            answer_tokens=self.answer_tokens.plus(other.answer_tokens),
            cost_usd=None if costs[0] is None or costs[1] is None else costs[0].plus(costs[1]),
        )

    def times(self, factor: float) -> "PhaseForecast":
        """So many times this much."""
        return attrs.evolve(
            self,
            calls=self.calls * factor,
            prompt_tokens=self.prompt_tokens * factor,
            reused_tokens=self.reused_tokens * factor,
            parts={name: tokens * factor for name, tokens in self.parts.items()},
            answer_tokens=self.answer_tokens.times(factor),
            cost_usd=None if self.cost_usd is None else self.cost_usd.times(factor),
        )


def added(forecasts: Iterable[PhaseForecast]) -> list[PhaseForecast]:
    """Add up forecasts of the same, in the order in which they first occur."""
    found: dict[tuple[str, str, str, str, str], PhaseForecast] = {}
    for each in forecasts:
        found[each.key] = found[each.key].plus(each) if each.key in found else each
    return list(found.values())


def of_phases(job: Job, asked: AgentRequests, group: str) -> list[PhaseForecast]:
    """Tell apart what an agent asks in the matches of a game, which counts as one of ``group``.

    Each seat's captured playout is taken as many times as the agent has turns there, so that the calls sum to the
    likely number of the whole.
    """
    seats = job.games[asked.game.game].seats(len(asked.game.decisions))
    backends = different_backends(job.agents[asked.agent].backends().values())
    found: list[PhaseForecast] = []
    for player, matches in asked.matches.items():
        captured = asked.captured.get(player, asked.captured[asked.longest])
        turns = asked.game.decisions[player].likely / max(1, len(captured.turns))
        own = [
            _of_request(request, before, captured.turns[request.turn], asked.agent, group, seats[player])
            for before, request in pairwise((None, *captured.requests))
            if request is not None and request.turn in captured.turns and request.backend in backends
        ]
        found += [each.times(matches * turns) for each in added(own)]
    return added(found)


def _of_request(
    request: CapturedRequest, before: CapturedRequest | None, turn: CapturedTurn, agent: str, game: str, seat: str
) -> PhaseForecast:
    backend, price = request.backend, request.backend.price()
    limit = longest_answer(backend)
    likely = min(max(turn.action_tokens, WRITTEN.likely), answer_limit(backend))
    least = min(turn.action_tokens, likely)
    answer = Range(least, likely, float("inf") if limit is None else float(limit))
    sent = request.tokens(likely)
    prompt = Range(sent, sent, sent)
    cost = None
    if price is not None:
        bounds = [
            tokens * factor * price.prompt_usd + (written * price.completion_usd if price.completion_usd else 0.0)
            for tokens, factor, written in zip(_bounds(prompt), _bounds(SPREAD), _bounds(answer), strict=True)
        ]
        cost = Range(*bounds)
    return PhaseForecast(
        caller=agent,
        game=game,
        phase=turn.phase,
        seat=seat,
        period=turn.period,
        calls=1.0,
        prompt_tokens=sent,
        reused_tokens=request.reused_tokens(before, likely),
        parts=request.parts(),
        answer_tokens=answer,
        cost_usd=cost,
    )


def _bounds(of: Range) -> tuple[float, float, float]:
    return of.low, of.likely, of.high
