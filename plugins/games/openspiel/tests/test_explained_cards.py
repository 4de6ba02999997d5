"""Blackjack and gin rummy by rules of our own, beside the engine: what is seen, what may be done, what is earned."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena_game_openspiel.card_games.blackjack import Blackjack
from arena_game_openspiel.card_games.gin_rummy import GinRummy

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
Hand = frozenset[str]


def points(card: str) -> int:
    """What a card counts, an ace 1."""
    return min(RANKS.index(card[:-1]) + 1, 10)


def total(cards: list[str]) -> int:
    """The highest total that is not above 21; at most one ace can count 11."""
    low = sum(map(points, cards))
    return low + 10 if any(card[0] == "A" for card in cards) and low <= 11 else low


def check_blackjack(seed: int) -> None:
    rng = Random(seed)
    state, events = Blackjack().start(Chance(seed), 1)
    own, dealers, hits = list[str](), list[str](), 0
    while True:
        for event in events:
            assert event.to is None
            if event.kind == "dealt":
                (own if event.data["player"] == 0 else dealers).append(event.data["card"])
        is_over = not state.to_act()
        view: Any = state.observe(0)
        assert view == {**state.observe_public(), "you": "player 1"}
        assert (view["cards"], view["total"]) == (own, total(own))
        if is_over:
            break
        assert (view["dealer"], view["dealer_total"]) == ([None, *dealers], None)
        options = {option.label: option.action for option in state.decision(0).options}
        assert set(options) == {"hit", "stand"}
        assert total(own) <= 21
        word = "hit" if rng.random() < (0.9 if total(own) < 15 else 0.2) else "stand"
        hits += word == "hit"
        events = state.apply({0: options[word]})
    hidden = events[-1].data["card"]
    assert len({hidden, *own, *dealers}) == len(own) + len(dealers) + 1
    assert view["dealer"] == [hidden, *dealers]
    dealers.insert(0, hidden)
    assert view["dealer_total"] == total(dealers)
    if total(own) > 21:
        assert len(dealers) == 2
        assert state.returns() == [-1.0]
        return
    assert total(dealers) >= 17
    assert len(dealers) == 2 or total(dealers[:-1]) <= 16
    won, lost = total(dealers) > 21 or total(own) > total(dealers), total(own) < total(dealers) <= 21
    assert state.returns() == [float(won) - float(lost)]


SETS = {frozenset(f"{rank}{suit}" for suit in own) for rank in RANKS for n in (3, 4) for own in combinations("cdhs", n)}
RUNS = {
    frozenset(f"{rank}{suit}" for rank in RANKS[at : at + n])
    for suit in "cdhs"
    for n in (3, 4, 5)
    for at in range(len(RANKS) - n + 1)
}
MELDS = (*SETS, *RUNS)


@lru_cache(maxsize=1 << 16)
def melds(cards: Hand) -> frozenset[Hand]:
    """All melds among these cards."""
    return frozenset(meld for meld in MELDS if meld <= cards)


def value(cards: Iterable[str]) -> int:
    """What cards count outside melds."""
    return sum(map(points, cards))


@lru_cache(maxsize=1 << 16)
def deadwood(cards: Hand) -> int:
    """What is left with the best melds."""
    return min([value(cards), *(deadwood(cards - meld) for meld in melds(cards))])


def after_discard(cards: Hand) -> set[int]:
    """What is left of eleven cards with the melds that count most and without the highest other card.

    Several melds may count the same, and then there may be several answers.
    """
    rests = {cards - frozenset[str]().union(*group) for group in groups(cards)}
    least = min(map(value, rests))
    return {least - max(map(points, rest), default=0) for rest in rests if value(rest) == least}


@lru_cache(maxsize=1 << 12)
def groups(cards: Hand) -> frozenset[frozenset[Hand]]:
    """All ways to lay melds without a common card."""
    found = {frozenset[Hand]()}
    for meld in melds(cards):
        found |= {group | {meld} for group in groups(cards - meld)}
    return frozenset(found)


def fitting(laid: list[Hand], off: list[str]) -> set[str]:
    """The cards that can be laid off on these melds and on what was laid off before."""
    found = set[str]()
    for meld in laid:
        ranks, suits = {card[:-1] for card in meld}, {card[-1] for card in meld}
        if len(ranks) == 1:
            found |= {f"{rank}{suit}" for rank in ranks for suit in "cdhs"} - meld
            continue
        (suit,) = suits
        places = [RANKS.index(rank) for rank in ranks]
        for near, far in ((min(places) - 1, min(places) - 2), (max(places) + 1, max(places) + 2)):
            if 0 <= near < len(RANKS):
                found.add(f"{RANKS[near]}{suit}")
                if f"{RANKS[near]}{suit}" in off and 0 <= far < len(RANKS):
                    found.add(f"{RANKS[far]}{suit}")
    return found - set(off)


class Table:
    """A hand of gin rummy by the rules, with what has happened so far."""

    def __init__(self, knock: int) -> None:
        self.limit = knock
        self.hands: list[Hand] = [frozenset(), frozenset()]
        self.known: list[set[str]] = [set(), set()]
        self.laid: list[list[Hand]] = [[], []]
        self.off: list[str] = []
        self.pile: list[str] = []
        self.upcard, self.taken = "", ""
        self.turn, self.phase, self.passes, self.draws, self.repeats = 0, "first", 0, 0, 0
        self.stock, self.knocker, self.is_over = 52, -1, False

    def options(self) -> set[str]:
        """All that may be done."""
        hand = self.hands[self.turn]
        up, stock = f"draw the upcard {self.upcard}", "draw from the stock"
        if self.phase == "first":
            return {up, "pass"} if self.passes < 2 else {stock}
        if self.phase == "draw":
            return {up, stock}
        if self.phase == "discard":
            return {f"discard {card}" for card in hand} | ({"knock"} if self.may_knock(hand) else set())
        if self.phase == "wall":
            return {"pass"} | ({"knock"} if self.may_knock(hand | {self.upcard}) else set())
        if self.phase == "knocking":
            return {f"discard {card}" for card in hand if deadwood(hand - {card}) <= self.limit}
        if self.phase == "laying":
            found = {meld for meld in melds(hand) if deadwood(hand - meld) <= self.limit}
            return set(map(laying, found)) | ({"finish laying melds"} if value(hand) <= self.limit else set())
        if self.phase == "laying off":
            fits = fitting(self.laid[self.knocker], self.off) & hand
            return {"finish laying off"} | {f"lay off {card}" for card in fits}
        return {"finish laying melds"} | set(map(laying, melds(hand)))

    def may_knock(self, hand: Hand) -> bool:
        """Whether eleven cards are good enough; where melds that count the same disagree, the engine has its choice."""
        return min(after_discard(hand)) <= self.limit

    def is_unclear(self) -> bool:
        """Whether melds that count the same disagree on knocking."""
        hand = self.hands[self.turn] | ({self.upcard} if self.phase == "wall" else set())
        rests = after_discard(hand) if self.phase in ("discard", "wall") else {0}
        return min(rests) <= self.limit < max(rests)

    def play(self, label: str, drawn: str) -> None:
        """One action, with the card that was drawn from the stock."""
        me, hand, card = self.turn, self.hands[self.turn], label.split()[-1]
        if label.startswith("draw the upcard"):
            self.draws += self.phase == "draw"
            if self.draws == 50:
                self.is_over = True
                return
            self.hands[me], self.phase, self.taken, self.upcard = hand | {card}, "discard", card, ""
            self.known[me].add(card)
        elif label == "draw from the stock":
            self.pile += [self.upcard]
            self.hands[me], self.phase, self.taken, self.upcard = hand | {drawn}, "discard", "", ""
            self.stock -= 1
        elif label == "pass" and self.phase == "first":
            self.passes, self.turn = self.passes + 1, 1 - me
        elif label == "pass":
            self.is_over = True
        elif label == "knock":
            self.knocker = me
            if self.phase == "wall":
                self.hands[me] = hand | {self.upcard}
                self.known[me].add(self.upcard)
                self.upcard = ""
            self.phase = "knocking"
        elif label.startswith("discard"):
            self.hands[me] = hand - {card}
            self.known[me].discard(card)
            if self.phase == "knocking":
                self.pile.append(card)
                self.phase = "laying"
                return
            self.repeats = self.repeats + 1 if card == self.taken else 0
            self.upcard, self.turn = card, 1 - me
            self.is_over = self.repeats == 2
            self.phase = "wall" if self.stock == 2 else "draw"
        elif label.startswith("lay meld"):
            meld = frozenset(label.split()[2:])
            self.laid[me].append(meld)
            self.hands[me] = hand - meld
            self.known[me] -= meld
        elif label.startswith("lay off"):
            self.off.append(card)
            self.hands[me] = hand - {card}
            self.known[me].discard(card)
        elif self.phase == "laying":
            self.turn, self.phase = 1 - me, "laying off" if value(hand) else "laying too"
        elif self.phase == "laying off":
            self.phase = "laying too"
        else:
            self.is_over = True

    def wood(self, player: int) -> set[int]:
        """What a player may be told of their deadwood."""
        hand = self.hands[player]
        if self.knocker >= 0:
            return {value(hand)}
        return {deadwood(hand)} if len(hand) <= 10 else after_discard(hand)


def laying(meld: Hand) -> str:
    return f"lay meld {' '.join(ordered(meld))}"


def ordered(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=lambda card: ("scdh".index(card[-1]), RANKS.index(card[:-1])))


def choice(rng: Random, table: Table, options: set[str]) -> str:
    """Mostly what a player would do who wants to knock, so that matches come to all of their ends."""
    hand = table.hands[table.turn]
    if rng.random() < 0.1:
        return rng.choice(sorted(options))
    if "knock" in options:
        return "knock" if rng.random() < 0.4 else rng.choice(sorted(options))
    if table.phase == "draw":
        is_useful = any(table.upcard in meld for meld in melds(hand | {table.upcard}))
        return f"draw the upcard {table.upcard}" if is_useful else "draw from the stock"
    if table.phase == "discard":
        return min(sorted(options), key=lambda option: deadwood(hand - {option.split()[-1]}))
    if len(options) > 1 and table.phase.startswith("laying"):
        return rng.choice(sorted(option for option in options if not option.startswith("finish")))
    return rng.choice(sorted(options))


def check_gin_rummy(seed: int) -> None:
    game = GinRummy(knock=(10, 10, 5, 0)[seed % 4], gin_bonus=20 + seed % 3, undercut_bonus=10 + seed % 5)
    rng, table = Random(seed), Table(game.knock)
    state, events = game.start(Chance(seed), 2)
    for event in events:
        if event.kind == "dealt":
            (player,) = event.to or ()
            table.hands[player] |= {event.data["card"]}
        else:
            table.upcard = event.data["card"]
    table.stock = 31
    while True:
        for player in (0, 1, None):
            view: Any = state.observe(player) if player is not None else state.observe_public()
            shown = {0, 1} if table.is_over and table.knocker >= 0 else {player}
            for p, seat in enumerate(("player 1", "player 2")):
                assert view["hands"][seat] == (ordered(table.hands[p]) if p in shown else None)
                assert view["deadwood"][seat] in (table.wood(p) if p in shown else {None})
                assert view["sizes"][seat] == len(table.hands[p])
                assert view["known"][seat] == ordered(table.known[p])
                assert view["melds"][seat] == [ordered(meld) for meld in table.laid[p]]
            assert (view["upcard"] or "", view["stock"]) == (table.upcard, table.stock)
            assert (view["discards"], view["laid_off"]) == (table.pile, table.off)
            assert view["knocked"] == (f"player {table.knocker + 1}" if table.knocker >= 0 else None)
        if table.is_over:
            break
        assert [*state.to_act()] == [table.turn]
        options = {option.label: option.action for option in state.decision(table.turn).options}
        assert set(options) | ({"knock"} if table.is_unclear() else set()) == table.options()
        label, me = choice(rng, table, set(options)), table.turn
        events = state.apply({me: options[label]})
        drawn = [event.data["card"] for event in events if event.kind == "dealt" and event.to == (me,)]
        assert len(drawn) == (label == "draw from the stock")
        table.play(label, drawn[0] if drawn else "")
    assert state.to_act() == ()
    earned = 0
    if table.knocker >= 0:
        mine, other = value(table.hands[table.knocker]), value(table.hands[1 - table.knocker])
        earned = other - mine + (game.gin_bonus if mine == 0 else 0)
        earned -= game.undercut_bonus if earned < 0 else 0
    assert state.returns() == (
        [float(earned), -float(earned)] if table.knocker <= 0 else [-float(earned), float(earned)]
    )
    assert events[-1].data["returns"] == state.returns()


CHECKS = [check_blackjack, check_gin_rummy]


@pytest.mark.parametrize("check", CHECKS)
def test_cards_are_played_by_the_rules_that_they_state(check):
    """Cards, options, totals, deadwood and points are those of the rules, in some random matches."""
    for seed in range(3):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.sample(slow=1)
def test_cards_are_played_by_the_rules_that_they_state_in_300_matches(check):
    """The same in 300 matches each, in which players knock, lay off, have gin and are undercut; a minute."""
    for seed in range(300):
        check(seed)


def test_the_fiftieth_draw_of_an_upcard_ends_a_match_of_gin_rummy():
    """Two players who always take the upcard and discard another card draw fifty times after the first turn."""
    state, _ = GinRummy(knock=0).start(Chance(0), 2)
    draws, last = 0, ""
    while acting := state.to_act():
        (player,) = acting
        options = {option.label: option.action for option in state.decision(player).options}
        taken = next((label for label in options if label.startswith("draw the upcard")), None)
        others = [label for label in options if label != "knock" and not label.endswith(f" {last}")]
        label = taken or others[0]
        last = label.split()[-1]
        draws += taken is not None
        state.apply({player: options[label]})
    assert draws == 51
    assert state.returns() == [0.0, 0.0]


def test_blackjack_cannot_be_lost_by_standing_on_twenty_one():
    """With an ace and a ten there is still something to choose, and equal totals are a draw."""
    state, _ = Blackjack().start(Chance(0, {0: 0, 1: 9, 2: 13, 3: 22}), 1)
    assert [option.label for option in state.decision(0).options] == ["hit", "stand"]

    state.apply({0: 1})

    assert (state.observe(0)["total"], state.observe(0)["dealer_total"], state.returns()) == (21, 21, [0.0])
