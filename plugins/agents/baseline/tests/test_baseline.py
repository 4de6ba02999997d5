"""The baseline agents, on a small game written here."""

from collections.abc import Mapping, Sequence

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply, Seat
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import ABSENT, Decision, Game, GameFacts, Options, PlayerView, State
from arena.record import GameEvent, Player, derive_rng
from arena_agent_baseline import FIRST_LEGAL, RANDOM, SCRIPTED
from arena_agent_baseline.first import FirstLegal
from arena_agent_baseline.scripted import Scripted
from arena_agent_baseline.uniform import Uniform

WORDS = {0: "rock", 1: "paper", 2: "scissors"}


class Hands(State):
    """One throw each, at the same time."""

    def to_act(self) -> Sequence[Player]:
        return (Player(0), Player(1))

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, options=Options([0, 1, 2], WORDS.__getitem__))

    def observe(self, player: Player | None) -> None:
        return None

    def apply(self, actions: Mapping[Player, object]) -> Sequence[GameEvent]:
        return ()

    def returns(self) -> None:
        return None


@attrs.frozen
class RockPaperScissors(Game):
    rules = "rock beats scissors beats paper beats rock"

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(simultaneous=True)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Hands(), ()


def take_seat(name: str = "left", player: int = 0, match: str = "m") -> Seat:
    async def nothing(*_: object) -> None:
        return None

    return Seat(
        player=Player(player),
        players=2,
        name=name,
        game=RockPaperScissors(),
        rules="",
        completions=None,  # type: ignore[arg-type]
        query=nothing,
        once=nothing,
        resample_hidden=lambda _: None,
        make_rng=lambda: derive_rng("agent", match, player),
    )


def listed(actions: list | None = None, label=WORDS.__getitem__, **tried: int) -> Decision:
    decision = Decision(player=Player(0), options=Options(actions or [0, 1, 2], label))
    return decision.asked(PlayerView(Hands(), Player(0)), **tried)


def unlisted(**more) -> Decision:
    schema = {"type": "integer"}
    decision = Decision(player=Player(0), action_schema=schema, sampler=lambda rng: rng.randrange(10**9), **more)
    return decision.asked(PlayerView(Hands(), Player(0)))


def test_random_is_uniform():
    """Each of three actions comes up a third of the time (n = 30,000, four standard errors)."""
    mind = Uniform().join(take_seat())
    decision = listed()

    drawn = [mind.act(decision).action for _ in range(30_000)]

    for action in WORDS:
        assert abs(drawn.count(action) - 10_000) < 4 * (30_000 * 2 / 9) ** 0.5


def test_random_draws_from_its_seat_alone():
    """The same seat draws the same again, another player something else."""

    def ten(player: int) -> list:
        mind = Uniform().join(take_seat(player=player))
        return [mind.act(listed()).action for _ in range(10)]

    assert ten(0) == ten(0)
    assert ten(0) != ten(1)


def test_first_legal_takes_the_first_option():
    """The order of the options decides."""
    assert FirstLegal().join(take_seat()).act(listed([2, 0])) == Reply(action=2)


def test_first_legal_skips_where_nothing_is_listed():
    """A legal way to do nothing is preferred to a sample, also where it is written ``null``."""
    assert FirstLegal().join(take_seat()).act(unlisted(skip=None)) == Reply(action=None)


def test_first_legal_never_varies():
    """Without options and skip the same sample is played each time."""
    mind = FirstLegal().join(take_seat())

    assert mind.act(unlisted()) == mind.act(unlisted())
    assert unlisted().skip is ABSENT


def test_script_gives_labels_and_actions_by_turn():
    """A label plays its option, an action itself."""
    mind = Scripted(actions=("scissors", 1)).join(take_seat())

    assert mind.act(listed(turn=0)) == Reply(action=2)
    assert mind.act(listed(turn=1)) == Reply(action=1)


def test_script_repeats_its_entry_after_a_refusal():
    """An entry stands for a turn, not for a try; an illegal one is played as it is written."""
    mind = Scripted(actions=("well", 1)).join(take_seat())
    decision = listed()

    first = mind.act(decision)
    second = mind.act(listed(attempt=1))

    assert first == second == Reply(action="well")


@pytest.mark.parametrize(("name", "player", "action"), [("left", 0, 1), ("right", 1, 2), ("other", 2, 0)])
def test_script_of_a_seat(name, player, action):
    """A seat's own list is found by its name or its number and replaces the common one."""
    agent = Scripted(actions=("rock",), players={"left": ("paper",), "1": ("scissors",)})

    assert agent.join(take_seat(name, player)).act(listed()) == Reply(action=action)


def test_two_lists_for_one_seat():
    """A seat named twice is an error, since one of the lists would be ignored."""
    with pytest.raises(ConfigError, match="the same seat"):
        Scripted(players={"left": (), "0": ()}).join(take_seat())


def test_script_that_has_run_out():
    """It says nothing, or goes on with the first legal action; it never stops the match by an exception."""
    refused = Scripted(actions=(1,)).join(take_seat()).act(listed(turn=1))
    played = Scripted(then="first-legal").join(take_seat()).act(listed())

    assert isinstance(refused, Refusal)
    assert refused.kind is RefusalKind.EMPTY
    assert "turn 2" in refused.reason
    assert played == Reply(action=0)


def test_script_entry_with_two_readings():
    """What is one action and the label of another is refused."""
    decision = listed(["a", "b"], {"a": "b", "b": "c"}.__getitem__)

    refused = Scripted(actions=("b",)).join(take_seat()).act(decision)

    assert isinstance(refused, Refusal)
    assert refused.kind is RefusalKind.AMBIGUOUS


def test_script_answers_a_schema_as_written():
    """Without options an entry is the action."""
    assert Scripted(actions=({"bid": 3},)).join(take_seat()).act(unlisted()) == Reply(action={"bid": 3})


@pytest.mark.parametrize("plugin", [RANDOM, FIRST_LEGAL, SCRIPTED])
def test_examples_build(plugin):
    """Every descriptor's example makes an agent."""
    example = {k: tuple(v) if isinstance(v, list) else v for k, v in plugin.example.items()}

    assert plugin.load()(**example).join(take_seat())
