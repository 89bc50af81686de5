"""Make runs for volunteers, and play their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.executors.base import TaskList
from arena.fights.choosing import engine_of
from arena.fights.chunks import Chunk
from arena.fights.pairing import Pairing
from arena.match.record import PlayedPair
from arena.model.codec import encode
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.volunteers.desk import Desk
from arena.volunteers.parts import RunParts

CATALOGUE = load_catalogue()


def pairing(*names: str, game: str = "tictactoe", pairs: int = 40, **options: Any) -> Pairing:
    a, b, *others = map(CATALOGUE.player, names or ("monkey", "tictactoe1"))
    return Pairing(CATALOGUE.game(game), a, b, pairs, 7, others=tuple(others), **options)


def played(of: Pairing, start: int, stop: int) -> list[PlayedPair]:
    return list(engine_of(of).pairs(start, stop))


class Notes:
    """A ledger in memory, and the starts of the parts whose games a store has."""

    def __init__(self) -> None:
        self.stored = set[int]()
        self.noted: list[tuple[str, int, int, int]] = []
        self.gone: dict[str, str] = {}

    def dismissed(self) -> Mapping[str, str]:
        return self.gone

    def note(self, worker: str, fight: int, start: int, stop: int) -> None:
        self.noted.append((worker, fight, start, stop))

    def dismiss(self, worker: str, why: str) -> int:
        self.gone[worker] = why
        removed = [row for row in self.noted if row[0] == worker]
        self.noted = [row for row in self.noted if row[0] != worker]
        return sum(2 * (stop - start) for _, _, start, stop in removed if start in self.stored)


class Bench:
    """A desk at a clock that a test moves, and workers that play what it hands out."""

    def __init__(self, chunks: Sequence[Chunk], share: float = 0.0, of: Pairing | None = None):
        self.pairing = of or pairing()
        self.moment = 0.0
        self.draws: list[float] = []
        self.notes = Notes()
        self.desk = Desk(
            RunParts([self.pairing], sends_code=False),
            TaskList(chunks),
            self.notes,
            share,
            clock=lambda: self.moment,
            chance=lambda: self.draws.pop(0) if self.draws else 0.5,
        )

    def ask(self, worker: str, **more: Any) -> Json:
        parts = self.desk.parts
        message = {"kind": "ask", "head": parts.digest, "facts": parts.head.facts}
        return self.desk.answer(worker, {**message, **more})

    def deliver(self, worker: str, taken: Json, pairs: Any = None) -> Json:
        part = taken["part"]
        if pairs is None:
            pairs = encode(played(self.pairing, part["start"], part["stop"]))
        message = {"kind": "done", "lease": taken["lease"], "pairs": pairs}
        return self.desk.answer(worker, message)

    def wait(self, seconds: float) -> None:
        """Let time go by, in which the desk looks every second for leases that run out."""
        for _ in range(round(seconds)):
            self.moment += 1
            self.desk.expire()

    def settled(self) -> list[Chunk]:
        settled = [chunk for chunk, _ in self.desk.settled()]
        self.notes.stored |= {chunk.start for chunk in settled}
        return settled


def chunks(*starts: int, size: int = 3) -> list[Chunk]:
    return [Chunk(0, start, start + size) for start in starts]


def forged(of: Pairing, start: int, stop: int) -> Any:
    """Return pairs that the rules have nothing against, and which were not played."""
    others = played(of, start + 1000, stop + 1000)
    return encode([pair._replace(pair=pair.pair - 1000) for pair in others])
