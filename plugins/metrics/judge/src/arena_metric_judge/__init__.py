"""Scores matches by rubrics, with a model or a person as judge, and measures how far judges agree."""

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

JUDGE = Plugin(
    factory="arena_metric_judge.judge:Judge",
    summary="scores by a rubric as a model gives them, per turn, player, round or match; agreement of repeated ones",
    example={"backend": {"use": "llamacpp", "temperature": 0}, "rubric": "theory-of-mind", "samples": 2},
    licence="Apache-2.0",
)

COMMAND_LINE = (Requirement("arena_cli", package=full_name("metric-judge[commands]")),)

ANNOTATE = Plugin(
    factory="arena_metric_judge.annotate:annotate",
    summary="Let a person score a run by a rubric, turn by turn or round by round.",
    requirements=COMMAND_LINE,
    licence="Apache-2.0",
)
