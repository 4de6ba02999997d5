"""The words of ``diplomacy-facts``: its rules, and a question as text."""

from collections.abc import Mapping
from typing import Any, Final

from arena_game_diplomacy.reports import explanation
from arena_game_diplomacy.showing import borders

RULES: Final = """\
You are shown a position of the board game Diplomacy on its standard map, before orders are given, and asked what is \
true of one power. Armies (A) move over land: they can go to an inland or coastal province that has a common border \
with theirs. Fleets (F) move on seas and along coasts: they can go to a neighbouring sea, and to a coastal province \
that shares a coast with theirs. Bulgaria, Spain and St Petersburg have two coasts, and a fleet there is on one of \
them, such as STP/SC; in your answer, name the province without its coast. Your answer is a JSON object with what is \
asked for, complete: both what is wrong and what is left out cost. It earns from 0 to 1, the harmonic mean of how much \
of what you say is right and how much of what is right you say."""


def question_text(observation: Any) -> str:
    """A question in words: the position, the borders if they are told, and what is asked."""
    lines = [
        f"You are {observation['powers'][0]}. This is the position before the orders of {observation['phase']}.",
        "",
        "Units:",
    ]
    lines += _by_power(observation["units"])
    lines += ["", "Provinces under the influence of each power, where its unit stands or was the last to stand:"]
    lines += _by_power(observation["influence"])
    if observation["borders"]:
        lines += ["", borders(observation)]
    lines += ["", "Your answer holds:", explanation(observation["fields"])]
    return "\n".join(lines)


def _by_power(entries: Mapping[str, Any]) -> list[str]:
    return [f"{power}: {', '.join(names) or 'none'}" for power, names in entries.items()]
