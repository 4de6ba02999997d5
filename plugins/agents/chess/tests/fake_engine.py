"""A scripted engine: speaks UCI, and answers as a list of words says, one for each search.

The file beside it, ``SCRIPT``, holds those words; ``LOG`` gets the process's id and each command it was given. Words
are a move, ``illegal``, ``garbage``, ``nothing``, ``none``, ``die``, ``long``, and ``leave``, which answers e2e4 and
ends.
"""

import json
import os
import sys
import time
from pathlib import Path

PLACE = Path(__file__).resolve()
SCRIPT, LOG = PLACE.with_suffix(".json"), PLACE.with_suffix(".log")


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def note(text):
    with LOG.open("a") as log:
        log.write(f"{os.getpid()} {text}\n")


def answer(word):
    move = {"illegal": "e2e5", "garbage": "Ke9!", "none": "(none)", "leave": "e2e4"}.get(word, word)
    if word == "garbage":
        say("info depth banana score cp ? pv")
        say("\x00\x7f info score")
        sys.stdout.buffer.write(b"\xff\xfe\n")
    if word == "die":
        sys.exit(3)
    if word == "long":
        say("x" * 3_000_000)
    if word == "nothing":
        while True:
            time.sleep(60)
    say("info depth 1 seldepth 1 multipv 1 score cp 20 nodes 3 pv " + move)
    say(f"bestmove {move}")
    if word == "leave":
        sys.exit(0)


def main():
    note("started")
    words = json.loads(SCRIPT.read_text())
    for command in map(str.strip, sys.stdin):
        note(command)
        if command == "uci":
            if words == ["mute"]:
                continue
            say("id name Scripted 1.0")
            say("option name Threads type spin default 4 min 1 max 512")
            say("option name Skill Level type spin default 20 min 0 max 20")
            say("uciok")
        elif command == "isready":
            say("readyok")
        elif command.startswith("go"):
            # one script is shared by all processes of the engine, so what was said is read from the log
            said = sum(" go " in f" {line} " for line in LOG.read_text().splitlines())
            answer(words[min(said, len(words)) - 1])
        elif command == "quit":
            return


main()
