"""The command ``arena study``: a study with people as players, its export, and what is to be forgotten."""

from pathlib import Path
from typing import Final

import click
from arena.backend import Secret
from arena.errors import ConfigError
from arena_cli import Command, catalog_of, print_status, trust_options
from arena_cli.output import result_data

from arena_web.serving.command import LOCAL, PORT, check_host

_WORDS: Final = ("export", "forget")


@click.command(cls=Command)
@click.argument("words", nargs=-1, required=True, metavar="STUDY.yaml | export DIR | forget DIR CODE")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="PATH", help="DIR of the study; FILE of an export."
)
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="0 is any free one.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="A name by which it may be called.")
@click.option("--links", "is_anew", is_flag=True, help="Make all links anew, in place of earlier ones.")
@click.option("--link", "codes", multiple=True, metavar="CODE", help="Make the link of this code anew.")
@click.option("--ends-with-input", is_flag=True, hidden=True)
@trust_options
@click.pass_context
def study(
    ctx: click.Context,
    words: tuple[str, ...],
    output: Path | None,
    port: int,
    host: str,
    names: tuple[str, ...],
    is_anew: bool,
    codes: tuple[str, ...],
    ends_with_input: bool,
) -> None:
    """Let people take part in a study: they agree, answer, play, and answer again.

    `arena study STUDY.yaml` makes a directory (-o, else studies/NAME) and a link for each participant, and serves until
    it is interrupted; started again it goes on. The links that were printed stay valid; no key is kept, so a link that
    was lost is made anew.

    `arena study export DIR -o FILE.csv` (or FILE.json) has a row for each participant, a table of matches, and a book
    of all columns. `arena study forget DIR CODE` removes everything of one participant for good.
    """
    if words[0] == "export" and len(words) == 2:
        if output is None:
            raise click.UsageError("arena study export needs -o FILE.csv or -o FILE.json")
        _export(ctx, Path(words[1]), output)
    elif words[0] == "forget" and len(words) == 3:
        from arena_web.studies.open_study import forget

        forget(Path(words[1]), words[2])
        print_status(f"{words[2]}: answers, matches and link are gone")
    elif len(words) == 1 and words[0] not in _WORDS:
        _serve(ctx, Path(words[0]), output, port, host, names, is_anew, codes, ends_with_input)
    else:
        raise click.UsageError(
            "expected `arena study STUDY.yaml`, `arena study export DIR -o FILE`, or `arena study forget DIR CODE`"
        )


def _export(ctx: click.Context, directory: Path, file: Path) -> None:
    from arena_web.studies.open_study import OpenStudy
    from arena_web.studies.study_export import export
    from arena_web.studies.study_store import StudyStore

    store = StudyStore.of(directory)
    for made in export(OpenStudy(store.study(catalog_of(ctx)), directory, store), file):
        result_data(str(made))


def _serve(
    ctx: click.Context,
    file: Path,
    output: Path | None,
    port: int,
    host: str,
    names: tuple[str, ...],
    is_anew: bool,
    codes: tuple[str, ...],
    ends_with_input: bool,
) -> None:
    check_host(
        host, names, port, "whoever reaches this address and has a link takes part, and what people answer can be read"
    )
    from arena_web.api.site import LOOPBACK, Site
    from arena_web.foundation.keys import Keys, private_directory
    from arena_web.held.found_runs import FoundRuns
    from arena_web.serving.serving import address_of, end_with_input, listening, serve
    from arena_web.studies.open_study import KEYS, RUNS, OpenStudy, new_links
    from arena_web.studies.study_plan import benchmark_of, read_study
    from arena_web.studies.study_store import StudyStore
    from arena_web.workers.drafting import secrets_of

    catalog = catalog_of(ctx)
    own = read_study(file, catalog)
    if missing := [
        name for name in secrets_of(benchmark_of(own, tuple(own.conditions), 0), None) if Secret(name).value() is None
    ]:
        raise ConfigError(f"{file}: {', '.join(missing)} is not set in the environment; set it, then begin")
    sock = listening(host, port)  # before links are made that nobody would see
    directory = private_directory((output or Path("studies", own.name)).resolve())
    store = StudyStore.begin(directory, own)
    site = Site(
        runs=FoundRuns((private_directory(directory / RUNS),)),
        keys=Keys(directory / KEYS),
        catalog=catalog,
        names=(*LOOPBACK, *names),
        study=OpenStudy(own, directory, store, _trusts(ctx)),
    )
    links = new_links(site.keys, store, codes, is_anew=is_anew)
    site.port = sock.getsockname()[1]
    address = address_of(site, names[0] if host not in LOCAL else "127.0.0.1")
    for code, path in links.items():
        result_data(f"{address}{path} {code}")
    known = [each.code for each in store.participants() if each.code not in links]
    if known:
        print_status(f"links made before still open for {', '.join(known)}; --links makes all anew, --link CODE one")
    print_status(f"{directory}: participants are served at {address} until this is interrupted")
    if ends_with_input:
        end_with_input()
    serve(site, sock)


def _trusts(ctx: click.Context) -> tuple[str, ...]:
    """The options of consent that were given, for the command that plays a participant's matches."""
    options = ("--trust-code", "--trust-pickle")
    given = click.core.ParameterSource.COMMANDLINE
    return tuple(each for each in options if ctx.get_parameter_source(each[2:].replace("-", "_")) is given)
