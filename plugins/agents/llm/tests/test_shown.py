"""What is seen now is told once; styles have parts that are off until somebody asks for them."""

import attrs
import pytest
from arena.record import GameEvent
from arena_agent_llm.prompts.moment import Shown
from arena_agent_llm.prompts.prompt import Prompt
from arena_agent_llm.prompts.style import load

ROCK = '{"reasoning": "r", "action": "rock"}'
POSITION = "a | b\nc | d"


@pytest.mark.parametrize(
    ("event", "new", "is_told"),
    [
        (POSITION, 1, False),
        (POSITION, 0, False),
        (f"game 1:\n{POSITION}", 0, False),
        (f"\n{POSITION}  \n\n", 1, False),
        ("c | d", 1, False),
        ("c | d", 0, True),  # it may have happened more than once
        ("a |", 1, True),
        ("b\nc", 1, True),
        (f"it was\n{POSITION}", 1, True),
        ("LEFT threw rock.", 1, True),
    ],
)
def test_an_event_whose_lines_are_seen_is_not_told(event, new, is_told):
    """Whole lines of the position, under a heading or alone, are not told; parts of lines and old single lines are."""
    shown = Shown((f"{POSITION}\nYou are player 0.",))

    assert shown.untold([event], new) == ([event] if is_told else [])
    assert Shown().untold([event], new) == [event]


class Told:
    """A game's way to put its events into words: what they hold."""

    def describe_event(self, event, player):
        return event.data


def retold(table):
    """The table with a game whose events are their own texts."""
    game = type("Retold", (type(table.game),), {"describe_event": Told.describe_event})()
    return attrs.evolve(table, game=game, seat=attrs.evolve(table.seat, game=game))


SEEN, BEFORE = "round 1 of 3", "somebody came in"
NEWS = (GameEvent("said", BEFORE, None), GameEvent("said", SEEN, None))


@pytest.mark.parametrize("history", ["compact", "transcript"])
async def test_what_is_seen_now_is_told_once(sit, history):
    """The observation is no history and no news as well."""
    table = retold(sit(ROCK))

    await table.join(prompt=Prompt(style="direct", history=history)).act(table.decide(news=NEWS))
    text = table.answers.asked[0].messages[-1].text

    assert text.count(SEEN) == 1
    assert text.count(BEFORE) == 1


async def test_what_was_seen_is_told_later(sit):
    """An observation of an earlier turn is history, because it is not seen any more."""
    table = retold(sit(ROCK, ROCK))
    mind = table.join(prompt=Prompt(style="direct"))

    await mind.act(table.decide(news=NEWS))
    table.state.round = 1
    await mind.act(table.decide(turn=1, news=()))

    assert f"What has happened so far:\n{BEFORE}\n{SEEN}\n" in table.answers.asked[1].messages[-1].text


async def test_history_is_cut_after_what_is_seen_was_left_out(sit):
    """A history of one event tells the last event that is not seen."""
    table = retold(sit(ROCK))

    await table.join(prompt=Prompt(style="direct", history_length=1)).act(table.decide(news=NEWS))

    assert f"What has happened so far:\n{BEFORE}\n\n" in table.answers.asked[0].messages[-1].text


async def test_what_no_part_shows_is_told(sit, tmp_path):
    """A style whose observation makes way for another part still tells what happened."""
    file = tmp_path / "blind.yaml"
    file.write_text(
        "extends: direct\nparts:\n  blind: {text: Guess., before: observation}\n  observation: {unless: blind}\n"
    )
    table = retold(sit(ROCK))

    await table.join(prompt=Prompt(style=str(file))).act(table.decide(news=NEWS))

    assert table.answers.asked[0].messages[-1].text.count(SEEN) == 1


STYLE = """
parts:
  - {name: rules, in: system, text: $rules}
  - {name: definition, in: system, text: It means this., off: true}
  - {name: question, text: "Now: $observation"}
"""


@pytest.fixture
def style(tmp_path):
    """A style with a part that is off."""
    (tmp_path / "base.yaml").write_text(STYLE)
    return str(tmp_path / "base.yaml")


def test_a_part_is_on_or_off(tmp_path):
    """A style with a part that is neither on nor off is refused."""
    (tmp_path / "broken.yaml").write_text("parts:\n  - {name: a, text: b, off: 1}\n")

    with pytest.raises(ValueError, match="'off' must be true or false"):
        load(str(tmp_path / "broken.yaml"))


def test_a_part_that_is_off_can_be_added(style):
    """A part that is off changes nothing until ``true`` adds it where it stands, and a style may do so for others."""
    plain = load(style)
    added = plain.changed({"definition": True})

    assert plain.part_names() == ("rules", "question")
    assert added.part_names() == ("rules", "definition", "question")
    assert added.version != plain.version
    assert added.changed({"definition": True}) == added
    with pytest.raises(ValueError, match=r"definitoin.*did you mean 'definition'"):
        plain.changed({"definitoin": True})


def test_a_line_that_was_said_long_ago_is_known_if_it_was_said_once():
    """The line of moves leaves out what is seen now; of the same that happened twice either may be meant, and stays."""
    shown = Shown(("two books\nBOB passes",))

    assert shown.untold(["two books", "ANN passes"], 0) == ["two books", "ANN passes"]
    assert shown.untold(["two books", "ANN passes"], 0, knows_old=True) == ["ANN passes"]
    assert shown.untold(["BOB passes", "BOB passes"], 0, knows_old=True) == ["BOB passes", "BOB passes"]
