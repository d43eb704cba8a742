"""A new app from a template: complete, tested, and with what an editor needs beside it.

A template is the files that every app begins with, and its own over them. `{{name}}`, `{{title}}` and a few words more in
them become the app's. `.lime/` holds what comes from the host: the SDK for tests and types, and schemas of the YAML files. It is never
packed.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from lime_desktop.app_package.layers.shapes import LAYER_FILES
from lime_desktop.developer.editor_schemas import layer_schema, workflow_schema
from lime_desktop.developer.template import Template

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}\Z")
_SCHEMAS = ".lime/schemas"
_BUILT_FROM = {"dist/ui/styles.css": "src/styles.css", "dist/ui/texts.js": "src/texts.js"}
"""What a bundler makes of them lies where the others lie."""
_HIDDEN = {"gitignore": ".gitignore"}
"""Files whose names would make tools of this repository act on them."""


class BadName(ValueError):
    """Not a name that an app can have."""


class FolderTaken(ValueError):
    """There is something already where the app would go."""


def new_app(folder: Path, template: Template, resources: Path) -> tuple[str, ...]:
    """Write a new app into a folder named like it, and give the names of the files that are its author's.

    Raises:
        BadName: no app may be called like the folder.
        FolderTaken: the folder is there and holds something.
    """
    check_folder(folder)
    name = folder.name
    own: dict[str, bytes] = {}
    for layer in template.layers:
        own |= _files(resources, layer, template, name)
    if template.is_built:
        own = {_BUILT_FROM.get(path, path): content for path, content in own.items()}
    for path, content in (*own.items(), *_from_the_host(resources, own)):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return tuple(sorted(own))


def check_folder(folder: Path) -> None:
    """See whether a new app may go there.

    Raises:
        BadName: no app may be called like the folder.
        FolderTaken: the folder is there and holds something.
    """
    if not _NAME.match(folder.name):
        raise BadName(
            f"{folder.name!r} is no name for an app: use small letters, digits and dashes, such as my-notes"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderTaken(f"{folder} already holds something")


def title_of_name(name: str) -> str:
    """A name as people read it."""
    return " ".join(word.capitalize() for word in name.split("-") if word)


def _files(resources: Path, layer: str, template: Template, name: str) -> dict[str, bytes]:
    root = resources / "templates" / layer
    words = {"name": name, "title": title_of_name(name), **template.words}
    found: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        if path.is_file():
            relative = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            filled = text
            for word, meaning in words.items():
                filled = filled.replace(f"{{{{{word}}}}}", meaning)
            found[_HIDDEN.get(relative, relative)] = _with_schema(relative, filled).encode()
    return found


def _with_schema(path: str, text: str) -> str:
    """Editors with a YAML language server read which schema a file follows from its first line."""
    if not path.endswith(".yaml") or not _schema_name(path):
        return text
    up = "../" * path.count("/")
    return f"# yaml-language-server: $schema={up}{_SCHEMAS}/{_schema_name(path)}\n{text}"


def _schema_name(path: str) -> str | None:
    if path in LAYER_FILES:
        return f"{path.rpartition('/')[2].removesuffix('.yaml')}.schema.json"
    return "workflow.schema.json" if path.startswith("workflows/") else None


def _from_the_host(resources: Path, own: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    sdk = resources / "sdk"
    for path in sorted(sdk.rglob("*")):
        if path.is_file():
            yield f".lime/sdk/{path.relative_to(sdk).as_posix()}", path.read_bytes()
    for path in own:
        if name := _schema_name(path):
            schema = layer_schema(path) if path in LAYER_FILES else workflow_schema()
            yield f"{_SCHEMAS}/{name}", f"{json.dumps(schema, indent=2)}\n".encode()
