"""The tar.gz of a program: its tree with a script that installs it for one person, and one that takes it away again."""

from collections.abc import Callable, Sequence
from pathlib import Path

from lime_desktop.resources import resources_folder
from lime_desktop.stamping.apparmor import apparmor_profile
from lime_desktop.stamping.archives import (
    Entry,
    PiecewiseGzip,
    entries_of,
    with_folders,
    write_tar,
)
from lime_desktop.stamping.program_tree import ProgramTree
from lime_desktop.stamping.system_needs import elf_files, looking_script


def write_user_archive(
    tree: ProgramTree,
    beside: Callable[[str], Sequence[Entry]],
    script: Callable[[Path], str],
    level: int,
    out: Path,
) -> Path:
    """Write the archive and give its path. `beside` adds files below a folder; `script` words one in the program's name.

    Raises:
        UnknownLibraries: the tree needs some that no package is known for.
    """
    program, name = tree.program, f"{tree.program}-{tree.version}"
    # Whichever version runs.
    profile = apparmor_profile(program, f"@{{HOME}}/.local/lib/{program}/versions/*")
    looks = looking_script(elf_files(tree.folder))
    entries = [
        *entries_of(tree.folder, f"{name}/{program}"),
        Entry(f"{name}/{program}.apparmor", content=profile.encode()),
        Entry(f"{name}/missing-libraries.sh", 0o755, content=looks.encode()),
        *beside(name),
        *(
            Entry(f"{name}/{each.name}", 0o755, content=script(each).encode())
            for each in sorted((resources_folder() / "user_install").glob("*.sh"))
        ),
    ]
    target = out / f"{name}-linux-{tree.processor}.tar.gz"
    with target.open("wb") as file, PiecewiseGzip(file, level) as packed:
        write_tar(packed, with_folders(entries), tree.epoch)  # pyright: ignore[reportArgumentType] - tarfile only writes
    return target
