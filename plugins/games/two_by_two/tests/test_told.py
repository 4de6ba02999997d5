import attrs
import pytest
from arena.chance import Chance
from arena.game import Game, Illegal
from arena.record import NOBODY
from arena.testing import check_game
from arena_game_two_by_two.answer import pairs
from arena_game_two_by_two.casting import tell
from arena_game_two_by_two.classic import TwoByTwo
from arena_game_two_by_two.examination import SOLVER
from arena_game_two_by_two.matrix import Matrix
from arena_game_two_by_two.nested import Nested, Restriction
from arena_game_two_by_two.story_games import TwoByTwoNested, TwoByTwoParallel, TwoByTwoSequence, TwoByTwoStory
from arena_game_two_by_two.topology import GAMES


@pytest.mark.parametrize(
    "game",
    [
        TwoByTwoStory("322", 4),
        TwoByTwoSequence(3),
        TwoByTwoParallel(3),
        TwoByTwoNested(),
        TwoByTwoNested("table"),
    ],
)
@pytest.mark.parametrize("playouts", [2, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.sample(fast=1, slow=1)
def test_told_games_keep_the_contract(game: Game, playouts: int | None):
    """They pass what every game has to pass."""
    check_game(game, playouts=playouts)


def test_a_story_is_asked_as_it_is_told():
    """The question is the story's scenario, or the whole story, and its equilibria are the answer."""
    story = tell("122", 3)

    (question,) = TwoByTwoStory("122", 3).questions(Chance(0))
    (whole,) = TwoByTwoStory("122", 3, shows="all").questions(Chance(0))

    assert question.text.startswith(f"{story.scenario}\n\n")
    assert "[" not in question.text
    assert whole.text.startswith(f"{story.text}\n\n")
    assert question.right == whole.right == GAMES["122"].matrix.equilibria
    assert (question.form, whole.form) == ("story", "story-all")


@pytest.mark.parametrize(
    ("game", "form"),
    [
        (TwoByTwoSequence(2), "sequential"),
        (TwoByTwoParallel(2), "parallel"),
        (TwoByTwoNested(), "nested-story"),
        (TwoByTwoNested(form="table"), "nested-table"),
    ],
)
def test_scenarios_are_shown_in_every_form(game, form):
    """Sequences, parallel and nested questions show scenarios, or whole stories, which are another form."""
    whole = attrs.evolve(game, shows="all")
    shown, all_shown = (each.questions(Chance(1)) for each in (game, whole))

    assert {question.form for question in shown} == {form}
    assert {question.form for question in all_shown} == {form if form == "nested-table" else f"{form}-all"}
    if form != "nested-table":
        assert not any("[Preferences]" in question.text for question in shown)
        assert all("[Preferences]" in question.text for question in all_shown)
    assert [question.right for question in shown] == [question.right for question in all_shown]


def test_a_text_of_ones_own_is_shown_by_its_scenario():
    """Of a story that a benchmark gives, the scenario alone is shown as well."""
    story = tell("111", 0)

    (question,) = TwoByTwoStory("111", text=story.text).questions(Chance(0))

    assert question.text.startswith(f"{story.scenario}\n\n")


WORDS = ("equilibri", "dominan", "best repl", "best response", "depart", "deviat", "stable", "nash")
"""Words by which a question would name or paraphrase what it asks for."""


@pytest.mark.parametrize(
    "game",
    [
        TwoByTwo(),
        TwoByTwoStory(),
        TwoByTwoSequence(),
        TwoByTwoParallel(),
        TwoByTwoNested(),
        TwoByTwoNested(form="table"),
    ],
)
def test_nothing_that_is_told_says_what_is_asked_for(game):
    """Neither the rules nor the task name, define or paraphrase what makes a combination likely."""
    told = " ".join([game.rules, *(question.text for question in game.questions(Chance(3)))]).lower()

    assert not [word for word in WORDS if word in told]
    assert "most possible" in told


def test_a_sequence_needs_every_answer():
    """One wrong answer among right ones is as bad as none; the next question shows what was answered, not whether."""
    state, events = TwoByTwoSequence(3).start(Chance(1), 1)
    games = TwoByTwoSequence(3).questions(Chance(1))
    wrong = games[1].right ^ {1}

    seen = []
    for answer in (games[0].right, wrong, games[2].right):
        seen.append(state.observe(SOLVER))
        state.apply({SOLVER: pairs(answer)})

    assert [event.kind for event in events] == ["asked", "posed"]
    assert events[1].to == NOBODY
    assert len({game.game for game in games}) == 3
    assert [view["number"] for view in seen] == [1, 2, 3]
    assert seen[2]["answered"] == [pairs(games[0].right), pairs(wrong)]
    assert state.returns() == (0.0,)


@pytest.mark.parametrize("stories", [3, 5, 10])
def test_parallel_games_are_answered_at_once(stories: int):
    """All questions are asked together, and one list answers them in their order."""
    game = TwoByTwoParallel(stories)
    state, events = game.start(Chance(2), 1)
    answers = [pairs(question.right) for question in game.questions(Chance(2))]

    short = state.check(SOLVER, answers[:-1])

    assert sum(event.kind == "asked" for event in events) == stories
    assert isinstance(short, Illegal)
    assert f"a list of {stories} answers" in short.reason
    assert state.check(SOLVER, answers) is None
    state.apply({SOLVER: answers})
    assert state.returns() == (1.0,)
    assert not state.to_act()


def test_nested_questions_are_telling_and_right():
    """Every restriction that is drawn changes the pre-game's equilibria, and the text names it."""
    for seed in range(40):
        (question,) = TwoByTwoNested("table").questions(Chance(seed))
        player, situation, choice = question.notes["restriction"]
        core: Matrix = GAMES[question.notes["core"]].matrix
        pre = GAMES[question.game].matrix

        assert question.right == Nested(pre, core, Restriction(player, situation, choice)).answer
        assert question.right != pre.equilibria
        assert f"{player} may not choose {player}{choice} in the core game" in " ".join(question.text.split())
