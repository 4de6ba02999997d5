"""Writes the leaderboard as a single web page that needs no network, and can be read without scripts."""

from importlib import resources
from typing import Any

from arena_cli.output import count, share

from arena_command_leaderboard.board import Board, BoardRow, Standing
from arena_command_leaderboard.cells import headline, merit, pair_cells, rank, remarks


def page(board: Board) -> str:
    """The page as HTML: the ranking over all games, that of each game, every pair, and where all of it is from."""
    from jinja2 import Environment  # pages alone need it

    template = (resources.files("arena_command_leaderboard") / "templates" / "leaderboard.html").read_text("utf-8")
    made = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template)
    views = [("", standing) for standing in board.standings]
    if len(board.by_game) > 1:
        views += [(game, standing) for game, standings in board.by_game.items() for standing in standings]
    return made.render(
        headline=headline(board),
        remarks=remarks(board, is_full=False),
        level=f"{100 * board.level:.4g} %",
        games=list(board.by_game) if len(board.by_game) > 1 else [],
        standings=[_standing(game, standing) for game, standing in views],
        pairs=[pair_cells(pair) for standing in board.standings for pair in standing.pairs],
        sources=board.sources,
        count=count,
    )


def _standing(game: str, standing: Standing) -> dict[str, Any]:
    is_rating = standing.kind == "rating"
    return {
        "game": game,
        "title": standing.title or ", ".join(standing.games),
        "merit": "rating" if is_rating else standing.unit or "mean return",
        "is_rating": is_rating,
        "rows": [_row(standing, row) for row in standing.rows],
        "notes": [*standing.sentences, *standing.notes],
    }


def _row(standing: Standing, row: BoardRow) -> dict[str, Any]:
    value, ends = merit(row, standing)
    number = row.rating if standing.kind == "rating" else row.mean_return
    if number is None:  # an open end stands for the rating
        number = next((end for end in row.interval if end is not None), None)
    return {
        "rank": rank(row),
        "place": 1e9 if row.rank is None else row.rank,
        "agent": row.agent.label,
        "title": "; ".join(f"{key}: {value}" for key, value in row.agent.configuration.parameters.items()),
        "merit": value,
        "number": "" if number is None else number,
        "interval": ends,
        "score": "" if row.score is None else share(row.score, row.matches),
        "score_number": "" if row.score is None else row.score,
        "n": row.matches,
        "blocks": row.blocks,
        "illegal": "" if row.illegal is None else share(row.illegal, row.turns),
        "illegal_number": "" if row.illegal is None else row.illegal,
    }
