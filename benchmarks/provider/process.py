"""A server in a process of its own, and what its log says."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs


@attrs.frozen
class Entry:
    """A request as the server saw it: when it came and when it was over, in seconds of the monotonic clock."""

    at: float
    until: float
    outcome: str
    tokens: int


@attrs.frozen
class Provider:
    """A server that runs."""

    log: Path
    address: str

    def entries(self) -> Sequence[Entry]:
        """All requests that are over, in the order they came."""
        lines = self.log.read_text().splitlines()
        return sorted((Entry(**json.loads(line)) for line in lines), key=lambda entry: entry.at)


@contextmanager
def provider(directory: Path, name: str, *options: str) -> Generator[Provider]:
    """Start a server; it ends with the block."""
    log = directory / f"{name}.log"
    command = [sys.executable, "-m", "provider.server", "--log", str(log), *options]
    here = Path(__file__).parents[1]
    process = subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        if not port:
            sys.exit("the server did not start")
        yield Provider(log, f"http://127.0.0.1:{port}/v1")
    finally:
        process.terminate()
        process.wait()


def outcomes(entries: Sequence[Entry]) -> str:
    """How many requests came to which end, in words."""
    return ", ".join(f"{count} {outcome}" for outcome, count in Counter(e.outcome for e in entries).most_common())
