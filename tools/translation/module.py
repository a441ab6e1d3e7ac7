"""One module of restricted Python and what it becomes in TypeScript."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from types import ModuleType

from tools.translation import types
from tools.translation.types import Type

HELPERS = {
    "floordiv": ("a: number, b: number", "number", "Math.floor(a / b)"),
    "modulo": ("a: number, b: number", "number", "((a % b) + b) % b"),
    "total": ("list: readonly number[]", "number", "list.reduce((a, b) => a + b, 0)"),
}
# Words of JavaScript but not of Python: as names they get an underscore at the end.
RESERVED = frozenset(
    {"arguments", "case", "catch", "const", "debugger", "default", "delete", "do", "enum", "eval", "export", "extends"}
    | {"function", "implements", "instanceof", "interface", "let", "new", "null", "package", "private", "protected"}
    | {"public", "static", "super", "switch", "this", "throw", "typeof", "undefined", "var", "void"}
)
# What may be imported without being translated: it is known to the translator, or for the types of Python alone.
FOREIGN = {"__future__", "typing", "msgspec", "enum", "types", "collections.abc"}


def spelled(name: str) -> str:
    """Return a name as JavaScript takes it."""
    return f"{name}_" if name in RESERVED else name


class Refused(Exception):
    """The source uses something that the translator does not know."""

    def __init__(self, file: str, node: ast.AST, message: str) -> None:
        super().__init__(f"{file}:{getattr(node, 'lineno', 0)}: {message}")


class Record:
    """A class of plain data: its fields with their types and defaults, and the tag that tells it from others."""

    def __init__(self, name: str, tag: str | None, tag_field: str) -> None:
        self.name = name
        self.tag = tag
        self.tag_field = tag_field
        self.fields: dict[str, Type] = {}
        self.defaults: dict[str, str] = {}
        self.docs: dict[str, str] = {}


class Signature:
    """What a function takes and returns."""

    def __init__(self, node: ast.FunctionDef, takes: list[Type], returns: Type) -> None:
        self.names = [argument.arg for argument in node.args.args]
        self.takes = takes
        self.returns = returns


class Module:
    """One module: `name` is its full name in Python, `home` the folder of its translation."""

    def __init__(self, name: str, source: str, typed: bool) -> None:
        self.full = name
        self.name = name.rpartition(".")[2]
        self.file = f"{self.name}.py"
        self.typed_output = typed
        self.tree = ast.parse(source)
        self.values: ModuleType = import_module(name)
        self.modules: dict[str, str] = {}
        self.imported: dict[str, str] = {}
        self.aliases: dict[str, Type] = {}
        self.records: dict[str, Record] = {}
        self.signatures: dict[str, Signature] = {}
        self.helpers: set[str] = set()
        self.as_value: set[str] = set()
        self.as_type: set[str] = set()
        self.survey()

    def refuse(self, node: ast.AST, message: str) -> Refused:
        return Refused(self.file, node, message)

    # What the module holds

    def survey(self) -> None:
        """Learn the imports, types, records and functions before anything is translated."""
        for node in self.tree.body:
            match node:
                case ast.ImportFrom(module=str(home)) if home.startswith("flip7"):
                    for alias in node.names:
                        full = f"{home}.{alias.name}"
                        if is_module(full):
                            self.modules[alias.name] = full
                        else:
                            self.imported[alias.name] = home
                case ast.ClassDef(name=name) if self.is_record(node):
                    self.records[name] = self.record(node)
                case ast.Assign(targets=[ast.Name(id=name)]) if self.is_type(node.value):
                    known = self.type_of(node.value)
                    if known is None:
                        raise self.refuse(node, f"type {ast.unparse(node.value)!r} cannot be translated")
                    self.aliases[name] = known
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                self.signatures[node.name] = self.signature(node)

    def is_type(self, node: ast.expr) -> bool:
        """Return whether an assignment gives a name to a type."""
        match node:
            case ast.Subscript(value=ast.Name(id="Literal")) | ast.BinOp(op=ast.BitOr()):
                return True
        return False

    def is_record(self, node: ast.ClassDef) -> bool:
        bases = [ast.unparse(base) for base in node.bases]
        return any(base == "msgspec.Struct" or base in self.records or self.find_record(base) for base in bases)

    def record(self, node: ast.ClassDef) -> Record:
        words = {word.arg: word.value for word in node.keywords}
        tag = words.get("tag")
        parents = [parent for base in node.bases if (parent := self.find_record(ast.unparse(base)))]
        field = words.get("tag_field")
        tag_field = field.value if isinstance(field, ast.Constant) else parents[0].tag_field if parents else "kind"
        made = Record(node.name, str(tag.value) if isinstance(tag, ast.Constant) else None, str(tag_field))
        for parent in parents:
            made.fields |= parent.fields
            made.defaults |= parent.defaults
            made.docs |= parent.docs
        self.records[node.name] = made
        for statement, after in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                made.fields[statement.target.id] = self.annotation(statement.annotation, statement)
                if statement.value is not None:
                    made.defaults[statement.target.id] = self.default(statement.value)
                if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                    made.docs[statement.target.id] = " ".join(str(after.value.value).split())
        return made

    def default(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=None):
                return "null"
            case ast.Constant(value=bool() as flag):
                return str(flag).lower()
            case ast.Constant(value=int() | str() as value):
                return json.dumps(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
                return f"-{value}"
            case ast.Tuple(elts=[]):
                return "[]"
        raise self.refuse(node, f"default {ast.unparse(node)} cannot be translated")

    def signature(self, node: ast.FunctionDef) -> Signature:
        a = node.args
        if a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults:
            raise self.refuse(node, "a function takes plain arguments")
        takes = [self.annotation(argument.annotation, argument) for argument in a.args]
        return Signature(node, takes, self.annotation(node.returns, node))

    # Types

    def named(self, name: str) -> Type | None:
        """Return the type that a name stands for here."""
        if name == "Table":
            return types.TABLE
        if name == "Card":
            return types.CARD
        if name in self.aliases:
            return self.aliases[name]
        if name in self.records:
            return Type("record", name=name)
        if name in self.imported:
            home = self.imported[name]
            return loaded(home).named(name) if translated(home) else None
        return None

    def type_of(self, node: ast.expr) -> Type | None:
        return types.read(node, self.named)

    def annotation(self, node: ast.expr | None, where: ast.AST) -> Type:
        known = self.type_of(node) if node is not None else None
        if known is None:
            raise self.refuse(where, f"type {ast.unparse(node) if node else ''!r} cannot be translated")
        return known

    def find_record(self, name: str) -> Record | None:
        if name in self.records:
            return self.records[name]
        if name in self.imported and translated(self.imported[name]):
            return loaded(self.imported[name]).find_record(name)
        for module in known_modules():
            if name in module.records:
                return module.records[name]
        return None

    def find_signature(self, name: str) -> Signature | None:
        if name in self.signatures:
            return self.signatures[name]
        if name in self.imported and translated(self.imported[name]):
            return loaded(self.imported[name]).signatures.get(name)
        return None

    def alias_names(self) -> dict[Type, str]:
        """Return the unions that have a name here, by which they are called."""
        found = {kind: name for name, kind in self.aliases.items()}
        for name, home in self.imported.items():
            if translated(home) and name in loaded(home).aliases:
                found.setdefault(loaded(home).aliases[name], name)
        return found

    def written(self, kind: Type) -> str:
        """Return a type in TypeScript; what it names is imported."""
        self.note_types(kind)
        return types.written(kind, self.alias_names())

    def note_types(self, kind: Type) -> None:
        names = self.alias_names()
        if kind in names:
            self.as_type.add(names[kind])
            return
        if kind.kind == "union":
            self.as_type |= {name for known, name in names.items() if set(known.parts) < set(kind.of)}
        if kind.kind == "record" or kind == types.CARD:
            self.as_type.add(kind.name)
        for part in kind.of:
            self.note_types(part)

    def typed(self, kind: Type) -> str:
        return f": {self.written(kind)}" if self.typed_output else ""

    def returned(self, kind: Type) -> str:
        if not self.typed_output:
            return ""
        return ": void" if kind == types.NONE else f": {self.written(kind)}"

    def sure(self) -> str:
        """Return what marks an element of an array as present: translated code never reads out of range."""
        return "!" if self.typed_output else ""

    # The text

    def text(self) -> str:
        from tools.translation.function import Function

        parts: list[str] = []
        for node in self.tree.body:
            for part in self.top(node, Function):
                if part.startswith("export const") and parts and parts[-1].startswith("export const"):
                    parts[-1] += f"\n{part}"
                else:
                    parts.append(part)
        imports = list(self.imports())
        source = f"src/{self.full.replace('.', '/')}.py"
        head = f"// Generated by tools/translate.py from {source}. Do not edit."
        about = ast.get_docstring(self.tree, clean=True) or ""
        blocks = [head + ("\n" + "\n".join(f"// {line}".rstrip() for line in about.splitlines()) if about else "")]
        if imports:
            blocks.append("\n".join(imports))
        return "\n\n".join([*blocks, *map(self.helper, sorted(self.helpers)), *parts]) + "\n"

    def helper(self, name: str) -> str:
        parameters, returns, value = HELPERS[name]
        if not self.typed_output:
            parameters = ", ".join(part.partition(":")[0] for part in parameters.split(", "))
        end = f": {returns}" if self.typed_output else ""
        return f"function {name}({parameters}){end} {{\n  return {value};\n}}"

    def imports(self) -> Iterator[str]:
        end = "" if self.typed_output else ".mjs"
        for node in self.tree.body:
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("flip7"):
                continue
            names = [alias.name for alias in node.names]
            for name in names:
                if name in self.modules:
                    yield f"import * as {name} from '{self.path_to(self.modules[name])}{end}';"
            wanted = [spelled(name) for name in names if name in self.as_value and name in self.imported]
            if self.typed_output:
                wanted += [f"type {name}" for name in names if name in self.as_type - self.as_value]
            if wanted:
                yield f"import {{ {', '.join(wanted)} }} from '{self.path_to(str(node.module))}{end}';"

    def path_to(self, other: str) -> str:
        """Return how this module's translation names that of another."""
        here, there = PurePosixPath(target(self.full)), PurePosixPath(target(other))
        path = os.path.relpath(there, here.parent).replace(os.sep, "/")
        return path if path.startswith(".") else f"./{path}"

    def top(self, node: ast.stmt, function: type) -> Iterator[str]:
        """Yield what a statement of the module becomes."""
        match node:
            case ast.Expr(value=ast.Constant()):
                return
            case ast.ImportFrom(module=str(home)) if home.startswith("flip7") or home in FOREIGN:
                return
            case ast.Import(names=[ast.alias(name="msgspec")]):
                return
            case ast.Assign(targets=[ast.Name(id=name)]) if name in self.aliases:
                if self.typed_output:
                    others = {kind: other for kind, other in self.alias_names().items() if other != name}
                    self.note_inner(self.aliases[name])
                    yield f"export type {name} = {types.written(self.aliases[name], others)};"
            case ast.Assign():
                for place in node.targets:
                    yield from self.constants(place)
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield from self.constants(node.target) if name != "LAYOUT" else ()
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                yield function(self, node).text()
            case ast.FunctionDef(name="_zeros"):
                return  # part of Table
            case ast.ClassDef(name="Table"):
                yield self.table(node)
            case ast.ClassDef(name=name) if name in self.records:
                yield from self.interface(node)
            case ast.ClassDef(name="Card") if self.name == "cards":
                if self.typed_output:
                    yield "/** A card, by its notation. */\nexport type Card = (typeof CARDS)[number];"
            case ast.For() if self.name == "cards":
                return  # the notation: CARDS has it
            case _:
                raise self.refuse(node, f"{type(node).__name__} at the top of a module cannot be translated")

    def note_inner(self, kind: Type) -> None:
        for part in kind.of or (kind,):
            self.note_types(part)

    def constants(self, place: ast.expr) -> Iterator[str]:
        names = place.elts if isinstance(place, ast.Tuple) else [place]
        for name in names:
            if not isinstance(name, ast.Name):
                raise self.refuse(place, "only plain names can be constants")
            yield f"export const {spelled(name.id)} = {self.constant(name, getattr(self.values, name.id, None))};"

    def constant(self, node: ast.AST, value: object) -> str:
        """Return a constant as it is in Python: an integer, a text, a tuple of either, or counts by card."""
        const = " as const" if self.typed_output else ""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str):
            return json.dumps(str(value))
        if isinstance(value, tuple) and all(isinstance(text, str) for text in value):
            return json.dumps([str(text) for text in value], ensure_ascii=False) + const
        if isinstance(value, tuple) and all(type(number) is int for number in value):
            return json.dumps(list(value)) + (" as readonly number[]" if self.typed_output else "")
        if isinstance(value, Mapping):
            cards = import_module("flip7.rules.cards").CARDS
            return json.dumps([value.get(card, 0) for card in cards])
        raise self.refuse(node, f"a constant that is a {type(value).__name__} cannot be translated")

    def interface(self, node: ast.ClassDef) -> Iterator[str]:
        """Yield a record as an interface, and its shape as data where it comes from outside."""
        made = self.records[node.name]
        about = " ".join((ast.get_docstring(node) or "").split())
        if self.typed_output:
            lines = [f"/** {about} */", f"export interface {made.name} {{"]
            if made.tag is not None:
                lines.append(f"  {made.tag_field}: {json.dumps(made.tag)};")
            for name, kind in made.fields.items():
                lines += [f"  /** {made.docs[name]} */"] if name in made.docs else []
                lines.append(f"  {name}: {self.written(kind)};")
            yield "\n".join([*lines, "}"])
        words = {word.arg for word in node.keywords}
        if made.tag is not None or ("forbid_unknown_fields" in words and "tag_field" not in words):
            fields = {name: types.shape(kind) for name, kind in made.fields.items()}
            left_out = {name: json.loads(text) for name, text in made.defaults.items()}
            tag = {} if made.tag is None else {"tag": [made.tag_field, made.tag]}
            shape = {**tag, "fields": fields, "defaults": left_out}
            yield f"export const {made.name}_shape = {json.dumps(shape)};"

    def table(self, node: ast.ClassDef) -> str:
        """Return the class of tables, made from its layout: the fields, an empty table, and copies."""
        layout: dict[str, tuple[str, tuple[int, ...]]] = self.values.LAYOUT
        seats: int = self.values.SEATS
        about = ast.get_docstring(node) or ""
        lines = [f"/** {about} */", "export class Table {"]
        if self.typed_output:
            for name, (_, shape) in layout.items():
                lines.append(f"  {name}: number{'[]' * len(shape)};")
            lines.append("  log: [kind: number, seat: number, card: number, other: number, ruling: number][] = [];")
        lines += ["", f"  constructor(seats{self.typed(types.INT)}) {{"]
        for name, (_, shape) in layout.items():
            sizes = ["seats" if size == seats else str(size) for size in shape]
            lines.append(f"    this.{name} = {zeros(sizes)};")
        lines += ["    this.seats = seats;"] + ([] if self.typed_output else ["    this.log = [];"]) + ["  }", ""]
        lines += [f"  copy(){': Table' if self.typed_output else ''} {{", "    const twin = new Table(this.seats);"]
        for name, (_, shape) in layout.items():
            copied = ("", ".slice()", ".map((row) => row.slice())")[len(shape)]
            lines.append(f"    twin.{name} = this.{name}{copied};")
        return "\n".join([*lines, "    return twin;", "  }", "}"])


def zeros(sizes: list[str]) -> str:
    if not sizes:
        return "0"
    if len(sizes) == 1:
        return f"new Array({sizes[0]}).fill(0)"
    return f"Array.from({{ length: {sizes[0]} }}, () => {zeros(sizes[1:])})"


PACKAGES = {"flip7.rules": "rules", "flip7.game": "rules", "flip7.scorekeeper.model": "scorekeeper/model"}
"""Where the translations of a package lie, below the client's sources."""

_LOADED: dict[str, Module] = {}


def target(module: str) -> str:
    """Return the path of a module's translation below the client's sources, without its ending."""
    package, _, name = module.rpartition(".")
    return f"{PACKAGES[package]}/{name}"


def translated(module: str) -> bool:
    """Return whether a module is one that is translated."""
    return module.rpartition(".")[0] in PACKAGES


def is_module(name: str) -> bool:
    """Return whether a full name is that of a module, rather than of something in one."""
    if not translated(name):
        return False
    try:
        import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def loaded(module: str) -> Module:
    """Return a module that another imports, surveyed."""
    if module not in _LOADED:
        values = import_module(module)
        source = Path(str(values.__file__)).read_text(encoding="utf-8")
        _LOADED[module] = Module(module, source, typed=True)
    return _LOADED[module]


def known_modules() -> list[Module]:
    return list(_LOADED.values())


@cache
def table_fields() -> dict[str, Type]:
    """Return the fields of a table with their types."""
    layout = import_module("flip7.rules.table").LAYOUT
    fields = dict.fromkeys(layout, types.INT)
    for name, (_, shape) in layout.items():
        for _ in shape:
            fields[name] = types.list_of(fields[name])
    fields["log"] = types.list_of(types.list_of(types.INT))
    return fields
