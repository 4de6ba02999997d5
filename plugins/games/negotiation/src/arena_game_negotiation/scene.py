"""What a negotiation looks like: the pool, one's own values, and the offer, as one table."""

from collections.abc import Iterator, Mapping
from typing import Any

from arena.game import Drawing
from arena_scene import Scene, SceneTable, TableColumn, TableRow


def negotiation_scene(view: Any, words: str) -> Drawing:
    """What is to be divided, what one of each kind is worth, and who would get what by the current offer.

    A player sees what its shares are worth to it; a spectator sees both players' values and no sums.
    """
    own = next(iter(view["worth"].values())) if len(view["worth"]) == 1 else None
    kinds = [TableColumn(title=kind, kind="amount") for kind in view["items"]]
    sums = [] if own is None else [TableColumn(title="worth to you", kind="number")]
    table = SceneTable(
        id="shares",
        columns=[TableColumn(title=""), *kinds, *sums],
        rows=[
            TableRow(cells=[*cells, *[""] * (1 + len(kinds) + len(sums) - len(cells))]) for cells in _rows(view, own)
        ],
        note="it is over" if view["over"] else f"proposal {view['round']} of {view['rounds']}",
    )
    return Drawing(*Scene("Negotiation", words, table).drawn())


def _rows(view: Any, own: Mapping[str, int] | None) -> Iterator[list[str | int]]:
    yield ["to divide", *view["items"].values(), *_sum(view["items"], own)]
    for seat, worth in view["worth"].items():
        yield [f"one is worth to {seat if own is None else 'you'}", *worth.values()]
    if (offer := view["offer"]) is None:
        return
    keeps, gives = offer["keeps"], offer["gives"]
    if own is not None and offer["by"] in view["worth"]:
        yield ["you would keep", *keeps.values(), *_sum(keeps, own)]
        yield ["the other would get", *gives.values()]
    else:
        yield [f"{offer['by']} would keep", *keeps.values()]
        yield ["the other would get" if own is None else "you would get", *gives.values(), *_sum(gives, own)]


def _sum(amounts: Mapping[str, int], own: Mapping[str, int] | None) -> list[str | int]:
    return [] if own is None else [sum(own[kind] * number for kind, number in amounts.items())]
