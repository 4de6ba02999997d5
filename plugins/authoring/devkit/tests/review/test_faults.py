"""Each planted fault is caught by ``arena check`` and called by its name; sound plugins pass."""

import json

import pytest
from arena.plugin import group_of

from .faults import FAULTS, Fault
from .sound import INIT, SOUND

LOOKED = ("conformance", "leaks", "determinism")


def install(installed, fault: Fault) -> None:
    """A distribution with one sound plugin into which a fault is planted."""
    package, module = INIT, SOUND[fault.kind]
    for old, new in fault.swap.items():
        assert old in module, f"{old!r} is nowhere in the sound {fault.kind}"
        module = module.replace(old, new)
    for field, value in fault.descriptor.items():
        package = f"{package}\nimport attrs\nPLUGIN = attrs.evolve(PLUGIN, {field}={value})\n"
    files = {
        "acme_broken/__init__.py": f"{package}\n{fault.package}\n"
        if "class Plugin" not in fault.package
        else fault.package + "\nPLUGIN = Plugin()\n",
        "acme_broken/parts.py": f"{fault.top}\n{module}",
    }
    installed.add("acme-broken", {group_of(fault.kind): {"broken": "acme_broken:PLUGIN"}}, files)


def checked(arena, *options: str) -> dict:
    """What ``arena check --json`` says of the plugin, and its exit code."""
    done = arena("check", "broken", "--quick", "--json", *options)
    (subject,) = json.loads(done.stdout)["subjects"]
    return {**subject, "exit": done.exit_code}


def only(part: str) -> list[str]:
    """The options that look at one part alone."""
    return ["--only", part]


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.sample(slow=1)
def test_planted_fault_is_named(arena, installed, name):
    """The part that a fault belongs to fails, or has a doubt, and names the rule, the reason and a remedy."""
    fault = FAULTS[name]
    install(installed, fault)

    subject = checked(arena, *only(fault.part))

    (item,) = [item for item in subject["items"] if item["part"] == fault.part]
    found = [f for f in item["findings"] if f["rule"] == fault.rule and fault.said in f["reason"]]
    assert found, json.dumps(item)
    assert found[0]["remedy"]
    assert found[0]["is_warning"] is fault.is_doubt
    assert item["status"] == ("warned" if fault.is_doubt else "failed")
    assert subject["exit"] == (0 if fault.is_doubt else 1)
