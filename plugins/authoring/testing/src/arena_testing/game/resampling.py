"""Proves that the positions which a game draws for searching players hold nothing that the player may not know.

``State.resample_hidden`` gives an agent a position to think on. If it depends on the truth, search agents see hidden
cards. So from two positions that a player cannot tell apart, many draws must come from one distribution; no draw may
differ in what the player sees, or contradict what it was told before; and if several truths fit, not all draws may hold
the real one.
"""

import copy
from collections.abc import Sequence

import attrs
from arena.chance import Chance
from arena.game import FORFEITED, State
from arena.record import JSON, Player, canonical_json, derive_seed

from arena_testing.foundation.conformance import ActionSequence, ConformanceError, reported
from arena_testing.foundation.homogeneity import Contrast, contrast, count_at, fisher, leaves
from arena_testing.foundation.playthrough import Playthrough, replay
from arena_testing.game.deal_search import DealSearch
from arena_testing.game.leaks import History, InformationSets, visible_state
from arena_testing.game.position import Examination, ExaminedPosition, snapshot

_SUSPECTED = 0.01
_CERTAIN = 1e-5
_AGAIN = 5
"""Differences that are this unlikely are looked at with this many times as many draws, and must then be certain."""

_CONFIRMED = 3
_LOOKED_AT = 3
_FIT_EVERY = 3
_FITTED = 3
"""After every third history, so many drawn positions are held against what the player was told before."""

_SINGLE = 2
"""Histories of each player after which one truth alone was met, of which some drawn positions are held against it."""

_NO_POSITION = "no position"
"""What a draw counts as for which the game gives no position."""


@attrs.define(eq=False)
class _Sampler:
    """One match in which a player acts, and positions that the game draws for that player."""

    walk: Playthrough
    player: Player
    seed: int
    drawn: list[JSON] = attrs.field(factory=list[JSON])
    taken: int = 0

    @property
    def truth(self) -> str:
        """The whole position of the match, as a text."""
        return canonical_json(self.walk.state.observe(None))

    @property
    def texts(self) -> set[str]:
        """The different positions that were drawn, as texts."""
        return set(map(canonical_json, self.drawn))

    def draw(self, examination: Examination, number: int) -> None:
        """Draw positions until there are ``number`` of them; fails if one differs in what the player sees."""
        before = snapshot(self.walk.state, self.walk.players)
        seen = canonical_json(self.walk.state.observe(self.player))
        whole = visible_state(self.walk, self.player, examination) if number else {}
        with reported(lambda: self.walk.line):
            while len(self.drawn) < number:
                state = self.next()
                if state is None:
                    self.drawn.append(_NO_POSITION)
                    continue
                if canonical_json(state.observe(self.player)) != seen or len(self.drawn) < _LOOKED_AT:
                    self._compare(state, whole, examination)
                self.drawn.append(state.observe(None))
        if snapshot(self.walk.state, self.walk.players) != before:
            what = "drawing positions with resample_hidden changes the match"
            raise ConformanceError("resample", what, player=self.player, line=self.walk.line)

    def anew(self) -> "_Sampler":
        """The same match with other draws to come."""
        return _Sampler(self.walk, self.player, self.seed, taken=self.taken)

    def next(self) -> State | None:
        """Draw one more position; fails if it is the match itself."""
        self.taken += 1
        state = self.walk.state.resample_hidden(self.player, Chance(derive_seed("resample", self.seed, self.taken)))
        if state is self.walk.state:
            what = "resample_hidden returns the match itself, so that thinking would change it; return another state"
            raise ConformanceError("resample", what, player=self.player, line=self.walk.line)
        return state

    def _compare(self, state: State, whole: dict[str, str], examination: Examination) -> None:
        other = copy.copy(self.walk)
        other.state = state
        if self.player not in state.to_act():
            raise self._fault("in a drawn position the player is not to act", f"to_act() is {tuple(state.to_act())!r}")
        for part, text in visible_state(other, self.player, examination).items():
            if text != whole[part]:
                raise self._fault(
                    f"a drawn position shows the player other {part} than the match",
                    f"{text[:160]} in the drawn position, {whole[part][:160]} in the match",
                )

    def _fault(self, what: str, sight: str) -> ConformanceError:
        return ConformanceError("resample", what, player=self.player, line=self.walk.line, sight=sight)


def check_drawn(position: ExaminedPosition, player: Player) -> None:
    """A position drawn in any position looks to ``player`` as the match does, and can be played on."""
    sampler = _Sampler(position.walk, player, position.walk.seed)
    sampler.draw(position.examination, 1)
    state = sampler.next()
    if state is None or sampler.drawn == [_NO_POSITION]:
        return
    other = copy.copy(position.walk.fork())
    other.state = state
    before = position.snapshot()
    try:
        step = other.draw_step(position.rng)
        state.apply(step)
    except Exception as error:
        what = f"a drawn position cannot be played on: {type(error).__name__}: {error}"
        raise position.fault("resample", what, player) from error
    if position.snapshot() != before:
        raise position.fault("resample", "what happens in a drawn position happens in the match", player)


def check_resampling(information_sets: InformationSets, sets: int, draws: int, seed: int) -> int:
    """Draw positions after up to ``sets`` histories with several truths; returns how many draws were compared.

    From each of two truths ``draws`` positions are drawn. Ends early when the time is over.
    """
    suspected: list[tuple[Contrast, _Sampler, _Sampler]] = []
    compared, tests = 0, 0
    for number, (player, lines) in enumerate(_chosen(information_sets, sets)):
        if number and information_sets.time_limit.is_over():
            break
        walks = [replay(line.game, line.players, line) for line in lines]
        one, two = (_Sampler(walk, player, derive_seed(seed, number, i)) for i, walk in enumerate(walks[:2]))
        for sampler in (one, two):
            sampler.draw(information_sets.examination, draws)
        if all(value == _NO_POSITION for value in (*one.drawn, *two.drawn)):
            continue
        compared += len(one.drawn) + len(two.drawn)
        _check_truth(one, two, len(lines))
        _check_variety(one, two, information_sets.examination, draws)
        if not number % _FIT_EVERY:
            _check_fit(one, walks)
        if (found := contrast(one.drawn, two.drawn)) is not None:
            tests += found.tests
            suspected.append((found, one, two))
    suspected = [each for each in suspected if each[0].probability * tests < _SUSPECTED]
    for found, one, two in sorted(suspected, key=lambda each: each[0].probability)[:_CONFIRMED]:
        _confirm(found, one, two, information_sets.examination, draws)
    _check_single(information_sets, seed)
    return compared


def _check_single(information_sets: InformationSets, seed: int) -> None:
    """Fail if what is drawn after a history with one truth contradicts it: the player may know all there is to know."""
    by_player: dict[Player, list[ActionSequence]] = {}
    for (player, _, _), met in sorted(information_sets.truths.items(), key=lambda each: each[0]):
        if len(met) == 1:
            by_player.setdefault(player, []).extend(met.values())
    for player, lines in by_player.items():
        lines.sort(key=lambda line: len(line.steps))
        for number in range(min(_SINGLE, len(lines))):
            if information_sets.time_limit.is_over():
                return
            line = lines[number * len(lines) // _SINGLE]
            walk = replay(line.game, line.players, line)
            sampler = _Sampler(walk, player, derive_seed(seed, "single", player, number))
            sampler.draw(information_sets.examination, _FITTED)
            _check_fit(sampler, [walk])


def _chosen(information_sets: InformationSets, sets: int) -> list[tuple[Player, list[ActionSequence]]]:
    """Histories with several truths, evenly from short to long ones, with a match for each truth."""
    several: list[tuple[History, dict[str, ActionSequence]]] = [
        (history, met) for history, met in information_sets.truths.items() if len(met) > 1
    ]
    several.sort(key=lambda each: (min(len(line.steps) for line in each[1].values()), each[0][0], each[0][2]))
    places = {round(i * (len(several) - 1) / max(1, sets - 1)) for i in range(sets)} if several else set[int]()
    return [(several[place][0][0], list(several[place][1].values())) for place in sorted(places)]


def _check_truth(one: _Sampler, two: _Sampler, truths: int) -> None:
    """Fail if each match gets its own truth back in every draw, though another would fit."""
    if any(sampler.texts != {sampler.truth} for sampler in (one, two)):
        return
    number = len(one.drawn) + len(two.drawn)
    what = f"drawn positions always hold the true hidden part ({number} of {number} draws, {_numeral(truths)} truths)"
    raise ConformanceError("resample", what, player=one.player, line=one.walk.line, sight=_difference(one, two))


def _check_variety(one: _Sampler, two: _Sampler, examination: Examination, draws: int) -> None:
    """Fail if all draws from both matches are one position, and that is the truth in one of them.

    Truths that make no difference to what can happen, by their transposition keys, may be drawn as one.
    """
    if len(drawn := one.texts | two.texts) > 1 or not drawn & {one.truth, two.truth}:
        return
    first, second = (sampler.walk.state.transposition_key() for sampler in (one, two))
    if first is not None and canonical_json(first) == canonical_json(second):
        return
    fresh = [one.anew(), two.anew()]
    for sampler in fresh:
        sampler.draw(examination, draws * _AGAIN)
    if len(fresh[0].texts | fresh[1].texts) > 1:
        return
    number = 2 * draws * _AGAIN
    what = f"drawn positions are always the same, and true in one match ({number} of {number} draws, two truths)"
    raise ConformanceError("resample", what, player=one.player, line=one.walk.line, sight=_difference(one, two))


def _difference(one: _Sampler, two: _Sampler) -> str:
    """What is always the same in the draws of one match, and always something else in those of the other."""
    first, second = dict(leaves(one.walk.state.observe(None))), dict(leaves(two.walk.state.observe(None)))
    place = next((place for place, value in first.items() if place in second and second[place] != value), None)
    if place is None:
        return f"every draw is {one.truth[:120]}; what player {one.player} saw also fits {two.truth[:120]}"
    shown = (f"{'.'.join(place)} is always {canonical_json(first[place])}", f"could be {canonical_json(second[place])}")
    return f"for player {one.player} {' and '.join(shown)}"


def _check_fit(one: _Sampler, walks: Sequence[Playthrough]) -> None:
    """Fail if a drawn position cannot come about while the player sees what it saw."""
    player, line = one.player, one.walk.line
    met = {canonical_json(walk.state.observe(None)) for walk in walks}
    texts = {text: value for value in one.drawn if value != _NO_POSITION and (text := canonical_json(value)) not in met}

    def fits(walk: Playthrough) -> bool:
        return walk.seen[player] == one.walk.seen[player]

    search = DealSearch([walk.line for walk in walks], fits)
    for value in list(texts.values())[:_FITTED]:
        deals = search.to(value)
        if any(map(fits, deals.found)):
            continue
        if not _is_told(one.walk, player):
            return  # other hidden actions may have led there
        if deals.found:
            what = "a drawn position does not fit what the player was told before"
            sight = _other_events(one.walk, deals.found[0], player)
            raise ConformanceError("resample", what, player=player, line=line, sight=sight)
        if deals.is_all:
            what = "a drawn position cannot come about: no deal leads there"
            sight = f"the drawn position is {canonical_json(value)[:200]}"
            raise ConformanceError("resample", what, player=player, line=line, sight=sight)


def _is_told(walk: Playthrough, player: Player) -> bool:
    """Whether ``player`` was told every action of the others, so that nothing but the deal can be otherwise."""
    told = "".join(text for event, text in walk.told if event.is_visible(player))
    return all(
        p == player or (action is not FORFEITED and canonical_json(action) in told)
        for step in walk.steps
        for p, action in step.items()
    )


def _other_events(walk: Playthrough, other: Playthrough, player: Player) -> str:
    """The first event that the player saw in one match and not in the other."""
    mine, theirs = (
        [f"{event.kind!r} {text}" for event, text in each.told if event.is_visible(player)] for each in (walk, other)
    )
    for was, now in zip(mine, theirs, strict=False):
        if was != now:
            return f"player {player} was told {was[:120]}, and in the drawn position would have been told {now[:120]}"
    return f"player {player} was told {len(mine)} events, and in the drawn position would have been told {len(theirs)}"


def _confirm(found: Contrast, one: _Sampler, two: _Sampler, examination: Examination, draws: int) -> None:
    """Fail if new draws show the same difference."""
    fresh = [one.anew(), two.anew()]
    number = draws * _AGAIN
    for sampler in fresh:
        sampler.draw(examination, number)
    a, b = (count_at(sampler.drawn, found.place, found.value) for sampler in fresh)
    if fisher(a, number, b, number) > _CERTAIN:
        return
    where = f"{'.'.join(found.place)} is " if found.place else ""
    what = f"drawn positions depend on what the player cannot see: {where}{found.value[:80]} in {a} and {b} of {number}"
    sight = f"the player cannot tell this match from {two.walk.line.brief}, whose draws differ"
    raise ConformanceError("resample", what, player=one.player, line=one.walk.line, sight=sight)


def _numeral(number: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(number, str(number))
