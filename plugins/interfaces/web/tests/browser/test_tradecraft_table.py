"""TradeCraft's table: two people play one match in two browsers, and all that they need stands on their pages."""

import re
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from .conftest import Tables, Visit, seating
from .test_seat import OVER, sitting, touch
from .test_states import NARROW, is_narrow_enough

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

PROBLEM = {
    "hands": [
        {"coal": 2, "oak_log": 3, "raw_iron": 2, "string": 1},
        {"stick": 2, "sand": 4, "oak_planks": 2},
    ],
    "targets": [{"shears": 1, "torch": 4}, {"glass": 4}],
}
MATCH = {
    "name": "two",
    "seed": 3,
    "games": {
        "game": {"use": "tradecraft", "max-turns": 3, "problems": [PROBLEM], "lookups": {"propose": 8, "craft": 1}}
    },
    "agents": {
        "person": {"use": "open-seat", "title": "Ann"},
        "other": {"use": "open-seat", "title": "Bo"},
    },
    "schedule": {"use": "fixed", "seatings": [["person", "other"]]},
}


@attrs.define
class Seen:
    """What stood on the two pages while the match was played, by what it shows; and what was sent to Bo."""

    texts: dict[str, str] = attrs.field(factory=dict)
    facts: dict[str, Any] = attrs.field(factory=dict)
    findings: list[Any] = attrs.field(factory=list)

    def __getitem__(self, name: str) -> str:
        return self.texts[name]


READ = re.compile(r" \(player \d (would hold|holds) [^()]*(\([^()]*\))?[^()]*\)")
"""What is read of a cell beside what is seen of it."""


def part(page: Any, name: str) -> str:
    """The text of a part of the picture as it is seen, its spaces made one."""
    return READ.sub("", " ".join(page.locator(f'[data-part="{name}"]').first.inner_text().split()))


def row(page: Any, item: str) -> str:
    """What all hold of an item, as it is seen."""
    return READ.sub("", " ".join(page.locator(f'[data-element="item-{item}"]').inner_text().split()))


def changed(page: Any) -> list[str]:
    """The cells of hands that are marked as changed."""
    marked = page.locator('[data-part="hands"] .is-changed')
    return sorted(own.get_attribute("data-element") for own in marked.all())


def meant(page: Any, words: str) -> str:
    """The sentence that says what would be sent, once it has these words."""
    page.locator("#meant", has_text=words).wait_for()
    return page.locator("#meant").inner_text()


def press(page: Any, name: str) -> None:
    """Press a button by its whole name."""
    page.get_by_role("button", name=name, exact=True).click()


def asked(page: Any, sentence: str) -> None:
    """Wait until this is asked, and nothing is on its way."""
    page.locator(".ask.is-asked .sentence", has_text=sentence).wait_for()


def send(page: Any) -> None:
    """Send the form, and wait until it is taken."""
    with page.expect_response("**/try/**"):
        press(page, "Send")


def found(page: Any) -> Any:
    """The answer of the look-up that was made last."""
    answer = page.locator(".answer")
    answer.locator(".scene-part, .note").first.wait_for()
    return answer


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """A run in which both players are people."""
    with seating(tmp_path_factory.mktemp("two"), [MATCH]) as own:
        yield own


@pytest.fixture(scope="module")
def seen(chromium: Any, tables: Tables) -> Seen:
    """The match: a proposal that is rejected, fractional crafts, a gift that is accepted, and Ann wins."""
    links = [
        tables.served.address + tables.post("/links", right="seat", run="two", agent=agent)["link"]
        for agent in ("person", "other")
    ]
    noted = Seen()
    with (
        sitting(chromium, tables, "two", start=links[0], is_audited=True) as ann,
        sitting(chromium, tables, "two", until=".ask.is-waiting", start=links[1]) as bo,
    ):
        heard: list[Any] = []
        bo.page.on("response", lambda own: heard.append(own) if "/api/" in own.url else None)
        propose(ann, noted)
        reject(bo, noted)
        craft(ann, bo, noted)
        noted.facts["sent to Bo"] = "".join(own.text() for own in heard if own.status == 200)
        end_turn(ann, bo, noted)
        accept_a_gift(ann, bo, noted)
        win(ann, bo, noted)
    return noted


def propose(ann: Visit, noted: Seen) -> None:
    """Ann looks around, reads in the encyclopaedia, and puts a proposal together by touching."""
    page = ann.page
    noted.texts |= {"hands": part(page, "hands"), "target": part(page, "target"), "phases": part(page, "phases")}
    noted.texts |= {"phase": part(page, "phase"), "budgets": page.locator(".tabs").inner_text()}
    page.get_by_role("radio", name="player 2").check()
    noted.texts["empty"] = meant(page, "empty proposal")
    touch(page, "string@0")
    noted.texts["gift"] = meant(page, "a gift")
    touch(page, "stick@1", "stick@1")
    page.get_by_label("message").fill("two sticks for a string?")
    noted.texts["preview"] = meant(page, "get 2 stick")
    noted.texts["form"] = page.locator(".acts .form").inner_text()
    ann.picture("table-proposal-light")

    touch(page, "name-coal")
    noted.texts["item"] = found(page).inner_text()
    page.locator(".answer .scene-card", has_text=re.compile("^torch$")).click()
    page.locator(".answer .scene-head", has_text="4 torch").wait_for()
    noted.texts["linked"] = found(page).inner_text()
    page.locator(".answer .scene-card", has_text="#coals").click()
    page.locator(".answer", has_text="is #coals").wait_for()
    noted.texts["tag"] = found(page).inner_text()
    press(page, "Back")
    page.locator(".answer .scene-head", has_text="4 torch").wait_for()
    press(page, "search 8 left")
    page.get_by_role("textbox", name="text").fill("shear")
    press(page, "Look up search")
    noted.texts["search"] = found(page).inner_text()
    noted.texts["budgets after"] = page.locator(".tabs").inner_text()
    send(page)
    page.locator(".ask.is-waiting").wait_for()


def reject(bo: Visit, noted: Seen) -> None:
    """Bo reads the proposal, sees what would become of both hands, and rejects it with a message."""
    page = bo.page
    asked(page, "Accept or reject the proposal.")
    noted.texts |= {name: part(page, name) for name in ("proposal", "messages", "afterwards")}
    press(page, "accept")
    noted.texts["to accept"] = meant(page, "accept the proposal")
    press(page, "reject")
    page.get_by_label("message").fill("one at most")
    noted.texts["to reject"] = meant(page, "refuse the proposal")
    bo.picture("table-decision-light")
    send(page)


def craft(ann: Visit, bo: Visit, noted: Seen) -> None:
    """Ann smelts with a fuel of her choice, as often as she can; Bo, who is done, learns nothing of it."""
    page = ann.page
    asked(page, "Craft from what you hold")
    press(page, "What you could craft")
    noted.texts["possible"] = found(page).inner_text()
    smelting = page.locator(".answer .scene-part", has_text="1 iron_ingot").first
    noted.texts["recipe"] = " ".join(smelting.inner_text().split())
    smelting.locator(".scene-thing", has_text="oak_log").click()
    noted.texts["with logs"] = meant(page, "oak_log, 1 raw_iron")
    smelting.locator(".scene-thing", has_text="coal").click()
    noted.texts["with coal"] = meant(page, "1/8 coal, 1 raw_iron")
    smelting.locator(".scene-thing", has_text="once more").click()
    noted.texts["twice"] = meant(page, "2 iron_ingot")
    noted.texts["crafting form"] = page.locator(".acts .form").inner_text()
    ann.picture("table-crafting-light")
    noted.findings += ann.audit()
    page.emulate_media(color_scheme="dark")
    noted.findings += ann.audit("color-contrast")
    ann.picture("table-crafting-dark")
    page.set_viewport_size(NARROW)
    noted.facts["narrow"] = is_narrow_enough(page)
    ann.picture("table-crafting-narrow")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
    run_out(page, noted)
    send(page)
    asked(bo.page, "Craft from what you hold")
    press(bo.page, "be done with crafting")
    meant(bo.page, "craft no more")
    send(bo.page)
    page.locator(".log", has_text="Crafted 2 iron_ingot").wait_for()
    asked(page, "Craft from what you hold")
    noted.texts |= {"fractions": row(page, "coal"), "rounding": part(page, "rounding")}
    noted.facts["crafted"] = changed(page)
    noted.facts["offered then"] = page.locator(".tabs").inner_text()
    bo.page.locator(".log", has_text="Done with crafting").wait_for()
    noted.texts["Bo sees"] = f"{row(bo.page, 'coal')}; {bo.page.locator('.log').inner_text()}"


def run_out(page: Any, noted: Seen) -> None:
    """Ann may look an item up once in this phase: the same answer costs nothing again, another one is refused."""
    touch(page, "name-coal")
    page.locator(".answer .scene-head", has_text="coal goes into").wait_for()
    touch(page, "name-coal")
    page.locator(".answer .scene-head", has_text="coal goes into").wait_for()
    touch(page, "name-string")
    page.locator(".answer .note").wait_for()
    noted.texts["run out"] = found(page).inner_text()
    noted.texts["budgets run out"] = page.locator(".tabs").inner_text()
    press(page, "possible crafts 0 left")
    noted.facts["can ask"] = page.get_by_role("button", name="Look up possible crafts").is_enabled()


def end_turn(ann: Visit, bo: Visit, noted: Seen) -> None:
    """Ann is done; then Bo sees what she holds, without fractions."""
    page = ann.page
    press(page, "be done with crafting")
    noted.texts["done"] = meant(page, "fractions")
    send(page)
    asked(bo.page, "Propose a trade")
    noted.texts["rounded"] = row(bo.page, "coal")
    noted.facts["shown to Bo"] = changed(bo.page)


def accept_a_gift(ann: Visit, bo: Visit, noted: Seen) -> None:
    """Bo offers a stick for nothing, and Ann accepts."""
    touch(bo.page, "stick@1")
    bo.page.get_by_role("radio", name="player 1").check()
    noted.texts["offered gift"] = meant(bo.page, "a gift")
    send(bo.page)
    asked(ann.page, "Accept or reject the proposal.")
    press(ann.page, "accept")
    ann.page.get_by_label("message").fill("thank you")
    meant(ann.page, "thank you")
    send(ann.page)
    asked(ann.page, "Craft from what you hold")
    noted.facts["traded"] = changed(ann.page)


def win(ann: Visit, bo: Visit, noted: Seen) -> None:
    """Ann crafts her target, once by a look-up and once by the form; the end shows who won, and all targets."""
    page = ann.page
    asked(bo.page, "Craft from what you hold")
    press(bo.page, "be done with crafting")
    send(bo.page)
    press(page, "What you could craft")
    noted.texts["sorted"] = found(page).inner_text()
    page.get_by_role("button", name="use: craft 1 shears").first.click()
    meant(page, "craft 1 shears of 2 iron_ingot")
    send(page)
    page.locator(".log", has_text="Crafted 1 shears").wait_for()
    asked(page, "Craft from what you hold")
    touch(page, "coal@0", "stick@0")
    page.locator('[data-name="#/output"]').fill("torch")
    press(page, "add to what comes out")
    page.locator(".form-wrong").wait_for()
    noted.texts["checked"] = page.locator(".form-wrong").inner_text()
    page.get_by_label("torch", exact=True).fill("4")
    meant(page, "craft 4 torch of 1 coal, 1 stick")
    send(page)
    page.locator(".log", has_text="Crafted 4 torch").wait_for()
    asked(page, "Craft from what you hold")
    press(page, "be done with crafting")
    meant(page, "craft no more")
    send(page)
    for own, name in ((ann, "Ann"), (bo, "Bo")):
        own.page.locator(OVER).wait_for()
        noted.texts[f"end of {name}"] = f"{own.page.locator(OVER).inner_text()} {part(own.page, 'result')}"
        noted.texts[f"targets of {name}"] = part(own.page, "target")
        noted.texts[f"log of {name}"] = own.page.locator(".log").inner_text()
    ann.picture("table-over-light")
    noted.findings += ann.audit()


def test_hands_of_all_with_what_has_changed(seen: Seen):
    """One table has all hands, one's own first; amounts that have changed are marked, by a craft, a trade, a turn."""
    assert seen["hands"].startswith("hands item player 1 (you) player 2 coal 2 oak_log 3 oak_planks 2")
    assert seen.facts["crafted"] == ["coal@0", "iron_ingot@0"]
    assert seen.facts["shown to Bo"] == ["coal@0", "iron_ingot@0"]
    assert seen.facts["traded"] == ["stick@0", "stick@1"]


def test_own_target_with_what_is_missing(seen: Seen):
    """The own target stands with what is needed, held and missing, and nobody else's."""
    assert seen["target"] == "your target needed held missing shears 1 0 1 torch 4 0 4"


def test_phase_and_turns_left(seen: Seen):
    """Which of three phases it is, who acts in it, and how many turns follow."""
    assert seen["phases"] == "1. proposal 2. decision 3. crafting now: you later later"
    assert seen["phase"] == "proposal 2 turns follow turn 1 of 3"


def test_proposal(seen: Seen):
    """A partner, two tables of amounts that touching fills, a message with its length, and a sentence to check it."""
    assert 'player 2: you give 1 string and get 2 stick, and say: "two sticks for a string?"' in seen["preview"]
    assert re.search(r"partner\s+player 2\s+nobody\s+you give\s+coal", seen["form"])
    assert re.search(r"you get\s+oak planks", seen["form"])
    assert "24 of 500" in seen["form"]


def test_empty_proposals_and_gifts_are_named(seen: Seen):
    """What gives nothing and asks for nothing, or only one of both, is called so before it is sent."""
    assert seen["empty"] == "propose to player 2: so far nothing changes hands, an empty proposal"
    assert seen["gift"] == "offer player 2 a gift: you give 1 string and get nothing"
    assert seen["offered gift"] == "offer player 1 a gift: you give 1 stick and get nothing"


def test_decision(seen: Seen):
    """The proposal with its message, both hands as they would be, and an answer with a message."""
    assert "player 1 proposes to player 2" in seen["proposal"]
    assert "player 1 to player 2: two sticks for a string?" in seen["messages"]
    assert seen["afterwards"].startswith("hands if this is accepted item player 2 (you) player 1")
    assert "stick 0 (-2) 2 (+2) string 1 (+1) 0 (-1)" in seen["afterwards"]
    assert "you give 2 stick and get 1 string" in seen["to accept"]
    assert seen["to reject"] == 'refuse the proposal of player 1, and say: "one at most"'


def test_what_could_be_crafted(seen: Seen):
    """Crafts are sorted by how near they are to the target, and drawn with what goes in and comes out."""
    ways = re.findall(r"craft \d+ (\w+) from", seen["possible"])
    assert set(ways[:3]) == {"charcoal", "iron_ingot"}
    assert "craft 1 iron_ingot from 1/8 coal, 1 raw_iron: 1 craft from your target" in seen["possible"]
    assert seen["recipe"].startswith("1 iron_ingot 1 craft from your target, up to 2 times, ")
    assert "1 raw_iron → 1 iron_ingot" in seen["recipe"]
    assert set(re.findall(r"craft \d+ (\w+) from", seen["sorted"])[:2]) == {"shears", "torch"}


def test_tags_are_filled_by_held_members(seen: Seen):
    """For a tag each held member stands in its own amount; touching one crafts with it, and times go up."""
    assert "1/8 coal as 1/8 #fuel 2/3 oak_log or as 1/8 #fuel" in seen["recipe"]
    assert seen["with logs"] == "craft 1 iron_ingot of 2/3 oak_log, 1 raw_iron"
    assert seen["with coal"] == "craft 1 iron_ingot of 1/8 coal, 1 raw_iron"
    assert seen["twice"] == "craft 2 iron_ingot of 1/4 coal, 2 raw_iron"


def test_crafting_is_checked_and_fractions_are_exact(seen: Seen):
    """Fractions stand as they are, what the rules would refuse is said before, and the rounding is told in words."""
    assert "such as 3 or 2/3" in seen["crafting form"]
    assert seen["fractions"].startswith("coal 7/4")
    assert seen["rounding"] == "Once all are done, fractions are cut off: 7/4 coal becomes 1."
    assert seen["done"] == "craft no more in this turn; fractions are cut off: 7/4 coal becomes 1"
    assert seen["rounded"].startswith("coal 1")
    assert "'torch' is made 4 at a time, a whole number of times, not 1" in seen["checked"]


def test_encyclopaedia(seen: Seen):
    """An item leads to what is made of it, that to its recipe and tags, and back; names are searched."""
    assert "coal goes into" in seen["item"]
    assert re.search(r"4 torch\s+1 #coals\s+1 stick\s+→ 4 torch", seen["linked"])
    assert re.search(r"any of these, or a mix, is #coals\s+coal\s+you hold 2", seen["tag"])
    assert re.search(r"items with such a name\s+shears", seen["search"])


def test_log_with_private_messages(seen: Seen):
    """What happened stands in words; what not everybody was told is marked."""
    lines = [" ".join(own.split()) for own in seen["log of Bo"].split("\n")]
    private = [own for own in lines if own.endswith(" private")]
    assert any("two sticks for a string?" in own for own in private)
    assert any('player 2 rejects. Message: "one at most"' in own for own in private)
    assert not any("The proposal of player 1 was rejected." in own for own in private)
    assert any("All are done with crafting" in own for own in lines)


def test_budgets_of_look_ups(seen: Seen):
    """How many of each look-up are left stands on it; one that is used up says so and asks nothing."""
    assert "item 8 left" in seen["budgets"]
    assert "item 6 left" in seen["budgets after"]
    assert "tag 7 left" in seen["budgets after"]
    assert "possible crafts 0 left" in seen["budgets run out"]
    assert "item 0 left" in seen["budgets run out"]
    assert "'item' may be asked 1 times in the craft phase of turn 1" in seen["run out"]
    assert not seen.facts["can ask"]
    assert not {"item", "possible"} & set(seen.facts["offered then"].split())


def test_end(seen: Seen):
    """The end names the winners and shows everybody's target with what was held of it."""
    for name in ("Ann", "Bo"):
        assert "won by player 1" in seen[f"end of {name}"]
        assert "player 1 shears 1 1 0 torch 4 4 0 player 2 glass 4 0 4" in seen[f"targets of {name}"]
    assert "You earned 3 points." in seen["end of Ann"]


def test_others_learn_nothing_early(seen: Seen):
    """While Ann crafts, Bo is sent neither her target nor what she has crafted, and her hand stands as it was shown."""
    assert seen["Bo sees"].startswith("coal 2")
    assert "rejects" in seen.facts["sent to Bo"]
    for secret in ("iron_ingot", "shears", "torch", "7/4"):
        assert secret not in seen.facts["sent to Bo"], secret


def test_table_is_accessible_and_narrow(seen: Seen):
    """Nothing is found by axe-core in any phase, nor by the contrast of the dark theme, and a telephone holds it."""
    assert seen.findings == []
    assert seen.facts["narrow"]
