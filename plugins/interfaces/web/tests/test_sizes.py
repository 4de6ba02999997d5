"""What is sent of runs that are larger than people play, however large they are."""

from pathlib import Path

import pytest

from .sizes import LONG, TURNS, long_match, long_prompt, many_runs

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

PAGE = 250_000
"""No answer about what is large has more bytes."""


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a run whose match is long, and one with a long prompt."""
    pytest.importorskip("pyspiel")
    folder = tmp_path_factory.mktemp("large")
    long_match(folder)
    long_prompt(folder)
    return folder


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("view", ["all", "0", "public"])
async def test_match_of_many_turns_comes_in_pages(make_viewer, large, view):
    """Five hundred turns and two hundred positions are sent at once, and the last ones are there like the first."""
    viewer = make_viewer(large)
    (row,) = (await viewer.json("/run/long/matches"))["matches"]
    path = f"/run/long/match/{row['match']}"

    first = await viewer.get(f"{path}?as={view}")
    last = await viewer.json(f"{path}?as={view}&after={TURNS - 100}")
    frames = await viewer.get(f"{path}/frames?as={view}&from={TURNS - 150}&to={TURNS}")
    turn = await viewer.json(f"{path}/turn/{TURNS - 1}?as={view}")

    told = first.json()
    assert (told["turn_total"], len(told["turns"]), told["next"]) == (TURNS, 500, 500)
    assert (len(last["turns"]), last["next"]) == (100, None)
    assert (frames.json()["problem"], len(frames.json()["frames"])) == (None, 151)
    assert max(len(first.content), len(frames.content)) <= PAGE
    assert turn["turn"] == TURNS - 1


async def test_long_prompt_is_sent_in_parts(make_viewer, large):
    """Of a prompt of ten million characters 20,000 are sent with its turn, and any part of it by its digest."""
    viewer = make_viewer(large)
    (row,) = (await viewer.json("/run/prompt/matches"))["matches"]
    path = f"/run/prompt/match/{row['match']}"

    turn = await viewer.get(f"{path}/turn/0")
    text = turn.json()["asked"][-1]["text"]
    end = await viewer.json(f"{path}/text/{text['digest']}?from={LONG}&length=1000")
    match = await viewer.get(path)

    assert (len(text["text"]), text["length"]) == (20_000, LONG + 18)
    assert end == {"text": ("long " * 4)[-18:], "from": LONG, "length": LONG + 18}
    assert max(len(turn.content), len(match.content)) <= PAGE


@pytest.mark.campaign
async def test_many_runs_come_in_pages(make_viewer, played, tmp_path):
    """Three hundred runs are listed fifty at a time, each once, and one is found by its name."""
    viewer = make_viewer(many_runs(played / "folded", tmp_path / "runs", 300))
    names: list[str] = []
    after = ""
    while after is not None:
        page = await viewer.get(f"/runs?after={after}")
        names += [row["run"] for row in page.json()["runs"]]
        after = page.json()["next"]
        assert len(page.content) <= PAGE

    assert len(names) == len(set(names)) == 300
    found = await viewer.json("/runs?q=run-123")
    assert [row["run"] for row in found["runs"]] == ["run-123"]
