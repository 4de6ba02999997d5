"""Reports built from real journals of matches made by hand."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import attrs
import pytest
from arena.chance import Chance
from arena.game import Decision, Game, GameFacts, Options, RandomReference, State
from arena.installing import install_line
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import EVERYONE, Ending, Event, Failure, GameEvent, MatchPlan, MatchRecord, Player
from arena.tables import Column, Estimate, Section, Table
from arena_engine.journal.journal import Journal
from arena_engine.journal.schema import Header
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.references.recorded_games import RecordedGame
from arena_report import assemble, baseline, baselines_of, build
from arena_report.content.run_facts import REFERENCES
from arena_report.metrics.measuring import measure_all


class Flip(State):
    """Player 0 guesses a coin; a right guess earns 1, a wrong one -1."""

    def __init__(self, side: int, can_end: bool) -> None:
        self.side, self.guess, self.can_end = side, None, can_end

    def to_act(self) -> Sequence[Player]:
        return () if self.guess is not None and self.can_end else (Player(0),)

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, options=Options([0, 1], ("heads", "tails").__getitem__))

    def observe(self, player: Player | None) -> None:
        return None

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        self.guess = actions[Player(0)]
        return ()

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        gain = 1.0 if self.guess == self.side else -1.0
        return (gain, -gain)


@attrs.frozen
class Coins(Game):
    fault: str = ""
    random: RandomReference | None = None
    rules = "guess"

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            chance=True,
            returns="zero-sum",
            min_return=-1,
            max_return=1,
            optimal_returns=(0.0, 0.0),
            optimal_source="it is a coin",
            random=self.random,
            max_steps=50,
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        if self.fault == "raises":
            raise KeyError("board")
        return Flip(chance.index("coin", 2), self.fault != "endless"), ()


@attrs.frozen
class Entry:
    game: Game
    players: int = 2


@attrs.frozen
class Bench:
    games: Mapping[str, Entry]
    metrics: Mapping[str, Metric]
    level: float = 0.95


@attrs.frozen
class Counting(Metric):
    """Counts actions and shows everything it was given."""

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        return [Measurement(name="actions", value=sum(1 for _ in match.record.played()))]

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        columns = (Column(name="match", title="match"), Column(name="block", title="block"))
        rows = tuple((row.match, row.block) for row in measurements.rows)
        yield Section(
            title="counted",
            tables=(Table(title="rows", columns=columns, rows=rows),),
            data={"table": measurements, "values": [row.value for row in measurements.rows]},
        )


class Broken(Counting):
    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        raise ZeroDivisionError("by nothing")


class Speechless(Counting):
    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        raise LookupError("no words")


def plan(repeat: int, rotation: int = 0, game: str = "coins", agents: tuple[str, ...] = ("ann", "bob")) -> MatchPlan:
    seated = agents if rotation == 0 else agents[::-1]
    return MatchPlan(
        id=f"{game}/{','.join(seated)}/{repeat}.{rotation}",
        game=game,
        agents=seated,
        pairing=",".join(sorted(agents)),
        repeat=repeat,
        rotation=rotation,
        chance_seed=repeat,
    )


def record(
    the_plan: MatchPlan, ending: Ending = Ending.RULES, by: str = "agent", reasoning: str = "a hunch"
) -> MatchRecord:
    refused = {"kind": "illegal", "reason": "no such side", "turn": 0, "try": 0, "action": "edge", "rule": "side"}
    played = {"action": 1, "label": "tails", "turn": 0, "try": 1, "by": by, "reasoning": reasoning}
    events = (
        Event(0, "referee", "refused", Player(0), refused, (Player(0),)),
        Event(0, "referee", "played", Player(0), played, (Player(0),)),
        Event(1, "game", "shown", None, {"side": 1}, EVERYONE),
    )
    returns = (1.0, -1.0) if ending is Ending.RULES else None
    failure = None if ending.is_result else Failure("KeyError: 'board'")
    return MatchRecord(
        plan=the_plan, seats=("left", "right"), ending=ending, returns=returns, steps=1, events=events, failure=failure
    )


def plain(**agents: str) -> dict[str, Any]:
    return {
        "games": {"coins": {"use": "coins"}},
        "agents": {name: {"use": use} for name, use in (agents or {"ann": "random", "bob": "random"}).items()},
        "metrics": ["counting"],
    }


@pytest.fixture
def make(tmp_path):
    """Write a journal of some plans and records."""
    opened: list[Journal] = []

    async def write(
        records: Sequence[MatchRecord],
        plans: Sequence[MatchPlan] = (),
        answers: Sequence[JournalEntry] = (),
        name: str = "night",
        seed: int = 7,
        id_: str = "",
        benchmark: Any = None,
    ) -> Journal:
        header = Header(
            id=id_ or f"run{len(opened)}",
            name=name,
            seed=seed,
            benchmark=benchmark or plain(),
            created="2024-01-01T00:00:00+00:00",
            core="0.1.0",
            python="3.11",
            platform="here",
            provenance=({"kind": "game", "name": "coins", "dist": "acme", "version": "2", "commit": "c" * 40},),
        )
        journal = Journal.create(
            tmp_path / str(len(opened)), header, tuple(dict.fromkeys([*(r.plan for r in records), *plans]))
        )
        opened.append(journal)
        for each in records:
            journal.finish(each)
        for answer in answers:
            await journal.record(answer)
        await journal.flush()
        return journal

    yield write
    for journal in opened:
        journal.close()


BENCH = Bench({"coins": Entry(Coins())}, {"counting": Counting()})


def cells(sections: Iterable[Section], title: str) -> tuple:
    (table,) = [table for section in sections for table in section.tables if table.title == title]
    return table.rows


def test_random_reference_of_a_coin():
    """400 random guesses earn nothing within four standard errors, and the reference says how sure it is."""
    found = baseline(Coins(), 2)

    assert found.random_n == 400
    assert abs(found.random[0]) < 4 * found.random_errors[0]
    assert found.random[0] == -found.random[1]
    assert found.random_errors[0] == pytest.approx(0.05, abs=0.002)
    assert found.random_wins[0] + found.random_wins[1] == 1
    assert (found.random_draws, found.random_turns) == (0, 1)
    assert (found.optimal, found.returns, found.has_winners) == ((0.0, 0.0), "zero-sum", True)


def test_references_never_vary():
    """The same game has the same reference, whatever it is called."""
    found = baselines_of({"a": Entry(Coins()), "b": Entry(Coins())})

    assert found["a"] == found["b"] == baseline(Coins(), 2)


STATED = RandomReference(
    returns=(0.0, 0.0), errors=(0.01, 0.01), wins=(0.5, 0.5), draws=0.0, turns=1.0, n=9_000, source="a long run"
)


async def test_a_stated_reference_shows_its_source_and_how_sure_it_is(make):
    """What a game states has its n and interval, or is a plain number if it is exact; what is played says so."""
    exact = attrs.evolve(STATED, n=0, errors=(), source="both sides of the coin")
    games = {"long": Entry(Coins(random=STATED)), "exact": Entry(Coins(random=exact)), "coins": Entry(Coins())}

    report = assemble([await make([record(plan(0))])], {"run0": attrs.evolve(BENCH, games=games)})

    rows = {row[0]: row for row in cells(report.facts, REFERENCES)}
    long, plain, played = (rows[name][3] for name in ("long", "exact", "coins"))
    assert (long.value, long.n, plain, played.n) == (0.0, 9_000, 0.0, 400)
    assert (long.low, long.high) == pytest.approx((-0.0196, 0.0196), abs=1e-4)
    assert [rows[name][-1] for name in games] == ["a long run", "both sides of the coin", "random matches"]


def test_a_stated_reference_takes_the_place_of_a_recorded_one():
    """What a journal says of random matches gives way to what the game states, even if more were played then."""
    games = {"coins": Entry(Coins(random=attrs.evolve(STATED, n=0, errors=(), source="exact")))}
    before = RecordedGame(
        title="Coins", players=2, baseline=baseline(Coins(), 2, playouts=40), is_enough=True, digest=None
    )

    (found,) = baselines_of(games, recorded={"coins": before}).values()

    assert (found.random, found.random_n, found.random_source) == ((0.0, 0.0), 0, "exact")


def test_references_have_a_budget():
    """No playout is begun after the steps are spent, and the one that is going on is finished."""
    assert baseline(Coins(), 2, playouts=400, steps=10).random_n == 10


def test_a_report_without_time_plays_nothing_and_says_so():
    """What is known of the games is there all the same; one sentence says what is missing, and how to get it."""
    told: list[str] = []
    games = {f"coins[fault={n}]": Entry(Coins()) for n in range(3)} | {"else": Entry(Coins())}

    found = baselines_of(games, told.append, seconds=0)

    assert {(ref.random, ref.random_n, ref.players, ref.has_winners, ref.optimal) for ref in found.values()} == {
        ((), 0, 2, True, (0.0, 0.0))
    }
    assert told == [
        "no random reference yet for 3 of 3 variants of 'coins', 'else'; `arena report RUN --full` plays them"
    ]


def test_variants_in_time_have_the_reference_of_a_game_alone():
    """Taking turns changes no number, and the order of the games is kept."""
    games = {f"coins[fault={n}]": Entry(Coins()) for n in range(3)}

    assert baselines_of(games) == dict.fromkeys(games, baseline(Coins(), 2))


@pytest.mark.parametrize(("fault", "why"), [("raises", "KeyError: 'board'"), ("endless", "within 50 steps")])
def test_game_without_reference_is_told(fault, why):
    """A game that breaks or never ends has no reference; the others have theirs."""
    told: list[str] = []

    found = baselines_of({"bad": Entry(Coins(fault)), "good": Entry(Coins())}, told.append)

    assert (found["bad"].random_n, found["good"].random_n) == (0, 400)
    assert len(told) == 1
    assert "'bad'" in told[0]
    assert why in told[0]


async def test_metrics_measure_what_has_a_result(make):
    """Failed and unplayed matches reach no metric; they are missing, with their reasons."""
    journal = await make(
        [record(plan(0)), record(plan(1), Ending.FAILED), record(plan(2), Ending.INFRASTRUCTURE_FAILURE)], [plan(3)]
    )

    report = assemble([journal], {"run0": BENCH})

    (section,) = report.sections
    table = section.data["table"]
    assert [row[0] for row in section.tables[0].rows] == [plan(0).id]
    assert [(m.match, m.ending) for m in table.missing] == [
        (plan(1).id, Ending.FAILED),
        (plan(2).id, Ending.INFRASTRUCTURE_FAILURE),
        (plan(3).id, None),
    ]
    assert table.missing[0].reason == "KeyError: 'board'"
    assert table.baselines == baselines_of(BENCH.games)
    assert (table.level, table.seed, table.forfeits) == (0.95, 7, "both")


async def test_facts_count_every_match(make):
    """Planned, with a result, failed, infrastructure, cancelled and not played add up; substitutes are counted."""
    journal = await make([record(plan(0), by="random"), record(plan(1), Ending.FAILED)], [plan(2)])

    report = assemble([journal], {"run0": BENCH})

    assert cells(report.facts, "Matches") == (("night", "7", "2024-01-01T00:00:00+00:00", 3, 1, 1, 0, 0, 1),)
    assert cells(report.facts, "Use")[0][:3] == ("night", 1, 1)
    assert cells(report.facts, "Matches without a result")[0] == (plan(1).id, "failed", "KeyError: 'board'")
    assert ("night", "game", "coins", "acme", "2", "c" * 12) in cells(report.facts, "Plugins")


async def test_tokens_and_money(make):
    """What was asked for is summed; calls without a known price are told apart from free ones."""
    priced = JournalEntry(
        match=plan(0).id, scope="a", kind="completion", prompt_tokens=5, completion_tokens=2, cost_usd=0.5
    )
    journal = await make([record(plan(0))], answers=[priced, attrs.evolve(priced, scope="b", cost_usd=None)])

    assert cells(assemble([journal], {"run0": BENCH}).facts, "Use")[0][3:] == (2, 10, 4, 1, 0.5)


async def test_model_that_changed_is_a_note(make):
    """Two fingerprints of one backend are noted; two backends with one each are not."""

    def answer(scope: str, backend: str, fingerprint: str) -> JournalEntry:
        value = f'{{"text":"","model":"m","fingerprint":"{fingerprint}"}}'
        request = f'{{"backend":{{"model":"{backend}"}}}}'
        return JournalEntry(match=plan(0).id, scope=scope, kind="completion", request=request, value=value)

    answers = [answer("a", "x", "f1"), answer("b", "x", "f2"), answer("c", "y", "f1")]
    journal = await make([record(plan(0))], answers=answers)

    report = assemble([journal], {"run0": BENCH})

    assert report.notes == ("run 'night': a model changed during the run (m f1, m f2)",)
    assert len(cells(report.facts, "Models")) == 3


async def test_long_settings_of_a_backend_are_cut(make):
    """What a scripted backend answers is counted where models are listed; all of it stands among the settings."""
    backend = {"model": "m", "answers": ["take the centre"] * 500, "system": "think " * 500, "seed": 3}
    request = json.dumps({"backend": backend})
    answer = JournalEntry(match=plan(0).id, scope="a", kind="completion", request=request, value='{"text":""}')
    journal = await make([record(plan(0))], answers=[answer])

    (row,) = cells(assemble([journal], {"run0": BENCH}).facts, "Models")

    assert json.loads(str(row[-1])) == {
        "answers": "500 entries, 9,001 characters",
        "model": "m",
        "seed": 3,
        "system": f"{'think ' * 50}… (3,000 characters)",
    }


@pytest.mark.parametrize(
    ("metric", "why"), [(Broken(), "ZeroDivisionError: by nothing"), (Speechless(), "LookupError: no words")]
)
async def test_broken_metric_is_shown_as_failed(make, metric, why):
    """A metric that raises is neither zero nor absent, and costs no other metric anything."""
    journal = await make([record(plan(0))])

    report = assemble([journal], {"run0": BENCH}, {"bad": metric, "counting": Counting()})

    assert [section.title for section in report.sections] == ["bad", "counted"]
    assert report.sections[0].text.startswith("failed: ")
    assert why in report.sections[0].text


async def test_benchmark_that_cannot_be_built(make):
    """Without its plugins a run has no references and its metrics are shown as failed; its facts are there."""
    journal = await make([record(plan(0))])

    report = build([journal])

    assert [(section.title, section.text[:7]) for section in report.sections] == [("counting", "failed:")]
    assert "no metric called 'counting'" in report.sections[0].text
    assert report.notes == (
        f"no random reference for 'coins', since it needs acme, which is not installed: {install_line('acme')}",
    )
    assert cells(report.facts, "Matches")[0][4] == 1


async def test_metrics_of_ones_own(make):
    """Metrics that are given take the place of the benchmark's, also long after the run."""
    journal = await make([record(plan(0))])

    assert build([journal], {"mine": Counting()}).sections[0].data["values"] == [1]


async def test_what_judges_found_is_measured(make):
    """Recorded judgements of a match stand beside what is measured in it."""
    journal = await make([record(plan(0))])
    journal.save_judgement(plan(0).id, "counting", [Measurement(name="style", value=0.5)])
    await journal.flush()

    report = assemble([journal], {"run0": BENCH})

    assert report.sections[0].data["values"] == [1, 0.5]


class Looking(Metric):
    """Looks at a match with its game, where there is one."""

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        if match.game is not None:
            yield Measurement(name="rules", value=match.game.rules)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        yield Section(
            title="looking",
            data={"values": [row.value for row in measurements.rows], "games": dict(measurements.games)},
        )


class NeedsGame(Looking):
    """Measures nothing without the game, and is not prepared for that."""

    needs_game: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        yield Measurement(name="rules", value=match.game.rules)


class NeedsCalls(Counting):
    """A metric that counts the completions of each match."""

    needs_calls: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        yield Measurement(name="calls", value=len(match.calls))


class Unaware(NeedsCalls):
    """Counts completions without having said that it needs them."""

    needs_calls: ClassVar[bool] = False


@pytest.mark.slow
async def test_metrics_get_the_game_where_it_can_be_built(make):
    """A metric measures each match with the game of the benchmark, and without one where that cannot be built."""
    journal = await make([record(plan(0)), record(plan(1), Ending.FAILED)])

    (found,) = assemble([journal], {"run0": BENCH}, {"looking": Looking()}).sections
    (without,) = assemble([journal], {"run0": "the plugin is gone"}, {"looking": Looking()}).sections

    assert found.data == {"values": ["guess"], "games": {"coins": Coins()}}
    assert without.data == {"values": [], "games": {}}


async def test_metrics_that_need_the_game_are_left_out_without_it(make):
    """Such a metric is not called where the game cannot be built, which a note says; what its judge found is kept."""
    journal = await make([record(plan(0))])
    journal.save_judgement(plan(0).id, "needing", [Measurement(name="style", value=0.5)])
    await journal.flush()

    found = assemble([journal], {"run0": BENCH}, {"needing": NeedsGame()})
    without = assemble([journal], {"run0": "the plugin is gone"}, {"needing": NeedsGame()})

    assert [report.sections[0].data["values"] for report in (found, without)] == [["guess", 0.5], [0.5]]
    assert without.notes[0].endswith("its benchmark cannot be built here, so it has no references: the plugin is gone")


async def test_calls_are_for_metrics_that_need_them(make):
    """A metric that does not need the calls has none, whatever other metrics are in the report."""
    used = JournalEntry(match=plan(0).id, scope="0/0/0/0", kind="completion", value='{"usage": [9, 1, 0, 0]}')
    journal = await make([record(plan(0))], answers=[used])

    report = assemble([journal], {"run0": BENCH}, {"unaware": Unaware(), "needing": NeedsCalls()})

    assert [section.data["values"] for section in report.sections] == [[0], [1]]


def test_measure_all_leaves_out_what_needs_the_game():
    """A metric that needs the game measures the matches whose game is there."""
    matches = [FinishedMatch(record(plan(0)), Coins()), FinishedMatch(record(plan(1)), None)]

    assert [row.match for row in measure_all(NeedsGame(), matches)] == [plan(0).id]


def test_measure_all_takes_judgements():
    """One metric over some matches: failed ones left out, judgements added."""
    matches = [record(plan(0)), record(plan(1), Ending.FAILED)]

    rows = measure_all(
        Counting(),
        [FinishedMatch(match, None) for match in matches],
        {plan(0).id: [Measurement(name="style", value=0.5)]},
    )

    assert [(row.name, row.match) for row in rows] == [("actions", plan(0).id), ("style", plan(0).id)]


async def test_run_given_twice_counts_once(make):
    """The same run twice is one run, and the report says so."""
    journal = await make([record(plan(0))])

    report = assemble([journal, journal], {"run0": BENCH})

    assert len(report.sections[0].tables[0].rows) == 1
    assert "each is counted once" in report.notes[0]


async def test_two_runs_of_equal_agents_are_one_table(make):
    """Agents of the same settings keep their name; matches and blocks of different seeds are told apart."""
    first = await make([record(plan(0))], name="monday")
    second = await make([record(plan(0))], name="tuesday", seed=8)

    report = assemble([first, second], {"run0": BENCH, "run1": BENCH})

    assert report.title == "monday and tuesday"
    assert report.sections[0].tables[0].rows == (
        (f"monday: {plan(0).id}", "coins/0@7"),
        (f"tuesday: {plan(0).id}", "coins/0@8"),
    )
    assert report.notes == ()


async def test_other_agents_of_the_same_name_are_kept_apart(make):
    """An agent that is configured differently gets its run's name; the other agent is the same in both."""
    first = await make([record(plan(0))], name="monday")
    second = await make([record(plan(0))], name="tuesday", benchmark=plain(ann="llm", bob="random"))

    report = assemble([first, second], {"run0": BENCH, "run1": BENCH})

    assert [view.players for view in report.matches] == [
        ("ann (monday) (left)", "bob (right)"),
        ("ann (tuesday) (left)", "bob (right)"),
    ]
    assert any("agent 'ann' is configured differently" in note for note in report.notes)


@pytest.mark.slow
async def test_versions_of_a_game_are_kept_apart(make):
    """Results of two versions of a game stand in rows of their own; number 1 is the same said or unsaid."""
    old = await make([record(plan(0))], name="monday")
    new = await make(
        [record(plan(0))], name="tuesday", benchmark={**plain(), "games": {"coins": {"use": "coins", "version": 2}}}
    )
    same = await make([record(plan(0))], name="sunday", benchmark={**plain(), "games": {"coins": "coins"}})

    report = assemble([old, new, same], {"run0": BENCH, "run1": BENCH, "run2": BENCH})

    assert [view.game for view in report.matches] == ["coins (monday)", "coins (tuesday)", "coins (sunday)"]
    assert any("game 'coins' is configured differently" in note for note in report.notes)
    assert assemble([old, same], {"run0": BENCH, "run2": BENCH}).notes == ()


async def test_other_conditions_are_a_note(make):
    """Runs that treat illegal actions differently are reported together, with a warning."""
    first = await make([record(plan(0))])
    second = await make([record(plan(0))], benchmark={**plain(), "illegal_actions": {"then": "random"}})

    report = assemble([first, second], {"run0": BENCH, "run1": BENCH})

    assert any("differ in illegal-actions" in note for note in report.notes)


async def test_matches_are_listed_within_bounds(make):
    """As many matches as asked for are listed, and fewer of them move by move."""
    journal = await make([record(plan(i)) for i in range(5)])

    report = assemble([journal], {"run0": BENCH}, listed=3, full=1)

    assert (len(report.matches), report.match_count) == (3, 5)
    assert [view.moves is None for view in report.matches] == [False, True, True]


async def test_match_is_told_move_by_move(make):
    """A refused answer with its reason and the action in words, with what the agent said."""
    journal = await make([record(plan(0))])

    (view,) = assemble([journal], {"run0": BENCH}).matches

    assert (view.turns, view.refusals, view.substitutes) == (1, 1, 0)
    assert [(m.player, m.outcome, m.text, m.reasoning) for m in view.moves or ()] == [
        ("ann (left)", "refused", 'illegal: "edge": no such side', ""),
        ("ann (left)", "played", "tails", "a hunch"),
    ]


async def test_references_are_shown_with_n_and_interval(make):
    """What random play earns is an estimate over its playouts."""
    journal = await make([record(plan(0))])

    row = cells(assemble([journal], {"run0": BENCH}).facts, "What random and optimal play earn")[0]

    assert row[:3] == ("coins", "zero-sum", "player 1")
    assert isinstance(row[3], Estimate)
    assert (row[3].n, row[3].unit) == (400, "playouts")
    assert row[3].high - row[3].low == pytest.approx(2 * 1.96 * row[3].standard_error, abs=1e-3)
    assert row[4:] == (0.0, "it is a coin")


def test_report_needs_a_run():
    """Nothing is not reported as an empty success."""
    with pytest.raises(ValueError, match="at least one run"):
        assemble([], {})
