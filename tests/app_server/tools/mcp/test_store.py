"""Which tool servers are set up: one file, whole or refused."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from lime_desktop.app_server.tools.mcp.store import FILE_NAME, MAX_SERVERS, McpServerStore
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.errors import Conflict, DatabaseDamaged


def settings(name: str) -> McpServerSettings:
    return McpServerSettings(server_id=name, command=("server", "--quiet"))


def test_servers_are_kept_in_order_changed_and_forgotten(tmp_path: Path) -> None:
    store = McpServerStore(tmp_path / "data")
    assert store.all() == ()
    for name in ("zeta", "alpha"):
        store.put(settings(name))
    assert [each.server_id for each in McpServerStore(tmp_path / "data").all()] == ["alpha", "zeta"]
    store.put(McpServerSettings(server_id="zeta", url="http://127.0.0.1:1/mcp"))
    assert store.all()[1].url == "http://127.0.0.1:1/mcp"
    assert store.remove("alpha")
    assert not store.remove("alpha")
    assert {path.name for path in (tmp_path / "data").iterdir()} == {FILE_NAME, f"{FILE_NAME}.lock"}


def test_a_file_of_somebody_elses_is_refused_whole(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('{"servers": [{"serverId": "x"}]}')
    store = McpServerStore(tmp_path)
    with pytest.raises(DatabaseDamaged):
        store.all()
    with pytest.raises(DatabaseDamaged):
        store.put(settings("new"))


def test_there_is_an_end_to_them(tmp_path: Path) -> None:
    store = McpServerStore(tmp_path)
    for number in range(MAX_SERVERS):
        store.put(settings(f"s{number}"))
    store.put(settings("s0"))
    with pytest.raises(Conflict):
        store.put(settings("one-more"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"serverId": "x"},
        {"serverId": "x", "command": ["a"], "url": "http://127.0.0.1/"},
        {"serverId": "Not a name", "command": ["a"]},
        {"serverId": "x", "url": "file:///etc/passwd"},
        {"serverId": "x", "command": ["a"], "variables": {"GITHUB_TOKEN": "t"}},
    ],
)
def test_settings_that_cannot_be_meant_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        McpServerSettings.model_validate(wrong)
