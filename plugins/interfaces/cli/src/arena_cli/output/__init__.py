"""How every command prints: what a terminal can show, results and status, tables, running text and numbers.

What a user asked for goes to standard output with ``result``, ``result_json`` or ``result_data``; everything else goes
to standard error with ``status``. ``table`` and ``paragraph`` lay text out for a ``Terminal``; ``count``, ``share``,
``interval`` and others write numbers the same way everywhere. Commands of other distributions print with this module
and with nothing else.
"""

from arena_cli.output.layout import names_in_columns, names_that_fit, paragraph, shorten
from arena_cli.output.numbers import (
    amount,
    count,
    duration,
    interval,
    money,
    number,
    share,
    share_interval,
    signed,
    singular,
)
from arena_cli.output.safe_text import CleanText, join, styled
from arena_cli.output.screen import Terminal, terminal_of
from arena_cli.output.streams import echo, prompt, result, result_data, result_json, status
from arena_cli.output.table_layout import OutputColumn, table

__all__ = [
    "CleanText",
    "OutputColumn",
    "Terminal",
    "amount",
    "count",
    "duration",
    "echo",
    "interval",
    "join",
    "money",
    "names_in_columns",
    "names_that_fit",
    "number",
    "paragraph",
    "prompt",
    "result",
    "result_data",
    "result_json",
    "share",
    "share_interval",
    "shorten",
    "signed",
    "singular",
    "status",
    "styled",
    "table",
    "terminal_of",
]
