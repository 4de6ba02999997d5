"""Makes the report of a run as data; runs in a worker process."""

from collections.abc import Mapping
from typing import Any

from arena.catalog import Catalog


def report(asked: Mapping[str, Any], catalog: Catalog, tell: Any) -> Any:
    """The report of a run."""
    raise NotImplementedError
