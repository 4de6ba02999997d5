"""Where the system gives little memory, one sentence says so."""

import resource
import subprocess
import sys

import pytest


@pytest.mark.parametrize(("mib", "code"), [(200, 2), (2_000, 0)])
def test_too_little_memory_is_one_sentence(mib, code):
    """Under a small ``ulimit -v`` a command ends at once, and says what it needs."""

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (mib * 2**20, mib * 2**20))

    done = subprocess.run(
        [sys.executable, "-m", "arena_cli", "suites"], preexec_fn=limited, capture_output=True, text=True, check=False
    )

    assert done.returncode == code, done.stderr
    assert done.stderr == ("arena: ulimit -v allows 200 MiB of memory; arena needs 384: raise it\n" if code else "")
