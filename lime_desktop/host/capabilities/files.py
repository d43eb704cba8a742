"""lime.files: the person's choice is the grant. The window asks, the App Server holds the references."""

from pydantic import BaseModel

from lime_desktop.host.asking import OpenQuestions
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, LaterHandler
from lime_desktop.host.shell_port import FileQuestion
from lime_desktop.protocol.calls.files import (
    GRANT_FILES,
    LIST_FILES,
    PARSE_FILE,
    READ_FILE,
    READ_FOLDER,
    RELEASE_FILE,
    GrantFilesParams,
    ListFilesParams,
    ReadFolderParams,
    ReleaseFileParams,
)
from lime_desktop.protocol.calls.files import ParseFileParams as ParseParams
from lime_desktop.protocol.calls.files import ReadFileParams as ReadParams
from lime_desktop.protocol.capability_calls.files import (
    FileRef,
    FileRefParams,
    ListFileRefsResult,
    ListFolderParams,
    ListFolderResult,
    ParseFileParams,
    ParseFileResult,
    PickFilesParams,
    PickFilesResult,
    ReadFileParams,
    ReadFileResult,
    ReleaseFileRefResult,
    TakeDroppedParams,
    TakeDroppedResult,
)
from lime_desktop.protocol.wire import Empty

_PARSE_S = 75.0
"""A large document takes its time; the client may have given up, the next call is quick."""


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    return {
        "lime.files.pick": _picker(services),
        "lime.files.takeDropped": _dropped_taker(services),
        **_readers(services),
    }


def _picker(services: HandlerServices) -> LaterHandler:
    call, app_id = services.call, services.app_id
    questions = OpenQuestions[tuple[FileRef, ...]]()

    async def choose(params: PickFilesParams) -> tuple[FileRef, ...]:
        question = FileQuestion(accept=params.accept, is_multiple=params.multiple)
        paths = await services.shell.choose_files(question)
        if not paths:
            return ()
        granted = GrantFilesParams(
            app_id=app_id, paths=tuple(map(str, paths)), is_persistent=params.persist
        )
        return (await call(GRANT_FILES, granted)).files

    async def pick(params: PickFilesParams) -> BaseModel:
        files = await questions.ask(params.to_json(), lambda: choose(params))
        if files is None:
            return PickFilesResult(status="pending")
        if not files:
            return PickFilesResult(status="cancelled", cancelled=True)
        return PickFilesResult(status="chosen", files=files)

    return pick


def _dropped_taker(services: HandlerServices) -> LaterHandler:
    call, app_id = services.call, services.app_id

    async def take(params: TakeDroppedParams) -> BaseModel:
        # Asked even where nothing was dropped: whoever hears “nothing” must be able to rely on it.
        paths = tuple(map(str, services.shell.take_dropped()))
        granted = GrantFilesParams(app_id=app_id, paths=paths, is_persistent=params.persist)
        return TakeDroppedResult(files=(await call(GRANT_FILES, granted)).files)

    return take


def _readers(services: HandlerServices) -> Handlers:
    call, app_id = services.call, services.app_id

    async def read(params: ReadFileParams) -> BaseModel:
        asked = ReadParams.model_validate({**params.model_dump(), "app_id": app_id})
        found = await call(READ_FILE, asked)
        return ReadFileResult(
            ref=params.ref, encoding=params.encoding, offset=params.offset, **found.model_dump()
        )

    async def parse(params: ParseFileParams) -> BaseModel:
        asked = ParseParams(app_id=app_id, ref=params.ref, parser=params.parser, path=params.path)
        found = await call(PARSE_FILE, asked, timeout_s=_PARSE_S)
        return ParseFileResult(ref=params.ref, **found.model_dump())

    async def list_refs(_: Empty) -> BaseModel:
        return ListFileRefsResult((await call(LIST_FILES, ListFilesParams(app_id=app_id))).files)

    async def list_folder(params: ListFolderParams) -> BaseModel:
        asked = ReadFolderParams(app_id=app_id, ref=params.ref, path=params.path)
        found = await call(READ_FOLDER, asked)
        return ListFolderResult(entries=found.entries, truncated=found.truncated)

    async def release(params: FileRefParams) -> BaseModel:
        released = await call(RELEASE_FILE, ReleaseFileParams(app_id=app_id, ref=params.ref))
        return ReleaseFileRefResult(released=released.was_held)

    return {
        "lime.files.readRef": read,
        "lime.files.parse": parse,
        "lime.files.listRefs": list_refs,
        "lime.files.listFolder": list_folder,
        "lime.files.releaseRef": release,
    }
