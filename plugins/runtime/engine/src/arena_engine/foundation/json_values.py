"""Values from outside: what is no JSON or of another shape is one sentence; any text is stored without loss.

A lone surrogate becomes U+001A and its four hexadecimal digits, U+001A itself is doubled. Two surrogates that belong
together are joined to the character that they stand for. Text is escaped once, where it enters; escaping it twice would
change it.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import cycle
from math import isfinite
from numbers import Real
from typing import Any, Final, TypeVar, cast

from arena.game import GameFacts, Options
from arena.metric import Measurement
from arena.options import unshared
from arena.record import JSON, MatchRecord, canonical_json

MOST_DIGITS: Final = 4_300
"""The most digits of an integer that Python turns into text and back."""

_GREATEST: Final = pow(10, MOST_DIGITS)  # as an expression, tools that read code would print all its digits
_TOLERANCE: Final = 1e-9
_NO_NUMBERS: Final = (str, bytes, Mapping)
_SHOWN: Final = 200
_PLAIN: Final = ({str}, {int})
_FIELDS: Final = frozenset({str, int})
_TEXT: Final = frozenset({str})
_SMALL: Final = 2**63


def json_fault(value: Any, where: str = "") -> str | None:
    """Why ``value`` would not come back unchanged from a journal, or ``None``; ``where`` is its path."""
    try:
        return _json_fault(value, where)
    except RecursionError:
        return f"{where or 'the value'} holds itself, or is nested too deeply"


def plain_copy(value: Any) -> Any:
    """A copy of a JSON value that shares nothing with it; ``ValueError`` says why it is no JSON value."""
    try:
        return _copy(value)
    except (_Unusual, UnicodeEncodeError, RecursionError):
        pass
    if fault := json_fault(value):
        raise ValueError(fault)
    return unshared(value)


class _Unusual(Exception):
    """A value is not JSON at one look; it may be all the same."""


def _copy(value: Any) -> Any:
    """A copy that is checked as it is made: what nearly all values are goes through once."""
    kind = cast("type[object]", type(value))
    if kind is str:
        if value.isascii() or value.encode():
            return value
    elif kind is int:
        if -_SMALL < value < _SMALL:
            return value
    elif kind is dict:
        copied = {key: _copy(item) for key, item in value.items()}
        if _are_texts(copied):
            return copied
    elif kind is list:
        return list(value) if _are_texts(value) else [_copy(item) for item in value]
    elif kind is tuple:
        return tuple([_copy(item) for item in value])
    elif value is None or kind is bool or (kind is float and math.isfinite(value)):
        return value
    raise _Unusual


def _are_texts(values: Collection[Any]) -> bool:
    """Whether all are texts; ``UnicodeEncodeError`` if they are, and one holds half a character."""
    if not _TEXT.issuperset(map(type, values)):
        return False
    "".join(values).encode()
    return True


def shown(value: object) -> str:
    """A value as a message repeats it: on one line, and not too long."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"a {type(value).__name__} (its repr raises {type(error).__name__})"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def options_fault(options: Options) -> str | None:
    """Why these cannot be the options of a decision, or ``None``: there are none, or one of them is there twice."""
    actions: Sequence[Any] = options.actions
    if set(map(type, actions)) not in _PLAIN:  # others compare equal although they differ, such as 1 and True
        rows = _rows(actions)
        if rows is None:
            for action in actions:
                if fault := json_fault(action):
                    return f"the option {shown(action)} is not JSON: {fault}"
        actions = [canonical_json(action) for action in actions] if rows is None else rows
    if len(set(actions)) == len(actions):
        return None if actions else "there are no options"
    return f"the option {next(shown(a) for i, a in enumerate(actions) if a in actions[:i])} is there twice"


def returns_fault(facts: GameFacts, returns: Any, players: int) -> str | None:
    """Why ``returns`` cannot be what ``players`` players earned in a match of a game with these facts, or ``None``.

    There must be one finite number per player, within the bounds, and adding up as the facts say; NumPy's numbers are
    numbers, truths and texts are none. Sums may differ by rounding: by 1e-9, times the sum of all absolute values.
    """
    found: Sequence[Any] = returns
    if type(returns) is not tuple and type(returns) is not list:
        if isinstance(returns, _NO_NUMBERS) or not isinstance(returns, Iterable):
            return f"expected one number for each of {players} players"
        found = tuple(cast("Iterable[Any]", returns))
    if len(found) != players:
        return f"expected one number for each of {players} players, got {len(found)}"
    for player, earned in enumerate(found):
        if not (type(earned) is float and earned - earned == 0) and not _is_finite(earned):
            return f"the return of player {player} is not a finite number"
    return _contradiction(facts, found if type(found[0]) is float else tuple(map(float, found)))


def rewards_fault(rewards: Iterable[Sequence[float]], returns: Sequence[float]) -> str | None:
    """Why the rewards of all steps do not fit ``returns``, or ``None``: for each player they must sum to it."""
    for player, own in enumerate(zip(*rewards, strict=True)):
        total = math.fsum(own)
        if abs(total - returns[player]) > _allowed((*own, returns[player])):
            return f"the rewards of player {player} add up to {total!r}"
    return None


def forfeit_fault(facts: GameFacts, players: int) -> str | None:
    """Why the returns that ``facts`` give after a forfeit contradict those facts, or ``None``."""
    if facts.on_forfeit != "end":
        return None
    for player in range(players):
        returns = [facts.others_return] * players
        returns[player] = facts.forfeit_return
        # A forfeit may cost more than a defeat, and one player alone.
        kind = facts.returns if facts.returns == "zero-sum" else "general-sum"
        if fault := returns_fault(GameFacts(returns=kind), returns, players):
            return f"if player {player} forfeits, the returns are {shown(returns)}: {fault}"
    return None


def measurement_fault(measurement: object, match: MatchRecord) -> str | None:
    """Why this cannot be a measurement of ``match``, or ``None``."""
    if not isinstance(measurement, Measurement):
        return f"measure yields {shown(measurement)}, not a Measurement"
    if not (isinstance(measurement.name, str) and measurement.name):  # pyright: ignore[reportUnnecessaryIsInstance]
        return f"{shown(measurement)} has no name"
    if measurement.player is not None and not 0 <= measurement.player < len(match.agents):
        return f"the measurement {measurement.name!r} is of player {measurement.player}, who is not there"
    if isinstance(measurement.value, list | tuple | dict):
        return f"the measurement {measurement.name!r} is {shown(measurement.value)}; expected one number or text"
    if _is_plain(measurement.value) and _is_plain(measurement.detail):  # nearly all of a long run's millions
        return None
    if fault := json_fault(measurement.value, "the value") or json_fault(measurement.detail, "the detail"):
        return f"the measurement {measurement.name!r} cannot be written down: {fault}"
    return None


def _contradiction(facts: GameFacts, returns: Sequence[float]) -> str | None:
    kind, least, greatest, total = facts.returns, facts.min_return, facts.max_return, sum(returns)
    if kind == "zero-sum" and total and abs(total) > _allowed(returns):
        return f"they add up to {total!r} in a zero-sum game"
    if kind == "constant-sum" and facts.optimal_returns is not None:
        constant = math.fsum(facts.optimal_returns)
        if abs(total - constant) > _allowed(returns):
            return f"they add up to {total!r} in a game whose returns always add up to {constant!r}"
    if kind == "cooperative" and max(returns) - min(returns) > _allowed(returns):
        return "they differ in a cooperative game"
    for player, earned in enumerate(returns):
        if least is not None and earned < least and earned < least - _allowed((least,)):
            return f"the return of player {player} is below min_return {least!r}"
        if greatest is not None and earned > greatest and earned > greatest + _allowed((greatest,)):
            return f"the return of player {player} is above max_return {greatest!r}"
    return None


def _allowed(returns: Iterable[float]) -> float:
    """By how much a sum of numbers may differ because each of them is rounded."""
    return _TOLERANCE * max(1.0, math.fsum(map(abs, returns)))


def _is_finite(value: Any) -> bool:
    try:
        return type(value) is not bool and isinstance(value, Real) and math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def _rows(actions: Sequence[Any]) -> Sequence[tuple[Any, ...]] | None:
    """The values of actions that are tables of small integers or plain texts in the same fields, else ``None``."""
    keys: tuple[Any, ...] = tuple(cast("Any", actions[0])) if actions and type(actions[0]) is dict else ()
    if not keys or not all(type(action) is dict and tuple(cast("Any", action)) == keys for action in actions):
        return None
    rows: list[tuple[Any, ...]] = [tuple(action.values()) for action in actions]
    words: set[object] = {word if type(word) in _FIELDS else None for row in (keys, *rows) for word in row}
    return rows if None not in words and all(map(_is_plain, words)) and set(map(type, keys)) == {str} else None


def _is_plain(value: object, levels: int = 3) -> bool:
    """Whether a value is JSON at one look, tables within tables up to so many; one that is not may be all the same."""
    kind = type(value)
    if kind is float:
        return math.isfinite(cast("float", value))
    if kind is int:
        return -_SMALL < cast("int", value) < _SMALL
    if kind is dict and levels:
        table = cast("dict[object, object]", value)
        return all(type(key) is str and key.isascii() and _is_plain(item, levels - 1) for key, item in table.items())
    return value is None or kind is bool or (kind is str and cast("str", value).isascii())


def _json_fault(value: Any, where: str) -> str | None:
    here = where or "the value"
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return f"{here} is an integer of more than {MOST_DIGITS:,} digits" if abs(value) >= _GREATEST else None
    if isinstance(value, str):
        return _text_fault(value, here)
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{here} is {value!r}, which JSON cannot write"
    if isinstance(value, list | tuple):
        items = enumerate(cast("list[Any]", value))
        return next((fault for i, item in items if (fault := _json_fault(item, f"{where}[{i}]"))), None)
    if isinstance(value, dict):
        for key, item in cast("dict[Any, Any]", value).items():
            if not isinstance(key, str):
                return f"{here} has the key {shown(key)}, which is not a text"
            if fault := _text_fault(key, here) or _json_fault(item, f"{where}.{key}" if where else key):
                return fault
        return None
    return f"{here} is a {type(value).__name__}, which is not JSON"


def _text_fault(value: str, here: str) -> str | None:
    try:
        value.encode()
    except UnicodeEncodeError:
        return f"{here} is {shown(value)}, which UTF-8 cannot write"
    return None


T = TypeVar("T")

Check = Callable[[Any], str | None]
"""Says what is wrong with a value, as the end of a sentence that names it, or ``None``."""

_CHECKS: Final[dict[int, tuple[Any, Check]]] = {}


class Exactly(dict[str, Any]):
    """The shape of a table that has no other keys."""


def fits(value: Any, shape: Any, where: str) -> None:
    """Raise ``ValueError`` if JSON has another shape.

    A shape is a type (``float`` also takes whole numbers, and ``object`` anything), a tuple of alternatives, a set of
    the texts that are possible, a list with the shape of all items or of each, or a table with the shape of each value.
    A key that ends in ``?`` may be missing; only an ``Exactly`` has no others.
    """
    if fault := _check_of(shape)(value):
        raise ValueError(f"{where}{fault}")


def _check_of(shape: Any) -> Check:
    """The check of a shape, made once: reading a long run asks for the same few shapes millions of times."""
    known = _CHECKS.get(id(shape))
    if known is None:
        known = _CHECKS[id(shape)] = (shape, _made(shape))  # with the shape, whose id no other gets while it lives
    return known[1]


def _made(shape: Any) -> Check:
    if isinstance(shape, tuple):
        return _one_of(list(map(_check_of, cast("tuple[Any, ...]", shape))))
    if isinstance(shape, frozenset):
        return _among(cast("frozenset[str]", shape))
    if isinstance(shape, list):
        return _list_of(list(map(_check_of, cast("list[Any]", shape))))
    if isinstance(shape, Mapping):
        return _table_of(cast("Mapping[str, Any]", shape), isinstance(shape, Exactly))
    return _of_type(shape)


def _one_of(checks: Sequence[Check]) -> Check:
    *others, last = checks

    def check(value: Any) -> str | None:
        return None if any(other(value) is None for other in others) else last(value)

    return check


def _among(known: frozenset[str]) -> Check:
    def check(value: Any) -> str | None:
        return None if value in known else f" is {shortened(repr(value))}, which is none of the known ones"

    return check


def _list_of(checks: Sequence[Check]) -> Check:
    is_of_anything = list(checks) == [_anything]

    def check(value: Any) -> str | None:
        if not isinstance(value, list):
            return " is no list"
        items = cast("list[Any]", value)
        if is_of_anything:
            return None
        if len(checks) > 1 and len(items) != len(checks):
            return f" has {len(items)} items, not {len(checks)}"
        for number, (item, each) in enumerate(zip(items, cycle(checks), strict=False)):
            if fault := each(item):
                return f"[{number}]{fault}"
        return None

    return check


def _table_of(shape: Mapping[str, Any], has_no_others: bool) -> Check:
    inner = [(name.removesuffix("?"), name.endswith("?"), _check_of(each)) for name, each in shape.items()]
    known = {key for key, _, _ in inner}

    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return " is no table"
        table = cast("dict[str, Any]", value)
        for key, is_optional, each in inner:
            if key not in table:
                if not is_optional:
                    return f" has no {key!r}"
            elif fault := each(table[key]):
                return f".{key}{fault}"
        if has_no_others and (more := table.keys() - known):
            return f" has {shortened(repr(min(more)))}, which it should not"
        return None

    return check


def _of_type(kind: type) -> Check:
    def check(value: Any) -> str | None:
        if (type(value) is kind and (kind is not float or isfinite(value))) or (kind is float and type(value) is int):
            return None
        return f" is {shortened(repr(value))}, which is no {kind.__name__}"

    return _anything if kind is object else check


def _anything(value: Any) -> str | None:
    return None


def shaped(shape: Any, what: str, make: Callable[[Any], T] = lambda raw: raw) -> Callable[[Any], T]:
    """A maker for ``parsed`` that checks the shape first."""

    def made(raw: Any) -> T:
        fits(raw, shape, what)
        return make(raw)

    return made


def shortened(text: str) -> str:
    """A text in one line of at most a hundred characters."""
    line = " ".join(text[:1_000].split())  # shapes are tried one after the other, also on an answer of megabytes
    return line if len(line) <= 100 else f"{line[:100]}…"


_MARK = "\x1a"
_HALF = re.compile("[\ud800-\udfff]")
_TO_ESCAPE = re.compile("[\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a(\x1a|[0-9a-f]{4})")


def escaped(text: str) -> str:
    """Return ``text`` as valid Unicode; ``unescaped`` gives it back."""
    if _MARK not in text:
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _TO_ESCAPE.sub(lambda found: _MARK + (_MARK if found[0] == _MARK else f"{ord(found[0]):04x}"), joined)


def storable(text: str) -> str:
    """A JSON text as a journal takes it: a lone surrogate that nobody has escaped is written as ``escaped`` would."""
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return _HALF.sub(lambda found: f"\\u001a{ord(found[0]):04x}", joined)
    return text


def unescaped(text: str) -> str:
    """Return what ``escaped`` was given, with halves that belong together joined."""
    if _MARK not in text:
        return text
    return _ESCAPED.sub(lambda found: _MARK if found[1] == _MARK else chr(int(found[1], 16)), text)


def escaped_json(value: Any) -> JSON:
    """Escape every text of a JSON value, keys included; everything else stays as it is."""
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return {escaped(key) if isinstance(key, str) else key: escaped_json(item) for key, item in table.items()}
    if isinstance(value, list | tuple):
        return [escaped_json(item) for item in cast("list[Any]", value)]
    return value
