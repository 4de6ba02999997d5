"""The routes by which people score a run."""

from typing import Final

from arena_web.api.routing import ApiRoute
from arena_web.runs import annotation

ANNOTATOR: Final = "`rubric`, `annotator` (a name), and `share` if only a drawn share is scored, the same for everybody"

ANNOTATION_ROUTES: Final = (
    ApiRoute(
        path="/run/{run}/rubrics",
        summary="The rubrics by which people can score a run, and who has.",
        answer=annotation.rubrics,
        method="POST",
        gives="`rubrics` with `name`, `per` (what is scored), `judges` of the run that use it, and how many "
        "`dimensions`; `annotators`; `file`",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/question",
        summary="One question to a person who scores a run, as `arena annotate` asks it.",
        answer=annotation.question,
        method="POST",
        body=f"{ANNOTATOR}; `at`: which question, else the first that is not answered",
        gives="`total`, `done`, `at`, `file`, `question` (null where all are answered): `title`, `rules`, `text`, "
        "`asks_why`, and `subjects` with `heading`, their `scores` if they have some, and `items`, of which each has "
        "`place`, `label`, `dimensions` and what may be `found` in it",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/score",
        summary="Keep a person's scores of one subject of a question, at once.",
        answer=annotation.score,
        method="POST",
        body=f"{ANNOTATOR}; `at`, `subject` (its place in the question), `scores` as a line of the file has them",
        gives="`kept`; 409 says what does not fit the rubric",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/agreement",
        summary="How far judges and persons agree, as `arena annotate --compare` has it.",
        answer=annotation.agreement,
        method="POST",
        body="`rubric`",
        gives="`table`: per cent, mean absolute error and kappa of every two raters, each with n and interval",
        is_control=True,
    ),
)
"""What the page on which people score a run asks."""
