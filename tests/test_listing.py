"""``arena list-plugins``: quick, complete, and light."""

import json
import subprocess
import sys

HEAVY = {"numpy", "pyspiel", "litellm", "ray", "vllm", "structlog", "cattrs", "aiohttp", "msgspec", "scipy"}

LOADED = """
import sys
from arena_cli import main
sys.argv = ["arena", "list-plugins"]
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def test_listing_imports_nothing_heavy():
    """After ``arena list-plugins`` no engine, converter, logger or model library is loaded."""
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)

    loaded = done.stderr.splitlines()[-1].split()
    assert "arena.catalog" in loaded
    assert HEAVY & set(loaded) == set()


def test_every_first_party_plugin_is_listed(arena, distributions):
    """``--json`` lists each plugin of the workspace once, with the eight documented keys, and all of them work.

    One needs what is in no environment but its own.
    """
    done = arena("list-plugins", "--json")

    listed = json.loads(done.stdout)
    assert done.returncode == 0
    assert all(
        list(plugin) == ["kind", "name", "dist", "version", "status", "reason", "remedy", "summary"]
        for plugin in listed
    )
    ours = {d.name for d in distributions}
    assert sorted((p["kind"], p["name"]) for p in listed if p["dist"] in ours) == sorted(
        plugin for d in distributions for plugin in d.plugins
    )
    unusable = {(p["name"], p["status"], p["reason"]) for p in listed if p["dist"] in ours and p["status"] != "ok"}
    assert unusable == {("vllm-engine", "unavailable", "needs vllm")}
    assert all(plugin["summary"] for plugin in listed)


def test_listing_can_be_narrowed(arena):
    """``--kind`` leaves out everything else."""
    done = arena("list-plugins", "--kind", "agent", "--json")

    assert {plugin["kind"] for plugin in json.loads(done.stdout)} == {"agent"}
