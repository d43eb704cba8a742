"""What an OpenAPI document of a package describes: the operations of an outside system, each with the input that it takes.

Reads OpenAPI 3.0 and 3.1, YAML or JSON, and nothing from elsewhere. What an operation cannot have here is said with it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from pydantic import JsonValue

from lime_desktop.app_package.api_schemas import definitions_for, plain_schema
from lime_desktop.app_package.text.json_text import parse_json
from lime_desktop.app_package.text.plain_text import ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.network.hosts import parse_host
from lime_desktop.protocol.ids import JsonObject

Method = Literal["get", "head", "post", "put", "patch", "delete"]
Place = Literal["path", "query", "header"]

MOST_OPERATIONS = 200
BODY = "body"
"""Under which name an operation takes the body of its request."""
_LONGEST_TEXT = 2_000
_MOST_REFERENCES = 10
_KEY = re.compile(r"[^A-Za-z0-9_-]+")
_FIXED_HEADERS = frozenset({"accept", "authorization", "content-type", "cookie", "host"})


class UnreadableApi(ValueError):
    """It is no description of an interface that could be used here; the text says why."""


@dataclass(frozen=True, slots=True)
class ApiParameter:
    """A part of a request besides its body."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """One thing that the system does."""

    key: str
    """Its `operationId`, or its method and path."""
    method: Method
    path: str
    title: str
    description: str
    parameters: tuple[ApiParameter, ...]
    input_schema: JsonObject
    problem: str | None = None
    """Why it can't be called from here."""


@dataclass(frozen=True, slots=True)
class ApiDescription:
    """An interface."""

    base_url: str
    operations: tuple[ApiOperation, ...]


def parse_api(data: bytes, file: str, base_url: str | None = None) -> ApiDescription:
    """Read a document; `base_url` goes before the server that it names.

    Raises:
        UnreadableApi: it can't be read, is of another version, or says nowhere where the system is.
    """
    budget = ReadingBudget(tokens=60_000, characters=600_000, nodes=150_000)
    parse = parse_json if file.endswith(".json") else parse_yaml
    parsed = parse(data, file, budget)
    if parsed.problems or not isinstance(parsed.value, dict):
        reason = f" {parsed.problems[0].message}" if parsed.problems else ""
        raise UnreadableApi(f"The OpenAPI document can't be read.{reason}")
    document = cast("JsonObject", parsed.value)
    if not str(document.get("openapi", "")).startswith(("3.0", "3.1")):
        raise UnreadableApi("The document is not OpenAPI 3.0 or 3.1.")
    operations = tuple(_operations(document))
    if not operations:
        raise UnreadableApi("The document describes no operation.")
    if len({each.key for each in operations}) < len(operations):
        raise UnreadableApi("Two operations have the same `operationId`.")
    return ApiDescription(_base_url(document, base_url), operations[:MOST_OPERATIONS])


def _base_url(document: JsonObject, stated: str | None) -> str:
    servers = document.get("servers")
    first = servers[0] if isinstance(servers, list) and servers else None
    url = stated or (first.get("url") if isinstance(first, dict) else None)
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise UnreadableApi("Nothing says where the system is: name it in `adapter.baseUrl`.")
    if "{" in url or "?" in url or "#" in url or parse_host(url) is None:
        raise UnreadableApi("The system's address must be plain: no variables, no query.")
    return url.rstrip("/")


def _operations(document: JsonObject) -> Iterator[ApiOperation]:
    paths = document.get("paths")
    for path, item in paths.items() if isinstance(paths, dict) else ():
        if not isinstance(item, dict):
            continue
        for method in get_args(Method):
            operation = item.get(method)
            if isinstance(operation, dict):
                yield _operation(document, method, path, item, operation)


def _operation(
    document: JsonObject, method: Method, path: str, item: JsonObject, operation: JsonObject
) -> ApiOperation:
    written = _text(operation, "operationId") or f"{method}_{path.strip('/')}"
    parameters = _parameters(document, item, operation)
    body, demands_body, problem = _body(document, operation)
    properties: JsonObject = {name: schema for name, (_, schema, _) in parameters.items()}
    required = [name for name, (_, _, is_required) in parameters.items() if is_required]
    if body is not None:
        if BODY in properties:
            problem = "A parameter has the name of the body."
        properties[BODY] = body
        required += [BODY] if demands_body else []
    schema: JsonObject = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ApiOperation(
        key=_KEY.sub("_", written).strip("_") or method,
        method=method,
        path=path,
        title=(_text(operation, "summary") or written)[:200],
        description=(_text(operation, "description") or _text(operation, "summary"))[
            :_LONGEST_TEXT
        ],
        parameters=tuple(each for each, _, _ in parameters.values()),
        input_schema={**schema, **definitions_for(document, schema)},
        problem=problem or _path_problem(path, parameters),
    )


_Parameters = Mapping[str, tuple[ApiParameter, JsonObject, bool]]


def _parameters(document: JsonObject, item: JsonObject, operation: JsonObject) -> _Parameters:
    """By name; those of an operation go before those of its path."""
    found: dict[str, tuple[ApiParameter, JsonObject, bool]] = {}
    for holder in (item, operation):
        listed = holder.get("parameters")
        for each in listed if isinstance(listed, list) else ():
            parameter = resolve(document, each)
            name, place = _text(parameter, "name"), _text(parameter, "in")
            is_fixed = place == "header" and name.lower() in _FIXED_HEADERS
            if not name or place not in get_args(Place) or is_fixed:
                continue
            schema = plain_schema(parameter.get("schema"))
            if said := _text(parameter, "description"):
                schema = {"description": said[:_LONGEST_TEXT], **schema}
            is_required = place == "path" or parameter.get("required") is True
            found[name] = (ApiParameter(name, cast("Place", place)), schema, is_required)
    return found


def _body(
    document: JsonObject, operation: JsonObject
) -> tuple[JsonObject | None, bool, str | None]:
    """The schema of a body, whether there must be one, and why it can't be written here."""
    if "requestBody" not in operation:
        return None, False, None
    written = resolve(document, operation["requestBody"])
    is_required = written.get("required") is True
    content = written.get("content")
    for media_type, described in content.items() if isinstance(content, dict) else ():
        plain = media_type.partition(";")[0].strip().lower()
        if plain in {"application/json", "*/*"} or plain.endswith("+json"):
            schema = described.get("schema") if isinstance(described, dict) else None
            return plain_schema(schema), is_required, None
    unfit = "It takes its body in another form than JSON." if is_required else None
    return None, is_required, unfit


def _path_problem(path: str, parameters: _Parameters) -> str | None:
    named = set(re.findall(r"\{([^{}]*)\}", path))
    described = {name for name, (each, _, _) in parameters.items() if each.place == "path"}
    return "Its path names a parameter that is not described." if named - described else None


def resolve(document: JsonObject, value: object) -> JsonObject:
    """What a reference within the document leads to; one that leads elsewhere leads to nothing."""
    for _ in range(_MOST_REFERENCES):
        if not isinstance(value, dict):
            return {}
        found = cast("JsonObject", value)
        ref = found.get("$ref")
        if not isinstance(ref, str):
            return found
        value = _at(document, ref)
    return {}


def _at(document: JsonObject, ref: str) -> object:
    here: JsonValue = document
    if not ref.startswith("#/"):
        return None
    for part in ref[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        here = here.get(name) if isinstance(here, dict) else None
    return here


def _text(holder: JsonObject, name: str) -> str:
    value = holder.get(name)
    return value if isinstance(value, str) else ""
