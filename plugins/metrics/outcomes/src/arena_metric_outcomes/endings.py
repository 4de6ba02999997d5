"""Tables of how matches ended, by game and agent; matches without a result are listed separately."""

from collections import Counter, defaultdict

from arena.agent import LAST_OF_SEVERAL
from arena.metric import Measurements
from arena.record import Ending
from arena.tables import Cell, Table
from arena_metric_statistics.columns import Columns
from arena_metric_statistics.numerics import np

from arena_metric_outcomes.columns import counts, shares, text
from arena_metric_outcomes.failures import has_failed
from arena_metric_outcomes.results import ResultGroup
from arena_metric_outcomes.several_answers import MEANING, last_of_several

_ENDINGS: tuple[tuple[Ending, str], ...] = (
    (Ending.RULES, "by the rules"),
    (Ending.FORFEIT_ILLEGAL, "forfeit: illegal"),
    (Ending.FORFEIT_FORMAT, "forfeit: format"),
    (Ending.FORFEIT_TIME, "forfeit: time"),
    (Ending.FORFEIT_LEFT, "forfeit: left"),
    (Ending.DISQUALIFIED, "disqualified"),
    (Ending.TURN_LIMIT, "turn limit"),
)
_WITHOUT: tuple[tuple[Ending | None, str], ...] = (
    (Ending.FAILED, "failed"),
    (Ending.INFRASTRUCTURE_FAILURE, "infrastructure"),
    (Ending.CANCELLED, "cancelled"),
    (None, "not played"),
)


def endings(table: Measurements, rows: Columns) -> Table:
    """The number of matches by ending, for each agent in each game; endings that did not occur are left out."""
    groups = rows.of_players().grouped("game", "agent")
    occurred = {kind.ending for kind in rows.found_kinds()}
    kept = [(ending, title) for ending, title in _ENDINGS if ending in occurred]
    has_several = len(rows.named(LAST_OF_SEVERAL)) > 0
    columns = (
        *text("game", "agent"),
        *counts("matches", *(title for _, title in kept), "put out"),
        *shares("substituted actions"),
        *(last_of_several() if has_several else ()),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, own in groups.items():
        group = ResultGroup(own, table, None)
        ended: Counter[Ending] = Counter()
        kinds = np.bincount(own.where(own.by_match().firsts).kinds)
        for place in np.flatnonzero(kinds).tolist():
            ended[own.shared.kinds[place].ending] += int(kinds[place])
        put_out = own.where(own.by_player(has_failed)).match_count
        counted = (group.matches, *(ended[ending] for ending, _ in kept), put_out)
        several = group.last_of_several() if has_several else ()
        lines.append((*key, *counted, group.substituted(), *several))
    note = (
        "Forfeits count whoever was put out; put out counts the agent itself. A substituted action was put in by the "
        "policy for illegal actions; random and optimal play need none."
    )
    if has_several:
        note = f"{note} {MEANING}"
    return Table(title="Endings", columns=columns, rows=tuple(lines), note=note)


def without_result(table: Measurements) -> Table:
    """Matches without a result, which count in no rate, by game and agent."""
    found: dict[tuple[str, str], Counter[Ending | None]] = defaultdict(Counter)
    for lost in table.missing:
        for agent in dict.fromkeys(lost.agents):
            found[lost.game, agent][lost.ending] += 1
    columns = (*text("game", "agent"), *counts(*(title for _, title in _WITHOUT)))
    lines = tuple((*key, *(counted[ending] for ending, _ in _WITHOUT)) for key, counted in sorted(found.items()))
    note = "If matches of some agents are missing more often than those of others, the rates above may favour somebody."
    return Table(title="Without a result", columns=columns, rows=lines, note=note)
