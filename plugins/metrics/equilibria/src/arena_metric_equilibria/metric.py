"""The metric ``equilibria``."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs
from arena.metric import Measurement, Metric, Section, Table
from arena.record import MatchRecord, Player

from arena_metric_equilibria.answers import examinations, groups, plays
from arena_metric_equilibria.complex_forms import complex_section
from arena_metric_equilibria.guises import guise_section
from arena_metric_equilibria.maps import map_section
from arena_metric_equilibria.playing import play_section
from arena_metric_equilibria.tables import score_section


@attrs.frozen
class Equilibria(Metric):
    """TMGBench's scores of answers to questions about 2×2 games, and what its games are like when they are played.

    Needs games of ``arena-game-two-by-two``; other games are left out.
    """

    def measure(self, match: MatchRecord) -> Iterable[Measurement]:
        """One ``answer`` for each question, one ``examination`` for a match of several, one ``play`` for a played game.

        An answer that never came in a readable form is wrong and names nothing (``named`` is ``None``).
        """
        found: dict[str, dict[int, Mapping[str, Any]]] = {"posed": {}, "graded": {}}
        for event in match.events:
            if event.source != "game":
                continue
            if event.kind in found:
                data = cast("Mapping[str, Any]", event.data)
                found[event.kind][data["number"]] = data
            elif event.kind == "revealed" and "game" in cast("Mapping[str, Any]", event.data):
                yield Measurement(name="play", value=None, detail=event.data)
        for number, posed in found["posed"].items():
            graded = found["graded"].get(number, {})
            detail = {**posed, "named": graded.get("named")}
            yield Measurement(
                name="answer", value=float(graded.get("is_right", False)), player=Player(0), detail=detail
            )
        if match.returns is not None and found["posed"]:
            posed = next(iter(found["posed"].values()))
            detail = {"form": posed["form"], "questions": posed["of"]}
            yield Measurement(name="examination", value=match.returns[0], player=Player(0), detail=detail)

    def summarize(self, table: Table) -> Iterable[Section]:
        """Scores, maps, complex forms, other guises, and play; only what was asked or played."""
        whole = groups(table.named("answer"))
        if plain := [group for group in whole.values() if not group.guise]:
            yield score_section(plain, table)
            yield map_section(plain)
        if any(group.guise for group in whole.values()):
            yield guise_section(list(whole.values()), table)
        if several := examinations(table.named("examination")):
            yield complex_section(several, table)
        if played := plays(table.named("play")):
            yield play_section(played, table)
