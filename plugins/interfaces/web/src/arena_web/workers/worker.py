"""A worker process: plays matches again and makes reports, so that no game's code runs in the server.

It reads one request a line as JSON and writes one answer a line: ``{"ok": VALUE}``, ``{"error": SENTENCE}``, or before
them any number of ``{"progress": VALUE}``. It ends when the server does.
"""

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from queue import SimpleQueue
from typing import Any, Final

from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.installing import full_name, install_line
from arena_cli import described
from arena_engine import redacted

from arena_web.workers import (
    choosing,
    drafting,
    drafting as estimating,
    evaluating,
    exporting,
    grouping,
    match_plan,
    replaying,
    reporting,
    searching,
    trying,
)

Tell = Callable[[Mapping[str, Any]], None]

_JOBS: Final[Mapping[str, Callable[[Mapping[str, Any], Catalog, Tell], Any]]] = {
    "game": lambda asked, catalog, _: replaying.game_facts(asked, catalog),
    "timeline": lambda asked, catalog, _: replaying.timeline(asked, catalog),
    "end": lambda asked, catalog, _: replaying.end(asked, catalog),
    "in-play": lambda asked, catalog, _: replaying.in_play(asked, catalog),
    "frames": lambda asked, catalog, _: replaying.frames(asked, catalog),
    "plugin": lambda asked, catalog, _: described(catalog.get(asked["kind"], asked["name"]), catalog),
    "fitting": lambda asked, catalog, _: trying.fitting(asked, catalog),
    "price": lambda asked, catalog, _: trying.price(asked, catalog),
    "ask": lambda asked, catalog, _: trying.answered(asked, catalog),
    "check": lambda asked, catalog, _: trying.check(asked, catalog),
    "choices": lambda asked, catalog, _: choosing.choices(asked, catalog),
    "position": lambda asked, catalog, _: choosing.position(asked, catalog),
    "schema": lambda asked, catalog, _: choosing.schema(asked, catalog),
    "suites": lambda asked, catalog, _: choosing.suite_names(asked, catalog),
    "suite": lambda asked, catalog, _: drafting.suite(asked, catalog),
    "draft": lambda asked, catalog, _: drafting.check(asked, catalog),
    "estimate": lambda asked, catalog, _: estimating.estimate(asked, catalog),
    "test": lambda asked, catalog, _: estimating.test(asked, catalog),
    "export": lambda asked, catalog, _: exporting.export(asked, catalog),
    "match": lambda asked, catalog, _: match_plan.match(asked, catalog),
    "report": reporting.report,
    "search": lambda asked, _, tell: searching.search(asked, tell),
    "evaluate": evaluating.evaluate,
    "group": grouping.group,
    "text": lambda asked, catalog, _: replaying.text(asked, catalog),
    "annotate": lambda asked, catalog, _: _annotate(asked, catalog),
}


def main(memory: int, disabled: str) -> None:
    """Answer requests until there are no more; the process may use so many bytes of memory."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer
    _limit(memory)
    catalog = Catalog(disabled=json.loads(disabled))
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()

    def tell(told: Mapping[str, Any]) -> None:
        text = json.dumps(told, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        answers.write(text.encode() + b"\n")
        answers.flush()

    while line := requests.get():
        tell(answer(json.loads(line), catalog, tell))


def answer(asked: Mapping[str, Any], catalog: Catalog, tell: Tell) -> Mapping[str, Any]:
    """What a request comes to: ``ok``, or ``error`` in a sentence; ``tell`` is called with its progress."""
    try:
        return {"ok": _JOBS[asked["do"]](asked, catalog, tell)}
    except MemoryError:
        return {"error": "it needs more memory than a position may take"}
    except ArenaError as error:
        return {"error": redacted("; ".join(str(error).splitlines()))}
    except Exception as error:  # the game is a plugin
        return {"error": redacted(f"it failed with {type(error).__name__}: {error}")}


def _annotate(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """What annotating a run comes to, where the distribution of ``arena annotate`` is installed."""
    if find_spec("arena_metric_judge") is None:
        raise ArenaError(f"annotating needs {full_name('metric-judge')}: {install_line(full_name('web[annotation]'))}")
    from arena_web.workers import annotating

    jobs = {name: getattr(annotating, name) for name in ("rubrics", "question", "score", "agreement")}
    return jobs[asked["what"]](asked, catalog)


def _read(requests: "SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)  # the server is gone; whatever a game does, nobody waits for it


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
