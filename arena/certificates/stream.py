"""Read and write the xz stream of a certificate, piece by piece and with suspicion."""

from __future__ import annotations

import lzma
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.certificates.head import MAX_HEAD_LINE_BYTES, CertificateHead, read_head
from arena.errors import UsageError
from arena.files import naming, open_file, problem_of, replacing

#: The memory that reading may take, in bytes, and the dictionary that writing takes.
MAX_STREAM_MEMORY = 32 << 20
DICTIONARY = 8 << 20

#: Bytes to read at once.
_PIECE = 1 << 16

#: The first bytes of an xz stream.
_BEGIN = b"\xfd7zXZ\0"

_COUNT = struct.Struct("<I")

#: Moves are numbers most of which are 0: a byte does not foretell the next one.
_FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": DICTIONARY,
        "lc": 0,
        "pb": 0,
    }
]


class CertificateStream:
    """The decompressed bytes of a certificate."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_STREAM_MEMORY)
        self._ready = b""

    def read(self, size: int) -> bytes:
        """Return this many bytes, or fewer at the end. Raises UsageError for a damaged stream."""
        parts = [self._ready[:size]]
        missing, self._ready = size - len(parts[0]), self._ready[size:]
        while missing and (piece := self._next(min(missing, _PIECE))):
            parts.append(piece[:missing])
            missing, self._ready = missing - len(parts[-1]), piece[missing:]
        return b"".join(parts)

    def _next(self, most: int) -> bytes:
        """Return at least one byte more, or none at the end of the stream."""
        while not self._xz.eof:
            try:
                fed = self._file.read(_PIECE) if self._xz.needs_input else b""
                if self._xz.needs_input and not fed:
                    raise UsageError("is cut off: the xz stream does not end")
                if piece := self._xz.decompress(fed, most):
                    return piece
            except OSError as error:
                raise UsageError(problem_of(error)) from error
            except lzma.LZMAError as error:
                raise UsageError(f"is damaged: {str(error).lower()}") from error
        return b""

    def line(self) -> str:
        """Return the next line without its newline. Raises UsageError if it is too long."""
        line = bytearray()
        while (byte := self.read(1)) != b"\n":
            line += byte
            if not byte or len(line) >= MAX_HEAD_LINE_BYTES:
                raise UsageError("is not a certificate: its head does not end")
        if not line.isascii():
            raise UsageError("is not a certificate: its head is not plain ASCII")
        return line.decode()

    def count(self) -> int:
        """Return the next number of moves. Raises UsageError if the stream ends before."""
        return int(_COUNT.unpack(self.exactly(_COUNT.size))[0])

    def exactly(self, size: int) -> bytes:
        """Return this many bytes. Raises UsageError if the stream ends before."""
        content = self.read(size)
        if len(content) < size:
            raise UsageError("ends too soon: moves are missing")
        return content

    def finish(self) -> None:
        """Raise UsageError unless the stream and the file end here."""
        if self.read(1):
            raise UsageError("goes on after its last section")
        if self._xz.unused_data or self._file.read(1):
            raise UsageError("has more after its xz stream")


class Writer:
    """Compresses a certificate into a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._xz = lzma.LZMACompressor(lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=_FILTERS)

    def head(self, head: CertificateHead) -> None:
        """Write the head."""
        self._write("".join(f"{line}\n" for line in head.lines).encode())

    def moves(self, numbers: bytes) -> None:
        """Write the record of a ply: the numbers of its moves among the safe ones."""
        self._write(_COUNT.pack(len(numbers)) + numbers)

    def finish(self) -> None:
        """End the stream."""
        self._file.write(self._xz.flush())

    def _write(self, data: bytes) -> None:
        self._file.write(self._xz.compress(data))


def is_format_2(path: Path) -> bool:
    """Return whether the file begins as an xz stream. UsageError, with its name, without one."""
    with naming("certificate", path), open_file(path, None) as file:
        return file.read(len(_BEGIN)) == _BEGIN


@contextmanager
def reading(path: Path) -> Iterator[tuple[CertificateHead, CertificateStream]]:
    """Open a certificate and read its head. UsageError names the file, in the body too."""
    with naming("certificate", path), open_file(path, None) as file:
        reader = CertificateStream(file)
        yield read_head(reader.line), reader


@contextmanager
def writing(path: Path, head: CertificateHead) -> Iterator[Writer]:
    """Write a certificate, which is there as a whole at the end or not at all."""
    with replacing(path) as file:
        writer = Writer(file)
        writer.head(head)
        yield writer
        writer.finish()
