"""Plaintext credentials in package files are found, and nothing is called one that is not (m.57)."""

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_package.credentials import MAX_SCANNED_BYTES, scan

_NOTHING_S = 0.05
"""Below this a clock says more of itself than of the work."""
LETTERS = string.ascii_letters + string.digits


def noise(length: int, alphabet: str = LETTERS) -> str:
    """The same random text each time. Tokens are put together here, so that no scanner finds one in this file."""
    return "".join(random.Random(length).choices(alphabet, k=length))  # noqa: S311 - not a secret


def lines_of(path: str, text: str) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in scan(path, text.encode())]


PEM = "-----BEGIN {}PRIVATE " + "KEY-----"

TOKENS = {
    "aws": "AK" + "IA" + noise(16, string.ascii_uppercase + "234567"),
    "aliyun": "LT" + "AI" + noise(20),
    "tencent": "AK" + "ID" + noise(32),
    "google": "AI" + "za" + noise(35),
    "github": "gh" + "p_" + noise(36),
    "github-fine": "github" + "_pat_" + noise(82),
    "gitlab": "gl" + "pat-" + noise(20),
    "slack": "xo" + "xb-" + noise(12, string.digits) + "-" + noise(24),
    "openai": "sk" + "-proj-" + noise(48),
    "openai-old": "sk" + "-" + noise(48),
    "deepseek": "sk" + "-" + noise(32, "0123456789abcdef"),
    "anthropic": "sk" + "-ant-api03-" + noise(95),
    "stripe": "sk" + "_live_" + noise(24),
    "npm": "np" + "m_" + noise(36),
    "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + noise(60),
    "hugging-face": "h" + "f_" + noise(34),
    "sendgrid": "S" + "G." + noise(22) + "." + noise(43),
}


@pytest.mark.requirement("APP-57")
@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
def test_a_token_is_found_in_any_text_file(token: str) -> None:
    bundle = f"const a=1;\nfetch(u,{{headers:{{k:'{token}'}}}});\n"
    assert lines_of("dist/ui/app.js", bundle) == [("PLAINTEXT_CREDENTIAL", 2)]


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_is_found(kind: str) -> None:
    key = f"{PEM.format(kind)}\n{noise(64)}\n{noise(64)}\n"
    assert lines_of("certs/server.txt", f"\n\n{key}") == [("PLAINTEXT_CREDENTIAL", 3)]


def test_a_service_accounts_key_is_found_in_json() -> None:
    text = f'{{"type": "service_account",\n "private_key": "{PEM.format("")}\\n{noise(64)}\\n"}}'
    assert lines_of("config/cloud.json", text) == [("PLAINTEXT_CREDENTIAL", 2)]


def test_an_address_with_a_password_is_found() -> None:
    address = "postgres://app:" + noise(12) + "@db.internal:5432/app"
    assert lines_of("services/run.py", f"\nURL = '{address}'") == [("PLAINTEXT_CREDENTIAL", 2)]


def test_a_registry_login_is_found() -> None:
    text = f"//registry.example.org/:_authToken={noise(40)}\n"
    assert lines_of(".npmrc", text) == [("PLAINTEXT_CREDENTIAL", 1)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app.runtime.yaml", f"a: 1\n    apiKey: {noise(24)}\n"),
        ("app.runtime.yaml", f"a: 1\n  - client_secret: '{noise(24)}'  # ours\n"),
        ("config.json", f'{{\n"dbPassword": "{noise(15)}", "x": 1}}'),
        ("config.json", f'\n{{"a":1,"password":"{noise(15)}"}}'),
        ("settings.toml", f'\r\naccess_token = "{noise(30)}"\r\n'),
        ("deploy/prod.env", f"\nexport SERVICE_TOKEN={noise(30)}\n"),
        ("app.yaml", "\npassword: spring2026\n"),
        ("app.yaml", "\npassword: Tr0ub4dor&3\n"),
    ],
)
def test_a_setting_named_like_a_secret_with_a_real_value_is_a_warning(path: str, text: str) -> None:
    assert lines_of(path, text) == [("POSSIBLE_CREDENTIAL", 2)]


@pytest.mark.requirement("APP-57")
@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "services/.env.production",
        "home/.netrc",
        ".ssh/id_ed25519",
        "certs/app.p12",
        "a/B.JKS",
    ],
)
def test_a_file_that_exists_to_hold_credentials_is_found_by_its_name(path: str) -> None:
    assert [problem.code for problem in scan(path, b"\0")] == ["CREDENTIAL_FILE"]


HONEST = {
    "slots": "secrets:\n  - key: content_api_key\n    provider: lime.secrets\n    required: true\n",
    "slot references": "apiKey: content_api_key\nsecret: content-factory-v2\ntoken: lime.secrets/main_1\n",
    "environment references": "password: ${DB_PASSWORD1}\napiKey: $OPENAI_KEY_2\ntoken: env:TOKEN_01\n",
    "templates": "apiKey: {{ secrets.api_key_01 }}\npassword: <your password 1>\n",
    "placeholders": "password: changeme123\napi_key: xxxxxxxxxxxx1\ntoken: YOUR_TOKEN_HERE_123\n",
    "stars": "password: '********'\ntoken: '............1a'\n",
    "limits": "maxTokens: 4096\ntokenLimit: 100000\ntoken: 123456789012\n",
    "policies": "passwordPolicy: min12chars\nsecretsRequired: true1234\n",
    "schema": '{"apiKey": {"type": "string", "minLength": 32}, "password": "string"}\n',
    "translations": "password: 请输入密码12345\napiKey: 'Enter your API key 1'\n",
    "signature refs": "signatureRef: sigstore:content-factory-app@current\npublicKey: abc123DEF456ghi789\n",
    "hashes": f"hash: sha256:{noise(64, '0123456789abcdef')}\nintegrity: sha512-{noise(86)}==\n",
    "addresses": "a: https://example.org:8080/x@y\nb: postgres://user:password@localhost/db\nc: https://a:${PW}@h\n",
    "guides": "Set the header to `Authorization: Bearer <token>`, and keep "
    + PEM.format("")
    + " away.\n",
    "short tokens": "`ghp_…` and `sk-…` are prefixes; sk-learn-contrib, sk-test, npm_config_registry.\n",
    "examples": "AK" + "IAIOSFODNN7EXAMPLE and gh" + "p_" + "x" * 36 + "\n",
    "css": ".task-" + noise(32, "0123456789abcdef") + " { color: red }\n",
}


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST.keys())
@pytest.mark.parametrize("path", ["app.runtime.yaml", "docs/guide.md", "locales/zh-CN.json"])
def test_what_honest_packages_hold_is_not_called_a_secret(path: str, text: str) -> None:
    assert scan(path, text.encode()) == ()


@pytest.mark.parametrize("path", [".env.example", "config/.env.template", "env.yaml", "netrc.md"])
def test_a_template_of_a_credential_file_is_welcome(path: str) -> None:
    assert scan(path, b"API_KEY=\nPASSWORD=<your password>\n") == ()


def test_code_is_not_searched_for_settings() -> None:
    assert scan("dist/ui/app.js", b"const o={\npassword:e1f2g3h4i5j6\n}") == ()


def test_no_finding_repeats_the_secret() -> None:
    secret = noise(40)
    files = {
        "a.yaml": f"password: {secret}",
        "b.js": TOKENS["github"],
        "c.txt": f"ftp://me:{secret}@host",
        ".env": f"TOKEN={secret}",
    }
    for path, text in files.items():
        problems = scan(path, text.encode())
        assert problems
        for problem in problems:
            shown = problem.model_dump_json()
            assert secret not in shown
            assert TOKENS["github"] not in shown


def test_a_file_full_of_secrets_is_reported_to_a_limit() -> None:
    assert len(scan("a.yaml", f"password: {noise(20)}\n".encode() * 5000)) == 20


@pytest.mark.parametrize(
    "piece",
    [
        b"a",
        b"://a:b",
        b"password: ",
        b"password",
        b"-----BEGIN PRIVATE KEY-----\n",
        b"sk-",
        b"{,",
        b"AKIA",
    ],
)
def test_the_work_grows_with_the_size_of_a_file(piece: bytes) -> None:
    data = piece * (MAX_SCANNED_BYTES // len(piece))
    quarter = data[: len(data) // 4]
    # Four times the bytes are four times the work; sixteen times if each were looked at from all before it.
    assert _work(data) < 9 * _work(quarter) + _NOTHING_S


def _work(data: bytes) -> float:
    """The least of a few tries: other work on this computer only ever adds to it."""

    def once() -> float:
        start = time.process_time()
        scan("a.yaml", data)
        return time.process_time() - start

    return min(once() for _ in range(3))


@given(st.text(max_size=30), st.binary(max_size=300))
def test_any_name_and_any_bytes_can_be_scanned(path: str, data: bytes) -> None:
    scan(path, data)
