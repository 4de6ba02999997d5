"""What a table with cards looks like: poker hands with their bets, and Hanabi's hands and fireworks."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_openspiel.card_games.fireworks import COLOURS
from arena_game_openspiel.card_games.hand_names import all_cards, hand_name, rank_of, suit_of, won
from arena_game_openspiel.scenes import called, over

HUES: Final = {letter: f"hue-{colour}" for letter, colour in COLOURS.items()}
"""The role of a Hanabi card by the letter of its colour."""


def poker_hand(view: Any, words: str, title: str) -> Drawing:
    """The others' cards, the board with the pot, one's own cards with the hand's name, and the bets."""
    hands = {seat: _hand_of(view, number, seat) for number, seat in enumerate(view["cards"])}
    others = [hand for seat, hand in hands.items() if seat != view["you"]]
    own = [hand for seat, hand in hands.items() if seat == view["you"]]
    pot = arena_scene.Meter(id="pot", label="pot", value=view["pot"], unit="chips")
    chips = arena_scene.Meters(id="chips", meters=[pot], note=won(view))
    parts = [arena_scene.Sides(parts=others), *_board(view), chips, *own]
    bets = list(_bets(view))
    rounds = [arena_scene.TableColumn(title="round")] if "round" in view else []
    columns = [*rounds, *(arena_scene.TableColumn(title=seat) for seat in view["paid"])]
    told = [arena_scene.SceneTable(id="bets", caption="bets", columns=columns, rows=bets)] if bets else []
    return Drawing(*arena_scene.Scene(title, words, *parts, *told).drawn())


def _hand_of(view: Any, number: int, seat: str) -> "arena_scene.Cards":
    """The cards of a player, with its chips and the name of the hand where the cards are seen."""
    cards = all_cards(view, seat)
    left = view.get("left") or {}
    notes = [
        "folded" if seat in view["folded"] else "",
        hand_name(cards) if len(cards) > 1 else "",
        f"{left[seat]:,} chips left" if left else "",
        f"{view['paid'][seat]:,} paid",
    ]
    return arena_scene.Cards(
        id=f"hand-{number}",
        title=called(seat, view),
        owner=number,
        note=" · ".join(filter(None, notes)),
        cards=_hand(f"card-{number}", view["cards"][seat], view.get("hand_size", 1), f"of {seat}"),
    )


def _board(view: Any) -> "list[arena_scene.Cards]":
    """The open cards, with a place for each that is still to come; nothing where a game has none."""
    if "public_card" not in view:
        return []
    many = 5 if view.get("hand_size", 1) > 1 else 1
    dealt = (view["public_card"] or "").split()
    cards = [held(f"public-card-{at}", card, f"card {at + 1} on the board") for at, card in enumerate(dealt)]
    cards += [
        arena_scene.SceneCard(id=f"public-card-{at}", label=f"card {at + 1} on the board, which is not dealt yet")
        for at in range(len(dealt), many)
    ]
    return [arena_scene.Cards(id="public", title="on the board", cards=cards)]


def _hand(name: str, cards: str | None, size: int, whose: str) -> "list[arena_scene.SceneCard]":
    """The cards that stand beside each other; ``size`` of them where they are hidden."""
    each = [None] * size if cards is None else cards.split()
    if len(each) == 1:
        return [held(name, each[0], f"the card {whose}")]
    return [held(f"{name}-{at}", card, f"card {at + 1} {whose}") for at, card in enumerate(each)]


def held(name: str, rank: str | None, what: str) -> "arena_scene.SceneCard":
    """A card with its rank and suit, or face down where it is not known; ``what`` says which card it is."""
    if rank is None:
        return arena_scene.SceneCard(id=name, face="down", label=f"{what}, which you do not see")
    suit = suit_of(rank)
    told = f"{rank_of(rank)} of {suit}" if suit else rank
    return arena_scene.SceneCard(id=name, rank=rank_of(rank), suit=suit, label=f"{what}: {told}")


def _bets(view: Any) -> "Iterator[arena_scene.TableRow]":
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
                yield arena_scene.TableRow(cells=[*first, *cells])


def gin_table(view: Any, words: str) -> Drawing:
    """Both hands, hidden cards face down, the upcard and the stock, discards, and the melds that were laid."""
    parts: list[Any] = []
    for number, (seat, cards) in enumerate(view["hands"].items()):
        known = view["known"][seat] if cards is None else cards
        hidden = [
            arena_scene.SceneCard(id=f"hidden-{number}-{at}", face="down", label=f"a card of {seat}, which is hidden")
            for at in range(view["sizes"][seat] - len(known))
        ]
        parts.append(
            arena_scene.Cards(
                id=f"hand-{number}",
                title=called(seat, view),
                owner=number,
                note="" if cards is None else f"deadwood {view['deadwood'][seat]}",
                cards=[*(held(f"card-{card}", card, f"a card of {seat}") for card in known), *hidden],
            )
        )
    stock = arena_scene.SceneCard(id="stock", face="down", count=view["stock"], label=f"stock of {view['stock']} cards")
    up = [held(f"card-{view['upcard']}", view["upcard"], "the upcard")] if view["upcard"] else []
    parts.append(arena_scene.Cards(id="piles", title="upcard and stock", note=over(view), cards=[*up, stock]))
    parts += [
        arena_scene.Cards(
            id=f"meld-{number}-{at}",
            title=f"meld of {seat}",
            owner=number,
            cards=[held(f"card-{card}", card, f"a card in a meld of {seat}") for card in meld],
        )
        for number, (seat, melds) in enumerate(view["melds"].items())
        for at, meld in enumerate(melds)
    ]
    if view["laid_off"]:
        laid = [held(f"card-{card}", card, "a card that was laid off") for card in view["laid_off"]]
        parts.append(arena_scene.Cards(id="laid-off", title="laid off", cards=laid))
    if view["discards"]:
        told = f"discards, the last one last: {' '.join(view['discards'])}"
        parts.append(arena_scene.SceneText(id="discards", text=told, kind="note"))
    return Drawing(*arena_scene.Scene("Gin rummy", words, *parts).drawn())


def hanabi_table(view: Any, words: str, hints: int, lives: int) -> Drawing:
    """All hands with what their holders know, fireworks, tokens, and what was discarded."""
    hands = [
        arena_scene.Cards(
            id=hand_id(number),
            title=called(seat, view),
            owner=number,
            cards=[_hanabi_card(number, seat, card) for card in hand],
        )
        for number, (seat, hand) in enumerate(view["hands"].items())
    ]
    letters = {colour: letter for letter, colour in COLOURS.items()}
    fireworks = [
        arena_scene.SceneCard(
            id=f"firework-{colour}",
            text=f"{letters[colour]}{height}" if height else f"{letters[colour]}-",
            role=f"hue-{colour}",
            label=f"the {colour} firework: {height or 'nothing yet'}",
        )
        for colour, height in view["fireworks"].items()
    ]
    tokens = [
        arena_scene.Meter(id="hints", label="hint tokens", value=view["hint_tokens"], least=0, greatest=hints),
        arena_scene.Meter(id="lives", label="lives", value=view["lives"], least=0, greatest=lives),
        arena_scene.Meter(id="deck", label="deck", value=view["deck"], unit="cards"),
    ]
    parts = [
        arena_scene.Cards(id="fireworks", title="fireworks", layout="columns", cards=fireworks, note=over(view)),
        arena_scene.Meters(id="tokens", meters=tokens),
        arena_scene.Sides(parts=hands),
    ]
    return Drawing(*arena_scene.Scene("Hanabi", words, *parts, *_discards(view["discards"])).drawn())


def hand_id(number: int) -> str:
    """The id of a player's hand."""
    return f"hand-{number}"


def card_id(number: int, position: str) -> str:
    """The id of a card by its holder and its letter."""
    return f"card-{number}-{position}"


def _hanabi_card(number: int, seat: str, card: Any) -> "arena_scene.SceneCard":
    """A card with its letter and, below, the colours and ranks that it may have by all hints."""
    colours = "".join(letter for letter, colour in COLOURS.items() if colour in card["may_be"]["colours"])
    ranks = "".join(map(str, card["may_be"]["ranks"]))
    name, notes = card_id(number, card["position"]), [card["position"], colours, ranks]
    what = f"card {card['position']} of {seat}"
    known = f"its holder knows: {', '.join(card['may_be']['colours'])}; {', '.join(ranks)}"
    if card["card"] is None:
        return arena_scene.SceneCard(id=name, face="down", notes=notes, label=f"{what}, which you do not see; {known}")
    colour, rank = COLOURS[card["card"][0]], card["card"][1]
    return arena_scene.SceneCard(
        id=name, text=card["card"], role=f"hue-{colour}", notes=notes, label=f"{what}: {colour} {rank}; {known}"
    )


def _discards(cards: Sequence[str]) -> "list[arena_scene.SceneTable]":
    if not cards:
        return []
    rows = [
        arena_scene.TableRow(
            cells=[colour, " ".join(sorted(card[1] for card in cards if card[0] == letter))], role=HUES[letter]
        )
        for letter, colour in COLOURS.items()
        if any(card[0] == letter for card in cards)
    ]
    columns = [arena_scene.TableColumn(title="colour"), arena_scene.TableColumn(title="discarded")]
    return [arena_scene.SceneTable(id="discards", columns=columns, rows=rows)]
