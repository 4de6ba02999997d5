"""How fast TradeCraft is: recipe checks, whole matches with a journal, loading a rule set that is kept.

    python benchmarks/tradecraft.py [--seconds 2] [--ruleset workshop] [--problems 'workshop#1']

Each figure stands beside a calibration loop of the same process and time (additions of small fractions, which is what
the engine mostly does), so that figures of two machines, or of a busy and a quiet one, can be compared. *Checks* are
judgements of a craft action by the engine: half of them are possible and half are not, among them tags in a mix, fuel,
and an item that fits two ingredients. *Matches* are of fifteen turns, between two scripted players who propose, answer
and craft, with referee and journal on the disk. *Load* is of the rule set as a pack of small files, read from the
cache; ``first`` is without.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import attrs
from arena import api
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.catalog import Catalog
from arena.game import Decision
from arena.testing.stand_ins import playing

CHECKS_GOAL = 20_000
MATCHES_GOAL = 20
LOAD_GOAL_MS = 300
TURNS = 15
