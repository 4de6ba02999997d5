"""Plays the matches of random and greedy play that stand beside agents, and writes ``references.json.xz``.

``python plugins/metrics/diplomacy/scripts/make_references.py`` takes some minutes. Equal rules, samplers and agents
give equal matches, on every machine.
"""

import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena_game_diplomacy.game import Diplomacy
from arena_metric_diplomacy.references import FILE, MATCHES, PHASES, ReferenceMatch, key_of, reference_match

TARGET: Final = Path(__file__).parents[1] / "src/arena_metric_diplomacy" / FILE
LAST_YEAR: Final = 1920

GAMES: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"hands": [["FRANCE"]]},
    {"hands": [["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY"], ["ITALY", "RUSSIA", "TURKEY"]], "win_centres": 25},
    {"hands": [["GERMANY", "ITALY"], ["RUSSIA", "TURKEY"], ["AUSTRIA", "ENGLAND", "FRANCE"]], "win_centres": 20},
    {"hands": [["AUSTRIA", "ENGLAND"], ["FRANCE", "GERMANY"], ["ITALY", "TURKEY"], ["RUSSIA"]]},
    {"hands": [["AUSTRIA", "ENGLAND"], ["ITALY", "TURKEY"], ["FRANCE"], ["RUSSIA"], ["GERMANY"]]},
)
"""The hands of the suites, with the centres that win where these are not 18."""


def main() -> None:
    """Play all matches and write the file."""
    made: dict[str, Any] = {}
    for settings in GAMES:
        game = Diplomacy(**settings, negotiation_rounds=0, last_year=LAST_YEAR)
        players = max(game.player_counts())
        made[key_of(game, players)] = {"years": LAST_YEAR - game.begins_in + 1} | {
            who: [ReferenceMatch.of(reference_match(game, players, who, n)).to_json() for n in range(MATCHES)]
            for who in PHASES
        }
    TARGET.write_bytes(lzma.compress(json.dumps(made, separators=(",", ":")).encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
