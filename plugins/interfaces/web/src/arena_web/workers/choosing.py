"""What can be chosen for a match: games, agents, models, prompts, policies; runs in a worker process."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from arena.catalog import Catalog, InstalledPlugin, Status
from arena.chance import Chance
from arena.errors import ArenaError, ConfigError
from arena.game import ABSENT, Game
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Player, canonical_json
from arena_cli import opponents_of
from arena_engine import AFTER_LAST_TRY, installed_only, json_schema, make_plugin, plugin_schema, suites
from arena_scene import position_words, scene_of, shortened, text_scene

from arena_web.workers.trying import ANY_GAME, TERMINAL

OPEN_SEAT: Final = "open-seat"
"""The agent that stands for a person in a browser."""

_OF_ENTRIES: Final = ("use", "players", "tags", "name", "variant", "without-rules")
"""The keys that are no parameters."""

_DATA: Final = ("default", "enum", "const")
"""The keywords of schemas whose values are no schemas."""

_DEFINITIONS: Final = "#/$defs/"


def choices(_asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """Everything installed that a match can be made of, with the JSON schemas of its parameters."""
    policy = IllegalActionPolicy()
    agents = [entry for entry in _usable(catalog, "agent") if not _is_person(entry)]
    return {
        "games": [{**_game(entry, catalog), **_chosen(entry, catalog)} for entry in _usable(catalog, "game")],
        "agents": [_chosen(entry, catalog) | _titled(entry) for entry in agents],
        "backends": [_chosen(entry, catalog) | _titled(entry) for entry in _usable(catalog, "backend")],
        "styles": [_titled(entry) for entry in _usable(catalog, "prompt-style")],
        "policies": [_titled(entry) for entry in _usable(catalog, "illegal-actions")],
        "policy": {"retries": policy.retries, "max_refusals": policy.max_refusals, "then": policy.then},
        "after_last_try": dict(AFTER_LAST_TRY),
        "has_open_seat": catalog.has("agent", OPEN_SEAT),
    }


def position(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """How a game begins: its first position, who plays it, and in which forms; errors are the game's own."""
    settings = dict(cast("Mapping[str, Any]", asked["game"]))
    wanted = settings.pop("players", None)
    with installed_only():
        game: Game = make_plugin("game", settings, catalog)
    counts = sorted(game.player_counts())
    if wanted is not None and wanted not in counts:
        raise ConfigError(f"players: expected {' or '.join(map(str, counts))}, got {str(wanted)[:40]!r}")
    players: int = game.usual_players if wanted is None else wanted
    found = opponents_of(game, players, catalog)
    names = catalog.names("agent")
    return {
        **_first_position(game, players),
        "title": game.title,
        "players": counts,
        "usual": game.usual_players,
        "seats": list(game.seats(players)),
        "forms": list(game.forms),
        "agents": [*found.optimal, *found.others, *(name for name in ANY_GAME if name in names)],
    }


def schema(_asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """The JSON schema of benchmark files."""
    return json_schema(catalog)


def suite_names(_asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """The suites that a benchmark can begin with."""
    return {"suites": [{"name": suite.name, "title": suite.summary} for suite in suites(catalog)]}


def _first_position(game: Game, players: int) -> dict[str, Any]:
    """The position before the first step, as the first player sees it where something is hidden."""
    state, _ = game.start(Chance(0), players)
    seen = state.observe(Player(0) if game.facts(players).hidden_information else None)
    if seen is ABSENT:
        scene, words = text_scene(game.title, "nothing is to be seen before the first step")
        return {"scene": scene, "words": words}
    forms = game.forms
    text = forms["text"](seen) if "text" in forms else canonical_json(seen)
    scene = scene_of(game.title, forms, seen)
    return {"scene": scene, "words": shortened(position_words(text) if isinstance(text, str) else scene["alternative"])}


def _usable(catalog: Catalog, kind: str) -> Iterator[InstalledPlugin]:
    return (entry for entry in catalog.entries(kind) if entry.status is Status.OK and entry.plugin is not None)


def _is_person(entry: InstalledPlugin) -> bool:
    """Whether a person answers for the agent, who is chosen in another way."""
    return entry.name == OPEN_SEAT or (entry.plugin is not None and TERMINAL in entry.plugin.capabilities)


def _titled(entry: InstalledPlugin) -> dict[str, Any]:
    return {"name": entry.name, "title": entry.summary}


def _game(entry: InstalledPlugin, catalog: Catalog) -> dict[str, Any]:
    """A game's title and numbers of players; none where it cannot be made without parameters."""
    try:
        with installed_only():
            game: Game = make_plugin("game", entry.name, catalog)
        return {"title": game.title, "players": sorted(game.player_counts()), "usual": game.usual_players}
    except ArenaError:
        return {"title": entry.summary, "players": [], "usual": None}
    except Exception:  # the game is a plugin
        return {"title": entry.summary, "players": [], "usual": None}


def _chosen(entry: InstalledPlugin, catalog: Catalog) -> dict[str, Any]:
    """A plugin's name and the schema of its parameters; any parameters fit one that cannot be imported."""
    try:
        whole = plugin_schema(entry, catalog)
    except ArenaError:
        return {"name": entry.name, "schema": {"type": "object", "properties": {}}}
    definitions = cast("Mapping[str, Any]", whole.pop("$defs", {}))
    return {"name": entry.name, "schema": _plain(whole, definitions, catalog)}


def _plain(value: Any, definitions: Mapping[str, Any], catalog: Catalog) -> Any:
    """A schema without references and without what only old or other spellings need.

    In place of any plugin of a kind stands the kind with the names that there are.
    """
    if isinstance(value, list):
        return [_plain(each, definitions, catalog) for each in cast("list[Any]", value)]
    if not isinstance(value, Mapping):
        return value
    table = cast("Mapping[str, Any]", value)
    if (reference := str(table.get("$ref", ""))).startswith(_DEFINITIONS):
        kind = reference.removeprefix(_DEFINITIONS)
        rest = {key: each for key, each in table.items() if key != "$ref"}
        return {"plugin": kind, "names": [entry.name for entry in _usable(catalog, kind)], **rest}
    found = {
        key: each if key in _DATA else _plain(each, definitions, catalog)
        for key, each in table.items()
        if key not in ("patternProperties", "properties", "allOf")
    }
    if "properties" in table:
        own = {key: each for key, each in table["properties"].items() if key not in _OF_ENTRIES}
        found["properties"] = {key: _plain(each, definitions, catalog) for key, each in own.items()}
        found["required"] = [key for key in found["properties"] if _is_required(table, key)]
    return found


def _is_required(table: Mapping[str, Any], key: str) -> bool:
    return any({"required": [key]} in each.get("anyOf", ()) for each in table.get("allOf", ()))
