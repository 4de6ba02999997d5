"""What a match of TradeCraft looks like: the phase, one's target, all hands, and the proposal."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_tradecraft.amounts import read_amount, say_amounts, write_amount

_PHASES: Final = {
    "propose": "proposal",
    "decide": "decision",
    "craft": "crafting",
    "over": "the match is over",
}


def trade_scene(view: Any, words: str) -> Drawing:
    """The table as a player sees it; the spectator sees all targets, and a bystander none."""
    targets = [_targets(view)] if "target" in view or "targets" in view else []
    parts = [_phase(view), *targets, _hands(view), *_proposal(view["proposal"]), *_result(view["result"])]
    return Drawing(*arena_scene.Scene("TradeCraft", words, *parts).drawn())


def amount_id(item: str, number: int) -> str:
    """The id of what player ``number`` holds of an item."""
    return f"{item}@{number}"


def _phase(view: Any) -> "arena_scene.Meters":
    meters = [arena_scene.Meter(id="turn", label="turn", value=view["turn"], greatest=view["max_turns"])]
    if view.get("crafts_left") is not None and not view["done"]:
        meters.append(arena_scene.Meter(id="crafts", label="crafts left in this turn", value=view["crafts_left"]))
    told = [f"{seat} has left" for seat in view["left"]]
    if view["proposer"] and view["phase"] in ("propose", "decide"):
        told.insert(0, "you propose" if view["proposer"] == view["you"] else f"{view['proposer']} proposes")
    if view.get("done"):
        told.append("you are done with crafting")
    return arena_scene.Meters(id="phase", title=_PHASES[view["phase"]], note=", ".join(told), meters=meters)


def _targets(view: Any) -> "arena_scene.SceneTable":
    """What is wanted, what is held of it, and what is missing."""
    if view["you"] is not None:
        rows = list(_wanted(view["target"], view["hand"]))
        columns = ["your target", "needed", "held", "missing"]
    else:
        rows = [
            [seat if not index else "", *cells]
            for seat, target in view["targets"].items()
            for index, cells in enumerate(_wanted(target, view["hands"][seat]))
        ]
        columns = ["player", "target", "needed", "held", "missing"]
    kinds = [
        arena_scene.TableColumn(title=title, kind="text" if title in columns[:-3] else "amount") for title in columns
    ]
    return arena_scene.SceneTable(
        id="target", columns=kinds, rows=[arena_scene.TableRow(cells=cells) for cells in rows]
    )


def _wanted(target: Mapping[str, Any], hand: Mapping[str, Any]) -> Iterator[list[str]]:
    for item, amount in target.items():
        needed, held = _fraction(amount), _fraction(hand.get(item, 0))
        missing = max(Fraction(0), needed - held)
        yield [item, *(str(write_amount(value)) for value in (needed, held, missing))]


def _hands(view: Any) -> "arena_scene.SceneTable":
    """All hands, one's own first: what the player holds by now, and of the others what was shown last."""
    hands = {seat: view["hand"] if seat == view["you"] else hand for seat, hand in view["hands"].items()}
    numbers = {seat: number for number, seat in enumerate(hands)}
    order = sorted(hands, key=lambda seat: (seat != view["you"], numbers[seat]))
    items = sorted({item for hand in hands.values() for item in hand})
    titles = [f"{seat} (you)" if seat == view["you"] else seat for seat in order]
    return arena_scene.SceneTable(
        id="hands",
        caption="hands",
        note="of the others as last shown" if view["phase"] == "craft" and view["you"] and len(hands) > 1 else "",
        columns=[
            arena_scene.TableColumn(title="item"),
            *(arena_scene.TableColumn(title=title, kind="amount") for title in titles),
        ],
        rows=[
            arena_scene.TableRow(
                id=f"item-{item}", cells=[item, *(_held(item, seat, numbers[seat], hands) for seat in order)]
            )
            for item in items
        ],
    )


def _held(item: str, seat: str, number: int, hands: Mapping[str, Mapping[str, Any]]) -> "arena_scene.TableCell":
    amount = str(hands[seat].get(item, ""))
    return arena_scene.TableCell(id=amount_id(item, number), text=amount, label=f"{seat} holds {amount or 'no'} {item}")


def _proposal(proposal: Any) -> "Sequence[arena_scene.SceneTable | arena_scene.Messages]":
    if proposal is None:
        return ()
    proposer, partner = proposal["proposer"], proposal["partner"]
    table = arena_scene.SceneTable(
        id="proposal",
        caption=f"{proposer} proposes to {partner}",
        columns=[
            arena_scene.TableColumn(title="from"),
            arena_scene.TableColumn(title="to"),
            arena_scene.TableColumn(title="what"),
        ],
        rows=[
            arena_scene.TableRow(cells=[proposer, partner, say_amounts(proposal["offer"])]),
            arena_scene.TableRow(cells=[partner, proposer, say_amounts(proposal["request"])]),
        ],
    )
    if not proposal.get("message"):
        return (table,)
    said = arena_scene.SceneMessage(id="message", from_=proposer, to=partner, text=proposal["message"])
    return (table, arena_scene.Messages(id="messages", messages=[said]))


def _result(result: Any) -> "list[arena_scene.SceneText]":
    if result is None:
        return []
    won = f"won by {' and '.join(result['winners'])}" if result["winners"] else "nobody has won"
    targets = "; ".join(f"{seat}: {say_amounts(target)}" for seat, target in result["targets"].items())
    return [arena_scene.SceneText(id="result", text=f"The match is over: {won}. Targets: {targets}.")]


def _fraction(amount: Any) -> Fraction:
    found = read_amount(amount)
    assert found is not None, amount
    return found
