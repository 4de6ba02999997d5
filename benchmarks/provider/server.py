"""The server: OpenAI's protocol, answers that are legal moves of tic-tac-toe, trouble as often as is asked for.

    python -m provider.server --log FILE [--latency 1] [--places 64] [--refuses] [--faults] [--seed 1]

It prints its port. Up to ``--places`` requests are worked on at once, each for ``--latency`` seconds whatever comes of
it; others wait for a place, or are sent away at once with status 429 where it ``--refuses``. With ``--faults`` 5 % of
what was worked on ends with status 429 and a Retry-After, 2 % with 500, 1 % with a dropped connection and 1 % with
something that is no JSON. A line of the log is a JSON object: ``at`` and ``until`` (seconds of the machine's monotonic
clock, which all its processes share), ``outcome`` and ``tokens``; it is written when the request is over.
"""

import argparse
import asyncio
import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, TextIO

from aiohttp import web

FAULTS = (("refused", 0.05), ("broken", 0.02), ("dropped", 0.01), ("garbled", 0.01))
RETRY_AFTER_S = 1
PROMPT_TOKENS, ANSWER_TOKENS = 200, 20


class Server:
    """Answers requests, and writes each of them down."""

    def __init__(self, options: argparse.Namespace, log: TextIO) -> None:
        self._latency = options.latency
        self._places = asyncio.Semaphore(options.places)
        self._refuses = options.refuses
        self._faults = FAULTS if options.faults else ()
        self._rng = Random(options.seed)
        self._log = log

    async def complete(self, request: web.Request) -> web.StreamResponse:
        """One request from its arrival to its end."""
        at = time.monotonic()
        body = await request.json()
        outcome = "hung up"
        try:
            if self._refuses and self._places.locked():
                outcome = "refused"
                return _error(429, "too many requests at once")
            async with self._places:
                outcome = self._draw()
                await asyncio.sleep(self._latency)
            return self._answer(request, body, outcome)
        except asyncio.CancelledError:
            outcome = "hung up"
            raise
        finally:
            tokens = PROMPT_TOKENS + ANSWER_TOKENS if outcome == "answered" else 0
            line = {"at": at, "until": time.monotonic(), "outcome": outcome, "tokens": tokens}
            self._log.write(json.dumps(line) + "\n")

    def _draw(self) -> str:
        drawn = self._rng.random()
        for name, share in self._faults:
            drawn -= share
            if drawn < 0:
                return name
        return "answered"

    def _answer(self, request: web.Request, body: Mapping[str, Any], outcome: str) -> web.Response:
        match outcome:
            case "refused":
                return _error(429, "slow down", {"Retry-After": str(RETRY_AFTER_S)})
            case "broken":
                return _error(500, "something broke")
            case "garbled":
                return web.Response(body=b"<<< no answer >>>", content_type="application/json")
            case "dropped":
                if request.transport is not None:
                    request.transport.abort()
                return web.Response()
            case _ if body.get("stream"):
                return web.Response(body=_events(_completion(body, self._rng)), content_type="text/event-stream")
            case _:
                return web.json_response(_completion(body, self._rng))


def _error(status: int, message: str, headers: Mapping[str, str] | None = None) -> web.Response:
    error = {"message": message, "type": "server_error", "code": None, "param": None}
    return web.json_response({"error": error}, status=status, headers=headers)


def _completion(body: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    forced = body.get("response_format")
    said = json.dumps(_instance(forced["json_schema"]["schema"], rng)) if forced else _move(body, rng)
    message = {"role": "assistant", "content": said}
    return {
        "id": "completion",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": PROMPT_TOKENS,
            "completion_tokens": ANSWER_TOKENS,
            "total_tokens": PROMPT_TOKENS + ANSWER_TOKENS,
        },
    }


def _events(whole: Mapping[str, Any]) -> bytes:
    """A completion as the events of a stream, four characters in each, as a token has."""
    (choice,) = whole["choices"]
    said = choice["message"]["content"]
    about = {"id": whole["id"], "object": "chat.completion.chunk", "created": 1, "model": whole["model"]}

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> Mapping[str, Any]:
        return {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    chunks = [chunk({"role": "assistant", "content": ""})]
    chunks += [chunk({"content": said[at : at + 4]}) for at in range(0, len(said), 4)]
    chunks += [chunk({}, "stop"), {**about, "choices": [], "usage": whole["usage"]}]
    return b"".join(b"data: %b\n\n" % json.dumps(each).encode() for each in chunks) + b"data: [DONE]\n\n"


def _instance(schema: Mapping[str, Any], rng: Random) -> Any:
    """Something that fits the schema of an answer."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema.get("type") == "object":
        return {name: _instance(part, rng) for name, part in schema["properties"].items()}
    return "because" if schema.get("type") == "string" else 0


def _move(body: Mapping[str, Any], rng: Random) -> str:
    """One of the moves that TextArena lists last."""
    listed = body["messages"][-1]["content"].rpartition("Available Moves:")[2]
    return rng.choice(re.findall(r"\[\d\]", listed) or ["[4]"])


async def _serve(options: argparse.Namespace) -> None:
    with options.log.open("w", buffering=1) as log:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", Server(options, log).complete)
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=2048)
        await site.start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--places", type=int, default=64)
    parser.add_argument("--refuses", action="store_true")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(_serve(parser.parse_args()))


if __name__ == "__main__":
    main()
