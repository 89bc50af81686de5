"""What the modules of this room share of C: the bits of words, and tuples of a class."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    static CYTHON_INLINE PyObject *arena_new_tuple(PyObject *kind, Py_ssize_t size) {
        return ((PyTypeObject *) kind)->tp_alloc((PyTypeObject *) kind, size);
    }
    """
    #: A tuple of a class without its own ``__new__``. All its items are to be set.
    object new_tuple "arena_new_tuple"(object, Py_ssize_t)
    int popcount "__builtin_popcountll"(uint64_t) nogil
    #: The places of the lowest bit and of zeros above the highest one, of a word that is not 0.
    int lowest "__builtin_ctzll"(uint64_t) nogil
    int leading "__builtin_clzll"(uint64_t) nogil

cdef extern from "Python.h":
    bint PyLong_CheckExact(object)
    bint PyLong_Check(object)
    uint64_t PyLong_AsUnsignedLongLong(object) except? 0xFFFFFFFFFFFFFFFF
    long PyLong_AsLongAndOverflow(object, int*) except? -1
    object PyLong_FromUnsignedLongLong(uint64_t)
    int PyErr_CheckSignals() except -1
