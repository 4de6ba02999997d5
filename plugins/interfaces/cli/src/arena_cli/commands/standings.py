"""The command ``arena standings``: says who is better by results that were played elsewhere."""

import sys
from collections.abc import Iterator, Mapping
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

import attrs
import click
from arena.catalog import Catalog
from arena.errors import ArenaError, ConfigError, did_you_mean
from arena_engine import structure
from arena_engine.foundation import ReceivedFiles, received_json
from arena_standings import Contest, GameKind, MatchEnding, Part, Standings, block_of, standings_of

from arena_cli.application.group import Command
from arena_cli.output import count, paragraph, result, result_json, singular, terminal_of
from arena_cli.results.summary import INDENT, Block, doubt_lines, fitted, standings_blocks

STDIN: Final = "-"
"""The file that stands for standard input."""

_REMEDY: Final = "write one object, see arena standings --help"
_LISTED: Final = 20
"""The most mistakes that are printed."""

_NEEDS_RETURNS: Final = frozenset({"finished", "forfeited"})
_MOST_LINES: Final = 10_000


@attrs.frozen(kw_only=True)
class MatchEntry:
    """One match of a file: ``agents`` and ``returns`` by seat, ``by`` the seats whose answers ended it."""

    game: str
    block: str
    agents: tuple[str, ...]
    returns: tuple[float, ...] | None = None
    ending: MatchEnding = "finished"
    by: tuple[int, ...] = ()


@attrs.frozen(kw_only=True)
class ResultsFile:
    """What a file of results holds; agents in ``random`` are rated 1500."""

    games: Mapping[str, GameKind]
    matches: tuple[MatchEntry, ...]
    random: tuple[str, ...] | None = None


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "is_json", is_flag=True, help="One object with all numbers.")
def standings(file: Path, is_json: bool) -> None:
    """Say who is better by results from elsewhere.

    FILE is JSON, or - for standard input: {"games": {"chess": {"kind": "wins", "chance": false}}, "random": ["random"],
    "matches": [{"game": "chess", "block": "1", "agents": ["a", "b"], "returns": [1, -1]}, ...]}. Matches that share
    their deals have the same block. The kind "pays" says that the size of a return counts. A match that did not end by
    its rules has an "ending" (disqualified, forfeited, infrastructure, cancelled), and "by" lists the seats at fault,
    from 0.
    """
    told = read_results(file)
    contests = [
        Contest(
            game=own.game, block=own.block, agents=own.agents, returns=own.returns, ending=own.ending, at_fault=own.by
        )
        for own in told.matches
    ]
    found = standings_of(contests, told.games, random=("random",) if told.random is None else told.random)
    if is_json:
        result_json(standings_json(found))
        return
    terminal = terminal_of(sys.stdout)
    parts = [
        Block(paragraph(_played(file, told, found), terminal, hanging=INDENT)),
        *standings_blocks(found, terminal, doubts=doubt_lines(found.doubts, terminal)),
    ]
    result(fitted(parts, _MOST_LINES))


def _played(file: Path, told: ResultsFile, found: Standings) -> str:
    games = len({match.game for match in told.matches})
    parts = [_name(file), _several(found.matches, "matches"), _several(games, "games")]
    if found.left_out:
        parts.append(f"{count(found.left_out)} left out: no player is to blame for how they ended")
    return " · ".join(parts)


def _several(number: int, what: str) -> str:
    return f"{count(number)} {singular(what) if number == 1 else what}"


def _name(file: Path) -> str:
    return "standard input" if str(file) == STDIN else str(file)


def read_results(file: Path) -> ResultsFile:
    """Read a file of results; ``ConfigError`` lists every mistake by its place, matches counted from 0."""
    try:
        text = sys.stdin.read() if str(file) == STDIN else ReceivedFiles().content(file).decode("utf-8")
        raw = received_json(text, _name(file), _REMEDY)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{_name(file)}: no JSON ({error}); {_REMEDY}") from error
    except ArenaError as error:
        raise ConfigError(str(error)) from error
    try:
        told = structure(raw, ResultsFile, Catalog())
    except ConfigError as error:
        raise _listed(file, error.problems) from error
    if problems := tuple(_problems(told)):
        raise _listed(file, problems)
    return told


def _listed(file: Path, problems: tuple[str, ...]) -> ConfigError:
    lines = [f"{_name(file)}: {problem}" for problem in problems[:_LISTED]]
    if more := len(problems) - _LISTED:
        lines += [] if more < 0 else [f"{_name(file)}: and {count(more)} more mistakes; correct these first"]
    return ConfigError(lines)


def _problems(told: ResultsFile) -> Iterator[str]:
    """What does not fit together, by its place."""
    for name, kind in told.games.items():
        low, high = -inf if kind.low is None else kind.low, inf if kind.high is None else kind.high
        if not low < high:
            yield f"games.{name}.low: {low:g} is not below high, {high:g}; write the least and the greatest return"
    present = {agent for match in told.matches for agent in match.agents}
    for place, agent in enumerate(told.random or ()):
        if agent not in present:
            yield f"random.{place}: {agent!r} is in no match{did_you_mean(agent, sorted(present))}; take it out"
    for place, match in enumerate(told.matches):
        for field, problem in _of_match(match, told.games):
            yield f"matches.{place}.{field}: {problem}"


def _of_match(match: MatchEntry, games: Mapping[str, GameKind]) -> Iterator[tuple[str, str]]:
    """What does not fit in one match, by its field."""
    seats = len(match.agents)
    if match.game not in games:
        yield "game", f"no game called {match.game!r}{did_you_mean(match.game, games)}; add it to games"
    if not seats:
        yield "agents", "expected one agent for each seat, got none; write their names"
    if wrong := [seat for seat in match.by if not 0 <= seat < seats]:
        yield "by", f"no seat {wrong[0]} with {seats} agents; seats count from 0"
    if match.ending == "disqualified" and not match.by:
        yield "by", "required, since the match ended by disqualification; list the seats at fault, from 0"
    if match.returns is None:
        if match.ending in _NEEDS_RETURNS:
            yield (
                "returns",
                f"expected {seats} numbers for an ending {match.ending!r}, got null; write them",
            )
    elif len(match.returns) != seats:
        yield "returns", f"expected {seats} numbers, one for each seat, got {len(match.returns)}; write one for each"
    elif match.game in games:
        yield from _of_returns(match.returns, games[match.game])


def _of_returns(returns: tuple[float, ...], kind: GameKind) -> Iterator[tuple[str, str]]:
    low, high = -inf if kind.low is None else kind.low, inf if kind.high is None else kind.high
    for seat, value in enumerate(returns):
        if not isfinite(value):
            yield f"returns.{seat}", f"{value} is not finite; write what the seat earned"
        elif not low <= value <= high:
            yield (
                f"returns.{seat}",
                f"{value:g} is outside {low:g} to {high:g}; correct it, or the bounds of the game",
            )


def standings_json(found: Standings) -> dict[str, Any]:
    """The standings as plain data: numbers in log-odds and Elo points, ``None`` for what is infinite or open."""
    return {
        "sentences": list(found.sentences),
        "parts": [_part(part) for part in found.parts],
        "left_out": found.left_out,
        "refused": {row.agent: row.refused for row in found.rows},
        "played": {row.agent: row.matches for row in found.rows},
        "doubts": list(found.doubts),
        "footnotes": list(found.footnotes),
    }


def _part(part: Part) -> dict[str, Any]:
    is_compared = len(part.rows) > 1
    separated = part.separated
    blocks = [block_of(group, separated) for group in part.groups if len(group) > 1]
    return {
        "agents": list(part.agents),
        "critical": part.critical if part.critical < inf else None,
        "separated": sorted(map(list, separated)),
        "ratings": {row.agent: {"log_odds": row.strength, "elo": row.rating} for row in part.rows if is_compared},
        "ranks": {row.agent: list(row.ranks) for row in part.rows if is_compared},
        "groups": [list(group) for group in part.groups],
        "inner": [[list(first), list(last)] for first, last in blocks if first],
        "headline": _headline(part),
        "pairs": [
            {"a": each.a, "b": each.b, "t": each.t, "lead": each.log_odds, "interval": list(each.log_odds_interval)}
            for each in part.pairs
        ],
    }


def _headline(part: Part) -> dict[str, Any]:
    told = part.headline
    if not told.says_something:
        return {}
    more = len(told.more)
    if not told.first:
        return {"chain": [list(group) for group in told.chain], "more": more}
    return {"first": list(told.first), "last": list(told.last), "between": list(told.between), "more": more}
