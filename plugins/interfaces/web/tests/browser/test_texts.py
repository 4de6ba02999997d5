"""Text of models, games, plugins and files is text: nothing of it becomes an element, a link, a script or a look."""

import json
import re
from pathlib import Path

import pytest

from .conftest import play, serving, visiting

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

ATTACKS = [
    "<script>attacked('script')</script>",
    "</script><script>attacked('closed')</script>",
    "<img src=x onerror=attacked('image')>",
    "<img src=x:x onerror='attacked(1)'//",
    "<svg onload=attacked('svg')>",
    "<svg><script>attacked('svg script')</script></svg>",
    "<svg><animate onbegin=attacked('animate') attributeName=x dur=1s>",
    "<body onload=attacked('body')>",
    "<iframe src=\"javascript:attacked('frame')\"></iframe>",
    '<iframe srcdoc="<script>parent.attacked(1)</script>"></iframe>',
    "<object data=\"javascript:attacked('object')\"></object>",
    "<embed src=\"javascript:attacked('embed')\">",
    "<a href=\"javascript:attacked('link')\">press</a>",
    "<form action=\"javascript:attacked('form')\"><button>press</button></form>",
    "<input autofocus onfocus=attacked('input')>",
    "<details open ontoggle=attacked('details')>",
    "<video><source onerror=attacked('video')></video>",
    "<audio src=x onerror=attacked('audio')>",
    "<marquee onstart=attacked('marquee')>",
    '<meta http-equiv="refresh" content="0;url=https://elsewhere.test/">',
    '<link rel="stylesheet" href="https://elsewhere.test/x.css">',
    '<base href="https://elsewhere.test/">',
    "<style>* { display: none }</style>",
    "<style>@import 'https://elsewhere.test/x.css';</style>",
    '<div style="position:fixed;inset:0">',
    '<math><mtext><table><mglyph><style><img src onerror="attacked(1)">',
    '<template><script>attacked("template")</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=attacked(1)>">',
    '"><img src=x onerror=attacked(1)>',
    "' onmouseover='attacked(1)",
    '" onfocus="attacked(1)" autofocus x="',
    "javascript:attacked('address')",
    "data:text/html,<script>attacked('data')</script>",
    "{{constructor.constructor('attacked(1)')()}}",
    "${attacked('template literal')}",
    "[press](javascript:attacked('markdown'))",
    "![x](https://elsewhere.test/pixel.png)",
    "&lt;script&gt;attacked('entities')&lt;/script&gt;",
    '{"type": "script", "props": {"children": "attacked(1)"}, "constructor": null}',
    "\u202eattacked\u202c \u2066hidden\u2069 \u0007\u001b[2Jbell",
    "<!--<script>attacked('comment')</script>-->",
    "]]><script>attacked('cdata')</script>",
]
"""What somebody may write who wants a page to do something."""

ELEMENT = {"type": "img", "props": {"src": "x", "onerror": "attacked(1)"}, "key": None, "ref": None}
"""What a library takes for an element, where it is careless."""

PAGES = ("/", "/run/demo", "/run/demo/matches", "/run/demo/report", "/plugins", "")
OURS = """
run match state view form right status style svg role kind part shape id scene layout enter started ended next digest
previous computing seen_by
"""
KEPT = set(OURS.split())
"""Words of the API that the page goes by."""

FOUND = """() => {
    const all = [...document.body.querySelectorAll("*")];
    const isOurs = (own) => own.getAttribute("role") === "search" || own.src?.startsWith("data:image/svg");
    const strange = "script, style, iframe, object, embed, base, form, video, audio, meta, link, img";
    return {
        called: window.calls,
        elements: all.filter((own) => own.matches(strange) && !isOurs(own)).map((own) => own.outerHTML),
        links: all.filter((own) => own.matches("a") && !/^[/#?]/.test(own.getAttribute("href"))).map((own) => own.href),
        handlers: all.flatMap((own) => own.getAttributeNames().filter((name) => name.startsWith("on"))),
        hidden: /[\\u0007\\u001b\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText),
    };
}"""
NOTHING = {"called": [], "elements": [], "links": [], "handlers": [], "hidden": False}


def hostile(value, text, name=""):
    """An answer of the API in which each text is another one, but for those that the page goes by."""
    if isinstance(value, dict):
        return {key: hostile(own, text, key) for key, own in value.items()}
    if isinstance(value, list):
        return [hostile(own, text, name) for own in value]
    return text if isinstance(value, str) and value and name not in KEPT else value


@pytest.mark.parametrize("text", ["".join(ATTACKS), ELEMENT], ids=["texts", "elements"])
@pytest.mark.parametrize("path", PAGES)
def test_answer_of_the_api_is_only_text(chromium, served, match, path, text):
    """Whatever texts or objects stand in an answer of the API, the page makes no element, link or script of them."""
    with visiting(chromium, served) as visit:
        visit.page.add_init_script("window.calls = []; window.attacked = (what) => window.calls.push(what);")

        def spoil(route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=json.dumps(hostile(answer.json(), text)))

        visit.page.route("**/api/1/**", spoil)
        page = visit.to(path or f"{match}?at=2", until="main :is(table, .scene, .fold, .later):visible")
        found = page.evaluate(FOUND)

    assert found == NOTHING


def test_what_a_model_writes_is_shown_as_it_wrote_it(chromium, tmp_path: Path):
    """Each of these texts, written by a model in a run of a hostile name, is read in its turn, word for word."""
    answers = [json.dumps({"reasoning": attack, "action": attack}) for attack in ATTACKS]
    benchmark = {
        "name": "hostile",
        "games": {"tic-tac-toe": "tic-tac-toe"},
        "agents": {
            "model": {"use": "llm", "backend": {"use": "scripted", "answers": answers}},
            "first-legal": "first-legal",
        },
        "schedule": {"use": "fixed", "seatings": [["model", "first-legal"]]},
        "illegal-actions": {"retries": len(ATTACKS), "then": "random"},
        "limits": {"concurrency": 1},
        "metrics": ["outcomes", "illegal-actions"],
    }
    run = play(tmp_path, json.dumps(benchmark), "hostile")
    run.rename(run.parent / "<img src=x onerror=attacked(1)>")

    with serving(tmp_path / "runs", tmp_path / "state") as served, visiting(chromium, served) as visit:
        visit.page.add_init_script("window.calls = []; window.attacked = (what) => window.calls.push(what);")
        page = visit.to("/")
        page.locator("tbody a").first.click()
        page.get_by_role("link", name="Matches", exact=True).click()
        page.get_by_role("heading", name="Matches").wait_for()
        page.locator("tbody a").first.click()
        page.locator(".match").wait_for()
        page.keyboard.press("Home")
        page.locator(".position").click(position={"x": 5, "y": 5})
        page.keyboard.press("]")
        page.locator(".detail h2", has_text=re.compile("^Turn 1$")).wait_for()  # a turn before it may still be shown
        page.locator(".detail .read").first.wait_for()
        visit.settle()
        told = page.locator(".detail").inner_text()
        found = page.evaluate(FOUND)

    assert found == NOTHING
    assert [attack for attack in ATTACKS if attack.isprintable() and json.dumps(attack)[1:-1] not in told] == []
