"""Event files, read back with TensorBoard's own reader."""

import pytest
from arena_cli.application.group import group
from arena_engine import Journal
from click.testing import CliRunner


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Ten matches of each of two games; one agent now and then says what cannot be played."""
    directory = tmp_path_factory.mktemp("run")
    (directory / "bench.yaml").write_text(
        "name: curves\nseed: 3\ngames: {ttt: tic-tac-toe, kuhn: kuhn-poker}\n"
        "agents: {ann: random, bob: {use: scripted, actions: [99], then: first-legal}}\n"
        "illegal-actions: {retries: 0, then: random}\n"
        "schedule: {use: round-robin, repeats: 5}\nmetrics: [outcomes]\n"
    )
    done = arena("run", directory / "bench.yaml", "-q", "-o", directory / "run")
    assert done.exit_code == 0, done.stderr
    return directory / "run"


def read(directory):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(directory)).Reload()
    return {tag: accumulator.Scalars(tag) for tag in accumulator.Tags()["scalars"]}


@pytest.mark.slow  # read by TensorBoard itself
def test_scalars_are_the_matches(run, tmp_path):
    """Returns, actions, refusals and substitutes by game and agent are those of the journal, match by match."""
    assert arena("export", run, "--format", "tensorboard", "-o", tmp_path / "events").exit_code == 0
    with Journal.open(run) as journal:
        records = [record for record in journal.records() if record.game == "ttt"]
    seats = [(record, record.agents.index("bob")) for record in records]

    found = read(tmp_path / "events" / "ttt" / "bob")

    returns = [record.returns[seat] for record, seat in seats]
    assert [scalar.value for scalar in found["return"]] == returns
    assert [scalar.step for scalar in found["return"]] == list(range(1, 11))
    assert found["mean return"][-1].value == pytest.approx(sum(returns) / 10)
    refusals = [sum(e.player == seat for e in record.refused()) for record, seat in seats]
    assert [scalar.value for scalar in found["refusals"]] == refusals == [1] * 10
    assert [scalar.value for scalar in found["substitutes"]] == [1] * 10
    actions = [sum(e.player == seat for e in record.played()) for record, seat in seats]
    assert [scalar.value for scalar in found["actions"]] == actions
    assert {path.relative_to(tmp_path / "events").parent.as_posix() for path in tmp_path.rglob("events.out*")} == {
        f"{game}/{agent}" for game in ("ttt", "kuhn") for agent in ("ann", "bob")
    }


@pytest.mark.slow  # read by TensorBoard itself
def test_whoever_is_disqualified_has_the_least_return(tmp_path):
    """The curve of an agent that fails in every match lies at the bottom, and that of the others has no return."""
    (tmp_path / "bench.yaml").write_text(
        "name: out\nseed: 3\ngames: {ttt: tic-tac-toe}\nagents: {ann: random, bob: {use: scripted, actions: [99]}}\n"
        "illegal-actions: {retries: 0, then: disqualify}\nschedule: {use: round-robin, repeats: 2}\n"
        "metrics: [outcomes]\n"
    )
    assert arena("run", tmp_path / "bench.yaml", "-q", "-o", tmp_path / "run").exit_code == 0

    assert arena("export", tmp_path / "run", "--format", "tensorboard", "-o", tmp_path / "events").exit_code == 0

    ann, bob = (read(tmp_path / "events" / "ttt" / name) for name in ("ann", "bob"))
    assert [scalar.value for scalar in bob["return"]] == [scalar.value for scalar in bob["mean return"]] == [-1.0] * 4
    assert "return" not in ann


def test_equal_journals_give_equal_bytes(run, tmp_path):
    """Neither clock nor host nor path is in a file."""
    for name in ("one", "two"):
        assert arena("export", run, "--format", "tensorboard", "-o", tmp_path / name).exit_code == 0

    files = [sorted((tmp_path / name).rglob("events.*")) for name in ("one", "two")]
    assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]


def test_nothing_is_written_over(run, tmp_path):
    """A directory with something in it is left alone."""
    (tmp_path / "mine").write_text("mine")

    done = arena("export", run, "--format", "tensorboard", "-o", tmp_path)

    assert (done.exit_code, "choose another --output" in done.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
