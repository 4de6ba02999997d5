"""The command ``arena``, and the tools with which other distributions make commands of their own."""

import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_cli.application.group import FAILED as FAILED, Command as Command
    from arena_cli.application.options import (
        catalog_of as catalog_of,
        print_status as print_status,
        trust_options as trust_options,
    )
    from arena_cli.application.run_path import RunPath as RunPath, begun as begun
    from arena_cli.commands.describe import described as described
    from arena_cli.commands.export import export_format as export_format
    from arena_cli.forecast.dry_run import RunEstimate as RunEstimate
    from arena_cli.forecast.playing_on import playing_on_words as playing_on_words
    from arena_cli.pages.opponents import FittingAgents as FittingAgents, opponents_of as opponents_of
    from arena_cli.pages.transcript import MatchTranscript as MatchTranscript, select_match as select_match
    from arena_cli.results.report_json import (
        cell_json as cell_json,
        section_json as section_json,
        table_json as table_json,
    )
    from arena_cli.results.summary import (
        Block as Block,
        fitted as fitted,
        pair_lines as pair_lines,
        standing_lines as standing_lines,
        standings_blocks as standings_blocks,
    )
    from arena_cli.results.terminal import show_report as show_report
    from arena_cli.running.model_trials import ModelAnswer as ModelAnswer, asked_once as asked_once

__all__ = [
    "FAILED",
    "Block",
    "Command",
    "FittingAgents",
    "MatchTranscript",
    "ModelAnswer",
    "RunEstimate",
    "RunPath",
    "asked_once",
    "begun",
    "catalog_of",
    "cell_json",
    "described",
    "export_format",
    "fitted",
    "main",
    "opponents_of",
    "pair_lines",
    "playing_on_words",
    "print_status",
    "section_json",
    "select_match",
    "show_report",
    "standing_lines",
    "standings_blocks",
    "table_json",
    "trust_options",
]

COLLECTED: Final = 100_000
"""How many objects are made until garbage is looked for: with Python's 700 that is a tenth of the time of a start."""

_HOMES: Final = {
    "FAILED": "arena_cli.application.group",
    "Block": "arena_cli.results.summary",
    "Command": "arena_cli.application.group",
    "FittingAgents": "arena_cli.pages.opponents",
    "MatchTranscript": "arena_cli.pages.transcript",
    "ModelAnswer": "arena_cli.running.model_trials",
    "RunEstimate": "arena_cli.forecast.dry_run",
    "RunPath": "arena_cli.application.run_path",
    "asked_once": "arena_cli.running.model_trials",
    "begun": "arena_cli.application.run_path",
    "catalog_of": "arena_cli.application.options",
    "cell_json": "arena_cli.results.report_json",
    "described": "arena_cli.commands.describe",
    "export_format": "arena_cli.commands.export",
    "fitted": "arena_cli.results.summary",
    "opponents_of": "arena_cli.pages.opponents",
    "pair_lines": "arena_cli.results.summary",
    "playing_on_words": "arena_cli.forecast.playing_on",
    "print_status": "arena_cli.application.options",
    "section_json": "arena_cli.results.report_json",
    "select_match": "arena_cli.pages.transcript",
    "show_report": "arena_cli.results.terminal",
    "standing_lines": "arena_cli.results.summary",
    "standings_blocks": "arena_cli.results.summary",
    "table_json": "arena_cli.results.report_json",
    "trust_options": "arena_cli.application.options",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing the package stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("arena_engine")  # looks whether the package arena is ours
    return getattr(import_module(_HOMES[name]), name)


def main() -> None:
    """Run the command line; exits the process with one of the documented exit codes."""
    if os.environ.get("_ARENA_COMPLETE", "").endswith("_complete"):
        from arena_cli.completion.answer import main as answer

        answer()
        return
    try:
        import_module("arena_engine")  # looks whether the package arena is ours
    except ImportError as error:
        if error.name != "arena":
            raise
        sys.stderr.write(f"arena: {error.msg}\n")
        sys.exit(2)
    from arena_cli.process import guard, guard_link

    guard.start()
    gc.set_threshold(COLLECTED)
    try:
        from arena_cli.application.group import group
        from arena_cli.output.safe_text import guard_tracebacks

        guard_tracebacks()
        group(prog_name="arena")
    except KeyboardInterrupt:
        sys.stderr.write("arena: interrupted\n")
        sys.exit(guard.STOPPED)
    finally:
        if guard_link.here is not None:
            guard_link.here.end()
        gc.freeze()  # the interpreter would look for garbage once more, at a sixth of the cost of a short run
