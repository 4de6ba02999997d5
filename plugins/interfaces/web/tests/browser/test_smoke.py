"""One walk through the pages, so that what is broken is seen at once; ``make test-web`` looks closer."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]


SENT = 75_000
"""A page fetches no more bytes of scripts and styles, compressed."""


def fetched(visit) -> dict[str, int]:
    """The compressed bytes of each script and style that a page has fetched; those that were kept count, too."""
    return visit.page.evaluate(
        """async () => Object.fromEntries(await Promise.all(performance.getEntriesByType("resource")
            .filter((own) => own.name.includes("/static/"))
            .map(async ({ name }) => [name.split("/").at(-1), (await new Response((await fetch(name)).body
                .pipeThrough(new CompressionStream("gzip"))).blob()).size])))"""
    )


@pytest.mark.parametrize(
    "path", ["/", "/run/demo", "/run/demo/matches", "/run/demo/report", "/compare", "/plugins", "/new/benchmark", ""]
)
@pytest.mark.sample(slow=3)
def test_page_is_small(visit, match, path):
    """The scripts and styles that a page fetches, the renderer of scenes among them, stay below 75 kB compressed."""
    visit.to(path or match)

    sizes = fetched(visit)
    assert {"main.js", "elements.js", "scene.css", "arena.css", "htm-preact.js"} <= set(sizes)
    assert sum(sizes.values()) <= SENT


def test_pages_open_and_a_match_is_stepped_through(visit, match):
    """From the list of runs to a turn's prompt, with the board drawn, under the policy and without a complaint."""
    page = visit.page
    assert page.evaluate("() => location.hash") == ""
    page.get_by_role("link", name="demo", exact=True).click()
    page.get_by_role("heading", name="demo").wait_for()
    visit.settle()
    assert page.locator(".verdict .sentence").count() == 1

    visit.to(match)
    assert page.locator(".scene-piece").count() > 0
    turns = page.locator(".turn").count()
    page.keyboard.press("Home")
    page.locator(".where", has_text="the start").wait_for()
    assert page.locator(".scene-piece").count() == 0
    page.keyboard.press("ArrowRight")
    page.locator(".scene-piece").first.wait_for()
    assert page.locator(".turn[aria-current=true] .n").inner_text() == "1"
    assert turns > 2
