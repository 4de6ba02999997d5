"""A release: two builds give equal files, and an index takes them."""

import re
import shutil
import zipfile
from email import message_from_bytes

import pytest
from markdown_it import MarkdownIt
from ruamel.yaml import YAML

ADDRESS = "https://host.example/arena/{}/v1"


def links(text: str) -> list[str]:
    """Where the links and pictures of a page in Markdown lead."""
    inside = [part for token in MarkdownIt("gfm-like", {"linkify": False}).parse(text) for part in token.children or ()]
    return [str(part.attrs[key]) for part in inside for key in ("href", "src") if key in part.attrs]


def is_relative(link: str) -> bool:
    return not re.match(r"[a-z]+:", link)


def test_address_stands_in_one_place(tools, root, distributions):
    """A citation names the address that the workspace has; no distribution writes one of its own."""
    address = tools("staging").address_of()

    assert address.startswith("https://")
    assert YAML(typ="safe").load((root / "CITATION.cff").read_text("utf-8"))["repository-code"] == address
    assert [d.name for d in distributions if "urls" in d.project] == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[a](README.md)", "[a](https://host.example/arena/blob/v1/core/README.md)"),
        ("[a](../README.md#three-promises)", "[a](https://host.example/arena/blob/v1/README.md#three-promises)"),
        ("[`a`](../docs)", "[`a`](https://host.example/arena/tree/v1/docs)"),
        ("[a](#b)", "[a](https://host.example/arena/blob/v1/core/README.md#b)"),
        ("![a](../docs/images/house.svg)", "![a](https://host.example/arena/raw/v1/docs/images/house.svg)"),
        ("[a](https://arena.example/b.md)", "[a](https://arena.example/b.md)"),
        ("`x](README.md)`", "`x](README.md)`"),
        ("`x\ny` [a](#b) `c`", "`x\ny` [a](https://host.example/arena/blob/v1/core/README.md#b) `c`"),
        ("``x` ](README.md)``", "``x` ](README.md)``"),
        ("```python\na[b](c)\n```", "```python\na[b](c)\n```"),
    ],
)
def test_links_are_made_absolute(tools, written, read):
    """A link to a file leads to it in the repository, one elsewhere and code stay as they are."""
    assert tools("staging").absolute(written, "core", ADDRESS) == read


@pytest.mark.parametrize("target", ["nowhere.md", "../../outside"])
def test_a_link_to_nowhere_is_named(tools, target):
    """A link to no file of the repository is an error that names page and link."""
    with pytest.raises(ValueError, match=rf"^core/README\.md: '{re.escape(target)}' is no file of the repository"):
        tools("staging").absolute(f"[a]({target})", "core", ADDRESS)


def test_no_read_me_keeps_a_relative_link(tools, root, distributions):
    """Every link of a README is absolute on an index, while in the checkout many are relative."""
    texts = {
        d.directory.relative_to(root).as_posix(): (d.directory / "README.md").read_text("utf-8") for d in distributions
    }
    absolute = {place: tools("staging").absolute(text, place, ADDRESS) for place, text in texts.items()}

    assert sum(is_relative(link) for text in texts.values() for link in links(text)) > 100
    assert {place for place, text in absolute.items() if any(map(is_relative, links(text)))} == set()


def test_a_version_is_written_everywhere(tools, root, tmp_path):
    """All distributions get the version, the core says it too, and ranges are those of its minor version."""
    for file in (root / "pyproject.toml", root / "core/src/arena/__init__.py", *root.glob("docs/*.md")):
        copy(file, root, tmp_path)
    for folder in tools("staging").folders():
        copy(folder / "pyproject.toml", root, tmp_path)

    changed = tools("set_version").set_version("2.4.0rc1", tmp_path)

    assert tools("staging").version_of(tmp_path) == "2.4.0rc1"
    assert '__version__ = "2.4.0rc1"' in (tmp_path / "core/src/arena/__init__.py").read_text("utf-8")
    assert tmp_path / "docs/compatibility.md" in changed
    texts = "".join(file.read_text("utf-8") for file in tmp_path.rglob("*") if file.is_file())
    assert set(re.findall(r"\bplayarena[\w-]*(?:\[[\w,-]+\])?(>=\d+\.\d+,<[\d.]+)", texts)) == {">=2.4,<2.5"}


def copy(file, root, target):
    """Copy a file of the checkout to its place below ``target``."""
    place = target / file.relative_to(root)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, place)


@pytest.mark.parametrize("version", ["", "1", "0.2", "v0.2.0", "0.2.0-beta"])
def test_no_version_is_refused(tools, tmp_path, version):
    """Anything but three numbers, and what may follow them, is an error before a file is touched."""
    with pytest.raises(ValueError, match="expected a version such as"):
        tools("set_version").set_version(version, tmp_path)


def test_strangers_are_those_that_there_are(tools, root):
    """Each decoy has a name that somebody else holds, with a package and a command called as ours."""
    taken = (root / "tests/taken_names.txt").read_text("utf-8").splitlines()

    assert set(tools("indexes").STRANGERS) <= set(taken)


@pytest.mark.slow  # serves with pypiserver
def test_an_index_is_served_while_it_is_needed(tools, tmp_path):
    """A served folder offers its wheels, knows no other name, and is gone afterwards."""
    from urllib.error import HTTPError, URLError
    from urllib.request import urlopen

    wheel = tools("indexes").stranger(tmp_path, "arena-cli", "1.7")

    with tools("indexes").served(tmp_path) as address:
        assert wheel.name in urlopen(f"{address}arena-cli/").read().decode()
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{address}click/")
    with pytest.raises(URLError):
        urlopen(address)


def test_a_tag_starts_what_is_tried_here(root):
    """The workflow of a release runs `make release`, and only the job that uploads may ask for an identity."""
    workflow = YAML(typ="safe").load((root / ".github/workflows/release.yml").read_text("utf-8"))
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]

    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    assert "make release" in [step.get("run") for step in build["steps"]]
    assert (publish["needs"], publish["permissions"]) == ("build", {"id-token": "write"})
    assert workflow["permissions"] == {"contents": "read"}
    assert "permissions" not in build


@pytest.fixture(scope="module")
def built(tools, tmp_path_factory):
    """All files of a release, built twice and found equal."""
    return tools("release").build_twice(tmp_path_factory.mktemp("release"))


@pytest.mark.slow
def test_two_builds_are_equal(built, distributions):
    """Two builds in other folders, time zones and with other permissions give the same wheels and sources."""
    assert len(built) == 2 * len(distributions)


@pytest.mark.campaign
def test_an_index_takes_all_files(tools, built, distributions):
    """Twine and check-wheel-contents have neither an error nor a warning about any file."""
    assert tools("release").check_metadata(built) == f"{len(built)} of {len(built)} passed"
    assert tools("release").check_contents(built) == f"{len(distributions)} of {len(distributions)} passed"


@pytest.mark.slow
def test_each_wheel_names_the_repository(tools, built, distributions):
    """All wheels have the same project URLs but for the folder of their source, and link to no file beside them."""
    address = tools("staging").address_of()
    wheels = [file for file in built if file.suffix == ".whl"]
    described = [metadata(wheel) for wheel in wheels]

    named = {tuple(url for url in each.get_all("Project-URL") if not url.startswith("Source")) for each in described}
    sources = {url for each in described for url in each.get_all("Project-URL") if url.startswith("Source")}
    assert len(named) == 1
    assert len(sources) == len(distributions)
    assert all(url.partition(", ")[2].startswith(address) for url in sources.union(*named))
    assert [each["Name"] for each in described if any(map(is_relative, links(each.get_payload())))] == []


@pytest.mark.slow
def test_difference_between_builds_is_told(tools, tmp_path, monkeypatch):
    """Files that are not the same twice end a release, by name."""
    release = tools("release")
    files = {"a": b"1", "b": b"2"}

    def built(folder, **circumstances):
        folder.mkdir()
        (folder / "one.whl").write_bytes(files[folder.name])
        return (folder / "one.whl",)

    monkeypatch.setattr(release, "_built", built)

    with pytest.raises(release.ReleaseError, match=r"^built twice, these differ: one\.whl$"):
        release.build_twice(tmp_path)


def metadata(wheel):
    """The metadata of a wheel, with its long description as payload."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))
