"""Plain data into parameters: nothing coerced, nothing ignored, every mistake by its path."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal

import attrs
import pytest
from arena.agent import Agent
from arena.backend import Backend, Secret
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.game import Game
from arena.metric import Metric
from arena.record import JSON
from arena_engine.benchmark.parameters import describe_parameters
from arena_engine.benchmark.structure import structure
from attrs.validators import deep_iterable, ge, gt, min_len, optional
from cattrs import Converter, transform_error
from cattrs.gen import make_dict_structure_fn


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@attrs.frozen
class Inner:
    style: Literal["direct", "chain-of-thought"] = attrs.field(default="direct", metadata={"help": "how to ask"})
    depth: int = attrs.field(default=1, validator=ge(1))


@attrs.frozen
class Outer:
    count: int = 0
    share: float = 0.5
    text: str = ""
    flag: bool = False
    rotate: bool | Literal["all"] = False
    limit: float | int | None = attrs.field(default=None, validator=optional(gt(0)))
    colour: Colour = Colour.RED
    names: tuple[str, ...] = attrs.field(default=(), validator=deep_iterable(min_len(1)))
    pair: tuple[int, str] = (0, "")
    options: Mapping[str, int] = attrs.field(factory=dict[str, int])
    anything: JSON = None
    more_of_it: Mapping[str, JSON] = attrs.field(factory=dict[str, Any])
    token: Secret | None = None
    inner: Inner = Inner()
    inners: list[Inner] = attrs.field(factory=list[Inner])
    seats: int = attrs.field(default=2)

    @seats.validator
    def _check_seats(self, _: Any, value: int) -> None:
        if value > 9 and self.count == 0:
            raise ValueError("more than 9 seats need a count")


@attrs.frozen
class Needy:
    needed_thing: int = attrs.field(metadata={"help": "how many"})
    other: Inner


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog()


def problems(raw: Any, cls: type, catalog: Catalog) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        structure(raw, cls, catalog)
    return list(caught.value.problems)


GOOD = [
    ("count", 3, 3),
    ("share", 1, 1.0),
    ("share", 1e-3, 0.001),
    ("rotate", "all", "all"),
    ("rotate", True, True),
    ("limit", None, None),
    ("limit", 2, 2),
    ("limit", 2.5, 2.5),
    ("colour", "blue", Colour.BLUE),
    ("names", ["a", "b"], ("a", "b")),
    ("pair", [1, "x"], (1, "x")),
    ("options", {"top-k": 1}, {"top-k": 1}),
    ("anything", [1, {"a": None}], [1, {"a": None}]),
    ("more-of-it", {"a-b": [True]}, {"a-b": [True]}),
    ("more_of_it", {}, {}),
    ("token", "${MY_KEY}", Secret("MY_KEY")),
    ("inner", {"style": "chain-of-thought"}, Inner("chain-of-thought")),
    ("inners", [{}, {"depth": 2}], [Inner(), Inner(depth=2)]),
]


@pytest.mark.parametrize(("key", "raw", "value"), GOOD)
def test_values_that_fit(catalog: Catalog, key: str, raw: Any, value: Any):
    """A value of the right type arrives as it was written."""
    made = getattr(structure({key: raw}, Outer, catalog), key.replace("-", "_"))

    assert (made, type(made)) == (value, type(value))


@pytest.mark.parametrize(
    ("key", "raw", "problem"),
    [
        ("count", "3", "count: expected int, got '3'"),
        ("count", 3.0, "count: expected int, got 3.0"),
        ("count", True, "count: expected int, got True"),
        ("count", None, "count: expected int, got None"),
        ("share", "hot", "share: expected float, got 'hot'"),
        ("flag", "no", "flag: expected bool, got 'no'"),
        ("flag", 0, "flag: expected bool, got 0"),
        ("text", 5, "text: expected str, got 5"),
        ("rotate", "al", "rotate: expected bool or 'all', got 'al' (did you mean 'all'?)"),
        ("limit", "x", "limit: expected float or int, got 'x'"),
        ("limit", 0, "limit: must be > 0, got 0"),
        ("colour", "blu", "colour: expected 'red' or 'blue', got 'blu' (did you mean 'blue'?)"),
        ("names", "abc", "names: expected list of str, got 'abc'"),
        ("names", ["a", 1], "names.1: expected str, got 1"),
        ("pair", [1], "pair: expected 2 items, got 1"),
        ("options", {"a": "b"}, "options.a: expected int, got 'b'"),
        ("options", [1], "options: expected a table, got [1]"),
        ("inner", "direct", "inner: expected a table, got 'direct'"),
        ("inner", {"depth": 0}, "inner.depth: must be >= 1, got 0"),
        ("inner", {"dept": 1}, "inner.dept: unknown key (did you mean 'depth'?)"),
        ("inners", [{}, {"depth": "1"}], "inners.1.depth: expected int, got '1'"),
        ("shar", 1, "shar: unknown key (did you mean 'share'?)"),
        ("more_off_it", 1, "more_off_it: unknown key (did you mean 'more-of-it'?)"),
        ("seats", 10, "seats: more than 9 seats need a count"),
        ("text", "${HOME}", "text: environment variables stand only for secrets, and this is none; write the value"),
        ("anything", {"a": ["${HOME}"]}, "anything.a.0: environment variables stand only for secrets"),
    ],
)
def test_values_that_do_not_fit(catalog: Catalog, key: str, raw: Any, problem: str):
    """A value that does not fit is named by its path, with what was expected."""
    (found,) = problems({key: raw}, Outer, catalog)

    assert found.startswith(problem)


def test_all_mistakes_come_at_once(catalog: Catalog):
    """Wrong types, unknown keys and values out of range are told together."""
    raw = {"count": "3", "shar": 1, "limit": -1, "inner": {"style": "x", "depth": 0}}

    assert problems(raw, Outer, catalog) == [
        "count: expected int, got '3'",
        "shar: unknown key (did you mean 'share'?)",
        "inner.style: expected 'direct' or 'chain-of-thought', got 'x'",
        "inner.depth: must be >= 1, got 0",
        "limit: must be > 0, got -1",
    ]


def test_cattrs_alone_takes_what_nobody_meant_and_tells_less():
    """What its generated functions say of a class: why the structuring of tables is not left to them."""
    alone = Converter()
    made = make_dict_structure_fn(Inner, alone, _cattrs_forbid_extra_keys=True, _cattrs_detailed_validation=True)
    alone.register_structure_hook(Inner, made)

    def told(raw: dict[str, Any]) -> list[str]:
        try:
            alone.structure(raw, Inner)
        except Exception as error:
            return transform_error(error)
        return []

    assert told({"depth": "3"}) == told({"depth": 3.9}) == told({"depth": True}) == []
    assert told({"depth": 0}) == ["invalid value @ $"]  # neither the key nor the bound
    assert told({"depth": 0, "styl": "x"}) == ["extra fields found (styl) @ $"]  # and nothing of the depth


def test_required_parameters_are_named(catalog: Catalog):
    """What must be given and is not is told with its help or type."""
    assert problems({}, Needy, catalog) == [
        "needed-thing: required (how many)",
        "other: required (table)",
    ]


def test_one_key_in_two_spellings(catalog: Catalog):
    """A key may be written with '-' or '_', not both."""
    raw = {"more-of-it": {}, "more_of_it": {}}

    assert problems(raw, Outer, catalog) == ["more_of_it: written twice, with '-' and with '_'; keep one"]


@pytest.mark.parametrize("raw", ["sk-very-secret", "${A} sk-very-secret", ["sk-very-secret"], {"x": "sk-very-secret"}])
def test_secret_is_never_repeated(catalog: Catalog, raw: Any):
    """A secret written into the file is refused without saying it again."""
    (found,) = problems({"token": raw}, Outer, catalog)

    assert found == "token: expected the name of an environment variable, written ${NAME}; a secret belongs in no file"


def test_plugin_by_name_and_table(acme: Catalog):
    """A contract's field takes a plugin by its name, or as a table with its parameters."""
    assert type(structure("line", Game, acme)).__name__ == "Line"
    assert structure({"use": "line", "length": 4}, Game, acme).length == 4
    assert structure({"use": "acme-arena:line"}, Game, acme).length == 9


def test_preset_lies_below_the_users_parameters(acme: Catalog):
    """A preset changes defaults, and what the user writes stands above it."""
    assert structure("short-line", Game, acme).length == 3
    assert structure({"use": "short-line", "length": 7}, Game, acme).length == 7


def test_plugin_inside_a_plugin(acme: Catalog):
    """An agent's backend is a plugin of its own."""
    raw = {"use": "talker", "backend": {"use": "echo", "model": "m", "key": "${KEY}", "max-tokens": None}}

    agent = structure(raw, Agent, acme)

    assert agent.backend.key == Secret("KEY")
    assert agent.backend.max_tokens is None


@pytest.mark.parametrize(
    ("raw", "contract", "expected"),
    [
        ({"use": "lin"}, Game, "use: no game called 'lin' (did you mean 'line'?)"),
        ("lin", Game, "no game called 'lin' (did you mean 'line'?)"),
        (3, Game, "expected game plugin, written NAME or {use: NAME, …}, got 3"),
        ({"length": 3}, Game, "use: required; the name of a game plugin ("),
        ({"use": 3}, Game, "use: expected str, got 3; the name of a game plugin ("),
        ({"use": "line", "length": 100}, Game, "length: must be <= 99, got 100"),
        ({"use": "line", "use-it": 1}, Game, "use-it: unknown key (there is: length, heaps)"),
        ({"use": "count", "what": "turn"}, Metric, "what: must be in ['matches', 'turns'], got 'turn'"),
        ({"use": "echo", "model": "mute"}, Backend, "the model 'mute' says nothing; choose another"),
        ("echo", Backend, "model: required (str)"),
        ("talker", Agent, "backend: required (backend plugin)"),
        (
            {"use": "talker", "backend": {"use": "echo", "model": "m", "temperatur": 1}},
            Agent,
            "backend.temperatur: unknown key (did you mean 'temperature'?)",
        ),
    ],
)
def test_plugins_that_do_not_fit(acme: Catalog, raw: Any, contract: type, expected: str):
    """Unknown plugins and bad parameters are mistakes by path like any other."""
    (found,) = problems(raw, contract, acme)

    assert found.startswith(expected)


def test_parameters_are_described(acme: Catalog):
    """A parameter has a dotted name, a type in words, a default and its help; a preset shows in the default."""
    described = {p.name: p for p in describe_parameters(acme.get("agent", "talker").load())}
    short = {p.name: p for p in describe_parameters(acme.get("game", "short-line").load(), {"length": 3})}

    assert described["backend"].type == "backend plugin"
    assert described["backend"].is_required
    assert described["prompt.style"].type == "'direct' or 'chain-of-thought'"
    assert described["prompt.style"].default == "direct"
    assert described["prompt.style"].help == "how to ask"
    assert short["length"].default == 3
    assert short["heaps"].type == "list of int"


def test_types_in_words(catalog: Catalog):
    """Types are told in words a user can act on."""
    words = {p.name: p.type for p in describe_parameters(Outer)}

    assert words["rotate"] == "bool or 'all'"
    assert words["limit"] == "float or int or null"
    assert words["options"] == "table of int"
    assert words["token"] == "${ENVIRONMENT_VARIABLE} or null"
    assert words["inners"] == "list of table"
