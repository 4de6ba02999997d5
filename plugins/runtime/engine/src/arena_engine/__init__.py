"""Reads a benchmark, plays its matches, keeps the journal, resumes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from arena_engine.foundation.ownership import check_core

if TYPE_CHECKING:
    from arena_engine.benchmark.benchmark import (
        Benchmark as Benchmark,
        CheckedBenchmark as CheckedBenchmark,
        build_benchmark as build_benchmark,
        check_benchmark as check_benchmark,
        load_benchmark as load_benchmark,
    )
    from arena_engine.benchmark.documents import Suite as Suite, suite_title as suite_title, suites as suites
    from arena_engine.benchmark.json_schema import json_schema as json_schema, plugin_schema as plugin_schema
    from arena_engine.benchmark.plain_data import BenchmarkProblem as BenchmarkProblem
    from arena_engine.benchmark.recorded_benchmark import (
        RecordedParts as RecordedParts,
        open_benchmark as open_benchmark,
        open_parts as open_parts,
    )
    from arena_engine.benchmark.structure import make_plugin as make_plugin, structure as structure
    from arena_engine.benchmark.sweeps import unswept_name as unswept_name
    from arena_engine.benchmark.trust import installed_only as installed_only, names_credential as names_credential
    from arena_engine.benchmark.yaml_data import read_yaml as read_yaml, write_yaml as write_yaml
    from arena_engine.execution.api import Run as Run, load as load, run as run, write_run as write_run
    from arena_engine.execution.configuration import (
        Configuration as Configuration,
        configurations_of as configurations_of,
        variants_of as variants_of,
    )
    from arena_engine.execution.control import (
        Control as Control,
        ControlledRun as ControlledRun,
        ControlState as ControlState,
    )
    from arena_engine.execution.match_runner import MatchRunner as MatchRunner
    from arena_engine.execution.readiness import ChecksReadiness as ChecksReadiness, backends_of as backends_of
    from arena_engine.execution.recorded_prompts import (
        RecordedPrompt as RecordedPrompt,
        recorded_prompts as recorded_prompts,
    )
    from arena_engine.execution.remote_control import ControlAddress as ControlAddress, RemoteControl as RemoteControl
    from arena_engine.execution.replay import (
        AskingCost as AskingCost,
        ask as ask,
        cost_of_asking as cost_of_asking,
        open_to_ask as open_to_ask,
    )
    from arena_engine.execution.runner import (
        default_directory as default_directory,
        job_for as job_for,
        outside_agents as outside_agents,
        watched_outside as watched_outside,
    )
    from arena_engine.execution.worker import Worker as Worker
    from arena_engine.foundation.channel import (
        Channel as Channel,
        ChildProcess as ChildProcess,
        end_with_parent as end_with_parent,
        ended_how as ended_how,
        framed as framed,
    )
    from arena_engine.foundation.json_values import unescaped as unescaped
    from arena_engine.foundation.names import (
        OF_PROMPTS as OF_PROMPTS,
        Variant as Variant,
        level_word as level_word,
        split_names as split_names,
        variant_name as variant_name,
    )
    from arena_engine.foundation.provenance import installed_code as installed_code, provenance_of as provenance_of
    from arena_engine.foundation.redaction import redacted as redacted, secret_names as secret_names
    from arena_engine.foundation.run_log import RunLog as RunLog
    from arena_engine.job.bus import Bus as Bus
    from arena_engine.job.context import Follower as Follower, MatchInPlay as MatchInPlay, RunContext as RunContext
    from arena_engine.job.executor import (
        Executor as Executor,
        Job as Job,
        Limits as Limits,
        MatchPlans as MatchPlans,
        PlanQueue as PlanQueue,
    )
    from arena_engine.job.illegal_moves import AFTER_LAST_TRY as AFTER_LAST_TRY, allowance as allowance
    from arena_engine.job.open_seats import Places as Places, WaitingSeat as WaitingSeat
    from arena_engine.job.planning import plan_matches as plan_matches
    from arena_engine.journal.database import (
        DamagedJournal as DamagedJournal,
        UnknownSchema as UnknownSchema,
        is_cut_off as is_cut_off,
        is_played as is_played,
    )
    from arena_engine.journal.encoded_match import (
        EncodedMatch as EncodedMatch,
        MatchSummary as MatchSummary,
        PairingTotals as PairingTotals,
    )
    from arena_engine.journal.journal import Journal as Journal
    from arena_engine.journal.listing import (
        MatchFilter as MatchFilter,
        MatchPage as MatchPage,
        RunStatus as RunStatus,
        count_matches as count_matches,
        match_page as match_page,
        matching_ids as matching_ids,
    )
    from arena_engine.journal.match_results import (
        has_only_losers as has_only_losers,
        is_undecided as is_undecided,
        player_names as player_names,
        reason_words as reason_words,
        record_words as record_words,
        result_words as result_words,
    )
    from arena_engine.journal.packing import JournalSettings as JournalSettings
    from arena_engine.journal.reading import transcript as transcript
    from arena_engine.journal.stored_json import JournalEntry as JournalEntry
    from arena_engine.journal.usage import Call as Call
    from arena_engine.journal.verification import Verification as Verification, verify_journal as verify_journal
    from arena_engine.models.batches import AsksInBatches as AsksInBatches, BatchConnection as BatchConnection
    from arena_engine.models.cache import CompletionCache as CompletionCache
    from arena_engine.models.keys import DeclaresKeys as DeclaresKeys
    from arena_engine.models.request_text import (
        backend_key as backend_key,
        completion_from_text as completion_from_text,
        request_hash as request_hash,
        request_text as request_text,
    )
    from arena_engine.models.throttle import Permit as Permit, Throttle as Throttle, TokenEstimate as TokenEstimate
    from arena_engine.references.background import (
        BackgroundReferences as BackgroundReferences,
        current_games as current_games,
    )
    from arena_engine.references.recorded_games import (
        RecordedGame as RecordedGame,
        event_key as event_key,
        recorded_games as recorded_games,
    )
    from arena_engine.references.reference_cache import KeptTexts as KeptTexts, cache_folder as cache_folder
    from arena_engine.workers.dispatch import Dispatcher as Dispatcher, WorkerCount as WorkerCount
    from arena_engine.workers.messages import WorkerSetup as WorkerSetup
    from arena_engine.workers.worker_handle import (
        EnvironmentFingerprint as EnvironmentFingerprint,
        PluginOrigin as PluginOrigin,
        WorkerGone as WorkerGone,
        WorkerHost as WorkerHost,
        WorkerLink as WorkerLink,
    )

_HOMES: Final = {
    "AFTER_LAST_TRY": "arena_engine.job.illegal_moves",
    "AskingCost": "arena_engine.execution.replay",
    "AsksInBatches": "arena_engine.models.batches",
    "BackgroundReferences": "arena_engine.references.background",
    "BatchConnection": "arena_engine.models.batches",
    "Benchmark": "arena_engine.benchmark.benchmark",
    "BenchmarkProblem": "arena_engine.benchmark.plain_data",
    "Bus": "arena_engine.job.bus",
    "Call": "arena_engine.journal.usage",
    "CheckedBenchmark": "arena_engine.benchmark.benchmark",
    "ChecksReadiness": "arena_engine.execution.readiness",
    "DeclaresKeys": "arena_engine.models.keys",
    "Channel": "arena_engine.foundation.channel",
    "ChildProcess": "arena_engine.foundation.channel",
    "CompletionCache": "arena_engine.models.cache",
    "Configuration": "arena_engine.execution.configuration",
    "Control": "arena_engine.execution.control",
    "ControlAddress": "arena_engine.execution.remote_control",
    "ControlState": "arena_engine.execution.control",
    "ControlledRun": "arena_engine.execution.control",
    "DamagedJournal": "arena_engine.journal.database",
    "Dispatcher": "arena_engine.workers.dispatch",
    "EncodedMatch": "arena_engine.journal.encoded_match",
    "EnvironmentFingerprint": "arena_engine.workers.worker_handle",
    "Executor": "arena_engine.job.executor",
    "Follower": "arena_engine.job.context",
    "Job": "arena_engine.job.executor",
    "Journal": "arena_engine.journal.journal",
    "JournalEntry": "arena_engine.journal.stored_json",
    "JournalSettings": "arena_engine.journal.packing",
    "KeptTexts": "arena_engine.references.reference_cache",
    "Limits": "arena_engine.job.executor",
    "MatchFilter": "arena_engine.journal.listing",
    "MatchInPlay": "arena_engine.job.context",
    "MatchPage": "arena_engine.journal.listing",
    "MatchPlans": "arena_engine.job.executor",
    "MatchRunner": "arena_engine.execution.match_runner",
    "MatchSummary": "arena_engine.journal.encoded_match",
    "OF_PROMPTS": "arena_engine.foundation.names",
    "PairingTotals": "arena_engine.journal.encoded_match",
    "Permit": "arena_engine.models.throttle",
    "Places": "arena_engine.job.open_seats",
    "PlanQueue": "arena_engine.job.executor",
    "PluginOrigin": "arena_engine.workers.worker_handle",
    "RecordedGame": "arena_engine.references.recorded_games",
    "RecordedPrompt": "arena_engine.execution.recorded_prompts",
    "RecordedParts": "arena_engine.benchmark.recorded_benchmark",
    "RemoteControl": "arena_engine.execution.remote_control",
    "Run": "arena_engine.execution.api",
    "RunContext": "arena_engine.job.context",
    "RunLog": "arena_engine.foundation.run_log",
    "RunStatus": "arena_engine.journal.listing",
    "Suite": "arena_engine.benchmark.documents",
    "Throttle": "arena_engine.models.throttle",
    "TokenEstimate": "arena_engine.models.throttle",
    "Variant": "arena_engine.foundation.names",
    "Verification": "arena_engine.journal.verification",
    "UnknownSchema": "arena_engine.journal.database",
    "WaitingSeat": "arena_engine.job.open_seats",
    "Worker": "arena_engine.execution.worker",
    "WorkerCount": "arena_engine.workers.dispatch",
    "WorkerGone": "arena_engine.workers.worker_handle",
    "WorkerHost": "arena_engine.workers.worker_handle",
    "WorkerLink": "arena_engine.workers.worker_handle",
    "WorkerSetup": "arena_engine.workers.messages",
    "allowance": "arena_engine.job.illegal_moves",
    "ask": "arena_engine.execution.replay",
    "backend_key": "arena_engine.models.request_text",
    "backends_of": "arena_engine.execution.readiness",
    "build_benchmark": "arena_engine.benchmark.benchmark",
    "cache_folder": "arena_engine.references.reference_cache",
    "check_benchmark": "arena_engine.benchmark.benchmark",
    "completion_from_text": "arena_engine.models.request_text",
    "configurations_of": "arena_engine.execution.configuration",
    "cost_of_asking": "arena_engine.execution.replay",
    "count_matches": "arena_engine.journal.listing",
    "current_games": "arena_engine.references.background",
    "default_directory": "arena_engine.execution.runner",
    "end_with_parent": "arena_engine.foundation.channel",
    "ended_how": "arena_engine.foundation.channel",
    "framed": "arena_engine.foundation.channel",
    "event_key": "arena_engine.references.recorded_games",
    "has_only_losers": "arena_engine.journal.match_results",
    "installed_code": "arena_engine.foundation.provenance",
    "installed_only": "arena_engine.benchmark.trust",
    "is_cut_off": "arena_engine.journal.database",
    "is_played": "arena_engine.journal.database",
    "is_undecided": "arena_engine.journal.match_results",
    "job_for": "arena_engine.execution.runner",
    "json_schema": "arena_engine.benchmark.json_schema",
    "level_word": "arena_engine.foundation.names",
    "load": "arena_engine.execution.api",
    "load_benchmark": "arena_engine.benchmark.benchmark",
    "make_plugin": "arena_engine.benchmark.structure",
    "match_page": "arena_engine.journal.listing",
    "matching_ids": "arena_engine.journal.listing",
    "names_credential": "arena_engine.benchmark.trust",
    "open_benchmark": "arena_engine.benchmark.recorded_benchmark",
    "open_parts": "arena_engine.benchmark.recorded_benchmark",
    "open_to_ask": "arena_engine.execution.replay",
    "outside_agents": "arena_engine.execution.runner",
    "plan_matches": "arena_engine.job.planning",
    "player_names": "arena_engine.journal.match_results",
    "plugin_schema": "arena_engine.benchmark.json_schema",
    "provenance_of": "arena_engine.foundation.provenance",
    "read_yaml": "arena_engine.benchmark.yaml_data",
    "reason_words": "arena_engine.journal.match_results",
    "record_words": "arena_engine.journal.match_results",
    "recorded_games": "arena_engine.references.recorded_games",
    "recorded_prompts": "arena_engine.execution.recorded_prompts",
    "redacted": "arena_engine.foundation.redaction",
    "request_hash": "arena_engine.models.request_text",
    "request_text": "arena_engine.models.request_text",
    "result_words": "arena_engine.journal.match_results",
    "run": "arena_engine.execution.api",
    "secret_names": "arena_engine.foundation.redaction",
    "split_names": "arena_engine.foundation.names",
    "structure": "arena_engine.benchmark.structure",
    "suite_title": "arena_engine.benchmark.documents",
    "suites": "arena_engine.benchmark.documents",
    "transcript": "arena_engine.journal.reading",
    "unescaped": "arena_engine.foundation.json_values",
    "unswept_name": "arena_engine.benchmark.sweeps",
    "variant_name": "arena_engine.foundation.names",
    "variants_of": "arena_engine.execution.configuration",
    "verify_journal": "arena_engine.journal.verification",
    "watched_outside": "arena_engine.execution.runner",
    "write_run": "arena_engine.execution.api",
    "write_yaml": "arena_engine.benchmark.yaml_data",
}

check_core()  # before any module here imports the package arena, which may be somebody else's

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    # Imported when it is first used: importing one name must not cost the time of importing all of them.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
