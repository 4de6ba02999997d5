"""What decides whether a benchmark fails, and what it writes; nothing is measured here."""

import ast
import re

import pytest

RECORDED = (0.9, 1.0, 1.1, 1.0, 1.05)
VERSIONS = {"Python": "3.11.7"}


@pytest.fixture
def benchmarks(root, monkeypatch):
    """The folder of the benchmarks, whose packages can be imported."""
    monkeypatch.syspath_prepend(root / "benchmarks")
    return root / "benchmarks"


@pytest.mark.parametrize(
    ("ratios", "is_more_better", "verdict"),
    [
        ((1.0, 1.1, 1.15), False, "AS_RECORDED"),
        ((1.3, 1.31, 1.4), False, "WORSE"),
        ((1.3, 1.31, 1.4), True, "BETTER"),
        ((0.7, 0.72, 0.75), True, "WORSE"),
        ((0.7, 0.72, 0.75), False, "BETTER"),
        ((0.98, 1.31, 1.4), False, "AS_RECORDED"),  # the recorded median lies within the spread
        ((1.21, 1.21), False, "WORSE"),
        ((1.19, 1.19), False, "AS_RECORDED"),
    ],
)
def test_a_ratio_is_worse_beyond_a_fifth_and_the_spread(benchmarks, ratios, is_more_better, verdict):
    """A row fails if it is worse by more than a fifth, and outside the spread; as much better, it is to be recorded."""
    from ratios.recorded import Verdict, compare, recorded
    from ratios.rows import Row

    before = recorded(Row(name="a × b", ratios=RECORDED, is_more_better=is_more_better), "2026-01-02", VERSIONS)

    found = compare(Row(name="a × b", ratios=ratios, is_more_better=is_more_better), before)

    assert found is Verdict[verdict]


@pytest.mark.parametrize(
    ("against", "before", "now", "verdict"),
    [
        ("limit", 0.5, 0.9, "AS_RECORDED"),
        ("limit", 0.5, 1.1, "WORSE"),
        ("limit", 1.2, 2.0, "AS_RECORDED"),
        ("nothing", 0.5, 2.0, "APART"),
        ("peer", None, 2.0, "NEW"),
    ],
)
def test_a_limit_is_held_against_its_goal_alone(benchmarks, against, before, now, verdict):
    """What depends on the machine fails only where a goal was met and is not any more; what is only shown never."""
    from ratios.recorded import Verdict, compare, recorded
    from ratios.rows import Row

    was = Row(name="a", ratios=(before or 1,), goal=1, against=against)
    record = recorded(was, "2026-01-02", VERSIONS) if before else None

    assert compare(Row(name="a", ratios=(now,), goal=1, against=against), record) is Verdict[verdict]


def test_a_worse_row_is_named_and_ends_with_1(benchmarks, monkeypatch, capsys):
    """The exit status is 1 if a row is worse than recorded, and the row is named; one quick round is not judged."""
    from ratios import recorded
    from ratios.rows import Row
    from ratios.script import tell

    records = {"one": {"a × b": recorded.recorded(Row(name="a × b", ratios=RECORDED), "2026-01-02", VERSIONS)}}
    monkeypatch.setattr(recorded, "read", lambda: records)
    found = {"one": [Row(name="a × b", ratios=(1.5, 1.6), goal=1), Row(name="c × b", ratios=(9.0,), goal=1)]}

    assert tell(found, {"one": VERSIONS}) == 1
    assert capsys.readouterr().err.endswith("outside the spread:\n  one: a × b\n")
    assert tell(found, {"one": VERSIONS}, is_judged=False) == 0


def test_what_is_recorded_stands_in_the_page(benchmarks, tmp_path):
    """Rows of the same name are replaced, others stay; the page has all of a script at the script's place."""
    from ratios.recorded import keep
    from ratios.rows import Row, limited
    from ratios.tables import written

    file, page = tmp_path / "recorded.json", "x\n<!-- written by benchmarks/one.py -->\nold\n<!-- end -->\ny\n"
    keep("one", [Row(name="a × b", ratios=(9.0,))], "2026-01-01", VERSIONS, file)
    keep("one", [limited("c", (1.5, 2.5, 2.0), 1.0, "ms")], "2026-01-02", VERSIONS, file)
    records = keep("one", [Row(name="a × b", ratios=RECORDED, goal=1.1)], "2026-01-03", VERSIONS, file)

    told = written(page, records)

    assert told.startswith("x\n")
    assert told.endswith("<!-- end -->\ny\n")
    assert "| `make bench ONLY=one` | × | least to greatest (rounds) | goal |\n" in told
    assert "| a × b | 1.00 | 0.900 to 1.10 (5) | ≤ 1.1, met |\n" in told
    assert "| c, of 1 ms | 2.00 | 1.50 to 2.50 (3) | ≤ 1, **missed** |\n" in told
    assert "Measured 2026-01-03 with Python 3.11.7; 2026-01-02 with Python 3.11.7.\n" in told
    assert written(told, records) == told
    with pytest.raises(ValueError, match="no place for two"):
        written(page, {**records, "two": records["one"]})


def test_prompts_are_compared_turn_by_turn_with_matches_as_clusters(benchmarks):
    """Turns that one prompt alone was asked in do not count, and the interval is one over matches."""
    from asked.differences import paired, rate
    from asked.positions import Answered

    def answered(found, match, turn):
        return Answered(match, turn, found, 10, 5, 3, 0.1, "")

    before = [answered("illegal", f"game/{match}", turn) for match in range(3) for turn in range(2)]
    after = [*(answered("legal", f"game/{match}", turn) for match in range(2) for turn in range(2)), before[-1]]
    after.append(answered("illegal", "game/9", 0))
    more = paired(before, after, lambda each: each.found == "illegal")

    assert (more.value, more.turns, more.matches) == (-0.8, 5, 3)
    assert more.low < -0.8 < more.high < -0.2
    assert rate(before, lambda each: each.found == "illegal") == "100.0 % [61.0, 100.0] (6 of 6)"


def test_rows_survive_their_journey_between_processes(benchmarks):
    """A row is the same after JSON."""
    import json

    from ratios.rows import Row

    row = Row(name="a × b", ratios=(1.0, 2.0), goal=3, is_more_better=True, against="limit", note="n")

    assert Row.from_json(json.loads(json.dumps(row.to_json()))) == row


def test_the_page_holds_what_is_recorded(benchmarks, root):
    """Each table of the page is that of the record, every script has its place, and no other number is claimed."""
    from ratios.recorded import read
    from ratios.tables import written

    text, records = (root / "docs/performance.md").read_text("utf-8"), read()
    scripts = {path.stem for path in benchmarks.glob("*.py")} - {"bench"}

    assert written(text, records) == text
    assert set(re.findall(r"<!-- written by benchmarks/(\w+)\.py -->", text)) == scripts


def test_all_scripts_have_the_same_command_line(benchmarks):
    """Each script is run by the common module, and says how."""
    for path in benchmarks.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert "ratios.script" in imported, path.name
        assert f"python benchmarks/{path.name} [--" in (ast.get_docstring(tree) or ""), path.name
