"""A decision is a value: nobody changes it, and copies of it are like it."""

import copy
import pickle
from typing import Any

import pytest
from arena.decision import Decision, PlayerView, Rejected
from arena.errors import RuleError
from arena.options import ABSENT, Options
from arena.record import GameEvent, Player


class Match:
    """What stands behind a view."""

    def observe(self, player: Player | None) -> Any:
        return {"player": player}

    def check(self, player: Player, action: Any) -> None:
        return None


def asked() -> Decision:
    """A decision as a player is asked it."""
    made = Decision(player=Player(1), phase="propose", options=Options((1, 2)), skip=2)
    news = (GameEvent("dealt", [3], None),)
    rejected = (Rejected("illegal", "no"),)
    view = PlayerView(Match(), Player(1))
    return made.asked(view, turn=4, attempt=1, news=news, rejected=rejected, refusals=5, forms={"text": str})


PUBLIC = [name for name in dir(Decision) if not name.startswith("_") and isinstance(vars(Decision)[name], property)]


@pytest.mark.parametrize("name", [*PUBLIC, "anything"])
def test_nothing_of_a_decision_can_be_changed(name: str):
    """Setting and deleting raise, whether there is such an attribute or not."""
    decision = asked()

    with pytest.raises(AttributeError):
        setattr(decision, name, None)
    with pytest.raises(AttributeError):
        delattr(decision, name)


def test_decision_of_a_game_has_defaults():
    """What a referee adds is nothing yet, and nothing can be read before a player is asked."""
    made = Decision(player=Player(0), action_schema={"type": "integer"})

    assert (made.phase, made.options, made.skip, made.queries) == ("move", None, ABSENT, ())
    assert (made.turn, made.attempt, made.refusals, made.refusals_left) == (0, 0, 0, None)
    assert (made.rejected, made.news, dict(made.forms)) == ((), (), {})
    with pytest.raises(RuleError, match="before a player is asked"):
        made.check(1)


def test_asked_decision_keeps_what_the_game_says():
    """The referee adds to what the game has said, in a copy."""
    decision = asked()

    assert (decision.player, decision.phase, decision.skip) == (1, "propose", 2)
    assert decision.options is not None
    assert list(decision.options.actions) == [1, 2]
    assert (decision.turn, decision.attempt, decision.refusals) == (4, 1, 5)
    assert decision.rejected == (Rejected("illegal", "no"),)
    assert decision.observation == {"player": 1}


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@pytest.mark.parametrize("decision", [asked(), Decision(player=Player(0), phase="pass", skip="no")])
def test_copies_are_alike(copied: Any, decision: Decision):
    """A copied or pickled decision says the same, whether a player was asked it or not."""
    other = copied(decision)

    said = {"turn", "attempt", "rejected", "refusals", "refusals_left", "news", "forms", "phase", "player", "skip"}
    assert {name: getattr(other, name) for name in said} == {name: getattr(decision, name) for name in said}
