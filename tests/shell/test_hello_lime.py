"""Hello Lime in a real view: it greets, keeps what it is told, and shows what it is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.shell.conftest import ShowApp, ShownApp

UI = Path(__file__).parents[2] / "sample_apps" / "hello-lime" / "dist" / "ui"

pytestmark = pytest.mark.system


class StoringHost:
    """Answers as a host with storage does: enough of one for a page that only greets."""

    def __init__(self, shown: ShownApp, stored: dict[str, str], *, refuses: bool = False) -> None:
        self.stored = stored
        self._post = shown.view.post
        self._refuses = refuses
        shown.view.received.connect(self._answer)

    def _answer(self, text: str) -> None:
        message: dict[str, Any] = json.loads(text)
        reply = {key: message[key] for key in ("protocol", "version", "appId")}
        if "requestId" in message:
            reply["requestId"] = message["requestId"]
        self._post(json.dumps(reply | self._content(message)))

    def _content(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] != "capability:invoke":
            theme = {"effectiveThemeMode": "dark", "tokens": {"--lime-bg": "#000000"}}
            return {"type": "host:snapshot", "payload": {"host": {"locale": "zh"}, "theme": theme}}
        call = message["payload"]
        if call["method"] == "get":
            return {"type": "host:response", "payload": {"ok": True, "value": self._read(call)}}
        if self._refuses:
            refusal = {"ok": False, "stableCode": "permission_denied", "message": "No."}
            return {"type": "host:error", "payload": refusal}
        self.stored[call["input"]["key"]] = call["input"]["value"]
        return {"type": "host:response", "payload": {"ok": True, "value": call["input"]}}

    def _read(self, call: dict[str, Any]) -> str | None:
        return self.stored.get(call["input"]["key"])


class HelloPage:
    """What a person sees of the page and does to it."""

    def __init__(self, show_app: ShowApp, qtbot: QtBot) -> None:
        names = [path for path in UI.rglob("*") if path.is_file()]
        files = {path.relative_to(UI).as_posix(): path.read_text("utf-8") for path in names}
        self.shown = show_app(files, app_id="hello-lime", route="/greeting")
        self._qtbot = qtbot

    def connect(self, stored: dict[str, str], *, refuses: bool = False) -> StoringHost:
        # Kept here: Qt's connection to it does not keep it alive.
        self._host = StoringHost(self.shown, stored, refuses=refuses)
        return self._host

    def run(self, expression: str) -> object:
        answers: list[object] = []
        script = f"{{ const d = document.querySelector('iframe').contentDocument; {expression} }}"
        self.shown.view.page().runJavaScript(script, 0, answers.append)
        self._qtbot.waitUntil(lambda: bool(answers), timeout=60_000)
        return answers[0]

    def wait_until(self, expression: str) -> None:
        self.shown.wait(lambda: self.run(expression) is True)

    def save(self, greeting: str) -> None:
        self.wait_until("!d.getElementById('text').disabled")
        typed = json.dumps(greeting)
        self.run(
            f"d.getElementById('text').value = {typed}; d.getElementById('form').requestSubmit()"
        )


@pytest.fixture
def page(show_app: ShowApp, qtbot: QtBot) -> HelloPage:
    return HelloPage(show_app, qtbot)


def test_it_shows_the_greeting_that_is_stored(page: HelloPage) -> None:
    page.connect({"greeting": "Bonjour"})
    page.wait_until("d.getElementById('greeting').textContent === 'Bonjour'")


@pytest.mark.requirement("APP-23")
def test_it_follows_the_language_and_the_theme_of_the_host(page: HelloPage) -> None:
    page.connect({})
    page.wait_until("d.getElementById('save').textContent === '保存'")
    page.wait_until("d.getElementById('greeting').textContent === '你好！很高兴见到你。'")
    page.wait_until("d.documentElement.dataset.limeThemeEffective === 'dark'")
    page.wait_until("d.documentElement.style.getPropertyValue('--lime-bg') === '#000000'")


def test_what_a_person_types_is_kept_by_the_host_and_shown_as_text(page: HelloPage) -> None:
    host = page.connect({})
    page.save("<b>Hi</b>")
    page.wait_until("d.getElementById('greeting').textContent === '<b>Hi</b>'")
    assert host.stored == {"greeting": "<b>Hi</b>"}


def test_a_refusal_is_shown_with_its_code_and_what_to_do(page: HelloPage) -> None:
    page.connect({}, refuses=True)
    page.save("Hi")
    page.wait_until("!d.getElementById('problem').hidden")
    page.wait_until("d.getElementById('problem-title').textContent === '不允许保存问候语。'")
    page.wait_until("d.getElementById('problem-action').textContent === '请在设置中授予权限。'")
    page.wait_until("d.getElementById('problem-code').textContent === 'permission_denied'")
