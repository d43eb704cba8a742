"""The docstrings under a class's attributes, read from its source when somebody asks for them.

Only generated documents show them. Reading hundreds of sources while the classes are being made would
double the start of every process, so it is not done then.
"""

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise


@cache
def attribute_docs(cls: type) -> dict[str, str]:
    """Each attribute's docstring; one that is declared anew needs a new one."""
    declared = inspect.get_annotations(cls)
    inherited = {
        name: text
        for base in reversed(cls.__bases__)
        for name, text in attribute_docs(base).items()
        if name not in declared
    }
    return inherited | _own_docs(cls)


def _own_docs(cls: type) -> dict[str, str]:
    if not cls.__module__.startswith("lime_desktop"):
        return {}
    try:
        source = inspect.getsource(cls)
    except OSError:
        return {}
    body = ast.parse(textwrap.dedent(source)).body[0]
    if not isinstance(body, ast.ClassDef):
        return {}
    docs: dict[str, str] = {}
    for statement, following in pairwise(body.body):
        match statement, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                value=ast.Constant(value=str(text))
            ):
                docs[name] = inspect.cleandoc(text)
            case _:
                pass
    return docs
