"""Reports: everything a run says, as data, and as text for terminals, documents and papers.

``build`` reads journals, lets the metrics measure every match that has a result, and returns a ``Report``: tables and
figures as data. Renderers only show it: ``terminal``, ``markdown`` and ``latex`` here, others as plugins that
implement ``ReportFormat``. Every number carries its n and its interval; what could not be computed says why.
"""

from arena.report.build import assemble, build
from arena.report.contract import MatchView, Move, Report, ReportFormat
from arena.report.references import reference, references

__all__ = ["MatchView", "Move", "Report", "ReportFormat", "assemble", "build", "reference", "references"]
