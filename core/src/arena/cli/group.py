"""The group of all commands: finds them lazily, and turns errors into sentences and exit codes.

The commands of the core are listed here; plugins add theirs through the entry points ``arena.commands``. A plugin
cannot take the name of a command of the core.
"""

import traceback
from asyncio import CancelledError
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final, TypeAlias

import click

import arena
from arena.errors import ArenaError, ConfigError, JournalFull, PluginError, ReplayMismatch, StopRun

COMMANDS: Final[Mapping[str, str]] = {
    "run": "Play a benchmark, and show the results.",
    "resume": "Go on with a run that ended early; nothing is asked or paid for twice.",
    "report": "Show the results of one or several runs.",
    "replay": "Step through a match: boards, prompts, replies, refusals.",
    "audit": "List every decision where what was written and what was played differ.",
    "export": "Write the matches of a run as JSON lines, CSV or Parquet, or as a plugin does.",
    "play": "Play against an agent, at the terminal.",
    "check-agents": "Ask each backend of a benchmark for one short completion.",
    "list-plugins": "List every installed plugin and whether it can be used.",
    "check": "Look at a plugin as a reviewer would: a checklist with reasons and remedies.",
    "describe": "Show what a plugin is and which parameters it takes.",
    "suites": "List the benchmarks that installed distributions bring along.",
    "new-plugin": "Write a complete distribution for a plugin of your own.",
    "schema": "Print the JSON schema of benchmark files, for editors.",
    "completion": "Print the script that completes arena's commands in a shell.",
}
"""Every command of the core with its line in ``arena --help``."""

DONE, FAILED, MISTAKE, STOPPED = range(4)
"""Exit codes; the epilogue of ``arena --help`` explains them."""

EPILOGUE: Final = """\b
Exit codes:
  0  done
  1  some matches (or checks) failed
  2  something in what was asked is wrong; nothing was written
  3  stopped early; `arena resume` goes on

Results go to standard output, everything else to standard error.
"""


Resolved: TypeAlias = tuple[str | None, click.Command | None, list[str]]


class Group(click.Group):
    """All commands. ``arena --help`` imports none of them, and a command of the core looks for no others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, the core's first and in these the most used ones."""
        return [*COMMANDS, *_added()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one; ``PluginError`` where a plugin's cannot be."""
        if cmd_name in COMMANDS:
            name = cmd_name.replace("-", "_")
            return getattr(import_module(f"arena.cli.{name}"), name)
        if cmd_name not in _added():
            return None
        try:
            return _of_plugin(ctx, cmd_name)
        except PluginError:
            if ctx.resilient_parsing:  # a shell asks for completions, and can be told nothing else
                return None
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, or say which was probably meant."""
        from difflib import get_close_matches

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            names = self.list_commands(ctx)
            if args[0] not in names:
                close = get_close_matches(args[0], names, n=1)
                ctx.fail(f"no command called {args[0]!r}" + (f" (did you mean {close[0]!r}?)" if close else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their lines."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        if added := list(_described(ctx)):
            with formatter.section("Commands of plugins"):
                formatter.write_dl(added)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; whatever it raises becomes sentences on standard error and an exit code."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.ClickException, click.Abort, BrokenPipeError):
            raise
        except (KeyboardInterrupt, CancelledError):
            click.echo("arena: interrupted", err=True)
            ctx.exit(STOPPED)
        except ArenaError as error:
            problems = error.problems if isinstance(error, ConfigError) else (str(error),)
            for problem in problems:
                click.echo(f"arena: {problem}", err=True)
            if ctx.meta.get(VERBOSE):
                click.echo(traceback.format_exc(), err=True)
            ctx.exit(STOPPED if isinstance(error, JournalFull | ReplayMismatch | StopRun) else MISTAKE)
        except Exception as error:
            click.echo(traceback.format_exc(), err=True)
            click.echo(
                f"arena: {type(error).__name__} above is a bug, in arena or in a plugin its traceback names; "
                "please report it to whoever maintains that",
                err=True,
            )
            ctx.exit(FAILED)


def _added() -> list[str]:
    """The names that plugins give to commands; nothing of theirs is imported."""
    return sorted({found.name for found in entry_points(group="arena.commands")} - set(COMMANDS))


def _of_plugin(ctx: click.Context, name: str) -> click.Command:
    from arena.catalog import Catalog

    entry = Catalog(disabled=ctx.meta.get(DISABLED, ())).get("command", name)
    command = entry.load()
    if not isinstance(command, click.Command):
        raise PluginError(f"{entry} leads to {type(command).__name__}, which is no click.Command; tell its author")
    return command


def _described(ctx: click.Context) -> Iterator[tuple[str, str]]:
    if not _added():
        return
    from arena.catalog import Catalog

    for entry in Catalog(disabled=ctx.meta.get(DISABLED, ())).entries("command"):
        if entry.name not in COMMANDS:
            yield entry.name, entry.summary or f"{entry.status}: {entry.reason}"


VERBOSE: Final = "arena.verbose"
DISABLED: Final = "arena.disabled"


class Command(click.Command):
    """A command that takes ``--verbose`` and ``--disable`` like ``arena`` itself does."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.params += _common()


def _note(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    if parameter.name == "verbose" and value:
        ctx.meta[VERBOSE] = True
    elif parameter.name == "disable" and value:
        ctx.meta[DISABLED] = (*ctx.meta.get(DISABLED, ()), *value)


def _common() -> list[click.Parameter]:
    return [
        click.Option(
            ["--disable"],
            multiple=True,
            metavar="PLUGIN",
            expose_value=False,
            callback=_note,
            help="Leave out a distribution, NAME or KIND:NAME; also a list in ARENA_DISABLE.",
        ),
        click.Option(
            ["-v", "--verbose"], is_flag=True, expose_value=False, callback=_note, help="Say more; show tracebacks."
        ),
    ]


group = Group(
    name="arena",
    help="Let language models, engines and people play strategic games, and measure them honestly.",
    epilog=EPILOGUE,
    params=_common(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
group = click.version_option(arena.__version__, prog_name="arena")(group)
