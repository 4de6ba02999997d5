"""What ``arena describe`` tells of a game: who can play it, what kind of game it is, and what it looks like."""

from collections.abc import Iterator
from functools import cached_property
from statistics import NormalDist
from typing import Any, Final

import attrs
from arena.catalog import Catalog
from arena.chance import Chance
from arena.errors import ArenaError, PluginError
from arena.game import Game, GameFacts, RandomReference
from arena.record import JSON
from arena_engine import make_plugin

from arena_cli.output import Terminal, names_that_fit, paragraph
from arena_cli.pages.opponents import FittingAgents, opponents_of
from arena_cli.pages.plugin_page import PluginPage, cut, heading
from arena_cli.pages.transcript import board_of, on_terminal

RULES_LINES: Final = 5
LINES: Final = 38
"""The most lines of a page; two more may name plugins of other kinds."""

_SIZES: Final = ((12, 12), (8, 11), (6, 9), (4, 7), (3, 4))
"""How many parameters and lines of the board are shown: the first pair with which the page is short enough."""

_PARTNERS: Final = ("mcts", "minimax", "equilibrium", "first-legal")
"""Agents for the line that tries a game out, the most interesting first; the first that accepts the game is taken."""


@attrs.define(eq=False, kw_only=True)
class GamePage:
    """A game as it is described. ``game`` is ``None`` if it has no defaults to be made with, and ``why`` says so."""

    page: PluginPage
    catalog: Catalog
    game: Game | None = None
    why: str = ""

    @classmethod
    def of(cls, page: PluginPage, catalog: Catalog) -> "GamePage":
        """Make the game with its defaults, or as its example says."""
        entry, why = page.entry, ""
        name = f"{entry.dist}:{entry.name}"
        for settings in ({"use": name}, {"use": name, **page.plugin.example}):
            try:
                game = make_plugin("game", settings, catalog)
            except ArenaError as error:
                why = why or "; ".join(str(error).splitlines())
                continue
            if not isinstance(game, Game):
                raise PluginError(f"{entry} makes {type(game).__name__}, which is no Game; tell its author")
            return cls(page=page, catalog=catalog, game=game)
        return cls(page=page, catalog=catalog, why=why)

    @property
    def counts(self) -> list[int]:
        """How many players can play."""
        return sorted(self.game.player_counts()) if self.game else []

    @property
    def usual(self) -> int:
        """How many play where nobody names a number."""
        return self.game.usual_players if self.game else 0

    @cached_property
    def opponents(self) -> FittingAgents:
        """The agents that are made for it."""
        return opponents_of(self.game, self.usual, self.catalog) if self.game else FittingAgents((), ())

    def to_json(self) -> dict[str, JSON]:
        """The page as plain data."""
        found = self.page.to_json()
        if self.game is None:
            return {**found, "game": None}
        facts: dict[str, Any] = attrs.asdict(self.game.facts(self.usual))
        agents: dict[str, JSON] = {"optimal": list(self.opponents.optimal), "others": list(self.opponents.others)}
        game: dict[str, JSON] = {"players": list[JSON](self.counts), "usual_players": self.usual}
        game |= {"seats": list(self.game.seats(self.usual))}
        game |= {"agents": agents, "facts": facts, "forms": list(self.game.forms), "rules": self.game.rules}
        game |= {"has_rules": self.game.has_rules}
        return {**found, "game": game, "try": list[JSON](self.trials())}

    def lines(self, terminal: Terminal, *, is_full: bool, has_rules: bool) -> list[str]:
        """The page for a terminal: at most 40 lines unless all of it, or the rules, are wanted."""
        made: list[str] = []
        for parameters, board in _SIZES:
            made = [*self._parts(terminal, parameters, board, is_full=is_full, has_rules=has_rules)]
            if len(made) <= LINES or is_full or has_rules:
                break
        return made

    def _parts(
        self, terminal: Terminal, parameters: int, board: int, *, is_full: bool, has_rules: bool
    ) -> Iterator[str]:
        page, game = self.page, self.game
        yield heading(page.entry.name, terminal)
        yield from paragraph(page.plugin.summary, terminal)
        yield from page.origin(terminal, is_full=is_full)
        if game is None:
            yield from paragraph(f"what it is depends on its parameters ({self.why})", terminal)
        else:
            yield from self._players(game, terminal, is_full=is_full)
        yield ""
        yield from page.parameter_lines(terminal, is_full=is_full, most=parameters)
        if game is not None:
            yield ""
            facts = [*_facts(game.facts(self.usual)), f"forms: {', '.join(game.forms)}"]
            yield from paragraph("; ".join(facts), terminal)
            yield from cut(["", *self._start(game)], board, "--full", is_full=is_full)
            yield ""
            yield from () if game.has_rules else ("rules: none; a benchmark must say 'without-rules: true' of it",)
            rules = [line for text in game.rules.splitlines() if text for line in paragraph(text, terminal)]
            yield from cut(rules, RULES_LINES, "--rules", is_full=is_full or has_rules)
        yield ""
        for line in self.trials():
            yield from paragraph(line, terminal, 0, 2)
        yield from page.example_lines(terminal)

    def trials(self) -> tuple[str, ...]:
        """The lines that try it out."""
        name, known = self.page.entry.name, (*self.opponents.optimal, *self.opponents.others)
        if self.game is None:
            return ()
        play = f"arena play {name} --against random" if self.usual > 1 else f"arena play {name}"
        partner = next((each for each in _PARTNERS if each in known), "first-legal")
        return play, f"arena run --game {name} --agent random --agent {partner} -n 20"

    def _players(self, game: Game, terminal: Terminal, *, is_full: bool) -> Iterator[str]:
        seats = ", ".join(game.seats(self.usual))
        usually = f", usually {self.usual}"
        counts = f"{self.counts[0]} to {self.counts[-1]}{usually}" if len(self.counts) > 1 else str(self.counts[0])
        yield from paragraph(f"players: {counts} ({seats})", terminal)
        who = ["any"]
        if self.opponents.optimal:
            who.append(f"optimal: {', '.join(self.opponents.optimal)}")
        if self.opponents.others:
            others = self.opponents.others
            shown = ", ".join(others) if is_full else names_that_fit(others, terminal.width - 20, terminal, ", ")
            who.append(f"made for it: {shown}")
        yield from paragraph(f"agents that can play it: {'; '.join(who)}", terminal)

    def _start(self, game: Game) -> list[str]:
        """The position at the beginning, as a spectator sees it: drawn if the game can, else told in words."""
        form = next((form for form in ("scene", "text") if form in game.forms), "")
        if not form:
            return []
        state, _ = game.start(Chance(0), self.usual)
        board = board_of(game, state, form)
        return (board if isinstance(board, str) else on_terminal(board)).rstrip().splitlines()


def _facts(facts: GameFacts) -> Iterator[str]:
    kinds = {
        "moves at the same time": facts.simultaneous,
        "hidden information": facts.hidden_information,
        "chance": facts.chance,
        "messages": facts.messages,
    }
    there = [name for name, is_there in kinds.items() if is_there]
    yield ", ".join([facts.returns, *(there or ["players move in turn, see everything, no chance"])])
    if facts.min_return is not None or facts.max_return is not None:
        yield f"returns from {_number(facts.min_return)} to {_number(facts.max_return)}"
    if facts.optimal_returns is not None:
        source = f" ({facts.optimal_source})" if facts.optimal_source else ""
        yield f"optimal play earns {', '.join(f'{r:g}' for r in facts.optimal_returns)}{source}"
    if facts.random is not None:
        yield f"random play earns {', '.join(_random(facts.random))} ({facts.random.source})"
    yield f"ends after {facts.max_steps:,} steps at the latest"
    goes_on = f"the match ends: {facts.forfeit_return:g} for it, {facts.others_return:g} for each other"
    yield f"when a player forfeits, {'the others play on' if facts.on_forfeit == 'continue' else goes_on}"


def _random(stated: RandomReference) -> Iterator[str]:
    """What random play earns in each seat, with the interval at 95 % unless it is exact."""
    for seat, value in enumerate(stated.returns):
        reach = NormalDist().inv_cdf(0.975) * stated.errors[seat] if stated.n else 0.0
        yield f"{value:.3g} [{value - reach:.3g}, {value + reach:.3g}] n={stated.n:,}" if stated.n else f"{value:.3g}"


def _number(value: float | None) -> str:
    return "any number" if value is None else f"{value:g}"
