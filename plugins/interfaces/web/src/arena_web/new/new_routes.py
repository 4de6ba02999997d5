"""The routes of the pages on which runs are put together and started."""

from typing import Final

from arena_web.api.routing import ApiRoute
from arena_web.new import key_routes, new_match

_BENCHMARK: Final = "`benchmark`, or its `text` in YAML"

NEW_ROUTES: Final = (
    ApiRoute(
        path="/new/choices",
        summary="What a match can be made of: everything installed that can be used, with its parameters.",
        answer=new_match.choices,
        gives="`games` (with the numbers of `players`, none where parameters are needed first, and the `usual` one), "
        "`agents`, `backends`, "
        "`styles`, `policies`, each with `name`, `title` and the JSON `schema` of its parameters, in which "
        "`{plugin: KIND, names}` stands for any plugin of a kind; `has_open_seat`",
        is_control=True,
    ),
    ApiRoute(
        path="/new/schema",
        summary="The JSON schema of benchmark files, for what is installed, as `arena schema` prints it.",
        answer=new_match.schema,
        gives="the schema",
        is_control=True,
    ),
    ApiRoute(
        path="/new/suites",
        summary="The suites with which a benchmark can begin.",
        answer=new_match.suites,
        gives="`suites`, each with `name` and `title`",
        is_control=True,
    ),
    ApiRoute(
        path="/new/suite",
        summary="The text with which a benchmark like a suite begins.",
        answer=new_match.suite,
        method="POST",
        body="`name`",
        gives="`text`: the suite's own where it needs no other file, else one that extends it",
        is_control=True,
    ),
    ApiRoute(
        path="/new/position",
        summary="How a game begins.",
        answer=new_match.position,
        method="POST",
        body="`game`: `use` and its parameters, and `players` if more are to play than must",
        gives="`scene`, `words`, `title`, `seats`, `forms`, the numbers of `players`, the `usual` one, the `agents` "
        "that play it; 409 "
        "says in the game's own sentence why there is none",
        is_control=True,
    ),
    ApiRoute(
        path="/new/match",
        summary="What a plan of matches amounts to, as a benchmark.",
        answer=new_match.match,
        method="POST",
        body="`players` (each of the `kind` agent, with `use` and `parameters`; model, with `backend`, `prompt`, "
        "`parameters`, and `key`, the name of one; or person, with `title`; any with a `name`), `queue` (each with "
        "`game`, `players` by seat as places in `players`, `repeats`, `rotate_seats`), `illegal_actions`, "
        "`concurrency`, `seed`, `name`",
        gives="`benchmark`, `text`, `problems` (`pointer` into the plan, `what`), `secrets` (`name`, `is_set`)",
        is_control=True,
    ),
    ApiRoute(
        path="/new/check",
        summary="Every mistake in a benchmark, as the command line tells it. It may name installed plugins and suites "
        "alone, no code and no file.",
        answer=new_match.check,
        method="POST",
        body=_BENCHMARK,
        gives="`benchmark` (null where the text is no table), `text`, `name` (empty where it has mistakes), `problems` "
        "(`path`, `where`, `line` if it is known, `what`), `secrets` (`name`, `is_set`)",
        is_control=True,
    ),
    ApiRoute(
        path="/new/estimate",
        summary="What a benchmark will take, as `arena run --dry-run` says it; nothing is sent to a model.",
        answer=new_match.estimate,
        method="POST",
        body=_BENCHMARK,
        gives="`matches`; `calls`, `cost_usd` (null without a price), `seconds`, each the least, what is likely and "
        "the most (null without a bound); `words`, the lines of the command; `power`, how often its matches tell two "
        "agents apart",
        is_control=True,
    ),
    ApiRoute(
        path="/new/test",
        summary="Ask a model for one short answer, as `arena check-agents` does; it is paid for where it costs.",
        answer=new_match.test,
        method="POST",
        body="`agent`: `use` and its `backend`, as a benchmark has them",
        gives="`answer`, `seconds`, `connected_s`, `model`, `cost_usd` (null without a price), `prompt_tokens`, "
        "`completion_tokens`, `able`; 409 says why there is none, with `secrets` that are not set",
        is_control=True,
    ),
    ApiRoute(
        path="/new/start",
        summary="Play a benchmark as `arena run` does, in a process that outlives this server.",
        answer=new_match.start,
        method="POST",
        body=f"{_BENCHMARK}; `name` if the run is to be called otherwise",
        gives="`run`; 409 says why it is not played, with `problems`, or with `secrets` that are not set",
        is_control=True,
    ),
    ApiRoute(
        path="/new/keys",
        summary="The keys of providers that were typed in the browser.",
        answer=key_routes.keys,
        gives="`keys`: of each its `name` and `is_set`; the keys themselves are in no answer",
        is_control=True,
    ),
    ApiRoute(
        path="/new/keys",
        summary="Keep a key in the server's memory, for what is started from here. It is written nowhere.",
        answer=key_routes.set_key,
        method="POST",
        body="`name`, by which a benchmark names it as `${NAME}`, and `key`",
        gives="`name`, `is_set`",
        is_control=True,
    ),
    ApiRoute(
        path="/new/keys/forget",
        summary="Forget a key; a run that was started with it plays on.",
        answer=key_routes.forget_key,
        method="POST",
        body="`name`",
        gives="`name`, `is_set`: whether the server's own environment has one of that name",
        is_control=True,
    ),
)
"""All routes of these pages."""
