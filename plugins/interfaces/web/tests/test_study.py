"""Studies: what their file may say, how they are balanced, and whole studies with the real server and real matches."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
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
from arena_web.held.match_names import match_name
from arena_web.serving.routes import ROUTES
from arena_web.studies.study_file import Study
from arena_web.studies.study_plan import benchmark_of, order_of, read_study

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

NAMES = re.compile(rb"canary|first-legal|random")
"""Names of conditions and of the agents in them, which no participant is told."""

ANSWERS = {"before": {"age": 40, "plays": "=often"}, "after": {"fun": 6, "said": "=1+1"}}


def study_of(tmp_path: Path, text: str) -> Study:
    file = tmp_path / "study.yaml"
    file.write_text(text, "utf-8")
    return read_study(file, Catalog())


def conditions(count: int, each: str, participants: int = 12) -> str:
    named = "".join(f"  c{at}: {{game: tic-tac-toe, against: random, matches: 2}}\n" for at in range(count))
    return f"name: n\nconsent: yes, I do\nseed: 5\nparticipants: {participants}\neach: {each}\nconditions:\n{named}"


# ---- the file and the plan -------------------------------------------------------------------------------------------


MISTAKEN = """
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


def test_all_mistakes_are_told_at_once(tmp_path):
    """Each mistake stands with its line and its path, those of games and agents in the words of a benchmark."""
    with pytest.raises(ConfigError) as told:
        study_of(tmp_path, MISTAKEN)

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
    """``arena study`` in a process of its own: its address, its directory, and the key of each code it printed."""

    address: str
    made: Path
    keys: dict[str, str]

    @property
    def people(self) -> list[Person]:
        """The participants whose links it printed."""
        return [Person(self.address, key, self.made / "runs" / code) for code, key in self.keys.items()]


@attrs.define
class Person:
    """A participant with a key, in a browser that says what it is; where its matches are; and all it was told."""

    address: str
    key: str
    run: Path
    told: list[bytes] = attrs.field(factory=list[bytes])

    @property
    def code(self) -> str:
        """The participant's code."""
        return self.run.name

    @property
    def step(self) -> str:
        """Where in the study it is."""
        return self.ask("/study")[1]["step"]

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


@contextlib.contextmanager
def studying(folder: Path) -> Iterator[Callable[..., Served]]:
    """A function that starts the study of a file in a directory, in a process that ends with the block."""
    with contextlib.ExitStack() as stack:

        def start(*options: str, text: str = TEXT) -> Served:
            (folder / "study.yaml").write_text(text, "utf-8")
            command = [PROGRAM, "study", "study.yaml", "-o", "made", "--port", "0", *options]
            wide = {**os.environ, "COLUMNS": "400"}  # so that the line with the address is not broken
            with (folder / "links.txt").open("w") as links:
                process = subprocess.Popen(
                    command, cwd=folder, env=wide, stdout=links, stderr=subprocess.PIPE, text=True
                )
            stack.callback(process.wait, 30)
            stack.callback(process.terminate)
            assert process.stderr is not None
            found = next(filter(None, (re.search(r"served at (http://\S+)", line) for line in process.stderr)))
            lines = (folder / "links.txt").read_text().splitlines()  # what was printed before it said so
            keys = {line.split()[1]: line.split()[0].partition("#")[2] for line in lines}
            return Served(found[1], folder / "made", keys)

        yield start


@pytest.fixture(scope="module")
def newcomers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Person]]:
    """Participants of one study who have not been there yet, one after another."""
    with studying(tmp_path_factory.mktemp("newcomers")) as start:
        yield iter(start(text=TEXT.replace("participants: 3", "participants: 9")).people)


@pytest.fixture
def newcomer(newcomers: Iterator[Person]) -> Iterator[Person]:
    """A participant who has not been there yet, and is told no name of a condition or of the other player."""
    person = next(newcomers)
    yield person
    assert not NAMES.search(b"".join(person.told))


@pytest.mark.campaign
def test_nothing_is_taken_before_its_time(newcomer):
    """Nothing is kept before the text is agreed to, and no part of the study is reached before those in front of it."""
    assert newcomer.step == "consent"
    assert newcomer.ask("/study/matches", {})[0] == 409
    refused = newcomer.answer("before")
    assert (refused[0], refused[1]["error"]["what"]) == (409, "you have not agreed to take part yet")
    assert newcomer.ask("/study/consent", {"digest": "0" * 64})[0] == 409
    assert newcomer.ask("/seat")[0] == 409

    assert newcomer.agree()["step"] == "before"
    assert newcomer.answer("after")[0] == 409
    assert newcomer.ask("/study/matches", {})[0] == 409


@pytest.mark.campaign
def test_every_mistake_of_a_part_is_told_at_once(newcomer):
    """Each answer that its question does not take is told with the question, and nothing of the part is kept."""
    newcomer.agree()

    status, wrong = newcomer.answer("before", {"age": 7, "plays": "always", "name": "Ann"})

    assert (status, {each["question"]: each["what"] for each in wrong["problems"]}) == (
        422,
        {
            "age": "expected a number from 18 to 120",
            "plays": "expected one of: never, =often",
            "name": "there is no such question",
        },
    )
    for age in (10**400, True, "40", "\ud800"):
        assert newcomer.answer("before", {"age": age, "plays": "never"})[0] == 422
    assert newcomer.answer("before", {"age": None, "plays": ""})[1]["problems"][0]["what"] == "this must be answered"
    assert newcomer.step == "before"


@pytest.mark.campaign
def test_first_answers_are_kept(newcomer):
    """The same answers may come again, others may not."""
    newcomer.agree()

    assert newcomer.answer("before")[1]["step"] == "matches"
    assert newcomer.answer("before")[0] == 200
    status, second = newcomer.answer("before", {"age": 41, "plays": "never"})

    assert (status, second["error"]["what"]) == (
        409,
        "these questions have been answered before, and the first answers are kept",
    )


@attrs.frozen
class Taken:
    """A study that was taken part in: who did everything, who stopped after a match, and who never came."""

    made: Path
    ann: Person
    bob: Person
    absent: Person
    steps: list[str]
    """Where the first was, once each thing was done."""
    refused: Any
    """What the first was told of an answer beyond the scale."""


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taken]:
    """A study, still served, in which nobody plays any more."""
    with studying(tmp_path_factory.mktemp("taken")) as start:
        served = start()
        ann, bob, absent = served.people
        steps = [ann.step, ann.agree()["step"], ann.answer("before")[1]["step"]]
        ann.play(1)  # left after one, and resumed
        steps.append(ann.step)
        ann.play()
        steps.append(ann.step)
        refused = ann.answer("after", {"fun": 8})
        steps.append(ann.answer("after")[1]["step"])
        bob.agree()
        bob.answer("before", {"age": 20.5, "plays": "never"})
        bob.play(1)
        RemoteControl(bob.run).stop("as a machine that is switched off")
        while is_played(ann.run) or is_played(bob.run):  # the first process ends by itself
            pass
        yield Taken(served.made, ann, bob, absent, steps, refused)


@pytest.mark.campaign
def test_study_is_taken_part_in(taken):
    """Consent, questions, matches and questions follow each other; matches may be left and resumed."""
    assert taken.steps == ["consent", "before", "matches", "matches", "after", "over"]
    assert taken.refused[1]["problems"] == [{"question": "fun", "what": "expected a step from 1 to 7"}]
    assert taken.bob.ask("/study")[1]["matches"] == {"done": 1, "total": 2}


@pytest.mark.campaign
def test_participant_is_not_told_what_a_condition_is_called(taken):
    """No byte that a participant is sent says what its conditions are called, or who the other player is."""
    played = [match_name(plan.id) for plan in plans_of(taken.ann.run)]

    assert [taken.ann.ask(f"/seat/match/{match}{more}")[0] for match in played for more in ("", "/frames")] == [200] * 4
    assert not NAMES.search(b"".join(taken.ann.told))


@pytest.mark.campaign
def test_seat_of_matches_that_nobody_plays_says_so(taken):
    """A participant whose matches nobody plays any more, such as after a machine was switched off, is told so."""
    status, idle = taken.bob.ask("/seat/turn?after=-1&match=" + taken.bob.ask("/seat")[1]["match"])

    assert (status, idle["state"]) == (503, "not running")


@pytest.mark.campaign
def test_participant_has_no_right_but_its_own(taken):
    """The key of a participant opens no route but those of participants and seats."""
    person = attrs.evolve(taken.ann, told=[])
    others = [route for route in ROUTES if not {"seat", "participant"} & {*route.rights}]

    asked = [
        (re.sub(r"\{\w+\}", "0", route.path), {} if route.method == "POST" else None, route.method) for route in others
    ]

    assert [each for each in asked if person.ask(*each)[0] != 403] == []


@pytest.fixture(scope="module")
def exported(taken: Taken, arena_anywhere: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of participants of an export; those of matches and of columns lie beside it."""
    out = tmp_path_factory.mktemp("exported") / "out.csv"
    assert arena_anywhere("study", "export", taken.made, "-o", out).exit_code == 0
    return out


@pytest.mark.campaign
def test_export_explains_every_column(exported):
    """The book has every column of both files, in their order, with its kind and what it means."""
    import pandas

    book = json.loads(exported.with_suffix(".codebook.json").read_text())

    assert [each["name"] for each in book["participants"]] == [*pandas.read_csv(exported).columns]
    assert [each["name"] for each in book["matches"]] == [
        *pandas.read_csv(exported.with_suffix(".matches.csv")).columns
    ]
    assert all(each["meaning"] and each["kind"] for each in (*book["participants"], *book["matches"]))


@pytest.mark.campaign
def test_export_has_a_row_for_each_who_agreed(exported, taken):
    """A participant who agreed has one row, with what was answered and done; one who never came has none."""
    import pandas

    rows = pandas.read_csv(exported).set_index("code")
    ann, bob = taken.ann.code, taken.bob.code

    assert sorted(rows.index) == sorted((ann, bob))
    assert rows.loc[ann, ["before_age", "after_fun", "matches_over", "finished"]].tolist() == [40, 6, 2, True]
    assert rows.loc[bob, ["before_age", "matches_over", "finished"]].tolist() == [20.5, 1, False]
    assert pandas.isna(rows.loc[bob, "after_fun"])
    assert rows.loc[ann, "after_said"] == "'=1+1"  # no formula for a spreadsheet
    assert set(rows.loc[ann, ["condition_1", "condition_2"]]) == {"canary-one", "canary-two"}


@pytest.mark.campaign
def test_export_has_a_row_for_each_match(exported, taken):
    """A match has one row: its place, its condition, the other player, and how it ended."""
    import pandas

    rows = pandas.read_csv(exported).set_index("code")
    matches = pandas.read_csv(exported.with_suffix(".matches.csv"))
    own = matches[matches["code"] == taken.ann.code]

    assert own["order"].tolist() == [1, 2]
    assert own["condition"].tolist() == rows.loc[taken.ann.code, ["condition_1", "condition_2"]].tolist()
    easy = own[own["condition"] == "canary-one"].iloc[0]
    assert (easy["against"], easy["seat"], easy["ending"]) == ("first-legal", 0, "rules")
    assert easy["turns"] >= 3
    assert (own["seconds"] >= 0).all()


@pytest.mark.campaign
def test_study_is_exported_as_json(taken, arena, tmp_path):
    """One file of JSON has all participants and matches, with texts as they were given; there is no other format."""
    assert arena("study", "export", taken.made, "-o", tmp_path / "out.json").exit_code == 0
    whole = json.loads((tmp_path / "out.json").read_text())

    assert len(whole["matches"]) == 3
    assert [each["after_said"] for each in whole["participants"] if each["code"] == taken.ann.code] == ["=1+1"]
    assert "expected a file that ends in" in arena("study", "export", taken.made, "-o", tmp_path / "out.xlsx").stderr


@pytest.mark.campaign
def test_matches_of_participants_are_reported_by_condition(taken, arena):
    """A report of several participants compares the conditions by their names."""
    told = arena("report", taken.ann.run, taken.bob.run).stdout

    assert "canary-one" in told
    assert "canary-two" in told


def contents(folder: Path) -> dict[Path, bytes]:
    """All files below a directory."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.campaign
def test_files_hold_nothing_that_says_who_somebody_is(taken):
    """No file of a study holds a browser, an address or a key, and nobody else may read them."""
    whole = b"".join(contents(taken.made).values())

    assert whole
    assert b"canary-of-the-browser" not in whole
    assert b"127.0.0.1" not in whole
    assert not [each.code for each in (taken.ann, taken.bob, taken.absent) if each.key.encode() in whole]
    assert taken.made.stat().st_mode & 0o777 == 0o700
    assert (taken.made / "study.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.fixture
def serve(taken: Taken, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """A function that starts a copy of the study, which the test may change."""
    shutil.copytree(taken.made, tmp_path / "made")
    with studying(tmp_path) as start:
        yield start


@pytest.mark.campaign
def test_participant_is_forgotten(taken, serve, arena, tmp_path):
    """What one participant gave is taken away, even while it plays, and nothing else is."""
    import pandas

    served = serve()
    ann, bob = (attrs.evolve(each, address=served.address) for each in (taken.ann, taken.bob))
    before = contents(served.made)
    assert bob.ask("/study/matches", {})[0] == 200  # resumed, and played when it is to be forgotten

    assert arena("study", "forget", served.made, bob.code).exit_code == 0

    assert [bob.ask(path)[0] for path in ("/study", "/seat")] == [401, 401]
    left = contents(served.made)
    assert not [path for path, content in left.items() if bob.code.encode() in content or bob.code in str(path)]
    gone = {path.relative_to(served.made).parts for path in before.keys() - left.keys()}
    assert {parts[:1] for parts in gone} == {("runs",), ("keys",)}
    assert {parts[1] for parts in gone if parts[0] == "runs"} == {bob.code, f"{bob.code}.yaml"}
    assert len([parts for parts in gone if parts[0] == "keys"]) == 1
    assert all(content == before[path] for path, content in left.items() if ann.code in str(path))
    assert arena("study", "export", served.made, "-o", tmp_path / "out.csv").exit_code == 0
    assert pandas.read_csv(tmp_path / "out.csv")["code"].tolist() == [ann.code]
    assert ann.step == "over"


@pytest.mark.campaign
def test_nobody_is_forgotten_by_a_wrong_code(taken, arena):
    """A code that no participant has is refused."""
    assert "no participant 'nobody'" in arena("study", "forget", taken.made, "nobody").stderr


@pytest.mark.campaign
def test_study_goes_on_when_it_is_started_again(taken, serve):
    """Links stay, one that is made anew ends the one before, and the code of a further participant is a new one."""
    serve()
    again = serve("--link", taken.absent.code)
    ann, absent = (attrs.evolve(each, address=again.address) for each in (taken.ann, taken.absent))

    assert [each.code for each in again.people] == [absent.code]
    assert ann.step == "over"
    assert absent.ask("/study")[0] == 401
    assert again.people[0].ask("/study")[1]["code"] == absent.code
    more = serve(text=TEXT.replace("participants: 3", "participants: 4"))
    assert len(more.keys) == 1
    assert not more.keys.keys() & {taken.ann.code, taken.bob.code, taken.absent.code}


@pytest.mark.campaign
def test_study_is_not_started_with_other_consent(taken, arena, tmp_path):
    """Whoever agreed did so to one text, so that a study with another is refused."""
    (tmp_path / "study.yaml").write_text(TEXT.replace("You may stop", "You must not stop"), "utf-8")

    changed = arena("study", tmp_path / "study.yaml", "-o", taken.made)

    assert changed.exit_code == 2
    assert "this study was begun with other consent; put that back" in " ".join(changed.stderr.split())
