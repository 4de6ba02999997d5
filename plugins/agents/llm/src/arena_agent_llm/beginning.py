"""What is known of all matches of a game before one begins, for the part of a prompt that never changes."""

from arena.chance import Chance
from arena.game import Decision, Game, PlayerView


def said_at_first(game: Game, decision: Decision | None, form: str) -> str:
    """What a form says that is the same for everybody and in all positions; empty in games that lack it."""
    if form not in game.forms or decision is None:
        return ""
    shown = decision.render(form)
    return shown if isinstance(shown, str) else ""


def first_decision(game: Game, players: int) -> Decision | None:
    """The first decision of a match that is the same in all runs; ``None`` if nobody ever acts."""
    state, _ = game.start(Chance(0), players)
    player = next(iter(state.to_act()), None)
    if player is None:
        return None
    return state.decision(player).asked(PlayerView(state, player), forms=game.forms)
