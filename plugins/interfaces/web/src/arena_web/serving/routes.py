"""The table of routes, from which the server and ``docs/web-api.md`` are made."""

from typing import Final

from arena_web.api.routing import LOOKERS, ApiRoute, QueryParameter
from arena_web.foundation.filtering import HAS, RESULTS
from arena_web.held.run_state import BUDGETS
from arena_web.live import live
from arena_web.matches import downloads, evaluation, in_play, match_page, turn_page, what_if
from arena_web.new import plugin_pages
from arena_web.new.new_routes import NEW_ROUTES
from arena_web.runs import controlling, listing, match_list, report_pages
from arena_web.runs.annotation_routes import ANNOTATION_ROUTES
from arena_web.seats.seat_routes import FRAME_QUERIES, SEAT_ROUTES, TEXT_QUERIES
from arena_web.seats.study_routes import STUDY_ROUTES

AFTER: Final = QueryParameter("after", "the `next` of the page before; without it the first page")
LIMIT: Final = QueryParameter("limit", "how many at most", 50, int, 1, 500)

FILTERS: Final = (
    QueryParameter("game", "only this game"),
    QueryParameter("agent", "only matches of this agent, in any seat"),
    QueryParameter("ending", "only these endings, with commas"),
    QueryParameter("result", f"only matches that the agent {' or '.join(RESULTS[:2])}, or that were {RESULTS[2]}"),
    QueryParameter("has", f"only matches with {', '.join(HAS)}; several with commas"),
)

TURN: Final = "`turn`, counted from 0 as everybody sees them, and `agent`: one of the run, or an installed one by name"

AS: Final = QueryParameter("as", "whose eyes: `all`, the number of a player, or `public`", "all")

ROUTES: Final = (
    ApiRoute(
        path="/me",
        summary="Who asks, and what the server is.",
        answer=listing.me,
        gives="`right` (`host` or `reader`), `read_only`, `version`, `directories`",
    ),
    ApiRoute(
        path="/runs",
        summary="One page of the list of runs, the newest first.",
        answer=listing.runs,
        queries=(AFTER, QueryParameter("q", "only runs whose path holds this"), LIMIT),
        gives="`runs`, `next`, `total`, and `empty`: the sentence where there is none",
    ),
    ApiRoute(
        path="/run/{run}",
        summary="The head of one run: what it is, how far it is, who is better, and what is being played.",
        answer=listing.run,
        gives="`state` and its words, `games`, `agents`, `verdict`, `progress`, `refusals`, `endings`, `playing`, "
        "`seats` (open ones: `agent`, `player`, `title`, `match`, `waiting_since`, `link_made`), "
        "`downloads` (`form`, `title`); `computing` is empty once everything is known",
    ),
    ApiRoute(
        path="/run/{run}/playing",
        summary="Of each match in play whose turn it is, and how many answers of each player were refused.",
        answer=in_play.playing,
        gives="`matches`, each with `match` and `players`: `agent`, `seat`, `refusals`, `refusals_allowed` (null: not "
        "bounded over a match), `is_asked`; none where the match may only be seen as a bystander sees it",
    ),
    ApiRoute(
        path="/run/{run}/results",
        summary="How often each agent won, lost, drew and was disqualified in each seat of each game.",
        answer=in_play.results,
        gives="`columns`, `rows`; none while somebody outside plays matches that hide something",
    ),
    ApiRoute(
        path="/run/{run}/leaderboard",
        summary="The ranking of a run's agents as one table and one chart, as `arena report` has them.",
        answer=report_pages.leaderboard,
        gives="`columns`, `rows`, `chart`, `head_to_head`, `scores`, `notes`; `computing` is empty once all is known",
    ),
    ApiRoute(
        path="/run/{run}/grouped",
        summary="The ranking of what agents have in common: by game, by seat, or by a parameter in which they differ.",
        answer=report_pages.grouped,
        queries=(QueryParameter("by", "`game`, `seat` or one of `keys`; without it the `keys` alone"),),
        gives="`found`, which is empty until it is computed, then one with `keys`, `rankings` (`title`, `columns`, "
        "`rows`, `sentence`, `doubts`) and `left_out` matches between equals; `read`, `is_over`, `problem`",
    ),
    ApiRoute(
        path="/run/{run}/sections",
        summary="The titles of the sections of a run's report.",
        answer=report_pages.sections,
        gives="`sections`, `computing`",
    ),
    ApiRoute(
        path="/run/{run}/section/{number}",
        summary="One section of a run's report: texts, tables and figures.",
        answer=report_pages.section,
        queries=(
            QueryParameter("after", "the first row of its tables, of which 500 are sent at once", 0, int),
            QueryParameter("theme", "the ground of its figures: `light` or `dark`", "light"),
        ),
        gives="`text`, `tables`, `figures`; of each table `total_rows`",
    ),
    ApiRoute(
        path="/compare",
        summary="The ranking over several runs, as one report of all of them has it.",
        answer=report_pages.compare,
        queries=(QueryParameter("run", "a run; one for each", may_repeat=True),),
        gives="the same as a leaderboard, with `problems`: what stands against putting them together",
    ),
    ApiRoute(
        path="/run/{run}/matches",
        summary="One page of the matches that have ended.",
        answer=match_list.matches,
        queries=(
            QueryParameter("sort", f"one of {', '.join(match_list.COLUMNS)}", "match"),
            QueryParameter("descending", "1 for the greatest first", 0, int, 0, 1),
            AFTER,
            LIMIT,
            *FILTERS,
        ),
        gives="`matches`, `next`, `total` (null above 10,000) and `total_words`, `columns` that sort; a match "
        "that may only be seen as a bystander sees it has null for turns, refusals, substitutes, tokens and cost",
    ),
    ApiRoute(
        path="/run/{run}/search",
        summary="Matches in whose labels or reasons a text stands, the newest first, as far as they are found.",
        answer=match_list.search,
        queries=(
            QueryParameter("text", "what is sought, in any case of letters"),
            QueryParameter("after", "how many are known already", 0, int, 0, 500),
            *FILTERS,
        ),
        gives="`matches` with `hits` (`turn`, `kind`, `text`), `read` of `total`, `is_over`, and `is_cut` after 500",
    ),
    ApiRoute(
        path="/run/{run}/match/{match}",
        summary="One match as a view has it: its players, its ending and its turns, without long texts.",
        answer=match_page.match,
        queries=(AS, QueryParameter("after", "from this turn on, 500 at once")),
        gives="`players`, `state`, `ending`, `error`, `views` and the `view` that it is, `is_watched` (by the host "
        "while somebody outside played), `is_covered` (only to be seen as a bystander sees it), `turns` with "
        "`next`, `positions`, `neighbours`",
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/frames",
        summary="Positions as scenes: the first in full, then differences; and each in words.",
        answer=match_page.frames,
        queries=(AS, *FRAME_QUERIES),
        gives="`from`, `frames`, `total`, `words`, and `problem` where the game cannot be shown",
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/evaluation",
        summary="What the positions of a match that is over were worth, from its last turn to its first.",
        answer=evaluation.evaluation,
        queries=(QueryParameter("after", "how many turns are known already", 0, int),),
        gives="`turns`, each with `turn`, `player`, `best`, `chosen`, `loss`, the `better` action, the `share` of the "
        "first player from 0 to 1 (null unless two play for one sum), `method`, `is_exact`, `is_blunder`, "
        "`is_missed_win`; `read` so far, `is_over`, and `problem` where nothing can be said",
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/turn/{turn}",
        summary="One turn: what was asked, answered, read, looked up and told; of long texts the beginning.",
        answer=turn_page.turn,
        queries=(AS,),
        gives="`asked`, `calls`, `tries`, `read_as`, `look_ups`, `worths`, `told`, `notes`",
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/text/{digest}",
        summary="A part of a long text of a match, by the digest that its turn gives.",
        answer=turn_page.text,
        queries=TEXT_QUERIES,
        gives="`text`, `from`, `length` of the whole",
    ),
    ApiRoute(
        path="/live",
        summary="What has happened in runs and matches since some numbers, at once or as soon as something does.",
        answer=live.poll,
        queries=(
            QueryParameter(
                "topics",
                "with commas: `runs`, `run:RUN` or `match:RUN/MATCH?as=VIEW`, escaped; a bystander's: `watch`",
            ),
            QueryParameter("after", "for each topic the number of the last message, with commas; without it a `reset`"),
            QueryParameter("wait", "seconds to wait for something to happen", 25, int, 0, 60),
        ),
        gives="`messages`, each with `topic`, `number`, `kind`; and the `numbers` of all topics",
        rights=(*LOOKERS, "bystander"),
    ),
    ApiRoute(
        path="/plugins",
        summary="Every installed plugin with its status, as `arena list-plugins` says it.",
        answer=plugin_pages.plugins,
        gives="`plugins`",
    ),
    ApiRoute(
        path="/plugins/{kind}/{name}",
        summary="One plugin with its parameters, as `arena describe` says it.",
        answer=plugin_pages.plugin,
        gives="`parameters`, `facts` of a game, `text`, `example`",
    ),
    ApiRoute(
        path="/downloads",
        summary="Offer one match, or all matches of a run, as a file.",
        answer=downloads.make,
        method="POST",
        body="`run`, `form`, and `match` for a single one (json, csv, moves-csv, txt; a run: jsonl, csv, `export:NAME` "
        "for any format of `arena export`, `submission` for grid games); of a run as jsonl or csv only matches that "
        "fit `game`, `agent`, `ending`, `result`, `has` and `text`, as in its list",
        gives="`path`, which works once within 60 s and needs no key",
    ),
    ApiRoute(
        path="/run/{run}/pause",
        summary="Ask nothing new; what is in flight is kept.",
        answer=controlling.pause,
        method="POST",
        gives="`state`, `state_words`",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/continue",
        summary="Go on after a pause.",
        answer=controlling.proceed,
        method="POST",
        gives="`state`, `state_words`",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/stop",
        summary="End the run cleanly; `arena resume` goes on.",
        answer=controlling.stop,
        method="POST",
        gives="`state`, `state_words`",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/resume",
        summary="Play the rest of a run, as `arena resume` does, in a process that outlives this server.",
        answer=controlling.resume,
        method="POST",
        body=f"`limits` if some are to be others: numbers by {', '.join(BUDGETS)}",
        gives="`state`, `state_words`; 409 says in a sentence why it is not played",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/extend",
        summary="Play each seating of a run more often, as `arena resume --repeats` does.",
        answer=controlling.extend,
        method="POST",
        body="`repeats`: how often each seating is played in all",
        gives="`state`, `state_words`; 409 says in a sentence why it is not played",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/agents",
        summary="Which agents can be asked about a turn of a match, or play on from it.",
        answer=what_if.agents,
        method="POST",
        gives="`of_run` with `name` and `title`, and the names of `installed` ones that play the game",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/price",
        summary="What one try of an agent in a turn may use, and playing on with it; nothing is sent to a model.",
        answer=what_if.price,
        method="POST",
        body=TURN,
        gives="`calls`, `prompt_tokens`, `completion_tokens`, `cost_usd` (null: not known), `tries`; "
        "`playing_on`: sentences",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/ask",
        summary="Ask an agent in a turn in place of who took it, as `arena replay --ask`. Nothing is recorded.",
        answer=what_if.ask,
        method="POST",
        body=TURN,
        gives="`action`, `is_substitute`, `tries`, `calls`, `look_ups`, as a turn has them, and what was `recorded`",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/branch",
        summary="Play on from a turn with another agent, as `arena replay --branch`, in a new run beside this one.",
        answer=what_if.branch,
        method="POST",
        body=TURN,
        gives="`run` and `match`, which are being played",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/cancel",
        summary="End a match that is being played, without a result; it is not played again.",
        answer=controlling.cancel,
        method="POST",
        gives="`state`, `state_words` of the run",
        is_control=True,
    ),
    ApiRoute(
        path="/run/{run}/match/{match}/show-all",
        summary="See all of a match in which somebody outside plays, and of those with its deals; that is recorded.",
        answer=controlling.show_all,
        method="POST",
        gives="`watched`: the matches that are marked as watched by the host",
        is_control=True,
    ),
    *ANNOTATION_ROUTES,
    *NEW_ROUTES,
    *SEAT_ROUTES,
    *STUDY_ROUTES,
)
"""All routes of the API."""
