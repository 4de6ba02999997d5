"""What a question about 2×2 games looks like: its text with the tables in it drawn as tables, and the answers given."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_two_by_two.matrix import CELLS, Matrix

_CHOICES: Final = (("A1", "A2"), ("B1", "B2"))


def told_scene(title: str, words: str, answers: Iterable[str] = ()) -> Drawing:
    """A text whose lines between bars are tables, and below it what was answered."""
    parts = [*_parts(words), *_answers(list(answers))]
    return Drawing(*arena_scene.Scene(title, arena_scene.shortened(words), *parts).drawn())


def played_scene(matrix: Matrix, view: Any, words: str) -> Drawing:
    """The payoffs, which no observation holds, with the cell that was chosen, and what both earned."""
    pairs = dict(zip(CELLS, matrix, strict=True))
    chosen = None if view["chosen"] is None else tuple(view["chosen"])
    rows = [
        arena_scene.TableRow(
            id=f"row-{r}", cells=[name, *(_payoff(r, c, pairs[r, c], chosen == (name, _CHOICES[1][c])) for c in (0, 1))]
        )
        for r, name in enumerate(_CHOICES[0])
    ]
    columns = [arena_scene.TableColumn(title="A \\ B")]
    columns += [arena_scene.TableColumn(id=f"column-{c}", title=name) for c, name in enumerate(_CHOICES[1])]
    parts: list[Any] = [
        arena_scene.SceneTable(id="payoffs", caption="what A (rows) and B (columns) earn", columns=columns, rows=rows)
    ]
    if view["earned"] is not None:
        meters = [
            arena_scene.Meter(id=f"earned-{n}", label=f"{'AB'[n]} earned", value=own, role=f"player-{n}")
            for n, own in enumerate(view["earned"])
        ]
        parts.append(arena_scene.Meters(id="earned", meters=meters))
    return Drawing(*arena_scene.Scene("A 2×2 game", words, *parts).drawn())


def _payoff(r: int, c: int, pair: Sequence[int], is_chosen: bool) -> "arena_scene.TableCell":
    text = f"{pair[0]} \\ {pair[1]}"
    label = f"{text}, chosen" if is_chosen else text
    return arena_scene.TableCell(id=f"payoff-{r}-{c}", text=text, label=label, role="accent" if is_chosen else "")


def _parts(words: str) -> "Iterator[arena_scene.SceneText | arena_scene.SceneTable]":
    for is_table, lines in groupby(words.splitlines(), key=lambda line: line.startswith("|")):
        own = list(lines)
        if is_table and len(own) > 2:
            yield _table(own)
        elif text := "\n".join(own).strip("\n"):
            yield arena_scene.SceneText(text=arena_scene.shortened(text))


def _table(lines: Sequence[str]) -> "arena_scene.SceneTable":
    """A table of Markdown; its second line only separates."""
    heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    columns = [arena_scene.TableColumn(title=head) for head in heads]
    cells = [(row + [""] * len(heads))[: len(heads)] for row in rows]
    return arena_scene.SceneTable(label="payoffs", columns=columns, rows=[arena_scene.TableRow(cells=r) for r in cells])


def _answers(answers: Sequence[str]) -> "list[arena_scene.SceneTable]":
    if not answers:
        return []
    columns = [arena_scene.TableColumn(title="question", kind="number"), arena_scene.TableColumn(title="answer")]
    rows = [arena_scene.TableRow(cells=[number, own]) for number, own in enumerate(answers, start=1)]
    return [arena_scene.SceneTable(id="answers", caption="answers", columns=columns, rows=rows)]
