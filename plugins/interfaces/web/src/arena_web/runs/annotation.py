"""Scores that people give to a run by a rubric: `arena annotate` on a page."""

from math import isfinite
from typing import Any, Final

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.held.workers import WorkerFailed

LONGEST_NAME: Final = 80
"""No annotator's name has more characters."""


async def rubrics(site: Site, asked: ApiRequest) -> Any:
    """The rubrics by which a run can be annotated, and who has annotated it by them."""
    return await _worked(site, asked, what="rubrics")


async def question(site: Site, asked: ApiRequest) -> Any:
    """One question about a run, and how many there are; unless it is named the first that is not answered."""
    at = asked.body.get("at")
    if at is not None:
        at = _count("at", at)
    return await _worked(site, asked, what="question", at=at, **_who(asked.body))


async def score(site: Site, asked: ApiRequest) -> Any:
    """Keep the scores of one subject of a question at once."""
    body = asked.body
    place = {"at": _count("at", body.get("at")), "subject": _count("subject", body.get("subject"))}
    return await _worked(site, asked, what="score", scores=body.get("scores"), **place, **_who(body))


async def agreement(site: Site, asked: ApiRequest) -> Any:
    """How far the judges of a run and the persons who annotated it agree."""
    return await _worked(site, asked, what="agreement", rubric=str(asked.body.get("rubric") or ""))


def _who(body: Any) -> dict[str, Any]:
    annotator = body.get("annotator")
    if not isinstance(annotator, str) or not annotator.strip() or len(annotator) > LONGEST_NAME:
        raise bad_input("annotator", f"expected a name of 1 to {LONGEST_NAME} characters, got {str(annotator)[:40]!r}")
    share = body.get("share", 1.0)
    if type(share) not in (int, float) or not isfinite(share) or not 0 < share <= 1:
        raise bad_input("share", f"expected more than 0 and at most 1, got {str(share)[:40]!r}")
    return {"rubric": str(body.get("rubric") or ""), "annotator": annotator.strip(), "share": float(share)}


def _count(name: str, given: Any) -> int:
    if type(given) is not int or given < 0:
        raise bad_input(name, f"expected a number from 0, got {str(given)[:40]!r}")
    return given


async def _worked(site: Site, asked: ApiRequest, **more: Any) -> Any:
    found = site.runs.get(asked.path["run"])
    try:
        return await site.annotations.ask({"do": "annotate", "run": str(found.directory), **more})
    except WorkerFailed as error:
        raise ApiError(409, "annotate", str(error)) from error
