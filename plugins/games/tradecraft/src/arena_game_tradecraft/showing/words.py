"""The texts of the game: its rules, observations and events in words.

What players wrote is told as one line of JSON, in which nothing can be taken for the game's own words.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, cast

from arena.record import GameEvent, quoted

from arena_game_tradecraft.match.terms import Terms
from arena_game_tradecraft.rules.amounts import read_amount, say_amounts, write_amount

_PHASES: Final = {
    "propose": "Proposal phase",
    "decide": "Decision phase",
    "craft": "Crafting phase",
    "over": "The match is over",
}
_ENDINGS: Final = {"won": "a target was reached", "turn-limit": "the last turn is over", "left": "a player has left"}


def rules(terms: Terms, ruleset: str, *, several: bool) -> str:
    """The rules as all players are shown them, for any problem; ``several`` says that more than one may play."""
    scoring = terms.scoring
    trading = (
        "Turns have three phases, and the players take turns as the proposer, in a fixed order.\n"
        "1. Proposal. The proposer offers some of its items to one other player for some of theirs, with a message. "
        "Offer, request or both may be empty. Only whole items that are held are traded, nobody trades with itself. "
        'It is written {"partner": "player 2", "offer": {"stick": 2}, "request": {"coal": 1}, "message": "…"}; '
        'without a partner, {"partner": null, "offer": {}, "request": {}, "message": ""}, nothing is proposed. '
        "All others see that there is a proposal; what is in it only the partner sees.\n"
        '2. Decision. The partner answers {"accept": true, "message": "…"} or {"accept": false, "message": "…"}. '
        "If it accepts, the items change hands and everybody sees the trade, without the messages. If it rejects, "
        "the others learn only that the proposal was rejected, neither what it was nor whom it was made to. Messages "
        "are seen by the two players alone.\n"
        "3. Crafting. "
        if several
        else "In each turn you craft. "
    )
    limit = "" if terms.message_limit else " There are no messages in this match."
    lost = (
        f"A player who leaves ends the match; it earns {scoring.quit:g}, the others {scoring.left:g}."
        if terms.quitting == "end"
        else "The others go on without a player who leaves."
    )
    return (
        f"TradeCraft, with the rule set {ruleset!r}. Each player holds items and has a target of its own: "
        "items it must come to hold. Nobody knows the targets of the others. "
        f"{trading}Players craft as often as they like, at most {terms.max_crafts} times a turn, at the same "
        'time and unseen by others, until they are done: {"inputs": {"oak_log": 1}, "output": {"oak_planks": 4}} turns '
        'inputs into an output, {"done": true} ends the phase for you. The inputs must be exactly a whole multiple '
        "of one recipe. An ingredient that begins with # is a tag: any mix of its members fills it. Amounts may be "
        'fractions, written as texts: "1/3", not 0.333. What is cooked (smelting, blasting, smoking) needs 1/8 of '
        "#fuel as well; the tag says how many of each fuel count as one: 8 things cost 1 coal, and 1 thing costs 2 of "
        "a fuel of which 16 count as one. When all are done, what is left of less than one whole item is lost, and "
        "everybody's hand is shown.\n"
        "A turn begins with a look at the hands: whoever holds its target then has won, and the match is over. Several "
        f"may win at once. After turn {terms.max_turns}, unless you are told of another last turn, nobody wins. "
        f"The only winner earns {scoring.sole:g}, several winners {scoring.shared:g} each, other players "
        f"{scoring.loss:g}; without a winner everybody earns {scoring.nobody:g}. {lost}{limit if several else ''}"
    )


def position(seen: Any) -> str:
    """Put an observation into words."""
    return "\n".join(_lines(seen))


def tell(event: GameEvent) -> str:
    """Put an event into a sentence."""
    data = cast("Any", event.data)
    if event.kind == "proposal":
        return _proposal(data)
    return _reply(data) if event.kind == "reply" else _TOLD[event.kind](data)


def action(phase: str, seen: Any, chosen: Any) -> str:
    """Put an action of a phase into words, given what its player sees."""
    if phase == "craft":
        if "done" in chosen:
            return "; ".join(filter(None, ("craft no more in this turn", cut_off(seen["hand"]))))
        return f"craft {say_amounts(chosen['output'])} of {say_amounts(chosen['inputs'])}"
    said = quoted(chosen.get("message"))
    message = f", and say: {said}" if chosen.get("message") else ""
    if phase == "decide":
        asked = seen["proposal"]
        if not chosen["accept"]:
            return f"refuse the proposal of {asked['proposer']}{message}"
        give, get = say_amounts(asked["request"]), say_amounts(asked["offer"])
        return f"accept the proposal of {asked['proposer']}: you give {give} and get {get}{message}"
    if chosen["partner"] is None:
        return "propose nothing"
    if not chosen["offer"] and not chosen["request"]:
        return f"propose to {chosen['partner']}: so far nothing changes hands, an empty proposal{message}"
    give, get = say_amounts(chosen["offer"]), say_amounts(chosen["request"])
    gift = f"offer {chosen['partner']} a gift" if chosen["offer"] else f"ask {chosen['partner']} for a gift"
    what = f"propose to {chosen['partner']}" if chosen["offer"] and chosen["request"] else gift
    return f"{what}: you give {give} and get {get}{message}"


def cut_off(hand: Mapping[str, Any]) -> str:
    """What becomes of the fractions in a hand at the end of crafting; empty if there are none."""
    parts = {item: read_amount(amount) or Fraction(0) for item, amount in hand.items()}
    kept = [f"{write_amount(n)} {item} becomes {n // 1 or 'nothing'}" for item, n in parts.items() if n.denominator > 1]
    return f"fractions are cut off: {', '.join(kept)}" if kept else ""


def _lines(seen: Mapping[str, Any]) -> list[str]:
    who = f"You are {seen['you']}." if seen["you"] else "You are watching."
    lines = [f"Turn {seen['turn']} of {seen['max_turns']}. {_PHASES[seen['phase']]}. {who}"]
    if seen["proposer"] and seen["phase"] != "over":
        lines.append(f"The proposer is {seen['proposer']}.")
    lines += [f"{_holder(seat, seen)}: {say_amounts(hand)}" for seat, hand in seen["hands"].items()]
    if "hand" in seen:
        if seen["phase"] == "craft":
            lines.append(f"You hold now: {say_amounts(seen['hand'])}")
        lines.append(f"Your target: {say_amounts(seen['target'])}")
    for seat, target in seen.get("targets", {}).items():
        lines.append(f"Target of {seat}: {say_amounts(target)}")
    if seen["proposal"]:
        lines.append(_proposal(seen["proposal"]))
    if seen.get("done"):
        lines.append("You are done with crafting in this turn.")
    elif seen.get("crafts_left") is not None:
        lines.append(f"Crafts left in this turn: {seen['crafts_left']}")
    if seen["result"]:
        lines.append(over(seen["result"]))
    return lines


def _holder(seat: str, seen: Mapping[str, Any]) -> str:
    shown = "as last shown" if seen["phase"] == "craft" and seen["you"] else ""
    notes = [n for n in ("you" if seat == seen["you"] else "", "has left" if seat in seen["left"] else "", shown) if n]
    return f"{seat} ({', '.join(notes)})" if notes else seat


def _message(data: Mapping[str, Any]) -> str:
    written = data.get("message")
    return f" Message: {quoted(written)}" if written else ""


def _proposal(data: Mapping[str, Any]) -> str:
    return (
        f"{data['proposer']} proposes to {data['partner']}: {say_amounts(data['offer'])} "
        f"for {say_amounts(data['request'])}.{_message(data)}"
    )


def _dealt(data: Mapping[str, Any]) -> str:
    hands = "; ".join(f"{seat}: {say_amounts(hand)}" for seat, hand in data["hands"].items())
    order = f" Proposers in this order: {', '.join(data['order'])}." if len(data["order"]) > 1 else ""
    return f"The match has {data['max_turns']} turns at most.{order} Hands at the start: {hands}."


def _turn(data: Mapping[str, Any]) -> str:
    return f"Turn {data['turn']} begins." + (f" The proposer is {data['proposer']}." if data["proposer"] else "")


def _accepted(data: Mapping[str, Any]) -> str:
    hands = "; ".join(f"{seat}: {say_amounts(hand)}" for seat, hand in data["hands"].items())
    return (
        f"{data['partner']} accepted the proposal of {data['proposer']}: {say_amounts(data['offer'])} for "
        f"{say_amounts(data['request'])}. Hands: {hands}."
    )


def _reply(data: Mapping[str, Any]) -> str:
    return f"{data['from']} {'accepts' if data['accept'] else 'rejects'}.{_message(data)}"


def _crafted(data: Mapping[str, Any]) -> str:
    return f"Crafted {say_amounts(data['output'])} of {say_amounts(data['inputs'])}; hand: {say_amounts(data['hand'])}."


def _hands(data: Mapping[str, Any]) -> str:
    hands = "; ".join(f"{seat}: {say_amounts(hand)}" for seat, hand in data["hands"].items())
    return f"All are done with crafting. Hands: {hands}."


def over(data: Mapping[str, Any]) -> str:
    """How a match ended, who won, and all targets."""
    winners = f"won by {' and '.join(data['winners'])}" if data["winners"] else "nobody has won"
    targets = "; ".join(f"{seat}: {say_amounts(target)}" for seat, target in data["targets"].items())
    return f"The match is over, {_ENDINGS[data['reason']]}: {winners}. Targets: {targets}."


_TOLD: Final = {
    "dealt": _dealt,
    "target": lambda data: f"Your target: {say_amounts(data['target'])}.",
    "turn": _turn,
    "proposed": lambda data: f"{data['proposer']} has made a proposal.",
    "no-proposal": lambda data: f"{data['proposer']} makes no proposal.",
    "accepted": _accepted,
    "rejected": lambda data: f"The proposal of {data['proposer']} was rejected.",
    "crafting": lambda data: "Crafting begins.",
    "crafted": _crafted,
    "done": lambda data: f"Done with crafting; hand: {say_amounts(data['hand'])}.",
    "hands": _hands,
    "left": lambda data: f"{data['player']} has left.",
    "over": over,
}
