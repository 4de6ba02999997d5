"""Rounds that a game's events mark, and what is scored in each, from rubric to agreement."""

import json
import re
from random import Random

import arena
import pytest
from arena.agent import Refusal
from arena.backend import Completion
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena_backend_scripted.legal import instance
from arena_cli.application.group import group
from arena_engine import Journal
from arena_game_negotiation.negotiation import Negotiation
from arena_metric_judge import rubric
from arena_metric_judge.judge import question_about
from arena_metric_judge.question import Judgement
from arena_metric_judge.story import story
from arena_report import build
from click.testing import CliRunner

PLAIN = """\
per: round
players: one
round: {event: proposed}
system: You judge.
user: "{round}|{player}|{players}|{story}|{dimensions}|{answer}"
dimensions:
  fair: {title: Fair, scale: [0, 1], meaning: gives a good share}
  tone: {title: Tone, scale: [warm, cold], meaning: how it speaks}
"""

ITEMS = """\
per: round
round: {event: begun, by: phase}
parties: {event: start, field: hands, everybody: ALL}
events: {said: [from, to], planned: [who], moved: []}
justification: false
system: You judge.
user: "{round}|{player}|{players}\\n{story}\\n{dimensions}\\n{answer}"
items:
  message: {event: said, party: from}
  pair: {title: each listener in a round, event: said, party: from, by: [round, to]}
  offer: {within: message}
dimensions:
  honest: {of: message, scale: boolean, meaning: says what it plans, needs: {event: planned, party: who, field: plan}}
  kind: {of: message, scale: boolean, meaning: is kind}
  tone: {of: pair, scale: [warm, cold], meaning: how it speaks}
  to: {of: offer, scale: party, meaning: whom it is made to}
  text: {of: offer, scale: text, meaning: the offer}
  things: {of: offer, scale: texts, meaning: what is offered}
  taken: {of: offer, scale: ["yes", "no"], meaning: whether it was taken}
"""


def judge(*rules, **more):
    backend = {"use": "scripted", **({"rules": [{"when": w, "say": s} for w, s in rules]} if rules else {})}
    return {"use": "judge", "backend": backend, **more}


def run(metric, directory, repeats=1):
    plain = {
        "name": "rounds",
        "seed": 2,
        "games": {"talks": {"use": "negotiation", "rounds": 3}},
        "agents": {"one": "random", "two": "random"},
        "schedule": {"use": "fixed", "seatings": [["one", "two"]], "repeats": repeats},
        "metrics": [metric],
    }
    return arena.run(plain, output=directory).directory


def judged(directory):
    with Journal.open(directory) as journal:
        found = [m for each in journal.judgements("judge").values() for m in each]
        return found, list(journal.records())


def tables(directory):
    with Journal.open(directory) as journal:
        return {table.title: table for section in build([journal]).sections for table in section.tables}


@pytest.fixture
def plain(tmp_path):
    def write(text=PLAIN, *changes):
        path = tmp_path / "rounds.yaml"
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        return str(path)

    return write


def score(value):
    return {"justification": "so it is", "score": value}


SCORES = {"fair": score(0.5), "tone": score("warm")}


def proposals(record):
    return [event for event in record.events if event.kind == "proposed"]


@pytest.mark.slow
def test_each_round_is_judged_for_each_player(plain, tmp_path):
    """A rubric says which event begins a round; each player gets a question for each, and words are counted."""
    found, (record,) = judged(run(judge((".", json.dumps(SCORES)), rubric=plain()), tmp_path / "run"))
    rounds = [str(number + 1) for number, _ in enumerate(proposals(record))]
    scores = [m for m in found if m.name == "score"]

    assert len(rounds) > 1
    assert [(m.detail["round"], m.player) for m in scores if m.detail["dimension"] == "tone"] == [
        (name, player) for name in rounds for player in (0, 1)
    ]
    assert {m.detail["party"] for m in scores if m.player == 1} == {"BOB"}
    rows = {row[1:3]: (row[3], row[4].value) for row in tables(tmp_path / "run")["Scores: rounds"].rows}
    assert rows["one", "Tone: warm"] == (len(rounds), 1.0)
    assert rows["one", "Tone: cold"] == (len(rounds), 0.0)
    assert rows["two", "Fair"] == (len(rounds), 0.5)


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(
    ("players", "answer", "of"),
    [
        ("all", {"ALICE": SCORES, "BOB": SCORES}, {0, 1}),
        ("none", SCORES, {None}),
    ],
)
def test_one_question_can_score_a_round(players, answer, of, plain, tmp_path):
    """One question a round scores all players, or the round itself."""
    file = plain(PLAIN, ("players: one", f"players: {players}"))
    found, (record,) = judged(run(judge((".", json.dumps(answer)), rubric=file), tmp_path / "run"))

    asked = [m for m in found if m.name == "asked"]
    assert [(m.value, m.detail["round"], m.player) for m in asked] == [
        (True, str(number), None) for number in range(1, len(proposals(record)) + 1)
    ]
    assert {m.player for m in found if m.name == "score"} == of
    assert "Scores: rounds" in tables(tmp_path / "run")


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(("sees", "shown"), [("round", (2,)), ("far", (1, 2)), ("whole", (1, 2, 3))])
def test_a_rubric_says_how_much_of_the_match_is_told(sees, shown, plain, tmp_path):
    """A round is judged by itself, by the match so far, or by all of it."""
    file = plain(PLAIN, ("players: one", f"players: none\nsees: {sees}"))
    directory = run(judge((".", json.dumps(SCORES)), rubric=file), tmp_path / "run")
    with Journal.open(directory) as journal:
        (record,) = journal.records()
        asked = {
            a.scope: json.loads(a.request)["messages"][1]["parts"][0] for a in journal.recorded(record.id).values()
        }
    told = asked["metric/judge/join/round-2-0/0"].split("|")[3]

    assert len(proposals(record)) == 3
    assert told.count(" proposes to keep ") == len(shown)


@pytest.mark.slow
def test_what_a_judge_said_is_asked_once(plain, tmp_path):
    """Going on with a run that is judged asks nothing again; each round and player has a branch of its own."""
    directory = run(judge((".", json.dumps(SCORES)), rubric=plain()), tmp_path / "run")

    def scopes():
        with Journal.open(directory) as journal:
            return sorted(a.scope for r in journal.records() for a in journal.recorded(r.id).values())

    before = scopes()
    assert CliRunner().invoke(group, ["resume", str(directory)]).exit_code == 0
    assert scopes() == before
    assert "metric/judge/join/round-1-ALICE-0/0" in before


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", "empty"),
        ("I would call it fair.", "unreadable"),
        (json.dumps(SCORES | {"fair": score(3)}), "illegal"),
        (json.dumps(SCORES | {"tone": score("hot")}), "illegal"),
        (json.dumps({"tone": score("warm")}), "illegal"),
        ("word " * 100, "truncated"),
    ],
)
def test_refused_answers_are_classified(said, kind, plain, tmp_path):
    """What is no answer in the form asked for is counted by its kind; no score comes of it."""
    metric = judge((".", said), rubric=plain(), tries=2)
    metric["backend"]["max-tokens"] = 50
    found, _ = judged(run(metric, tmp_path / "run"))
    (row,) = tables(tmp_path / "run")["Answers of the judge"].rows

    assert {m.name for m in found} == {"asked"}
    assert {(m.value, m.detail["kind"], m.detail["tries"]) for m in found} == {(False, kind, 2)}
    assert row[3].value == 1.0
    assert f"Refused as {kind}: {len(found)}." in tables(tmp_path / "run")["Answers of the judge"].note


def match(*events):
    """A match of two players of whom the first is NORTH and EAST, and the second WEST."""
    plan = MatchPlan(id="m", game="talks", agents=("one", "two"), pairing="p", repeat=0, rotation=0, chance_seed=1)
    start = Event(0, "game", "start", None, {"hands": [["NORTH", "EAST"], ["WEST"]]}, None)
    return MatchRecord(plan=plan, seats=("A", "B"), ending=Ending.RULES, returns=(1.0, 0.0), events=(start, *events))


def event(step, kind, seen_by=None, /, **data):
    return Event(step, "game", kind, None, data, None if seen_by is None else tuple(map(Player, seen_by)))


def said(step, number, sender, to, text, seen_by=(0, 1)):
    return event(step, "said", seen_by, **{"from": sender, "to": to, "round": number, "text": text})


TALK = (
    event(0, "begun", phase="SPRING", round=1),
    event(1, "planned", (0,), who="NORTH", plan="peace"),
    said(1, 1, "NORTH", ["WEST"], "north to west"),
    said(1, 1, "WEST", ["EAST"], "west to east"),
    event(1, "begun", phase="SPRING", round=2),
    said(2, 2, "NORTH", ["ALL"], "north to all", None),
    said(2, 2, "EAST", ["NORTH"], "east to north", (0,)),
    event(2, "planned", (1,), who="WEST", plan=""),
    said(2, 2, "WEST", ["NORTH", "EAST"], "west to both"),
    event(3, "moved", orders="all moved in spring"),
    event(3, "begun", phase="FALL", round=1),
    event(4, "moved", orders="all moved in fall"),
)


def told(text, *events, limit=10_000):
    asked = rubric.load(text)
    return story(match(*events), Negotiation(), asked), asked


def test_events_of_one_phase_are_one_round(plain):
    """Events with the same value of the field ``by`` begin one round; who said nothing is not asked about."""
    found, asked = told(plain(ITEMS), *TALK)

    assert [(s.round, s.party, s.player) for s in found.subjects(asked)] == [
        ("SPRING", "NORTH", 0),
        ("SPRING", "EAST", 0),
        ("SPRING", "WEST", 1),
    ]


def test_items_are_events_and_different_values(plain):
    """Messages are scored one by one, listeners once a round, and a message to all once; plans make a difference."""
    found, asked = told(plain(ITEMS), *TALK)
    north, _, west = found.subjects(asked)

    def items(subject):
        return [(item.label, [d.name for d in item.dimensions]) for item in found.items(subject, asked)]

    assert items(north) == [
        ("message 1", ["honest", "kind"]),
        ("message 2", ["honest", "kind"]),
        ("round 1, to WEST", ["tone"]),
        ("round 2, to ALL", ["tone"]),
    ]
    assert items(west) == [
        ("message 1", ["kind"]),
        ("message 2", ["kind"]),
        ("round 1, to EAST", ["tone"]),
        ("round 2, to NORTH", ["tone"]),
        ("round 2, to EAST", ["tone"]),
    ]


def test_a_judge_is_told_what_concerns_the_party(plain):
    """It sees what the party said, was told and planned, and what all saw; other powers of its player stay out."""
    found, asked = told(plain(ITEMS), *TALK)
    north, east, _ = found.subjects(asked)

    def shown(subject, limit=10_000):
        _, question = question_about(found, asked, (subject,), (0, 1))
        return found.told(subject, asked, (0, 1), limit, question.items)

    for text in ("north to west", "west to both", "east to north", "all moved in spring", '"plan":"peace"'):
        assert text in shown(north)
    for text in ("west to east", "all moved in fall"):
        assert text not in shown(north)
    assert "north to west" not in shown(east)
    assert shown(north).startswith("planned")
    assert "[message 2; round 2, to ALL] said" in shown(north)
    assert shown(north, limit=80).splitlines()[0] == "(earlier events are left out)"
    assert "[message 1; round 1, to WEST] said" in shown(north, limit=80)
    assert "all moved in spring" in shown(north, limit=80)


def played(step, player, by):
    return Event(step, "referee", "played", Player(player), {"action": 1, "turn": 0, "try": 0, "by": by}, ())


def test_what_a_policy_put_in_is_not_scored(plain):
    """What a player did not choose itself is told and not scored; what it chooses later is."""
    script = (TALK[0], played(1, 0, "random"), played(1, 1, "agent"), *TALK[2:5], played(2, 0, "agent"), *TALK[5:7])
    found, asked = told(plain(ITEMS), *script)
    subjects = {subject.party: subject for subject in found.subjects(asked)}
    north = found.items(subjects["NORTH"], asked)

    assert [item.place for item in north] == ["message 1", "round 2, to ALL"]
    assert "north to west" in found.told(subjects["NORTH"], asked, (0, 1), 10_000, north)
    assert [item.place for item in found.items(subjects["WEST"], asked)] == ["message 1", "round 1, to EAST"]


def test_a_match_without_rounds_has_nothing_to_be_judged(plain):
    """Where no event begins a round, a rubric of rounds asks nothing; where nobody is named, neither."""
    found, asked = told(plain(ITEMS))

    assert found.subjects(asked) == ()


def test_who_takes_part_must_be_listed_for_each_player(plain):
    """An event that should name the parties and does not is an error that says so."""
    asked = rubric.load(plain(ITEMS, ("field: hands", "field: fingers")))

    with pytest.raises(ValueError, match="the event 'start' of match 'm' does not list in 'fingers'"):
        story(match(*TALK), Negotiation(), asked)


def question(file):
    found, asked = told(file, *TALK)
    return question_about(found, asked, found.subjects(asked)[:1], (0, 1))[1]


OFFER = {"to": "WEST", "text": "peace", "things": ["A", "B"], "taken": "yes"}


def answer(**changes):
    messages = {f"message {n}": {"honest": True, "kind": False, "offer": [OFFER]} for n in (1, 2)}
    return {**messages, "round 1, to WEST": {"tone": "warm"}, "round 2, to ALL": {"tone": "cold"}} | changes


def test_an_answer_scores_items_and_what_is_found_in_them(plain):
    """Each item has its scores under its label; what is found within one is noted and scored, any number of times."""
    read = question(plain(ITEMS)).read(Completion(text=json.dumps(answer())))

    assert isinstance(read, Judgement)
    assert [(s.place, s.dimension.name, s.value) for s in read.scores if s.item.kind == "message"] == [
        (place, name, value)
        for message in ("message 1", "message 2")
        for place, name, value in (
            (message, "honest", True),
            (message, "kind", False),
            (f"{message}, offer 1", "taken", "yes"),
        )
    ]
    assert [(s.place, s.value) for s in read.scores if s.item.kind == "pair"] == [
        ("round 1, to WEST", "warm"),
        ("round 2, to ALL", "cold"),
    ]
    assert read.found[0].notes == ({"to": "WEST", "text": "peace", "things": ["A", "B"]},)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"message 1": {"honest": True, "kind": False}}, "message 1: the scores: 'offer' is missing"),
        ({"round 1, to WEST": {"tone": "hot"}}, 'round 1, to WEST: tone: expected warm or cold, got "hot"'),
        ({"message 2": {"honest": True, "kind": True, "offer": {}}}, "message 2: offer: expected a list of at most 20"),
        (
            {"message 2": {"honest": True, "kind": True, "offer": [{**OFFER, "to": "SOUTH"}]}},
            'message 2: to: expected NORTH or EAST or WEST or ALL, got "SOUTH"',
        ),
        (
            {"message 2": {"honest": True, "kind": True, "offer": [{**OFFER, "things": "A"}]}},
            'message 2: things: expected a list of texts, got "A"',
        ),
    ],
)
def test_what_is_wrong_with_an_item_is_said(changes, problem, plain):
    """The judge is told which item of its answer has which fault; the answer is clear and breaks the form."""
    read = question(plain(ITEMS)).read(Completion(text=json.dumps(answer(**changes))))

    assert isinstance(read, Refusal)
    assert (read.kind, read.reason) == ("illegal", problem)


def test_an_item_that_nobody_asked_for_breaks_the_form(plain):
    """An answer with more than the asked keys is unreadable, as every agent's is."""
    read = question(plain(ITEMS)).read(Completion(text=json.dumps(answer(**{"message 3": {}}))))

    assert isinstance(read, Refusal)
    assert read.kind == "unreadable"
    assert read.reason.startswith("nobody asked for the key 'message 3'; write the same answer again")


def test_the_schema_and_the_sample_have_the_form(plain):
    """Whatever fits the schema is read; the sample in the prompt shows each form once."""
    asked = question(plain(ITEMS))

    for seed in range(20):
        drawn = instance(asked.schema(), Random(seed))
        assert isinstance(asked.read(Completion(text=json.dumps(drawn))), Judgement)
    sample = json.loads(asked.skeleton())
    assert list(sample) == list(answer())
    assert sample["message 2"] == "<as in 'message 1'>"
    assert sample["message 1"]["offer"][0]["taken"] == "<yes or no>"


OFFERS = """\
per: round
round: {event: proposed}
events: {proposed: [], decided: []}
justification: false
system: You judge.
user: "{player}|{story}|{dimensions}|{answer}"
items:
  proposal: {event: proposed, party: player}
  promise: {within: proposal}
dimensions:
  fair: {of: proposal, title: Fair, scale: boolean, meaning: gives a good share}
  to: {of: promise, scale: party, meaning: to whom}
  what: {of: promise, scale: texts, meaning: what is promised}
  kept: {of: promise, title: Kept, scale: ["yes", "no"], meaning: whether it was kept}
"""


def offer(fair, *kept):
    promises = [{"to": "BOB", "what": ["a hat"], "kept": each} for each in kept]
    return json.dumps({"proposal 1": {"fair": fair, "promise": promises}})


@pytest.mark.slow
def test_only_who_acted_in_a_round_is_asked_about(plain, tmp_path):
    """The number of a player in an event names its seat; a round asks about those who have something to score."""
    found, (record,) = judged(run(judge((".", offer(True, "yes", "no")), rubric=plain(OFFERS)), tmp_path / "run"))
    asked = [(m.detail["round"], m.player) for m in found if m.name == "asked"]

    assert asked == [(str(n), e.data["player"]) for n, e in enumerate(proposals(record), start=1)]
    assert [m.value for m in found if m.name == "found"] == [2] * len(asked)
    assert {m.detail["item"] for m in found if m.name == "score"} == {
        "proposal 1",
        "proposal 1, promise 1",
        "proposal 1, promise 2",
    }
    assert all(m.detail["justification"] == "" for m in found if m.name == "score")
    rows = {row[1:3]: row[3] for row in tables(tmp_path / "run")["Scores: rounds"].rows}
    assert rows["one", "Kept: yes"] == 2 * sum(player == 0 for _, player in asked)


@pytest.mark.slow
def test_repeated_judgements_agree_where_both_found_the_same_number(plain, tmp_path):
    """What was found is held against each other item by item, and so is how much was found."""
    rules = ((r"^ALICE", offer(True, "yes")), (r"^BOB", offer(False, "no", "no")))
    found, _ = judged(run(judge(*rules, rubric=plain(OFFERS), samples=2), tmp_path / "run"))
    rows = {row[0]: row[1:] for row in tables(tmp_path / "run")["Agreement of repeated judgements"].rows}

    asked = sum(m.name == "asked" and m.detail["sample"] == 0 for m in found)
    assert (rows["Fair"][0], rows["Fair"][1].value) == (asked, 1.0)
    assert (rows["promise: number found"][0], rows["promise: number found"][1].value) == (asked, 1.0)
    assert rows["Kept"][2] is None


def annotate(directory, *more, said=""):
    return CliRunner().invoke(group, ["annotate", str(directory), *more], input=said)


@pytest.mark.slow
def test_a_person_scores_rounds_and_is_held_against_the_judge(plain, tmp_path):
    """A person is shown the round and asked about each item; agreement counts what both scored."""
    file = plain(OFFERS)
    directory = run(judge((".", offer(True, "yes")), rubric=file), tmp_path / "run")
    first = annotate(directory, "--rubric", file, said="yes\n1\nALICE\na hat; a ball\nmaybe\nno\nq\n")
    (line,) = (directory / "annotations.jsonl").read_text().splitlines()

    assert first.exit_code == 0, first.output
    assert "[proposal 1] ALICE proposes to keep" in " ".join(first.output.split())
    assert "--- score ALICE in round 1" in " ".join(first.output.split())
    assert "kept: expected yes or no, got" in " ".join(first.output.split())
    assert json.loads(line)["round"] == "1"
    assert json.loads(line)["party"] == "ALICE"
    assert json.loads(line)["scores"] == {
        "proposal 1": {
            "fair": {"score": True, "justification": ""},
            "promise": [
                {"to": "ALICE", "what": ["a hat", "a ball"], "kept": {"score": "no", "justification": ""}},
            ],
        }
    }
    again = annotate(directory, "--rubric", file, said="no\n0\n" * 2)
    assert "score ALICE in round 1" not in " ".join(again.output.split())
    done = annotate(directory, "--rubric", file, "--compare")
    assert done.exit_code == 0, done.output
    told = " ".join(done.output.split())  # a wide table of few rows is turned
    assert "dimension Fair Kept promise: number found pairs 3 1 3 agreement 33 % 0 % 33 %" in told


@pytest.mark.slow
def test_a_person_may_be_shown_a_drawn_share(plain, tmp_path):
    """With a share only some subjects are asked about, the same for everybody."""
    file = plain(OFFERS)
    directory = run(judge((".", offer(True)), rubric=file), tmp_path / "run", repeats=8)
    with Journal.open(directory) as journal:
        every = sum(len(proposals(record)) for record in journal.records())

    for name in ("ann", "bob"):
        assert (
            annotate(directory, "--rubric", file, "--as", name, "--share", "0.5", said="no\n0\n" * every).exit_code == 0
        )
    lines = [json.loads(line) for line in (directory / "annotations.jsonl").read_text().splitlines()]
    places = {name: [(e["match"], e["round"]) for e in lines if e["annotator"] == name] for name in ("ann", "bob")}

    assert places["ann"] == places["bob"]
    assert 0 < len(places["ann"]) < every


@pytest.mark.parametrize(
    ("text", "change", "complaint"),
    [
        (PLAIN, ("players: one", "players: two"), "'players': expected one of one, all, none, got 'two'"),
        (PLAIN, ("{player}|", "|"), "'user' has no {player}"),
        (PLAIN, ("[warm, cold]", "[warm, warm]"), "dimensions.tone.scale: expected boolean or"),
        (PLAIN, ("{event: proposed}", "{evnt: proposed}"), "unknown key 'evnt'"),
        (PLAIN, ("meaning: how it speaks", "meaning: how, of: offer"), "dimensions.tone.of: the rubric has no 'items'"),
        (ITEMS, ("of: pair, ", ""), "dimensions.tone.of: expected one of message, pair, offer, got ''"),
        (ITEMS, ("offer: {within: message}", "offer: {within: pair}"), "items.offer.within: expected a kind of items"),
        (ITEMS, ("by: [round, to]", "by: round"), "items.pair.by: expected a list of fields"),
        (ITEMS, ("of: offer, scale: text,", "of: message, scale: text,"), "text is for what a judge finds within"),
        (ITEMS, ("field: plan}", "fields: plan}"), "dimensions.honest.needs: expected a table of event, party, field"),
        (ITEMS, ("per: round", "per: turn"), "unknown key 'events'"),
    ],
)
def test_mistakes_about_rounds_are_named(text, change, complaint, plain):
    """A rubric of rounds that cannot be used is refused, with the place of the mistake."""
    with pytest.raises(ValueError, match=re.escape(complaint)):
        rubric.load(plain(text, change))


def test_a_damaged_annotation_of_a_round_is_named(plain, tmp_path):
    """Scores of an item that do not fit the rubric are said, with the number of the line."""
    file = plain(OFFERS)
    directory = run(judge((".", offer(True)), rubric=file), tmp_path / "run")
    annotate(directory, "--rubric", file, said="yes\n0\nq\n")
    path = directory / "annotations.jsonl"
    path.write_text(path.read_text().replace('"score":true', '"score":"so"'))

    done = annotate(directory, "--rubric", file, "--compare")
    assert "annotations.jsonl: line 1: no score that fits the rubric: fair: expected true or false" in (
        " ".join(done.output.split())
    )
