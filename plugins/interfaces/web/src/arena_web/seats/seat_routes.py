"""The part of the table of routes by which links are handed out, seats played, and matches watched."""

from typing import Final

from arena_web.api.routing import ApiRoute, QueryParameter
from arena_web.foundation.keys import Right
from arena_web.matches import watching
from arena_web.matches.match_page import FRAMES
from arena_web.matches.turn_page import LONGEST_PART
from arena_web.seats import links, seat_history, seat_position, seats

SEAT: Final[tuple[Right, ...]] = ("seat",)

BYSTANDER: Final[tuple[Right, ...]] = ("bystander",)

FRAME_QUERIES: Final = (
    QueryParameter("from", "the first position; -1 is the last one alone", "0"),
    QueryParameter("to", f"the last position; at most {FRAMES} at once"),
)

TEXT_QUERIES: Final = (
    QueryParameter("from", "the first character", 0, int),
    QueryParameter("length", "how many characters", 100_000, int, 1, LONGEST_PART),
)

WHOSE: Final = QueryParameter("as", "whose eyes: `own`, those of the seat's player, or `all`", seat_history.OWN)

MATCH: Final = QueryParameter("match", "the match that is meant; may be left out where the seat has a single one")

SEAT_ROUTES: Final = (
    ApiRoute(
        path="/links",
        summary="The links that open something, without their keys.",
        answer=links.links,
        gives="`links`, each with `id`, `right`, `run`, `agent` and `player` of a seat, `match` and its `label` of a "
        "bystander, `expires` (null: it lasts); for the host alone",
    ),
    ApiRoute(
        path="/links",
        summary="Make a link for somebody else; one for a seat ends the one before.",
        answer=links.make,
        method="POST",
        body="`right` (`seat`, `reader`, `bystander`), for a seat `run`, `agent` (where there are several), `player` "
        "(where it sits several times in a match), for a bystander `run` and `match`; and `expires_s`, seconds after "
        "which the link opens nothing, unless it shall last",
        gives="`link`, the path behind the address of this server, and its `id`",
        is_control=True,
    ),
    ApiRoute(
        path="/links/{link}",
        summary="End a link: it opens nothing any more.",
        answer=links.end,
        method="DELETE",
        gives="`ended`",
        is_control=True,
    ),
    ApiRoute(
        path="/seat",
        summary="What the seat is: its match, the rules, the players.",
        answer=seats.seat,
        gives="`protocol` (1), `title`, `checks`, `state` and its words, `match` (null once all are over), "
        "`match_number`, `matches`, `done`, `game`, `rules`, `player`, `seat`, `players`",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/turn",
        summary="The turn that is asked, as soon as there is one: 204 where there is none, 410 once the match is over, "
        "503 while nobody plays the run.",
        answer=seats.turn,
        queries=(
            QueryParameter("after", "the last turn that was answered", -1, int, -1),
            QueryParameter("wait", "seconds to wait for a turn", 0, int, 0, 60),
            MATCH,
        ),
        gives="`match`, `turn`, `try`, `phase`, `observation`, `text`, `forms`, `scene`, `options` or `schema`, "
        "`touches`, `queries` (`left`: how often each may still be made, null without a limit), `news` (`words`, "
        "`is_own`, and `is_private` where not everybody was told), `rejected`, "
        "`refusals_left`, `on_last_refusal`, `seconds_left`, `say`; with 410 `ending`, `returns`, `verdict_words`, "
        "`news`, `scene`, `text`, `reveals` (whether all of it may be seen), and `next_match` (null after the last)",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/position",
        summary="The position as the seat's player sees it, also while others play, as soon as there is one after a "
        "number: 204, 410 and 503 as for a turn.",
        answer=seat_position.position,
        queries=(
            QueryParameter("after", "the number of the position that is known", -1, int, -1),
            QueryParameter("wait", "seconds to wait for another one", 0, int, 0, 60),
            MATCH,
        ),
        gives="`match`, `position` (its number, from 0), `after_turn` (the last of the seat's turns that it follows, "
        "-1 before the first), `scene`, `text`, and `news`, what was told since the position `after`",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/turn/{turn}/form/{form}",
        summary="The position of a turn in one of the game's forms; a picture is sent as it is.",
        answer=seats.form,
        queries=(MATCH,),
        gives="`text` or `scene`",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/turn/{turn}/check",
        summary="Whether an action would be legal; no try is spent. At most 30 a second, and 403 where the seat has no "
        "checks.",
        answer=seats.check,
        method="POST",
        queries=(MATCH,),
        body="`action`",
        gives="`legal`, and `words` for what it means, or `kind` and `reason`",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/turn/{turn}/query/{name}",
        summary="Look something up before acting.",
        answer=seats.query,
        method="POST",
        queries=(MATCH,),
        body="`arguments`",
        gives="`answer` and `actions` that it suggests; where the game draws the answer, `scene` and `touches` in it "
        "(null where nothing can be touched); or `illegal`: why there is no answer",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/turn/{turn}/try/{attempt}",
        summary="Answer a try. The same body again gives the same answer; another one for a try that was answered is "
        "409.",
        answer=seats.attempt,
        method="POST",
        queries=(MATCH,),
        body="`action`, and if one likes `reasoning` (a text), `note` (any JSON) and `means` (`browser`, `program`)",
        gives="`accepted`; with 422 `kind`, `reason`, `try` (the next one), `refusals_left`, `words`",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/leave",
        summary="Get up from the match at hand, which is a forfeit.",
        answer=seats.leave,
        method="POST",
        queries=(MATCH,),
        gives="`left`",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/match/{match}",
        summary="A match of the seat once it is over, 409 before: as its player saw it; or all of it, which is 403 "
        "unless its agent has `reveal: after`, and while somebody outside is still to play with its deals.",
        answer=seat_history.match,
        queries=(WHOSE, QueryParameter("after", "from this line on, 500 at once")),
        gives="`game`, `players` (`seat`, `result`, and `agent` if the benchmark has `reveal-agents`), `state`, "
        "`ending`, `turns` (its own, and what it was told) with `turn_total` and `next`, `positions`; all of it as "
        "`/run/{run}/match/{match}` has it",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/match/{match}/frames",
        summary="Its positions as scenes: the first in full, then differences; and each in words.",
        answer=seat_history.frames,
        queries=(WHOSE, *FRAME_QUERIES),
        gives="`from`, `frames`, `total`, `words`, and `problem` where the game cannot be shown",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/match/{match}/turn/{turn}",
        summary="One turn of it, as everybody sees them: what was asked, answered, read, looked up and told.",
        answer=seat_history.turn,
        queries=(WHOSE,),
        gives="as `/run/{run}/match/{match}/turn/{turn}`; 403 as above, also for what its player saw",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/match/{match}/text/{digest}",
        summary="A part of a long text of it, by the digest that its turn gives.",
        answer=seat_history.text,
        queries=TEXT_QUERIES,
        gives="`text`, `from`, `length` of the whole; 403 as above",
        rights=SEAT,
    ),
    ApiRoute(
        path="/seat/take",
        summary="Take the seat to one page, which sends the word as the header `Arena-Place`; a page with an older "
        "word is told 409. Programs need none.",
        answer=seats.take,
        method="POST",
        gives="`place`",
        rights=SEAT,
    ),
    ApiRoute(
        path="/watch",
        summary="The match of a bystander's link: what is public of it.",
        answer=watching.watch,
        queries=(QueryParameter("after", "from this line on, 500 at once"),),
        gives="`game`, `players` (`seat`, `result`, and `agent` if the benchmark has `reveal-agents`), `state`, "
        "`ending`, `turns` (what was told to everybody) with `turn_total` and `next`, `positions`",
        rights=BYSTANDER,
    ),
    ApiRoute(
        path="/watch/frames",
        summary="Its public positions as scenes: the first in full, then differences; and each in words.",
        answer=watching.frames,
        queries=FRAME_QUERIES,
        gives="`from`, `frames`, `total`, `words`, and `problem` where the game cannot be shown",
        rights=BYSTANDER,
    ),
)
"""The routes of links for the host, those of a seat for whoever plays it, those of a match for whoever watches it."""
