"""What a route of the API is: its path, who may use it, what may be asked, and the function that answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.foundation.keys import Grant, Right

LOOKERS: Final[tuple[Right, ...]] = ("host", "reader")
"""The rights of those who look at everything."""

_ALONE: Final[Mapping[Right, str]] = {"seat": "seat", "bystander": "match", "participant": "study"}
"""What keys of these rights open, and nothing else."""


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
        digits = text.removeprefix("-") if self.least < 0 else text
        if not digits.isascii() or not digits.isdigit() or not self.least <= int(text[:12]) <= self.most:
            raise bad_input(self.name, f"expected a number from {self.least} to {self.most}, got {text[:80]!r}")
        return int(text)


@attrs.frozen(kw_only=True)
class ApiRequest:
    """One request: the parts of its path, what stands behind the question mark, its body, and by which right.

    ``grant`` is what its key opens, and ``place`` the word of the page that a seat is played in.
    """

    path: Mapping[str, str]
    query: Mapping[str, Any]
    body: Any
    grant: Grant
    place: str = ""

    @property
    def right(self) -> Right:
        """The right of its key."""
        return self.grant.right


@attrs.frozen(kw_only=True)
class ApiAnswer:
    """An answer that is no plain 200: its status, what it says, and for a picture its type and bytes."""

    status: int = 200
    plain: Any = None
    media_type: str = ""
    content: bytes = b""


@attrs.frozen(kw_only=True)
class ApiRoute:
    """One route: ``answer`` is called in a thread, or awaited if it is a coroutine function, and returns plain data.

    ``path`` begins behind ``/api/1``. Only a host may use one that ``is_control``, and no one where nothing may be
    changed. Keys of its ``rights`` open it, no others. ``gives`` says in words what the answer holds.
    """

    path: str
    summary: str
    answer: Callable[[Site, ApiRequest], Any]
    gives: str
    method: Literal["GET", "POST", "DELETE"] = "GET"
    queries: tuple[QueryParameter, ...] = ()
    body: str = ""
    is_control: bool = False
    rights: tuple[Right, ...] = LOOKERS

    def check(self, right: Right) -> None:
        """An answer of 403 where a key with this right does not open the route."""
        if right not in self.rights:
            own = _ALONE.get(right)
            what = f"a {right}'s link opens its {own} alone" if own else f"only a {self.rights[0]}'s link opens this"
            raise ApiError(403, self.path, what, "ask the host for the link that you need")
        if self.is_control and right != "host":
            raise ApiError(403, self.path, "a link to look does not let you change anything", "ask the host")

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
