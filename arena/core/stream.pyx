# cython: language_level=3, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of what a stream is asked most often, and of what begins those of a game.

A stream stays the ``random.Random`` that it is in Python, and notes its draws in the same list. Only
the bits that it holds ready are words here, and not one long int.
"""

import random
from hashlib import blake2b

cimport cython
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.object cimport PyObject
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from arena.core.words cimport leading

cdef extern from *:
    """
    #include <structmember.h>  /* PyMemberDef, before Python 3.12 */
    static CYTHON_INLINE int arena_is_a(PyObject *thing, PyObject *kind) {
        return PyObject_TypeCheck(thing, (PyTypeObject *) kind);
    }
    static CYTHON_INLINE Py_ssize_t arena_offset(PyObject *slot) {
        return Py_TYPE(slot) == &PyMemberDescr_Type
            ? ((PyMemberDescrObject *) slot)->d_member->offset : 0;
    }
    #define arena_slot(thing, offset) ((PyObject **) ((char *) (thing) + (offset)))
    """
    bint is_a "arena_is_a"(object, object)
    Py_ssize_t offset_of "arena_offset"(object)
    PyObject** slot_at "arena_slot"(object, Py_ssize_t)

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object, Py_ssize_t*) except NULL

PURE = {}

cdef object PYTHON = random.Random

cdef enum:
    READY_BITS = 256

#: One more than the largest number that begins a stream.
cdef object LIMIT = 1 << 256

cdef extern from *:
    """
    /* As in Modules/_randommodule.c of CPython, which nothing exports. */
    typedef struct { PyObject_HEAD int index; uint32_t state[624]; } ArenaTwister;
    static CYTHON_INLINE int arena_is_twister(PyObject *kind) {
        return ((PyTypeObject *) kind)->tp_basicsize == sizeof(ArenaTwister);
    }
    static CYTHON_INLINE char *arena_state(PyObject *twister) {
        return (char *) &((ArenaTwister *) twister)->index;
    }
    enum { ARENA_STATE_BYTES = sizeof(ArenaTwister) - sizeof(PyObject) };
    """
    bint is_twister "arena_is_twister"(object)
    char* state_of "arena_state"(object)
    Py_ssize_t STATE_BYTES "ARENA_STATE_BYTES"


def global_state():
    """Return the state of Python's global generator: its words, and what a Gauss has left."""
    generator = random._inst
    if type(generator) is not PYTHON or not is_twister(PYTHON.__mro__[1]):
        return PURE["global_state"]()
    return state_of(generator)[:STATE_BYTES], generator.gauss_next


#: The class of streams, and where its objects have their slots.
cdef object _stream = None
cdef Py_ssize_t _bits = 0, _first_bits = 0, _draws = 0


def add_kind(kind):
    """Take this class for that of streams."""
    global _stream, _bits, _first_bits, _draws
    names = vars(kind)
    _bits, _first_bits = offset_of(names["_bits"]), offset_of(names["_first_bits"])
    _draws = offset_of(names["draws"])
    owners = {names[name].__objclass__ for name in ("_bits", "_first_bits", "draws")}
    if not (_bits and _first_bits and _draws) or owners != {kind} or not issubclass(kind, PYTHON):
        _stream = None
        raise TypeError("the class is no generator with slots")
    _stream = kind


cdef class Bits:
    """The bits that a stream holds ready."""

    def __bool__(self):
        return True

    @cython.binding(False)  # which would take any object for one of this class
    def to_bytes(self, size, order):
        """Return the first bits as bytes."""
        return (<const char*> self.first)[: READY_BITS // 8]

    cdef uint64_t take(self, int k) noexcept:
        """Return the next 0 to 64 bits, which are there."""
        cdef uint64_t bits
        cdef int i
        self.left -= k
        if k == 64:
            bits = self.words[0]
            for i in range(3):
                self.words[i] = self.words[i + 1]
            self.words[3] = 0
            return bits
        bits = self.words[0] & ((<uint64_t> 1 << k) - 1)
        if k:
            for i in range(3):
                self.words[i] = self.words[i] >> k | self.words[i + 1] << (64 - k)
            self.words[3] >>= k
        return bits

    cdef object _take(self, int k):
        """Return the next bits, which are there, as one number."""
        cdef object bits = 0
        cdef int done = 0, part
        while done < k:
            part = min(64, k - done)
            bits |= (<object> self.take(part)) << done
            done += part
        return bits


cdef Bits _ready(object stream):
    """Return the bits of a stream, None if Python answers for it."""
    cdef PyObject* bits
    cdef PyObject* draws
    if _stream is None or not is_a(stream, _stream):
        return None
    bits = slot_at(stream, _bits)[0]
    if bits == NULL or type(<object> bits) is not Bits:
        return None
    draws = slot_at(stream, _draws)[0]
    if draws == NULL or type(<object> draws) is not list:
        _hand_over(stream, <Bits> bits)
        return None
    return <Bits> bits


cdef int _hand_over(object stream, Bits bits) except -1:
    """Have Python go on with a stream, which has its bits as one number there."""
    cdef object rest = int.from_bytes((<const char*> bits.words)[: READY_BITS // 8], "little")
    _put(stream, _first_bits, int.from_bytes(bits.to_bytes(32, ""), "little"))
    _put(stream, _bits, rest | (<object> 1) << bits.left)
    return 0


cdef int _note(object stream, object draw) except -1:
    """Note a draw of a stream whose bits are ready."""
    (<list> slot_at(stream, _draws)[0]).append(draw)
    return 0


cdef int _put(object stream, Py_ssize_t offset, object value) except -1:
    """Set a slot."""
    cdef PyObject** slot = slot_at(stream, offset)
    cdef PyObject* before = slot[0]
    Py_INCREF(value)
    slot[0] = <PyObject*> value
    Py_XDECREF(before)
    return 0


cdef int _restart(object stream, const uint64_t* words) except -1:
    """Restart a stream, which is one of the class of streams, as ``begin`` does."""
    cdef dict state = stream.__dict__
    cdef Bits bits = _ready(stream)
    if len(state) != 1 or state.get("gauss_next", 0) is not None:
        state.clear()
        state["gauss_next"] = None
    if bits is None:
        bits = Bits.__new__(Bits)
        _put(stream, _bits, bits)
    _put(stream, _first_bits, bits)
    _put(stream, _draws, [])
    memcpy(bits.words, words, READY_BITS // 8)
    memcpy(bits.first, words, READY_BITS // 8)
    bits.left = READY_BITS
    return 0


def begin_one(self, first_bits):
    cdef uint64_t[4] words
    cdef bytes content
    if (
        _stream is None or not is_a(self, _stream) or type(first_bits) is not int
        or not 0 <= first_bits < LIMIT
    ):
        return PURE["begin_one"](self, first_bits)
    content = first_bits.to_bytes(READY_BITS // 8, "little")
    memcpy(words, <const char*> content, READY_BITS // 8)
    _restart(self, words)


def first_bits(self):
    cdef Bits bits = _ready(self)
    if bits is None:
        return PURE["first_bits"](self)
    return int.from_bytes(bits.to_bytes(32, ""), "little") if bits.left == READY_BITS else None


def getrandbits(self, k, /):
    cdef Bits bits = _ready(self)
    cdef int number
    if bits is None:
        return PURE["getrandbits"](self, k)
    if type(k) is not int or not 0 <= k <= bits.left:
        _hand_over(self, bits)
        return PURE["getrandbits"](self, k)
    number = k
    _note(self, -number)
    return bits.take(number) if number <= 64 else bits._take(number)


cdef bint _below(Bits bits, Py_ssize_t n, Py_ssize_t* drawn) noexcept:
    """Draw one of n numbers. Return whether the bits suffice."""
    cdef int k
    cdef uint64_t number
    if n <= 0:
        return False
    k = 64 - leading(n)
    while bits.left >= k:
        number = bits.take(k)
        if number < <uint64_t> n:
            drawn[0] = number
            return True
    return False


cdef int _place(object stream, Bits bits, Py_ssize_t n, Py_ssize_t* drawn) except -1:
    """Draw one of n numbers and note it. Return 1, or 0 if the bits do not suffice."""
    if not _below(bits, n, drawn):
        return 0
    _note(stream, n)
    return 1


def choice(self, seq):
    cdef Py_ssize_t drawn = 0, n
    cdef Bits bits
    # Nobody else decides the lengths of these.
    if type(seq) is tuple or type(seq) is list or type(seq) is range or type(seq) is str:
        n = len(seq)
        bits = _ready(self)
        if bits is not None and _place(self, bits, n, &drawn):
            return (<tuple> seq)[drawn] if type(seq) is tuple else seq[drawn]
    else:
        bits = _ready(self)
    if bits is not None:
        _hand_over(self, bits)
    return PURE["choice"](self, seq)


def randbelow(self, n):
    cdef Py_ssize_t drawn = 0
    cdef Bits bits = _ready(self)
    if bits is None:
        return PURE["randbelow"](self, n)
    if type(n) is int and 0 < n < 1 << 62 and _place(self, bits, n, &drawn):
        return drawn
    _hand_over(self, bits)
    return PURE["randbelow"](self, n)


# BLAKE2b of one block, by RFC 7693: a library's takes three times as long to call.

cdef uint64_t[8] IV
IV[0], IV[1] = 0x6A09E667F3BCC908, 0xBB67AE8584CAA73B
IV[2], IV[3] = 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1
IV[4], IV[5] = 0x510E527FADE682D1, 0x9B05688C2B3E6C1F
IV[6], IV[7] = 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179

cdef unsigned char[12][16] SIGMA
for _i, _row in enumerate((
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
)):
    for _j, _word in enumerate(_row):
        SIGMA[_i][_j] = _word


cdef inline uint64_t _turned(uint64_t word, int bits) noexcept:
    return word >> bits | word << (64 - bits)


cdef inline void _mix(
    uint64_t* v, int a, int b, int c, int d, uint64_t x, uint64_t y
) noexcept:
    v[a] = v[a] + v[b] + x
    v[d] = _turned(v[d] ^ v[a], 32)
    v[c] = v[c] + v[d]
    v[b] = _turned(v[b] ^ v[c], 24)
    v[a] = v[a] + v[b] + y
    v[d] = _turned(v[d] ^ v[a], 16)
    v[c] = v[c] + v[d]
    v[b] = _turned(v[b] ^ v[c], 63)


cdef void _digest_block(
    const char* text, Py_ssize_t size, uint64_t* digest, int digest_size
) noexcept:
    """Write the eight words of a BLAKE2b digest of at most 128 bytes, of which it has so many."""
    cdef uint64_t[16] block, v
    cdef int i
    cdef unsigned char* s
    memset(block, 0, 128)
    memcpy(block, text, size)
    for i in range(8):
        digest[i] = v[i] = v[i + 8] = IV[i]
    digest[0] ^= 0x01010000 ^ digest_size
    v[0] = digest[0]
    v[12] ^= <uint64_t> size
    v[14] = ~v[14]
    for i in range(12):
        s = SIGMA[i]
        _mix(v, 0, 4, 8, 12, block[s[0]], block[s[1]])
        _mix(v, 1, 5, 9, 13, block[s[2]], block[s[3]])
        _mix(v, 2, 6, 10, 14, block[s[4]], block[s[5]])
        _mix(v, 3, 7, 11, 15, block[s[6]], block[s[7]])
        _mix(v, 0, 5, 10, 15, block[s[8]], block[s[9]])
        _mix(v, 1, 6, 11, 12, block[s[10]], block[s[11]])
        _mix(v, 2, 7, 8, 13, block[s[12]], block[s[13]])
        _mix(v, 3, 4, 9, 14, block[s[14]], block[s[15]])
    for i in range(8):
        digest[i] ^= v[i] ^ v[i + 8]


cdef int _digest(object name, uint64_t* digest, int digest_size) except -1:
    """Write the words of the digest of a name."""
    cdef Py_ssize_t size = 0
    cdef const char* text = PyUnicode_AsUTF8AndSize(name, &size)
    cdef bytes content
    if size <= 128:
        _digest_block(text, size, digest, digest_size)
    else:
        content = blake2b(text[:size], digest_size=digest_size).digest()
        memcpy(digest, <const char*> content, digest_size)
    return 0


def drawn_below(name, n):
    cdef uint64_t[8] digest
    cdef Py_ssize_t drawn = 0
    cdef Bits bits
    if type(name) is str and type(n) is int and 0 < n < 1 << 62:
        _digest(name, digest, READY_BITS // 8)
        bits = Bits.__new__(Bits)
        memcpy(bits.words, digest, READY_BITS // 8)
        bits.left = READY_BITS
        if _below(bits, n, &drawn):
            return drawn
    return PURE["drawn_below"](name, n)


cdef int begin_streams(object first, object second, object name) except -1:
    """Restart the streams of the two sides in the game of that name."""
    cdef uint64_t[8] digest
    _digest(name, digest, 64)
    if _stream is None or type(first) is not _stream or type(second) is not _stream:
        raise TypeError("not two streams")
    _restart(first, digest)
    _restart(second, digest + 4)
    return 0


def begin(streams, name):
    first, second = streams
    if type(first) is not _stream or type(second) is not _stream or type(name) is not str:
        return PURE["begin"](streams, name)
    begin_streams(first, second, name)
