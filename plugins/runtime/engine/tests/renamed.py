"""Renames the engine's own functions, parameters and local variables in a copy of it, with their callers."""

import ast
import builtins
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

FOLDERS = ("match", "job", "execution")
"""The packages of the engine whose names are changed: those of matches, and of jobs and executors."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@attrs.frozen
class Names:
    """What another name was given to: ``functions`` in all modules, ``variables`` by the path of their module."""

    functions: frozenset[str]
    variables: Mapping[str, frozenset[str]]


def renamed_copy(engine: Path, into: Path, known: Iterable[Path], tests: Iterable[Path]) -> Names:
    """Write a copy of the package ``engine`` into a folder, with other names; return those that were replaced.

    The modules in ``known`` and ``tests`` use the engine: public functions that they name, and parameters that they
    give by name, stay as they are, and so do private functions that ``tests`` name.
    """
    trees = {str(path.relative_to(engine)): ast.parse(path.read_text("utf-8")) for path in engine.rglob("*.py")}
    chosen = {path: tree for path, tree in trees.items() if path.startswith(FOLDERS)}
    tried = [path.read_text("utf-8") for path in tests]
    texts = [*tried, *(path.read_text("utf-8") for path in known)]
    used = {word for text in texts for word in re.findall(r"\w+", text)} | _library(trees.values())
    given = {word for text in texts for word in re.findall(r"[(,]\s*(\w+)=", text)}
    given |= {each.arg for tree in trees.values() for each in ast.walk(tree) if isinstance(each, ast.keyword)} - {None}
    taken = {word for text in tried for word in re.findall(r"\w+", text)}
    taken |= _taken(trees.values()) | {Path(path).stem for path in trees}
    defined = {each.name for tree in chosen.values() for each in ast.walk(tree) if _is_def(each)}
    functions = frozenset(f for f in defined - taken if f[:2] != "__" and (f[0] == "_" or f not in used))
    variables = {path: frozenset(_variables(tree, given) - functions) for path, tree in chosen.items()}
    for path, tree in trees.items():
        target = into / engine.name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(ast.unparse(_Renaming(functions, variables.get(path, frozenset())).visit(tree)), "utf-8")
    return Names(functions, variables)


def _is_def(node: ast.AST) -> Any:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _library(trees: Iterable[ast.AST]) -> set[str]:
    """The names that objects of other packages have, so far as their modules and classes tell."""
    found = {name for kind in vars(builtins).values() for name in dir(kind)}
    nodes = [node for tree in trees for node in ast.walk(tree)]
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    for name in modules:
        if not name.startswith("arena_"):
            for value in [module := importlib.import_module(name), *vars(module).values()]:
                found |= set(dir(value))
    return found


def _taken(trees: Iterable[ast.AST]) -> set[str]:
    """The names of other things than functions, and those that a text names."""
    found: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        match node:
            case ast.Constant(value=str(name)) | ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case _:
                pass
    return found


def _variables(tree: ast.Module, given: set[Any]) -> set[str]:
    """The parameters and local variables of the functions of a module; those that are given by name are left out."""
    found: set[str] = set()
    kept = {"_", *vars(builtins), *_bound(tree.body)}
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(body=body):
                kept |= _bound(body)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                kept |= {alias.asname or alias.name for alias in names}
            case ast.Global(names=names):
                kept |= set(names)
            case ast.arg(arg=name):
                (kept if name in given else found).add(name)
            case _:
                found |= set(_names(node))
        if isinstance(node, _Function):
            kept |= {each.arg for each in node.args.kwonlyargs}
    return {name for name in found - kept if name[:2] != "__"}


def _bound(body: Iterable[ast.stmt]) -> set[str]:
    """What the statements of a module or class bind, outside of its functions."""
    found: set[str] = set()
    left: list[ast.AST] = [*body]
    while left:
        node = left.pop()
        if isinstance(node, ast.ClassDef) or _is_def(node):
            found.add(node.name)  # pyright: ignore[reportAttributeAccessIssue]
        else:
            found |= set(_names(node))
            left += ast.iter_child_nodes(node)
    return found


def _names(node: ast.AST) -> Iterator[str]:
    """The variable that a node binds, if it binds one."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass


class _Renaming(ast.NodeTransformer):
    """Gives functions and variables another name wherever they occur."""

    def __init__(self, functions: frozenset[str], variables: frozenset[str]) -> None:
        self._functions = functions
        self._all = functions | variables

    def generic_visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.alias():
                node.name = self._other(node.name, self._functions)
            case ast.Attribute():
                node.attr = self._other(node.attr, self._functions)
            case ast.Name():
                node.id = self._other(node.id, self._all)
            case ast.arg():
                node.arg = self._other(node.arg, self._all)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                node.name = self._other(name, self._all)
            case ast.MatchMapping(rest=str(rest)):
                node.rest = self._other(rest, self._all)
            case ast.Nonlocal():
                node.names = [self._other(name, self._all) for name in node.names]
            case _:
                pass
        return super().generic_visit(node)

    @staticmethod
    def _other(name: str, names: frozenset[str]) -> str:
        return f"{name}_otherwise" if name in names else name
