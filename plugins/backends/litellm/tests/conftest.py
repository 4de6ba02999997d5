"""A provider on this machine, and nobody's account."""

import pytest
from arena_testing.fixtures.chat_server import ChatServer


@pytest.fixture
def provider(chat_server: ChatServer) -> ChatServer:
    """A provider that is asked over HTTP."""
    return chat_server


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of a machine on which nobody has an account."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_ORGANIZATION"):
        monkeypatch.delenv(name, raising=False)
