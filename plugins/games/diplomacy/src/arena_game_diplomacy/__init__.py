"""Diplomacy: the map, the rules with every ruling, legal orders, and an exact, fast adjudicator."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

if TYPE_CHECKING:
    from arena_game_diplomacy.pictures.drawing import draw, draw_png
    from arena_game_diplomacy.rules.adjudication import adjudicate
    from arena_game_diplomacy.rules.board import POWERS, STANDARD, BoardMap, Province
    from arena_game_diplomacy.rules.legal import legal_orders
    from arena_game_diplomacy.rules.notation import Order, OrderError
    from arena_game_diplomacy.rules.position import Position, PositionError
    from arena_game_diplomacy.rules.reading import read_order
    from arena_game_diplomacy.rules.results import OrderResult, Result

__all__ = [
    "DIPLOMACY",
    "DIPLOMACY_COMMAND",
    "DIPLOMACY_FACTS",
    "POWERS",
    "STANDARD",
    "BoardMap",
    "Order",
    "OrderError",
    "OrderResult",
    "Position",
    "PositionError",
    "Province",
    "Result",
    "adjudicate",
    "draw",
    "draw_png",
    "legal_orders",
    "read_order",
]

LICENCE = "Apache-2.0"

DIPLOMACY = Plugin(
    factory="arena_game_diplomacy.game:Diplomacy",
    summary="Diplomacy: one to seven players negotiate, and order armies and fleets at the same time.",
    example={"hands": [["FRANCE", "ITALY"], ["ENGLAND"]], "negotiation-rounds": 1, "last-year": 1905},
    licence=LICENCE,
)

DIPLOMACY_COMMAND = Plugin(
    factory="arena_game_diplomacy.commands.group:diplomacy",
    summary="Adjudicate orders of Diplomacy, list the legal orders of positions, and draw them.",
    requirements=(Requirement("arena_cli", package=full_name("game-diplomacy[commands]")),),
    licence=LICENCE,
)
DIPLOMACY_FACTS = Plugin(
    factory="arena_game_diplomacy.facts.question_game:DiplomacyFacts",
    summary="Say what a power has, borders on and can attack in one position of Diplomacy.",
    example={"field": "attack_analysis", "power": "FRANCE", "years": 3, "borders": False},
    licence=LICENCE,
)

_MODULES = {
    "POWERS": "rules.board",
    "STANDARD": "rules.board",
    "BoardMap": "rules.board",
    "Order": "rules.notation",
    "OrderError": "rules.notation",
    "OrderResult": "rules.results",
    "Position": "rules.position",
    "PositionError": "rules.position",
    "Province": "rules.board",
    "Result": "rules.results",
    "adjudicate": "rules.adjudication",
    "draw": "pictures.drawing",
    "draw_png": "pictures.drawing",
    "legal_orders": "rules.legal",
    "read_order": "rules.reading",
}


def __getattr__(name: str) -> Any:
    """What stands in a module of its own is loaded when somebody asks for it and not to list plugins."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"arena_game_diplomacy.{_MODULES[name]}"), name)
