"""A game with a long name."""

from arena.plugin import Plugin

PLUGIN = Plugin(factory="a_laboratory_of_distributions_with_long_names:Nothing", summary="A game with a long name.")
