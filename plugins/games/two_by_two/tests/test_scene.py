"""What questions on 2×2 games look like: tables drawn as tables, and what was chosen."""

from arena.chance import Chance
from arena_game_two_by_two.play import TwoByTwoPlay
from arena_game_two_by_two.scene import told_scene
from arena_scene import scene_faults


def test_lines_between_bars_are_a_table():
    """A text is cut where tables begin and end; the words beside the drawing are the whole of it."""
    words = "Payoffs:\n\n| A \\ B | B1 | B2 |\n|---|---|---|\n| A1 | 1 \\ 4 | 3 \\ 3 |\n\nWhich one?"

    drawing = told_scene("A question", words, ["(A1, B2)"])

    assert scene_faults(drawing.data) == ()
    first, table, last, answers = drawing.data["parts"]
    assert (first["text"], last["text"]) == ("Payoffs:", "Which one?")
    assert table["rows"] == [{"cells": ["A1", "1 \\ 4", "3 \\ 3"]}]
    assert answers["rows"] == [{"cells": [1, "(A1, B2)"]}]
    assert drawing.alt == words


def test_uneven_tables_are_evened():
    """Cells that are missing are empty, and those beyond the heads are left out."""
    drawing = told_scene("Odd", "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |")

    assert scene_faults(drawing.data) == ()
    assert drawing.data["parts"][0]["rows"] == [{"cells": ["1", ""]}, {"cells": ["1", "2"]}]


def test_what_was_chosen_is_marked():
    """The payoffs of a game that is played are in its scene, and the chosen cell stands out."""
    game = TwoByTwoPlay()
    state, _ = game.start(Chance(1), 2)
    state.apply({player: state.decision(player).options[0].action for player in state.to_act()})

    data = game.forms["scene"](state.observe(0)).data

    cells = [cell for row in data["parts"][0]["rows"] for cell in row["cells"][1:]]
    assert [cell["id"] for cell in cells if cell.get("role") == "accent"] == ["payoff-0-0"]
    assert data["parts"][1]["meters"][0]["label"] == "A earned"
