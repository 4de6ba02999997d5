"""The parameters that both vLLM backends share, and the command-line options for vLLM that follow from them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import attrs
from arena.backend import BATCH, IMAGES, LOGPROBS, OFFLINE, SCHEMA, SEED, TOOLS, Backend, Price, Sampling, Secret
from arena_openai_protocol import ANSWER_MB, check_extra
from attrs.validators import ge, gt, in_, le, optional

from arena_backend_vllm.environment import own_secrets

_OURS: Mapping[str, str] = {
    "model": "write model",
    "revision": "write revision",
    "max-model-len": "write context",
    "tensor-parallel-size": "write gpus",
    "gpu-memory-utilization": "write gpu-memory",
    "reasoning-parser": "write reasoning-parser",
    "tool-call-parser": "write tool-call-parser",
    **dict.fromkeys(
        ("host", "port", "uds", "api-key", "served-model-name", "root-path", "ssl-keyfile", "ssl-certfile"),
        "the server is reached by this run alone; start one of your own and write base-url",
    ),
}
_CODE = frozenset(
    {
        *("trust-remote-code", "middleware", "tool-parser-plugin", "reasoning-parser-plugin", "logits-processors"),
        *("worker-cls", "worker-extension-cls", "scheduler-cls", "code-revision", "io-processor-plugin"),
    }
)
"""Options that make vLLM import what they name, or what comes with the model."""

_ASKED: Mapping[str, str] = dict.fromkeys(("prompt", "tool_choice"), "the agent decides about that")


def _is_path(model: str) -> bool:
    """Whether a model is a directory by the way it is written; a name on the hub is a word, a slash and a word."""
    return not re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)?", model)


def _check_model(_owner: object, _field: object, model: str) -> None:
    if not re.fullmatch(r"\S(.*\S)?", model):
        raise ValueError(f"expected a name on the hub like 'Qwen/Qwen3-8B', or a directory, got {model!r}")


def _check_options(_owner: object, _field: object, options: Mapping[str, Any]) -> None:
    for name in options:
        if not re.fullmatch(r"[a-z][a-z0-9_.-]*", name):
            raise ValueError(f"expected options of 'vllm serve' without their dashes, such as 'dtype', got {name!r}")
        if instead := _OURS.get(_dashed(name)):
            raise ValueError(f"{name!r} does not belong into options: {instead}")


def _check_extra(_owner: object, _field: object, extra: Mapping[str, Any]) -> None:
    check_extra(extra, _ASKED)


@attrs.frozen(kw_only=True)
class VLLM(Backend):
    """A model that vLLM runs.

    Requests of all matches share one batch, and what their prompts have in common is computed once. Equal requests with
    equal seeds have equal answers as far as the numbers allow: what else is in the batch changes their last bits.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH, OFFLINE})

    model: str = attrs.field(
        validator=_check_model,
        metadata={
            "help": "name on the hub (Qwen/Qwen3-8B), a directory, or the name a running server gives it",
            "names_file": lambda given: _is_path(given["model"]),
            "file_use": "loaded",
        },
    )
    prompts: Literal["chat", "text"] | None = attrs.field(
        default=None,
        validator=optional(in_(("chat", "text"))),
        metadata={"help": "'text' sends raw text, for base models; unset: text where there is no chat template"},
    )
    images: bool = attrs.field(default=False, metadata={"help": "whether the model sees pictures"})
    concurrency: int = attrs.field(
        default=256, validator=ge(1), metadata={"help": "requests in flight at once; vLLM queues what does not fit"}
    )
    revision: str | None = attrs.field(default=None, metadata={"help": "branch, tag or commit on the hub"})
    context: int | None = attrs.field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "tokens of prompt and answer together; unset: as many as the model takes"},
    )
    gpus: int = attrs.field(
        default=1, validator=ge(1), metadata={"help": "GPUs that share the model (tensor parallel)"}
    )
    gpu_memory: float | None = attrs.field(
        default=None,
        validator=optional([gt(0), le(1)]),
        metadata={"help": "share of each GPU's memory that vLLM takes; unset: vLLM's default"},
    )
    reasoning_parser: str | None = attrs.field(
        default=None, metadata={"help": "how the model's reasoning is told from its answer, such as qwen3"}
    )
    tool_call_parser: str | None = attrs.field(
        default=None,
        metadata={"help": "how the model's tool calls are read, such as hermes; unset: it is offered no tools"},
    )
    options: Mapping[str, Any] = attrs.field(
        factory=dict[str, Any],
        validator=_check_options,
        hash=False,
        metadata={
            "help": "more options of 'vllm serve', without their dashes: {dtype: bfloat16, enforce-eager: true}",
            "names_code": lambda given: any(_dashed(name) in _CODE for name in given["options"]),
            "names_file": lambda given: any(isinstance(v, str) and "/" in v for v in given["options"].values()),
            "file_use": "loaded",
        },
    )
    max_answer_mb: float = attrs.field(
        default=ANSWER_MB, validator=gt(0), metadata={"help": "megabytes that are read of one answer, at most"}
    )
    extra: Mapping[str, Any] = attrs.field(
        factory=dict[str, Any],
        validator=_check_extra,
        hash=False,
        metadata={
            "help": "more parameters of each request, sent as they are: {top_k: 20, min_p: 0.05}",
            "secrets": True,
        },
    )

    def supports(self) -> frozenset[str]:
        """All capabilities but images and tools; images must be declared, and tools need a parser."""
        has_tools = self.tool_call_parser is not None and self.prompts != "text"
        missing = {name for name, is_there in ((IMAGES, self.images), (TOOLS, has_tools)) if not is_there}
        return self.capabilities - missing

    def secrets(self) -> tuple[Secret, ...]:
        """The secrets among its parameters, and those that vLLM and the hub of models read from the environment."""
        return tuple(dict.fromkeys((*super().secrets(), *own_secrets())))

    def price(self) -> Price | None:
        """A price of zero: the model runs on the user's own GPUs."""
        return Price(0.0, 0.0)

    def with_defaults(self, asked: Sampling) -> Sampling:
        """``asked``, with open values filled in from the backend's own settings, ``extra`` included."""
        completed = super().with_defaults(asked)
        return attrs.evolve(completed, extra={**self.extra, **completed.extra})

    def obstacles(self) -> Iterable[str]:
        """A model that is written as a path and is no directory."""
        is_path = self.model.startswith(("/", "./", "../", "~"))
        if is_path and not Path(self.model).expanduser().is_dir():
            return [f"there is no directory {self.model!r}; correct model, or write a name on the hub"]
        return []

    @property
    def name(self) -> str:
        """The model's name in requests to vLLM: its name on the hub, or that of its directory."""
        path = Path(self.model).expanduser()
        return path.resolve().name if path.is_dir() else self.model

    def arguments(self) -> tuple[str, ...]:
        """The arguments of ``vllm serve``, without the address it listens on."""
        return tuple(self._arguments())

    def _arguments(self) -> Iterator[str]:
        path = Path(self.model).expanduser()
        yield f"--model={path if path.is_dir() else self.model}"
        yield f"--served-model-name={self.name}"
        yield f"--tensor-parallel-size={self.gpus}"
        settings = {
            "revision": self.revision,
            "max-model-len": self.context,
            "gpu-memory-utilization": self.gpu_memory,
            "reasoning-parser": self.reasoning_parser,
            "tool-call-parser": self.tool_call_parser,
            "enable-auto-tool-choice": True if self.tool_call_parser else None,
        }
        ours: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
        ours |= {"enable-prefix-caching": True, "enable-prompt-tokens-details": True, "use-tqdm-on-load": False}
        # Without it the model may write any white space in JSON: twice the tokens, or no end of them.
        # Guidance supports more schemas, but no tool calls.
        decoder = "xgrammar" if self.tool_call_parser else "guidance"
        ours["structured-outputs-config"] = {"backend": decoder, "disable_any_whitespace": True}
        for name, value in {**ours, **{_dashed(name): value for name, value in self.options.items()}}.items():
            yield from _argument(name, value)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _argument(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield f"--{name}" if value else f"--no-{name}"
    elif value is not None:
        yield f"--{name}={json.dumps(value) if isinstance(value, (dict, list)) else value}"
