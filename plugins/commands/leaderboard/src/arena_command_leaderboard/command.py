"""The command ``arena leaderboard``: ranks agents over runs and submissions."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

import click
from arena.catalog import Catalog
from arena.tables import Cell, Estimate, Section, Table
from arena_cli import Command, RunPath, catalog_of, print_status, show_report, trust_options
from arena_cli.output import result_data
from arena_engine import Journal
from arena_metric_outcomes.columns import counts, shares, text
from arena_metric_statistics.proportions import share
from arena_report import Report, write_file

from arena_command_leaderboard import journals, submissions
from arena_command_leaderboard.page import page
from arena_command_leaderboard.results import KEYS, Key, RankingLine, Result, SeatResult, distinct, lines

FORMATS = ("terminal", "csv", "json", "submission", "html")
_HEADINGS = {
    "pairing": ("1st", "2nd"),
    "agent": ("agent",),
    "opponent": ("against",),
    "game": ("game",),
    "form": ("form",),
}
_ENDINGS = {".csv": "csv", ".json": "json", ".html": "html"}


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=RunPath(), metavar="RUN|FILE…")
@click.option(
    "--by",
    default="game,form,agent",
    show_default=True,
    metavar="KEYS",
    help="What lines stand for: game, form, agent, opponent, pairing; several with commas.",
)
@click.option("--game", "games", multiple=True, metavar="NAME", help="Only this game; may be repeated.")
@click.option("--form", "forms", multiple=True, metavar="NAME", help="Only this form of prompt; may be repeated.")
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="Only matches of this agent; may be repeated.")
@click.option("--format", "form_", type=click.Choice(FORMATS), help="Unless given, what the ending of --output says.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there.")
@click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, show_default=True)
@trust_options
@click.pass_context
def leaderboard(
    ctx: click.Context,
    sources: tuple[Path, ...],
    by: str,
    games: tuple[str, ...],
    forms: tuple[str, ...],
    agents: tuple[str, ...],
    form_: str | None,
    output: Path | None,
    level: float,
) -> None:
    """Rank agents over runs and submissions, by game, form or agent.

    Takes runs, and CSV or JSON files of submissions: LLM-Game-Benchmark's, or those that this command writes. What is
    there twice, by the id of a match or of a submission, counts once, and standard error says so. Matches of two
    players with a result count.

    csv and json hold the lines that were asked for with --by; submission holds one row for each two agents in their
    seats, game and form, in the columns of LLM-Game-Benchmark's submissions, ready to be merged again; html is one page
    that sorts, filters and adds up without a network.
    """
    kept, left = distinct(_read(sources, catalog_of(ctx)))
    for result, known in left:
        print_status(f"counted once: {_told(result)} of {result.source} is in {known.source} too")
    chosen = [
        result
        for result in kept
        if (not games or result.game in games)
        and (not forms or result.form in forms)
        and (not agents or not set(agents).isdisjoint(result.agents))
    ]
    if not chosen:
        raise click.UsageError("there are no matches of two players with a result that fit")
    keys = _keys(by)
    form = form_ or _ENDINGS.get(output.suffix if output else "", "terminal")
    if form == "terminal" and output is None:
        _show(lines(chosen, keys), keys, level)
        return
    content = _written(form, chosen, keys, level)
    if output is None:
        result_data(content.decode(), is_line=False)
    else:
        write_file(output, [content])
        result_data(output)


def _read(sources: Iterable[Path], catalog: Catalog) -> list[Result]:
    found: list[Result] = []
    for source in sources:
        if source.is_dir() or source.suffix == ".sqlite":
            with Journal.open(source) as journal:
                own, others = journals.results(journal, catalog)
            if others:
                print_status(f"left out: {others:,} matches of {source} without a result or not of two players")
            found += own
        else:
            found += submissions.read(source)
    return found


def _keys(by: str) -> tuple[Key, ...]:
    words = [word.strip() for word in by.split(",") if word.strip()]
    if unknown := [word for word in words if word not in KEYS]:
        raise click.UsageError(f"--by: expected some of {', '.join(KEYS)}, got {unknown[0]!r}")
    if "pairing" in words and {"agent", "opponent"} & set(words):
        raise click.UsageError("--by: pairing says who sat where already; leave agent and opponent out")
    if not words:
        raise click.UsageError(f"--by: expected some of {', '.join(KEYS)}")
    return cast("tuple[Key, ...]", tuple(words))


def _told(result: Result) -> str:
    return f"{result.agents[0]} against {result.agents[1]} ({result.game}, {result.form})"


def _written(form: str, chosen: Sequence[Result], keys: Sequence[Key], level: float) -> bytes:
    if form == "html":
        return page(chosen, level).encode()
    if form == "submission":
        rows = [submissions.row(result) for result in sorted(chosen, key=lambda r: (r.game, r.form, r.agents))]
        return submissions.csv_text(rows, (*submissions.ROW, *submissions.COUNTS))
    rows = [submissions.line_row(line, keys, level) for line in lines(chosen, keys)]
    if form == "csv":
        return submissions.csv_text(rows, list(rows[0]))
    if form == "json":
        return (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode()
    raise click.UsageError(f"--format {form} needs no --output; leave one of them out")


def _show(found: Sequence[RankingLine], keys: Sequence[Key], level: float) -> None:
    names = text(*(heading for key in keys for heading in _HEADINGS[key]))
    won = (
        *shares("won 1st", "won 2nd"),
        *counts("wins 1st", "wins 2nd", "disqualified 1st", "disqualified 2nd", "draws", "cut off"),
    )
    moved = (*counts("moves 1st", "moves 2nd"), *shares("invalid 1st", "invalid 2nd"))
    note = (
        "1st and 2nd are the seats: of the agent of the line, or of whoever sat there. Matches count as independent. A "
        "disqualification is no win for the opponent."
    )
    tried = "Moves are all that were tried, and invalid moves are a share of them."
    tables = (
        Table(
            title="Results",
            columns=(*names, *won),
            rows=tuple((*_names(line, keys), *_results(line, level)) for line in found),
            note=note,
        ),
        Table(
            title="Moves",
            columns=(*names, *moved),
            rows=tuple((*_names(line, keys), *_moves(line)) for line in found),
            note=tried,
        ),
    )
    made = Report(title="leaderboard", sections=(Section(title="Leaderboard", tables=tables),), facts=())
    show_report(made)


def _names(line: RankingLine, keys: Sequence[Key]) -> tuple[str, ...]:
    named = {
        "pairing": (line.agent, line.opponent),
        "agent": (line.agent,),
        "opponent": (line.opponent,),
        "game": (line.game,),
        "form": (line.form,),
    }
    return tuple(name for key in keys for name in named[key])


def _results(line: RankingLine, level: float) -> tuple[Cell, ...]:
    first, second = line.first, line.second
    return (
        *(_won(first, level), _won(second, level), first.wins, second.wins),
        *(first.disqualifications, second.disqualifications, line.draws, line.cancelled),
    )


def _moves(line: RankingLine) -> tuple[Cell, ...]:
    first, second = line.first, line.second
    return first.moves, second.moves, _invalid(first), _invalid(second)


def _won(seat: SeatResult, level: float) -> Estimate | None:
    if not seat.matches:
        return None
    return share([True] * seat.wins + [False] * (seat.matches - seat.wins), level=level)


def _invalid(seat: SeatResult) -> float | None:
    return seat.invalid / seat.moves if seat.moves else None
