"""Where the handle of a run is found by other processes of the same user: a socket, and a file that names it.

The socket lies in the user's runtime directory, because a path of more than about a hundred bytes takes none, and
because a run that is copied must not bring one. The file lies in the directory of the run while it is played.
"""

import json
import os
import socket
import stat
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

import attrs

FILE: Final = "control.json"

LONGEST: Final = 1_000_000
"""No message over a socket has more bytes."""

LONGEST_PATH: Final = 103
"""No socket has a path of more bytes, on any system."""

HAS_SOCKETS: Final = hasattr(socket, "AF_UNIX")


@attrs.frozen(kw_only=True)
class ControlAddress:
    """Which process plays a run, on which machine, and its socket; read from the file in the directory of the run."""

    path: str
    process: int
    machine: str

    @classmethod
    def of(cls, directory: Path) -> "Self | None":
        """The address in a run's directory; ``None`` if nobody plays the run, or there is no sound file."""
        try:
            raw: Any = json.loads((directory / FILE).read_text("utf-8"))
            found = cls(path=str(raw["path"]), process=int(raw["process"]), machine=str(raw["machine"]))
        except (OSError, ValueError, LookupError, TypeError):
            return None
        return found

    def write(self, directory: Path) -> None:
        """Put the file into the run's directory, in place of a stale one; only its user may read it."""
        descriptor = os.open(directory / f".{FILE}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(attrs.asdict(self), file)
        os.replace(directory / f".{FILE}", directory / FILE)

    @property
    def is_here(self) -> bool:
        """Whether the run is played on this machine."""
        return self.machine == socket.gethostname()


def address_for(directory: Path, run: str) -> ControlAddress:
    """A new address for a run that this process plays; ``OSError`` if there is no safe place for its socket."""
    name = sha256(f"{directory.resolve()}\n{run}".encode()).hexdigest()[:16]
    path = _folder(len(f"/{name}.sock")) / f"{name}.sock"
    with suppress(FileNotFoundError):
        path.unlink()
    return ControlAddress(path=str(path), process=os.getpid(), machine=socket.gethostname())


def remove(directory: Path, address: ControlAddress) -> None:
    """Take away the socket and the file of a run that is over, unless the file is another process's by now."""
    with suppress(OSError):
        Path(address.path).unlink(missing_ok=True)
    if ControlAddress.of(directory) == address:
        with suppress(OSError):
            (directory / FILE).unlink()


def _folder(more: int) -> Path:
    """A folder that only this user can enter: in the runtime directory, or among temporary files.

    The runtime directory is left out where a path with so many bytes ``more`` would be too long for a socket.
    """
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "")) / "arena"
    is_fit = runtime.is_absolute() and len(os.fsencode(runtime)) + more <= LONGEST_PATH
    folder = runtime if is_fit else Path(tempfile.gettempdir()) / f"arena-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise PermissionError(f"{folder} is not a folder that this user alone can enter; remove it")
    return folder
