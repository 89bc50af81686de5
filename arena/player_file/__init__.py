"""Players in files: ``./bot.py`` or ``./bot.py:function``."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.dataclass import dataclass
from arena.errors import (
    PlayerFileError,
    PlayerFileRaised,
    Unavailable,
    UsageError,
    class_name,
    describe,
    did_you_mean,
    one_line,
    quoted,
)
from arena.files import GONE, MAX_FILE_BYTES, open_file
from arena.player import PlayerInfo, misfit_of_player, summary_of
from arena.player.faults import remedy_of
from arena.player.names import as_program
from arena.player_file.code import NotPython, PlayerCode
from arena.signatures import misfit

#: The function that is meant when a file is named without one.
DEFAULT_FUNCTION = "choose"

#: The function that a file may have with it, or in its place: see docs/batch.md.
BATCH_FUNCTION = "choose_batch"

#: The code of each file that this process has loaded, by the name of its module.
_codes: dict[str, PlayerCode] = {}


def absolute(name: str) -> str:
    """Return where the file of that name is. Raises PlayerFileError without a current folder."""
    try:
        return os.path.abspath(name)
    except FileNotFoundError as error:
        raise PlayerFileError(name, GONE) from error


def load_file_player(name: str, where: str = "") -> PlayerInfo:
    """Return the player in a file. Raises PlayerFileError if there is none.

    ``where`` says where the file is if it is not where the name says.

    Without ``:function`` it is the file's ``choose``, or else its ``choose_batch``, its only public
    function, or the only one that can be a player, and among several the only class that can. A
    class is a stateful player's factory. A ``choose`` may have a ``choose_batch`` with it. The
    file is loaded under a name of its own, so that two players' files may both be called
    ``bot.py``, or ``random.py``.
    """
    return _load_player(name, where or absolute(name))


def _load_player(name: str, where: str) -> FilePlayerInfo:
    # Named as it was asked for, but found whatever the current folder has become since.
    _, _, function = _split(where)
    code = _load_code(require_file(name, where), name)
    player = _pick(code.module, function, name)
    stateless = not isinstance(player, type)
    problem = _misfit(player)
    if problem:
        raise PlayerFileError(name, problem)
    has_batch = stateless and function in ("", DEFAULT_FUNCTION, BATCH_FUNCTION)
    return FilePlayerInfo(
        name=name,
        player=player,
        stateless=stateless,
        choose_batch=_batch_function(code.module, name) if has_batch else None,
        summary=summary_of(getattr(player, BATCH_FUNCTION, player)),
        file=where,
        fresh=_FileReload(code, function, name),
    )


class FilePlayerInfo(PlayerInfo):
    """A player from a file. A worker that is sent one loads the file again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_player, (self.name, self.file)


@dataclass(frozen=True)
class _FileReload:
    """Executes a player's file again and returns the player that it then has."""

    code: PlayerCode
    function: str
    name: str

    @property
    def remembers(self) -> str:
        """See Memory."""
        return self.code.remembers

    def __call__(self) -> Callable[..., Any]:
        with self.code.lock:  # until the caller holds the player, the module seems not in use
            with _named_errors(self.name, self.code.path):
                module = self.code.execute()
            return _pick(module, self.function, self.name)


def _split(name: str) -> tuple[str, str, str]:
    path, colon, function = name.rpartition(":")
    if colon and function.isidentifier():
        return path, colon, function
    return name, "", ""


def require_file(name: str, where: str) -> Path:
    """Return the file that a player is in. Raises PlayerFileError if none can be read."""
    path, _, _ = _split(where)
    try:
        open_file(path, MAX_FILE_BYTES).close()
    except UsageError as error:
        raise PlayerFileError(name, f"{error}{_file_in(name, path)}") from error
    return Path(path)


def _file_in(name: str, path: str) -> str:
    """Return a hint at the file that the user means by a folder, or an empty text."""
    try:
        inside = [each for each in Path(path).glob("*.py") if each.is_file()]
    except OSError:
        return ""
    files = sorted(each.name for each in inside if not each.name.startswith("_"))
    if not files:
        return ""
    file = os.path.join(name, files[0])
    if len(files) > 1:
        return f": name a file in it, such as {quoted(file)}"
    return f", did you mean {quoted(file)}?"


def _load_code(path: Path, name: str) -> PlayerCode:
    private = f"arena_file_{blake2b(os.fsencode(path.resolve()), digest_size=8).hexdigest()}"
    if private not in _codes or private not in sys.modules:
        with _named_errors(name, path):
            _codes[private] = PlayerCode(path, private)
    return _codes[private]


@contextmanager
def _named_errors(name: str, path: Path) -> Iterator[None]:
    """Raise PlayerFileRaised for whatever a player's file raises while it is executed."""
    try:
        yield
    except (KeyboardInterrupt, Unavailable):
        raise
    except NotPython as error:
        raise PlayerFileRaised(name, f"{error}; for a program: {as_program(name)}") from error
    except BaseException as error:
        raise PlayerFileRaised(name, where_raised(error, str(path))) from error


def where_raised(error: BaseException, path: str) -> str:
    """Return the error on one line, with the line of the file that it comes from."""
    try:
        return _where_raised(error, path)
    except Exception:  # of its own class, which may do anything when it is looked at
        return describe(error)


def _where_raised(error: BaseException, path: str) -> str:
    line = None
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno
    else:
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == path:
                line = frame.lineno
    place = f" in line {line}" if line else ""
    if isinstance(error, SyntaxError) and type(error.msg) is str:  # without the file's name
        return f"{class_name(error)}{place}: {one_line(error.msg)}"
    remedy = remedy_of(error)
    return describe(error, place) + (f" ({remedy})" if remedy else "")


def _misfit(player: Callable[..., Any]) -> str:
    return misfit_of_player(player, stateless=not isinstance(player, type))


def _batch_function(module: ModuleType, name: str) -> Callable[..., Any] | None:
    """Return what asks a file's player for many moves at once, or None if it offers nothing."""
    function: Callable[..., Any] | None = getattr(module, BATCH_FUNCTION, None)
    if not callable(function):
        return None
    if problem := misfit(function, "positions", "rng"):
        raise PlayerFileError(name, problem)
    return function


def _single(module: ModuleType, name: str) -> Callable[..., Any] | None:
    """Return the player of a file that has a ``choose_batch`` alone."""
    choose_batch = _batch_function(module, name)
    if choose_batch is None:
        return None
    from arena.player.batches import Single  # batches alone need NumPy

    return Single(choose_batch)


def _pick(module: ModuleType, function: str, name: str) -> Callable[..., Any]:
    if function == BATCH_FUNCTION and (single := _single(module, name)):
        return single
    definitions: dict[str, Callable[..., Any]] = {
        key: value
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", None) == module.__name__
    }
    public = [key for key in definitions if not key.startswith("_")]
    if function:
        player: Callable[..., Any] | None = getattr(module, function, None)
        if not callable(player):
            raise PlayerFileError(
                name,
                f"no function {function!r}{did_you_mean(function, definitions)}"
                f" (it has: {', '.join(public) or 'none'})",
            )
        return player
    default: Callable[..., Any] | None = getattr(module, DEFAULT_FUNCTION, None)
    if callable(default):
        return default
    if single := _single(module, name):
        return single
    fitting = [key for key in public if not _misfit(definitions[key])]
    classes = [key for key in fitting if isinstance(definitions[key], type)]
    choosing = [key for key in public if hasattr(definitions[key], DEFAULT_FUNCTION)]
    for keys in (public, classes, fitting, choosing):
        if len(keys) == 1:
            return definitions[keys[0]]
    if public:
        example = f"{name}:{(classes or fitting or choosing or public)[0]}"
        raise PlayerFileError(
            name, f"say which function, as in {example} (it has: {', '.join(public)})"
        )
    raise PlayerFileError(name, "no function choose(position, rng)")
