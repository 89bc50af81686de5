"""Every command, as its user sees it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.cli.common.commands import COMMANDS
from arena.cli.common.help import COMMANDS as TOPICS
from tests.samples import few

FIGHT = ("fight", "tictactoe3", "monkey", "-n", "50", "--seed", "7")

if TYPE_CHECKING:
    from tests.conftest import Run

BASELINE = Path(__file__).parents[2] / "arena-baseline.json"

#: What the command line promises of its JSON, by command.
PROMISED = {
    "fight": {
        "schema", "game", "seed", "engine", "players", "pairs", "games", "total", "first",
        "second", "pentanomial", "forfeits", "void", "distinct_games",
    },
    "tournament": {"schema", "game", "seed", "standings", "fights"},
    "exact": {"schema", "game", "players", "total", "first", "second"},
    "certify": {"schema", "game", "player", "never_loses", "first", "second"},
    "browse": {"schema", "games"},
    "check": {"schema", "player", "game", "seed", "extent", "conforms", "findings"},
    "sprt": {
        "schema", "llr", "lower", "upper", "decision", "estimate", "score", "score_low",
        "score_high", "scores", "elo", "elo_low", "elo_high", "elo_error", "nelo", "nelo_error",
        "los",
    },
    "move": {"schema", "player", "position", "moves"},
    "players": {"schema", "players", "broken"},
    "solve": {
        "schema", "game", "game_version", "position", "to_move", "value", "plies", "move",
        "method", "positions",
    },
    "games": {"schema", "games"},
    "plugins": {"schema", "plugins", "broken"},
    "regress": {"schema", "verdict", "exit_code", "baseline", "claims", "comparisons", "broken"},
    "replay": {"schema", "game_id", "game", "players", "moves", "outcome"},
    "explain": {"schema", "game_id", "game", "players", "moves", "outcome", "budget"},
    "debug": {"schema", "game_id", "game", "players", "moves", "outcome"},
    "play": {"schema", "game", "seed", "players", "moves", "outcome", "winner"},
    "plan": {"schema", "players", "counts", "score", "variance", "games_a_second", "plan"},
    "rate": {"schema", "players", "advantage", "draws", "statements"},
    "train": {"schema", "learner", "game", "command", "seed", "first", "second"},
    "resume": {"schema", "game", "seed", "players", "pairs"},
    "runs": {"schema", "runs"},
    "show": {"schema", "game", "seed", "players", "pairs"},
    "export": {"schema", "runs", "imports"},
    "import": {"schema", "store", "file", "number", "games", "players", "left_out", "problems"},
    "history": {"schema", "history"},
    "doctor": {"schema", "available", "auto", "strong", "attempts"},
    "report": {"schema", "results"},
    "new": {"schema", "kind", "name", "files", "next"},
    "copy": {"schema", "source", "target", "whole", "parts"},
    "verify": {"schema", "store", "runs", "games", "holds", "divergence"},
}  # fmt: skip
EXAMPLES = {
    "fight": FIGHT,
    "tournament": ("tournament", "monkey", "triples", "tictactoe1", "-n", "5", "--seed", "7"),
    "exact": ("exact", "tictactoe3", "monkey"),
    "certify": ("certify", "tictactoe3"),
    "check": ("check", "triples", "--seed", "7", "--positions", "20"),
    "sprt": ("sprt", "--counts", "10,50,200,90,30", "--elo0", "0", "--elo1", "10"),
    "move": ("move", "tictactoe3", "____x____"),
    "players": ("players",),
    "solve": ("solve", "mnk-4-3-3"),
    "games": ("games",),
    "plugins": ("plugins",),
    "replay": ("replay", "tictactoe/tictactoe3/monkey/7/3.2"),
    "regress": ("regress", "triples", "--baseline", str(BASELINE)),
    "explain": ("explain", "tictactoe/tictactoe3/monkey/7/3.2"),
    "debug": ("debug", "monkey", "tictactoe/tictactoe3/monkey/7/3.2"),
    "browse": ("browse", "--store", "{folder}/arena.db"),
    "play": ("play", "triples", "monkey", "--seed", "7"),
    "plan": ("plan", "tictactoe3", "monkey", "-n", "20", "--seed", "7"),
    "rate": ("rate", "{folder}/results.csv"),
    "train": ("train", "lms", "--games", "2", "--seed", "7"),
    "resume": ("resume", "{folder}/arena.db", "1"),
    "runs": ("runs", "--store", "{folder}/arena.db"),
    "show": ("show", "--store", "{folder}/arena.db"),
    "export": ("export", "--store", "{folder}/arena.db"),
    "history": ("history", "triples", "--store", "{folder}/arena.db"),
    "doctor": ("doctor",),
    "import": ("import", "{folder}/games.pgn", "--store", "{folder}/{new}.db"),
    "report": ("report", "{folder}/arena.db"),
    "new": ("new", "player", "bot-{new}", "--folder", "{folder}"),
    "copy": ("copy", "{folder}/arena.db", "{folder}/{new}.db"),
    "verify": ("verify", "{folder}/arena.db"),
}
SCHEMAS = {
    "debug": "arena.replay/1",
    "new": "arena.scaffold/1",
    "explain": "arena.explanation/1",
    "certify": "arena.certificate/1",
    "play": "arena.replay/1",
    "resume": "arena.fight/1",
    "show": "arena.fight/1",
}


@pytest.fixture(scope="module")
def example(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], tuple[str, ...]]:
    """The example of a command; files that it names are there."""
    folder = tmp_path_factory.mktemp("example")
    arena.fight("monkey", "triples", 3, seed=7, store=folder / "arena.db")
    arena.regress(["triples"], baseline=BASELINE, store=folder / "arena.db")
    results = "a,b,wins,draws,losses\nanna,bert,5,3,2\nbert,cleo,4,1,5\n"
    (folder / "results.csv").write_text(results)
    (folder / "games.pgn").write_text('[White "anna"]\n[Black "bert"]\n1. e4 1-0\n')
    new = count()
    return lambda command: tuple(
        word.format(folder=folder, new=next(new)) for word in EXAMPLES[command]
    )


def test_every_command_has_an_example_here() -> None:
    # A script, what does not end, and what needs a server: tests/cli/test_hand_in.py.
    without_records = {"completion", "hand-in", "serve"}
    assert set(COMMANDS) - without_records == set(EXAMPLES) == set(PROMISED)


@pytest.mark.parametrize("command", EXAMPLES)
def test_json_has_the_promised_keys(
    run: Run, example: Callable[[str], tuple[str, ...]], command: str
) -> None:
    ran = run(*example(command), "--format", "json")
    assert (ran.code, ran.err) in ((0, ""), (int(command == "doctor"), ""))
    record = json.loads(ran.out)
    assert record["schema"] == SCHEMAS.get(command, f"arena.{command}/1")
    assert set(record) >= PROMISED[command]


@pytest.mark.parametrize("command", few(EXAMPLES, 8))
@pytest.mark.parametrize(
    "style",
    ["table", *(pytest.param(style, marks=pytest.mark.slow) for style in ("markdown", "csv"))],
)
def test_every_format_presents_every_record(
    run: Run, example: Callable[[str], tuple[str, ...]], command: str, style: str
) -> None:
    ran = run(*example(command), "--format", style)
    assert (ran.code, ran.err) in ((0, ""), (int(command == "doctor"), ""))
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    if style == "csv":
        rows = list(csv.reader(io.StringIO(ran.out)))
        assert len({len(row) for row in rows}) == 1
    if style == "table":
        assert max(map(len, ran.out.splitlines())) <= 80  # which fit a terminal


@pytest.mark.parametrize("command", EXAMPLES)
def test_every_command_has_help(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: arena {command}")


def test_help_is_there_for_who_asks_in_any_way(run: Run) -> None:
    helped = run("--help")
    assert run() == run("help") == run("-h") == helped
    assert run("help", "fight") == run("fight", "--help")
    assert run("-V") == run("--version")
    named = re.findall(r"^  ([a-z][a-z-]*) ", helped.out, re.MULTILINE)
    assert set(named) == {name for names in TOPICS.values() for name in names.split()}
    assert set(named) >= set(COMMANDS)


def test_isolation_is_in_the_long_help_alone(run: Run) -> None:
    brief, whole = run("fight", "--help").out, run("fight", "--help-all").out
    assert "--memory MB" not in brief
    assert "--memory" in brief
    assert "--memory MB" in whole
    assert "what is played:" in brief
    assert brief.index("--game GAME") < brief.index("--format FORMAT") < brief.index("--help-all")


def test_the_first_line_of_a_fight_is_the_summary(run: Run) -> None:
    out = run(*FIGHT).out
    result = arena.fight("tictactoe3", "monkey", 50, seed=7)
    total = result.total
    summary = f"Draw: {total.draws}, tictactoe3 wins: {total.wins}, monkey wins: 0"
    assert out.splitlines()[0] == summary == result.headline == str(result).splitlines()[0]
    assert "seed 7" in out
    assert "engine calls" in out


def test_all_formats_are_made_from_one_record(run: Run) -> None:
    record = json.loads(run(*FIGHT, "--format", "json").out)
    assert record == arena.fight("tictactoe3", "monkey", 50, seed=7).as_json()
    first, second, total = csv.DictReader(io.StringIO(run(*FIGHT, "--format", "csv").out))
    for row, view in ((first, "first"), (second, "second"), (total, "total")):
        assert {key: int(row[key]) for key in ("wins", "draws", "losses")} == record[view]
    for style in ("table", "markdown"):
        out = run(*FIGHT, "--format", style).out
        assert f"{record['distinct_games']} distinct games" in out


def test_the_same_seed_gives_the_same_bytes_for_any_number_of_workers(run: Run) -> None:
    outputs = {run(*FIGHT, "-j", str(workers)).out for workers in (1, 2, 3)}
    outputs.add(run(*FIGHT, "--executor", "serial").out)
    assert len(outputs) == 1


def test_without_a_seed_the_fresh_one_is_printed_and_gives_the_same_games(run: Run) -> None:
    out = run("fight", "monkey", "tictactoe1", "-n", "20", "--format", "json").out
    seed = str(json.loads(out)["seed"])
    again = run("fight", "monkey", "tictactoe1", "-n", "20", "--format", "json", "--seed", seed)
    assert again.out == out


def test_the_cross_table_has_the_row_players_view(run: Run) -> None:
    args = EXAMPLES["tournament"]
    record = json.loads(run(*args, "--format", "json").out)
    out = run(*args).out
    for fight in record["fights"]:
        total = fight["total"]
        assert f"{total['wins']}-{total['draws']}-{total['losses']}" in out
        assert f"{total['losses']}-{total['draws']}-{total['wins']}" in out


def test_a_gauntlet(run: Run) -> None:
    out = run(*EXAMPLES["tournament"], "--gauntlet", "triples", "--format", "json").out
    assert [fight["players"][0] for fight in json.loads(out)["fights"]] == ["triples"] * 2


def test_move_shows_fractions_in_the_games_notation(run: Run) -> None:
    record = json.loads(run(*EXAMPLES["move"], "--format", "json").out)
    assert record["moves"] == {"1": "1/4", "3": "1/4", "7": "1/4", "9": "1/4"}
    assert record["position"] == "____x____"


def test_move_reads_positions_from_standard_input(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("XOX.O.../.\n\n_________\n"))
    lines = run("move", "monkey", "-", "--format", "json").out.splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["position"] for record in records] == ["xox_o____", "_________"]
    assert [sum(map(Fraction, record["moves"].values())) for record in records] == [1, 1]


def test_move_shows_what_each_legal_move_is_worth(run: Run) -> None:
    record = json.loads(run("move", "tictactoe1", "xo_______", "--format", "json").out)
    assert set(record["values"]) == {"3", "4", "5", "6", "7", "8", "9"}
    assert record["values"]["5"] == "win in 5"
    assert "win in 5" in run("move", "tictactoe1", "xo_______").out
    assert "value" not in run("move", "monkey", "_" * 42, "--game", "connect4").out


@pytest.mark.slow
def test_exact_of_two_of_many_and_of_all(run: Run) -> None:
    assert "7003/7560" in run("exact", "tictactoe3", "monkey").out
    three = json.loads(run("exact", "triples", "monkey", "tictactoe1", "--format", "json").out)
    assert [fight["players"] for fight in three["pairings"]] == [
        ["triples", "monkey"],
        ["triples", "tictactoe1"],
        ["monkey", "tictactoe1"],
    ]
    all_ = json.loads(run("exact", "--format", "json").out)
    assert all_["schema"] == "arena.exact-tournament/1"
    assert len(all_["pairings"]) >= 21


@pytest.mark.slow
def test_a_fight_beside_its_exact_result(run: Run) -> None:
    argv = ("fight", "tictactoe3", "monkey", "-n", "20000", "--seed", "2", "--exact")
    record = json.loads(run(*argv, "--format", "json").out)
    assert record["schema"] == "arena.fight/1"
    assert record["exact"]["total"]["win"] == "7003/7560"
    assert 0.001 < record["p_value"] <= 1
    assert f"p-value {record['p_value']:.4f}" in run(*argv).out
    assert PROMISED["fight"] < set(record)


@pytest.mark.parametrize(
    ("counts", "code"), [("0,0,1000", 0), ("0,1000,0", 1), ("5,10,5", 3), ("0,0,0", 3)]
)
def test_sprt_says_by_its_exit_code_what_is_accepted(run: Run, counts: str, code: int) -> None:
    ran = run("sprt", "--counts", counts, "--elo0", "0", "--elo1", "5")
    assert (ran.code, ran.err) == (code, "")


def test_one_won_pair_is_not_certain_and_the_calculator_says_that_it_takes_n_as_fixed(
    run: Run,
) -> None:
    argv = ("sprt", "--counts", "0,0,0,0,1", "--elo0", "0", "--elo1", "10")
    record = json.loads(run(*argv, "--format", "json").out)
    assert record["estimate"] == "fixed n"
    assert record["los"] < 0.9
    assert "the number of pairs as chosen beforehand" in run(*argv).out


def test_level_pairs_have_an_error_and_a_stopped_test_has_the_interval_of_its_design(
    run: Run,
) -> None:
    argv = ("fight", "lines", "minimax", "--sprt", "--seed", "1")
    shown = run(*argv)
    record = json.loads(run(*argv, "--format", "json").out)
    test = record["sprt"]
    assert shown.code == 1
    assert record["pentanomial"] == [0, 0, record["pairs"], 0, 0]
    assert test["estimate"] == "after a sequential stop"
    assert test["elo_low"] < -1
    assert test["elo_high"] > 1
    assert test["elo_error"] == pytest.approx((test["elo_high"] - test["elo_low"]) / 2)
    interval = f"{100 * test['score_low']:.2f} to {100 * test['score_high']:.2f} %"
    assert shown.out.count(interval) == 2, "beside the score and in the table of the games"


def test_a_test_whose_openings_are_through_is_undecided(run: Run) -> None:
    argv = (
        "fight",
        "triples",
        "lms",
        "--sprt",
        "--elo1",
        "5",
        "--seed",
        "1",
        "--openings",
        "all:2",
    )
    ran = run(*argv)
    assert (ran.code, ran.err) == (3, "")
    assert "72 openings carry no more information" in ran.out
    assert "warning: 720 pairs from 72 openings" in ran.out


def test_certify_says_by_its_exit_code_whether_a_player_never_loses(run: Run) -> None:
    assert run("certify", "triples").code == 0
    ran = run("certify", "tictactoe2")
    assert ran.code == 1
    assert ran.err == ""
    assert "The shortest loss when moving second: 1 3 4 7 5 6 9" in ran.out
    assert "2. tictactoe2 plays 3, which gives away a draw" in ran.out


@pytest.mark.slow
def test_a_certificate_is_written_and_verified_without_the_player(run: Run, tmp_path: Path) -> None:
    bot, file = tmp_path / "bot.py", tmp_path / "certificate.json"
    bot.write_text("from arena.players.triples import choose\n")
    assert run("certify", str(bot), "--output", str(file)).code == 0
    bot.unlink()
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "the moves in this file never lose at tictactoe"
    assert "never loses" not in ran.out
    assert "not checked: whose moves they are (the file names '" in ran.out
    record = json.loads(file.read_text())
    record["second"]["moves"]["x________"] = ["2"]
    file.write_text(json.dumps(record))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)


def test_players_lists_traits_and_where_a_player_comes_from(run: Run) -> None:
    record = json.loads(run("players", "--format", "json").out)
    players = {player["name"]: player for player in record["players"]}
    assert players["triples"]["deterministic"] is True
    assert players["triples"]["claims"] == ["never-loses:tictactoe"]
    assert players["monkey"]["distribution"] == "proving-arena"
    claims = {
        name for name, player in players.items() if "never-loses:tictactoe" in player["claims"]
    }
    assert claims >= {"tictactoe3", "triples", "minimax"}
    assert claims & {"monkey", "tictactoe1", "tictactoe2", "heuristic"} == set()


def test_replay_shows_every_board(run: Run) -> None:
    out = run(*EXAMPLES["replay"]).out
    record = json.loads(run(*EXAMPLES["replay"], "--format", "json").out)
    assert record["players"] == ["monkey", "tictactoe3"]
    assert out.count("---+---+---") == 2 * (len(record["moves"]) + 1)
    assert out.rstrip().endswith("wins" if record["winner"] else "Draw")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("figth", "monkey", "monkey"), "unknown command 'figth', did you mean 'fight'?"),
        (("--verson",), "unknown argument '--verson', did you mean '--version'?"),
        (("fight", "monkey"), "the following arguments are required: B"),
        (("fight", "a", "b", "c"), "unknown argument 'c'"),
        (("fight", "a", "b", "--sed", "1"), "did you mean '--seed'?"),
        (("fight", "monke", "monkey"), "unknown player 'monke', did you mean 'monkey'?"),
        (("fight", "monkey", "TRIPLE"), "unknown player 'TRIPLE', did you mean 'triples'?"),
        (("fight", "monkey", "monkey", "--game", "tictacto"), "did you mean 'tictactoe'?"),
        (("fight", "monkey", "monkey", "--game", "tictactoe-0"), "a board of 0 columns"),
        (("fight", "monkey", "triples", "--game", "connect4"), "triples does not play connect4"),
        (("fight", "monkey", "monkey", "-n", "0"), "at least 1, not '0'"),
        (("fight", "monkey", "monkey", "-n", "-5"), "at least 1, not '-5'"),
        (("fight", "monkey", "monkey", "-n", "many"), "at least 1, not 'many'"),
        (("fight", "monkey", "monkey", "-n", "1.5"), "at least 1, not '1.5'"),
        (("fight", "monkey", "monkey", "-n", "9" * 40), "must be at most"),
        (("fight", "monkey", "monkey", "-j", "0"), "at least 1, not '0'"),
        (("fight", "monkey", "monkey", "-j", "x"), "at least 1, not 'x'"),
        (("fight", "monkey", "monkey", "--seed", "-1"), "at least 0, not '-1'"),
        (("fight", "monkey", "monkey", "--engine", "fast"), "unknown engine 'fast'"),
        (("fight", "monkey", "monkey", "--executor", "serail"), "did you mean 'serial'?"),
        (("fight", "monkey", "monkey", "--format", "jsn"), "did you mean 'json'?"),
        (("players", "--format", "tabel"), "did you mean 'table'?"),
        (("fight", "monkey", "monkey", "--output", "/no/such/file"), "'/no/such' does not exist"),
        (("fight", "monkey", "monkey", "--output", "/"), "is a folder"),
        (("fight", "monkey", "monkey", "--log-file", "/no/such/file"), "log file"),
        (("tournament", "monkey"), "needs two players"),
        (("tournament", "monkey", "monkey"), "'monkey' is named twice"),
        (("move", "monkey", "xo"), "has 2 squares; tictactoe has 9"),
        (("move", "monkey", "xxxoo____"), "the game is over"),
        (("move", "monkey", "abcdefghi"), "has 'a' at square 1"),
        (("play", "a", "b", "c"), "a game has two sides, and 'c' is one more"),
        (("play", "monkey", "triples", "--side", "o"), "--side is for one PLAYER"),
        (("play", "monkey", "--side", "z"), "invalid choice: 'z'"),
        (("play", "monkee"), "unknown player 'monkee', did you mean 'monkey'?"),
        (("play", "triples", "-k", "4"), "triples does not play tictactoe-4"),
        (("play", "-k", "21"), "must be at most 20, not '21'"),
        (("play", "-k", "x"), "at least 1, not 'x'"),
        (("play", "monkey", "--delay", "1"), "--delay is for two players"),
        (("play", "monkey", "monkey", "--delay", "-1"), "a number from 0 to 3600, not '-1'"),
        (("play", "monkey", "--format", "jsn"), "did you mean 'json'?"),
        (("play", "monkey", "--output", "/no/such/file"), "'/no/such' does not exist"),
        (("replay", "nonsense"), "'nonsense' is neither a file nor a game id"),
        (("exact", "monkey"), "needs two players"),
        (("exact", "monkey", "nobody"), "unknown player 'nobody'"),
        (("exact", "monkey", "monkey", "--max-positions", "0"), "at least 1, not '0'"),
        (("exact", "monkey", "monkey", "--game", "connect5"), "did you mean 'connect4'?"),
        (("sprt", "--counts", "1,2", "--elo0", "0", "--elo1", "5"), "3 or 5 whole numbers"),
        (("sprt", "--counts", "1,-2,3", "--elo0", "0", "--elo1", "5"), "3 or 5 whole numbers"),
        (("sprt", "--counts", "1,2,3", "--elo0", "5", "--elo1", "5"), "must be less than"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "nan"), "must be a number"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "1e9"), "both within 4000"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "5", "--alpha", "0"), "alpha 0"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "5", "--model", "x"), "'x'"),
        (("certify",), "certify needs a PLAYER, or --check FILE"),
        (("certify", "monkey", "--check", "x"), "there is no such file"),
        (("certify", "triples", "--output", "/no/such/file"), "'/no/such' does not exist"),
        (("certify", "--check", "/no/such/file"), "there is no such file"),
        (("certify", "--check", "/dev/null"), "is not a file"),
        (("replay", "tictactoe/monkey/nobody/1/1.1"), "unknown player 'nobody'"),
        (("fight", "./missing.py", "monkey"), "there is no such file"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    run: Run, argv: tuple[str, ...], message: str
) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("arena: ")
    assert message in ran.err


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def choose(position, rng)\n    pass", "SyntaxError in line 1"),
        ("x = 1", "no function choose(position, rng)"),
        ("x = 1\n1 / 0", "ZeroDivisionError in line 2"),
    ],
)
def test_a_players_file_that_cannot_be_used(
    run: Run, tmp_path: Path, source: str, message: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(source)
    ran = run("fight", str(bot), "monkey")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert message in ran.err


@pytest.mark.slow
def test_a_players_file_works_wherever_a_player_is_named(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def last(position, rng):\n    return position.legal_moves()[-1]\n")
    for name in (str(bot), f"{bot}:last"):
        assert run("fight", name, "monkey", "-n", "2").code == 0
        assert run("tournament", name, "monkey", "triples", "-n", "2").code == 0
        out = run("move", name, "_________", "--format", "json").out
        assert json.loads(out)["moves"] == {"9": "1"}


def test_a_forfeit_says_how_to_see_it_and_the_replay_does(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    return 0\n")
    out = run("fight", str(bot), "triples", "-n", "3", "--seed", "1").out
    assert "bot forfeited 6 games (illegal 6)" in out
    game_id = out.partition("see it with:")[2].split("replay ")[1].split()[0]
    assert out.count(game_id) == 1
    replayed = run("replay", game_id).out
    assert f"{bot} forfeits (illegal) at x" in replayed
    assert "  choose returned 0, a taken square; the legal moves are " in replayed


def test_a_player_that_kills_its_workers_is_a_fault(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(position, rng):\n    os._exit(1)\n")
    ran = run("tournament", str(bot), "monkey", "triples", "-n", "2", "--isolation", "none")
    assert ran.code == 4
    assert "rank" in ran.out
    assert f"arena: {bot} against monkey: workers died again and again" in ran.err
    assert "monkey against triples" not in ran.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "argv",
    [
        ("fight", "BOT", "monkey", "-n", "5000"),
        ("move", "BOT", "xo_______"),
        ("exact", "BOT", "monkey"),
        ("certify", "BOT"),
        ("replay", "tictactoe/BOT/monkey/1/1.1"),
    ],
)
@pytest.mark.parametrize("when", ["played", "loaded"])
def test_a_player_that_ends_its_process_ends_nothing_else(
    run: Run, tmp_path: Path, argv: tuple[str, ...], when: str
) -> None:
    bot = tmp_path / "bot.py"
    ending = "import os\nos._exit(0)\n" if when == "loaded" else ""
    bot.write_text(f"import os\n{ending}def choose(position, rng):\n    os._exit(0)\n")
    name = str(bot) if argv[0] != "replay" else str(bot).replace("/", "%2F")
    words = [word.replace("BOT", name) for word in argv]
    ran = run(*words, "--isolation", "none")
    assert ran.code == 4
    assert ran.err.count("\n") == 1
    ran = run(*(word.replace("5000", "2") for word in words), "--isolation", "process")
    if when == "played" and argv[0] in ("fight", "replay"):  # it is its own process that it ends
        assert (ran.code, ran.err) == (0, "")
        assert "forfeit" in ran.out
        return
    assert ran.code == 4
    assert ran.err.count("\n") == 1
    assert "ended with exit code 0" in ran.err


@pytest.mark.slow
def test_what_a_player_prints_is_not_the_commands_output(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "print('loaded')\n"
        "def choose(position, rng):\n"
        "    print('asked')\n"
        "    return position.legal_moves()[0]\n"
    )
    for argv in (
        ("fight", str(bot), "triples", "-n", "30", "--engine", "table"),
        ("move", str(bot), "_________"),
        ("exact", str(bot), "monkey"),
    ):
        ran = run(*argv, "--format", "json", "--isolation", "none")
        assert ran.code == 0
        json.loads(ran.out)
        assert "asked" in ran.err
        alone = run(*("5" if word == "30" else word for word in argv), "--format", "json")
        assert (alone.code, alone.err) == (0, "")
        json.loads(alone.out)


def test_a_format_that_fails_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.escape.json_text", lambda *_: 1 / 0)
    ran = run("players", "--format", "json")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err == "arena: format 'json' failed: ZeroDivisionError: division by zero\n"


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_closed_streams_are_no_reason_for_a_traceback(closed: str) -> None:
    code = "import sys; from arena.cli import main; sys.exit(main())"
    redirection = {"stdin": "<&-", "stdout": ">&-"}[closed]
    command = f"exec {sys.executable} -c '{code}' move monkey - {redirection}"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, input="")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_wrong_line_on_standard_input_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("_________\n\nxxx\n"))
    ran = run("move", "monkey", "-")
    assert ran.code == 2
    assert ran.err.startswith("arena: line 3: position 'xxx' has 3 squares")


def test_output_is_written_whole(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")
    target.chmod(0o640)
    ran = run(*FIGHT, "--format", "json", "--output", str(target))
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert target.read_text() == run(*FIGHT, "--format", "json").out
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["result.json"]


def test_output_that_fails_leaves_the_old_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.files.os.fsync", full)
    ran = run(*FIGHT, "--output", str(target))
    assert ran.code == 4
    assert ran.err == "arena: output: No space left on device\n"
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["result.json"]


def test_output_through_a_link_keeps_the_link(run: Run, tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    run(*FIGHT, "--output", str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().startswith("Draw: ")


def console(*argv: str, stdout: int) -> subprocess.Popen[str]:
    code = "import sys; from arena.cli import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, *argv], stdout=stdout, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("argv", [("tournament", "-n", "1"), ("--help",), ("players",)])
def test_a_closed_pipe_is_silent(argv: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = console(*argv, stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_full_disk_is_one_line_and_exit_code_4() -> None:
    with open("/dev/full", "w") as full:
        process = console("players", stdout=full.fileno())
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (4, "arena: output: No space left on device\n")


def test_the_log_tells_of_a_players_exception_in_a_worker(run: Run, tmp_path: Path) -> None:
    bot, log = tmp_path / "bot.py", tmp_path / "log"
    bot.write_text("def choose(position, rng):\n    raise ZeroDivisionError('oh no')\n")
    ran = run("fight", str(bot), "monkey", "-n", "1", "--log-file", str(log))
    assert (ran.code, ran.err) == (0, "")
    assert log.read_text().count("Traceback") == 2
    assert 'bot.py", line 2, in choose' in log.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["auto", "none"])
def test_the_first_fault_is_logged_with_the_players_own_frames(
    run: Run, tmp_path: Path, isolation: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    raise ZeroDivisionError('oh no')\n")
    words = ("fight", str(bot), "monkey", "-n", "3", "--isolation", isolation, "-j", "2")
    once = run(*words, "-v").err
    assert once.count("Traceback") == once.count("  File ") == 1
    assert f'  File "{bot}", line 2, in choose\n    raise Zero' in once
    assert once.endswith("ZeroDivisionError: oh no\n")
    assert run(*words, "-vv").err.count("Traceback") == 6


def test_the_progress_bar_goes_to_a_terminal_only(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(*FIGHT).err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    ran = run("fight", "tictactoe3", "monkey", "-n", "10000", "--engine", "calls")
    assert ran.code == 0
    assert re.search(r"\d+/20000 .* games/s, tictactoe3 \d+\.\d-\d+\.\d % anytime\]", ran.err)
    assert ran.out.startswith("Draw: ")


@pytest.mark.parametrize("command", [("players",), ("--help",), ("fight", "--help")])
def test_listing_imports_nothing_heavy(command: tuple[str, ...]) -> None:
    code = (
        "import sys; from arena.cli import main; code = main();"
        "heavy = {'numpy', 'sqlalchemy', 'multiprocessing', 'tqdm'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else code)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, "")


def test_the_version_is_the_distributions(run: Run) -> None:
    from importlib.metadata import version

    assert run("--version").out == f"arena {version('proving-arena')}\n"
