"""Writes a match as readable text: who did what, and what each player saw of it."""

from collections.abc import Iterator

from arena.game import FORFEITED, Drawing, Game, Image
from arena.record import GameEvent, Player, canonical_json, derive_rng

from arena_testing.foundation.conformance import Step
from arena_testing.foundation.playthrough import Playthrough

_LONGEST = 1_000


def golden_playthrough(game: Game, seed: int = 0, players: int | None = None, steps: int = _LONGEST) -> str:
    """Write one random match of ``game`` as text, up to its end or to ``steps`` steps.

    No check can know which card should be hidden if the game itself shows it everywhere; a reader can. Keep the text in
    a file beside the tests, read it once, and compare it in a test: any change to what a player sees then changes the
    file.

    Each event is listed with the players who see it and with the game's description; before each step stands what the
    players to act see; at the end stand the returns.
    """
    count = min(game.player_counts()) if players is None else players
    return "\n".join(_lines(game, count, seed, steps)) + "\n"


def _lines(game: Game, players: int, seed: int, steps: int) -> Iterator[str]:
    seats = tuple(game.seats(players))
    rng = derive_rng("golden", seed)
    limit = min(steps, game.facts(players).max_steps)
    walk = Playthrough.begin(game, players, seed)
    yield f"{game!r}, seed {seed}, {players} players: {', '.join(seats)}"
    yield from ("", *_indented(game.rules), "", "start")
    yield from _told(walk, seats, 0)
    while not walk.is_over and len(walk.steps) < limit:
        yield f"\nwave {len(walk.steps) + 1}"
        step = walk.draw_step(rng)
        for player in step:
            yield from _seen(walk, seats, player)
        yield from _done(walk, seats, step)
        since = len(walk.told)
        walk.step(step)
        yield from _told(walk, seats, since)
    returns = walk.state.returns()
    yield f"\n{'not over' if returns is None else 'over'} after {len(walk.steps)} waves"
    if returns is not None:
        yield from (f"  {seat} earns {earned:g}" for seat, earned in zip(seats, returns, strict=True))


def _told(walk: Playthrough, seats: tuple[str, ...], since: int) -> Iterator[str]:
    for event, _ in walk.told[since:]:
        yield f"  {_audience(event, seats)}: {event.kind} {canonical_json(event.data)}"
        told = {walk.game.describe_event(event, player): None for player in _viewers(event, len(seats))}
        yield from (line for text in told for line in _indented(text, "      "))


def _seen(walk: Playthrough, seats: tuple[str, ...], player: Player) -> Iterator[str]:
    shown = walk.game.forms["text"](walk.state.observe(player))
    yield f"  {seats[player]} sees"
    yield from _indented(shown.alt if isinstance(shown, Image | Drawing) else shown, "      ")


def _done(walk: Playthrough, seats: tuple[str, ...], step: Step) -> Iterator[str]:
    for player, action in step.items():
        decision = walk.state.decision(player)
        words = ""
        if action is not FORFEITED and decision.options is not None:
            words = f" ({decision.options.label(action)})"
        yield f"  {seats[player]} does {'gone' if action is FORFEITED else canonical_json(action)}{words}"


def _audience(event: GameEvent, seats: tuple[str, ...]) -> str:
    if event.to is None:
        return "everybody"
    return ", ".join(seats[player] for player in event.to) or "nobody"


def _viewers(event: GameEvent, players: int) -> list[Player]:
    return [Player(p) for p in range(players) if event.is_visible(Player(p))]


def _indented(text: str, by: str = "  ") -> list[str]:
    return [f"{by}{line}".rstrip() for line in text.splitlines()]
