"""The commands ``arena diplomacy adjudicate`` and ``orders``, and texts that nobody meant."""

import json
from random import Random

import pytest
from arena.errors import ConfigError
from arena_cli.application.group import group
from arena_game_diplomacy import Position, adjudicate, legal_orders
from arena_game_diplomacy.commands.line_commands import adjudicate_lines, list_orders
from click.testing import CliRunner

from .random_play import random_game

EXAMPLE = {
    "phase": "S1901M",
    "units": {"ENGLAND": ["F NTH", "A YOR"], "RUSSIA": ["F STP/SC"]},
    "centres": {"ENGLAND": ["LON"]},
    "dislodged": {},
    "orders": {"ENGLAND": ["F NTH C A YOR - NWY", "A YOR - NWY"]},
}


def arena(*words: str, text: str | bytes = ""):
    """Run ``arena diplomacy`` with these words and this standard input."""
    return CliRunner().invoke(group, ["diplomacy", *words], input=text, catch_exceptions=False)


def lines(result) -> list[dict]:
    """The objects on standard output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_line_has_its_answer():
    """Two positions in, two results out, with the keys in the sequence of the documentation."""
    result = arena("adjudicate", text=f"{json.dumps(EXAMPLE)}\n\n{json.dumps(EXAMPLE)}\n")
    first, second = lines(result)

    assert result.exit_code == 0
    assert first == second
    assert list(first) == ["phase", "orders", "units", "dislodged", "contested", "centres", "winner", "next"]
    assert first["orders"]["ENGLAND"] == [
        {"order": "F NTH C A YOR - NWY", "result": "ok", "dislodged": False, "reason": ""},
        {"order": "A YOR - NWY VIA", "result": "ok", "dislodged": False, "reason": ""},
    ]
    assert first["units"] == {"ENGLAND": ["A NWY", "F NTH"], "RUSSIA": ["F STP/SC"]}
    assert (first["contested"], first["winner"], first["centres"]) == ([], None, {"ENGLAND": ["LON"]})


def test_a_game_goes_through_the_command(tmp_path):
    """Every ``next`` can be given orders and fed back as it is, with the results that the function gives."""
    phases = list(random_game(7, 1903))
    given = [result.next.to_json() for _, _, result in phases[:-1]]
    rows = [row | {"orders": orders} for row, (_, orders, _) in zip(given, phases[1:], strict=True)]
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    assert lines(arena("adjudicate", str(file))) == [result.to_json() for _, _, result in phases[1:]]


def test_legal_orders_are_listed_by_power_and_unit():
    """For all powers, or for the one that is named in any case."""
    (everybody,) = lines(arena("orders", text=json.dumps(EXAMPLE)))
    (russia,) = lines(arena("orders", "-", "russia", text=json.dumps(EXAMPLE)))
    legal = legal_orders(Position.from_json(EXAMPLE))

    assert everybody["phase"] == "S1901M"
    assert everybody["orders"]["ENGLAND"]["A YOR"] == list(legal["ENGLAND"]["A YOR"])
    assert list(everybody["orders"]) == ["ENGLAND", "RUSSIA"]
    assert russia["orders"] == {"RUSSIA": everybody["orders"]["RUSSIA"]}


def test_nothing_in_gives_nothing_out():
    """Empty input is no mistake."""
    for command in ("adjudicate", "orders"):
        result = arena(command)
        assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            '{"phase": "S1901M", "units": {"ENGLAND": ["F NTX"]}}',
            "line 3: units.ENGLAND[0]: no province called 'NTX' (did you mean 'NTH'?)",
        ),
        ("[1]", "line 3: the position: expected an object, got a list"),
        ('{"phase": "S1901M", "units": {}, "orders": []}', "line 3: orders: expected an object of lists by power"),
        (
            '{"phase": "S1901M", "units": {}, "orders": {"ITALY": "A"}}',
            "line 3: orders.ITALY: expected a list of orders",
        ),
        (
            '{"phase": "S1901M", "units": {}, "orders": {"ITALY": [], "Italy": []}}',
            "line 3: orders.ITALY: given twice",
        ),
    ],
)
def test_a_line_that_cannot_be_read_ends_with_one_sentence(line, problem):
    """What came before it is answered; the exit code is 2."""
    good = json.dumps(EXAMPLE)
    result = arena("adjudicate", text=f"{good}\n\n{line}\n{good}\n")

    assert result.exit_code == 2
    assert len(lines(result)) == 1
    assert result.stderr == f"arena: {problem}\n"


@pytest.mark.parametrize("text", [b"{", b"\xff\xfe", b"[" * 100_000, b"1" * 10_000, b"nul"])
def test_what_is_no_json_ends_with_one_sentence(text):
    """Whatever is wrong with it, the line is named and nothing is printed."""
    result = arena("orders", text=text)

    assert result.exit_code == 2
    assert result.stderr.startswith("arena: line 1: expected an object of JSON: ")
    assert result.stdout == ""


def test_a_power_or_file_that_is_not_there_is_named():
    """A close name is suggested."""
    unknown = arena("orders", "-", "ENGLND", text=json.dumps(EXAMPLE))
    missing = arena("adjudicate", "no-such-file")

    assert (unknown.exit_code, missing.exit_code) == (2, 2)
    assert unknown.stderr == "arena: diplomacy: no power called 'ENGLND' (did you mean 'ENGLAND'?)\n"
    assert missing.stderr == "arena: no-such-file: cannot be read: No such file or directory\n"


def test_orders_that_are_no_texts_are_illegal():
    """They are results like all others, and what a terminal would obey is escaped."""
    given = ["\x1b[31mA YOR - LON", "\ud800", None, 7, ["A YOR H"], {}]
    row = json.dumps(EXAMPLE | {"orders": {"ENGLAND": given, "NARNIA": ["A YOR H"]}})
    result = arena("adjudicate", text=row)
    (found,) = lines(result)

    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert "\x1b" not in result.stdout
    assert {one["result"] for one in found["orders"]["ENGLAND"]} == {"illegal"}
    assert [one["order"] for one in found["orders"]["ENGLAND"][2:]] == ["null", "7", "[...]", "{...}"]
    assert found["orders"]["NARNIA"][0]["result"] == "illegal"


WORDS = ["A", "F", "VIE", "BUD", "stp", "STP/NC", "(sc)", "-", "S", "C", "H", "VIA", "R", "D", "B", "WAIVE", "NTH"]
WORDS += ["North", "Sea", "\x00", "é", "\ud800", "/", "->", "0", "LIV", "ENG", "NWY", "GAL", "S1901M", "W1901A"]
VALUES = [None, 0, -1, 1e300, True, "", "A", [], {}, [[]], {"A": 1}, "A VIE", "S1901M", "W1901A", "VIE"]


def mangled(value, rng: Random, rate: float):
    """A copy of something from JSON in which now and then a part is missing, doubled, or something else."""
    if rng.random() < rate:
        return rng.choice(VALUES)
    if isinstance(value, dict):
        kept = [item for item in value.items() if rng.random() > rate]
        return {(rng.choice(WORDS) if rng.random() < rate else key): mangled(inner, rng, rate) for key, inner in kept}
    if isinstance(value, list):
        texts = [mangled(inner, rng, rate) for inner in value if rng.random() > rate]
        return texts + texts[: rng.random() < rate]
    if isinstance(value, str) and rng.random() < rate:
        words = value.split(" ")
        words[rng.randrange(len(words))] = rng.choice(WORDS)
        return " ".join(words)
    return value


@pytest.mark.campaign
@pytest.mark.parametrize("count", [400, 2000])
def test_whatever_is_read_there_is_an_answer_or_one_sentence(count):
    """Mangled positions: one that is read has a result for each order, and no other exception comes out."""
    rng = Random(12)
    phases = [(p.to_json() | {"orders": o}) for seed in range(4) for p, o, _ in random_game(seed, 1903)]
    answered = 0
    for _ in range(count):
        row = mangled(rng.choice(phases), rng, rng.choice((0.001, 0.003, 0.02)))
        for command in (adjudicate_lines, list_orders):
            result = CliRunner().invoke(command, input=json.dumps(row) + "\n")
            if isinstance(result.exception, ConfigError):
                assert result.stdout == ""
                assert str(result.exception).startswith("line 1: ")
                assert "\n" not in str(result.exception)
            else:
                assert result.exception is None, row
                answered += 1
    assert count // 2 < answered < count * 3 // 2


@pytest.mark.parametrize("texts", [600, pytest.param(3_000, marks=pytest.mark.slow)])
def test_no_text_is_too_much_for_an_order(texts: int):
    """Any text at all is a legal order or a result with a reason."""
    rng = Random(5)
    position = Position.opening()
    for _ in range(texts):
        text = rng.choice(("", " ")).join(rng.choice(WORDS) for _ in range(rng.randrange(12)))
        (one,) = adjudicate(position, {"AUSTRIA": [text]}).orders["AUSTRIA"]
        assert (one.reason == "") == (one.result == "ok")
        assert one.order == text or one.result != "illegal" or one.order.isascii()
