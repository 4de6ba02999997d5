"""What a run's page says beyond its head: whose turn it is in each match in play, and results by seat."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

import attrs
from arena.record import Player
from arena_engine import Journal, has_only_losers, is_undecided, recorded_games
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.hidden_matches import covered_matches
from arena_web.foundation.seeing import ALL
from arena_web.held.match_names import match_name
from arena_web.held.positions import Problem
from arena_web.held.run_state import control_state, open_run
from arena_web.matches.open_match import OpenMatch, read_match

SHOWN: Final = 12
"""So many matches in play are told of."""

_COLUMNS: Final = (
    ("game", "game", "text"),
    ("agent", "agent", "text"),
    ("seat", "seat", "text"),
    ("matches", "matches", "count"),
    ("won", "won", "count"),
    ("lost", "lost", "count"),
    ("drawn", "drawn", "count"),
    ("disqualified", "disqualified", "count"),
    ("undecided", "cut off, no result", "count"),
)

_WHERE_ANY: Final = ("disqualified", "undecided")
"""The columns that are shown where a match is counted in them."""


@attrs.define
class _Tally:
    matches: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    disqualified: int = 0
    undecided: int = 0


async def playing(site: Site, asked: ApiRequest) -> Any:
    """Of each match in play whose turn it is, and how many answers of each player were refused."""
    found = await run_in_threadpool(_opened, site, asked)
    return {"matches": [await _told(site, each) for each in found]}


def results(site: Site, asked: ApiRequest) -> Any:
    """How often each agent won, lost, drew and was disqualified in each seat of each game.

    Matches that a limit cut off before anybody earned anything are counted apart.
    As long as somebody outside plays matches that hide something, nothing is told.
    """
    with open_run(site.runs.get(asked.path["run"])) as journal:
        if covered_matches(journal, is_host=asked.right == "host"):
            return {"columns": [], "rows": []}
        tallies = _counted(journal)
        seats = {name: known.baseline.seats for name, known in recorded_games(journal).items()}
    empty = [name for name in _WHERE_ANY if not any(getattr(tally, name) for tally in tallies.values())]
    columns = [each for each in _COLUMNS if each[0] not in empty]
    return {
        "columns": [{"id": id_, "title": title, "style": style} for id_, title, style in columns],
        "rows": [_row(key, tally, seats) for key, tally in sorted(tallies.items())],
    }


def _row(key: tuple[str, str, int], tally: _Tally, seats: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    game, agent, player = key
    named = seats.get(game, ())
    seat = named[player] if player < len(named) else f"player {player + 1}"
    return {
        "key": "/".join(map(str, key)),
        "cells": {"game": game, "agent": agent, "seat": seat, **attrs.asdict(tally)},
    }


def _counted(journal: Journal) -> dict[tuple[str, str, int], _Tally]:
    """The results by game, agent and player; a disqualification is lost by whoever failed, and won by nobody."""
    found: dict[tuple[str, str, int], _Tally] = defaultdict(_Tally)
    for totals in journal.pairing_totals():
        if not totals.ending.is_result:
            continue
        nobody_wins = has_only_losers(totals)
        for player, agent in enumerate(totals.agents):
            tally = found[totals.game, agent, player]
            tally.matches += totals.matches
            if nobody_wins:
                tally.lost += totals.matches * (player in totals.at_fault)
                tally.disqualified += totals.matches * (player in totals.at_fault)
            elif is_undecided(totals):
                tally.undecided += totals.matches
            elif totals.winner is not None:
                tally.won += totals.matches * (totals.winner == player)
                tally.lost += totals.matches * (totals.winner != player)
            else:
                tally.drawn += totals.matches
    return found


def _opened(site: Site, asked: ApiRequest) -> list[OpenMatch]:
    run = site.runs.get(asked.path["run"])
    state = control_state(run.directory)
    with open_run(run) as journal:
        return [
            read_match(site, run, journal, match_name(id_), ALL, is_host=asked.right == "host")
            for id_ in (state.playing if state else ())[:SHOWN]
        ]


async def _told(site: Site, found: OpenMatch) -> dict[str, Any]:
    """A match in play; of one that is covered nothing but its name."""
    told: dict[str, Any] = {"match": match_name(found.place.id), "players": []}
    if found.view != ALL:
        return told
    state = await site.positions.in_play(found.source)
    known: Mapping[str, Any] = {} if isinstance(state, Problem) else state
    refused = [event.player for event in found.history.refused()]
    told["players"] = [
        {
            "agent": found.titles.get(agent, agent),
            "seat": found.seats[player] if player < len(found.seats) else "",
            "refusals": refused.count(Player(player)),
            "refusals_allowed": known.get("allowed"),
            "is_asked": player in known.get("to_act", ()),
        }
        for player, agent in enumerate(found.history.agents)
    ]
    return told
