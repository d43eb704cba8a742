"""What is written below each field in the source. Knows the syntax tree; knows nothing of schemas."""

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise


def field_texts(documented: type) -> dict[str, str]:
    """Field → its text, for a class and everything it inherits; the nearest text wins."""
    texts: dict[str, str] = {}
    for owner in reversed(documented.__mro__):
        texts |= _texts_of_module(owner.__module__).get(owner.__qualname__, {})
    return texts


@cache
def _texts_of_module(name: str) -> dict[str, dict[str, str]]:
    if not name.startswith("lime_desktop."):
        return {}
    tree = ast.parse(inspect.getsource(sys.modules[name]))
    return {
        node.name: _texts_of_class(node) for node in tree.body if isinstance(node, ast.ClassDef)
    }


def _texts_of_class(node: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(node.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
