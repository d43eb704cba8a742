"""What a page's own origin cannot give is a failure that its scripts hear of, in a real engine (ours)."""

import pytest

from tests.shell.conftest import ShowApp

PAGE = '<!doctype html><script type="module" src="/app.js"></script>'
TRY = (
    "const limit = work => Promise.race([work, new Promise(done => setTimeout(() => done('HANGS'), 20000))]);"
    "const fate = work => limit(work.then(() => 'answered', () => 'failed'));"
)


@pytest.mark.parametrize(
    "attempt",
    [
        'fetch("/missing.json")',
        'fetch("/api/unknown")',
        'fetch("/app.js", {method: "POST", body: "{}"})',
        'fetch("/api/save", {method: "PUT", body: "{}"})',
        'import("/missing.js")',
        'fetch("/__lime__/nothing")',
    ],
)
def test_what_is_not_there_fails(show_app: ShowApp, attempt: str) -> None:
    """A bug: it was answered with status 200 and a sentence, so that a page took the sentence for its data."""
    shown = show_app(
        {"index.html": PAGE, "app.js": f'{TRY} parent.postMessage(await fate({attempt}), "*");'}
    )
    assert shown.say() == "failed"


def test_what_is_there_is_answered_and_a_route_is_opened_alone(show_app: ShowApp) -> None:
    """Ours: a link to a route opens the app's page, and a script that fetches the same path gets no page."""
    script = (
        f"{TRY} const frame = document.createElement('iframe'); frame.src = '/notes/7';"
        "const opened = new Promise(done => frame.onload = () => done(frame.contentDocument.title));"
        "document.body.append(frame);"
        'const said = [await fate(fetch("/app.js")), await fate(fetch("/notes/7")), await opened];'
        'if (parent === top) parent.postMessage(said, "*");'
    )
    page = PAGE.replace("<script", "<title>The app</title><script")
    shown = show_app(
        {"index.html": page, "app.js": f"if (location.pathname !== '/notes/7') {{ {script} }}"}
    )
    assert shown.say() == ["answered", "failed", "The app"]


def test_the_sdk_is_imported_by_its_name_without_a_map(show_app: ShowApp) -> None:
    """Ours: what the guide and the templates write works in a page that has no import map."""
    script = 'import { getLimeRuntime } from "@lime/app-sdk"; parent.postMessage(typeof getLimeRuntime, "*");'
    shown = show_app({"index.html": PAGE, "app.js": script})
    assert shown.say() == "function"


def test_a_map_of_the_apps_own_is_left_as_it_is(show_app: ShowApp) -> None:
    own = '<script type="importmap">{"imports": {"@lime/app-sdk": "/own.js"}}</script>'
    script = 'import { mine } from "@lime/app-sdk"; parent.postMessage(mine, "*");'
    files = {"index.html": own + PAGE, "app.js": script, "own.js": 'export const mine = "own";'}
    assert show_app(files).say() == "own"
