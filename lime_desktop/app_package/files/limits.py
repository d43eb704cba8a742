"""How large a package may be. One place, so that a folder and an archive obey the same rule."""

MAX_FILES = 20_000
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_PACKAGE_BYTES = 1024 * 1024 * 1024
MAX_FOLDER_DEPTH = 32
MAX_PATH_CHARS = 240
"""Windows stops at 260 with the folder the package is installed in."""
