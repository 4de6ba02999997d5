"""What a negotiation looks like: the pool, one's own values, and the offer, as one table."""

from collections.abc import Iterator, Mapping
from typing import Any

import arena_scene
from arena.game import Decision, Drawing


def negotiation_scene(view: Any, words: str) -> Drawing:
    """What is to be divided, what one of each kind is worth, and who would get what by the current offer.

    A player sees what its shares are worth to it; a spectator sees both players' values and no sums.
    """
    own = next(iter(view["worth"].values())) if len(view["worth"]) == 1 else None
    kinds = [arena_scene.TableColumn(id=kind_id(kind), title=kind, kind="amount") for kind in view["items"]]
    sums = [] if own is None else [arena_scene.TableColumn(title="worth to you", kind="number")]
    table = arena_scene.SceneTable(
        id="shares",
        columns=[arena_scene.TableColumn(title=""), *kinds, *sums],
        rows=[
            arena_scene.TableRow(cells=[*cells, *[""] * (1 + len(kinds) + len(sums) - len(cells))])
            for cells in _rows(view, own)
        ],
        note="it is over" if view["over"] else f"proposal {view['round']} of {view['rounds']}",
    )
    return Drawing(*arena_scene.Scene("Negotiation", words, table).drawn())


def kind_id(kind: str) -> str:
    """The id of the column of a kind of things."""
    return f"kind-{kind.replace(' ', '_')}"


def shares_touches(decision: Decision) -> "arena_scene.Touches":
    """A column is one more of its kind to keep; the worth of an offer is looked up when it is asked for."""
    seen: Any = decision.observation
    can_ask = any(query.name == "worth" for query in decision.queries)
    if decision.options is not None:
        gives = seen["offer"]["gives"]
        worth = [arena_scene.Assist(query="worth", title="What the offer is worth to you", arguments=dict(gives))]
        say = "Accept or reject the offer."
        return arena_scene.Touches.of(decision.options, lambda _: (), say=say, assist=worth if can_ask else [])
    keep = [
        arena_scene.Fill(
            path=(kind_id(kind),), label=f"keep one {kind} more", do=[arena_scene.Add(pointer=f"/keep/{kind}")]
        )
        for kind in seen["items"]
    ]
    everything = [arena_scene.Put(pointer=f"/keep/{kind}", value=number) for kind, number in seen["items"].items()]
    nothing = [arena_scene.Put(pointer=f"/keep/{kind}", value=0) for kind in seen["items"]]
    keep += [
        arena_scene.Fill(path=(), label="keep everything", do=everything),
        arena_scene.Fill(path=(), label="keep nothing", do=nothing),
    ]
    names = {"": "your proposal", "/keep": "you keep"}
    worth = next(iter(seen["worth"].values()))
    weights = {f"/keep/{kind}": float(value) for kind, value in worth.items()}
    whole = float(sum(worth[kind] * number for kind, number in seen["items"].items()))
    sums = [arena_scene.Sum(label="worth to you", weights=weights, of=whole)]
    say = "Choose what you keep; the other player would get the rest."
    return arena_scene.Touches(fills=keep, names=names, sums=sums, say=say)


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
