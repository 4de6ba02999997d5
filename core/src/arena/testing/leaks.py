"""Does a player get to know more than the events it saw and the actions it took?

Whatever a player can get out of a position is its *face*: observation, options, schema, query answers and verdicts with
their texts. Two positions with the same history of a player must show it the same face, however different they are in
truth. Positions to compare come from other matches, from the same match with exchanged luck, and from the same match
with another action of somebody else.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, TypeAlias, cast

import attrs

from arena.errors import RuleError
from arena.game import ABSENT, GONE, Illegal
from arena.record import JSON, Player, canonical
from arena.testing.choices import SAMPLES, probes
from arena.testing.conformance import ConformanceError, Line, Wave
from arena.testing.exchanges import exchange
from arena.testing.lookups import answered
from arena.testing.position import Examination
from arena.testing.values import NONSENSE, copied
from arena.testing.walk import Walk, fresh

History: TypeAlias = tuple[Player, str, bytes]

_VERDICTS = 120
_READABLE = 120


@attrs.frozen
class Sight:
    """What a player got to see with one history, and where."""

    face: Mapping[str, str]
    truth: str
    line: Line


@attrs.define(eq=False)
class Ledger:
    """All faces seen so far, by history."""

    examination: Examination
    sights: dict[History, Sight] = attrs.field(factory=dict[History, Sight])
    known: set[tuple[int, bytes]] = attrs.field(factory=set[tuple[int, bytes]])

    def note(self, walk: Walk) -> None:
        """Remember that the histories of this position belong to a match under examination."""
        self.known.update(enumerate(walk.seen))

    def knows(self, walk: Walk) -> list[Player]:
        """The players who cannot tell this position from one that was noted."""
        return [Player(p) for p in range(walk.players) if (p, walk.seen[p]) in self.known]

    def see(self, walk: Walk, player: Player) -> None:
        """Compare what ``player`` sees here with what it saw elsewhere after the same history."""
        acting = walk.to_act
        status = "acting" if player in acting else "waiting" if acting else "over"
        history = (player, status, walk.seen[player])
        now = Sight(face(walk, player, self.examination), canonical(walk.state.observe(None)), walk.line)
        before = self.sights.setdefault(history, now)
        if before is now:
            return
        is_repeated = str(before.line) == str(now.line)
        if not is_repeated:
            self.examination.counts["pairs"] += 1
            self.examination.counts["differing"] += before.truth != now.truth
        for part, text in now.face.items():
            if before.face.get(part) != text:
                raise _difference(player, part, before, now, is_repeated)


def face(walk: Walk, player: Player, examination: Examination) -> dict[str, str]:
    """Everything ``player`` can get out of this position, part by part."""
    seen = {"observation": canonical(walk.state.observe(player))}
    if player not in walk.to_act:
        return seen
    decision = walk.state.decision(player)
    options = None if decision.options is None else [[o.action, o.label] for o in decision.options]
    seen["phase"] = canonical(decision.phase)
    seen["options"] = canonical(options)
    seen["schema"] = canonical(decision.action_schema)
    skip: Any = decision.skip
    seen["skip"] = canonical([] if skip is ABSENT else [skip])
    seen["samples"] = canonical([] if options else [decision.sample(Random(n)) for n in range(SAMPLES)])
    asked: list[JSON] = []
    for query in decision.queries:
        answers = [answered(query, arguments) for arguments in (query.example, *NONSENSE)]
        asked.append([query.name, query.summary, query.schema, query.limit, query.period, query.example, answers])
    seen["queries"] = canonical(asked)
    verdicts: list[JSON] = []
    known = examination.actions.get(decision.phase, ())
    for probe in islice(probes(decision, known, near=12 if options is None else 3), _VERDICTS):
        refused = walk.state.check(player, copied(probe))
        verdicts.append([probe, [refused.kind, refused.reason] if isinstance(refused, Illegal) else None])
    seen["verdicts"] = canonical(verdicts)
    return seen


def explore_luck(walk: Walk, ledger: Ledger, rng: Random) -> None:
    """Play ``walk`` once more with exchanged luck, as far as somebody cannot tell the difference."""
    forced = exchange(walk.chance.trace, rng)
    if forced is None:
        return
    changed = min(place for place, outcome in forced.items() if walk.chance.trace[place].outcome != outcome)
    try:
        other = Walk.begin(walk.game, walk.players, walk.seed, forced)
        _follow(other, walk.waves, ledger, rng, since=changed)
    except RuleError:
        ledger.examination.counts["impossible"] += 1
        return
    ledger.examination.counts["redeals"] += 1


def explore_actions(walk: Walk, played: Wave, following: Sequence[Wave], ledger: Ledger, rng: Random) -> None:
    """Play on from ``walk`` with another action of one player instead of ``played``."""
    player = rng.choice(list(played))
    other = walk.fork()
    action = copied(other.state.decision(player).sample(rng))
    was = played[player]
    if was is GONE or canonical(action) == canonical(was):
        return
    other.step(fresh({**played, player: action}))
    ledger.examination.counts["alternates"] += 1
    _follow(other, following, ledger, rng)


def _follow(other: Walk, waves: Sequence[Wave], ledger: Ledger, rng: Random, since: int = -1) -> None:
    """Go on with the waves of another match, replaced where they are not legal, and compare on the way.

    Up to the place ``since`` in the trace of chance both matches are the same, so there is nothing to compare.
    """
    for wave in (*waves[len(other.waves) :], None):
        if len(other.chance.trace) > since:
            unaware = ledger.knows(other)
            if not unaware:
                return
            for player in unaware:
                ledger.see(other, player)
        if wave is None or other.is_over:
            return
        other.step(_adapted(other, wave, rng))


def _adapted(walk: Walk, wave: Wave, rng: Random) -> Wave:
    """``wave`` where it can be played, random legal actions where it cannot."""
    adapted = dict(walk.draw_wave(rng))
    for player in adapted:
        action = wave.get(player, GONE)
        if action is not GONE and walk.state.check(player, copied(action)) is None:
            adapted[player] = copied(action)
    return adapted


def _difference(player: Player, part: str, before: Sight, now: Sight, is_repeated: bool) -> ConformanceError:
    old, new = _apart(json.loads(before.face.get(part, "null")), json.loads(now.face[part]))
    if is_repeated:
        what = f"the same match shows other {part} the next time: {old} and {new}"
        return ConformanceError("determinism", what, player=player, line=now.line)
    what = f"{part}: {new} is more than the events it saw and its own actions tell, it is {old} in {before.line}"
    return ConformanceError("leak", what, player=player, line=now.line)


def _apart(old: Any, new: Any) -> tuple[str, str]:
    """The smallest parts of two values that hold what they differ in first and can still be read."""
    while len(canonical(old)) > _READABLE:
        different = [pair for pair in _pairs(old, new) if canonical(pair[0]) != canonical(pair[1])]
        if not different:
            break
        old, new = different[0]
    return canonical(old), canonical(new)


def _pairs(old: Any, new: Any) -> list[tuple[Any, Any]]:
    if isinstance(old, list) and isinstance(new, list):
        return list(zip(cast("list[Any]", old), cast("list[Any]", new), strict=False))
    if isinstance(old, dict) and isinstance(new, dict):
        before, after = cast("dict[str, Any]", old), cast("dict[str, Any]", new)
        return [({key: value}, {key: after.get(key)}) for key, value in before.items()] if len(before) > 1 else []
    return []
