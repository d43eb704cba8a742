"""Installed apps by command line (ours): everything the window can do, for scripts too."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lime_desktop.cli.installed.center import center_in
from lime_desktop.cli.main import main
from lime_desktop.database.lock import FolderLock
from lime_desktop.host.app_center.packages.progress import InstallProgress, Progress, Step
from lime_desktop.host.startup.asked_files import AskedFiles, spell
from lime_desktop.product import FileType, Product, ShippedApp, ShippedFile
from tests.host.app_center.opened import center_of, installed, play
from tests.host.app_center.packages import NOTES, WEATHER, make_package

AGREED = ("--yes", "--accept-unsigned")


class Terminal:
    """Runs commands on one data folder; nobody sits at it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(self, *arguments: str | Path, expected: int = 0) -> dict[str, Any]:
        where = ("--data-dir", str(self._folder), "--json")
        done = CliRunner().invoke(main, [*map(str, arguments), *where])
        assert done.exit_code == expected, done.output
        return json.loads(done.stdout)

    def misuse(self, *arguments: str | Path) -> str:
        where = ("--data-dir", str(self._folder), "--json")
        done = CliRunner().invoke(main, [*map(str, arguments), *where])
        assert done.exit_code == 2, done.output
        return done.stderr

    def read(self, *arguments: str | Path) -> str:
        where = ("--data-dir", str(self._folder))
        done = CliRunner().invoke(main, [*map(str, arguments), *where])
        assert done.exit_code == 0, done.output
        return done.stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "data")


@pytest.mark.requirement("APP-06")
def test_nothing_is_installed_where_nobody_agrees(terminal: Terminal, tmp_path: Path) -> None:
    """The standard: consent comes first; a script has nobody to ask."""
    package = make_package(tmp_path)
    for arguments in ((), ("--yes",), ("--accept-unsigned",)):
        refused = terminal.run("install", package, *arguments, expected=3)
        assert (refused["ok"], refused["code"]) == (False, "APP_E010")
    assert terminal.run("apps", "list")["apps"] == []


def test_an_invalid_package_is_refused_with_its_problems(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A bug: the problems that the refusal announces were never printed."""
    package = make_package(tmp_path)
    manifest = package / "APP.md"
    manifest.write_text(manifest.read_text().replace("status: ready", "status: shiny"))
    refused = terminal.run("install", package, *AGREED, expected=1)
    assert [each["keyPath"] for each in refused["details"]["problems"]] == ["status"]
    where = ["--data-dir", str(tmp_path / "data")]
    told = CliRunner().invoke(main, ["install", str(package), *where])
    assert "VALUE_NOT_ALLOWED  status must be" in told.output


PROGRAMS = """integrations:
- { key: greet, provider: Friendly Greeter, role: greeting, hostCapability: lime.ui, adapter: { kind: cli, command: "sh -c" } }
- { key: pages, provider: Pages, role: layout, adapter: { kind: cli, command: "pdftotext -layout" } }
"""


def test_a_review_names_every_program_with_its_words(terminal: Terminal, tmp_path: Path) -> None:
    """A hole: the review spoke of a greeter, and said nothing of `sh -c`."""
    package = make_package(tmp_path, more=PROGRAMS)
    review = terminal.run("install", package, "--review")["review"]
    assert review["programs"] == [
        {
            "key": key,
            "kind": "command",
            "program": program,
            "arguments": [word],
            "takesMoreArguments": True,
            "runsAnything": is_shell,
        }
        for key, program, word, is_shell in (
            ("greet", "sh", "-c", True),
            ("pages", "pdftotext", "-layout", False),
        )
    ]
    assert review["risk"]["level"] == "high"
    printed = terminal.read("install", package, "--review")
    assert "Runs “sh -c” with any command that the app gives it." in printed
    assert "Runs “pdftotext -layout” with arguments that the app chooses" in printed


API = """{"openapi": "3.0.0", "info": {"title": "CRM", "version": "1"}, "servers": [{"url": "https://api.crm.example/v2"}],
"paths": {"/people": {"get": {"operationId": "people", "responses": {"200": {"description": "All"}}}}}}"""
SECRETS = """integrations:
- { key: prog, provider: CRM, role: crm, adapter: { kind: cli, command: "crm --file {CRM_FILE}" } }
- { key: tools, provider: CRM, role: crm, adapter: { kind: mcp, server: crm-tools } }
- { key: system, provider: CRM, role: crm, adapter: { kind: api, document: crm.json } }
secrets:
- key: crm
  use:
  - { integration: prog, variable: CRM_TOKEN }
  - { integration: prog, placeholder: CRM_FILE }
  - { integration: tools, header: X-Api-Key }
  - { integration: system, header: Authorization, prefix: "Bearer " }
  - { domains: [files.crm.example], header: Authorization }
- { key: spare }
"""


def test_a_review_names_where_each_secret_goes(terminal: Terminal, tmp_path: Path) -> None:
    """A hole: the review said that the app wants a secret, and not who gets it."""
    package = make_package(tmp_path, more=SECRETS, files={"crm.json": API})
    review = terminal.run("install", package, "--review")["review"]
    assert [
        tuple(each[name] for name in ("key", "destination", "to", "form", "name"))
        for each in review["secrets"]
    ] == [
        ("crm", "program", "crm --file {CRM_FILE}", "variable", "CRM_TOKEN"),
        ("crm", "program", "crm --file {CRM_FILE}", "file", "CRM_FILE"),
        ("crm", "server", "crm-tools", "header", "X-Api-Key"),
        ("crm", "system", "api.crm.example", "header", "Authorization"),
        ("crm", "site", "files.crm.example", "header", "Authorization"),
        ("spare", "nowhere", None, "none", None),
    ]
    printed = terminal.read("install", package, "--review")
    assert "Where your secrets go" in printed
    assert "crm: to api.crm.example, with each request, in the header Authorization." in printed
    assert "spare: nowhere. The app names no use for it." in printed


def test_an_update_that_sends_a_secret_elsewhere_says_so(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A hole: a secret that a person had entered went to another site, and no update told of it."""
    files = {"crm.json": API}
    terminal.run("install", make_package(tmp_path / "a", more=SECRETS, files=files), *AGREED)
    other = SECRETS.replace("files.crm.example", "files.thief.example")
    second = make_package(tmp_path / "b", version="1.1.0", more=other, files=files)
    review = terminal.run("update", second, "--review")["review"]
    changes = [(each["area"], each["kind"], each["key"]) for each in review["changes"]["changes"]]
    assert ("secret", "changed", "crm") in changes
    assert "secret" in review["asksBecause"]


def test_an_update_that_moves_a_described_system_says_so_and_asks(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A hole: only the server inside the OpenAPI document was another one, and no update told of it."""
    system = """\
integrations: [{ key: crm, provider: CRM, role: crm, adapter: { kind: api, document: crm.json } }]
"""
    first = make_package(tmp_path / "a", more=system, files={"crm.json": API})
    terminal.run("install", first, *AGREED)
    moved = API.replace("api.crm.example", "api.thief.example")
    second = make_package(tmp_path / "b", version="1.1.0", more=system, files={"crm.json": moved})
    review = terminal.run("update", second, "--review")["review"]
    systems = [
        (each["kind"], each["key"])
        for each in review["changes"]["changes"]
        if each["area"] == "system"
    ]
    assert systems == [
        ("removed", "https://api.crm.example/v2"),
        ("added", "https://api.thief.example/v2"),
    ]
    assert "system" in review["asksBecause"]
    assert "System it sends to: https://api.thief.example/v2" in terminal.read(
        "update", second, "--review"
    )
    same = make_package(tmp_path / "c", version="1.2.0", more=system, files={"crm.json": API})
    again = terminal.run("update", same, "--review")["review"]
    assert "system" not in again["asksBecause"]


def test_an_update_says_which_programs_are_new(terminal: Terminal, tmp_path: Path) -> None:
    agreed = ("--yes", "--accept-unsigned")
    terminal.run("install", make_package(tmp_path / "a", more=PROGRAMS), *agreed)
    other = PROGRAMS.replace("sh -c", "bash -c")
    second = make_package(tmp_path / "b", version="1.1.0", more=other)
    changes = terminal.run("update", second, "--review")["review"]["changes"]["changes"]
    programs = [(each["kind"], each["key"]) for each in changes if each["area"] == "program"]
    assert programs == [("added", "bash -c"), ("removed", "sh -c")]


def test_a_review_tells_everything_and_changes_nothing(terminal: Terminal, tmp_path: Path) -> None:
    package = make_package(tmp_path, permissions=NOTES + WEATHER)
    review = terminal.run("install", package, "--review")["review"]
    assert [each["key"] for each in review["permissions"]] == ["keep", "weather"]
    assert review["domains"] == ["api.example.com"]
    assert review["risk"]["level"] == "medium"
    assert review["verification"]["verdict"] == "unsigned"
    assert terminal.run("apps", "list")["apps"] == []
    assert "api.example.com" in terminal.read("install", package, "--review")


def test_an_app_is_installed_looked_into_and_governed(terminal: Terminal, tmp_path: Path) -> None:
    package = make_package(tmp_path, permissions=NOTES + WEATHER)
    installed = terminal.run("install", package, *AGREED, "--grant", "keep")
    assert installed["granted"] == ["keep"]
    assert [app["appId"] for app in terminal.run("apps", "list")["apps"]] == ["notes"]
    terminal.run("apps", "grant", "notes", "weather")
    terminal.run("apps", "revoke", "notes", "keep")
    shown = terminal.run("apps", "show", "notes")
    assert [grant["permission"] for grant in shown["grants"]] == ["weather"]
    assert terminal.run("disable", "notes")["app"]["isEnabled"] is False
    assert terminal.run("enable", "notes")["app"]["isEnabled"] is True
    assert "notes" in terminal.read("apps", "list")
    assert "weather" in terminal.read("apps", "show", "notes")


def test_a_name_installs_what_a_source_offers_and_a_doubtful_one_lists_the_choices(
    terminal: Terminal, tmp_path: Path
) -> None:
    make_package(tmp_path / "apps", name="diary")
    make_package(tmp_path / "apps", name="diary-plus")
    terminal.run("apps", "sources", "--add", tmp_path / "apps")
    doubtful = terminal.run("install", "diar", *AGREED, expected=2)
    assert [each["appId"] for each in doubtful["offers"]] == ["diary", "diary-plus"]
    assert terminal.run("install", "nothing-like-it", *AGREED, expected=1)["code"] == "APP_E031"
    assert terminal.run("install", "diary", *AGREED)["app"]["appId"] == "diary"
    terminal.run("apps", "sources", "--remove", tmp_path / "nowhere", expected=1)


def test_a_package_or_a_link_in_a_command_s_place_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("lime_desktop.cli.terminal.window.open_window", opened.append)
    assert CliRunner().invoke(main, ["lime://install/notes"]).exit_code == 0
    assert CliRunner().invoke(main, ["missing.lapp"]).exit_code == 2
    assert CliRunner().invoke(main, ["no-such-command"]).exit_code == 2
    assert opened == ["lime://install/notes"]


def test_files_are_opened_with_the_app_that_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("lime_desktop.cli.terminal.window.open_window", opened.append)
    first, second = tmp_path / "a.csv", tmp_path / "b b.csv"
    first.write_text("a")
    second.write_text("b")
    words = ["open", "notes", "--file", str(first), "--file", second.as_uri()]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert opened == [spell(AskedFiles("notes", (first, second)))]

    refused = {
        "OPENED_FILE_GONE": ["notes", "--file", str(tmp_path / "gone")],
        "OPENED_FILE_FOLDER": ["notes", "--file", str(tmp_path)],
        "open APP --file PATH": ["--file", str(first)],
        "by its id": [str(tmp_path), "--file", str(first)],
        "one package": ["notes", "others"],
    }
    for words, arguments in refused.items():
        done = CliRunner().invoke(main, ["open", *arguments])
        assert (done.exit_code, words in done.output) == (2, True), done.output
    assert len(opened) == 1


def test_files_of_a_products_kind_are_opened_with_its_app(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ours: a desktop names them as addresses; what is wrong with one is said in the window that opens."""
    app = ShippedApp(id="notes", version="1", package=ShippedFile(path="a.lapp", sha256="0" * 64))
    kind = FileType(extension="note", name="Note", mime_type="application/vnd.example.note")
    product = Product(id="example", scheme="example", app=app, file_types=(kind,))
    monkeypatch.setattr("lime_desktop.cli.terminal.window.this_product", lambda: product)
    monkeypatch.setattr("lime_desktop.cli.main.this_product", lambda: product)
    opened: list[str] = []
    monkeypatch.setattr("lime_desktop.cli.terminal.window.open_window", opened.append)
    first, gone = tmp_path / "a.note", tmp_path / "gone.NOTE"
    first.write_text("a")
    assert CliRunner().invoke(main, ["open", first.as_uri(), str(gone)]).exit_code == 0
    assert CliRunner().invoke(main, [str(first)]).exit_code == 0
    other = tmp_path / "any.csv"
    other.write_text("a")
    assert CliRunner().invoke(main, ["open", "--file", str(other)]).exit_code == 0
    expected = [(first, gone), (first,), (other,)]
    assert opened == [spell(AskedFiles("notes", paths)) for paths in expected]


def test_what_is_suggested_can_be_granted_as_a_whole(terminal: Terminal, tmp_path: Path) -> None:
    anywhere = "- { key: anywhere, scope: network, access: write }\n"
    package = make_package(tmp_path, permissions=NOTES + anywhere)
    installed = terminal.run("install", package, *AGREED, "--grant-suggested")
    assert installed["granted"] == ["keep"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("apps", "show", "nobody"), "APP_E031"),
        (("disable", "nobody"), "APP_E031"),
        (("rollback", "nobody", "--yes"), "APP_E031"),
        (("rollback", "nobody"), "APP_E031"),
        (("uninstall", "nobody", "--keep-data", "--yes"), "APP_E031"),
    ],
)
def test_an_unknown_app_is_refused_with_its_code(
    terminal: Terminal, arguments: tuple[str, ...], code: str
) -> None:
    assert terminal.run(*arguments, expected=1)["code"] == code


def test_where_there_is_no_earlier_version_nobody_is_asked(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.run("install", make_package(tmp_path), *AGREED)
    refused = terminal.run("rollback", "notes", expected=1)
    assert refused["message"] == "There is no earlier version to roll back to"
    assert "Roll back" not in refused["userAction"]


def test_an_export_into_a_folder_that_is_not_there_removes_nothing(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A bug: it ended as an internal error."""
    terminal.run("install", make_package(tmp_path), *AGREED)
    target = tmp_path / "nowhere/notes.zip"
    refused = terminal.run("uninstall", "notes", "--export", target, "--yes", expected=1)
    assert (refused["code"], "does not exist" in refused["message"]) == ("APP_E014", True)
    assert [app["appId"] for app in terminal.run("apps", "list")["apps"]] == ["notes"]


def test_a_failure_leads_to_what_can_be_done_at_a_terminal(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A bug: own mistakes were to be reported to the app's author, and questions answered that nobody had asked."""
    package = make_package(tmp_path)
    unasked = terminal.run("install", package, "--yes", expected=3)
    assert "open approval" not in unasked["userAction"]
    mistaken = terminal.run("apps", "sources", "--remove", "/nowhere", expected=1)
    assert "author" not in mistaken["userAction"]
    unreached = terminal.run("organisation", "join", "https://127.0.0.1:1/x", expected=1)
    assert "can't be reached" in unreached["message"]


def test_an_older_version_and_an_unknown_permission_are_refused(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.run("install", make_package(tmp_path / "2", version="2.0.0"), *AGREED)
    older = make_package(tmp_path / "1")
    assert terminal.run("update", older, *AGREED, expected=1)["code"] == "APP_E033"
    other = make_package(tmp_path, name="other")
    assert terminal.run("update", other, *AGREED, expected=1)["code"] == "APP_E031"
    wrong = terminal.run("install", other, *AGREED, "--grant", "all", expected=1)
    assert wrong["code"] == "APP_E014"


def test_how_much_goes_must_be_said() -> None:
    done = CliRunner().invoke(main, ["uninstall", "notes", "--yes"])
    assert done.exit_code == 2
    assert "--keep-data" in done.stderr


def test_a_folder_that_a_window_holds_is_read_and_left_alone(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A bug: what only reads was refused while the window was open, without a word of whose folder it is."""
    terminal.run("install", make_package(tmp_path), *AGREED, "--grant", "keep")
    held = asyncio.run(_while_held(tmp_path / "data", terminal))
    listed, shown, refused = held
    assert [app["appId"] for app in listed["apps"]] == ["notes"]
    assert [each["permission"] for each in shown["grants"]] == ["keep"]
    assert refused["code"] == "APP_E224"
    assert refused["message"] == (
        f"Lime Desktop is open (process {os.getpid()}) and uses this data folder."
    )
    assert "close Lime Desktop" in refused["userAction"]
    assert terminal.run("apps", "show", "notes")["grants"] == shown["grants"]


async def _while_held(data: Path, terminal: Terminal) -> list[dict[str, Any]]:
    """Ask while this process holds the folder as the window does, with its database open."""
    commands = {
        ("apps", "list"): 0,
        ("apps", "show", "notes"): 0,
        ("apps", "revoke", "notes", "keep"): 1,
        ("apps", "receipts"): 0,
        ("apps", "sources"): 0,
        ("apps", "search", "notes"): 0,
        ("apps", "overlays", "notes"): 0,
        ("organisation", "show"): 0,
        ("workspace", "show"): 0,
    }
    async with center_in(data):
        return [
            await asyncio.to_thread(terminal.run, *words, expected=code)
            for words, code in commands.items()
        ][:3]


def test_a_folder_that_is_held_and_still_empty_is_not_made_up(
    terminal: Terminal, tmp_path: Path
) -> None:
    lock = FolderLock(tmp_path / "data/host")
    try:
        assert terminal.run("apps", "list", expected=1)["code"] == "APP_E224"
    finally:
        lock.release()


@pytest.mark.system
def test_an_app_is_updated_brought_back_and_removed_with_a_real_app_server(
    terminal: Terminal, tmp_path: Path
) -> None:
    first, second = (make_package(tmp_path / v, version=f"{v}.0.0") for v in ("1", "2"))
    terminal.run("install", first, *AGREED, "--grant", "keep")
    changes = terminal.run("update", second, "--review")["review"]["changes"]
    assert (changes["from"], changes["to"]) == ("1.0.0", "2.0.0")
    assert terminal.run("update", second, *AGREED)["app"]["version"] == "2.0.0"
    assert terminal.run("rollback", "notes", expected=3)["code"] == "APP_E010"
    assert terminal.run("rollback", "notes", "--yes")["app"]["version"] == "1.0.0"
    again = terminal.run("rollback", "notes", "--yes", expected=1)
    assert "no earlier version" in again["message"]
    [point] = terminal.run("apps", "show", "notes")["rollbackPoints"]
    assert (point["version"], point["isUndone"]) == ("2.0.0", True)
    preview = terminal.run("uninstall", "notes", "--delete-data", "--preview")["preview"]
    assert "code" in {each["kind"] for each in preview["goes"]}
    assert terminal.run("uninstall", "notes", "--keep-data", expected=3)["code"] == "APP_E010"
    target = tmp_path / "notes.zip"
    removed = terminal.run("uninstall", "notes", "--export", target, "--yes")
    assert removed["ok"]
    assert target.is_file()
    receipts = terminal.run("apps", "receipts")["receipts"]
    assert [(each["appId"], each["residue"]) for each in receipts] == [("notes", [])]
    assert "notes" in terminal.read("apps", "receipts")


def test_apps_are_found_in_the_sources_that_were_added(terminal: Terminal, tmp_path: Path) -> None:
    triggers = "triggers: { keywords: [note this], scenarios: [memo] }"
    make_package(tmp_path / "apps", name="jotter", more=triggers)
    place = tmp_path / "apps"
    assert terminal.run("apps", "sources", "--add", place)["sources"] == [
        {"location": str(place), "apps": 1, "isGiven": False}
    ]
    [offer] = terminal.run("apps", "search", "memo")["offers"]
    assert (offer["appId"], offer["foundBy"]) == ("jotter", "scenario")
    assert "jotter" in terminal.read("apps", "search", "jotter")
    assert str(place) in terminal.read("apps", "sources")
    assert terminal.run("apps", "sources", "--remove", place)["sources"] == []
    assert terminal.run("apps", "sources", "--add", "nowhere", expected=1)["code"] == "APP_E014"


def test_settings_are_shown_with_their_source_changed_and_reset(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.run("install", make_package(tmp_path), *AGREED)
    file = tmp_path / "organisation.yaml"
    file.write_text(
        "version: 1\nname: A\noverlays: { '*': { values: { budget.monthly: 5 }, locks: [budget] } }"
    )
    terminal.run("organisation", "join", file)
    change = ("--set", "content.brandTone=calm", "--set", "network.offline=true")
    found = terminal.run("apps", "overlays", "notes", *change)
    assert [(each["key"], each["value"], each["source"]) for each in found["settings"]] == [
        ("budget.monthly", 5, "tenant"),
        ("content.brandTone", "calm", "user"),
        ("network.offline", True, "user"),
    ]
    assert found["settings"][0]["lockedBy"] == "tenant"
    locked = terminal.run("apps", "overlays", "notes", "--set", "budget.monthly=9", expected=1)
    assert locked["code"] == "APP_E026"
    wrong = terminal.run("apps", "overlays", "notes", "--set", "permissions.x=1", expected=1)
    assert wrong["code"] == "APP_E014"
    unfit = terminal.run("apps", "overlays", "notes", "--set", "content.bannedWords=a", expected=1)
    assert unfit["message"].startswith("content.bannedWords: The value must be ")
    after = terminal.run("apps", "overlays", "notes", "--reset", "content.brandTone")
    assert [each["key"] for each in after["settings"]] == ["budget.monthly", "network.offline"]
    shown = terminal.read("apps", "overlays", "notes")
    assert "locked by the tenant" in shown


def test_an_organisation_is_joined_and_left(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "organisation.yaml"
    file.write_text("version: 1\nname: Example Ltd\napps: { blocked: [notes] }\n")
    assert terminal.run("organisation", "show")["organisation"] is None
    assert terminal.run("organisation", "join", file)["organisation"]["blocked"] == ["notes"]
    assert "Example Ltd" in terminal.read("organisation", "refresh")
    refused = terminal.run("install", make_package(tmp_path), *AGREED, expected=1)
    assert refused["code"] == "APP_E009"
    assert terminal.run("organisation", "leave")["organisation"] is None


def test_a_permission_that_the_app_never_asked_for_is_neither_given_nor_taken_back(
    terminal: Terminal, tmp_path: Path
) -> None:
    """Ours: whoever misspells a name must not believe that it is taken back."""
    terminal.run("install", make_package(tmp_path), *AGREED, "--grant", "keep")
    for verb in ("grant", "revoke"):
        assert "Its permissions: keep" in terminal.misuse("apps", verb, "notes", "keeep")
    assert terminal.run("apps", "revoke", "nobody", "keep", expected=1)["ok"] is False
    shown = terminal.run("apps", "show", "notes")
    assert [grant["permission"] for grant in shown["grants"]] == ["keep"]


def test_an_organisations_rules_are_told_as_those_of_a_workspace_are(
    terminal: Terminal, tmp_path: Path
) -> None:
    rule = (
        "{ id: a, effect: deny, text: Nothing is sent., when: { sideEffects: [external_write] } }"
    )
    file = tmp_path / "organisation.yaml"
    file.write_text(f"version: 1\nname: Example Ltd\npolicy: {{ rules: [{rule}] }}\n")
    [told] = terminal.run("organisation", "join", file)["organisation"]["rules"]
    assert (told["effect"], told["text"]) == ("deny", "Nothing is sent.")
    assert "deny: Nothing is sent." in terminal.read("organisation", "show").splitlines()


def test_a_workspace_is_opened_told_and_left(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.run("workspace", "show")["workspace"] is None
    rules = tmp_path / "project/.lime/policy.yaml"
    rules.parent.mkdir(parents=True)
    line = (
        "{ id: a, effect: deny, text: Nothing is sent., when: { sideEffects: [external_write] } }"
    )
    rules.write_text(f"version: 1\nname: Project\nrules:\n- {line}\n")
    opened = terminal.run("workspace", "open", tmp_path / "project")["workspace"]
    assert opened["rules"] == [{"id": "workspace.a", "effect": "deny", "text": "Nothing is sent."}]
    assert "Nothing is sent." in terminal.read("workspace", "show")
    rules.write_text("version: 2")
    broken = terminal.run("workspace", "show", expected=1)
    assert (broken["ok"], broken["workspace"]["problems"][0]["file"]) == (
        False,
        ".lime/policy.yaml",
    )
    assert terminal.run("workspace", "leave") == {"ok": True, "workspace": None}
    assert "does not exist" in terminal.misuse("workspace", "open", tmp_path / "nowhere")


def test_an_authors_reason_forges_no_line_of_the_review(terminal: Terminal, tmp_path: Path) -> None:
    """Bug: line breaks in a reason made lines that looked like the host's own."""
    reason = '"To keep notes.\\n  ✓ Verified by Lime\\n\\e[2K\\u202eLow risk"'
    forged = f"\n- {{ key: keep, scope: storage, access: read-write, reason: {reason} }}\n"
    package = make_package(tmp_path, permissions=forged)
    printed = terminal.read("install", package, "--review")
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    [line] = [each for each in printed.splitlines() if "Verified by Lime" in each]
    assert line == "  “To keep notes. ✓ Verified by Lime \\x1b[2K\\u202eLow risk”"


def test_programs_without_a_sandbox_are_allowed_shown_and_taken_back(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.run("install", make_package(tmp_path, more=PROGRAMS), "--yes", "--accept-unsigned")
    named = ("apps", "without-sandbox", "notes")
    assert terminal.run(*named)["runsWithoutSandbox"] is False
    assert "no sandbox" not in terminal.read("apps", "show", "notes")
    refused = terminal.run(*named, "--allow", expected=3)
    assert refused["code"] == "APP_E010"
    allowed = terminal.run(*named, "--allow", "--yes")
    assert allowed["runsWithoutSandbox"] is True
    assert allowed["programs"] == ["sh -c", "pdftotext -layout"]
    told = terminal.read(*named)
    assert told.startswith("Notes runs its programs without a sandbox.")
    assert "Runs “sh -c” with any command that the app gives it." in told
    assert "no sandbox" in terminal.read("apps", "show", "notes")
    assert terminal.run("apps", "show", "notes")["app"]["unconfinedSinceMs"] == allowed["sinceMs"]
    assert terminal.run(*named, "--revoke")["runsWithoutSandbox"] is False
    assert terminal.run("apps", "without-sandbox", "nobody", expected=1)["ok"] is False


def test_an_organisation_that_wants_walls_lets_nobody_do_without(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.run("install", make_package(tmp_path, more=PROGRAMS), "--yes", "--accept-unsigned")
    rule = "{id: walls, effect: deny, text: Programs run in a sandbox., when: {execution: [unconfined]}}"
    folder = tmp_path / "work"
    (folder / ".lime").mkdir(parents=True)
    (folder / ".lime/policy.yaml").write_text(f"version: 1\nname: House\nrules: [{rule}]\n")
    terminal.run("workspace", "open", folder)
    refused = terminal.run("apps", "without-sandbox", "notes", "--allow", "--yes", expected=1)
    assert refused["code"] == "APP_E009"
    assert "Programs run in a sandbox." in refused["message"]


def test_a_permission_that_is_not_asked_for_is_no_smaller_risk(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A hole: an app that used models without asking for the permission showed less than one that asked."""
    package = make_package(tmp_path)
    text = (package / "APP.md").read_text(encoding="utf-8")
    text = text.replace('lime.ui: ">=0.3.0"', 'lime.ui: ">=0.3.0", lime.agent: ">=0.3.0"')
    (package / "APP.md").write_text(text, encoding="utf-8")
    reasons = terminal.run("install", package, "--review")["review"]["risk"]["reasons"]
    assert "It uses models without a permission that you can revoke." in reasons


def test_a_way_back_that_was_cut_off_is_listed_with_what_to_do(
    terminal: Terminal, tmp_path: Path
) -> None:
    """A fault: the list said nothing of it, and the app did not start."""

    class Ended(BaseException):
        """The process is no more."""

    def end(progress: Progress) -> None:
        if progress.step is Step.DECIDED:
            raise Ended

    async def cut_off() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, make_package(tmp_path / "1"))
            await installed(center, make_package(tmp_path / "2", version="2.0.0"))
            with pytest.raises(Ended):
                await center.roll_back("notes", progress=InstallProgress(end))

    play(cut_off())
    expected = {
        "appId": "notes",
        "kind": "restore",
        "finishWith": "lime-desktop apps settle",
        "version": "1.0.0",
    }
    assert terminal.run("apps", "list")["unfinished"] == [expected]
    assert terminal.run("apps", "show", "notes")["unfinished"] == [expected]
    printed = terminal.read("apps", "list")
    assert "notes: the rollback to 1.0.0 was interrupted." in printed
    assert "lime-desktop apps settle" in printed
    done = terminal.run("apps", "settle")
    assert done["finished"] == [{"appId": "notes", "kind": "restore"}]
    assert terminal.run("apps", "list")["unfinished"] == []
