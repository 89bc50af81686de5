"""UCI engines: the client line by line, and an engine of our own that misbehaves on request."""

import io
import json
import re
import shlex
import sqlite3
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import Forfeited, MoveError, UsageError
from arena.game import Side
from arena.notation.pgn_reading import read_pgn
from arena.player.clients import Turn
from arena.player.clocks import Clocks, Reading
from arena.plugins.uci import Uci
from arena.records.thoughts import Thought
from arena.reports.page import page
from arena.reports.pgn import pgn
from arena.reports.tables import text_of
from arena.testing import ScriptedTalk, turn_at
from tests.golden import Wording
from tests.needs import python_of_all
from tests.observing import Recorder, observed_by
from tests.processes import command_lines

ENGINE = Path(__file__).parent / "engines" / "uci.py"
GAME = arena.get_game("tictactoe")
#: What an engine says of itself.
GREETING = [
    "id name Test",
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Skill Level type spin default 20 min 0 max 20",
    "option name Ponder type check default false",
    "option name Style type combo default Solid var Solid var Very Risky",
    "option name Book File type string default <empty>",
    "option name Big type spin default 1 min 1 max 33554432",
    "option name Clear Hash type button",
    "uciok",
    "readyok",
]


class Plugin:
    """Has UCI engines play any game."""

    @arena.hookimpl
    def arena_register_protocols(self, register: arena.plugin.ProtocolRegister) -> None:
        register("any", client=Uci)


def turn(*moves: int, start: str = "_________", seconds: float = 2.0) -> Turn:
    return turn_at(GAME.parse(start), *moves, seconds=seconds)


def test_the_options_are_set_in_the_words_of_the_engine() -> None:
    talk = ScriptedTalk(*GREETING)
    options = {"hash": "64", "Skill Level": "3", "Style": "Very Risky", "Book File": "a b.bin"}
    Uci({**options, "Ponder": "false", "Clear Hash": "", "nodes": "10"}).greet(talk)
    assert talk.said == [
        "uci",
        "setoption name Hash value 64",
        "setoption name Skill Level value 3",
        "setoption name Style value Very Risky",
        "setoption name Book File value a b.bin",
        "setoption name Ponder value false",
        "setoption name Clear Hash",
        "isready",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Hsh", "1"),
        ("Hash", "0"),
        ("Big", "x"),
        ("Hash", "x"),
        ("Hash", "9" * 5000),
        ("Ponder", "yes"),
        ("ponder", "true"),
        ("Clear Hash", "yes"),
        ("UCI_Chess960", "true"),
        ("UCI_Elo", "1500"),
        ("Style", "risky"),
        ("Book File", "a\nquit"),
    ],
)
def test_an_option_that_the_engine_would_not_take_is_refused(
    name: str, value: str, wording: Wording
) -> None:
    with pytest.raises(UsageError) as caught:
        Uci({name: value}).greet(ScriptedTalk(*GREETING))
    wording(str(caught.value))


@pytest.mark.parametrize("value", ["", "0", "-1", "1.5", "1e3", "9" * 13, "\uff11"])
def test_a_limit_is_a_whole_number(value: str, wording: Wording) -> None:
    with wording.raises(UsageError, match="nodes"):
        Uci({"nodes": value})


def test_a_game_from_the_start() -> None:
    client = Uci({"nodes": "100", "depth": "3"})
    client.begin(ScriptedTalk(), GAME, Side.FIRST, 1)
    talk = ScriptedTalk("readyok", "info depth 1 score cp 4", "bestmove 5 ponder 1")
    assert client.choose(talk, turn()) == 4
    assert talk.said == ["ucinewgame", "isready", "position startpos", "go nodes 100 depth 3"]
    talk = ScriptedTalk("bestmove 1", "readyok", "bestmove 9")  # the first belongs to nothing
    assert client.choose(talk, turn(4, 0)) == 8
    assert talk.said == ["isready", "position startpos moves 5 1", "go nodes 100 depth 3"]


def test_a_game_from_elsewhere_and_the_time_of_a_move() -> None:
    talk = ScriptedTalk("readyok", "bestmove 2")
    assert Uci({}).choose(talk, turn(5, start="x___o____", seconds=0.5)) == 1
    assert talk.said[-2:] == ["position fen x___o____ moves 6", "go movetime 450"]


@pytest.mark.parametrize(
    ("clocks", "go"),
    [
        (
            Clocks(Reading(59.5, 0.5), Reading(40.0, 0.0)),
            "go wtime 40000 winc 0 btime 59500 binc 500",
        ),
        (
            Clocks(Reading(60.0, 0.0, 40)),
            "go wtime 60000 winc 0 btime 60000 binc 0 movestogo 40",
        ),
        (Clocks(Reading(0.0002, 0.0)), "go wtime 1 winc 0 btime 1 binc 0"),
    ],
)
def test_the_engine_is_told_what_the_clocks_show(clocks: Clocks, go: str) -> None:
    talk = ScriptedTalk("readyok", "bestmove 2")
    Uci({}).choose(talk, turn_at(GAME.start(), 0, clocks=clocks))
    assert talk.said[-1] == go


@pytest.mark.parametrize(
    ("lines", "thought"),
    [
        ([], None),
        (["info depth 1 score cp 13 nodes 20 time 50"], Thought(13, None, 1, 20, 0.05)),
        ([f"info score cp 13 pv {'5 e7e5 ' * 9}"], Thought(13, pv=("5 e7e5 " * 6).strip())),
        (["info score cp 13 pv 5 P@e4 e7e8q (now"], Thought(13, pv="5 P@e4 e7e8q")),
        (["info score cp 13 pv 5 4", "info score cp 9 pv 3 4"], Thought(13, pv="5 4")),
        (["info score cp 13 pv 3 4", "info score cp 9 pv 3 2"], Thought(9)),
        (["info score mate -3"], Thought(mate=-3)),
        (["info depth 1 score cp 1", "info depth 2 score cp 2"], Thought(2, None, 2)),
        (["info depth 1 score cp 1", "info depth 2 score cp 9 upperbound"], Thought(1, None, 1)),
        (["info depth 1 score cp 1", "info depth 2 lowerbound score cp 9"], Thought(1, None, 1)),
        (["info multipv 1 score cp 1", "info multipv 2 score cp -9"], Thought(1)),
        (["info score cp 1", "info string score cp 9"], Thought(1)),
        (["info score cp x"], None),
        (["info score cp " + "9" * 5000], None),
        (["info depth -1 score cp 1 nodes x time -5"], Thought(1, None, 0, None, 0.0)),
    ],
)
def test_the_last_score_of_the_best_move_is_noted(
    lines: list[str], thought: Thought | None
) -> None:
    talk = ScriptedTalk("readyok", *lines, "bestmove 5")
    Uci({}).choose(talk, turn())
    assert talk.thoughts == ([] if thought is None else [thought])


@pytest.mark.parametrize("answer", ["bestmove", "bestmove (none)", "bestmove 0000"])
def test_an_answer_without_a_move(answer: str, wording: Wording) -> None:
    with wording.raises(Forfeited) as caught:
        Uci({}).choose(ScriptedTalk("readyok", answer), turn())
    assert caught.value.reason == "protocol"


@pytest.mark.parametrize("answer", ["bestmove e2e4", "bestmove \x1b[31m"])
def test_a_move_of_another_game(answer: str) -> None:
    with pytest.raises(MoveError) as caught:
        Uci({}).choose(ScriptedTalk("readyok", answer), turn())
    assert str(caught.value).isprintable()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "forfeits"),
    [
        ("", {}),
        ("crash", {"crash"}),
        ("exit", {"crash"}),
        ("hang", {"timeout"}),
        ("garbage", {"illegal"}),
        ("illegal", {"illegal"}),
        ("none", {"protocol"}),
        ("empty", {"protocol"}),
        ("twice", {}),
        ("chatty", {}),
        ("endless", {"protocol"}),
        ("stderr", {}),
        ("child", {}),
        ("stays", {}),
    ],
)
def test_an_engine_that_misbehaves_is_charged_and_leaves_no_process(
    fault: str, forfeits: set[str], tmp_path: Path
) -> None:
    name = f"any:{shlex.join([python_of_all(), str(ENGINE), fault])}"
    result = arena.fight(
        name,
        "monkey",
        2,
        seed=4,
        catalogue=observed_by(Plugin()),
        isolation=arena.Isolation(tier="process", move_time=2 if fault == "hang" else 60),
    )
    assert set(result.a.forfeits) == set(forfeits)
    assert result.total.games == 4
    assert not command_lines(str(ENGINE))


@pytest.mark.slow
def test_an_engine_that_is_never_ready_is_named(tmp_path: Path) -> None:
    name = f"any:{shlex.join([python_of_all(), str(ENGINE), 'silent'])}"
    with pytest.raises(arena.ArenaError, match=r" 0\.5 s"):
        arena.fight(
            name,
            "monkey",
            1,
            catalogue=observed_by(Plugin()),
            isolation=arena.Isolation(import_time=0.5),
        )
    assert not command_lines(str(ENGINE))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("uci,nodes=50:stockfish", marks=pytest.mark.needs("stockfish")),
        pytest.param("uci,depth=1:ethereal-chess", marks=pytest.mark.needs("ethereal-chess")),
        pytest.param("uci,depth=1:gnuchess --uci", marks=pytest.mark.needs("gnuchess")),
    ],
)
def test_a_real_engine_never_loses_to_monkey_at_chess(name: str) -> None:
    isolation = arena.Isolation(move_time=9)
    result = arena.fight(name, "monkey", 2, game="chess", seed=1, isolation=isolation)
    assert result.total.wins
    assert not result.total.losses
    assert not result.a.forfeits


@pytest.mark.needs("stockfish")
def test_stockfish_against_itself_says_how_many_games_differ() -> None:
    name = "uci,nodes=20:stockfish"
    result = arena.fight(name, name, 3, game="chess", seed=1)
    assert result.distinct_games < 6


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def engine(score: str, fault: str = "") -> str:
    return f"any:{shlex.join([python_of_all(), str(ENGINE), fault, score])}"


@pytest.mark.slow
def test_what_an_engine_says_of_its_moves_is_kept_and_shown(tmp_path: Path) -> None:
    observer, store = Recorder(), tmp_path / "games.db"
    catalogue = observed_by(Plugin(), observer)
    mates = engine("mate 3")
    arena.fight(mates, "monkey", 1, seed=4, catalogue=catalogue, store=store, isolation="none")
    exported = arena.export(store, catalogue=catalogue)
    games = exported.as_json()["runs"][0]["fights"][0]["games"]
    for game, heard in zip(games, observer.of("game"), strict=True):
        report = arena.replay(game["game_id"], store=store, catalogue=catalogue)
        assert heard.as_json() == report.as_json()
        own = [ply for ply, side in enumerate(report.movers[:-1]) if report.players[side] == mates]
        assert report.thoughts == tuple(
            (ply, Thought(None, 3, 1, 20, 0.001, f"{report.moves[ply]} 4")) for ply in own
        )
        assert report.as_json()["thoughts"] == game["thoughts"]
        assert text_of(page(report)).count(" (+M5/1)\n") == len(own)
        (tmp_path / "game.json").write_text(json.dumps(report.as_json()))
        assert arena.replay(str(tmp_path / "game.json")).thoughts == report.thoughts
    written = [*read_pgn(io.BytesIO((pgn(exported) + "\n").encode()))]
    comments = [text for game in written for _, text in game.comments]
    assert len(comments) >= 4  # two of each game at least, wherever the engine lies
    assert {text[:-4] for text in comments} == {'+M5/1 0.001s, n=20, nps=20000, pv="'}
    assert {game.tags["EngineWhiteName"] for game in written if game.tags["White"] == mates} == {
        "Misbehaving"
    }
    assert [int(game.tags["PlyCount"]) for game in written] == [len(g.moves) for g in written]
    assert {game.tags["TimeControl"] for game in written} == {"-"}, "by nodes, as fastchess writes"


def read_time(text: str) -> float:
    """Return the seconds since 1970 of a time in a tag."""
    return datetime.strptime(f"{text}+0000", "%Y-%m-%dT%H:%M:%S.%f UTC%z").timestamp()


@pytest.mark.slow
def test_a_pgn_has_the_clocks_and_the_time_left(tmp_path: Path) -> None:
    before = int(time.time())
    store, name = tmp_path / "games.db", engine("cp 13")
    isolation = arena.Isolation(tier="process", players={name: arena.Isolation(clock="9+1")})
    settings: Any = {"catalogue": observed_by(Plugin()), "store": store, "isolation": isolation}
    arena.fight(name, "monkey", 1, seed=4, **settings)
    exported = arena.export(store, catalogue=settings["catalogue"])
    written = read_pgn(io.BytesIO((pgn(exported) + "\n").encode()))
    games = exported.as_json()["runs"][0]["fights"][0]["games"]
    for game, stored in zip(written, games, strict=True):
        side = ["White", "Black"].index("White" if game.tags["White"] == name else "Black")
        controls = [game.tags[f"{colour}TimeControl"] for colour in ("White", "Black")]
        assert controls == (["-", "9+1"] if side else ["9+1", "-"])
        assert re.fullmatch("00:00:0[0-9]", game.tags["GameDuration"])
        begin, end = (read_time(game.tags[f"Game{word}Time"]) for word in ("Start", "End"))
        assert before <= begin <= end <= time.time() + 1
        assert end == pytest.approx(stored["ended"])
        assert end - begin == pytest.approx(stored["seconds"], abs=0.002)
        remaining = [float(text.partition("tl=")[2].partition("s")[0]) for _, text in game.comments]
        taken = [seconds or 0 for seconds in stored["move_seconds"][side]]
        assert remaining == [
            pytest.approx(9 + n - sum(taken[:n]), abs=0.01) for n in range(1, len(remaining) + 1)
        ]


@pytest.mark.slow
def test_engines_end_games_by_their_scores(tmp_path: Path, wording: Wording) -> None:
    observer, store = Recorder(), tmp_path / "games.db"
    catalogue = observed_by(Plugin(), observer)
    settings: Any = {"catalogue": catalogue, "seed": 4, "isolation": "none"}
    lost, won = engine("cp -600"), engine("mate 3")
    result = arena.fight(lost, won, 1, store=store, resign="600:2", draw="9:2:2", **settings)
    assert (result.total.losses, result.a.forfeits, result.as_json()["resign"]) == (2, {}, "600:2")
    assert arena.verify(store, catalogue=catalogue).holds
    exported = arena.export(store, catalogue=catalogue)
    games = exported.as_json()["runs"][0]["fights"][0]["games"]
    ends = [(len(game["moves"]), game["adjudicated"]) for game in games]
    assert ends == [(3, "resign"), (4, "resign")]
    assert pgn(exported).count('[Termination "adjudication"]') == 2
    listing = arena.browse(store, catalogue=catalogue)
    assert [row["adjudicated"] for row in listing.rows] == ["resign", "resign"]
    assert listing.columns == ("n", "game", "result", "reason", "adjudicated", "moves")
    report = arena.replay(games[0]["game_id"], store=store, catalogue=catalogue)
    assert observer.of("game")[0].as_json() == report.as_json()
    assert text_of(page(report)).endswith(" (resign)")
    (tmp_path / "game.json").write_text(json.dumps(report.as_json()))
    assert arena.replay(str(tmp_path / "game.json")).adjudicated == "resign"
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE games SET note = replace(note, '-600', '-599')")
    connection.close()
    divergence = arena.verify(store, catalogue=catalogue).divergence
    assert divergence is not None
    wording(divergence.problem, "'nothing'", "'resign'")


@pytest.mark.slow
def test_games_end_so_with_any_number_of_workers_and_in_a_resumed_run(
    tmp_path: Path,
) -> None:
    catalogue, store = observed_by(Plugin()), tmp_path / "games.db"
    level: Any = {"catalogue": catalogue, "seed": 4, "isolation": "none", "draw": "13:2:2"}
    players = engine("cp 13"), engine("cp -5")
    one, two = (arena.fight(*players, 4, workers=n, **level).as_json() for n in (1, 2))
    assert one == two
    assert (one["total"]["draws"], one["draw"]) == (8, "13:2:2")
    with pytest.raises(arena.Interrupted):
        arena.fight(*players, 4, workers=1, store=store, on_progress=interrupt, **level)
    assert arena.resume(store, catalogue=catalogue, isolation="none").as_json() == one


@pytest.mark.needs("stockfish")
def test_a_stockfish_that_sees_less_resigns(tmp_path: Path) -> None:
    strong, weak = "uci,nodes=2000:stockfish", "uci,nodes=1,Skill Level=0:stockfish"
    store = tmp_path / "games.db"
    result = arena.fight(strong, weak, 1, game="chess", seed=1, resign="400:2", store=store)
    assert result.total.wins == 2
    assert arena.verify(store).holds
    games = arena.export(store).as_json()["runs"][0]["fights"][0]["games"]
    assert "resign" in [game.get("adjudicated") for game in games]
    assert all(len(game["thoughts"]) == len(game["moves"]) for game in games)
