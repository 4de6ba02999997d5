"""Prompts begin with what does not change, so that providers and servers can reuse what they have read before."""

import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import arena
import pytest
from arena_engine import Journal

GAMES = ("tic-tac-toe", "kuhn-poker")
STYLES = ("direct", "brief", "brief-reasoning", "chain-of-thought", "board-game-arena")
"""Those for any game."""

HISTORIES = ("none", "compact", "transcript")

Message = tuple[str, str]
Asked = dict[tuple[str, str], list[list[Message]]]


@pytest.fixture(scope="module")
def asked(tmp_path_factory) -> dict[tuple[str, str], Asked]:
    """The requests of every shipped style and kind of history, by agent and game, then by match and player, in order.

    Every agent meets itself, from both seats, in three matches of each game.
    """
    agents = {
        f"{style}-{history}": {
            "use": "llm",
            "backend": {"use": "scripted"},
            "prompt": {"style": style, "history": history},
        }
        for style in STYLES
        for history in HISTORIES
    }
    bench = {
        "name": "prefixes",
        "games": {game: game for game in GAMES},
        "agents": agents,
        "schedule": {"use": "self-play", "repeats": 3},
        "metrics": [],
    }
    run = arena.run(bench, output=tmp_path_factory.mktemp("runs") / "run")
    assert run.outcome.exit_status == 0
    found: dict[tuple[str, str], Asked] = defaultdict(lambda: defaultdict(list))
    with Journal.open(run.directory) as journal:
        for record in journal.records():
            answers = {tuple(map(int, a.scope.split("/"))): a for a in journal.answers(record.id)}
            for scope, answer in sorted(answers.items()):
                messages = [(m["role"], "".join(m["parts"])) for m in json.loads(answer.request)["messages"]]
                found[record.agents[0], record.game][record.id, str(scope[0])].append(messages)
    return found


def text(messages: Sequence[Message]) -> str:
    """All messages as one text, as a model's template would lay them out."""
    return "".join(f"<{role}>{said}</{role}>" for role, said in messages)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("history", HISTORIES)
def test_static_part_comes_first_and_is_the_same_in_all_matches(asked, style, history, game):
    """A seat has one system message in all turns of all matches, and it comes first."""
    by_seat: dict[str, set[Message]] = defaultdict(set)
    for (_, player), requests in asked[f"{style}-{history}", game].items():
        by_seat[player] |= {request[0] for request in requests}

    assert set(by_seat) == {"0", "1"}
    for firsts in by_seat.values():
        ((role, _),) = firsts
        assert role == "system"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("history", HISTORIES)
def test_seats_differ_only_behind_everything_they_share(asked, style, history, game):
    """The system messages of two seats are equal up to the seat's own name, which ends them."""
    systems = {requests[0][0][1] for requests in asked[f"{style}-{history}", game].values()}

    first, second = sorted(systems)

    shared = next(i for i, (one, other) in enumerate(zip(first, second, strict=False)) if one != other)
    assert max(len(first), len(second)) - shared <= len("Player 1.")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("history", ["compact", "transcript"])
def test_prompts_of_a_match_grow_at_their_end(asked, style, history):
    """What was said of the match before is said again, word for word and in the same place, before anything else."""
    marks = {"compact": "<user>" if style.startswith("brief") else "What you see now:", "transcript": "</user>"}
    matches = asked[f"{style}-{history}", "tic-tac-toe"]

    compared = 0
    for requests in matches.values():
        for before, after in pairwise(map(text, requests)):
            kept = before[: before.rindex(marks[history])]
            assert after.startswith(kept.rstrip())
            compared += 1

    assert compared >= len(matches)


@pytest.mark.campaign  # a model reads some thirty prompts
def test_model_reads_what_it_has_read_before_from_its_cache(tmp_path):
    """The embedded model finds most of each prompt in its cache, from turn to turn and from match to match."""
    bench = {
        "name": "cached",
        "games": {"ttt": "tic-tac-toe"},
        "agents": {
            "model": {
                "use": "llm",
                "backend": {"use": "llamacpp", "slots": 1, "threads": 1, "max_tokens": 40},
                "prompt": {"style": "direct"},
            },
            "random": "random",
        },
        "schedule": {"use": "round-robin", "repeats": 3, "rotate_seats": False},
        "illegal-actions": {"retries": 1, "then": "random"},
        "limits": {"concurrency": 1},
        "metrics": [],
    }

    run = arena.run(bench, output=tmp_path / "run")

    with Journal.open(run.directory) as journal:
        uses = [use for record in journal.records() for use in journal.uses(record.id)]
    first, *later = uses
    assert len(later) >= 6
    cached = [use.cached_tokens / use.prompt_tokens for use in later]
    assert first.cached_tokens < first.prompt_tokens / 4
    assert min(cached) > 0.5
    (costs,) = [section for section in run.report().sections if section.title == "Costs"]
    shown = {
        view.title: dict(zip((column.name for column in view.columns), view.rows[0], strict=True))
        for view in costs.tables
    }
    sent, reused = sum(u.prompt_tokens for u in uses), sum(u.cached_tokens for u in uses)
    assert (shown["By agent"]["tokens read anew"], shown["By agent"]["reused"]) == (sent - reused, reused)
    assert shown["Tokens per decision"]["prompt reused"].value == pytest.approx(reused / sent)
