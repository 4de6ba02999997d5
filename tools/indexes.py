"""Package indexes on this machine, and distributions of strangers to lie on them beside ours."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

STRANGERS: Mapping[str, str] = {"arena": "0.0.5", "arena-cli": "1.7", "arena-engine": "0.0.1"}
"""Distributions of others on the public index: their names are like ours, their package and command are ``arena``."""

PUBLIC = "https://pypi.org/simple/"


def stranger(folder: Path, name: str = "arena", version: str = STRANGERS["arena"], *, has_command: bool = True) -> Path:
    """Write a wheel into ``folder`` whose package ``arena``, and its command if it has one, are not ours."""
    stem = f"{name.replace('-', '_')}-{version}"
    wheel = folder / f"{stem}-py3-none-any.whl"
    info = f"{stem}.dist-info"
    files = {
        "arena/__init__.py": "import a_module_that_is_nowhere\n\n\ndef main():\n    print('a stranger')\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: arena\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **({f"{info}/entry_points.txt": "[console_scripts]\narena = arena:main\n"} if has_command else {}),
    }
    record = "".join(f"{file},,\n" for file in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(file, text)
    return wheel


@contextmanager
def served(folder: Path, *, elsewhere: str | None = None) -> Iterator[str]:
    """The address of an index of the files in ``folder``, as long as the context lasts.

    For names that it does not have it redirects to the index ``elsewhere``, if there is one.
    """
    port = _free_port()
    others = ["--fallback-url", elsewhere] if elsewhere else ["--disable-fallback"]
    command = [sys.executable, "-m", "pypiserver", "run", "--interface", "127.0.0.1", "--port", str(port), *others]
    with subprocess.Popen([*command, str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_for(f"http://127.0.0.1:{port}/health", server)
            yield f"http://127.0.0.1:{port}/simple/"
        finally:
            server.terminate()


def public_index() -> str:
    """The index that this machine takes packages of others from."""
    for variable in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        if address := os.environ.get(variable):
            return address
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    configured = subprocess.run(command, capture_output=True, text=True, check=False)
    return configured.stdout.strip() or PUBLIC


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def _wait_for(address: str, server: "subprocess.Popen[bytes]", timeout_s: float = 30) -> None:
    until = time.monotonic() + timeout_s
    while server.poll() is None and time.monotonic() < until:
        with suppress(OSError):
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=5).close()
            return
        time.sleep(0.1)
    raise OSError(f"pypiserver does not answer at {address}")
