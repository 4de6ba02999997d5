"""Nim as a plugin for Arena, kept outside its repository's workspace to show that nothing there is needed."""

from arena.plugin import Plugin

NIM = Plugin(
    factory="nim.nim:Nim",
    summary="Nim: take any number of things from one heap; who takes the last one wins, or loses in misère play",
    example={"heaps": [1, 2, 3], "misere": True},
    licence="Apache-2.0",
)
