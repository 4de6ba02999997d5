"""Makes a benchmark of a plan: who plays which games how often, as somebody puts it together in a browser.

Runs in a worker process. Mistakes are told by where they stand in the plan, as a JSON pointer.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, cast

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.game import Game
from arena_engine import BenchmarkProblem, installed_only, make_plugin, write_yaml

from arena_web.workers.choosing import OPEN_SEAT
from arena_web.workers.drafting import built, secrets_of

MOST: Final = 1_000
"""So many players, and so many entries of the queue, a plan may have."""

_MODEL: Final = "llm"
"""The agent that asks a model."""

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_NO_WORD: Final = re.compile(r"[^\w]+")
_FREE: Final = re.compile(r"[\s,/]+")

Pointer = tuple[str, ...]


@attrs.define
class _Entry:
    """A game of the benchmark, and the places in the queue of those who play it."""

    name: str
    written: Mapping[str, Any]
    rotates: bool
    repeats: int
    queued: list[int] = attrs.field(factory=list[int])
    seatings: list[list[str]] = attrs.field(factory=list[list[str]])

    def takes(self, written: Mapping[str, Any], seating: Sequence[str], *, repeats: int, rotates: bool) -> bool:
        """Whether this seating can be one more of the same game, so that both stand in one table."""
        if (self.written, self.repeats, self.rotates) != (written, repeats, rotates):
            return False
        return not any(_are_same(seating, other, rotates=rotates) for other in self.seatings)


@attrs.define
class _Compiled:
    """What a plan amounts to so far: agents by place in the plan, games, and the mistakes found."""

    agents: dict[int, str] = attrs.field(factory=dict[int, str])
    written: dict[str, Any] = attrs.field(factory=dict[str, Any])
    games: list[_Entry] = attrs.field(factory=list[_Entry])
    problems: list[dict[str, str]] = attrs.field(factory=list[dict[str, str]])

    def wrong(self, what: str, *pointer: str | int) -> None:
        """Add a mistake at a place of the plan."""
        self.problems.append({"pointer": _pointer(tuple(map(str, pointer))), "what": what})


def match(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """The benchmark of a plan as data and as text, its mistakes by their place in the plan, and its secrets."""
    plan = cast("Mapping[str, Any]", asked["plan"])
    made = _Compiled()
    _read_queue(plan, made, catalog)
    benchmark = _written(plan, made)
    secrets: list[str] = secrets_of(benchmark, None)
    if made.games or not made.problems:  # mistakes of both kinds are told at once
        found, problems = built(benchmark, catalog)
        secrets = secrets_of(benchmark, found)
        made.problems += [_placed(each, made, plan) for each in problems]
    return {"benchmark": benchmark, "text": write_yaml(benchmark), "problems": made.problems, "secrets": secrets}


def _read_queue(plan: Mapping[str, Any], made: _Compiled, catalog: Catalog) -> None:
    players, queue = (_objects(plan.get(key), key, made) for key in ("players", "queue"))
    if not queue and not made.problems:
        made.wrong("there are no matches; add a game and who plays it", "queue")
    for at, item in enumerate(queue):
        seats, repeats = item.get("players"), item.get("repeats", 1)
        if type(repeats) is not int or not 1 <= repeats <= 1_000_000:
            made.wrong(f"expected a number from 1 to 1,000,000, got {_short(repeats)}", "queue", at, "repeats")
            repeats = 1
        rotates = item.get("rotate_seats", True)
        if type(rotates) is not bool:
            made.wrong(f"expected true or false, got {_short(rotates)}", "queue", at, "rotate_seats")
        game = item.get("game")
        if not isinstance(game, dict) or not isinstance(cast("dict[str, Any]", game).get("use"), str):
            made.wrong("expected a game", "queue", at, "game")
            continue
        if not isinstance(seats, list) or not seats:
            made.wrong("there is nobody to play; choose a player for each seat", "queue", at, "players")
            continue
        agents = [_agent(seat, players, made, "queue", at, "players", n) for n, seat in enumerate(_listed(seats))]
        if None not in agents:
            seating = [name for name in agents if name is not None]
            entry = _entry(
                made, cast("dict[str, Any]", game), seating, catalog, repeats=repeats, rotates=rotates is True
            )
            entry.queued.append(at)
            entry.seatings.append(seating)


def _entry(
    made: _Compiled,
    game: Mapping[str, Any],
    seating: list[str],
    catalog: Catalog,
    *,
    repeats: int,
    rotates: bool,
) -> _Entry:
    """The entry of the benchmark's games to which a seating belongs, made where it is the first of its kind."""
    title, written = _of_game(game, len(seating), catalog)
    for entry in made.games:
        if entry.takes(written, seating, repeats=repeats, rotates=rotates):
            return entry
    made.games.append(_Entry(_game_name(title, written, made.games), written, rotates, repeats))
    return made.games[-1]


def _objects(raw: Any, key: str, made: _Compiled) -> list[dict[str, Any]]:
    listed = _listed(raw) if isinstance(raw, list) else []
    if (raw is not None and not isinstance(raw, list)) or len(listed) > MOST:
        made.wrong(f"expected a list of at most {MOST:,}", key)
        return []
    for at, each in enumerate(listed):
        if not isinstance(each, dict):
            made.wrong(f"expected an object, got {_short(each)}", key, at)
    return [cast("dict[str, Any]", each) if isinstance(each, dict) else {} for each in listed]


def _agent(seat: Any, players: Sequence[Mapping[str, Any]], made: _Compiled, *pointer: str | int) -> str | None:
    """The name of the agent in a seat, which is made when it first sits somewhere."""
    if type(seat) is not int or not 0 <= seat < len(players):
        made.wrong(f"expected a player from 0 to {len(players) - 1}, got {_short(seat)}", *pointer)
        return None
    if seat not in made.agents:
        name, written = _of_player(players[seat], seat, made)
        made.agents[seat] = name = _free(name, made.written)
        made.written[name] = written
    return made.agents[seat]


def _of_player(player: Mapping[str, Any], at: int, made: _Compiled) -> tuple[str, Any]:
    """A player's name and how it is written in a benchmark."""
    kind, use = player.get("kind"), str(player.get("use") or "")
    parameters = _table(player.get("parameters"), made, "players", at, "parameters")
    given = str(player.get("name") or "")
    if kind == "person":
        title = str(player.get("title") or "You")
        return given or _FREE.sub("-", title).strip("-").lower() or "you", {"use": OPEN_SEAT, "title": title}
    if kind == "model":
        backend = _table(player.get("backend"), made, "players", at, "backend")
        prompt = _table(player.get("prompt"), made, "players", at, "prompt")
        if (key := player.get("key")) is not None:
            backend["api-key"] = f"${{{key}}}"
        named = str(backend.get("model") or backend.get("use") or "model").rstrip("/").rpartition("/")[2]
        written = {"use": _MODEL, "backend": backend, **({"prompt": prompt} if prompt else {}), **parameters}
        return given or _FREE.sub("-", named).strip("-") or "model", written
    if kind != "agent":
        made.wrong(f"expected the kind agent, model or person, got {_short(kind)}", "players", at, "kind")
    elif not use:
        made.wrong("choose who plays", "players", at, "use")
    name = given or _FREE.sub("-", use.rpartition(":")[2]) or "agent"
    return name, {"use": use, **parameters} if parameters else use


def _table(raw: Any, made: _Compiled, *pointer: str | int) -> dict[str, Any]:
    """A table of parameters without those that nothing is chosen for."""
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        made.wrong(f"expected an object, got {_short(raw)}", *pointer)
        return {}
    return {key: value for key, value in cast("dict[str, Any]", raw).items() if value is not None}


def _of_game(game: Mapping[str, Any], players: int, catalog: Catalog) -> tuple[str, dict[str, Any]]:
    """A game's title, and how it is written: with the number of players where that is not its usual one."""
    written = {key: value for key, value in game.items() if value is not None and key != "players"}
    title, usual = str(written["use"]).rpartition(":")[2], 0
    with suppress(ArenaError), installed_only():  # what is wrong with the game is told once the whole is checked
        made: Game = make_plugin("game", written, catalog)
        title, usual = made.title, made.usual_players
        written |= {} if made.has_rules else {"without-rules": True}
    return title, written if usual == players else {**written, "players": players}


def _game_name(title: str, written: Mapping[str, Any], others: Iterable[_Entry]) -> str:
    """The name of a game in the benchmark: its title, with its parameters where that is taken."""
    name = _NO_WORD.sub("-", title.lower().replace("'", "")).strip("-") or "game"
    taken = {entry.name for entry in others}
    if name not in taken:
        return name
    simple = [f"{key}-{value}" for key, value in written.items() if key != "use" and isinstance(value, str | int)]
    return _free(_FREE.sub("-", "-".join([name, *simple]))[:80], taken)


def _written(plan: Mapping[str, Any], made: _Compiled) -> dict[str, Any]:
    """The whole benchmark, in the order in which somebody reads it."""
    names = [entry.name for entry in made.games]
    name = _UNSAFE.sub("-", str(plan.get("name") or "-".join(names[:3]))).strip("-._")
    benchmark: dict[str, Any] = {"name": name[:100] or "match", "seed": plan.get("seed") or 0}
    benchmark["games"] = {e.name: e.written["use"] if len(e.written) == 1 else dict(e.written) for e in made.games}
    benchmark["agents"] = made.written
    seats = {entry.name: _schedule(entry) for entry in made.games}
    if seats:
        benchmark["schedule"] = {"use": "by-game", "games": seats}
    policy = plan.get("illegal_actions")
    if policy:
        benchmark["illegal-actions"] = {"use": policy} if isinstance(policy, str) else policy
    if plan.get("concurrency") is not None:
        benchmark["limits"] = {"concurrency": plan["concurrency"]}
    return benchmark


def _schedule(entry: _Entry) -> dict[str, Any]:
    return {"use": "fixed", "seatings": entry.seatings, "repeats": entry.repeats, "rotate-seats": entry.rotates}


def _placed(problem: BenchmarkProblem, made: _Compiled, plan: Mapping[str, Any]) -> dict[str, str]:
    """A mistake of the benchmark, by where its cause stands in the plan."""
    path = tuple(part.replace("_", "-") if at != 1 else part for at, part in enumerate(problem.path))
    places: dict[Pointer, Pointer] = {
        ("illegal-actions",): ("illegal_actions",),
        ("limits", "concurrency"): ("concurrency",),
    }
    for entry in made.games:
        place = ("queue", str(entry.queued[0]))
        places[("games", entry.name)] = (*place, "game")
        places[("games", entry.name, "players")] = (*place, "players")
        places[("schedule", "games", entry.name)] = (*place, "players")
    for at, name in made.agents.items():
        place = ("players", str(at))
        is_model = cast("Sequence[Mapping[str, Any]]", plan["players"])[at].get("kind") == "model"
        places[("agents", name)] = (*place, "parameters")
        places[("agents", name, "use")] = (*place, "use")
        if len(problem.path) == 2:
            places[("agents", name)] = place if is_model else (*place, "use")
        if is_model:
            places |= {("agents", name, key): (*place, key) for key in ("backend", "prompt")}
            places[("agents", name, "backend", "api-key")] = (*place, "key")
    places |= {("schedule",): ("queue",), ("seed",): ("seed",), ("name",): ("name",)}
    for size in range(len(path), 0, -1):
        if path[:size] in places:
            rest = () if path[0] == "schedule" else path[size:]
            return {"pointer": _pointer((*places[path[:size]], *rest)), "what": problem.text}
    return {"pointer": "", "what": str(problem)}


def _pointer(path: Pointer) -> str:
    return "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in path)


def _are_same(one: Sequence[str], other: Sequence[str], *, rotates: bool) -> bool:
    """Whether two seatings are the same matches."""
    turned = ([*one[n:], *one[:n]] for n in range(len(one) if rotates else 1))
    return any(each == [*other] for each in turned)


def _free(name: str, taken: Iterable[str]) -> str:
    number, names = 1, {*taken}
    while (free := name if number == 1 else f"{name}-{number}") in names:
        number += 1
    return free


def _listed(raw: Any) -> list[Any]:
    return cast("list[Any]", raw)


def _short(value: Any) -> str:
    return repr(value)[:60]
