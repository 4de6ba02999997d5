"""Checks actions against the rules; the same check also yields what is applied."""

from typing import Any

from arena.game import Illegal
from arena.record import JSON, Player, canonical_json

from arena_game_tradecraft.match.actions import (
    Answer,
    CraftAction,
    Done,
    Misread,
    Proposal,
    write_answer,
    write_making,
)
from arena_game_tradecraft.match.position import Position
from arena_game_tradecraft.rules.amounts import say_amounts, write_amount
from arena_game_tradecraft.rules.crafting import Craft, find_craft


def check(state: Position, player: Player, action: JSON) -> Illegal | None:
    """The reason why ``action`` is refused, or ``None`` if it is legal."""
    found = judge(state, player, action)
    return found if isinstance(found, Illegal) else None


def judge(state: Position, player: Player, action: JSON) -> Proposal | Answer | Craft | Done | Illegal:
    """The checked meaning of ``action``, or why it is refused; ``action`` must be in its canonical form."""
    if player in state.done and state.phase == "craft":
        return Illegal("done", "you are done with crafting in this turn")
    if player not in state.to_act():
        return Illegal("not-your-turn", "you are not asked to act")
    try:
        found, written = _read(state, player, action)
    except Misread as misread:
        return misread.illegal
    if not _is_written(action, written):
        return Illegal("schema", f"write it as {canonical_json(written)}")
    return found


def rewritten(state: Position, player: Player, value: JSON) -> JSON:
    """The canonical form of the action that ``value`` means; ``value`` itself if it is refused."""
    try:
        _, written = _read(state, player, value)
    except Misread:
        return value
    return value if _is_written(value, written) else written


def _read(state: Position, player: Player, value: Any) -> tuple[Any, dict[str, JSON]]:
    if state.phase == "propose":
        proposal = state.reader.proposal(value)
        _check_trade(state, player, proposal)
        return proposal, state.reader.write_proposal(proposal)
    if state.phase == "decide":
        answer = state.reader.answer(value)
        return answer, write_answer(answer)
    making = state.reader.making(value)
    return (making if isinstance(making, Done) else find(state, player, making)), write_making(making)


def _is_written(action: JSON, written: dict[str, JSON]) -> bool:
    if isinstance(action, dict) and "message" in written and "message" not in action:
        action = {**action, "message": ""}
    return canonical_json(action) == canonical_json(written)


def _check_trade(state: Position, player: Player, proposal: Proposal) -> None:
    if proposal.partner is None:
        return
    seats = state.reader.seats
    if proposal.partner == player:
        raise Misread("self-trade", "partner: nobody trades with itself")
    if proposal.partner in state.gone:
        raise Misread("no-such-player", f"partner: {seats[proposal.partner]} has left")
    faults: list[tuple[str, str]] = []
    for where, amounts, holder, who in (
        ("offer", proposal.offer, player, "you hold"),
        ("request", proposal.request, proposal.partner, f"{seats[proposal.partner]} holds"),
    ):
        for item, amount in amounts.items():
            held = state.hands[holder].get(item, 0)
            if amount.denominator != 1:
                faults.append(("not-whole", f"{where}.{item}: only whole items are traded, not {write_amount(amount)}"))
            elif amount > held:
                faults.append(("not-held", f"{where}.{item}: {who} {held or 'none'}, not {amount}"))
    if faults:
        raise Misread(faults[0][0], "; ".join(reason for _, reason in faults))


def find(state: Position, player: Player, making: CraftAction) -> Craft:
    """The craft that ``player`` may do now; ``Misread`` if no recipe fits or its hand does not suffice."""
    craft = check_held(state, player, making)
    if state.crafts[player] >= state.terms.max_crafts:
        raise Misread(
            "no-crafts-left", f"you have crafted {state.crafts[player]} times in this turn; only done is left"
        )
    return craft


def check_held(state: Position, player: Player, making: CraftAction) -> Craft:
    """The craft if it follows a recipe and ``player`` holds the inputs; ``Misread`` if not."""
    craft = find_craft(state.rules, making.inputs, making.output, making.amount)
    if craft is None:
        raise Misread("not-a-recipe", _no_recipe(state, making))
    hand = state.hands[player]
    lacking = [
        f"{item}: {write_amount(amount)} needed, {write_amount(hand[item]) if item in hand else 'none'} held"
        for item, amount in making.inputs.items()
        if amount > hand.get(item, 0)
    ]
    if lacking:
        raise Misread("not-enough", f"it is a recipe, but you do not hold enough; {'; '.join(lacking)}")
    return craft


def _no_recipe(state: Position, making: CraftAction) -> str:
    recipes = state.rules.makes.get(making.output, ())
    if not recipes:
        return f"output: nothing makes {making.output!r}"
    times = [making.amount / recipe.count for recipe in recipes]
    if not any(n.denominator == 1 for n in times):
        counts = sorted({recipe.count for recipe in recipes})
        return (
            f"output: {making.output!r} is made {' or '.join(map(str, counts))} at a time, a whole number of times, "
            f"not {write_amount(making.amount)}"
        )
    made = f"{write_amount(making.amount)} {making.output}"
    what = f"no recipe makes {made} of exactly {say_amounts(making.inputs)}"
    odd = [a for a in making.inputs.values() if a.denominator % 10 == 0 and a.denominator > 100]
    return f"{what}; {write_amount(odd[0])} was read: write a third as '1/3', not as 0.333" if odd else what
