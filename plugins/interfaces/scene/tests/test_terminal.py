"""What a terminal shows of a scene."""

import re

import pytest
from arena_scene import (
    Cards,
    Cell,
    Graph,
    GraphEdge,
    GraphNode,
    Grid,
    Messages,
    Meter,
    Meters,
    Piece,
    Pieces,
    Region,
    SceneCard,
    SceneMessage,
    SceneTable,
    SceneText,
    Sides,
    Stroke,
    TableCell,
    TableColumn,
    TableRow,
    is_drawable,
    lines,
)
from arena_scene.spans import width_of

from .drawings import ALTERNATIVE, drawing, four, piece, shown

FEW = four(piece(5, 3))
MORE = four(piece(5, 3), piece(4, 3, 1))


def test_upright_board_is_open_above_and_says_where_the_last_disc_fell():
    """Connect four as people know it: columns by letter, rows from below, an arrow under the last column."""
    assert (
        shown(MORE, before=FEW, players=("X", "O"))
        == """
  A   B   C   D   E   F   G
│   │   │   │   │   │   │   │ 6
│   │   │   │   │   │   │   │ 5
│   │   │   │   │   │   │   │ 4
│   │   │   │   │   │   │   │ 3
│   │   │   │ ○ │   │   │   │ 2
│   │   │   │ ● │   │   │   │ 1
└───┴───┴───┴───┴───┴───┴───┘
              ▲
● X   ○ O"""
    )


def test_ascii_has_the_same_columns():
    """Without box drawing every line is as wide, and pieces of two players still differ."""
    plain, drawn = (shown(MORE, before=FEW, is_unicode=u).splitlines() for u in (False, True))

    assert all(line.isascii() for line in plain)
    assert [len(line) for line in plain] == [len(line) for line in drawn]
    assert plain[6:9] == [
        "|   |   |   | O |   |   |   | 2",
        "|   |   |   | X |   |   |   | 1",
        "+---+---+---+---+---+---+---+",
    ]


def test_own_discs_are_not_marked_as_last():
    """A player sees what the others have played, not what it has played itself."""
    both = four(piece(5, 3), piece(4, 3, 1), piece(5, 0))

    assert shown(both, before=FEW, own=0).splitlines()[-1].split("▲")[0] == " " * 14
    assert shown(both, before=FEW, own=0).count("▲") == 1
    assert shown(both, before=FEW).count("▲") == 2


def test_chosen_column_is_marked_without_colour():
    """The column that a person looks at has its letter between arrows."""
    assert shown(FEW, chosen=["board/column:2"]).splitlines()[1] == "  A   B  >C<  D   E   F   G"


def test_small_board_has_all_its_lines():
    """Up to four rows have lines between them; a winning line and a chosen cell stand out."""
    board = Grid(
        id="board",
        size=(2, 3),
        row_labels="12",
        column_labels="123",
        pieces=[piece(0, 0, shape="cross"), piece(1, 1, 1, "ring")],
        lines=[Stroke(id="win", from_=(0, 0), to=(1, 1), role="accent")],
    )

    assert (
        shown(drawing(board), chosen=["board:0,2"])
        == """
    1   2   3
  ┌───┬───┬───┐
1 │*X*│   │> <│
  ├───┼───┼───┤
2 │   │*O*│   │
  └───┴───┴───┘"""
    )


def test_chess_shows_where_a_man_came_from_and_went():
    """A move marks two squares; men are letters, of the game's own where it gives them."""
    old, new = (
        drawing(
            Grid(
                id="board",
                size=(3, 2),
                checkered=True,
                row_labels="321",
                column_labels="ab",
                pieces=[piece(row, 0, 1, "pawn", text="P"), piece(0, 1, 0, "king", text="k")],
                cells=[Cell(at=(0, 1), mark="check")],
            )
        )
        for row in (2, 1)
    )

    assert (
        shown(new, before=old)
        == """
    a   b
  ┌───┬───┐
3 │   │!k!│
  ├───┼───┤
2 │[P]│   │
  ├───┼───┤
1 │[ ]│ · │
  └───┴───┘"""
    )


def test_hex_board_leans_to_the_right():
    """Each row of a hex board lies half a cell further to the right."""
    board = Grid(id="b", size=(3, 3), shape="hex", row_labels="123", column_labels="abc", pieces=[piece(1, 2, 1)])

    assert (
        shown(drawing(board))
        == """
   a b c
1  · · ·
 2  · · ○
  3  · · ·"""
    )


def test_crossings_are_drawn_close():
    """Stones stand on crossings, one character each; the last one is in brackets."""
    old, new = (
        drawing(Grid(id="b", size=(2, 3), shape="points", row_labels="21", column_labels="ABC", pieces=stones))
        for stones in ([piece(0, 0)], [piece(0, 0), piece(0, 1, 1)])
    )

    assert shown(new, before=old) == "\n   A B C\n2  ●[○]·\n1  · · ·"


def test_walls_stand_between_their_cells():
    """A grid with walls has lines only there and at its edges; regions have letters, which are explained."""
    board = Grid(
        id="b",
        size=(2, 3),
        walls=[((0, 0), (0, 1)), ((0, 2), (1, 2))],
        cells=[Cell(at=(0, 1), role="water", label="water")],
        regions=[Region(id="goal", cells=[(1, 0)], role="good", label="the goal")],
        pieces=[Piece(at=(1, 1), role="neutral", shape="robot", label="the robot")],
    )

    assert (
        shown(drawing(board))
        == """
┌───┬───────┐
│   │ ~     │
│   ╵   ╶───┤
│ a   &     │
└───────────┘
a  the goal"""
    )


def test_big_board_takes_one_character_a_cell():
    """A board that would not fit loses the lines between its cells before it loses anything else."""
    board = Grid(id="b", size=(15, 15), pieces=[piece(7, 7)])

    assert len(shown(drawing(board), width=31).splitlines()[8]) == 30
    assert "●" in shown(drawing(board), width=31)
    assert is_drawable(drawing(board), 31)


def test_board_that_is_too_wide_is_told_in_words():
    """In 30 columns the label of the board stands for it, or the words for the whole position."""
    wide = Grid(id="b", size=(15, 15), pieces=[piece(7, 7)])
    labelled = Grid(id="b", label="one disc in the middle of an otherwise empty board", size=(15, 15))

    assert shown(drawing(wide), width=20) == "\nthe whole position\nin words"
    assert shown(drawing(labelled), width=20) == "\none disc in the\nmiddle of an\notherwise empty\nboard"
    assert not is_drawable(drawing(wide), 20)


def test_cards_lie_beside_each_other_with_their_notes():
    """An open card shows its face, a hidden one a question mark, and below them stands what is known."""
    hand = Cards(
        id="hand",
        title="player 1",
        owner=0,
        note="you",
        cards=[
            SceneCard(id="a", label="king of hearts", rank="K", suit="hearts"),
            SceneCard(id="b", label="hidden", face="down", notes=["red or blue", "1"]),
            SceneCard(id="c", label="three fives", text="5", count=3),
        ],
    )

    assert (
        shown(drawing(hand))
        == """
player 1  you
[K♥]  [?]          [5]×3
      red or blue
      1"""
    )


def test_sides_stand_beside_each_other_where_they_fit():
    """Parts of different players are beside each other, and below each other in a narrow terminal."""
    sides = drawing(
        Sides(
            parts=[
                Cards(title=name, cards=[SceneCard(id=f"{name}-card", label="a card", rank="Q")])
                for name in ("Alice", "Robert")
            ]
        )
    )

    assert shown(sides) == "\nAlice    Robert\n[Q]      [Q]"
    assert shown(sides, width=14) == "\nAlice\n[Q]\n\nRobert\n[Q]"


def test_table_aligns_numbers_and_marks_what_changed():
    """Texts stand on the left, numbers on the right; a changed cell has a star, a special one brackets."""

    def hands(coal: str):
        columns = [
            TableColumn(title="item"),
            TableColumn(title="you", kind="amount"),
            TableColumn(title="Bob", kind="number"),
        ]
        rows = [
            TableRow(cells=["coal", TableCell(id="coal@you", text=coal), 12]),
            TableRow(cells=["iron ingot", TableCell(id="iron@you", text="3", role="accent"), 0.5]),
        ]
        return drawing(SceneTable(id="hands", caption="Hands", columns=columns, rows=rows))

    assert (
        shown(hands("1/3"), before=hands("1"))
        == """
Hands
item         you  Bob
coal        1/3*   12
iron ingot   [3]  0.5"""
    )


def test_wide_table_is_split():
    """Columns that do not fit stand below, after the first column again: nothing is lost."""
    columns = [TableColumn(title="item"), *(TableColumn(title=f"player {n}", kind="amount") for n in range(1, 5))]
    table = SceneTable(columns=columns, rows=[TableRow(cells=["coal", 1, 2, 3, 4])])

    assert (
        shown(drawing(table), width=30)
        == """
item  player 1  player 2
coal         1         2

item  player 3  player 4
coal         3         4"""
    )


def test_meters_pieces_messages_and_texts():
    """Numbers with units, dice and chips, what was said, and a note."""
    scene = drawing(
        Meters(
            meters=[
                Meter(id="pot", label="pot", value=3, unit="chips"),
                Meter(id="lives", label="lives", value=2, greatest=3),
            ]
        ),
        Pieces(
            pieces=[
                Piece(shape="die-3", role="neutral", label="a die shows 3"),
                Piece(shape="chip", role="player-1", count=3, label="three chips"),
            ]
        ),
        Messages(messages=[SceneMessage(id="m1", from_="Alice", to="Bob", text="I only need the books, you know.")]),
        SceneText(text="  a\n    b", kind="code"),
    )

    assert (
        shown(scene, width=36)
        == """
pot 3 chips   lives 2/3

[3]  ○ × 3

Alice → Bob: I only need the books,
  you know.

  a
    b"""
    )


def test_part_that_a_terminal_cannot_draw_is_told_by_its_label():
    """A graph is told by its label; without one the words for the whole position stand alone."""
    nodes = [GraphNode(id=name, label=name, role="board", shape="disc") for name in ("a", "b")]
    graph = Graph(nodes=nodes, edges=[GraphEdge(id="ab", from_="a", to="b")])
    labelled = Graph(label="a leads to b", nodes=nodes, edges=[])

    assert shown(drawing(SceneText(text="above"), graph)) == f"\n{ALTERNATIVE}"
    assert shown(drawing(SceneText(text="above"), labelled)) == "\nabove\n\na leads to b"


def test_colour_says_nothing_alone():
    """With colour the same characters are shown; only codes come in."""
    plain, coloured = shown(MORE, before=FEW), shown(MORE, before=FEW, has_colour=True)

    assert "\x1b[31m●\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_scene_with_a_fault_is_told_in_words():
    """What is no sound scene is shown by its words, and nothing is raised."""
    broken = drawing(Grid(size=(1, 1), pieces=[piece(3, 3)]))
    broken.data["parts"][0]["surprise"] = {"deep": [None]}

    assert shown(broken) == f"\n{ALTERNATIVE}"
    assert not is_drawable(broken, 80)
    assert lines(FEW, 80, False, True, before=broken) == lines(FEW, 80, False, True)


def test_terminal_obeys_nothing_that_others_have_written():
    """Control characters in messages are shown as signs, and turn nothing around."""
    said = drawing(Messages(messages=[SceneMessage(id="m", from_="A", to="B", text="\x1b[2Jred\u202e\x07")]))

    assert "\x1b" not in shown(said)
    assert shown(said).count("\N{REPLACEMENT CHARACTER}") == 3


@pytest.mark.parametrize("width", [2, 9, 12, 17, 30, 80, 120])
@pytest.mark.parametrize("is_unicode", [True, False])
def test_no_line_is_too_wide(width, is_unicode):
    """Whatever the width, no line is wider, wide characters counted as two columns."""
    text = "漢字 and a word that is so veryverylongthatnothingfits 🙂"
    scene = drawing(
        SceneText(text=text),
        Sides(parts=[Cards(title=text, cards=[SceneCard(id="c", label="x", text=text, notes=[text])])]),
        SceneTable(
            caption=text,
            columns=[TableColumn(title=text), TableColumn(title="n")],
            rows=[TableRow(cells=[text, 3]), TableRow(cells=["x", TableCell(id="y", text=text)])],
        ),
        Meters(meters=[Meter(id="m", label=text, value=1234567890.5, unit="things")]),
        Pieces(pieces=[Piece(shape="item", role="neutral", text=text, count=12, label="x")]),
        Messages(messages=[SceneMessage(id="s", from_=text, to="B", text=text)]),
        Grid(size=(2, 2), label=text, column_labels=[text, "b"], row_labels=[text, "2"]),
    )

    drawn = lines(scene, width, False, is_unicode)

    assert max(map(width_of, drawn)) <= width
    assert width < 12 or len(drawn) > 10
