"""The backend that runs vLLM inside this process."""

from importlib.util import find_spec

import attrs
from arena.backend import Connection
from arena.errors import ConfigError
from arena.installing import install_line

from arena_backend_vllm.options import VLLM


@attrs.frozen(kw_only=True)
class Engine(VLLM):
    """A model that vLLM runs for this process alone. It is loaded when it is first asked, which takes a minute."""

    async def connect(self) -> Connection:
        """Load the model; raises ``ConfigError`` if vLLM is missing or rejects an option, else ``BackendError``."""
        if find_spec("vllm") is None:
            raise ConfigError(
                f"vllm-engine needs vLLM: {install_line('vllm')} on a machine with a GPU, or use vllm-serve"
            )
        from arena_backend_vllm.application import load

        return await load(self)
