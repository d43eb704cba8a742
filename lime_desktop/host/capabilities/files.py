"""lime.files: the person's choice is the grant. The window asks, the App Server holds the references."""

from pydantic import BaseModel

from lime_desktop.host.approvals.asking import OpenQuestions
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, LaterHandler
from lime_desktop.host.view.shell_port import FileQuestion
from lime_desktop.protocol.calls.files import GRANT_FILES, GrantFilesParams
from lime_desktop.protocol.capability_calls.files import (
    FileRef,
    PickFilesParams,
    PickFilesResult,
    TakeDroppedParams,
    TakeDroppedResult,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    return {
        "lime.files.pick": _picker(services),
        "lime.files.takeDropped": _dropped_taker(services),
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
