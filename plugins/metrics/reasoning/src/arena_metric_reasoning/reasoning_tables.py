"""Tables of the types of reasoning."""

from collections.abc import Mapping, Sequence

from arena.tables import Cell, Estimate, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text

from arena_metric_reasoning.move_statistics import Moves, detail
from arena_metric_reasoning.references import FLAGS

Groups = Mapping[tuple[str, str], Moves]


def overview(groups: Groups) -> Table:
    """One row for each agent in each game, with numbers of moves and entropy."""
    columns = (
        *text("game", "agent"),
        *counts("moves", "no reasoning given", "types"),
        *numbers("words", "entropy (bits)", "entropy, Miller-Madow (bits)"),
        *shares("mentions the opponent"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, moves in groups.items():
        spoken = moves.spoken
        head = (*key, len(moves.rows), moves.silent)
        if not spoken.rows:
            lines.append((*head, *[None] * 5))
            continue
        lines.append(
            (
                *head,
                len(set(spoken.labels)),
                moves.mean("words"),
                moves.entropy(is_corrected=False),
                moves.entropy(is_corrected=True),
                spoken.share([detail(row)["opponent"] for row in spoken.rows]),
            )
        )
    note = (
        "Moves are actions that the agent chose itself. Agents that give no reasoning, such as random play, have "
        "nothing in the other columns, which is not 0. The entropy of observed shares is too low by about (types - 1) "
        "/ (2 n ln 2) bits, n being the moves with reasoning; Miller and Madow's estimate adds that."
    )
    return Table(title="Reasoning", columns=columns, rows=tuple(lines), note=note)


def categories(groups: Groups, labels: Sequence[str], title: str = "Types of reasoning") -> Table:
    """The share of each category that occurs in any group."""
    used = {label for moves in groups.values() for label in moves.labels}
    columns = (*text("game", "agent", "type"), *counts("moves"), *shares("of moves with reasoning"))
    lines: list[tuple[Cell, ...]] = [
        (*key, label, moves.labels.count(label), moves.of(label))
        for key, moves in groups.items()
        if moves.labels
        for label in labels
        if label in used
    ]
    return Table(title=title, columns=columns, rows=tuple(lines))


def by_turn(groups: Groups) -> Table:
    """The entropy at each turn of an agent, in bits."""
    columns = (
        *text("game", "agent"),
        *counts("turn", "moves with reasoning", "types"),
        *numbers("entropy (bits)", "entropy, Miller-Madow (bits)", "words"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, moves in groups.items():
        for turn, own in moves.spoken.by_turn().items():
            found = (own.entropy(is_corrected=False), own.entropy(is_corrected=True))
            lines.append((*key, turn + 1, len(own.rows), len(set(own.labels)), *found, own.mean("words")))
    note = "Turns are the agent's own, counted from 1. Late turns come up in long matches alone."
    return Table(title="Reasoning by turn", columns=columns, rows=tuple(lines), note=note)


def references(groups: Groups, unchecked: Mapping[tuple[str, str], int]) -> Table:
    """How often reasoning refers to things that do not exist or claims what is not so."""
    columns = (
        *text("game", "agent"),
        *counts("moves checked", "not checked", "with a reference"),
        *shares("any flag", *FLAGS),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, moves in groups.items():
        own = Moves([row for row in moves.rows if row.value], moves.level)
        flagged: list[Estimate] = [own.share([bool(detail(row)["flags"]) for row in own.rows])]
        flagged += [own.share([flag in detail(row)["flags"] for row in own.rows]) for flag in FLAGS]
        lines.append((*key, len(moves.rows), unchecked.get(key, 0), len(own.rows), *flagged))
    note = (
        "Shares are of the moves whose reasoning names at least one cell, card or action, held against what the player "
        "saw. Not checked: the game is not here, does not do again what was recorded, or has no labels."
    )
    return Table(title="References to what is not there", columns=columns, rows=tuple(lines), note=note)


def examples(groups: Groups, most: int) -> Table:
    """The words that were flagged, the most frequent first, at most ``most`` of them."""
    columns = (*text("game", "agent", "flag", "words"), *counts("moves"))
    lines: list[tuple[Cell, ...]] = []
    for key, moves in groups.items():
        found: dict[tuple[str, str], int] = {}
        for row in moves.rows:
            for flag, words in detail(row)["flags"].items():
                for word in {" ".join(word.lower().split()) for word in words}:
                    found[flag, word] = found.get((flag, word), 0) + 1
        ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:most]
        lines += [(*key, flag, word, count) for (flag, word), count in ranked]
    return Table(title="What was flagged", columns=columns, rows=tuple(lines))


def coherence(groups: Groups) -> Table:
    """How often the action follows from the reasoning, by game and agent."""
    columns = (
        *text("game", "agent"),
        *counts("names an action"),
        *shares("names the action played last"),
        *counts("says what to play"),
        *shares("plays what it says"),
        *counts("with a reference"),
        *shares("contradicts itself"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, moves in groups.items():
        cells: list[Cell] = []
        for name in ("last", "intended"):
            own = Moves([row for row in moves.rows if detail(row)[name] is not None], moves.level)
            cells += [len(own.rows), own.share([detail(row)[name] for row in own.rows])]
        own = Moves([row for row in moves.rows if row.value], moves.level)
        cells += [len(own.rows), own.share([detail(row)["contradicts"] for row in own.rows])]
        lines.append((*key, *cells))
    note = (
        "Each share is of the moves counted before it. Heuristics, from words alone: an action may follow from "
        "reasoning that names no action."
    )
    return Table(title="Does the action follow?", columns=columns, rows=tuple(lines), note=note)
