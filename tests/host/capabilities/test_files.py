"""lime.files and lime.secrets: a person's act is the grant, and an app holds references (the standard: never paths)."""

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play

MORE = "secrets: [{key: crm, provider: crm}]"


def app(folder: Path) -> Path:
    wanted = "{lime.files: '>=0.3.0', lime.secrets: '>=0.3.0'}"
    return write_app(folder, capabilities=wanted, more=MORE)


def choosing(page: Bridged, *paths: Path) -> None:
    page.window.choice = asyncio.get_running_loop().create_future()
    page.window.choice.set_result(paths)


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


def test_a_chosen_file_is_read_by_reference_and_its_place_stays_unknown(tmp_path: Path) -> None:
    chosen = tmp_path / "private" / "notes.txt"
    chosen.parent.mkdir()
    chosen.write_text("你好 world", encoding="utf-8")

    async def scene(page: Bridged) -> None:
        choosing(page, chosen)
        picked = await page("lime.files.pick", accept=[".txt"])
        assert "private" not in json.dumps(picked)
        [file] = picked["value"]["files"]
        assert (file["name"], file["sizeBytes"], file["mediaType"]) == (
            "notes.txt",
            12,
            "text/plain",
        )
        first = await page.value("lime.files.readRef", ref=file["ref"], length=4)
        # Four bytes hold one character and a piece of the next; the piece comes with it.
        assert (first["content"], first["bytesRead"], first["nextOffset"]) == ("你", 3, 3)
        rest = await page.value("lime.files.readRef", ref=file["ref"], offset=3)
        assert (rest["content"], "nextOffset" in rest) == ("好 world", False)
        raw = await page.value("lime.files.readRef", ref=file["ref"], length=3, encoding="base64")
        assert raw["content"] == "5L2g"
        parsed = await page.value("lime.files.parse", ref=file["ref"])
        assert (parsed["text"], parsed["parser"]) == ("你好 world", "text")
        assert await page.value("lime.files.listRefs") == [file]
        assert await page.value("lime.files.releaseRef", ref=file["ref"]) == {"released": True}
        assert await page.code("lime.files.readRef", ref=file["ref"]) == "APP_E021"

    play(tmp_path / "data", app(tmp_path), scene)


def test_what_a_person_drops_on_the_page_is_read_by_reference_once(tmp_path: Path) -> None:
    """Ours: dropping is a choice, and a choice is the grant."""
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "notes.txt").write_text("hello")

    async def scene(page: Bridged) -> None:
        assert await page.value("lime.files.takeDropped") == {"files": []}
        page.window.dropped = (folder / "notes.txt", folder)
        taken = await page.value("lime.files.takeDropped", persist=True)
        assert str(tmp_path) not in json.dumps(taken)
        file, inside = taken["files"]
        assert [
            (each["name"], each["isFolder"], each["isPersistent"]) for each in (file, inside)
        ] == [
            ("notes.txt", False, True),
            ("private", True, True),
        ]
        assert (await page.value("lime.files.readRef", ref=file["ref"]))["content"] == "hello"
        listed = await page.value("lime.files.listFolder", ref=inside["ref"])
        assert [each["name"] for each in listed["entries"]] == ["notes.txt"]
        assert await page.value("lime.files.takeDropped") == {"files": []}

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_chosen_folder_stays_open_only_where_that_was_asked(tmp_path: Path) -> None:
    folder = tmp_path / "private"
    folder.mkdir()
    refs: dict[bool, str] = {}

    async def choose(page: Bridged) -> None:
        for persist in (True, False):
            choosing(page, folder)
            answer = await page.value("lime.ui.selectDirectory", persist=persist)
            refs[persist] = answer["ref"]

    async def later(page: Bridged) -> None:
        listed = await page.value("lime.files.listFolder", ref=refs[True])
        assert listed["entries"] == []
        assert await page.code("lime.files.listFolder", ref=refs[False]) == "APP_E021"

    play(tmp_path / "data", app(tmp_path), choose)
    play(tmp_path / "data", app(tmp_path), later)


def test_a_reference_outlives_the_server_only_where_that_was_asked(tmp_path: Path) -> None:
    chosen = tmp_path / "a.txt"
    chosen.write_text("a")
    refs: dict[bool, str] = {}

    async def pick(page: Bridged) -> None:
        for persist in (True, False):
            choosing(page, chosen)
            answer = await page.value("lime.files.pick", persist=persist)
            refs[persist] = answer["files"][0]["ref"]

    async def later(page: Bridged) -> None:
        assert (await page.value("lime.files.readRef", ref=refs[True]))["content"] == "a"
        assert await page.code("lime.files.readRef", ref=refs[False]) == "APP_E021"

    play(tmp_path / "data", app(tmp_path), pick)
    play(tmp_path / "data", app(tmp_path), later)


def test_a_reference_opens_nothing_for_another_app_nor_through_a_link(tmp_path: Path) -> None:
    chosen = tmp_path / "a.txt"
    chosen.write_text("a")
    held: list[str] = []

    async def pick(page: Bridged) -> None:
        choosing(page, chosen)
        held.append((await page.value("lime.files.pick", persist=True))["files"][0]["ref"])

    async def other(page: Bridged) -> None:
        assert await page.code("lime.files.readRef", ref=held[0]) == "APP_E021"
        assert await page.code("lime.files.readRef", ref="/etc/passwd") == "APP_E021"

    async def after_the_swap(page: Bridged) -> None:
        assert await page.code("lime.files.readRef", ref=held[0]) == "APP_E021"

    play(tmp_path / "data", app(tmp_path), pick)
    wanted = "{lime.files: '>=0.3.0'}"
    play(tmp_path / "data", write_app(tmp_path, "other", capabilities=wanted), other)
    chosen.unlink()
    chosen.symlink_to("/etc/hostname")
    play(tmp_path / "data", app(tmp_path), after_the_swap)


def test_choosing_nothing_is_an_answer_and_a_text_that_is_none_is_said(tmp_path: Path) -> None:
    binary = tmp_path / "a.bin"
    binary.write_bytes(b"\xff\xfe\x00\x80" * 4)

    async def scene(page: Bridged) -> None:
        choosing(page)
        answer = await page.value("lime.files.pick")
        assert (answer["status"], answer["cancelled"]) == ("cancelled", True)
        choosing(page, binary)
        [file] = (await page.value("lime.files.pick"))["files"]
        assert await page.code("lime.files.readRef", ref=file["ref"]) == "APP_E014"
        assert await page.code("lime.files.parse", ref=file["ref"]) == "APP_E014"

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_secret_is_typed_into_the_hosts_window_and_reaches_no_page_and_no_file(
    tmp_path: Path,
) -> None:
    planted = "correct horse battery staple"

    async def scene(page: Bridged) -> None:
        assert await page.code("lime.secrets.getRef", key="crm") == "APP_E013"
        page.window.typed = asyncio.get_running_loop().create_future()
        page.window.typed.set_result(SecretStr(planted))
        bound = await page("lime.secrets.requestBinding", key="crm", reason="To sync")
        assert bound["value"]["status"] == "bound"
        assert planted not in json.dumps(bound)
        ref = await page.value("lime.secrets.getRef", key="crm")
        assert ref == {"key": "crm", "ref": bound["value"]["ref"]}
        assert page.window.asked == [("secret", "crm")]
        assert await page.code("lime.secrets.getRef", key="other") == "APP_E005"

    data = tmp_path / "data"
    play(data, app(tmp_path), scene)
    written = [path for path in data.rglob("*") if path.is_file()]
    assert [path for path in written if planted.encode() in path.read_bytes()] == []
    assert any(path.name == "secrets.sealed" for path in written)


def test_a_person_who_types_nothing_has_refused(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.window.typed = asyncio.get_running_loop().create_future()
        page.window.typed.set_result(None)
        answer = await page.value("lime.secrets.requestBinding", key="crm")
        assert answer == {"key": "crm", "status": "denied"}

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_chosen_folder_opens_what_lies_in_it_and_nothing_beside(tmp_path: Path) -> None:
    """Ours: choosing a folder is the grant for everything inside; no path and no link leads out."""
    folder = tmp_path / "private" / "work"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep/a.txt").write_text("a")
    (tmp_path / "private/beside.txt").write_text("b")
    (folder / "out").symlink_to(tmp_path / "private")

    async def scene(page: Bridged) -> None:
        choosing(page, folder)
        chosen = await page.value("lime.ui.selectDirectory", title="Work")
        assert (chosen["path"], chosen["cancelled"]) == ("work", False)
        look, read = "lime.files.listFolder", "lime.files.readRef"
        listed = await page.value(look, ref=chosen["ref"])
        assert [(each["path"], each["isFolder"]) for each in listed["entries"]] == [("deep", True)]
        deeper = await page.value(look, ref=chosen["ref"], path="deep")
        assert [each["path"] for each in deeper["entries"]] == ["deep/a.txt"]
        found = await page.value(read, ref=chosen["ref"], path="deep/a.txt")
        assert found["content"] == "a"
        assert await page.code(read, ref=chosen["ref"]) == "APP_E021"
        assert await page.code(read, ref=chosen["ref"], path="out/beside.txt") == "APP_E021"
        for path in ("../beside.txt", "deep/../../beside.txt", "/etc/hosts", "C:\\a", "..\\a"):
            assert await page.code(read, ref=chosen["ref"], path=path) == "APP_E014", path
        choosing(page)
        assert (await page.value("lime.ui.selectDirectory"))["cancelled"] is True

    play(tmp_path / "data", app(tmp_path), scene)


OPENED = {"capability": "lime.files", "topic": "opened", "input": {"persist": True}}


def test_what_a_person_opened_from_outside_waits_for_the_page_and_is_told_once_by_reference(
    tmp_path: Path,
) -> None:
    """Ours: opening a file with an app is a choice as in a dialog, and the app never learns where it lies."""
    folder = tmp_path / "private"
    folder.mkdir()
    first, second = folder / "a.txt", folder / "b.txt"
    first.write_text("hello")
    second.write_text("more")

    async def scene(page: Bridged) -> None:
        view = (AppId(page.app().app_id), page.entry_key)
        page.opened_files.give((AppId("another"), page.entry_key), (first,))
        page.opened_files.give((view[0], "another-entry"), (first,))
        page.opened_files.give(view, (first,))
        assert (await page.send("capability:subscribe", OPENED))["ok"]
        told = (await page.pushed.get())["payload"]
        assert str(tmp_path) not in json.dumps(told)
        [file] = told["payload"]["files"]
        assert (file["name"], file["isPersistent"]) == ("a.txt", True)
        assert (await page.value("lime.files.readRef", ref=file["ref"]))["content"] == "hello"
        page.opened_files.give(view, (first, second))
        later = (await page.pushed.get())["payload"]["payload"]["files"]
        assert [each["name"] for each in later] == ["a.txt", "b.txt"]
        assert not page.opened_files.is_waiting(view)
        assert page.pushed.empty()
        assert page.opened_files.is_waiting((AppId("another"), page.entry_key))

    play(tmp_path / "data", app(tmp_path), scene)


def test_what_became_another_thing_while_it_waited_is_not_given(tmp_path: Path) -> None:
    """Ours: a file that was exchanged for a link between the double click and the page is nobody's choice."""
    opened, secret = tmp_path / "folder" / "a.txt", tmp_path / "secret.txt"
    opened.parent.mkdir()
    opened.write_text("mine")
    secret.write_text("key")

    async def scene(page: Bridged) -> None:
        view = (AppId(page.app().app_id), page.entry_key)
        failed: asyncio.Queue[AppError] = asyncio.Queue()
        page.opened_files.failed.subscribe(failed.put_nowait)
        page.opened_files.give(view, (opened,))
        opened.unlink()
        opened.symlink_to(secret)
        assert (await page.send("capability:subscribe", OPENED))["ok"]
        assert (await failed.get()).code == "APP_E021"
        assert page.pushed.empty()
        assert await page.value("lime.files.listRefs") == []

    play(tmp_path / "data", app(tmp_path), scene)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"topic": "dropped"}, "APP_E024"),
        ({"delivery": "stream"}, "APP_E014"),
        ({"input": {"persist": "perhaps"}}, "APP_E014"),
    ],
)
def test_other_wishes_to_hear_of_files_are_refused(
    wish: dict[str, object], code: str, tmp_path: Path
) -> None:
    async def scene(page: Bridged) -> None:
        answer = await page.send("capability:subscribe", {**OPENED, **wish})
        assert answer["details"]["appErrorCode"] == code

    play(tmp_path / "data", app(tmp_path), scene)


def test_an_app_that_does_not_declare_files_hears_of_none(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        answer = await page.send("capability:subscribe", OPENED)
        assert answer["details"]["appErrorCode"] == "APP_E005"

    other = write_app(tmp_path, "other", capabilities="{lime.storage: '>=0.3.0'}")
    play(tmp_path / "data", other, scene)
