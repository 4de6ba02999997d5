"""What the data of a benchmark may run only with consent, and the credentials that it must not write out.

A plugin declares in the metadata of an attrs field which values run code. Everything that builds plugins from data asks
here before it builds them, so the rule holds for every plugin.
"""

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path as FilePath
from typing import Any, Final, cast
from urllib.parse import parse_qsl, unquote

import attrs

from arena_engine.benchmark.parameters import Field
from arena_engine.benchmark.plain_data import Path, find_key, kebab, shortened, snake
from arena_engine.foundation.user_settings import keep_lines, kept_lines

WRITTEN_OUT: Final = "a credential is written out; put it into the environment and write ${NAME}"
"""What is said of a credential. The value is not repeated: whoever reads the message may not be meant to know it."""

_ADDRESS: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://(?P<host>[^/?#]*)[^?#]*(?:\?(?P<query>[^#]*))?")
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NAMES: Final = frozenset(("key", "apikey", "token", "secret", "password", "passwd", "pwd")) | frozenset(
    ("authorization", "signature", "sig", "credential", "credentials")
)
_NO_CREDENTIALS: Final = frozenset(["cache", "id", "name", "type", "file", "path"])


def credentials_in(parameters: Mapping[str, Any], keys: Collection[str] = ()) -> Iterator[Path]:
    """The paths of all texts among parameters in which a credential is written out; ``keys`` are left to others."""
    for key, value in parameters.items():
        if snake(str(key)) not in keys:
            yield from _credentials(value, (kebab(str(key)),), str(key))


def _credentials(value: Any, path: Path, name: str) -> Iterator[Path]:
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield from _credentials(item, (*path, str(key)), str(key))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(cast("list[Any]", value)):
            yield from _credentials(item, (*path, str(place)), name)
    elif isinstance(value, str) and (_is_open(name, value) or _is_open_address(value)):
        yield path


def _is_open(name: str, value: str) -> bool:
    """Whether something of this name is a credential, and this value is one and not the name of a variable."""
    return bool(value) and "${" not in value and names_credential(name)


def names_credential(name: str) -> bool:
    """Whether something of this name, such as a header or a variable of the environment, is a credential."""
    words = {word.lower() for word in _WORDS.findall(name)}
    return bool(words & _NAMES) and not words & _NO_CREDENTIALS


def _is_open_address(text: str) -> bool:
    if (found := _ADDRESS.match(text.strip())) is None:
        return False
    user, at, _ = found["host"].rpartition("@")
    name, colon, password = user.partition(":")
    if at and "${" not in (password if colon else name):
        return True
    query = parse_qsl((found["query"] or "").replace(";", "&"), keep_blank_values=False)
    return any(_is_open(unquote(key), value) for key, value in query)


NAMES_CODE: Final = "names_code"
"""The metadata of a field whose value leads to code: true, or a function of all parameters that says whether."""

UNKNOWN_CODE: Final = "unknown_code"
"""The metadata that tells known code from other: a function of all parameters, which says why it is not known.

It returns an empty text for code that is known to be harmless; without the function no code is known.
"""

READS_PICKLE: Final = "reads_pickle"
"""The metadata of a field that is true where a pickle is read."""

NAMES_FILE: Final = "names_file"
"""The metadata of a text that leads to a file or folder: true, or a function of all parameters that says whether.

A field of the type ``Path`` needs no such metadata.
"""

FILE_USE: Final = "file_use"
"""The metadata of a field that leads to a file: it is ``"loaded"``, ``"sent"`` to models, or ``"written"``.

Without it a file counts as written.
"""

_USES: Final[Mapping[Any, str]] = {"sent": "be sent to models"}

PLACES: Final = "paths"
"""The name under which the user's settings have the files of runs that were begun here."""

INSTALLED_ALONE: Final = "only what is installed may be named here, and suites by suite:NAME"
"""What is said of a file that may not be named; ``installed_only`` has the reason."""


@attrs.frozen(kw_only=True)
class Trust:
    """The consent of the person who runs something.

    Without ``known`` not even known code may be imported, without ``files`` the data may name no file of the machine.
    With ``folders`` files that are sent to models or written lie in one of these, unless the person trusts ``paths``.
    """

    code: bool = False
    pickle: bool = False
    paths: bool = False
    known: bool = True
    files: bool = True
    folders: tuple[FilePath, ...] | None = None


_NOTHING: Final = Trust()
_given: ContextVar[Trust] = ContextVar("trust", default=_NOTHING)


def given_trust() -> Trust:
    """The consent that holds here."""
    return _given.get()


@contextmanager
def trusting(*, code: bool = False, pickle: bool = False, paths: bool = False) -> Generator[None]:
    """Add consent for everything that is built in this context.

    It is to run code that data names, to read pickles, and to send or write files that lie anywhere.
    """
    was = _given.get()
    added = attrs.evolve(was, code=was.code or code, pickle=was.pickle or pickle, paths=was.paths or paths)
    token = _given.set(added)
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def registered_only() -> Generator[None]:
    """Build plugins by registered names alone in this context, unless the person has consented to code."""
    token = _given.set(attrs.evolve(_given.get(), known=False))
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def within(folders: Iterable[FilePath] | None) -> Generator[None]:
    """Let what is built in this context send and write files of these folders alone; ``None`` leaves it as it is."""
    places = given_trust().folders if folders is None else tuple(folder.resolve() for folder in folders)
    token = _given.set(attrs.evolve(_given.get(), folders=places))
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def installed_only() -> Generator[None]:
    """Build from installed plugins and suites alone in this context: no code and no file that the data names.

    For data that comes from somewhere else than the machine that it names files of, such as a browser.
    """
    token = _given.set(Trust(known=False, files=False))
    try:
        yield
    finally:
        _given.reset(token)


def refusals(
    fields: Mapping[str, Field],
    raw: Mapping[str, Any],
    valid: Mapping[str, Any],
    preset: Mapping[str, Any],
    trust: Trust,
    is_typed: Callable[[str], bool] = lambda name: False,
) -> Iterator[tuple[str, str]]:
    """Yield name and problem of each parameter in ``raw`` whose value runs something without consent.

    ``valid`` are the values that were made of it. What is as the distribution's ``preset`` or default has it needs no
    consent, because somebody installed the distribution; nor does a file whose parameter ``is_typed`` by the person.
    """
    own = {snake(key) for key in raw if (found := find_key(preset, key, ())) and preset[found] == raw[key]}
    everything = {name: field.default for name, field in fields.items()} | dict(valid)
    for name in sorted(fields.keys() & valid.keys() - own):
        metadata = fields[name].attribute.metadata
        if not trust.files and _leads_to_file(fields[name], valid[name], everything):
            yield name, f"{shortened(str(valid[name]))} is a file or folder, and {INSTALLED_ALONE}"
            continue
        if not is_typed(name) and (outside := _outside(fields[name], valid[name], everything, trust)):
            yield name, outside
            continue
        if metadata.get(READS_PICKLE) and valid[name] and not trust.pickle:
            yield name, _told("reading a pickle can run any code", "pickle", trust)
        if trust.code or not _says(metadata.get(NAMES_CODE), everything):
            continue
        what = f"{shortened(valid[name])} leads to code"
        if not trust.known:
            why = "" if not trust.files else ", and what a finished run names is built by registered names alone"
            yield name, _told(f"{what}{why}", "code", trust)
        elif why := _unknown(metadata.get(UNKNOWN_CODE), everything):
            yield name, _told(f"{what}{why}", "code", trust)


def _leads_to_file(field: Field, value: Any, parameters: Mapping[str, Any]) -> bool:
    if value is None:
        return False
    return isinstance(value, FilePath) or _says(field.attribute.metadata.get(NAMES_FILE), parameters)


def _outside(field: Field, value: Any, parameters: Mapping[str, Any], trust: Trust) -> str:
    """What is said of a file that lies elsewhere and may not be sent or written; empty where all is well."""
    if trust.folders is None or trust.paths:
        return ""
    for place in places(field, value, parameters):
        if not any(map(place.is_relative_to, trust.folders)) and str(place) not in kept_lines(PLACES):
            use = _USES.get(field.attribute.metadata.get(FILE_USE), "be written")
            return _told(f"{str(place)!r} would {use}, and lies outside of {str(trust.folders[0])!r}", "paths", trust)
    return ""


def places(field: Field, value: Any, parameters: Mapping[str, Any]) -> Iterator[FilePath]:
    """The files of a parameter that are sent to models or written, links followed."""
    if field.attribute.metadata.get(FILE_USE) != "loaded" and _leads_to_file(field, value, parameters):
        with suppress(OSError, RuntimeError, ValueError):  # no file can be there
            if not isinstance(value, Mapping):
                yield FilePath(value).expanduser().resolve()
                return
            for each in cast("Mapping[str, Any]", value).values():
                if isinstance(each, str) and (place := FilePath(each).expanduser()).exists():
                    yield place.resolve()


def keep_places(places: Iterable[FilePath]) -> None:
    """Keep what a run sends and writes for when it is resumed, as far as that is possible."""
    with suppress(OSError):
        keep_lines(PLACES, map(str, places))


def _says(rule: "bool | Callable[[Mapping[str, Any]], bool] | None", parameters: Mapping[str, Any]) -> bool:
    try:
        return bool(rule(parameters)) if callable(rule) else bool(rule)
    except Exception:  # the rule is a plugin's; what it cannot judge is not trusted
        return True


def _unknown(rule: "Callable[[Mapping[str, Any]], str] | None", parameters: Mapping[str, Any]) -> str:
    """The reason in brackets, or a space where there is none to tell; empty if the code is known."""
    if rule is None:
        return ", which can do anything"
    try:
        why = rule(parameters)
    except Exception as error:  # the rule is a plugin's
        why = f"{type(error).__name__}: {error}"
    return f" ({why})" if why else ""


def _told(what: str, kind: str, trust: Trust) -> str:
    if not trust.files:
        return f"{what}, and {INSTALLED_ALONE}"
    return f"{what}; if you trust where it comes from, add --trust-{kind} (trust_{kind}=True from Python)"
