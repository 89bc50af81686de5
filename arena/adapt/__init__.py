"""Adapt what was written for other programs: functions of other boards, and strategies."""

from arena.adapt.boards import LETTERS as LETTERS
from arena.adapt.boards import NUMBERS as NUMBERS
from arena.adapt.boards import SYMBOLS as SYMBOLS
from arena.adapt.boards import WORD as WORD
from arena.adapt.boards import as_list as as_list
from arena.adapt.boards import as_rows as as_rows
from arena.adapt.boards import read_board as read_board
from arena.adapt.boards import rows as rows
from arena.adapt.boards import symbols as symbols
from arena.adapt.boards import vector as vector
from arena.adapt.boards import word as word
from arena.adapt.strategies import axelrod as axelrod
