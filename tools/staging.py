"""Copies the distributions to where they are built, with the links and addresses that an index needs.

READMEs link to files beside them, which is what a reader of the checkout wants. An index shows a README alone, so the
copy links to the repository's address at the tag of the version. That address stands in one place, as ``urls`` in the
root ``pyproject.toml``; each copied ``pyproject.toml`` gets its addresses from it.
"""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

BUILT = ("pyproject.toml", "README.md", "LICENSE", "src")
"""The files and folders that a distribution is built from; its tests and scripts stay in the repository."""

PICTURES = (".png", ".svg")

# Code is matched first, so that what looks like a link in it stays as it is.
_LINK = re.compile(
    r"^(```+|~~~+).*?^\1"  # a block
    r"|(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\2(?!`)"  # a span within a paragraph
    r"|(?<=\]\()(?P<target>[^)\s]+)",
    re.DOTALL | re.MULTILINE,
)


def version_of(root: Path = ROOT) -> str:
    """The version that all distributions carry; ``ValueError`` where one carries another."""
    version = _project(root)["version"]
    others = [folder.name for folder in folders(root) if _project(folder)["version"] != version]
    if others:
        raise ValueError(f"not of version {version}: {', '.join(others)}")
    return version


def address_of(root: Path = ROOT) -> str:
    """The address of the repository, without a slash at its end."""
    return _project(root)["urls"]["Repository"].rstrip("/")


def folders(root: Path = ROOT) -> tuple[Path, ...]:
    """The folders of all distributions, the core first."""
    return (root / "core", *sorted(file.parent for file in root.glob("plugins/*/*/pyproject.toml")))


def stage(target: Path, root: Path = ROOT) -> None:
    """Write all distributions into the new folder ``target``, ready to be built together."""
    version, address = version_of(root), address_of(root)
    for file in _files(root):
        copy = target / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, copy)
    for folder in folders(target):
        place = folder.relative_to(target).as_posix()
        read_me = folder / "README.md"
        read_me.write_text(absolute(read_me.read_text("utf-8"), place, f"{address}/{{}}/v{version}", root), "utf-8")
        with (folder / "pyproject.toml").open("a", encoding="utf-8") as project:
            project.write("\n[project.urls]\n")
            project.writelines(f'{name} = "{url}"\n' for name, url in urls(address, version, place).items())


def urls(address: str, version: str, place: str) -> Mapping[str, str]:
    """The addresses that a distribution in the folder ``place`` names."""
    return {
        "Homepage": address,
        "Documentation": f"{address}/blob/v{version}/docs/index.md",
        "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
        "Issues": f"{address}/issues",
        "Source": f"{address}/tree/v{version}/{place}",
    }


def absolute(text: str, place: str, address: str, root: Path = ROOT) -> str:
    """A README of the folder ``place`` whose links lead to ``address``; ``{}`` in it stands for blob, tree or raw.

    ``ValueError`` where a link leads nowhere.
    """

    def written(found: re.Match[str]) -> str:
        target = found["target"]
        if target is None or re.match(r"[a-z]+:", target):
            return found[0]
        name, mark, heading = target.partition("#")
        file = (root / place / name).resolve() if name else root / place / "README.md"
        if not file.exists() or not file.is_relative_to(root):
            raise ValueError(f"{place}/README.md: {target!r} is no file of the repository")
        how = "tree" if file.is_dir() else "raw" if file.suffix in PICTURES else "blob"
        return f"{address.format(how)}/{file.relative_to(root).as_posix()}{mark}{heading}"

    return _LINK.sub(written, text)


def _project(folder: Path) -> Mapping[str, Any]:
    return tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]


def _files(root: Path) -> list[Path]:
    """The files to copy: those that git knows, or all of them where there is no git."""
    places = [(folder / name).relative_to(root).as_posix() for folder in folders(root) for name in BUILT]
    try:
        command = ["git", "ls-files", "-z", "--", "pyproject.toml", *places]
        listed = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True).stdout.split("\0")
        return [Path(name) for name in listed if name and (root / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        inside = (path for place in places for path in ((root / place), *(root / place).rglob("*")))
        found = (path.relative_to(root) for path in inside if path.is_file() and "__pycache__" not in path.parts)
        return [Path("pyproject.toml"), *found]
