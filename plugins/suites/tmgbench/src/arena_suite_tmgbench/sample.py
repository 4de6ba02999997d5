"""Writes two pages of stories for a person to read: ``python -m arena_suite_tmgbench.sample FRAMES SITUATIONS``."""

import sys
from pathlib import Path

from arena_game_two_by_two import casting
from arena_game_two_by_two.composer import character_sets, tell
from arena_game_two_by_two.frames import topics
from arena_game_two_by_two.situations import SHIPPED, library
from arena_game_two_by_two.topology import GAMES

HEAD = """\
# Stories of 2×2 games as they were: a sample

One for each topic of the 720 stories that versions 1 and 2 of the games tell (`arena tmgbench-stories show GAME NUMBER
--version 2` prints any other). They are composed from frames written by hand. Since version 3 stories are
[told from situations](tmgbench-situation-stories.md). Written by `python -m arena_suite_tmgbench.sample`.
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


SITUATIONS_HEAD = """\
# Stories told from situations: one of each

Every situation once, in the first story that seed 0 tells of it, as players read it
(`arena tmgbench-stories show GAME NUMBER` prints any of the 720). [How to write one](tmgbench-situations.md) says what
they are made of. Written by `python -m arena_suite_tmgbench.sample`.
"""


def situations_page() -> str:
    """The first story of each situation, by topic."""
    found: dict[str, tuple[str, int]] = {}
    castings = casting.castings(0)
    for key in sorted(castings):
        found.setdefault(castings[key].situation.name, key)
    parts = [SITUATIONS_HEAD]
    for topic in library(SHIPPED):
        parts.append(f"## {topic.name}\n")
        for situation in topic.situations:
            game, number = found[situation.name]
            head = (
                f"### {situation.title}: {GAMES[game].name} ({game}), story {number}, {castings[game, number].telling}"
            )
            parts.append(f"{head}\n\n```text\n{casting.tell(game, number).scenario}\n```\n")
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write the pages to the two files named in ``arguments``; returns the exit status."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m arena_suite_tmgbench.sample FRAMES SITUATIONS\n")
        return 2
    for name, text in zip(arguments, (page(), situations_page()), strict=True):
        Path(name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
