"""Personas: texts that say how a player treats the others, from data files."""

from collections.abc import Mapping
from functools import lru_cache

import attrs
from arena_agent_llm.data_files import DataFiles, check_keys, short_name

DATA_FILES = DataFiles("arena_agent_roles", "personas")


@attrs.frozen(kw_only=True)
class Persona:
    """A text for all roles, and additional ones for single roles."""

    name: str
    version: str
    text: str
    roles: Mapping[str, str]

    def words(self, role: str) -> str:
        """The text for all roles, followed by the one for ``role`` if there is one."""
        return "\n".join(filter(None, [self.text, self.roles.get(role, "")]))


@lru_cache
def load(name: str) -> Persona:
    """Load a persona by name, by path or as ``PACKAGE:FILE``; ``ValueError`` says what is wrong with it."""
    table, version = DATA_FILES.table(name)
    check_keys(name, table, {"text"}, {"summary", "roles"})
    roles = table.get("roles") or {}
    if not isinstance(roles, Mapping):
        raise ValueError(f"{name!r}: 'roles': expected a table of texts by role, got {roles!r}")
    for key, value in {"text": table["text"], **roles}.items():
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{name!r}: {key!r}: expected a text, got {value!r}")
    return Persona(
        name=short_name(name),
        version=version,
        text=table["text"].strip(),
        roles={str(role): text.strip() for role, text in roles.items()},
    )


def check(_owner: object, _field: object, name: str | None) -> None:
    """Validate a parameter that names a persona."""
    if name is not None:
        load(name)
