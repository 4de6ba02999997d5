"""The command ``arena tmgbench-stories``, for reviewing stories that a model wrote."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import click
from arena.errors import ConfigError
from arena_cli import Command, RunPath, print_status
from arena_cli.output import result_data
from arena_game_two_by_two.casting import STORIES
from arena_game_two_by_two.checks import faults_of_topic, repeated
from arena_game_two_by_two.situations import read_topic
from arena_game_two_by_two.story_games import TwoByTwoStory
from arena_game_two_by_two.storyteller import Ranks
from arena_game_two_by_two.topology import GAMES
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from arena_suite_tmgbench import review as files
from arena_suite_tmgbench.records import digest, drawn, every, record, told_in_all_ways
from arena_suite_tmgbench.review import Written

_PATH = click.Path(path_type=Path)


@click.group()
def stories() -> None:
    """Read, review and use stories of 2×2 games.

    A model writes them with: arena run suite:tmgbench-writing --agents mine.yaml
    """


def _told(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which 720 stories are meant."""
    options = (
        click.option("--seed", type=int, default=0, show_default=True, help="Another seed tells 720 other stories."),
        click.option("--situations", metavar="LIBRARY", help="A library's name, or a folder; shipped if not given."),
        click.option("--ranks", type=click.Choice(get_args(Ranks)), help="Figures, or orders told in words."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _given(**told: Any) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


@stories.command(cls=Command)
@click.argument("game", type=click.Choice(list(GAMES)), metavar="[GAME]", required=False)
@click.argument("number", type=click.IntRange(0, STORIES - 1), default=0)
@_told
@click.option("--all", "whole", is_flag=True, help="All 720, as lines of JSON with topic, words and payoffs.")
@click.option(
    "--sample", type=click.IntRange(1, 720), metavar="N", help="N of the 720 drawn by the seed, to read aloud."
)
@click.option("-o", "--output", type=_PATH, help="Where to write what --all gives.")
def show(
    game: str | None, number: int, seed: int, whole: bool, sample: int | None, output: Path | None, **told: Any
) -> None:
    """Print story NUMBER (0 to 4) of GAME ("111" to "466"), composed without a model."""
    if [game is not None, whole, sample is not None].count(True) != 1 or whole != (output is not None):
        raise click.UsageError("expected either GAME, or --sample N, or --all with -o FILE.jsonl")
    told = _given(**told)
    if game is not None:
        asked = TwoByTwoStory(game=game, story=number, seed=seed, **told)
        result_data(asked.composed(game, number, seed).text)
    elif output is not None:
        lines = [json.dumps(record(one), ensure_ascii=False) for one in every(seed, **told)]
        output.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print_status(f"{output}: {len(lines)} stories")
    elif sample is not None:
        for found, story in drawn(sample, seed):
            text = record(TwoByTwoStory(game=found, story=story, seed=seed, **told))["scenario"]
            result_data(f"[{found}/{story} {digest(text)}]\n\n{text}\n")


@stories.command(cls=Command)
@_told
@click.option("-o", "--output", type=_PATH, required=True, metavar="DIR", help="The folder for an SVG and a PNG file.")
def figures(seed: int, output: Path, **told: Any) -> None:
    """Draw the topics and lengths of all 720 stories, as figure 11 of the paper does."""
    from arena_suite_tmgbench.story_figures import draw

    draw(every(seed, **_given(**told)), output)
    print_status(f"{output}: topics, lengths, and lengths by topic of 720 stories")


@stories.command(cls=Command)
@click.argument("topics", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1, required=True)
def check(topics: tuple[Path, ...]) -> None:
    """Say what a machine can see of badly written situations in the files TOPICS (NAME.toml)."""
    found = tuple(read_topic(topic) for topic in topics)
    faults = [fault for topic in found for fault in faults_of_topic(topic)] + repeated(found)
    if faults:
        raise ConfigError(faults)
    print_status(f"{sum(len(topic.situations) for topic in found)} situations, no faults")


@stories.command(cls=Command)
@click.argument("topic", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("name")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed tells other games.")
def read(topic: Path, name: str, seed: int) -> None:
    """Print the situation NAME of the file TOPIC (NAME.toml) in all its tellings, each with a game drawn by chance."""
    situation = next((one for one in read_topic(topic).situations if one.name == name), None)
    if situation is None:
        raise ConfigError(f"{topic}: no situation {name!r}")
    for telling, story in told_in_all_ways(situation, seed).items():
        result_data(f"[{telling}]\n\n{story.scenario}\n")


@stories.command(cls=Command)
@click.argument("runs", type=RunPath(), nargs=-1, required=True, metavar="RUN…")
@click.option("-o", "--output", type=_PATH, required=True, help="The review file; verdicts already in it are kept.")
def review(runs: tuple[Path, ...], output: Path) -> None:
    """Collect the stories that were accepted by the verifier, for a person to accept or reject."""
    old = files.load(output) if output.exists() else []
    found = files.merged(old, [written for run in runs for written in files.of_run(run)])
    output.write_text(files.dump(found), encoding="utf-8")
    counts = Counter(written.verdict for written in found)
    print_status(
        f"{output}: {len(found)} stories, {len(found) - len(old)} of them new, {counts['undecided']} undecided"
    )


@stories.command(cls=Command)
@click.argument("reviewed", type=click.Path(path_type=Path, exists=True))
@click.option("-o", "--output", type=_PATH, required=True, help="A benchmark that asks for the accepted stories.")
@click.option("--rewrite-rejected", "again", type=_PATH, help="A benchmark that has the rejected ones written anew.")
def use(reviewed: Path, output: Path, again: Path | None) -> None:
    """Make a benchmark of the accepted stories, and one that writes the rejected ones anew."""
    found = files.load(reviewed)
    accepted = [written for written in found if written.verdict == "accept"]
    rejected = [written for written in found if written.verdict == "reject"]
    if not accepted:
        raise ConfigError(f"{reviewed}: no story has the verdict 'accept'")
    output.write_text(_benchmark("tmgbench-story", "accepted-stories", _asking(accepted)), encoding="utf-8")
    print_status(f"{output}: {len(accepted)} accepted stories; run it with: arena run {output} --agents mine.yaml")
    if again is not None and rejected:
        again.write_text(_benchmark("tmgbench-writing", "rejected-stories", _writing(rejected)), encoding="utf-8")
        print_status(f"{again}: {len(rejected)} rejected stories to be written anew")


def _asking(accepted: Sequence[Written]) -> dict[str, Any]:
    return {
        name: {"use": "two-by-two-story", "game": written.game, "text": LiteralScalarString(written.story)}
        for name, written in _named(accepted)
    }


def _writing(rejected: Sequence[Written]) -> dict[str, Any]:
    return {
        name: {"use": "two-by-two-writing", "game": written.game, "topic": written.topic}
        for name, written in _named(rejected)
    }


def _named(found: Sequence[Written]) -> list[tuple[str, Written]]:
    seen = Counter[str]()
    names: list[tuple[str, Written]] = []
    for written in found:
        names.append((f"story-{written.game}-{seen[written.game]}", written))
        seen[written.game] += 1
    return names


def _benchmark(suite: str, name: str, games: dict[str, Any]) -> str:
    """A benchmark file that extends the suite and replaces its games."""
    out = StringIO()
    YAML().dump({"extends": f"suite:{suite}", "name": name, "games": {_OWN[suite]: None, **games}, "sweep": None}, out)
    return out.getvalue()


_OWN = {"tmgbench-story": "story", "tmgbench-writing": "writing"}
