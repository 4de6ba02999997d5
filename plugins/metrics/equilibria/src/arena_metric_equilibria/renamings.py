"""Compares the answers to the same questions with players or choices renamed."""

from collections.abc import Sequence

from arena.metric import Measurements
from arena.tables import Cell, Column, Section, Table
from arena_metric_statistics.comparisons import holm, sign_flip
from arena_metric_statistics.means import mean

from arena_metric_equilibria.answers import AnswerGroup
from arena_metric_equilibria.scores import accuracy


def renaming_section(groups: Sequence[AnswerGroup], table: Measurements) -> Section:
    """Accuracy with exchanged names minus accuracy with the original names, paired by game."""
    original = {(group.form, group.agent): group for group in groups if not group.exchange}
    compared = [group for group in groups if group.exchange and (group.form, group.agent) in original]
    lines: list[tuple[Cell, ...]] = []
    ps: list[float] = []
    for group in compared:
        plain = original[group.form, group.agent].answers
        both = [game for game in group.answers if game in plain]
        pairs = [(accuracy(game, group.answers[game]), accuracy(game, plain[game])) for game in both]
        differences = [float(other - own) for other, own in pairs]
        ps.append(sign_flip(differences, seed=table.seed).p)
        estimate = mean(differences, level=table.level, bounds=(-1.0, 1.0), unit="games")
        lines.append((group.form, group.exchange, group.agent, len(both), estimate))
    columns = (
        Column(name="form", title="form"),
        Column(name="guise", title="exchanged"),
        Column(name="agent", title="agent"),
        Column(name="games", title="games", style="count"),
        Column(name="difference", title="accuracy gained", style="number"),
        Column(name="p", title="p (Holm)", style="number", unit="probability"),
    )
    rows = tuple((*line, p) for line, p in zip(lines, holm(ps), strict=True))
    note = "paired by game; p: sign flips, corrected for all rows by Holm; random and optimal agents gain 0"
    view = Table(title="Renamings against the original", columns=columns, rows=rows, note=note)
    return Section(title="Robustness to renaming", tables=(view,))
