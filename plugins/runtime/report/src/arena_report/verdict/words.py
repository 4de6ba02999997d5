"""Says comparisons in sentences: what is certain, what is not, and what would settle it."""

from collections.abc import Callable, Mapping, Sequence
from math import floor, log10

from arena.metric import Baseline

from arena_report.verdict.pairs import certain_blocks
from arena_report.verdict.values import Ends, VerdictPair

_LEAST_POINTS = 0.005
"""What is less is written as 0."""

RECORD = "won–lost–drawn"
"""What the three numbers of a comparison are."""


def pair_sentence(pair: VerdictPair, level: float, *, corrected: float, has_points: bool, explains: bool) -> str:
    """One pair in one sentence, without its full stop; ``explains`` says what the three numbers are.

    ``corrected`` is the level of the pair's interval. Without ``has_points`` leads are shares instead of Elo points.
    """
    if pair.lead < 0:
        pair = pair.turned()
    if pair.measure == "return":
        return _by_return(pair, level)
    told = f"{pair.record}{f' ({RECORD})' if explains else ''} in {played(pair.matches, pair.blocks)}"
    if pair.score == 1:
        low = pair.interval[0] if has_points else pair.score_interval[0]
        at_least = "" if low is None else f", at least {_points(low) if has_points else _share(low)}"
        if pair.settled:
            return f"{pair.a} beats {pair.b}: {told}{at_least}"
        needed = certain_blocks(corrected)
        what = "matches" if pair.blocks == pair.matches else "blocks"
        return f"{pair.a} and {pair.b} cannot be told apart: {told}{at_least}; {needed} {what} won like this would tell"
    if pair.interval == (None, None):
        return f"{pair.a} and {pair.b}: {told}{_alike(pair)}: no interval, nothing can be said"
    lead = _points(pair.difference or 0.0) if has_points else _share(pair.score or 0.0)
    ends = pair.interval if has_points else pair.score_interval
    between = _between(ends, level, points if has_points else _share)
    if pair.settled:
        return f"{pair.a} beats {pair.b}: {told}, {lead}{between}"
    return f"{pair.a} and {pair.b} cannot be told apart: {told}, {lead}{between}{further(pair)}"


def _by_return(pair: VerdictPair, level: float) -> str:
    told = f"in {played(pair.matches, pair.blocks)}"
    gap = pair.difference or 0.0
    if pair.interval == (None, None):
        earned = f"{pair.a} earns {number(gap)} {pair.unit} more than {pair.b}" if gap else _both(pair, "earn the same")
        return f"{earned} {told}{_alike(pair)}: no interval, nothing can be said"
    if pair.settled:
        between = _between(pair.interval, level, number)
        return f"{pair.a} earns {number(gap)} {pair.unit} more than {pair.b}{between} {told}"
    more = f"{pair.a} earns {number(gap)} {pair.unit} more" if gap else "they earn the same"
    between = _between(pair.interval, level, with_sign)
    return f"{_both(pair, 'cannot be told apart')}: {more}{between} {told}{further(pair)}"


def _both(pair: VerdictPair, what: str) -> str:
    return f"{pair.a} and {pair.b} {what}"


def _alike(pair: VerdictPair) -> str:
    return ", all alike" if pair.blocks > 1 else ""


def further(pair: VerdictPair) -> str:
    """How many more matches would tell two agents apart, with what that takes for granted."""
    if pair.more_matches is None:
        return ""
    noun = "match" if pair.more_matches == 1 else "matches"
    return (
        f"; about {pair.more_matches:,} more {noun} would tell, if the difference is what it looks like "
        f"(power {100 * pair.power:g} %)"
    )


def ranks_sentence(agents: Sequence[str], pairs: Mapping[tuple[str, str], VerdictPair], corrected: float) -> str:
    """Who is certainly first, second and so on, then what is not certain of the others; without its full stop.

    ``agents`` are in the order of the ranking, ``pairs`` by both names in this order. Where some two agents were not
    compared, no order is said, but what each comparison shows. ``corrected`` is the level of the pairs' intervals: with
    so few blocks that winning them all would not be enough, that is what is said.
    """
    least = certain_blocks(corrected)
    if pairs and all(pair.measure == "elo" and pair.blocks < least for pair in pairs.values()):
        most = max(pair.blocks for pair in pairs.values())
        blocks = "1 block" if most == 1 else f"{most:,} blocks"
        return f"too few matches to tell {_listed(agents, ', ')} apart ({blocks} a pair, at least {least:,} are needed)"
    if len(pairs) < len(agents) * (len(agents) - 1) / 2:
        return "; ".join(map(short_sentence, pairs.values()))

    def is_ahead(first: str, second: str) -> bool:
        pair = pairs.get((first, second))
        return pair is not None and pair.settled and pair.lead > 0

    sure: list[str] = []
    left = list(agents)
    while len(left) > 1 and all(is_ahead(left[0], other) for other in left[1:]):
        sure.append(left.pop(0))
    if len(left) == 1:
        sure.append(left.pop())
    said = [f"{agent} is {_ordinal(i)}" if i == 1 else f"{agent} {_ordinal(i)}" for i, agent in enumerate(sure, 1)]
    parts = [_listed(said, ", ")] if said else []
    if left:
        behind = {a: [b for b in left[i + 1 :] if is_ahead(a, b)] for i, a in enumerate(left)}
        surely = [f"{a} from {_listed(others, ', ')}" for a, others in behind.items() if others]
        between = "; " if any(len(others) > 1 for others in behind.values()) else ", "
        told = f", except {_listed(surely, between)}" if surely else ""
        parts.append(f"{_listed(left, ', ')} cannot be told apart{told}")
    return "; ".join(parts)


def short_sentence(pair: VerdictPair) -> str:
    """What one comparison shows, without numbers."""
    if not pair.settled:
        return _both(pair, "cannot be told apart")
    if pair.lead < 0:
        pair = pair.turned()
    return f"{pair.a} {'beats' if pair.measure == 'elo' else 'earns more than'} {pair.b}"


def references(baseline: Baseline | None) -> str:
    """What random and optimal play earn on average over the seats, for the end of a sentence."""
    if baseline is None:
        return ""
    known = (("random play", baseline.random), ("optimal play", baseline.optimal))
    said = [f"{who} {number(_mean(returns))}" for who, returns in known if returns]
    return f"; {', '.join(said)}".replace(" play ", " play earns ", 1) if said else ""


def played(matches: int, blocks: int) -> str:
    """A number of matches, with that of blocks where it is another one."""
    told = f"{matches:,} match" if matches == 1 else f"{matches:,} matches"
    if blocks == matches:
        return told
    return f"{told} ({blocks:,} block{'' if blocks == 1 else 's'})"


def names(agents: Sequence[str]) -> str:
    """Names as a list in a sentence."""
    return _listed(agents, ", ")


def number(value: float) -> str:
    """A number with two digits behind the point, or three digits in all if that is more."""
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    if 0 < abs(value) < 0.095:
        digits = min(1 - floor(log10(abs(value))), 6)
    text = f"{abs(value):,.{digits}f}"
    return f"−{text}" if value < 0 and float(text.replace(",", "")) else text


def interval(ends: Ends, level: float, shown: Callable[[float], str] = number) -> str:
    """The level and both ends of an interval, at least one of which is there."""
    low, high = ends
    if low is None or high is None:
        end = f"at least {shown(low)}" if low is not None else f"at most {shown(high or 0.0)}"
        return f"{_level(level)}: {end}"
    return f"{_level(level)}: {shown(low)} … {shown(high)}"


def _between(ends: Ends, level: float, shown: Callable[[float], str]) -> str:
    return "" if ends == (None, None) else f" ({interval(ends, level, shown)})"


def _level(level: float) -> str:
    return f"{100 * level:.4g} %"


def _points(value: float) -> str:
    return f"{points(value)} Elo"


def points(value: float) -> str:
    """A whole number of points with its sign; of less than half a point one digit, since that is not 0."""
    if _LEAST_POINTS <= abs(value) < 0.5:
        return f"{'−' if value < 0 else '+'}{abs(value):.1g}"
    whole = round(value)
    return f"−{-whole:,}" if whole < 0 else f"+{whole:,}"


def with_sign(value: float) -> str:
    """A number as ``number`` writes it, with its sign."""
    return number(value) if value <= 0 else f"+{number(value)}"


def _share(score: float) -> str:
    # What is hardly more or less than one half must not read as one half.
    digits = 1 if 0.0005 <= abs(score - 0.5) < 0.005 else 0
    return f"{100 * score:.{digits}f} %"


def _ordinal(place: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth")
    return words[place - 1] if place <= len(words) else f"{place}th"


def _listed(parts: Sequence[str], between: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{between.join(parts[:-1])} and {parts[-1]}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
