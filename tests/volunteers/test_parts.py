"""A part that travelled as data is played as the pairing that it came from."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UsageError
from arena.fights.chunks import Chunk
from arena.fights.pairing import Pairing
from arena.inputs.resolve import get_openings
from arena.match.record import PlayedPair
from arena.model.codec import decode
from arena.sandbox.settings import Isolation
from arena.volunteers.parts import Part, RunHead, RunParts, digest_of, pairing_of
from arena.volunteers.worker import PartLease, PlayPart
from tests.golden import Wording
from tests.sandbox.wasm.modules import ANY, FOREVER, text_of, write
from tests.volunteers.runs import CATALOGUE, pairing, played

#: The modules by their digests.
Modules = dict[str, Path]


def travelled(of: Pairing, chunk: Chunk, modules: Modules | None = None) -> Pairing:
    """Return the pairing of a part as another machine makes it."""
    parts = RunParts([of], sends_code=True)
    head = decode(RunHead, json.loads(json.dumps(parts.head.as_json())))
    part = decode(Part, json.loads(json.dumps(parts.part(chunk).as_json())))
    return pairing_of(head, part, CATALOGUE, modules or {})


def timeless(pairs: list[PlayedPair]) -> list[PlayedPair]:
    return [pair._replace(seconds=()) for pair in pairs]


#: Specs that a server could send in place of an installed player.
NOT_INSTALLED = (
    *("./bot.py", "bot.wasm", "certified:/etc/passwd", "cmd:true", "uci:stockfish"),
    *("llm,model=x:http://h", "nobody"),
)

#: Names that a server could send in place of its game.
OTHER_GAMES = (
    *("lines:x.txt", "referee:true", "openspiel:nfg_game(filename=x)", "nim-9-9", "connect4"),
)

PAIRINGS = {
    "tictactoe": lambda: pairing(),
    "openings": lambda: pairing(openings=get_openings("random:2", CATALOGUE.game("tictactoe"))),
    "options": lambda: pairing("minimax:depth=2", "monkey"),
    "names": lambda: replace(pairing(), a=CATALOGUE.player("anna=monkey")),
    "luck": lambda: pairing("monkey", "cfr:iterations=10", game="kuhn"),
    "independent": lambda: pairing("monkey", "a=monkey", game="pig-20", deals="independent"),
    "three": lambda: pairing("monkey", "a=monkey", "b=monkey", game="mnk-3-3-3-x3"),
    "all orders": lambda: pairing(
        *("monkey", "a=monkey", "b=monkey"), game="mnk-3-3-3-x3", seatings="all"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRINGS)
def test_the_games_are_the_same(name: str) -> None:
    of = PAIRINGS[name]()
    there = travelled(of, Chunk(0, 3, 9))
    assert timeless(played(there, 3, 9)) == timeless(played(of, 3, 9))
    assert there.game_id(4, 1) == of.game_id(4, 1)


@pytest.mark.needs("wasmtime")
@pytest.mark.parametrize("choose", [ANY, FOREVER])
def test_modules_travel_by_their_digests(
    choose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write(tmp_path / "bot.wasm", text_of(choose))
    isolation = Isolation(fuel=100_000, game_fuel=10**7)
    player = CATALOGUE.isolated(isolation).player(f"anna={file}")
    of = replace(pairing(), a=player)
    digest = digest_of(Path(file).read_bytes())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    copy = elsewhere / f"{digest}.wasm"
    copy.write_bytes(Path(file).read_bytes())
    there = travelled(of, Chunk(0, 3, 9), {digest: copy})
    ours = timeless(played(of, 3, 9))
    assert timeless(played(there, 3, 9)) == ours
    parts = RunParts([of], sends_code=True)
    head = json.dumps(parts.head.as_json())
    taken = PartLease("", head, json.dumps(parts.part(Chunk(0, 3, 9)).as_json()))
    assert timeless(PlayPart(str(elsewhere))(taken)) == ours
    assert str(tmp_path) not in taken.head + taken.part
    with pytest.raises(UsageError, match="send-code = true"):
        RunParts([of], sends_code=False)


@pytest.mark.parametrize("spec", NOT_INSTALLED)
def test_a_server_cannot_name_what_is_not_installed(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("open('ran', 'w')\ndef choose(p, r): return 0\n")
    of = pairing()
    parts = RunParts([of], sends_code=False)
    part = parts.part(Chunk(0, 1, 2))
    bad = replace(part, players=(replace(part.players[0], spec=spec), part.players[1]))
    with pytest.raises(UsageError) as caught:
        pairing_of(parts.head, bad, CATALOGUE, {})
    wording(str(caught.value), spec.partition(":")[0])
    assert not Path("ran").exists()


@pytest.mark.parametrize("game", OTHER_GAMES)
def test_a_server_cannot_name_another_game(game: str, wording: Wording) -> None:
    parts = RunParts([pairing()], sends_code=False)
    head = replace(parts.head, game=game, game_version=99)
    with pytest.raises(UsageError) as caught:
        pairing_of(head, parts.part(Chunk(0, 1, 2)), CATALOGUE, {})
    wording(str(caught.value))


@pytest.mark.parametrize(
    "change",
    [
        {"modules": ("antigravity.x",)},
        {"modules": ("this",)},
        {"options": {"engine": "batch"}},
        {"options": {"plugins": ["./bot.py"]}},
        {"options": {"certificates": []}},
    ],
    ids=str,
)
def test_a_server_asks_for_nothing_else(
    change: dict[str, Any], wording: Wording, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = RunParts([pairing()], sends_code=False)
    with pytest.raises(UsageError) as caught:
        pairing_of(replace(parts.head, **change), parts.part(Chunk(0, 1, 2)), CATALOGUE, {})
    wording(str(caught.value))
    assert capsys.readouterr().out == ""


def test_players_that_compute_with_floats_ask_for_the_same_rounding() -> None:
    plain = RunParts([pairing("monkey", "minimax:depth=2")], sends_code=False).head
    rounding = RunParts([pairing("monkey", "cfr", game="kuhn")], sends_code=False).head
    assert (plain.rounds, rounding.rounds) == (False, True)
    assert {*rounding.facts} - {*plain.facts} == {"processor", "C library", "NumPy"}
    assert plain.modules == rounding.modules == ()


@pytest.mark.parametrize("players", [0, 1, 3])
def test_a_server_seats_as_many_as_the_game(players: int) -> None:
    parts = RunParts([pairing()], sends_code=False)
    part = parts.part(Chunk(0, 1, 2))
    with pytest.raises(UsageError):
        pairing_of(parts.head, replace(part, players=part.players[:1] * players), CATALOGUE, {})


def unrepeatable(what: str, tmp_path: Path) -> Pairing:
    file = tmp_path / "bot.py"
    file.write_text("def choose(position, rng): return position.legal_moves()[0]\n")
    names: dict[str, tuple[str, Any]] = {
        "file": (str(file), None),
        "program": (f"cmd:python {file}", None),
        "plugin": ("monkey", {"plugins": (str(file),)}),
        "batch": ("monkey", {"engine": "batch"}),
        "isolated": ("monkey", None),
    }
    name, options = names[what]
    isolation = Isolation(installed=what == "isolated", tier="process")
    player = CATALOGUE.isolated(isolation).player(name)
    return replace(pairing(), a=player, **(options or {}))


@pytest.mark.parametrize("what", ["file", "program", "plugin", "batch", "isolated"])
def test_what_no_other_machine_repeats_is_refused(
    what: str, tmp_path: Path, wording: Wording
) -> None:
    with pytest.raises(UsageError) as caught:
        RunParts([unrepeatable(what, tmp_path)], sends_code=True)
    wording(str(caught.value).replace(str(tmp_path), "FOLDER"))
    with pytest.raises(UsageError, match=re.escape(str(caught.value))):
        RunParts([pairing(), unrepeatable(what, tmp_path)], sends_code=True)
