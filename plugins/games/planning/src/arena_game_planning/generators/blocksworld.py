"""Blocks on a table and one arm: towers are taken down as far as they are wrong and built up as they are wanted."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step


@attrs.frozen
class BlocksworldSize:
    """How many blocks there are."""

    blocks: int


def draw(chance: Random, size: BlocksworldSize) -> Draft:
    """Blocks in towers at random, wanted in other towers at random."""
    if size.blocks < 2:
        raise ValueError(f"blocks: expected at least 2, got {size.blocks}")
    blocks = list(names("b", size.blocks))
    now = _towers(chance, blocks)
    wanted = now
    while wanted == now or len(wanted) == size.blocks:
        wanted = _towers(chance, blocks)
    init = ["(hand-empty)"]
    for tower in now:
        init += [step("on-table", tower[0]), *_pairs(tower), step("clear", tower[-1])]
    goal = [pair for tower in wanted for pair in _pairs(tower)]
    return Draft((("block", tuple(blocks)),), tuple(init), tuple(goal), tuple(_plan(now, wanted)))


def _towers(chance: Random, blocks: list[str]) -> list[list[str]]:
    order = chance.sample(blocks, len(blocks))
    towers: list[list[str]] = []
    for block in order:
        place = chance.randrange(len(towers) + 1)
        if place == len(towers) and chance.random() < 0.5 + 0.5 / (1 + len(towers)):
            towers.append([block])
        else:
            towers[place % len(towers)].append(block)
    return sorted(towers)


def _pairs(tower: list[str]) -> list[str]:
    return [step("on", above, below) for below, above in pairwise(tower)]


def _plan(now: list[list[str]], wanted: list[list[str]]) -> list[str]:
    """Move a block to its place as soon as that is ready, otherwise the nearest wrong one to the table."""
    below = {above: under for tower in wanted for under, above in zip([None, *tower], tower, strict=False)}
    towers = [list(tower) for tower in now]
    plan: list[str] = []
    while True:
        right = {tower[0]: _right(tower, below) for tower in towers}
        ready = {tower[-1]: tower for tower in towers if right[tower[0]] == len(tower)}
        move: tuple[list[str], list[str] | None] | None = None
        for tower in towers:
            under = below[tower[-1]]
            if right[tower[0]] < len(tower) and under is not None and under in ready:
                move = (tower, ready[under])
                break
        if move is None:
            wrong = [tower for tower in towers if right[tower[0]] < len(tower) and len(tower) > 1]
            if not wrong:
                return plan
            move = (min(wrong, key=lambda tower: (len(tower) - right[tower[0]], tower[0])), None)
        source, target = move
        block = source.pop()
        plan.append(step("unstack", block, source[-1]) if source else step("pick-up", block))
        plan.append(step("stack", block, target[-1]) if target else step("put-down", block))
        if target:
            target.append(block)
        else:
            towers.append([block])
        towers = [tower for tower in towers if tower]


def _right(tower: list[str], below: dict[str, str | None]) -> int:
    """How many blocks from the bottom stand where they are wanted."""
    for height, block in enumerate(tower):
        if below[block] != (tower[height - 1] if height else None):
            return height
    return len(tower)


GENERATOR = Generator(
    "blocksworld",
    ("sequential",),
    tuple(BlocksworldSize(blocks) for blocks in (*spread(10, 3, 5), *spread(90, 5, 17))),
    draw,
)
