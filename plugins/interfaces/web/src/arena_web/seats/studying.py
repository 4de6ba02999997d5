"""The routes of a study: whoever has a participant's key agrees, answers, plays, and is told what is next."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

from arena_cli import print_status
from arena_engine import is_played
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input, not_found
from arena_web.held.found_runs import JOURNAL
from arena_web.held.run_state import control_state
from arena_web.studies.open_study import OpenStudy
from arena_web.studies.study_file import PARTS, Question
from arena_web.studies.study_store import GivenBefore, Participant, digest_of

AGAIN_S: Final = 3
"""Seconds after which to ask again for matches that are being prepared."""


TURNS_S: Final = 10.0
"""Seconds that a process has to end, or to begin, before one is asked to come again."""

LOOK_S: Final = 0.1


def study(site: Site, asked: ApiRequest) -> Any:
    """Where a participant is, and what is needed there."""
    own = study_of(site)
    return _told(own, own.participant(asked.grant))


def consent(site: Site, asked: ApiRequest) -> Any:
    """Keep that a participant has agreed to the text, which is named by its digest."""
    own = study_of(site)
    participant = own.participant(asked.grant)
    digest = digest_of(own.study.consent)
    if asked.body.get("digest") != digest:
        raise ApiError(409, "consent", "this is not the text of the study", "load the page again and read it")
    own.store.agree(participant.code, digest, datetime.now(UTC).date().isoformat())
    return _told(own, own.participant(asked.grant))


def answers(site: Site, asked: ApiRequest) -> Any:
    """Keep the answers to the questions before or after the matches."""
    own = study_of(site)
    participant = own.participant(asked.grant)
    part: Any = asked.body.get("part")
    if part not in PARTS or not own.study.questions(part):
        raise bad_input("part", f"expected before or after, whichever has questions, got {str(part)[:40]!r}")
    _agreed(participant)
    given = _checked(own.study.questions(part), asked.body.get("answers"))
    if part not in participant.answers and own.step(participant) != part:
        raise ApiError(409, "part", f"the questions {part} the matches are not asked now", "load the page again")
    try:
        own.store.answer(participant.code, part, given)
    except GivenBefore:
        what = "these questions have been answered before, and the first answers are kept"
        raise ApiError(409, "answers", what, "load the page again to go on") from None
    return _told(own, own.participant(asked.grant))


async def matches(site: Site, asked: ApiRequest) -> Any:
    """Begin a participant's matches, or go on with them."""
    own = study_of(site)
    participant = await run_in_threadpool(own.participant, asked.grant)
    _agreed(participant)
    step = await run_in_threadpool(own.step, participant)
    if step != "matches":
        raise ApiError(409, "matches", "there is no match to play now", "load the page again")
    directory = own.run_of(participant.code)
    # Whoever opens the seat after this finds the run waiting, which waits for nobody who is not there.
    async with site.presence.here(directory):
        async with own.starting.setdefault(participant.code, asyncio.Lock()):
            if not await _goes_on(directory):
                await _play(site, own, participant)
        if not (directory / JOURNAL).is_file():
            raise _prepared()
        return {"seat": "/seat"}


def study_of(site: Site) -> OpenStudy:
    """The study of a server; an answer of 404 where it has none."""
    if site.study is None:
        raise not_found("study", "there is no study here", "open the link that you were given")
    return site.study


async def _goes_on(directory: Path) -> bool:
    """Whether a process plays a run and goes on with it; one that is ending, or beginning, is waited for."""
    loop = asyncio.get_running_loop()
    until = loop.time() + TURNS_S
    while await run_in_threadpool(is_played, directory):
        state = await run_in_threadpool(control_state, directory)
        if state is not None and state.stopping is None:
            return True
        if loop.time() > until:
            raise _prepared()
        await asyncio.sleep(LOOK_S)
    return False


def _prepared() -> ApiError:
    return ApiError(503, "matches", "your matches are being prepared", "try again", retry_s=AGAIN_S)


async def _play(site: Site, own: OpenStudy, participant: Participant) -> None:
    try:
        words = await run_in_threadpool(own.command, participant)
        await run_in_threadpool(site.starter.play, words, own.run_of(participant.code))
    except ApiError as error:
        # What the command says can tell against whom one plays, which is for the host.
        print_status(f"{participant.code}: the matches cannot be played: {error.what}")
        what = "your matches cannot be played at the moment"
        raise ApiError(409, "matches", what, "tell those who gave you this link, and try again later") from error


def _told(own: OpenStudy, participant: Participant) -> dict[str, Any]:
    step = own.step(participant)
    progress = own.progress(participant)
    text = own.study.consent
    return {
        "title": own.study.title,
        "code": participant.code,
        "step": step,
        "steps": ["consent", *(["before"] if own.study.before else []), "matches"]
        + (["after"] if own.study.after else []),
        "consent": {"text": text, "digest": digest_of(text)},
        "questions": [_asked(each) for each in own.study.questions(step)] if step in PARTS else [],
        "matches": {"done": progress.done, "total": progress.total},
    }


def _asked(question: Question) -> dict[str, Any]:
    return {
        "name": question.name,
        "ask": question.ask,
        "kind": question.kind,
        "choices": list(question.choices),
        "steps": list(question.steps),
        "labels": list(question.labels),
        "low": question.low,
        "high": question.high,
        "required": question.required,
    }


def _agreed(participant: Participant) -> None:
    if participant.consent is None:
        raise ApiError(409, "consent", "you have not agreed to take part yet", "read the text and agree to it first")


def _checked(questions: tuple[Question, ...], raw: Any) -> dict[str, Any]:
    """The answers to all questions, ``None`` where one is left out; an answer of 422 says what is wrong with each."""
    if not isinstance(raw, dict):
        raise bad_input("answers", "expected an object with the answer to each question by its name")
    given = cast("Mapping[str, Any]", raw)
    problems = {name: "there is no such question" for name in given if name not in {each.name for each in questions}}
    found: dict[str, Any] = {}
    for question in questions:
        answer = given.get(question.name)
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            found[question.name] = None
            if question.required:
                problems[question.name] = "this must be answered"
        elif wrong := question.check(answer):
            problems[question.name] = wrong
        else:
            found[question.name] = answer
    if problems:
        told = [{"question": name[:80], "what": what} for name, what in problems.items()]
        first = f"{told[0]['question']}: {told[0]['what']}"
        raise ApiError(422, "answers", first, "correct it and send all again", problems=told)
    return found
