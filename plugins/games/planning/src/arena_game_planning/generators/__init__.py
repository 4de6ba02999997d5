"""Seeded generators of problems, one module for each domain."""

from importlib import import_module

from arena_game_planning.generators.draft import Draft, Generator

__all__ = ["DOMAINS", "Draft", "Generator", "generator"]

DOMAINS = (
    "drone",
    "floortile",
    "grid",
    "logistics",
    "sokoban",
    "termes",
    "assembly",
    "barman",
    "blocksworld",
    "briefcaseworld",
    "multi-agent-coordination",
    "cooperate-sequential-gripper",
    "elevator",
    "counters",
    "depots",
    "freecell",
    "markettrader",
    "rovers",
    "satellite",
    "settlersnumeric",
    "sugar",
)


def generator(domain: str) -> Generator:
    """The generator of a domain; the name is one of ``DOMAINS``."""
    return import_module(f"arena_game_planning.generators.{domain.replace('-', '_')}").GENERATOR
