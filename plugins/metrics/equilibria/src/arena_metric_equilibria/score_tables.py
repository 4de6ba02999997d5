"""Tables of the scores over the topology, with intervals and baselines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt

import attrs
from arena.metric import Measurements
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_game_two_by_two.matrix import Choices
from arena_game_two_by_two.solutions import RULES
from arena_game_two_by_two.topology import GAMES
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share

from arena_metric_equilibria.answers import AnswerGroup
from arena_metric_equilibria.random_answers import RandomAnswers
from arena_metric_equilibria.scores import (
    COUNTS,
    Answers,
    accuracy,
    bias,
    diagonal,
    frequencies,
    inconsistency,
    score,
    significance,
    variations,
    with_equilibria,
)

REFERENCES = {
    "nash": "(optimal)",
    "random-set": "(random)",
    "none": "(always none)",
    "first": "(always A1, B1)",
    "joint-payoff": "(joint payoff)",
    "maximin": "(best worst case)",
    "against-uniform": "(best to random)",
    "random-cell": "(one of four)",
}
"""The names of the baselines in tables; brackets tell them from agents."""

AT_RANDOM = ("random-set", "random-cell")
"""The baselines whose answers are drawn, so that their scores depend on how many there are."""

SHARE = (0.0, 1.0)
"""The least and the greatest PAR, ID and BD of a game."""

TEXT = (
    "PAR is the share of answers that name exactly the pure equilibria (100 % is best). ID is the inconsistency of how "
    "often each combination is named, BD the difference between each game and its sister with the players exchanged (0 "
    "is best). SD says how strongly one diagonal is preferred where there is no equilibrium (-50 % to 50 %). An answer "
    "that cannot be read is wrong: ID, BD and the radar take it to name each combination or not, whichever is worse, "
    "and SD, of which no value is worse, is that of the answers that can be read."
)

_NOTE = (
    "In brackets: exact scores of the equilibria, of simple rules, and of answers at random, as many as the agents "
    "gave, with the range in which such answers lie. Other intervals: over games, for BD over pairs "
    "of sister games, for SD over games without equilibrium."
)


def score_section(groups: Sequence[AnswerGroup], table: Measurements) -> Section:
    """Scores, scores by number of equilibria, and how much the stories of one game differ."""
    forms = sorted({group.form for group in groups})
    radars = [
        radar(f"Sub-metrics, {form}", {group.agent: group for group in groups if group.form == form}, table)
        for form in forms
    ]
    return Section(
        title="Equilibria of 2×2 games",
        tables=(_scores(groups, table), _parts(groups, table), *_stories(groups, table)),
        figures=(_bars(groups, table), attrs.evolve(radars[0], beside=tuple(radars[1:]))),
        text=TEXT,
    )


def reference(rule: str, games: Iterable[str]) -> Answers:
    """The answers of a baseline to each game: every answer it may give, once each."""
    if rule == "random-set":
        every = [Choices(n for n in range(1, 5) if bits >> n & 1) for bits in range(0, 32, 2)]
        return dict.fromkeys(games, every)
    return {game: RULES[rule](GAMES[game].matrix) for game in games}


def at_random(rule: str, groups: Iterable[AnswerGroup], table: Measurements) -> Iterator[tuple[str, RandomAnswers]]:
    """A baseline that draws its answers, for each number of answers that one of the agents gave.

    The text before it says of how many answers it is, where agents did not all give the same number.
    """
    told = {frozenset((game, len(given)) for game, given in group.answers.items() if given) for group in groups}
    counts = sorted((dict(sorted(each)) for each in told), key=lambda each: (sum(each.values()), list(each.items())))
    for each in counts:
        many = f", {sum(each.values())} answers" if len(counts) > 1 else ""
        options = {
            game: [answer for answer in given if answer is not None] for game, given in reference(rule, each).items()
        }
        yield many, RandomAnswers(options=options, counts=each, level=table.level, seed=table.seed)


def over_games(
    values: Mapping[str, Fraction], table: Measurements, bounds: tuple[float, float], *, pairs: bool = False
) -> Estimate:
    """The mean of a value of each game, with an interval over games (or pairs of sister games).

    ``bounds`` are the least and the greatest value that a game can have.
    """
    units = [min(game, GAMES[game].sister.id) if pairs else game for game in values]
    numbers = [float(value) for value in values.values()]
    found = mean(numbers, clusters=units, level=table.level, bounds=bounds)
    return attrs.evolve(found, unit="pairs of games" if pairs else "games")


def estimates(answers: Answers, table: Measurements) -> tuple[Estimate, Estimate, Estimate]:
    """PAR, ID and BD in this order, with intervals."""
    return (
        over_games(accuracies(answers), table, SHARE),
        over_games(inconsistencies(answers), table, SHARE),
        over_games(biases(answers), table, SHARE, pairs=True),
    )


def preference(answers: Answers, table: Measurements) -> Estimate:
    """SD with an interval over the games without equilibrium."""
    shares = frequencies(answers)
    parts = {game: diagonal(game, shares[game]) for game in with_equilibria(0) if game in shares}
    return over_games({game: part for game, part in parts.items() if part is not None}, table, (-0.5, 0.5))


def _scores(groups: Sequence[AnswerGroup], table: Measurements) -> Table:
    columns = (
        Column(name="form", title="form"),
        Column(name="agent", title="agent"),
        Column(name="games", title="games", style="count"),
        Column(name="answers", title="answers", style="count"),
        *(Column(name=name.lower(), title=name, style="share") for name in ("PAR", "ID", "BD", "SD")),
        Column(name="unreadable", title="unreadable", style="share"),
    )
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        given = group.given
        unreadable = share([answer is None for answer in given], level=table.level, unit="answers")
        scores = (*estimates(group.answers, table), preference(group.answers, table))
        rows.append((group.form, group.agent, len(group.answers), len(given), *scores, unreadable))
    for form, games in _asked(groups).items():
        for rule, name in REFERENCES.items():
            if rule in AT_RANDOM:
                for many, drawn in at_random(rule, [group for group in groups if group.form == form], table):
                    asked = (len(drawn.counts), sum(drawn.counts.values()))
                    rows.append((form, f"{name}{many}", *asked, *drawn.scores(), drawn.preference(), None))
                continue
            simple = reference(rule, games)
            found = score(simple)
            exact = map(plain, (found.par, found.id, found.bd, significance(simple)))
            rows.append((form, name, len(games), None, *exact, None))
    return Table(title="Accuracy, inconsistency and bias", columns=columns, rows=tuple(rows), note=_NOTE)


def _parts(groups: Sequence[AnswerGroup], table: Measurements) -> Table:
    """Scores separately for games with none, one and two equilibria."""
    names = [f"{name} {count}" for count in COUNTS for name in ("PAR", "ID", "BD")]
    columns = (
        Column(name="form", title="form"),
        Column(name="agent", title="agent"),
        *(Column(name=name, title=name, style="share") for name in names),
    )
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        cells: list[Cell] = [group.form, group.agent]
        for count in COUNTS:
            cells += estimates(_part(group.answers, count), table)
        rows.append(tuple(cells))
    for form, games in _asked(groups).items():
        parts = [score(_part(reference("nash", games), count)) for count in COUNTS]
        exact = (plain(v) for part in parts for v in (part.par, part.id, part.bd))
        rows.append((form, REFERENCES["nash"], *exact))
        for many, drawn in at_random("random-set", [group for group in groups if group.form == form], table):
            found = (value for count in COUNTS for value in drawn.scores(with_equilibria(count)))
            rows.append((form, f"{REFERENCES['random-set']}{many}", *found))
    return Table(title="By number of equilibria", columns=columns, rows=tuple(rows))


def _asked(groups: Sequence[AnswerGroup]) -> dict[str, list[str]]:
    """The games that somebody was asked about, by form."""
    games: dict[str, set[str]] = {}
    for group in groups:
        games.setdefault(group.form, set()).update(group.answers)
    return {form: sorted(own) for form, own in sorted(games.items())}


def _part(answers: Answers, count: int) -> Answers:
    wanted = set(with_equilibria(count))
    return {game: given for game, given in answers.items() if game in wanted}


def _stories(groups: Sequence[AnswerGroup], table: Measurements) -> Iterable[Table]:
    told = [group for group in groups if group.stories]
    if told:
        columns = (
            Column(name="agent", title="agent"),
            Column(name="games", title="games", style="count"),
            Column(name="variation", title="coefficient of variation", style="number"),
        )
        rows: list[tuple[Cell, ...]] = []
        for group in told:
            rates: dict[str, list[float]] = {}
            for (game, _), right in group.stories.items():
                rates.setdefault(game, []).append(sum(right) / len(right))
            most = max((len(values) for values in rates.values()), default=1)
            found = variations(rates.values())
            spread = mean(found, level=table.level, bounds=(0.0, sqrt(most - 1)), unit="games")
            rows.append((group.agent, len(rates), spread))
        note = (
            "of the accuracy over the stories of one game, averaged over games that were answered rightly at least once"
        )
        yield Table(title="Between stories of one game", columns=columns, rows=tuple(rows), note=note)


def _bars(groups: Sequence[AnswerGroup], table: Measurements) -> Figure:
    agents = sorted({group.agent for group in groups})
    found = {(group.form, group.agent): estimates(group.answers, table)[0] for group in groups}
    return Figure(
        kind="bar",
        title="Perfect accuracy rate",
        x=tuple(agents),
        series={form: tuple(found.get((form, agent)) for agent in agents) for form in sorted({f for f, _ in found})},
        y_title="PAR",
        references={"optimal": 1.0, "random": 1 / 16},
    )


def radar(title: str, groups: Mapping[str, AnswerGroup], table: Measurements) -> Figure:
    """PAR, Anti-ID and Anti-BD by number of equilibria, a line for each name; 1 is best on every axis."""
    series: dict[str, tuple[float | Estimate | None, ...]] = {}
    for name, group in groups.items():
        parts = [estimates(_part(group.answers, count), table) for count in COUNTS]
        series[name] = (
            *(par for par, _, _ in parts),
            *(_anti(degree) for _, degree, _ in parts),
            *(_anti(degree) for _, _, degree in parts),
        )
    names = tuple(f"{name} {count}" for name in ("PAR", "Anti-ID", "Anti-BD") for count in COUNTS)
    return Figure(kind="radar", title=title, x=names, series=series, references={"optimal": 1.0})


def _anti(degree: Estimate) -> Estimate:
    """1 - √degree, whose ends change places."""
    value, low, high = (
        None if end is None else 1 - sqrt(max(end, 0.0)) for end in (degree.value, degree.low, degree.high)
    )
    return attrs.evolve(degree, value=value, low=high, high=low, standard_error=None)


def accuracies(answers: Answers) -> dict[str, Fraction]:
    """The share of right answers, by game."""
    return {game: accuracy(game, given) for game, given in answers.items() if given}


def inconsistencies(answers: Answers) -> dict[str, Fraction]:
    """The part of ID, by game."""
    return {game: inconsistency(game, shares) for game, shares in frequencies(answers).items()}


def biases(answers: Answers) -> dict[str, Fraction]:
    """The part of BD, by game whose sister was answered too."""
    shares = frequencies(answers)
    paired = {game: GAMES[game].sister.id for game in shares if GAMES[game].sister.id in shares}
    return {game: bias(shares[game], shares[sister]) for game, sister in paired.items()}


def plain(value: Fraction | None) -> float | None:
    """An exact number as a float; ``None`` stays."""
    return None if value is None else float(value)
