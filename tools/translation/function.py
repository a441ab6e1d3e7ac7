"""One function of restricted Python and what it becomes: its statements."""

from __future__ import annotations

import ast

from tools.translation import types
from tools.translation.expressions import Expressions, as_load, bare
from tools.translation.module import Module, spelled
from tools.translation.types import Type


class Function(Expressions):
    """One function and what it becomes."""

    def __init__(self, module: Module, node: ast.FunctionDef) -> None:
        signature = module.signatures.get(node.name) or module.signature(node)
        super().__init__(module, dict(zip(signature.names, signature.takes, strict=True)))
        self.node = node
        self.signature = signature

    def text(self) -> str:
        node, module = self.node, self.module
        about = ast.get_docstring(node) or ""
        pairs = zip(self.signature.names, self.signature.takes, strict=True)
        parameters = ", ".join(spelled(name) + module.typed(kind) for name, kind in pairs)
        body = node.body[1:] if about else node.body
        lines = doc(about)
        lines.append(f"export function {spelled(node.name)}({parameters}){module.returned(self.signature.returns)} {{")
        hoisted = self.hoisted(body)
        if hoisted:
            raise module.refuse(node, f"{', '.join(hoisted)}: set in a block and used outside it")
        return "\n".join([*lines, *self.block(body), "}"])

    def hoisted(self, body: list[ast.stmt]) -> list[str]:
        """Return names that are set in a block and used outside it, where JavaScript does not know them."""
        found: dict[str, None] = {}

        def look(block: list[ast.stmt], outer: set[str]) -> None:
            own = outer | {name for statement in block for name in assigned(statement)}
            for statement in block:
                for inner in blocks(statement):
                    for name in {name for s in inner for name in assigned_anywhere(s)} - own:
                        inside = sum(uses(s, name) for s in inner)
                        everywhere = sum(uses(s, name) for s in body)
                        if inside < everywhere and not declared_elsewhere(body, inner, name):
                            found[name] = None
                    look(inner, own)

        look(body, set(self.signature.names))
        return sorted(found)

    def block(self, statements: list[ast.stmt]) -> list[str]:
        known, narrowed = dict(self.known), dict(self.narrowed)
        lines = []
        for statement in statements:
            lines += [f"  {line}" for line in self.statement(statement)]
            if isinstance(statement, ast.If) and leaves(statement.body) and not statement.orelse:
                self.narrowed = {**self.narrowed, **self.learned(statement.test, False)}
        changed = {name for statement in statements for name in assigned_anywhere(statement)}
        self.known, self.narrowed = known, narrowed
        for name in changed:
            self.forget(name)
        return lines

    def where(self, test: ast.expr, holds: bool, statements: list[ast.stmt]) -> list[str]:
        """Return the lines of a block that is reached if a test holds, or if it does not."""
        before = dict(self.narrowed)
        self.narrowed = {**before, **self.learned(test, holds)}
        lines = self.block(statements)
        self.narrowed = {text: kind for text, kind in before.items() if text in self.narrowed}
        return lines

    def statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Assign():
                return self.assign(node)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                kind = self.module.annotation(node.annotation, node)
                text = bare(self.expression(value))
                return [self.declare(name, kind, text, annotated=True)]
            case ast.AugAssign(target=target, op=op, value=value):
                if isinstance(target, ast.Name) and target.id not in self.known:
                    raise self.module.refuse(node, f"{target.id} is changed before it is set")
                changed = ast.copy_location(ast.BinOp(left=as_load(target), op=op, right=value), node)
                return [self.store(target, bare(self.expression(changed)))]
            case ast.If(test=test, body=body, orelse=orelse):
                lines = [f"if ({bare(self.condition(test))}) {{", *self.where(test, True, body)]
                if len(orelse) == 1 and isinstance(orelse[0], ast.If):
                    first, *rest = [line.removeprefix("  ") for line in self.where(test, False, orelse)]
                    return [*lines, f"}} else {first}", *rest]
                return [*lines, *(["} else {", *self.where(test, False, orelse)] if orelse else []), "}"]
            case ast.While(test=test, body=body, orelse=[]):
                return [f"while ({bare(self.condition(test))}) {{", *self.block(body), "}"]
            case ast.For(orelse=[]):
                return self.loop(node)
            case ast.Return(value=None):
                return ["return;"]
            case ast.Return(value=ast.expr() as value):
                return [f"return {bare(self.expression(value))};"]
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
            case ast.Delete(targets=[ast.Subscript(value=owner, slice=key)]):
                if self.kind(owner).kind != "dict":
                    raise self.module.refuse(node, "only an entry of a dict can be deleted")
                return [f"{self.expression(owner)}.delete({bare(self.expression(key))});"]
            case ast.Expr(value=ast.Call() as call):
                return [f"{self.expression(call)};"]
        raise self.module.refuse(node, f"{type(node).__name__} cannot be translated")

    def declare(self, name: str, kind: Type, text: str, annotated: bool = False) -> str:
        if name in self.known:
            raise self.module.refuse(self.node, f"{name} is declared twice")
        self.known[name] = kind
        return f"let {spelled(name)}{self.module.typed(kind) if annotated else ''} = {text};"

    def assign(self, node: ast.Assign) -> list[str]:
        value = bare(self.expression(node.value))
        if len(node.targets) > 1 and not isinstance(node.value, ast.Name | ast.Constant | ast.UnaryOp):
            raise self.module.refuse(node, "several targets need a simple value")
        lines = []
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id not in self.known:
                kind = self.kind(node.value)
                if kind.kind == "empty" or kind == types.NONE:
                    raise self.module.refuse(node, f"{target.id} needs a type")
                lines.append(self.declare(target.id, kind, value, annotated=value.startswith("{")))
            else:
                lines.append(self.store(target, value))
        return lines

    def store(self, node: ast.expr, value: str) -> str:
        """Write a value to a place that is there."""
        match node:
            case ast.Name(id=name):
                self.forget(name)
                return f"{spelled(name)} = {value};"
            case ast.Attribute():
                return f"{self.expression(as_load(node))} = {value};"
            case ast.Subscript(value=owner, slice=index) if not isinstance(index, ast.Slice):
                if self.kind(owner).kind == "dict":
                    return f"{self.expression(owner)}.set({bare(self.expression(index))}, {value});"
                self.no_negative(index)
                return f"{self.expression(owner)}[{bare(self.expression(index))}] = {value};"
        raise self.module.refuse(node, f"cannot assign to {ast.unparse(node)}")

    def loop(self, node: ast.For) -> list[str]:
        names = [node.target] if isinstance(node.target, ast.Name) else getattr(node.target, "elts", [])
        for name in names:
            if not isinstance(name, ast.Name) or name.id in self.known:
                raise self.module.refuse(node, "a loop needs a counter of its own")
            if uses(self.node, name.id) != sum(uses(loop, name.id) for loop in loops(self.node, name.id)):
                raise self.module.refuse(node, f"{name.id} is used outside its loop, where the two languages differ")
            if any(name.id in assigned_anywhere(inner) for inner in node.body):
                raise self.module.refuse(node, f"{name.id} is changed inside its loop")
        outer = dict(self.known)
        head = self.head(node, [name.id for name in names if isinstance(name, ast.Name)])
        lines = [head, *self.block(node.body), "}"]
        self.known = outer
        return lines

    def head(self, node: ast.For, names: list[str]) -> str:
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]) if len(names) == 1:
                return self.counting(node, names[0], arguments)
            case ast.Call(func=ast.Name(id="enumerate"), args=[source], keywords=[]) if len(names) == 2:
                self.known[names[0]] = types.INT
                self.known[names[1]] = self.element(source)
                place = f"[{spelled(names[0])}, {spelled(names[1])}]"
                return f"for (const {place} of {self.expression(source)}.entries()) {{"
            case ast.Call(func=ast.Attribute(value=source, attr="items"), args=[]) if len(names) == 2:
                kind = self.kind(source)
                if kind.kind != "dict":
                    raise self.module.refuse(node, "items() is of a dict")
                self.known[names[0]], self.known[names[1]] = types.STR, kind.of[0]
                return f"for (const [{spelled(names[0])}, {spelled(names[1])}] of {self.expression(source)}) {{"
        if len(names) != 1:
            raise self.module.refuse(node, "a loop goes through a range, a list or a dict")
        kind = self.kind(node.iter)
        text = self.expression(node.iter)
        self.known[names[0]] = self.element(node.iter)
        return f"for (const {spelled(names[0])} of {text}{'.keys()' if kind.kind == 'dict' else ''}) {{"

    def counting(self, node: ast.For, counter: str, arguments: list[ast.expr]) -> str:
        step = 1
        match arguments:
            case [end]:
                start = "0"
            case [first, end]:
                start = bare(self.expression(first))
            case [first, end, ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))]:
                start, step = bare(self.expression(first)), -1
            case _:
                raise self.module.refuse(node, "a range goes up or down by one")
        name = spelled(counter)
        stop = bare(self.expression(end))  # range() looks at it once
        self.known[counter] = types.INT
        test = f"{name} < {name}_end; {name}++" if step > 0 else f"{name} > {name}_end; {name}--"
        return f"for (let {name} = {start}, {name}_end = {stop}; {test}) {{"


def leaves(statements: list[ast.stmt]) -> bool:
    """Return whether what follows a block is not reached through it."""
    return bool(statements) and isinstance(statements[-1], ast.Return | ast.Break | ast.Continue)


def doc(about: str) -> list[str]:
    if "\n" not in about:
        return [f"/** {about} */"] if about else []
    return ["/**", *(f" * {line}".rstrip() for line in about.splitlines()), " */"]


def blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    return [block for name in ("body", "orelse") if (block := getattr(node, name, None))]


def assigned(node: ast.stmt) -> set[str]:
    """Return the names that this very statement sets."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def assigned_anywhere(node: ast.stmt) -> set[str]:
    return {name for inner in ast.walk(node) if isinstance(inner, ast.stmt) for name in assigned(inner)}


def declared_elsewhere(body: list[ast.stmt], block: list[ast.stmt], name: str) -> bool:
    """Return whether every other use of a name is in blocks that set it themselves before they use it."""

    def independent(statements: list[ast.stmt]) -> bool:
        for statement in statements:
            if name in assigned(statement) and not uses_value(statement, name):
                return True
            if statement_uses(statement, name):
                inner = blocks(statement)
                own = uses_outside(statement, name)
                if own or not all(inside is block or independent(inside) for inside in inner):
                    return False
        return True

    return independent(body)


def uses_value(node: ast.stmt, name: str) -> bool:
    value = getattr(node, "value", None)
    return value is not None and uses(value, name) > 0


def statement_uses(node: ast.stmt, name: str) -> bool:
    return uses(node, name) > 0


def uses_outside(node: ast.stmt, name: str) -> bool:
    """Return whether a statement uses a name elsewhere than in its blocks."""
    return uses(node, name) > sum(uses(statement, name) for block in blocks(node) for statement in block)


def uses(node: ast.AST, name: str) -> int:
    return sum(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def loops(node: ast.AST, name: str) -> list[ast.AST]:
    """Return the loops and comprehensions that count with a name."""
    found = [inner for inner in ast.walk(node) if isinstance(inner, ast.For | ast.ListComp | ast.GeneratorExp)]
    outermost = []
    for loop in found:
        targets = [loop.target] if isinstance(loop, ast.For) else [part.target for part in loop.generators]
        if any(uses(target, name) for target in targets):
            outermost.append(loop)
    return [loop for loop in outermost if not any(loop is not other and within(loop, other) for other in outermost)]


def within(node: ast.AST, other: ast.AST) -> bool:
    return any(inner is node for inner in ast.walk(other))
