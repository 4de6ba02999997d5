"""Matches for the tests of standings, made by hand or by seed."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from arena_standings import Contest, GameKind

DEALT = {"g": GameKind(kind="wins", chance=True)}
WITHOUT_CHANCE = {"g": GameKind(kind="wins", chance=False)}
PAID = {"g": GameKind(kind="pays", chance=True)}


def met(a: str, b: str, values: Sequence[float], game: str = "g", *, turned: bool = True) -> list[Contest]:
    """Matches of two agents; ``values`` are what ``a`` earned and ``b`` lost, two matches to a block.

    Seats change within a block, unless not ``turned``.
    """
    found: list[Contest] = []
    for i, value in enumerate(values):
        is_turned = turned and i % 2 == 1
        agents, returns = ((b, a), (-value, value)) if is_turned else ((a, b), (value, -value))
        own = Contest(game=game, block=f"{game}/{a}-{b}/{i // 2}", match=f"{i}", agents=agents, returns=returns)
        found.append(own)
    return found


def won(a: str, b: str, wins: int, losses: int, draws: int = 0, game: str = "g") -> list[Contest]:
    """Matches of two agents, so many won by ``a`` and by ``b``; wins and losses are spread over blocks by a seed."""
    values = [1.0] * wins + [-1.0] * losses + [0.0] * draws
    Random(f"{a}{b}").shuffle(values)
    return met(a, b, values, game)


def drawn(agents: Sequence[str], blocks: int, seed: int, play: Callable[[Random, str, str], float]) -> list[Contest]:
    """A round robin: every two agents meet in so many blocks of two matches, of which ``play`` says what they earn."""
    return list(_drawn(agents, blocks, Random(seed), play))


def _drawn(
    agents: Sequence[str], blocks: int, random: Random, play: Callable[[Random, str, str], float]
) -> Iterator[Contest]:
    for i, a in enumerate(agents):
        for b in agents[i + 1 :]:
            yield from met(a, b, [play(random, a, b) for _ in range(2 * blocks)])


def coin(random: Random, a: str, b: str) -> float:
    """A fair coin."""
    return random.choice((-1.0, 1.0))


def by_name(random: Random, a: str, b: str) -> float:
    """Later names win more often: 3 in 4 against the one before."""
    return 1.0 if random.random() < 1 / (1 + 3 ** (ord(b[0]) - ord(a[0]))) else -1.0
