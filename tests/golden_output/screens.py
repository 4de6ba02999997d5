"""What commands show, as text that is the same on every machine: in several widths, with colours and without, in ASCII.

A folder beside this file is that of a command. Its ``cases.toml`` has a table for each case:

    [three]
    arguments = ["report", "three"]  # of arena
    runs = ["three"]                 # those in runs/ that it needs, or features/NAME, of feature_runs
    lines = 40                       # the most that it may take at 80 columns, without what is left out here
    writes = true                    # it needs a directory of its own each time
    everywhere = true                # it is looked at in every way, and not in two alone
    site = "check/site"              # a folder here of distributions that are installed for it
    before = [["report", "three"]]   # what is called before it, if it has a directory of its own

A case that writes knows nothing of what random play earns, as somebody who plays a game for the first time; the
others have it from the cache. Beside ``cases.toml`` stands a text file for each case, which ``renew.py`` writes. What
differs from time to time has a fixed value in it, and the lines about progress are left out. Numbers have nine digits,
since the last ones depend on the processor.
"""

import io
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, Final, Self
from unittest.mock import patch

import attrs

from tests.feature_runs import played

HERE: Final = Path(__file__).parent
RUNS: Final = HERE / "runs"
FEATURES: Final = "features/"
"""How the name of a run of ``feature_runs`` begins."""

INSTALLED: Final = frozenset(
    f"playarena-{name}"
    for name in (
        *("core", "engine", "report", "cli", "devkit", "testing", "scene", "observer-progress", "report-html"),
        *("agent-baseline", "agent-human", "agent-llm", "agent-solvers", "backend-scripted", "game-openspiel"),
        *(
            "command-leaderboard",
            "metric-judge",
            "metric-outcomes",
            "metric-ratings",
            "metric-statistics",
            "suite-board-game-arena",
        ),
    )
)
"""The distributions of Arena that commands find, so that no screen changes because another one has a new plugin."""

_REMEMBERED: Final = (
    ("arena.catalog", "_installed_in"),
    ("arena_cli.application.first_party", "is_installed"),
    ("arena.installing", "checkout"),
    ("arena.installing", "workspace"),
    ("arena_agent_llm.prompts.style", "_installed"),
    ("arena_agent_solvers.optimal", "exact_solvers"),
    ("arena_agent_solvers.optimal", "_found"),
)
"""Functions that remember what is installed."""

_VARIABLES: Final = ("ARENA_DISABLE", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")

_KEY: Final = re.compile(r"[A-Z0-9_]+_(API_KEY|TOKEN)")

_LEFT_OUT: Final = re.compile(r"(?m)^(\S+: [\d,]+ match(es)?(, [\d,]+ of them.*)?|.* [·.] [\d,]+/[\d,]+ match.*)\n")
"""The lines of the progress."""

_PROGRAMS: Final = ("{", "#compdef arena", "# Completes the command arena")
"""How texts begin that programs read: JSON, and what a shell runs."""

_STYLE: Final = re.compile(r"\x1b\[[\d;]*m")

_FIXED: Final = (
    (re.compile(r"\b20\d\d-\d\d-\d\dT\d\d([:-])\d\d[:-]\d\d"), r"2026-01-01T00\g<1>00\g<1>00"),
    (re.compile(r"(?<= in )\d+ (s|min|h)( \d+ (s|min))?\b"), "7 s"),
    (re.compile(r"(?<=[·.] )\d+ (s|min|h)( \d+ (s|min))?(?= [·.] )"), "7 s"),
    (re.compile(r"(?m)(?<=^time: )(less than a|\d+) seconds?$"), "less than a second"),
    (re.compile(r'(?<="seconds": )[\d.]+'), "7.0"),
    (re.compile(r"\b\d+ rows(?= are what was written)"), "14 rows"),  # matches share rows as they come to be written
    (re.compile(r"\(\d+ ms\)|\b\d+ ms\b"), "7 ms"),
    (re.compile(r"\b[0-9a-f]{7,40}(…itable\)| \(editable\)|\.\.\.itable\)|…ble\))"), r"0000000\g<1>"),
    (re.compile(r"Python 3\.[\d.]+ on [\w.+-]+"), "Python 3.11.0 on Linux"),
    (re.compile(r"Python 3\.[\d.]+ at"), "Python 3.11.0 at"),
    (re.compile(r'(?<="commit": ")[0-9a-f]{40}(?=")'), "0" * 40),
    (re.compile(r"\b20\d\d-\d\d-\d\d \d\d:\d\d\b"), "2026-01-01 00:00"),
)

_LONG_NUMBER: Final = re.compile(r"-?\d+\.\d{7,}(e-?\d+)?")


@attrs.frozen
class Look:
    """How a terminal looks: its columns, whether it has colours, and its encoding."""

    columns: int
    has_colour: bool
    encoding: str

    def __str__(self) -> str:
        colour = ", colours" if self.has_colour else ""
        return f"{self.columns} columns{colour}{'' if self.encoding == 'utf-8' else ', ASCII'}"


LOOKS: Final = (
    Look(80, False, "utf-8"),
    Look(120, True, "ascii"),
    Look(80, True, "ascii"),
    Look(120, False, "ascii"),
    Look(120, True, "utf-8"),
)
"""What commands are looked at with: most cases with the first two, the others with all."""


@attrs.frozen(kw_only=True)
class Case:
    """One call of a command, after those in ``before``; ``lines`` is the most that it may take at 80 columns.

    Those that are ``slow`` are looked at with the slow tests.
    """

    command: str
    name: str
    arguments: tuple[str, ...]
    runs: tuple[str, ...] = ()
    lines: int | None = None
    writes: bool = False
    everywhere: bool = False
    slow: bool = False
    site: str = ""
    stdin: str = ""
    before: tuple[tuple[str, ...], ...] = ()

    @property
    def path(self) -> Path:
        """The file that says what it shows."""
        return HERE / self.command / f"{self.name}.txt"

    @classmethod
    def all(cls) -> tuple[Self, ...]:
        """Those of all commands."""
        return tuple(case for file in sorted(HERE.glob("*/cases.toml")) for case in cls._of(file))

    @classmethod
    def _of(cls, file: Path) -> Iterator[Self]:
        for name, entry in tomllib.loads(file.read_text("utf-8")).items():
            given = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
            given["before"] = tuple(map(tuple, entry.get("before", ())))
            yield cls(command=file.parent.name, name=name, **given)


def play(runs: Sequence[str], directory: Path) -> None:
    """Put those runs into a directory that are not there yet."""
    for run in runs:
        name = run.removeprefix(FEATURES)
        if (directory / name).exists():
            continue
        if name != run:
            played.copy(name, directory / "features", directory)
            continue
        shutil.copy(RUNS / f"{run}.yaml", directory)
        told = shown(("run", f"{run}.yaml", "--quiet", "--output", run), Look(120, False, "utf-8"), directory)
        assert (directory / run / "journal.sqlite").exists(), told
    # What random play earns is looked up where a report has left it, so that no screen depends on how fast that goes.
    for run in runs:
        name = run.removeprefix(FEATURES)
        if not (directory / f"{name}.md").exists():
            shown(("report", name, "--output", f"{name}.md"), Look(120, False, "utf-8"), directory)


def screens(case: Case, directory: Path, scratch: Path) -> Mapping[Look, str]:
    """What a case shows, in each look; ``directory`` holds its runs, and copies of them are put into ``scratch``."""
    play(case.runs, directory)
    found: dict[Look, str] = {}
    for look in LOOKS if case.everywhere else LOOKS[:2]:
        where = directory
        if case.writes:
            where = scratch / f"{case.command}-{case.name}-{LOOKS.index(look)}"
            where.mkdir()
            for run in case.runs:
                name = run.removeprefix(FEATURES)
                shutil.copytree(directory / name, where / name)
            for file in RUNS.glob("*.yaml"):
                shutil.copy(file, where)
            for arguments in case.before:
                shown(arguments, LOOKS[0], where)
        with patch.object(sys, "path", [str(HERE / case.site), *sys.path] if case.site else sys.path):
            found[look] = shown(case.arguments, look, where, case.stdin)
    return found


def shown(arguments: Sequence[str], look: Look, directory: Path, stdin: str = "") -> str:
    """What ``arena`` writes to both streams in a directory, as they mix, and its exit code in the last line."""
    from arena_cli.application.group import group

    screen = io.BytesIO()
    out, err = (io.TextIOWrapper(screen, encoding=look.encoding, newline="", write_through=True) for _ in range(2))
    left_out = {name for name in os.environ if name in _VARIABLES or _KEY.fullmatch(name)}
    variables = {name: value for name, value in os.environ.items() if name not in left_out}
    variables |= {
        "COLUMNS": str(look.columns),
        "XDG_CACHE_HOME": "cache",
        **({"FORCE_COLOR": "1"} if look.has_colour else {}),
    }
    code: object = 0
    with (
        chdir(directory),
        patch.dict(os.environ, variables, clear=True),
        patch.object(sys, "stdin", io.StringIO(stdin)),
        patch.object(sys, "executable", "/usr/bin/python3" if arguments[:1] == ("doctor",) else sys.executable),
        redirect_stdout(out),
        redirect_stderr(err),
        few_distributions(),
        # The page that a run leaves behind is on no screen, and takes longer than all else.
        patch("arena_cli.results.run_results.write", lambda report, form, path: path.touch()),
        patch(
            "arena_report.metrics.baselines.Waiting.say", lambda waiting, what: None
        ),  # what takes long depends on the machine
    ):
        try:
            group.main(list(arguments), prog_name="arena")
        except SystemExit as end:
            code = end.code
    text = screen.getvalue().decode()
    out.detach()
    err.detach()
    for pattern, value in _FIXED:
        text = pattern.sub(value, text)
    text = _LONG_NUMBER.sub(lambda number: f"{float(number[0]):.9g}", text)
    return f"{_LEFT_OUT.sub('', text)}[exit code {code or 0}]\n"


@contextmanager
def few_distributions() -> Iterator[None]:
    """Let no distribution of Arena be found but a few; what is missing is not in a checkout, either."""
    from arena import installing

    discover = Distribution.discover

    def discovered(**context: Any) -> Iterable[Distribution]:
        for each in discover(**context):
            if not each.name.startswith("playarena") or each.name in INSTALLED:
                yield each

    _forget_what_is_installed()
    with (
        patch.object(Distribution, "discover", discovered),
        patch.object(installing, "_direct_url", dict),
        patch.object(installing, "_find_links", tuple),
        patch.object(installing, "_program", lambda: ("pip", "")),
    ):
        yield
    _forget_what_is_installed()


def _forget_what_is_installed() -> None:
    """Clear what modules that are loaded remember of the distributions that they found."""
    for module, name in _REMEMBERED:
        if module in sys.modules:
            getattr(sys.modules[module], name).cache_clear()


def written(found: Mapping[Look, str]) -> str:
    """The text of a golden file: each different screen once, under the looks that have it."""
    looks: dict[str, list[Look]] = {}
    for look, text in found.items():
        looks.setdefault(text, []).append(look)
    return "\n".join(f"=== {' · '.join(map(str, own))}\n{text.replace(chr(27), '␛')}" for text, own in looks.items())


def too_wide(found: Mapping[Look, str]) -> list[str]:
    """The lines that are wider than the terminal and could have been broken between words; programs read the rest."""
    return [
        f"{look}: {line}"
        for look, text in found.items()
        for line in _STYLE.sub("", text).splitlines()
        if len(line) > look.columns and len(line.split()) > 1 and not text.startswith(_PROGRAMS)
    ]


def lines(found: Mapping[Look, str]) -> int:
    """How many lines a case takes at 80 columns, without the exit code."""
    return len(found[LOOKS[0]].splitlines()) - 1
