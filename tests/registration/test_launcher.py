"""A product without a runtime finds an installed Lime Desktop, or says in clear words why not (the standard's runtime-backed mode; the codes are ours)."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lime_desktop import __version__
from lime_desktop.registration.written import as_lines, installed, release_manifest
from tests.registration.computers import ID, INSTALL, LINK, NAME, Computer, ship_backed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell script")


def product_of(folder: Path, install: str = INSTALL) -> Path:
    code, told = ship_backed(folder, install)
    assert code == 0, told
    return folder / "out" / ID


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return product_of(tmp_path_factory.mktemp("vendor"))


@pytest.fixture
def computer(product: Path, tmp_path: Path) -> Computer:
    return Computer(tmp_path, product)


def test_a_registered_lime_is_started_as_the_product_with_every_word(computer: Computer) -> None:
    tree = computer.install_lime()
    done = computer.start("open", f"{ID}://settings/about", "with spaces")
    assert done.returncode == 0, done.stderr
    line = done.stdout.splitlines()[0]
    program = tree / "lime-desktop"
    assert line == f"{program} --as-product {ID} open {ID}://settings/about with spaces"


def test_a_link_to_the_launcher_works_as_the_launcher(computer: Computer) -> None:
    computer.install_lime()
    link = computer.folder / ID
    link.symlink_to(computer.launcher)
    computer.launcher = link
    assert computer.start().returncode == 0


def test_the_newest_that_will_do_is_taken_wherever_it_is_registered(computer: Computer) -> None:
    computer.install_lime("0.1.0")
    newer = computer.install_lime("0.1.1-beta.1", for_all=False)
    assert str(newer) in computer.start().stdout
    newest = computer.install_lime("0.10.0", for_all=False)
    assert str(newest) in computer.start().stdout


def too_old(computer: Computer) -> None:
    computer.install_lime("0.0.9")


def before_the_release(computer: Computer) -> None:
    computer.install_lime("0.1.0-beta.2")


def program_changed(computer: Computer) -> None:
    with (computer.install_lime() / "lime-desktop").open("a") as file:
        file.write("echo more\n")


def sidecar_changed(computer: Computer) -> None:
    with (computer.install_lime() / "lime-app-server").open("a") as file:
        file.write("echo more\n")


def program_gone(computer: Computer) -> None:
    (computer.install_lime() / "lime-desktop").unlink()


def not_executable(computer: Computer) -> None:
    (computer.install_lime() / "lime-desktop").chmod(0o644)


def registration_writable(computer: Computer) -> None:
    computer.install_lime()
    (computer.system / "lime-desktop.json").chmod(0o666)


def program_writable(computer: Computer) -> None:
    (computer.install_lime() / "lime-desktop").chmod(0o777)


def folder_writable(computer: Computer) -> None:
    computer.install_lime().chmod(0o777)


def registration_is_a_link(computer: Computer) -> None:
    computer.install_lime()
    file = computer.system / "lime-desktop.json"
    file.rename(computer.folder / "elsewhere.json")
    file.symlink_to(computer.folder / "elsewhere.json")


def no_json(computer: Computer) -> None:
    computer.install_lime()
    (computer.system / "lime-desktop.json").write_text("lime is here\n")


def two_programs(computer: Computer) -> None:
    computer.install_lime()
    file = computer.system / "lime-desktop.json"
    file.write_text(file.read_text().replace("{\n", '{\n "program": "/bin/echo",\n', 1))


def no_hash(computer: Computer) -> None:
    computer.install_lime()
    file = computer.system / "lime-desktop.json"
    file.write_text(re.sub(r'"programSha256": "\w+"', '"programSha256": ""', file.read_text()))


def other_sidecar(computer: Computer) -> None:
    computer.install_lime()
    file = computer.system / "lime-desktop.json"
    file.write_text(file.read_text().replace('/lime-app-server"', '/lime-desktop"'))


REFUSED: dict[Callable[[Computer], None], tuple[str, int]] = {
    too_old: ("runtime-too-old", 11),
    before_the_release: ("runtime-too-old", 11),
    program_changed: ("runtime-changed", 13),
    sidecar_changed: ("runtime-changed", 13),
    program_gone: ("runtime-not-runnable", 14),
    not_executable: ("runtime-not-runnable", 14),
    registration_writable: ("runtime-unsafe", 15),
    program_writable: ("runtime-unsafe", 15),
    folder_writable: ("runtime-unsafe", 15),
    registration_is_a_link: ("runtime-unsafe", 15),
    no_json: ("runtime-unreadable", 16),
    two_programs: ("runtime-unreadable", 16),
    no_hash: ("runtime-unreadable", 16),
    other_sidecar: ("runtime-sidecar", 18),
}


@pytest.mark.parametrize("spoil", REFUSED, ids=lambda spoil: spoil.__name__)
def test_what_will_not_do_is_not_started_and_told_with_its_code(
    spoil: Callable[[Computer], None], computer: Computer
) -> None:
    spoil(computer)
    code, exit_code = REFUSED[spoil]
    done = computer.start()
    assert (done.stdout, done.returncode) == ("", exit_code), done.stderr
    assert f"({code})" in done.stderr
    assert LINK in done.stderr
    assert "xVERSIONx" not in done.stderr
    assert "xFILEx" not in done.stderr
    told = json.loads(computer.start("--check", "--json").stdout)
    assert (told["ok"], told["code"]) == (False, code)


def test_where_none_is_installed_the_words_say_where_to_get_it_in_the_persons_language(
    computer: Computer,
) -> None:
    english, chinese = computer.start(), computer.start(LANG="zh_CN.UTF-8")
    assert (english.returncode, chinese.returncode) == (10, 10)
    assert f"{NAME} needs Lime Desktop {__version__} or newer" in english.stderr
    assert f"“{NAME}”需要 Lime Desktop（{__version__} 或更高版本）" in chinese.stderr
    for done in (english, chinese):
        assert LINK in done.stderr
        assert "(runtime-missing)" in done.stderr


def test_a_check_says_what_would_be_started_and_starts_nothing(computer: Computer) -> None:
    program = computer.install_lime() / "lime-desktop"
    done = computer.start("--check")
    assert done.returncode == 0
    assert done.stdout == f"{NAME} runs on Lime Desktop {__version__}: {program}\n"
    assert json.loads(computer.start("--check", "--json").stdout) == {
        "ok": True,
        "product": ID,
        "code": "",
        "version": __version__,
        "program": str(program),
    }


RANGES = {
    "0.9.9": "runtime-too-old",
    "1.2.0-rc.1": "runtime-too-old",
    "1.2.0": "",
    "1.4.9": "",
    "1.5.0": "runtime-too-new",
    "10.0.0": "runtime-too-new",
}


def test_the_declared_range_holds_at_both_ends(tmp_path: Path) -> None:
    said = INSTALL.replace("minVersion: current", 'minVersion: 1.2.0\n    maxVersion: "1.4"')
    made = product_of(tmp_path / "vendor", said)
    for version, code in RANGES.items():
        computer = Computer(tmp_path / version, made)
        computer.install_lime(version)
        assert json.loads(computer.start("--check", "--json").stdout)["code"] == code, version


ELSEWHERE = (
    *("LIME_DESKTOP_BRAND", "LIME_RUNTIME", "LIME_DESKTOP_RUNTIME", "LIME_APP_SERVER"),
    *("XDG_DATA_HOME", "XDG_DATA_DIRS", "HOME", "PATH"),
)
LOADED = (
    *("LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"),
    *("QTWEBENGINEPROCESS_PATH", "QT_PLUGIN_PATH", "LIME_DESKTOP_BRAND", "_PYI_ARCHIVE_FILE"),
)


def test_no_variable_of_the_environment_leads_to_another_runtime_or_changes_what_it_loads(
    computer: Computer, product: Path, tmp_path: Path
) -> None:
    """`allowEnvOverrideInProduction: false`, which is the only value that the standard knows."""
    other = Computer(tmp_path / "attacker", product)
    trap = other.install_lime("9.9.9", for_all=False)
    (trap / "sha256sum").symlink_to(trap / "lime-desktop")
    (trap / "id").symlink_to(trap / "lime-desktop")
    (trap / ".local").symlink_to(other.home / ".local")
    (trap / "lime-runtime").symlink_to(other.own)
    variables = {name: str(trap) for name in ELSEWHERE}
    assert computer.start(**variables).returncode == 10, "there is none, whatever a variable says"
    own = computer.install_lime()
    done = computer.start(**variables | {name: str(trap) for name in LOADED})
    assert done.returncode == 0, done.stderr
    program, names = done.stdout.splitlines()
    assert program == f"{own}/lime-desktop --as-product {ID}"
    assert not set(names.split()) & set(LOADED)


def test_the_persons_home_is_that_of_the_systems_list_of_users(
    product: Path, tmp_path: Path
) -> None:
    """Whoever sets HOME must not choose the program."""
    attacker = Computer(tmp_path, product)
    trap = attacker.install_lime("9.9.9", for_all=False)
    attacker.launcher = product / "bin" / ID
    done = attacker.start("--check", "--json", HOME=str(attacker.home))
    assert not json.loads(done.stdout)["program"].startswith(str(trap))


def test_from_sources_python_is_started_apart_from_its_variables(computer: Computer) -> None:
    python = computer.folder / "python"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    fields: dict[str, object] = {"format": 1, "runtime": "lime-runtime", "version": __version__}
    fields |= {"kind": "sources", "platform": "linux-x64", "program": str(python)}
    computer.register(fields, for_all=False)
    assert computer.start("open").stdout == f"-I -m lime_desktop --as-product {ID} open\n"


HASHES = "\n  runtime:\n    sidecar: { binary: lime-app-server, sha256Required: true }"


def test_where_hashes_are_required_nothing_without_them_will_do(tmp_path: Path) -> None:
    said = INSTALL.replace("\n  runtimeBacked:", f"{HASHES}\n  runtimeBacked:")
    made = product_of(tmp_path / "vendor", said)
    computer = Computer(tmp_path / "computer", made)
    fields: dict[str, object] = {"format": 1, "runtime": "lime-runtime", "version": __version__}
    fields |= {"kind": "sources", "platform": "linux-x64", "program": "/bin/sh"}
    computer.register(fields, for_all=False)
    assert computer.start().returncode == 17
    computer.install_lime()
    assert computer.start().returncode == 0


def test_a_release_manifest_with_hashes_accepts_its_releases_alone(
    product: Path, tmp_path: Path
) -> None:
    said = INSTALL.replace(
        "\n  branding:",
        "\n    releaseManifest: { path: ./lime-runtime.json, sha256Required: true }\n  branding:",
    )
    _, told = ship_backed(tmp_path / "unlisted", said)
    assert [each["code"] for each in told["problems"]] == ["BRAND_RELEASES_UNREADABLE"]
    accepted = Computer(tmp_path / "accepted", product).install_lime()
    listed = as_lines(release_manifest(__version__, accepted))
    code, told = ship_backed(tmp_path / "vendor", said, files={"lime-runtime.json": listed})
    assert code == 0, told
    computer = Computer(tmp_path / "computer", tmp_path / "vendor/out" / ID)
    tree = computer.install_lime()
    assert computer.start().returncode == 0
    (tree / "lime-desktop").write_text("#!/bin/sh\necho of another build\n")
    computer.register(installed(__version__, tree, str(tree)))
    assert computer.start().returncode == 17


def test_a_runtime_for_another_kind_of_computer_will_not_do(tmp_path: Path) -> None:
    sidecar = "\n  runtime:\n    sidecar: { platforms: [linux-x64, win32-x64] }\n  runtimeBacked:"
    made = product_of(tmp_path / "vendor", INSTALL.replace("\n  runtimeBacked:", sidecar))
    computer = Computer(tmp_path / "computer", made)
    tree = computer.install_lime()
    computer.register({**installed(__version__, tree, str(tree)), "platform": "linux-riscv64"})
    assert computer.start().returncode == 19


DIALOGS = {
    "zenity": ("en", f"--title={NAME}"),
    "kdialog": ("zh", "--yesno"),
    "xmessage": ("en", "-buttons"),
}


@pytest.mark.parametrize("tool", DIALOGS)
def test_without_a_terminal_the_desktops_own_dialog_says_it_and_leads_to_the_link(
    tool: str, computer: Computer, tmp_path: Path
) -> None:
    language, word = DIALOGS[tool]
    shown, opened = tmp_path / "shown", tmp_path / "opened"
    for other in DIALOGS:
        computer.tool(other, "exit 254")
    computer.tool(tool, f"printf '%s\\n' \"$@\" >'{shown}'")
    computer.tool("xdg-open", f"printf '%s' \"$1\" >'{opened}'")
    computer.start(DISPLAY=":1", LANG="zh_CN.UTF-8" if language == "zh" else "C.UTF-8")
    assert word in shown.read_text("utf-8").splitlines()
    assert LINK in shown.read_text("utf-8")
    assert opened.read_text() == LINK


def test_where_the_person_closes_the_dialog_nothing_else_is_shown(
    computer: Computer, tmp_path: Path
) -> None:
    computer.tool("zenity", "exit 1")
    for other in ("kdialog", "xmessage", "xdg-open", "notify-send"):
        computer.tool(other, f"touch '{tmp_path}/more'")
    assert computer.start(DISPLAY=":1").returncode == 10
    assert not (tmp_path / "more").exists()


def test_without_any_dialog_a_page_beside_the_launcher_is_opened(
    computer: Computer, product: Path, tmp_path: Path
) -> None:
    for other in DIALOGS:
        computer.tool(other, "exit 254")
    computer.tool("xdg-open", f"printf '%s' \"$1\" >'{tmp_path}/opened'")
    computer.start(WAYLAND_DISPLAY="wayland-0")
    page = Path((tmp_path / "opened").read_text())
    assert page == computer.launcher.parent.parent / "needs-lime.html"
    text = (product / page.name).read_text("utf-8")
    assert text.count(LINK) == 4
    assert "<script" not in text


def test_a_command_of_the_terminal_shows_no_dialog(computer: Computer, tmp_path: Path) -> None:
    computer.tool("zenity", f"touch '{tmp_path}/shown'")
    assert computer.start("doctor", DISPLAY=":1").returncode == 10
    assert computer.start("--check", DISPLAY=":1").returncode == 10
    assert not (tmp_path / "shown").exists()


def test_what_a_vendor_writes_is_no_code_in_the_launcher(tmp_path: Path) -> None:
    said = INSTALL.replace(f"name: {NAME}", 'name: "It\'s & (co)"').replace(
        LINK, "https://example.com/@WORDS@/$(touch${IFS}hacked)/'`id`'"
    )
    computer = Computer(tmp_path / "computer", product_of(tmp_path / "vendor", said))
    done = computer.start()
    assert done.returncode == 10
    assert "$(touch${IFS}hacked)/'`id`'" in done.stderr
    assert "It's & (co)" in done.stderr
    assert not list(tmp_path.rglob("hacked"))
