"""Find what chooses the rounds of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.fights.pairing import Pairing, RunSetting
from arena.plugin.catalogue import Catalogue

if TYPE_CHECKING:
    from arena.fights.rounds import RoundChooser
    from arena.fights.scheduled import Attendance


def rounds_of(
    setting: RunSetting,
    pairings: Sequence[Pairing],
    catalogue: Catalogue,
    times: Attendance | None = None,
) -> RoundChooser | None:
    """Return what chooses the rounds of a run, or None if it plays all its pairings anyway.

    Raises UsageError for a schedule that no plugin offers.
    """
    if not setting.is_by_rounds:
        return None
    if setting.until is not None:
        from arena.fights.answering import QuestionRounds  # not every command has a question

        return QuestionRounds(setting, pairings)
    if pairings[0].others:
        from arena.fights.scheduled_tables import ScheduledTables

        return ScheduledTables(catalogue.schedule(setting.schedule), pairings)
    from arena.fights.scheduled import AT_ONCE, ScheduleRounds

    return ScheduleRounds(catalogue.schedule(setting.schedule), setting, pairings, times or AT_ONCE)
