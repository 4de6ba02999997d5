"""What models are told is what the engine holds: boards, cards, pots, payoffs, legal actions, history, who moves.

Matches are played at random through the real agent, in every form and kind of prompt; afterwards each prompt in the
journal is read back and compared with the engine's own strings and numbers for that position. The fast tests look at
the beginning of one match of each kind, and not of every game; the campaign looks at three longer ones, of all games.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import arena
import attrs
import pytest
from arena.catalog import Catalog
from arena.turns import positions
from arena_engine import Journal, build_benchmark

pytestmark = pytest.mark.xdist_group("prompt-truth")  # one process: what all tests here share takes long to make

GAMES: Mapping[str, Any] = {
    "tic-tac-toe": {"use": "tic-tac-toe"},
    "connect-four": {"use": "connect-four"},
    "hex": {"use": "hex", "rows": 4, "columns": 5},
    "go": {"use": "go", "size": 5},
    "chess": {"use": "chess"},
    "backgammon": {"use": "backgammon"},
    "kuhn-poker": {"use": "kuhn-poker"},
    "kuhn-poker-of-three": {"use": "kuhn-poker", "players": 3},
    "leduc-poker": {"use": "leduc-poker"},
    "liars-dice": {"use": "liars-dice", "dice": 2},
    "hanabi": {"use": "hanabi", "players": 3},
    "matrix-rps": {"use": "matrix-rps"},
    "matching-pennies": {"use": "matching-pennies"},
    "matrix-pd": {"use": "matrix-pd"},
    "known-end": {"use": "matrix-pd", "rounds": 4},
    "open-end": {"use": "matrix-pd", "rounds": 50, "continues": 0.7},
    "matrix": {
        "use": "matrix", "rows": ["enter", "stay out"], "columns": ["fight", "yield", "bribe"],
        "payoffs": [[[-1, 0], [2, 1], [1, 1.5]], [[0, 3], [0, 3], [0, 2]]], "roles": ["entrant", "incumbent"],
        "rounds": 3,
    },
    "nine-mens-morris": {"use": "nine-mens-morris"},
    "oware": {"use": "oware"},
    "breakthrough": {"use": "breakthrough", "rows": 6, "columns": 5},
    "pentago": {"use": "pentago"},
    "dots-and-boxes": {"use": "dots-and-boxes"},
    "goofspiel": {"use": "goofspiel", "cards": 5},
    "first-price-auction": {"use": "first-price-auction", "players": 3},
    "nim": {"use": "openspiel-nim"},
    "blackjack": {"use": "blackjack"},
    "blotto": {"use": "blotto", "coins": 4},
    "bargaining": {"use": "bargaining"},
    "gin-rummy": {"use": "gin-rummy"},
}  # fmt: skip
SLOW = (
    *("nine-mens-morris", "breakthrough", "pentago", "dots-and-boxes"),
    *("goofspiel", "nim", "bargaining", "gin-rummy"),
)
BOARDS = ("tic-tac-toe", "connect-four", "hex", "go", "chess")
PROMPTS: Mapping[str, Any] = {
    "reasoned": {"style": "chain-of-thought"},
    "by-number": {"style": "board-game-arena"},
    "bare": {"style": "direct", "history": "none"},
    "dialogue": {"style": "direct", "history": "transcript", "list-actions": False},
}
DRAWN: Mapping[str, Any] = {
    "listed": {"style": "direct", "form": "list", "history": "none"},
    "drawn": {"style": "board-game-arena", "form": "illustration"},
}
COLOURS = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}


@attrs.frozen(kw_only=True)
class Asked:
    """One prompt, and the position it was written for."""

    game: str
    prompt: str
    system: str
    user: str
    labels: tuple[str, ...]
    actions: tuple[int, ...]
    attempt: int
    player: int
    seat: str
    engine: Any
    rules: Any

    @property
    def seen(self) -> str:
        """The part that shows the position."""
        return self.user.rpartition("What you see now:\n")[2]


def _prompts(directory, games, prompts, *, repeats, steps) -> Iterator[Asked]:
    agents = {
        name: {
            "use": "llm",
            "backend": {"use": "scripted", "faults": [{"kind": "not-json", "share": 0.3 / repeats}]},
            "prompt": p,
        }
        for name, p in prompts.items()
    }
    bench = {
        "name": "truth", "games": {name: GAMES[name] for name in games}, "agents": agents, "metrics": [],
        "schedule": {"use": "self-play", "repeats": repeats}, "limits": {"max-steps": steps},
        "illegal-actions": {"retries": 8, "then": "forfeit"},
    }  # fmt: skip
    benchmark = build_benchmark(bench, Catalog())
    run = arena.run(benchmark, output=directory)
    assert run.outcome.exit_status == 0
    with Journal.open(run.directory) as journal:
        for record in journal.records():
            requests = {a.scope: json.loads(a.request) for a in journal.answers(record.id)}
            answers = {tuple(map(int, scope.split("/")[:3])): request for scope, request in requests.items()}
            game = benchmark.games[record.game].game
            yield from _of_match(game, record, answers)


def _of_match(game, record, answers) -> Iterator[Asked]:
    asked: Counter[int] = Counter()
    seats = game.seats(len(record.agents))
    for position in positions(game, record):
        for player in position.state.to_act():
            options = position.state.decision(player).options
            attempt = 0
            while request := answers.get((player, asked[player], attempt)):
                system, *_, user = ("".join(message["parts"]) for message in request["messages"])
                yield Asked(
                    game=record.game, prompt=record.agents[player], system=system, user=user,
                    labels=tuple(option.label for option in options), actions=tuple(options.actions), attempt=attempt,
                    player=player, seat=seats[player], engine=position.state.engine.clone(), rules=game,
                )  # fmt: skip
                attempt += 1
            asked[player] += 1


@pytest.fixture(scope="module")
def asked(tmp_path_factory) -> Callable[[bool], list[Asked]]:
    """Gives every prompt of every match, of those of the fast tests or of those of the campaign."""

    @cache
    def play(is_slow: bool) -> list[Asked]:
        folder = tmp_path_factory.mktemp("runs")
        games = [name for name in GAMES if is_slow or name not in SLOW]
        size = {"repeats": 3, "steps": 24} if is_slow else {"repeats": 1, "steps": 12}
        drawn = _prompts(folder / "boards", BOARDS, DRAWN, **size)
        return [*_prompts(folder / "all", games, PROMPTS, **size), *drawn]

    return play


@pytest.fixture(
    params=[
        *(pytest.param((name, False), id=name) for name in GAMES if name not in SLOW),
        *(pytest.param((name, True), id=f"{name}-thrice", marks=pytest.mark.campaign) for name in GAMES),
    ]
)
def prompts(request, asked) -> list[Asked]:
    """The prompts of one game."""
    game, is_slow = request.param
    return [each for each in asked(is_slow) if each.game == game]


def test_every_branch_was_rendered(prompts):
    """Each game was asked about in every kind of prompt, from every seat, after refusals too."""
    kinds = {**PROMPTS, **(DRAWN if prompts[0].game in BOARDS else {})}

    assert {each.prompt for each in prompts} == set(kinds)
    assert {each.player for each in prompts} == set(range(prompts[0].engine.num_players()))
    assert {each.attempt > 0 for each in prompts} == {False, True}


def engines(game: str, player: int) -> int:
    """The number that a player has in the engine: there White, who begins at chess, is player 1."""
    return 1 - player if game == "chess" else player


@pytest.mark.sample(fast=2, slow=5)
def test_rules_and_roles(prompts):
    """Every prompt begins with the game's rules and ends its system message with the player's own seat."""
    for each in prompts:
        assert each.rules.rules in each.system
        assert each.system.endswith(f" {each.seat}.")


def test_refusals_are_told(prompts):
    """Exactly the prompts of later tries say that earlier ones were refused."""
    for each in prompts:
        told = "refused" in each.user or "could not be played" in each.user
        assert told is (each.attempt > 0)


def test_who_moves(prompts):
    """Where a prompt says whose turn it is, it is the engine's player."""
    for each in prompts:
        if each.engine.is_simultaneous_node():
            assert "Everybody moves at the same time." in each.user
        else:
            assert each.engine.current_player() == engines(each.game, each.player)
            said = re.findall(r"You are (.+?)\. It is your turn\.", each.user)
            assert said == [each.seat] or (each.prompt == "by-number" and "private" in each.rules.forms)
        assert "is to move" not in each.user


@pytest.mark.sample(fast=5)
def test_legal_actions(prompts):
    """The actions listed are the engine's legal ones, each once, in words of their own that mean what it does."""
    meaning = MEANINGS.get(prompts[0].game, _own_words)
    for each in prompts:
        assert list(each.actions) == each.engine.legal_actions(engines(each.game, each.player))
        if each.prompt == "dialogue":
            assert all(f"- {label}\n" not in each.user for label in each.labels)
            continue
        is_numbered = PROMPTS.get(each.prompt, DRAWN.get(each.prompt))["style"] == "board-game-arena"
        mark = "{}: {}" if is_numbered else "- {1}"
        block = "\n".join(map(mark.format, each.actions, each.labels))
        assert f"egal actions:\n{block}\n\n" in each.user
        assert len(set(each.labels)) == len(each.labels)
        for action, label in zip(each.actions, each.labels, strict=True):
            assert re.search("[a-z]", label, re.IGNORECASE) or "/" in label
            meaning(each, action, label)


def test_what_is_seen(prompts):
    """Boards, cards, dice, pots and payoffs are the engine's."""
    look = SIGHTS.get(prompts[0].game, _sees_payoffs)
    for each in prompts:
        look(each)


def test_history_is_complete(prompts):
    """Where the history is told, every move so far is in it, in order, and nothing else is."""
    for each in prompts:
        if each.prompt not in ("reasoned", "by-number", "drawn"):
            continue
        moves = [step for step in each.engine.full_history() if step.player >= 0]
        seats = each.rules.seats(each.engine.num_players())
        is_record = "record" in each.rules.forms and each.prompt == "by-number"
        past = each.user.partition("What you see")[0]
        if each.game in ("goofspiel", "blotto"):
            assert len(re.findall(r"^Round \d+, prize \d+: ", past, re.MULTILINE)) == len(each.engine.history()) // 3
        elif each.game == "first-price-auction":
            assert re.findall(r"^(player \d) has bid$", past, re.MULTILINE) == [seats[step.player] for step in moves]
        elif each.engine.get_game().get_type().dynamics.name == "SIMULTANEOUS":
            told = re.findall(
                r"^(?:round (\d+): )?(\S.*) chose .* and earns .*; ", each.user.split("What you see")[0], re.M
            )
            assert len(told) == len(each.engine.history()) // 2
        elif not is_record:
            told = re.findall(rf"^({'|'.join(seats)}): ", each.user.partition("What you see")[0], re.MULTILINE)
            assert told == [seats[engines(each.game, step.player)] for step in moves]
        else:
            told = re.findall(rf"({'|'.join(seats)}): ", each.user.partition("Legal actions")[0])
            assert told == [seats[step.player] for step in moves]


def _own_words(each: Asked, action: int, label: str) -> None:
    assert each.engine.action_to_string(each.player, action) == label


def _cell(each: Asked, action: int, label: str) -> None:
    row, column = re.fullmatch(r".\((\d),(\d)\)", each.engine.action_to_string(each.player, action)).groups()
    assert label == f"row {int(row) + 1}, column {int(column) + 1}"


def _column(each: Asked, action: int, label: str) -> None:
    assert label == f"column {'ABCDEFG'[int(each.engine.action_to_string(each.player, action)[1:])]}"


def _point(each: Asked, action: int, label: str) -> None:
    assert label.upper() == each.engine.action_to_string(each.player, action).split()[-1].upper()


def _chess_move(each: Asked, action: int, label: str) -> None:
    assert each.engine.parse_move_to_action(label) == action


def _kuhn_bet(each: Asked, action: int, label: str) -> None:
    has_bet = "b" in str(each.engine)
    assert label == (("fold", "call 1 chip") if has_bet else ("check", "bet 1 chip"))[action]


def _leduc_bet(each: Asked, action: int, label: str) -> None:
    after = each.engine.child(action)
    paid = 0 if action == 0 or after.is_terminal() else each.engine.money()[each.player] - after.money()[each.player]
    words = {0: ("fold",), 1: ("check", "call"), 2: ("bet", "raise")}[action]
    assert label.split()[0] in words
    if not after.is_terminal() and action:
        assert paid == (0 if label == "check" else int(re.findall(r"\d+", label)[-1]))


def _bid(each: Asked, action: int, label: str) -> None:
    quantity, _, face = each.engine.action_to_string(each.player, action).partition("-")
    assert label == (f"bid {quantity} x face {face}" if face else "call liar")


def _hanabi_move(each: Asked, action: int, label: str) -> None:
    words = each.engine.action_to_string(each.player, action).strip("()").split()
    if words[0] in ("Play", "Discard"):
        assert label == f"{words[0].lower()} card {'ABCDE'[int(words[1])]}"
        return
    target = (each.player + int(words[2])) % each.engine.num_players() + 1
    what = f"{COLOURS[words[4]]} cards" if words[3] == "color" else f"cards of rank {words[4]}"
    assert label == f"tell player {target} its {what}"


def _backgammon_move(each: Asked, action: int, label: str) -> None:
    """The label, played by hand on the engine's board, gives the engine's next board."""

    def place(state, who: int, point: int) -> int:
        # the engine counts from 0 in the direction in which its second player moves; 25 is the bar
        return state.board(who, 100 if point == 25 else 24 - point if each.player == 0 else point - 1)

    points = range(1, 26)
    own = {point: place(each.engine, each.player, point) for point in points}
    other = {point: place(each.engine, 1 - each.player, point) for point in points}
    for move in () if label == "pass" else label.split(", "):
        start, end = re.sub(r"\*| with \d", "", move).split("/")
        own[25 if start == "bar" else int(start)] -= 1
        if end != "off":
            own[int(end)] += 1
            if "*" in move:
                other[int(end)], other[25] = other[int(end)] - 1, other[25] + 1
    after = each.engine.child(action)
    assert own == {point: place(after, each.player, point) for point in points}
    assert other == {point: place(after, 1 - each.player, point) for point in points}


def _morris_move(each: Asked, action: int, label: str) -> None:
    """The label, done by hand on the engine's board, gives the engine's next board."""
    states = (each.engine, each.engine.child(action))
    before, after = (dict(zip(_morris_points(), _engines_morris(state), strict=True)) for state in states)
    own = "WB"[each.player]
    if label.startswith("take "):
        assert before.pop(label[5:]) == "BW"[each.player]
        before[label[5:]] = "."
    else:
        start, end = (None, label[4:]) if label.startswith("put ") else label.split("-")
        assert before[end] == "."
        if start:
            assert before[start] == own
            before[start] = "."
        before[end] = own
    assert before == after


def _morris_points() -> list[str]:
    """The points from the top left to the bottom right, by where they are drawn."""
    rows = {"7": "adg", "6": "bdf", "5": "cde", "4": "abcefg", "3": "cde", "2": "bdf", "1": "adg"}
    return [f"{file}{rank}" for rank, files in rows.items() for file in files]


def _engines_morris(engine: Any) -> list[str]:
    return re.findall(r"[.WB]", str(engine).partition("\n\n")[0])


def _house(each: Asked, action: int, label: str) -> None:
    letter = each.engine.action_to_string(each.player, action)
    assert label == f"house {letter if each.player == 0 else 'GHIJKL'['abcdef'.index(letter)]}"


def _step(each: Asked, action: int, label: str) -> None:
    said = each.engine.action_to_string(each.player, action)
    assert label.replace("-", "").replace("x", "") == said.rstrip("*")
    assert ("x" in label) is said.endswith("*")


def _turn(each: Asked, action: int, label: str) -> None:
    """The arrows on the engine's drawing: at the top and bottom to the right or left, at the sides up or down."""
    said = each.engine.action_to_string(each.player, action)
    ways = {
        "s": "top left counterclockwise", "t": "top left clockwise", "u": "top right counterclockwise",
        "v": "top right clockwise", "w": "bottom right counterclockwise", "x": "bottom right clockwise",
        "y": "bottom left counterclockwise", "z": "bottom left clockwise",
    }  # fmt: skip
    assert label == f"{said[:2]}, turn {ways[said[2]]}"


def _side(each: Asked, action: int, label: str) -> None:
    way, row, column = re.fullmatch(
        r"P\d\((\w),(\d),(\d)\)", each.engine.action_to_string(each.player, action)
    ).groups()
    r, c = int(row), int(column)
    assert label == f"{'abcd'[c]}{r + 1}-" + (f"{'abcd'[c + 1]}{r + 1}" if way == "h" else f"{'abcd'[c]}{r + 2}")


def _prize_bid(each: Asked, action: int, label: str) -> None:
    number = int(each.engine.action_to_string(each.player, action).partition("Bid: ")[2])
    assert label == f"card {'ABCDE'[number - 1]}"


def _money_bid(each: Asked, action: int, label: str) -> None:
    assert label == f"bid {int(each.engine.action_to_string(each.player, action).split()[-1])}"


def _take(each: Asked, action: int, label: str) -> None:
    pile, take = re.findall(r"\d+", each.engine.action_to_string(each.player, action))
    assert label == f"take {take} from heap {'ABCD'[int(pile) - 1]}"


def _hit(each: Asked, action: int, label: str) -> None:
    assert label == each.engine.action_to_string(each.player, action).lower()


def _coins(each: Asked, action: int, label: str) -> None:
    placed = json.loads(each.engine.action_to_string(each.player, action))
    assert label == ", ".join(f"{name} {many}" for name, many in zip("ABC", placed, strict=True))


def _share(each: Asked, action: int, label: str) -> None:
    said = each.engine.action_to_string(each.player, action)
    kept = re.findall(r"\d+", said)
    assert re.findall(r"\d+", label) == kept
    assert label.startswith("keep ") if kept else (label, said) == ("accept", "Agree")


def _rummy(each: Asked, action: int, label: str) -> None:
    said = each.engine.action_to_string(each.player, action).partition("Action: ")[2]
    cards = [card.replace("T", "10") for card in re.findall(r"[A2-9TJQK][scdh]", said)]
    if cards:
        assert set(label.replace("discard ", "").replace("lay off ", "").replace("lay meld ", "").split()) == set(cards)
        return
    assert label.startswith(
        {"Draw upcard": "draw the upcard ", "Draw stock": "draw from the", "Pass": ("pass", "finish")}.get(
            said, "knock"
        )
    )


MEANINGS: Mapping[str, Callable[[Asked, int, str], None]] = {
    "tic-tac-toe": _cell, "connect-four": _column, "hex": _point, "go": _point, "chess": _chess_move,
    "backgammon": _backgammon_move, "kuhn-poker": _kuhn_bet, "kuhn-poker-of-three": _kuhn_bet,
    "leduc-poker": _leduc_bet, "liars-dice": _bid, "hanabi": _hanabi_move, "nine-mens-morris": _morris_move,
    "oware": _house, "breakthrough": _step, "pentago": _turn, "dots-and-boxes": _side,
    "goofspiel": _prize_bid, "first-price-auction": _money_bid, "nim": _take, "blackjack": _hit, "blotto": _coins,
    "bargaining": _share, "gin-rummy": _rummy,
}  # fmt: skip

Stones = set[tuple[str, str, str]]
"""What stands on a board: column, row and piece."""


def _engines_stones(each: Asked) -> Stones:
    text = str(each.engine)
    if each.game == "chess":
        text = re.sub(r"\d", lambda digit: "." * int(digit[0]), text.split()[0]).replace("/", "\n")
    elif each.game == "go":
        text = re.sub(r" *\d+ ", "", text.partition("\n\n")[2].rpartition("\n   ")[0]).replace("+", ".")
    rows = [line.replace(" ", "") for line in text.strip("\n").split("\n")]
    columns = {"tic-tac-toe": "123", "connect-four": "ABCDEFG", "hex": "abcde", "go": "ABCDE", "chess": "abcdefgh"}
    is_upward = each.game in ("connect-four", "go", "chess")
    return {
        (column, str(len(rows) - r if is_upward else r + 1), cell if each.game == "chess" else cell.upper())
        for r, row in enumerate(rows)
        for column, cell in zip(columns[each.game], row, strict=True)
        if cell != "."
    }


def _drawn_stones(text: str) -> Stones:
    rows = re.findall(r"^ *(\w+)  ((?:\S )*\S)$", text, re.MULTILINE)
    (header,) = {tuple(line.split()) for line in text.split("\n") if re.fullmatch(r" +\w( \w)+", line)}
    return {
        (column, row, cell)
        for row, cells in rows
        for column, cell in zip(header, cells.split(), strict=True)
        if cell != "."
    }


def _listed_stones(each: Asked) -> Stones:
    pieces = {"White": str.upper, "Black": str.lower}
    names = {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"}
    found: Stones = set()
    for side, said in re.findall(r"^(X|O|Black|White): (.*)$", each.seen, re.MULTILINE):
        if each.game == "chess":
            for kind, *squares in map(str.split, said.split(", ")):
                found |= {(square[0], square[1], pieces[side](names[kind])) for square in squares}
        elif each.game == "tic-tac-toe":
            found |= {(column, row, side) for row, column in re.findall(r"row (\d), column (\d)", said)}
        else:
            mark = {"Black": "X", "White": "O"}.get(side, side)
            found |= {(column, row, mark) for column, row in re.findall(r"\b([A-Ja-j])(\d+)\b", said)}
    return found


def _text_stones(each: Asked) -> Stones:
    if each.game == "tic-tac-toe":
        rows = re.findall(r"^Row (\d): (.*)$", each.seen, re.MULTILINE)
        return {(str(c), row, cell) for row, cells in rows for c, cell in enumerate(cells.split(), 1) if cell != "."}
    if each.game == "connect-four":
        columns = re.findall(r"^Column (\w): (.*)$", each.seen, re.MULTILINE)
        return {
            (c, str(r), disc) for c, discs in columns for r, disc in enumerate(discs.split(), 1) if discs != "empty"
        }
    return _listed_stones(each) if each.game == "chess" else _drawn_stones(each.seen)


def _sees_board(each: Asked) -> None:
    position = each.seen.partition("\n\n")[0]
    shown = attrs.evolve(each, user=position)
    stones = {"listed": _listed_stones, "drawn": lambda e: _drawn_stones(e.seen)}.get(each.prompt, _text_stones)(shown)
    assert stones == _engines_stones(each)
    if each.game == "chess" and "FEN" in position:
        assert f"FEN: {each.engine}\n" in position


def _sees_backgammon(each: Asked) -> None:
    engine, bar = each.engine, 100
    for side, seat in enumerate(("X", "O")):
        told = re.search(rf"^{seat}: (.*); (\d+) on the bar, (\d+) borne off$", each.seen, re.MULTILINE)
        points = {int(point): int(count) for count, point in re.findall(r"(\d+) on (\d+)", told[1])}
        theirs = {
            (24 - place if each.player == 0 else place + 1): engine.board(side, place)
            for place in range(24)
            if engine.board(side, place)
        }
        assert points == theirs
        assert int(told[2]) == engine.board(side, bar)
        assert int(told[3]) == 15 - sum(theirs.values()) - engine.board(side, bar)
    dice = re.search(r"Dice: (\d)(\d)", str(engine))
    assert f"The dice show {dice[1]} and {dice[2]}" in each.seen


def _sees_table(each: Asked, card: str, public: str | None, paid: list[int]) -> None:
    """One's own card, and the pot, and no card of anybody else."""
    assert set(re.findall(r"(?:You hold|private card:) (\w+)", each.user)) == {card}
    names = each.rules.seats(len(paid))
    told = ", ".join(f"{name} paid {chips}" for name, chips in zip(names, paid, strict=True))
    assert f"The pot holds {sum(paid)} chips ({told})." in each.user
    assert re.findall(r"You are dealt (\w+)", each.user) in ([], [card])
    assert re.findall(r"\w+ (?:is dealt|shows) ", each.user) == []
    if public is not None:
        assert f"The public card is {public}. " in each.user


def _sees_kuhn(each: Asked) -> None:
    players = each.engine.num_players()
    dealt = str(each.engine).split()
    cards, bets = dealt[:players], "".join(dealt[players:])
    ranks = ["10", "J", "Q", "K"][-players - 1 :]
    paid = [1 + ("b" in bets[player::players]) for player in range(players)]
    _sees_table(each, ranks[int(cards[each.player])], None, paid)


def _sees_leduc(each: Asked) -> None:
    text = str(each.engine)
    money = list(map(int, re.search(r"Money .*: (.*)", text)[1].split()))
    public, *cards = map(int, re.search(r"Cards .*: (.*)", text)[1].split())
    ranks = ("J", "Q", "K")
    shown = ranks[public // 2] if public >= 0 else "not dealt yet"
    _sees_table(each, ranks[cards[each.player] // 2], shown, [100 - left for left in money])
    assert sum(100 - left for left in money) == int(re.search(r"Pot: (\d+)", text)[1])
    assert f"This is round {re.search(r'Round: (.)', text)[1]}." in each.user


def _sees_dice(each: Asked) -> None:
    first, second, *bids = str(each.engine).split()
    own = " ".join((first, second)[each.player])
    assert f"You have rolled {own}." in each.user or f"only you see: {own}\n" in each.user
    told = re.findall(r"player \d: bid (\d+) x face (\d)", each.user.rpartition("Bids so far:")[2].partition("\n")[0])
    assert ["-".join(bid) for bid in told] == bids
    assert "shows" not in each.user


def _sees_hands(each: Asked) -> None:
    players = each.engine.num_players()
    text = each.engine.observation_string(each.player)
    head, _, rest = text.partition("Hands:\n")
    hands = rest.partition("Deck size")[0].replace("Cur player\n", "").split("-----\n")
    life, tokens = re.search(r"Life tokens: (\d)", head)[1], re.search(r"Info tokens: (\d)", head)[1]
    deck = re.search(r"Deck size: (\d+)", rest)[1]
    assert f"Hint tokens: {tokens}. Lives: {life}. Cards in the deck: {deck}." in each.seen
    heights = re.findall(r"([RYGWB])(\d)", head.partition("Fireworks:")[2])
    assert "Fireworks: " + ", ".join(f"{COLOURS[c]} {height}" for c, height in heights) in each.seen
    for offset, hand in enumerate(hands):
        owner = (each.player + offset) % players + 1
        shown = each.seen.partition(f"Hand of player {owner}")[2].partition("\n")[2]
        lines = [line for line in hand.splitlines() if line]
        for letter, line, said in zip("ABCDE", lines, shown.splitlines()[: len(lines)], strict=False):
            face, known = line.split(" || ")[0], line.rpartition("|")[2]
            card = "hidden from you" if face == "XX" else f"{COLOURS[face[0]]} {face[1]}"
            colours = " ".join(COLOURS[mark] for mark in known if mark in COLOURS)
            ranks = " ".join(mark for mark in known if mark.isdigit())
            assert said == f"  {letter}: {card} (its holder knows: {colours}; {ranks})"


def _sees_morris(each: Asked) -> None:
    text, seen = str(each.engine), each.seen
    rows = re.findall(r"^\d  (.*)$", seen, re.MULTILINE)
    drawn = [row.replace("-", " ").replace("|", " ").split() for row in rows]
    assert [cell for row in drawn for cell in row] == _engines_morris(each.engine)
    hands = re.search(r"deploy: (\d) (\d)", text).groups()
    assert tuple(re.findall(r"(\d) in hand", seen)) == hands
    assert f"Turns so far: {re.search(r'number: (.*)', text)[1]} of 200." in seen
    assert ("has completed a mill" in seen) is ("Capture time" in text)


def _sees_houses(each: Asked) -> None:
    north, south = (row.split() for row in re.findall(r"^[ \d]+$", str(each.engine), re.MULTILINE))
    assert dict(re.findall(r"\b([A-L]) +(\d+)", each.seen)) == dict(
        zip("ABCDEFGHIJKL", [*south, *north[::-1]], strict=True)
    )
    scores = [re.search(rf"Player {number} score = (\d+)", str(each.engine))[1] for number in (0, 1)]
    assert f"Seeds captured: South {scores[0]}, North {scores[1]}." in each.seen


def _sees_men(each: Asked) -> None:
    lines = str(each.engine).split("\n")[:6]
    theirs = {
        (c, line[0], cell.upper()) for line in lines for c, cell in zip("abcde", line[1:], strict=True) if cell != "."
    }
    assert _drawn_stones(each.seen.partition("\nB is")[0]) == theirs


def _sees_stones(each: Asked) -> None:
    lines = [line for line in str(each.engine).split("\n") if line[2:3].isdigit()]
    marks = {"O": "X", "@": "O"}
    theirs = {
        (c, line[2], marks[cell])
        for line in lines
        for c, cell in zip("abcdef", line[4:16].split(), strict=True)
        if cell != "."
    }
    assert _drawn_stones(each.seen.partition("\nYou are")[0]) == theirs


def _sees_boxes(each: Asked) -> None:
    theirs = str(each.engine).translate(str.maketrans("┌┬┐├┼┤└┴┘─│╴╶", "+++++++++-|  ")).rstrip().split("\n")
    drawn = each.seen.partition("\nBoxes:")[0].split("\n")
    assert [line[3:].rstrip() for line in drawn[1:]] == [line.rstrip() for line in theirs]
    assert drawn[0].split() == [*"abcd"]
    assert [line[0] for line in drawn[1::2]] == [*"1234"]


def _sees_payoffs(each: Asked) -> None:
    """All payoffs are told, and what each round so far has paid."""
    once = each.rules.engine(2) if each.rules.rounds == 1 else None
    seats, (first, second) = each.rules.seats(2), each.rules.choices
    for a, one in enumerate(first):
        for b, two in enumerate(second):
            x, y = each.rules.payoffs[a][b]
            if once is not None:
                assert (once.row_utility(a, b), once.col_utility(a, b)) == (x, y)
            line = f"{seats[0]} chooses {one}, {seats[1]} chooses {two}: {seats[0]} earns {x:g}, {seats[1]} earns {y:g}"
            assert line in each.system
    if each.rules.rounds > 1:
        returns = each.engine.returns()
        assert f"Earned so far: {seats[0]} {returns[0]:g}, {seats[1]} {returns[1]:g}." in each.seen
        assert f"This is round {len(each.engine.history()) // 2 + 1}" in each.seen


def _sees_prizes(each: Asked) -> None:
    text = str(each.engine)
    for number in (1, 2):
        hand = re.search(rf"P{number - 1} hand: (.*)", text)[1].split()
        assert f"Cards of player {number}: {' '.join('ABCDE'[int(card) - 1] for card in hand)}." in each.seen
    points = re.search(r"Points: (\d+) (\d+)", text)
    assert f"Points: player 1 has {points[1]}, player 2 has {points[2]}." in each.seen
    prize = re.search(r"Point card sequence: (.*)", text)[1].split()[-1]
    assert f"the prize is worth {prize} point" in each.seen


def _sees_worth(each: Asked) -> None:
    """What the thing is worth to oneself, and to nobody else."""
    values = [step.action for step in each.engine.full_history() if step.player < 0]
    assert re.findall(r"worth (\d+) to (.*?)\.?$", each.seen, re.MULTILINE) == [(str(values[each.player]), "you")]
    assert re.findall(r"has bid \d", each.user) == []


def _sees_heaps(each: Asked) -> None:
    left = str(each.engine).partition(": ")[2].split()
    assert re.findall(r"\b[A-D] has (\d+)", each.seen) == left


def _sees_dealt_cards(each: Asked) -> None:
    """One's own cards and the dealer's second one; the hidden one is nowhere."""
    own, dealers = (
        [f"{card[1:].replace('T', '10')}{card[0].lower()}" for card in cards.split()]
        for cards in re.findall(r"Cards: (.*)", str(each.engine))
    )
    assert f"Your cards: {' '.join(own)}, total {each.engine.get_best_player_total(0)}." in each.seen
    assert f"The dealer's cards: (hidden) {dealers[1]}." in each.seen
    assert not re.search(rf"\b{dealers[0]}\b", each.user)


def _sees_nothing_placed(each: Asked) -> None:
    assert "Everybody places 4 coins on the fields A, B, C.\nNobody's choice is known yet." in each.seen


def _sees_things(each: Asked) -> None:
    """The things, what they are worth to oneself, and all offers."""
    text = str(each.engine)
    pool, *values = (re.findall(r"\d+", line.partition(":")[2]) for line in text.split("\n")[:3])
    assert re.findall(r"\d+", re.search(r"There (?:are|is) (.*)", each.seen)[1]) == pool
    assert [re.findall(r"\d+", line) for line in re.findall(r"^To .*", each.seen, re.MULTILINE)] == [
        values[each.player]
    ]
    told = [
        line[:1] + re.findall(r"\d+", line[1]) for line in map(list, re.findall(r"player (\d) keeps (.*)", each.seen))
    ]
    offers = re.findall(r"P(\d) offers: (.*)", text)
    assert told == [[str(int(by) + 1), *re.findall(r"\d+", what)] for by, what in offers]


def _sees_rummy(each: Asked) -> None:
    """One's own hand, the upcard, the stock and the discards; no card of the other player that was not taken openly."""
    text, other = str(each.engine), 1 - each.player
    hands = [
        [card.replace("T", "10") for card in re.findall(r"[A2-9TJQK][scdh]", part)]
        for part in re.findall(r"\+-+\+\n(.*?)\+-+\+", text, re.DOTALL)
    ]
    assert re.search(r"You hold (.*);", each.seen)[1].split() == hands[each.player]
    deadwood = re.search(rf"Player{each.player}: Deadwood=(\d+)", text)[1]
    assert f": {deadwood}." in re.search(r"You hold .*", each.seen)[0]
    upcard, stock = re.search(r"Upcard: (\w+)", text)[1].replace("T", "10"), re.search(r"Stock size: (\d+)", text)[1]
    assert f"Upcard: {'none' if upcard == 'XX' else upcard}. Stock: {stock} cards." in each.seen
    pile = [card.replace("T", "10") for card in re.findall("..", re.search(r"Discard pile: (.*)", text)[1])]
    assert f"the last one last: {' '.join(pile) or 'none'}." in each.seen
    taken = {card for card in hands[other] if re.search(rf"player {other + 1}: draw the upcard {card}\b", each.user)}
    shown = {card for card in hands[other] if re.search(rf"\b{card}\b", each.seen)}
    assert shown >= taken
    known = re.search(rf"player {other + 1} holds \d+ cards?, (.*) among them", each.seen)
    assert shown == set(known[1].split() if known else ())


SIGHTS: Mapping[str, Callable[[Asked], None]] = {
    **dict.fromkeys(BOARDS, _sees_board),
    "backgammon": _sees_backgammon,
    "kuhn-poker": _sees_kuhn,
    "kuhn-poker-of-three": _sees_kuhn,
    "leduc-poker": _sees_leduc,
    "liars-dice": _sees_dice,
    "hanabi": _sees_hands,
    "nine-mens-morris": _sees_morris,
    "oware": _sees_houses,
    "breakthrough": _sees_men,
    "pentago": _sees_stones,
    "dots-and-boxes": _sees_boxes,
    "goofspiel": _sees_prizes,
    "first-price-auction": _sees_worth,
    "nim": _sees_heaps,
    "blackjack": _sees_dealt_cards,
    "blotto": _sees_nothing_placed,
    "bargaining": _sees_things,
    "gin-rummy": _sees_rummy,
}
