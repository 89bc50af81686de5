"""A certificate is read strictly: a file that is not exactly one is refused with exit code 2."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from arena import files
from arena.game import Side
from arena.plugin.catalogue import Catalogue
from arena.proof.certificate_file import SCHEMAS, parse_certificate, read_certificate
from tests.conftest import Run
from tests.golden import Wording
from tests.proof.certified import Alternates, Json, record
from tests.samples import few

START = "_________"


@pytest.fixture
def refused(run: Run, tmp_path: Path) -> Callable[[bytes], str]:
    """Check a file with that content and return the one line that says why it is refused."""

    def refused(content: bytes) -> str:
        file = tmp_path / "c.json"
        file.write_bytes(content)
        ran = run("certify", "--check", str(file))
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith("arena: certificate '/")
        assert ran.err.rstrip("\n").isprintable()
        return ran.err

    return refused


def keyed(*path: str, to: Any) -> Callable[[Json], None]:
    def change(facts: Json) -> None:
        target = facts
        for name in path[:-1]:
            target = target[name]
        target[path[-1]] = to

    return change


def without(*path: str) -> Callable[[Json], None]:
    def change(facts: Json) -> None:
        target = facts
        for name in path[:-1]:
            target = target[name]
        del target[path[-1]]

    return change


TOP = ("schema", "game", "game_version", "player", "never_loses", "exploitability", "keyed_by")
PARTS = ("never_loses", "positions", "losing_line", "best_reply", "moves", "chances")
KEYS = [
    *((name,) for name in (*TOP, "first", "second")),
    *((side, name) for side in ("first", "second") for name in PARTS),
]


@pytest.mark.slow
@pytest.mark.parametrize("path", KEYS, ids="-".join)
def test_every_key_must_be_there(path: tuple[str, ...], refused: Callable[[bytes], str]) -> None:
    facts = record("triples")
    without(*path)(facts)
    error = refused(json.dumps(facts).encode())
    assert "schema" in error if path == ("schema",) else f"has no {path[-1]!r}" in error


#: Values of every type, and the paths at which one of the type is right.
TYPED: dict[str, tuple[Any, tuple[str, ...]]] = {
    "null": (None, ("losing_line",)),
    "true": (True, ("never_loses",)),
    "a whole number": (1, ("game_version", "positions")),
    "a decimal number": (155.9, ()),
    "a text": ("155", ("schema", "game", "player", "exploitability", "keyed_by", "best_reply")),
    "a list": ([], ("losing_line",)),
    "an object": ({}, ("first", "second", "moves", "chances")),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", few(TYPED, 3))
def test_every_value_has_exactly_one_type(kind: str, refused: Callable[[bytes], str]) -> None:
    value, right = TYPED[kind]
    for path in KEYS:
        if path[-1] in right:
            continue
        facts = record("triples")
        keyed(*path, to=value)(facts)
        error = refused(json.dumps(facts).encode())
        assert (", ".join(SCHEMAS) if path == ("schema",) else ", not ") in error


#: What is done to the certificate of triples, and a word of why it is refused.
WRONG: dict[str, tuple[Callable[[Json], None], str]] = {
    "schema 999": (keyed("schema", to="arena.certificate/999"), "schema is not one of"),
    "a schema that is a number": (keyed("schema", to=999), "schema is not one of"),
    "a schema that is a list": (keyed("schema", to=["arena.certificate/2"]), "schema is not one"),
    "the schema without probabilities": (
        keyed("schema", to="arena.certificate/1"),
        "side 'first' has the unknown key 'chances'",
    ),
    "never_loses no": (keyed("never_loses", to="no"), "is a text, not true or false"),
    "false as a text": (keyed("first", "never_loses", to="false"), "is a text, not true or false"),
    "never_loses 1": (keyed("never_loses", to=1), "is a whole number, not true or false"),
    "positions as a text": (keyed("first", "positions", to="155"), "is a text, not a whole number"),
    "positions 155.9": (keyed("first", "positions", to=155.9), "a decimal number, not a whole"),
    "positions 155.0": (keyed("first", "positions", to=155.0), "a decimal number, not a whole"),
    "positions true": (
        keyed("first", "positions", to=True),
        "is true or false, not a whole number",
    ),
    "infinity": (keyed("first", "positions", to=float("inf")), "a decimal number, not a whole"),
    "not a number": (keyed("game_version", to=float("nan")), "a decimal number, not a whole"),
    "another version": (keyed("game_version", to=2), "for version 2 of tictactoe"),
    "an unknown game": (keyed("game", to="\x1b[31mgo"), r"unknown game '\x1b[31mgo'"),
    "another name of the game": (keyed("game", to="mnk-3-3-3"), "is called 'tictactoe'"),
    "a game in a folder": (keyed("game", to="lines:/"), "'lines:/'"),
    "an unknown kind of key": (keyed("keyed_by", to="Position"), "'keyed_by' is not"),
    "an unknown key": (keyed("note", to="x"), "the unknown key 'note'"),
    "a key that is not printable": (keyed("\x1b", to="x"), r"the unknown key '\x1b'"),
    "an unknown key of a side": (keyed("first", "note", to="x"), "side 'first' has the unknown"),
    "no sides": (keyed("first", to=["moves"]), "is a list, not an object"),
    "moves in a list": (keyed("first", "moves", to=[START]), "is a list, not an object"),
    "a move that is a text": (keyed("first", "moves", START, to="5"), "is a text, not a list"),
    "a move that is a number": (keyed("first", "moves", START, to=[5]), "a whole number in it"),
    "a move that is null": (keyed("first", "moves", START, to=[None]), "null in it"),
    "no move": (keyed("first", "moves", START, to=[]), "is empty"),
    "a move twice": (keyed("first", "moves", START, to=["5", "5"]), "names a move twice"),
    "a move without a probability": (keyed("first", "moves", START, to=["5", "1"]), "as long as"),
    "a position without probabilities": (without("first", "chances", START), "not both"),
    "probabilities without moves": (without("first", "moves", START), "not both"),
    "a probability that is a number": (keyed("first", "chances", START, to=[1]), "a whole number"),
    "a probability below 1": (keyed("first", "chances", START, to=["1/2"]), "does not add up to 1"),
    "a probability of 0": (keyed("first", "chances", START, to=["0"]), "not positive"),
    "a negative probability": (keyed("first", "chances", START, to=["-1"]), "not positive"),
    "a probability of 1/0": (keyed("first", "chances", START, to=["1/0"]), "lowest terms"),
    "a probability of 2/2": (keyed("first", "chances", START, to=["2/2"]), "lowest terms"),
    "a decimal probability": (keyed("first", "chances", START, to=["1.0"]), "lowest terms"),
    "Arabic digits": (keyed("first", "best_reply", to="\u0661/\u0662"), "lowest terms"),
    "a score with a blank": (keyed("first", "best_reply", to="1/2 "), "lowest terms"),
    "a score with a newline": (keyed("first", "best_reply", to="1/2\n"), "lowest terms"),
    "a score of 1e9": (keyed("first", "best_reply", to="1e999999999"), "lowest terms"),
    "a score of 10000 digits": (keyed("first", "best_reply", to="9" * 10000), "lowest terms"),
    "an empty exploitability": (keyed("exploitability", to=""), "'' is not a fraction"),
    "a line that is a text": (keyed("first", "losing_line", to="123"), "is a text, not a list"),
    "a source that is null": (keyed("source", to=None), "'source' of the certificate is null"),
    "two lines of source": (keyed("source", to="a\nb"), "'source' is not one line"),
    "a program that is not ASCII": (keyed("program", to="arên\u0430"), "'program' is not one line"),
    "a program in red": (keyed("program", to="\x1b[31m"), "'program' is not one line"),
    "a long assumption": (keyed("assumes", to="x" * 4097), "'assumes' is not one line"),
    "a line of numbers": (keyed("first", "losing_line", to=[1, 2, 3]), "a whole number in it"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_is_not_a_certificate_is_refused(
    name: str, refused: Callable[[bytes], str]
) -> None:
    change, message = WRONG[name]
    facts = record("triples")
    change(facts)
    assert message in refused(json.dumps(facts).encode())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"nonsense", " JSON"),
        (b"{", " JSON"),
        (b"\xff\xfe", " UTF-8"),
        (b"[" * 200_000, " JSON"),
        (b'{"schema": ' * 200_000, " JSON"),
        (b'{"schema": "arena.certificate/2", "schema": 1}', "'schema'"),
        *((b, ", ".join(SCHEMAS)) for b in (b"{}", b"[]", b"7", b"null", b'"x"')),
        (b'{"schema": "arena.certificate/2"}', "'game'"),
        (b'{"schema": "arena.exact/1"}', ", ".join(SCHEMAS)),
    ],
    ids=lambda text: repr(text)[:60],
)
def test_a_file_that_is_not_json_of_a_certificate_is_refused(
    content: bytes, message: str, refused: Callable[[bytes], str]
) -> None:
    assert message in refused(content)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"never_loses": true', '"never_loses": false, "never_loses": true'),
        ('"_________": ["5"]', '"_________": ["1"], "_________": ["5"]'),
        ('"positions": 155', '"positions": 1e999'),
        ('"game_version": 1', '"game_version": 1e999'),
        ('"game_version": 1', f'"game_version": {"9" * 9999}'),
    ],
)
def test_a_file_that_json_readers_let_pass_is_refused(
    old: str, new: str, refused: Callable[[bytes], str], wording: Wording
) -> None:
    text = json.dumps(record("triples"))
    assert old in text
    wording(refused(text.replace(old, new, 1).encode()))


def test_what_is_not_a_file_is_not_opened(run: Run, tmp_path: Path, wording: Wording) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path, tmp_path / "none"):
        ran = run("certify", "--check", str(path))
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        wording(ran.err)


def test_a_huge_file_is_not_read(
    tmp_path: Path, refused: Callable[[bytes], str], wording: Wording
) -> None:
    with (tmp_path / "c.json").open("wb") as file:
        file.truncate(1 << 40)  # sparse: it takes no room
    with wording.raises(Exception, match="64"):
        read_certificate(tmp_path / "c.json", lambda name: pytest.fail(name))


def test_a_certificate_that_is_too_large_to_be_checked_is_not_written(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wording: Wording
) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1000)
    ran = run("certify", "triples", "--output", str(tmp_path / "c.json"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err, "--check")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_seems_smaller_than_it_is_is_not_read_for_ever(
    monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue, wording: Wording
) -> None:
    endless = Path("/proc/self/environ")  # of 0 bytes, says the system
    assert endless.stat().st_size == 0
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 10)
    with wording.raises(Exception):
        read_certificate(endless, catalogue.game)


def test_memory_may_end(
    monkeypatch: pytest.MonkeyPatch, refused: Callable[[bytes], str], wording: Wording
) -> None:
    def exhausted(*_arguments: Any, **_options: Any) -> Any:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr("arena.files.json.loads", exhausted)
        wording(refused(b"{}"))
    with monkeypatch.context() as patched:
        patched.setattr("arena.features.certify.certificates.check_file", exhausted)
        content = json.dumps(record("triples")).encode()
        wording(refused(content))


@pytest.mark.slow
@pytest.mark.parametrize("missing", [(), ("assumes",), ("source", "program", "assumes")])
def test_a_file_says_who_wrote_it_and_may_be_silent(
    missing: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    facts, file = record("tictactoe2"), tmp_path / "c.json"
    facts |= {"source": "the moves of a friend", "program": "friend 3", "assumes": "no magic"}
    for key in missing:
        del facts[key]
    file.write_text(json.dumps(facts))
    page = run("certify", "--check", str(file)).out
    assert ("'the moves of a friend'" in page) is ("source" not in missing)
    assert (": no magic\n" in page) is ("assumes" not in missing)
    message = json.loads(run("certify", "--check", str(file), "--format", "json").out)
    for key in ("source", "program", "assumes"):
        assert message[key] == facts.get(key)
    assert f": {message['checked_by']}\n" in page


@pytest.mark.slow
def test_a_certificate_is_looked_up_by_position(catalogue: Catalogue, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(record("tictactoe3")))
    certificate = read_certificate(file, catalogue.game)
    position = certificate.game.start().play(4)
    own = certificate.sides[Side.SECOND].moves[certificate.key_of(position, ["5"])]
    assert own == dict.fromkeys("1379", Fraction(1, 4))
    assert (certificate.player, certificate.game.name) == ("tictactoe3", "tictactoe")


@pytest.mark.slow
def test_a_certificate_is_looked_up_by_line(catalogue: Catalogue) -> None:
    certificate = parse_certificate(record(Alternates), catalogue.game)
    position: Any = certificate.game.start()
    player = Alternates()
    player.start(certificate.game, Side.FIRST, random.Random(0))
    line: list[str] = []
    while position.outcome() is None:
        move = position.legal_moves()[0]
        if position.to_move == Side.FIRST:
            move = player.choose(position)
            own = certificate.first.moves[certificate.key_of(position, line)]
            assert own == {certificate.game.format_move(move): 1}
        line.append(certificate.game.format_move(move))
        position = position.play(move)
    assert len(line) > 4
