"""The games that come with arena."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from arena.game import Game
from arena.games.connect4 import connect_game
from arena.games.hex import hex_game
from arena.games.line_game import SUFFIX
from arena.games.lines import VARIANTS, load_lines, variant
from arena.games.mnk import MnkGame, mnk_game
from arena.games.nim import nim_game
from arena.games.othello import othello_game
from arena.plugin.markers import hookimpl
from arena.plugin.registers import GameRegister


def tictactoe(n: int = 3, misere: bool = False) -> MnkGame:
    """Tic-tac-toe on n by n squares, n in a row."""
    return mnk_game(n, n, n, misere)


#: The games that lines decide, each of which has a misere.
LINE_GAMES: dict[str, tuple[Callable[..., Game], str]] = {
    "tictactoe": (tictactoe, "three in a row on 3 by 3 squares"),
    "tictactoe-{n}": (tictactoe, "n in a row on n by n squares"),
    "mnk-{m}-{n}-{k}": (mnk_game, "m columns, n rows, k in a row"),
    **{name: (partial(variant, name), summary) for name, summary in VARIANTS.items()},
    "connect4": (partial(connect_game, 7, 6, 4), "discs fall in 7 columns of 6, four in a row"),
    "connect-{m}-{n}-{k}": (connect_game, "discs fall in m columns of n, k in a row"),
}


def load_chess() -> Game:
    """Make chess. Only processes that play it load its tables of attacks."""
    from arena.games.chess.rules import CHESS

    return CHESS


def load_chess960() -> Game:
    """Make chess960, as :func:`load_chess`."""
    from arena.games.chess.chess960 import CHESS960

    return CHESS960


def _later(module: str, name: str) -> Callable[..., Game]:
    """Return a function that makes a game. Its module is loaded where the game is named."""

    def make(*numbers: int) -> Game:
        game: Game = getattr(import_module(f"arena.games.{module}"), name)(*numbers)
        return game

    return make


#: The games with luck, with secrets, with payoffs of their own or for more than two: the module and
#: the function that make each, and its summary.
WORLD_GAMES = {
    "pig": ("pig", "pig_game", "roll a die as often as you like; a one loses the sum"),
    "pig-{goal}": ("pig", "pig_game", "pig to another number of points"),
    "phantom-tictactoe": (
        "phantom",
        "phantom_game",
        "tictactoe in which the other side's marks are hidden",
    ),
    "phantom-mnk-{m}-{n}-{k}": ("phantom", "phantom_game", "an m,n,k-game of that kind"),
    "kuhn": ("kuhn", "kuhn_game", "poker with three cards and one bet"),
    "leduc": ("leduc", "leduc_game", "poker with six cards and two rounds of bets"),
    "rock-paper-scissors": (
        "repeated",
        "rock_paper_scissors",
        "both sides choose at once; one round",
    ),
    "rock-paper-scissors-{rounds}": (
        "repeated",
        "rock_paper_scissors",
        "rock, paper, scissors over these rounds",
    ),
    "prisoners-dilemma-{rounds}": (
        "dilemma",
        "prisoners_dilemma",
        "cooperate or defect, over these rounds",
    ),
    "prisoners-dilemma-{rounds}-noise-{n}": (
        "dilemma",
        "prisoners_dilemma",
        "n per cent of the moves turn",
    ),
    "prisoners-dilemma-{rounds}-{t}-{r}-{p}-{s}": (
        "dilemma",
        "paid_dilemma",
        "with these payoffs in place of 5-3-1-0",
    ),
    "mnk-{m}-{n}-{k}-x{seats}": (
        "mnk_table",
        "mnk_table_game",
        "an m,n,k-game for 3 to 8 seats",
    ),
    "snakes": (
        "snakes",
        "snakes_game",
        "four snakes move at once on 11 by 11; the last one alive wins",
    ),
    "snakes-{seats}": ("snakes", "snakes_game", "snakes for 2 to 8 seats"),
    "snakes-{seats}-{columns}-{rows}": (
        "snakes",
        "snakes_game",
        "snakes on a board of 5 to 25 columns and rows",
    ),
    "liars-dice-{dice}-{sides}": ("liars_dice", "liars_dice", "bid on hidden dice, or call a liar"),
}


def referee(command: str) -> Game:
    """Return the game that a program plays as a whole. Its module is loaded where one is named."""
    from arena.plugins.referee import refereed_game

    return refereed_game(command)


def codingame(command: str) -> Game:
    """Return the game that a referee of CodinGame plays as a whole."""
    from arena.plugins.referee import codingame_game

    return codingame_game(command)


def paid_referee(text: str) -> Game:
    """Return the game of a referee's command whose scores are payoffs in a range."""
    from arena.plugins.referee import paid_game

    return paid_game(text)


def kaggle(text: str) -> Game:
    """Return the game of an environment of Kaggle, as :func:`referee`."""
    from arena.plugins.agent_games import kaggle_game

    return kaggle_game(text)


def textarena(text: str) -> Game:
    """Return the game of an environment of TextArena, as :func:`referee`."""
    from arena.plugins.agent_games import textarena_game

    return textarena_game(text)


@hookimpl
def arena_register_games(register: GameRegister) -> None:
    for name, (make, summary) in LINE_GAMES.items():
        register(name, make, summary=summary)
        register(
            name + SUFFIX,
            partial(make, misere=True),
            summary="the side that completes a line loses",
        )
    register(
        "lines:FILE",
        load_lines,
        summary="a file has the size of the board and the lines",
    )
    register("chess", load_chess, summary="chess, with positions as FEN")
    register("chess960", load_chess960, summary="chess from 960 starts: --openings starts")
    register(
        "othello", othello_game, summary="a side that can turn no disc over passes; more discs win"
    )
    register("othello-{n}", othello_game, summary="othello on n by n squares")
    register("hex-{n}", hex_game, summary="connect two edges of n by n squares; never a draw")
    register(
        "nim", nim_game, summary="heaps of 3, 4 and 5; the side that takes the last counter wins"
    )
    register("nim-{a}-{b}-{c}", nim_game, summary="nim with heaps of these sizes")
    for name, (module, function, summary) in WORLD_GAMES.items():
        register(name, _later(module, function), summary=summary)
    register(
        "referee:COMMAND", referee, summary="a program starts the players and tells the scores"
    )
    register(
        "codingame:COMMAND", codingame, summary="a referee with the command line of CodinGame's"
    )
    register(
        "paid-referee:RANGE",
        paid_referee,
        summary="the same with payoffs for scores: RANGE is 0..5:COMMAND",
    )
    register(
        "kaggle:ENVIRONMENT",
        kaggle,
        summary="an environment of Kaggle, played by its own rules, such as kaggle:connectx",
    )
    register(
        "textarena:ENVIRONMENT",
        textarena,
        summary="an environment of TextArena, such as textarena:TicTacToe-v0",
    )
