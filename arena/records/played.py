"""Name the records that commands show after they play."""

from __future__ import annotations

from arena.records.fights import FightResult
from arena.records.sequential import SprtFight
from arena.records.tables import TablesResult
from arena.records.tournaments import TournamentResult
from arena.records.until import UntilFight

Played = FightResult | SprtFight | UntilFight | TournamentResult | TablesResult
