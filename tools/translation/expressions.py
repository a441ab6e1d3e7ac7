"""The expressions of restricted Python, and what they become."""

from __future__ import annotations

import ast
import json
from importlib import import_module

from tools.translation import types
from tools.translation.kinds import Kinds
from tools.translation.module import loaded, spelled
from tools.translation.types import BOOL, INT

BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
CALLED: dict[type[ast.operator], str] = {ast.FloorDiv: "floordiv", ast.Mod: "modulo"}
ORDERED: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
EQUAL: dict[type[ast.cmpop], str] = {ast.Eq: "===", ast.NotEq: "!==", ast.Is: "===", ast.IsNot: "!=="}
CHECKED = {"int": "typeof {} === 'number'", "str": "typeof {} === 'string'", "list": "Array.isArray({})"}


class Expressions(Kinds):
    """Whatever has names with types: it can translate an expression."""

    def condition(self, node: ast.expr) -> str:
        """Return an expression that is true or false: nothing else is taken for either."""
        if isinstance(node, ast.BoolOp):
            parts, before = [], self.narrowed
            for value in node.values:
                parts.append(self.condition(value))
                self.narrowed = {**self.narrowed, **self.learned(value, isinstance(node.op, ast.And))}
            self.narrowed = before
            return "(" + (" && " if isinstance(node.op, ast.And) else " || ").join(parts) + ")"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!({bare(self.condition(node.operand))})"
        if self.kind(node) not in (BOOL, INT):
            raise self.module.refuse(node, f"{ast.unparse(node)!r} is neither true nor false")
        return self.expression(node)

    def no_negative(self, node: ast.expr) -> None:
        if isinstance(node, ast.UnaryOp):
            raise self.module.refuse(node, "a negative index means something else")

    def expression(self, node: ast.expr) -> str:
        module = self.module
        match node:
            case ast.Constant(value=bool() as value):
                return str(value).lower()
            case ast.Constant(value=int() as value):
                return str(value)
            case ast.Constant(value=str() as value):
                return json.dumps(value, ensure_ascii=False)
            case ast.Constant(value=None):
                return "null"
            case ast.JoinedStr(values=values):
                return "`" + "".join(map(self.piece, values)) + "`"
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"-{self.expression(operand)}"
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
                return self.condition(node)
            case ast.BinOp():
                return self.binary(node)
            case ast.Compare():
                return self.compare(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, no = self.given(test, True).expression(body), self.given(test, False).expression(orelse)
                return f"({self.condition(test)} ? {yes} : {no})"
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return "[" + ", ".join(map(self.listed, elements)) + "]"
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                rows = [f"[{bare(self.expression(k))}, {bare(self.expression(v))}]" for k, v in pairs if k is not None]
                if len(rows) < len(keys):
                    raise module.refuse(node, "** in a dict cannot be translated")
                return f"new Map([{', '.join(rows)}])" if rows else "new Map()"
            case ast.ListComp(generators=[ast.comprehension(target=ast.Name(id=name), iter=source, ifs=ifs)]):
                inner = self.inside(name, source)
                text = self.spread(source)
                for test in ifs:
                    text += f".filter(({spelled(name)}) => {bare(inner.condition(test))})"
                    inner = inner.given(test, True)
                if isinstance(node.elt, ast.Name) and node.elt.id == name and ifs:
                    return text
                return f"{text}.map(({spelled(name)}) => {bare(inner.expression(node.elt))})"
            case ast.Call():
                return self.call(node)
        raise module.refuse(node, f"{ast.unparse(node)!r} cannot be translated")

    def listed(self, node: ast.expr) -> str:
        if isinstance(node, ast.Starred):
            return f"...{self.spread(node.value)}"
        return bare(self.expression(node))

    def spread(self, node: ast.expr) -> str:
        """Return what can be gone through, as an array."""
        kind = self.kind(node).member("list", "dict", "str")
        if kind is not None and kind.kind == "list":
            return self.expression(node)
        return f"[...{self.expression(node)}{'.keys()' if kind is not None and kind.kind == 'dict' else ''}]"

    def piece(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str() as text):
                return text.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                if not all(part.kind in ("int", "str", "literal") for part in self.kind(value).parts):
                    raise self.module.refuse(node, "only numbers and texts can be put into a text")
                return "${" + bare(self.expression(value)) + "}"
        raise self.module.refuse(node, f"{ast.unparse(node)!r} cannot be put into a text")

    def name(self, node: ast.AST, name: str) -> str:
        module = self.module
        if name in self.known:
            return spelled(name)
        if name in module.imported or name in module.signatures or hasattr(module.values, name):
            module.as_value.add(name)
            return spelled(name)
        raise module.refuse(node, f"{name} is not known here")

    def attribute(self, node: ast.Attribute) -> str:
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id in self.module.modules and owner.id not in self.known:
            if not hasattr(import_module(self.module.modules[owner.id]), node.attr):
                raise self.module.refuse(node, f"{owner.id} has no {node.attr}")
            return f"{owner.id}.{spelled(node.attr)}"
        if self.attribute_kind(node) is None:
            raise self.module.refuse(node, f"{ast.unparse(node)} is no field that is known")
        return f"{self.expression(owner)}.{node.attr}"

    def subscript(self, node: ast.Subscript) -> str:
        owner = self.expression(node.value)
        kind = self.kind(node.value).member("list", "dict", "tuple")
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None or kind is None or kind.kind != "list":
                raise self.module.refuse(node, "only a list can be cut, without steps")
            ends = [node.slice.lower or ast.Constant(value=0), *([node.slice.upper] if node.slice.upper else [])]
            for end in ends:
                self.no_negative(end)
            cut = ", ".join(bare(self.expression(end)) for end in ends)
            return f"{owner}.slice({'' if cut == '0' else cut})"
        if kind is None:
            raise self.module.refuse(node, f"{ast.unparse(node.value)!r} is no list and no dict")
        index = bare(self.expression(node.slice))
        if kind.kind == "dict":
            return f"{owner}.get({index}){self.module.sure()}"
        self.no_negative(node.slice)
        return f"{owner}[{index}]{self.module.sure()}"

    def binary(self, node: ast.BinOp) -> str:
        left, op, right = node.left, node.op, node.right
        if isinstance(left, ast.List) and isinstance(op, ast.Mult):
            if len(left.elts) != 1 or not self.kind(left.elts[0]).scalar:
                raise self.module.refuse(node, "only a list of one plain value can be repeated")
            return f"new Array({bare(self.expression(right))}).fill({bare(self.expression(left.elts[0]))})"
        kinds = (self.kind(left), self.kind(right))
        if isinstance(op, ast.Add) and all(kind.kind in ("list", "empty") for kind in kinds):
            return f"[...{self.expression(left)}, ...{self.expression(right)}]"
        if isinstance(op, ast.Add) and all(kind.kind == "str" for kind in kinds):
            return f"({self.expression(left)} + {self.expression(right)})"
        if not all(kind in (INT, BOOL) for kind in kinds):
            raise self.module.refuse(node, f"{ast.unparse(node)!r}: whole numbers are needed")
        if type(op) in BINARY:
            return f"({self.expression(left)} {BINARY[type(op)]} {self.expression(right)})"
        if type(op) in CALLED:
            self.module.helpers.add(CALLED[type(op)])
            return f"{CALLED[type(op)]}({self.expression(left)}, {self.expression(right)})"
        raise self.module.refuse(node, f"{ast.unparse(node)!r} cannot be translated")

    def compare(self, node: ast.Compare) -> str:
        sides = [node.left, *node.comparators]
        if any(not isinstance(side, ast.Name | ast.Constant) for side in sides[1:-1]):
            raise self.module.refuse(node, "what stands in the middle of a comparison must be a plain name")
        parts = [
            self.compared(node, left, op, right) for left, op, right in zip(sides, node.ops, sides[1:], strict=False)
        ]
        return parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"

    def compared(self, node: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        module = self.module
        if isinstance(op, ast.In | ast.NotIn):
            test = self.contains(node, left, right)
            return f"!{test}" if isinstance(op, ast.NotIn) else test
        if isinstance(op, ast.Is | ast.IsNot):
            if not (isinstance(right, ast.Constant) and right.value is None):
                raise module.refuse(node, "'is' goes with None")
            return f"{self.expression(left)} {EQUAL[type(op)]} null"
        kinds = (self.kind(left), self.kind(right))
        if type(op) in EQUAL:
            if not all(kind.scalar or kind.member("str", "int") for kind in kinds) or "record" in (
                k.kind for k in kinds
            ):
                raise module.refuse(node, f"{ast.unparse(node)!r}: only numbers and texts can be compared")
            return f"{self.expression(left)} {EQUAL[type(op)]} {self.expression(right)}"
        if not all(kind in (INT, BOOL) for kind in kinds):
            raise module.refuse(node, f"{ast.unparse(node)!r}: only numbers have an order in both languages")
        return f"{self.expression(left)} {ORDERED[type(op)]} {self.expression(right)}"

    def contains(self, node: ast.Compare, what: ast.expr, where: ast.expr) -> str:
        kind = self.kind(where).member("list", "dict", "tuple")
        if kind is None or (kind.kind == "list" and not kind.of[0].scalar):
            raise self.module.refuse(node, f"{ast.unparse(node)!r} cannot be translated")
        method = "has" if kind.kind == "dict" else "includes"
        owner = self.expression(where)
        if kind.kind != "dict" and self.module.typed_output:
            owner = f"({owner} as readonly unknown[])"
        return f"{owner}.{method}({bare(self.expression(what))})"

    def call(self, node: ast.Call) -> str:
        module = self.module
        match node.func:
            case ast.Name(id=name) if name not in self.known and name != "Table" and module.find_record(name):
                return self.construct(node, name)
            case ast.Name(id="isinstance"):
                return self.is_instance(node)
            case ast.Name(id="any" | "all" as test) if len(node.args) == 1:
                return self.any_or_all(node, test)
        if node.keywords:
            raise module.refuse(node, "names of arguments are for records")
        arguments = ", ".join(bare(self.listed(argument)) for argument in node.args)
        match node.func:
            case ast.Attribute(value=ast.Name(id=home), attr=name) if home in module.modules and home not in self.known:
                if name not in loaded(module.modules[home]).signatures:
                    raise module.refuse(node, f"{home} has no function {name}")
                return f"{home}.{spelled(name)}({arguments})"
            case ast.Attribute(value=owner, attr=method):
                return self.method(node, owner, method, arguments)
            case ast.Name(id="len"):
                kind = self.kind(node.args[0]).member("list", "dict")
                if kind is None:
                    raise module.refuse(node, "len() is of a list or a dict: texts are counted differently")
                return f"{arguments}.{'size' if kind.kind == 'dict' else 'length'}"
            case ast.Name(id="sum"):
                module.helpers.add("total")
                return f"total({arguments})"
            case ast.Name(id="min" | "max" as which) if len(node.args) > 1:
                return f"Math.{which}({arguments})"
            case ast.Name(id="ord"):
                return f"{arguments}.codePointAt(0){module.sure()}"
            case ast.Name(id="str") if self.kind(node.args[0]).kind in ("str", "int"):
                return f"String({arguments})"
            case ast.Name(id="list"):
                return f"[...{self.spread(node.args[0])}]"
            case ast.Name(id="tuple"):
                return self.spread(node.args[0])
            case ast.Name(id="dict") if self.kind(node.args[0]).kind == "dict":
                return f"new Map({arguments})"
            case ast.Name(id="sorted") if self.element(node.args[0]) == INT:
                return f"[...{self.spread(node.args[0])}].sort((a, b) => a - b)"
            case ast.Name(id="Table"):
                module.as_value.add("Table")
                return f"new Table({arguments})"
            case ast.Name(id=name) if name in module.signatures or name in module.imported:
                return f"{self.name(node, name)}({arguments})"
        raise module.refuse(node, f"{ast.unparse(node.func)} cannot be called here")

    def method(self, node: ast.Call, owner: ast.expr, method: str, arguments: str) -> str:
        kind = self.kind(owner)
        text = self.expression(owner)
        match kind.kind, method, len(node.args):
            case "list", "append", 1:
                return f"{text}.push({arguments})"
            case "list", "pop", 0:
                return f"{text}.pop(){self.module.sure()}"
            case "list", "insert", 2:
                self.no_negative(node.args[0])
                place, what = (bare(self.expression(argument)) for argument in node.args)
                return f"{text}.splice({place}, 0, {what})"
            case "list", "clear", 0:
                return f"{text}.splice(0)"
            case "list", "extend", 1:
                return f"{text}.push(...{self.spread(node.args[0])})"
            case "dict", "get", 1:
                return f"({text}.get({arguments}) ?? null)"
            case "dict", "get", 2:
                key, other = (bare(self.expression(argument)) for argument in node.args)
                return f"({text}.get({key}) ?? {other})"
            case "dict", "keys" | "values", 0:
                return f"[...{text}.{method}()]"
            case "record", "copy", 0 if kind == types.TABLE:
                return f"{text}.copy()"
        raise self.module.refuse(node, f"{ast.unparse(node.func)} cannot be called here")

    def is_instance(self, node: ast.Call) -> str:
        what, which = node.args
        name = ast.unparse(which)
        text = self.expression(what)
        if name in CHECKED:
            return CHECKED[name].format(text)
        record = self.module.find_record(name)
        if record is None or record.tag is None:
            raise self.module.refuse(node, f"{name} has no tag by which it is known")
        return f"{text}.{record.tag_field} === {json.dumps(record.tag)}"

    def any_or_all(self, node: ast.Call, which: str) -> str:
        match node.args[0]:
            case ast.GeneratorExp(
                elt=test, generators=[ast.comprehension(target=ast.Name(id=name), iter=source, ifs=[])]
            ):
                method = "some" if which == "any" else "every"
                text = bare(self.inside(name, source).condition(test))
                return f"{self.spread(source)}.{method}(({spelled(name)}) => {text})"
        raise self.module.refuse(node, f"{which}() goes through a list")

    def construct(self, node: ast.Call, name: str) -> str:
        """Return a new record: an object with all its fields."""
        record = self.module.find_record(name)
        assert record is not None
        given = dict(zip(record.fields, node.args, strict=False))
        given |= {word.arg: word.value for word in node.keywords if word.arg}
        parts = [f"{record.tag_field}: {json.dumps(record.tag)}"] if record.tag is not None else []
        if set(given) - set(record.fields) or len(given) < len(node.args) + len(node.keywords):
            raise self.module.refuse(node, f"{name} has no such fields")
        for field in record.fields:
            if field in given:
                parts.append(f"{field}: {bare(self.expression(given[field]))}")
            elif field in record.defaults:
                parts.append(f"{field}: {record.defaults[field]}")
            else:
                raise self.module.refuse(node, f"{name} needs its {field}")
        return f"{{ {', '.join(parts)} }}"


def bare(text: str) -> str:
    """Return an expression without the parentheses around all of it."""
    depth = 0
    quote = ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and text[at - 1] != "\\" else quote
        elif sign in "\"'`":
            quote = sign
        else:
            depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0 and not quote and at < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


def as_load(node: ast.expr) -> ast.expr:
    """Return the same place, to be read."""
    text = ast.unparse(node)
    return ast.copy_location(ast.parse(text, mode="eval").body, node)
