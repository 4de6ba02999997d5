import pytest
from arena.chance import Chance
from arena.game import Game, Illegal
from arena.record import NOBODY
from arena.testing import check_game
from arena_game_two_by_two.answer import pairs
from arena_game_two_by_two.composer import tell
from arena_game_two_by_two.examination import SOLVER
from arena_game_two_by_two.matrix import Matrix
from arena_game_two_by_two.nested import Nested, Restriction
from arena_game_two_by_two.told import TwoByTwoNested, TwoByTwoParallel, TwoByTwoSequence, TwoByTwoStory
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
def test_told_games_keep_the_contract(game: Game):
    """They pass what every game has to pass."""
    check_game(game)


def test_a_story_is_asked_as_it_is_told():
    """The question is the whole story, and its equilibria are the answer."""
    (question,) = TwoByTwoStory("122", 3).questions(Chance(0))

    assert question.text.startswith(tell("122", 3).text)
    assert question.right == GAMES["122"].matrix.equilibria


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
