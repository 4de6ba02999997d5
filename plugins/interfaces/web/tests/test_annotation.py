"""People score a run on a page: the questions, the file and the agreement are those of ``arena annotate``."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from arena_cli.application.group import group
from arena_engine import run
from click.testing import CliRunner

pytestmark = pytest.mark.asyncio(loop_scope="session")

JUDGED = {
    "name": "judged",
    "seed": 5,
    "games": {"talks": {"use": "negotiation", "rounds": 2}},
    "agents": {"mystery-model": "random", "famous-model": "random"},
    "schedule": {"use": "round-robin", "repeats": 2, "rotate-seats": False},
    "metrics": {"oracle-judge": {"use": "judge", "rubric": "theory-of-mind", "backend": "scripted"}},
}
ANN = {"rubric": "theory-of-mind", "annotator": "ann"}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that a judge has scored."""
    return run(JUDGED, output=tmp_path_factory.mktemp("judged") / "judged", check=False).directory


@pytest.fixture
def place(tmp_path: Path, judged: Path) -> Path:
    """A directory with a copy of that run."""
    shutil.copytree(judged, tmp_path / "runs" / "judged")
    return tmp_path / "runs"


async def said(viewer: Any, path: str, **body: Any) -> Any:
    """The answer to a body, which must be a success."""
    answer = await viewer.post(f"/run/judged/{path}", body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def scores(item: Any, value: bool, why: str) -> Any:
    """The same score of all that is asked about an item."""
    return {each["name"]: {"score": value, "justification": why} for each in item["dimensions"]}


@pytest.mark.campaign
async def test_the_same_answers_give_the_same_file(make_viewer: Any, place: Path, tmp_path: Path):
    """What is answered on the page is written as ``arena annotate`` writes it, once; agents and scores stay unseen."""
    viewer = make_viewer(place)
    shutil.copytree(place / "judged", tmp_path / "typed")
    offered = await said(viewer, "rubrics")
    texts: list[str] = []
    typed = ""
    while (asked := await said(viewer, "question", **ANN))["question"]:
        texts.append(json.dumps(asked))
        for number, subject in enumerate(asked["question"]["subjects"]):
            (item,) = subject["items"]
            value = (len(texts) + number) % 2 == 0
            own = scores(item, value, f"because {number}")
            for _ in range(2):  # sent again, as after a lost connection
                await said(viewer, "score", **ANN, at=asked["at"], subject=number, scores=own)
            typed += f"{'yes' if value else 'no'}\nbecause {number}\n" * len(item["dimensions"])
    command = ["annotate", str(tmp_path / "typed"), "--rubric", "theory-of-mind", "--as", "ann"]
    done = CliRunner().invoke(group, command, input=typed)
    table = (await said(viewer, "agreement", rubric="theory-of-mind"))["table"]
    compared = CliRunner().invoke(group, [*command, "--compare"])
    await viewer.site.annotations.close()

    assert done.exit_code == 0, done.output
    files = [folder / "annotations.jsonl" for folder in (place / "judged", tmp_path / "typed")]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert (asked["done"], asked["total"], asked["at"]) == (len(texts), len(texts), None)
    assert len(texts) >= 4
    assert not any("-model" in text or "oracle" in text for text in texts)
    mind = next(own for own in offered["rubrics"] if own["name"] == "theory-of-mind")
    assert (mind["judges"], mind["per"], offered["file"]) == (["oracle-judge"], "round", "annotations.jsonl")
    assert {row[0] for row in table["rows"]} <= {"judge oracle-judge", "ann"}
    assert compared.exit_code == 0, compared.output
    assert len(table["rows"]) == 3
    assert table["title"] in compared.output


@pytest.mark.campaign
async def test_answers_are_kept_by_whoever_gave_them(make_viewer: Any, place: Path):
    """Each annotator has a list of its own; one goes back to change an answer, and a share is the same for all."""
    viewer = make_viewer(place)
    first = await said(viewer, "question", **ANN)
    (item,) = first["question"]["subjects"][0]["items"]
    for value in (True, False):
        await said(viewer, "score", **ANN, at=0, subject=0, scores=scores(item, value, "so"))
    again = await said(viewer, "question", **ANN, at=0)
    other = await said(viewer, "question", rubric="theory-of-mind", annotator="bob")
    drawn = [
        await said(viewer, "question", rubric="theory-of-mind", annotator=who, share=0.5) for who in ("ann", "bob")
    ]
    rubrics = await said(viewer, "rubrics")
    await viewer.site.annotations.close()

    kept = again["question"]["subjects"][0]["scores"]
    assert {own["score"] for own in kept.values()} == {False}
    assert len((place / "judged" / "annotations.jsonl").read_text().splitlines()) == 2
    assert other["question"]["subjects"][0]["scores"] is None
    assert rubrics["annotators"] == ["ann"]
    assert 0 < drawn[0]["total"] == drawn[1]["total"] < other["total"]


@pytest.mark.campaign
async def test_what_does_not_fit_is_said(make_viewer: Any, place: Path):
    """Nothing is written of what the rubric does not ask for, and each mistake is one sentence."""
    viewer = make_viewer(place)
    question = (await said(viewer, "question", **ANN))["question"]
    (item,) = question["subjects"][0]["items"]
    own = scores(item, True, "")
    missing = dict(list(own.items())[1:])
    wrong = [
        await viewer.post("/run/judged/score", {**ANN, "at": 0, "subject": 0, "scores": given, **more})
        for given, more in (
            (missing, {}),
            ({**own, "charm": {"score": True}}, {}),
            ({name: {"score": "perhaps"} for name in own}, {}),
            (own, {"at": 99}),
            (own, {"subject": 9}),
            (own, {"rubric": "/etc/passwd.yaml"}),
            (own, {"annotator": ""}),
            (own, {"share": 2}),
        )
    ]
    reader = await viewer.lend(right="reader")
    refused = await reader.post("/run/judged/question", ANN)
    alone = await viewer.post("/run/judged/agreement", {"rubric": "social-behaviour"})
    await viewer.site.annotations.close()

    told = [answer.json()["error"]["what"] for answer in wrong]
    assert [answer.status_code for answer in wrong] == [409] * 6 + [400] * 2
    assert "is missing" in told[0]
    assert "nobody asked for 'charm'" in told[1]
    assert "expected true or false" in told[2]
    assert "at: there are" in told[3]
    assert "subject: the question has" in told[4]
    assert "rubric: expected one of" in told[5]
    assert (refused.status_code, alone.status_code) == (403, 409)
    assert "two are needed" in alone.json()["error"]["what"]
    assert not (place / "judged" / "annotations.jsonl").exists()
