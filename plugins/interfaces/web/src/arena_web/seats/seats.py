"""The routes of a seat: whoever has its key is told its turns, and plays."""

import asyncio
import base64
from typing import Any, Final, cast

from arena.errors import ConfigError
from arena.record import Player
from arena_engine import RemoteControl
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiAnswer, ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.held.positions import Problem
from arena_web.held.seat_matches import STATES, SeatLook, on_last_refusal, refusal_words, settings
from arena_web.matches.match_page import number_of
from arena_web.seats.seat_end import answered_before, match_end, source_of
from arena_web.seats.seat_requests import not_running, seat_look, seat_there

PROTOCOL: Final = 1

AT_ONCE_S: Final = 2.0
"""So many seconds a request waits in one go for the process that plays; then it looks whether all is as it was."""

LOOK_S: Final = 0.2
"""Seconds between two looks at a match that has not begun."""

LOST_S: Final = 2.0
"""Seconds after which a match that was being played, and is neither over nor in play, has to begin anew."""

ANSWER_S: Final = 10.0
"""Seconds that the process which plays has to answer."""


async def seat(site: Site, asked: ApiRequest) -> Any:
    """What the seat is: its run, its match, the rules and the players."""
    async with seat_there(site, asked) as look:
        known: Any = await site.positions.game(source_of(look))
    state = _state(look)
    match, agents = look.match, look.match.plan.agents
    seats = look.game.baseline.seats if look.game is not None else ()
    reveals = bool(look.benchmark.get("reveal_agents"))
    entry = look.agent_settings
    is_over = state == "over"
    title = look.game.title if look.game is not None else match.plan.game
    return {
        "protocol": PROTOCOL,
        "run": look.run.name,
        "agent": look.grant.agent,
        "title": str(entry.get("title") or look.grant.agent),
        "checks": str(entry.get("checks") or "free"),
        "state": state,
        "state_words": STATES[state],
        "match": None if is_over else match.name,
        "last_match": match.name if is_over else None,
        "match_number": match.number,
        "matches": len(look.matches),
        "done": look.done,
        # In a study it is called like the condition, which a participant is not told.
        "game": title if look.grant.code else match.plan.game,
        "game_title": title,
        "rules": "" if isinstance(known, Problem) else known["rules"],
        "player": match.player,
        "seat": _seat_name(seats, match.player),
        "players": [
            {
                "player": player,
                "name": _seat_name(seats, player),
                "is_you": player == match.player,
                "agent": agent if reveals else None,
            }
            for player, agent in enumerate(agents)
        ],
    }


async def turn(site: Site, asked: ApiRequest) -> Any:
    """The turn that is asked, as soon as there is one."""
    loop = asyncio.get_running_loop()
    now = loop.time()
    end, lost = now + asked.query["wait"], now + LOST_S
    async with seat_there(site, asked) as look:
        if asked.query["after"] < 0:
            look = await seat_look(site, asked, is_begun=False)
        while True:
            left = end - loop.time()
            if look.record is not None:
                return await match_end(site, look, look.record)
            if look.control is None:
                raise not_running()
            if look.is_in_play:
                wait = min(AT_ONCE_S, max(left, 0.0))
                after = asked.query["after"] if asked.query["match"] in ("", look.match.name) else -1
                answer = await _agent_says(site, look, {"do": "turn", "after": after, "wait": wait})
                if answer is not None and answer["turn"] is not None:
                    return _turn(look, answer["turn"])
            if left <= 0:
                return ApiAnswer(status=204)
            if look.is_in_play:
                lost = loop.time() + LOST_S
            else:
                await asyncio.sleep(min(LOOK_S, left))
            site.tabs.check(asked.grant.id, asked.place)
            look = await seat_look(site, asked, is_begun=asked.query["after"] >= 0 and loop.time() < lost)


async def form(site: Site, asked: ApiRequest) -> Any:
    """The position of the turn in one of the game's forms."""
    told = await _of_turn(site, asked, {"do": "form", "form": asked.path["form"]})
    if "data" in told:
        return ApiAnswer(media_type=told["media_type"], content=base64.b64decode(told["data"]))
    return told


async def check(site: Site, asked: ApiRequest) -> Any:
    """Whether an action would be legal; it costs no try."""
    site.checks.count(asked.grant.id)
    return await _of_turn(site, asked, {"do": "check", "action": _field(asked, "action")})


async def query(site: Site, asked: ApiRequest) -> Any:
    """Look something up before acting."""
    message = {"do": "query", "name": asked.path["name"], "arguments": asked.body.get("arguments")}
    return await _of_turn(site, asked, message)


async def attempt(site: Site, asked: ApiRequest) -> Any:
    """Answer a try; what is accepted is in the journal already."""
    action, number = _field(asked, "action"), number_of("try", asked.path["attempt"])
    means = asked.body.get("means", "program")
    if means not in ("browser", "program"):
        raise bad_input("means", f"expected browser or program, got {str(means)[:40]!r}")
    reasoning = asked.body.get("reasoning") or ""
    if not isinstance(reasoning, str):
        raise bad_input("reasoning", "expected a text")
    said = {"action": action, "reasoning": reasoning, "note": asked.body.get("note"), "means": means}
    async with seat_there(site, asked) as look:
        turn = number_of("turn", asked.path["turn"])
        if look.record is not None:
            return answered_before(look, look.record, turn, number, action)
        told = await _agent_answers(site, look, {"do": "try", "turn": turn, "try": number, **said})
        if told is None:
            look = await seat_look(site, asked)
            if look.record is None:
                raise _stale(look, turn)
            return answered_before(look, look.record, turn, number, action)
    if told.get("accepted"):
        site.feeds.hurry(look.run.directory, look.match.plan.id)
        return told
    words = refusal_words(told["reason"], told["refusals_left"], on_last_refusal(look.benchmark))
    return ApiAnswer(status=422, plain={**told, "words": words})


async def leave(site: Site, asked: ApiRequest) -> Any:
    """Get up from the match at hand, which is a forfeit."""
    async with seat_there(site, asked) as look:
        if look.record is not None:
            raise ApiError(409, "match", "the match is over", "ask for the turn, which says how it ended")
        if look.control is None:
            raise not_running()
        if not look.is_in_play:
            raise ApiError(409, "match", "the match has not begun", "wait until it has")
        control = RemoteControl(look.run.directory)
        match = look.match
        try:
            await site.presence.in_thread(lambda: control.leave(match.plan.id, Player(match.player)))
        except ConfigError as error:
            raise ApiError(409, "match", "the match is not being played any more", "ask for the turn") from error
    return {"left": True}


async def take(site: Site, asked: ApiRequest) -> Any:
    """Take the seat to this page; pages that had it are told."""
    return {"place": site.tabs.take(asked.grant.id)}


async def _of_turn(site: Site, asked: ApiRequest, message: dict[str, Any]) -> Any:
    """What the agent says to a message about a turn."""
    turn = number_of("turn", asked.path["turn"])
    async with seat_there(site, asked) as look:
        if look.record is not None:
            raise ApiError(409, "match", "the match is over", "ask for the turn, which says how it ended")
        told = await _agent_answers(site, look, {**message, "turn": turn})
        if told is None:
            raise _stale(await seat_look(site, asked), turn)
        return told


async def _agent_answers(site: Site, look: SeatLook, message: dict[str, Any]) -> Any:
    """The same as ``_agent_says`` where the match must be in play; a match that is not says so."""
    if look.control is None:
        raise not_running()
    if not look.is_in_play:
        raise ApiError(409, "match", "the match has not begun", "wait for its turn")
    return await _agent_says(site, look, message)


async def _agent_says(site: Site, look: SeatLook, message: dict[str, Any]) -> Any:
    """What the agent says to a message; ``None`` where its match is over by now, or nobody plays the run any more."""
    match = look.match
    control = RemoteControl(look.run.directory, timeout_s=ANSWER_S + float(message.get("wait", 0)))
    try:
        told = await site.presence.in_thread(lambda: control.send(match.plan.id, Player(match.player), message))
    except ConfigError as error:
        after = await run_in_threadpool(site.seats.look, site.runs, look.grant, match.name)
        if after.is_in_play:
            # What failed may hold what the player must not know.
            raise ApiError(500, "seat", "the process that plays cannot answer this", "tell the host") from error
        return None
    if "error" in (answer := cast("Any", told)):
        raise ApiError(**answer["error"])
    return answer


def _turn(look: SeatLook, told: dict[str, Any]) -> Any:
    """A turn with what the run's settings say of it."""
    limit = settings(look.benchmark.get("limits")).get("turn_seconds")
    waited, leaves = told.pop("waited_s"), told.pop("leaves_in_s")
    clocks = [] if limit is None else [float(limit) - waited]
    left = min(clocks if leaves is None else [*clocks, leaves], default=None)
    return {
        "match": look.match.name,
        **told,
        "on_last_refusal": on_last_refusal(look.benchmark),
        "seconds_left": None if left is None else round(max(0.0, left), 1),
    }


def _state(look: SeatLook) -> str:
    if look.record is not None:
        return "over"
    if look.control is None:
        return "not running"
    return "playing" if look.is_in_play else "waiting"


def _seat_name(seats: tuple[str, ...], player: int) -> str:
    return seats[player] if player < len(seats) else f"player {player}"


def _field(asked: ApiRequest, name: str) -> Any:
    if name not in asked.body:
        raise bad_input(name, "is missing", f"send an object with {name!r}")
    return asked.body[name]


def _stale(look: SeatLook, turn: int) -> ApiError:
    if look.control is None and look.record is None:
        return not_running()
    return ApiError(409, "turn", f"turn {turn} is not asked any more", "ask for the turn")
