"""One match: its players, its turns, and one turn with everything that was asked and answered, as a view has it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final

from arena.record import Ending, MatchRecord, Player, canonical_json, visible
from arena.turns import Turn, turns
from arena_engine import Journal, completion_from_text, player_names, record_words, recorded_games
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import bad_input
from arena_web.foundation.seeing import (
    ALL,
    PUBLIC,
    Entry,
    entries_of,
    entries_of_words,
    own_entries,
    told_without_game,
)
from arena_web.held.match_names import match_name
from arena_web.held.positions import Problem
from arena_web.held.run_state import open_run
from arena_web.matches.open_match import OpenMatch, open_match

PAGE: Final = 500
"""So many turns of a match are listed at once."""

ANSWER: Final = 200
"""So many characters of an answer that was refused stand in the list."""

DOWNLOADS: Final[Mapping[str, str]] = {
    "json": "all of it, as JSON",
    "csv": "one row, as CSV",
    "moves-csv": "a row for each move, as CSV",
    "txt": "to read, as text",
}
"""The forms in which one match can be downloaded."""


async def match(site: Site, asked: ApiRequest) -> Any:
    """One match as a view has it: players, ending, and the first turns after some number."""
    return await match_of(site, await run_in_threadpool(open_match, site, asked), asked.query["after"])


async def match_of(site: Site, found: OpenMatch, after: str) -> Any:
    """An open match as its view has it."""
    game = await site.positions.game(found.source)
    players = await run_in_threadpool(players_of, found)
    history, is_known = found.history, isinstance(game, dict)
    return {
        "match": match_name(found.place.id),
        "id": found.place.id,
        "run_name": found.run_name,
        "game": {
            "name": history.game,
            "title": await run_in_threadpool(title_of, found),
            "rules": game["rules"] if is_known else "",
        },
        "players": players,
        "state": state_of_match(found),
        "ending": await ending_of(site, found, players),
        "error": _error(found),
        "views": _views(found),
        "view": found.view,
        "is_watched": found.is_watched,
        "is_covered": not found.is_told_why,
        "has_scene": is_known and game["has_scene"],
        **await page_of_turns(site, found, after),
        "downloads": [{"title": title, "form": form} for form, title in DOWNLOADS.items()],
        "neighbours": {"previous": found.place.previous, "next": found.place.next},
    }


async def page_of_turns(site: Site, found: OpenMatch, after: str) -> dict[str, Any]:
    """The first turns after some number, how many there are, and how many positions."""
    lines, positions = await entries(site, found)
    begin = number_of("after", after)
    page = lines[begin : begin + PAGE]
    more = begin + len(page) < len(lines)
    return {
        "positions": positions,
        "turn_total": len(lines),
        "turns": await run_in_threadpool(told, found, page, begin),
        "next": begin + len(page) if more else None,
    }


async def frames(site: Site, asked: ApiRequest) -> Any:
    """Positions of a match as scenes, the first in full, then differences; and each in words."""
    return await frames_of(site, await run_in_threadpool(open_match, site, asked), asked)


async def frames_of(site: Site, found: OpenMatch, asked: ApiRequest) -> Any:
    """The positions of an open match for which a request asks."""
    begin = -1 if asked.query["from"] == "-1" else number_of("from", asked.query["from"])
    end = number_of("to", asked.query["to"]) if asked.query["to"] else begin + FRAMES - 1
    if begin >= 0 and not begin <= end < begin + FRAMES:
        raise bad_input("to", f"expected {begin} to {begin + FRAMES - 1}, got {end}", "ask for them in parts")
    shown = await site.positions.frames(found.source, found.view, begin, end)
    if not isinstance(shown, Problem):
        return {**shown, "problem": None}
    words = await run_in_threadpool(_words_without_game, found)
    begin = max(0, len(words) - 1) if begin < 0 else begin
    return {
        "from": begin,
        "frames": [],
        "total": len(words),
        "words": words[begin : end + 1] if asked.query["from"] != "-1" else words[-1:],
        "problem": shown.to_json() if found.is_told_why else UNTOLD,
    }


UNTOLD: Final = {"what": "this game cannot be drawn here", "remedy": "what happened is told in words"}
"""What stands for a problem whose reason could hold what is hidden."""

FRAMES: Final = 200
"""So many positions are sent at once."""


def number_of(name: str, text: str) -> int:
    """A number out of an address; empty is 0, and an answer of 400 says what was expected."""
    if not text:
        return 0
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise bad_input(name, f"expected a number, got {text[:40]!r}")
    return int(text)


async def entries(site: Site, found: OpenMatch) -> tuple[list[Entry], int]:
    """The lines of the list of turns, and how many positions there are."""
    own = await run_in_threadpool(turns, found.history)
    if found.view == ALL:
        return [Entry(position=turn.step, turn=turn) for turn in own], found.history.steps + 1
    timeline = await site.positions.timeline(found.source, found.view)
    if isinstance(timeline, Problem):
        if found.player is not None:
            return own_entries(own, found.player), 1
        words = await run_in_threadpool(_words_without_game, found)
        return entries_of_words(words), len(words)
    return entries_of(own, timeline, found.player), len(timeline)


def told(found: OpenMatch, page: Sequence[Entry], begin: int) -> list[Any]:
    """The lines of the list of turns as they are sent."""
    # What was refused is told with its answer, which the journal has beside the match.
    is_refused = any(entry.turn and any(each.is_refused for each in entry.turn.tries) for entry in page)
    with open_run(found.run) if is_refused else nullcontext() as journal:
        return [_line(journal, found, entry, begin + place) for place, entry in enumerate(page)]


def _line(journal: Journal | None, found: OpenMatch, entry: Entry, number: int) -> Any:
    turn = entry.turn
    if turn is None:
        words = "\n".join(each["text"] for each in entry.told)
        return {
            "turn": number,
            "position": entry.position,
            "player": None,
            "action": words,
            "marks": [],
            "refused": [],
        }
    return {
        "turn": number,
        "position": entry.position,
        "player": turn.player,
        "action": action_words(turn),
        "marks": list(_marks(turn)),
        "refused": [] if journal is None else list(_refused(journal, found, turn)),
    }


def action_words(turn: Turn) -> str:
    """What was played in a turn, as its label says or as it is written; empty if nothing was."""
    if turn.played is None:
        return ""
    data = turn.tries[-1].data
    return visible(str(data["label"])) if "label" in data else visible(canonical_json(data["action"]))


def _marks(turn: Turn) -> Iterator[str]:
    if any(each.is_refused for each in turn.tries):
        yield "refused"
    if turn.played is None:
        yield "forfeit"
    elif turn.by != "agent":
        yield "substitute"
    if turn.played is not None and not turn.is_applied:
        yield "withheld"
    if turn.queries:
        yield "looked-up"


def _refused(journal: Journal, found: OpenMatch, turn: Turn) -> Iterator[Any]:
    for each in turn.tries:
        if each.is_refused:
            within = f"{turn.player}/{turn.turn}/{each.data['try']}"
            asked = [e for e in journal.answers(found.place.id, within) if e.kind in ("completion", "cached")]
            answer = completion_from_text(asked[-1].value).text[:ANSWER] if asked else ""
            yield {"kind": each.data["kind"], "reason": each.data["reason"], "answer": answer}


def title_of(found: OpenMatch) -> str:
    """The title of a match's game."""
    with open_run(found.run) as journal:
        known = recorded_games(journal)
    return known[found.history.game].title if found.history.game in known else found.history.game


def seat_of(found: OpenMatch, player: int) -> str:
    """The name of a player's seat in the game."""
    return found.seats[player] if player < len(found.seats) else f"player {player}"


def players_of(found: OpenMatch) -> list[Any]:
    """The players; of the others a player or bystander learns no refusals and no tokens."""
    history = found.history
    with open_run(found.run) as journal:
        tokens = journal.tokens_by_player(found.place.id)
    returns = history.returns if isinstance(history, MatchRecord) else None
    refused = [event.player for event in history.refused()]
    return [
        {
            "player": player,
            "agent": agent,
            "title": found.titles.get(agent, agent),
            "seat": seat_of(found, player),
            "result": "" if returns is None else f"{returns[player]:g}",
            "refusals": refused.count(Player(player)) if found.view in (ALL, str(player)) else None,
            "tokens": tokens.get(player, 0) if found.view in (ALL, str(player)) else None,
            "role": f"player-{player}",
        }
        for player, agent in enumerate(history.agents)
    ]


def state_of_match(found: OpenMatch) -> str:
    """Whether a match is planned, playing, ended or failed."""
    if isinstance(found.history, MatchRecord):
        return "ended" if found.history.ending.is_final else "failed"
    return "playing" if found.is_playing else "planned"


async def ending_of(site: Site, found: OpenMatch, players: Sequence[Mapping[str, Any]]) -> Any:
    """How a match ended and why, with no names but those of ``players`` as they are sent; ``None`` where it has not.

    The game's own reason is left out as long as it is ``computing``.
    """
    record = found.history
    if not isinstance(record, MatchRecord):
        return None
    why = await site.positions.end(found.source, found.view) if record.ending is Ending.RULES else ""
    called = [str(each.get("title") or each["agent"] or each["seat"]) for each in players]
    words = record_words(record, player_names(called, found.seats), found.baseline, why=why or "")
    return {"kind": str(record.ending), "words": words, "computing": why is None}


def _error(found: OpenMatch) -> Any:
    failure = found.history.failure if isinstance(found.history, MatchRecord) else None
    if failure is None or not found.is_told_why:
        return None
    return {"reason": failure.reason, "traceback": failure.traceback if found.view == ALL else ""}


def _views(found: OpenMatch) -> list[Any]:
    named = {
        ALL: "everybody",
        **{str(p): seat_of(found, p) for p in range(len(found.history.agents))},
        PUBLIC: "a spectator",
    }
    return [{"view": view, "title": title} for view, title in named.items()]


def _words_without_game(found: OpenMatch) -> list[str]:
    """What was told in each step, as far as the journal has words for it."""
    with open_run(found.run) as journal:
        return told_without_game(journal, found.history, found.view)
