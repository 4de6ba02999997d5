"""What a table with cards looks like: poker hands with their bets, and Hanabi's hands and fireworks."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from arena.game import Drawing
from arena_scene import (
    Cards,
    Meter,
    Meters,
    Scene,
    SceneCard,
    SceneTable,
    Sides,
    TableColumn,
    TableRow,
)

from arena_game_openspiel.fireworks import COLOURS
from arena_game_openspiel.scenes import over

HUES: Final = {letter: f"hue-{colour}" for letter, colour in COLOURS.items()}
"""The role of a Hanabi card by the letter of its colour."""


def poker_hand(view: Any, words: str, title: str) -> Drawing:
    """Everybody's card, the public one where there is one, the pot, and the bets in the order of the players."""
    hands = [
        Cards(
            id=f"hand-{number}",
            title=f"{seat} (you)" if seat == view["you"] else seat,
            owner=number,
            note="folded" if seat in view["folded"] else "",
            cards=[_held(f"card-{number}", card, f"the card of {seat}")],
        )
        for number, (seat, card) in enumerate(view["cards"].items())
    ]
    if "public_card" in view:
        hands.append(
            Cards(id="public", title="public", cards=[_held("public-card", view["public_card"], "the public card")])
        )
    chips = [Meter(id="pot", label="pot", value=view["pot"], unit="chips")]
    chips += [
        Meter(id=f"paid-{number}", label=f"{seat} paid", value=amount, role=f"player-{number}")
        for number, (seat, amount) in enumerate(view["paid"].items())
    ]
    bets = list(_bets(view))
    rounds = [TableColumn(title="round")] if "round" in view else []
    columns = [*rounds, *(TableColumn(title=seat) for seat in view["paid"])]
    parts = [Sides(parts=hands), Meters(id="chips", meters=chips, note=over(view))]
    told = [SceneTable(id="bets", caption="bets", columns=columns, rows=bets)] if bets else []
    return Drawing(*Scene(title, words, *parts, *told).drawn())


def _held(name: str, rank: str | None, what: str) -> SceneCard:
    if rank is None:
        return SceneCard(id=name, face="down", label=f"{what}, which you do not see")
    return SceneCard(id=name, rank=rank, label=f"{what}: {rank}")


def _bets(view: Any) -> Iterator[TableRow]:
    """One row for each time that the turn has gone around, one column for each player."""
    seats = list(view["paid"])
    for number, bets in enumerate(view["betting"], start=1):
        row = [""] * len(seats)
        rows = [row]
        for seat, words in bets:
            place = seats.index(seat)
            if any(rows[-1][place:]):
                rows.append([""] * len(seats))
            rows[-1][place] = words
        for index, cells in enumerate(rows):
            if any(cells):
                first = [str(number) if not index else ""] if "round" in view else []
                yield TableRow(cells=[*first, *cells])


def hanabi_table(view: Any, words: str, hints: int, lives: int) -> Drawing:
    """All hands with what their holders know, fireworks, tokens, and what was discarded."""
    hands = [
        Cards(
            id=hand_id(number),
            title=f"{seat} (you)" if seat == view["you"] else seat,
            owner=number,
            cards=[_hanabi_card(number, seat, card) for card in hand],
        )
        for number, (seat, hand) in enumerate(view["hands"].items())
    ]
    letters = {colour: letter for letter, colour in COLOURS.items()}
    fireworks = [
        SceneCard(
            id=f"firework-{colour}",
            text=f"{letters[colour]}{height}" if height else f"{letters[colour]}-",
            role=f"hue-{colour}",
            label=f"the {colour} firework: {height or 'nothing yet'}",
        )
        for colour, height in view["fireworks"].items()
    ]
    tokens = [
        Meter(id="hints", label="hint tokens", value=view["hint_tokens"], least=0, greatest=hints),
        Meter(id="lives", label="lives", value=view["lives"], least=0, greatest=lives),
        Meter(id="deck", label="deck", value=view["deck"], unit="cards"),
    ]
    parts = [
        Cards(id="fireworks", title="fireworks", layout="columns", cards=fireworks, note=over(view)),
        Meters(id="tokens", meters=tokens),
        Sides(parts=hands),
    ]
    return Drawing(*Scene("Hanabi", words, *parts, *_discards(view["discards"])).drawn())


def hand_id(number: int) -> str:
    """The id of a player's hand."""
    return f"hand-{number}"


def card_id(number: int, position: str) -> str:
    """The id of a card by its holder and its letter."""
    return f"card-{number}-{position}"


def _hanabi_card(number: int, seat: str, card: Any) -> SceneCard:
    """A card with its letter and, below, the colours and ranks that it may have by all hints."""
    colours = "".join(letter for letter, colour in COLOURS.items() if colour in card["may_be"]["colours"])
    ranks = "".join(map(str, card["may_be"]["ranks"]))
    name, notes = card_id(number, card["position"]), [card["position"], colours, ranks]
    what = f"card {card['position']} of {seat}"
    known = f"its holder knows: {', '.join(card['may_be']['colours'])}; {', '.join(ranks)}"
    if card["card"] is None:
        return SceneCard(id=name, face="down", notes=notes, label=f"{what}, which you do not see; {known}")
    colour, rank = COLOURS[card["card"][0]], card["card"][1]
    return SceneCard(
        id=name, text=card["card"], role=f"hue-{colour}", notes=notes, label=f"{what}: {colour} {rank}; {known}"
    )


def _discards(cards: Sequence[str]) -> list[SceneTable]:
    if not cards:
        return []
    rows = [
        TableRow(cells=[colour, " ".join(sorted(card[1] for card in cards if card[0] == letter))], role=HUES[letter])
        for letter, colour in COLOURS.items()
        if any(card[0] == letter for card in cards)
    ]
    columns = [TableColumn(title="colour"), TableColumn(title="discarded")]
    return [SceneTable(id="discards", columns=columns, rows=rows)]
