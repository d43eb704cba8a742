"""Files that leave an app: its own, to a place the person chose (the standard: same origin, permission checked)."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.downloads import Downloads, file_name
from lime_desktop.host.shelf import Shelf
from lime_desktop.host.view_bodies import ViewBodies
from lime_desktop.protocol.bridge.from_app import DownloadPayload
from lime_desktop.protocol.errors import Cancelled, HostActionFailed, UntrustedUrl
from tests.host.bridged import Bridged, play
from tests.host.requests.test_app_requests import SAMPLE, Window

ORIGIN = "lime-app://hello-lime"


def download(
    url: str, window: Window, bodies: ViewBodies | None = None, name: str | None = None
) -> bool:
    [app] = Shelf("en").add([SAMPLE])
    downloads = Downloads(lambda: app, bodies or ViewBodies(), window)
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
    assert file_name(wanted) == proposed


@given(st.text())
def test_a_proposed_name_is_always_one_plain_name(wanted: str) -> None:
    name = file_name(wanted)
    assert name
    assert not set(name) & set("/\\\0")
    assert name not in {".", ".."}
