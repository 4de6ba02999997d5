"""The rules in words, and what happened in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from arena.record import JSON, GameEvent, quoted

from arena_game_diplomacy.knowledge.reports import explanation
from arena_game_diplomacy.match.terms import Terms

_RULES: Final = """\
Diplomacy is played on a map of Europe with 75 provinces, of which 34 are supply centres. There are seven \
powers: AUSTRIA, ENGLAND, FRANCE, GERMANY, ITALY, RUSSIA and TURKEY. There is no chance; all orders of a phase \
are written in secret and carried out at the same time.

Units. An army (A) stands on land, a fleet (F) on a sea or in a coastal province. A province holds at most one \
unit. Bulgaria, Spain and St Petersburg have two coasts; a fleet there is on one of them (F STP/NC, F STP/SC). \
All units are equally strong. Provinces are written with three letters (PAR is Paris, MAO the Mid-Atlantic \
Ocean).

Phases. Each year has a spring (S1901M) and a fall (F1901M) with orders, each followed by retreats (S1901R, \
F1901R) if units were dislodged, and then adjustments in winter (W1901A). After the fall, with its retreats, \
each supply centre belongs to the power whose unit stands there, and otherwise to whom it belonged before.

Orders, one for each unit; a unit without an order holds:
- hold: A PAR H
- move: A PAR - BUR. Armies move to provinces that border on theirs by land, fleets to seas and coasts that \
border on theirs by water. Units cannot simply change places.
- support: A MAR S A PAR - BUR helps that very move, A MAR S A BUR helps a unit that does not move. The \
supporting unit stays where it is and must itself be able to move to the province in question, without a convoy. \
Units of other powers can be supported as well.
- convoy: F NTH C A LON - NWY. A fleet at sea carries an army from coast to coast; several fleets can do so one \
after another. The army's order is A LON - NWY VIA, and each fleet must name that very move.

Who succeeds. A move has strength 1, and 1 more for each support; so has a unit that stays. The strongest move \
into a province succeeds if it is stronger than every other one and than the unit that stays there; among equals \
nobody moves (they bounce). A unit that is beaten so is dislodged and must retreat. A support is cut if a unit \
of another power moves against the supporting unit, other than from the province against which the support is \
directed, or if the supporting unit is dislodged. A convoy fails if one of the fleets that it needs is \
dislodged. No power can dislodge its own units or help to do so.

Retreats. A dislodged unit goes to a bordering province that is empty, from which it was not attacked and in \
which no units bounced (A SWE R FIN), or is disbanded (A SWE D). Two that retreat to the same place are \
disbanded.

Adjustments. A power with more centres than units builds units in its own home centres that it still owns and \
that are empty (A PAR B, F BRE B), or waives them (WAIVE). One with fewer disbands as many (A PAR D). A power \
without units and centres is eliminated."""


def rules(terms: Terms) -> str:
    """The complete rules of a match, with those that its parameters set."""
    parts = [_RULES, *_course(terms), _ending(terms)]
    if terms.knowledge == "asked":
        parts.append(
            "Reports. Whenever orders are due, each player also reports what it knows of the position, for the record "
            f"alone: it changes nothing and nobody else sees it. A report is an object of:\n{explanation()}"
        )
    return "\n\n".join(parts)


def _course(terms: Terms) -> Iterable[str]:
    if terms.negotiation_rounds:
        rounds = f"are {terms.negotiation_rounds} rounds" if terms.negotiation_rounds > 1 else "is one round"
        most = f"{terms.messages_per_round} messages of at most {terms.message_limit:,} characters"
        yield (
            f"Talk. Before the orders of each spring and fall there {rounds} of negotiation, if two or more "
            f"players are left. In each round every power may send up to {most}, to one or several powers in secret "
            "or to all (GLOBAL). What is written in a round arrives when it is over. Nothing that is said binds "
            "anybody. A player may also declare its strategy and how far it trusts others, for the record alone: "
            "nobody else sees it."
        )
    else:
        yield "Talk. Players cannot talk to each other."
    yield (
        "Players. A player may hold several powers. Powers that nobody plays are neutral: their units hold, are "
        "disbanded when they are dislodged, and go when there are too many of them. So do those of a player who has "
        "given up."
    )


def _ending(terms: Terms) -> str:
    shares = {
        "squares": "all share 1 by the squares of their numbers of centres",
        "centres": "all share 1 by their numbers of centres",
        "draw-size": "all who survive share 1 equally",
        "solo": "all share 1 equally",
    }
    won = shares["centres"] if terms.scoring == "centres" else "it earns 1, and all others nothing"
    return (
        f"The end. After a fall, a player who holds at least {terms.win_centres} supply centres, and more than anybody "
        f"else, wins: {won}. Otherwise the match ends after the year {terms.last_year}, and {shares[terms.scoring]}. "
        "Each neutral power has its share as well, which nobody earns. Players who have given up earn nothing."
    )


def describe(event: GameEvent, rounds: int) -> str:
    """Put an event into words; what players wrote is quoted as a line of JSON."""
    data = cast("Any", event.data)
    match event.kind:
        case "start":
            return _started(data)
        case "round":
            return f"{data['phase']}: round {data['round']} of {rounds} of the negotiation begins."
        case "message":
            return f"{data['phase']}, round {data['round']}, a message: {letter(data)}"
        case "declared":
            words = {key: data[key] for key in ("strategy", "trust") if data[key]}
            return f"{data['phase']}, round {data['round']}, {listed(data['powers'])} declared: {quoted(words)}"
        case "report":
            what = "no report" if data["report"] is None else "a report of what is known"
            return f"{data['phase']}: {listed(data['powers'])} gave {what}."
        case "disorder":
            return f"{data['phase']}: {listed(data['powers'])} gave up and will get no orders any more."
        case "adjudicated":
            return "\n".join(_adjudicated(data))
        case _:
            return _ended(data)


def letter(message: Mapping[str, JSON]) -> str:
    """One message as a quoted line of JSON, in which nothing that it says can be taken for anything else."""
    return quoted({key: message[key] for key in ("from", "to", "text")})


def listed(names: Sequence[str]) -> str:
    """Names as a list in words."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def outcome(result: Mapping[str, Any]) -> str:
    """An order with what came of it, where it did not simply succeed."""
    told = [] if result["result"] == "ok" else [result["result"]]
    told += ["dislodged"] if result["dislodged"] else []
    return f"{result['order']} ({', '.join(told)})" if told else str(result["order"])


def _started(data: Any) -> str:
    neutral = f"; neutral: {listed(data['neutral'])}" if data["neutral"] else ""
    return (
        f"The match begins in {data['position']['phase']}. Players: {'; '.join(map(listed, data['hands']))}{neutral}."
    )


def _adjudicated(data: Any) -> Iterable[str]:
    yield f"{data['phase']}, the orders and what came of them:"
    for power, results in data["orders"].items():
        if results:
            yield f"  {power}: {', '.join(map(outcome, results))}"
    for power, beaten in data["dislodged"].items():
        ways = (f"{unit} (may go to {', '.join(places) or 'nowhere'})" for unit, places in beaten.items())
        yield f"  dislodged: {power} {', '.join(ways)}"
    for power, units in data["missing"].items():
        yield f"  without an order: {power} {', '.join(units)}"
    if data["phase"][0] == "F":
        counts = ", ".join(f"{power} {len(names)}" for power, names in data["centres"].items())
        yield f"  centres: {counts or 'none'}"


def _ended(data: Any) -> str:
    reasons = {
        "last-year": "the last year is over",
        "eliminated": "no player is left on the board",
        "forfeited": "all players have given up",
    }
    why = f"{data['winner']} wins alone" if data["reason"] == "solo" else reasons[data["reason"]]
    counts = ", ".join(f"{power} {len(names)}" for power, names in data["centres"].items())
    return f"The match is over: {why}. Centres: {counts or 'none'}."
