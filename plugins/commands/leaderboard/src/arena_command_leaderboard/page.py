"""Writes the leaderboard as a single web page that needs no network, and can be read without scripts."""

from importlib import resources
from typing import Any

from arena.tables import Cell, Estimate, Table
from arena_cli.output import count
from arena_report import pair_table, ranking_table, score_table
from arena_standings import BY_GAME_LEVEL

from arena_command_leaderboard.board import Board
from arena_command_leaderboard.cells import agent_table, cell_text, headline, remarks


def page(board: Board) -> str:
    """The page as HTML: the ranking over all games, that of each game, every pair, and where all of it is from."""
    from jinja2 import Environment  # pages alone need it

    template = (resources.files("arena_command_leaderboard") / "templates" / "leaderboard.html").read_text("utf-8")
    made = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template)
    found = board.standings
    scores = score_table(found)
    views = [("", ", ".join(part.games), ranking_table(part, found.level)) for part in board.tables]
    for game, parts in found.by_game.items():
        views += [(game, game, ranking_table(part, BY_GAME_LEVEL)) for part in parts if len(part.rows) > 1]
    return made.render(
        headline=headline(board),
        sentences=found.sentences,
        game_sentences=found.game_sentences,
        doubts=found.doubts,
        footnotes=found.footnotes,
        remarks=remarks(board, is_full=False),
        games=list(found.by_game),
        views=[{"game": game, "title": title, **_table(table, board)} for game, title, table in views],
        scores=None if scores is None else _table(scores, board),
        pairs=[_table(pair_table(part, found, pairs=part.pairs), board) for part in board.tables],
        agents=_table(agent_table(board, list(board.agents)), board),
        sources=board.sources,
        count=count,
    )


def _table(table: Table, board: Board) -> dict[str, Any]:
    """A table as the page shows it: each cell with its text and what it sorts by."""
    columns = [
        {"title": each.title, "is_name": not each.style or each.style == "text", "help": each.help}
        for each in table.columns
    ]
    rows = [
        [_cell(cell, column.name, column.style, place, board) for cell, column in zip(row, table.columns, strict=True)]
        for place, row in enumerate(table.rows)
    ]
    return {"columns": columns, "rows": rows, "note": table.note}


def _cell(cell: Cell, name: str, style: str | None, place: int, board: Board) -> dict[str, Any]:
    told = {"text": cell_text(cell), "sort": None, "title": ""}
    if name == "rank":
        told["sort"] = place
    elif isinstance(cell, Estimate):
        if style == "share" and cell.value is not None:
            told["text"] = f"{100 * cell.value:.0f} %"
        told["sort"] = "" if cell.value is None else cell.value
    elif isinstance(cell, (int, float)):
        told["sort"] = cell
    elif name == "agent" and (agent := board.agents.get(str(cell))):
        parameters = agent.entrant.configuration.parameters
        told["title"] = "; ".join(f"{key}: {value}" for key, value in parameters.items())
    return told
