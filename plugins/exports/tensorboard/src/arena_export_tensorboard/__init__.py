"""Exports runs as event files for TensorBoard."""

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

TENSORBOARD = Plugin(
    factory="arena_export_tensorboard.events:TensorBoard",
    summary="a directory of event files for TensorBoard: returns, refusals and lengths by game and agent",
    requirements=(Requirement("tensorboardX", package=full_name("export-tensorboard")),),
    licence="Apache-2.0; tensorboardX: MIT",
)
