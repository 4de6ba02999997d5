"""The prompts of grid-game competitions, and how matches go under their policy."""

import json
import re
import sys
from io import BytesIO
from itertools import pairwise
from operator import sub

import attrs
import pytest
from arena.backend import IMAGES, OFFLINE
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.game import Image as GameImage
from arena.hookspecs import hookimpl
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending
from arena.testing import RANDOM, FunctionBackend, playing
from arena_agent_llm.agent import LLM
from arena_agent_llm.prompts.prompt import Prompt
from arena_agent_llm.prompts.style import load
from arena_engine import Journal, build_benchmark, run
from arena_game_grid.drawing import BACKGROUND, DISCS, INKS, difference, has_glyph, layout, piece
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe
from arena_game_grid.policy import Competition
from arena_game_grid.uniform import UniformOverCells
from PIL import Image, ImageChops

PARTS = ("game", "state-format", "state", "role", "answer-format", "invalid-moves", "warning", "count")

ASKED = """\
The position is now:
Cells of the first player: 2,2
Cells of the second player: None

You are an adept strategic player, and you want to win in as few moves as you can. You are player 2 of 2 and play O. \
Which move do you make next?

Answer with your move as JSON of this form, and write nothing else:
{"row": <whole number>, "column": <whole number>}
Put the numbers of your move in their places. Rows and columns are counted from 1, beginning at the top left. The \
greatest number of a row is 3, that of a column 3.

A move is invalid if your answer does not have this form, if a number is out of range, or if there is no room left \
where you want to move. With more than 3 invalid moves you are disqualified.

Your last answer was: {'row': 2, 'column': 2}
It was an invalid move, because row 2, column 2 is already taken. Answer again.

Your invalid moves so far: 1. With 3 more you are disqualified."""


def model(answers, style="grid-list", *, can=frozenset({OFFLINE}), asked=None, **prompt):
    """A language model that gives ``answers`` in order; what it is asked is kept in ``asked``."""
    said = iter(answers)

    def answer(request):
        if asked is not None:
            asked.append(request)
        return next(said)

    settings = Prompt(style=style, history="none", **prompt)
    return LLM(backend=FunctionBackend(answer=answer, can=can), prompt=settings, constrained=False)


def square(r, c):
    return {"row": r, "column": c}


@pytest.mark.parametrize("style", ["grid-list", "grid-illustration", "grid-image"])
def test_styles_have_the_eight_parts_in_order(style):
    """Each of the three forms is the paper's eight parts, all in the one message of the user."""
    parts = load(style).parts

    assert tuple(part.name for part in parts) == PARTS
    assert {part.place for part in parts} == {"user"}


def test_prompt_of_a_second_try(play):
    """The golden prompt: the position, the role, the form of the move, the bounds, and what was wrong before."""
    asked = []
    second = model(["{'row': 2, 'column': 2}", 'My move is {"row": 1, "column": 1}'], asked=asked)

    played = play(TicTacToe(), [playing(square(2, 2), {}), second], illegal_actions=Competition()).over

    first, again = (request.messages[-1].text for request in asked)
    assert [len(request.messages) for request in asked] == [1, 1]
    assert again.endswith(ASKED)
    assert "Your last answer" not in first
    assert first.endswith("Your invalid moves so far: 0. With 4 more you are disqualified.")
    assert [e.data["rule"] for e in played.refused()][:1] == ["taken"]


def test_parts_can_be_changed_added_and_dropped(play):
    """The paper's ablations: a regular player, all invalid moves of the match, the history, and none of the bounds."""
    asked = []
    parts = {
        "role": "You are a regular player and play $seat.",
        "invalid-moves": False,
        "all-invalid": {"text": "Invalid so far:\n$all_refused", "before": "warning"},
        "history": {"text": "Moves so far:\n$history", "after": "state"},
    }
    answers = ["nothing", '{"row": 1, "column": 9}', '{"row": 1, "column": 1}', '{"row": 3, "column": 3}']
    settings = Prompt(style="grid-list", history="compact", parts=parts)
    said = iter(answers)

    def answer(request):
        asked.append(request.messages[-1].text)
        return next(said)

    agent = LLM(backend=FunctionBackend(answer=answer), prompt=settings, constrained=False)
    other = playing(square(2, 1), *[square(9, 9)] * 9)
    play(TicTacToe(), [agent, other], illegal_actions=Competition())

    assert "regular player and play X" in asked[0]
    assert "disqualified" not in asked[0].replace("With 4 more you are disqualified", "")
    assert "- nothing: there is no JSON object in the answer" in asked[3]
    assert '- {"row": 1, "column": 9}: there is no row 1, column 9' in asked[3]
    assert "Moves so far:\nX: row 1, column 1\nO: row 2, column 1" in asked[3]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("I play in the middle.", "unreadable"),
        ('{"row": 2}', "format"),
        ('{"row": 2, "column": 2, "comment": "centre"}', "unreadable"),
        ('{"row": "2", "column": "2"}', "format"),
        ('{"row": 2, "column": 4}', "out-of-bounds"),
        ('{"row": 1, "column": 1}', "taken"),
    ],
)
def test_invalid_moves_are_told_apart(play, answer, kind):
    """An answer without a move, of another form, off the board or on a taken cell is refused as what it is."""
    agents = [playing(square(1, 1)), model([answer] * 4)]

    record = play(TicTacToe(), agents, illegal_actions=Competition()).over

    assert {e.data.get("rule", e.data["kind"]) for e in record.refused()} == {kind}
    assert (record.ending, record.returns, record.forfeited) == (Ending.DISQUALIFIED, None, (1,))


@pytest.mark.parametrize(
    ("game", "policy", "allowed"),
    [
        (TicTacToe(), Competition(), 3),
        (ConnectFour(), Competition(), 6),
        (ConnectFour(), Competition(limits="code"), 7),
        (Gomoku(), Competition(), 15),
        (Mnk(rows=4, columns=4), Competition(), 6),
        (Gomoku(), Competition(max_refusals=2), 2),
    ],
)
def test_one_invalid_move_too_many_disqualifies(play, game, policy, allowed):
    """A player is out with the first invalid move beyond those allowed in games of this length, and nobody wins."""
    record = play(game, [playing("no move"), UniformOverCells()], illegal_actions=policy).over

    assert len(list(record.refused())) == allowed + 1
    assert (record.ending, record.returns) == (Ending.DISQUALIFIED, None)


@pytest.mark.parametrize(("game", "bound"), [(TicTacToe(), 20), (ConnectFour(), 80), (Gomoku(), 400)])
def test_moves_are_bounded(game, bound):
    """The bounds of all moves together are the paper's, and can be set."""
    assert Competition().for_game(game, 2).max_answers == bound
    assert Competition(max_answers=7).for_game(game, 2) == IllegalActionPolicy(
        retries=Competition().for_game(game, 2).retries,
        max_refusals=Competition().for_game(game, 2).max_refusals,
        then="disqualify",
        max_answers=7,
    )


def test_random_play_names_taken_cells_too(play):
    """Uniform play over all cells is refused for taken ones and nothing else, and asks again."""
    records = [
        play(
            Mnk(rows=4, columns=4, align=4),
            [UniformOverCells(), UniformOverCells()],
            illegal_actions=IllegalActionPolicy(retries=999),
        ).over
    ]

    assert {e.data["rule"] for record in records for e in record.refused()} == {"taken"}


def see(picture, game):
    """The cells that something stands on, by looking at pixels alone."""
    image = Image.open(BytesIO(picture.data)).convert("RGB")
    assert image.size == (512, 512)
    place = layout(game.rows, game.columns, 512)
    reach = place.side // 3
    taken = set()
    for r in range(game.rows):
        for c in range(game.columns):
            x, y = place.centre(r, c)
            box = image.crop((x - reach, y - reach, x + reach, y + reach))
            colours = box.getcolors(maxcolors=1 << 16)
            if any(sum(abs(a - b) for a, b in zip(colour, BACKGROUND, strict=True)) > 60 for _, colour in colours):
                taken.add((r, c))
    return taken


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Gomoku(rows=9, columns=9)], ids=repr)
def test_a_model_can_play_by_what_it_sees(play, game):
    """A model that is shown pictures alone finds every stone where it is, and so plays a match without one mistake."""
    seen, boards = [], []

    def answer(request):
        (message,) = request.messages
        (picture,) = [part for part in message.parts if isinstance(part, GameImage)]
        assert picture.media_type == "image/png"
        assert picture.data.startswith(b"\x89PNG")
        taken = see(picture, game)
        seen.append(taken)
        free = [(r, c) for c in range(game.columns) for r in range(game.rows) if (r, c) not in taken]
        r, c = free[-1]
        return json.dumps({"column": c + 1} if game.gravity else square(r + 1, c + 1))

    class Boards:
        @hookimpl
        def decision_asked(self, plan, decision):
            if decision.player == 0:
                boards.append(decision.observation["board"])

    seeing = LLM(
        backend=FunctionBackend(answer=answer, can=frozenset({IMAGES, OFFLINE})),
        prompt=Prompt(style="grid-image", history="none"),
        constrained=False,
    )
    played = play(game, [seeing, RANDOM], illegal_actions=Competition(), watchers={"boards": Boards()})

    assert list(played.over.refused()) == []
    assert played.over.ending is Ending.RULES
    assert len(seen) > 1
    assert seen == [{(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell} for board in boards]


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Gomoku()], ids=lambda game: game.title)
@pytest.mark.parametrize("size", [512, 300])
def test_pictures_show_whose_stone_it_is(game, size):
    """The colour of each player's symbol is found in the cells of that player, and the other's is not."""
    game = attrs.evolve(game, picture_size=size)
    board = [[""] * game.columns for _ in range(game.rows)]
    board[0][0], board[-1][-1], board[0][-1] = game.symbols[0], game.symbols[1], game.symbols[1]
    picture = game.forms["image"]({"board": board})
    image = Image.open(BytesIO(picture.data)).convert("RGB")
    inks = {symbol: DISCS[symbol][0] if symbol in DISCS else INKS[symbol] for symbol in game.symbols}

    assert image.size == (size, size)
    for r, c in ((0, 0), (-1, -1), (0, -1)):
        place = layout(game.rows, game.columns, size)
        x, y = place.centre(r % game.rows, c % game.columns)
        reach = place.side * 3 // 8
        box = image.crop((x - reach, y - reach, x + reach, y + reach))
        found = {
            symbol: sum(n for n, seen in box.getcolors(1 << 16) if max(map(abs, map(sub, seen, ink))) < 16)
            for symbol, ink in inks.items()
        }
        assert max(found, key=found.__getitem__) == board[r][c]


def cell(game, symbol, row=0, column=0):
    """One cell of a picture of a board with that symbol in it, without the lines around it."""
    board = [[""] * game.columns for _ in range(game.rows)]
    board[row][column] = symbol
    image = Image.open(BytesIO(game.forms["image"]({"board": board}).data)).convert("RGB")
    place = layout(game.rows, game.columns, game.picture_size)
    (x, y), half = place.centre(row, column), place.side // 2
    return image.crop((x - half, y - half, x + half, y + half))


def differing(game):
    """The share of a cell's pixels in which the pieces of the two players differ to the eye."""
    histogram = ImageChops.difference(*(cell(game, symbol) for symbol in game.symbols)).convert("L").histogram()
    return sum(histogram[32:]) / sum(histogram)


@pytest.mark.sample(fast=6)
@pytest.mark.parametrize("size", [80, 512])
@pytest.mark.parametrize(
    "symbols", ["●○", "○●", "♟♙", "あい", "Il", "0O", "MW", ";,", "☺☻", "XR", "ab", "QO", "éè", "-_", "XO"]
)
def test_two_players_pieces_differ(symbols, size):
    """Whatever two symbols are accepted, the players' pieces differ in a tenth of a cell's pixels, however small."""
    game = Mnk(symbols=tuple(symbols), picture_size=size)

    assert differing(game) >= 0.1


@pytest.mark.campaign
def test_every_symbol_that_is_accepted_can_be_told_from_another():
    """Printable characters have pieces that differ from those of the next one in a tenth of a cell's pixels.

    They are all up to the symbols and dingbats, where letters of the font are, and some of those beyond.
    """
    side, known = 30, {}
    points = (*range(0x2E00), *range(0x2E00, sys.maxunicode, 997))
    accepted = [c for c in map(chr, points) if c.isprintable() and c not in "e. "]
    for first, second in pairwise(accepted):
        key = (first, second) if has_glyph(first) or has_glyph(second) else ()
        if key not in known:
            are_shapes = bool(Mnk(symbols=(first, second)).discs)
            pieces = [piece(s, side, p if are_shapes else None) for p, s in enumerate((first, second))]
            known[key] = difference(*pieces, side)
        assert known[key] >= 0.1, (first, second)

    assert len(known) > 100


def test_symbols_the_font_lacks_are_shapes():
    """The usual symbols are drawn as they are."""
    usual = [Mnk(), TicTacToe(), ConnectFour(), Gomoku(), Mnk(symbols=("A", "K")), ConnectFour(symbols=("Y", "R"))]

    assert [game.discs for game in usual] == [()] * len(usual)
    assert Mnk(symbols=("●", "○")).discs == ("●", "○")
    assert ConnectFour(symbols=("○", "●")).discs == ("●", "○")


def test_rules_say_which_disc_is_whose():
    """Where pictures show discs in place of symbols the rules say so, and a hollow symbol is the light one."""
    for symbols, dark in (("●○", "●"), ("○●", "●"), ("あい", "あ")):
        game = Mnk(symbols=tuple(symbols))
        pixels = {symbol: cell(game, symbol).resize((1, 1)).getpixel((0, 0)) for symbol in symbols}

        assert f"Pictures show the pieces of {dark} as dark discs" in game.rules
        assert min(pixels, key=lambda symbol: sum(pixels[symbol])) == dark
    assert "Pictures" not in Mnk().rules


def benchmark(style, backend):
    return {
        "games": {
            "ttt": {"use": "grid-tic-tac-toe"},
            "four": {"use": "grid-connect-four", "rows": 4, "columns": 4, "align": 3},
        },
        "agents": {
            "model": {"use": "llm", "backend": backend, "prompt": {"style": style, "history": "none"}},
            "random": "grid-random",
        },
        "schedule": {"use": "fixed", "seatings": [["model", "random"]]},
        "illegal-actions": {"use": "grid-games-2024", "max-refusals": 1},
        "metrics": ["outcomes", "illegal-actions", "missed-opportunities"],
    }


def test_a_backend_without_images_is_refused():
    """Pictures for a model that cannot see are a mistake of the benchmark, told before anything is played."""
    with pytest.raises(ConfigError, match="cannot do 'images', which the agent needs to play 'ttt'"):
        build_benchmark(benchmark("grid-image", {"use": "llamacpp"}), Catalog())


@pytest.mark.campaign
@pytest.mark.parametrize("style", ["grid-list", "grid-illustration"])
def test_the_embedded_model_plays_every_form_of_text(style, tmp_path):
    """A real model is asked in each form of text; every question and answer is in the journal, and nobody failed."""
    found = run(benchmark(style, {"use": "llamacpp", "max_tokens": 40}), output=tmp_path / "run")

    with Journal.open(found.directory) as journal:
        records = list(journal.records())
        answers = [answer for record in records for answer in journal.answers(record.id)]
    assert len(records) == 2
    assert all(record.ending.is_result for record in records)
    assert answers
    assert all(re.search("The position is now", answer.request) for answer in answers)
