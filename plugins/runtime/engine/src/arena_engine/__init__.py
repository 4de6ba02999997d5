"""Reads a benchmark, plays its matches, keeps the journal, resumes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from arena_engine.ownership import check_core

if TYPE_CHECKING:
    from arena_engine.benchmark.benchmark import (
        Benchmark as Benchmark,
        build_benchmark as build_benchmark,
        load_benchmark as load_benchmark,
    )
    from arena_engine.benchmark.checking import CheckedBenchmark as CheckedBenchmark, check_benchmark as check_benchmark
    from arena_engine.benchmark.credentials import names_credential as names_credential
    from arena_engine.benchmark.json_schema import json_schema as json_schema, plugin_schema as plugin_schema
    from arena_engine.benchmark.making import make_plugin as make_plugin
    from arena_engine.benchmark.problems import BenchmarkProblem as BenchmarkProblem
    from arena_engine.benchmark.structure import structure as structure
    from arena_engine.benchmark.suites import Suite as Suite, suite_title as suite_title, suites as suites
    from arena_engine.benchmark.sweeps import unswept_name as unswept_name
    from arena_engine.benchmark.trust import installed_only as installed_only
    from arena_engine.benchmark.yaml_reader import read_yaml as read_yaml
    from arena_engine.benchmark.yaml_writer import write_yaml as write_yaml
    from arena_engine.child_process import (
        ChildProcess as ChildProcess,
        end_with_parent as end_with_parent,
        ended_how as ended_how,
    )
    from arena_engine.distributed.dispatch import Dispatcher as Dispatcher
    from arena_engine.distributed.fingerprint import (
        EnvironmentFingerprint as EnvironmentFingerprint,
        PluginOrigin as PluginOrigin,
    )
    from arena_engine.distributed.link import (
        WorkerGone as WorkerGone,
        WorkerHost as WorkerHost,
        WorkerLink as WorkerLink,
    )
    from arena_engine.distributed.messages import WorkerSetup as WorkerSetup
    from arena_engine.distributed.scaling import WorkerCount as WorkerCount
    from arena_engine.distributed.worker import Worker as Worker
    from arena_engine.journal.database import (
        DamagedJournal as DamagedJournal,
        UnknownSchema as UnknownSchema,
        is_cut_off as is_cut_off,
        is_played as is_played,
    )
    from arena_engine.journal.encoded_match import EncodedMatch as EncodedMatch
    from arena_engine.journal.entries import JournalEntry as JournalEntry
    from arena_engine.journal.escaping import unescaped as unescaped
    from arena_engine.journal.journal import Journal as Journal
    from arena_engine.journal.listing import (
        MatchFilter as MatchFilter,
        MatchPage as MatchPage,
        count_matches as count_matches,
        match_page as match_page,
    )
    from arena_engine.journal.packing import JournalSettings as JournalSettings
    from arena_engine.journal.provenance import provenance_of as provenance_of
    from arena_engine.journal.summaries import MatchSummary as MatchSummary, PairingTotals as PairingTotals
    from arena_engine.journal.transcript import transcript as transcript
    from arena_engine.journal.verification import Verification as Verification, verify_journal as verify_journal
    from arena_engine.models.cache import CompletionCache as CompletionCache
    from arena_engine.models.call import Call as Call
    from arena_engine.models.rate_limit import TokenEstimate as TokenEstimate
    from arena_engine.models.request_text import (
        backend_key as backend_key,
        completion_from_text as completion_from_text,
        request_hash as request_hash,
        request_text as request_text,
    )
    from arena_engine.models.throttle import Permit as Permit, Throttle as Throttle
    from arena_engine.redaction import redacted as redacted, secret_names as secret_names
    from arena_engine.references.background import (
        BackgroundReferences as BackgroundReferences,
        current_games as current_games,
    )
    from arena_engine.references.cache_files import KeptTexts as KeptTexts, cache_folder as cache_folder
    from arena_engine.references.event_words import event_key as event_key
    from arena_engine.references.installed_code import installed_code as installed_code
    from arena_engine.references.recorded_games import RecordedGame as RecordedGame, recorded_games as recorded_games
    from arena_engine.run_log import RunLog as RunLog
    from arena_engine.running.api import Run as Run, load as load, run as run
    from arena_engine.running.configuration import (
        Configuration as Configuration,
        configurations_of as configurations_of,
    )
    from arena_engine.running.context import Follower as Follower, MatchInPlay as MatchInPlay, RunContext as RunContext
    from arena_engine.running.control import (
        Control as Control,
        ControlledRun as ControlledRun,
        ControlState as ControlState,
    )
    from arena_engine.running.control_socket import ControlAddress as ControlAddress
    from arena_engine.running.executor import (
        Executor as Executor,
        Job as Job,
        Limits as Limits,
        MatchPlans as MatchPlans,
        PlanQueue as PlanQueue,
    )
    from arena_engine.running.match_runner import MatchRunner as MatchRunner
    from arena_engine.running.open_seats import WaitingSeat as WaitingSeat
    from arena_engine.running.outside_agents import outside_agents as outside_agents, watched_outside as watched_outside
    from arena_engine.running.places import Places as Places
    from arena_engine.running.planning import plan_matches as plan_matches
    from arena_engine.running.readiness import ChecksReadiness as ChecksReadiness, backends_of as backends_of
    from arena_engine.running.recorded_benchmark import (
        RecordedParts as RecordedParts,
        open_benchmark as open_benchmark,
        open_parts as open_parts,
    )
    from arena_engine.running.remote_control import RemoteControl as RemoteControl
    from arena_engine.running.replay import (
        AskingCost as AskingCost,
        ask as ask,
        cost_of_asking as cost_of_asking,
        open_to_ask as open_to_ask,
    )
    from arena_engine.running.run_writer import write_run as write_run
    from arena_engine.running.runner import default_directory as default_directory, job_for as job_for
    from arena_engine.running.status import RunStatus as RunStatus

_HOMES: Final = {
    "AskingCost": "arena_engine.running.replay",
    "BackgroundReferences": "arena_engine.references.background",
    "Benchmark": "arena_engine.benchmark.benchmark",
    "BenchmarkProblem": "arena_engine.benchmark.problems",
    "Call": "arena_engine.models.call",
    "CheckedBenchmark": "arena_engine.benchmark.checking",
    "ChecksReadiness": "arena_engine.running.readiness",
    "ChildProcess": "arena_engine.child_process",
    "CompletionCache": "arena_engine.models.cache",
    "Configuration": "arena_engine.running.configuration",
    "Control": "arena_engine.running.control",
    "ControlAddress": "arena_engine.running.control_socket",
    "ControlState": "arena_engine.running.control",
    "ControlledRun": "arena_engine.running.control",
    "DamagedJournal": "arena_engine.journal.database",
    "Dispatcher": "arena_engine.distributed.dispatch",
    "EncodedMatch": "arena_engine.journal.encoded_match",
    "EnvironmentFingerprint": "arena_engine.distributed.fingerprint",
    "Executor": "arena_engine.running.executor",
    "Follower": "arena_engine.running.context",
    "Job": "arena_engine.running.executor",
    "Journal": "arena_engine.journal.journal",
    "JournalEntry": "arena_engine.journal.entries",
    "JournalSettings": "arena_engine.journal.packing",
    "KeptTexts": "arena_engine.references.cache_files",
    "Limits": "arena_engine.running.executor",
    "MatchFilter": "arena_engine.journal.listing",
    "MatchInPlay": "arena_engine.running.context",
    "MatchPage": "arena_engine.journal.listing",
    "MatchPlans": "arena_engine.running.executor",
    "MatchRunner": "arena_engine.running.match_runner",
    "MatchSummary": "arena_engine.journal.summaries",
    "PairingTotals": "arena_engine.journal.summaries",
    "Permit": "arena_engine.models.throttle",
    "Places": "arena_engine.running.places",
    "PlanQueue": "arena_engine.running.executor",
    "PluginOrigin": "arena_engine.distributed.fingerprint",
    "RecordedGame": "arena_engine.references.recorded_games",
    "RecordedParts": "arena_engine.running.recorded_benchmark",
    "RemoteControl": "arena_engine.running.remote_control",
    "Run": "arena_engine.running.api",
    "RunContext": "arena_engine.running.context",
    "RunLog": "arena_engine.run_log",
    "RunStatus": "arena_engine.running.status",
    "Suite": "arena_engine.benchmark.suites",
    "Throttle": "arena_engine.models.throttle",
    "TokenEstimate": "arena_engine.models.rate_limit",
    "Verification": "arena_engine.journal.verification",
    "UnknownSchema": "arena_engine.journal.database",
    "WaitingSeat": "arena_engine.running.open_seats",
    "Worker": "arena_engine.distributed.worker",
    "WorkerCount": "arena_engine.distributed.scaling",
    "WorkerGone": "arena_engine.distributed.link",
    "WorkerHost": "arena_engine.distributed.link",
    "WorkerLink": "arena_engine.distributed.link",
    "WorkerSetup": "arena_engine.distributed.messages",
    "ask": "arena_engine.running.replay",
    "backend_key": "arena_engine.models.request_text",
    "backends_of": "arena_engine.running.readiness",
    "build_benchmark": "arena_engine.benchmark.benchmark",
    "cache_folder": "arena_engine.references.cache_files",
    "check_benchmark": "arena_engine.benchmark.checking",
    "completion_from_text": "arena_engine.models.request_text",
    "configurations_of": "arena_engine.running.configuration",
    "cost_of_asking": "arena_engine.running.replay",
    "count_matches": "arena_engine.journal.listing",
    "current_games": "arena_engine.references.background",
    "default_directory": "arena_engine.running.runner",
    "end_with_parent": "arena_engine.child_process",
    "ended_how": "arena_engine.child_process",
    "event_key": "arena_engine.references.event_words",
    "installed_code": "arena_engine.references.installed_code",
    "installed_only": "arena_engine.benchmark.trust",
    "is_cut_off": "arena_engine.journal.database",
    "is_played": "arena_engine.journal.database",
    "job_for": "arena_engine.running.runner",
    "json_schema": "arena_engine.benchmark.json_schema",
    "load": "arena_engine.running.api",
    "load_benchmark": "arena_engine.benchmark.benchmark",
    "make_plugin": "arena_engine.benchmark.making",
    "match_page": "arena_engine.journal.listing",
    "names_credential": "arena_engine.benchmark.credentials",
    "open_benchmark": "arena_engine.running.recorded_benchmark",
    "open_parts": "arena_engine.running.recorded_benchmark",
    "open_to_ask": "arena_engine.running.replay",
    "outside_agents": "arena_engine.running.outside_agents",
    "plan_matches": "arena_engine.running.planning",
    "plugin_schema": "arena_engine.benchmark.json_schema",
    "provenance_of": "arena_engine.journal.provenance",
    "read_yaml": "arena_engine.benchmark.yaml_reader",
    "recorded_games": "arena_engine.references.recorded_games",
    "redacted": "arena_engine.redaction",
    "request_hash": "arena_engine.models.request_text",
    "request_text": "arena_engine.models.request_text",
    "run": "arena_engine.running.api",
    "secret_names": "arena_engine.redaction",
    "structure": "arena_engine.benchmark.structure",
    "suite_title": "arena_engine.benchmark.suites",
    "suites": "arena_engine.benchmark.suites",
    "transcript": "arena_engine.journal.transcript",
    "unescaped": "arena_engine.journal.escaping",
    "unswept_name": "arena_engine.benchmark.sweeps",
    "verify_journal": "arena_engine.journal.verification",
    "watched_outside": "arena_engine.running.outside_agents",
    "write_run": "arena_engine.running.run_writer",
    "write_yaml": "arena_engine.benchmark.yaml_writer",
}

check_core()  # before any module here imports the package arena, which may be somebody else's

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    # Imported when it is first used: importing one name must not cost the time of importing all of them.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
