"""A folder that a person opens to an app: they choose it in the host's own dialog, and the app gets a reference."""

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.view.shell_port import FileQuestion, ShellPort
from lime_desktop.protocol.calls.files import GRANT_FILES, GrantFilesParams
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.ids import AppId


async def choose_folder(
    shell: ShellPort, call: CallServer, app_id: AppId, title: str, *, is_persistent: bool = False
) -> tuple[FileRef, ...]:
    """The folder by reference; nothing where the person chooses none. Waits for them."""
    chosen = await shell.choose_files(FileQuestion(is_folder=True, title=title))
    if not chosen:
        return ()
    asked = GrantFilesParams(
        app_id=app_id, paths=tuple(map(str, chosen)), is_persistent=is_persistent
    )
    return (await call(GRANT_FILES, asked)).files
