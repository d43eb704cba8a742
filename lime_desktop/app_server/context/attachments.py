"""What was attached to a turn by reference: documents as text to read, pictures for a model that sees.

A file is opened as its app would open it, so that a reference opens to an agent no more than to the app. What cannot
be read is said in facts, and the turn goes on without it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from lime_desktop.app_server.answer_guards.answer_guard import withheld
from lime_desktop.app_server.answer_guards.grounding import texts_in
from lime_desktop.app_server.context.instructions import Part
from lime_desktop.app_server.files.service import AppFilesService
from lime_desktop.app_server.runtime_core.backend import Source, TurnRequest
from lime_desktop.app_server.task_request import TaskRequest, task_request_in
from lime_desktop.protocol.calls.turns import (
    MAX_PICTURE_BYTES,
    PICTURE_TYPES,
    Attachment,
    TaskProfile,
)
from lime_desktop.protocol.capability_calls.files import (
    FileRef,
    ParseFileParams,
    ReadFileParams,
)
from lime_desktop.protocol.capability_calls.knowledge import KnowledgeRecord
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId, JsonObject

_PIECE_BYTES = 1_572_864
"""A multiple of three, so that pieces in base64 join without a seam."""
_LEAST_CHARACTERS = 200
_LONGEST_REF = 200


@dataclass(slots=True)
class Attached:
    """What became of a turn's attachments."""

    parts: list[Part] = field(default_factory=list[Part])
    """The texts of documents."""
    pictures: list[Attachment] = field(default_factory=list[Attachment])
    """With their bytes, in an address that leads nowhere else."""
    refs: list[str] = field(default_factory=list[str])
    """Those that the turn is given."""
    omissions: list[JsonObject] = field(default_factory=list[JsonObject])

    def leave_out(self, ref: str, reason: str) -> None:
        """The turn goes on without this one."""
        self.omissions.append({"ref": ref[:_LONGEST_REF], "reason": reason})


class AttachedFiles:
    """Opens files in the name of their app."""

    def __init__(self, files: AppFilesService) -> None:
        self._service = files

    async def has_pictures(self, request: TurnRequest) -> bool:
        """Whether a turn brings anything to look at, as far as can be told without opening it."""
        addresses = {each.uri or "" for each in request.input.attachments}
        if any(map(_is_picture, addresses)):
            return True
        if not any(addresses):
            return False
        files = await self._files(AppId(request.app_id))
        return any(files[ref].media_type in PICTURE_TYPES for ref in addresses & files.keys())

    async def read(self, request: TurnRequest, room_characters: int) -> Attached:
        """Open everything that a turn names; its texts together take no more than the room."""
        attached = Attached()
        addresses = [each.uri or "" for each in request.input.attachments]
        # What brings its own bytes needs no opening.
        named = [ref for ref in addresses if ref and not ref.startswith("data:")]
        if not named:
            return attached
        app_id = AppId(request.app_id)
        files = await self._files(app_id)
        share = max(room_characters // len(named), _LEAST_CHARACTERS)
        for ref in named:
            try:
                await self._open(attached, app_id, files.get(ref), ref, share)
            except AppError as error:
                attached.leave_out(ref, _reason(error))
        return attached

    async def refs(self, app_id: AppId) -> frozenset[str]:
        """Every reference that was opened to an app."""
        return frozenset(await self._listed(app_id))

    async def _files(self, app_id: AppId) -> dict[str, FileRef]:
        try:
            return await self._listed(app_id)
        except AppError:
            return {}

    async def _listed(self, app_id: AppId) -> dict[str, FileRef]:
        return {file.ref: file for file in await self._service.list_for(app_id)}

    async def _open(
        self, attached: Attached, app_id: AppId, file: FileRef | None, ref: str, share: int
    ) -> None:
        if file is None:
            attached.leave_out(ref, "unknown_reference")
        elif file.media_type in PICTURE_TYPES:
            if file.size_bytes > MAX_PICTURE_BYTES:
                attached.leave_out(ref, "picture_too_large")
                return
            body = await self._base64(app_id, ref)
            address = f"data:{file.media_type};base64,{body}"
            attached.pictures.append(
                Attachment(kind="image", uri=address, metadata={"ref": ref, "name": file.name})
            )
            attached.refs.append(ref)
        else:
            attached.parts.append(await self._text(app_id, file, share))
            attached.refs.append(ref)

    async def _text(self, app_id: AppId, file: FileRef, share: int) -> Part:
        parsed = await self._service.parse_for(app_id, ParseFileParams(ref=file.ref))
        text = parsed.text[:share]
        if parsed.truncated or len(parsed.text) > share:
            text += f"\n(The rest was left out; its reference is {file.ref}.)"
        return Part("file", file.name, text)

    async def _base64(self, app_id: AppId, ref: str) -> str:
        pieces: list[str] = []
        offset: int | None = 0
        while offset is not None:
            params = ReadFileParams(ref=ref, encoding="base64", offset=offset, length=_PIECE_BYTES)
            read = await self._service.read_for(app_id, params)
            pieces.append(read.content)
            offset = read.next_offset
        return "".join(pieces)


def with_pictures(request: TurnRequest, pictures: Sequence[Attachment]) -> TurnRequest:
    """The turn with its pictures opened, each in the place of its reference."""
    opened = {(each.metadata or {}).get("ref"): each for each in pictures}
    given = tuple(opened.get(each.uri, each) for each in request.input.attachments)
    request = replace(request, input=request.input.model_copy(update={"attachments": given}))
    return needing_sight(request) if any(_is_picture(each.uri or "") for each in given) else request


def needing_sight(request: TurnRequest) -> TurnRequest:
    """The same for a model that sees: one that does not is no model for it."""
    profile = request.options.task_profile or TaskProfile()
    needed = tuple(dict.fromkeys((*profile.required_capabilities, "vision")))
    profile = profile.model_copy(update={"required_capabilities": needed})
    return replace(request, options=request.options.model_copy(update={"task_profile": profile}))


def _is_picture(address: str) -> bool:
    return address.startswith("data:image/")


def _reason(error: AppError) -> str:
    return str(error.details.get("reasonCode", error.stable_code))


def with_sources(
    request: TurnRequest, passages: Sequence[KnowledgeRecord], attached: Attached
) -> TurnRequest:
    """The turn with what its answer must rest on; the same where nothing was said of that.

    Raises:
        AnswerWithheld: its answer must rest on something, and there is nothing.
    """
    asked = task_request_in(request.options)
    if asked is None:
        return request
    found = tuple(Source(each.title, each.snippet) for each in passages)
    if not _demands(asked):
        # Who names where to look wants an answer from there.
        return replace(request, sources=found) if asked.request.knowledge else request
    sources = (*found, *_brought(asked, attached))
    if not sources:
        raise withheld("nothing_found")
    return replace(request, sources=sources, demands_grounding=True)


def _demands(asked: TaskRequest) -> bool:
    expected = asked.request.expected_output
    return expected is not None and bool(expected.grounded)


def _brought(asked: TaskRequest, attached: Attached) -> Iterator[Source]:
    if given := "\n".join(texts_in(asked.request.input)):
        yield Source("", given)
    for part in attached.parts:
        yield Source(part.name, part.text)
