from libc.stdint cimport uint64_t


cdef class Bits:
    #: The bits that are left, and the first ones.
    cdef uint64_t[4] words, first
    #: How many are left.
    cdef int left

    cdef uint64_t take(self, int k) noexcept
    cdef object _take(self, int k)


cdef int begin_streams(object first, object second, object name) except -1
