"""The style ``brief``: what stays the same is told once, a turn is the position and the actions in a line each."""

from itertools import pairwise

import attrs
import pytest
from arena.agent import Reply
from arena.backend import Completion
from arena.errors import RuleError
from arena.game import Decision, Options, Rejected
from arena.record import GameEvent
from arena_agent_llm.prompts.history import move_line, sides
from arena_agent_llm.prompts.prompt import Prompt
from arena_engine import make_plugin

from .conftest import Hands, RockPaperScissors

SYSTEM = """\
You play this game.

Rock beats scissors, scissors beat paper, paper beats rock. $5 a round.

Hands go by their first letters.

In each of your turns choose the legal action that serves you best.

Each turn shows the moves so far where they matter, then the position, and last your legal actions; copy one of them \
word for word.

Answer with one JSON object and nothing else, as in {"action": "r"} or {"action": "p"} or {"action": "s"}

The players are: LEFT, RIGHT. You are LEFT."""

NEWS = (GameEvent("started", None, None), GameEvent("thrown", [0, 1], None))
SCHEMA = {
    "type": "object",
    "properties": {"action": {"enum": ["r", "p", "s"]}},
    "required": ["action"],
    "additionalProperties": False,
}


@attrs.frozen
class Terse(RockPaperScissors):
    """The game with short forms; ``names`` are those of its actions."""

    names: str = "r p s"

    @property
    def forms(self):
        short = {
            "short": lambda seen: f"round {seen['round']}",
            "short-actions": lambda seen: self.names,
            "notation": lambda seen: "Hands go by their first letters.",
        }
        return {**super().forms, **short}


class ManyHands(Hands):
    """Its players choose between 21 cells."""

    def decision(self, player):
        return Decision(player=player, options=Options(range(21), "cell {}".format))


@attrs.frozen
class Many(RockPaperScissors):
    """The game with more actions than can be named."""

    def start(self, chance, players):
        return ManyHands(), ()


class OpenHands(Hands):
    """Its players name an amount."""

    def decision(self, player):
        return Decision(player=player, action_schema={"type": "integer"}, sampler=lambda rng: rng.randrange(9))


@attrs.frozen
class Open(RockPaperScissors):
    """The game with actions that cannot be listed."""

    def start(self, chance, players):
        return OpenHands(), ()


@pytest.fixture
def terse(sit):
    """A seat at the game with short forms."""

    def terse(*answers, **settings):
        table = sit(*answers)
        table.game = table.seat.game = Terse(**settings)
        return table

    return terse


async def asked(table, decision, **settings):
    """The request for one decision."""
    table.answers.answers.append(Completion(text=""))
    prompt = Prompt(style="brief", **settings.pop("prompt", {}))
    await table.join(prompt=prompt, **settings).act(decision)
    return table.answers.asked[-1]


async def test_turn_is_the_position_and_the_actions(terse):
    """The golden prompt: rules, form of the answer and seat once, then a line for each of the two; no history."""
    table = terse()

    request = await asked(table, table.decide(news=NEWS))

    assert [message.text for message in request.messages] == [SYSTEM, "round 1\n\nr p s"]
    assert request.schema == SCHEMA


async def test_beginning_is_the_same_in_both_seats_up_to_the_name(terse, sit):
    """What a provider has read for one seat it need not read for the other; the name stands last."""
    systems = []
    for player in (0, 1):
        table = sit(player=player, agents=("one", "other"))
        table.seat.game = Terse()
        systems.append((await asked(table, table.decide())).messages[0].text)

    assert systems[0].removesuffix("LEFT.") == systems[1].removesuffix("RIGHT.")
    assert "They are played by: one, other.\n\nThe players are" in systems[0]


async def test_reasoning_is_asked_for_in_the_example(terse):
    """The same with reasoning: it is a field before the action, and its place is shown."""
    table = terse(Completion(text=""))
    await table.join(prompt=Prompt(style="brief-reasoning")).act(table.decide())

    told = table.answers.asked[-1].messages[0].text
    assert told.count('{"reasoning": "<your reasoning, in a few sentences>", "action": ') == 3
    assert ' or {"reasoning": "<your reasoning, in a few sentences>", "action": "p"} or ' in told


async def test_examples_of_many_actions_lie_far_apart(sit):
    """One alone would be copied, and all would be long: the first, one in the middle, and the last."""
    table = sit()
    table.seat.game = Many()

    request = await asked(table, table.decide())

    assert 'as in {"action": "cell 0"} or {"action": "cell 10"} or {"action": "cell 20"}\n' in request.messages[0].text


async def test_actions_that_are_not_listed_have_the_form_of_an_answer(sit):
    """Where nobody can list them, nothing stands in the system message that could be copied."""
    table = sit()
    table.seat.game = Open()

    request = await asked(table, table.decide())

    assert 'as in {"action": "<your action>"}\n' in request.messages[0].text
    assert "Each turn" not in request.messages[0].text


@attrs.frozen
class Replayed(Terse):
    """A game in which the moves that led to a position matter beside it."""

    @property
    def forms(self):
        return {**super().forms, "short-with-history": super().forms["short"], "short-rules": lambda seen: "As known."}


async def test_moves_stand_before_the_position_where_they_matter(sit):
    """The turn begins with the moves in one line, which grows at its end; then the position, once, and the actions."""
    table = sit()
    table.seat.game = table.game = Replayed()

    request = await asked(table, table.decide(news=NEWS))

    assert request.messages[0].text.startswith("You play this game.\n\nAs known.\n\nHands go")
    assert request.messages[1].text == ("The match begins. LEFT threw rock, RIGHT threw paper.\n\nround 1\n\nr p s")


def test_line_of_moves_leaves_out_names_while_sides_move_in_turn():
    """As in the notations of board games; whoever moves out of turn is named, and the line grows at its end alone."""
    events = ["White: e2e4", "Black: e7e5", "White: g1f3", "White: row 1, column 2", "a draw is offered", "Black: d7d5"]
    lines = [move_line(events[:end], ("White", "Black")) for end in range(1, len(events) + 1)]

    assert lines[-1] == "e2e4 e7e5 g1f3; White: row 1, column 2; a draw is offered; d7d5"
    assert all(after.startswith(before) for before, after in pairwise(lines))
    assert move_line(events[1:3], ("White", "Black")) == "Black: e7e5; g1f3"


def test_line_of_moves_names_everybody_where_a_turn_has_several():
    """Nobody's move is taken for another's: who draws and then discards is named both times."""
    events = ["player 1: discard Qc", "player 2: draw the upcard Qc", "player 2: discard 9c", "player 1: roll", "a 6"]

    assert move_line(events) == "; ".join(events)


@pytest.mark.parametrize(("name", "told"), [("chess", ("White", "Black")), ("gin-rummy", ()), ("pig", ())])
def test_only_games_whose_sides_move_in_turn_are_told_without_names(name, told):
    """A game says by its forms that its moves alone are enough."""
    assert sides(make_plugin("game", name), 2) == told


@pytest.mark.parametrize(("said", "action"), [("r", 0), ("p", 1), ("s", 2)])
async def test_short_name_is_the_action(terse, said, action):
    """What is played is the action whose short name was answered, as the game numbers it."""
    table = terse(f'{{"action": "{said}"}}')

    reply = await table.join(prompt=Prompt(style="brief")).act(table.decide())

    assert isinstance(reply, Reply)
    assert reply.action == action


async def test_refused_try_is_told_behind_the_turn(terse):
    """A further try says what was wrong, behind the lines that stay the same."""
    table = terse()
    rejected = (Rejected("no", "there is no well", "well"),)

    request = await asked(table, table.decide(attempt=1, rejected=rejected))

    assert request.messages[1].text.startswith("round 1\n\nr p s\n\nYou have already answered in this turn")
    assert '"well": there is no well' in request.messages[1].text


async def test_actions_need_not_be_listed(terse):
    """Without the list the names are enforced all the same."""
    table = terse()

    request = await asked(table, table.decide(), prompt={"list_actions": False})

    assert request.messages[1].text == "round 1"
    assert request.schema == SCHEMA


async def test_game_without_short_forms_is_told_in_full(sit):
    """History, observation and labels stand in for what a game does not have; the labels share a line."""
    table = sit()

    request = await asked(table, table.decide(news=NEWS))

    assert request.messages[1].text == (
        "The match begins. LEFT threw rock, RIGHT threw paper.\n\nround 1 of 3\n\nrock paper scissors"
    )


async def test_labels_of_several_words_are_told_apart(sit):
    """Labels that hold spaces are separated by more than a space."""
    table = sit()
    labels = ("play rock", "play paper", "play scissors")
    decision = table.decide(options=type(table.decide().options)((0, 1, 2), labels.__getitem__))

    request = await asked(table, decision)

    assert request.messages[1].text.endswith("play rock | play paper | play scissors")


async def test_action_without_options_is_described_by_its_schema(sit, amount):
    """Where actions are not enumerated, the turn says what stands under ``action``."""
    table = sit()

    request = await asked(table, table.decide(**amount), constrained=False)

    assert 'Here "action" is a JSON value that fits this JSON schema:\n{"type": "object"' in request.messages[1].text


async def test_tool_stands_in_the_system_message(terse):
    """With native tools the system message names the tool, and no form of an answer."""
    table = terse()

    request = await asked(table, table.decide(), tools=True)

    assert "Answer by calling the tool play." in request.messages[0].text
    assert "JSON object" not in request.messages[0].text
    assert request.tools[0].schema == SCHEMA


@pytest.mark.parametrize("names", ["r p", "r p p", "r p s t"])
async def test_names_that_do_not_fit_are_the_games_fault(terse, names):
    """As many names as options, all different: anything else would play another action than was meant."""
    table = terse(names=names)

    with pytest.raises(RuleError, match="names 3 actions"):
        await asked(table, table.decide())


async def test_game_may_have_no_names_for_some_positions(terse):
    """Where the form is empty, actions go by their labels."""
    table = terse(names="")

    request = await asked(table, table.decide())

    assert request.messages[1].text == "round 1\n\nrock paper scissors"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("answer: fields", "'answer: fields'"),
        ("answer: action", "'answer: action'"),
        ("actions: numbers", "'actions: numbers'"),
    ],
)
def test_form_that_changes_cannot_stand_in_the_system_message(tmp_path, settings, problem):
    """Where the form of the answer differs from turn to turn, ``$answer`` in the system message is a mistake."""
    file = tmp_path / "mine.yaml"
    file.write_text(f"extends: brief\n{settings}\nparts: {{answer: $answer}}\n")

    with pytest.raises(ValueError, match=f"changes from turn to turn in a style with {problem}"):
        Prompt(style=str(file))


def test_examples_are_objects_that_hold_the_action(tmp_path):
    """A style whose answers have another form says so in its own words."""
    file = tmp_path / "mine.yaml"
    file.write_text("extends: brief\nanswer: fields\n")

    with pytest.raises(ValueError, match=r"no \$example of answers by 'answer: fields'"):
        Prompt(style=str(file))


def test_form_that_changes_may_be_moved_to_the_turn(tmp_path):
    """Such a style is right as soon as the part stands in the user message."""
    file = tmp_path / "mine.yaml"
    file.write_text("extends: brief\nactions: numbers\nparts:\n  answer: {in: user}\n")

    assert Prompt(style=str(file)).compiled().actions == "numbers"
