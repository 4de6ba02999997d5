"""Find out whether rules are enough to play by: a reader says, from text alone, which actions are legal.

    .venv/bin/python plugins/games/openspiel/reading.py --write TEXTS --answers ANSWERS [NAME ...]
    .venv/bin/python plugins/games/openspiel/reading.py --score READINGS --answers ANSWERS

The first command writes a file for chess and for each game with a text in ``library/rules``, or for those named: its
rules and five positions of random matches as a player gets them, without the legal actions. Those are written apart.
A reader gets the texts alone and writes ``READINGS/NAME.json``, such as ``{"1": ["a1b2"], "2": []}``: for each
position the actions that are legal. Where more than 40 are, the text asks which ones of a list are legal.

The second command prints how far each reading agrees with the engine: the legal actions that were named over all that
are legal or were named, or the share of the list that was judged right.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import mean

import attrs
from arena.chance import Chance
from arena.game import Decision, Game, State
from arena.record import Player
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.library.description import TEXTS
from arena_game_openspiel.library.generic import OpenSpiel

POSITIONS = 5
MANY = 40
"""From more legal actions on, a text asks for some of them."""

ASKED = 10
"""So many legal and so many other actions are on the list of such a question, where there are so many."""

MATCHES = 3
"""Random matches whose labels are those that may be on a list."""

EVENTS = 8
"""The most events of the match so far that a text tells."""

LONGEST = 120
"""No position after so many steps is asked about."""

ASK = {
    False: "Which actions are legal for you now? Name all of them, each as the rules write it.",
    True: "Which of these actions are legal for you now? Name those, and no others:",
}


@attrs.frozen
class Question:
    """A position as its player gets it, and the labels of the legal actions."""

    text: str
    legal: tuple[str, ...]
    listed: tuple[str, ...]
    """The actions that are asked about; empty: all legal ones are to be named."""

    def agreement(self, named: Sequence[str]) -> float:
        """How far a reading agrees, from 0 to 1."""
        said, legal = {" ".join(label.split()) for label in named}, set(self.legal)
        if self.listed:
            return mean((label in said) == (label in legal) for label in self.listed)
        return len(said & legal) / len(said | legal)


def games() -> Mapping[str, Game]:
    """The games whose rules are read, by name."""
    names = sorted(file.name.removesuffix(".txt") for file in TEXTS.iterdir() if file.name.endswith(".txt"))
    return {"chess": Chess(), **{name: OpenSpiel(name) for name in names}}


def questions(name: str, game: Game) -> Iterator[Question]:
    """Positions of several random matches, each with more than one legal action."""
    rng = Random(name)
    players = min(game.player_counts())
    labels: dict[Player, set[str]] = {}
    for _ in range(MATCHES):
        for _, player, decision, _ in _walk(game, players, rng):
            labels.setdefault(player, set()).update(option.label for option in decision.options or ())
    for _ in range(POSITIONS):
        yield _question(game, players, rng, labels)


def _walk(game: Game, players: int, rng: Random) -> Iterator[tuple[State, Player, Decision, list[str]]]:
    """The decisions of a random match, with the events that the player to move was told."""
    state, events = game.start(Chance(rng.randrange(1 << 30)), players)
    told = [*events]
    for _ in range(LONGEST):
        acting = state.to_act()
        if not acting:
            return
        step = {}
        for player in acting:
            decision = state.decision(player)
            seen = [event for event in told if event.is_visible(player) and event.kind != "observed"]
            yield state, player, decision, [game.describe_event(event, player) for event in seen[-EVENTS:]]
            step[player] = decision.sample(rng)
        told += state.apply(step)


def _question(game: Game, players: int, rng: Random, labels: Mapping[Player, set[str]]) -> Question:
    while True:
        seed = rng.randrange(1 << 30)
        at = rng.randrange(sum(1 for _ in _walk(game, players, Random(seed))))
        for place, (state, player, decision, told) in enumerate(_walk(game, players, Random(seed))):
            if place == at and decision.options is not None and len(decision.options) > 1:
                return _asked(game, state, player, decision, told, rng, sorted(labels.get(player, ())))


def _asked(
    game: Game, state: State, player: Player, decision: Decision, told: Sequence[str], rng: Random, labels: list[str]
) -> Question:
    assert decision.options is not None
    legal = [option.label for option in decision.options]
    listed: list[str] = []
    if len(legal) > MANY:
        known = [option.action for option in decision.options]
        others = [label for label in labels if decision.interpret(label) not in known]
        listed = rng.sample(legal, ASKED) + rng.sample(others, min(ASKED, len(others)))
        rng.shuffle(listed)
    lines = [game.forms["text"](state.observe(player)), ""]
    lines += ["The last events that you were told:", *(f"- {event}" for event in told), ""] if told else []
    lines += [ASK[bool(listed)], *(f"- {label}" for label in listed)]
    return Question("\n".join(lines), tuple(legal), tuple(listed))


def write(texts: Path, answers: Path, named: Sequence[str] = ()) -> None:
    """Write the texts and, apart from them, the answers; of all games, or of those named."""
    texts.mkdir(parents=True, exist_ok=True)
    answers.mkdir(parents=True, exist_ok=True)
    for name, game in games().items():
        if named and name not in named:
            continue
        asked = [*questions(name, game)]
        parts = [f"Position {place}\n\n{question.text}\n" for place, question in enumerate(asked, 1)]
        (texts / f"{name}.txt").write_text("\n\n".join([game.rules, *parts]), "utf-8")
        made = {place: {"legal": each.legal, "listed": each.listed} for place, each in enumerate(asked, 1)}
        (answers / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")


def score(readings: Path, answers: Path) -> Mapping[str, list[float]]:
    """How far each reading agrees with the engine, by game and position; a position left out agrees in nothing."""
    found: dict[str, list[float]] = {}
    for file in sorted(readings.glob("*.json")):
        read, right = (json.loads(path.read_text("utf-8")) for path in (file, answers / file.name))
        asked = {place: Question("", tuple(each["legal"]), tuple(each["listed"])) for place, each in right.items()}
        found[file.stem] = [
            question.agreement(read[place]) if place in read else 0.0 for place, question in asked.items()
        ]
    return found


def table(readings: Path, answers: Path) -> Iterator[str]:
    """The lines of a table: the agreement of a folder of readings by game, and of all."""
    found = score(readings, answers)
    every = [value for values in found.values() for value in values]
    for name, values in found.items():
        yield f"{mean(values):6.1%}  {name}  {' '.join(f'{value:.2f}' for value in values)}\n"
    exact = sum(value == 1 for value in every)
    yield f"{mean(every):6.1%}  of {len(found)} games, {exact} of {len(every)} positions exact\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", type=Path, metavar="TEXTS")
    parser.add_argument("--score", type=Path, metavar="READINGS")
    parser.add_argument("--answers", type=Path, required=True, metavar="ANSWERS")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    if given.write:
        write(given.write, given.answers, given.names)
    if given.score:
        sys.stdout.writelines(table(given.score, given.answers))
