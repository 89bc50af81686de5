"""Name players: ``./bot.py``, ``minimax:depth=3``, ``cmd:node kim.js``, ``alice=./bot.py``.

A *spec* says where a player comes from. Its *name* is in ids, seeds and stores: the one that the
user gives as ``NAME=SPEC``, or else the spec itself, so that an id leads back to the player. Tables
show a short form of a spec, which :func:`short_names` makes.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from arena.errors import UsageError, did_you_mean, quoted
from arena.rng import without_self

#: The start of the spec of a program: ``cmd:racket bot.rkt``.
PROGRAM = "cmd:"

#: The protocols of engines, which need no options.
ENGINE_PROTOCOLS = ("uci", "gtp", "gomocup")

#: The beginning of the name of a language model.
LLM = "llm,"

#: The most characters of a name that the user gives.
MAX_GIVEN_NAME = 64

#: The programs that execute files, by their endings.
INTERPRETERS = {
    ".jar": "java -jar",
    ".jl": "julia",
    ".js": "node",
    ".lua": "lua",
    ".mjs": "node",
    ".php": "php",
    ".pl": "perl",
    ".py": shlex.quote(sys.executable or "python3"),
    ".rb": "ruby",
    ".rkt": "racket",
    ".scm": "guile",
    ".sh": "sh",
}

#: The characters that end a name, or divide ids and options.
_RESERVED = "/\\=:,"


class NamedSpec(NamedTuple):
    """A player as the user names it: its name, and the spec that it comes from."""

    name: str
    spec: str

    def __str__(self) -> str:
        return self.name if self.name == self.spec else f"{self.name}={self.spec}"


def read_named(text: str) -> NamedSpec:
    """Read ``NAME=SPEC`` or a spec. Raises UsageError for a name that cannot be one.

    An ``=`` ends a name if no ``:`` and no ``,`` stands before it. ``bot.py`` is ``./bot.py``.

    >>> read_named("alice=subs/alice.py"), read_named("minimax:depth=3").name
    (NamedSpec(name='alice', spec='./subs/alice.py'), 'minimax:depth=3')
    """
    name, equals, spec = text.partition("=")
    is_name = equals and not set(name) & set(":,")
    if not is_name or ("/" in name and os.path.exists(_split_function(text)[0])):
        spec = canonical(text)
        return NamedSpec(spec, spec)
    if problem := name_problem(name):
        raise UsageError(f"player {quoted(text)}: {problem}")
    if not spec:
        raise UsageError(f"player {quoted(text)}: no player after the =, as in {name}=./bot.py")
    return NamedSpec(name, canonical(spec))


def name_problem(name: str) -> str:
    """Return why a text cannot be a player's name. The result is empty if it can."""
    if not name.strip():
        return "no name before the =, as in alice=./bot.py"
    if len(name) > MAX_GIVEN_NAME:
        return f"a name has at most {MAX_GIVEN_NAME} characters"
    if wrong := [character for character in _RESERVED if character in name]:
        return f"a name has no {wrong[0]!r}"
    if (
        name != name.strip()
        or name.startswith(("-", "."))
        or name != without_self(name)
        or name.endswith(".py")
    ):
        return "a name has no blank at its ends, no - or . at its start, no .py or #2 at its end"
    return ""


def canonical(spec: str) -> str:
    """Return the one way to write a spec: ``./bot.py`` for ``bot.py`` and ``./subs/../bot.py``.

    >>> canonical("subs//bot.py:choose"), canonical("../bot.py"), canonical("monkey")
    ('./subs/bot.py:choose', '../bot.py', 'monkey')
    """
    if not names_a_file(spec) or os.path.splitdrive(spec)[0]:
        return spec
    path, colon, function = _split_function(spec)
    path = os.path.normpath(path)
    is_anchored = os.path.isabs(path) or path.startswith(f"..{os.sep}")
    form = (path if is_anchored else f".{os.sep}{path}") + colon + function
    # A path may name a function once its last slash is gone, so this goes on until nothing changes.
    return form if form == spec else canonical(form)


def names_a_file(name: str) -> bool:
    """Return whether a player's name is that of a file: it has a slash or ends in ``.py``.

    It ignores what follows the colon in ``cmd:./bot`` and ``NAME:OPTIONS``.
    """
    _, rest = os.path.splitdrive(name)
    before, colon, _ = rest.partition(":")
    protocol, comma, options = before.partition(",")
    if colon and comma and "=" in options:  # a file may be among them
        return _is_path(protocol)
    return _is_path(before if colon else rest)


class ProtocolSpec(NamedTuple):
    """A spec with a protocol: ``uci,Hash=16:stockfish``."""

    protocol: str
    #: The options by name, as text.
    options: dict[str, str]
    #: The command or the file.
    text: str


def split_protocol(spec: str) -> ProtocolSpec | None:
    """Split ``NAME:TEXT`` or ``NAME,OPTION=VALUE,...:TEXT``, or None for a spec of another form.

    ``%2C``, ``%3A`` and ``%25`` in a value stand for a comma, a colon and a percent sign. Raises
    UsageError for options that cannot be read.

    >>> split_protocol("uci,Hash=16:stockfish")
    ProtocolSpec(protocol='uci', options={'Hash': '16'}, text='stockfish')
    """
    head, colon, text = spec.partition(":")
    if not colon or names_a_file(spec):
        return None
    protocol, comma, written = head.partition(",")
    options: dict[str, str] = {}
    for word in written.split(",") if comma else ():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(
                f"player {quoted(spec)}: {quoted(word)} is not an option, write OPTION=VALUE"
            )
        if name in options:
            raise UsageError(f"player {quoted(spec)}: option {quoted(name)} is given twice")
        options[name] = unquote(value)
    return ProtocolSpec(protocol, options, text)


def written_option(value: str) -> str:
    """Return a value as :func:`split_protocol` reads it.

    >>> written_option("a:b,c")
    'a%3Ab%2Cc'
    """
    for character, code in (("%", "%25"), (",", "%2C"), (":", "%3A")):
        value = value.replace(character, code)
    return value


def _is_path(text: str) -> bool:
    return text.endswith(".py") or "/" in text or os.sep in text


def _split_function(spec: str) -> tuple[str, str, str]:
    path, colon, function = spec.rpartition(":")
    return (path, colon, function) if colon and function.isidentifier() else (spec, "", "")


def as_program(spec: str) -> str:
    """Return how to name a file that is a program, by its ending.

    >>> as_program("./kim.js"), as_program("./leo")
    ('cmd:node kim.js', 'cmd:./leo')
    """
    interpreter = interpreter_of(spec)
    if not interpreter:
        return PROGRAM + shlex.quote(spec)
    return f"{PROGRAM}{interpreter} {shlex.quote(spec.removeprefix('./'))}"


def interpreter_of(file: str) -> str:
    """Return the program that executes a file, by its ending. The result is empty if none is
    known.
    """
    return INTERPRETERS.get(os.path.splitext(file)[1], "")


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return a short form of each name of a file or a program, unique among all of them.

    It is the stem of the file, with as many folders before it as it takes. A name of another kind
    stays as it is, and so does one whose short forms are taken.

    >>> short_names(["./s1/bot.py", "./s2/bot.py", "cmd:node kim.js", "monkey"])
    {'./s1/bot.py': 's1/bot', './s2/bot.py': 's2/bot', 'cmd:node kim.js': 'kim', 'monkey': 'monkey'}
    """
    forms = {name: [*_forms(name), name] for name in names}
    counts = Counter(form for shorts in forms.values() for form in set(shorts))
    return {
        name: next((form for form in shorts if counts[form] == 1), name)
        for name, shorts in forms.items()
    }


def name_meant(short: str, names: Iterable[str]) -> str:
    """Return the name that a user means by a short form of it, as tables show it.

    A name stands for itself, and so does a short form that several names have, or none.

    >>> stored = ["uci,nodes=9:stockfish", "./s1/bot.py", "./s2/bot.py"]
    >>> name_meant("stockfish", stored), name_meant("bot", stored), name_meant("s1/bot", stored)
    ('uci,nodes=9:stockfish', 'bot', './s1/bot.py')
    """
    names = dict.fromkeys(names)
    matches = [name for name in names if short in _forms(name)]
    return matches[0] if short not in names and len(matches) == 1 else short


def meant_by(short: str, names: Iterable[str]) -> str:
    """Return ``", did you mean './bot.py'?"`` for ``bot``, as tables show it, or the likest name.

    >>> meant_by("bot", ["./s1/bot.py", "monkey"])
    ", did you mean './s1/bot.py'?"
    """
    names = list(names)
    matches = [name for name in names if short in _forms(name)]
    return f", did you mean {matches[0]!r}?" if matches else did_you_mean(short, names)


def _forms(name: str) -> Iterator[str]:
    """Yield the short forms of a name, from the shortest."""
    function = ""
    if engine := _engine(name):
        yield from engine
        return
    if name.startswith(PROGRAM):
        path = _program_file(name.removeprefix(PROGRAM))
    elif names_a_file(name):
        path, colon, function = _split_function(name)
        function = colon + function
    else:
        return
    parts = [part for part in os.path.splitext(path)[0].split("/") if part not in ("", ".", "..")]
    for start in range(len(parts) - 1, -1, -1):
        short = "/".join(parts[start:])
        yield short
        if function:
            yield short + function


def is_engine(name: str) -> bool:
    """Return whether a name is that of a program in another protocol than arena's.

    >>> is_engine("uci,nodes=20:stockfish"), is_engine("minimax:depth=3"), is_engine("cmd:./bot")
    (True, False, False)
    """
    head, colon, _ = name.partition(":")
    protocol, comma, options = head.partition(",")
    return (
        bool(colon)
        and "/" not in protocol
        and ("=" in options if comma else head in ENGINE_PROTOCOLS)
    )


def _engine(name: str) -> list[str]:
    """Return the short forms of an engine's name. The result is empty for another one.

    >>> _engine("uci,nodes=20:/usr/games/stockfish --quiet")
    ['stockfish', 'stockfish nodes=20']
    """
    head, _, command = name.partition(":")
    words = command.split()
    if not is_engine(name) or not words:
        return []
    if head.startswith(LLM):
        return _model(head.removeprefix(LLM).split(","))
    program = os.path.splitext(os.path.basename(words[0]))[0]
    options = head.partition(",")[2]
    return [program, f"{program} {options}"] if options else [program]


def _model(options: Sequence[str]) -> list[str]:
    """Return the short forms of the name of a language model with these options.

    >>> _model(["model=qwen2.5%3A7b", "temperature=0"])
    ['qwen2.5:7b', 'qwen2.5:7b temperature=0']
    """
    models = [unquote(each[6:]) for each in options if each.startswith("model=")]
    others = [each for each in options if not each.startswith("model=")]
    return [*models[:1], " ".join([*models[:1], *others])] if models and others else models[:1]


def _program_file(command: str) -> str:
    """Return the file of a program's code: its first word with an ending, else its first word.

    >>> _program_file("python3.12 -u subs/bot.py --book b.txt"), _program_file("./leo --fast")
    ('subs/bot.py', './leo')
    """
    words = command.split()
    code = (word for word in words if re.search(r"[^/.]\.[A-Za-z]\w*$", word))
    return next(code, words[0] if words else "")
