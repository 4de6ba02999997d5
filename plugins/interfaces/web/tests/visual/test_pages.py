"""Every page as a person sees it, read from its layout: what is cut, broken, hidden, unnamed, or meant for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import pytest

from ..browser.conftest import PICTURES, Visit, visiting
from .conftest import RUNS_OF_CI, WIDTHS
from .known_findings import KNOWN
from .played_runs import RUNS, SEATS

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

LAYOUT = (Path(__file__).parent / "layout.js").read_text("utf-8")
INTERVAL = r"\[[^\]]*\d[^\]]*,[^\]]*\]"


HEADLINE = r"[>≥]|[Nn]o clear|no significant|best|leads|So far|Nothing|beats"


@attrs.frozen
class Page:
    """A page: its address, and patterns of texts that are seen of it without scrolling."""

    path: str
    above: Mapping[str, str]


OF_A_RUN = {
    "run": Page("/run/{run}", {"headline": HEADLINE, "interval": INTERVAL}),
    "report": Page("/run/{run}/report", {"headline": HEADLINE, "interval": INTERVAL}),
    "leaderboard": Page("/compare?run={run}&run=one", {"interval": INTERVAL}),
    "match": Page("{match}", {"number": r"\d"}),
    "turn": Page("{match}?at=2", {"number": r"\d"}),
}
OF_ALL = {
    "runs": Page("/", {"number": r"\d"}),
    "new-match": Page("/new/match", {"game": "[Gg]ame"}),
}
ASKED = ".ask.is-asked .sentence, .ask .sentence"


def cases(names: Iterable[str], more: Iterable[str] = ("",)) -> Iterator[Any]:
    """Each page, with each run where it is of one, in each width and theme; those of ``.ci/run`` first."""
    for name, run, width, theme in product(names, more, WIDTHS, ("light", "dark")):
        marks = [pytest.mark.campaign] if theme == "dark" or (run in RUNS and run not in RUNS_OF_CI) else []
        yield pytest.param(name, run, width, theme, id="-".join(filter(None, (name, run, width, theme))), marks=marks)


def find(visit: Visit, above: Mapping[str, str], picture: str) -> list[str]:
    """All that is wrong with the page in sight, a line for each; with a picture."""
    height = visit.page.viewport_size["height"]
    visit.page.evaluate("() => scrollTo(0, 0)")
    found = visit.page.evaluate(f"(view) => ({LAYOUT})(view)", {"above": above, "height": height})
    visit.picture(picture)
    lines = [f"{own['rule']}: {own['text']!r} in {own['where']} ({own['times']})" for own in found]
    return lines + [f"axe {rule}: {where}" for rule, where in visit.audit()]


def judge(name: str, found: Sequence[str]) -> None:
    """Fail at findings that are not known, and at known ones that are gone."""
    with (PICTURES / "findings.txt").open("a", encoding="utf-8") as kept:
        kept.writelines(f"{name} {line}\n" for line in found)
    known = KNOWN.get(name, {})
    rules = {line.partition(":")[0] for line in found}
    new = [line for line in found if line.partition(":")[0] not in known]

    assert new == [], "\n".join([name, *new])
    assert sorted(set(known) - rules) == [], f"{name}: mended, so take it out of known_findings.py"
    if found:
        pytest.xfail("; ".join(f"{rule}: {reason}" for rule, reason in known.items()))


@pytest.mark.parametrize(("name", "run", "width", "theme"), [*cases(OF_A_RUN, RUNS), *cases(OF_ALL)])
def test_page_is_fit_to_be_seen(chromium, shown, name, run, width, theme):
    """Words are whole, nothing is cut or lies on something else, and what matters is seen without scrolling."""
    own = {**OF_A_RUN, **OF_ALL}[name]
    case = "-".join(filter(None, (name, run, width, theme)))
    path = own.path.format(run=run, match=shown.match(run) if "{match}" in own.path else "")
    with visiting(chromium, shown.served, is_audited=True, color_scheme=theme, **WIDTHS[width]) as visit:
        visit.to(path, until="main h1" if run == "live" else None)
        if run == "live":  # what is counted anew after each match never stands still
            visit.page.locator("main .estimate, main .match").first.wait_for()
        else:
            visit.page.wait_for_load_state("networkidle")
        found = find(visit, own.above, f"seen-{case}")

    judge(case, found)


@pytest.mark.parametrize(("game", "_run", "width", "theme"), [*cases(SEATS)])
def test_seat_is_fit_to_be_seen(chromium, seats, game, _run, width, theme):
    """Whoever sits down sees the question, the board and what there is to press, all of it whole."""
    case = f"seat-{game}-{width}-{theme}"
    with visiting(
        chromium, seats.served, start=seats.link(game), is_audited=True, color_scheme=theme, **WIDTHS[width]
    ) as visit:
        visit.page.locator(ASKED).first.wait_for()
        visit.settle()
        found = find(visit, {"question": r"\w"}, f"seen-{case}")

    judge(case, found)


@pytest.mark.parametrize(("_name", "_run", "width", "theme"), [*cases(["study"])])
def test_study_is_fit_to_be_seen(chromium, study, _name, _run, width, theme):
    """The first page of a study is whole on every screen."""
    _, link = study.participant(0)
    with visiting(
        chromium, study.served, start=link, with_key=False, is_audited=True, color_scheme=theme, **WIDTHS[width]
    ) as visit:
        visit.page.locator("main h2").first.wait_for()
        found = find(visit, {"consent": r"\w"}, f"seen-study-{width}-{theme}")

    judge(f"study-{width}-{theme}", found)
