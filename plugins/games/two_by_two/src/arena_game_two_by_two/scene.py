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
    number = 0
    for is_table, lines in groupby(words.splitlines(), key=lambda line: line.startswith("|")):
        own = list(lines)
        if is_table and len(own) > 2:
            is_matrix = _is_matrix(own)
            yield _matrix(own, number) if is_matrix else _table(own)
            number += is_matrix
        elif text := "\n".join(own).strip("\n"):
            yield arena_scene.SceneText(text=arena_scene.shortened(text))


def _table(lines: Sequence[str]) -> "arena_scene.SceneTable":
    """A table of Markdown; its second line only separates."""
    heads, _, *rows = map(_cells, lines)
    columns = [arena_scene.TableColumn(title=head) for head in heads]
    cells = [(row + [""] * len(heads))[: len(heads)] for row in rows]
    return arena_scene.SceneTable(label="payoffs", columns=columns, rows=[arena_scene.TableRow(cells=r) for r in cells])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _is_matrix(lines: Sequence[str]) -> bool:
    """Whether a table has the choices of both players, and nothing else."""
    rows = [_cells(line) for line in lines]
    names = [row[0] for row in rows[2:]]
    return rows[0][1:] == list(_CHOICES[1]) and names == list(_CHOICES[0]) and all(len(row) == 3 for row in rows[2:])


def _matrix(lines: Sequence[str], number: int) -> "arena_scene.SceneTable":
    """A table of payoffs, whose rows, columns and cells can be touched."""
    heads, _, *rows = map(_cells, lines)
    columns = [arena_scene.TableColumn(title=heads[0])]
    columns += [arena_scene.TableColumn(id=choice_id(number, name), title=name) for name in heads[1:]]
    drawn = [
        arena_scene.TableRow(
            id=choice_id(number, row[0]),
            cells=[
                row[0],
                *(
                    arena_scene.TableCell(id=combination_id(number, row[0], b), text=own)
                    for b, own in zip(heads[1:], row[1:], strict=True)
                ),
            ],
        )
        for row in rows
    ]
    return arena_scene.SceneTable(label="payoffs", columns=columns, rows=drawn)


def choice_id(number: int, choice: str) -> str:
    """The id of a choice in the table of this number, a row of A's or a column of B's."""
    return f"choice-{number}-{choice}"


def combination_id(number: int, a: str, b: str) -> str:
    """The id of a combination of choices in the table of this number."""
    return f"combination-{number}-{a}-{b}"


def matrices(words: str) -> int:
    """How many tables of payoffs a text holds."""
    tables = (list(own) for is_table, own in groupby(words.splitlines(), lambda s: s.startswith("|")) if is_table)
    return sum(len(own) > 2 and _is_matrix(own) for own in tables)


def combination_touches(words: str, questions: int, *, are_together: bool) -> "arena_scene.Touches | None":
    """Cells of the tables as answers, each touched once to name it and again to take it back; ``None`` without them."""
    if matrices(words) != questions:
        return None
    fills = [
        arena_scene.Fill(
            path=(combination_id(number, a, b),),
            label=f"({a}, {b})" + (f" of game {number + 1}" if are_together else ""),
            do=[arena_scene.Add(pointer=f"/{number}" if are_together else "", value=[a, b])],
        )
        for number in range(questions)
        for a in _CHOICES[0]
        for b in _CHOICES[1]
    ]
    say = "Touch every combination that is most possible; none if all are equally possible."
    return arena_scene.Touches(fills=fills, say=say)


def _answers(answers: Sequence[str]) -> "list[arena_scene.SceneTable]":
    if not answers:
        return []
    columns = [arena_scene.TableColumn(title="question", kind="number"), arena_scene.TableColumn(title="answer")]
    rows = [arena_scene.TableRow(cells=[number, own]) for number, own in enumerate(answers, start=1)]
    return [arena_scene.SceneTable(id="answers", caption="answers", columns=columns, rows=rows)]
