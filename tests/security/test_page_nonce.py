"""What the nonce of a page's inline scripts promises, and what it does not (ours)."""

import json
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.shell.conftest import (
    ShowApp,
    ShownApp,
    proxy_access,
    show_app,
)

__all__ = ["proxy_access", "show_app"]

PAGE = """<!doctype html><title>Nonce</title><body><script id="own">
const nonce = document.getElementById("own").nonce;
const told = { nonce, attribute: document.getElementById("own").getAttribute("nonce") };
const add = (words) => document.body.insertAdjacentHTML("beforeend", words);
add(`<img src=/none.png nonce="${nonce}" onerror="window.handled = true">`);
add(`<script nonce="${nonce}">window.inserted = true</scr` + `ipt>`);
const make = (given, words) => { const s = document.createElement("script"); s.nonce = given; Object.assign(s, words); document.body.append(s); };
const before = sessionStorage.getItem("before");
sessionStorage.setItem("before", nonce);
make(before ?? "0".repeat(32), { textContent: "window.replayed = true" });
make(nonce, { textContent: "window.madeByItself = true" });
make(nonce, { src: "https://granted.example/remote.js", onload: () => { window.remote = true; } });
setTimeout(() => {
  const ran = Object.fromEntries(["handled", "inserted", "replayed", "madeByItself", "remote"].map((each) => [each, Boolean(window[each])]));
  console.log("TOLD " + JSON.stringify({ ...told, ...ran, before }));
}, 1500);
</script></body>"""


def told(shown: ShownApp, count: int) -> dict[str, Any]:
    """What the page found out at its so-manieth load."""

    def lines() -> list[str]:
        return [each for each in shown.console if each.startswith("TOLD ")]

    shown.wait(lambda: len(lines()) >= count)
    return json.loads(lines()[count - 1].removeprefix("TOLD "))


@pytest.mark.system
def test_a_nonce_lets_nothing_in_from_markup_from_before_or_from_elsewhere(
    qtbot: QtBot, show_app: ShowApp
) -> None:
    del qtbot
    shown = show_app({"index.html": PAGE}, domains=["granted.example"])
    first = told(shown, 1)
    shown.view.load()
    second = told(shown, 2)
    assert second["before"] == first["nonce"]
    assert first["nonce"] != second["nonce"]
    for each in (first, second):
        assert each["attribute"] == ""
        outcome = {name: each[name] for name in ("handled", "inserted", "replayed", "remote")}
        assert outcome == dict.fromkeys(outcome, False)
        # Said plainly: a script that runs already can make others of its own words.
        assert each["madeByItself"]
    assert ("request", "https://granted.example/remote.js") in shown.refused
