"""A zip file, read strictly: what every reader would agree on, or a refusal. Knows nothing of packages.

Zip describes each file twice, and tools differ in which description they believe. So we read a narrow zip:
its records lie end to end with no byte unaccounted for, a file's own header says what the table of contents
says, and there are no comments, no second names, no 64-bit fields, no encryption, and no compression but
deflate. Names are UTF-8 whether flagged so or not: many tools write UTF-8 and forget the flag.

Read in this order: ``end_record`` finds the table of contents, ``contents`` lists the files, ``layout`` checks
where each one lies, ``content`` unpacks one.
"""

from lime_desktop.app_package.archive.strict_zip.content import unpack
from lime_desktop.app_package.archive.strict_zip.contents import ListedFile
from lime_desktop.app_package.archive.strict_zip.layout import StoredFile, read_archive
from lime_desktop.app_package.archive.strict_zip.refusal import RefusedError

__all__ = ["ListedFile", "RefusedError", "StoredFile", "read_archive", "unpack"]
