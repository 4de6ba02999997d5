"""A local server in place of package index and hub, and a cache of the test's own."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import attrs
import pytest


@attrs.define
class Site:
    """Pages by path; a page is its bytes, or a function of the handler that answers as it likes."""

    address: str
    pages: dict[str, bytes | Callable[[Any], None]] = attrs.field(factory=dict)
    asked: list[tuple[str, str | None]] = attrs.field(factory=list)


@pytest.fixture
def site() -> Iterator[Site]:
    """A web server on the loopback that notes each path asked for, with its authorization."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append((self.path, self.headers.get("Authorization")))
            page = found.pages.get(self.path)
            if callable(page):
                page(self)
            elif page is None:
                self.send_error(404)
            else:
                self.send_response(200)
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name http.server uses
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Site(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of models."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "arena" / "models"
