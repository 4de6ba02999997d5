"""Proves that a player learns nothing beyond the events it saw and its own actions.

What a player can get out of a position is its visible state: observation, the words for what happened last, options,
schema, query answers and the texts with which actions are refused. Two positions in which the player has the same
history (one information set) must have the same visible state for that player, however much the hidden state differs.
Positions to compare come from other matches, from the same match with other chance outcomes, and from the same match
with another action of another player.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, TypeAlias, cast

import attrs
from arena.errors import RuleError
from arena.game import ABSENT, FORFEITED, Illegal, PlayerView, State, public_view
from arena.record import JSON, Player, canonical_json

from arena_testing.foundation.conformance import ActionSequence, ConformanceError, CpuLimit, Step
from arena_testing.foundation.playthrough import Playthrough, fresh
from arena_testing.foundation.values import NONSENSE, copied
from arena_testing.game.chance_swaps import exchange
from arena_testing.game.decisions import SAMPLES, probes
from arena_testing.game.future_chance import check_announcements
from arena_testing.game.observations import SCENE, drawn_as_text
from arena_testing.game.position import Examination
from arena_testing.game.queries import answered
from arena_testing.game.touches import seen_in_touches, suggested

History: TypeAlias = tuple[Player, str, bytes]
"""A player, whether it acts, and the hash of all it saw and did: its information set."""

EXPLORED = 0.9
"""The share of the time by which positions are compared; the rest is for drawing positions."""

_VERDICTS = 120
"""The most actions given to ``check`` in a position, since each is given in every position of a pair."""

_WORDS = 4
"""How many of the last events that a player saw are put into words, to be compared."""

_TRUTHS = 8
"""The most hidden states that are remembered for one history."""

_READABLE = 120
"""The most characters of a difference that an error quotes."""


@attrs.frozen
class Knowledge:
    """What a player saw after one history, and the actions that lead there; ``others`` is what all players saw."""

    visible: Mapping[str, str]
    truth: str
    line: ActionSequence
    others: tuple[str, ...] = ()


@attrs.define(eq=False)
class InformationSets:
    """What each player saw so far, by the player's history; ``differing`` counts pairs with different hidden states.

    ``truths`` has, for each history after which a player acts, the hidden states that were met and a match with each.
    ``public`` is what a bystander saw after the events that everybody was told, and a match with it.
    """

    examination: Examination
    time_limit: CpuLimit = attrs.field(factory=CpuLimit)
    seen: dict[History, Knowledge] = attrs.field(factory=dict[History, Knowledge])
    truths: dict[History, dict[str, ActionSequence]] = attrs.field(factory=dict[History, dict[str, ActionSequence]])
    known: set[tuple[int, bytes]] = attrs.field(factory=set[tuple[int, bytes]])
    public: dict[tuple[bool, bytes], tuple[str, ActionSequence]] = attrs.field(
        factory=dict[tuple[bool, bytes], tuple[str, ActionSequence]]
    )
    differing: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether the time is over and, if anything is hidden, something that is was compared."""
        has_compared = self.differing or not self.examination.facts.hidden_information
        return bool(has_compared) and self.time_limit.is_over(EXPLORED)

    def note(self, walk: Playthrough) -> None:
        """Remember every player's history in this position, so that other matches are compared with it."""
        self.known.update(enumerate(walk.seen))

    def knows(self, walk: Playthrough) -> list[Player]:
        """The players whose history here equals one that was noted."""
        return [Player(p) for p in range(walk.players) if (p, walk.seen[p]) in self.known]

    def see_public(self, walk: Playthrough) -> None:
        """Fail if a bystander sees something here that it did not see elsewhere after the same public events."""
        view = public_view(walk.state, self.examination.facts)
        if view is ABSENT:
            return
        text = canonical_json(view)
        if SCENE in walk.game.forms:
            text = f'{{"view": {text}, "scene": {drawn_as_text(walk.game, view)}}}'
        was, line = self.public.setdefault((walk.is_over, walk.public), (text, walk.line))
        if was != text:
            old, new = _apart(json.loads(was), json.loads(text))
            what = f"a bystander is shown {new}, which is more than events for everybody tell: it is {old} in {line}"
            is_its_own = type(walk.state).observe_public is not State.observe_public
            raise ConformanceError("public" if is_its_own else "leak", what, line=walk.line)

    def has_seen_public(self, walk: Playthrough) -> bool:
        """Whether a bystander cannot tell this match from another one that was looked at."""
        return (walk.is_over, walk.public) in self.public

    def see(self, walk: Playthrough, player: Player) -> None:
        """Fail if ``player`` sees something here that it did not see elsewhere after the same history."""
        acting = walk.to_act
        status = "acting" if player in acting else "waiting" if acting else "over"
        history = (player, status, walk.seen[player])
        others = () if self.examination.facts.hidden_information else _all_observations(walk)
        visible = visible_state(walk, player, self.examination)
        now = Knowledge(visible, canonical_json(walk.state.observe(None)), walk.line, others)
        if player in acting and len(met := self.truths.setdefault(history, {})) < _TRUTHS:
            met.setdefault(now.truth, now.line)
        before = self.seen.setdefault(history, now)
        if before is now:
            return
        # Long lines are compared before they are written, since nearly all of them differ.
        is_repeated = before.line == now.line and str(before.line) == str(now.line)
        if not is_repeated:
            self.differing += before.truth != now.truth
            self.examination.counts["pairs"] += 1
            self.examination.counts["differing"] += before.truth != now.truth
        for part, text in now.visible.items():
            if before.visible.get(part) != text:
                raise _difference(player, part, before, now, is_repeated)
        if not is_repeated and before.others != now.others:
            raise _undeclared(player, before, now)


def visible_state(walk: Playthrough, player: Player, examination: Examination) -> dict[str, str]:
    """Everything that ``player`` can get out of this position, as canonical texts by part."""
    observation: Any = walk.state.observe(player)
    seen = {"observation": canonical_json(observation)}
    if SCENE in walk.game.forms:
        seen["scene"] = drawn_as_text(walk.game, observation)
    told = (event for event, _ in reversed(walk.told) if event.is_visible(player))
    seen["words"] = canonical_json([walk.game.describe_event(event, player) for event in islice(told, _WORDS)])
    if player not in walk.to_act:
        return seen
    decision = walk.state.decision(player)
    options = None if decision.options is None else [[o.action, o.label] for o in decision.options]
    seen["phase"] = canonical_json(decision.phase)
    seen["options"] = canonical_json(options)
    seen["schema"] = canonical_json(decision.action_schema)
    skip: Any = decision.skip
    seen["skip"] = canonical_json([] if skip is ABSENT else [skip])
    seen["samples"] = canonical_json([] if options else [decision.sample(Random(n)) for n in range(SAMPLES)])
    own = decision.asked(PlayerView(walk.state, player), forms=walk.game.forms)
    seen["touches"] = seen_in_touches(walk.game, own)
    asked: list[JSON] = []
    for query in decision.queries:
        answers = [answered(query, arguments) for arguments in (query.example, *NONSENSE)]
        offers = suggested(walk.game, own, query)
        told = [query.name, query.summary, query.schema, query.limit, query.budget_scope, query.example]
        asked.append([*told, answers, offers])
    seen["queries"] = canonical_json(asked)
    verdicts: list[JSON] = []
    known = examination.actions.get(decision.phase, ())
    for probe in islice(probes(decision, known, near=12 if options is None else 3), _VERDICTS):
        refused = walk.state.check(player, copied(probe))
        verdicts.append([probe, [refused.kind, refused.reason] if isinstance(refused, Illegal) else None])
    seen["verdicts"] = canonical_json(verdicts)
    return seen


def explore_chance(walk: Playthrough, information_sets: InformationSets, rng: Random) -> None:
    """Replay ``walk`` with other chance outcomes and compare, while some player cannot tell the difference."""
    forced = exchange(walk.chance.trace, rng)
    if forced is None:
        return
    changed = min(place for place, outcome in forced.items() if walk.chance.trace[place].outcome != outcome)
    try:
        if "announced" not in information_sets.examination.without:
            check_announcements(walk, forced)
        other = Playthrough.begin(walk.game, walk.players, walk.seed, forced)
        _follow(other, walk.steps, information_sets, rng, since=changed)
    except RuleError:
        information_sets.examination.counts["impossible"] += 1
        return
    information_sets.examination.counts["redeals"] += 1


def explore_actions(
    walk: Playthrough, played: Step, following: Sequence[Step], information_sets: InformationSets, rng: Random
) -> None:
    """Play on from ``walk`` with another action of one player instead of ``played``, and compare."""
    player = rng.choice(list(played))
    other = walk.fork()
    action = copied(other.state.decision(player).sample(rng))
    was = played[player]
    if was is FORFEITED or canonical_json(action) == canonical_json(was):
        return
    other.step(fresh({**played, player: action}))
    information_sets.examination.counts["alternates"] += 1
    _follow(other, following, information_sets, rng)


def _follow(
    other: Playthrough, steps: Sequence[Step], information_sets: InformationSets, rng: Random, since: int = -1
) -> None:
    """Play the remaining ``steps`` of another match, replacing illegal actions, and compare on the way.

    Both matches are equal up to position ``since`` in the trace of chance, so comparing starts after it. It ends when
    the time is over.
    """
    for step in (*steps[len(other.steps) :], None):
        if information_sets.is_enough:
            return
        if len(other.chance.trace) > since:
            unaware = information_sets.knows(other)
            # Once everybody can tell the matches apart, they share no information set any more.
            if not unaware and not information_sets.has_seen_public(other):
                return
            information_sets.see_public(other)
            for player in unaware:
                information_sets.see(other, player)
        if step is None or other.is_over:
            return
        other.step(_adapted(other, step, rng))


def _adapted(walk: Playthrough, step: Step, rng: Random) -> Step:
    """``step`` with actions that are not legal here replaced by random legal ones."""
    adapted = dict(walk.draw_step(rng))
    for player in adapted:
        action = step.get(player, FORFEITED)
        if action is not FORFEITED and walk.state.check(player, copied(action)) is None:
            adapted[player] = copied(action)
    return adapted


def _difference(player: Player, part: str, before: Knowledge, now: Knowledge, is_repeated: bool) -> ConformanceError:
    old, new = _apart(json.loads(before.visible.get(part, "null")), json.loads(now.visible[part]))
    if is_repeated:
        what = f"the same match shows other {part} the next time: {old} and {new}"
        return ConformanceError("determinism", what, player=player, line=now.line)
    what = f"{part}: {new} is more than the events it saw and its own actions tell, it is {old} in {before.line}"
    return ConformanceError("leak", what, player=player, line=now.line)


def _all_observations(walk: Playthrough) -> tuple[str, ...]:
    return tuple(canonical_json(walk.state.observe(Player(p))) for p in range(walk.players))


def _undeclared(player: Player, before: Knowledge, now: Knowledge) -> ConformanceError:
    other = next(p for p, (was, sees) in enumerate(zip(before.others, now.others, strict=True)) if was != sees)
    old, new = _apart(json.loads(before.others[other]), json.loads(now.others[other]))
    what = f"hidden_information is not declared, but player {player} cannot know what player {other} is shown"
    sight = f"player {other} is shown {new}, and {old} in {before.line.brief}"
    return ConformanceError("facts", what, line=now.line, sight=sight)


def _apart(old: Any, new: Any) -> tuple[str, str]:
    """The smallest parts of two values that contain their first difference and are still readable."""
    while len(canonical_json(old)) > _READABLE:
        different = [pair for pair in _pairs(old, new) if canonical_json(pair[0]) != canonical_json(pair[1])]
        if not different:
            break
        old, new = different[0]
    return canonical_json(old), canonical_json(new)


def _pairs(old: Any, new: Any) -> list[tuple[Any, Any]]:
    if isinstance(old, list) and isinstance(new, list):
        return list(zip(cast("list[Any]", old), cast("list[Any]", new), strict=False))
    if isinstance(old, dict) and isinstance(new, dict):
        before, after = cast("dict[str, Any]", old), cast("dict[str, Any]", new)
        return [({key: value}, {key: after.get(key)}) for key, value in before.items()] if len(before) > 1 else []
    return []
