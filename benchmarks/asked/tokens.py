"""Counts the tokens of prompts by the tokenizer of the embedded model, without reading them."""

import http.client
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import xllamacpp
from arena.agent import Completions
from arena.backend import Backend, Completion, CompletionRequest
from arena.game import Game
from arena.record import Player
from arena_agent_llm.agent import LLM
from arena_backend_llamacpp.weights import EMBEDDED, locate

from asked.positions import decisions, response, seated


class Counting(Completions):
    """Counts the tokens of each request, and answers nothing."""

    def __init__(self, tokenizer: "Tokenizer") -> None:
        self._tokenizer = tokenizer
        self.counts: list[int] = []

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        said = [{"role": message.role, "content": message.text} for message in request.messages]
        self.counts.append(self._tokenizer.count(said))
        return Completion(text="")

    def branch(self, name: str) -> Completions:
        return self


class Tokenizer:
    """The embedded model's template and tokenizer, which its server offers."""

    def __init__(self) -> None:
        module: Any = xllamacpp  # a compiled module without stubs
        parameters = module.CommonParams()
        parameters.model.path = str(locate(EMBEDDED, None, None, None))
        parameters.n_ctx, parameters.n_parallel, parameters.verbosity = 512, 1, -1
        self._key = secrets.token_urlsafe(32)
        parameters.api_keys = [self._key]
        parameters.ui = False
        self._server: Any = module.Server(parameters)

    def count(self, messages: list[dict[str, str]]) -> int:
        """The tokens of a whole prompt, with those of the model's template."""
        prompt = self._asked("/apply-template", {"messages": messages})["prompt"]
        return len(self._asked("/tokenize", {"content": prompt, "parse_special": True})["tokens"])

    def close(self) -> None:
        """Free the memory that the model takes; it cannot be asked afterwards."""
        self._server = None

    def _asked(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        connection = http.client.HTTPConnection(urlsplit(self._server.listening_address).netloc)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        found = json.loads(connection.getresponse().read())
        connection.close()
        return found


@contextmanager
def tokenizer() -> Iterator[Tokenizer]:
    """The tokenizer, as long as it is wanted."""
    found = Tokenizer()
    try:
        yield found
    finally:
        found.close()


async def prompts_of_a_match(game: Game, agent: LLM, by: Tokenizer, plies: int, seed: int = 3) -> int:
    """The tokens of all prompts of both players in the first ``plies`` moves of a random match."""
    found = 0
    for player in (Player(0), Player(1)):
        counting = Counting(by)
        joined = agent.join(seated(game, player, counting, "match"))
        for decision in decisions(game, player, seed):
            if len(counting.counts) == plies // 2:
                break
            await response(joined, decision)
        found += sum(counting.counts)
    return found
