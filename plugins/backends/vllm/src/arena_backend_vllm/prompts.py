"""Makes vLLM read prompts whole on CPUs, because requests have seeds.

vLLM reads long prompts in parts (chunked prefill). It samples after each part, drops the sample, and winds the random
generator of a request with a seed back by one step, which only generators on GPUs can do. On a CPU the engine dies
there ("CPU Generator does not use offset", ``vllm/v1/worker/gpu_model_runner.py``), and every request with it.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module

_IN_PARTS = ("--enable-chunked-prefill", "--long-prefill-token-threshold")


def suited(arguments: Sequence[str]) -> Iterator[str]:
    """The options of ``vllm serve``, adapted to this machine; raises ``ValueError`` if they cannot work on a CPU.

    Imports a part of vLLM.
    """
    yield from arguments
    if import_module("vllm.platforms").current_platform.device_type != "cpu":
        return
    for argument in arguments:
        if argument.partition("=")[0] in _IN_PARTS:
            cause = "on a CPU vLLM cannot read prompts in parts if requests have seeds"
            raise ValueError(f"{argument.removeprefix('--')}: {cause}; leave it out of options")
    yield "--no-enable-chunked-prefill"
