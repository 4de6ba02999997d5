"""Servers on this machine, with and without TLS, and nobody's account."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from arena_testing.fixtures.chat_server import ChatServer, serving

CERTIFICATE = Path(__file__).parent / "certificates" / "server.pem"


@pytest.fixture
def server(chat_server: ChatServer) -> ChatServer:
    """A server of its own for the test."""
    return chat_server


@pytest.fixture
def tls_server() -> Iterator[ChatServer]:
    """A server with a certificate that nobody has signed."""
    with serving(str(CERTIFICATE)) as found:
        yield found


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment of a machine on which nobody has an account and nothing stands between."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
