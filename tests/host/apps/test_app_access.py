"""What a person gave an app can be looked through and taken back (the issue: see, change, undo and remove all of it)."""

from pathlib import Path

import pytest

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.apps.app_access import read_given, take_back
from lime_desktop.protocol.calls.approvals import GivenThing
from lime_desktop.protocol.calls.files import GRANT_FILES, GrantFilesParams
from lime_desktop.protocol.calls.knowledge import BIND_KNOWLEDGE, BindKnowledgeParams
from lime_desktop.protocol.calls.secrets import BIND_SECRET, BindSecretParams
from lime_desktop.protocol.ids import AppId
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play

MANIFEST = """\
requires: {capabilities: {lime.secrets: '>=0.3.0', lime.knowledge: '>=0.3.0', lime.storage: '>=0.3.0'}}
secrets: [{key: token}]
knowledgeTemplates: [{key: handbook, standard: agentknowledge, type: reference}]
"""


def test_everything_given_is_listed_with_its_place_and_can_be_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SWITCH, "off")
    book, sheet = tmp_path / "book.md", tmp_path / "sheet.csv"
    for path in (book, sheet):
        path.write_text("Water the lime tree.")

    async def scene(page: Bridged) -> None:
        app_id, call = AppId(page.app().app_id), page.connection.call
        assert await read_given(call, app_id) == ()
        await call(BIND_SECRET, BindSecretParams(app_id=app_id, slot="token", value="planted"))
        bound = BindKnowledgeParams(app_id=app_id, key="handbook", paths=(str(book),))
        await call(BIND_KNOWLEDGE, bound)
        for is_persistent in (True, False):
            opened = GrantFilesParams(
                app_id=app_id, paths=(str(sheet),), is_persistent=is_persistent
            )
            await call(GRANT_FILES, opened)
        things = await read_given(call, app_id)
        assert things[:2] == (
            GivenThing(kind="secret", key="token"),
            GivenThing(kind="knowledge", key="handbook", places=(str(book),)),
        )
        assert [(each.places, each.is_lasting) for each in things[2:]] == [
            ((str(sheet),), True),
            ((str(sheet),), False),
        ]
        assert "planted" not in repr(things)
        for thing in things:
            await take_back(call, app_id, thing)
        assert await read_given(call, app_id) == ()
        assert book.exists()
        assert sheet.exists()

    package = write_package(tmp_path / "package", {"APP.md": app_md(MANIFEST)})
    play(tmp_path / "data", package, scene)
