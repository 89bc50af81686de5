"""Turn the bytes of a hand-in into files: a Python file, a WebAssembly module, or a zip of one
folder with a player.
"""

from __future__ import annotations

import re
import stat
import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from arena.errors import UsageError, counted, one_line, quoted
from arena.inputs.hand_in_rules import HandInRules

#: The name of the file of a hand-in that is one Python file, and of the player among several.
BOT = "bot.py"

#: The name of the file of a hand-in that is a WebAssembly module, and how one begins.
MODULE, _MODULE = "bot.wasm", b"\0asm"

#: How a zip begins; an empty one begins with the second.
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")

#: How an entry of its directory begins, its end record, and what is before that in a large one.
_ENTRY, _END, _LARGE = b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x07"

#: Bytes of an end record, and most bytes of the comment after it.
_END_SIZE, MAX_COMMENT = 22, 1 << 16

#: Most folders in each other, and characters of the name of one.
MAX_DEPTH = 8
MAX_FOLDER_NAME = 100

#: The characters of the name of a file: none that means something in a page or a command.
_NAME = re.compile(r"[\w.+@~()\[\]{}, -]+")

#: Names that programs that make zips and run Python leave there unasked.
_LITTER = ("__MACOSX", "__pycache__", ".DS_Store", ".git", ".idea", ".vscode", "Thumbs.db")

#: How the files in a zip may be compressed.
_METHODS = (ZIP_STORED, ZIP_DEFLATED)

#: Bytes that are unpacked at a time.
_PIECE = 1 << 16


class HandInRefused(UsageError):
    """A hand-in that is not taken. The message says why, to its author."""


def unpack(content: bytes, rules: HandInRules) -> dict[str, bytes]:
    """Return the files of a hand-in by their paths, of which the player's is :func:`player_of`.

    Raises HandInRefused for what is larger than the rules allow, or is neither a Python file, a
    WebAssembly module, nor a zip of a folder with one player. Nothing that a zip says of itself is
    believed.
    """
    if len(content) > rules.size:
        raise HandInRefused(f"it has more than {rules.size} bytes")
    if not content.strip():
        raise HandInRefused("it is empty")
    if content.startswith(_MODULE):
        return {MODULE: content}
    if not content.startswith(_ZIP):
        return {BOT: _python(content)}
    _require_few_entries(content, rules)
    try:
        with ZipFile(BytesIO(content)) as archive:
            files = _without_folder(dict(_files(archive, rules)))
    except HandInRefused:
        raise
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise HandInRefused(
            f"it is a zip that cannot be unpacked: {one_line(str(error))}"
        ) from error
    except (ValueError, OSError, LookupError, OverflowError) as error:
        raise HandInRefused("it is a zip that cannot be unpacked") from error
    player_of(files)
    return files


def player_of(files: Mapping[str, bytes]) -> str:
    """Return the path of the player among the files. Raises HandInRefused unless it is clear."""
    top_files = [path for path in files if "/" not in path and path.endswith(".py")]
    players = [path for path in top_files if not path.startswith(("_", "."))]
    for usual in (BOT, MODULE):
        if usual in files:
            return usual
    if len(players) == 1:
        return players[0]
    what = f"has {len(players)} Python files" if players else "has no Python file"
    raise HandInRefused(f"its folder {what}: call the player {BOT}, or {MODULE} if it is a module")


def _python(content: bytes) -> bytes:
    """Return a Python file. Raises HandInRefused for what cannot be one."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise HandInRefused("it is neither a Python file in UTF-8, a WebAssembly module nor a zip")
    return content


def _require_few_entries(content: bytes, rules: HandInRules) -> None:
    """Raise HandInRefused for a zip whose directory has too many entries, before these are read.

    It is found as :mod:`zipfile` finds it. Every entry begins with the same bytes, which the end
    record, where a zip says how many it has, need not.
    """
    end = len(content) - _END_SIZE
    if not (content.startswith(_END, end) and content.endswith(bytes(2))):  # it has a comment
        end = content.rfind(_END, max(0, end - MAX_COMMENT))
    size = int.from_bytes(content[end + 12 : end + 16], "little")
    is_large = content.startswith(_LARGE, max(0, end - 20))  # its size is said elsewhere
    entries = content.count(_ENTRY, 0 if is_large else max(0, end - size), max(0, end))
    if entries > 2 * rules.files + 100:  # with its folders and what is left out
        raise HandInRefused(f"it has more than {counted(rules.files, 'file')}")


def _files(archive: ZipFile, rules: HandInRules) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a zip. Raises HandInRefused for one that is not as it should be."""
    remaining, names = rules.unpacked, set[str]()
    for entry in archive.infolist():
        path = _path(entry)
        if entry.is_dir() or set(path.parts) & set(_LITTER):
            continue
        if str(path).casefold() in names:
            raise HandInRefused(f"it has {quoted(str(path))} twice")
        names.add(str(path).casefold())
        if len(names) > rules.files:
            raise HandInRefused(f"it has more than {counted(rules.files, 'file')}")
        content = _content(archive, entry, remaining, rules)
        remaining -= len(content)
        yield str(path), content


def _path(entry: ZipInfo) -> PurePosixPath:
    """Return the path of an entry. Raises HandInRefused if it is neither a file nor a folder."""
    name = entry.orig_filename
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise HandInRefused(f"it has {quoted(name)}, which is neither a file nor a folder")
    if entry.flag_bits & 0x1:
        raise HandInRefused("it is encrypted")
    if entry.compress_type not in _METHODS:  # others take memory as the zip says
        raise HandInRefused("it is compressed otherwise than zip programs usually do: use deflate")
    parts = name.rstrip("/").split("/")
    if len(parts) > MAX_DEPTH:
        raise HandInRefused(f"it has folders in each other, more than {MAX_DEPTH}")
    for part in parts:
        if part in ("", ".", "..") or len(part) > MAX_FOLDER_NAME or not _NAME.fullmatch(part):
            raise HandInRefused(f"it has a file with the name {quoted(name)}")
    return PurePosixPath(*parts)


def _content(archive: ZipFile, entry: ZipInfo, remaining: int, rules: HandInRules) -> bytes:
    """Return the content of an entry, which may have this many bytes, whatever its header says."""
    pieces, size = [], 0
    with archive.open(entry) as file:
        while piece := file.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > remaining:
                raise HandInRefused(f"it has more than {rules.unpacked} bytes, unpacked")
    return b"".join(pieces)


def _without_folder(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files without the folder that all are in. Raises HandInRefused if a file is one too.

    >>> _without_folder({"alice/bot.py": b"", "alice/data/a.txt": b""})
    {'bot.py': b'', 'data/a.txt': b''}
    """
    folders = {str(parent).casefold() for path in files for parent in PurePosixPath(path).parents}
    if both := next((path for path in files if path.casefold() in folders), None):
        raise HandInRefused(f"it has {quoted(both)} as a file and as a folder")
    tops = {path.partition("/")[0] for path in files}
    if len(tops) == 1 and all("/" in path for path in files):
        return {path.partition("/")[2]: content for path, content in files.items()}
    return dict(files)
