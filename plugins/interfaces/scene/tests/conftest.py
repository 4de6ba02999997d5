"""A browser, and a page in it on which scenes are shown."""

import shutil

import pytest

from .browsing import opened


@pytest.fixture(scope="module")
def browser():
    """Chromium, which must be on the machine (Debian's package is called chromium)."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"],
        )
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    """A page with a view, served under the policy; whatever the browser complains of fails the test."""
    with opened(browser) as (shown, complaints):
        yield shown
    assert complaints == []
