"""What a dry run says of phases, seats, parts of prompts and other settings."""

import json
from pathlib import Path

import attrs
import pytest
from arena_cli.forecast.dry_run_phases import phase_lines
from arena_engine.forecast.forecast import RunForecast
from arena_engine.forecast.phases import PhaseForecast
from arena_engine.journal.usage import Range


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A benchmark in which a model meets random play."""
    path = tmp_path / "model.yaml"
    path.write_text(
        "games: {kuhn: kuhn-poker}\n"
        "agents: {model: {use: llm, backend: {use: scripted}}, random: random}\n"
        "schedule: {use: round-robin, repeats: 2}\n"
    )
    return path


def phase(name: str, period: str, seat: str = "FRANCE", calls: float = 2.0) -> PhaseForecast:
    return PhaseForecast(
        caller="model",
        game="war",
        phase=name,
        seat=seat,
        period=period,
        calls=calls,
        prompt_tokens=1000 * calls,
        parts={"rules": 600 * calls, "orders": 300 * calls},
        answer_tokens=Range(10, 100, 500).times(calls),
        cost_usd=Range(1, 2, 4).times(calls),
    )


def forecast(*phases: PhaseForecast) -> RunForecast:
    return RunForecast(matches=1, games=(), agents=(), judges=(), seconds=Range(), phases=phases)


def test_phases_are_shown_with_their_parts():
    """Calls, tokens and money of a phase, and below it what its prompts are made of."""
    told = "\n".join(phase_lines(forecast(phase("talk", "1901"), phase("orders", "1901"), phase("talk", "1902"))))

    said = " ".join(told.split())
    assert "talk: 4 calls, 4,000 tokens sent, 40 to 2,000 written, likely $8.00 ($4.00 to $16.00)" in said
    assert "      rules 60%, orders 30%, everything else 10%" in told
    assert "  together: 6 calls, 6,000 tokens sent" in told
    assert "(prompt.parts.NAME: false): rules 60%, orders 30%" in told


def test_what_is_sent_is_read_anew_or_reused():
    """Where prompts begin as earlier ones did, both numbers are told, and their sum is what is sent."""
    again = attrs.evolve(phase("talk", "1901"), reused_tokens=1499.6)

    told = " ".join("\n".join(phase_lines(forecast(again))).split())

    assert "talk: 2 calls, 2,000 tokens sent (500 read anew, 1,500 reused), 20 to 1,000 written" in told


def test_parts_of_the_match_are_columns():
    """A line for each seat and phase; years without a call of that kind have a dash."""
    lines = [*phase_lines(forecast(phase("talk", "1901"), phase("orders", "1902", calls=20)))]

    assert [line.split() for line in lines if "190" in line] == [["sent", "+", "written", "1901", "1902"]]
    assert ["talk", "2000+200", "\u2013"] in [line.split() for line in lines]
    assert ["orders", "\u2013", "20k+2000"] in [line.split() for line in lines]


def test_many_parts_of_the_match_share_columns():
    """Twenty years are five columns of four, so that a line fits a terminal."""
    lines = [*phase_lines(forecast(*(phase("orders", str(1901 + year)) for year in range(20))))]

    (head,) = [line for line in lines if "sent + written" in line]
    assert head.split()[3:] == ["1901-1904", "1905-1908", "1909-1912", "1913-1916", "1917-1920"]
    assert max(len(line) for line in lines if "+" in line) <= 80


def test_agents_that_ask_the_same_share_a_block():
    """Agents that differ in their models alone are added up; one with longer prompts is told apart."""
    one, longer = phase("talk", "1901"), attrs.evolve(phase("talk", "1901"), caller="wordy", prompt_tokens=9000)

    told = "\n".join(phase_lines(forecast(one, attrs.evolve(one, caller="other"), longer)))

    assert "  model, other in war\n    talk: 4 calls, 4,000 tokens sent" in told
    assert "  wordy in war\n    talk: 2 calls, 9,000 tokens sent" in told


def test_everything_is_printed_as_json(arena, model):
    """With ``--json`` one object has what the text has, and every phase by seat and part of the prompt."""
    done = arena("run", model, "--dry-run", "--json", "-n", 2)

    told = json.loads(done.stdout)
    assert told["matches"] == 4
    assert {each["seat"] for each in told["phases"]} == {"player 1", "player 2"}
    assert all("rules" in each["parts"] for each in told["phases"])
    assert all(0 < each["reused_tokens"] < each["prompt_tokens"] for each in told["phases"])
    assert [each["value"] for each in told["alternatives"]] == ["none", "transcript"]
    assert told["cost_usd"] == [0, 0, 0]


def test_other_settings_are_shown(arena, model):
    """What the prompt's history could be instead, and how much would be sent with it."""
    done = arena("run", model, "--dry-run", "-n", 2)

    assert "agents.*.prompt.history: transcript: " in done.stdout
    assert "agents.*.prompt.history: none: " in done.stdout
