"""Scores by rubrics: given by a model, given by a person, and how far they agree."""

from arena.plugin import Plugin

JUDGE = Plugin(
    factory="arena_metric_judge.judge:Judge",
    summary="scores by a rubric as a model gives them, per turn, player or match; agreement of repeated judgements",
    example={"backend": {"use": "llamacpp", "temperature": 0}, "rubric": "theory-of-mind", "samples": 2},
    licence="Apache-2.0",
)

ANNOTATE = Plugin(
    factory="arena_metric_judge.annotate:annotate",
    summary="Let a person score a run by a rubric, turn by turn.",
    licence="Apache-2.0",
)
