"""Writes a page of stories for a person to read: ``python -m arena_suite_tmgbench.sample FILE``."""

import sys
from pathlib import Path

from arena_game_two_by_two.composer import character_sets, tell
from arena_game_two_by_two.frames import topics
from arena_game_two_by_two.topology import GAMES

HEAD = """\
# Stories of 2×2 games: a sample

One of the 720 stories for each topic, as players read them (`arena tmgbench-stories show GAME NUMBER` prints any
other). They are composed from frames written by hand; the same seed tells the same stories. Written by
`python -m arena_suite_tmgbench.sample`.
"""


def page() -> str:
    """The first story of each topic, in the order of the games."""
    found: dict[str, tuple[str, int]] = {}
    for game, number in sorted(character_sets(0)):
        found.setdefault(character_sets(0)[game, number].frame.topic, (game, number))
    parts = [HEAD]
    for topic in topics():
        game, number = found[topic.name]
        parts.append(
            f"## {topic.name}: {GAMES[game].name} ({game}), story {number}\n\n```text\n{tell(game, number).text}\n```\n"
        )
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write the page to the file named in ``arguments``; returns the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m arena_suite_tmgbench.sample FILE\n")
        return 2
    Path(arguments[0]).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
