"""The games, agents, metrics and observers of a benchmark, and how they are written in its file."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

import attrs
from arena.agent import Agent
from arena.catalog import InstalledPlugin
from arena.game import Game
from arena.hookspecs import Observer
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import Metric
from arena.plugin import WITHOUT_RULES

from arena_engine.benchmark.plain_data import InvalidValue, kebab, replace, shortened, snake
from arena_engine.benchmark.structure import INVALID, Hook, Structurer
from arena_engine.foundation.names import name_fault

_GAME: Final = re.compile(r"[^\s/,]+")


@attrs.frozen(kw_only=True)
class GameEntry:
    """One game of a benchmark, with its number of players; ``use`` is its plugin's name.

    ``plugins`` are the installed plugins it is made of: its own, and those of its parameters.
    """

    game: Game
    use: str
    players: int
    tags: tuple[str, ...] = ()
    plugins: tuple[InstalledPlugin, ...] = attrs.field(default=(), eq=False, repr=False)


@attrs.frozen(kw_only=True)
class VariantOf:
    """The entry ``of`` which a sweep made an agent, and ``by`` which of its parameters, by dotted path."""

    of: str
    by: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class AgentEntry:
    """One agent of a benchmark, with its tags; ``use`` is its plugin's name, ``variant`` says what it was made of."""

    agent: Agent
    use: str
    tags: tuple[str, ...] = ()
    variant: VariantOf | None = None


def _game(structuring: Structurer, raw: Any) -> GameEntry:
    tags, rest = _split(structuring, raw)
    players: Any = structuring.at("players", rest.pop("players", None), int | None) if rest is not raw else None
    consents: Any = structuring.at(WITHOUT_RULES, _taken(rest, WITHOUT_RULES), bool) if rest is not raw else False
    game: Any = structuring.plugin(rest, Game, ("players", WITHOUT_RULES, "tags"))
    if not (consents or game.has_rules or structuring.is_recorded):
        structuring.add_problem(
            f"{game.title!r} has no rules here (rules: none), so a model is told nothing of how it is played; "
            f"write '{WITHOUT_RULES}: true' in this entry to play it all the same"
        )
        raise InvalidValue
    allowed = _allowed(game)
    if players is not None and players is not INVALID and players not in allowed:
        structuring.add_problem(f"expected {_listed(allowed)}, got {players!r}", "players")
        players = INVALID
    if INVALID in (tags, players, consents):
        raise InvalidValue
    plugins = structuring.used_here()
    return GameEntry(game=game, use=_use(raw), players=players or _usual(game, allowed), tags=tags, plugins=plugins)


def _agent(structuring: Structurer, raw: Any) -> AgentEntry:
    tags, rest = _split(structuring, raw)
    variant: Any = structuring.at("variant", rest.pop("variant", None), VariantOf | None) if rest is not raw else None
    agent: Any = structuring.plugin(rest, Agent, ("tags", "variant"))
    if INVALID in (tags, variant):
        raise InvalidValue
    return AgentEntry(agent=agent, use=_use(raw), tags=tags, variant=variant)


def _illegal_actions(structuring: Structurer, raw: Any) -> Any:
    """Read a policy for illegal actions: the name of a plugin, or a table of the default policy's parameters."""
    is_plain = isinstance(raw, Mapping) and "use" not in raw
    return structuring.table(raw, IllegalActionPolicy) if is_plain else structuring.plugin(raw, IllegalActionPolicy)


def _split(structuring: Structurer, raw: Any) -> tuple[Any, Any]:
    """Separate the tags of an entry from the rest of it."""
    if not isinstance(raw, Mapping):
        return (), raw
    rest = dict(cast("Mapping[str, Any]", raw))
    return structuring.at("tags", rest.pop("tags", ()), tuple[str, ...]), rest


def consenting(plain: Mapping[str, Any], games: Mapping[str, GameEntry]) -> Mapping[str, Any]:
    """Plain data of a benchmark that consents to its games without rules, so that it can be built anywhere again."""
    for name, entry in games.items():
        if not entry.game.has_rules:
            plain = replace(plain, ("games", name, WITHOUT_RULES), True)
    return plain


def unconsenting(games: Any) -> Any:
    """A copy of a table of games without such consent, which changes nothing of what is played."""
    if not isinstance(games, Mapping):
        return games
    return {
        name: {key: value for key, value in cast("Mapping[str, Any]", entry).items() if kebab(key) != WITHOUT_RULES}
        if isinstance(entry, Mapping)
        else entry
        for name, entry in cast("Mapping[str, Any]", games).items()
    }


def _taken(entry: dict[str, Any], key: str) -> Any:
    """Take a flag out of an entry, written with hyphens or underscores."""
    return entry.pop(key, entry.pop(snake(key), False))


def _allowed(game: Game) -> tuple[int, ...]:
    try:
        first, *rest = sorted(game.player_counts())
    except Exception as error:
        raise InvalidValue(f"its player_counts failed ({type(error).__name__}: {error}); tell its author") from error
    return first, *rest


def _usual(game: Game, allowed: tuple[int, ...]) -> int:
    """The number of players where the entry names none."""
    try:
        usual = game.usual_players
    except Exception as error:
        raise InvalidValue(f"its usual_players failed ({type(error).__name__}: {error}); tell its author") from error
    if usual not in allowed:
        raise InvalidValue(f"its usual_players is {usual!r}, and it allows {_listed(allowed)}; tell its author")
    return usual


def _listed(counts: tuple[int, ...]) -> str:
    if len(counts) > 2 and counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]} players"
    return f"{' or '.join(map(str, counts))} player{'' if counts == (1,) else 's'}"


def _use(raw: Any) -> str:
    return raw if isinstance(raw, str) else str(raw["use"])


def _game_fault(name: str) -> str | None:
    return None if _GAME.fullmatch(name) else "holds no space, '/' or ','"


def _entries(hint: Any, what: str, fault: Callable[[str], str | None]) -> Any:
    """Read a table of entries; ``fault`` says why a text is no name of one."""

    def read(structuring: Structurer, raw: Any) -> dict[str, Any]:
        if not isinstance(raw, Mapping):
            raise InvalidValue(f"expected a table of {what} by name, got {shortened(raw)}")
        table = cast("Mapping[str, Any]", raw)
        for name in table:
            if why := fault(name):
                structuring.add_problem(f"a name {why}; choose another", name)
        made = {name: structuring.at(name, value, hint) for name, value in table.items()}
        if INVALID in made.values() or any(map(fault, made)):
            raise InvalidValue
        return made

    return read


def _plugins(contract: Any) -> Any:
    """Read a list of plugins, which keep their own names, or a table of plugins under the user's names."""

    def read(structuring: Structurer, raw: Any) -> dict[str, Any]:
        if not isinstance(raw, Mapping | list | tuple):
            raise InvalidValue(f"expected a list or table of plugins, got {shortened(raw)}")
        made: dict[str, Any] = {}
        for key, name, value in _numbered(raw):
            if name in made:
                structuring.add_problem(f"{name!r} is there twice; write a table to give each a name", key)
                made[name] = INVALID
            else:
                made[name] = structuring.at(key, value, contract)
        if INVALID in made.values():
            raise InvalidValue
        return made

    return read


def _numbered(raw: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(raw, Mapping):
        yield from ((key, key, value) for key, value in cast("Mapping[str, Any]", raw).items())
        return
    for i, value in enumerate(cast("list[Any]", raw)):
        use: Any = cast("Mapping[str, Any]", value).get("use") if isinstance(value, Mapping) else value
        yield str(i), use.rpartition(":")[2] if isinstance(use, str) else str(i), value


HOOKS: Final[Mapping[Any, Hook]] = {
    GameEntry: _game,
    IllegalActionPolicy: _illegal_actions,
    AgentEntry: _agent,
    Mapping[str, GameEntry]: _entries(GameEntry, "games", _game_fault),
    Mapping[str, AgentEntry]: _entries(AgentEntry, "agents", name_fault),
    Mapping[str, Metric]: _plugins(Metric),
    Mapping[str, Observer]: _plugins(Observer),
}
"""The functions that read types which have a notation of their own in benchmark files."""
