"""Compare a game with the same game played again."""

from __future__ import annotations

from arena.fights.pairing import Pairing
from arena.match.record import Forfeit, GameRecord
from arena.sandbox.words import WASM


def difference(pairing: Pairing, old: GameRecord, new: GameRecord) -> str:
    """Return what differs in a game that was played again, empty if nothing does."""
    word = pairing.game.format_move
    for ply, (before, now) in enumerate(zip(old.moves, new.moves, strict=False), start=1):
        if before != now:
            return f"move {ply} is {word(now)}, not {word(before)}"
    if len(old.moves) != len(new.moves):
        return f"it has {len(new.moves)} moves, not {len(old.moves)}"
    ends = [
        (game.outcome, game.payoffs, game.notes.adjudicated, [*map(_seen, game.forfeits)])
        for game in (old, new)
    ]
    if ends[0] != ends[1]:
        return "it ends otherwise"
    # Seconds are never the same: fuel is compared where no player is measured in seconds.
    has_fuel_alone = {player.isolation for player in pairing.players} <= {"", WASM}
    if has_fuel_alone and old.move_times != new.move_times:
        return "the fuel of a move is another"
    return ""


def _seen(forfeit: Forfeit) -> tuple[int, str, int | None]:
    """Return what two games have in common that end by the same forfeit."""
    return int(forfeit.side), forfeit.reason, forfeit.ply
