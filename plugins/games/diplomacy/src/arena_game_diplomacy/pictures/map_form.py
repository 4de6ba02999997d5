"""The form ``map`` of an observation: the board as an image."""

import json
from functools import lru_cache
from typing import Any

from arena.game import Image
from arena.record import canonical_json

from arena_game_diplomacy.pictures.drawing import described, draw, draw_png
from arena_game_diplomacy.pictures.legend import phase_name
from arena_game_diplomacy.rules.position import Position
from arena_game_diplomacy.rules.results import OrderResult, Result

_SHOWN = ("phase", "units", "centres", "dislodged", "influence", "results")


def map_form(view: Any) -> Image:
    """The board with the last orders: an SVG for the spectator, a PNG for a player, who may be a model.

    ``view`` is an observation of the game ``diplomacy``; one with ``powers`` of its own is a player's. Its ``results``
    are those of the last movement phase and of the phases since.
    """
    return _image(canonical_json({name: view.get(name) for name in _SHOWN}), bool(view.get("powers")))


@lru_cache(maxsize=8)
def _image(shown: str, is_player: bool) -> Image:
    """The image of what is shown, drawn once for all players of a step, who see the same board."""
    view = json.loads(shown)
    position = Position(
        phase=view["phase"], units=view["units"], centres=view["centres"], dislodged=view["dislodged"] or {}
    )
    results = [_result(result, position) for result in view["results"]]
    words = described(position, [phase_name(result.phase) for result in results])
    if is_player:
        return Image("image/png", draw_png(position, results, view["influence"]), words)
    return Image("image/svg+xml", draw(position, results, view["influence"]).encode(), words)


def _result(told: Any, position: Position) -> Result:
    """What became of the orders of a phase, as far as it is drawn."""
    orders = {
        power: tuple(OrderResult(each["order"], each["result"], each["dislodged"]) for each in results)
        for power, results in told["orders"].items()
    }
    return Result(told["phase"], orders, position.units, told["dislodged"], (), {}, None, None)
