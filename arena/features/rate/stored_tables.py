"""Compute ratings from all tables of one or several stores together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.errors import counted
from arena.features.rate.stored_games import StoredGames
from arena.fights.block_counts import BlockCounts
from arena.fights.choosing import engine_of
from arena.fights.pairing import Pairing
from arena.fights.play import result_of
from arena.fights.table_ratings import placed_blocks, rating_table
from arena.game import Game
from arena.match.record import PlayedPair
from arena.model.seatings import EVERY_ORDER, seating
from arena.player import stand_in, table_names
from arena.records.tables import TableRatingTable, TableResult


@dataclass
class _StoredTable:
    """All blocks of the players of a table, each once."""

    #: The names, in the order in which they sit down in the first game of a block.
    players: tuple[str, ...]
    seatings: str
    blocks: dict[object, PlayedPair] = field(default_factory=dict)


def rate_tables(
    fights: Sequence[StoredGames], names: Mapping[tuple[str, str], str]
) -> tuple[TableRatingTable, int]:
    """Return the ratings from the blocks of these tables of one game, each once.

    ``names`` are those to show of the players, by their names and the digests of their code. Also
    return how many blocks were duplicates.
    """
    tables, duplicates = _pooled(fights, names)
    game = fights[0].game
    played = [_result(table, game) for table in tables if table.blocks]
    missing = sum(fight.missing for fight in fights)
    statements = (
        [f"{counted(missing, 'block')} that the runs plan are not played"] if missing else []
    )
    return rating_table([*placed_blocks(played)], statements=statements), duplicates


def _pooled(
    fights: Sequence[StoredGames], names: Mapping[tuple[str, str], str]
) -> tuple[list[_StoredTable], int]:
    """Merge the blocks of the same players. Also return how many of them were duplicates.

    Players in another order have the same blocks if they sit in the same ways.
    """
    tables: dict[object, _StoredTable] = {}
    duplicates = 0
    for fight in fights:
        players = table_names(fight.named(names))
        order = _order(players, fight.seatings)
        key = order, fight.seatings
        table = tables.setdefault(key, _StoredTable(order, fight.seatings))
        for block in fight.pairs:
            block = _in_order(block, players, order, fight.seatings)
            same = fight.seed, block.pair, block.records
            duplicates += same in table.blocks
            table.blocks[same] = block
    return list(tables.values()), duplicates


def _order(players: tuple[str, ...], seatings: str) -> tuple[str, ...]:
    """Return the first by name of all orders of players that have the same block."""
    if seatings == EVERY_ORDER:
        return tuple(sorted(players))
    first = players.index(min(players))
    return players[first:] + players[:first]


def _in_order(
    block: PlayedPair, players: Sequence[str], order: Sequence[str], seatings: str
) -> PlayedPair:
    """Return a block with its games as they are if the players sit down in another order."""
    games = range(len(block.records))
    played = {_seated(players, seatings, game): game for game in games}
    places = [played[_seated(order, seatings, game)] for game in games]
    return block._replace(
        records=tuple(block.records[place] for place in places),
        seconds=tuple(block.seconds[place] for place in places),
    )


def _seated(players: Sequence[str], seatings: str, game: int) -> tuple[str, ...]:
    """Return the players by seat in a game of a block."""
    return tuple(players[place] for place in seating(len(players), seatings, game))


def _result(stored: _StoredTable, game: Game) -> TableResult:
    a, b, *others = map(stand_in, stored.players)
    pairing = Pairing(
        game, a, b, len(stored.blocks), 0, others=tuple(others), seatings=stored.seatings
    )
    result = result_of(BlockCounts.of_blocks(pairing, stored.blocks.values()), engine_of(pairing))
    assert isinstance(result, TableResult)
    return result
