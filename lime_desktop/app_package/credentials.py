"""Did someone leave a secret in this file? Looks at one file's name and bytes; never repeats what it found.

Two kinds of evidence. Formats that an issuer made recognisable (keys, tokens, addresses with a password) are
errors. A setting called `password`, `apiKey` and the like is a warning, if its value is neither a placeholder
nor a plain word: names of secret slots and references to them are everywhere in an honest package.
A file with NUL bytes is judged by its name alone, and only the first 2 MiB of a file are read: this catches
accidents, and nobody hides a secret from themselves.

Every pattern starts with fixed letters and repeats within bounds, so searching takes linear time.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from lime_desktop.app_package.problem_kinds.credentials import (
    CREDENTIAL_FILE,
    PLAINTEXT_CREDENTIAL,
    POSSIBLE_CREDENTIAL,
)
from lime_desktop.app_package.problems import Place, Problem

MAX_SCANNED_BYTES = 2 * 1024 * 1024
_MAX_FINDINGS = 20
_MIN_BITS_PER_CHARACTER = 2.8
# Words joined by punctuation, as in `content_api_key` or `sigstore:app@1`; people choose passwords like `spring2026`.
_NAME = re.compile(rb"[A-Za-z]+[0-9]{0,4}(?:[-_./:@][A-Za-z0-9]{1,12})*")


class CredentialPattern(NamedTuple):
    """A format that an issuer gave to its credentials, so that a match is hardly ever something else."""

    what: str
    """As it appears in the message: «looks like …»."""
    marks: tuple[bytes, ...]
    """One of these is in every match: a quick look before the pattern is tried."""
    expression: bytes

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The expression, compiled when a mark first turns up: hardly any package needs even one."""
        return re.compile(self.expression)  # `re` keeps what it compiled


def _token(what: str, pattern: bytes, *marks: bytes) -> CredentialPattern:
    # A token stands alone: inside a longer word it is a piece of something else.
    return CredentialPattern(what, marks, rb"(?<![0-9A-Za-z_-])(?:" + pattern + rb")")


PATTERNS = (
    CredentialPattern(
        "a private key",
        (b"PRIVATE KEY",),
        # In JSON the line breaks are written \n; a header like `Proc-Type: …` may come first.
        (
            rb"-----BEGIN (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----"
            rb"(?:\\[rn]|\s){1,8}(?:[A-Za-z-]{1,20}: [^\r\n]{0,80}\s{1,4}){0,4}[0-9A-Za-z+/=]{40}"
        ),
    ),
    _token("an AWS access key", rb"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])", b"AKIA", b"ASIA"),
    _token("an Aliyun access key", rb"LTAI[0-9A-Za-z]{16,24}(?![0-9A-Za-z])", b"LTAI"),
    _token("a Tencent Cloud secret id", rb"AKID[0-9A-Za-z]{32}(?![0-9A-Za-z])", b"AKID"),
    _token("a Google API key", rb"AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])", b"AIza"),
    _token("a Google access token", rb"ya29\.[0-9A-Za-z_-]{30}", b"ya29."),
    _token("a Google client secret", rb"GOCSPX-[0-9A-Za-z_-]{28}", b"GOCSPX-"),
    _token(
        "a GitHub token",
        rb"gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{60}",
        b"ghp_",
        b"gho_",
        b"ghu_",
        b"ghs_",
        b"ghr_",
        b"github_pat_",
    ),
    _token("a GitLab token", rb"glpat-[0-9A-Za-z_-]{20}", b"glpat-"),
    _token("a Slack token", rb"xox[abeoprs]-[0-9A-Za-z-]{20}", b"xox"),
    CredentialPattern(
        "a Slack webhook",
        (b"hooks.slack.com",),
        rb"hooks\.slack\.com/services/T\w{8,12}/B\w{8,12}/\w{20}",
    ),
    _token("an Anthropic key", rb"sk-ant-[0-9A-Za-z]{2,8}-[0-9A-Za-z_-]{40}", b"sk-ant-"),
    _token(
        "a model provider's key",
        rb"sk-(?:proj|svcacct|admin|or-v1)-[0-9A-Za-z_-]{32}|sk-(?:[0-9A-Za-z]{48}|[0-9a-f]{32})(?![0-9A-Za-z])",
        b"sk-",
    ),
    _token("a Hugging Face token", rb"hf_[0-9A-Za-z]{34}", b"hf_"),
    _token("a Stripe key", rb"[rs]k_live_[0-9A-Za-z]{20}", b"k_live_"),
    _token("an npm token", rb"npm_[0-9A-Za-z]{36}", b"npm_"),
    _token("a PyPI token", rb"pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_-]{40}", b"pypi-AgEI"),
    _token("a SendGrid key", rb"SG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}", b"SG."),
    CredentialPattern(
        "an address with a password in it",
        (b"://",),
        rb"""://[^\s:/@?#"'`<>]{1,64}:(?P<value>[^\s/@"'`<>]{3,128})@[0-9A-Za-z_.\[-]{1,255}""",
    ),
    CredentialPattern(
        "a registry login",
        (b"_authToken", b"_password", b"_auth"),
        rb"(?m)^\s{0,8}//[^\s=]{1,200}:_(?:authToken|password|auth)\s?=\s?(?P<value>\S{8,400})",
    ),
)

# A setting whose name ends like a secret's, in YAML, JSON, TOML or an environment file, and its value.
_SECRET_SETTING = re.compile(
    rb"""(?imx)(?:^|[{,])[ \t]{0,120}(?:export[ ]|-[ ])?["']?
    (?P<key>[\w.-]{0,60}?
        (?:password|passwd|passphrase|secret|secret[_-]?key|api[_-]?key|access[_-]?key|private[_-]?key
        |auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer[_-]?token|client[_-]?secret|token))
    ["']?[ \t]{0,8}[:=][ \t]{0,8}
    (?: "(?P<double>[^"\s]{8,400})" | '(?P<single>[^'\s]{8,400})'
    | (?P<bare>(?!["'])[!-~]{8,400})(?=[ \t]{0,8}(?:\#|\r?$)) )"""
)

_PLACEHOLDER = re.compile(
    rb"""(?ix) ^[$%{<\[*] | \$\{ | \{\{ | <[\w .-]{1,60}> | \.\.\. | ^(.)\1*$ | x{4} | \*{3} | \#{4}
    | example | placeholder | your | change.?me | replace | insert | dummy | sample | redacted | todo | fixme
    | ^(?:env|secret|secrets|keyring|vault|ref|file|lime)[:./] | ^(?:test|fake|mock|demo) | 1234567 | abcdefg
    | ^(?:user|pass|password|passwd|secret|token|string|null|none|true|false|undefined|postgres|root|admin)$"""
)

_CREDENTIAL_FILE_NAMES = frozenset(
    {".netrc", "_netrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass"}
    | {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"}
)
_CREDENTIAL_FILE_SUFFIXES = (".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk")
SETTING_FILE_SUFFIXES = (
    *(".yaml", ".yml", ".json", ".jsonc", ".toml", ".ini", ".cfg", ".conf", ".properties", ".env"),
    *(".npmrc", ".md"),
)
_TEMPLATE_SUFFIXES = (".example", ".sample", ".template", ".dist", ".tmpl")


def scan(path: str, data: bytes) -> tuple[Problem, ...]:
    """List the credentials that a package file seems to hold, at most one per line."""
    found: dict[int | None, Problem] = {}
    for problem in _findings(PurePosixPath(path), data[:MAX_SCANNED_BYTES]):
        found.setdefault(problem.line, problem)
        if len(found) == _MAX_FINDINGS:
            break
    return tuple(found.values())


def _findings(path: PurePosixPath, data: bytes) -> Iterator[Problem]:
    if _is_credential_file(path):
        yield CREDENTIAL_FILE.found("A file for credentials.", Place(file=str(path)))
    if b"\0" in data:
        return
    yield from _known_formats(path, data)
    if _holds_settings(path):
        yield from _secret_settings(path, data)


def _is_credential_file(path: PurePosixPath) -> bool:
    name = path.name.lower()
    is_template = name.endswith(_TEMPLATE_SUFFIXES)
    is_environment = name == ".env" or (name.startswith(".env.") and not is_template)
    return (
        is_environment or name in _CREDENTIAL_FILE_NAMES or name.endswith(_CREDENTIAL_FILE_SUFFIXES)
    )


def _holds_settings(path: PurePosixPath) -> bool:
    name = path.name.lower()
    return name.endswith(SETTING_FILE_SUFFIXES) or name.startswith(".env")


def _known_formats(path: PurePosixPath, data: bytes) -> Iterator[Problem]:
    for known in PATTERNS:
        if not any(mark in data for mark in known.marks):
            continue
        for match in known.pattern.finditer(data):
            value = match.groupdict().get("value") or match.group()
            if not _is_placeholder(value):
                message = f"This looks like {known.what}."
                yield PLAINTEXT_CREDENTIAL.found(message, _place(path, data, match))


def _secret_settings(path: PurePosixPath, data: bytes) -> Iterator[Problem]:
    for match in _SECRET_SETTING.finditer(data):
        key = match["key"].decode("ascii", "replace")
        value = match["double"] or match["single"] or match["bare"]
        if _looks_random(value, is_password="pass" in key.lower()) and not _is_placeholder(value):
            message = f"The value of {key!r} looks like a real secret."
            yield POSSIBLE_CREDENTIAL.found(message, _place(path, data, match))


def _place(path: PurePosixPath, data: bytes, match: re.Match[bytes]) -> Place:
    return Place(file=str(path), line=data.count(b"\n", 0, match.start()) + 1)


def _is_placeholder(value: bytes) -> bool:
    return _PLACEHOLDER.search(value) is not None or len(set(value)) < 5


def _looks_random(value: bytes, *, is_password: bool) -> bool:
    """Whether a value is more like a secret than like a word, a name or a path."""
    is_name = _NAME.fullmatch(value) and not (is_password and value.isalnum())
    if is_name or not value.isascii():
        return False
    has_digit = any(chr(byte).isdigit() for byte in value)
    has_letter = any(chr(byte).isalpha() for byte in value)
    return has_digit and has_letter and _bits_per_character(value) >= _MIN_BITS_PER_CHARACTER


def _bits_per_character(value: bytes) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
