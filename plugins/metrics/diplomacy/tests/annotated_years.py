"""What an annotator says of the talk in the match of three years, and what every measure must make of it.

The strategies are declared beside the messages of ``three_years``. One answer is unreadable. All sums were counted by
hand from the annotations below.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import three_years as script

STRATEGIES: Final[Mapping[tuple[str, int, str], str]] = {
    ("S1901M", 1, "FRANCE"): "Iberia first, in peace with all neighbours.",
    ("F1901M", 1, "ENGLAND"): "Take Belgium before Germany does.",
    ("F1901M", 1, "AUSTRIA"): "Warsaw stays quiet while Vienna goes south.",
    ("S1902M", 1, "GERMANY"): "Make France believe in peace.",
    ("S1902M", 2, "ENGLAND"): "Wait for France.",
    ("F1902M", 1, "FRANCE"): "Keep England calm until Belgium is mine.",
    ("S1903M", 1, "GERMANY"): "Hold Munich with Austria.",
}


def proposal(to: str, nature: str, words: str, orders: str, *pact: str) -> dict[str, Any]:
    """What is said of one proposal."""
    told: Mapping[str, Any] = {"to": to, "text": "a proposal", "nature": nature, "words": words, "orders": orders}
    return {**told, "pact": list(pact)}


def message(aligned: bool | None = None, perspective: bool = False, *proposals: Any) -> dict[str, Any]:
    """What is said of one message; ``aligned`` is ``None`` where no strategy was declared."""
    asked = {} if aligned is None else {"aligned": aligned}
    return {**asked, "perspective": perspective, "proposal": list(proposals)}


def answer(*messages: Any, tones: Mapping[str, str], conditional: Mapping[int, bool]) -> str:
    """One answer, as the annotator writes it; ``tones`` are by round and recipient, ``conditional`` by round."""
    by_round = [re.split(" ", key) for key in tones]
    return json.dumps(
        {f"message {number}": each for number, each in enumerate(messages, start=1)}
        | {f"round {n}, to {to}": {"tone": tones[f"{n} {to}"]} for n, to in by_round}
        | {f"round {number}": {"conditional": each} for number, each in conditional.items()}
    )


PEACE: Final = "Let us keep the peace until F1902."
BURGUNDY: Final = "Let us keep BUR empty until F1902."
NORTH_SEA: Final = "Let us keep NTH and SKA empty."

ANSWERS: Final[Mapping[tuple[str, str], str]] = {
    ("FRANCE", "S1901M"): answer(
        message(True, False, proposal("ENGLAND", "mutual", "yes", "yes", "Let us keep ENG empty.")),
        message(True, False, proposal("GERMANY", "mutual", "unclear", "yes", BURGUNDY)),
        tones={"1 ENGLAND": "promote", "1 GERMANY": "promote"},
        conditional={1: False},
    ),
    ("GERMANY", "S1901M"): answer(
        message(None, False, proposal("FRANCE", "mutual", "unclear", "yes", BURGUNDY)),
        tones={"1 FRANCE": "promote"},
        conditional={1: False},
    ),
    ("ITALY", "S1901M"): answer(
        message(None, False, proposal("GLOBAL", "mutual", "unclear", "none")),
        tones={"1 GLOBAL": "promote"},
        conditional={1: False},
    ),
    ("AUSTRIA", "S1901M"): answer(
        message(None, False, proposal("ITALY", "mutual", "unclear", "no", "I will keep the peace until F1901.")),
        tones={"1 ITALY": "promote"},
        conditional={1: False},
    ),
    ("ENGLAND", "S1901M"): answer(message(None, True), tones={"2 FRANCE": "promote"}, conditional={2: False}),
    ("ENGLAND", "F1901M"): answer(
        message(True, False, proposal("FRANCE", "one-sided", "yes", "yes", "Please support A YOR to BEL.")),
        tones={"1 FRANCE": "provoke"},
        conditional={1: True},
    ),
    ("RUSSIA", "F1901M"): answer(
        message(True), tones={"1 ENGLAND": "neutral", "1 GERMANY": "neutral"}, conditional={1: False}
    ),
    ("FRANCE", "F1901M"): answer(message(None, True), tones={"2 ENGLAND": "neutral"}, conditional={2: False}),
    ("FRANCE", "S1902M"): answer(
        message(None, False, proposal("GERMANY", "mutual", "no", "yes", "Let us keep the peace.")),
        message(None),
        tones={"1 GERMANY": "promote", "2 ENGLAND": "promote"},
        conditional={1: False, 2: False},
    ),
    ("ENGLAND", "S1902M"): answer(
        message(
            None,
            False,
            proposal("FRANCE", "mutual", "yes", "yes", PEACE),
            proposal("GERMANY", "mutual", "unclear", "no", PEACE),
        ),
        tones={"1 FRANCE": "promote", "1 GERMANY": "promote"},
        conditional={1: False},
    ),
    ("GERMANY", "S1902M"): answer(message(False), tones={"2 FRANCE": "neutral"}, conditional={2: False}),
    ("ENGLAND", "F1902M"): answer(
        message(None, False, proposal("FRANCE", "one-sided", "no", "no", "Please support A BEL to HOL.")),
        tones={"1 FRANCE": "provoke"},
        conditional={1: False},
    ),
    ("FRANCE", "F1902M"): answer(
        message(
            True, False, proposal("ENGLAND", "mutual", "unclear", "none", "I will support A BEL in place with A PIC.")
        ),
        message(False),
        tones={"1 ENGLAND": "promote", "2 ENGLAND": "provoke"},
        conditional={1: False, 2: False},
    ),
    ("GERMANY", "S1903M"): answer(
        message(True, False, proposal("AUSTRIA", "one-sided", "yes", "yes", "Please support A MUN in place.")),
        tones={"1 AUSTRIA": "neutral"},
        conditional={1: False},
    ),
    ("FRANCE", "S1903M"): answer(message(None, True), tones={"1 GLOBAL": "provoke"}, conditional={1: True}),
    ("AUSTRIA", "S1903M"): answer(message(None), tones={"2 GERMANY": "neutral"}, conditional={2: False}),
    ("FRANCE", "F1903M"): answer(
        message(None, False, proposal("AUSTRIA", "mutual", "unclear", "none", "I will keep VEN empty.")),
        tones={"1 AUSTRIA": "promote"},
        conditional={1: False},
    ),
    ("ENGLAND", "F1903M"): answer(
        message(None, False, proposal("GERMANY", "mutual", "unclear", "no", NORTH_SEA)),
        tones={"1 GERMANY": "promote"},
        conditional={1: False},
    ),
    ("GERMANY", "F1903M"): "Germany wants the sea for itself.",
}

COUNTS: Final[Mapping[str, Mapping[str, int]]] = {
    "england": {
        "messages": 5,
        "strategy": 1,
        "aligned": 1,
        "perspective": 1,
        "proposals": 5,
        "mutual": 3,
        "one_sided": 2,
        "accepted": 2,
        "declined": 3,
        "words": 2,
        "words_against": 1,
        "orders": 2,
        "orders_against": 3,
        "either": 2,
        "neither": 3,
        "listeners": 6,
        "peace": 4,
        "conflict": 2,
        "rounds": 5,
        "conditional": 1,
    },
    "france": {
        "messages": 9,
        "strategy": 4,
        "aligned": 3,
        "perspective": 2,
        "proposals": 5,
        "mutual": 5,
        "one_sided": 0,
        "accepted": 2,
        "declined": 1,
        "words": 1,
        "words_against": 1,
        "orders": 3,
        "orders_against": 0,
        "either": 3,
        "neither": 0,
        "listeners": 9,
        "peace": 6,
        "conflict": 2,
        "rounds": 8,
        "conditional": 1,
    },
    "germany": {
        "messages": 3,
        "strategy": 2,
        "aligned": 1,
        "perspective": 0,
        "proposals": 2,
        "mutual": 1,
        "one_sided": 1,
        "accepted": 2,
        "declined": 0,
        "words": 1,
        "words_against": 0,
        "orders": 2,
        "orders_against": 0,
        "either": 2,
        "neither": 0,
        "listeners": 3,
        "peace": 1,
        "conflict": 0,
        "rounds": 3,
        "conditional": 0,
    },
    "pair": {
        "messages": 3,
        "strategy": 1,
        "aligned": 1,
        "perspective": 0,
        "proposals": 1,
        "mutual": 1,
        "one_sided": 0,
        "accepted": 0,
        "declined": 1,
        "words": 0,
        "words_against": 0,
        "orders": 0,
        "orders_against": 1,
        "either": 0,
        "neither": 1,
        "listeners": 4,
        "peace": 1,
        "conflict": 0,
        "rounds": 3,
        "conditional": 0,
    },
    "italy": {
        "messages": 1,
        "strategy": 0,
        "aligned": 0,
        "perspective": 0,
        "proposals": 1,
        "mutual": 1,
        "one_sided": 0,
        "accepted": 0,
        "declined": 0,
        "words": 0,
        "words_against": 0,
        "orders": 0,
        "orders_against": 0,
        "either": 0,
        "neither": 0,
        "listeners": 1,
        "peace": 1,
        "conflict": 0,
        "rounds": 1,
        "conditional": 0,
    },
}

MEASURES: Final[Mapping[str, tuple[float | None, ...]]] = {
    "england": (1.0, 2 / 5, 3 / 2, 4 / 2, 1 / 5, 1 / 5),
    "france": (3 / 4, 2 / 3, None, 6 / 2, 2 / 9, 1 / 8),
    "germany": (1 / 2, 1.0, 1.0, None, 0.0, 0.0),
    "pair": (1.0, 0.0, None, None, 0.0, 0.0),
    "italy": (None, None, None, None, 0.0, 0.0),
}
"""AlignR, AcceptR, Mut:1S, P:C, Persp. and Cond. of each agent."""

QUESTIONS: Final = {
    "england": (5, 5, 0),
    "france": (6, 6, 0),
    "germany": (4, 3, 1),
    "pair": (3, 3, 0),
    "italy": (1, 1, 0),
}
"""The questions about each agent, those that were answered, and those that were refused."""

PACTS: Final = {key: kept for key, kept in script.PACTS.items() if key[3] != "F1903M" or key[0] == "FRANCE"}
"""The pacts that the annotator found: all but that of which one side is in the answer that was refused."""


def chosen(decision: Any) -> Any:
    """What the player of a decision does: as in the script, with what it declares."""
    seen = decision.observation
    action = script.answer(seen)
    strategy = STRATEGIES.get((seen["phase"], seen["round"], seen["powers"][0])) if seen["step"] == "negotiate" else ""
    return action | {"strategy": strategy} if strategy else action
