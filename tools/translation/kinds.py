"""The types of the expressions of restricted Python, as far as they are known at a place."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable
from typing import Self

from tools.translation import types
from tools.translation.module import Module, Record, loaded, table_fields
from tools.translation.types import BOOL, INT, NONE, STR, Type, list_of

EMPTY = Type("empty")


class Kinds:
    """Whatever has names with types: it can tell the type of an expression."""

    def __init__(self, module: Module, known: dict[str, Type]) -> None:
        self.module = module
        self.known = known
        self.narrowed: dict[str, Type] = {}

    def kind(self, node: ast.expr) -> Type:
        """Return the type of an expression."""
        found = self.find_kind(node)
        if found is None:
            raise self.module.refuse(node, f"the type of {ast.unparse(node)!r} is not known")
        return found

    def find_kind(self, node: ast.expr) -> Type | None:
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in self.narrowed:
            return self.narrowed[ast.unparse(node)]
        match node:
            case ast.Constant(value=bool()) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return BOOL
            case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub()):
                return INT
            case ast.Constant(value=str()) | ast.JoinedStr():
                return STR
            case ast.Constant(value=None):
                return NONE
            case ast.Name(id=name):
                return self.known.get(name) or self.constant_kind(name)
            case ast.Attribute():
                return self.attribute_kind(node)
            case ast.Subscript(value=owner, slice=ast.Slice()):
                return self.kind(owner)
            case ast.Subscript(value=owner, slice=index):
                whole = self.kind(owner).member("list", "dict", "tuple")
                if whole is not None and whole.kind == "tuple":
                    place = index.value if isinstance(index, ast.Constant) else None
                    return whole.of[place] if isinstance(place, int) else None
                return whole.of[0] if whole else None
            case ast.BinOp(left=left):
                return self.kind(left)
            case ast.BoolOp(values=[first, *_]):
                return self.kind(first)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return types.union([self.given(test, True).kind(body), self.given(test, False).kind(orelse)])
            case ast.List(elts=[]):
                return EMPTY
            case ast.List(elts=[first, *_]):
                return list_of(self.kind(first))
            case ast.Tuple(elts=elements):
                return Type("tuple", tuple(map(self.kind, elements)))
            case ast.Dict(keys=[], values=[]):
                return EMPTY
            case ast.Dict(values=[first, *_]):
                return types.dict_of(self.kind(first))
            case ast.ListComp(
                elt=element, generators=[ast.comprehension(target=ast.Name(id=name), iter=source, ifs=ifs)]
            ):
                inner = self.inside(name, source)
                for test in ifs:
                    inner = inner.given(test, True)
                return list_of(inner.kind(element))
            case ast.Call():
                return self.call_kind(node)
        return None

    def constant_kind(self, name: str) -> Type | None:
        value = getattr(self.module.values, name, None)
        if isinstance(value, bool):
            return None
        if isinstance(value, int):
            return INT
        if isinstance(value, str):
            return STR
        if name == "CARDS":
            return list_of(types.CARD)
        if isinstance(value, tuple):
            return list_of(STR if value and isinstance(value[0], str) else INT)
        return list_of(INT) if name == "STANDARD" else None

    def record_of(self, kind: Type) -> list[Record]:
        found = [self.module.find_record(part.name) for part in kind.parts if part.kind == "record"]
        return [record for record in found if record is not None]

    def attribute_kind(self, node: ast.Attribute) -> Type | None:
        if (
            isinstance(node.value, ast.Name)
            and node.value.id in self.module.modules
            and node.value.id not in self.known
        ):
            home = self.module.modules[node.value.id]
            return Kinds(loaded(home), {}).constant_kind(node.attr)
        kind = self.kind(node.value)
        if kind.member("record") == types.TABLE:
            return table_fields().get(node.attr)
        found = {record.fields[node.attr] for record in self.record_of(kind) if node.attr in record.fields}
        return types.union(sorted(found, key=str)) if found else None

    def call_kind(self, node: ast.Call) -> Type | None:
        match node.func:
            case ast.Name(id="len" | "sum" | "min" | "max" | "ord"):
                return INT
            case ast.Name(id="isinstance" | "any" | "all"):
                return BOOL
            case ast.Name(id="sorted" | "list" | "tuple"):
                return list_of(self.element(node.args[0]))
            case ast.Name(id="dict"):
                return self.kind(node.args[0])
            case ast.Name(id="str"):
                return STR
            case ast.Name(id="Table"):
                return types.TABLE
            case ast.Name(id=name) if self.module.find_record(name) is not None:
                return Type("record", name=name)
            case ast.Name(id=name):
                signature = self.module.find_signature(name)
                return signature.returns if signature else None
            case ast.Attribute(value=ast.Name(id=home), attr=name) if home in self.module.modules:
                signature = loaded(self.module.modules[home]).signatures.get(name)
                return signature.returns if signature else None
            case ast.Attribute(value=owner, attr="get"):
                value = self.kind(owner).of[0]
                return value if len(node.args) == 2 else types.union([value, NONE])
            case ast.Attribute(value=owner, attr="pop"):
                return self.kind(owner).of[0]
            case ast.Attribute(value=owner, attr="copy"):
                return self.kind(owner)
            case ast.Attribute(value=owner, attr="keys"):
                return list_of(STR)
            case ast.Attribute(value=owner, attr="values"):
                return list_of(self.kind(owner).of[0])
        return None

    def element(self, node: ast.expr) -> Type:
        """Return what a list, a text or the keys of a dict are made of."""
        kind = self.kind(node).member("list", "dict", "str")
        if kind is None:
            raise self.module.refuse(node, f"{ast.unparse(node)!r} is nothing to go through")
        return kind.of[0] if kind.kind == "list" else STR

    def inside(self, name: str, source: ast.expr) -> Self:
        """Return the names inside a comprehension."""
        inner = copy.copy(self)
        inner.known = {**self.known, name: self.element(source)}
        return inner

    def given(self, test: ast.expr, holds: bool) -> Self:
        """Return what is known where a test holds, or does not."""
        inner = copy.copy(self)
        inner.narrowed = {**self.narrowed, **self.learned(test, holds)}
        return inner

    def learned(self, test: ast.expr, holds: bool) -> dict[str, Type]:
        """Return the types that a test implies if it holds, or if it does not."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.learned(operand, not holds)
            case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) == holds:
                found: dict[str, Type] = {}
                for value in values:
                    found |= self.learned(value, holds)
                return found
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name() | ast.Attribute() as what, which]):
                name = ast.unparse(which)
                return self.split(what, lambda part: name in (part.kind, part.name) and part.kind != "str", holds)
            case ast.Compare(left=ast.Name() | ast.Attribute() as what, ops=[ast.Is()], comparators=[_]):
                return self.split(what, lambda part: part == NONE, holds)
            case ast.Compare(left=ast.Name() | ast.Attribute() as what, ops=[ast.IsNot()], comparators=[_]):
                return self.split(what, lambda part: part != NONE, holds)
        return {}

    def split(self, node: ast.expr, wanted: Callable[[Type], bool], holds: bool) -> dict[str, Type]:
        parts = [part for part in self.kind(node).parts if wanted(part) == holds]
        return {ast.unparse(node): types.union(parts)} if parts else {}

    def forget(self, name: str) -> None:
        """A name has a new value: what tests have told of the old one no longer holds."""
        own = {text: kind for text, kind in self.narrowed.items() if re.split(r"[.\[(]", text)[0] != name}
        self.narrowed = own
