"""Operations of every kind and form, made from their types, for the tests of what the client takes as one."""

from __future__ import annotations

import itertools
import types
import typing
from collections.abc import Iterator
from typing import Any, Literal, Union

import msgspec
import pytest

import flip7
from flip7.scorekeeper.model.operations import AnyOperation


def values(hint: Any) -> list[Any]:
    """Some values of a type, with every alternative that it has, as JSON has them."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return list(arguments)
    if origin in (Union, types.UnionType):
        return [value for one in arguments for value in values(one)]
    if origin is list or (origin is tuple and arguments[1:] == (...,)):
        return [[], values(arguments[0])]
    if origin is tuple:
        return [list(row) for row in itertools.product(*map(values, arguments))]
    if origin is dict:
        return [{}, *({"0": value} for value in values(arguments[1]))]
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return list(structs(hint))
    plain: dict[Any, list[Any]] = {int: [0, 7], str: ["", "ä"], bool: [False, True], flip7.Card: ["7", "freeze"]}
    return [None] if hint is type(None) else plain[hint]


def structs(struct: type[msgspec.Struct]) -> Iterator[dict[str, Any]]:
    """The values of a type of structs: every value of every field, one after the other."""
    tag = (
        {str(struct.__struct_config__.tag_field): struct.__struct_config__.tag} if struct.__struct_config__.tag else {}
    )
    fields = {name: values(hint) for name, hint in typing.get_type_hints(struct).items()}
    first = tag | {name: some[0] for name, some in fields.items()}
    return (first | {name: value} for name, some in fields.items() for value in some)


def taken() -> list[list[object]]:
    """Operations as they may come, most of them with what may be left out left out, and as they are kept."""
    pairs: list[list[object]] = []
    for struct in typing.get_args(AnyOperation):
        optional = [field.name for field in msgspec.structs.fields(struct) if not field.required]
        for whole in structs(struct):
            short = {name: value for name, value in whole.items() if name not in optional}
            pairs += [[one, msgspec.to_builtins(msgspec.convert(one, AnyOperation))] for one in (whole, short)]
    return pairs


def refused() -> list[object]:
    """What is no operation: a field too many, one too few, or one of another type. Python refuses all of it."""
    some: list[object] = [None, [], "undo", {}, {"kind": "Step", "do": "stay"}, {"kind": "none"}]
    for struct in typing.get_args(AnyOperation):
        whole = next(structs(struct))
        needed = [field.name for field in msgspec.structs.fields(struct) if field.required]
        some += [{other: value for other, value in whole.items() if other != name} for name in ["kind", *needed]]
        some += [whole | {name: {"no": {}}} for name in [*whole, "more"]]
    for wrong in some:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, AnyOperation)
    return some


def files() -> list[str]:
    """Matches as Python saves them."""
    match = flip7.Match(["Ana", "Ben", "Zoë"], target=60)
    match.enter([20, "bust", ["7", "x2", "+4"]])
    match.enter_some({1: 30})
    begun = match.to_json()
    match.enter_some({0: 41, 2: 12})
    match.rename(2, "Cho")
    return [begun, match.to_json()]
