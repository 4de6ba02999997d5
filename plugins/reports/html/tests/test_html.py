"""The HTML report: whole, safe, portable, the same every time."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from xml.etree import ElementTree

import attrs
import pytest
from arena.game import Image
from arena.tables import Column, Estimate, Figure, Section, Table
from arena_report import BoardImage, MatchView, Move, Report, figure_tables
from arena_report_html import HTML
from arena_report_html.drawing import draw
from arena_report_html.html import Html
from arena_report_html.palette import series_style

VOID = {"meta", "br", "link", "input", "img", "hr"}
XSS = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'`"
WON = Estimate(value=0.58, n=200, low=0.51, high=0.65, method="Wilson")
KINDS = ("bar", "stacked-bar", "line", "pie", "heat-map", "radar", "scatter")


def figure(kind: str = "bar", **more) -> Figure:
    parts = {
        "title": f"a {kind}",
        "x": ("ann", "bob", "eve"),
        "series": {"won": (WON, 0.3, None), "lost": (0.2, 0.1, 0.4)},
        "references": {"random": 0.5},
    }
    return Figure(kind=kind, **(parts | more))


def report(name: str = "ann", **more) -> Report:
    columns = (
        Column(name="agent", title="agent", help="who played"),
        Column(name="won", title="won", style="share"),
        Column(name="n", title="matches", style="count"),
    )
    table = Table(title="Wins", columns=columns, rows=((name, WON, 1200), ("bob", None, 3)), note=f"About {name}.")
    section = Section(title="Outcomes", tables=(table,), figures=(figure(), figure("pie")), text=f"On {name}.")
    moves = (
        Move(step=0, player=name, outcome="refused", text=f"illegal: {name}", turn=0, reasoning=f"Let me see: {name}"),
        Move(step=0, player=name, outcome="played", text="center", turn=0, by="random"),
    )
    match = MatchView(
        id="g/ann,bob/0.0",
        game="g",
        players=(name, "bob (O)"),
        ending="rules",
        returns=(1.0, -1.0),
        turns=1,
        refusals=1,
        substitutes=1,
        moves=moves,
    )
    parts = {
        "title": name,
        "sections": (section,),
        "facts": (Section(title="Runs"),),
        "notes": (f"mind {name}",),
        "settings": {"night": {"agents": {name: {"prompt": name}}}},
        "matches": (match,),
        "match_count": 7,
    }
    return Report(**(parts | more))


def write(tmp_path, what: Report, **parameters) -> str:
    path = tmp_path / "report.html"
    Html(**parameters).write(what, path)
    return path.read_text("utf-8")


class Page(HTMLParser):
    """Reads a page strictly: every element is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def named(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(data for tag, data in self.texts if tag not in ("script", "style")).split())


def test_page_is_well_formed(tmp_path):
    """Every element is closed, every id is there once, every link inside the page leads somewhere."""
    page = Page(write(tmp_path, report()))

    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    targets = {attributes["href"][1:] for attributes in page.named("a")}
    assert len(ids) == len(set(ids))
    assert targets <= set(ids)
    assert {"section-1", "section-2", "matches", "settings"} == targets


@pytest.mark.slow
def test_page_asks_nothing_of_anybody(tmp_path):
    """No element refers to anything outside the page, and a policy forbids what might."""
    text = write(tmp_path, report())
    page = Page(text)

    for _, attributes in page.elements:
        for name, value in attributes.items():
            if name in ("src", "href", "xlink:href", "action", "srcset", "data"):
                assert value.startswith("#"), (name, value)
    (policy,) = [a["content"] for a in page.named("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "url(" not in re.sub(r"url\(#", "", text)
    assert "@import" not in text


def test_policy_allows_the_pages_own_script_alone(tmp_path):
    """There is one script, and the policy names it by its hash."""
    text = write(tmp_path, report(), figures=False)

    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert f"script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in text


def test_nothing_that_is_reported_becomes_markup(tmp_path):
    """Titles, names, notes, labels of figures, moves, reasoning and settings are text, whatever is in them."""
    hostile = report(XSS)
    drawn = figure(title=XSS, x=(XSS, "b", "c"), series={XSS: (WON, 0.1, 0.2)}, references={XSS: 0.5}, note=XSS)
    section = attrs.evolve(hostile.sections[0], title=XSS, figures=(drawn,))

    page = Page(write(tmp_path, attrs.evolve(hostile, sections=(section,))))

    assert len(page.named("script")) == 1
    assert page.named("img") == []
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert page.text.count("<script>alert(1)</script>") > 10


def test_reasoning_is_shown(tmp_path):
    """A move comes with what the agent said, and who put it in where it was not the agent."""
    text = Page(write(tmp_path, report(), figures=False)).text

    assert "Let me see: ann" in text
    assert "played by policy (random) center" in text


@pytest.mark.slow
def test_long_texts_and_many_moves_are_bounded(tmp_path):
    """Texts are cut and moves left out where they would make the page too large; the page says so."""
    long = report("x" * 5_000)

    cut = Page(write(tmp_path, long, longest=10, figures=False)).text
    none = Page(write(tmp_path, report(), moves=1, figures=False)).text

    assert "Let me see… (" in cut
    assert "The moves are left out" in none
    assert "Let me see" not in none
    assert "1 of 7 matches" in none


@pytest.mark.slow
def test_estimates_show_interval_n_and_method(tmp_path):
    """Each estimate has its parts, its method as a title, and the number it is sorted by."""
    page = Page(write(tmp_path, report(), figures=False))

    assert "58% [51, 65] n=200" in page.text
    cells = [(cell.get("data-sort"), cell.get("title")) for cell in page.named("td")]
    assert ("0.58", "Wilson") in cells
    assert ("1200.0", None) in cells


def test_page_can_be_used_without_eyes(tmp_path):
    """Language, headings, captions, header cells with their scope, and words for each figure."""
    page = Page(write(tmp_path, report()))

    assert page.named("html") == [{"lang": "en"}]
    assert len(page.named("caption")) == len(page.named("table"))
    assert all(th["scope"] == "col" for th in page.named("th"))
    assert len(page.named("nav")) == len(page.named("main")) == len(page.named("h1")) == 1
    for svg in page.named("svg"):
        assert svg["role"] == "img"
        assert svg["aria-labelledby"] in {title.get("id") for title in page.named("title")}


@pytest.mark.slow
def test_same_report_same_bytes(tmp_path):
    """Nothing of the moment or the machine is in the page."""
    first, second = write(tmp_path, report()), write(tmp_path, report())

    assert first == second
    assert "matplotlib.org" not in first
    assert str(tmp_path) not in first


def test_empty_report(tmp_path):
    """A run without results, matches and settings still makes a page."""
    page = Page(write(tmp_path, Report(title="nothing", sections=(), facts=())))

    assert "nothing" in page.text


def test_figures_can_be_left_out(tmp_path):
    """Without figures their numbers are there all the same."""
    page = Page(write(tmp_path, report(), figures=False))

    assert page.named("svg") == []
    assert "Numbers behind" in page.text


def test_figure_that_cannot_be_drawn(tmp_path):
    """A figure of wrong lengths or of an unknown kind costs its drawing, not the page."""
    section = Section(title="odd", figures=(figure("pie", series={"s": (-1.0, 1.0, 1.0)}), figure("spiral")))

    page = Page(write(tmp_path, report(sections=(section,))))

    assert "a pie has no negative parts" in page.text
    assert "'spiral' cannot be drawn" in page.text


def test_text_that_is_no_unicode(tmp_path):
    """Half of a surrogate pair in a model's text is replaced, not an error."""
    assert "half ?" in write(tmp_path, report("half \ud800"), figures=False)


def test_text_that_would_be_obeyed(tmp_path):
    """Control characters and those that reorder a line are shown as such, and hide nothing."""
    text = write(tmp_path, report("\x1b[2J\x9b31m \x07 \u202eback\u2066 two\nlines"), figures=False)

    assert not set(text) & set("\x1b\x9b\x07\u202e\u2066")
    assert "\ufffd[2J\ufffd31m \ufffd \ufffdback\ufffd two" in text


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_drawn(kind):
    """Every kind of figure becomes one SVG element of shapes and text, with nothing embedded, as the page's colour."""
    root = ElementTree.fromstring(draw(figure(kind), "f1"))

    names = {element.tag.partition("}")[2] for element in root.iter()}
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not names & {"image", "metadata", "style", "script", "foreignObject"}
    assert {"path", "text"} <= names
    assert all(element.get("id", "f1-").startswith("f1-") for element in root.iter())
    assert "currentColor" in ElementTree.tostring(root, encoding="unicode")


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize("kind", KINDS)
def test_figures_without_values_are_drawn(kind):
    """Nothing along x, or nothing known, is an empty figure."""
    draw(figure(kind, x=(), series={}, references={}), "f1")
    draw(figure(kind, x=("a",), series={"s": (None,)}), "f2")


@pytest.mark.parametrize("kind", ["line", "scatter"])
def test_numbers_along_x(kind):
    """Points at numbers lie where the numbers are."""
    svg = draw(figure(kind, x=(1.0, 10.0, 100.0)), "f1")

    assert ">100</text>" in svg


def test_equal_names_are_one_place_of_a_scatter():
    """Points with the same name stand above each other, and the name stands below them once."""
    svg = draw(figure("scatter", x=("a", "b", "a"), series={"s": (1.0, 2.0, 3.0)}, references={}), "f1")

    assert svg.count(">a</text>") == 1
    places = re.findall(r'<use [^>]*?x="([\d.]+)"[^>]*--series-0', svg)
    assert len(places) == 3
    assert len(set(places)) == 2


@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
def test_series_have_the_colours_of_the_page(kind):
    """A figure names colours that the page has for light and for dark ground, and no placeholder is left."""
    svg = draw(figure(kind, references={}), "f1")

    assert "var(--series-0)" in svg
    assert "#0102" not in svg
    style = series_style()
    for named in set(re.findall(r"var\((--[\w-]*series[\w-]*)\)", svg)):
        assert style.count(f"{named}:") == 2, named


def test_labels_are_not_interpreted():
    """Dollar signs and backslashes are themselves."""
    svg = draw(figure(x=("$x^2$", r"\alpha", "_b_")), "f1")

    assert ">$x^2$</text>" in svg
    assert r">\alpha</text>" in svg


def test_nothing_is_less_than_nothing():
    """A zero in a heat map has no sign, however it came about."""
    svg = draw(figure("heat-map", x=("a", "b"), series={"a": (None, 0.0), "b": (-0.0, None)}), "f1")

    assert ">0</text>" in svg
    assert ">-0</text>" not in svg


def test_names_in_any_script_are_drawn(recwarn):
    """A name that the fonts of this machine lack stays text, for the reader's fonts, and nobody is warned of it."""
    drawn = draw(figure(x=("日本", "ö"), series={"wins": (0.5, 0.25)}), "f")

    assert "日本" in drawn
    assert not [str(warning.message) for warning in recwarn]


def test_intervals_are_drawn():
    """An estimate has a line from its low to its high end, a bare number has none."""
    bare = draw(figure(series={"s": (0.5, 0.3, 0.2)}), "f1")
    known = draw(figure(series={"s": (Estimate(value=0.5, n=9, low=0.4, high=0.5), 0.3, 0.2)}), "f1")

    assert known.count("<path") == bare.count("<path") + 1


def test_descriptor_builds():
    """The plugin makes a report format from its example."""
    assert HTML.load()(**HTML.example) == Html()


def picture(*shapes: str, alt: str = "Spring 1901. All is quiet.") -> Image:
    start = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)">'
    return Image("image/svg+xml", f"{start}<title>old</title>{''.join(shapes)}</svg>".encode(), alt)


def with_boards(*images: Image) -> Report:
    (match,) = report().matches
    boards = tuple(BoardImage(step=step, image=image) for step, image in enumerate(images))
    return report(matches=(attrs.evolve(match, boards=boards),))


def test_boards_are_in_the_page(tmp_path):
    """Each board is an inline picture with a caption; the last is open, and shapes that many share are there once."""
    land = f'<path d="M0,0l{"1,1 " * 30}z" fill="#fff"/>'
    page = Page(
        write(tmp_path, with_boards(picture(land), picture(land, "<text x='1' y='2'>A &lt; B</text>")), figures=False)
    )

    boards = [attributes for attributes in page.named("details") if attributes.get("class") == "board"]
    assert ["open" in board for board in boards] == [False, True]
    assert "step 0: Spring 1901" in page.text
    assert "A < B" in page.text
    drawings = [attributes for attributes in page.named("svg") if "aria-label" in attributes]
    assert {drawing["aria-label"] for drawing in drawings} >= {"Spring 1901. All is quiet."}
    assert [use["href"] for use in page.named("use") if use.get("href") == "#shape-0"] == ["#shape-0"] * 2
    assert [group["id"] for group in page.named("g") if group.get("id") == "shape-0"] == ["shape-0"]


def test_nothing_in_a_board_runs_or_loads(tmp_path):
    """Scripts, handlers, styles, links and foreign elements of a picture do not get into the page."""
    evil = (
        "<script>alert(1)</script><style>*{fill:url(http://evil)}</style><image href='http://evil/x.png'/>",
        "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>evil</p></foreignObject>",
        "<a href='javascript:alert(1)'><text>evil</text></a><circle r='1' fill='URL(http://evil)' style='fill:red'/>",
        "<g onclick='alert(1)' id='matches'><path d='M0,0' class='evil'/></g>",
    )
    text = write(tmp_path, with_boards(picture(*evil, alt=XSS)), figures=False)

    page = Page(text)
    assert "evil" not in text
    assert "onload" not in text
    assert "onclick" not in text
    assert len(page.named("script")) == 1
    assert len(page.named("style")) == 1
    assert not page.named("img") + page.named("image") + page.named("foreignobject")
    assert [element["id"] for _, element in page.elements if element.get("id") == "matches"] == ["matches"]


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("data", [b"", b"<svg>", b"<html/>", b"\xff\x00", b"<svg xmlns='http://other'/>"])
def test_a_board_that_is_no_svg_is_told_in_words(tmp_path, data):
    """What cannot be read as a picture is shown by its text."""
    page = Page(write(tmp_path, with_boards(Image("image/svg+xml", data, "All is lost. Really.")), figures=False))

    assert "All is lost. Really." in page.text


def test_heat_maps_keep_to_their_limits_and_have_a_bar():
    """A worst error of 0.05 does not look like one of 1: the colours are those of the limits, which stand at a bar."""
    parts = {"x": ("a",), "series": {"a": (0.05,)}}
    weak, strong = (draw(figure("heat-map", limits=limits, **parts), "f1") for limits in ((-1.0, 1.0), (-0.05, 0.05)))

    assert "#053061" in strong
    assert "M" in weak
    assert weak.count("#053061") == 0
    assert ">-1<" in weak.replace(" ", "")


def test_positive_cells_are_blue_and_negative_ones_red():
    """The signs have the colours of TMGBench."""
    svg = draw(figure("heat-map", x=("a", "b"), series={"a": (1.0, -1.0)}, limits=(-1.0, 1.0)), "f1")

    assert "#053061" in svg  # dark blue
    assert "#67001f" in svg  # dark red


def test_figures_stand_beside_each_other():
    """All panels of a figure are in one drawing, each with its own title."""
    svg = draw(figure("heat-map", title="left", beside=(figure("radar", title="right"),)), "f1")

    assert "left" in svg
    assert "right" in svg


def test_large_figures_have_no_table():
    """Hundreds of numbers are said to be in --json instead of standing beside the picture."""
    names = tuple(f"n{i}" for i in range(25))
    large = figure("heat-map", x=names, series=dict.fromkeys(names, tuple(0.5 for _ in names)))

    assert [table.rows for table in figure_tables(large)] == [()]
    assert "625 numbers" in figure_tables(large)[0].note


def test_long_names_are_short_and_whole(tmp_path):
    """The page shows what differs; the whole name is in the text that is copied, and under the pointer."""
    names = [f"a-searching-player-with-a-long-name (simulations={n})" for n in (2, 20)]
    table = Table(
        title="Wins",
        columns=(Column(name="agent", title="agent"), Column(name="won", title="won", style="share")),
        rows=tuple((name, WON) for name in names),
    )

    text = write(tmp_path, report(sections=(Section(title="s", tables=(table,)),)))

    (first, second) = re.findall(r'<td class="key long" title="([^"]*)">(.*?)</td>', text)
    for (whole, inside), name in zip((first, second), names, strict=True):
        assert whole == name
        assert re.sub(r"<[^>]*>", "", inside) == name
        shown = re.sub(r'<span class="cut">.*?</span>', "\N{HORIZONTAL ELLIPSIS}", inside)
        assert len(shown) <= 36
        assert shown.endswith(name.rpartition("=")[2])
