"""Memory that is fetched before it is needed: the processor goes on meanwhile."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from flip7.compiled.loading import numba

cgutils: Any = import_module("numba.core.cgutils")  # all without types
extending: Any = import_module("numba.extending")
arrays: Any = import_module("numba.np.arrayobj")
ir: Any = import_module("llvmlite.ir")

LINE = 64  # bytes that come together


def _type_fetch(typing: Any, array: Any, first: Any, count: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        number = context.get_value_type(numba.types.intp)
        size = number(context.get_abi_sizeof(context.get_data_type(array_type.dtype)))
        first, count = (
            context.cast(builder, value, kind, numba.types.intp)
            for value, kind in zip(arguments[1:], signature.args[1:], strict=True)
        )
        data = builder.ptrtoint(arrays.make_array(array_type)(context, builder, arguments[0]).data, number)
        begin = builder.add(data, builder.mul(first, size))
        end = builder.add(begin, builder.mul(count, size))
        small = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, small, small, small])
        prefetch = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        with cgutils.for_range_slice(builder, begin, end, number(LINE), number) as (at, _):
            for_writing, stays, data_not_code = small(1), small(3), small(1)
            builder.call(prefetch, [builder.inttoptr(at, cgutils.voidptr_t), for_writing, stays, data_not_code])
        return context.get_dummy_value()

    return numba.types.none(array, first, count), emit


_fetch: Any = extending.intrinsic(_type_fetch)


def fetch(array: Any, first: int, count: int) -> None:
    """Begin to fetch n items of an array, for writing. Items beyond its end do no harm."""
    _fetch(array, first, count)
