"""Asks a loaded model: streams of text, text in a given form, how long a text is. Knows HTTP, not turns."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from typing_extensions import TypedDict

from lime_desktop.app_server.answer_guards.answer_guard import MARKS
from lime_desktop.app_server.execution.embedded.model_host import ServedModel
from lime_desktop.protocol.errors import ContextTooLong, InvalidInput, ProviderFailed
from lime_desktop.protocol.ids import JsonObject

if TYPE_CHECKING:
    import httpx

LIVELY = 0.4
"""How freely a model speaks where nothing holds it to a form."""
_OK = 200
_CONNECT_S = 10.0
_SILENCE_S = 240.0
"""Reading a long conversation takes a small computer minutes, in which nothing is said."""


class Message(TypedDict):
    """One message as the model reads it."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one round."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A bit of an answer."""

    text: str = ""
    stop_reason: str | None = None
    """Set on the last bit: ``stop``, or ``length`` where the room was used up."""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how the answer may look."""

    messages: Sequence[Message]
    max_tokens: int
    schema: JsonObject | None = None
    """The answer is held to it while it is made: it cannot come out otherwise."""
    temperature: float = LIVELY


class ModelLost(Exception):
    """The model's process went away while it was asked."""


class Completions:
    """One loaded model, to be asked."""

    def __init__(self, served: ServedModel) -> None:
        self._served = served

    async def stream(self, question: Question) -> AsyncGenerator[Piece]:
        """The answer as it comes. Closing the stream stops the model.

        Raises:
            ContextTooLong: the question does not fit.
            InvalidInput: no answer can be made to have that form.
            ModelLost: the process died.
        """
        async with (
            self._connected() as client,
            client.stream("POST", "/v1/chat/completions", json=_body(question)) as response,
        ):
            if response.status_code != _OK:
                raise _failure(await response.aread())
            is_whole = False
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    piece = read_event(line.removeprefix("data: "))
                    is_whole = is_whole or piece.stop_reason is not None
                    yield piece
            if not is_whole:
                raise ModelLost

    async def count(self, text: str) -> int:
        """How many tokens a text has."""
        async with self._connected() as client:
            response = await client.post("/tokenize", json={"content": text})
        if response.status_code != _OK:
            raise _failure(response.content)
        return len(response.json()["tokens"])

    @asynccontextmanager
    async def _connected(self) -> "AsyncGenerator[httpx.AsyncClient]":
        # Imported here: it is a tenth of the server's start, and a local model takes seconds to load anyway.
        import httpx  # noqa: PLC0415

        client = httpx.AsyncClient(
            base_url=self._served.address,
            headers={"Authorization": f"Bearer {self._served.key}"},
            timeout=httpx.Timeout(_SILENCE_S, connect=_CONNECT_S),
            # The model closes a connection when it likes; a kept one would break a later question.
            limits=httpx.Limits(max_keepalive_connections=0),
            # A proxy of this machine is for other machines.
            trust_env=False,
        )
        try:
            async with client:
                yield client
        except httpx.TimeoutException as error:
            raise ProviderFailed("The local model said nothing for too long.") from error
        except (httpx.TransportError, json.JSONDecodeError) as error:
            raise ModelLost from error


def _body(question: Question) -> dict[str, Any]:
    body: dict[str, Any] = {
        "messages": list(question.messages),
        "max_tokens": question.max_tokens,
        "temperature": question.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
        "cache_prompt": True,
    }
    if question.schema is None:
        # Said by a small model, these begin another's part; the answer is over before them.
        body["stop"] = list(MARKS)
    else:
        form = {"name": "answer", "schema": question.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def read_event(data: str) -> Piece:
    """What one event of the model's process brings.

    Raises:
        ModelLost: it is nothing that a model says.
    """
    try:
        return _piece(json.loads(data))
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
        raise ModelLost from error


def _piece(chunk: dict[str, Any]) -> Piece:
    usage = chunk.get("usage")
    choices = cast("list[dict[str, Any]]", chunk.get("choices") or [{}])
    delta = cast("dict[str, Any]", choices[0].get("delta") or {})
    return Piece(
        text=delta.get("content") or "",
        stop_reason=choices[0].get("finish_reason"),
        usage=Usage(usage["prompt_tokens"], usage["completion_tokens"]) if usage else None,
    )


def _failure(content: bytes) -> Exception:
    try:
        error = cast("dict[str, Any]", json.loads(content)["error"])
    except (ValueError, KeyError, TypeError):
        error = {}
    if error.get("type") == "exceed_context_size_error":
        return ContextTooLong("The conversation is longer than the local model can read.")
    if "schema" in str(error.get("message", "")).lower():
        return InvalidInput(
            "The local model cannot be held to this form.",
            details={"reasonCode": "schema_not_supported"},
        )
    return ProviderFailed("The local model refused the request.")
