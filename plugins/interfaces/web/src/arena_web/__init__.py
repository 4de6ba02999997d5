"""Shows runs, matches and their boards in a browser, and lets people and programs sit down in them."""

from arena.plugin import Plugin

VIEW = Plugin(
    factory="arena_web.serving.command:view",
    summary="Show runs and matches in a browser.",
    licence="Apache-2.0",
)

OPEN_SEAT = Plugin(
    factory="arena_web.open_seat.open_seat:OpenSeat",
    summary="a seat that a person in a browser, or a program, takes by a link of arena view",
    example={"title": "You"},
    licence="Apache-2.0",
)

STUDY = Plugin(
    factory="arena_web.serving.study_command:study",
    summary="Let people take part in a study: consent, questions, matches.",
    licence="Apache-2.0",
)
