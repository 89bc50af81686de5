"""Bots that are HTTP servers, good and bad, on a server in its own process."""

from __future__ import annotations

import json
import pickle
import socket
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import clock
from arena.fights import patience
from arena.plugins.http_bot import exchange, player
from arena.plugins.http_bot.player import counted
from arena.records import FightResult
from tests.conftest import Run
from tests.golden import Wording


def fight(bot: str, other: str = "monkey", n: int = 1, **limits: Any) -> FightResult:
    isolation = arena.Isolation(**limits)
    return arena.fight(f"bot={bot}", other, n, seed=1, isolation=isolation, workers=1)


def heard(bots: str, bot: str) -> list[dict[str, Any]]:
    """Return what a bot has heard."""
    with urllib.request.urlopen(bots) as answer:
        return [message for message in json.load(answer) if message["bot"] == bot]


@pytest.mark.slow
def test_a_perfect_bot_never_loses_and_two_workers_play_the_same_games(bots: str) -> None:
    bot, isolation = f"bot={bots}/perfect", arena.Isolation(move_time=5.0)
    options: dict[str, Any] = {"seed": 1, "isolation": isolation}
    result = arena.fight(bot, "monkey", 40, workers=1, **options)
    assert result.total.games == 80
    assert result.total.losses == 0
    assert result.total.wins > 60
    assert (result.a.isolation, result.a.spec, result.a.forfeits) == ("http", f"{bots}/perfect", {})
    assert sum(result.a.move_times.values()) > 200
    again = arena.fight(bot, "monkey", 40, workers=2, **options)
    assert (again.total, again.pentanomial) == (result.total, result.pentanomial)


@pytest.mark.slow
def test_a_seed_gives_the_same_games(bots: str, run: Run) -> None:
    words = ("fight", f"bot={bots}/seeded", f"rival={bots}/seeded", "-n", "10", "--format", "json")
    results = {run(*words, "--seed", "3", "-j", workers).out for workers in "112"}
    assert len(results) == 1
    played, other = (json.loads(text) for text in (*results, run(*words, "--seed", "4").out))
    assert played["seed"] != other["seed"]
    assert played["pentanomial"] != other["pentanomial"]


@pytest.mark.slow
def test_the_server_hears_what_programs_hear(bots: str) -> None:
    fight(f"{bots}/observer")
    text = heard(bots, "observer")
    first, second = dict.fromkeys(message["game_id"] for message in text)
    games = [[each for each in text if each["game_id"] == game] for game in (first, second)]
    for game, side in zip(games, ("first", "second"), strict=True):
        start, *moves, end = game
        assert [start["path"], end["path"], end["type"]] == ["start", "end", "finish"]
        assert start["protocol"] == 2
        assert (start["game"], start["side"], start["seats"]) == ("tictactoe", side, 2)
        assert end["outcome"] in ("first", "second", "draw")
        assert [each["id"] for each in moves] == [*range(1, len(moves) + 1)]
        assert all(each["path"] == each["type"] == "move" for each in moves)
        assert all(len(each["observed"]) == 1 for each in moves[1:])
        assert len(moves[0]["observed"]) == (side == "second")
        assert moves[0]["seconds"] == 2.0
    headers = text[0]["headers"]
    assert headers["Accept-Encoding"] == "identity"
    assert headers["Host"] == bots.removeprefix("http://")


#: Bots that forfeit their game, and the verdict.
BAD = {
    "illegal": "illegal",
    "taken": "illegal",
    "number": "protocol",
    "nothing": "protocol",
    "list": "protocol",
    "empty": "protocol",
    "garbage": "protocol",
    "html": "protocol",
    "deep": "protocol",
    "digits": "protocol",
    "nan": "protocol",
    "ago": "protocol",
    "other": "protocol",
    "huge": "protocol",
    "endless": "protocol",
    "headers": "protocol",
    "redirect": "protocol",
    "teapot": "protocol",
    "gzip": "protocol",
    "gopher": "protocol",
    "error": "exception",
    "cut": "crash",
    "closes": "crash",
    "resets": "crash",
    "drip": "timeout",
    "silent": "timeout",
    "liar": "timeout",
}


@pytest.mark.slow
@pytest.mark.parametrize("bot", BAD)
def test_a_bad_bot_forfeits_its_games_in_time(bot: str, bots: str, wording: Wording) -> None:
    result = fight(f"{bots}/{bot}", move_time=0.3)
    assert result.a.forfeits == {BAD[bot]: 2}
    assert result.b.forfeits == {}
    assert result.a.first_forfeit is not None
    wording(result.a.first_forfeit.message)


def test_a_bad_bot_hears_the_end_if_it_listens(bots: str) -> None:
    fight(f"{bots}/taken")
    assert [each["path"] for each in heard(bots, "taken")][-1] == "end"


@pytest.mark.slow
def test_the_time_of_the_game_and_a_clock_run_out(bots: str) -> None:
    assert fight(f"{bots}/honest", game_time=0.12).a.forfeits == {"budget": 2}
    assert fight(f"{bots}/honest", clock="0.12").a.forfeits == {"timeout": 2}
    assert fight(f"{bots}/honest", clock="0.2+0.5").a.forfeits == {}


@pytest.mark.parametrize("bot", ["old", "restless", "html_type"])
def test_a_plain_server_plays_without_forfeits(bot: str, bots: str) -> None:
    result = fight(f"{bots}/{bot}", n=3)
    assert result.total.games == 6
    assert result.a.forfeits == {}
    assert not any("Cookie" in each["headers"] for each in heard(bots, bot))


def test_the_word_of_a_bot_takes_off_no_more_than_the_way_to_it() -> None:
    assert counted(0.5, None, 0.1) == 0.5
    assert counted(0.5, 0.7, 0.1) == 0.5
    assert counted(0.5, 0.45, 0.1) == 0.45
    assert counted(0.5, 0.0, 0.1) == pytest.approx(0.4)
    assert counted(0.05, 0.0, 0.1) == 0.0


@pytest.mark.slow
def test_a_bot_cannot_think_while_arena_connects(
    bots: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = exchange.BotConnection.prepare

    def slowly(self: exchange.BotConnection, seconds: float) -> None:
        clock.sleep(0.2)
        prepare(self, seconds)

    monkeypatch.setattr(exchange.BotConnection, "prepare", slowly)
    isolation = arena.Isolation(move_time=0.1)
    bot = arena.get_player(f"bot={bots}/first", isolation=isolation)
    assert arena.fight(bot, "monkey", 1, seed=1, workers=1).a.forfeits == {}
    monkeypatch.setattr(player, "FREE_CONNECTING", 0.05)
    assert arena.fight(bot, "monkey", 1, seed=1, workers=1).a.forfeits == {"timeout": 2}


def test_a_busy_bot_is_asked_again(
    bots: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(patience, "WAITS", (0.05, 0.05))
    bot = arena.get_player(f"bot={bots}/busy")
    result = arena.fight(bot, "monkey", 2, seed=1, workers=1)
    assert (result.total.games, result.void, result.a.forfeits) == (4, 0, {})
    assert "'429 Too Many Requests'" in caplog.text


@pytest.mark.parametrize("bot", ["full", "sorry"])
def test_a_bot_that_never_has_time_ends_the_command(
    bot: str, bots: str, monkeypatch: pytest.MonkeyPatch, run: Run, wording: Wording
) -> None:
    monkeypatch.setattr(patience, "WAITS", (0.05, 0.05))
    monkeypatch.setattr(patience, "MAX_PATIENCE_SECONDS", 0.05)
    ran = run("fight", f"bot={bots}/{bot}", "monkey", "-n", "1", "-j", "1")
    assert ran.code == 4
    wording(ran.err)


def test_a_server_that_takes_no_start_is_withdrawn(bots: str, wording: Wording) -> None:
    result = fight(f"{bots}/nostart", n=3)
    assert (result.pairs, result.total.games) == (0, 0)
    wording(str(result.a.withdrawn))


@pytest.mark.slow
def test_a_start_that_is_taken_late_costs_one_game(bots: str) -> None:
    result = fight(f"{bots}/late", n=2)
    assert (result.total.games, result.a.forfeits) == (4, {"exception": 1})


@pytest.mark.slow
def test_nobody_at_the_port_is_withdrawn_in_one_line(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ran = run("fight", f"http://127.0.0.1:{port}", "monkey", "-n", "2")
    assert ran.code == 4
    [line] = ran.err.splitlines()
    assert "is withdrawn" in line
    assert "connection refused" in line


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Note where arena would connect to, and have names lead to other machines."""
    made: list[Any] = []
    real = socket.getaddrinfo

    def find(host: str, *words: Any, **more: Any) -> list[Any]:
        places = {"rebound.test": ["192.0.2.7"], "both.test": ["192.0.2.7", "127.0.0.1"]}
        if host not in places:
            return real(host, *words, **more)
        stream = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*stream, (place, words[0])) for place in places[host]]

    monkeypatch.setattr(socket, "getaddrinfo", find)
    monkeypatch.setattr(socket.socket, "connect", lambda self, place: made.append(place))
    return made


@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.7:8000",
        "https://192.0.2.7",
        "http://[2001:db8::1]:80/x",
        "http://0.0.0.0:80",
        "http://rebound.test:8000",
        "http://rebound.test",
    ],
)
def test_another_machine_needs_to_be_named(
    url: str, run: Run, connections: list[Any], wording: Wording
) -> None:
    for allowed in ((), ("--allow-network", "192.0.2.8"), ("--allow-network", "rebound.test:81")):
        ran = run("fight", url, "monkey", "-n", "1", *allowed)
        assert (ran.code, ran.out) == (2, "")
        assert "--allow-network" in ran.err
    wording(ran.err)
    assert connections == []


def test_a_name_leads_only_to_what_was_checked(connections: list[Any]) -> None:
    remote: Any = arena.get_player("http://both.test:81").remote
    assert [place for _, place in remote.address.places] == [("127.0.0.1", 81)]
    assert pickle.loads(pickle.dumps(remote)).address == remote.address
    named = arena.Isolation(allow_network=["Rebound.test.:81"])
    other: Any = arena.get_player("bot=http://rebound.test:81", isolation=named)
    assert [place for _, place in other.remote.address.places] == [("192.0.2.7", 81)]
    assert dict(other.limits)["allow_network"] == ("rebound.test:81",)


@pytest.mark.parametrize(
    "url",
    [
        "http:127.0.0.1",
        "http://",
        "http://127.0.0.1:x",
        "http://127.0.0.1:0",
        "http://127.0.0.1:99999",
        "http://anna:word@127.0.0.1",
        "http://127.0.0.1/a?b=c",
        "http://127.0.0.1/#a",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/é",
        "http,depth=3://127.0.0.1",
        "http://[::1",
    ],
)
def test_what_is_no_url_of_a_bot_is_refused(url: str, wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        arena.get_player(url)


@pytest.mark.parametrize("host", ["", "*", "http://a.test", "a.test:0", "a.test:99999", "a b", 3])
def test_what_is_no_host_is_refused(host: Any, wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        arena.Isolation(allow_network=[host])


def test_no_proxy_is_used(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert fight(f"{bots}/first").a.forfeits == {}


@pytest.mark.slow
def test_a_check_asks_it(bots: str, run: Run) -> None:
    ran = run("check", f"{bots}/perfect", "--positions", "20", "--format", "json")
    checks = {each["check"]: each["level"] for each in json.loads(ran.out)["findings"]}
    assert ran.code == 0, ran.out
    assert "fail" not in checks.values()
    for words in (("certify", f"{bots}/perfect"), ("exact", f"{bots}/perfect", "monkey")):
        ran = run(*words)
        assert ran.code == 2
        assert "/perfect keeps state" in ran.err


@pytest.mark.slow
def test_a_store_is_resumed_and_a_game_replayed(bots: str, run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    words = ("tournament", f"alice={bots}/seeded", "monkey", "tictactoe1", "-n", "3", "--seed", "5")
    assert run(*words, "--store", store).code == 0
    shown = json.loads(run("show", store, "1", "--format", "json").out)
    assert run("resume", store, "--format", "json").code == 0
    assert run("verify", store).code == 0
    fight = next(each for each in shown["fights"] if "alice" in each["players"])
    a, b = fight["players"]
    first = f"tictactoe/{a}/{b}/5/1.1"
    replay = ("replay", first, "--player", f"alice={bots}/seeded")
    stored, again = run("replay", first, "--store", store), run(*replay)
    assert (stored.code, again.code) == (0, 0)
    assert stored.out == again.out != ""
