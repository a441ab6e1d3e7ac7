"""Calls over a distance: a large compiled function is called where it lies, and not copied into each of its callers.

Numba puts the code of everything that a function calls into that function, and compiles it there again. For a function
as large as the kernel's `play_on` that takes seconds for each caller. A caller that only knows its name takes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from flip7.compiled.loading import numba
from flip7.compiled.loading import numpy as np

cgutils: Any = import_module("numba.core.cgutils")  # all without types
extending: Any = import_module("numba.extending")
binding: Any = import_module("llvmlite.binding")


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes waiting that want to compile into the same folder: then they find there what they need."""
    try:
        import fcntl

        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except (ImportError, OSError):  # on Windows, or where nothing can be kept, everybody compiles
        yield
        return
    with lock:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Far:
    """A function of two records that returns nothing, to be called over a distance."""

    def __init__(self, *records: np.dtype[Any]) -> None:
        """`records` are what it takes."""
        self.types = tuple(numba.from_dtype(record) for record in records)
        self._function: Any = None
        self._symbol = ""
        self._loaded = False

    def load(self) -> None:
        """Compile the function, or read it from disk, and make it known. Before that no compiled caller may run."""
        if self._loaded:
            return
        folder = self._function.stats.cache_path
        with alone_in(Path(folder)) if folder else nullcontext():
            self._function.compile(self.types)
        compiled = self._function.overloads[self.types]
        address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
        binding.add_symbol(self._symbol, address)
        self._loaded = True

    def stand_for(self, function: Callable[..., Any], symbol: str) -> Callable[..., Any]:
        """Return what callers call in the function's place. With other records they get a copy of it.

        `symbol` is the name by which callers on disk know it: it has to tell apart whatever is compiled differently.
        """
        self._function, self._symbol = function, symbol
        types = self.types

        def type_jump(typing: Any, table: Any, bench: Any) -> Any:
            def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                kind = signature.return_type, signature.args
                shape = context.call_conv.get_function_type(*kind)
                callee = cgutils.get_or_insert_function(builder.module, shape, symbol)
                status, result = context.call_conv.call_function(builder, callee, *kind, arguments)
                with cgutils.if_unlikely(builder, status.is_error):
                    context.call_conv.return_status_propagate(builder, status)
                return result

            return numba.types.none(table, bench), emit

        jump: Any = extending.intrinsic(type_jump)

        def either(table: Any, bench: Any) -> None:
            """Stand for both ways."""

        def far_way(table: Any, bench: Any) -> None:
            jump(table, bench)

        def near_way(table: Any, bench: Any) -> None:
            function(table, bench)

        def way(table: Any, bench: Any) -> Any:
            return far_way if (table, bench) == types else near_way

        extending.overload(either)(way)

        def stub(table: Any, bench: Any) -> None:
            either(table, bench)

        compiled: Callable[..., Any] = numba.njit(nogil=True)(stub)
        return compiled
