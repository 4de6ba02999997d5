"""What a match of TradeCraft looks like: the phase, one's target, all hands, and the proposal."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_tradecraft.rules.amounts import read_amount, say_amounts, write_amount
from arena_game_tradecraft.showing.words import cut_off, over

_PHASES: Final = {
    "propose": "proposal",
    "decide": "decision",
    "craft": "crafting",
    "over": "the match is over",
}
_IN_A_TURN: Final = ("propose", "decide", "craft")


def trade_scene(view: Any, words: str) -> Drawing:
    """The table as a player sees it; the spectator sees all targets, and a bystander none."""
    targets = [_targets(view)] if "target" in view or "targets" in view or view["result"] else []
    parts = [*_now(view), *_result(view["result"]), *targets]
    parts += [*_proposal(view["proposal"]), *_afterwards(view), _hands(view), *_rounding(view)]
    return Drawing(*arena_scene.Scene("TradeCraft", words, *parts).drawn())


def amount_id(item: str, number: int) -> str:
    """The id of what player ``number`` holds of an item."""
    return f"{item}@{number}"


def name_id(item: str) -> str:
    """The id of the name of an item that lies in a hand."""
    return f"name-{item}"


def drawn_items(view: Any) -> list[str]:
    """The items in all hands, those of the player's own as they are by now."""
    own = [view["hand"]] if view.get("hand") else []
    hands = [hand for seat, hand in view["hands"].items() if seat != view["you"] or not own]
    return sorted({item for hand in (*hands, *own) for item in hand})


def _now(view: Any) -> "list[arena_scene.Meters | arena_scene.Sides]":
    """Which turn it is, beside its phases; there is but one of these where nobody is to trade with."""
    if view["phase"] not in _IN_A_TURN or len(view["hands"]) == 1:
        return [_turn(view)]
    return [arena_scene.Sides(parts=[_turn(view), _phases(view)])]


def _turn(view: Any) -> "arena_scene.Meters":
    meters = [arena_scene.Meter(id="turn", label="turn", value=view["turn"], greatest=view["max_turns"])]
    if view.get("crafts_left") is not None and not view["done"]:
        meters.append(arena_scene.Meter(id="crafts", label="crafts left", value=view["crafts_left"]))
    told = [f"{seat} has left" for seat in view["left"]]
    if view["result"] is None:
        follow = view["max_turns"] - view["turn"]
        told.insert(0, f"{follow} turns follow" if follow > 1 else "1 turn follows" if follow else "the last turn")
    if view.get("done"):
        told.append("you are done with crafting")
    return arena_scene.Meters(id="phase", title=_PHASES[view["phase"]], note=", ".join(told), meters=meters)


def _phases(view: Any) -> "arena_scene.SceneTable":
    """The phases of a turn, and who acts in the one that is on."""
    now = _IN_A_TURN.index(view["phase"])
    before = (f"by {'you' if view['proposer'] == view['you'] else view['proposer']}", "done")
    cells = [
        arena_scene.TableCell(
            id=f"phase-{phase}",
            text=_who(view) if place == now else before[place] if place < now else "later",
            role="accent" if place == now else "",
        )
        for place, phase in enumerate(_IN_A_TURN)
    ]
    return arena_scene.SceneTable(
        id="phases",
        label="the phases of this turn",
        columns=[arena_scene.TableColumn(title=f"{n}. {_PHASES[phase]}") for n, phase in enumerate(_IN_A_TURN, 1)],
        rows=[arena_scene.TableRow(cells=cells)],
    )


def _who(view: Any) -> str:
    """Who acts now, as far as whoever looks may know it."""
    if view["phase"] == "craft":
        return "now: all craft"
    you, proposer = view["you"], view["proposer"]
    if view["phase"] == "propose":
        return "now: you" if proposer == you else f"now: {proposer}"
    partner = view["proposal"]["partner"] if view["proposal"] else "somebody"
    return "now: you" if partner == you else f"now: {partner}"


def _targets(view: Any) -> "arena_scene.SceneTable":
    """What is wanted, what is held of it, and what is missing; at the end of all, with the winners marked."""
    result = view["result"]
    everybody = result["targets"] if result else view.get("targets", {})
    winners = result["winners"] if result else ()
    if everybody:
        rows = [
            arena_scene.TableRow(cells=[seat if not index else "", *cells], role="good" if seat in winners else "")
            for seat, target in everybody.items()
            for index, cells in enumerate(_wanted(target, view["hands"][seat]))
        ]
    else:
        rows = [arena_scene.TableRow(cells=cells) for cells in _wanted(view["target"], view["hand"])]
    names = ("player", "target") if everybody else ("your target",)
    columns = [arena_scene.TableColumn(title=title) for title in names]
    columns += [arena_scene.TableColumn(title=title, kind="amount") for title in ("needed", "held", "missing")]
    return arena_scene.SceneTable(id="target", columns=columns, rows=rows, label="targets")


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
    items = drawn_items(view)
    titles = [_whose(seat, view) for seat in order]
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
                id=f"item-{item}",
                cells=[
                    arena_scene.TableCell(id=name_id(item), text=item),
                    *(_held(item, seat, numbers[seat], hands) for seat in order),
                ],
            )
            for item in items
        ],
    )


def _held(item: str, seat: str, number: int, hands: Mapping[str, Mapping[str, Any]]) -> "arena_scene.TableCell":
    amount = str(hands[seat].get(item, ""))
    return arena_scene.TableCell(id=amount_id(item, number), text=amount, label=f"{seat} holds {amount or 'no'} {item}")


def _rounding(view: Any) -> "Iterator[arena_scene.SceneText]":
    """What the end of crafting does to fractions, while some are held."""
    if view["phase"] == "craft" and (lost := cut_off(view.get("hand", {}))):
        yield arena_scene.SceneText(id="rounding", kind="note", text=f"Once all are done, {lost}.")


def _afterwards(view: Any) -> "Iterator[arena_scene.SceneTable]":
    """The hands of the two whom a proposal concerns as they would be, and what would be other."""
    proposal = view["proposal"]
    if proposal is None:
        return
    one, other = proposal["proposer"], proposal["partner"]
    moved = {one: (proposal["request"], proposal["offer"]), other: (proposal["offer"], proposal["request"])}
    order = sorted(moved, key=lambda seat: seat != view["you"])
    items = sorted({item for seat in order for hand in (view["hands"][seat], moved[seat][0]) for item in hand})
    yield arena_scene.SceneTable(
        id="afterwards",
        caption="hands if this is accepted",
        columns=[
            arena_scene.TableColumn(title="item"),
            *(arena_scene.TableColumn(title=_whose(seat, view), kind="amount") for seat in order),
        ],
        rows=[
            arena_scene.TableRow(
                cells=[item, *(_after(item, seat, view["hands"][seat], moved[seat]) for seat in order)]
            )
            for item in items
        ],
    )


def _after(item: str, seat: str, hand: Mapping[str, Any], moved: tuple[Any, Any]) -> "arena_scene.TableCell":
    come, go = (int(_fraction(each.get(item, 0))) for each in moved)
    after = _fraction(hand.get(item, 0)) + come - go
    text = str(write_amount(after)) if after or come != go else ""
    more = f" ({come - go:+})" if come != go else ""
    role = "good" if come > go else "warning" if come < go else ""
    label = f"{seat} would hold {after or 'no'} {item}{more}"
    return arena_scene.TableCell(id=f"after-{seat.replace(' ', '-')}-{item}", text=text + more, role=role, label=label)


def _whose(seat: str, view: Any) -> str:
    return f"{seat} (you)" if seat == view["you"] else seat


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
    return [arena_scene.SceneText(id="result", text=over(result))]


def _fraction(amount: Any) -> Fraction:
    found = read_amount(amount)
    assert found is not None, amount
    return found
