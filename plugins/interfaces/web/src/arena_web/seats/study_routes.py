"""The part of the table of routes by which participants take part in a study."""

from typing import Final

from arena_web.api.routing import ApiRoute
from arena_web.foundation.keys import Right
from arena_web.seats import studying

PARTICIPANT: Final[tuple[Right, ...]] = ("participant",)

_STUDY: Final = (
    "`title`, `code`, `step` (`consent`, `before`, `matches`, `after`, `over`), the `steps` of this study, `consent` "
    "(`text`, `digest`), the `questions` that are asked now, `matches` (`done`, `total`)"
)

STUDY_ROUTES: Final = (
    ApiRoute(
        path="/study",
        summary="Where a participant is in a study, and what is needed there.",
        answer=studying.study,
        gives=_STUDY,
        rights=PARTICIPANT,
    ),
    ApiRoute(
        path="/study/consent",
        summary="Agree to the text of the study; its digest and the day are kept.",
        answer=studying.consent,
        method="POST",
        body="`digest`, that of the text",
        gives="what `/study` gives",
        rights=PARTICIPANT,
    ),
    ApiRoute(
        path="/study/answers",
        summary="Answer the questions before or after the matches, all at once. The same body again gives the same "
        "answer; other answers than the first are 409.",
        answer=studying.answers,
        method="POST",
        body="`part` (`before`, `after`), and `answers`: by the name of each question a text of its choices, a step "
        "of its scale, a text or a number; null for none",
        gives="what `/study` gives; 422 has `problems`, each with `question` and `what`",
        rights=PARTICIPANT,
    ),
    ApiRoute(
        path="/study/matches",
        summary="Begin the matches, or go on with them, in a process of their own. The same key then opens the routes "
        "of the seat.",
        answer=studying.matches,
        method="POST",
        gives="`seat`, the page on which they are played; 503 while they are being prepared",
        rights=PARTICIPANT,
    ),
)
"""The routes of a study for its participants."""
