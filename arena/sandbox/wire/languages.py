"""Turn messages into bytes: lines for programs, frames for Python players."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar, Protocol

from arena.errors import Forfeited
from arena.player.clocks import Clocks
from arena.sandbox.wire import protocol
from arena.sandbox.wire.frames import DRAWS, HEADER, MOVE, frame
from arena.sandbox.wire.protocol import AnswerFields

if TYPE_CHECKING:
    from arena.games.info_state import InfoState

#: Bytes that a message of a player's may have; no answer needs more.
MAX_MESSAGE_BYTES = 1 << 16

#: Where the text of a move begins in its frame.
_MOVE_AT = HEADER.size + len(MOVE)


class Language(Protocol):
    """A language: it tells where each message ends."""

    #: The likely fault of a player that gives no answer in time, and of an answer that does not
    #: end.
    late: ClassVar[str]
    unended: ClassVar[str]

    def cut(self, unread: bytearray) -> bytes | None:
        """Take the first message of the player's from the bytes that came, None if it is not whole.

        Raises Forfeited ``protocol`` if it is too long.
        """


class TextLanguage:
    """Lines of text, for programs."""

    late: ClassVar[str] = "is every answer flushed?"
    unended: ClassVar[str] = ": does it end its line?"

    def cut(self, unread: bytearray) -> bytes | None:
        """Return the first line, without its end."""
        end = unread.find(b"\n")
        if (len(unread) if end < 0 else end) > MAX_MESSAGE_BYTES:
            raise Forfeited("protocol", f"wrote a line of more than {MAX_MESSAGE_BYTES} bytes")
        if end < 0:
            return None
        line = bytes(unread[:end])
        del unread[: end + 1]
        return line.removesuffix(b"\r")


class Frames:
    """Frames, between the arena and its shim."""

    late: ClassVar[str] = "it was still busy"
    unended: ClassVar[str] = ""

    def tell(self, message: protocol.Message) -> bytes:
        """Return the message as JSON in a frame. Its number is the ``id``, 0 without one."""
        return frame(message.get("id", 0), json.dumps(message).encode("ascii"))

    def move(self, number: int, position: InfoState, clocks: Clocks | None = None) -> bytes:
        """Return the position, and the time if there are clocks: the shim has the rules."""
        if clocks is not None:
            return self.tell(protocol.move(number, position, clocks))
        return frame(number, MOVE + str(position).encode())

    def cut(self, unread: bytearray) -> bytes | None:
        """Return the first frame, with its number."""
        if len(unread) < HEADER.size:
            return None
        length, _ = HEADER.unpack_from(unread)
        if length > MAX_MESSAGE_BYTES:
            wrote = protocol.answer_text(bytes(unread))
            raise Forfeited("protocol", f"wrote {wrote}, which is not a frame")
        end = HEADER.size + length
        if len(unread) < end:
            return None
        whole = bytes(unread[:end])
        del unread[:end]
        return whole

    def answer(self, message: bytes, number: int) -> AnswerFields:
        """Return a move, or the object in a frame."""
        _, answered_number = HEADER.unpack_from(message)
        if message.startswith(MOVE, HEADER.size):
            words = message[_MOVE_AT:].decode("utf-8", "backslashreplace")
            text, _, draws = words.partition(DRAWS)
            answer: AnswerFields = {"move": text, "draws": draws}
        else:
            answer = protocol.read_object(message[HEADER.size :])
        if answered_number != number:
            protocol.numbered({"id": answered_number}, number)
        return protocol.admitted(answer)


LINES = TextLanguage()
FRAMES = Frames()
