"""Says why a command has ended, from what it told its guard."""

import json
import re
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

_LINE: Final = re.compile(r'^  File "(.*)", line (\d+) in ')


class CommandEnd:
    """What a command told its guard before it ended.

    ``directory`` is that of its run until it has printed it, ``exit`` what was found out when a plugin ended the
    process, and ``stacks`` the lines of the stacks of all threads.
    """

    def __init__(self, facts: Mapping[str, Any], stacks: tuple[str, ...]) -> None:
        self.stacks = stacks
        self.has_ended = bool(facts.get("ended"))
        self.directory = str(facts.get("directory") or "")
        self.exit: dict[str, Any] = dict(facts.get("exit") or {})
        self._is_showing = bool(facts.get("showing"))
        self._plugins: Mapping[str, str] = facts.get("plugins") or {}

    @classmethod
    def of(cls, told: bytes) -> Self:
        """Read what the command wrote: a line of JSON for each fact, and stacks as Python writes them at a crash."""
        facts: dict[str, Any] = {}
        stacks: list[str] = []
        for line in told.decode(errors="replace").splitlines():
            if line.startswith("{"):
                with suppress(ValueError):  # cut off in the middle
                    facts |= json.loads(line)
            else:
                stacks.append(line)
        return cls(facts, tuple(stacks))

    @property
    def is_import(self) -> bool:
        """Whether a plugin ended the process when its entry point was loaded."""
        return "entry" in self.exit

    def killed(self, *, is_at_once: bool) -> str:
        """The sentence about a command that did not stop in time, or was to stop at once."""
        if is_at_once:
            why = "ended at once"
        elif names := self._running():
            why = f"{', '.join(names)} did not stop and was cut off"
        elif self._is_showing:
            return f"the results were not shown in time; `arena report {self.directory}` shows them"
        else:
            why = "the command did not stop in time and was cut off"
        return f"{why}{self._resume()}"

    def vanished(self, status: int) -> str:
        """The sentence about a process that ended by itself, with the code of a process as ``subprocess`` has it."""
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with code {status}"
        if self.exit:
            how = f"with os._exit({self.exit['code']})"
            who, dist, place = (str(self.exit.get(key, "")) for key in ("who", "dist", "place"))
            if self.is_import:
                name = dist.partition(" ")[0]
                remedy = f"uninstall it, or switch it off with ARENA_DISABLE={name}"
                return f"{dist} ended the process {how} when it was imported, at {place}; {remedy}"
            origin = f" from {dist}" if dist else ""
            return f"{who or 'a plugin'}{origin} ended the process {how} at {place}{self._resume()}"
        names = self._running()
        where = f" in {', '.join(names)}" if names else ""
        return f"the process ended {how}{where}{self._resume()}"

    def _resume(self) -> str:
        return f"; go on with `arena resume {self.directory}`" if self.directory else ""

    def _running(self) -> list[str]:
        """The plugins that are on a stack, each with the place where it has got to."""
        found: dict[str, None] = {}
        is_found = False
        for line in self.stacks:
            match = _LINE.match(line)
            if match is None:
                is_found = False  # the next thread begins
            elif not is_found and (who := self._plugins.get(match[1])):
                is_found = True
                found[f"{who} at {Path(match[1]).name}:{match[2]}"] = None
        return list(found)
