"""Files that leave an app: its own, to a place the person chose (the standard: same origin, permission checked)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.file_names import last_name
from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.approvals.question import YES
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.view.downloads import Downloads
from lime_desktop.protocol.bridge.from_app import DownloadPayload
from lime_desktop.protocol.errors import Cancelled, HostActionFailed, UntrustedUrl
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.requests.test_app_requests import SAMPLE, Window

ORIGIN = "lime-app://hello-lime"


def download(
    url: str, window: Window, bodies: ViewBodies | None = None, name: str | None = None
) -> bool:
    [app] = AppRegistry("en").add([SAMPLE])
    nobody = AppServerSupervisor(lambda: Sidecar.start(())).call
    downloads = Downloads(lambda: app, bodies or ViewBodies(), window, nobody)
    payload = DownloadPayload(url=url, file_name=name)
    return asyncio.run(downloads.download(payload)).downloaded


@pytest.mark.requirement("APP-22")
@pytest.mark.parametrize("url", ["/styles.css", f"{ORIGIN}/styles.css", "/styles.css?x=1#y"])
def test_a_file_of_the_app_is_saved_where_the_person_says(url: str, tmp_path: Path) -> None:
    window = Window()
    window.save_path = tmp_path / "chosen.css"
    assert download(url, window)
    assert window.asked == [("save", "styles.css")]
    assert (tmp_path / "chosen.css").read_bytes() == (SAMPLE / "dist/ui/styles.css").read_bytes()


def test_a_value_that_was_handed_out_is_saved_too(tmp_path: Path) -> None:
    window, bodies = Window(), ViewBodies()
    window.save_path = tmp_path / "report.json"
    assert download(bodies.offer(b"[1]"), window, bodies, "report.json")
    assert window.save_path.read_bytes() == b"[1]"


@pytest.mark.requirement("APP-22")
@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a.zip",
        "//example.com/a.zip",
        "lime-app://other/a.zip",
        "file:///etc/passwd",
        "data:text/plain,x",
        "a.zip",
        "/missing.zip",
        "/../../APP.md",
        "/__lime__/frame.html",
        "/__lime__/body/guessed",
        "http://[::1",
    ],
)
def test_nothing_else_is_even_offered(url: str) -> None:
    window = Window()
    with pytest.raises(UntrustedUrl):
        download(url, window)
    assert window.asked == []


def test_a_person_who_chooses_nothing_cancels() -> None:
    with pytest.raises(Cancelled):
        download("/styles.css", Window())


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    window = Window()
    window.save_path = tmp_path / "missing" / "x.css"
    with pytest.raises(HostActionFailed) as failure:
        download("/styles.css", window)
    assert str(tmp_path) not in failure.value.message


def test_the_bridge_answers_with_the_fields_that_clients_read(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.window.save_path = tmp_path / "x.css"
        answer = await page.send("host:download", {"url": "/styles.css"})
        assert (answer["ok"], answer["downloaded"]) == (True, True)
        assert answer["value"] == answer["result"] == {"downloaded": True}
        refused = await page.send("host:download", {"url": "https://example.com/x"})
        assert refused["stableCode"] == "policy_denied"

    play(tmp_path / "data", SAMPLE, scene)


EXPORTING = """
artifactTypes: [{key: draft, exporters: [markdown]}, {key: book, exporters: [zip]}]
operations:
  - key: publish
    type: publish
    sideEffect: external_write
    approvalRequired: true
    dryRunRequired: true
    idempotencyRequired: true
    evidenceRequired: true
"""


def exporting_app(folder: Path) -> Path:
    capabilities = "{lime.artifacts: '>=0.3.0', lime.evidence: '>=0.3.0', lime.files: '>=0.3.0'}"
    return write_app(folder, capabilities=capabilities, more=EXPORTING)


async def exported(page: Bridged) -> dict[str, Any]:
    made = await page.value("lime.artifacts.create", kind="draft", title="Plan", content="Go.")
    return await page.value("lime.artifacts.export", artifactId=made["id"])


def test_a_file_that_the_app_holds_is_saved_by_its_reference(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.window.save_path = tmp_path / "out.md"
        written = await exported(page)
        assert await page.value("lime.ui.download", ref=written["ref"]) == {"downloaded": True}
        assert page.window.asked == [("save", "Plan.md")]
        assert page.window.save_path.read_text() == "# Plan\n\nGo.\n"
        assert await page.code("lime.ui.download", ref="file-ref:guessed") == "APP_E021"
        assert await page.code("lime.ui.download", ref=written["ref"], url="/x") == "APP_E014"

    play(tmp_path / "data", exporting_app(tmp_path), scene)


def test_an_archive_that_the_app_holds_is_unpacked_into_a_new_folder(tmp_path: Path) -> None:
    place = tmp_path / "place"
    (place / "Notes").mkdir(parents=True)
    (place / "Notes" / "mine.md").write_text("mine")

    async def scene(page: Bridged) -> None:
        files = [{"path": "a.md", "text": "A"}, {"path": "deep/b.md", "text": "B"}]
        made = await page.value(
            "lime.artifacts.create", kind="book", title="Notes", content={"files": files}
        )
        written = await page.value("lime.artifacts.export", artifactId=made["id"])
        page.window.choice = asyncio.get_running_loop().create_future()
        page.window.choice.set_result((place,))
        wanted = {"ref": written["ref"], "fileName": "Notes", "unpack": True}
        assert await page.value("lime.ui.download", **wanted) == {"downloaded": True}
        assert sorted(each.name for each in place.iterdir()) == ["Notes", "Notes 2"]
        assert (place / "Notes 2" / "deep" / "b.md").read_text() == "B"
        assert [each.name for each in (place / "Notes").iterdir()] == ["mine.md"]
        assert await page.code("lime.ui.download", url="/x", unpack=True) == "APP_E014"

    play(tmp_path / "data", exporting_app(tmp_path), scene)


def test_a_person_is_asked_once_however_long_they_look_for_a_place(tmp_path: Path) -> None:
    """A bug: the yes was used up by the first try, so each later one asked again."""

    async def scene(page: Bridged) -> None:
        page.window.save_path = tmp_path / "out.md"
        page.window.may_save = asyncio.Event()
        written = await exported(page)
        publish = {
            "capability": "lime.ui",
            "method": "download",
            "input": {"ref": written["ref"]},
            "operation": "publish",
            "idempotencyKey": "publish-1",
        }
        early = await page.send("capability:invoke", publish)
        assert early["details"]["rule"] == "operation.publish.dry-run"
        assert (await page.send("capability:invoke", {**publish, "dryRun": True}))["ok"]
        asked = await page.send("capability:invoke", publish)
        assert asked["details"]["pending"] is True
        [question] = page.approvals.queue.open
        page.approvals.queue.answer([question.question_id], YES)
        for _ in range(2):
            waiting = await page.send("capability:invoke", {**publish, "timeoutMs": 1})
            assert (waiting["stableCode"], waiting["details"]["pending"]) == ("timeout", True)
        page.window.may_save.set()
        assert (await page.send("capability:invoke", publish))["value"] == {"downloaded": True}
        assert (await page.send("capability:invoke", publish))["value"] == {"downloaded": True}
        assert page.window.asked == [("save", "Plan.md")]
        assert page.approvals.queue.open == ()
        kept = await page.value("lime.evidence.list", kind="capability-call")
        told = [each["message"] for each in kept if each["subject"] == "lime.ui.download"]
        assert [words.partition(":")[0] for words in told] == [
            "lime.ui.download was carried out",
            "lime.ui.download is about to be carried out",
        ]

    play(tmp_path / "data", exporting_app(tmp_path), scene)


@pytest.mark.parametrize(
    ("wanted", "proposed"),
    [
        ("/a/b/report.pdf", "report.pdf"),
        ("..\\..\\evil.exe", "evil.exe"),
        ("con:name?.txt", "con_name_.txt"),
        ("invoice\u202egpj.exe", "invoice_gpj.exe"),
        ("...", "download"),
        ("/%2e%2e/%2fetc%2fpasswd", "passwd"),
    ],
)
def test_a_proposed_name_misleads_nobody(wanted: str, proposed: str) -> None:
    assert last_name(wanted) == proposed


@given(st.text())
def test_a_proposed_name_is_always_one_plain_name(wanted: str) -> None:
    name = last_name(wanted)
    assert name
    assert not set(name) & set("/\\\0")
    assert name not in {".", ".."}
