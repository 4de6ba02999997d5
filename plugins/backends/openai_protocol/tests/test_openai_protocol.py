"""What an HTTP status means, and which names the package hands out."""

import re
from pathlib import Path

import arena_openai_protocol
import pytest
from arena.errors import (
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    QuotaExhausted,
    RequestRejected,
    TransientBackendError,
)
from arena_openai_protocol import (
    chat,
    chat_completion,
    error_from_status,
    event_stream,
    grammar,
    http_errors,
    keys,
    model_list,
    parameters,
    server_answers,
    stream_assembly,
    strict,
)

MODULES = (
    *(chat, event_stream, grammar, http_errors, keys),
    *(model_list, parameters, stream_assembly, strict, server_answers),
)
KINDS = {
    402: QuotaExhausted,
    408: BackendTimedOut,
    429: BackendOverloaded,
    **dict.fromkeys((302, 401, 404), BackendUnavailable),
    **dict.fromkeys((400, 403, 405, 413, 422), RequestRejected),
    **dict.fromkeys((409, 425, 500, 502, 503, 529), TransientBackendError),
}


@pytest.mark.parametrize(("status", "kind"), KINDS.items())
def test_a_status_is_an_error_of_one_class(status, kind):
    """Each status becomes the class that says what follows from it, with the wait where one is of use."""
    error = error_from_status(status, "no", model="m", where="box", retry_after_s=7.0)

    assert type(error) is kind
    assert getattr(error, "retry_after_s", 7.0) == 7.0


def test_an_answer_without_a_choice_is_asked_for_again():
    """A response that holds no answer is an error that may pass."""
    with pytest.raises(TransientBackendError, match="without a choice"):
        chat_completion({"choices": []}, wants_logprobs=False)


def test_every_public_name_is_handed_out():
    """The package hands out what its modules define for others, and the reference lists these modules."""
    root = next(parent for parent in Path(__file__).parents if (parent / "docs" / "reference").is_dir())
    page = (root / "docs" / "reference" / "openai-protocol.md").read_text("utf-8")
    defined = {
        name
        for module in MODULES
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    }

    assert set(arena_openai_protocol.__all__) - {"ANSWER_MB"} == defined
    assert set(re.findall(r"autoapimodule:: ([\w.]+)", page)) == {module.__name__ for module in MODULES}
