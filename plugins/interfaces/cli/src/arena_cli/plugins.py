"""The built-in commands as plugins; the modules behind them are imported only when a command runs."""

from typing import Final

from arena.plugin import Plugin

LICENCE: Final = "Apache-2.0"
"""The licence of every plugin in this module."""

RUN = Plugin(
    factory="arena_cli.commands.run:run",
    summary="Play a benchmark, and show the results.",
    licence=LICENCE,
    order=10,
)
RESUME = Plugin(
    factory="arena_cli.commands.resume:resume",
    summary="Go on with a run that ended early; nothing is asked or paid for twice.",
    licence=LICENCE,
    order=11,
)
REPORT = Plugin(
    factory="arena_cli.commands.report:report",
    summary="Show the results of one or several runs.",
    licence=LICENCE,
    order=12,
)
RUNS = Plugin(
    factory="arena_cli.commands.runs:runs",
    summary="List the runs in a folder, the newest first.",
    licence=LICENCE,
    order=12,
)
STANDINGS = Plugin(
    factory="arena_cli.commands.standings:standings",
    summary="Say who is better by results from elsewhere.",
    licence=LICENCE,
    order=12,
)
DOCTOR = Plugin(
    factory="arena_cli.commands.doctor:doctor",
    summary="Look whether everything here is as Arena needs it, and say what to do if not.",
    licence=LICENCE,
    order=22,
)
REPLAY = Plugin(
    factory="arena_cli.commands.replay:replay",
    summary="Step through a match: boards, prompts, replies, refusals.",
    licence=LICENCE,
    order=13,
)
AUDIT = Plugin(
    factory="arena_cli.commands.audit:audit",
    summary="List every decision where what was written and what was played differ.",
    licence=LICENCE,
    order=14,
)
EXPORT = Plugin(
    factory="arena_cli.commands.export:export",
    summary="Write the matches of a run as JSON lines, CSV or Parquet, or as a plugin does.",
    licence=LICENCE,
    order=15,
)
PLAY = Plugin(
    factory="arena_cli.commands.play:play",
    summary="Play against an agent, at the terminal or, with --web, in a browser.",
    licence=LICENCE,
    order=16,
)
CHECK_AGENTS = Plugin(
    factory="arena_cli.commands.check_agents:check_agents",
    summary="Try what each model of a benchmark can do, and what a call costs.",
    licence=LICENCE,
    order=17,
)
LIST_PLUGINS = Plugin(
    factory="arena_cli.commands.list_plugins:list_plugins",
    summary="List every installed plugin and whether it can be used.",
    licence=LICENCE,
    order=18,
)
DESCRIBE = Plugin(
    factory="arena_cli.commands.describe:describe",
    summary="Show what a plugin is and which parameters it takes.",
    licence=LICENCE,
    order=20,
)
SUITES = Plugin(
    factory="arena_cli.commands.suites:suites",
    summary="List the benchmarks that installed distributions bring along.",
    licence=LICENCE,
    order=21,
)
SCHEMA = Plugin(
    factory="arena_cli.commands.schema:schema",
    summary="Print the JSON schema of benchmark files, for editors.",
    licence=LICENCE,
    order=23,
)
COMPLETION = Plugin(
    factory="arena_cli.commands.completion:completion",
    summary="Print the script that completes arena's commands in a shell, or install it.",
    licence=LICENCE,
    order=24,
)
VERIFY = Plugin(
    factory="arena_cli.commands.verify:verify",
    summary="Check whether a run is still what was written, and which matches damage touches.",
    licence=LICENCE,
    order=25,
)
CACHE = Plugin(
    factory="arena_cli.commands.cache:cache",
    summary="List what is kept between runs, or remove it.",
    licence=LICENCE,
    order=27,
)
TERMINAL = Plugin(
    factory="arena_cli.results.terminal:TerminalReport",
    summary="tables for the terminal, as wide as it is",
    endings=(".txt",),
    licence=LICENCE,
)
