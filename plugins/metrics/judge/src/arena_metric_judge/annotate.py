"""The command ``arena annotate``, with which a person scores a run."""

from pathlib import Path

import click
from arena.tables import Section
from arena_cli import Command, RunPath, catalog_of, print_status, select_match, show_report, trust_options
from arena_cli.output import echo, result
from arena_engine import Journal, open_parts
from arena_report import Report

from arena_metric_judge import rubric as rubrics
from arena_metric_judge.annotating import AnnotationQuestion, questions_of
from arena_metric_judge.annotation import append, read
from arena_metric_judge.judge_comparison import compared
from arena_metric_judge.person import Ended, scores_of


@click.command(cls=Command)
@click.argument("run", type=RunPath())
@click.option(
    "--rubric", "named", default="social-behaviour", show_default=True, help="A shipped one, or a .yaml file."
)
@click.option("-m", "--match", "wanted", metavar="ID|NUMBER", help="Only this match of the run.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="The annotations; RUN/annotations.jsonl."
)
@click.option("--as", "annotator", default="person", show_default=True, metavar="NAME", help="Who annotates.")
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    help="Score only a drawn share of what there is, the same for everybody.",
)
@click.option("--compare", is_flag=True, help="Say how far the file agrees with the judges of the run; ask nothing.")
@click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, show_default=True)
@trust_options
@click.pass_context
def annotate(
    ctx: click.Context,
    run: Path,
    named: str,
    wanted: str | None,
    output: Path | None,
    annotator: str,
    share: float,
    compare: bool,
    level: float,
) -> None:
    """Let a person score a run by a rubric, turn by turn or round by round.

    Each turn or round is shown with the match so far, as a judging model sees it and without its scores or the agents'
    names. Players who are scored in one question are asked about one after another below it.
    Each score is asked for until it fits its scale; an empty answer leaves the turn out, or the message or other part
    of a round that is asked about, and q ends. What is complete is written at once, one line of JSON each, and is not
    asked for again.

    --compare prints how far two raters agree, in per cent, as mean absolute error and as Cohen's kappa: each judge of
    the run by the same rubric, and each person in the file.
    """
    path = output or run / "annotations.jsonl"
    with Journal.open(run) as journal:
        try:
            asked = rubrics.load(named)
        except ValueError as error:
            raise click.UsageError(f"--rubric {error}") from error
        if compare:
            if not path.exists():
                raise click.UsageError(f"--compare: there is no {path} yet; score first, without --compare")
            table = compared(journal, read(path, asked), asked, level)
            section = Section(title="Judges and persons", tables=(table,))
            show_report(Report(title="annotate", sections=(section,), facts=()))
            return
        parts = open_parts(journal, catalog_of(ctx))
        one = select_match(journal, wanted) if wanted else None
        records = [one] if one else [record for record in journal.records() if record.ending.is_result]
        done = {each.place for each in read(path, asked) if each.annotator == annotator} if path.exists() else set()
        for question in questions_of(records, parts.game, asked, share):
            left = [each for each in question.subjects if question.place(each) not in done]
            try:
                if left:
                    _show(question)
                for subject in left:
                    echo(f"--- score {question.heading(subject)}", fg="cyan")
                    if scores := scores_of(question.items(subject), asked):
                        append(path, question.annotation(journal.header.name, subject, annotator, scores))
            except Ended:
                print_status(f"annotations: {path}")
                return
    print_status(f"all is annotated: {path}")


def _show(question: AnnotationQuestion) -> None:
    """Show the match as far as it is judged by it."""
    echo()
    echo(f"=== {question.title}", bold=True)
    if question.rules:
        result(f"{question.rules}\n")
    # What goes on with a line is set in, so that no text of a player looks like a line of the match.
    result(f"{question.text}\n", hanging=2)
