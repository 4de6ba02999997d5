"""A page with a scene in a real browser, under the policy of the pages that show scenes."""

import json
from importlib.resources import files
from typing import Any

from arena_scene import (
    complete_script,
    elements_script,
    form_script,
    scene_script,
    scene_style,
    touches_script,
    touches_style,
)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Scenes</title>
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><link rel="stylesheet" href="scene.css">
<link rel="stylesheet" href="touches.css"><link rel="stylesheet" href="page.css"></head>
<body><main><h1>Scenes</h1><div id="place"></div></main><script type="module" src="page.js"></script></body></html>"""
STYLE = "body { background: light-dark(#ffffff, #14171b); color: light-dark(#000000, #ffffff); max-width: 640px; }"
SCRIPT = """import * as drawn from "./scene.js";
import { difference } from "./frames.js";
import { TouchView } from "./touches.js";
import * as forms from "./form.js";
window.touches = [];
window.scenes = { ...drawn, difference };
window.view = new drawn.SceneView({ touched: (id) => window.touches.push(id) });
document.getElementById("place").append(window.view.element);
window.forms = forms;
window.asked = [];
window.chosen = [];
window.choosing = () => {
  const ask = async (...own) => (window.asked.push(own), { items: ["stick", "torch"] });
  window.form = new forms.FormView({ ask });
  const heard = { choose: (action) => window.chosen.push(action), fill: (changes) => window.form.fill(changes) };
  window.touch = new TouchView(window.view, { ...heard, ask });
  document.getElementById("place").append(window.touch.element, window.form.element);
};
"""
FILES = {
    "/": ("text/html", PAGE),
    "/page.js": ("text/javascript", SCRIPT),
    "/page.css": ("text/css", STYLE),
    "/elements.js": ("text/javascript", elements_script()),
    "/scene.js": ("text/javascript", scene_script()),
    "/scene.css": ("text/css", scene_style()),
    "/frames.js": ("text/javascript", (files("arena_scene") / "browser" / "frames.js").read_text("utf-8")),
    "/touches.js": ("text/javascript", touches_script()),
    "/touches.css": ("text/css", touches_style()),
    "/form.js": ("text/javascript", form_script()),
    "/complete.js": ("text/javascript", complete_script()),
}


class opened:  # noqa: N801 -- read as a statement: with opened(browser)
    """A page of these files, and what the browser complains of."""

    def __init__(self, browser: Any, **settings: Any) -> None:
        self.context = browser.new_context(**settings)

    def __enter__(self) -> Any:
        shown = self.context.new_page()
        complaints: list[str] = []
        shown.on("console", lambda message: complaints.append(message.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        shown.route("**/*", self._answer)
        shown.goto("http://scenes.test/")
        return shown, complaints

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def _answer(self, route: Any) -> None:
        kind, body = FILES[route.request.url.removeprefix("http://scenes.test")]
        headers = {"Content-Type": f"{kind}; charset=utf-8", "Content-Security-Policy": POLICY}
        route.fulfill(status=200, headers=headers, body=body)


def show(page: Any, scene: Any) -> None:
    """Show the scene of a drawing."""
    page.evaluate("(scene) => view.show(scene)", json.loads(json.dumps(scene.data)))


def labels(page: Any) -> list[str]:
    """What is read aloud of everything that can be reached with arrows."""
    return page.eval_on_selector_all(
        "[data-stop]", "(all) => all.map((own) => own.getAttribute('aria-label') || own.textContent)"
    )
