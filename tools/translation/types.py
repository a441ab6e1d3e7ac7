"""The types that can be translated: what Python's annotations mean, and how TypeScript writes them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """A type: `int`, `bool`, `str`, `none`, `object`, `list` or `dict` of others, a union, a literal or a record."""

    kind: str
    of: tuple[Type, ...] = ()
    name: str = ""

    def member(self, *kinds: str) -> Type | None:
        """Return the only part of a union that is of these kinds, or the type itself if it is."""
        found = [part for part in (self.of if self.kind == "union" else (self,)) if part.kind in kinds]
        return found[0] if len(found) == 1 else None

    @property
    def parts(self) -> tuple[Type, ...]:
        """What a union is made of; any other type is made of itself."""
        return self.of if self.kind == "union" else (self,)

    @property
    def scalar(self) -> bool:
        """Whether two values of it are equal in both languages alike."""
        return all(part.kind in SCALARS for part in self.parts)


SCALARS = ("int", "bool", "str", "literal", "none")
INT, BOOL, STR, NONE, OBJECT = (Type(kind) for kind in ("int", "bool", "str", "none", "object"))
TABLE = Type("record", name="Table")
CARD = Type("str", name="Card")
SIMPLE = {"int": INT, "bool": BOOL, "str": STR, "None": NONE, "object": OBJECT}
WRITTEN = {"int": "number", "bool": "boolean", "str": "string", "none": "null", "object": "unknown"}


def list_of(element: Type) -> Type:
    return Type("list", (element,))


def dict_of(value: Type) -> Type:
    return Type("dict", (value,))


def union(parts: list[Type]) -> Type:
    """Return the union of types, without repetitions."""
    flat = list(dict.fromkeys(inner for part in parts for inner in part.parts))
    return flat[0] if len(flat) == 1 else Type("union", tuple(flat))


def read(node: ast.expr, named: Callable[[str], Type | None]) -> Type | None:
    """Return what an annotation means; `named` knows the names that a module gives to types. `None` if nothing."""

    def inner(part: ast.expr) -> Type | None:
        return read(part, named)

    match node:
        case ast.Constant(value=None):
            return NONE
        case ast.Name(id=name):
            return SIMPLE.get(name) or named(name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            both = [inner(left), inner(right)]
            return union([part for part in both if part]) if all(both) else None
        case ast.Subscript(value=ast.Name(id="list"), slice=element):
            known = inner(element)
            return list_of(known) if known else None
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[element, ast.Constant(value=value)])):
            known = inner(element) if value is ... else None
            return list_of(known) if known else None
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=elements)):
            known_elements = [inner(element) for element in elements]
            return Type("tuple", tuple(part for part in known_elements if part)) if all(known_elements) else None
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), value])):
            known = inner(value)
            return dict_of(known) if known else None
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            values = choices.elts if isinstance(choices, ast.Tuple) else [choices]
            texts = [
                value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)
            ]
            return union([Type("literal", name=text) for text in texts]) if len(texts) == len(values) else None
    return None


def written(kind: Type, names: dict[Type, str] | None = None) -> str:
    """Return the type in TypeScript. A union that has a name is called by it."""
    names = names or {}
    if kind in names:
        return names[kind]
    match kind.kind:
        case "literal":
            return json.dumps(kind.name)
        case "record":
            return kind.name
        case "list":
            inner = written(kind.of[0], names)
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case "tuple":
            return f"[{', '.join(written(part, names) for part in kind.of)}]"
        case "dict":
            return f"Map<string, {written(kind.of[0], names)}>"
        case "union":
            for named, name in names.items():
                if named.kind == "union" and set(named.of) < set(kind.of):
                    rest = [part for part in kind.of if part not in named.of]
                    return " | ".join([name, *(written(part, names) for part in rest)])
            return " | ".join(written(part, names) for part in kind.of)
    return kind.name or WRITTEN[kind.kind]


def shape(kind: Type) -> object:
    """Return the type as data, by which a program can check what it is sent."""
    match kind.kind:
        case "literal":
            return {"is": kind.name}
        case "list":
            return {"list": shape(kind.of[0])}
        case "dict":
            return {"map": shape(kind.of[0])}
        case "tuple":
            return {"row": [shape(part) for part in kind.of]}
        case "union":
            return {"any": [shape(part) for part in kind.of]}
        case "record":
            return {"record": kind.name}
    return "card" if kind == CARD else kind.kind
