"""Makes the verdict from matches that gave returns, and finds those that only repeat others."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import attrs
from arena.metric import Baseline
from arena_engine import unswept_name

from arena_report.verdict import words
from arena_report.verdict.ranking import score_table
from arena_report.verdict.scope import Ratings, Scope
from arena_report.verdict.values import Contest, Verdict


@attrs.frozen
class Repetition:
    """Agents that repeated their matches in a game, or in all its variants, and how many of them were different."""

    game: str
    agents: tuple[str, ...]
    matches: int
    different: int


def without_repeats(contests: Sequence[Contest], random: Collection[str]) -> tuple[list[Contest], list[Repetition]]:
    """Keep one of each match where all repeats of it are alike; different ones of the same agents are one block.

    That is so only if in each order of seats, in a game and all its variants, every match of these agents went alike,
    as it does between agents that leave nothing to chance: matches of others may well be alike now and then, and count.
    So do those of agents in ``random``, whose short matches are often alike.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Contest]] = defaultdict(list)
    for contest in contests:
        groups[unswept_name(contest.game), tuple(sorted(contest.returns))].append(contest)
    kept: list[Contest] = []
    found: list[Repetition] = []
    for (family, agents), own in groups.items():
        ways: dict[tuple[object, ...], dict[str, Contest]] = defaultdict(dict)
        for contest in own:
            ways[contest.game, *sorted(contest.seats.items())].setdefault(contest.played, contest)
        is_repeated = all(contest.played for contest in own) and len(own) > len(ways) == sum(map(len, ways.values()))
        if not is_repeated or set(agents) & set(random):
            kept += own
            continue
        different = [each for alike in ways.values() for each in alike.values()]
        kept += [attrs.evolve(each, block=f"{each.game}/alike") for each in different]
        found.append(Repetition(family, agents, len(own), len(different)))
    return kept, found


MOST_VARIANTS = 8
"""The most variants of one game that have a verdict each; more of them have one together."""

FEW_PAIRS = 3
"""The most comparisons that are named in the sentence over all games."""


def verdict_of(
    contests: Iterable[Contest],
    baselines: Mapping[str, Baseline],
    *,
    level: float = 0.95,
    ratings: Ratings | None = None,
    doubts: Iterable[str] = (),
    failure: str = "",
    random: Collection[str] = ("random",),
    power: float = 0.8,
) -> Verdict:
    """Say who is better, and how sure that is.

    ``baselines`` are by game; a game without one counts wins. Without ``ratings`` leads are said as shares instead of
    points. ``failure`` is why no match has a result, for the case that there is none. Of the agents in ``random`` it is
    known that they play at random, so it is a doubt if another one cannot be told apart from them. ``power`` is the
    chance with which the further matches that are named tell two agents apart.
    """
    kept, repeats = without_repeats(list(contests), random)
    said = [*doubts, *_repeated(repeats)]
    if not kept:
        why = f": {failure.rstrip('.')}" if failure else ""
        return Verdict(sentences=(f"No match has a result{why}.",), doubts=tuple(said), level=level)
    groups = _groups(contest.game for contest in kept)
    over_all = Scope.of(kept, baselines, level, ratings, "", 1, power)
    if not over_all.is_mixed or len(groups) == 1:
        said += _like_random(over_all.like_random(random))
    if len(groups) == 1:
        return attrs.evolve(over_all.verdict(), doubts=tuple(dict.fromkeys(said)))
    by_game = {
        name: Scope.of(
            [each for each in kept if each.game in games], baselines, level, ratings, name, len(groups), power
        )
        for name, games in groups.items()
    }
    if over_all.is_mixed:
        said += _like_random_by_game({game: [*scope.like_random(random)] for game, scope in by_game.items()})
    return attrs.evolve(
        over_all.verdict(),
        sentences=over_games(over_all, by_game),
        game_sentences=_on_games(by_game),
        scores=score_table(groups, over_all.agents, baselines, [each.agent for each in over_all.ranking], level),
        by_game={game: scope.verdict() for game, scope in by_game.items()},
        doubts=tuple(dict.fromkeys(said)),
        footnotes=over_all.footnotes(len(groups)),
    )


def over_games(over_all: Scope, by_game: Mapping[str, Scope]) -> tuple[str, ...]:
    """The sentences over all games, and where games say the opposite of each other."""
    if over_all.is_mixed:
        return (_leaders(by_game),)
    said = list(over_all.sentences())
    for first, second in over_all.pairs:
        leads: dict[bool, list[str]] = {True: [], False: []}
        for game, scope in by_game.items():
            pair = scope.pairs.get((first, second)) or scope.pairs.get((second, first))
            if pair is not None and pair.settled:
                leads[(pair.lead > 0) == (pair.a == first)].append(game)
        if leads[True] and leads[False]:
            said.append(f"{first} leads in {words.names(leads[True])}, {second} in {words.names(leads[False])}.")
    return tuple(said)


def _on_games(by_game: Mapping[str, Scope]) -> tuple[str, ...]:
    """A line for each game; games of which the same is to be said have one together."""
    said: dict[str, list[str]] = {}
    for game, scope in by_game.items():
        said.setdefault(" ".join(scope.sentences()), []).append(game)
    return tuple(f"{words.names(games)}: {sentence}" for sentence, games in said.items())


def _leaders(by_game: Mapping[str, Scope]) -> str:
    """Who is certainly the best in which games, where their results cannot be added up.

    Where some agents have not met nobody can lead; there it is said who certainly beats whom, unless that gets long.
    """
    where: dict[str, list[str]] = {}
    nowhere: dict[str, Scope] = {}
    for game, scope in by_game.items():
        if leader := scope.leader():
            where.setdefault(f"{leader} leads", []).append(game)
        else:
            nowhere[game] = scope
    ahead: dict[str, list[str]] = {}
    for game, scope in nowhere.items():
        for told in scope.certain():
            ahead.setdefault(told, []).append(game)
    if len(ahead) <= FEW_PAIRS:
        where |= ahead
        nowhere = {game: scope for game, scope in nowhere.items() if not scope.certain()}
    said = [f"{told} in {words.names(games)}" for told, games in where.items()]
    if nowhere:
        said.append(f"nobody certainly leads in {words.names(list(nowhere))}")
    return f"{'; '.join(said)}."


def _like_random(agents: Iterable[str], where: str = "") -> list[str]:
    """The doubt that agents are no better than random play; none without such agents."""
    found = [*dict.fromkeys(agents)]
    return [f"{words.names(found)} cannot be told apart from random play{where}"] if found else []


def _like_random_by_game(found: Mapping[str, Collection[str]]) -> list[str]:
    """The same where there is no comparison over all games, once for those games in which it is the same agents."""
    games: dict[tuple[str, ...], list[str]] = {}
    for game, agents in found.items():
        games.setdefault(tuple(dict.fromkeys(agents)), []).append(game)
    return [doubt for agents, own in games.items() for doubt in _like_random(agents, f" in {words.names(own)}")]


def _groups(games: Iterable[str]) -> dict[str, list[str]]:
    """The games that have a verdict each; too many variants of one have it together, under its name."""
    families: dict[str, list[str]] = {}
    for game in dict.fromkeys(games):
        families.setdefault(unswept_name(game), []).append(game)
    found: dict[str, list[str]] = {}
    for family, own in families.items():
        found |= {family: own} if len(own) > MOST_VARIANTS else {game: [game] for game in own}
    return found


def _repeated(found: Iterable[Repetition]) -> Iterable[str]:
    """A doubt for agents that played each other, and one for all that played alone with the same numbers."""
    alone: dict[tuple[str, int, int], list[str]] = {}
    for each in found:
        if len(each.agents) > 1:
            told = _counted(each.game, each.matches, each.different)
            yield f"{words.names(each.agents)} repeat the same matches in {told}"
        else:
            alone.setdefault((each.game, each.matches, each.different), []).extend(each.agents)
    for (game, matches, different), agents in alone.items():
        who = f"{agents[0]} repeats" if len(agents) == 1 else f"{words.names(agents)} each repeat"
        yield f"{who} the same matches in {_counted(game, matches, different)}"


def _counted(game: str, matches: int, different: int) -> str:
    counts = "1 is different and counts" if different == 1 else f"{different:,} are different and count"
    return f"{game}: of {matches:,} played, {counts}"
