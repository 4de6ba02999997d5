"""The same questions with players or choices renamed: does the answer stay the same?"""

from collections.abc import Sequence

from arena.metric import Cell, Column, Section, Table, TableView
from arena_metric_statistics.comparisons import holm, sign_flip
from arena_metric_statistics.resampling import bootstrap

from arena_metric_equilibria.answers import Group
from arena_metric_equilibria.scores import accuracy


def guise_section(groups: Sequence[Group], table: Table) -> Section:
    """Accuracy in other guises minus that in the original names, game by game."""
    original = {(group.form, group.agent): group for group in groups if not group.guise}
    compared = [group for group in groups if group.guise and (group.form, group.agent) in original]
    lines: list[tuple[Cell, ...]] = []
    ps: list[float] = []
    for group in compared:
        plain = original[group.form, group.agent].answers
        both = [game for game in group.answers if game in plain]
        pairs = [(accuracy(game, group.answers[game]), accuracy(game, plain[game])) for game in both]
        differences = [float(other - own) for other, own in pairs]
        ps.append(sign_flip(differences, seed=table.seed).p)
        estimate = bootstrap(differences, level=table.level, seed=table.seed, unit="games")
        lines.append((group.form, group.guise, group.agent, len(both), estimate))
    columns = (
        Column(name="form", title="form"),
        Column(name="guise", title="exchanged"),
        Column(name="agent", title="agent"),
        Column(name="games", title="games", style="count"),
        Column(name="difference", title="accuracy gained", style="number"),
        Column(name="p", title="p (Holm)", style="number"),
    )
    rows = tuple((*line, p) for line, p in zip(lines, holm(ps), strict=True))
    note = "paired by game; p: sign flips, corrected for all rows by Holm; random and optimal agents gain 0"
    view = TableView(title="Other guises against the original", columns=columns, rows=rows, note=note)
    return Section(title="Robustness to renaming", tables=(view,))
