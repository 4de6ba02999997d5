"""What commands print with: what a terminal can show, tables, running text, numbers, results and status."""

import io
import json
from random import Random

import pytest
from arena_cli import output
from arena_cli.output import CleanText, OutputColumn, Terminal, join, paragraph, shorten, styled, table, terminal_of
from arena_cli.output.screen import written_columns
from click.testing import CliRunner

AGENTS = (
    OutputColumn(title="#"),
    OutputColumn(title="agent", shortens=True),
    OutputColumn(title="rating", align="right"),
    OutputColumn(title="95 %"),
    OutputColumn(title="won", align="right", keep=2),
    OutputColumn(title="drawn", align="right", keep=1),
    OutputColumn(title="lost", align="right", keep=2),
    OutputColumn(title="blocks", align="right", keep=3),
)
ROWS = (
    ("1", "mcts", "2224", "≥ 2046", "58", "0", "2", "30"),
    ("2", "a searching player with a long name", "1645", "[1480, 1802]", "21", "0", "38", "30"),
    ("3", "random", "1500", "reference", "10", "0", "49", "30"),
)


class Screen(io.StringIO):
    """A stream that says it is a terminal, and has no size of its own."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "width"), [("", 80), ("100", 100), ("500", 120), ("0", 80), ("wide", 80)])
def test_width_without_a_terminal_is_told_by_columns(monkeypatch, columns, width):
    """Without a terminal COLUMNS says how wide output is, up to 120, and it is 80 without COLUMNS."""
    monkeypatch.setenv("COLUMNS", columns)

    assert terminal_of(io.StringIO()).width == width


@pytest.mark.parametrize(
    ("variables", "is_coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colours_are_switched_by_the_environment(monkeypatch, variables, is_coloured):
    """NO_COLOR and TERM=dumb switch colours off at a terminal, and FORCE_COLOR switches them on."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert terminal_of(Screen()).has_colour is is_coloured


def test_colours_are_for_terminals(monkeypatch):
    """What is no terminal gets colours with FORCE_COLOR alone."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert not terminal_of(io.StringIO()).has_colour

    monkeypatch.setenv("FORCE_COLOR", "1")
    assert terminal_of(io.StringIO()).has_colour


@pytest.mark.parametrize(("encoding", "is_unicode"), [("utf-8", True), ("ascii", False), ("latin-1", False)])
def test_signs_depend_on_the_encoding(encoding, is_unicode):
    """Box drawing and other signs are used where the stream's encoding has all of them."""
    assert terminal_of(io.TextIOWrapper(io.BytesIO(), encoding=encoding)).is_unicode is is_unicode


@pytest.mark.parametrize("width", [20, 24, 40, 60, 80, 120])
@pytest.mark.parametrize("is_unicode", [True, False])
def test_no_line_of_a_table_is_wider_than_the_terminal(width, is_unicode):
    """Columns go and names are shortened until every line fits, down to the narrowest terminal."""
    lines = table(AGENTS, ROWS, Terminal(width=width, is_unicode=is_unicode))

    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("seed", range(100))
def test_any_table_fits(seed):
    """Whatever texts are in a table, it fits, also where signs take two columns or none."""
    rng = Random(seed)
    signs = "ab \t\x1be\u0301é字…≥"
    rows = [["".join(rng.choices(signs, k=rng.randrange(40))) for _ in range(3)] for _ in range(rng.randint(1, 4))]
    columns = [OutputColumn(title="one", shortens=True), OutputColumn(title="two", keep=1), OutputColumn(title="three")]
    terminal = Terminal(width=rng.randint(20, 120), is_unicode=rng.random() < 0.5)

    lines = table(columns, rows, terminal, more="")

    assert all(written_columns(line, terminal) <= terminal.width for line in lines)


@pytest.mark.parametrize("width", [24, 40, 60, 80, 120])
def test_ascii_has_the_same_columns(width):
    """A table in ASCII has the same columns as one with signs, at the same places."""
    signs = table(AGENTS, ROWS, Terminal(width=width))
    plain = table(AGENTS, ROWS, Terminal(width=width, is_unicode=False))

    assert plain[0] == signs[0]
    assert all(line.isascii() for line in plain)


def test_columns_go_in_the_stated_order():
    """Those with the smallest number go first, of equal ones the rightmost; a line says where they are."""
    lines = {width: table(AGENTS, ROWS, Terminal(width=width)) for width in (56, 52, 46, 38)}

    assert "not shown" not in "\n".join(lines[56])
    assert lines[52][-1] == "  not shown: lost (--full)"
    assert lines[46][-1] == "  not shown: won, lost (--full)"
    assert " ".join(lines[38][-2:]).split() == ["not", "shown:", "won,", "lost,", "blocks", "(--full)"]
    assert table(AGENTS, ROWS, Terminal(width=38), more="")[0].split() == ["#", "agent", "rating", "95", "%"]


def test_column_of_zeros_is_left_out():
    """A column that may go and holds nothing but zeros is not shown and not named."""
    lines = table(AGENTS, ROWS, Terminal(width=120))

    assert "drawn" not in "\n".join(lines)


def test_name_is_cut_in_the_middle():
    """A name that is too long keeps its beginning and its end."""
    assert shorten("gpt-4o-mini-2024-08-06", 13, Terminal()) == "gpt-4…08-06"
    assert shorten("gpt-4o-mini", 13, Terminal()) == "gpt-4o-mini"


def test_text_is_broken_between_words():
    """A line that is too long is broken between words, and no number is parted from its per cent sign."""
    lines = paragraph("mcts beats random in 81 % of all matches that were played here.", Terminal(width=24), 2, 2)

    assert lines == ["  mcts beats random in", "    81 % of all matches", "    that were played", "    here."]


def test_a_word_that_is_too_long_stays_whole():
    """A path that is wider than the terminal stands on a line of its own and can be copied."""
    path = "runs/" + "long-name-" * 12

    assert paragraph(f"report: {path}", Terminal(width=40)) == ["report:", path]


def test_a_line_that_fits_stays_as_it_is():
    """Blanks within a line that fits are kept, so that drawings stay whole."""
    assert paragraph("  A   B   C\n│   │   │\n", Terminal(width=40)) == ["  A   B   C", "│   │   │", ""]


@pytest.mark.parametrize("seed", range(100))
def test_words_are_never_broken(seed):
    """Breaking changes nothing but blanks, and every line of more than one word fits."""
    rng = Random(seed)
    text = "".join(rng.choices("ab %…≥\n", k=rng.randrange(300)))
    width, indent, hanging = rng.randint(20, 60), rng.randrange(5), rng.randrange(5)

    lines = paragraph(text, Terminal(width=width), indent, hanging)

    assert " ".join(lines).split() == text.split()
    assert all(len(line) <= width for line in lines if len(line.split()) > 2)


def test_running_text_in_a_table_is_broken():
    """The last column may hold running text, over several lines below each other."""
    columns = [OutputColumn(title="name"), OutputColumn(title="summary", wraps=True)]
    lines = table(columns, [("chess", "The game of chess, with all its rules and some more")], Terminal(width=40))

    assert lines == ["  name   summary", "  chess  The game of chess, with all its", "         rules and some more"]


def test_only_our_own_styles_reach_the_terminal():
    """What a text brings itself is shown as a sign; what a command styles is styled where there are colours."""
    made = join("  ", styled("ok", bold=True), " \x1b[8mhidden")

    assert isinstance(made, CleanText)
    assert made == "  \x1b[1mok\x1b[0m ␛[8mhidden"
    assert paragraph(f"{styled('ok', bold=True)}", Terminal()) == ["␛[1mok␛[0m"]


def test_an_amount_is_in_its_unit():
    """Of one there is one thing, whatever is told about it."""
    assert output.amount(1, "chips a hand") == "1 chip a hand"
    assert output.amount(-1, "right answers") == "-1 right answer"
    assert output.amount(1 / 24, "F1") == "0.0416667 F1"
    assert output.amount(2, "accepted stories") == "2 accepted stories"


def test_numbers_are_written_the_same_everywhere():
    """Counts are whole, shares have no decimals below n = 1,000, and an open end is told by its bound."""
    assert output.count(1234) == "1,234"
    assert (output.share(0.812, 999), output.share(0.812, 1000)) == ("81 %", "81.2 %")
    assert [output.interval(35, 80), output.interval(1718, None), output.interval(None, 1282)] == [
        "[35, 80]",
        "≥ 1718",
        "≤ 1282",
    ]
    assert output.interval(None, None) == ""
    assert output.share_interval(0.35, 0.8, 30) == "[35, 80]"
    assert [output.signed(53.2), output.signed(-97), output.signed(-0.2)] == ["+53", "\u221297", "0"]
    assert [output.money(12.5), output.money(0.004)] == ["$12.50", "under $0.01"]
    assert [output.duration(7), output.duration(125), output.duration(7200)] == ["7 s", "2 min 5 s", "2 h"]
    assert [*map(output.singular, ("blocks", "matches", "replies", "boxes", "points"))] == [
        *("block", "match", "reply", "box", "point"),
    ]


def test_streams_and_format(arena, monkeypatch):
    """Results go to standard output and status to standard error; JSON says which format it has."""
    import click

    @click.command()
    def show() -> None:
        output.status("playing")
        output.result_json({"rows": [], "name": "a\x1b[0m"})

    shown = CliRunner().invoke(show)

    assert shown.stderr == "playing\n"
    assert json.loads(shown.stdout) == {"format": 1, "rows": [], "name": "a\x1b[0m"}
    assert "\x1b" not in shown.stdout


def test_a_cell_is_never_wider_than_its_column():
    """A word without blanks that is wider than its column is broken, and nothing of it is lost."""
    cell = '{"answers":["' + "x" * 150 + '"]}'

    lines = paragraph(f"a {cell}", Terminal(width=40, has_colour=False), breaks_words=True)

    assert max(map(len, lines)) <= 40
    assert "".join(lines).replace(" ", "") == f"a{cell}"
