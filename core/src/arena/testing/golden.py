"""A match as a text to read: who did what, and who saw what of it."""

from collections.abc import Iterator

from arena.game import GONE, Game, Picture
from arena.record import GameEvent, Player, canonical, stream
from arena.testing.conformance import Wave
from arena.testing.walk import Walk

_LONGEST = 1_000


def golden_playthrough(game: Game, seed: int = 0, players: int | None = None, waves: int = _LONGEST) -> str:
    """Write down one random match of ``game``, up to its end or to ``waves`` waves.

    No check can know that a card should have been hidden that every rule of the game shows; a reader can. Keep the
    text in a file beside the tests, read it once, and compare it in a test: whatever changes what is seen by whom
    then changes the file.

    For each event the text names who sees it and tells it in the game's words; before each wave it shows what those
    who are to act see; at the end what everybody earned.
    """
    count = min(game.player_counts()) if players is None else players
    return "\n".join(_lines(game, count, seed, waves)) + "\n"


def _lines(game: Game, players: int, seed: int, waves: int) -> Iterator[str]:
    seats = tuple(game.seats(players))
    rng = stream("golden", seed)
    limit = min(waves, game.facts(players).wave_limit)
    walk = Walk.begin(game, players, seed)
    yield f"{game!r}, seed {seed}, {players} players: {', '.join(seats)}"
    yield from ("", *_indented(game.rules), "", "start")
    yield from _told(walk, seats, 0)
    while not walk.is_over and len(walk.waves) < limit:
        yield f"\nwave {len(walk.waves) + 1}"
        wave = walk.draw_wave(rng)
        for player in wave:
            yield from _seen(walk, seats, player)
        yield from _done(walk, seats, wave)
        since = len(walk.told)
        walk.step(wave)
        yield from _told(walk, seats, since)
    returns = walk.state.returns()
    yield f"\n{'not over' if returns is None else 'over'} after {len(walk.waves)} waves"
    if returns is not None:
        yield from (f"  {seat} earns {earned:g}" for seat, earned in zip(seats, returns, strict=True))


def _told(walk: Walk, seats: tuple[str, ...], since: int) -> Iterator[str]:
    for event, _ in walk.told[since:]:
        yield f"  {_audience(event, seats)}: {event.kind} {canonical(event.data)}"
        told = {walk.game.tell(event, player): None for player in _viewers(event, len(seats))}
        yield from (line for text in told for line in _indented(text, "      "))


def _seen(walk: Walk, seats: tuple[str, ...], player: Player) -> Iterator[str]:
    shown = walk.game.forms["text"](walk.state.observe(player))
    yield f"  {seats[player]} sees"
    yield from _indented(shown.alternative if isinstance(shown, Picture) else shown, "      ")


def _done(walk: Walk, seats: tuple[str, ...], wave: Wave) -> Iterator[str]:
    for player, action in wave.items():
        decision = walk.state.decision(player)
        words = ""
        if action is not GONE and decision.options is not None:
            words = f" ({decision.options.label(action)})"
        yield f"  {seats[player]} does {'gone' if action is GONE else canonical(action)}{words}"


def _audience(event: GameEvent, seats: tuple[str, ...]) -> str:
    if event.to is None:
        return "everybody"
    return ", ".join(seats[player] for player in event.to) or "nobody"


def _viewers(event: GameEvent, players: int) -> list[Player]:
    return [Player(p) for p in range(players) if event.is_visible(Player(p))]


def _indented(text: str, by: str = "  ") -> list[str]:
    return [f"{by}{line}".rstrip() for line in text.splitlines()]
