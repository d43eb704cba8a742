"""What a person gave an app: read to be shown to them, and taken back by them."""

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.approvals import LIST_GIVEN, GivenThing, ListGivenParams
from lime_desktop.protocol.calls.files import TAKE_FILE, TakeFileParams
from lime_desktop.protocol.calls.knowledge import UNBIND_KNOWLEDGE, UnbindKnowledgeParams
from lime_desktop.protocol.calls.secrets import UNBIND_SECRET, UnbindSecretParams
from lime_desktop.protocol.ids import AppId


async def read_given(call: CallServer, app_id: str) -> tuple[GivenThing, ...]:
    """Everything that an app holds of its person's."""
    return (await call(LIST_GIVEN, ListGivenParams(app_id=AppId(app_id)))).things


async def take_back(call: CallServer, app_id: str, thing: GivenThing) -> None:
    """The app has it no longer; what lies on the disk stays where it is."""
    app = AppId(app_id)
    match thing.kind:
        case "secret":
            await call(UNBIND_SECRET, UnbindSecretParams(app_id=app, slot=thing.key))
        case "knowledge":
            await call(UNBIND_KNOWLEDGE, UnbindKnowledgeParams(app_id=app, key=thing.key))
        case "file":
            await call(TAKE_FILE, TakeFileParams(app_id=app, ref=thing.key))
