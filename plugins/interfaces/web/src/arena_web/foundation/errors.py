"""What the server answers where something is wrong: where, what, and what to do."""

from typing import Any

from arena.errors import ArenaError


class ApiError(ArenaError):
    """An answer that is no success; ``retry_s`` says after how many seconds to try again.

    ``also`` stands beside the error.
    """

    def __init__(
        self, status: int, where: str, what: str, remedy: str = "", *, retry_s: int | None = None, **also: Any
    ) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.status = status
        self.where = where
        self.what = what
        self.remedy = remedy
        self.retry_s = retry_s
        self.also = also

    def to_json(self) -> dict[str, Any]:
        """The error as it is sent."""
        return {"error": {"where": self.where, "what": self.what, "remedy": self.remedy}, **self.also}


def bad_input(where: str, what: str, remedy: str = "") -> ApiError:
    """The answer to what cannot be understood."""
    return ApiError(400, where, what, remedy)


def not_found(where: str, what: str, remedy: str = "") -> ApiError:
    """The answer where there is no such thing; ``remedy`` says what there is."""
    return ApiError(404, where, what, remedy)
