"""PGN: what is written is read again, and what is not PGN is refused."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.notation.pgn import RESULTS, PgnGame, opening_tags, write_game
from arena.notation.pgn_reading import MAX_PGN_LINE_BYTES, PgnError, is_pgn, read_pgn
from tests.games.chess.test_fen import after
from tests.golden import Wording

#: A game as other programs write it: all that the specification allows in movetext.
FOREIGN = """% an escape
[Event "A \\"quiet\\" game \\\\ or two"] [Site "?"]
[White "Carl"]

1.e4 {the best, [%clk 0:01:00]
[Event "not a tag"]} e5! 2. Nf3 $1 ; to the end {
(2. f4 {no} exf4 (2... d5)) 2...Nc6 3 . Bb5 !? 1-0
[White "Dora"]
*
"""


def read(text: str | bytes) -> list[PgnGame]:
    return list(read_pgn(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def test_read_what_other_programs_write() -> None:
    first, second = read(FOREIGN.replace("3 . Bb5", "3. Bb5"))
    assert first.tags == {"Event": 'A "quiet" game \\ or two', "Site": "?", "White": "Carl"}
    assert first.moves == ("e4", "e5", "Nf3", "Nc6", "Bb5")
    assert first.result == "1-0"
    assert first.comments == (
        (1, 'the best, [%clk 0:01:00] [Event "not a tag"]'),
        (3, "to the end {"),
    )
    assert (first.line, second.line) == (2, 8)
    assert second == PgnGame({"White": "Dora"})


def test_find_games_again_by_their_places() -> None:
    file = io.BytesIO(FOREIGN.replace("3 . Bb5", "3. Bb5").encode())
    for game in list(read_pgn(file)):
        file.seek(game.offset)
        assert next(read_pgn(file)) == game


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="}"), max_size=30)
GAMES = st.builds(
    PgnGame,
    st.dictionaries(st.sampled_from(["Event", "White", "Opening"]), WORDS),
    st.lists(st.sampled_from(["e4", "5", "Nf3", "h8=Q#", "pass", "aa12"]), max_size=60).map(tuple),
    st.just(()),
    st.sampled_from(list(RESULTS.values())),
)


@given(st.lists(GAMES, max_size=3), st.integers(0, 5), st.lists(WORDS, max_size=3))
def test_read_what_was_written_to_the_byte(
    games: list[PgnGame], ply: int, comments: list[str]
) -> None:
    notes = tuple((0, text) for text in comments)
    games = [PgnGame(game.tags, game.moves, notes, game.result) for game in games]
    text = "".join(write_game(game, ply) for game in games)
    result = read(text)
    assert [game.moves for game in result] == [game.moves for game in games]
    assert "".join(write_game(game, ply) for game in result) == text


def test_write_a_game_from_an_opening() -> None:
    position = after("e4", "e5", "Nf3")
    game = PgnGame(opening_tags(position), ("Nc6",), ((0, "Begin."),), "1/2-1/2")
    lines = write_game(game, position.ply).splitlines()
    assert lines[7] == '[SetUp "1"]'
    assert lines[8].startswith('[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b')
    assert lines[9] == '[After "g1f3"]'
    assert lines[11] == "{Begin.} 2... Nc6 1/2-1/2"
    assert game.begin(position.game) == position


@pytest.mark.parametrize(
    "text",
    [
        '[White "x"]\n\n1. e4 e5\n',
        "1. e4 {a\nb\n",
        '1. e4\n[White "x"]\n*\n',
        '[White "x]\n*',
        "1. e4 ) *",
        "1. e4 } *",
        "1. e4 (1. d4 *",
        b"\x00\x01",
        "x" * (MAX_PGN_LINE_BYTES + 2),
        "a " * 50_001 + "*",
        ("{" + "x" * 1_000_000 + "}\n") * 5 + "*",
    ],
    ids=range(11),
)
def test_refuse_what_is_cut_off_or_not_pgn(text: str | bytes, wording: Wording) -> None:
    with pytest.raises(PgnError) as caught:
        read(text)
    wording(str(caught.value))


def test_know_pgn_by_its_name_or_its_beginning() -> None:
    assert is_pgn("a.PGN", b"")
    assert is_pgn("a", b'\xef\xbb\xbf\n[Event "x"]')
    assert not is_pgn("a.txt", b"x_o_x____")
    assert read(b'[White "J\xf6rg"]\n*')[0].tags == {"White": "Jörg"}
