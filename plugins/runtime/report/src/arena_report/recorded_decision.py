"""What a player was asked in a turn of a recorded match."""

from arena.game import Decision, Game, PlayerView
from arena.record import JSON, MatchRecord
from arena.turns import Turn, positions


def recorded_decision(game: Game, record: MatchRecord, turn: Turn) -> Decision:
    """The decision of a turn, which can be shown in all forms of the game.

    ``JournalError`` if the game plays otherwise than it is recorded.
    """
    for position in positions(game, record):
        if position.step == turn.step:
            view = PlayerView(position.state, turn.player)
            return position.state.decision(turn.player).asked(view, forms=game.forms)
    raise AssertionError("a turn belongs to a step of its match")


def has_short_name(decision: Decision, name: JSON, action: JSON) -> bool:
    """Whether a form of the game gives each option one word, and an action has this one.

    Models may be asked by such names in place of labels, as the style ``brief`` does.
    """
    if decision.options is None or not isinstance(name, str):
        return False
    actions = list(decision.options.actions)
    for form in decision.forms:
        shown = decision.render(form)
        words = shown.split() if isinstance(shown, str) else []
        if len(words) == len(actions) == len(set(words)) and name in words:
            return actions[words.index(name)] == action
    return False
