"""The commands for situations: all stories as data, and what helps to write one."""

import json
import re
from pathlib import Path

import arena_game_two_by_two
import pytest
from arena_cli.application.group import group
from arena_game_two_by_two.casting import tell
from arena_game_two_by_two.topology import GAMES
from arena_suite_tmgbench.records import digest, drawn
from click.testing import CliRunner, Result

TRANSPORT = Path(arena_game_two_by_two.__file__).parent / "situations" / "transport.toml"


def stories(*arguments: object) -> Result:
    return CliRunner().invoke(group, ["tmgbench-stories", *map(str, arguments)], prog_name="arena")


@pytest.mark.slow
def test_all_stories_are_written_as_data(tmp_path: Path):
    """Each line has game, number, topic, situation, telling, words, table and text of one story."""
    done = stories("show", "--all", "-o", tmp_path / "all.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines()]

    assert done.exit_code == 0, done.stderr
    assert len({(line["game"], line["number"]) for line in lines}) == 720
    assert lines[2]["scenario"] == tell("111", 2).scenario
    assert lines[2]["table"]["A"] == [list(row) for row in GAMES["111"].matrix.a]
    assert set(lines[2]) == {"game", "number", "topic", "situation", "telling", "words", "table", "scenario"}


def test_a_story_of_a_situation_is_shown():
    """A story is printed as it is read, with figures or in words; one story and all of them exclude each other."""
    assert stories("show", "111", 2).stdout == tell("111", 2).text + "\n"
    assert stories("show", "111", 2, "--ranks", "words").stdout == tell("111", 2, ranks="words").text + "\n"
    assert stories("show").exit_code == 2
    assert stories("show", "111", "--sample", 2).exit_code == 2
    assert stories("show", "111", "--all", "-o", "x.jsonl").exit_code == 2


def test_a_sample_is_shown_to_be_read():
    """--sample prints as many stories as are asked for, each under its game, number and digest."""
    done = stories("show", "--sample", 3, "--seed", 1)

    heads = re.findall(r"^\[(\d{3})/(\d) (\w{12})\]$", done.stdout, re.MULTILINE)
    assert [(game, int(number)) for game, number, _ in heads] == drawn(3, seed=1)
    assert digest(tell(heads[0][0], int(heads[0][1]), 1).scenario) == heads[0][2]


def test_faults_are_named_by_situation_and_place(tmp_path: Path):
    """A planted fault is one sentence with the situation and the place."""
    text = TRANSPORT.read_text(encoding="utf-8").split("\n[[situations]]")
    damaged = tmp_path / "transport.toml"
    damaged.write_text(
        "\n[[situations]]".join(text[:2]).replace("wait in the bay", "wait for them", 1), encoding="utf-8"
    )

    done = stories("check", damaged)

    assert done.exit_code == 2
    assert "gorge-road: A1: 'them' leans on another sentence" in " ".join(done.stderr.split())


def test_a_situation_is_read_in_all_its_tellings():
    """Each telling is printed under its name; a situation that is not there is one sentence."""
    done = stories("read", TRANSPORT, "gorge-road")

    assert [line for line in done.stdout.splitlines() if line.startswith("[")] == [
        f"[{name}]"
        for name in ("past", "present", "neighbour", "letter", "minutes", "paper", "diary", "talk", "advice")
    ]
    assert "no situation 'nowhere'" in stories("read", TRANSPORT, "nowhere").stderr


@pytest.mark.campaign
def test_topics_and_lengths_are_drawn(tmp_path: Path):
    """Figure 11 is one SVG and one PNG with three panels, all topics, and the number of stories."""
    done = stories("figures", "-o", tmp_path)
    drawn = (tmp_path / "1-topics-of-stories.svg").read_text(encoding="utf-8")

    assert done.exit_code == 0, done.stderr
    assert {path.suffix for path in tmp_path.iterdir()} == {".svg", ".png"}
    for said in ("Lengths of scenarios by topic", "Health Care", "Music", "n=720 stories"):
        assert said in drawn
