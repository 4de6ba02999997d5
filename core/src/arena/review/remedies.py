"""What to do about what a review finds, by rule."""

from collections.abc import Mapping
from typing import Final

_REMEDIES: Final[Mapping[str, str]] = {
    # how it is imported
    "import-error": "import it yourself with the same Python and mend what that says",
    "exit": "leave ending the process to whoever started it; raise an error instead",
    "killed": "find the compiled code that crashes; the last lines of its traceback stand above",
    "time": "do nothing lengthy and wait for nothing here",
    "no-plugin": "let the entry point lead to a Plugin(factory='package.module:Class', summary=…)",
    "api": "upgrade the distribution, or the core",
    "summary": "give Plugin(summary=…) the one line that lists show",
    "licence": "give Plugin(licence=…) its SPDX name, so that users know what they may do",
    "slow-import": "move what takes time into the module that factory points to, or into the first use",
    "heavy-import": "import it in the module that factory points to, not beside the descriptor",
    "network": "reach out when a run asks for it, in connect() or act(), never at import",
    "writes": "write nothing at import; make files when a run asks for them",
    "program": "start no program at import",
    "output": "print nothing; standard output belongs to results",
    "global-luck": "seed and draw from a random.Random of your own, never from the module",
    "threads": "start threads when a run asks for them, and end them with it",
    "conflict": "choose another name; users would have to write dist:name",
    # what it is
    "contract": "derive it from the contract of its kind and implement every abstract method",
    "mutable": "make it an @attrs.frozen class; its fields are its parameters",
    "annotations": "annotate fields with types that exist when the module has been imported",
    "undocumented": "say what it means in metadata={'help': …}, or by its ``name`` in the docstring of the class",
    "preset": "use names of fields of the class in Plugin(preset=…)",
    "example": "let Plugin(example=…) be parameters that a benchmark file could hold",
    "defaults": "give defaults that the validators of the fields accept",
    "parameter-schema": "make defaults and validators agree with the types of the fields",
    "equality": "compare by value: @attrs.frozen does, if all fields do",
    "file": "ship the file in the wheel, and write factory as 'package:path/in/package.yaml'",
    # what it does: the checks of arena.testing
    "leak": "put into an observation, option or refusal only what an event told this player",
    "determinism": "let luck come from chance or seat.rng alone, sort what comes from a set, and read no clock",
    "hash-order": "sort before looping over a set, and use no hash() of a text",
    "clock": "let nothing depend on the time of day; count waves instead",
    "process-luck": "use no os.urandom, id() or unseeded generator; draw from chance or seat.rng",
    "interleaved": "keep everything of a match in its state, nothing in the class or the module",
    "luck": "draw from the generator the contract hands out, never from the random module",
    "endless": "end the match in the rules, or declare a wave_limit of its own",
    "crash": "play the line that is shown and mend the error",
    "clone": "copy every list, dict and object that apply changes, or leave clone() as it is",
    "atomic": "look at all actions first and change the state only then",
    "apply": "refuse in check() all that apply() cannot do",
    "options": "let options, check() and apply() come from one place",
    "labels": "give every option words of its own that say what it does",
    "schema": "say in the schema what check() accepts, or accept in check() what the schema says",
    "check": "let check() take any JSON, change nothing and give a reason",
    "decision": "make the decision anew from the state; looking at it must change nothing",
    "observation": "build observations of plain JSON values, new ones each time",
    "facts": "let facts() say what the rules do",
    "returns": "let returns() be one number per player that fits the declared facts",
    "rewards": "let rewards() be one number per player and wave, and add up to returns()",
    "turn": "let to_act() name players that are there, once each and in order",
    "players": "let player_counts() be what the game can be played with",
    "pickling": "hold no functions, files or locks in games and states, or they cannot be sent to another process",
    "illegal": "choose from decision.options or decision.sample, or answer with a Refusal that says why not",
    "legal": "choose from decision.options or decision.sample, or answer with a Refusal that says why not",
    "replay": "take everything from outside through seat.completions or seat.once, so that a match can be resumed",
    "usage": "count tokens as the server does, and give 0 only where nothing was used",
    "max_tokens": "pass max_tokens on, and report the tokens that were written",
    "summarize": "put n and an interval on every share: arena.metric.Estimate, or arena-metric-statistics",
    "measure": "make measure() pure: the same record, the same measurements, the record left as it is",
    "slow": "profile apply(), decision() and check(); keep derived things in the state",
    # how it is distributed
    "core-range": "require the core by a range that holds this one and ends before the next that may differ",
    "unmet": "install what is required, or widen the range",
    "undeclared": "declare the distribution in [project] dependencies",
    "python": "declare requires-python with the oldest Python it is tested on",
    "build": "make the project build with a standard back end",
    "py-typed": "put an empty py.typed beside __init__.py, and let the wheel take it along",
    "missing-module": "let the wheel take along every package that an entry point or factory names",
    "entry-points": "let the wheel and the installed distribution offer the same plugins; install it again",
    "install": "read what the installer says above",
    "undiscovered": "let it work with nothing installed but what it declares to require",
    "metadata": "fill in description, readme and license in [project]",
}

_ANY: Final = "read the documentation of its contract in arena"


def remedy_for(rule: str) -> str:
    """What to do about a rule that was broken."""
    return _REMEDIES.get(rule, _ANY)
