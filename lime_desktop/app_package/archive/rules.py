"""What an archive may list: judged from its table of contents, before a single file is unpacked. Pure."""

import stat
from collections import Counter
from collections.abc import Iterator, Sequence

from lime_desktop.app_package.archive.strict_zip import ListedFile
from lime_desktop.app_package.files.path_rules import (
    MAX_FILE_BYTES,
    MAX_PACKAGE_BYTES,
    path_collisions,
    path_problems,
    printable,
)
from lime_desktop.app_package.problem_kinds import archives, files
from lime_desktop.app_package.problems import Place, Problem

MAX_GROWTH = 200
"""How many times its packed size a file may unpack to. Text packs by 3 to 20, a bomb by 1,000."""
_GROWTH_MATTERS_ABOVE = 1024 * 1024
_EMPTY_DEFLATE_BYTES = 2


def listing_problems(listed: Sequence[ListedFile], archive_size: int) -> list[Problem]:
    """Everything wrong with the names, kinds and sizes that an archive lists."""
    if all(each.is_folder for each in listed):
        return [archives.ARCHIVE_EMPTY.found("The archive holds no files.")]
    found = [problem for each in listed for problem in _file_problems(each)]
    found.extend(_name_clashes([each.name for each in listed]))
    found.extend(_total_problems(sum(each.size for each in listed), archive_size))
    return found


def _file_problems(listed: ListedFile) -> Iterator[Problem]:
    place = Place(file=printable(listed.name))
    yield from _name_problems(listed.name, place)
    yield from _kind_problems(listed, place)
    yield from _size_problems(listed, place)


def _name_problems(name: str, place: Place) -> Iterator[Problem]:
    found = list(path_problems(name.removesuffix("/")))
    if "\0" in name:
        yield archives.ARCHIVE_NAME_NUL.found("The file name has a NUL character.", place)
    elif "\\" in name and all(each.code != files.PATH_ESCAPES_PACKAGE.code for each in found):
        yield archives.ARCHIVE_NAME_BACKSLASH.found("The file name has a backslash.", place)
    else:
        yield from found


def _kind_problems(listed: ListedFile, place: Place) -> Iterator[Problem]:
    """Look at the Unix file type whatever system the archive says it comes from."""
    kind = stat.S_IFMT(listed.unix_mode)
    if kind == stat.S_IFLNK:
        yield files.LINK_IN_PACKAGE.found("The archive holds a link.", place)
    elif kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        yield files.SPECIAL_FILE_IN_PACKAGE.found("Neither a file nor a folder.", place)
    elif kind == (stat.S_IFREG if listed.is_folder else stat.S_IFDIR):
        message = "By its name and by its type, one is a file and the other a folder."
        yield archives.ARCHIVE_FILE_IS_FOLDER.found(message, place)


def _size_problems(listed: ListedFile, place: Place) -> Iterator[Problem]:
    if listed.is_folder and (listed.size or listed.packed_size > _EMPTY_DEFLATE_BYTES):
        yield archives.ARCHIVE_FILE_IS_FOLDER.found("A folder with content of its own.", place)
    if listed.size > MAX_FILE_BYTES:
        message = f"The file is larger than {MAX_FILE_BYTES} bytes."
        yield files.FILE_TOO_LARGE.found(message, place)
    elif _is_bomb(listed.size, listed.packed_size):
        message = f"The file would grow more than {MAX_GROWTH} times when unpacked."
        yield archives.ARCHIVE_BOMB.found(message, place)


def _total_problems(total: int, archive_size: int) -> Iterator[Problem]:
    if max(total, archive_size) > MAX_PACKAGE_BYTES:
        message = f"The package is larger than {MAX_PACKAGE_BYTES} bytes."
        yield files.PACKAGE_TOO_LARGE.found(message)
    elif _is_bomb(total, archive_size):
        message = f"The archive would grow more than {MAX_GROWTH} times when unpacked."
        yield archives.ARCHIVE_BOMB.found(message)


def _is_bomb(size: int, packed_size: int) -> bool:
    return size > _GROWTH_MATTERS_ABOVE and size > packed_size * MAX_GROWTH


def _name_clashes(names: Sequence[str]) -> Iterator[Problem]:
    for name, count in Counter(names).items():
        if count > 1:
            message = f"The archive has {count} files of this name."
            yield archives.ARCHIVE_DUPLICATE_NAME.found(message, Place(file=printable(name)))
    folders = {folder for name in names for folder in _folders_of(name)}
    for name in folders.intersection(names):
        message = "The name is used for a file and for a folder."
        yield archives.ARCHIVE_FILE_IS_FOLDER.found(message, Place(file=printable(name)))
    yield from path_collisions(dict.fromkeys(name.removesuffix("/") for name in names))


def _folders_of(name: str) -> Iterator[str]:
    at = name.find("/")
    while at >= 0:
        yield name[:at]
        at = name.find("/", at + 1)
