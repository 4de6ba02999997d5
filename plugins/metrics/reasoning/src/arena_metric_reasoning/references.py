"""What one reasoning refers to, held against the position it was given in, and against the action played.

A *reference* is a name of a thing (``arena_metric_reasoning.mentions``). A reasoning is flagged

- ``does not exist``: it names something that the game, or no decision of the match, has;
- ``taken, called free``: it says of something taken that it is free (``claims/english.yaml`` has the sentences);
- ``free, called taken``: the other way round;
- ``not held, called held``: it says that the player has something that is certainly elsewhere;
- ``not legal, to be played``: it says that the player will play something that is no legal action of this turn.

Whether the action *follows*: ``last`` is whether the legal action named last is the one played, ``intended`` whether
the action it last says to play is, each ``None`` where none is named. A reasoning *contradicts itself* if it calls one
thing both free and taken, or says of one that it will be played and that it will not.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs
from arena.errors import JournalError
from arena.game import Entities, Game
from arena.record import MatchRecord, Player
from arena.turns import positions

from arena_metric_reasoning.claims import Claim, Claims
from arena_metric_reasoning.mentions import Entity, Mention, MentionFinder
from arena_metric_reasoning.moves import ReasonedMove, moves

MISSING: Final = "does not exist"
FREE: Final = "taken, called free"
TAKEN: Final = "free, called taken"
HELD: Final = "not held, called held"
ILLEGAL: Final = "not legal, to be played"
FLAGS: Final = (MISSING, FREE, TAKEN, HELD, ILLEGAL)


@attrs.frozen(kw_only=True)
class Check:
    """What was found in one reasoning; ``flags`` has the words that caused each flag."""

    references: int
    flags: Mapping[str, tuple[str, ...]]
    last: bool | None
    intended: bool | None
    contradicts: bool


def check(text: str, sight: MentionFinder, played: Entity, claims: Claims) -> Check:
    """Check one reasoning; ``played`` is the action that was played with it."""
    mentions = sight.mentions(text)
    said = [(mention, claims.about(text, mention.start, mention.end)) for mention in mentions]
    flags: dict[str, list[str]] = {}
    for mention, claimed in said:
        for flag in _flags(mention, claimed, sight):
            if mention.text not in flags.setdefault(flag, []):
                flags[flag].append(mention.text)
    named = [mention.thing for mention in mentions if mention.thing in sight.legal]
    meant = [m.thing for m, claimed in said if "intended" in claimed and sight.can_be_played(m.thing)]
    return Check(
        references=len(mentions),
        flags={flag: tuple(flags[flag]) for flag in FLAGS if flag in flags},
        last=named[-1] == played if named else None,
        intended=meant[-1] == played if meant else None,
        contradicts=_contradicts(said),
    )


def _flags(mention: Mention, claimed: frozenset[Claim], sight: MentionFinder) -> Iterator[str]:
    standing = mention.standing
    if standing is None:
        yield MISSING
    if standing == "taken" and "free" in claimed:
        yield FREE
    if standing == "free" and "taken" in claimed:
        yield TAKEN
    if standing == "elsewhere" and "held" in claimed:
        yield HELD
    if "intended" in claimed and sight.can_be_played(mention.thing) and mention.thing not in sight.legal:
        yield ILLEGAL


def _contradicts(said: Sequence[tuple[Mention, frozenset[Claim]]]) -> bool:
    claimed: dict[Entity, set[Claim]] = {}
    for mention, claims in said:
        claimed.setdefault(mention.thing, set()).update(claims)
    return any({"free", "taken"} <= own or {"intended", "rejected"} <= own for own in claimed.values())


def checks(match: MatchRecord, game: Game, claims: Claims) -> Iterator[tuple[ReasonedMove, Check | None]]:
    """Check every move with reasoning.

    The result is ``None`` for a move that cannot be checked: its actions have no labels, or the installed game does not
    reproduce the recorded match.
    """
    spoken = [move for move in moves(match) if move.reasoning]
    try:
        seen = list(_seen(match, game, {(m.step, m.player) for m in spoken})) if spoken else []
    except JournalError:
        seen = []
    known = dict.fromkeys(label for _, offered, _ in seen for label in offered)
    by_place = {place: (offered, names) for place, offered, names in seen}
    for move in spoken:
        offered, names = by_place.get((move.step, move.player), ((), ()))
        if not offered:
            yield move, None
            continue
        sight = MentionFinder.of(names, offered, known)
        yield move, check(move.reasoning, sight, sight.called(move.label), claims)


def _seen(
    match: MatchRecord, game: Game, wanted: set[tuple[int, Player]]
) -> Iterator[tuple[tuple[int, Player], tuple[str, ...], tuple[Entities, ...]]]:
    """The labels of every decision, and the declared names of the decisions in ``wanted``."""
    for position in positions(game, match):
        for player in position.state.to_act():
            decision = position.state.decision(player)
            if decision.options is None:
                continue
            is_wanted = (position.step, player) in wanted
            names = tuple(game.names(position.state.observe(player))) if is_wanted else ()
            yield (position.step, player), tuple(option.label for option in decision.options), names
