"""Runs as event files of TensorBoard."""

from arena.plugin import Need, Plugin

TENSORBOARD = Plugin(
    factory="arena_export_tensorboard.events:TensorBoard",
    summary="a directory of event files for TensorBoard: returns, refusals and lengths by game and agent",
    needs=(Need("tensorboardX", "pip install arena-export-tensorboard"),),
    licence="Apache-2.0; tensorboardX: MIT",
)
