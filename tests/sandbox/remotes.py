"""Players that have a process: what the tests of them share."""

from __future__ import annotations

from pathlib import Path

from arena.match import play_game
from arena.match.record import UNMEASURED, GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
ISOLATION = PlayerLimits(move_time=5, game_time=20, import_time=20, memory=256)


def remote_of(player: PlayerInfo) -> Remote:
    assert isinstance(player.remote, Remote)
    return player.remote


def play(
    catalogue: Catalogue, first: PlayerInfo, second: PlayerInfo, name: str = "x"
) -> GameRecord:
    record = play_game(catalogue.game("tictactoe"), (first, second), name, (Stream(), Stream()))
    # The only parts that are not the same every time.
    return record._replace(move_times=UNMEASURED, ended=None)


def written(folder: Path, text: str, name: str = "bot.py") -> str:
    file = folder / name
    file.write_text(text)
    file.chmod(0o755)
    return str(file)
