"""Notes beside games: what arena did not write is not read."""

from __future__ import annotations

import pytest

from arena.game import Outcome
from arena.match.record import GameRecord
from arena.store.notes import noted
from arena.store.reading import legible
from arena.store.schema import Unreadable


@pytest.mark.parametrize(
    "note",
    [
        *("[" * 100_000, '{"printed": 3}', '{"where": []}', b"\xff"),
        *('{"ended": -1}', '{"ended": 1e12}', '{"ended": "now"}'),
    ],
)
def test_a_note_that_arena_did_not_write_is_illegible(note: str) -> None:
    record = GameRecord((), Outcome.DRAW, None)
    with pytest.raises(Unreadable, match="games: "), legible("games"):
        noted(record, note)
