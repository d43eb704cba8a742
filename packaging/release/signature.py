"""A detached Ed25519 signature over SHA256SUMS, by the same code and the same key files that sign packages.

The signature is the 64 bytes alone, so that OpenSSL can check it too:
    openssl pkeyutl -verify -pubin -inkey signing-key.pub.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
"""

import os
import stat
from pathlib import Path

from newcomer.console import StoppedError

from release.environment import ReleaseEnvironment

_SIGN = """
import base64, sys
from pathlib import Path
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.signing_key import load_key
keyfile, signed, signature, public = map(Path, sys.argv[1:])
passphrase = sys.stdin.readline().rstrip("\\n").encode() or None
key = load_key(keyfile, passphrase)
if isinstance(key, Problem):
    sys.exit(key.message)
signature.write_bytes(base64.b64decode(key.sign(signed.read_bytes())))
half = Ed25519PublicKey.from_public_bytes(key.public_key.raw)
encoding = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
public.write_bytes(half.public_bytes(*encoding))
"""
PASSPHRASE = "LIME_RELEASE_KEY_PASSPHRASE"  # noqa: S105 - its name
"""The environment variable with the key's passphrase, where it has one."""


def check_key(path: Path) -> None:
    """See before anything is built whether the key can be used at the end.

    Raises:
        StoppedError: it is not there, or others may read it.
    """
    try:
        mode = path.stat().st_mode
        head = path.read_bytes()[:64]
    except OSError as error:
        raise StoppedError(f"The signing key cannot be read: {error.strerror}: {path}") from None
    if os.name != "nt" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise StoppedError(f"Others may read the signing key. Run: chmod 600 {path}")
    if b"PRIVATE KEY" not in head:
        raise StoppedError(
            f"{path} holds no private key. To make one: lime-desktop sign --new-key FILE"
        )


def sign(environment: ReleaseEnvironment, key: Path, signed: Path) -> None:
    """Write `SHA256SUMS.sig` and the public half of the key beside it."""
    paths = (
        key,
        signed,
        signed.with_name(f"{signed.name}.sig"),
        signed.with_name("signing-key.pub.pem"),
    )
    environment.ask(_SIGN, *map(str, paths), stdin=os.environ.get(PASSPHRASE, "") + "\n")
