"""Bots that are HTTP servers in commands: at tables, over TLS, in contests, and in logs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import PluginError, did_you_mean
from arena.plugin.registers import ProtocolRegister
from tests.conftest import Run
from tests.golden import Wording
from tests.plugins.conftest import BOTS, serving

EXAMPLES = Path(__file__).parents[2] / "examples" / "http"


@pytest.mark.slow
def test_it_sits_at_a_table_of_three(bots: str) -> None:
    result = arena.table_fight(
        [f"bot={bots}/seeded", "monkey", "wary"], n=3, game="snakes-3", seed=1
    )
    assert result.games == 9
    [table] = result.tables
    assert not any(player.forfeits for player in table.entrants)
    assert table.entrants[0].isolation == "http"
    illegal = arena.table_fight(
        [f"bot={bots}/illegal", "monkey", "wary"], n=1, game="snakes-3", seed=1
    )
    assert illegal.tables[0].entrants[0].forfeits == {"illegal": 3}


def test_it_plays_games_with_luck_and_secrets(bots: str) -> None:
    result = arena.fight(f"bot={bots}/secretive", "monkey", 3, game="kuhn", seed=1)
    assert result.a.forfeits == {}
    with pytest.raises(arena.UsageError, match="starts programs"):
        arena.fight(f"bot={bots}/first", "monkey", 1, game="referee:true")


def test_two_bots_of_one_server_play_each_other(bots: str) -> None:
    bot = f"{bots}/seeded"
    result = arena.fight(bot, bot, 5, seed=1, workers=2)
    assert result.total.games == 10
    assert (result.a.forfeits, result.b.forfeits) == ({}, {})


@pytest.mark.slow
def test_a_server_that_dies_forfeits_from_then_on(run: Run) -> None:
    with serving(sys.executable, str(BOTS)) as port:
        words = ("fight", f"bot=http://127.0.0.1:{port}/dies", "monkey", "-n", "3", "--seed", "1")
        record = json.loads(run(*words, "-j", "1", "--format", "json").out)
    assert record["games"] == 6
    assert record["forfeits"] == {"bot": {"crash": 5}, "monkey": {}}


def example(url: str) -> None:
    result = arena.fight(f"{url}/", "monkey", 5, game="connect4", seed=1)
    assert (result.total.games, result.a.forfeits) == (10, {})


@pytest.mark.slow
def test_the_example_in_python_plays(tmp_path: Path) -> None:
    source = (EXAMPLES / "any_move.py").read_text()
    serve = 'ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()'
    assert serve in source
    script = serve.replace(".serve_forever()", "; print(server.server_port, flush=True)")
    bot = tmp_path / "bot.py"
    bot.write_text(source.replace(serve, f"server = {script}; server.serve_forever()"))
    with serving(sys.executable, str(bot), "0") as port:
        example(f"http://127.0.0.1:{port}")


@pytest.mark.needs("node")
def test_the_example_in_node_plays(tmp_path: Path) -> None:
    source = (EXAMPLES / "first_free.js").read_text()
    bot = tmp_path / "bot.js"
    script = 'server.on("listening", () => console.log(server.address().port));'
    bot.write_text(f"{source}\n{script}\n")
    with serving("node", str(bot), "0") as port:
        example(f"http://127.0.0.1:{port}")


@pytest.mark.slow
@pytest.mark.needs("openssl")
def test_tls_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    pem = tmp_path / "own.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    made = [*command.split(), "-keyout", str(pem), "-out", str(tmp_path / "cert.pem"), *names]
    subprocess.run(made, check=True, capture_output=True)
    certificate = (tmp_path / "cert.pem").read_text()
    pem.write_text(pem.read_text() + certificate)
    with serving(sys.executable, str(BOTS), str(pem)) as port:
        url = f"https://localhost:{port}/first"
        ran = run("fight", f"bot={url}", "monkey", "-n", "1")
        assert ran.code == 4
        assert "self-signed certificate" in ran.err
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert run("fight", f"bot={url}", "monkey", "-n", "2").code == 0
        other = f"bot=https://127.0.0.1:{port}/first"
        assert "mismatch" in run("fight", other, "monkey", "-n", "1").err
        plain = f"bot=http://localhost:{port}/first"
        assert "is withdrawn" in run("fight", plain, "monkey", "-n", "1").err


@pytest.mark.slow
def test_a_contest_names_hosts_as_the_command_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bots: str, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    port = bots.rpartition(":")[2]
    Path("c.toml").write_text(
        f'pairs = 1\nseed = 1\n[limits]\nallow-network = ["Bots.test", "127.0.0.1:{port}"]\n'
        f'move-time = 1\n[entrants.al]\nplayer = "{bots}/seeded"\n'
        f'[entrants.bo]\nplayer = "{bots}/first"\nlimits = {{ allow-network = ["b.test:80"] }}\n'
        '[entrants.cy]\nplayer = "monkey"\n'
    )
    contest = arena.read_contest("c.toml")
    hosts = ("bots.test", f"127.0.0.1:{port}")
    assert contest.isolation.limits("al").allow_network == hosts
    assert contest.isolation.limits("bo").allow_network == ("b.test:80",)
    ran = run("tournament", "c.toml", "--store", "s.db", "--format", "json")
    assert ran.code == 0
    entrants = {
        player: fight["isolation"][player]
        for fight in json.loads(ran.out)["fights"]
        for player in fight["players"]
    }
    assert entrants == {"al": "http", "bo": "http", "cy": "none"}
    assert run("resume", "s.db").code == 0


@pytest.mark.slow
def test_a_result_says_how_a_game_is_replayed(bots: str, run: Run) -> None:
    port = bots.rpartition(":")[2]
    words = ("bob=" + bots + "/illegal", "monkey", "-n", "1", "--seed", "1", "--game", "tictactoe")
    allowed = f"bob=127.0.0.1:{port}"
    ran = run("fight", *words, "--allow-network", allowed, "--move-time", "bob=1")
    assert f"--allow-network 127.0.0.1:{port}" in ran.out
    assert "--move-time 1" in ran.out
    ran = run("fight", *words, "--allow-network", "rob=127.0.0.1")
    assert (ran.code, ran.out) == (2, "")
    assert f"'rob'{did_you_mean('rob', ['bob'])}" in ran.err


@pytest.mark.slow
def test_the_log_has_what_is_said(bots: str, run: Run, tmp_path: Path) -> None:
    log, faults = tmp_path / "said.log", tmp_path / "faults.log"
    words = ("fight", f"bot={bots}/number", "monkey", "-n", "1", "-j", "1")
    assert run(*words, "--log-protocol", str(log), "--log-file", str(faults)).code == 4
    names = [
        line.partition(" bot (")[2].partition(") ")[2] for line in log.read_text().splitlines()
    ]
    assert names[0].startswith('< POST /start {"type": "start", "protocol": 2')
    assert names[1] == "> 200 OK {}"
    assert names[2].startswith('< POST /move {"type": "move", "id": 1')
    assert names[3] == '> 200 OK {"move": 5}'
    assert names[4].startswith('< POST /end {"type": "finish"')
    assert "bot forfeits (protocol)" in faults.read_text()
    assert run(*words[:1], f"bot={bots}/first", *words[2:], "--log-file", str(faults)).code == 0
    message = r"bot took 0[.]\d+ s for [345] moves, of which 0[.]\d+ s count;"
    assert re.search(message, faults.read_text())


@pytest.mark.parametrize(
    "makers",
    [{"address": 3}, {"address": lambda name: None}, {"address": print, "data": print}, {}],
    ids=["number", "arguments", "two", "none"],
)
def test_a_protocol_of_addresses_is_checked(makers: dict[str, Any], wording: Wording) -> None:
    register = ProtocolRegister("plug", "plug")
    with wording.raises(PluginError):
        register("tcp", **makers)


def test_a_plugin_can_bring_players_at_addresses() -> None:
    register = ProtocolRegister("plug", "plug")
    register("tcp", address=lambda name, limits: arena.get_player("monkey"), summary="a peer")
    [(name, protocol)] = register.offers
    assert (name, protocol.name, protocol.summary) == ("tcp", "tcp", "a peer")
    assert protocol.address is not None
