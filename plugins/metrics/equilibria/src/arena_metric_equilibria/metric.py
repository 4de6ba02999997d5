"""The metric ``equilibria``, which scores answers as TMGBench does."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import Player
from arena.tables import Section
from arena_game_two_by_two.play import TwoByTwoPlay

from arena_metric_equilibria.answers import examinations, groups, plays
from arena_metric_equilibria.complex_forms import complex_section
from arena_metric_equilibria.maps import map_section
from arena_metric_equilibria.playing import play_section
from arena_metric_equilibria.questions import with_questions
from arena_metric_equilibria.renamings import renaming_section
from arena_metric_equilibria.score_tables import score_section
from arena_metric_equilibria.stories import stories
from arena_metric_equilibria.styles import style_section, styled


@attrs.frozen
class Equilibria(Metric):
    """TMGBench's scores for answers to questions about 2×2 games, and statistics of games that were played.

    Needs games of ``playarena-game-two-by-two``; other games are ignored.
    """

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One ``answer`` per question, one ``examination`` per match of several, one ``play`` per played game.

        An answer that never came in a readable form is wrong (``named`` is ``None``), and so is a match from which the
        player was disqualified. In a game that was not played because somebody failed nothing is ``chosen``.
        """
        found: dict[str, dict[int, Mapping[str, Any]]] = {"posed": {}, "graded": {}}
        for event in match.record.events:
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
        returns, has_failed = match.record.returns, bool(match.record.at_fault)
        if found["posed"] and (returns is not None or has_failed):
            posed = next(iter(found["posed"].values()))
            detail = {"form": posed["form"], "questions": posed["of"]}
            right = 0.0 if has_failed or returns is None else returns[0]
            yield Measurement(name="examination", value=right, player=Player(0), detail=detail)
        if has_failed and isinstance(match.game, TwoByTwoPlay):
            yield Measurement(name="play", value=None, detail={"game": match.game.game, "chosen": None})

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Scores, maps, complex forms, renamings and play, as far as each was asked or played."""
        whole = groups(measurements.rows_named("answer"))
        if plain := [group for group in whole.values() if not group.exchange]:
            yield with_questions(score_section(plain, measurements), stories(measurements))
            if models := styled(plain, measurements):
                yield style_section(models, measurements)
            yield map_section(plain, measurements)
        if any(group.exchange for group in whole.values()):
            yield renaming_section(list(whole.values()), measurements)
        if several := examinations(measurements.rows_named("examination")):
            yield complex_section(several, measurements)
        if played := plays(measurements.rows_named("play")):
            yield play_section(played, measurements)
