"""A game of a later contract."""

from arena.plugin import Plugin

PLUGIN = Plugin(api=2, factory="acme_ahead:Nothing", summary="A game of a later contract.")
