"""Studies: what their file may say, how they are balanced, and whole studies with the real server and real matches."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.record import MatchPlan
from arena_engine import Journal, RemoteControl, is_played, load_benchmark, plan_matches
from arena_web.names import match_name
from arena_web.routes import ROUTES
from arena_web.study_file import Study, read_study
from arena_web.study_plan import benchmark_of, order_of

PROGRAM = str(Path(sys.executable).with_name("arena"))
BROWSER = "Mozilla/5.0 (X11; canary-of-the-browser) Participant/7.3"

TEXT = """
name: machines
title: Playing against machines
consent: You play four short games. You may stop at any time.
seed: 3
participants: 3
before:
  - {name: age, ask: How old are you?, kind: number, low: 18, high: 120}
  - {name: plays, ask: How often do you play?, kind: choice, choices: [never, "=often"]}
after:
  - {name: fun, ask: How much did you enjoy it?, kind: scale, low: 1, high: 7, labels: [not at all, very much]}
  - {name: said, ask: What else?, kind: text, required: false}
conditions:
  canary-one: {game: tic-tac-toe, against: first-legal, matches: 1, seat: 0}
  canary-two: {game: kuhn-poker, against: random}
"""

ANSWERS = {"before": {"age": 40, "plays": "=often"}, "after": {"fun": 6, "said": "=1+1"}}


def study_of(tmp_path: Path, text: str) -> Study:
    file = tmp_path / "study.yaml"
    file.write_text(text, "utf-8")
    return read_study(file, Catalog())


def conditions(count: int, each: str, participants: int = 12) -> str:
    named = "".join(f"  c{at}: {{game: tic-tac-toe, against: random, matches: 2}}\n" for at in range(count))
    return f"name: n\nconsent: yes, I do\nseed: 5\nparticipants: {participants}\neach: {each}\nconditions:\n{named}"


# ---- the file and the plan -------------------------------------------------------------------------------------------


def test_all_mistakes_are_told_at_once(tmp_path):
    """Each mistake stands with its line and its path, those of games and agents in the words of a benchmark."""
    text = """
title: x
seed: x
participants: 0
before:
  - {name: a b, ask: "", kind: chioce}
  - {name: q, ask: x, kind: scale, low: 3, high: 1, labels: [a]}
  - {name: r, ask: x, kind: text, choices: [a, b]}
  - {name: s, ask: x, kind: choice, choices: [a, a], low: 1}
conditions:
  weak: {game: tictactoe, against: random, seat: 2}
  other: {game: tic-tac-toe, against: {use: mcts, simulation: 3}}
  more: {game: tic-tac-toe, against: [random, random], matches: 0}
  wrong: {game: tictactoe, against: random}
each: some
"""
    with pytest.raises(ConfigError) as told:
        study_of(tmp_path, text)

    found = [problem.partition("study.yaml")[2] for problem in told.value.problems]
    for wanted in (
        ":3: seed: expected int, got 'x'",
        ": consent: required (the text that everybody agrees to before anything else; a study needs one)",
        ": name: required",
        ":4: participants: must be >= 1, got 0",
        ":6: before.0.kind: expected 'choice', 'scale', 'text' or 'number', got 'chioce' (did you mean 'choice'?)",
        ":6: before.0.name: expected letters, digits, - and _, got 'a b'",
        ":6: before.0.ask: it is empty",
        ":7: before.1.high: expected more than low, which is 3, got 1",
        ":8: before.2.choices: a text has none",
        ":9: before.3.choices: expected two or more different texts",
        ":9: before.3.low: a choice has none",
        ":11: conditions.weak.seat: expected a player from 0 to 1, got 2",
        ":12: conditions.other.against.simulation: unknown key (did you mean 'simulations'?)",
        ":13: conditions.more.matches: must be >= 1, got 0",
        ":14: conditions.wrong.game: no game called 'tictactoe'",
        ":15: each: expected 'one' or 'all', got 'some'",
    ):
        assert any(problem.startswith(wanted) for problem in found), (wanted, found)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("consent: yes, I do\n", ""), "consent: required"),
        (("consent: yes, I do", "consent: ' '"), "consent: it is empty; expected the text that everybody agrees to"),
        (("against: random", "against: [random, random]"), "conditions.c0.against: expected 2 agents"),
        (("game: tic-tac-toe", "game: {use: tic-tac-toe, size: 3}"), "conditions.c0.game.size: unknown key"),
    ],
)
def test_mistake_is_one_sentence(tmp_path, change, told):
    """A study without the text of consent, or whose matches cannot be played, says so by path."""
    with pytest.raises(ConfigError, match=re.escape(told)):
        study_of(tmp_path, conditions(1, "all").replace(*change))


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_orders_are_balanced(tmp_path, count):
    """In every group each condition stands at each place once; over two groups each follows each equally often."""
    study = study_of(tmp_path, conditions(count, "all"))
    orders = [order_of(study, place) for place in range(2 * count)]

    for group in (orders[:count], orders[count:]):
        for at in range(count):
            assert {order[at] for order in group} == set(study.conditions)
    follows = Counter((a, b) for order in orders for a, b in pairwise(order))
    assert len(follows) == count * (count - 1)
    assert set(follows.values()) == {2}


def test_groups_are_equal_where_each_plays_one_condition(tmp_path):
    """Between participants every group of as many as there are conditions has each once; another seed, other orders."""
    text = conditions(3, "one", 30)
    study, other = study_of(tmp_path, text), study_of(tmp_path, text.replace("seed: 5", "seed: 6"))
    orders = [order_of(study, place) for place in range(30)]

    assert Counter(orders) == {(name,): 10 for name in study.conditions}
    assert all(len({*orders[at : at + 3]}) == 3 for at in range(0, 30, 3))
    assert orders != [order_of(other, place) for place in range(30)]


def test_matches_come_condition_by_condition_in_each_seat_in_turn(tmp_path):
    """A condition is over before the next begins; whoever has no fixed seat has each in turn, groups begin in turn."""
    study = study_of(tmp_path, conditions(2, "all"))
    plans = [plan_matches(load_benchmark(benchmark_of(study, order_of(study, at), at))) for at in (0, 2)]

    for place, plan in zip((0, 2), plans, strict=True):
        first, second = order_of(study, place)
        assert [match.game for match in plan] == [first, first, second, second]
    assert [[match.agents.index("participant") for match in plan] for plan in plans] == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert plans[0][0].chance_seed != plans[1][0].chance_seed


# ---- whole studies ---------------------------------------------------------------------------------------------------


@attrs.define
class Served:
    """``arena study`` in a process of its own: its address, and the key of each code whose link it printed."""

    address: str
    keys: dict[str, str]
    process: subprocess.Popen[str]


@attrs.define
class Person:
    """A participant with a key, in a browser that says what it is."""

    address: str
    key: str
    told: list[bytes] = attrs.field(factory=list[bytes])

    def ask(self, path: str, body: Any = None, method: str = "") -> tuple[int, Any]:
        """Status and answer of a request."""
        request = Request(f"{self.address}/api/1{path}", None if body is None else json.dumps(body).encode())
        request.method = method or request.get_method()
        for name, value in {
            "Authorization": f"Bearer {self.key}",
            "User-Agent": BROWSER,
            "X-Real-Name": BROWSER,
        }.items():
            request.add_header(name, value)
        try:
            with urlopen(request, timeout=120) as answer:
                status, content = answer.status, answer.read()
        except HTTPError as error:
            status, content = error.code, error.read()
        self.told.append(content)
        return status, json.loads(content) if content else None

    def agree(self) -> Any:
        """Agree to the text as it is shown."""
        return self.ask("/study/consent", {"digest": self.ask("/study")[1]["consent"]["digest"]})[1]

    def answer(self, part: str, answers: Any = None) -> tuple[int, Any]:
        """Answer the questions of a part."""
        return self.ask("/study/answers", {"part": part, "answers": ANSWERS[part] if answers is None else answers})

    def play(self, matches: int = 99) -> None:
        """Play so many matches, or all that there are, by the first action that is offered."""
        status, told = self.ask("/study/matches", {})
        assert (status, told) == (200, {"seat": "/seat"})
        match, after = self.ask("/seat")[1]["match"], -1
        while match and matches:
            status, turn = self.ask(f"/seat/turn?after={after}&wait=30&match={match}")
            if status == 410:
                match, after, matches = turn["next_match"], -1, matches - 1
            elif status == 200:
                after = turn["turn"]
                action = turn["options"][0]["action"]
                path = f"/seat/turn/{after}/try/{turn['try']}?match={turn['match']}"
                assert self.ask(path, {"action": action, "means": "browser"})[0] == 200


def plans_of(run: Path) -> tuple[MatchPlan, ...]:
    """The matches of a run."""
    with Journal.open(run) as journal:
        return journal.plans()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """A function that starts the study of a file in a directory, in a process that ends with the test."""
    with contextlib.ExitStack() as stack:

        def start(*options: str, text: str = TEXT) -> Served:
            (tmp_path / "study.yaml").write_text(text, "utf-8")
            command = [PROGRAM, "study", "study.yaml", "-o", "made", "--port", "0", *options]
            with (tmp_path / "links.txt").open("w") as links:
                process = subprocess.Popen(command, cwd=tmp_path, stdout=links, stderr=subprocess.PIPE, text=True)
            stack.callback(process.wait, 30)
            stack.callback(process.terminate)
            assert process.stderr is not None
            found = next(filter(None, (re.search(r"served at (http://\S+)", line) for line in process.stderr)))
            lines = (tmp_path / "links.txt").read_text().splitlines()  # what was printed before it said so
            return Served(found[1], {line.split()[1]: line.split()[0].partition("#")[2] for line in lines}, process)

        yield start


@pytest.mark.campaign
def test_study_is_taken_part_in_and_exported(serve, arena, tmp_path):
    """One participant does everything, one stops, one never comes; what was given opens in pandas with its book."""
    import pandas

    served = serve()
    made = tmp_path / "made"
    people = {code: Person(served.address, key) for code, key in served.keys.items()}
    (one, ann), (two, bob), (three, _) = people.items()

    # Nothing is kept before the text is agreed to, and each thing has its time.
    assert ann.ask("/study")[1]["step"] == "consent"
    assert ann.ask("/study/matches", {})[0] == 409
    refused = ann.answer("before")
    assert (refused[0], refused[1]["error"]["what"]) == (409, "you have not agreed to take part yet")
    assert ann.ask("/study/consent", {"digest": "0" * 64})[0] == 409
    assert ann.ask("/seat")[0] == 409
    assert ann.agree()["step"] == "before"
    assert ann.answer("after")[0] == 409
    assert ann.ask("/study/matches", {})[0] == 409

    # Every mistake of a part is told at once; the same answers may come again, others may not.
    status, wrong = ann.answer("before", {"age": 7, "plays": "always", "name": "Ann"})
    assert (status, {each["question"]: each["what"] for each in wrong["problems"]}) == (
        422,
        {
            "age": "expected a number from 18 to 120",
            "plays": "expected one of: never, =often",
            "name": "there is no such question",
        },
    )
    for age in (10**400, True, "40", "\ud800"):
        assert ann.answer("before", {"age": age, "plays": "never"})[0] == 422
    assert ann.answer("before", {"age": None, "plays": ""})[1]["problems"][0]["what"] == "this must be answered"
    assert ann.answer("before")[1]["step"] == "matches"
    assert ann.answer("before")[0] == 200
    status, second = ann.answer("before", {"age": 41, "plays": "never"})
    assert (status, second["error"]["what"]) == (
        409,
        "these questions have been answered before, and the first answers are kept",
    )

    # Matches: left after one, gone on with; no byte tells what a condition is called, or who the other is.
    ann.play(1)
    assert ann.ask("/study")[1]["matches"] == {"done": 1, "total": 2}
    ann.play()
    played = [match_name(plan.id) for plan in plans_of(made / "runs" / one)]
    assert [ann.ask(f"/seat/match/{match}{more}")[0] for match in played for more in ("", "/frames")] == [200] * 4
    assert not re.search(rb"canary|first-legal|random", b"".join(ann.told))
    assert ann.ask("/study")[1]["step"] == "after"
    assert ann.answer("after", {"fun": 8})[1]["problems"] == [
        {"question": "fun", "what": "expected a step from 1 to 7"}
    ]
    assert ann.answer("after")[1]["step"] == "over"
    bob.agree()
    bob.answer("before", {"age": 20.5, "plays": "never"})
    bob.play(1)
    run = made / "runs" / two
    RemoteControl(run).stop("as a machine that is switched off")
    while is_played(run):
        pass
    status, idle = bob.ask("/seat/turn?after=-1&match=" + bob.ask("/seat")[1]["match"])
    assert (status, idle["state"]) == (503, "not running")
    for route in ROUTES:
        if not {"seat", "participant"} & {*route.rights}:
            assert (
                ann.ask(re.sub(r"\{\w+\}", "0", route.path), {} if route.method == "POST" else None, route.method)[0]
                == 403
            )

    # The file: one row a participant who agreed, one row a match, every column in the book.
    out = tmp_path / "out.csv"
    assert arena("study", "export", made, "-o", out).exit_code == 0
    table, matches = pandas.read_csv(out), pandas.read_csv(out.with_suffix(".matches.csv"))
    book = json.loads(out.with_suffix(".codebook.json").read_text())
    assert [each["name"] for each in book["participants"]] == list(table.columns)
    assert [each["name"] for each in book["matches"]] == list(matches.columns)
    assert all(each["meaning"] and each["kind"] for each in (*book["participants"], *book["matches"]))
    rows = table.set_index("code")
    assert sorted(rows.index) == sorted((one, two))
    assert rows.loc[one, ["before_age", "after_fun", "matches_over", "finished"]].tolist() == [40, 6, 2, True]
    assert rows.loc[two, ["before_age", "matches_over", "finished"]].tolist() == [20.5, 1, False]
    assert pandas.isna(rows.loc[two, "after_fun"])
    assert rows.loc[one, "after_said"] == "'=1+1"  # no formula for a spreadsheet
    assert set(rows.loc[one, ["condition_1", "condition_2"]]) == {"canary-one", "canary-two"}
    own = matches[matches["code"] == one]
    assert own["order"].tolist() == [1, 2]
    assert own["condition"].tolist() == rows.loc[one, ["condition_1", "condition_2"]].tolist()
    easy = own[own["condition"] == "canary-one"].iloc[0]
    assert (easy["against"], easy["seat"], easy["ending"]) == ("first-legal", 0, "rules")
    assert easy["turns"] >= 3
    assert (own["seconds"] >= 0).all()
    assert arena("study", "export", made, "-o", tmp_path / "out.json").exit_code == 0
    whole = json.loads((tmp_path / "out.json").read_text())
    assert len(whole["matches"]) == 3
    assert [each["after_said"] for each in whole["participants"] if each["code"] == one] == ["=1+1"]
    assert "expected a file that ends in" in arena("study", "export", made, "-o", tmp_path / "out.xlsx").stderr

    told_by = arena("report", made / "runs" / one, made / "runs" / two).stdout
    assert "canary-one" in told_by
    assert "canary-two" in told_by

    # No browser, no address, nobody else's eyes; and one participant is forgotten, nothing else.
    while is_played(made / "runs" / one):  # its process ends by itself
        pass
    files = [path for path in made.rglob("*") if path.is_file()]
    told = {path: path.read_bytes() for path in files}
    assert not [path for path, content in told.items() if b"canary-of-the-browser" in content]
    assert not [path for path, content in told.items() if any(key.encode() in content for key in served.keys.values())]
    assert made.stat().st_mode & 0o777 == 0o700
    assert (made / "study.sqlite").stat().st_mode & 0o777 == 0o600
    assert b"127.0.0.1" not in b"".join(told.values())
    assert bob.ask("/study/matches", {})[0] == 200  # goes on, and is played when it is to be forgotten
    assert arena("study", "forget", made, two).exit_code == 0
    assert bob.ask("/study")[0] == 401
    assert bob.ask("/seat")[0] == 401
    left = {path for path in made.rglob("*") if path.is_file()}
    assert not [path for path in left if two.encode() in path.read_bytes() or two in str(path)]
    gone = {path.relative_to(made).parts for path in set(told) - left}
    assert {parts[:1] for parts in gone} == {("runs",), ("keys",)}
    assert {parts[1] for parts in gone if parts[0] == "runs"} == {two, f"{two}.yaml"}
    assert len([parts for parts in gone if parts[0] == "keys"]) == 1
    assert all(path.read_bytes() == told[path] for path in left if path.name != "study.sqlite" and one in str(path))
    assert arena("study", "export", made, "-o", out).exit_code == 0
    assert pandas.read_csv(out)["code"].tolist() == [one]
    assert ann.ask("/study")[1]["step"] == "over"
    assert "no participant 'nobody'" in arena("study", "forget", made, "nobody").stderr

    # Started again it goes on: links stay, one that is made anew ends the one before, no code comes back.
    again = serve("--link", three)
    assert again.keys.keys() == {three}
    assert Person(again.address, served.keys[one]).ask("/study")[1]["step"] == "over"
    assert Person(again.address, served.keys[three]).ask("/study")[0] == 401
    assert Person(again.address, again.keys[three]).ask("/study")[1]["code"] == three
    more = serve(text=TEXT.replace("participants: 3", "participants: 4"))
    assert len(more.keys) == 1
    assert not more.keys.keys() & people.keys()
    (tmp_path / "study.yaml").write_text(TEXT.replace("You may stop", "You must not stop"), "utf-8")
    changed = arena("study", tmp_path / "study.yaml", "-o", made)
    assert changed.exit_code == 2
    assert "this study was begun with other consent; put that back" in " ".join(changed.stderr.split())
