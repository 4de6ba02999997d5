"""The command ``arena view``: shows runs and matches in a browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from arena.errors import ConfigError
from arena_cli import Command, RunPath, catalog_of, print_status
from arena_cli.output import result_data

PORT: Final = 8765
"""The port unless another is asked for."""

LOCAL: Final = ("127.0.0.1", "localhost", "::1")
"""The addresses that this machine alone can reach."""


@click.command(cls=Command)
@click.argument("sources", nargs=-1, type=RunPath(), metavar="[RUN|DIRECTORY]…")
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="0 is any free one.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="A name by which it may be called.")
@click.option("--read-only", is_flag=True, help="Show, and let nobody hold or start a run.")
@click.option("--no-open", is_flag=True, help="Open no browser.")
@click.option("--links", "prints_seats", is_flag=True, help="Make a link to each open seat, in place of earlier ones.")
@click.option("--keep-links", "keeps_seats", is_flag=True, hidden=True)
@click.option("--seat-alone", is_flag=True, hidden=True)
@click.option("--ends-with-input", is_flag=True, hidden=True)
@click.option(
    "--state", type=click.Path(path_type=Path), metavar="DIR", help="Where digests of links are kept, for you alone."
)
@click.pass_context
def view(
    ctx: click.Context,
    sources: tuple[Path, ...],
    port: int,
    host: str,
    names: tuple[str, ...],
    read_only: bool,
    no_open: bool,
    prints_seats: bool,
    keeps_seats: bool,
    seat_alone: bool,
    ends_with_input: bool,
    state: Path | None,
) -> None:
    """Show runs and matches in a browser.

    Takes runs, and directories in which runs are looked for, two levels deep; runs/ unless given. Prints one link,
    which opens everything for whoever has it. The server listens on this machine alone: to see it from another one,
    tunnel (ssh -L 8765:127.0.0.1:8765 MACHINE). --host needs --allow-host.
    """
    check_host(
        host, names, port, "whoever reaches this address and has the link reads every prompt and holds every run"
    )
    # Imported here because a command that is only described needs no server.
    from arena_web.api.site import LOOPBACK, Site
    from arena_web.foundation.keys import Keys, default_state
    from arena_web.held.computations import Computations
    from arena_web.held.found_runs import FoundRuns
    from arena_web.held.kept_reports import KeptReports
    from arena_web.held.positions import Positions
    from arena_web.held.reports import Reports
    from arena_web.held.searches import Searches
    from arena_web.seats.links import links_to_seats
    from arena_web.serving.serving import address_of, end_with_input, listening, open_browser, serve

    places = sources or (Path("runs"),)
    catalog = catalog_of(ctx)
    site = Site(
        runs=FoundRuns(places),
        keys=Keys(state or default_state()),
        catalog=catalog,
        positions=Positions(disabled=catalog.disabled),
        reports=Reports(disabled=catalog.disabled, disk=KeptReports(disabled=catalog.disabled)),
        searches=Searches(disabled=catalog.disabled),
        computations=Computations(disabled=catalog.disabled),
        is_read_only=read_only,
        names=(*LOOPBACK, *names),
    )
    sock = listening(host, port)
    site.port = sock.getsockname()[1]
    address = address_of(site, names[0] if host not in LOCAL else "127.0.0.1")
    link = f"{address}/#key={site.keys.make('host')}"
    if not site.runs.all():
        print_status(site.runs.empty)
    seats = links_to_seats(site, keeps=keeps_seats) if prints_seats else {}
    if not (seat_alone and len(seats) == 1):
        result_data(link)
    for title, path in seats.items():
        if path is None:
            print_status(f"{title}: the link that was made before opens this seat; arena view --links makes a new one")
        else:
            result_data(f"{address}{path} {title}")
    if len(seats) == 1 and (path := next(iter(seats.values()))) is not None:
        link = f"{address}{path}"
    if ends_with_input:
        end_with_input()
    serve(site, sock, lambda: None if no_open else open_browser(link))


def check_host(host: str, names: Sequence[str], port: int, risk: str) -> None:
    """Refuse to listen where others reach it, unless it is said by which names they call it."""
    if host not in LOCAL and not names:
        raise ConfigError(
            f"--host {host}: {risk}, and the way there is not encrypted; say by which names it is called with "
            f"--allow-host, or leave --host out and tunnel: ssh -L {port}:127.0.0.1:{port} THIS-MACHINE"
        )
