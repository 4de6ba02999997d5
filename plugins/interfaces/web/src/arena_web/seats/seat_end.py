"""What whoever takes a seat is told of a match that is over, and of answers that came for it."""

from collections.abc import Iterable, Mapping
from typing import Any

from arena.record import Ending, MatchHistory, MatchRecord, canonical_json
from arena_engine import player_names, record_words
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiAnswer
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError
from arena_web.foundation.seeing import told_without_game
from arena_web.held.positions import MatchSource, Problem
from arena_web.held.run_state import open_run
from arena_web.held.seat_matches import SeatLook, verdict_words
from arena_web.seats.seat_history import reveals


async def match_end(site: Site, look: SeatLook, record: MatchRecord) -> ApiAnswer:
    """The end of a match as 410: how it ended, what came of it, and what was told since the seat's last turn."""
    player, source = look.match.player, source_of(look, record)
    last = await site.positions.frames(source, str(player), -1, -1)
    timeline = await site.positions.timeline(source, str(player))
    if isinstance(last, Problem) or isinstance(timeline, Problem):
        words = [words for words in await run_in_threadpool(_words, look, record) if words][-1:]
        news = [{"words": each, "is_own": False, "is_private": False} for each in words]
        scene, text = None, "\n".join(words)
    else:
        acted = max((event.step for event in record.played() if event.player == player), default=-1)
        news = news_of(each for each in timeline if each["step"] > acted)
        scene, text = last["frames"][-1], last["words"][-1]
    following = look.following
    names = player_names(record.seats, record.seats)
    why = await site.positions.end(source, str(player)) if record.ending is Ending.RULES else ""
    plain = {
        "match": look.match.name,
        "ending": str(record.ending),
        "ending_words": record_words(record, names, why=why or ""),
        "returns": None if record.returns is None else list(record.returns),
        "verdict_words": verdict_words(look, record),
        "news": news,
        "scene": scene,
        "text": text,
        "reveals": await run_in_threadpool(reveals, look),
        "next": following is not None,
        "next_match": None if following is None else following.name,
    }
    return ApiAnswer(status=410, plain=plain)


def answered_before(look: SeatLook, record: MatchRecord, turn: int, attempt: int, action: Any) -> ApiAnswer:
    """What came of an answer that is sent again after its match is over; 409 where it is another one."""
    for event in record.events:
        data: Any = event.data
        is_meant = event.source == "referee" and event.player == look.match.player and event.kind != "queried"
        if not is_meant or (data.get("turn"), data.get("try")) != (turn, attempt) or "action" not in data:
            continue
        if canonical_json(data["action"]) == canonical_json(action):
            if event.kind != "refused":
                return ApiAnswer(plain={"accepted": True})
            told = {"refused": True, "kind": data.get("rule", data["kind"]), "reason": data["reason"]}
            return ApiAnswer(status=422, plain={**told, "try": attempt + 1, "refusals_left": 0, "words": ""})
        raise ApiError(409, "turn", f"turn {turn} has been answered", "ask for the next turn")
    raise ApiError(409, "match", "the match is over", "ask for the turn, which says how it ended")


def source_of(look: SeatLook, history: MatchHistory | None = None) -> MatchSource:
    """The match at hand as far as it is known, for whoever computes its positions."""
    plan = look.match.plan
    return MatchSource(
        run=str(look.run.directory),
        header=look.header,
        match=plan.id,
        game=plan.game,
        players=len(plan.agents),
        steps=0 if history is None else history.steps,
        is_over=isinstance(history, MatchRecord),
    )


def news_of(timeline: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What a player was told on the way to some positions of its view, as a turn tells its news."""
    return [
        {"words": told["text"], "is_own": at in each["own"], "is_private": told["seen_by"] != "everybody"}
        for each in timeline
        for at, told in enumerate(each["told"])
        if told["text"]
    ]


def _words(look: SeatLook, record: MatchRecord) -> list[str]:
    with open_run(look.run) as journal:
        return told_without_game(journal, record, str(look.match.player))
