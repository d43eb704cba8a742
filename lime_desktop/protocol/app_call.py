"""app/call: how an app's call crosses to the App Server, whoever makes it. Knows no call in particular.

The host stamps who calls, after policy. The arguments pass as the bytes that the page sent and the result as the bytes
that the server wrote: each is read where it is used, and by nobody on the way.
"""

from typing import Annotated, Any, Literal, Self

import msgspec
from pydantic import GetJsonSchemaHandler, GetPydanticSchema, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.errors import InvalidInput, MessageTooLarge
from lime_desktop.protocol.ids import AppId, NonEmpty, TraceId
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Empty, Maybe, Method, WireModel, Written

MAX_PARAMS_BYTES = 4 * MAX_MESSAGE_CHARACTERS
"""What a bridge message can hold at most, in UTF-8."""

WrittenJson = Annotated[bytes, GetPydanticSchema(lambda _, __: core_schema.any_schema())]
"""JSON as it was written. In a schema: any value."""


class AppCaller(WireModel):
    """Who makes a call of an app's. The host alone writes it; nothing in it comes from the app."""

    provenance: Provenance
    """The app in its version and bytes, and its entry: kept with every record that the call makes."""
    view_id: Maybe[NonEmpty[str]] = None
    """The view, for as long as it is open; absent where no view asks."""
    workspace_id: Maybe[NonEmpty[str]] = None
    locale: Maybe[NonEmpty[str]] = None
    """The language that texts for the person are wanted in."""
    is_person: Maybe[Literal[True]] = None
    """A person pressed for it in the host's own window, or typed it at its command line: no code of the app asked."""
    trace_id: Maybe[NonEmpty[TraceId]] = None
    """Joins the logs and records of both processes."""

    @property
    def app_id(self) -> AppId:
        """The app whose data and rights the call is about."""
        return self.provenance.app_id

    @property
    def entry_key(self) -> str | None:
        """The entry of the app that asks."""
        return self.provenance.entry_key


class _Fields(msgspec.Struct):
    caller: msgspec.Raw
    call: str
    params: msgspec.Raw = msgspec.Raw(b"null")
    wants_undo: bool = msgspec.field(default=False, name="wantsUndo")


_decoder = msgspec.json.Decoder(_Fields)


class AppCallParams(WireModel):
    """Carry out a call of an app's: any `lime.*` call that the server carries out, in the app's name."""

    caller: AppCaller
    call: NonEmpty[str]
    """The call's full name: `lime.storage.set`."""
    params: WrittenJson = b"null"
    """The call's own params: one object, a list in order, or a single value."""
    wants_undo: bool = False
    """Give as well what `app/undo` takes the call back by: the result is then `{value, undo}`."""

    def to_wire(self) -> dict[str, Any]:
        """The envelope, with the params put in as they are."""
        params = self.params
        if b"\n" in params:
            # A line ends a message. In checked JSON a line break stands between values alone.
            params = params.replace(b"\n", b" ")
        envelope: dict[str, Any] = {
            "caller": msgspec.Raw(self.caller.to_bytes()),
            "call": self.call,
            "params": msgspec.Raw(params),
        }
        return {**envelope, "wantsUndo": True} if self.wants_undo else envelope

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """Read the envelope, and leave the params as they are.

        Raises:
            InvalidInput: it does not say who calls what.
            MessageTooLarge: no bridge carries so much.
        """
        try:
            fields = _decoder.decode(raw)
            caller = AppCaller.model_validate_json(bytes(fields.caller))
            params = bytes(fields.params)
            read = cls(caller=caller, call=fields.call, params=params, wants_undo=fields.wants_undo)
        except ValidationError as error:
            raise InvalidInput.from_validation(error) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise InvalidInput.at_fields([("", "envelope_invalid")]) from None
        if len(params) > MAX_PARAMS_BYTES:
            raise MessageTooLarge(f"The params of a call have at most {MAX_PARAMS_BYTES} bytes")
        return read


class AppCallResult(WireModel):
    """The call's own result: any value."""

    value: WrittenJson

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Any value: which one, the call's own declaration says."""
        del core_schema, handler
        return {"description": cls.__doc__ or ""}

    def to_bytes(self) -> bytes:
        """The result as it is."""
        return self.value

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """Take the result as it is."""
        return cls(value=raw)

    @property
    def written(self) -> Written[Any]:
        """The result, to be passed on."""
        return Written(self.value)


class UndoCallParams(AppCallParams):
    """Take a call of an app's back, for the person who pressed for it; refused with a conflict where somebody went on.

    The params are what `app/call` gave as `undo`.
    """


class _Undoable(msgspec.Struct):
    value: msgspec.Raw
    undo: msgspec.Raw


_undoable_decoder = msgspec.json.Decoder(_Undoable)


def join_undo(value: bytes, undo: bytes) -> bytes:
    """A result with what takes it back."""
    return msgspec.json.encode(_Undoable(msgspec.Raw(value), msgspec.Raw(undo)))


def split_undo(written: bytes) -> tuple[bytes, bytes]:
    """The two again."""
    both = _undoable_decoder.decode(written)
    return bytes(both.value), bytes(both.undo)


APP_CALL = Method("app/call", AppCallParams, AppCallResult)
APP_UNDO = Method("app/undo", UndoCallParams, Empty)
