"""What the small poker games share: card names, the view of a table, and its events in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.record import EVERYONE, GameEvent, Player

from arena_game_openspiel.boards import status_line

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def ranks(number: int) -> tuple[str, ...]:
    """The highest ``number`` ranks, lowest first; the king is the highest."""
    return RANKS[-number:]


def seats(players: int) -> tuple[str, ...]:
    """The players by their numbers, counted from 1."""
    return tuple(f"player {p + 1}" for p in range(players))


def chips(number: int) -> str:
    """An amount in words."""
    return "1 chip" if number == 1 else f"{number} chips"


def dealt(player: Player, card: str) -> GameEvent:
    """A card that only its holder sees."""
    return GameEvent("dealt", {"player": player, "card": card}, (player,))


def settled(cards: Mapping[Player, str], returns: Sequence[float]) -> list[GameEvent]:
    """The end of a hand: the cards of those who are still in, where several are, and what everybody earned."""
    shown = [GameEvent("showed", {"player": p, "card": card}, EVERYONE) for p, card in cards.items()]
    paid = GameEvent("paid", {"returns": [value + 0.0 for value in returns]}, EVERYONE)
    return [*(shown if len(cards) > 1 else ()), paid]


def tell(name_of: Any, event: GameEvent, player: Player | None) -> str | None:
    """A poker event in words; ``None`` for events of other kinds."""
    data: Any = event.data
    if event.kind == "dealt":
        who = "You are" if data["player"] == player else f"{name_of(data['player'])} is"
        return f"{who} dealt {data['card']}"
    if event.kind == "showed":
        return f"{name_of(data['player'])} shows {data['card']}"
    if event.kind == "paid":
        return "; ".join(f"{name_of(p)} {_gain(value)}" for p, value in enumerate(data["returns"]))
    return None


def text(view: Any) -> str:
    """A poker table in words."""
    lines = [f"{seat} holds {card}." for seat, card in view["cards"].items() if card and seat != view["you"]]
    if view["you"]:
        lines.insert(0, f"You hold {view['cards'][view['you']]}.")
    if "public_card" in view:
        lines.append(f"The public card is {view['public_card'] or 'not dealt yet'}. This is round {view['round']}.")
    paid = ", ".join(f"{seat} paid {amount}" for seat, amount in view["paid"].items())
    lines.append(f"The pot holds {chips(view['pot'])} ({paid}).")
    lines += [f"Betting in round {r}: {_bets(bets)}." for r, bets in enumerate(view["betting"], start=1)]
    if view["folded"]:
        lines.append(f"Out: {', '.join(view['folded'])}.")
    return "\n".join([*lines, status_line(view)])


def _bets(bets: Sequence[Sequence[str]]) -> str:
    return ", ".join(f"{seat}: {words}" for seat, words in bets) or "nothing yet"


def _gain(value: float) -> str:
    return f"wins {value:g}" if value > 0 else f"loses {-value:g}" if value < 0 else "breaks even"
