"""The files of the pages: a fixed list, and one page at every address."""

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/run/boards",
        "/run/boards/matches",
        "/run/boards/report",
        "/run/b/match/0123456789abcdef",
        "/compare",
        "/new/benchmark",
        "/seat",
        "/watch",
        "/study",
    ],
)
async def test_page_is_at_its_addresses(viewer, path):
    """The page is served where there is something to show, without a key, for it holds nothing."""
    answer = await viewer.client.get(path)

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "boards" not in answer.text


@pytest.mark.parametrize("path", ["/nothing", "/run", "/run/a/b/c", "/api", "/index.html"])
async def test_other_addresses_are_404(viewer, path):
    """At any other address the page says that there is nothing."""
    answer = await viewer.client.get(path)

    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")


async def test_renderer_is_served(viewer):
    """The renderer of scenes and its style are served beside the pages' own files, and asked for once."""
    script, style = [await viewer.client.get(f"/static/scene.{ending}") for ending in ("js", "css")]
    again = await viewer.client.get("/static/scene.js", headers={"if-none-match": script.headers["etag"]})

    assert script.headers["content-type"].startswith("text/javascript")
    assert style.headers["content-type"].startswith("text/css")
    assert again.status_code == 304


async def test_pages_alone_are_served(viewer):
    """Neither the page itself nor the package's modules are files."""
    for name in ("index.html", "app.py", "../app.py", "README.md"):
        assert (await viewer.client.get(f"/static/{name}")).status_code == 404


async def test_nothing_changes_by_get(viewer):
    """A route that changes something takes no GET, and the page's address takes nothing else."""
    assert (await viewer.get("/run/boards/pause")).status_code in (404, 405)
    assert (await viewer.client.post("/")).status_code == 405
