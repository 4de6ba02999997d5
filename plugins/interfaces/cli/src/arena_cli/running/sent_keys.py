"""The option ``--send-key``, what else of a command line is consent to send a key, and the lines that tell of it."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

import click
from arena.backend import Secret
from arena.errors import ArenaError
from arena_engine import Benchmark, backends_of
from arena_engine.models import SentKey, agreed, host_of, keep_pairs, sent_keys, unagreed_keys

from arena_cli.output.streams import status

T = TypeVar("T")

_ADDRESS: Final = re.compile(r"https?://[^\s\"'},]+")
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def send_key_option(command: T) -> T:
    """Add ``--send-key`` to a command that asks models."""
    option: Callable[[Any], Any] = click.option(
        "--send-key",
        "send_keys",
        multiple=True,
        metavar="NAME=HOST",
        expose_value=False,
        callback=_consent,
        help="Agree that this variable is sent to this host, whatever file names it; kept for later runs.",
    )
    return option(command)


def _consent(ctx: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> None:
    if texts and not ctx.resilient_parsing:
        agree(ctx, map(SentKey.parse, texts))


def agree(ctx: click.Context, keys: Iterable[SentKey]) -> None:
    """Let keys be sent during this command, and keep the pairs for later ones where that is possible."""
    pairs = tuple(keys)
    ctx.with_resource(agreed(pairs))
    try:
        keep_pairs(pairs)
    except OSError as error:
        status(
            f"{error.filename} cannot be written ({error.strerror}), so that --send-key holds for this command alone"
        )


def agree_to_typed(
    ctx: click.Context, benchmark: Benchmark, base_url: str | None = None, overrides: Iterable[str] = ()
) -> None:
    """Agree to what the command line names itself.

    That is a host in ``base_url`` for the keys of the models named beside it, and in ``overrides`` a host with a key.
    """
    typed = " ".join(override.partition("=")[2] for override in overrides)
    hosts = {host_of(address) for address in _ADDRESS.findall(typed)}
    names = set(_VARIABLE.findall(typed))
    own = host_of(base_url) if base_url is not None else None
    lacking = [key for _, backend in backends_of(benchmark) for key in unagreed_keys(backend)]
    given = [key for key in lacking if key.host == own or (key.host in hosts and key.variable in names)]
    if given:
        agree(ctx, dict.fromkeys(given))


def key_lines(benchmark: Benchmark) -> Iterator[str]:
    """A line for each key and the host that gets it, also for those to which nobody has agreed."""
    lines: dict[str, None] = {}
    for _, backend in backends_of(benchmark):
        try:
            lacking = unagreed_keys(backend)
            lines |= dict.fromkeys(
                f"sends {key.variable} to {key.host}{_OPEN if key.is_open else ''}"
                for key in sent_keys(backend)
                if key not in lacking and Secret(key.variable).value() is not None
            )
            lines |= dict.fromkeys(f"would send {k.variable} to {k.host}; agree with --send-key {k}" for k in lacking)
        except ArenaError as error:
            lines[str(error)] = None
    yield from lines


_OPEN: Final = " over plain http, where others on the way can read it"


def tell_keys(benchmark: Benchmark) -> None:
    """Print which key goes to which host."""
    for line in key_lines(benchmark):
        status(line)
