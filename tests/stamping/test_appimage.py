"""An AppImage is the runtime, and behind it a file system with the program in it (ours; the type 2 format).

No runtime can be shipped here, so a stand-in that says the same of itself takes its place: what a real one does when it is
started is not shown by these tests. That it finds its files is: it looks for them where it ends by its own word.
"""

import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from release.appimage import build_appimage

from lime_desktop.cli.main import main
from lime_desktop.stamping.appimage import why_no_appimage
from lime_desktop.stamping.elf import elf_size
from tests.packaging.releasing.trees import CHECKOUT, small_icons, small_tree
from tests.stamping.products import make_app, make_base

needs_squashfs = pytest.mark.skipif(
    shutil.which("mksquashfs") is None or shutil.which("unsquashfs") is None,
    reason="there are no squashfs-tools here",
)


def stand_in(path: Path, more: bytes = b"") -> Path:
    """An ELF file with one section and the sign of the format, and nothing that runs."""
    said = b"\x7fELF\x02\x01\x01\0AI\x02"
    head = struct.pack("<16sHHIQQQIHHHHHH", said, 2, 62, 1, 0, 0, 64, 0, 64, 56, 0, 64, 1, 0)
    path.write_bytes(head + bytes(64) + more)
    path.chmod(0o755)
    return path


def unpacked(image: Path, runtime: Path, folder: Path) -> Path:
    """What is in it, found as a runtime finds it."""
    body = image.read_bytes()

    def read(at: int, count: int) -> bytes:
        return body[at : at + count]

    start = elf_size(body[:64], read)
    assert body[:start] == runtime.read_bytes()
    assert body[start : start + 4] == b"hsqs"
    command = ["unsquashfs", "-quiet", "-no-progress", "-o", str(start), "-d", str(folder)]
    subprocess.run([*command, str(image)], check=True, capture_output=True)  # noqa: S603 - the system's own
    return folder


def shipped(sources: Path, out: Path, runtime: Path) -> Path:
    app, base = sources / "hello-lime", sources / "base"
    if not app.exists():
        make_app(sources)
        make_base(sources)
    words = ["ship", str(app), "--base", str(base), "--out", str(out)]
    done = CliRunner().invoke(main, [*words, "--appimage", "--appimage-runtime", str(runtime)])
    assert done.exit_code == 0, done.output
    [image] = out.glob("example-hello-lime-*.AppImage")
    return image


def released(sources: Path, out: Path, runtime: Path) -> Path:
    tree, icons = sources / "tree", small_icons(sources / "icons")
    if not tree.exists():
        small_tree(tree)
    out.mkdir()
    return build_appimage(CHECKOUT, tree, icons, runtime, out)


@needs_squashfs
@pytest.mark.parametrize(
    ("make", "program"), [(shipped, "example-hello-lime"), (released, "lime-desktop")]
)
def test_an_appimage_is_its_runtime_and_a_file_system_that_starts_the_program(
    make: Callable[[Path, Path, Path], Path], program: str, tmp_path: Path
) -> None:
    runtime = stand_in(tmp_path / "runtime")
    image = make(tmp_path / "sources", tmp_path / "one", runtime)
    found = unpacked(image, runtime, tmp_path / "found")
    started = subprocess.run([found / "AppRun", "open"], capture_output=True, text=True, check=True)  # noqa: S603 - what was packed
    # Whichever base: its little program says its name.
    assert "lime-desktop" in started.stdout
    assert f"Exec={program} open %" in (found / f"{program}.desktop").read_text("utf-8")
    assert (found / f"{program}.png").read_bytes() == (found / ".DirIcon").read_bytes()
    assert (found / "usr/lib" / program / "_internal/link").is_symlink()
    assert image.stat().st_mode & 0o111
    assert [each.name for each in image.parent.iterdir() if each.name.startswith(".")] == []
    again = make(tmp_path / "sources", tmp_path / "two", runtime)
    assert again.read_bytes() == image.read_bytes()


@pytest.mark.skipif(not Path("/bin/true").exists(), reason="there is no /bin/true here")
def test_a_program_of_the_system_ends_where_it_says() -> None:
    """So that what is asked of a runtime is what linkers really write."""
    body = Path("/bin/true").read_bytes()
    if not body.startswith(b"\x7fELF\x02\x01"):
        pytest.skip("/bin/true is no 64-bit ELF file here")
    assert elf_size(body[:64], lambda at, count: body[at : at + count]) == len(body)


def test_what_is_no_runtime_is_refused_with_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = stand_in(tmp_path / "whole", b"hsqs and so on")
    assert "Is it a whole AppImage?" in (why_no_appimage(whole) or "")
    cut = stand_in(tmp_path / "cut")
    cut.write_bytes(cut.read_bytes()[:90])
    assert "its head is damaged" in (why_no_appimage(cut) or "")
    monkeypatch.setenv("PATH", str(tmp_path))
    runtime = stand_in(tmp_path / "runtime")
    assert "apt-get install squashfs-tools" in (why_no_appimage(runtime) or "")
    app, base = make_app(tmp_path), make_base(tmp_path)
    words = ["ship", str(app), "--base", str(base), "--out", str(tmp_path / "out"), "--appimage"]
    for more, said in (([], "--appimage-runtime"), (["--appimage-runtime", str(whole)], "whole")):
        done = CliRunner().invoke(main, [*words, *more])
        assert (done.exit_code, said in done.output) == (1, True), done.output
        assert not (tmp_path / "out").exists()
