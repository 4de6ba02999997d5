import pytest
from arena.chance import Chance
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker


def _positions(game, players, deals):
    """Every position that can be reached from some deals."""
    for forced in deals:
        state, _ = game.start(Chance(0, forced), players)
        stack = [state]
        while stack:
            state = stack.pop()
            yield state
            for player in state.to_act():
                for action in state.decision(player).options.actions:
                    child = state.clone()
                    child.apply({player: action})
                    stack.append(child)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_labels_agree_with_the_engine_everywhere(players):
    """In every history the words are fold and call once the engine has seen a bet, check and bet before."""
    deals = [{p: (p + shift) % (players + 1) for p in range(players)} for shift in range(players + 1)]
    for state in _positions(KuhnPoker(), players, deals):
        for player in state.to_act():
            # the engine writes its moves as p and b after the cards: "0 2 pb"
            has_bet = "b" in str(state.engine)
            labels = [option.label for option in state.decision(player).options]
            assert labels == (["fold", "call 1 chip"] if has_bet else ["check", "bet 1 chip"])


@pytest.mark.parametrize(("game", "players"), [(KuhnPoker(), 2), (KuhnPoker(), 3), (LeducPoker(), 2)])
def test_chips_in_the_pot_are_what_is_won_and_lost(game, players):
    """At the end every loser has lost just what the table says it paid."""
    deals = [{0: 0, 1: 2, 2: 1}, {0: 2, 1: 0, 2: 1}] if players == 2 else [{0: 0, 1: 2, 2: 3}]
    for state in _positions(game, players, deals):
        returns = state.returns()
        if returns is not None:
            paid = list(state.observe(None)["paid"].values())
            assert all(value == -paid[p] for p, value in enumerate(returns) if value < 0)
            assert sum(returns) == 0


def test_leduc_words_cost_what_they_say():
    """The amounts in Leduc's labels are what the engine takes."""
    for state in _positions(LeducPoker(), 2, [{0: 0, 1: 3, 2: 5}]):
        for player in state.to_act():
            money = state.engine.money()[player]
            for option in state.decision(player).options:
                child = state.clone()
                child.apply({player: option.action})
                if child.returns() is None:
                    cost = money - child.engine.money()[player]
                    words = option.label.rstrip(")").replace("chips", "").replace("chip", "").split()
                    assert cost == (0 if words[0] == "check" else int(words[-1])), option.label


def test_leduc_tells_the_public_card():
    """The public card is an event for everybody between the two rounds, and part of what they see."""
    state, _ = LeducPoker().start(Chance(0, {0: 0, 1: 3, 2: 4}), 2)
    state.apply({0: 1})

    events = state.apply({1: 1})

    assert ("opened", {"card": "K"}, None) in [(e.kind, e.data, e.to) for e in events]
    assert state.observe(0)["public_card"] == "K"
    assert state.observe(0)["round"] == 2


def test_a_fold_shows_no_card():
    """Who wins because all others fold keeps its card to itself."""
    state, _ = KuhnPoker().start(Chance(1), 2)
    state.apply({0: 1})

    events = state.apply({1: 0})

    assert [e.kind for e in events] == ["moved", "paid"]
    assert state.observe(1)["cards"]["player 1"] is None


def test_a_showdown_shows_all_cards():
    """Cards of those who are still in are shown to everybody."""
    state, _ = KuhnPoker().start(Chance(0, {0: 0, 1: 2}), 2)
    state.apply({0: 1})

    events = state.apply({1: 1})

    assert [(e.kind, e.to) for e in events] == [("moved", None), ("showed", None), ("showed", None), ("paid", None)]
    assert state.observe(0)["cards"] == {"player 1": "J", "player 2": "K"}
    assert state.returns() == [-2.0, 2.0]


def test_uniform_play_of_kuhn_poker_earns_one_eighth():
    """Over all deals and histories, uniform random play earns the first player exactly 1/8."""

    def value(state):
        returns = state.returns()
        if returns is not None:
            return returns[0]
        (player,) = state.to_act()
        values = []
        for action in state.decision(player).options.actions:
            child = state.clone()
            child.apply({player: action})
            values.append(value(child))
        return sum(values) / len(values)

    deals = [{0: a, 1: b} for a in range(3) for b in range(3) if a != b]

    assert sum(value(KuhnPoker().start(Chance(0, deal), 2)[0]) for deal in deals) / 6 == pytest.approx(1 / 8)
