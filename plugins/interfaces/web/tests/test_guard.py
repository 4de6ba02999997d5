"""Who gets in: the names of the server, origins, keys, and what browsers are told to allow."""

import json
import re

import pytest
from arena_web.foundation.keys import FAILURES, RIGHTS
from arena_web.live.live import SOCKETS
from arena_web.serving.guard import POLICY
from arena_web.serving.routes import ROUTES

pytestmark = pytest.mark.asyncio(loop_scope="session")


TRAVERSALS = (
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%252e%252e%252fetc%252fpasswd",
    "/etc/passwd",
    "//server/share",
    "..\\..\\windows",
    "%00",
    "%2e",
    "%2e%2e",
)


async def test_every_answer_has_the_headers(viewer):
    """Pages, files, answers and refusals all carry the policy and forbid sniffing and referrers."""
    for path in ("/", "/static/scene.js", "/static/nothing.js", "/api/1/me", "/api/1/none", "/no/such/page"):
        answer = await viewer.client.get(path)

        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost:1", ""])
async def test_foreign_host_is_refused(viewer, host):
    """A server that is called by another name, or with another port, answers nothing: not even a page."""
    for path in ("/", "/api/1/me", "/static/scene.js"):
        answer = await viewer.client.get(path, headers={"host": host, "authorization": f"Bearer {viewer.key}"})

        assert answer.status_code == 403
        assert "is not called" in answer.json()["error"]["what"]


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"])
async def test_own_host_is_answered(viewer, host):
    """This machine's own names with the right port are answered."""
    assert (await viewer.get("/me", host=host)).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:8766", "https://127.0.0.1:8765"])
async def test_foreign_origin_is_refused(viewer, origin):
    """A request that another page makes is refused, whatever key it has."""
    assert (await viewer.get("/me", origin=origin)).status_code == 403
    assert (await viewer.get("/me", origin="http://127.0.0.1:8765")).status_code == 200


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer wrong", "Basic abc", "bearer  ", "wrong"])
async def test_wrong_key_says_what_to_do(viewer, header):
    """Without a valid key every route is 401, with the sentence that says which link to open."""
    for route in ROUTES:
        path = re.sub(r"\{\w+\}", "x", route.path)
        headers = {} if header is None else {"authorization": header}
        answer = await viewer.client.request(route.method, f"/api/1{path}", headers=headers)

        assert answer.status_code in (401, 429)
        if answer.status_code == 401:
            error = answer.json()["error"]
            told = f"{error['what']}; {error['remedy']}"
            assert told == "this link is not valid any more; open the one that `arena view` printed"


async def test_failures_are_limited_and_delay_no_valid_key(viewer):
    """After ten wrong keys in a minute the next is told to wait, and a right one is answered all the same."""
    wrong = {"authorization": "Bearer wrong"}

    answers = [(await viewer.client.get("/api/1/me", headers=wrong)).status_code for _ in range(FAILURES + 2)]

    assert answers[: FAILURES - 1] == [401] * (FAILURES - 1)
    assert answers[-1] == 429
    assert (await viewer.get("/me")).status_code == 200


async def test_key_counts_in_the_header_alone(viewer):
    """A key in the address, in a cookie or in a body opens nothing."""
    answers = [
        await viewer.client.get(f"/api/1/me?key={viewer.key}"),
        await viewer.client.get("/api/1/me", headers={"cookie": f"key={viewer.key}"}),
        await viewer.client.post("/api/1/run/boards/pause", content=json.dumps({"key": viewer.key})),
    ]

    assert [answer.status_code for answer in answers] == [401, 401, 401]


@pytest.mark.parametrize("word", TRAVERSALS)
async def test_no_path_of_a_request_reaches_the_file_system(viewer, word, played):
    """Paths in any place of an address are names in a list and nothing else: 404 or 400, never a file."""
    for path in (
        f"/static/{word}",
        f"/static/vendor/{word}",
        f"/api/1/run/{word}",
        f"/api/1/run/boards/match/{word}",
        f"/api/1/run/boards/match/{word}/frames",
        f"/api/1/run/boards/section/{word}",
        f"/api/1/plugins/game/{word}",
        f"/download/{word}",
    ):
        answer = await viewer.client.get(path, headers={"authorization": f"Bearer {viewer.key}"})

        assert answer.status_code in (400, 404, 503), path
        assert "root:" not in answer.text


async def test_links_that_lead_out_are_not_followed(make_viewer, played, tmp_path):
    """A symbolic link in a directory that leads to a run elsewhere is no run of that directory."""
    place = tmp_path / "place"
    place.mkdir()
    (place / "out").symlink_to(played / "boards")

    assert (await make_viewer(place).json("/runs"))["runs"] == []
    assert (await make_viewer(played).json("/runs"))["total"] == 3


@pytest.mark.parametrize(
    ("body", "status"),
    [
        *(("[" * 100_000, 400), ("x" * 1_000_001, 413), ('{"a":' * 70 + "1" + "}" * 70, 400), ("[]", 400), ("{", 400)),
        *(('{"a": NaN}', 400), ('{"a": 1e999}', 400)),
    ],
)
async def test_bodies_have_bounds(viewer, body, status):
    """A body of more than a megabyte, of values too deep in each other, or that is no object, is refused."""
    headers = {"authorization": f"Bearer {viewer.key}"}

    answer = await viewer.client.post("/api/1/run/boards/pause", content=body, headers=headers)

    assert answer.status_code == status
    assert answer.json()["error"]["where"] == "body"


async def test_unknown_queries_are_named(viewer):
    """A query that a route does not have is 400, with those that it has."""
    error = (await viewer.get("/runs?limits=3")).json()["error"]

    assert error["where"] == "limits"
    assert error["remedy"] == "there is: after, q, limit"


@pytest.mark.parametrize("word", ["-1", "0", "501", "x", "1e3", "٣", "9" * 400])
async def test_numbers_have_bounds(viewer, word):
    """A number in an address is one within its bounds."""
    assert (await viewer.get(f"/run/boards/matches?limit={word}")).status_code == 400


@pytest.mark.slow
async def test_each_right_opens_its_own_routes(make_viewer, played):
    """Keys of seats and bystanders open routes of their own, other keys do not, and only a host changes anything."""
    viewers = {right: make_viewer(played, right=right) for right in RIGHTS}

    for route in ROUTES:
        path = "/api/1" + re.sub(r"\{\w+\}", "0", route.path)
        for right, viewer in viewers.items():
            allowed = right == "host" if is_for_host(route) else right in route.rights
            headers = {"authorization": f"Bearer {viewer.key}"}
            answer = await viewer.client.request(route.method, path, headers=headers)
            assert (answer.status_code != 403) == allowed, (route.path, right, answer.text)


def is_for_host(route):
    """Whether a route is for a host alone."""
    return route.is_control or route.path == "/links"


@pytest.mark.parametrize("right", ["seat", "participant"])
async def test_key_of_who_plays_opens_no_socket_of_viewers(make_viewer, played, right):
    """Feeds of runs and matches are not for whoever sits in one."""
    viewer = make_viewer(played, right=right)
    assert right not in SOCKETS

    assert (await viewer.get("/live?topics=run:boards")).status_code == 403
