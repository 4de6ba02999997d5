"""From "told apart" to an order: groups, ranks, and what a headline says."""

from collections.abc import Collection, Sequence

import attrs

Pair = tuple[str, str]


@attrs.frozen(kw_only=True)
class Headline:
    """What is told first: either groups, each of them better than all that follow, or the greatest honest block.

    Of a block all in ``first`` are better than all in ``last``, and ``between`` stand the others. ``more`` are the
    pairs told apart that neither says.
    """

    chain: tuple[tuple[str, ...], ...] = ()
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    more: tuple[Pair, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether any two agents are told apart."""
        return len(self.chain) > 1 or bool(self.first)


def ranks_of(order: Sequence[str], separated: Collection[Pair]) -> dict[str, tuple[int, int]]:
    """The best and the worst rank of each agent that the separated pairs leave open."""
    return {
        agent: (1 + sum(b == agent for _, b in separated), len(order) - sum(a == agent for a, _ in separated))
        for agent in order
    }


def groups_of(order: Sequence[str], separated: Collection[Pair]) -> tuple[tuple[str, ...], ...]:
    """The order cut wherever all above are told apart from all below."""
    groups: list[tuple[str, ...]] = []
    begin = 0
    for cut in range(1, len(order) + 1):
        if all((a, b) in separated for a in order[:cut] for b in order[cut:]):
            groups.append(tuple(order[begin:cut]))
            begin = cut
    return tuple(groups)


def block_of(order: Sequence[str], separated: Collection[Pair]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first and the last agents of which each of the first is told apart from each of the last, as many as can be.

    Both are empty where nobody is told apart from the last one.
    """
    best: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    for k in range(1, len(order)):
        fewest = len(order)
        while fewest > k and all((a, order[fewest - 1]) in separated for a in order[:k]):
            fewest -= 1
        last = len(order) - fewest
        if k * last > len(best[0]) * len(best[1]):
            best = tuple(order[:k]), tuple(order[fewest:])
    return best


def headline_of(order: Sequence[str], separated: Collection[Pair]) -> Headline:
    """What is told first about agents in order of their strength."""
    groups = groups_of(order, separated)
    place = {agent: i for i, agent in enumerate(order)}
    in_order = sorted(separated, key=lambda pair: (place[pair[0]], place[pair[1]]))
    if len(groups) > 1:
        group = {agent: i for i, own in enumerate(groups) for agent in own}
        return Headline(chain=groups, more=tuple(pair for pair in in_order if group[pair[0]] == group[pair[1]]))
    first, last = block_of(order, separated)
    if not first:
        return Headline(chain=groups, more=tuple(in_order))
    return Headline(
        first=first,
        last=last,
        between=tuple(agent for agent in order if agent not in {*first, *last}),
        more=tuple(pair for pair in in_order if pair[0] not in first or pair[1] not in last),
    )
