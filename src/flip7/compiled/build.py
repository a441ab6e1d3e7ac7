"""The rules compiled: the very same source, loaded a second time and handed to Numba."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from flip7 import rules
from flip7.compiled.far import Far
from flip7.compiled.loading import NumbaError as NumbaError
from flip7.compiled.loading import numba
from flip7.compiled.loading import numpy as np
from flip7.rules.table import LAYOUT

Functions = Mapping[str, Callable[..., Any]]

DEFINITIONS = tuple(importlib.import_module(f"flip7.rules.{name}") for name in rules.DEFINITIONS)
"""Modules that hold names and numbers only; they are shared by both builds."""

RULES = tuple(importlib.import_module(f"flip7.rules.{name}") for name in rules.PLAYED)
"""The modules whose functions are compiled, each after those it imports."""

Layout = Mapping[str, tuple[str, tuple[int, ...]]]
"""The fields of what both builds know: the width of its numbers in the compiled build, and its shape there."""


def record_type(layout: Layout) -> np.dtype[Any]:
    """Return the type of a NumPy record, with the field names of the interpreted object."""
    return np.dtype([(name, kind, shape) for name, (kind, shape) in layout.items()], align=True)


TABLE = record_type(LAYOUT)
"""A table as a NumPy record."""


def to_records(plain: Sequence[object], layout: Layout = LAYOUT) -> np.ndarray[Any, Any]:
    """Return an array of records that hold what tables (or benches, or counts) hold in lists.

    A layout may have room for less than the lists: what does not fit is left out, so it has to be of no account.
    """
    records = np.zeros(len(plain), record_type(layout))
    for record, source in zip(records, plain, strict=True):
        for name, (_, shape) in layout.items():
            value = getattr(source, name)
            if not shape:
                record[name] = value
            elif len(value) > 0:
                value = value[: shape[0]]
                inner = (slice(len(value)),) if len(shape) == 1 else (slice(len(value)), slice(len(value[0])))
                record[name][inner] = value
    return records


def from_record(record: Any, plain: object, layout: Layout = LAYOUT) -> None:
    """Read a record back into the lists of the object that it was made from. Where it has less room, they keep theirs.

    The layout gives the names; the record may have others beside them.
    """
    for name, (_, shape) in layout.items():
        value = record[name].tolist()
        if shape:
            before = getattr(plain, name)
            value = value[: len(before)] + before[len(value) :]
        setattr(plain, name, value)


def silent(table: Any, kind: int, seat: int, card: int, other: int, ruling: int) -> None:
    """What stands in for `note` in the compiled build: nobody listens."""


def compile_modules(
    modules: Sequence[ModuleType] = (),
    replace: Functions | None = None,
    constants: Mapping[str, object] | None = None,
    shared: Sequence[ModuleType] = (),
    far: Mapping[str, Far] | None = None,
    given: Sequence[ModuleType] = (),
) -> dict[str, ModuleType]:
    """Load the rules and further modules a second time, with every function of theirs compiled.

    `modules` come in the order of their imports and are written like the rules: numbers, arrays and each other; those
    functions that a module names in `APART` are not copied into their callers.
    `replace` puts other functions in the place of those with these names, as the hook for events is replaced by
    nothing, and `constants` other values for the constants of the modules: what they rule out is not compiled. `shared`
    are modules of names and numbers that both builds use. Functions named in `far` are called
    over a distance, once they are loaded. `given` are modules of another build, which are taken as they are.
    Returns the compiled modules by the last part of their name.
    Numba compiles a function when it is first called and keeps it on disk.
    """
    originals = [sys.modules[twin.__name__] for twin in given]
    all_modules = [module for module in (*RULES, *modules) if module not in originals]
    substitutes: dict[str, Callable[..., Any]] = {"note": silent, **(replace or {})}
    settings = dict(constants or {})
    twins: dict[str, ModuleType] = {}
    ingredients = (*substitutes.values(), *settings.items())
    folder = cache_folder((*shared, *given, *all_modules), ingredients)
    with kept_in(folder), _swapped((*originals, *all_modules)):
        for twin in given:
            _register(twin)
        for module in all_modules:
            twin = _load(module)
            for name in settings.keys() & vars(twin).keys():
                setattr(twin, name, settings[name])
            for name, value in list(vars(twin).items()):
                if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                    apart = name in getattr(twin, "APART", ())
                    compiled = compile_function(substitutes.get(name, value), inline=not apart)
                    if far and name in far:
                        compiled = far[name].stand_for(compiled, f"flip7_{name}_{folder.name}")
                    setattr(twin, name, compiled)
            twins[_last(module)] = twin
    return twins


def compile_function(function: Callable[..., Any], *, inline: bool = True) -> Callable[..., Any]:
    """Compile one function in the way of the rules: without the interpreter's lock, inlined, kept on disk.

    Floating-point arithmetic stays as it is written, so that both builds agree to the last digit.
    """
    if hasattr(function, "py_func"):
        return function
    # What was typed at a prompt is in no file, and what is no module's cannot be found again from disk.
    kept = Path(function.__code__.co_filename).is_file() and function.__module__ in sys.modules
    compiled: Callable[..., Any] = numba.njit(nogil=True, error_model="numpy", forceinline=inline, cache=kept)(function)
    return compiled


def on_disk(function: Callable[..., Any]) -> bool:
    """Return whether a compiled function has been kept on this machine's disk."""
    compiled: Any = function
    name = f"{compiled.py_func.__module__.rpartition('.')[2]}.{compiled.py_func.__qualname__}"
    return any(Path(compiled.stats.cache_path).glob(f"{name}-*.nbi"))


def compile_with_callees(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function from outside together with the functions that it calls by name, the rules' own among them."""
    known: dict[int, Callable[..., Any]] = {}

    def compiled(plain: FunctionType) -> Callable[..., Any]:
        if id(plain) not in known:
            names = dict(plain.__globals__)
            copy = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
            copy.__qualname__ = plain.__qualname__
            known[id(plain)] = compile_function(copy)
            for name in plain.__code__.co_names:
                callee = names.get(name)
                if isinstance(callee, FunctionType):
                    names[name] = compiled(callee)
        return known[id(plain)]

    return compiled(function) if isinstance(function, FunctionType) else compile_function(function)


def compile_for_table(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function of a table, with those that it calls, at once. Raises `NumbaError` if that fails."""
    compiled: Any = compile_with_callees(function)
    compiled.compile((numba.from_dtype(TABLE),))
    result: Callable[..., Any] = compiled
    return result


KNOWN_BY_VERSION = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite"}


def cache_folder(modules: Sequence[ModuleType], ingredients: Sequence[object] = ()) -> Path:
    """Return where compiled code is kept: a folder named by all that it is made of, since Numba looks at one file only.

    `ingredients` are functions and values that come from elsewhere than the modules.
    """
    settings = (numba.__version__, np.__version__, sys.version, numba.config.BOUNDSCHECK)  # type: ignore[attr-defined]
    digest = hashlib.sha256(repr(settings).encode())
    for module in (*DEFINITIONS, *modules):
        digest.update(Path(str(module.__file__)).read_bytes())
    for own in (Path(__file__), Path(__file__).with_name("far.py")):
        digest.update(own.read_bytes())
    seen: set[int] = set()
    for ingredient in ingredients:
        for part in _ingredients(ingredient, seen):
            digest.update(part)
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if not os.access(base if base.exists() else base.parent, os.W_OK):
        base = Path(tempfile.gettempdir())
    return base / "flip7" / digest.hexdigest()[:16]


def _ingredients(value: Any, seen: set[int]) -> Iterator[bytes]:
    """Yield what the compiled form of a function depends on: its code, and whatever it names, functions included."""
    value = getattr(value, "py_func", value)
    if id(value) in seen:
        return
    if isinstance(value, FunctionType):
        seen.add(id(value))
        yield str(value.__module__).encode()  # by which it is found again
        for part in (value.__code__, value.__defaults__, value.__kwdefaults__):
            yield from _ingredients(part, seen)
        for cell in value.__closure__ or ():
            yield from _ingredients(cell.cell_contents, seen)
        names = list(_names(value.__code__))
        for name in names:
            yield from _named(value.__globals__.get(name), names, seen)
    elif isinstance(value, CodeType):
        yield value.co_code + repr((value.co_names, value.co_varnames)).encode()
        for constant in value.co_consts:
            yield from _ingredients(constant, seen)
    elif isinstance(value, ModuleType):
        seen.add(id(value))
        if file := getattr(value, "__file__", None):
            yield Path(file).read_bytes()
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype.descr} {value.shape} ".encode() + value.tobytes()  # repr would leave most of it out
    elif isinstance(value, tuple | list | dict):
        yield f"{type(value).__name__} {len(value)}".encode()
        for item in value.items() if isinstance(value, dict) else value:
            yield from _ingredients(item, seen)
    else:
        yield re.sub(" at 0x[0-9a-f]+", "", repr(value)).encode()


def _named(value: Any, names: Sequence[str], seen: set[int]) -> Iterator[bytes]:
    """Yield the same for what code looks up by name: of a module, also those of its parts that the code names.

    What belongs to Python, NumPy or Numba is known by their versions.
    """
    yield from _ingredients(value, seen)
    if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in KNOWN_BY_VERSION:
        for name in names:
            part = vars(value).get(name)
            inner = isinstance(part, ModuleType) and part.__name__.startswith(f"{value.__name__}.")
            yield from _named(part, names, seen) if inner else _ingredients(part, seen)


def _names(code: CodeType) -> Iterator[str]:
    """Return the names that code looks up, those of the functions inside it included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Functions that are compiled meanwhile are kept on disk in this folder, and those of other programs are not."""
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


@contextmanager
def _swapped(modules: Sequence[ModuleType]) -> Iterator[None]:
    """While the second copies are made, imports between them must find each other and not the first ones."""
    try:
        yield
    finally:
        for module in modules:
            _register(module)


def _load(module: ModuleType) -> ModuleType:
    spec = importlib.util.spec_from_file_location(module.__name__, module.__file__)
    if spec is None or spec.loader is None:
        raise ImportError(f"{module.__name__}: its source is needed for compiling")
    twin = importlib.util.module_from_spec(spec)
    _register(twin)
    spec.loader.exec_module(twin)
    return twin


def _register(module: ModuleType) -> None:
    sys.modules[module.__name__] = module
    setattr(sys.modules[module.__name__.rpartition(".")[0]], _last(module), module)


def _last(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]
