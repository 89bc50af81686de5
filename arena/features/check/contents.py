"""Read an object and everything that it leads to, as a list that compares.

Two objects with equal lists hold the same, as far as Python can tell: in attributes and slots, in
containers, buffers and iterators, in the closures and defaults of functions, in classes that are
made during play, and in which of their parts are one object.

Containers are read by what they are. Any other object has attributes. What it holds beside them,
written in C, is what it would be pickled with, or its buffer. An object that has neither cannot be
read.
"""

from __future__ import annotations

import copyreg
import random
import re
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CellType,
    ClassMethodDescriptorType,
    CodeType,
    CoroutineType,
    EllipsisType,
    FrameType,
    FunctionType,
    GeneratorType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    TracebackType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple

from arena.game import Game, Observation, Position

#: How a part is reached: an index, the key of an item, or Python behind the path.
Name = int | tuple[Any] | str
NamedParts = Iterable[tuple[Name, Any]]

#: Values that lead to nothing else, and are compared.
_PLAIN = frozenset(
    {int, str, bytes, bool, type(None), range, CodeType, EllipsisType, type(NotImplemented)}
)

#: Classes of objects that hold the variables of a running function.
_RUNNING = (GeneratorType, CoroutineType, AsyncGeneratorType, FrameType, TracebackType)

#: The package of what arena adapts, and the classes that are read there all the same.
_ADAPTERS, _OF_GAMES = "arena.plugins.", (Game, Observation, Position)

#: Attributes of classes that tell nothing of a game: the ways to the others, and what Python notes.
_OF_CLASSES = frozenset(
    {"__dict__", "__weakref__", "__doc__", "__annotations__", "__annotations_cache__", "_abc_impl"}
)

#: A part of a repr() that is another one for every object.
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")

#: Bytes of a slot.
_WORD = 8

#: The flag of classes that are made at run time, as all are that are written in Python.
_MADE_AT_RUN_TIME = 1 << 9


class Contents(NamedTuple):
    """What an object leads to."""

    #: For each object its class and its parts, values or numbers of other objects.
    records: list[list[Any]]
    #: The objects, and for each the number of another that leads to it, and how.
    things: list[Any]
    steps: list[tuple[int, Name]]
    names: list[list[Name]]
    #: The numbers of objects to which no path may lead, with what they are.
    forbidden: list[tuple[int, str]]
    #: The numbers of objects that cannot be read.
    closed: list[int]

    def path(self, number: int, *more: Name) -> str:
        """Return how an object is reached, in Python."""
        names = [*reversed(more)]
        while number:
            number, name = self.steps[number]
            names.append(name)
        return "observation" + "".join(map(_written, reversed(names)))

    def difference(self, other: Contents) -> str:
        """Return the path to the first part that differs, empty if all are equal."""
        for number, (mine, others) in enumerate(zip(self.records, other.records, strict=False)):
            if mine != others:
                for name, part, its in zip(self.names[number], mine[1:], others[1:], strict=False):
                    if part != its:
                        return self.path(number, name)
                return self.path(number)
        return ""


def _written(name: Name) -> str:
    return name if isinstance(name, str) else f"[{name!r}]" if type(name) is int else _key(name)


def _key(name: Any) -> str:
    return f"[{name[0]!r}]"


class _Shape(NamedTuple):
    """How the objects of a class are read."""

    word: str
    #: The slots and other members, and whether there are attributes beside them.
    members: tuple[tuple[str, MemberDescriptorType], ...]
    has_attributes: bool
    #: The class that holds something beside them, and what reads that.
    solid: type
    read: Callable[[Any], NamedParts] | None
    is_game: bool
    is_seen: bool
    #: What it is, if no path may lead to it.
    forbidden: str
    #: Whether the class can be found by its name.
    is_found: bool
    #: Whether it is how arena keeps another system, which is in the state of some game.
    is_adapter: bool


class ObservationReader:
    """Reads observations of a seat.

    Where ``around`` is read too, the reader goes on into the rules, into classes, and into what
    functions name: those of the packages in ``own_packages``, and of modules that are not
    installed.
    """

    def __init__(
        self, seat: int, own_packages: frozenset[str] = frozenset(), most: int = 0
    ) -> None:
        self.seat, self.own_packages, self.most = seat, own_packages, most
        self._shapes: dict[type, _Shape] = {}

    def read(self, root: Any, around: bool = False) -> Contents:
        """Return what an object leads to, of the surroundings the nearest ``most`` objects."""
        contents = Contents([], [root], [(0, "")], [], [], [])
        records, things, steps, names, *_ = contents
        numbers = {id(root): 0}
        for number, thing in enumerate(things):  # it grows
            shape = self._shape(type(thing))
            record: list[Any] = [shape.word]
            reached: list[Name] = []
            if not number or around or not self._is_forbidden(contents, number, shape):
                try:
                    for name, part in self._parts(thing, shape, around):
                        reached.append(name)
                        value = _value(part)
                        if value is None and not around and self._shape(type(part)).is_game:
                            value = part.name  # all seats have the rules
                        if value is None:
                            value = numbers.get(id(part))
                            if value is None and not (around and len(things) > self.most):
                                value = numbers[id(part)] = len(things)
                                things.append(part)
                                steps.append((number, name))
                        record.append(value)
                except _UnreadableObject:
                    contents.closed.append(number)
            records.append(record)
            names.append(reached)
        return contents

    def _is_forbidden(self, contents: Contents, number: int, shape: _Shape) -> bool:
        kind = shape.forbidden
        if shape.is_seen and (seat := contents.things[number].seat) != self.seat:
            kind = f"the observation of seat {seat}"
        if kind:
            contents.forbidden.append((number, kind))
        return bool(kind)

    def _parts(self, thing: Any, shape: _Shape, around: bool) -> Iterator[tuple[Name, Any]]:
        if around and shape.is_adapter:
            return
        if shape.read is not None:
            yield from shape.read(thing)
        elif shape.solid is FunctionType:
            yield from self._of_function(thing, around)
        elif issubclass(shape.solid, type):
            yield from self._of_class(thing, around)
            return
        for name, member in shape.members:
            try:
                yield f".{name}", member.__get__(thing)
            except AttributeError:
                yield f".{name}", member  # a slot that is not set
        if shape.has_attributes:
            attributes = getattr(thing, "__dict__", None) or {}
            yield ".__dict__", tuple(attributes)
            for name, part in attributes.items():
                yield f".{name}", part
        if not shape.is_found or (around and self._is_near(type(thing))):
            yield ".__class__", type(thing)

    def _of_function(self, function: FunctionType, around: bool) -> Iterator[tuple[Name, Any]]:
        yield ".__qualname__", f"{function.__module__}.{function.__qualname__}"
        is_own = around and self._is_own(function)
        if not is_own and _is_found(function):
            return
        yield ".__code__", function.__code__
        for index, cell in enumerate(function.__closure__ or ()):
            yield f".__closure__[{index}].cell_contents", cell
        yield ".__defaults__", function.__defaults__
        yield ".__kwdefaults__", function.__kwdefaults__
        for name in _named(function.__code__) if is_own else ():
            if name in function.__globals__:
                yield f".__globals__[{name!r}]", function.__globals__[name]

    def _of_class(self, kind: type, around: bool) -> Iterator[tuple[Name, Any]]:
        yield ".__qualname__", f"{kind.__module__}.{kind.__qualname__}"
        if not (around and self._is_near(kind)) and _is_found(kind):
            return
        yield ".__bases__", kind.__bases__
        yield ".__dict__", tuple(vars(kind))
        for name, part in vars(kind).items():
            if name not in _OF_CLASSES:
                yield f".{name}", part

    def _is_near(self, kind: type) -> bool:
        return _package(kind) == "arena" or self._is_own(kind)

    def _is_own(self, thing: Any) -> bool:
        return _package(thing) in self.own_packages or _is_local(str(thing.__module__))

    def _shape(self, kind: type) -> _Shape:
        shape = self._shapes.get(kind)
        if shape is None:
            shape = _shape(kind)
            if shape.is_found:  # a class that is made during play would keep what it holds
                self._shapes[kind] = shape
        return shape


class _UnreadableObject(Exception):
    """Raised for an object that cannot be read."""


def _value(part: Any) -> Any:
    """Return a value that leads to nothing else as one that compares, None for another one."""
    kind = type(part)
    if kind in _PLAIN:
        return kind, part
    if kind is float or kind is complex:  # 0.0 equals -0.0
        return kind, repr(part)
    if kind is tuple and _PLAIN.issuperset(kinds := tuple(map(type, part))):
        return kinds, part
    return None


def _shape(kind: type) -> _Shape:
    solid = _solid(kind)
    members = {
        name: member
        for base in reversed(kind.__mro__)
        if base not in _WITHOUT_MEMBERS
        for name, member in vars(base).items()
        if isinstance(member, MemberDescriptorType)
    }
    return _Shape(
        f"{kind.__module__}.{kind.__qualname__}",
        tuple(members.items()),
        kind.__dictoffset__ != 0 and not issubclass(kind, ModuleType),
        solid,
        _reader(solid),
        issubclass(kind, Game),
        issubclass(kind, Observation),
        _forbidden(kind),
        not kind.__flags__ & _MADE_AT_RUN_TIME or _is_found(kind),
        str(kind.__module__).startswith(_ADAPTERS) and not issubclass(kind, _OF_GAMES),
    )


def _forbidden(kind: type) -> str:
    """Say what the objects of a class are, if no path may lead to them."""
    if issubclass(kind, Position):
        return "a position"
    draws = hasattr(kind, "shuffle") and hasattr(kind, "random")  # NumPy's too, and others'
    if draws or issubclass(kind, random.Random) or hasattr(kind, "random_raw"):
        return "a generator"
    return "the variables of a function that runs" if issubclass(kind, _RUNNING) else ""


def _solid(kind: type) -> type:
    """Return the nearest class whose objects hold something that is no attribute of theirs."""
    base = kind
    while (parent := base.__base__) is not None:
        facts = vars(base)
        seen = sum(isinstance(fact, MemberDescriptorType) for fact in facts.values())
        seen += ("__dict__" in facts) + ("__weakref__" in facts)
        if base.__basicsize__ > parent.__basicsize__ + _WORD * seen or (
            base.__itemsize__ != parent.__itemsize__
        ):
            return base
        base = parent
    return base


def _is_found(thing: Any) -> bool:
    """Return whether a class or a function can be found in its module by its name."""
    value: Any = sys.modules.get(thing.__module__ or "")
    for name in thing.__qualname__.split("."):
        value = getattr(value, name, None)
    return value is thing


def _package(thing: Any) -> str:
    return str(thing.__module__).partition(".")[0]


@lru_cache(maxsize=1000)
def _is_local(module: str) -> bool:
    """Return whether a module is neither Python's nor arena's, nor in a folder of packages."""
    package = module.partition(".")[0]
    if package == "arena" or package in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    if not isinstance(file, str):
        return package == "__main__"
    return {"site-packages", "dist-packages"}.isdisjoint(Path(file).parts)


def _named(code: CodeType) -> list[str]:
    """Return the names of globals, and of attributes, that a function and those in it name."""
    inner = (name for const in code.co_consts if type(const) is CodeType for name in _named(const))
    return [*code.co_names, *inner]


def _of_dict(thing: dict[Any, Any]) -> Iterator[tuple[Name, Any]]:
    for key, item in dict.items(thing):
        yield ".keys()", key
        yield (key,), item


def _of_tuple(thing: tuple[Any, ...]) -> NamedParts:
    names = getattr(type(thing), "_fields", ())  # of a named tuple
    named = [f".{name}" for name in names] if len(names) == len(thing) else range(len(thing))
    return zip(named, tuple.__iter__(thing), strict=True)


def _of_set(thing: set[Any]) -> NamedParts:
    return ((".pop()", item) for item in sorted(thing, key=_sortable))


def _sortable(item: object) -> str:
    return ADDRESS.sub("", repr(item))


def _of_exception(thing: BaseException) -> Iterator[tuple[Name, Any]]:
    yield ".args", thing.args
    for name in ("__cause__", "__context__", "__traceback__"):
        yield f".{name}", getattr(thing, name)


def _attributes(*names: str) -> Callable[[Any], NamedParts]:
    return lambda thing: [(f".{name}", getattr(thing, name)) for name in names]


def _called(words: str, call: Callable[[Any], Any]) -> Callable[[Any], NamedParts]:
    """Return what reads an object by a function of it."""
    return lambda thing: [(words, call(thing))]


def _of_cell(thing: CellType) -> NamedParts:
    try:
        return [("", thing.cell_contents)]
    except ValueError:  # it is empty
        return ()


def _buffered(thing: Any) -> NamedParts:
    with memoryview(thing) as view:
        if view.format in ("O", "P"):
            raise TypeError("it has addresses")
        return [(".format", view.format), (".shape", view.shape), ("", view.tobytes())]


def _reduced(solid: type) -> Callable[[Any], NamedParts]:
    """Return what reads objects by their buffer, or by what they are pickled with."""
    words = ".__reduce_ex__(2)"
    reduce: Callable[[Any], Any] | None = copyreg.dispatch_table.get(solid)
    if reduce is None:  # that of a subclass may leave things out
        every = (vars(base) for base in solid.__mro__)
        facts = next(each for each in every if "__reduce_ex__" in each or "__reduce__" in each)
        by_version = facts.get("__reduce_ex__")
        reduce = facts["__reduce__"] if by_version is None else lambda thing: by_version(thing, 2)

    def read(thing: Any) -> NamedParts:
        try:
            return _buffered(thing)
        except (TypeError, ValueError, BufferError):
            pass
        try:
            reduced = reduce(thing)
            parts = [reduced] if isinstance(reduced, str) else [*reduced]
            parts[3:] = [[*part] for part in parts[3:] if part is not None]  # they are iterators
        except Exception as error:
            raise _UnreadableObject from error
        return [(f"{words}[{index}]", part) for index, part in enumerate(parts)]

    return read


_BY_MEMBERS = _attributes()
_DESCRIBED = _attributes("__objclass__", "__name__")

#: What reads the objects of some classes, beside their attributes.
_READERS: dict[type, Callable[[Any], NamedParts]] = {
    object: _BY_MEMBERS,
    dict: _of_dict,
    list: lambda thing: enumerate(list.__iter__(thing)),
    tuple: _of_tuple,
    deque: lambda thing: enumerate(deque.__iter__(thing)),
    set: _of_set,
    frozenset: _of_set,
    int: _called("", lambda thing: int.__int__(thing)),
    float: _called("", lambda thing: float.__float__(thing)),
    complex: _called("", lambda thing: complex.__add__(thing, 0j)),
    str: _called("", lambda thing: str.__str__(thing)),
    BaseException: _of_exception,
    MappingProxyType: _called(".copy()", dict),
    type({}.keys()): _called(".mapping", lambda thing: dict(thing.mapping)),
    type({}.values()): _called(".mapping", lambda thing: dict(thing.mapping)),
    type({}.items()): _called(".mapping", lambda thing: dict(thing.mapping)),
    weakref.ReferenceType: _called("()", lambda thing: thing()),
    CellType: _of_cell,
    ModuleType: _attributes("__name__"),
    MethodType: _attributes("__self__", "__func__"),
    BuiltinFunctionType: _attributes("__self__", "__qualname__"),
    MethodWrapperType: _attributes("__self__", "__name__"),
    MethodDescriptorType: _DESCRIBED,
    ClassMethodDescriptorType: _DESCRIBED,
    WrapperDescriptorType: _DESCRIBED,
    GetSetDescriptorType: _DESCRIBED,
    MemberDescriptorType: _DESCRIBED,
    staticmethod: _BY_MEMBERS,
    classmethod: _BY_MEMBERS,
    property: _BY_MEMBERS,
}

#: Classes whose members are read otherwise, or lead away from what an object holds.
_WITHOUT_MEMBERS = frozenset(
    {FunctionType, type, ModuleType, MethodType, BuiltinFunctionType, MemberDescriptorType}
)


def _reader(solid: type) -> Callable[[Any], NamedParts] | None:
    """Return what reads the objects of a class, None for functions and classes."""
    if solid is FunctionType or issubclass(solid, type):
        return None
    readers = (_READERS.get(base) for base in solid.__mro__ if base is not object)
    return next(filter(None, readers), None) or (
        _BY_MEMBERS if solid is object else _reduced(solid)
    )
