"""Why a package is not what its publisher signed, or why nobody can tell."""

from lime_desktop.app_package.problems import ProblemKind, Severity

_DO_NOT_INSTALL = "Do not install it; get the package from its publisher again."
_SIGN_AGAIN = "Publisher: sign the package again with `lime-desktop sign`, as the last step."

# Hashes.
PACKAGE_UNREADABLE = ProblemKind(
    "PACKAGE_UNREADABLE",
    Severity.ERROR,
    "The package as a whole can't be trusted to be read: a refused archive, links, names that collide.",
    "See the problems that `lime-desktop validate` lists.",
)
SIGNATURE_FILE_INVALID = ProblemKind(
    "SIGNATURE_FILE_INVALID",
    Severity.ERROR,
    "`app.signature.yaml` is there but does not have the standard's shape.",
    _SIGN_AGAIN,
)
PACKAGE_UNSIGNED = ProblemKind(
    "PACKAGE_UNSIGNED",
    Severity.ERROR,
    "The package carries no signature: nothing shows who made it.",
    "Install it only if you know where it comes from; publishers sign with `lime-desktop sign`.",
)
HASH_ALGORITHM_UNSUPPORTED = ProblemKind(
    "HASH_ALGORITHM_UNSUPPORTED",
    Severity.ERROR,
    "The signature names another hash than SHA-256.",
    _SIGN_AGAIN,
)
PACKAGE_HASH_MISMATCH = ProblemKind(
    "PACKAGE_HASH_MISMATCH",
    Severity.ERROR,
    "The files are not those that were signed: one was changed, added, removed or renamed.",
    _DO_NOT_INSTALL,
)
MANIFEST_HASH_MISMATCH = ProblemKind(
    "MANIFEST_HASH_MISMATCH",
    Severity.ERROR,
    "APP.md is not the one that was signed.",
    _DO_NOT_INSTALL,
)

# Signature.
SIGNATURE_KIND_UNSUPPORTED = ProblemKind(
    "SIGNATURE_KIND_UNSUPPORTED",
    Severity.ERROR,
    "The signature is neither an Ed25519 signature nor a sigstore bundle.",
    _SIGN_AGAIN,
)
SIGNATURE_INVALID = ProblemKind(
    "SIGNATURE_INVALID",
    Severity.ERROR,
    "The signature does not belong to this package, version, publisher and revocation address.",
    _DO_NOT_INSTALL,
)
SIGNER_IDENTITY_UNKNOWN = ProblemKind(
    "SIGNER_IDENTITY_UNKNOWN",
    Severity.ERROR,
    "The sigstore signature was made by an identity that the trust file does not list for this publisher.",
    "Ask the publisher which identity and issuer sign for them, and add both to the trust file.",
)
SIGSTORE_MISSING = ProblemKind(
    "SIGSTORE_MISSING",
    Severity.ERROR,
    "The package has a sigstore signature, and the library that checks it is not installed.",
    "pip install 'lime-desktop[sigstore]'",
)
SIGSTORE_BUNDLE_INVALID = ProblemKind(
    "SIGSTORE_BUNDLE_INVALID",
    Severity.ERROR,
    "The sigstore bundle can't be read.",
    _SIGN_AGAIN,
)
SIGSTORE_TRUST_ROOT_INVALID = ProblemKind(
    "SIGSTORE_TRUST_ROOT_INVALID",
    Severity.ERROR,
    "The sigstore trust root can't be read.",
    "Name a `trusted_root.json`, or leave the setting out to use the one that comes with sigstore.",
)
SIGSTORE_SIGNING_ONLINE_ONLY = ProblemKind(
    "SIGSTORE_SIGNING_ONLINE_ONLY",
    Severity.ERROR,
    "Signing with sigstore needs a login at an identity provider, so it is done outside of this tool.",
    "Write the statement with `sign --statement FILE --publisher ID`, sign that file with `sigstore sign FILE`, "
    "then run `sign --statement FILE --bundle FILE.sigstore.json`.",
)

# Revocation.
PACKAGE_REVOKED = ProblemKind(
    "PACKAGE_REVOKED",
    Severity.ERROR,
    "The publisher has withdrawn this package.",
    "Do not install it, and remove it where it is installed; look for a newer version.",
)
REVOCATION_UNKNOWN = ProblemKind(
    "REVOCATION_UNKNOWN",
    Severity.ERROR,
    "Whether the package was withdrawn could not be found out, so it is not installed.",
    "Try again when there is a connection to the publisher's revocation service.",
)

# Publisher.
PUBLISHER_UNKNOWN = ProblemKind(
    "PUBLISHER_UNKNOWN",
    Severity.ERROR,
    "The trust file does not list this publisher.",
    "Ask the publisher for their id and key over a way you trust, and add both to the trust file.",
)
PUBLISHER_KEY_UNKNOWN = ProblemKind(
    "PUBLISHER_KEY_UNKNOWN",
    Severity.ERROR,
    "The package claims a publisher you trust, but is signed by a key that is not theirs.",
    "Do not install it; ask the publisher whether they have a new key.",
)
PUBLISHER_DOMAIN_UNKNOWN = ProblemKind(
    "PUBLISHER_DOMAIN_UNKNOWN",
    Severity.ERROR,
    "The package claims a domain that the trust file does not list for its publisher.",
    "Ask the publisher which domains are theirs, and add them to the trust file.",
)
PUBLISHER_MISMATCH = ProblemKind(
    "PUBLISHER_MISMATCH",
    Severity.ERROR,
    "APP.md names another publisher or domain than the signature.",
    _SIGN_AGAIN,
)

# What the person at this machine gave us.
TRUST_FILE_INVALID = ProblemKind(
    "TRUST_FILE_INVALID",
    Severity.ERROR,
    "The trust file can't be read, or does not have the shape it must have.",
    "Correct the file; `lime-desktop verify --help` shows the shape.",
)
TRUST_FILE_WRITABLE_BY_OTHERS = ProblemKind(
    "TRUST_FILE_WRITABLE_BY_OTHERS",
    Severity.ERROR,
    "Others on this machine may write the trust file, so they could decide whom you trust.",
    "chmod go-w FILE",
)
KEY_FILE_EXISTS = ProblemKind(
    "KEY_FILE_EXISTS",
    Severity.ERROR,
    "There is already a file where the new key would go. A key is never overwritten.",
    "Name another file.",
)
KEY_FILE_READABLE_BY_OTHERS = ProblemKind(
    "KEY_FILE_READABLE_BY_OTHERS",
    Severity.ERROR,
    "Others on this machine may read the key, so it may not be secret any more.",
    "chmod 600 FILE, and consider a new key.",
)
KEY_FILE_INVALID = ProblemKind(
    "KEY_FILE_INVALID",
    Severity.ERROR,
    "The file holds no Ed25519 private key that can be read.",
    "Make a key with `lime-desktop sign --new-key FILE`.",
)
KEY_PASSPHRASE_WRONG = ProblemKind(
    "KEY_PASSPHRASE_WRONG",
    Severity.ERROR,
    "The key is locked by a passphrase, and none or a wrong one was given.",
    "Give it when asked, or in a file with --passphrase-file.",
)
SIGNING_FAILED = ProblemKind(
    "SIGNING_FAILED",
    Severity.ERROR,
    "The signature could not be written.",
    "Check that the place can be written.",
)
