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
    """The table of payoffs, which no observation holds, and what has been played so far.

    Who plays has its own choices as rows and its own payoff first; for others these are the first player's.
    """
    is_turned = view["you"] == view["seats"][1]
    own, other = choices[::-1] if is_turned else choices
    ids = (column_id, row_id) if is_turned else (row_id, column_id)
    last = list(view["rounds"][-1]["choices"]) if view["rounds"] else None

    def cell(at: int, to: int) -> arena_scene.TableCell:
        i, j = (to, at) if is_turned else (at, to)
        is_last = last == [choices[0][i], choices[1][j]]
        return _payoff(f"payoff-{i}-{j}", payoffs[i][j][::-1] if is_turned else payoffs[i][j], is_last=is_last)

    rows = [
        arena_scene.TableRow(id=ids[0](at), cells=[name, *(cell(at, to) for to in range(len(other)))])
        for at, name in enumerate(own)
    ]
    heads = [arena_scene.TableColumn(id=ids[1](to), title=name) for to, name in enumerate(other)]
    columns = [arena_scene.TableColumn(title=""), *heads]
    table = arena_scene.SceneTable(id="payoffs", caption=_caption(view), columns=columns, rows=rows)
    return Drawing(*arena_scene.Scene(title, words, table, *_rounds(view), *_totals(view)).drawn())


def _caption(view: Any) -> str:
    first, second = view["seats"]
    if view["you"] is None:
        return f"what {first} (rows) and {second} (columns) earn"
    return f"you choose a row, {first if view['you'] == second else second} a column; your payoff is the first number"


def _payoff(name: str, pair: Sequence[float], *, is_last: bool) -> "arena_scene.TableCell":
    text, role = f"{pair[0]:g}, {pair[1]:g}", "accent" if is_last else ""
    return arena_scene.TableCell(id=name, text=text, role=role, label=_told(text, is_last), strong=f"{pair[0]:g}")


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
