"""A match that is over is read once; another one in its place, and one that goes on, is read anew."""

import attrs
from arena.record import Ending
from arena_engine import Journal
from arena_web.foundation.kept_values import Histories


def test_match_is_read_anew_where_there_is_more_of_it(played, tmp_path):
    """Steps that are added, the record in their place, and another record of the same match are each seen at once."""
    with Journal.open(played / "boards") as source:
        record, header = next(source.records()), source.header
    histories = Histories()
    with Journal.create(tmp_path / "run", header, [record.plan]) as journal:
        assert histories.of(journal, record.id).steps == 0
        for step in range(2):
            events = [event for event in record.events if event.step == step]
            journal.progress(record.id, step, events, is_first=step == 0)
            journal._writer.at_once(lambda rows: None)
            assert histories.of(journal, record.id).steps == step
        for ending in (Ending.FAILED, Ending.RULES):
            journal.finish(attrs.evolve(record, ending=ending))
            journal._writer.at_once(lambda rows: None)
            found = histories.of(journal, record.id)
            assert found.ending is ending
            assert histories.of(journal, record.id) is found
        assert histories.of(journal, "nothing") is None
