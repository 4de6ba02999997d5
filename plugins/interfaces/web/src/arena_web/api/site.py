"""What one server shows and to whom: given once, when it starts."""

from importlib.metadata import version

import attrs
from arena.catalog import Catalog

from arena_web.foundation.download_words import Downloads
from arena_web.foundation.kept_values import Histories, LongTexts
from arena_web.foundation.keys import Keys, Rates
from arena_web.held.computations import Computations
from arena_web.held.feeds import Feeds
from arena_web.held.form_workers import FormWorkers
from arena_web.held.found_runs import FoundRuns
from arena_web.held.match_names import MatchIndex
from arena_web.held.positions import Positions
from arena_web.held.presence import SeatPresence, SeatTabs
from arena_web.held.provider_keys import ProviderKeys
from arena_web.held.reports import MEMORY, SECONDS, Reports
from arena_web.held.searches import Searches
from arena_web.held.seat_matches import SeatMatches
from arena_web.held.starting import Starter
from arena_web.held.workers import Workers
from arena_web.studies.open_study import OpenStudy

CHECKS = 30
"""So often a seat may ask in a second whether an action is legal."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine by which no other machine can be meant."""


TRIAL_S = 900.0
"""Seconds that an agent may take that is asked about a turn."""

TRIAL_MEMORY = 6_000_000_000
"""Bytes of memory that it may take."""


def _trial_workers(site: "Site") -> Workers:
    """The processes that build a run's agents and ask them, for which they have the keys of providers."""
    return Workers(2, seconds=TRIAL_S, memory=TRIAL_MEMORY, disabled=site.catalog.disabled, keys=site.provider_keys)


def _export_workers(site: "Site") -> Workers:
    return Workers(1, seconds=SECONDS, memory=MEMORY, disabled=site.catalog.disabled)


def _starter(site: "Site") -> Starter:
    return Starter(disabled=site.catalog.disabled, keys=site.provider_keys)


def _form_workers(site: "Site") -> FormWorkers:
    return FormWorkers(disabled=site.catalog.disabled)


def _annotation_workers(site: "Site") -> Workers:
    """The one process that keeps what people score, so that two of them never write at once."""
    return Workers(1, seconds=600.0, memory=2_000_000_000, disabled=site.catalog.disabled)


@attrs.define(eq=False, kw_only=True)
class Site:
    """One server: the runs that it shows, the keys that open it, and the names by which it may be called.

    ``port`` is known once it listens. ``study`` is the one that participants take part in here.
    """

    runs: FoundRuns
    keys: Keys
    catalog: Catalog = attrs.field(factory=Catalog)
    is_read_only: bool = False
    names: tuple[str, ...] = LOOPBACK
    port: int = 80
    positions: Positions = attrs.field(factory=Positions)
    index: MatchIndex = attrs.field(factory=MatchIndex)
    histories: Histories = attrs.field(factory=Histories)
    texts: LongTexts = attrs.field(factory=LongTexts)
    reports: Reports = attrs.field(factory=Reports)
    searches: Searches = attrs.field(factory=Searches)
    computations: Computations = attrs.field(factory=Computations)
    forms: FormWorkers = attrs.field(default=attrs.Factory(_form_workers, takes_self=True))
    provider_keys: ProviderKeys = attrs.field(factory=ProviderKeys)
    exports: Workers = attrs.field(default=attrs.Factory(_export_workers, takes_self=True))
    annotations: Workers = attrs.field(default=attrs.Factory(_annotation_workers, takes_self=True))
    trials: Workers = attrs.field(default=attrs.Factory(_trial_workers, takes_self=True))
    starter: Starter = attrs.field(default=attrs.Factory(_starter, takes_self=True))
    downloads: Downloads = attrs.field(factory=Downloads)
    feeds: Feeds = attrs.field(factory=Feeds)
    seats: SeatMatches = attrs.field(factory=SeatMatches)
    presence: SeatPresence = attrs.field(factory=SeatPresence)
    tabs: SeatTabs = attrs.field(factory=SeatTabs)
    checks: Rates = attrs.field(factory=lambda: Rates(CHECKS))
    study: OpenStudy | None = None

    @property
    def hosts(self) -> frozenset[str]:
        """What may stand in the header ``Host``."""
        ports = ("", ":80") if self.port == 80 else (f":{self.port}",)
        return frozenset(f"{name}{port}".lower() for name in self.names for port in ports)

    @property
    def origins(self) -> frozenset[str]:
        """What may stand in the header ``Origin``."""
        return frozenset(f"http://{host}" for host in self.hosts)

    @property
    def version(self) -> str:
        """The version of the server."""
        return version("playarena-web")

    async def close(self) -> None:
        """End what belongs to this server alone: its keys, its processes."""
        self.keys.close()
        await self.presence.close()
        await self.feeds.close()
        await self.positions.close()
        await self.reports.close()
        await self.searches.close()
        await self.computations.close()
        await self.forms.close()
        await self.exports.close()
        await self.trials.close()
        await self.annotations.close()
