"""Mistakes: one line each, where, what and what to do, whoever finds them."""

import pytest
from arena_cli.output.mistakes import shortened_names

LINES = {
    ("run", "--dryrun"): "run: no option called '--dryrun' (did you mean '--dry-run'?); see arena run --help",
    ("run", "--seed"): "run --seed: requires an argument; see arena run --help",
    ("run", "--seed", "x"): "run --seed: 'x' is not a valid integer; see arena run --help",
    ("run",): "run: name a benchmark file or suite:NAME, or at least one --game and one --agent; see arena run --help",
    ("report",): "report: RUN is missing; write: arena report [OPTIONS] RUN…",
    ("list-plugins", "--kind", "gmae"): "list-plugins --kind: 'gmae' is not one of the choices (did you mean 'game'?)",
    ("--foo",): "no option called '--foo'; see arena --help",
    ("planning-tasks", "lst"): "planning-tasks: no command called 'lst' (did you mean 'list'?); "
    "see arena planning-tasks --help",
    ("describe", "a", "b", "c"): "describe: expected KIND NAME, or NAME alone; see arena describe --help",
    ("describe", "tic-tac-to"): "describe: no plugin called 'tic-tac-to' (did you mean 'tic-tac-toe'?); "
    "arena list-plugins lists them",
}


@pytest.mark.parametrize("words", LINES)
def test_a_mistake_is_one_sentence(arena, words):
    """Where, what was wrong and what to do are one sentence, those of the option parser too; the exit code is 2."""
    done = arena(*words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert " ".join(done.stderr.split()) == f"arena: {LINES[words]}"


MEANT = {
    ("new", "game", "x"): "arena new-plugin game x",
    ("reports", "runs/a b"): "arena report 'runs/a b'",
    ("agents",): "arena list-plugins --kind agent",
    ("prompt-style", "direct"): "arena describe prompt-style direct",
    ("help", "run"): "arena run --help",
    ("conect-four", "--against", "random"): "arena play connect-four --against random",
    ("suite:tradecraft",): "arena run suite:tradecraft",
    ("bench.yaml", "-n", "3"): "arena run bench.yaml -n 3",
    ("mcts",): "arena describe mcts",
}


@pytest.mark.parametrize("words", MEANT)
def test_what_was_probably_meant_is_asked_back_as_a_whole_line(arena, tmp_path, words):
    """A word that is no command may be a slip, a kind, a part of a command, a file, a suite or a plugin."""
    (tmp_path / "bench.yaml").touch()

    done = arena(*words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert " ".join(done.stderr.split()) == f"arena: no command called {words[0]!r} (did you mean {MEANT[words]!r}?)"


def test_word_that_means_nothing(arena):
    """A word that is like nothing gets no guess."""
    assert arena("qwertz").stderr == "arena: no command called 'qwertz'; arena --help lists them\n"


def test_long_lists_of_names_are_cut_to_the_nearest():
    """Of more than five names those are kept that are most like the word in question; shorter lists stay."""
    names = ", ".join(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "beat"])

    assert shortened_names(f"no x called 'bet' (there is: {names} and 157 more)").startswith(
        "no x called 'bet' (there is: beta, beat, zeta,"
    )
    assert shortened_names(f"no x called 'bet' (there is: {names} and 157 more)").endswith(" and 159 more)")
    assert shortened_names("no x called 'bet' (installed: b, a)") == "no x called 'bet' (installed: b, a)"
