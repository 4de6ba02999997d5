"""Tells where the tokens of a run go: by phase and part of the prompt, and by seat and part of the match."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import Final

import attrs
from arena.record import JSON
from arena_engine.forecast import Alternative, CallForecast, PhaseForecast, RunForecast, added
from arena_engine.journal import Range
from arena_report.content import format_number, format_range, format_usd

COLUMNS: Final = 5
"""The most columns of parts of a match; with more of them, neighbours share one."""

GAMES: Final = 6
"""The most games that are told apart; with more, an agent's games are taken together."""

_REST: Final = "everything else"
_ALL_GAMES: Final = "all games"
_NAME: Final = 16
_CELL: Final = 12


def phase_lines(found: RunForecast) -> Iterator[str]:
    """Calls, tokens and money by phase, with the share of each part, and by seat and part of the match."""
    if not found.phases:
        return
    yield (
        "Where the tokens go, as is likely and without further tries; reused is what an earlier prompt began with too, "
        "where that is cached; written is what random play answers, to the most:"
    )
    for callers, whole in _together(found.phases):
        yield f"  {callers} in {whole[0].game}"
        for phase in _added(whole, seat="", period=""):
            yield f"    {phase.phase}: {_told(phase)}"
            yield f"      {', '.join(f'{name} {share:.0%}' for name, share in _shares(phase))}"
        for line in _by_period(whole):
            yield f"    {line}"
    (everything,) = _added(found.phases, caller="", game="", phase="", seat="", period="")
    yield f"  together: {_told(everything)}"
    least = 0.005 * everything.prompt_tokens
    saved = (f"{name} {part / everything.prompt_tokens:.0%}" for name, part in _largest(everything) if part >= least)
    yield f"  sent less without a part (prompt.parts.NAME: false): {', '.join(saved)}"


def alternative_lines(found: RunForecast, others: Sequence[Alternative]) -> Iterator[str]:
    """What the run would take with other values of parameters, beside what it takes as it is."""
    if not others:
        return
    yield "With another setting the run would take:"
    now = _sent(found)
    for other in others:
        sent = _sent(other.forecast)
        calls = format_range(_calls(other.forecast))
        cost = other.forecast.cost_usd
        money = "price unknown" if cost is None else format_usd(cost)
        told = f"{calls} calls, {format_range(sent)} tokens sent, {money}; {_change(now, sent)}"
        yield f"  {other.parameter}: {other.value}: {told}"


def _change(now: Range, then: Range) -> str:
    """How much more or less is likely to be sent then."""
    ratio = then.likely / now.likely if now.likely else 1.0
    if ratio >= 2:
        return f"{ratio:.1f} times as much sent"
    return f"{abs(ratio - 1):.0%} {'less' if ratio < 1 else 'more'} sent"


def as_json(found: RunForecast, others: Sequence[Alternative]) -> dict[str, JSON]:
    """The whole forecast as data; a number without a bound is null."""
    return {
        **_run(found),
        "phases": [_phase(each) for each in found.phases],
        "alternatives": [{"parameter": a.parameter, "value": a.value, **_run(a.forecast)} for a in others],
    }


def _together(phases: Sequence[PhaseForecast]) -> Iterator[tuple[str, list[PhaseForecast]]]:
    """The forecasts by game and agent, those of agents that ask the same added up, with the agents' names.

    If that would be too much to read, all games of an agent are taken together.
    """
    if len({each.game for each in phases}) > GAMES:
        phases = _added(phases, game=_ALL_GAMES, seat="", period="")
    alike: dict[tuple[str, frozenset[tuple[str, ...]]], list[str]] = {}
    for caller, game in dict.fromkeys((each.caller, each.game) for each in phases):
        own = (each for each in phases if (each.caller, each.game) == (caller, game))
        alike.setdefault((game, frozenset(map(_what, own))), []).append(caller)
    for (game, _), callers in alike.items():
        own = (each for each in phases if each.game == game and each.caller in callers)
        yield ", ".join(callers), _added(own, caller="")


def _what(phase: PhaseForecast) -> tuple[str, ...]:
    """What is asked, whoever asks it."""
    return (phase.phase, phase.seat, phase.period, f"{phase.prompt_tokens / phase.calls:.1f}")


def _added(phases: Iterable[PhaseForecast], **same: str) -> list[PhaseForecast]:
    """The forecasts that are of one kind once these words are the same for all."""
    return added(attrs.evolve(each, **same) for each in phases)


def _told(phase: PhaseForecast) -> str:
    written = phase.answer_tokens
    most = "no bound" if written.high == inf else format_number(written.high)
    cost = phase.cost_usd
    money = "price unknown" if cost is None else "free" if cost.high == 0 else f"likely {_usd(cost.likely)}"
    span = "" if cost is None or cost.high in (0, inf) else f" ({_usd(cost.low)} to {_usd(cost.high)})"
    sent = f"{format_number(phase.prompt_tokens)} tokens sent"
    if reused := round(phase.reused_tokens):
        anew = round(phase.prompt_tokens - phase.reused_tokens)
        sent += f" ({format_number(anew)} read anew, {format_number(reused)} reused)"
    return f"{format_number(phase.calls)} calls, {sent}, {format_number(written.low)} to {most} written, {money}{span}"


def _usd(dollars: float) -> str:
    return f"${dollars:,.2f}" if dollars >= 1 else f"${dollars:.2g}"


def _shares(phase: PhaseForecast) -> Iterator[tuple[str, float]]:
    """The share of each part of what is sent, the largest first, and of what is in no part."""
    rest = phase.prompt_tokens - sum(phase.parts.values())
    parts = [*_largest(phase), *([(_REST, rest)] if rest >= 0.005 * phase.prompt_tokens else [])]
    return ((name, tokens / phase.prompt_tokens) for name, tokens in parts)


def _largest(phase: PhaseForecast) -> list[tuple[str, float]]:
    return sorted(phase.parts.items(), key=lambda part: -part[1])


def _by_period(phases: Sequence[PhaseForecast]) -> Iterator[str]:
    """A line for each seat and phase with a cell for each part of the match, in order of their names.

    Nothing where two seats at most are told apart and the game names no parts.
    """
    periods = list(dict.fromkeys(each.period for each in phases))
    if len(periods) < 2 and len({each.seat for each in phases}) < 3:
        return
    groups = _grouped(sorted(periods))
    heads = [group[0] if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups]
    yield f"{'sent + written':<{_NAME}}" + "".join(f"{head[: _CELL - 1]:>{_CELL}}" for head in heads)
    for seat in dict.fromkeys(each.seat for each in phases):
        own = [each for each in phases if each.seat == seat]
        yield seat
        for phase in dict.fromkeys(each.phase for each in own):
            cells = [_cell([e for e in own if e.phase == phase and e.period in group]) for group in groups]
            yield f"  {phase:<{_NAME - 2}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)


def _grouped(periods: Sequence[str]) -> list[list[str]]:
    """Neighbouring parts of a match in at most ``COLUMNS`` groups of about one size."""
    count = min(COLUMNS, len(periods))
    bounds = [round(len(periods) * i / count) for i in range(count + 1)]
    return [list(periods[start:end]) for start, end in pairwise(bounds)]


def _cell(phases: Sequence[PhaseForecast]) -> str:
    if not phases:
        return "\u2013"
    (whole,) = _added(phases, period="")
    return f"{_short(whole.prompt_tokens)}+{_short(whole.answer_tokens.likely)}"


def _short(number: float) -> str:
    return format_number(round(number)).replace(" ", "").replace(",", "")


def _calls(found: RunForecast) -> Range:
    return _sum(caller.calls for caller in found.callers)


def _sent(found: RunForecast) -> Range:
    return _sum(caller.prompt_tokens for caller in found.callers)


def _sum(ranges: Iterable[Range]) -> Range:
    whole = Range()
    for each in ranges:
        whole = whole.plus(each)
    return whole


def _run(found: RunForecast) -> dict[str, JSON]:
    return {
        "matches": found.matches,
        "own_deals": found.own_deals,
        "decisions": _range(found.decisions),
        "seconds": _range(found.seconds),
        "cost_usd": None if found.cost_usd is None else _range(found.cost_usd),
        "agents": [_caller(caller) for caller in found.agents],
        "judges": [_caller(caller) for caller in found.judges],
        "batches": [{"callers": each.callers, "batches": _range(each.batches)} for each in found.batches],
    }


def _caller(caller: CallForecast) -> JSON:
    return {
        "name": caller.caller,
        "calls": _range(caller.calls),
        "prompt_tokens": _range(caller.prompt_tokens),
        "completion_tokens": caller.completion_tokens,
        "cost_usd": None if caller.cost_usd is None else _range(caller.cost_usd),
        "forced": sorted(caller.forced),
    }


def _phase(phase: PhaseForecast) -> JSON:
    return {
        "agent": phase.caller,
        **{name: getattr(phase, name) for name in ("game", "phase", "seat", "period", "calls")},
        "prompt_tokens": phase.prompt_tokens,
        "reused_tokens": phase.reused_tokens,
        "parts": dict(phase.parts),
        "answer_tokens": _range(phase.answer_tokens),
        "cost_usd": None if phase.cost_usd is None else _range(phase.cost_usd),
    }


def _range(of: Range) -> JSON:
    return [None if bound == inf else bound for bound in (of.low, of.likely, of.high)]
