"""The classes of python-tuf and securesystemslib from the places that their documentation names.

Those places do not list what they export, so that a strict type checker takes it for private: said here, once.
"""

from securesystemslib.signer import (
    CryptoSigner,  # pyright: ignore[reportPrivateImportUsage]
    SSlibKey,  # pyright: ignore[reportPrivateImportUsage]
)
from tuf.api.metadata import (
    Metadata,
    MetaFile,  # pyright: ignore[reportPrivateImportUsage]
    Root,  # pyright: ignore[reportPrivateImportUsage]
    Snapshot,  # pyright: ignore[reportPrivateImportUsage]
    TargetFile,  # pyright: ignore[reportPrivateImportUsage]
    Targets,  # pyright: ignore[reportPrivateImportUsage]
    Timestamp,  # pyright: ignore[reportPrivateImportUsage]
)

__all__ = [
    "CryptoSigner",
    "MetaFile",
    "Metadata",
    "Root",
    "SSlibKey",
    "Snapshot",
    "TargetFile",
    "Targets",
    "Timestamp",
]
