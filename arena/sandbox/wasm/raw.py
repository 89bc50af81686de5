"""Call WebAssembly modules by the C functions of wasmtime: its Python classes take ten times as
long.

An instance belongs to the process and the thread that made it.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from weakref import finalize

from arena.errors import UsageError

#: What installs wasmtime.
INSTALL = "pip install 'proving-arena[wasm]'"

#: Bytes of the stack of a module, and what the thread that runs it must have.
MAX_STACK = 512 << 10
MIN_THREAD_STACK = 2 << 20

#: Elements of all tables of a module, and the tables that it may have.
MAX_ELEMENTS, MAX_MODULE_TABLES = 100_000, 8

#: Fuel that a draw costs: about as much as a module uses in the time that arena takes for it.
DRAW_FUEL = 10_000

#: The module and the name of the function that arena offers.
IMPORT = ("arena", "random")


class NoRoom(Exception):
    """The machine has no room for an instance: no fault of the module."""


class Trap(Exception):
    """A module's code ended by a fault. ``is_out_of_fuel`` if it may not compute on."""

    def __init__(self, problem: str, is_out_of_fuel: bool = False) -> None:
        super().__init__(problem)
        self.problem, self.is_out_of_fuel = problem, is_out_of_fuel


def wasmtime() -> Any:
    """Return the library. Raises UsageError without it."""
    try:
        import wasmtime
    except ImportError:
        raise UsageError(f"WebAssembly needs wasmtime, which is not installed: {INSTALL}") from None
    return wasmtime


@cache
def engine_version() -> str:
    """Return the name and the version of the engine, which fuel depends on."""
    try:
        return f"wasmtime {version('wasmtime')}"
    except PackageNotFoundError:
        return "wasmtime"


def engine() -> Any:
    """Return the engine of this process. Raises UsageError without wasmtime.

    It is deterministic: not-a-number has one bit pattern, and what may differ from machine to
    machine is switched off.
    """
    return _engine(os.getpid())


@cache
def _engine(_process: int) -> Any:
    library = wasmtime()
    _require_stack()
    config = library.Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    config.max_wasm_stack = MAX_STACK
    config.parallel_compilation = False
    # A process has one handler a signal, and other libraries replace it: faults come by checks.
    library._ffi.wasmtime_config_signals_based_traps_set(config.ptr(), False)
    for proposal in ("threads", "relaxed_simd", "memory64", "multi_memory", "gc", "exceptions"):
        setattr(config, f"wasm_{proposal}", False)
    engine = library.Engine(config)
    atexit.register(engine.close)  # later its module has no functions any more
    return engine


def _require_stack() -> None:
    """Raise UsageError if the stack of a thread here may be too small for a module."""
    sizes = [threading.stack_size()]
    with suppress(ImportError):  # Windows has no such limits
        import resource

        sizes.append(resource.getrlimit(resource.RLIMIT_STACK)[0])
    if any(0 < size < MIN_THREAD_STACK for size in sizes):
        most = MIN_THREAD_STACK >> 10
        raise UsageError(f"WebAssembly needs a stack of {most} KiB: ulimit -s {most} allows it")


class Code:
    """A compiled module of this process, from which instances are made."""

    def __init__(self, compiled: bytes) -> None:
        """Take what the compiler of this machine wrote, and nothing else: it is machine code."""
        library = wasmtime()
        self._ffi = library._ffi
        self.engine = engine()
        linker = library.Linker(self.engine)
        _define_random(self._ffi, linker)
        module = library.Module.deserialize(self.engine, compiled)
        self._functions = {each.name for each in module.exports}
        self._pre = linker.instantiate_pre(module)
        finalize(self, _close, self._pre, module, linker)

    def exports(self, function: str) -> bool:
        """Return whether the module has a function of that name."""
        return function in self._functions

    def instance(self, memory: int, fuel: int) -> Instance:
        """Return a new instance with at most this many bytes of memory.

        Raises Trap if its own start fails, or takes more fuel.
        """
        return Instance(self._ffi, self.engine, self._pre, memory, fuel)


def _close(*parts: Any) -> None:
    for part in parts:
        part.close()


class Instance:
    """A module with a memory of its own."""

    def __init__(self, ffi: Any, engine: Any, pre: Any, memory: int, fuel: int) -> None:
        self._ffi = ffi
        self._trap = ctypes.POINTER(ffi.wasm_trap_t)()
        self._fuel = ctypes.c_uint64()
        self._words = (ffi.wasmtime_val_raw_t * 2)()
        #: Draws a number below another one; None outside of a call that may draw.
        self.draw: Callable[[int], int] | None = None
        #: What the draw raised.
        self.raised: BaseException | None = None
        no_end = ctypes.cast(0, ctypes.CFUNCTYPE(None, ctypes.c_void_p))
        store = ffi.wasmtime_store_new(engine.ptr(), None, no_end)
        #: Frees its memory, once.
        self.close = finalize(self, ffi.wasmtime_store_delete, store)
        ffi.wasmtime_store_limiter(store, memory, MAX_ELEMENTS, 1, MAX_MODULE_TABLES, 1)
        self._context = ffi.wasmtime_store_context(store)
        self._engine = engine  # which outlives its stores
        self.refuel(fuel)
        instance = ffi.wasmtime_instance_t()
        with _InstanceScope(self):
            error = ffi.wasmtime_instance_pre_instantiate(
                pre.ptr(), self._context, ctypes.byref(instance), ctypes.byref(self._trap)
            )
        try:
            self._check(error)
        except BaseException:
            self.close()
            raise
        self._exports = instance
        self._memory = self._export("memory").of.memory
        self._functions: dict[str, Any] = {}

    def refuel(self, fuel: int) -> None:
        """Give it this much fuel, and no more."""
        self._ffi.wasmtime_context_set_fuel(self._context, fuel)

    @property
    def fuel(self) -> int:
        """The fuel that is left."""
        self._ffi.wasmtime_context_get_fuel(self._context, ctypes.byref(self._fuel))
        return self._fuel.value

    def call(self, name: str, *numbers: int) -> int:
        """Call a function with at most two numbers, and return its result, 0 if it has none.

        Raises Trap for a fault of the module, and what the draw raises.
        """
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._export(name).of.func
        words = self._words
        for place, number in enumerate(numbers):
            words[place].i32 = number
        with _InstanceScope(self):
            error = self._ffi.wasmtime_func_call_unchecked(
                self._context, ctypes.byref(function), words, 2, ctypes.byref(self._trap)
            )
        if error or self._trap:
            self._check(error)
        return int(words[0].i32)

    def write(self, place: int, data: bytes) -> None:
        """Write into its memory. Raises Trap if it has no such place."""
        size = self._ffi.wasmtime_memory_data_size(self._context, ctypes.byref(self._memory))
        if not 0 <= place <= size - len(data):
            raise Trap(f"has its buffer at {place}, outside of its memory of {size} bytes")
        base = self._ffi.wasmtime_memory_data(self._context, ctypes.byref(self._memory))
        ctypes.memmove(ctypes.addressof(base.contents) + place, data, len(data))

    def _export(self, name: str) -> Any:
        item, text = self._ffi.wasmtime_extern_t(), name.encode()
        is_there = self._ffi.wasmtime_instance_export_get(
            self._context, ctypes.byref(self._exports), text, len(text), ctypes.byref(item)
        )
        assert is_there, name  # the compiler has looked
        return item

    def _check(self, error: Any) -> None:
        """Raise what ended a call."""
        trap, self._trap = self._trap, ctypes.POINTER(self._ffi.wasm_trap_t)()
        raised, self.raised = self.raised, None
        library = wasmtime()
        failure = library.WasmtimeError._from_ptr(error) if error else None
        fault = library.Trap._from_ptr(trap) if trap else None
        if raised is not None:
            raise raised
        if failure is not None:
            raise NoRoom(cause(str(failure)))
        if fault is None:
            return
        code = getattr(fault, "trap_code", None)
        is_out_of_fuel = code is not None and code.name == "OUT_OF_FUEL"
        raise Trap(_problem(str(fault), code), is_out_of_fuel) from None


#: What a fault is called, by the names of wasmtime.
TRAP_WORDS = {
    "STACK_OVERFLOW": "fills its stack",
    "MEMORY_OUT_OF_BOUNDS": "reaches outside of its memory",
    "HEAP_MISALIGNED": "reaches its memory at an odd place",
    "TABLE_OUT_OF_BOUNDS": "reaches outside of a table",
    "INDIRECT_CALL_TO_NULL": "calls a function that is not there",
    "BAD_SIGNATURE": "calls a function of another type",
    "INTEGER_OVERFLOW": "computes a number that is too large",
    "INTEGER_DIVISION_BY_ZERO": "divides by zero",
    "BAD_CONVERSION_TO_INTEGER": "turns what is no number into an integer",
    "UNREACHABLE": "gives up (unreachable)",
    "OUT_OF_FUEL": "uses up its fuel",
}


def _problem(text: str, code: Any) -> str:
    """Return what was wrong: by its code, or the last line of what wasmtime says."""
    if code is not None and code.name in TRAP_WORDS:
        return TRAP_WORDS[code.name]
    return cause(text)


def cause(text: str) -> str:
    """Return the last line of what wasmtime says, which has the cause."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("0: ") if lines else "fails"


class _ThreadInstance(threading.local):
    """The instance that runs in this thread."""

    instance: Instance | None = None


_current = _ThreadInstance()


class _InstanceScope:
    """Note which instance runs, for the draws that it asks for."""

    __slots__ = ("_before", "_instance")

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def __enter__(self) -> None:
        self._before, _current.instance = _current.instance, self._instance

    def __exit__(self, *_: object) -> None:
        _current.instance = self._before


def _define_random(ffi: Any, linker: Any) -> None:
    """Offer ``random(n)``: a number from 0 to n - 1, as arena draws it."""

    def random(_: Any, caller: Any, words: Any, _count: int) -> int:
        instance = _current.instance
        assert instance is not None
        try:
            _charge(ffi, ffi.wasmtime_caller_context(caller))
            words[0].i32 = _drawn(instance, words[0].i32)
        except BaseException as error:
            instance.raised = error
            trap = ffi.wasmtime_trap_new(ctypes.create_string_buffer(b"raised"), 6)
            return ctypes.cast(trap, ctypes.c_void_p).value or 0
        return 0

    library = wasmtime()
    number = library.ValType.i32()
    kind = library.FuncType([number], [number])
    called = ffi.wasmtime_func_unchecked_callback_t(random)
    module, name = (word.encode() for word in IMPORT)
    no_end = ctypes.cast(0, ctypes.CFUNCTYPE(None, ctypes.c_void_p))
    ffi.wasmtime_linker_define_func_unchecked(
        linker.ptr(), module, len(module), name, len(name), kind.ptr(), called, None, no_end
    )
    linker.arena_random = called  # it must live as long


def _drawn(instance: Instance, below: int) -> int:
    if instance.draw is None:
        raise Trap("draws before the game")
    if below < 1:
        raise Trap(f"draws a number below {below}")
    return instance.draw(below)


def _charge(ffi: Any, context: Any) -> None:
    """Take the fuel of a draw. Raises Trap if there is too little."""
    fuel = ctypes.c_uint64()
    ffi.wasmtime_context_get_fuel(context, ctypes.byref(fuel))
    if fuel.value < DRAW_FUEL:
        ffi.wasmtime_context_set_fuel(context, 0)
        raise Trap(TRAP_WORDS["OUT_OF_FUEL"], is_out_of_fuel=True)
    ffi.wasmtime_context_set_fuel(context, fuel.value - DRAW_FUEL)
