"""The plugin ``cards``, a game with two faults for ``arena check`` to find."""

from arena.plugin import Plugin

PLUGIN = Plugin(
    factory="acme_cards.game:Cards",
    summary="Guess which card the other player holds.",
    licence="Apache-2.0",
)
