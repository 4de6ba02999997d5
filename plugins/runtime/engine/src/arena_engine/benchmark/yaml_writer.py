"""Writes plain data as YAML that ``read_yaml`` reads as the same data."""

from io import StringIO
from typing import Any, Final

WIDTH: Final = 100
"""Longer texts are written in several lines."""

_BREAKS: Final = frozenset("\x85\u2028\u2029")


def write_yaml(data: Any) -> str:
    """The data, which is as JSON has it, as YAML 1.2: tables in blocks with their keys in order."""
    # Imported here because a run that writes no file should not pay for it.
    from ruamel.yaml import YAML

    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False
    yaml.allow_unicode = True
    yaml.width = WIDTH
    yaml.representer.ignore_aliases = _always  # what is there twice is written twice
    yaml.representer.add_representer(str, _text)
    text = StringIO()
    yaml.dump(data, text)
    return text.getvalue()


def _text(representer: Any, text: str) -> Any:
    """A text; line breaks that YAML has beside the usual ones would be read as spaces, so they are escaped."""
    return representer.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _BREAKS & {*text} else None)


def _always(_: object) -> bool:
    return True
