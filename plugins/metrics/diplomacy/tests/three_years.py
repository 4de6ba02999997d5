"""A match of three years whose orders and messages are written down, and what every metric must find in it.

Five players: England, France, Germany, one that holds Austria and Russia, and Italy with a single army; Turkey is
neutral and holds. Pacts are kept and broken. Italy is eliminated in 1901, and France wins with eight centres in 1903.
All numbers were counted by hand from the orders below.
"""

from collections.abc import Mapping
from typing import Any, Final

from arena.agent import Refusal, Reply
from arena.testing import FunctionAgent
from arena_game_diplomacy.game import Diplomacy

START: Final = {
    "phase": "S1901M",
    "units": {
        "AUSTRIA": ["A TRI", "A VIE"],
        "ENGLAND": ["F LON", "F EDI", "A LVP"],
        "FRANCE": ["A PAR", "A MAR", "F BRE"],
        "GERMANY": ["A MUN", "A BER", "F KIE"],
        "ITALY": ["A VEN"],
        "RUSSIA": ["A WAR"],
        "TURKEY": ["A CON"],
    },
    "centres": {
        "AUSTRIA": ["TRI", "VIE"],
        "ENGLAND": ["LON", "EDI", "LVP"],
        "FRANCE": ["PAR", "MAR", "BRE"],
        "GERMANY": ["MUN", "BER", "KIE"],
        "ITALY": ["VEN"],
        "RUSSIA": ["WAR"],
        "TURKEY": ["CON"],
    },
}

HANDS: Final = (("ENGLAND",), ("FRANCE",), ("GERMANY",), ("AUSTRIA", "RUSSIA"), ("ITALY",))

# one line for each power and phase; the comment says what comes of what does not simply come about
ORDERS: Final[Mapping[str, Mapping[str, str]]] = {
    "S1901M": {
        "ENGLAND": "F LON - NTH, F EDI - NWG, A LVP - YOR",
        "FRANCE": "A PAR - PIC, F BRE - MAO, A MAR - SPA",
        "GERMANY": "F KIE - DEN, A BER - KIE, A MUN - RUH",
        "AUSTRIA": "A TRI H, A VIE - TYR",
        "RUSSIA": "A WAR H",
        "ITALY": "A VEN - TRI",  # an attack that bounces
    },
    "F1901M": {
        "ENGLAND": "A YOR - BEL VIA, F NTH C A YOR - BEL, F NWG - NWY",
        "FRANCE": "A PIC S A YOR - BEL, F MAO - POR, A SPA H",  # a support of others, of no attack
        "GERMANY": "F DEN H, A KIE - HOL, A RUH - BEL",  # bounces in Belgium, which nobody holds
        "AUSTRIA": "A TRI - VEN, A TYR S A TRI - VEN",
        "RUSSIA": "A WAR H",
        "ITALY": "A VEN H",  # dislodged
    },
    "F1901R": {"ITALY": "A VEN R TUS"},
    "W1901A": {
        "ENGLAND": "F LON B, A LVP B",
        "FRANCE": "A PAR B, A MAR B",
        "GERMANY": "A MUN B, F KIE B",
        "AUSTRIA": "A TRI B",
        "ITALY": "A TUS D",
    },
    "S1902M": {
        "ENGLAND": "A BEL H, F NTH S A BEL, F LON - ENG, A LVP - WAL, F NWY H",
        "FRANCE": "A PAR - BUR, A PIC S A PAR - BUR, A MAR S A PAR - BUR, A SPA - GAS, F POR H",
        "GERMANY": "A HOL - BEL, A RUH S A HOL - BEL, F DEN - SWE, F KIE - DEN, A MUN H",  # bounces in Belgium
        "AUSTRIA": "A TYR S A MUN, A TRI - VIE, A VEN - ROM",
        "RUSSIA": "A WAR H",
    },
    "F1902M": {
        "ENGLAND": "A BEL - HOL, F NTH S A BEL - HOL, F ENG H, A WAL H, F NWY H",  # bounces, and is destroyed
        "FRANCE": "A PIC - BEL, A BUR S A PIC - BEL, A MAR - PIE, F POR - MAO, A GAS - PAR",
        "GERMANY": "A HOL H, A RUH S A HOL, A MUN S A RUH, F SWE - NWY, F DEN S F SWE",  # the last is void
        "AUSTRIA": "A TYR H, A ROM H, A VIE - GAL",
        "RUSSIA": "A WAR H",
    },
    "W1902A": {"FRANCE": "F BRE B", "GERMANY": "A BER B", "AUSTRIA": "A VIE B"},
    "S1903M": {
        "ENGLAND": "F NTH S A HOL - BEL, F ENG - IRI, A WAL - LVP, F NWY H",  # cut
        "FRANCE": "A BUR - MUN, A PIE - VEN, F MAO - WES, F BRE - GAS, A BEL H, A PAR H",  # Burgundy is dislodged
        "GERMANY": "A RUH - BUR, A MUN S A RUH - BUR, A HOL - BEL, F SWE - NWY, A BER - KIE, F DEN - NTH",
        "AUSTRIA": "A TYR S A MUN, A GAL S A WAR, A ROM H, A VIE - BUD",
        "RUSSIA": "A WAR H",
    },
    "S1903R": {"FRANCE": "A BUR R PIC"},
    "F1903M": {
        "ENGLAND": "F NTH H, F IRI H, A LVP H",  # the fleet in Norway gets no order
        "FRANCE": "A PIC - BUR, A BEL S A PIC - BUR, A PAR S A PIC - BUR, F WES - TUN, A VEN H, F GAS H",
        "GERMANY": "A BUR H, A MUN S A BUR, F DEN - SKA, F SWE S F DEN - SKA, A KIE S A HOL, A HOL H",
        "AUSTRIA": "A TYR S A MUN, A ROM - VEN, A GAL H, A BUD H",
        "RUSSIA": "A WAR - UKR",
    },
    "F1903R": {"GERMANY": "A BUR R RUH"},
}

MESSAGES: Final[Mapping[tuple[str, int], Mapping[str, tuple[tuple[str, str], ...]]]] = {
    ("S1901M", 1): {
        "FRANCE": (("ENGLAND", "Let us keep ENG empty."), ("GERMANY", "Let us keep BUR empty until F1902.")),
        "GERMANY": (("FRANCE", "Let us keep BUR empty until F1902."),),
        "ITALY": (("GLOBAL", "Peace to all of you!"),),
        "AUSTRIA": (("ITALY", "I will keep the peace until F1901."),),
    },
    ("S1901M", 2): {"ENGLAND": (("FRANCE", "I agree to keep ENG empty. Good luck in Iberia."),)},
    ("F1901M", 1): {
        "ENGLAND": (("FRANCE", "Please support A YOR to BEL."),),
        "RUSSIA": (("ENGLAND GERMANY", "I stay at home."),),
    },
    ("F1901M", 2): {"FRANCE": (("ENGLAND", "I agree to support A YOR to BEL."),)},
    ("S1902M", 1): {
        "FRANCE": (("GERMANY", "Let us keep the peace."),),
        "ENGLAND": (("FRANCE GERMANY", "Let us keep the peace until F1902."),),
    },
    ("S1902M", 2): {
        "GERMANY": (("FRANCE", "I refuse to keep the peace."),),
        "FRANCE": (("ENGLAND", "I agree to keep the peace until F1902."),),
    },
    ("F1902M", 1): {
        "ENGLAND": (("FRANCE", "Please support A BEL to HOL."),),
        "FRANCE": (("ENGLAND", "I will support A BEL in place with A PIC."),),
    },
    ("F1902M", 2): {"FRANCE": (("ENGLAND", "I refuse to support A BEL to HOL."),)},
    ("S1903M", 1): {
        "GERMANY": (("AUSTRIA", "Please support A MUN in place."),),
        "FRANCE": (("GLOBAL", "Nobody wins against all of us."),),
    },
    ("S1903M", 2): {"AUSTRIA": (("GERMANY", "I agree to support A MUN in place."),)},
    ("F1903M", 1): {
        "FRANCE": (("AUSTRIA", "I will keep VEN empty."),),
        "ENGLAND": (("GERMANY", "Let us keep NTH and SKA empty."),),
        "GERMANY": (("ENGLAND", "Let us keep NTH and SKA empty."),),
    },
}

# what is expected, by player, in the order of HANDS; (succeeded, given) of each kind of order
COUNTS: Final[tuple[Mapping[str, tuple[int, int]], ...]] = (
    {"move": (9, 10), "attack": (0, 1), "self": (1, 1), "others": (0, 1), "self_code": (2, 2), "others_code": (0, 1)},
    {"move": (15, 16), "attack": (2, 3), "self": (3, 3), "others": (0, 0), "self_code": (5, 5), "others_code": (1, 1)},
    {"move": (9, 15), "attack": (1, 6), "self": (2, 2), "others": (0, 0), "self_code": (7, 8), "others_code": (0, 0)},
    {"move": (7, 8), "attack": (1, 2), "self": (1, 1), "others": (0, 0), "self_code": (1, 1), "others_code": (4, 4)},
    {"move": (0, 1), "attack": (0, 1), "self": (0, 0), "others": (0, 0), "self_code": (0, 0), "others_code": (0, 0)},
)

NOTHING_ELSE: Final = {"convoys": 0, "void": 0, "left_out": 0, "put_in": 0, "in_hand": 0}

GIVEN: Final[tuple[Mapping[str, int], ...]] = (
    {**NOTHING_ELSE, "phases": 6, "orders": 23, "holds": 9, "convoys": 1, "left_out": 1},
    {**NOTHING_ELSE, "phases": 6, "orders": 28, "holds": 6},
    {**NOTHING_ELSE, "phases": 6, "orders": 28, "holds": 5, "void": 1},
    {**NOTHING_ELSE, "phases": 6, "orders": 24, "holds": 11, "in_hand": 1},
    {**NOTHING_ELSE, "phases": 2, "orders": 2, "holds": 1},
)

# centres and influence at the end of 1901, 1902 and 1903
CENTRES: Final = {
    "ENGLAND": (5, 4, 4), "FRANCE": (5, 6, 8), "GERMANY": (5, 6, 6),
    "AUSTRIA": (3, 4, 4), "RUSSIA": (1, 1, 1), "ITALY": (0, 0, 0),
}  # fmt: skip

INFLUENCE: Final = {
    "ENGLAND": (8, 9, 10), "FRANCE": (7, 11, 14), "GERMANY": (6, 7, 8),
    "AUSTRIA": (4, 6, 6), "RUSSIA": (1, 1, 2), "ITALY": (1, 1, 1),
}  # fmt: skip

SURVIVORS: Final = 6  # Italy is eliminated, neutral Turkey is not

SAID: Final[tuple[Mapping[str, int], ...]] = (
    {"asked": 12, "wrote": 5, "messages": 5, "characters": 167, "private": 5, "broadcast": 0, "recipients": 6},
    {"asked": 12, "wrote": 8, "messages": 9, "characters": 274, "private": 8, "broadcast": 1, "recipients": 8},
    {"asked": 12, "wrote": 4, "messages": 4, "characters": 121, "private": 4, "broadcast": 0, "recipients": 4},
    {"asked": 12, "wrote": 3, "messages": 3, "characters": 83, "private": 3, "broadcast": 0, "recipients": 4},
    {"asked": 4, "wrote": 1, "messages": 1, "characters": 20, "private": 0, "broadcast": 1, "recipients": 0},
)

STANCES: Final[tuple[Mapping[str, int], ...]] = (
    {"propose": 2, "request": 2, "promise": 0, "agree": 1, "refuse": 0},
    {"propose": 3, "request": 0, "promise": 2, "agree": 2, "refuse": 1},
    {"propose": 2, "request": 1, "promise": 0, "agree": 0, "refuse": 1},
    {"propose": 0, "request": 0, "promise": 1, "agree": 1, "refuse": 0},
    {"propose": 0, "request": 0, "promise": 0, "agree": 0, "refuse": 0},
)

# who was bound to whom, by what, agreed when, and whether it was kept in each phase in which it was in force
PACTS: Final = {
    ("FRANCE", "ENGLAND", "empty", "S1901M"): (True,),
    ("ENGLAND", "FRANCE", "empty", "S1901M"): (True,),
    ("FRANCE", "GERMANY", "empty", "S1901M"): (True, True, False, True),
    ("GERMANY", "FRANCE", "empty", "S1901M"): (True, True, True, True),
    ("AUSTRIA", "ITALY", "peace", "S1901M"): (True, False),
    ("FRANCE", "ENGLAND", "support", "F1901M"): (True,),
    ("ENGLAND", "FRANCE", "peace", "S1902M"): (True, True),
    ("FRANCE", "ENGLAND", "peace", "S1902M"): (True, False),
    ("FRANCE", "ENGLAND", "support", "F1902M"): (False,),
    ("AUSTRIA", "GERMANY", "support", "S1903M"): (True,),
    ("FRANCE", "AUSTRIA", "empty", "F1903M"): (True,),
    ("ENGLAND", "GERMANY", "empty", "F1903M"): (True,),
    ("GERMANY", "ENGLAND", "empty", "F1903M"): (False,),
}


SETTINGS: Final[Mapping[str, Any]] = {
    "start": START,
    "hands": HANDS,
    "negotiation_rounds": 2,
    "messages_per_round": 3,
    "win_centres": 8,
    "last_year": 1905,
}


def game() -> Diplomacy:
    """The game that the script plays."""
    return Diplomacy(**SETTINGS)


def answer(seen: Mapping[str, Any]) -> dict[str, Any]:
    """What the script does at an observation."""
    phase, powers = seen["phase"], seen["powers"]
    if seen["step"] == "negotiate":
        said = MESSAGES.get((phase, seen["round"]), {})
        return {
            "messages": [
                {"from": power, "to": to.split(), "text": text} for power in powers for to, text in said.get(power, ())
            ]
        }
    lines = [order for power in powers for order in ORDERS[phase].get(power, "").split(", ") if order]
    return {order[2:-2] if order.endswith(" B") else order[:5]: order for order in lines}


def agents() -> list[FunctionAgent]:
    """One agent for each player, all of which play what is written down."""

    def choose(decision: Any, seat: Any) -> Reply | Refusal:
        return Reply(action=answer(decision.observation))

    return [FunctionAgent(choose) for _ in HANDS]
