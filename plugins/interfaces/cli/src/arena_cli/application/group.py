"""The group of all commands: loads them lazily, and turns errors into sentences and exit codes.

Every command is a plugin, found through the entry points ``arena.commands``, including the built-in ones. The names
that only Arena itself may use are listed in ``arena.plugin.RESERVED``.
"""

import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from shlex import join
from typing import Any, Final

import arena
import click
from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import ArenaError, ConfigError, JournalFull, PluginError, ReplayMismatch, StopRun
from arena.plugin import KINDS
from arena_engine.benchmark import PREFIX

from arena_cli.application.first_party import IndexedCatalog, missing, with_remedy
from arena_cli.application.overview import by_purpose
from arena_cli.output.input_warnings import telling_in_one_line
from arena_cli.output.mistakes import Mistake, mistake_of, placed
from arena_cli.output.safe_text import shown
from arena_cli.output.signs import adapt_streams
from arena_cli.output.streams import echo
from arena_cli.process import guard_link
from arena_cli.process.entry_points import entry_points_left

_FLAGS: Final = ("help", "version")
"""Options of ``arena`` that other programs have as commands."""

_LEAST_MIB: Final = 384

_CLOSE: Final = 0.8
"""How alike two words are, from 0 to 1, of which one is a slip of the other."""


def suggested(words: Sequence[str], commands: Sequence[str], catalog: Catalog) -> str:
    """The whole line that was probably meant by ``words``, of which the first is no command; empty if none is close.

    Looked at are, in this order, slips, kinds of plugins, files and runs, commands that are like it, and plugins.
    """
    for look in (_slip, _flag, _kind, _file, _command, _plugin):
        if found := look(words, commands, catalog):
            return join(["arena", *found])
    return ""


def _slip(words: Sequence[str], commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    close = get_close_matches(words[0], commands, 1, _CLOSE)
    return [close[0], *words[1:]] if close else ()


def _command(words: Sequence[str], commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    word, *rest = words
    close = [command for command in commands if word in command.split("-")] or get_close_matches(word, commands, 1)
    return [close[0], *rest] if len(close) == 1 else ()


def _flag(words: Sequence[str], _commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    return [*words[1:2], f"--{words[0]}"] if words[0] in _FLAGS else ()


def _kind(words: Sequence[str], _commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    kind = next((each for each in (words[0], words[0].removesuffix("s")) if each in KINDS), "")
    if not kind:
        return ()
    return ["describe", kind, words[1]] if len(words) > 1 else ["list-plugins", "--kind", kind]


def _file(words: Sequence[str], _commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    path = Path(words[0])
    if words[0].startswith(PREFIX) or (path.is_file() and path.suffix in (".yaml", ".yml")):
        return ["run", *words]
    return ["report", *words] if (path / "journal.sqlite").is_file() else ()


def _plugin(words: Sequence[str], _commands: Sequence[str], catalog: Catalog) -> Sequence[str]:
    word, *rest = words
    made: dict[str, Callable[[str], Sequence[str]]] = {
        "game": lambda name: ["play", name, *rest],
        "suite": lambda name: ["run", f"{PREFIX}{name}", *rest],
    }
    for kind in KINDS:
        if close := get_close_matches(word, catalog.names(kind), 1, _CLOSE):
            return made.get(kind, lambda name: ["describe", name])(close[0])
    return ()


DONE: Final = 0
FAILED: Final = 1
"""The exit code where something failed that is no mistake of the user's; ``arena --help`` explains all codes."""

MISTAKE: Final = 2
STOPPED: Final = 3

EPILOGUE: Final = """\b
Exit codes:
  0  done
  1  some matches (or checks) failed
  2  something in what was asked is wrong; nothing was written
  3  stopped early; `arena resume` goes on

Results go to standard output, everything else to standard error.
"""


LAST: Final = 1_000
"""The position in ``arena --help`` of a command whose descriptor cannot be read."""


class CommandGroup(click.Group):
    """All commands, found as plugins. ``arena --help`` imports their descriptors and no command."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command line, with streams that take every text."""
        adapt_streams()
        return super().main(*args, **options)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the options before the command's name; a mistake in them has the form of all others."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            raise mistake_of(error) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order that their descriptors ask for."""
        return [entry.name for entry in _entries(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; raises ``PluginError`` if that fails."""
        if cmd_name not in _names(ctx):
            return None
        try:
            return _loaded(ctx, cmd_name)
        except PluginError:
            if ctx.resilient_parsing:  # a shell asks for completions, and can be told nothing else
                return None
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was called, or suggest what was probably meant."""
        if args and not args[0].startswith("-"):
            names = _names(ctx)
            if args[0] not in names:
                from arena_cli.application.group import suggested

                if advice := missing("command", args[0]):
                    raise Mistake(advice)
                meant = suggested(args, names, installed_plugins(ctx))
                advice = f" (did you mean {meant!r}?)" if meant else "; arena --help lists them"
                raise Mistake(f"no command called {args[0]!r}{advice}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their summaries, by what one wants."""
        entries = {entry.name: entry for entry in _entries(ctx)}
        for purpose, names in by_purpose([*entries]).items():
            with formatter.section(purpose.capitalize()):
                formatter.write_dl([(name, _line(entries[name])) for name in names])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an exception becomes sentences on standard error and an exit code."""
        try:
            _check_memory()
            with telling_in_one_line():
                return super().invoke(ctx)
        except (click.exceptions.Exit, Mistake, click.exceptions.NoArgsIsHelpError, BrokenPipeError):
            raise
        except click.ClickException as error:
            raise mistake_of(error, ctx.invoked_subcommand or "") from error
        except (KeyboardInterrupt, _cancelled(), click.Abort):
            echo("arena: interrupted", err=True)
            ctx.exit(STOPPED)
        except ArenaError as error:
            problems = error.problems if isinstance(error, ConfigError) else (str(error),)
            for problem in problems:
                echo(f"arena: {placed(with_remedy(problem), ctx)}", err=True)
            if ctx.meta.get(VERBOSE):
                echo(traceback.format_exc(), err=True)
            ctx.exit(STOPPED if isinstance(error, JournalFull | ReplayMismatch | StopRun) else MISTAKE)
        except MemoryError:
            echo("arena: there is not enough memory; end other programs, or raise the limit (ulimit -v)", err=True)
            ctx.exit(FAILED)
        except Exception as error:
            echo(traceback.format_exc(), err=True)
            echo(
                f"arena: {type(error).__name__} above is a bug, in arena or in a plugin its traceback names; "
                "please report it to whoever maintains that",
                err=True,
            )
            ctx.exit(FAILED)


def _check_memory() -> None:
    """Refuse to begin with so little address space that NumPy would ask for more without end."""
    with suppress(ImportError):  # not on Windows
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

        limit = getrlimit(RLIMIT_AS)[0]
        if limit not in (RLIM_INFINITY, -1) and limit < _LEAST_MIB * 2**20:
            raise ArenaError(f"ulimit -v allows {limit // 2**20} MiB of memory; arena needs {_LEAST_MIB}: raise it")


def _cancelled() -> type[BaseException]:
    """What an asynchronous command raises when it is cancelled; looked up only when something was raised."""
    from asyncio import CancelledError

    return CancelledError


def installed_plugins(ctx: click.Context) -> Catalog:
    """The installed plugins except disabled ones; they are searched for once per process."""
    if CATALOG not in ctx.meta:
        ctx.meta[CATALOG] = IndexedCatalog(entry_points_left(guard_link.here.vanished if guard_link.here else ()))
    return ctx.meta[CATALOG].without(ctx.meta.get(DISABLED, ()))


def _names(ctx: click.Context) -> list[str]:
    """The names of all commands, disabled ones too; imports no descriptor."""
    return sorted({entry.name for entry in installed_plugins(ctx).installed() if entry.kind == "command"})


def _entries(ctx: click.Context) -> list[InstalledPlugin]:
    """One entry for each command, in the order of ``arena --help``."""
    found = installed_plugins(ctx).entries("command")
    by_name = {entry.name: entry for entry in sorted(found, key=lambda e: e.status is not Status.CONFLICT)}
    return sorted(by_name.values(), key=lambda e: (e.plugin.order if e.plugin else LAST, e.name))


def _line(entry: InstalledPlugin) -> str:
    return shown(entry.summary if entry.status is Status.OK else f"{entry.status}: {entry.reason}")


def _loaded(ctx: click.Context, name: str) -> click.Command:
    entry = installed_plugins(ctx).get("command", name)
    command = entry.load()
    if not isinstance(command, click.Command):
        raise PluginError(f"{entry} leads to {type(command).__name__}, which is no click.Command; tell its author")
    return command


VERBOSE: Final = "arena.verbose"
"""How often ``-v`` was given, among what a command's context holds."""
DISABLED: Final = "arena.disabled"
CATALOG: Final = "arena.catalog"


class Command(click.Command):
    """A command with ``--verbose`` and ``--disable``, like ``arena`` itself."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.params += _common()


def _note(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    if parameter.name == "verbose" and value:
        ctx.meta[VERBOSE] = ctx.meta.get(VERBOSE, 0) + value
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
            ["-v", "--verbose"],
            count=True,
            expose_value=False,
            callback=_note,
            help="Say more: tracebacks, and events of a run; -vv shows each call too.",
        ),
    ]


def _alone(ctx: click.Context) -> None:
    """What ``arena`` does without a command: show how to begin."""
    if ctx.invoked_subcommand is None:
        from arena_cli.application.overview import show_overview

        show_overview(_names(ctx))


group = CommandGroup(
    name="arena",
    callback=click.pass_context(_alone),
    invoke_without_command=True,
    help="Let language models, engines and people play strategic games, and measure them honestly.",
    epilog=EPILOGUE,
    params=_common(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
group = click.version_option(arena.__version__, prog_name="arena")(group)
