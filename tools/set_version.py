"""Write the version of all distributions into the files that state it.

    .venv/bin/python tools/set_version.py 0.2.0

Distributions of ours require each other by the range of one minor version, which is written too, also in documents.
"""

import re
import sys
from pathlib import Path

from staging import ROOT, folders, version_of

_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
_RANGE = re.compile(r"(playarena[\w-]*(?:\[[\w,-]+\])?)>=\d+\.\d+,<\d+\.\d+")


def set_version(version: str, root: Path = ROOT) -> list[Path]:
    """Give every distribution below ``root`` this version, and return the files that changed.

    ``ValueError`` if it is no version of three numbers, such as ``0.2.0`` or ``1.0.0rc1``.
    """
    if not _VERSION.fullmatch(version):
        raise ValueError(f"expected a version such as 0.2.0 or 1.0.0rc1, got {version!r}")
    before = re.escape(version_of(root))
    major, minor = version.split(".")[:2]
    stated = [root / "pyproject.toml", *(folder / "pyproject.toml" for folder in folders(root))]
    stated.append(root / "core" / "src" / "arena" / "__init__.py")
    ranges = [*root.glob("docs/**/*.md"), *root.glob("examples/*/pyproject.toml")]
    changed: list[Path] = []
    for file in (*stated, *ranges):
        text = file.read_text("utf-8")
        written = _RANGE.sub(rf"\1>={major}.{minor},<{major}.{int(minor) + 1}", text)
        if file in stated:
            written = re.sub(
                rf'^((?:__)?version(?:__)? = ")({before})"', rf'\g<1>{version}"', written, flags=re.MULTILINE
            )
        if written != text:
            file.write_text(written, "utf-8")
            changed.append(file)
    return changed


def main() -> int:
    """Write the version; returns 1 if it is no version, or if distributions carry different ones."""
    try:
        changed = set_version("".join(sys.argv[1:]))
    except ValueError as error:
        print(f"make version TO=0.2.0: {error}", file=sys.stderr)
        return 1
    print(f"{len(changed)} files changed; next: write CHANGELOG.md, run make sync, and renew tests/golden_output")
    return 0


if __name__ == "__main__":
    sys.exit(main())
