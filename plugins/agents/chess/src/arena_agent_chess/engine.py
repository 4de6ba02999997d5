"""An engine's process: started when it is first asked, asked one question at a time, killed when it does not answer.

Everything runs in one event loop. The process gets its commands through a pipe, so it ends when the pipe closes, also
if this process is killed; no shell is involved.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping
from typing import Final

from arena.errors import BackendUnavailable, RequestRejected, TransientBackendError

from arena_agent_chess.search import SKILL, SearchLimit, SearchLine, SearchResult, best_move, search_line

LONGEST_LINE: Final = 1 << 20
"""The most characters of one line of an engine."""

GOODBYE_S: Final = 1.0
"""How long an engine may take to end when it is asked to."""


class UciEngine:
    """One engine, shared by everybody in an event loop who names the same program; it is restarted when it has died.

    ``timeout_s`` is how long a single answer may take beyond the time that the question itself allows.
    """

    def __init__(self, program: str) -> None:
        self._program = program
        self._name = os.path.basename(program)
        self._options: frozenset[str] = frozenset()
        self._set: dict[str, str] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        """What the engine calls itself, with its version; before it was started, the name of its program."""
        return self._name

    @property
    def pid(self) -> int | None:
        """The id of its process, or ``None`` if it is not running."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    async def start(self, timeout_s: float) -> str:
        """Start the engine unless it is running; returns its name. ``BackendError`` if it cannot be started."""
        async with self._question("when it was started", timeout_s):
            await self._set_up({}, "ucinewgame")
            return self._name

    async def search(
        self, position: str, limit: SearchLimit, *, skill: int = SKILL, lines: int = 1, timeout_s: float
    ) -> SearchResult:
        """Search one position, set up by the command ``position``, with nothing kept of earlier ones.

        ``BackendError`` if the engine dies, says nothing in time or says no move; it is killed then, and started again
        for the next question. So it is if the caller is cancelled.
        """
        within = timeout_s + (limit.milliseconds or 0) / 1000
        async with self._question("when it was asked for a move", within):
            # a move depends on the position alone, not on what was asked before, in this match or in another
            await self._set_up({"Skill Level": str(skill), "MultiPV": str(lines)}, "ucinewgame", position)
            await self._send(limit.command)
            return await self._result()

    async def close(self) -> None:
        """Ask the engine to end, and kill it if it does not."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(OSError, TimeoutError):
            assert process.stdin is not None
            process.stdin.write(b"quit\n")
            process.stdin.close()
            await asyncio.wait_for(process.wait(), GOODBYE_S)
        await _kill(process)

    @contextlib.asynccontextmanager
    async def _question(self, when: str, within: float) -> AsyncIterator[None]:
        """Hold the engine for one question, running and within a time; after a failure it is killed."""
        async with self._turn:
            try:
                async with asyncio.timeout(within):
                    yield
            except BaseException as failure:
                process, self._process = self._process, None
                if process is not None:
                    await _kill(process)
                if isinstance(failure, TimeoutError):
                    what = f"{self._name} said nothing usable within {within:g} s {when}, and was killed"
                    raise TransientBackendError(f"{what}; raise 'timeout-s' if it needs longer") from None
                if isinstance(failure, _Died):
                    how = "" if process is None or process.returncode is None else f" (exit {process.returncode})"
                    raise TransientBackendError(
                        f"{self._name} died {when}{how}; it is started again for the next question"
                    ) from None
                raise

    async def _set_up(self, options: Mapping[str, str], *commands: str) -> None:
        """Have the engine running and ready for a search; it is started anew if it has died since its last answer."""
        for is_last in (False, True):
            try:
                if self._process is None:
                    await self._begin()
                await self._configure(options)
                for command in commands:
                    await self._send(command)
                await self._ready()
            except _Died:
                if is_last:
                    raise
                await self.close()
            else:
                return

    async def _begin(self) -> None:
        try:
            self._process = await asyncio.create_subprocess_exec(
                self._program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=LONGEST_LINE,
                start_new_session=True,  # Ctrl-C is for the run, which lets moves that are being thought about end
            )
        except OSError as error:
            raise BackendUnavailable(f"the engine {self._program!r} cannot be started: {error}") from error
        self._set = {}
        await self._send("uci")
        options: set[str] = set()
        while (text := await self._line()) != "uciok":
            if text.startswith("id name "):
                self._name = text.removeprefix("id name ").strip()
            elif text.startswith("option name "):
                options.add(text.removeprefix("option name ").partition(" type ")[0].strip())
        self._options = frozenset(options)
        # what could make two searches differ; engines without such an option have one way
        await self._configure({name: value for name, value in FIXED.items() if name in options})

    async def _configure(self, wanted: Mapping[str, str]) -> None:
        for name, value in wanted.items():
            if self._set.get(name, DEFAULTS.get(name)) == value:
                continue
            if name not in self._options:
                raise RequestRejected(f"{self._name} has no option {name!r}; use Stockfish, or an engine that has it")
            await self._send(f"setoption name {name} value {value}")
            self._set[name] = value

    async def _result(self) -> SearchResult:
        lines: list[SearchLine] = []
        while (move := best_move(text := await self._line())) is None:
            if line := search_line(text):
                lines.append(line)
        return SearchResult(move=move, lines=tuple(lines))

    async def _ready(self) -> None:
        await self._send("isready")
        while await self._line() != "readyok":
            pass

    async def _send(self, command: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n".encode())
            await self._process.stdin.drain()
        except OSError:
            raise await self._death() from None

    async def _line(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            raw = await self._process.stdout.readline()
        except ValueError:
            raise RequestRejected(
                f"{self._name} wrote a line of over {LONGEST_LINE:,} characters; it is no engine"
            ) from None
        if not raw:
            raise await self._death()
        return raw.decode(errors="replace").strip()

    async def _death(self) -> "_Died":
        """The error of a process whose pipe is closed; waits for its end, so that its exit status is known."""
        assert self._process is not None
        await self._process.wait()
        return _Died()


FIXED: Final[Mapping[str, str]] = {"Threads": "1", "Hash": "16"}
"""Options that are the same for every search: with more threads equal searches would differ."""

DEFAULTS: Final[Mapping[str, str]] = {"Skill Level": str(SKILL), "MultiPV": "1"}
"""What these options are in an engine that has just been started, or that does not have them."""


class _Died(Exception):
    """The engine's process has closed its output."""


async def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process and whatever it has started, and wait until it is gone."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
