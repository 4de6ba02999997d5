"""What a matrix game looks like: its payoffs with the last choices marked, the rounds, and what was earned."""

from collections.abc import Sequence
from typing import Any, Final

import arena_scene
from arena.game import Drawing

ROUNDS: Final = 10
"""How many of the last rounds are listed; the words for the position have them all."""

Payoffs = Sequence[Sequence[Sequence[float]]]


def row_id(number: int) -> str:
    """The id of a choice of the first player."""
    return f"row-{number}"


def column_id(number: int) -> str:
    """The id of a choice of the second player."""
    return f"column-{number}"


def payoff_table(view: Any, words: str, title: str, choices: Sequence[Sequence[str]], payoffs: Payoffs) -> Drawing:
    """The table of payoffs, which no observation holds, and what has been played so far."""
    first, second = view["seats"]
    last = view["rounds"][-1]["choices"] if view["rounds"] else None
    rows = [
        arena_scene.TableRow(
            id=row_id(i),
            cells=[
                row,
                *(_payoff(i, j, pair, is_last=last == [row, choices[1][j]]) for j, pair in enumerate(payoffs[i])),
            ],
        )
        for i, row in enumerate(choices[0])
    ]
    table = arena_scene.SceneTable(
        id="payoffs",
        caption=f"what {first} (rows) and {second} (columns) earn",
        columns=[
            arena_scene.TableColumn(title=""),
            *(arena_scene.TableColumn(id=column_id(j), title=t) for j, t in enumerate(choices[1])),
        ],
        rows=rows,
    )
    return Drawing(*arena_scene.Scene(title, words, table, *_rounds(view), *_totals(view)).drawn())


def _payoff(i: int, j: int, pair: Sequence[float], *, is_last: bool) -> "arena_scene.TableCell":
    text = f"{pair[0]:g}, {pair[1]:g}"
    return arena_scene.TableCell(
        id=f"payoff-{i}-{j}", text=text, role="accent" if is_last else "", label=_told(text, is_last)
    )


def _told(text: str, is_last: bool) -> str:
    return f"{text}, chosen last" if is_last else text


def _rounds(view: Any) -> "list[arena_scene.SceneTable]":
    if not view["rounds"] or view["of"] == 1:
        return []
    played = list(enumerate(view["rounds"], start=1))[-ROUNDS:]
    seats = view["seats"]
    left = "" if len(played) == len(view["rounds"]) else f"the last {ROUNDS} of {len(view['rounds'])}"
    return [
        arena_scene.SceneTable(
            id="rounds",
            caption="rounds",
            note=left,
            columns=[
                arena_scene.TableColumn(title="", kind="number"),
                *(arena_scene.TableColumn(title=seat) for seat in seats),
                *(arena_scene.TableColumn(title=f"{seat} earned", kind="number") for seat in seats),
            ],
            rows=[arena_scene.TableRow(cells=[number, *own["choices"], *own["earned"]]) for number, own in played],
        )
    ]


def _totals(view: Any) -> "list[arena_scene.Meters]":
    if not view["rounds"]:
        return []
    return [
        arena_scene.Meters(
            id="totals",
            title="earned",
            meters=[
                arena_scene.Meter(id=f"total-{number}", label=seat, value=total, role=f"player-{number}")
                for number, (seat, total) in enumerate(view["totals"].items())
            ],
        )
    ]
