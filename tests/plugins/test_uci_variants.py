"""Variants of chess by UCI: the options that arena sets, and the texts of moves."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.errors import MoveError, UsageError
from arena.game import Side
from arena.plugins.uci import Uci
from arena.reports.pgn import pgn
from arena.testing import ScriptedTalk, turn_at
from tests.conftest import Run
from tests.golden import Wording
from tests.needs import python_of_all

ENGINE = Path(__file__).parent / "engines" / "uci.py"
#: What an engine without variants says of itself.
GREETING = ["id name Test", "uciok", "readyok"]


def test_chess960_sets_its_option_and_names_every_start_by_its_fen() -> None:
    game = arena.get_game("chess960")
    client = Uci({"nodes": "100"})
    client.greet(ScriptedTalk("option name UCI_Chess960 type check default false", *GREETING))
    client.begin(ScriptedTalk(), game, Side.FIRST, 1)
    talk = ScriptedTalk("readyok", "bestmove e1h1")
    castles = game.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert client.choose(talk, turn_at(castles)) == game.parse_move("e1h1")
    assert talk.said == [
        "setoption name UCI_Chess960 value true",
        "ucinewgame",
        "isready",
        "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1",
        "go nodes 100",
    ]
    talk = ScriptedTalk("readyok", "bestmove e2e4")
    client.choose(talk, turn_at(game.start()))
    assert talk.said[1].startswith("position fen rnbqkbnr/")


def test_an_engine_without_the_option_of_chess960_is_refused() -> None:
    client = Uci({})
    client.greet(ScriptedTalk(*GREETING))
    with pytest.raises(UsageError, match="no option 'UCI_Chess960'"):
        client.begin(ScriptedTalk(), arena.get_game("chess960"), Side.FIRST, 1)


@pytest.mark.slow
def test_an_engine_that_does_not_play_a_variant_is_withdrawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    engine = f"old=uci:{python_of_all()} {ENGINE}"
    ran = run("fight", engine, "monkey", "--game", "chess960", "-n", "1", "--isolation", "process")
    assert ran.code == 4
    wording.line(ran.out, ": old, ")


@pytest.mark.needs("open_spiel")
def test_crazyhouse_is_played_in_the_words_of_engines() -> None:
    game = arena.get_game("openspiel:crazyhouse")
    line = ["e2e4", "d7d5", "e4d5", "d8d5", "g1f3", "g8f6", "f1e2", "f6e4", "O-O", "c8e6"]
    client, talk = Uci({"nodes": "1"}), ScriptedTalk("readyok", "bestmove P@e5")
    variants = "option name UCI_Variant type combo default chess var chess var crazyhouse"
    client.greet(ScriptedTalk(variants, *GREETING))
    client.begin(ScriptedTalk(), game, Side.FIRST, 1)
    assert client.choose(talk, turn_at(game.parse(" ".join(line)))) == game.parse_move("P@e5")
    moves = " ".join(line).replace("O-O", "e1g1")
    assert talk.said[:2] == ["setoption name UCI_Variant value crazyhouse", "ucinewgame"]
    assert talk.said[3] == f"position startpos moves {moves}"
    before = game.parse("h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5")
    talk = ScriptedTalk("readyok", "bestmove h7g8q")
    promotes = client.choose(talk, turn_at(before))
    assert game.format_move(promotes) == "h7g8"
    talk = ScriptedTalk("readyok", "bestmove h7h8q")
    with pytest.raises(MoveError, match="h7h8q"):
        client.choose(talk, turn_at(before))


@pytest.mark.needs("stockfish")
def test_an_engine_castles_in_chess960(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    players, store = ("uci,nodes=300:stockfish", "monkey"), "games.db"
    arena.fight(*players, 4, game="chess960", openings="starts", seed=1, store=store)
    games = pgn(arena.export(store))
    assert "O-O" in games
    assert "forfeits" not in games
    assert games.count("#") == 8  # it mates in every game
