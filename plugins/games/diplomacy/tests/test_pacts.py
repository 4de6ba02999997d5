"""Pacts: what sentences say, whom they bind, and which orders keep them."""

from itertools import product
from typing import Any

import pytest
from arena_game_diplomacy import POWERS, Position
from arena_game_diplomacy.match.pacts import LEADS, Agreement, Pact, Statement, agreements, judge_pact, read, write

PEACE = Pact("peace", until="F1902")
EMPTY = Pact("empty", ("BUR", "PIE"))
SUPPORT = Pact("support", unit="A MUN", target="BUR")
BOARD = Position.from_json(
    {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR", "A MAR", "F MAO"], "GERMANY": ["A MUN", "A RUH", "F NTH"]},
        "centres": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN", "KIE"], "ENGLAND": ["LON"]},
    }
)


def message(sender: str, *to: str, text: str, phase: str = "S1901M") -> dict[str, Any]:
    """What the data of an event of the kind ``message`` says."""
    return {"phase": phase, "round": 1, "from": sender, "to": list(to), "text": text}


def made(*messages: dict[str, Any]) -> set[tuple[str, str]]:
    """Who is bound towards whom by these messages."""
    return {(found.bound, found.partner) for found in agreements(messages, POWERS)}


def statements() -> tuple[Statement, ...]:
    """Sentences of every form."""
    pacts = [Pact("peace"), PEACE, EMPTY, Pact("empty", ("BUR",), until="S1903"), Pact("empty", ("ADR", "BUR", "TYR"))]
    pacts += [
        SUPPORT,
        Pact("support", unit="F STP/SC"),
        Pact("support", unit="F MAO", target="SPA/NC", supporter="A GAS"),
    ]
    return tuple(Statement(*each) for each in product(LEADS, pacts))


@pytest.mark.parametrize("statement", statements(), ids=write)
def test_what_is_written_is_read(statement: Statement):
    """Each sentence says what it was made of, in any letters, and beside other sentences."""
    sentence = write(statement)

    assert read(sentence) == (statement,)
    assert read(f"Dear friend! {sentence[0].lower()}{sentence[1:]} How are you?") == (statement,)


def test_sentences_read_as_in_english():
    """What a person reads are whole sentences."""
    assert write(Statement("propose", EMPTY)) == "Let us keep BUR and PIE empty."
    assert write(Statement("agree", PEACE)) == "I agree to keep the peace until F1902."
    assert write(Statement("request", SUPPORT)) == "Please support A MUN to BUR."
    assert write(Statement("promise", Pact("support", unit="A MUN", supporter="A RUH"))) == (
        "I will support A MUN in place with A RUH."
    )


def test_several_sentences_are_read_in_their_order():
    """A message may hold several; line breaks are as good as spaces, and provinces are told in their order."""
    said = read("Let us keep PIE, BUR\nand BUR empty.  I will support A MUN to BUR!")

    assert said == (Statement("propose", EMPTY), Statement("promise", SUPPORT))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Let us be friends.",
        "If you attack ENGLAND, I will keep the peace.",
        "I will not keep the peace.",
        "I will keep the peace with you.",
        "I will keep the peace if you do.",
        "Let us keep Burgundy empty.",
        "Let us keep BUR empty until 1902.",
        "Please support A MUN to BUR until F1902.",
        "{" * 50_000,
        "Let us keep " + "BUR, " * 20_000,
    ],
)
def test_other_texts_say_nothing_of_pacts(text: str):
    """A sentence of which only a part is of the form binds nobody, such as a condition; long texts take no time."""
    assert read(text) == ()


def test_a_proposal_binds_both_once_both_said_so():
    """A proposal alone binds nobody; the answer binds both, and so do two proposals that cross each other."""
    offer = message("FRANCE", "GERMANY", text=write(Statement("propose", PEACE)))
    answer = message("GERMANY", "FRANCE", text=write(Statement("agree", PEACE)))
    crossing = message("GERMANY", "FRANCE", text=write(Statement("propose", PEACE)))

    assert made(offer) == made(answer) == set()
    assert made(offer, answer) == made(offer, crossing) == {("FRANCE", "GERMANY"), ("GERMANY", "FRANCE")}


def test_a_promise_binds_its_writer_and_a_request_who_agrees():
    """One-sided pacts bind one power."""
    promise = message("FRANCE", "GERMANY", text=write(Statement("promise", SUPPORT)))
    request = message("GERMANY", "FRANCE", text=write(Statement("request", SUPPORT)))
    agreed = message("FRANCE", "GERMANY", text=write(Statement("agree", SUPPORT)))

    assert made(promise) == made(request, agreed) == {("FRANCE", "GERMANY")}
    assert made(request) == made(agreed) == set()


def test_nothing_is_agreed_upon_across_powers_phases_and_pacts():
    """An answer counts for the power, the phase and the very pact that was spoken of."""
    offer = message("FRANCE", "GERMANY", text=write(Statement("propose", PEACE)))
    answer = write(Statement("agree", PEACE))

    assert made(offer, message("GERMANY", "ENGLAND", text=answer)) == set()
    assert made(offer, message("GERMANY", "FRANCE", text=answer, phase="F1901M")) == set()
    assert made(offer, message("GERMANY", "FRANCE", text="I agree to keep the peace.")) == set()


def test_a_refusal_takes_back_what_was_said_in_the_phase():
    """Who agrees and then refuses is not bound, and neither is the other, as far as it takes both."""
    offer = message("FRANCE", "GERMANY", text=write(Statement("propose", PEACE)))
    answer = message("GERMANY", "FRANCE", text=write(Statement("agree", PEACE)))
    refusal = message("FRANCE", "GERMANY", text=write(Statement("refuse", PEACE)))

    assert made(offer, answer, refusal) == set()
    assert made(refusal, offer, answer) != set()


def test_what_is_said_to_all_is_said_to_each():
    """A global offer is agreed upon with every power that agrees."""
    offer = message("FRANCE", "GLOBAL", text=write(Statement("propose", PEACE)))
    answers = [message(power, "FRANCE", text=write(Statement("agree", PEACE))) for power in ("ITALY", "TURKEY")]

    assert made(offer, *answers) == {(a, b) for p in ("ITALY", "TURKEY") for a, b in (("FRANCE", p), (p, "FRANCE"))}


def test_what_is_in_force_is_not_agreed_upon_again():
    """The same pact said again within its time is one agreement, and none after its end."""
    both = [
        message(*pair, text=write(Statement("propose", PEACE)), phase=phase)
        for phase in ("S1901M", "F1901M", "S1903M")
        for pair in (("FRANCE", "ITALY"), ("ITALY", "FRANCE"))
    ]

    assert [a.phase for a in agreements(both, POWERS) if a.bound == "FRANCE"] == ["S1901M"]


@pytest.mark.parametrize(
    ("pact", "phases"),
    [
        (PEACE, ["F1901M", "S1902M", "F1902M"]),
        (Pact("peace", until="S1902"), ["F1901M", "S1902M"]),
        (EMPTY, ["F1901M"]),
        (SUPPORT, ["F1901M"]),
        (Pact("peace", until="S1901"), []),
    ],
)
def test_a_pact_is_about_movement_phases_until_its_end(pact: Pact, phases: list[str]):
    """It begins with the phase of the agreement, and ends with it if no end was said."""
    agreement = Agreement(pact, "FRANCE", "GERMANY", "F1901M")
    everything = [f"{s}{y}{k}" for y in (1901, 1902, 1903) for s, k in (("S", "M"), ("S", "R"), ("F", "M"), ("W", "A"))]

    assert [phase for phase in everything if agreement.in_force(phase)] == phases


@pytest.mark.parametrize(
    ("pact", "order", "is_kept"),
    [
        (PEACE, "A PAR - BUR", True),
        (PEACE, "A MAR S A PAR - BUR", True),
        (PEACE, "A PAR - PIC", True),
        (PEACE, "F MAO - BRE", True),
        (Pact("peace"), "A GAS - MUN", False),
        (Pact("peace"), "A BUR - RUH", False),
        (Pact("peace"), "A BUR S A PAR - RUH", False),
        (Pact("peace"), "F HEL C A DEN - KIE VIA", False),
        (Pact("peace"), "A BUR S A RUH - MUN", True),
        (EMPTY, "A PAR - BUR", False),
        (EMPTY, "A MAR S A PAR - BUR", False),
        (EMPTY, "A MAR - PIE", False),
        (EMPTY, "A BUR H", True),
        (EMPTY, "A PAR S A MUN", True),
        (SUPPORT, "A PAR S A MUN - BUR", True),
        (SUPPORT, "A PAR S A MUN", False),
        (SUPPORT, "A PAR S A RUH - BUR", False),
        (SUPPORT, "A PAR - BUR", False),
        (Pact("support", unit="A MUN"), "A RUH S A MUN", True),
        (Pact("support", unit="F SPA/SC", target="POR", supporter="F MAO"), "F MAO S F SPA - POR", True),
        (Pact("support", unit="F SPA", target="POR", supporter="A GAS"), "F MAO S F SPA/SC - POR", False),
    ],
)
def test_orders_keep_or_break_a_pact(pact: Pact, order: str, is_kept: bool):
    """What is ordered counts, whatever comes of it; helping units of the other is no attack on it."""
    verdict = judge_pact(Agreement(pact, "FRANCE", "GERMANY", "S1901M"), BOARD, {"FRANCE": [order]})

    assert verdict is not None
    assert verdict.is_kept is is_kept
    assert verdict.orders == ((order,) if is_kept is (pact.kind == "support") else ())


def test_only_the_orders_of_the_bound_power_count():
    """What the partner does breaks its own agreement, and none of the other's."""
    orders = {"FRANCE": ["A PAR H"], "GERMANY": ["A MUN - BUR"]}

    verdicts = [judge_pact(Agreement(EMPTY, *pair, "S1901M"), BOARD, orders) for pair in PAIRS]

    assert [verdict and verdict.is_kept for verdict in verdicts] == [True, False]
    assert judge_pact(Agreement(EMPTY, *PAIRS[0], "F1900M"), BOARD, orders) is None


PAIRS = (("FRANCE", "GERMANY"), ("GERMANY", "FRANCE"))
