"""A prompt has all that a move needs, and nothing that the seat does not know."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.game import Position
from arena.inputs.resolve import get_game
from arena.plugins.llm.briefing import telling_of
from arena.plugins.llm.options import Options, PromptFile
from arena.plugins.llm.prompts import correction, digest_of, prompt_of, require_template
from tests.golden import Wording


def asked(options: Options, name: str, *words: str) -> str:
    """Return the prompt of who is to move after these moves."""
    game = get_game(name)
    position = game.start()
    for word in words:
        position = position.play(game.parse_move(word))
    seat = int(position.to_move)
    moves = None if game.features else tuple(map(game.parse_move, words))
    telling = telling_of(game, options.disguise)
    return prompt_of(options, telling, seat, position.observation(seat), moves)


@pytest.mark.parametrize(
    ("options", "game", "moves"),
    [
        (Options("m"), "tictactoe", ["5", "1"]),
        (Options("m", history="moves"), "nim", ["a2"]),
        (Options("m", history="board"), "connect4", ["4"]),
        (Options("m", answer="json"), "kuhn", ["K", "J", "pass"]),
        (Options("m", history="moves"), "kuhn", ["K", "J"]),
        (Options("m", disguise=7), "tictactoe", ["5", "1"]),
        (Options("m", disguise=7), "kuhn", ["K", "J", "pass"]),
    ],
)
def test_the_words_of_a_prompt(
    options: Options, game: str, moves: list[str], wording: Wording
) -> None:
    wording(asked(options, game, *moves))


def test_a_seat_reads_nothing_that_it_does_not_know() -> None:
    mine, other = (asked(Options("m"), "kuhn", *cards) for cards in (["Q", "J"], ["Q", "K"]))
    assert mine == other


def test_a_template_may_use_every_name_of_the_page() -> None:
    names = "game rules seat seats hides text picture moves legal history answer"
    template = PromptFile("x", " ".join(f"{{{{ {name} }}}}" for name in names.split()))
    text = asked(Options("m", prompt=template), "tictactoe", "5")
    assert "['5']" in text
    assert "2 2 False" in text


@pytest.mark.parametrize(
    "template",
    [
        "{% include '/etc/passwd' %}",
        "{{ ''.__class__.__mro__ }}",
        "{{ legal.append(1) }}",
        "{{ text.format(x=1) if false }}{{ self.__init__.__globals__ }}",
        "{% for a in range(100000000) %}x{% endfor %}",
    ],
)
def test_a_template_reads_and_changes_nothing_else(template: str) -> None:
    options = Options("m", prompt=PromptFile("x", template))
    try:
        require_template(options)
        text = asked(options, "tictactoe")
    except UsageError:
        return
    assert "root:" not in text
    assert "class" not in text


def test_another_prompt_has_another_digest() -> None:
    own, other = Options("m"), Options("m", prompt=PromptFile("x", "{{ legal }}"))
    options = Options("m", system=PromptFile("x", "Be brief."))
    assert len({digest_of(own), digest_of(other), digest_of(options)}) == 3
    assert digest_of(own) == digest_of(Options("n", temperature=1))


def test_a_correction_says_what_was_wrong(wording: Wording) -> None:
    for answer in ("line", "json"):
        wording(correction("it wrote nothing", Options("m", answer=answer)))


@pytest.mark.parametrize("name", ["pig", "leduc", "othello-6", "chess", "snakes-3"])
def test_every_game_has_a_prompt(name: str) -> None:
    game = get_game(name)
    position: Position = game.start()
    while position.to_move < 0:
        position = position.play(position.chance_moves()[0][0])
    seat = int(position.to_move)
    text = prompt_of(Options("m"), telling_of(game, None), seat, position.observation(seat), None)
    assert game.guide in text
    assert "Legal moves: " in text
