"""The games of the contract with the real referee, completions and journal."""

import asyncio
import json
from threading import current_thread, main_thread

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply
from arena.errors import StaleDecision
from arena.game import Illegal
from arena.hookspecs import hookimpl
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending, Player
from arena.testing import RANDOM, FunctionAgent, playing
from arena_engine import allowance
from arena_engine.job import context
from arena_engine.match.player import MatchPlayer

from ....authoring.testing.tests.games_alone import Labyrinth, Route
from ....authoring.testing.tests.games_board import TicTacToe
from ....authoring.testing.tests.games_cards import KuhnPoker
from ....authoring.testing.tests.games_tables import Auction, Proposals
from ....authoring.testing.tests.games_together import Letters, RockPaperScissors, Workshop

NO_RETRIES = IllegalActionPolicy(retries=0)


class QuickPlayer(PlayerAgent):
    """A player whose ``act`` is a plain function, and returns something to be awaited where ``choose`` does."""

    is_quick = True

    def __init__(self, agent, seat):
        self.choose, self.seat = agent.choose, seat

    def act(self, decision):
        return self.choose(decision, self.seat)


@pytest.fixture(autouse=True, params=["at once", "suspended", "quick"])
def answers(request, monkeypatch):
    """Each test is of agents that answer at once, of the same ones that suspend each time first, and of quick ones."""
    if request.param == "at once":
        return
    if request.param == "quick":
        monkeypatch.setattr(FunctionAgent, "join", lambda agent, seat: QuickPlayer(agent, seat))
        return

    begin = MatchPlayer.begin

    def begin_suspended(player, *parts):
        begin(player, *parts)
        act = player.calls.act

        async def acts(decision):
            await asyncio.sleep(0)
            return await act(decision)

        player._act_here = player.calls.act = acts
        player._is_async = True

    monkeypatch.setattr(MatchPlayer, "begin", begin_suspended)


def kinds(record, source="referee"):
    """What the referee wrote down, in order."""
    return [event.kind for event in record.events if event.source == source]


def test_match_ends_by_the_rules(play):
    """A match is played to its end, with every action, its words and its returns in the record."""
    record = play(TicTacToe(), [playing(0, 1, 2), playing(3, 4)]).over

    assert (record.ending, record.returns, record.seats) == (Ending.RULES, (1.0, -1.0), ("X", "O"))
    assert [e.data["label"] for e in record.played()] == ["top left", "left", "top", "centre", "top right"]


def test_agent_of_a_simultaneous_step_is_in_a_task_of_its_own(play):
    """Time-outs that agents set themselves cut off their own answers, and those of nobody else."""

    async def gives_up(decision, seat):
        try:
            async with asyncio.timeout(0):
                await asyncio.Event().wait()
        except TimeoutError:
            return Reply(action="paper")

    async def takes_turns(decision, seat):
        for _ in range(5):
            await asyncio.sleep(0)
        return Reply(action="rock")

    record = play(RockPaperScissors(rounds=2), [FunctionAgent(gives_up), FunctionAgent(takes_turns)]).over

    assert [e.data["action"] for e in record.played()] == ["paper", "rock"] * 2


def test_quick_agent_is_called_where_the_referee_is(play):
    """A plain ``act`` runs in a thread, but not that of an agent that says that it is quick."""
    threads = {}

    class Player(PlayerAgent):
        def act(self, decision):
            threads.setdefault(type(self), current_thread())
            return Reply(action="rock")

    class QuickPlayer(Player):
        is_quick = True

    @attrs.frozen
    class Plays(Agent):
        player: type

        def join(self, seat):
            return self.player()

    record = play(RockPaperScissors(rounds=1), [Plays(Player), Plays(QuickPlayer)]).over

    assert record.ending is Ending.RULES
    assert [threads[kind] is main_thread() for kind in (Player, QuickPlayer)] == [False, True]


def test_event_loop_turns_though_nobody_waits(play, monkeypatch):
    """Agents that answer at once keep the event loop from turning for a while, and not for a whole match."""
    monkeypatch.setattr(context, "TURN_S", 0.0)
    turns = []

    async def plays(decision, seat):
        asyncio.get_running_loop().call_soon(turns.append, decision.turn)
        return Reply(action="rock")

    class Counts:
        @hookimpl
        def match_finished(self, record):
            turns.append("over")

    agents = [FunctionAgent(plays), playing("rock", "rock", "rock")]
    play(RockPaperScissors(rounds=3), agents, watchers={"c": Counts()})

    assert turns.index("over") >= 2


def test_rewards_are_written_down(play):
    """A game that pays as it goes has a reward event after each step, seen by everybody."""
    record = play(RockPaperScissors(rounds=2), [playing("rock", "rock"), playing("paper", "rock")]).over

    assert [e.data for e in record.events if e.kind == "rewarded"] == [[-1.0, 1.0], [0.0, 0.0]]


def test_events_of_a_wave_are_in_player_order(play):
    """The record of a simultaneous step does not depend on who answered first."""

    async def slow(decision, seat):
        for _ in range(10):
            await asyncio.sleep(0)
        return Reply(action="rock")

    record = play(RockPaperScissors(rounds=1), [FunctionAgent(slow), playing("paper")]).over

    assert [e.player for e in record.played()] == [0, 1]


def test_players_craft_at_their_own_pace(play):
    """One is asked once and is done; the other is asked again and again, alone."""
    record = play(Workshop(), [playing("done"), playing("plank", "plank", "stick", "torch", "done")], seed=9).over

    assert [(e.player, e.step) for e in record.played()] == [(0, 0), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4)]
    assert record.returns == (0.0, 5.0)


def test_others_bid_on_after_a_forfeit(play):
    """A player put out in the middle of a match of three is told to have gone, and the others end it."""
    agents = [playing("raise", "raise"), playing("nonsense"), playing("raise", "pass")]

    record = play(Auction(), agents, illegal_actions=NO_RETRIES).over

    assert (record.ending, record.forfeited, record.returns) == (Ending.RULES, (1,), (2.0, 0.0, 0.0))
    assert kinds(record) == ["played", "refused", "gone", "played", "played", "played"]


def test_forfeit_ends_a_match_that_cannot_go_on(play):
    """In a game that cannot go on the others win; the last refusal says how it ended."""
    record = play(TicTacToe(), [playing(4), playing("centre")], illegal_actions=NO_RETRIES).over

    assert (record.ending, record.forfeited, record.returns) == (Ending.FORFEIT_ILLEGAL, (1,), (1.0, -1.0))


def test_eliminated_player_is_not_asked(play):
    """Who is out is never asked again."""
    asked = []

    def note(decision, seat):
        asked.append(decision.turn)
        return Reply(action={} if decision.phase == "letters" else "hold")

    def attack(decision, seat):
        return Reply(action={} if decision.phase == "letters" else _first_target(decision))

    record = play(Letters(years=3), [FunctionAgent(note), *[FunctionAgent(attack)] * 6]).over

    assert asked == [0, 1, 2, 3]
    assert record.steps == 6


def _first_target(decision):
    return next((o.action for o in decision.options if o.action == "AUSTRIA"), "hold")


def test_letters_reach_their_addressees_alone(play):
    """What is whispered is news to its two ends and is in nobody else's news, observation or refusals."""
    active_hooks = {player: [] for player in range(7)}

    def choose(decision, seat):
        active_hooks[seat.player].append(json.dumps([decision.observation, [list(event) for event in decision.news]]))
        if decision.phase == "orders":
            return Reply(action="hold")
        return Reply(action={"ITALY": "meet me at dawn"} if seat.name == "FRANCE" else {})

    played = play(Letters(years=1), [FunctionAgent(choose)] * 7)

    assert [p for p in active_hooks if "meet me at dawn" in "".join(active_hooks[p])] == [2, 4]
    assert [p for p in range(7) if any(e.kind == "letter" for e in played.seen_by(p))] == [2, 4]


def test_offer_is_news_to_its_parties_alone(play):
    """A proposal is in the news of the partner, and the third player hears only that there is one."""
    news = {player: [] for player in range(3)}

    def choose(decision, seat):
        news[seat.player] += [event.kind for event in decision.news]
        if decision.phase == "decide":
            return Reply(action="accept")
        return Reply(action={"partner": (seat.player + 1) % 3, "slices": 3})

    play(Proposals(), [FunctionAgent(choose)] * 3)

    assert news[2].index("proposed") < news[2].index("offer")
    assert news[2].count("offer") == 1
    assert news[2][:3] == ["turn", "proposed", "answered"]


def test_news_is_what_happened_since_the_last_decision(play):
    """Every decision comes with the events since the player's last one, each of them once."""
    news = []

    def choose(decision, seat):
        news.append([event.data["cell"] for event in decision.news])
        return Reply(action=decision.options[0].action)

    play(TicTacToe(), [FunctionAgent(choose), playing(8, 7, 5)])

    assert news == [[], [0, 8], [1, 7]]


def test_wrong_plan_is_a_result(play):
    """A plan that fails is judged, earns nothing and ends the match by the rules."""
    record = play(Route(), [playing(["south", "south", "east"])]).over

    assert (record.ending, record.returns) == (Ending.RULES, (0.0,))
    assert list(record.refused()) == []


def test_plan_that_is_no_plan_is_refused(play):
    """What is not a plan at all is refused with a reason and asked again."""
    reasons = []

    def choose(decision, seat):
        reasons.extend(rejected.reason for rejected in decision.rejected)
        return Reply(action="go east" if not decision.rejected else ["south"])

    record = play(Route(), [FunctionAgent(choose)]).over

    assert reasons == ["a plan is a list of at most 20 moves"]
    assert [e.data["try"] for e in record.refused()] == [0]


def test_query_is_answered_within_its_budget(play):
    """A player may look up twice in a turn; the third time is refused and costs no try."""
    answers = []

    async def choose(decision, seat):
        answers.append([await seat.query("doors", room) for room in (0, 1, 2)])
        return Reply(action=None)

    record = play(Labyrinth(), [FunctionAgent(choose)]).over

    assert len(answers) == 8
    assert [isinstance(answer, Illegal) for answer in answers[-1]] == [False, False, True]
    assert kinds(record).count("queried") == 24
    assert kinds(record).count("refused") == 0


def test_turns_of_one_period_share_a_budget(play):
    """What a period had is not given back by a further turn or a refused try; what is spent is no more on offer."""
    answers, offered = [], []

    async def choose(decision, seat):
        offered.append([query.limit for query in decision.queries])
        answers.append(await seat.query("doors", 0))
        return Reply(action="jump" if decision.turn == 0 and not decision.attempt else None)

    play(Labyrinth(period="the first night"), [FunctionAgent(choose)])

    assert offered[:4] == [[2], [2], [], []]
    assert [isinstance(answer, Illegal) for answer in answers[:4]] == [False, False, True, True]
    assert answers[2].reason == "'doors' may be asked 2 times in the first night"


def test_decision_of_an_earlier_turn_is_stale(play):
    """Reading an observation after its step raises ``StaleDecision``."""
    kept, errors = [], []

    def choose(decision, seat):
        for old in kept:
            try:
                old.observation  # noqa: B018 -- the reading is what is tested
            except StaleDecision as error:
                errors.append(str(error))
        kept.append(decision)
        return Reply(action=decision.options[0].action)

    play(RockPaperScissors(rounds=2), [FunctionAgent(choose), RANDOM])

    assert errors == ["this decision of player 0 was read after its step had been applied"]


def test_refusals_of_the_agent_are_counted_apart(play):
    """An answer nobody could read is refused as unreadable, and the match it costs is lost by format."""
    mumble = FunctionAgent(lambda decision, seat: Refusal(kind=RefusalKind.UNREADABLE, reason="no JSON", text="hm"))

    record = play(KuhnPoker(), [mumble, RANDOM], illegal_actions=IllegalActionPolicy(retries=1)).over

    assert record.ending is Ending.FORFEIT_FORMAT
    assert [e.data["kind"] for e in record.refused()] == ["unreadable", "unreadable"]


def test_reason_of_a_refusal_has_at_most_2_000_characters(play):
    """What quotes an endless answer is cut in the middle, for the record and the next try; its end still helps."""
    told = []

    def rave(decision, seat):
        told.extend(rejected.reason for rejected in decision.rejected)
        if decision.attempt == 0:
            return Refusal(kind=RefusalKind.UNREADABLE, reason="no JSON in " + "x" * 400_000 + "; write one object")
        return Reply(action="y" * 400_000)

    policy = IllegalActionPolicy(retries=2, then="random")
    record = play(KuhnPoker(), [FunctionAgent(rave), RANDOM], illegal_actions=policy).over

    assert all(len(reason) <= 2_000 for reason in told)
    assert told[0].startswith("no JSON in xxx")
    assert told[0].endswith("x; write one object")
    assert len(json.dumps(record.to_json())) < 20_000


def test_refused_action_is_kept_once(play):
    """Of a refused action that is very long the record keeps the beginning, as text; a short one it keeps whole."""
    choices = iter(["z" * 400_000, "no"])
    endless = FunctionAgent(lambda decision, seat: Reply(action=next(choices, "bet")))

    policy = IllegalActionPolicy(retries=2, then="random")
    first, second, *_ = play(KuhnPoker(), [endless, RANDOM], illegal_actions=policy).over.refused()

    assert "action" not in first.data
    assert first.data["text"].startswith('"zzz')
    assert len(first.data["text"]) < 2_010
    assert second.data["action"] == "no"


def test_hidden_card_is_in_no_event_of_the_other(play):
    """No event that a player can see before the showdown names the other's card."""
    played = play(KuhnPoker(), [playing("bet"), playing("fold")])

    for player, other in ((0, 1), (1, 0)):
        (card,) = [e.data for e in played.over.events if e.kind == "dealt" and e.to == (Player(other),)]
        assert card not in json.dumps([e.data for e in played.seen_by(player)])


def test_same_seed_same_record(play, tmp_path):
    """Benchmark, seed and answers determine the bytes of the record."""
    records = [play(Workshop(), [RANDOM, RANDOM], seed=4, directory=tmp_path / name).over for name in "ab"]

    assert json.dumps(records[0].to_json()) == json.dumps(records[1].to_json())


def test_open_games_are_imagined_as_they_are(play):
    """Where all is open a copy is imagined, which is the player's own; elsewhere the game must do it."""
    seen = []

    def choose(decision, seat):
        imagined = seat.resample_hidden(0)
        seen.append(imagined and imagined.observe(None))
        if imagined:
            imagined.apply({seat.player: decision.options.actions[0]})
        return Reply(action=decision.sample(seat.rng))

    record = play(TicTacToe(), [FunctionAgent(choose), RANDOM]).over
    play(RockPaperScissors(rounds=1), [FunctionAgent(choose), RANDOM])

    *boards, together = seen
    assert len(boards) == sum(e.player == 0 for e in record.played())
    assert all(board is not None for board in boards)
    assert together is None


def test_refusals_of_the_whole_match_are_counted(play):
    """With ``max_refusals`` a player is out after one refusal too many, in any turns; it knows how many are left."""
    told = []

    def careless(decision, seat):
        told.append((decision.refusals, decision.refusals_left))
        return Reply(action=decision.options.actions[0] if decision.attempt else "nonsense")

    policy = IllegalActionPolicy(retries=2, max_refusals=2, then="disqualify")
    record = play(TicTacToe(), [FunctionAgent(careless), playing(8, 7, 5, 6)], illegal_actions=policy).over

    assert told == [(0, 3), (1, 2), (1, 2), (2, 1), (2, 1)]
    assert (record.ending, record.returns, record.forfeited) == (Ending.DISQUALIFIED, None, (0,))


def test_answers_of_a_match_are_bounded(play):
    """A match that needs more answers than allowed, refused ones included, ends there, between turns or within one."""
    between = play(
        TicTacToe(), [playing(0, 1, 2), playing(3, 4)], illegal_actions=IllegalActionPolicy(max_answers=3)
    ).over
    stubborn = playing(0, "no", "no", "no", 5)
    within = play(
        TicTacToe(), [stubborn, playing(3, 4)], illegal_actions=IllegalActionPolicy(retries=9, max_answers=4)
    ).over

    assert (between.ending, between.returns, between.steps, between.forfeited) == (Ending.TURN_LIMIT, None, 3, ())
    assert (within.ending, within.returns, within.steps, within.forfeited) == (Ending.TURN_LIMIT, None, 2, ())
    assert kinds(within) == ["played", "played", "refused", "refused"]


def test_bounds_of_simultaneous_answers_do_not_depend_on_speed(play):
    """Where several act at once, what was ready is withheld when one of them runs into the bound."""
    agents = [playing("nonsense", "nonsense", "nonsense"), playing("paper")]

    record = play(
        RockPaperScissors(rounds=3), agents, illegal_actions=IllegalActionPolicy(retries=9, max_answers=2)
    ).over

    assert (record.ending, record.steps) == (Ending.TURN_LIMIT, 0)
    assert kinds(record) == ["refused", "refused", "withheld"]


@attrs.frozen(kw_only=True)
class ByLength(IllegalActionPolicy):
    """As many refusals in all as the game has steps at most."""

    def for_game(self, game, players):
        return IllegalActionPolicy(retries=99, max_refusals=game.facts(players).max_steps, then="disqualify")


def test_policies_may_depend_on_the_game(play):
    """A policy is asked what holds in a game, and that is what holds."""
    record = play(TicTacToe(), [playing(*["nonsense"] * 99), RANDOM], illegal_actions=ByLength()).over

    assert record.ending is Ending.DISQUALIFIED
    assert len(list(record.refused())) == TicTacToe().facts(2).max_steps + 1


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ({}, "3 illegal moves per turn, then the match is forfeited"),
        (
            {"retries": 3, "max_refusals": 3, "then": "disqualify"},
            "3 illegal moves per match, then disqualified, and nobody wins",
        ),
        (
            {"retries": 1, "max_refusals": 6, "then": "random"},
            "1 illegal move per turn and 6 per match, then a random legal move is played",
        ),
        ({"retries": 0}, "no illegal moves per turn, then the match is forfeited"),
    ],
)
def test_policies_are_told_in_words(policy, words):
    """How many illegal moves are allowed, and what comes then, is one phrase wherever it is told."""
    assert allowance(IllegalActionPolicy(**policy)) == words
