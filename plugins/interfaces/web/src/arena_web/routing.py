"""What a route of the API is: its path, who may use it, what may be asked, and the function that answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import attrs

from arena_web.errors import bad_input
from arena_web.keys import Right
from arena_web.site import Site


@attrs.frozen
class QueryParameter:
    """One thing that may stand behind the question mark of an address: its name, and what it means.

    ``kind`` is ``int`` or ``str``; ``default`` stands where it is left out. A number is from ``least`` to ``most``.
    One that ``may_repeat`` is a tuple of all that was given.
    """

    name: str
    help: str
    default: Any = ""
    kind: type[int] | type[str] = str
    least: int = 0
    most: int = 10**9
    may_repeat: bool = False

    def read(self, text: str) -> Any:
        """The value of what stands in an address; an answer of 400 says what is expected."""
        if self.kind is str:
            return text
        if not text.isascii() or not text.isdigit() or not self.least <= int(text[:12]) <= self.most:
            raise bad_input(self.name, f"expected a number from {self.least} to {self.most}, got {text[:80]!r}")
        return int(text)


@attrs.frozen(kw_only=True)
class ApiRequest:
    """One request: the parts of its path, what stands behind the question mark, its body, and by which right."""

    path: Mapping[str, str]
    query: Mapping[str, Any]
    body: Any
    right: Right


@attrs.frozen(kw_only=True)
class ApiRoute:
    """One route: ``answer`` is called in a thread, or awaited if it is a coroutine function, and returns plain data.

    ``path`` begins behind ``/api/1``. Only a host may use one that ``is_control``, and no one where nothing may be
    changed. ``gives`` says in words what the answer holds.
    """

    path: str
    summary: str
    answer: Callable[[Site, ApiRequest], Any]
    gives: str
    method: Literal["GET", "POST", "DELETE"] = "GET"
    queries: tuple[QueryParameter, ...] = ()
    body: str = ""
    is_control: bool = False

    def read(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
        """The queries of a request, with defaults; an answer of 400 says which there are."""
        given = dict(pairs)
        known = {query.name: query for query in self.queries}
        for name in given:
            if name not in known:
                there = ", ".join(known) or "nothing"
                raise bad_input(name[:80], "there is no such query", f"there is: {there}")
        return {
            name: tuple(value for key, value in pairs if key == name)
            if q.may_repeat
            else (q.read(given[name]) if given.get(name) else q.default)
            for name, q in known.items()
        }
