"""Planted faults in what a player may do: options, labels, schemas, checks and queries."""

import attrs
import pytest
from arena.game import Decision, Illegal, Options
from arena.testing import check_game

from .games_board import Board, TicTacToe
from .games_tables import Negotiation, Proposals
from .games_together import Benches, Workshop
from .planted import Planted, changed, fault_of


class SameLabel(Board):
    """Calls every cell the same."""

    def decision(self, player):
        decision = Board.decision(self, player)
        return changed(decision, options=Options(decision.options.actions, lambda cell: "a cell"))


class BareNumbers(Board):
    """Labels cells with their numbers."""

    def decision(self, player):
        return Decision(player=player, options=Options([c for c in range(9) if not self.cells[c]]))


def test_label_that_says_nothing():
    """Labels that are bare numbers are found."""
    assert fault_of(Planted(TicTacToe(), BareNumbers)).check == "labels"


def test_label_of_two_options():
    """Labels that are not unique are found where a match begins, with how many options share one."""
    fault = fault_of(Planted(TicTacToe(), SameLabel))

    assert (fault.check, fault.what) == ("labels", "9 options have the label 'a cell'")


@pytest.mark.parametrize("declared", [range(8), [*range(9), 0]])
def test_declared_actions_that_are_not_all(declared):
    """A game that declares too few actions, or one twice, is found."""

    @attrs.frozen
    class Declared(TicTacToe):
        def actions(self, players):
            return declared

    assert fault_of(Declared()).check == "options"


class Lenient(Board):
    """Compares actions as Python does, for which ``True`` is ``1``."""

    def check(self, player, action):
        is_empty = action in range(9) and not self.cells[action] if isinstance(action, int | float) else False
        return None if is_empty else Illegal("cell", "not an empty cell")


def test_true_taken_for_one():
    """A check that takes ``true`` or ``1.0`` for ``1`` is found."""
    fault = fault_of(Planted(TicTacToe(), Lenient))

    assert (fault.check, "accepted but not among the options" in fault.what) == ("options", True)


class Raising(Board):
    """Looks an action up before asking what it is."""

    def check(self, player, action):
        return Illegal("cell", "taken") if self.cells[action] else None


def test_check_that_raises():
    """A check that raises on nonsense is found."""
    fault = fault_of(Planted(TicTacToe(), Raising))

    assert (fault.check, "raises" in fault.what) == ("check", True)


class RefusesOwn(Board):
    """Refuses the centre it offers."""

    def check(self, player, action):
        return Illegal("centre", "not the centre") if action == 4 else Board.check(self, player, action)


def test_option_that_is_refused():
    """An option that the check refuses is found."""
    assert fault_of(Planted(TicTacToe(), RefusesOwn)).check == "options"


class LooseSchema(Negotiation):
    """Accepts a proposal with anything else in it."""

    def check(self, player, action):
        if self.offer is None and isinstance(action, dict):
            action = {key: action[key] for key in ("partner", "slices") if key in action}
        return Negotiation.check(self, player, action)


def test_accepted_against_the_schema():
    """An action that the schema forbids and the check accepts is found."""
    assert fault_of(Planted(Proposals(), LooseSchema)).check == "schema"


class EagerCheck(Board):
    """Marks the cell already when asked whether it may be marked."""

    def check(self, player, action):
        refused = Board.check(self, player, action)
        if refused is None and action == 8:
            self.cells[8] = "XO"[player]
        return refused


def test_check_that_acts():
    """A check that changes the state is found."""
    assert fault_of(Planted(TicTacToe(), EagerCheck)).check in {"check", "options"}


class BrokenQuery(Benches):
    """Answers nonsense with an error of its own."""

    def decision(self, player):
        decision = Benches.decision(self, player)
        (recipe,) = decision.queries
        return changed(decision, queries=(attrs.evolve(recipe, answer=lambda arguments: arguments["thing"]),))


def test_query_that_raises():
    """A query that raises on nonsense is found."""
    assert fault_of(Planted(Workshop(), BrokenQuery)).check == "queries"


class NoSkip(Benches):
    """Says that doing nothing is an action it does not accept."""

    def decision(self, player):
        decision = Benches.decision(self, player)
        return changed(decision, skip="sleep")


def test_skip_that_is_refused():
    """A do-nothing action that is not legal is found."""
    assert fault_of(Planted(Workshop(), NoSkip)).check == "skip"


def reads(aliases):
    """A board whose decisions read other spellings of actions with ``aliases``."""

    class Reads(Board):
        def decision(self, player):
            return changed(Board.decision(self, player), aliases=lambda value: aliases(self, value))

    return Reads


@pytest.mark.parametrize(
    ("aliases", "what"),
    [
        (lambda board, value: value + 1 if type(value) is int else value, "is no label that was shown"),
        (lambda board, value: int(value) if isinstance(value, str) and value.isdecimal() else value, "'0' is read as"),
        (lambda board, value: board.cells.index("") if value is None else value, "None is read as the action 0"),
        (lambda board, value: Illegal("taken", "no") if value == "" else value, "its kind is to be one of illegal"),
        (lambda board, value: value["x"], "reading -2 raises TypeError"),
    ],
)
def test_what_is_read_though_it_was_not_shown(aliases, what):
    """A game that reads a number, or nothing, as an action is found, as is one that cannot say what is wrong."""
    fault = fault_of(Planted(TicTacToe(), reads(aliases)))

    assert (fault.check, what in fault.what) == ("writings", True), fault.what


def test_other_spellings_that_are_sound():
    """A game may read other words for its labels, and say why a word is none."""
    words = {"middle": 4, "outside": Illegal("illegal", "'outside' is not legal: it is no cell")}

    assert check_game(Planted(TicTacToe(), reads(lambda board, value: words.get(str(value), value))))
