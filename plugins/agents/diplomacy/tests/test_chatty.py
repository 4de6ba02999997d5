"""What ``diplomacy-chatty`` says, agrees to, keeps and breaks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import Decision
from arena.record import MatchRecord
from arena_agent_diplomacy.chatty import DiplomacyChatty, fitted
from arena_agent_diplomacy.hold import DiplomacyHold
from arena_agent_diplomacy.keeping import Terms, bound_orders
from arena_agent_diplomacy.negotiator import Negotiator
from arena_agent_diplomacy.observation import SeenPosition
from arena_game_diplomacy import POWERS, Position
from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.match.pacts import Agreement, Pact, Statement, Verdict, agreements, judge_pact, read, write
from arena_testing.fixtures.play_match import play

YEAR = Pact("peace", until="F1901")


def view(
    power: str, units: dict[str, list[str]], centres: dict[str, list[str]], *said: tuple[str, str, str], **more: Any
) -> dict[str, Any]:
    """What a player sees in the first round of a phase, with messages of this phase as sender, recipient and text."""
    phase = more.pop("phase", "S1901M")
    return {
        "phase": phase,
        "step": "negotiate",
        "round": 1,
        "powers": [power],
        "neutral": [],
        "disorder": [],
        "units": {name: units.get(name, []) for name in POWERS},
        "centres": {name: centres.get(name, []) for name in POWERS},
        "dislodged": {},
        "contested": [],
        "win_centres": 18,
        "knowledge": "none",
        "messages": [{"phase": phase, "round": 1, "from": a, "to": [b], "text": text} for a, b, text in said],
        **more,
    }


UNITS = {"FRANCE": ["A BUR", "A GAS"], "GERMANY": ["A RUH", "A BER"], "ITALY": ["A PIE", "A VEN"]}
CENTRES = {"FRANCE": ["PAR", "BRE"], "GERMANY": ["KIE", "BER"], "ITALY": ["VEN", "ROM"]}


def negotiator(*said: tuple[str, str, str], power: str = "FRANCE", distrusted: Sequence[str] = ()) -> Negotiator:
    """A power in the position above, after what was said."""
    seen = SeenPosition.read(view(power, UNITS, CENTRES, *said))
    in_force = tuple(a for a in agreements(seen.view["messages"], POWERS) if a.in_force("S1901M"))
    return Negotiator(seen, power, in_force, frozenset(distrusted), Random(0))


def sentence(stance: Any, pact: Pact) -> str:
    """The sentence with a stance and a pact."""
    return write(Statement(stance, pact))


def verdicts(record: MatchRecord) -> Iterator[Verdict]:
    """What became of every agreement of a match in every movement phase in which it was in force."""
    made = agreements([event.data for event in record.events if event.kind == "message"], POWERS)
    position = None
    for event in record.events:
        if event.kind == "start":
            position = Position.from_json(event.data["position"])
        if event.kind == "adjudicated" and position is not None:
            orders = {power: [one["order"] for one in given] for power, given in event.data["orders"].items()}
            yield from filter(None, (judge_pact(agreement, position, orders) for agreement in made))
            position = event.data["next"] and Position.from_json(event.data["next"])


def counted(record: MatchRecord) -> Counter[tuple[str, bool]]:
    """How many verdicts there are, by the kind of the pact and whether it was kept."""
    return Counter((verdict.agreement.pact.kind, verdict.is_kept) for verdict in verdicts(record))


def test_it_offers_peace_to_neighbours_but_the_nearest():
    """The power whose centres are nearest is to be attacked; the other one gets an offer of peace."""
    talk = negotiator()

    assert talk.foe == "GERMANY"
    assert talk.sentences() == {"ITALY": [Statement("propose", YEAR)]}


def test_it_offers_to_keep_a_border_empty():
    """With peace comes the offer to stay out of an empty province without a centre to which both could move."""
    units = {**UNITS, "ITALY": ["A TYR", "A VEN"], "FRANCE": ["A MAR", "A MUN"]}
    seen = SeenPosition.read(view("FRANCE", units, {**CENTRES, "FRANCE": ["MUN", "MAR"]}))

    said = Negotiator(seen, "FRANCE", (), frozenset(), Random(0)).sentences()

    assert said["ITALY"] == [Statement("propose", YEAR), Statement("propose", Pact("empty", ("BOH",), until="F1901"))]


def test_it_agrees_to_peace_but_not_with_its_foe():
    """It answers each offer once, the same way by which it chooses whom to offer peace."""
    offers = [(power, "FRANCE", sentence("propose", YEAR)) for power in ("GERMANY", "ITALY")]
    said = negotiator(*offers).sentences()

    assert said["GERMANY"] == [Statement("refuse", YEAR)]
    assert said["ITALY"][0] == Statement("agree", YEAR)
    answers = [("FRANCE", "GERMANY", sentence("refuse", YEAR)), ("FRANCE", "ITALY", sentence("agree", YEAR))]
    repeated = negotiator(*offers, *answers).sentences()
    assert not any(statement.pact == YEAR for statements in repeated.values() for statement in statements)


def test_it_agrees_with_nobody_who_broke_a_pact():
    """Whom it does not trust gets no offer and no agreement."""
    offer = ("ITALY", "FRANCE", sentence("propose", YEAR))

    assert negotiator(offer, distrusted=["ITALY"]).sentences()["ITALY"] == [Statement("refuse", YEAR)]
    assert "ITALY" not in negotiator(distrusted=["ITALY"]).sentences()


@pytest.mark.parametrize(
    ("pact", "stance"),
    [
        (Pact("empty", ("TYR",)), "agree"),
        (Pact("empty", ("BUR",)), "refuse"),
        (Pact("empty", ("MUN",)), "refuse"),
        (Pact("support", unit="A PIE", target="MAR"), "agree"),
        (Pact("support", unit="A PIE"), "refuse"),
        (Pact("support", unit="A VEN", target="TYR"), "refuse"),
        (Pact("support", unit="A RUH", target="BEL"), "refuse"),
    ],
)
def test_it_agrees_to_what_it_can_do(pact: Pact, stance: str):
    """It keeps empty where it has no unit and wants no centre, and supports a unit of who asks, where it can."""
    asked = "request" if pact.kind == "support" else "propose"
    said = negotiator(("ITALY", "FRANCE", sentence(asked, pact))).sentences()

    assert said["ITALY"][0] == Statement("agree" if stance == "agree" else "refuse", pact)


def test_it_promises_one_support_and_none_against_its_friends():
    """A second request is refused, and so is one against who has been offered peace."""
    first, second = Pact("support", unit="A PIE", target="MAR"), Pact("support", unit="A VEN", target="PIE")
    asked = [("ITALY", "FRANCE", sentence("request", first) + " " + sentence("request", second))]

    assert negotiator(*asked).sentences()["ITALY"][:2] == [Statement("agree", first), Statement("refuse", second)]
    against = Pact("support", unit="A RUH", target="MAR")
    peace = [("FRANCE", "ITALY", sentence("propose", YEAR))]
    ask = ("GERMANY", "FRANCE", sentence("request", against))
    assert negotiator(*peace, ask).sentences()["GERMANY"][0].stance == "refuse"


def test_what_is_promised_is_ordered():
    """A promised support is given, friends are left alone, and empty provinces stay empty."""
    pacts = [Pact("support", unit="A PIE", target="MAR"), YEAR, Pact("empty", ("BEL",), until="F1901")]
    seen = SeenPosition.read(view("FRANCE", UNITS, CENTRES, step="orders"))
    terms = Terms(tuple(Agreement(pact, "FRANCE", "ITALY", "S1901M") for pact in pacts))

    for seed in range(10):
        orders = bound_orders(seen, terms, Random(seed))
        found = [judge_pact(kept, seen.position, {"FRANCE": list(orders.values())}) for kept in terms.kept]
        assert all(verdict is not None and verdict.is_kept for verdict in found)


@pytest.mark.parametrize(
    "pact", [YEAR, Pact("empty", ("BEL",)), Pact("support", unit="A PIE", target="MAR"), Pact("empty", ("TYR",))]
)
def test_what_is_to_be_broken_is_broken_where_an_order_can(pact: Pact):
    """A broken pact shows in the orders, unless no unit is near enough; what is to be kept is kept all the same."""
    seen = SeenPosition.read(view("FRANCE", UNITS, CENTRES, step="orders"))
    broken = Agreement(pact, "FRANCE", "ITALY", "S1901M")
    kept = Agreement(Pact("empty", ("MAR", "PIC")), "FRANCE", "GERMANY", "S1901M")

    orders = {"FRANCE": list(bound_orders(seen, Terms((kept,), (broken,)), Random(0)).values())}

    verdict, other = judge_pact(broken, seen.position, orders), judge_pact(kept, seen.position, orders)
    assert verdict is not None
    assert other is not None
    assert other.is_kept
    assert verdict.is_kept is (pact in (YEAR, Pact("empty", ("TYR",))))


def test_a_move_that_was_promised_support_is_made():
    """Who asked for support and was promised it moves as it said."""
    pact = Pact("support", unit="A GAS", target="MAR")
    seen = SeenPosition.read(view("FRANCE", UNITS, CENTRES, step="orders"))
    terms = Terms(of_partners=(Agreement(pact, "ITALY", "FRANCE", "S1901M"),))

    assert all(bound_orders(seen, terms, Random(seed))["A GAS"] == "A GAS - MAR" for seed in range(5))


@pytest.mark.campaign
@pytest.mark.parametrize("matches", [1, 3])
def test_its_pacts_are_kept_in_whole_matches(matches: int, tmp_path: Path):
    """Seven of it agree on every kind of pact, and never break one; each message is read back in full."""
    found = Counter[tuple[str, bool]]()
    for seed in range(matches):
        record = play(Diplomacy(last_year=1903), [DiplomacyChatty()] * 7, tmp_path / str(seed), seed=seed).over
        found += counted(record)
        texts = [event.data["text"] for event in record.events if event.kind == "message"]
        assert texts == [" ".join(write(statement) for statement in read(text)) for text in texts]
        assert not any(event.kind == "refused" for event in record.events)

    assert not any(count for (_, is_kept), count in found.items() if not is_kept)
    assert found["peace", True] > 20 * matches
    assert found["empty", True] > 10 * matches
    assert found["support", True] > 0


@pytest.mark.campaign
def test_who_breaks_pacts_is_accused_and_trusted_no_more(tmp_path: Path):
    """A player with ``breaks`` breaks what it agreed to; others say so to all, declare no trust and refuse it."""
    agents = [DiplomacyChatty(breaks=1.0) if power == "GERMANY" else DiplomacyChatty() for power in POWERS]

    record = play(Diplomacy(last_year=1903), agents, tmp_path).over

    broken = [verdict for verdict in verdicts(record) if not verdict.is_kept]
    assert broken
    assert {verdict.agreement.bound for verdict in broken} == {"GERMANY"}
    public = [event.data for event in record.events if event.kind == "message" and event.data["to"] == ["GLOBAL"]]
    assert {data["text"] for data in public} == {"GERMANY has broken a pact."}
    victims = {verdict.agreement.partner for verdict in broken}
    assert {data["from"] for data in public} <= victims
    last = {
        e.data["power"]: e.data["trust"] for e in record.events if e.kind == "declared" and e.data["phase"] == "F1903M"
    }
    for victim in victims & last.keys():
        assert [entry["level"] for entry in last[victim] if entry["power"] == "GERMANY"] in (["low"], [])


def test_it_says_what_it_is_about_to_do(tmp_path: Path):
    """In the first round of each phase it declares a strategy and how far it trusts each other player."""
    record = play(Diplomacy(last_year=1901), [DiplomacyChatty()] * 7, tmp_path).over

    declared = [event.data for event in record.events if event.kind == "declared"]
    assert {data["round"] for data in declared} == {1}
    assert {data["phase"] for data in declared} == {"S1901M", "F1901M"}
    assert all(data["strategy"].startswith("Take centres of ") and len(data["trust"]) == 6 for data in declared)


def test_messages_keep_to_the_limits(tmp_path: Path):
    """As many sentences are said as have room, in as many messages as may be sent."""
    game = Diplomacy(last_year=1901, message_limit=40, messages_per_round=1)

    record = play(game, [DiplomacyChatty()] * 7, tmp_path).over

    texts = [event.data["text"] for event in record.events if event.kind == "message"]
    assert texts
    assert all(len(text) <= 40 and read(text) for text in texts)
    assert not any(event.kind == "refused" for event in record.events)
    assert fitted([Statement("propose", YEAR), Statement("agree", Pact("peace"))], 27) == "I agree to keep the peace."


def test_it_makes_peace_with_all_while_others_only_hold(tmp_path: Path):
    """Where the nearest power is neutral nobody else is attacked, and two players share the board in peace."""
    game = Diplomacy(hands=(("FRANCE",), ("ITALY",)), last_year=1903)

    found = counted(play(game, [DiplomacyChatty()] * 2, tmp_path).over)

    assert found["peace", True] >= 4
    assert not any(count for (_, is_kept), count in found.items() if not is_kept)


def test_who_says_nothing_gets_no_pact(tmp_path: Path):
    """Offers that nobody answers bind nobody, and are made again in the next phase."""
    record = play(Diplomacy(last_year=1902), [DiplomacyChatty(), *[DiplomacyHold()] * 6], tmp_path).over

    phases = {event.data["phase"] for event in record.events if event.kind == "message"}
    assert not list(verdicts(record))
    assert {"S1901M", "S1902M"} <= phases


class Flatterer(Agent):
    """Says sentences of pacts with names, lists and numbers that make no sense."""

    def join(self, seat: Seat) -> PlayerAgent:
        return FlattererPlayer()


class FlattererPlayer(PlayerAgent):
    """Talks in each round, and orders nothing."""

    TEXT = (
        "Please support A ZZZ to QQQ. Let us keep XYZ empty until F9999. I agree to support F STP/NC to BUR. "
        "Let us support A PAR to BUR. I will keep ABC, DEF and GHI empty. Please keep the peace until S0001."
    )

    async def act(self, decision: Decision) -> Reply:
        if decision.phase != "negotiate":
            return Reply(action={})
        return Reply(action={"messages": [{"to": ["GLOBAL"], "text": self.TEXT}]})


@pytest.mark.slow
def test_nonsense_is_answered_and_harms_nobody(tmp_path: Path):
    """Whatever others say in the form of pacts, it answers within the rules and plays on."""
    record = play(Diplomacy(last_year=1902), [Flatterer(), *[DiplomacyChatty()] * 6], tmp_path).over

    assert not any(event.kind == "refused" for event in record.events)
    answers = [e.data["text"] for e in record.events if e.kind == "message" and e.data["to"] == ["AUSTRIA"]]
    assert any("I refuse to support A ZZZ to QQQ." in text for text in answers)
