"""The backend for a vLLM server: a running one, or one that is started and stopped with the run."""

from collections.abc import Iterable
from importlib.util import find_spec

import attrs
from arena.backend import OFFLINE, Connection, Secret, revealed
from arena.errors import ConfigError
from arena.installing import install_line
from arena_openai_protocol import check_address
from attrs.validators import gt, optional

from arena_backend_vllm.options import VLLM

_STARTING = ("revision", "context", "gpus", "gpu_memory", "reasoning_parser", "options")


def _check_address(owner: "Serve", _field: object, address: str) -> None:
    check_address(owner, _field, address)
    fields = attrs.fields_dict(VLLM)
    for name in _STARTING:
        default = fields[name].default
        if getattr(owner, name) != ({} if name == "options" else default):
            shown = name.replace("_", "-")
            raise ValueError(f"the server at {address!r} runs already, so that {shown} cannot be set; leave one out")


@attrs.frozen(kw_only=True)
class Serve(VLLM):
    """A model behind a vLLM server: at ``base_url``, or one that is started on this machine for the run."""

    base_url: str | None = attrs.field(
        default=None,
        validator=optional(_check_address),
        metadata={
            "secrets": True,
            "help": "address of a running server (http://gpu-box:8000/v1); unset: one is started here",
        },
    )
    api_key: Secret | None = attrs.field(default=None, metadata={"help": "the running server's key as ${NAME}"})
    start_timeout_s: float = attrs.field(
        default=900.0, validator=gt(0), metadata={"help": "seconds a server that is started may take to load the model"}
    )

    def supports(self) -> frozenset[str]:
        """The model's capabilities; without ``OFFLINE`` if the server is elsewhere."""
        return super().supports() - ({OFFLINE} if self.base_url else set[str]())

    def obstacles(self) -> Iterable[str]:
        """Without an address: vLLM that is not installed, or a directory of a model that is not there."""
        if self.base_url is not None:
            return []
        return [_no_server()] if find_spec("vllm") is None else super().obstacles()

    async def connect(self) -> Connection:
        """Reach or start the server; raises ``BackendError`` or ``ConfigError`` if that fails."""
        if self.base_url is not None:
            from arena_backend_vllm.client import reach

            return await reach(self, revealed(self.base_url), self.api_key.reveal() if self.api_key else None)
        if find_spec("vllm") is None:
            raise ConfigError(_no_server())
        from arena_backend_vllm.process import start

        return await start(self)


def _no_server() -> str:
    """What is said where vLLM is not installed and no server is named."""
    return f"vllm-serve can start no server: {install_line('vllm')}, or name a running one with base-url"
