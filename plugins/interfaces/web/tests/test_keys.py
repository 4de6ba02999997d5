"""The keys of links, and how often each may ask."""

from pathlib import Path

import pytest
from arena.errors import ArenaError
from arena_web.foundation.errors import ApiError
from arena_web.foundation.keys import A_SECOND, Keys, Rates, private_directory


def right_of(keys: Keys, key: str) -> str | None:
    """The right of a key, if it has one."""
    grant = keys.grant_of(key)
    return None if grant is None else grant.right


def test_keys_are_kept_as_digests(tmp_path: Path):
    """The state directory is its user's alone and holds no key; a host's ends with its server, a reader's does not."""
    state = tmp_path / "state"
    keys = Keys(state)
    host, reader = keys.make("host"), keys.make("reader")

    assert state.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in state.iterdir()} == {0o600}
    kept = "".join(path.name + path.read_text() for path in state.iterdir())
    assert host not in kept
    assert reader not in kept
    assert [right_of(keys, key) for key in (host, reader, "x")] == ["host", "reader", None]
    keys.close()
    later = Keys(state)
    assert (right_of(later, host), right_of(later, reader)) == (None, "reader")


def test_key_that_expires_opens_nothing_after_that(tmp_path: Path):
    """A key with an end opens what it opens until then, for nobody after it, and leaves nothing behind."""
    now = [1000.0]
    keys = Keys(tmp_path, now=lambda: now[0])
    short, lasting = keys.make("reader", lasts_s=60), keys.make("reader")
    grant, other = keys.grant_of(short), keys.grant_of(lasting)
    assert grant is not None
    assert other is not None
    assert (keys.is_open(grant), grant.expires, other.expires) == (True, 1060.0, None)

    now[0] = 1060.0

    assert (keys.is_open(grant), right_of(keys, short)) == (False, None)
    assert [each.id for each in keys.lent()] == [other.id]
    assert len([*tmp_path.iterdir()]) == 1
    assert keys.end(other.id)
    assert not keys.is_open(other)


def test_keys_have_256_bits(tmp_path: Path):
    """A key is 32 random bytes, and no two are the same."""
    keys = Keys(tmp_path)

    made = {keys.make("host") for _ in range(20)}

    assert len(made) == 20
    assert all(len(key) == 43 for key in made)


def test_wide_open_state_directory_is_closed(tmp_path: Path):
    """A state directory that others may enter is closed to them; one that cannot be made says so."""
    state = tmp_path / "state"
    state.mkdir(mode=0o755)
    (tmp_path / "file").write_text("")

    assert private_directory(state).stat().st_mode & 0o777 == 0o700
    with pytest.raises(ArenaError, match="choose another --state"):
        private_directory(tmp_path / "file")


def test_too_many_requests_of_one_key_are_told_to_wait():
    """A key has a hundred requests in a second; others and the next second are not touched."""
    now = [0.0]
    rates = Rates(clock=lambda: now[0])
    for _ in range(A_SECOND):
        rates.count("one")

    with pytest.raises(ApiError) as told:
        rates.count("one")
    assert (told.value.status, told.value.retry_s) == (429, 1)
    rates.count("two")
    now[0] = 1.0
    rates.count("one")
