"""Makes a request of what a tool was called with. Nothing of an argument can lead to another place than the one that was judged."""

from urllib.parse import quote, urlencode

import msgspec
from pydantic import JsonValue

from lime_desktop.app_package.api_description import BODY, ApiOperation
from lime_desktop.app_server.tools.proxied_http import HttpRequest
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject

_JSON = "application/json"


def build_request(base_url: str, operation: ApiOperation, arguments: JsonObject) -> HttpRequest:
    """The request of one call, without what is secret in it.

    Raises:
        InvalidInput: an argument can't be written where it belongs.
    """
    path = operation.path
    query: list[tuple[str, str]] = []
    headers = {"Accept": f"{_JSON}, text/*;q=0.9"}
    for parameter in operation.parameters:
        if parameter.name not in arguments:
            continue
        value = arguments[parameter.name]
        match parameter.place:
            case "path":
                path = path.replace(f"{{{parameter.name}}}", _segment(parameter.name, value))
            case "query":
                query += [(parameter.name, each) for each in _words(value)]
            case "header":
                headers[parameter.name] = _header(parameter.name, value)
    url = f"{base_url}/{path.lstrip('/')}"
    if query:
        url += f"?{urlencode(query)}"
    if BODY not in arguments:
        return HttpRequest(operation.method.upper(), url, headers)
    body = msgspec.json.encode(arguments[BODY])
    return HttpRequest(operation.method.upper(), url, {**headers, "Content-Type": _JSON}, body)


def _segment(name: str, value: JsonValue) -> str:
    text = ",".join(_words(value))
    if text in {"", ".", ".."}:
        # They would lead to another path than the one that was judged.
        raise InvalidInput.at_fields([(f"input.{name}", "unfit_for_path")])
    return quote(text, safe="")


def _header(name: str, value: JsonValue) -> str:
    text = ",".join(_words(value))
    if not text.isascii() or not text.isprintable():
        raise InvalidInput.at_fields([(f"input.{name}", "unfit_for_header")])
    return text


def _words(value: JsonValue) -> list[str]:
    match value:
        case None:
            return []
        case bool():
            return [str(value).lower()]
        case list():
            return [word for each in value for word in _words(each)]
        case dict():
            return [msgspec.json.encode(value).decode()]
        case _:
            return [str(value)]
