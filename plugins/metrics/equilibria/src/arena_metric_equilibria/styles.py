"""Compares the styles of prompts in which the same model was asked, as tables 1, 2 and 4 of TMGBench do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import attrs
from arena.metric import Measurements
from arena.tables import Cell, Column, Estimate, Figure, Section, Table

from arena_metric_equilibria.answers import AnswerGroup
from arena_metric_equilibria.random_answers import RandomAnswers
from arena_metric_equilibria.score_tables import (
    accuracies,
    at_random,
    biases,
    estimates,
    inconsistencies,
    over_games,
    plain,
    preference,
    radar,
    reference,
)
from arena_metric_equilibria.scores import Answers, score, significance

AGAINST: Final = "tmgbench-chain-of-thought"
"""The style that the others are held against."""

STYLES: Final = (
    "tmgbench-direct",
    AGAINST,
    "tmgbench-first-order",
    "tmgbench-second-order",
    "tmgbench-first-order-reversed",
    "tmgbench-second-order-reversed",
)
"""The styles of the paper in its order."""

_SCORES: Final = ("PAR", "ID", "BD")

_TEXT: Final = (
    "The same model in several styles of prompts. A style is better or worse than chain of thought where the interval "
    "of the difference, paired by game, excludes 0: more of PAR is better, less of ID and BD."
)

_FEWEST: Final = "random: with as many answers as the style that has the fewest"

ByGame = Mapping[str, Fraction]
"""A part of a score by game."""


@attrs.frozen
class StyledModel:
    """What one model answered to one form of question, by style."""

    form: str
    model: str
    styles: Mapping[str, AnswerGroup]


def styled(groups: Sequence[AnswerGroup], table: Measurements) -> list[StyledModel]:
    """The models that were asked in several styles, each with its styles in the paper's order."""
    found: dict[tuple[str, str], dict[str, AnswerGroup]] = {}
    for group in groups:
        if group.agent in table.prompts:
            model, style = table.prompts[group.agent]
            found.setdefault((group.form, model), {})[style] = group
    return [
        StyledModel(*key, {style: own[style] for style in sorted(own, key=_place)})
        for key, own in found.items()
        if len(own) > 1
    ]


def style_section(models: Sequence[StyledModel], table: Measurements) -> Section:
    """Styles side by side, their differences to chain of thought, SD by style, and radars beside each other."""
    differences = tuple(_differences(models, table))
    tables = (_scores(models, table), *differences, _significance(models, table))
    return Section(title="Styles of prompts", tables=tables, figures=tuple(_radars(models, table)), text=_TEXT)


def _place(style: str) -> tuple[int, str]:
    return (STYLES.index(style) if style in STYLES else len(STYLES)), style


def _columns(models: Sequence[StyledModel]) -> tuple[list[str], tuple[Column, ...]]:
    styles = sorted({style for each in models for style in each.styles}, key=_place)
    titles = (style.removeprefix("tmgbench-") for style in styles)
    columns = tuple(Column(name=style, title=title, style="share") for style, title in zip(styles, titles, strict=True))
    exact = tuple(Column(name=name, title=name, style="share") for name in ("random", "optimal"))
    return styles, (*columns, *exact)


def _scores(models: Sequence[StyledModel], table: Measurements) -> Table:
    """PAR, ID and BD of each model, a column for each style."""
    styles, columns = _columns(models)
    rows: list[tuple[Cell, ...]] = []
    for each in models:
        found = {style: estimates(group.answers, table) for style, group in each.styles.items()}
        random = _random(each, table).scores()
        optimal = score(reference("nash", _games(each)))
        for i, name in enumerate(_SCORES):
            values = [found[style][i] if style in found else None for style in styles]
            rows.append((each.form, each.model, name, *values, random[i], plain(getattr(optimal, name.lower()))))
    keys = (Column(name=name, title=name) for name in ("form", "model", "score"))
    return Table(title="Scores by style", columns=(*keys, *columns), rows=tuple(rows), note=_FEWEST)


def _significance(models: Sequence[StyledModel], table: Measurements) -> Table:
    """SD of each model, a column for each style."""
    styles, columns = _columns(models)
    rows: list[tuple[Cell, ...]] = []
    for each in models:
        own = {style: preference(group.answers, table) for style, group in each.styles.items()}
        optimal = plain(significance(reference("nash", _games(each))))
        random = _random(each, table).preference()
        rows.append((each.form, each.model, *(own.get(style) for style in styles), random, optimal))
    keys = (Column(name=name, title=name) for name in ("form", "model"))
    note = f"from -50 % to 50 %; over the games without equilibrium; {_FEWEST}"
    return Table(title="Significance degree by style", columns=(*keys, *columns), rows=tuple(rows), note=note)


def _differences(models: Sequence[StyledModel], table: Measurements) -> Iterator[Table]:
    """For each style and score the difference to chain of thought, paired by game."""
    columns = (
        *(Column(name=name, title=name) for name in ("form", "model", "style", "score")),
        Column(name="against", title="chain of thought", style="share"),
        Column(name="difference", title="difference", style="share"),
        Column(name="verdict", title="than chain of thought"),
    )
    rows: list[tuple[Cell, ...]] = []
    for each in models:
        base = each.styles.get(AGAINST)
        for style, group in each.styles.items() if base else ():
            if base is not None and style != AGAINST:
                own = estimates(base.answers, table)
                for i, name in enumerate(_SCORES):
                    found = _difference(name, group.answers, base.answers, table)
                    said = _verdict(found, is_more_better=name == "PAR")
                    rows.append((each.form, each.model, style.removeprefix("tmgbench-"), name, own[i], found, said))
    if rows:
        note = "paired by game (BD by pairs of sister games); random and optimal answers are the same in all styles: 0"
        yield Table(title="Difference to chain of thought", columns=columns, rows=tuple(rows), note=note)


def _difference(name: str, answers: Answers, base: Answers, table: Measurements) -> Estimate:
    first, second = _PARTS[name](answers), _PARTS[name](base)
    games = [game for game in first if game in second]
    differences = {game: first[game] - second[game] for game in games}
    return over_games(differences, table, (-1.0, 1.0), pairs=name == "BD")


_PARTS: Final[Mapping[str, Callable[[Answers], ByGame]]] = {
    "PAR": accuracies,
    "ID": inconsistencies,
    "BD": biases,
}


def _verdict(found: Estimate, *, is_more_better: bool) -> str:
    """What the interval says."""
    if found.low is None or found.high is None or found.low <= 0 <= found.high:
        return "open"
    return "better" if (found.low > 0) == is_more_better else "worse"


def _random(each: StyledModel, table: Measurements) -> RandomAnswers:
    """Answers at random, as many as the style with the fewest has."""
    return next(drawn for _, drawn in at_random("random-set", each.styles.values(), table))


def _games(each: StyledModel) -> list[str]:
    return sorted({game for group in each.styles.values() for game in group.answers})


def _radars(models: Sequence[StyledModel], table: Measurements) -> Iterator[Figure]:
    """Two styles in each figure, as the paper has direct answers beside chain of thought, and all models in each."""
    for form in dict.fromkeys(each.form for each in models):
        own = [each for each in models if each.form == form]
        styles = sorted({style for each in own for style in each.styles}, key=_place)
        panels: list[Figure] = []
        for style in styles:
            asked = {each.model: each.styles[style] for each in own if style in each.styles}
            panels.append(radar(f"Sub-metrics, {form}, {style}", asked, table))
        for i in range(0, len(panels), 2):
            yield attrs.evolve(panels[i], beside=tuple(panels[i + 1 : i + 2]))
