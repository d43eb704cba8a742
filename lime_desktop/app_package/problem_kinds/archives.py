"""Problems of a `.lapp` archive as a file, before anything in it is read. Each one refuses the archive.

What an archive shares with a folder (names, links, sizes) has its codes in ``files``.
"""

from lime_desktop.app_package.problems import ProblemKind, Severity

_PACK_AGAIN = "Make the package file again with `lime-desktop pack`."
_FETCH_AGAIN = "Download the file again, or choose a file that ends in .lapp."

ARCHIVE_UNREADABLE = ProblemKind(
    "ARCHIVE_UNREADABLE",
    Severity.ERROR,
    "The system refused to read the archive file.",
    "Check the permissions of the file, and that it still exists.",
)
ARCHIVE_NOT_ZIP = ProblemKind(
    "ARCHIVE_NOT_ZIP",
    Severity.ERROR,
    "The file is not a Lime package (.lapp): it has another format, or is cut short.",
    _FETCH_AGAIN,
)
ARCHIVE_TRUNCATED = ProblemKind(
    "ARCHIVE_TRUNCATED",
    Severity.ERROR,
    "The archive's table of contents points past the end of the file.",
    _FETCH_AGAIN,
)
ARCHIVE_EMPTY = ProblemKind(
    "ARCHIVE_EMPTY", Severity.ERROR, "The archive holds no files.", _PACK_AGAIN
)
ARCHIVE_DATA_BEFORE = ProblemKind(
    "ARCHIVE_DATA_BEFORE",
    Severity.ERROR,
    "Something stands before the first file: a program or another archive could hide there.",
    _PACK_AGAIN,
)
ARCHIVE_DATA_BETWEEN = ProblemKind(
    "ARCHIVE_DATA_BETWEEN",
    Severity.ERROR,
    "Bytes that belong to no file stand between the archive's parts.",
    _PACK_AGAIN,
)
ARCHIVE_DATA_AFTER = ProblemKind(
    "ARCHIVE_DATA_AFTER",
    Severity.ERROR,
    "Something stands after the archive's end.",
    _PACK_AGAIN,
)
ARCHIVE_COMMENT = ProblemKind(
    "ARCHIVE_COMMENT",
    Severity.ERROR,
    "The archive or one of its files has a comment: bytes that nobody sees and no hash covers.",
    _PACK_AGAIN,
)
ARCHIVE_SPLIT = ProblemKind(
    "ARCHIVE_SPLIT",
    Severity.ERROR,
    "The archive is one part of several.",
    "Join the parts into one archive.",
)
ARCHIVE_ZIP64 = ProblemKind(
    "ARCHIVE_ZIP64",
    Severity.ERROR,
    "The archive uses 64-bit sizes, which no package needs: a second size field is a second truth.",
    _PACK_AGAIN,
)
ARCHIVE_CONTENTS_DAMAGED = ProblemKind(
    "ARCHIVE_CONTENTS_DAMAGED",
    Severity.ERROR,
    "The archive's table of contents is broken or does not have the length it says.",
    _FETCH_AGAIN,
)
ARCHIVE_HEADERS_DISAGREE = ProblemKind(
    "ARCHIVE_HEADERS_DISAGREE",
    Severity.ERROR,
    "A file's own header and the table of contents say different things; tools would see different files.",
    _PACK_AGAIN,
)
ARCHIVE_TWO_NAMES = ProblemKind(
    "ARCHIVE_TWO_NAMES",
    Severity.ERROR,
    "A file carries a second name in an extra field, different from its first.",
    _PACK_AGAIN,
)
ARCHIVE_ENTRIES_OVERLAP = ProblemKind(
    "ARCHIVE_ENTRIES_OVERLAP",
    Severity.ERROR,
    "Two files share the same bytes of the archive, as a zip bomb does.",
    _PACK_AGAIN,
)
ARCHIVE_DUPLICATE_NAME = ProblemKind(
    "ARCHIVE_DUPLICATE_NAME",
    Severity.ERROR,
    "Two files have the same name; tools would pick different ones.",
    _PACK_AGAIN,
)
ARCHIVE_FILE_IS_FOLDER = ProblemKind(
    "ARCHIVE_FILE_IS_FOLDER",
    Severity.ERROR,
    "A name is used both for a file and for a folder, or a folder has content of its own.",
    _PACK_AGAIN,
)
ARCHIVE_NAME_BACKSLASH = ProblemKind(
    "ARCHIVE_NAME_BACKSLASH",
    Severity.ERROR,
    "A file name has a backslash: a folder on Windows, a part of the name elsewhere.",
    "Make the archive with forward slashes, for example with `lime-desktop pack`.",
)
ARCHIVE_NAME_NUL = ProblemKind(
    "ARCHIVE_NAME_NUL",
    Severity.ERROR,
    "A file name has a NUL character, where some tools stop reading it.",
    _PACK_AGAIN,
)
ARCHIVE_ENCRYPTED = ProblemKind(
    "ARCHIVE_ENCRYPTED",
    Severity.ERROR,
    "A file is encrypted, so nobody can check it.",
    "Make the archive again without a password.",
)
ARCHIVE_COMPRESSION_UNSUPPORTED = ProblemKind(
    "ARCHIVE_COMPRESSION_UNSUPPORTED",
    Severity.ERROR,
    "A file is compressed in another way than deflate.",
    _PACK_AGAIN,
)
ARCHIVE_BOMB = ProblemKind(
    "ARCHIVE_BOMB",
    Severity.ERROR,
    "The archive would grow far more than real files do when unpacked.",
    "Do not open the archive; ask its publisher.",
)
ARCHIVE_SIZE_WRONG = ProblemKind(
    "ARCHIVE_SIZE_WRONG",
    Severity.ERROR,
    "A file does not unpack to the size that the archive says.",
    _FETCH_AGAIN,
)
ARCHIVE_CHECKSUM_WRONG = ProblemKind(
    "ARCHIVE_CHECKSUM_WRONG",
    Severity.ERROR,
    "A file's bytes do not match the archive's checksum.",
    _FETCH_AGAIN,
)
ARCHIVE_DATA_DAMAGED = ProblemKind(
    "ARCHIVE_DATA_DAMAGED",
    Severity.ERROR,
    "A file's compressed bytes cannot be unpacked, or hide more than the file.",
    _FETCH_AGAIN,
)
ARCHIVE_WRAPPER_FOLDER = ProblemKind(
    "ARCHIVE_WRAPPER_FOLDER",
    Severity.NOTE,
    "Everything lies in one folder; that folder was taken as the package.",
    "Nothing to do; `lime-desktop pack` makes archives without it.",
)
