"""How matches ended, by game and agent; what has no result is listed apart and is in no rate."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from arena.metric import Cell, Row, Table, TableView
from arena.record import Ending

from arena_metric_outcomes.columns import counts, shares, text
from arena_metric_outcomes.results import Group, grouped

_COLUMNS: tuple[tuple[str, str], ...] = (
    ("rules", "by the rules"),
    ("own", "put out"),
    ("forfeit-illegal", "forfeits: illegal"),
    ("forfeit-format", "format"),
    ("forfeit-time", "time"),
    ("disqualified", "disqualified"),
    ("turn-limit", "turn limit"),
)
_WITHOUT: tuple[tuple[str, Ending | None], ...] = (
    ("failed", Ending.FAILED),
    ("infrastructure", Ending.INFRASTRUCTURE_FAILURE),
    ("cancelled", Ending.CANCELLED),
    ("not played", None),
)


def endings(table: Table) -> TableView:
    """Counts for each agent in each game; a match counts once for each agent that is in it."""
    columns = (
        *text("game", "agent"),
        *counts("matches", *(title for _, title in _COLUMNS)),
        *shares("substituted actions"),
        *counts(*(f"no result: {name}" for name, _ in _WITHOUT)),
    )
    groups = grouped((row for row in table.rows if row.player is not None), "game", "agent")
    missing: dict[tuple[str, ...], Counter[Ending | None]] = defaultdict(Counter)
    for lost in table.missing:
        for agent in dict.fromkeys(lost.agents):
            missing[lost.game, agent][lost.ending] += 1
    lines = [_line(table, key, groups.get(key, []), missing[key]) for key in sorted({*groups, *missing})]
    note = (
        "Put out: matches in which the agent itself ran out of tries. Forfeits count whoever was put out. A "
        "substituted action was put in by the policy for illegal actions; random and optimal play need none."
    )
    return TableView(title="Endings", columns=columns, rows=tuple(lines), note=note)


def _line(table: Table, key: tuple[str, ...], rows: Sequence[Row], missing: Counter[Ending | None]) -> tuple[Cell, ...]:
    group = Group(rows, table, None)
    ended = Counter({row.match: row.ending for row in rows}.values())
    put_out = len({row.match for row in rows if row.player in row.gone})
    counts = [put_out if name == "own" else ended[Ending(name)] for name, _ in _COLUMNS]
    return (*key, group.matches, *counts, group.substituted(), *(missing[ending] for _, ending in _WITHOUT))
