"""Show files and programs that played under short names, which are unique in their record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from arena.player.names import is_engine, short_names
from arena.records.all_tables import tables_of
from arena.records.base import Record
from arena.records.fights import FightResult
from arena.records.fought import Fought
from arena.rng import without_self

#: Fields that the command of a replay has as they are: the file of ``a=./bot.py`` may play, too.
IN_COMMANDS = ("spec", "plugins")

#: Fields with sentences in which players are named.
SENTENCES = ("statements",)


def shortened(record: Record) -> Record:
    """Return a record in which ``./bot.py`` is ``bot`` if it is of fights, else as it is.

    Ids of games stay as they are, so that they lead back to the players.
    """
    names = players_of(record)
    plain = {without_self(name): name for name in names}
    short = {name: form for name, form in short_names(plain).items() if form != name}
    selves = {name: short.get(without_self(name), "") for name in names}
    short |= {
        name: form + name.removeprefix(without_self(name)) for name, form in selves.items() if form
    }
    renamed: Record = _renamed(record, short) if short else record
    return renamed


def legend(record: Record) -> list[str]:
    """Return lines that say what the short names of engines stand for."""
    names = dict.fromkeys(without_self(name) for name in players_of(record))
    short = short_names(names)
    return [f"{short[name]}: {name}" for name in names if is_engine(name) and short[name] != name]


def players_of(record: Record) -> tuple[str, ...]:
    """Return the two players of each fight, one fight after the other."""
    fought: Sequence[Fought] = fights_of(record) or tables_of(record)
    return tuple(name for fight in fought for name in fight.players)


def fights_of(record: Record) -> tuple[FightResult, ...]:
    """Return the fights of a tournament or of a fight. Another record has none."""
    if isinstance(record, FightResult):
        return (record,)
    from arena.records.proofs import CheckedFight  # a fight need not wait for all of these
    from arena.records.reports import EntrantResult
    from arena.records.sequential import SprtFight
    from arena.records.tournaments import TournamentResult
    from arena.records.until import UntilFight

    if isinstance(record, TournamentResult):
        return record.fights
    if isinstance(record, EntrantResult):
        return tuple(each.fight for each in record.fights)
    return (record.fight,) if isinstance(record, SprtFight | UntilFight | CheckedFight) else ()


def _renamed(value: Any, short: Mapping[str, str]) -> Any:
    """Return a value in which every text that is a name is the short one."""
    if isinstance(value, str):
        return short.get(value, value)
    if isinstance(value, tuple):
        items = [_renamed(item, short) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    names = [each.name for each in fields(value) if each.name not in IN_COMMANDS]
    new = {name: _renamed(getattr(value, name), short) for name in names}
    for name in SENTENCES:
        if name in new:
            new[name] = tuple(_in_sentence(text, short) for text in getattr(value, name))
    return replace(value, **new)


def _in_sentence(sentence: str, short: Mapping[str, str]) -> str:
    for name in sorted(short, key=len, reverse=True):
        sentence = sentence.replace(name, short[name])
    return sentence
