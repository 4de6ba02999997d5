"""Writes the tables of layers in ``architecture.md`` from the import contracts in the root ``pyproject.toml``.

Run it after a change of a contract. Each table stands between a comment that names the package and one that ends it.
"""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE / "architecture.md"
PLACE = re.compile(r"(<!-- layers of (\w+), written by docs/layers\.py -->\n).*?(<!-- end of layers -->)", re.DOTALL)


def layers(settings: Path) -> dict[str, Sequence[str]]:
    """The layers of each package that has a contract, the highest first."""
    contracts = tomllib.loads(settings.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    return {package: each["layers"] for each in contracts if each["type"] == "layers" for package in each["containers"]}


def table(package: str, rows: Sequence[str]) -> str:
    """The layers of one package as a table, with the modules of a layer in alphabetical order."""
    modules = (sorted(module.strip() for module in row.split("|")) for row in rows)
    lines = [", ".join(f"`{module}`" for module in row) for row in modules]
    head = f"| | modules of `{package}` |\n|---:|---|\n"
    return head + "".join(f"| {len(lines) - above} | {line} |\n" for above, line in enumerate(lines))


def written(page: str, contracts: dict[str, Sequence[str]]) -> str:
    """The page with every table as the contracts have it; ``KeyError`` for a package without a contract."""
    return PLACE.sub(lambda found: f"{found[1]}\n{table(found[2], contracts[found[2]])}\n{found[3]}", page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8"), layers(HERE.parent / "pyproject.toml")), "utf-8")
